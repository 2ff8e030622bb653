"""Word lists of the author-year grammar.  All entries are case-folded."""

from __future__ import annotations

CONJUNCTIONS = frozenset(["and", "&", "und", "et", "y", "e", "og", "och", "en"])

# "Ng and colleagues (2015)".
AND_OTHERS = frozenset(
    [
        *("colleagues", "coworkers", "co-workers", "collaborators", "others"),
        *("associates", "coauthors", "co-authors", "kollegen", "mitarbeiter"),
        *("colaboradores", "collaborateurs"),
    ]
)

PARTICLES = frozenset(
    [
        *("van", "von", "vom", "der", "den", "de", "del", "della", "dela", "di", "da"),
        *("dos", "das", "do", "du", "des", "la", "le", "lo", "ten", "ter", "te", "zu"),
        *("zur", "zum", "af", "av", "el", "al", "bin", "ibn", "abu", "ben", "ould"),
        *("'t", "’t", "'s", "’s", "d", "dal", "degli", "delle", "dei", "in't", "op"),
    ]
)

# Particles that also join the words of an organisation's name.
OF = frozenset(["de", "del", "des", "du", "do", "dos", "das", "di", "da", "della"])
ORGANISATION_JOINTS = frozenset(["of", "for", "the", "on", "für", "pour", "para"])

GENERATIONS = frozenset(["jr", "sr", "ii", "iii", "iv", "vi", "vii", "2nd", "3rd"])

MONTHS = frozenset(
    [
        *("january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december", "jan", "feb", "mar", "apr"),
        *("jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"),
        *("spring", "summer", "autumn", "fall", "winter", "monday", "tuesday"),
        *("wednesday", "thursday", "friday", "saturday", "sunday", "easter"),
    ]
)

# What may stand before a name in a bracket or a sentence and is no part of it.
LEAD_WORDS = frozenset(
    [
        *("see", "also", "but", "cf", "e.g", "i.e", "reviewed", "review", "reviews"),
        *("for", "in", "on", "by", "from", "after", "adapted", "modified", "data"),
        *("source", "sources", "as", "per", "and", "or", "the", "a", "an", "at", "to"),
        *("with", "following", "according", "like", "unlike", "while", "whereas"),
        *("although", "though", "however", "moreover", "furthermore", "thus", "hence"),
        *("therefore", "recently", "similarly", "likewise", "notably", "indeed"),
        *("interestingly", "importantly", "consistently", "first", "second", "third"),
        *("finally", "further", "later", "earlier", "early", "previously", "both"),
        *("when", "where", "since", "because", "if", "then", "here", "using", "since"),
        *("more", "most", "many", "several", "other", "others", "such", "this", "that"),
        *("these", "those", "our", "their", "his", "her", "its", "we", "they", "he"),
        *("she", "it", "i", "is", "was", "via", "yet", "so", "only", "even", "again"),
        *("additionally", "alternatively", "conversely", "contrary", "compared"),
        *("subsequently", "initially", "originally", "briefly", "specifically"),
        *("particularly", "especially", "e.g.", "i.e.", "viz", "vide", "siehe", "vgl"),
        *("voir", "véase", "ver", "based", "given", "despite", "under", "over", "of"),
        *("between", "within", "among", "during", "until", "through", "than", "not"),
        *("accordingly", "meanwhile", "nevertheless", "nonetheless", "instead"),
        *("together", "starting", "building", "extending", "work", "studies", "study"),
        *("research", "references", "reference", "examples", "example", "including"),
        *("quoted", "cited", "citing", "discussed", "described", "shown", "reported"),
        *("surprisingly", "strikingly", "remarkably", "unfortunately", "curiously"),
        *("crucially", "critically", "collectively", "overall", "generally", "rather"),
        *(
            "except",
            "contrast",
            "today",
            "now",
            "once",
            "no",
            "all",
            "some",
            "each",
            "what",
        ),
    ]
)

# Words that end no list of names: labels, and what is followed by a number.
NEVER_NAMES = frozenset(
    [
        *("figure", "figures", "fig", "figs", "table", "tables", "section", "sections"),
        *("chapter", "chapters", "appendix", "equation", "equations", "eq", "eqs"),
        *("supplementary", "panel", "box", "scheme", "plate", "video", "movie", "file"),
        *("version", "ver", "release", "volume", "vol", "issue", "no", "number", "nr"),
        *("page", "pages", "pp", "line", "lines", "step", "part", "item", "case"),
        *(
            "sample",
            "samples",
            "day",
            "days",
            "week",
            "weeks",
            "month",
            "year",
            "years",
        ),
        *("and", "or", "the", "since", "until", "before", "after", "during", "circa"),
        *("between", "from", "of", "about", "around", "approximately", "copyright"),
        *("published", "accessed", "retrieved", "updated", "dated", "founded", "born"),
        *("died", "established", "created", "revised", "reprinted", "received"),
        *("windows", "office", "excel", "matlab", "photoshop", "prism", "hiseq"),
        *("miseq", "nextseq", "lipofectamine", "typhoon", "axiovert", "nanodrop"),
        *("coolpix", "bioanalyzer", "labview", "pclamp", "igor", "imaris", "python"),
        *("java", "android", "ubuntu", "debian", "catalog", "catalogue", "cat", "lot"),
        *("serial", "model", "code", "grant", "award", "project", "horizon", "agenda"),
        *("experiment", "experiments", "study", "trial", "phase", "stage", "group"),
        *("communication", "observation", "observations", "data", "results", "edition"),
        *("olympics", "census", "survey", "congress", "summit", "election", "program"),
        *("programme", "conference", "meeting", "workshop", "protocol", "act", "mm"),
        *("however", "moreover", "therefore", "thus", "also", "respectively", "see"),
        *(
            "in",
            "on",
            "at",
            "by",
            "for",
            "with",
            "to",
            "as",
            "is",
            "was",
            "were",
            "are",
        ),
        *("we", "i", "they", "this", "that", "these", "those", "which", "who", "it"),
    ]
)

# Organisations that would be common words in lower case.
ACRONYMS = frozenset(["WHO"])

# Places that are read as such after "in", "at" or "from".
PLACES = frozenset(
    [
        *("africa", "america", "asia", "australia", "austria", "athens", "amsterdam"),
        *("antarctica", "argentina", "bangladesh", "barcelona", "beijing", "belgium"),
        *("berlin", "boston", "brazil", "britain", "brussels", "california", "canada"),
        *("chicago", "chile", "china", "colombia", "copenhagen", "denmark", "dublin"),
        *("edinburgh", "egypt", "england", "ethiopia", "europe", "finland", "florida"),
        *("france", "geneva", "germany", "ghana", "greece", "hamburg", "helsinki"),
        *("hong kong", "hungary", "iceland", "india", "indonesia", "iran", "iraq"),
        *("ireland", "israel", "istanbul", "italy", "japan", "jerusalem", "kenya"),
        *("korea", "kyoto", "lisbon", "london", "los angeles", "madrid", "malaysia"),
        *("melbourne", "mexico", "milan", "montreal", "moscow", "mumbai", "munich"),
        *("nepal", "netherlands", "new york", "new zealand", "nigeria", "norway"),
        *("osaka", "oslo", "oxford", "pakistan", "paris", "peru", "philadelphia"),
        *("philippines", "poland", "portugal", "prague", "rio", "rome", "russia"),
        *("san francisco", "scotland", "seattle", "seoul", "shanghai", "singapore"),
        *("south africa", "spain", "stockholm", "sweden", "switzerland", "sydney"),
        *("taiwan", "tanzania", "texas", "thailand", "tokyo", "toronto", "turkey"),
        *("uganda", "uk", "ukraine", "united kingdom", "united states", "us", "usa"),
        *("vancouver", "venezuela", "vienna", "vietnam", "wales", "warsaw"),
        *("washington", "zurich", "cambridge"),
    ]
)
PLACE_PREPOSITIONS = frozenset(["in", "at", "near", "from", "to", "around", "outside"])

# Single words that count only when the reference list has such an entry.
DOUBTFUL = MONTHS | PLACES
