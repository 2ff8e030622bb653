"""Tests of files that are a bibliography and nothing else."""

from __future__ import annotations

import json

import pytest

from transforms.read_documents.bibliography_file import read_bibliography
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.ris import read_ris
from transforms.records import Reference

_RIS = """TY  - JOUR
AU  - Ng, Ada
AU  - Ode, Bo
TI  - On wool
  and its keeping
JO  - J Wool
PY  - 2015/03/01
VL  - 3
SP  - 1
EP  - 9
DO  - https://doi.org/10.9999/W.1
ER  -

TY  - BOOK
ID  - shears
A1  - Ba, C.
T1  - All of shears.
PB  - Fleece Press
Y1  - 2012a
ER  -
"""
_ENDNOTE = """<?xml version="1.0"?><xml><records><record><rec-number>7</rec-number>
<ref-type name="Journal Article">17</ref-type><contributors><authors>
<author>Ng, Ada</author></authors></contributors><titles><title>On wool</title>
<secondary-title>J Wool</secondary-title></titles><volume>3</volume>
<pages>1-9</pages><dates><year>2015</year></dates>
<electronic-resource-num>10.9999/w.1</electronic-resource-num></record></records></xml>
"""


def test_reads_ris():
    first, second = read_ris(_RIS)
    assert first == Reference(
        ref_id="ref-1",
        raw="Ng Ada, Ode Bo. 2015. On wool and its keeping. J Wool 3. doi:10.9999/w.1",
        authors=("Ng, Ada", "Ode, Bo"),
        year=2015,
        title="On wool and its keeping",
        venue="J Wool",
        doi="10.9999/w.1",
        volume="3",
        pages="1-9",
        work_type="JOUR",
    )
    assert (second.ref_id, second.year_suffix, second.work_type) == (
        "shears", "a", "BOOK",
    )  # fmt: skip
    assert (second.title, second.venue) == ("All of shears", "Fleece Press")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("no tags at all", 0),
        ("TY  - JOUR\nTI  - never ends", 1),
        ("TI  - before\nTY  - JOUR\nTI  - after\nER  -", 2),
        ("TY  - JOUR\r\nTI  - lines of DOS\r\nER  - \r\n", 1),
    ],
)
def test_broken_ris_costs_no_other_entry(text, number):
    assert len(read_ris(text)) == number


def test_pubmed_ids_are_those_of_pubmed_alone():
    entry = "TY  - JOUR\nAN  - 123\n{}ER  -"
    (known,) = read_ris(entry.format("DB  - PubMed\n"))
    (other,) = read_ris(entry.format("DB  - Scopus\n"))
    assert (known.pmid, other.pmid) == ("123", None)


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("a.bib", "@article{ng, title={On wool}}", ["ng"]),
        ("a.ris", _RIS, ["ref-1", "shears"]),
        ("a.txt", _RIS, ["ref-1", "shears"]),
        ("a.json", json.dumps([{"id": "ng", "title": "On wool"}]), ["ng"]),
        ("a.xml", _ENDNOTE, ["7"]),
        ("a.xml", "<article><body/></article>", None),
        ("a.txt", "Rates fell (Ode, 2001).", None),
        ("a.tex", "\\begin{document}@article{x}\\end{document}", None),
        ("a.pdf", "%PDF-1.4", None),
    ],
)
def test_tells_a_bibliography_from_a_manuscript(name, text, ids):
    found = read_bibliography(text.encode(), name)
    assert (found if found is None else [entry.ref_id for entry in found]) == ids


def test_reads_a_library_of_endnote():
    (found,) = read_bibliography(_ENDNOTE.encode(), "library.xml")
    assert (found.title, found.venue, found.year) == ("On wool", "J Wool", 2015)
    assert (found.volume, found.pages) == ("3", "1-9")
    assert found.work_type == "Journal Article"


def test_a_broken_library_says_so():
    with pytest.raises(UnreadableDocument):
        read_bibliography(_ENDNOTE.replace("</xml>", "").encode(), "library.xml")
