"""Writes LaTeX's accents, symbols and short formulas as Unicode.  Pure."""

from __future__ import annotations

import re
import unicodedata

_COMBINING = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304",
    "u": "\u0306", ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b",
    "v": "\u030c", "c": "\u0327", "k": "\u0328", "d": "\u0323", "b": "\u0331",
    "t": "\u0361",
}  # fmt: skip

# Accents and their letter: \'e, \'{e}, \'\i, \c c, {\"o}.
ACCENT = re.compile(
    r"\\(?P<accent>[`'^\"~=.]|[bcdHkrtuv](?![A-Za-z]))\s{0,4}"
    r"(?:\{\s{0,4}(?P<group>\\[ij]|\w{1,2}|)\s{0,4}\}"
    r"|\\(?P<dotless>[ij])(?![A-Za-z])|(?P<letter>\w))"
)

SYMBOLS = {
    **{"ss": "ß", "SS": "ẞ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ"},
    **{"AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ"},
    **{"dh": "ð", "DH": "Ð", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ", "th": "þ"},
    **{"TH": "Þ", "ldots": "…", "dots": "…", "textellipsis": "…", "textdegree": "°"},
    **{"degree": "°", "textendash": "–", "textemdash": "—", "endash": "–"},
    **{"emdash": "—", "textquoteleft": "‘", "textquoteright": "’", "lq": "‘"},
    **{"rq": "’", "textquotedblleft": "“", "textquotedblright": "”"},
    **{"textquotesingle": "'", "textquotedbl": '"', "guillemotleft": "«"},
    **{"guillemotright": "»", "og": "«", "fg": "»", "quotedblbase": "„"},
    **{"glqq": "„", "grqq": "“", "flqq": "«", "frqq": "»", "copyright": "©"},
    **{"textregistered": "®", "texttrademark": "™", "pounds": "£", "euro": "€"},
    **{"texteuro": "€", "S": "§", "P": "¶", "dag": "†", "ddag": "‡", "textmu": "µ"},
    **{"textbar": "|", "textbackslash": "\\", "textasciitilde": "~", "slash": "/"},
    **{"textasciicircum": "^", "textunderscore": "_", "textless": "<"},
    **{"textgreater": ">", "textbraceleft": "{", "textbraceright": "}"},
    **{"textpm": "±", "texttimes": "×", "textbullet": "•", "textperiodcentered": "·"},
    **{"LaTeX": "LaTeX", "LaTeXe": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX"},
    **dict.fromkeys(["quad", "qquad", "space", "enspace", "thinspace"], " "),
    **dict.fromkeys(["newline", "linebreak", "nobreakspace", "hfill", "tab"], " "),
}
_FORMULA_SYMBOLS = {
    **{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε"},
    **{"varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "kappa": "κ"},
    **{"lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ"},
    **{"sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ"},
    **{"omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ"},
    **{"Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "times": "×", "pm": "±"},
    **{"sim": "~", "approx": "≈", "simeq": "≃", "leq": "≤", "le": "≤", "geq": "≥"},
    **{"ge": "≥", "neq": "≠", "ne": "≠", "ll": "≪", "gg": "≫", "cdot": "·"},
    **{"circ": "°", "to": "→", "rightarrow": "→", "infty": "∞", "percent": "%"},
    **{"odot": "☉", "ast": "*", "star": "*", "lt": "<", "gt": ">", "ell": "ℓ"},
}
# What a backslash and one other character print.
CONTROLS = {
    **{char: char for char in "%&#$_{}"},
    **dict.fromkeys([" ", "\n", "\t", ",", ";", ":", "\\"], " "),
}

_PLAIN = re.compile(
    rf"{ACCENT.pattern}|\\noopsort\s{{0,4}}\{{[^{{}}]{{0,200}}\}}|\\href\s{{0,4}}\{{(?P<link>[^{{}}]{{0,500}})\}}"
    r"|\\(?P<word>[A-Za-z]+)\*?[ \t]*|\\(?P<control>.)|(?P<mark>[{}$])",
    re.DOTALL,
)
_NO_TEX = re.compile(r"[^\\{}$~`'-]*")
_FORMULA_STYLE = re.compile(
    r"\\(?:(?:math|text)(?:rm|it|bf|sf|tt|cal|normal)?|rm|it|bf|mbox|hbox|ensuremath|"
    r"boldsymbol|bm|left|right|displaystyle)(?![A-Za-z])\s*"
)
_FORMULA_WORD = re.compile(r"\\([A-Za-z]+)\s*|\\(.)", re.DOTALL)
_FORMULA = re.compile(r"(?:[\w\s.,:;()\[\]/|<>=+*~%°'≈≃≤≥≠≪≫·×±→∞☉−-]|\^-?\d{1,3})*")
_MAX_FORMULA_CHARS = 80


def compose(match: re.Match[str]) -> str:
    """Returns the accented letter of a match of ``ACCENT``."""
    # The dotless letters are only there to take an accent.
    letters = match["letter"] or match["dotless"] or (match["group"] or "").lstrip("\\")
    if not letters:
        return ""
    accented = letters[0] + _COMBINING[match["accent"]] + letters[1:]
    return unicodedata.normalize("NFC", accented)


def print_ligatures(text: str) -> str:
    """Returns text without markup as TeX prints its dashes, quotes and ties."""
    if "~" in text:
        text = text.replace("~", " ")
    if "--" in text:
        text = text.replace("---", "—").replace("--", "–")
    if "``" in text or "''" in text:
        text = text.replace("``", "“").replace("''", "”")
    return text


def print_plain(source: str) -> str:
    """Returns a short piece of LaTeX, such as a BibTeX field, as text on one line.

    Commands are dropped and their arguments kept.
    """
    if _NO_TEX.fullmatch(source):
        return " ".join(source.split())
    text = _PLAIN.sub(_print_match, print_ligatures(source))
    return unicodedata.normalize("NFC", " ".join(text.split()))


def print_formula(source: str) -> str | None:
    """Returns an inline formula as text where it is little more than a number.

    Args:
      source: What stands between the dollars.

    Returns:
      Text such as ``p < 0.05``, or None for anything that needs real mathematics.
    """
    if len(source) > _MAX_FORMULA_CHARS:
        return None
    source = _FORMULA_STYLE.sub("", source)
    text = _FORMULA_WORD.sub(_print_formula_word, source)
    text = text.translate({ord("{"): None, ord("}"): None}).replace("^°", "°")
    return text.strip() if _FORMULA.fullmatch(text) else None


def _print_match(match: re.Match[str]) -> str:
    if match["accent"]:
        return compose(match)
    if word := match["word"]:
        return SYMBOLS.get(word) or _FORMULA_SYMBOLS.get(word, "")
    if control := match["control"]:
        return CONTROLS.get(control, "")
    return f"{match['link']} " if match["link"] else ""


def _print_formula_word(match: re.Match[str]) -> str:
    if control := match[2]:
        return CONTROLS.get(control, "")
    word = match[1]
    # Anything unknown leaves a backslash, which no simple formula has.
    return _FORMULA_SYMBOLS.get(word) or SYMBOLS.get(word) or f"\\{word}"
