"""Patterns by which a sentence attributes a method or material, or points to a text.

They are matched against what stands before the citation ("$" is the citation) or, where
the name says so, behind it.  All are bounded: none looks farther than a clause.
"""

from __future__ import annotations

import re

from transforms.score_coverage.statement_cues import ADVERBS, EARLIER, LITERATURE

# Between a cue and the citation that it is about: a few words, no new clause.
_GAP = r"(?:\s[^,;:]{0,80})?$"

# In the bracket of the citation: "(reviewed in Ng, 2001)".
POINTER_LEAD = re.compile(
    r"\b((?:recently\s+|extensively\s+)?reviewed(?:\s+(?:in|by|recently))?"
    r"|(?:for|see)\s+(?:\w+\s+){0,3}(?:reviews?|overviews?|details?|discussions?"
    r"|summar(?:y|ies)|information|descriptions?)"
    r"|reviews?\s*(?:in|by|:|,)|discussed\s+in|summari[sz]ed\s+in"
    r"|(?:details|described|detailed)\s+in|(?:but\s+)?see(?:\s+also)?"
    r"(?!,?\s+(?:for\s+(?:ex|in)|e\.g|fig|tab|text|method|material|section|below|above|suppl|intro|disc|result"
    r"|appendix|movie|video))|cf\.?"
    r"|fig(?:ure|s|\.)?s?\s*\d+\w{0,2}\s+(?:of|in|from))(?=[\s,;:.]|$)",
)
# At the end of what stands before the citation.
POINTER = re.compile(
    r"\b((?:recently\s+|extensively\s+)?(?:reviewed|summari[sz]ed|discussed"
    r"|surveyed)\s+(?:in\s+detail\s+)?(?:in|by|elsewhere)"
    r"|see(?:\s+also)?|(?:details?|information|descriptions?)\s+"
    r"(?:(?:can\s+be\s+found|(?:is|are)\s+(?:given|provided|found|available))\s+)?in"
    r"|(?:refer(?:red)?|reader)\s+(?:the\s+reader\s+)?to"
    r"|fig(?:ure|s|\.)?s?\s*\d+\w{0,2}\s+(?:panel\s+\w+\s+)?(?:of|in|from)"
    r"(?:\s+ref(?:erence|\.)?)?)\s*(?:the\s+)?(?:e\.g\.\s*)?$",
)
# Right behind the citation: "See Ng (2001) for a review".
POINTER_AFTER = re.compile(
    r"\s*(for\s+(?:an?\s+|the\s+|more\s+|further\s+|full\s+)?(?:\w+\s+){0,2}"
    r"(?:reviews?|overviews?|details?|discussions?|descriptions?))\b",
)

# "as described": what was done is told elsewhere.
DESCRIBED = re.compile(
    r"\b((?:as|was|were|is|are|been|method|methods|procedure|protocol|approach)\s+"
    + ADVERBS
    + r"(?:described|detailed|outlined)"
    r"(?!\s+(?:above|below|here|in\s+(?:the\s+)?(?:text|introduction|figure|section"
    r"|results|methods|discussion|table|supplement\w*)))"
    r"(?:\s+(?:previously|elsewhere|before|earlier|in\s+detail))?)" + _GAP,
)
# The same with nothing that could be done: "the syndrome was described by".
PHENOMENON = re.compile(r"(?:was|were|been)\s|(?:is|are)\s+well\s")
TOLD_BEFORE = re.compile(r"(?:previously|elsewhere|before|earlier|detail)\b")

PREVIOUSLY_DESCRIBED = re.compile(
    r"\b((?:(?:previously|earlier|already)[\s-]+(?:described|published|established"
    r"|developed|validated|characteri[sz]ed|generated|used|constructed)"
    r"|recently[\s-]+(?:described|published|developed)"
    r"|(?:described|published|used|developed|established)\s+(?:previously"
    r"|earlier|elsewhere|before)|standard|published))"
    r"((?:\s+[^\s,;:]{1,40}){0,10})\s*$",
)
FOLLOWING = re.compile(
    r"\b((?:adapted|modified|reproduced|redrawn)\s+(?:from|after)"
    r"|(?:as|those|that)\s+(?:used|done|employed|performed|implemented)\s+(?:in|by)"
    r"|(?:used|employed|developed|introduced|proposed|pioneered)\s+"
    r"(?:(?:for|to|as)\s+(?:[\w-]+\s+){1,4})?(?:by|in)"
    r"|following|follow(?:s|ed)?|according\s+to|based\s+on|after|as\s+(?:in|per)"
    r"|(?:obtained|downloaded|retrieved|provided|purchased|taken)\s+(?:from|by)"
    r"|gift\s+(?:from|of)|in\s+a\s+(?:fashion|manner|way)\s+similar\s+to)"
    r"((?:\s+[^\s,;:]{1,40}){0,7})$",
)
# These bring in a method or material by themselves, right before the citation; the
# others only where the clause says what was done.
ALWAYS_FOLLOWING = re.compile(
    r"adapted|modified|reproduced|redrawn|gift|in\s+a\s|obtained|downloaded|retrieved"
    r"|purchased|taken|provided|those|that|following|(?:used|employed)\s+(?:for|to|as)\s|follow(?:s|ed)?$",
)
# "followed a previous study", "identical to those used in earlier work".
FOLLOWED_STUDY = re.compile(
    r"\b((?:(?:follow(?:s|ed|ing)?|(?:adapted|modified)\s+from|as\s+in)\s+"
    r"(?:[\w-]{1,20}\s+){0,4}|(?:used|employed|performed|done|collected)\s+in\s+(?:our\s+"
    r"|an?\s+|the\s+)?" + EARLIER + r"\s+(?:[\w-]{1,20}\s+)?)"
    r"(?:stud(?:y|ies)|works?|papers?|reports?|trials?))$",
)
# "building on this earlier study": the work is named, what it found is not.
NAMED_STUDY = re.compile(
    r"\b((?:(?:building|expanding|elaborating)\s+(?:up)?on|extend(?:s|ed|ing)?"
    r"|complement(?:s|ed|ing)?|(?:motivated|inspired)\s+by|continu(?:es|ed|ing))\s+"
    r"(?:[\w-]{1,20}\s+){0,3}" + LITERATURE + r")$",
)
# "the Ng (2001) signature": the citation stands as an adjective.
AS_ADJECTIVE = re.compile(r"\b(?:the|this|that|their)$")
METHOD_OF = re.compile(
    r"\b((?:method|procedure|protocol|algorithm|framework|approach|technique|scheme"
    r"|criteria|formula|equation|definition|classification|convention|nomenclature"
    r"|recipe|paradigm|assay|model|data|dataset|database|parameters|values)s?\s+"
    r"(?:(?:described|proposed|developed|outlined|introduced|published|given|used"
    r"|suggested|established)\s+)?(?:of|by|from|in))\s*$",
)
# Behind the citation: "Ng (2001) were used for analysis".
USED_AFTER = re.compile(
    r"\W{0,4}(?:[\w-]{1,30}\s+){0,2}?((?:was|were|is|are)\s+(?:then\s+|also\s+)?"
    r"(?:used|applied|employed|adopted|performed|implemented|followed|obtained"
    r"|provided|kindly\s+provided))\b",
)
# "was decomposed using": so with any verb but those that report.
DONE_USING = re.compile(
    r"\b((?:was|were)\s+(?:\w+ly\s+)?(?!(?:observ|report|reveal|demonstrat|detect"
    r"|identif|discover|document|stud|confirm|suggest|describ)\w*\b)\w{3,20}ed\s+"
    r"(?:using|via|by\s+means\s+of))\b",
)
SUCH_AS = re.compile(
    r"\b((tools?|software|packages?|programs?|algorithms?|pipelines?|databases?"
    r"|toolbox(?:es)?|frameworks?|simulators?|platforms?|models?|methods?|techniques?"
    r"|libraries|servers?|repositor(?:y|ies)|datasets?|resources?)[\s,]+"
    r"(?:such\s+as|like|including|called|named|termed|e\.g\.,?))"
    r"(?:\s+[^\s,;:]{1,40}){1,4}\s*$",
)
# "using NMRPipe", "with TopHat 2.0": a name with a capital inside.  Genes written so
# have digits at their end more often than letters.
NAMED_TOOL = re.compile(
    r"\b(([Uu]sing|[Ww]ith|[Ii]n|[Bb]y|[Vv]ia)\s+(?:the\s+)?"
    r"(?:[A-Z]{1,20}[a-z]{1,20}[A-Z]|[A-Z]{2,20}[a-z]{2}|[A-Z]{3,20}(?=[\s,]|$)"
    r"|[a-z]{1,3}[A-Z]{2,20})[\w+-]{0,20})(?:,?\s+(?:v(?:ersion)?\.?\s*)?[\d.]{1,8})?\s*$"
)
# Whatever is written with a capital, right before the citation.
NAME_AT = re.compile(
    r"\b(?:[Uu]s(?:ing|ed)|with|in|by|via|through|the)\s+([\w-]{0,20}[A-Z][\w-]{1,20})"
    r"(?:,?\s+(?:v(?:ersion)?\.?\s*)?[\d.]{1,8})?\s*$"
)
# Where material comes from.
SOURCE = re.compile(
    r"\b(PDB|EMPIAR|EMDB|Addgene|ATCC|GEO|RRID|accession(?:\s+(?:number|code)s?)?"
    r"|(?:Jackson|Bloomington|Stock)\s+(?:Lab\w*|Cent(?:er|re)|Drosophila)"
    r"|(?:a\s+)?(?:kind\s+|generous\s+)?gifts?\s+(?:from|of)|kindly\s+provided"
    r"|(?:downloaded|retrieved)\s+from)\b"
)
# Material by its name: "anti-Ft", "pMK1163", "GMR-Gal4".
MATERIAL_NAME = re.compile(
    r"(?<![\w-])(anti-\w{2,12}|p[A-Z]{1,4}[a-z]{0,4}\d{1,5}\w{0,6}|AAV[\w-]{0,20}"
    r"|[\w-]{1,20}-(?:Gal4|GAL4|lexA|LexA|Cre|CreER\w*)|UAS\w?-[\w-]{1,20}|[\w:-]{1,20}/(?:CyO|TM[36]B?))\s*$"
)

# A cited title that presents a tool: "Foldit: a package for ...".
TITLE_NAME = re.compile(r"\s*([A-Za-z][\w+.-]{1,30}(?:\s[\w+.-]{1,20})?)\s*[:–—]\s")
TITLE_SOFTWARE = re.compile(
    r"\b(software|package|tool(?:s|box|kit)?|program|pipeline|server|suite|library"
    r"|platform|algorithm|plugin|visuali[sz]ation|webserver|solution|implementation"
    r"|simulator|aligner|browser)\b",
)
TITLE_RESOURCE = re.compile(
    r"\b(database|dataset|data\s?bank|resource|atlas|repository|archive|corpus"
    r"|collection|catalogue?|knowledge\s?base|benchmark|inventory|questionnaire)\b",
)
