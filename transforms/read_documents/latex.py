"""Reads a manuscript in LaTeX.  Pure but for the files beside it.

The text is what a reader takes for running text: no float, formula, listing, abstract
or reference list.  Citations are printed as author and year, from the bibliography.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Sequence

from transforms.read_documents.bibliography import (
    Reader,
    find_references,
    list_reader,
    readers,
)
from transforms.read_documents.citation_text import tell_apart
from transforms.read_documents.decode import decode
from transforms.read_documents.latex_state import State
from transforms.read_documents.latex_text import read_latex
from transforms.read_documents.marked_text import cited_keys, print_paragraphs
from transforms.read_documents.reference_section import is_reference_heading
from transforms.read_documents.running_text import Block, part_references, to_body
from transforms.read_documents.siblings import NO_SIBLINGS, Siblings
from transforms.records import Document


def read(
    data: bytes, *, doc_id: str, path: str, siblings: Siblings = NO_SIBLINGS
) -> Document:
    """Reads LaTeX.

    Args:
      data: The main file in any encoding that ``decode`` knows.
      doc_id: Identifier of the document.
      path: The file it comes from.
      siblings: The files beside it: chapters, .bib and .bbl files.

    Returns:
      The document: headings, paragraphs and list items as plain text, footnotes at
      its end; an anchor for each key that is cited, and the entries cited.
    """
    state = read_latex(decode(data), siblings)
    paragraphs = [*state.body.paragraphs, *state.notes.paragraphs]
    keys = (*cited_keys(paragraphs), *state.uncited)
    beside = _readers(state, siblings, pathlib.PurePath(path).stem)
    references = tell_apart(find_references(keys, beside))
    blocks = print_paragraphs(paragraphs, references)
    listed: list[Block] = []
    if not keys:
        # Some set their reference list by hand.
        blocks, listed = part_references(blocks)
    body = to_body(list(_without_empty_lists(blocks)))
    title = print_paragraphs(state.title.paragraphs, references)
    return Document(
        doc_id=doc_id,
        path=path,
        text=body.text,
        title=" ".join(block.text for block in title),
        sections=body.sections,
        references=tuple(references.values()),
        reference_text="\n".join(block.text for block in listed),
        anchors=body.anchors,
    )


def _readers(state: State, siblings: Siblings, stem: str) -> Iterator[Reader]:
    """Yields where the entries may be; records go before printed lists."""
    yield from readers(state.bibliographies, siblings, (".bib",))
    for source in state.lists:
        yield list_reader(source)
    yield from readers((stem,), siblings, (".bbl",))


def _without_empty_lists(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yields the blocks without headings of reference lists that were cut off."""
    for at, block in enumerate(blocks):
        is_last = at + 1 == len(blocks) or blocks[at + 1].level
        if not (block.level and is_last and is_reference_heading(block.text)):
            yield block
