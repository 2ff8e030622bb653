"""Splits text into the stems that triage compares.  Pure.

Claim and evidence are read alike: British spellings as American ones, Greek letters by
name, ``IL-6``, ``IL 6`` and ``IL6`` as one word.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import unicodedata
from collections.abc import Iterator, Set

from transforms.names import fold
from transforms.score_coverage.stems import stem
from transforms.score_coverage.terms import normalise, stop_words

_GREEK_LETTERS = range(0x370, 0x400)
_DASH = re.compile(r"[\u2010-\u2015\u2212\ufe63\uff0d]")
# "don't" says no more than "do".
_NOT = re.compile(r"n't\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# Words joined by hyphens, decimals, a per cent sign.
_COMPOUND = re.compile(r"[^\W_]+(?:\.\d+)?(?:-[^\W_]+)*%?")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\ds?(?:-(?:1[5-9]|20)?\d\d)?", re.IGNORECASE)
_MIN_WORD_LETTERS = 3
_MIN_ROOT_LETTERS = 3
# Shorter pieces of a compound mean nothing by themselves.
_MAX_GLUED_CHARS = 2
_UNITS = frozenset(
    [
        *("mm", "cm", "km", "nm", "mum", "mg", "kg", "mug", "ng", "ml", "mul", "dl"),
        *("ms", "sec", "min", "hr", "hz", "khz", "mhz", "kb", "kda", "mv", "rpm"),
    ]
)
_AMERICAN_PARTS = (
    *(("aemi", "emi"), ("haem", "hem"), ("oedem", "edem"), ("oestr", "estr")),
    *(("foet", "fet"), ("caes", "ces"), ("anaes", "anes"), ("paed", "ped")),
    *(("oesoph", "esoph"), ("sulph", "sulf"), ("grey", "gray"), ("fibre", "fiber")),
    *(("centred", "centered"), ("centring", "centering"), ("centre", "center")),
    *(("signall", "signal"), ("labell", "label"), ("modell", "model")),
    *(("channell", "channel"), ("tumour", "tumor")),
    *(("behaviour", "behavior"), ("colour", "color"), ("favour", "favor")),
    *(("labour", "labor"), ("neighbour", "neighbor"), ("harbour", "harbor")),
)
_AMERICAN_ENDS = (
    *(("isation", "ization"), ("isations", "izations"), ("ising", "izing")),
    *(("ised", "ized"), ("ises", "izes"), ("ise", "ize"), ("yse", "yze")),
    *(("ysed", "yzed"), ("ysing", "yzing")),
)
# Ends of roots of words that American English spells so too.
_NEVER_IZE = (
    *("advertis", "advis", "bruis", "circumcis", "compris", "compromis", "concis"),
    *("cruis", "demis", "devis", "disguis", "enterpris", "excis", "exercis"),
    *("expertis", "franchis", "improvis", "incis", "malais", "paradis", "prais"),
    *("precis", "premis", "promis", "revis", "supervis", "surpris", "televis"),
    *("treatis", "wis"),
)


def claim_words(text: str, names: Set[str] = frozenset()) -> dict[str, str]:
    """Returns the words of a claim that evidence may cover.

    Left out are stop words, the commonplaces of scholarly prose, units, years and the
    names of authors.

    Args:
      text: A sentence without citation markers.
      names: Folded surnames; capitalised words among them are names.

    Returns:
      Stem to the word as printed, in order of appearance.
    """
    words: dict[str, str] = {}
    for piece in _pieces_of_all(text):
        if _is_telling(piece) and not _is_name(piece, names):
            words.setdefault(_key(piece), piece)
    return words


def evidence_words(text: str) -> frozenset[str]:
    """Returns the stems of a title or of a sentence of an abstract.

    Compounds count both whole and in parts, and a short word or number counts also
    together with its neighbour: a claim may write them either way.
    """
    words: set[str] = set()
    before = ""
    for match in _COMPOUND.finditer(spelt(text)):
        compound = match[0]
        words.update(map(_key, _pieces(compound)))
        if "-" in compound:
            parts = compound.split("-")
            words.update(_key(part) for part in parts if len(part) > 1)
            words.add(_key(compound))
            before = ""
        elif compound.casefold() in stop_words():
            before = ""
        else:
            if before and (_is_short(before) or _is_short(compound)):
                words.add(_key(before + compound))
            before = compound
    return frozenset(words)


def spelt(text: str) -> str:
    """Returns ``text`` with plain dashes and numbers, no accents, Greek spelt out."""
    text = normalise(text)
    if not text.isascii():
        parts = unicodedata.normalize("NFD", text)
        text = "".join(c for c in parts if not unicodedata.combining(c))
        text = _DASH.sub("-", text.translate(_greek_names()))
    return _THOUSANDS.sub("", _NOT.sub("", text))


def _pieces_of_all(text: str) -> Iterator[str]:
    for match in _COMPOUND.finditer(spelt(text)):
        yield from _pieces(match[0])


def _pieces(compound: str) -> list[str]:
    """Splits a compound; a piece that is short joins the one before it."""
    if "-" not in compound:
        return [compound]
    pieces: list[list[str]] = []
    for part in compound.split("-"):
        if part.casefold() in stop_words():
            continue
        if pieces and (_is_short(part) or _is_lone_short(pieces[-1])):
            pieces[-1].append(part)
        else:
            pieces.append([part])
    return ["-".join(parts) for parts in pieces]


def _is_lone_short(parts: list[str]) -> bool:
    return len(parts) == 1 and _is_short(parts[0])


def _is_short(piece: str) -> bool:
    return len(piece) <= _MAX_GLUED_CHARS or piece.isdecimal()


@functools.lru_cache(maxsize=1 << 16)
def _is_telling(piece: str) -> bool:
    """Tells whether a piece says something that evidence may cover."""
    word = piece.casefold()
    if len(piece) < 2 or word in stop_words() or word in boilerplate() | _UNITS:
        return False
    if piece[0].isdigit():
        return not _YEAR.fullmatch(piece)
    return len(piece) >= _MIN_WORD_LETTERS or not piece.islower()


def _is_name(piece: str, names: Set[str]) -> bool:
    return bool(names) and piece[0].isupper() and names >= set(fold(piece).split())


@functools.lru_cache(maxsize=1 << 17)
def _key(piece: str) -> str:
    return stem(american(piece.replace("-", "").casefold()))


def american(word: str) -> str:
    """Returns a lower-case word in American spelling."""
    for british, other in _AMERICAN_PARTS:
        if british in word:
            word = word.replace(british, other)
    for british, other in _AMERICAN_ENDS:
        if word.endswith(british):
            root = word.removesuffix(british)
            never = (root + british[:2]).endswith(_NEVER_IZE)
            return word if never or len(root) < _MIN_ROOT_LETTERS else root + other
    return word


@functools.cache
def _greek_names() -> dict[int, str]:
    """Returns the name of each Greek letter by its code point, lower case."""
    names = {
        code: unicodedata.name(chr(code), "").partition(" LETTER ")[2].lower()
        for code in _GREEK_LETTERS
    }
    last_words = {code: name.rpartition(" ")[2] for code, name in names.items()}
    return last_words | {ord("Λ"): "lambda", ord("λ"): "lambda"}


@functools.cache
def boilerplate() -> frozenset[str]:
    """Loads the commonplace words of scholarly prose, lower case."""
    folder = importlib.resources.files("transforms.score_coverage") / "data"
    lines = (folder / "boilerplate.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))
