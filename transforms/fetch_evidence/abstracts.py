"""Makes plain text of the markup that indexes give titles and abstracts in.  Pure.

What comes in is HTML, JATS, MathML or text, escaped once, twice or not at all.
Only what is known to be a tag is taken for one: ``x<y and z>w`` is a statement.
"""

from __future__ import annotations

import html
import re
from collections.abc import Container

_ATTRIBUTES = r"(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*"
_TAG = re.compile(
    rf"<(?P<close>/?)(?P<name>(?:[a-z]\w*:)?[a-z][a-z0-9-]*)(?P<has>{_ATTRIBUTES})"
    r"\s*/?>",
    re.IGNORECASE,
)
_HEADING = re.compile(
    rf"<(?P<name>h[1-6]|(?:\w+:)?title){_ATTRIBUTES}\s*>(?P<label>.{{0,200}}?)"
    r"</(?P=name)\s*>",
    re.IGNORECASE | re.DOTALL,
)
# Bounded, as all that is looked for an end: text may be made to have none.
_COMMENT = re.compile(r"<!--.{0,500}?-->|<\?xml[^<>]{0,100}>", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[|\]\]>")
_MATHML = re.compile(r"<(?:\w+:)?math[\s>]", re.IGNORECASE)
# What stands beside the formula that readers see, and says the same in TeX.
_TEX_TWIN = re.compile(
    r"<((?:\w+:)?(?:tex-math|annotation))\b[^<>]{0,200}>.{0,2000}?</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
# Between these no words meet.
_BLOCK_NAMES = """
abstract article-title blockquote body br caption dd disp-formula disp-quote div
dl dt h1 h2 h3 h4 h5 h6 head hr html li list list-item ol p sec section table
tbody td th thead title tr trans-abstract ul
"""
_INLINE_NAMES = """
a alternatives b big bold cite code def-list del em email ext-link fn font i img
inline-formula inline-graphic ins italic label m math mfenced mfrac mi mn mo
monospace mover mrow ms mspace mstyle msub msubsup msup mtable mtd mtext mtr
munder munderover named-content overline q roman s sc semantics small span strike
strong styled-content sub sup tex-math tt u uri underline var xref
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_INLINE = frozenset(_INLINE_NAMES.split())
_HEADS = frozenset(["abstract", "summary", "author abstract"])
# Without markup the word may begin the first sentence: "Summary statistics are ...".
_PLAIN_HEAD = re.compile(
    r"(?:Abstract|Summary|ABSTRACT|SUMMARY)"
    r"(?:\s*[:.–—-]\s+|\s*[:—]\s*|\s+(?=[A-Z])|(?=[A-Z][a-z]))"
    r"|(?:ABSTRACT|SUMMARY)\s+"
)
_SENTENCE_END = tuple(":.?!;—")
# Some indexes escape what was escaped.
_MAX_LAYERS = 4


def clean_abstract(markup: str) -> str:
    """Returns an abstract as one paragraph of plain text.

    Section labels become ``Methods: ...``; a heading that only says that this is
    an abstract goes.

    Args:
      markup: The abstract as an index gives it.

    Returns:
      Text without tags, entities and line breaks, or ``""``.
    """
    text = plain_text(markup)
    return text[match.end() :] if (match := _PLAIN_HEAD.match(text)) else text


def plain_text(markup: str) -> str:
    """Returns what a reader would see of ``markup``, white space folded."""
    text = markup
    for _ in range(_MAX_LAYERS):
        bare = html.unescape(_without_tags(text))
        if bare == text:
            break
        text = bare
    return " ".join(text.split())


def _without_tags(text: str) -> str:
    """Removes one layer of markup."""
    if "<" not in text:
        return text
    text = _COMMENT.sub(" ", text)
    if "<![CDATA[" in text:
        text = _CDATA.sub("", text)
    if _MATHML.search(text):
        text = _TEX_TWIN.sub("", text)
    closed = {
        tag["name"].lower()
        for tag in _TAG.finditer(text)
        if tag["close"] or tag.group().endswith("/>")
    }
    text = _HEADING.sub(lambda match: _label(match["label"], closed), text)
    return _TAG.sub(lambda match: _replacement(match, closed), text)


def _label(written: str, closed: Container[str]) -> str:
    """Returns a heading as the beginning of the sentence that follows it."""
    bare = _TAG.sub(lambda match: _replacement(match, closed), written)
    label = " ".join(bare.split())
    if not label or label.rstrip(".:").casefold() in _HEADS:
        return " "
    return f" {label} " if label.endswith(_SENTENCE_END) else f" {label}: "


def _replacement(tag: re.Match[str], closed: Container[str]) -> str:
    """Returns what stands for a tag: nothing, a space, or itself if it is none."""
    written = tag["name"].lower()
    prefix, _, name = written.rpartition(":")
    # One letter between angle brackets is as likely a comparison.
    is_sure = prefix or tag["has"] or len(name) > 1 or written in closed
    if is_sure and name in _BLOCKS:
        return " "
    is_tag = prefix or tag["has"] or name in _INLINE
    return "" if is_sure and is_tag else tag.group()
