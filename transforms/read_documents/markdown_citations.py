"""Links the citation keys of a Markdown document to its bibliography."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from transforms.read_documents import pandoc_citations
from transforms.read_documents.bibliography import find_references, readers
from transforms.read_documents.citation_text import tell_apart
from transforms.read_documents.decode import decode
from transforms.read_documents.marked_text import Paragraph, print_paragraphs
from transforms.read_documents.pandoc_citations import CODE_AT
from transforms.read_documents.running_text import Block
from transforms.read_documents.siblings import Siblings
from transforms.records import Anchor, Reference

_SUFFIXES = (".bib", ".json")
_TAGS = "citation-tags.tsv"


@dataclasses.dataclass(frozen=True, slots=True)
class Bibliography:
    """The works that a document cites.

    Attributes:
      records: Those that a bibliography holds, by key.
      identified: Those whose key is an identifier or stands for one, by key.
    """

    records: Mapping[str, Reference]
    identified: Mapping[str, Reference]

    def mark(self, paragraphs: Iterable[tuple[str, int]]) -> list[Block]:
        """Returns paragraphs, given with their level, with their citations marked."""
        known = {**self.identified, **self.records}
        printed = frozenset(self.records)
        marked = (
            Paragraph(
                tuple(
                    piece.replace(CODE_AT, "@") if isinstance(piece, str) else piece
                    for piece in pandoc_citations.split(text, known, printed=printed)
                ),
                level,
            )
            for text, level in paragraphs
        )
        return print_paragraphs(marked, self.records)

    def cited(self, anchors: Iterable[Anchor]) -> tuple[Reference, ...]:
        """Returns the entries that are cited, in order."""
        known = {**self.identified, **self.records}
        keys = dict.fromkeys(key for anchor in anchors for key in anchor.ref_ids)
        return tuple(known[key] for key in keys if key in known)


def find(
    texts: Sequence[str],
    names: Sequence[str],
    aliases: Mapping[str, str],
    siblings: Siblings,
) -> Bibliography:
    """Finds the works that a document cites by key.

    Args:
      texts: Its paragraphs.
      names: The bibliographies that it names.
      aliases: What keys stand for, as far as the document says.
      siblings: The files beside it.
    """
    keys = tuple(
        dict.fromkeys(k for text in texts for k in pandoc_citations.find_keys(text))
    )
    if any(key.startswith("tag:") and key not in aliases for key in keys):
        table = siblings.read(_TAGS)
        tags = pandoc_citations.read_tags(decode(table)) if table else {}
        aliases = {**tags, **aliases}
    identified = {
        key: reference
        for key in keys
        if (reference := pandoc_citations.identify(key, aliases)) is not None
    }
    others = [key for key in keys if key not in identified]
    found = (
        find_references(others, readers(names, siblings, _SUFFIXES)) if others else {}
    )
    return Bibliography(tell_apart(found), identified)
