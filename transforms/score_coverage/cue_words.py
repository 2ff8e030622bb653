"""Words that tell what a sentence cites a work for.

All entries are lower case.  A plural in -s is found by its singular.  A word decides
little alone: ``attribution.py`` says where it must stand.
"""

from __future__ import annotations

METHOD_NOUNS = frozenset(
    [
        *("algorithm", "approach", "assay", "calculation", "calibration", "classifier"),
        *("coefficient", "condition", "construction", "correction"),
        *("criterion", "criteria"),
        *("definition", "derivation", "design", "equation", "estimator", "experiment"),
        *("fixation", "formula", "framework", "guideline", "heuristic", "index"),
        *("indices", "instruction", "manner", "measure", "method", "methodology"),
        *("metric", "model", "paradigm", "parameterization", "pipeline", "preparation"),
        *("procedure", "protocol", "recipe", "scheme", "set-up", "setup", "staining"),
        *("standard", "statistic", "strategy", "strategies", "task"),
        *("technique", "test", "theorem", "theory", "transform", "transformation"),
        *("workflow", "microscope", "rig", "routine", "convention"),
        *("nomenclature", "taxonomy", "analysis", "analyses", "microscopy"),
        *("spectroscopy", "sequencing", "tomography", "regression", "clustering"),
        *("simulation", "tracking", "sorting", "imaging", "labeling", "labelling"),
    ]
)

# "following the protocol of": what else follows is an event.
PROTOCOL_NOUNS = frozenset(
    [
        *("approach", "convention", "criteria", "criterion", "definition", "guideline"),
        *("instruction", "method", "nomenclature", "procedure", "protocol", "recipe"),
        *("recommendation", "scheme", "standard", "technique", "formula", "equation"),
        *("algorithm", "model", "taxonomy", "classification", "strategy", "framework"),
    ]
)

SOFTWARE_NOUNS = frozenset(
    [
        *("software", "package", "toolbox", "toolboxes", "toolkit", "webserver"),
        *("server", "plugin", "plug-in", "script", "code", "suite", "program"),
        *("programme", "tool", "library", "libraries", "implementation", "platform"),
        *("interface", "simulator", "workbench", "app", "application", "module"),
        *("solver", "compiler", "browser", "aligner"),
    ]
)
# Of these a sentence about software is sure to speak.
STRONG_SOFTWARE_NOUNS = frozenset(
    [
        *("software", "toolbox", "toolboxes", "webserver", "plugin", "plug-in"),
        *("workbench", "simulator", "aligner", "solver"),
    ]
)

RESOURCE_NOUNS = frozenset(
    [
        *("allele", "antibody", "antibodies", "antiserum", "antisera", "archive"),
        *("atlas", "atlases", "backbone", "bank", "cassette", "cdna", "collection"),
        *("construct", "coordinates", "corpora", "corpus", "crna", "data", "database"),
        *("dataset", "data-set", "deposition", "driver", "dye", "embryo", "fosmid"),
        *("gal4", "grna", "indicator", "insertion", "inventories", "inventory"),
        *("isolate", "lexa", "library", "line", "marker", "mesh", "microarray"),
        *("micrograph", "mice", "mouse", "oligo", "oligonucleotide", "plasmid"),
        *("primer", "probe", "promoter", "questionnaire", "reagent", "reporter"),
        *("repository", "resource", "scale", "sensor", "sequence", "sgrna", "shrna"),
        *("sirna", "specimen", "stock", "strain", "template", "transgene"),
        *("transgenic", "vector", "virus", "viruses"),
    ]
)
# These name what is cited where the sentence says "previously described" and such.
MATERIAL_NOUNS = RESOURCE_NOUNS | frozenset(
    [
        *("animal", "annotation", "array", "assembly", "blocker", "cell", "clone"),
        *("cohort", "compound", "constant", "deletion", "entries", "entry", "flies"),
        *("fly", "fragment", "genome", "genotype", "image", "inhibitor", "larva"),
        *("larvae", "map", "material", "matrix", "media", "medium", "mutant"),
        *("parameter", "parasite", "peptide", "protein", "rat", "reconstruction"),
        *("record", "recording", "sample", "set", "stimuli", "stimulus", "structure"),
        *("survey", "table", "text", "toxin", "tree", "value", "worm", "zebrafish"),
    ]
)
# Of these a sentence speaks only where it names its material.
STRONG_RESOURCE_NOUNS = frozenset(
    [
        *("antiserum", "antisera", "database", "dataset", "data-set", "gal4", "lexa"),
        *("plasmid", "repository", "questionnaire", "fosmid", "sgrna", "shrna"),
        *("transgene", "corpus", "corpora"),
    ]
)

# The authors lay hands on something.
USE_WORDS = frozenset(
    [
        *("used", "using", "utilized", "utilizing", "utilised", "utilising"),
        *("employed", "employing", "applied", "applying", "adopted", "adopting"),
        *("adapted", "adapting", "implemented", "implementing", "ran", "modified"),
        *("exported", "imported", "loaded", "expressing", "carrying", "harboring"),
        "harbouring",
    ]
)
# These only where the authors are named, or what was done to something.
HANDLING_WORDS = frozenset(
    [
        *("adapt", "adopt", "apply", "backcrossed", "bred", "cloned", "crossed"),
        *("donated", "downloaded", "electroporated", "employ", "genotyped", "gift"),
        *("infected", "injected", "kindly", "mated", "obtained", "probed"),
        *("purchased", "retrieved", "stained", "subcloned", "tested", "transduced"),
        *("transfected", "transformed", "use", "utilize", "utilise"),
    ]
)
# Someone else's use, or use in general.
OTHERS_USE = frozenset(
    [
        *("been", "has", "they", "is", "are", "widely", "commonly", "often", "be"),
        *("frequently", "routinely", "who", "which", "can", "could", "may", "to"),
    ]
)
# Behind such a word the sentence states something.
STATING_WORDS = frozenset(
    [
        *("that", "which", "whereas", "because", "since", "although", "while", "who"),
        *("when", "where", "whether", "if", "revealed", "showed", "found", "revealing"),
        *("showing", "demonstrating", "suggesting", "indicating"),
    ]
)

# What is done to material or data: "were purified", "we computed".  Words that as
# often state a result (increased, observed, detected) are left out.
DOING_WORDS = frozenset(
    [
        *("acquired", "added", "adjusted", "aligned", "analysed", "analyzed"),
        *("annealed", "annotated", "anesthetized", "anaesthetised", "assayed"),
        *("assembled", "assessed", "averaged", "backcrossed", "built", "calculated"),
        *("calibrated", "captured", "carried", "centrifuged", "chosen", "classified"),
        *("cloned", "clustered", "coded", "collected", "computed", "conducted"),
        *("constructed", "corrected", "crossed", "crystallized", "cultured"),
        *("defined", "derived", "dissected", "dissolved", "downloaded", "embedded"),
        *("estimated", "evaluated", "excised", "expressed", "extracted", "filtered"),
        *("fit", "fitted", "fixed", "fractionated", "generated", "genotyped", "grown"),
        *("harvested", "imaged", "immersed", "immunoprecipitated", "implemented"),
        *("implanted", "incubated", "inferred", "injected", "interpolated", "isolated"),
        *("labeled", "labelled", "loaded", "maintained", "mapped", "measured"),
        *("modelled", "modeled", "monitored", "mounted", "normalised", "normalized"),
        *("obtained", "optimised", "optimized", "parameterized", "performed"),
        *("photographed", "plated", "pooled", "prepared", "processed", "purified"),
        *("quantified", "quantitated", "randomised", "randomized", "rated"),
        *("reconstructed", "recorded", "recruited", "refined", "rendered", "sampled"),
        *("scored", "screened", "sectioned", "segmented", "selected", "sequenced"),
        *("simulated", "solved", "sorted", "stained", "standardized", "stimulated"),
        *("synthesised", "synthesized", "tested", "tracked", "transfected"),
        *("transformed", "trimmed", "utilised", "utilized", "validated", "visualised"),
        *("visualized", "washed", "used", "employed", "applied", "adopted"),
        *("followed", "assigned", "placed", "presented", "designed", "synthesised"),
    ]
)

# A sentence that brings in a method says something of it: its abstract may too.
INTRODUCING_WORDS = frozenset(
    [
        *("a", "alternative", "an", "few", "first", "many", "new", "novel", "numerous"),
        *("other", "several", "some", "various"),
    ]
)

# Behind the citation these end such a name, or show that there is none.
ENDS_NAME = frozenset(
    [
        *("a", "also", "an", "and", "are", "as", "at", "be", "by", "can", "cannot"),
        *("could", "must"),
        *("did", "do", "does", "for", "found", "from", "had", "has", "have", "in"),
        *("is", "may", "might", "of", "on", "or", "paper", "papers", "report"),
        *("reported", "reports", "review", "should", "show", "showed", "shows"),
        *("studies", "study", "suggest", "that", "the", "to", "was", "were", "which"),
        *("who", "will", "with", "work", "works", "would"),
    ]
)
