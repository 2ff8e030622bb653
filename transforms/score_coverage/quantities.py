"""Finds the numbers that a clause states as results.  Pure."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3}){1,4}(?!\d)(?:\.\d{1,6})?|\d{0,9}\.?\d{1,9}")
# Within a word, a date, a range or an identifier: "IL-6", "10.1000/x1", "26-83".
_INSIDE = re.compile(r"[\w.,/:#–∆][-−]?$|\w[-–−]$")
# "p <", "n =", "OR": what stands behind is a statistic.
_STATISTIC = re.compile(
    r"\b(?:[pPnNrRd]|[rR]2|R²|OR|RR|HR|AUC|CI|F1|K[dD]|IC50|EC50|S[DE]|κ|β)\s?"
    r"(?:[=<>≤≥≈~∼]{1,2}|of)\s?[-−]?$|\b(?:OR|RR|HR|AUC)\s$"
)
# These may be attached to the number: "5mg".
_UNIT = (
    r"(?:percent(?:age\spoints?)?|per\scent|fold|times|kDa|MDa|Da|[kMG]?Hz|mmHg|[kMG]?Pa"
    r"|[kMG]?eV|mol|mmol|kcal|k?J|[mkMG]W|ppm|ppb|dB|[kMG]?bp|kb|Mb|Gb|nt|[kM]?pc"
    r"|[nµμmck]m|k?m2|[nµμmkp]g|[µμmdn]l|[µμmd]L|[fpnµμm]M|[fpnµμm]s|[kmµμ]V|[kmµμpn]A"
    r"|[pnk]N|Å|hrs?|min|secs?|yrs?|ha)\b"
)
_SPACED_UNIT = (
    r"(?:minutes?|hours?|days?|weeks?|months?|years?|seconds?|degrees?|points?|million"
    r"|billion|trillion|thousand|orders\sof\smagnitude|standard\sdeviations?|SDs?"
    r"|[smhgKMVAWNJ])\b"
)
# What is counted: a plural, perhaps with an adjective or two.
_COUNTED = (
    r"(?:(?:[a-z]{3,20}\s){0,2}(?!(?:versus|this|is|was|has|as|its|thus|plus|minus|less"
    r"|across)\b)[a-z]{2,20}s|people|children|men|women|mice)\b"
)
_MEASURED = re.compile(
    r"(?:\s?(?:[-–−±]|to|and|or)\s?\d{1,9}(?:\.\d{1,6})?)?"
    rf"(?:\s?(?:%|‰|°)|[\s-]?{_UNIT}|\s{_SPACED_UNIT}|(\s{_COUNTED}))"
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_IN_WORDS = re.compile(
    r"\b(?:(?:two|three|four|five|six|seven|eight|nine|ten)[\s-]?fold|(?:one|two|three)"
    r"[\s-](?:third|quarter|fourth|fifth|tenth)s?\sof|half\sof\s(?:all|the|those|these))\b"
)
# What follows such a word is its name: "day 10", "version 2.1", "STAT 3".
_LABEL = re.compile(
    r"\b(?:(?i:fig(?:ure|s)?\.?|tables?|tab\.|sections?|chapters?|eqs?\.?|equations?"
    r"|version|ver\.|v\.?|type|stage|phase|grade|class|group|step|chromosome|residues?"
    r"|position|exon|intron|site|line|lane|panel|box|appendix|supplement|movie|video"
    r"|no\.?|number|page|pp?\.|vol\.?|volume|channel|complex|python|windows|release"
    r"|ref\.|reference|layer|area|model|condition|experiment|study|days?|embryonic"
    r"|interleukin)|[A-Z]{2,8})\s$"
)
_LABEL_CHARS = 20


def stated_number(text: str) -> str:
    """Returns the first number that ``text`` states as a measurement or count.

    Args:
      text: A clause; figures and other citations may stand in it.

    Returns:
      The number with its unit as printed, or ``""``: years, labels ("Figure 2"),
      names ("IL-6") and counts below ten ("two groups") are none.
    """
    for found in _NUMBER.finditer(text):
        start, end = found.span()
        measured = _MEASURED.match(text, end)
        is_year = _YEAR.fullmatch(found.group()) is not None
        if is_year and not measured:
            continue
        before = text[max(0, start - _LABEL_CHARS) : start]
        if statistic := _STATISTIC.search(before):
            return f"{statistic.group()}{found.group()}"
        if _INSIDE.search(before) or _LABEL.search(before):
            continue
        is_no_count = is_year or len(found.group()) == 1
        if measured and not (measured[1] and is_no_count):
            return text[start : measured.end()]
        is_bare = not measured and text[end : end + 1] not in ("/", "-", ".")
        if is_bare and ("." in found.group() or "," in found.group()):
            return found.group()
    in_words = _IN_WORDS.search(text.lower())
    return in_words.group() if in_words else ""
