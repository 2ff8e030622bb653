"""Patterns by which a sentence states, compares, or speaks of its authors' own work.

All are bounded: none looks farther than a clause.
"""

from __future__ import annotations

import re

# Parts of patterns.
LITERATURE = (
    r"(?:stud(?:y|ies)|reports?|works?|findings?|results?|observations?|experiments?"
    r"|data|evidence|analys[ie]s|trials?|research|literature|investigations?"
    r"|publications?|estimates?|measurements?|values?|conclusions?|reviews?"
    r"|meta-analys[ie]s|papers?|articles?|surveys?)"
)
EARLIER = (
    r"(?:previous(?:ly)?|earlier|prior|recent(?:ly)?|past|other|published|existing"
    r"|former|several|many|numerous)"
)
ADVERBS = (
    r"(?:(?:previously|recently|earlier|first|initially|originally|elsewhere|also"
    r"|since|now|long|already|well|extensively|essentially|exactly|in detail|before"
    r"|further|consistently|repeatedly|clearly|subsequently|independently|later"
    r"|convincingly|elegantly|thoroughly|fully|widely)\s+){0,3}"
)

OWN = re.compile(
    r"\b((?:our|my)\s+(?:\w+\s+)?(?:previous|earlier|prior|recent|former|own|past"
    r"|published|companion|accompanying)\s+(?:\w+\s+){0,2}?"
    + LITERATURE
    + r"|(?:we|i)\s+(?:have\s+|had\s+)?(?:previously|recently|earlier|already)\s+"
    r"(?:have\s+)?\w{2,14}(?:ed|own|ound|rew)|previously,?\s+we\s+(?:have\s+)?\w{3,14}"
    r"|(?:we|i)\s+(?:have\s+|had\s+)?(?:shown|showed|reported|demonstrated|described"
    r"|found)\s+(?:previously|earlier|recently|before)"
    r"|as\s+we\s+(?:have\s+)?(?:previously\s+|recently\s+)?(?:shown?|showed|reported"
    r"|described|argued)|(?:work|studies|data|results)\s+(?:from|by|of|in)\s+our\s+"
    r"(?:\w+\s+)?(?:lab|laboratory|group|team)|our\s+(?:lab|laboratory|group|team)\s+"
    r"(?:(?:has|have|had|previously|recently)\s+){0,2}\w{1,14}(?:ed|own|ound))\b",
)
# What earlier work made, or that it was: what it found an abstract may cover.
OWN_MADE = re.compile(
    r"describ|develop|publish|introduc|generat|engineer|design|construct|perform"
    r"|\b(?:works?|stud(?:y|ies)|papers?|experiments?|trials?)$",
)

_EARLIER_WORK = EARLIER + r"\s+(?:[\w-]{1,20}\s+){0,2}?" + LITERATURE
COMPARISON = re.compile(
    r"\b((?:in)?consistent(?:ly)?\s+with|in\s+(?:\w+\s+)?(?:agreement|line|accord"
    r"|accordance|keeping|contradiction|conflict|disagreement)\s+with|contrary\s+to"
    r"|at\s+odds\s+with|reminiscent\s+of"
    r"|(?:in\s+(?:\w+\s+)?(?:contrast|comparison)|similar(?:ly)?|comparable|compared"
    r"|identical|analogous|relative)\s+(?:to|with)\s+(?:the\s+|that\s+|those\s+|what\s+)?"
    r"(?:"
    + _EARLIER_WORK
    + r"|(?:\w+\s+)?(?:reported|observed|described|found|seen|obtained|published))"
    r"|(?:agrees?|accords?|contrasts?|conflicts?|disagrees?|compares?|fits?|tall(?:y"
    r"|ies))\s+(?:\w+\s+)?with\s+(?:the\s+|an?\s+)?(?:\w+\s+)?"
    + _EARLIER_WORK
    + r"|than\s+(?:(?:that|those|was|were|had\s+been)\s+)?(?:previously\s+)?(?:reported"
    r"|observed|found|estimated|published|described|seen|suggested)"
    r"|(?:differs?|differed|different|departs?|deviates?)\s+from\s+(?:\w+\s+){0,4}?"
    + _EARLIER_WORK
    + r"|(?:confirm|corroborate|replicate|extend|contradict|support|challenge|echo"
    r"|reproduce|recapitulate|match)(?:s|d|ed|es|ing)?\s+(?:and\s+\w+\s+)?(?:the\s+)?"
    + _EARLIER_WORK
    + r"|as\s+(?:has\s+been\s+|was\s+|also\s+)?(?:previously\s+|also\s+)?(?:reported"
    r"|observed|shown|seen|found|noted|suggested|proposed)\s+(?:previously|before|by"
    r"|in|elsewhere))\b",
)
# "similar to", "unlike" and their like compare studies only where the cited one
# follows at once; elsewhere they compare what was studied.
COMPARISON_AT = re.compile(
    r"\b((?:similar(?:ly)?|comparable|identical|analogous|compared?|relative|contrast)"
    r"\s+(?:to|with)|unlike|like|differs?\s+from|than(?:\s+(?:in|by))?|as\s+in"
    r"|as\s+(?:previously\s+)?(?:reported|observed|shown|seen|found|suggested|noted))"
    r"\s*$",
)

_REPORTED = (
    r"(?:shown|demonstrated|reported|found|observed|revealed|suggested|indicated"
    r"|identified|established|confirmed|discovered|documented|proposed|implicated"
    r"|linked|associated|detected|known|thought|believed|hypothesi[sz]ed|argued"
    r"|attributed|estimated|noted|postulated|described)"
)
_REPORTS = (
    r"(?:show|demonstrate|report|find|reveal|suggest|indicate|conclude|observe"
    r"|identify|identifie|establishe?|confirm|discover|document|propose|argue|detect"
    r"|implicate|provide|note|describe|support|estimate|state|claim|hypothesi[sz]e"
    r"|examine|investigate)(?:s|d|ed)?|showed|shown|found|saw|wrote"
)
FINDING = re.compile(
    r"\b((?:has|have|had|was|were|is|are|been|be)\s+(?:been\s+)?"
    + ADVERBS
    + _REPORTED
    + r"|"
    + LITERATURE
    + r"\s+(?:(?:from|in|of|on|with|using|by)\s+(?:\w+\s+){1,3}?)?(?:have\s+|has\s+"
    r"|had\s+)?" + ADVERBS + r"(?:" + _REPORTS + r")"
    r"|(?:authors?|colleagues|co-?workers|et\s+al\.?|researchers|group|they)\s+(?:have\s+"
    r"|has\s+)?" + ADVERBS + r"(?:" + _REPORTS + r")"
    r"|evidence\s+(?:that|for|of|from|suggest\w*|indicat\w*)"
    r"|(?:linked|associated|correlated?|correlates)\s+(?:with|to))\b",
)
FINDING_AFTER = re.compile(
    r"\W{0,3}(?:and\s+(?:colleagues|co-?workers)\s+)?((?:(?:have|has|had|who|which|also"
    r"|did\s+not)\s+){0,2}" + ADVERBS + r"(?:" + _REPORTS + r"))\b",
)

METHODS_HEADING = re.compile(
    r"\b(?:methods?|methodolog(?:y|ical)|materials?|procedures?|protocols?|experimental"
    r"|participants?|subjects|animals|reagents|antibod(?:y|ies)|plasmids?|constructs"
    r"|strains?|stocks|cell\s+culture|cell\s+lines|culture\s+conditions|purification"
    r"|crystalli[sz]ation|statistical\s+analys[ie]s|statistics|data\s+(?:analysis"
    r"|acquisition|collection|processing|sources?)|image\s+(?:analysis|acquisition"
    r"|processing)|immuno(?:histochemistry|fluorescence|staining|precipitation)"
    r"|western\s+blot\w*|microscopy|sequencing|library\s+preparation|transfections?"
    r"|cloning|genotyping|spike\s+sorting|surger(?:y|ies)|sample\s+(?:collection"
    r"|preparation)|assays?)\b",
)
