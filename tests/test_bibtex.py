"""Tests of the readers of bibliographies.  All entries are invented."""

import json

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from transforms.read_documents.bibtex import read_bibtex
from transforms.read_documents.bibtex_names import read_names
from transforms.read_documents.csl_json import read_csl_json
from transforms.records import Reference

_NAMES = {
    "first last": ("Ada Ng", ("Ng, Ada",)),
    "last, first": ("Ng, Ada B.", ("Ng, Ada B.",)),
    "last, junior, first": ("Ng, Jr., Ada", ("Ng, Ada Jr.",)),
    "particle": ("Ada van der Prell", ("van der Prell, Ada",)),
    "particle, comma": ("van der Prell, Ada", ("van der Prell, Ada",)),
    "particle in braces": ("Ada {van der Prell}", ("van der Prell, Ada",)),
    "several": ("Ng, Ada and Tom Ode AND\n Cy Ba", ("Ng, Ada", "Ode, Tom", "Ba, Cy")),
    "others": ("Ng, Ada and others", ("Ng, Ada", "et al.")),
    "organisation": ("{Wool Board, The}", ("Wool Board The",)),
    "organisation with and": ("{Wool and Shears Board}", ("Wool and Shears Board",)),
    "one word": ("Plato", ("Plato",)),
    "accents": (r"{\"O}de, T{\'e}a and {\L}ukasz \.{Z}al", ("Öde, Téa", "Żal, Łukasz")),
    "accent in a particle": (r"Ada {\'e}v Ng", ("év Ng, Ada",)),
    "ties": ("A.~B. Ng", ("Ng, A. B.",)),
    "part by part": ("family=Ng, given=Ada, prefix=de", ("de Ng, Ada",)),
    "second braces": ("{Ng, A. and Ode, T.}", ("Ng, A.", "Ode, T.")),
    "semicolons": ("Ng, A.; Ode, T.", ("Ng, A.", "Ode, T.")),
    "commas": ("Ng, A., Ode, T.", ("Ng, A.", "Ode, T.")),
    "whole names": ("A. Ng, T. Ode, C. Ba", ("Ng, A.", "Ode, T.", "Ba, C.")),
    "sorting": (r"{\noopsort{a}}Ng, Ada", ("Ng, Ada",)),
    "nothing": (" ", ()),
    "commas alone": (", ,", ()),
    "and alone": (" and ", ("and",)),
}  # fmt: skip


@pytest.mark.parametrize(("field", "names"), _NAMES.values(), ids=_NAMES)
def test_reads_names(field, names):
    assert read_names(field) == names


_FIELDS = {
    "braces": ("title = {On {W}ool {and {more}}}", "title", "On Wool and more"),
    "quotes": ('title = "On {"}Wool{"}"', "title", 'On "Wool"'),
    "no comma between": ("title = {On wool} year = 2015", "year", 2015),
    "strings": ("title = nm # { and } # NM", "title", "Wool and Wool"),
    "unknown string": ("title = zz", "title", "zz"),
    "upper case": ("TITLE = {On wool}", "title", "On wool"),
    "twice": ("title = {On wool}, title = {no}", "title", "On wool"),
    "subtitle": ("title = {On wool.}, subtitle = {Or not}", "title", "On wool: Or not"),
    "commands": (r"title = {\emph{Wool} \& $\alpha$--{\it x}}", "title", "Wool & α–x"),
    "link": (r"title = {\href{a}{b}}", "title", "a b"),
    "value missing": ("title = , year = 2015", "year", 2015),
    "name missing": ("= {x}, year = 2015", "year", 2015),
    "left open": ("abstract = {On {wool,\n  year = 2015", "year", 2015),
    "year": ("year = {2015}", "year", 2015),
    "year with letter": ("year = {2015a}", "year_suffix", "a"),
    "date": ("date = {2015-03-01/2016}", "year", 2015),
    "year in words": ("year = {in press}", "year", None),
    "journal": ("journal = {J. Wool}, publisher = {No}", "venue", "J. Wool"),
    "book": ("booktitle = {On wool}", "venue", "On wool"),
    "macro of a style": (r"journal = {\jow}", "venue", "jow"),
    "editor": ("editor = {Ng, Ada}", "authors", ("Ng, Ada",)),
    "DOI": ("doi = {https://doi.org/10.9999/W\\_1}", "doi", "10.9999/w_1"),
    "DOI in a link": ("url = {https://doi.org/10.9999/w.1}", "doi", "10.9999/w.1"),
    "eprint": (
        "eprint = {2101.00001v2}, archivePrefix = {arXiv}",
        "arxiv_id",
        "2101.00001",
    ),
    "eprint without archive": ("eprint = {math/0309136}", "arxiv_id", "math/0309136"),
    "eprint elsewhere": ("eprint = {2101.00001}, eprinttype = {hdl}", "arxiv_id", None),
    "eprint in PubMed": ("eprint = {123}, eprinttype = {pubmed}", "pmid", "123"),
    "arXiv in the journal": ("journal = {arXiv:2101.00001}", "arxiv_id", "2101.00001"),
    "PMID": ("pmid = {0123}", "pmid", "123"),
    "PMCID": ("pmcid = {PMC1234}", "pmcid", "PMC1234"),
    "crossref": ("crossref = {book}", "venue", "All on wool"),
    "year by crossref": ("crossref = {book}", "year", 2014),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "name", "value"), _FIELDS.values(), ids=_FIELDS)
def test_reads_fields(fields, name, value):
    found = read_bibtex(
        f"@string{{nm = {{Wool}}}}\n@article{{k, {fields}}}\n"
        "@book{book, title={All on wool}, doi={10.9999/b}, year=2014}"
    )
    assert getattr(found["k"], name) == value
    assert "book" in found


def test_reads_a_whole_entry():
    found = read_bibtex(
        "@article{ng,\n author = {Ng, Ada and Ode, Tom},\n title = {On wool},\n"
        " journal = {J. Wool},\n volume = 3,\n pages = {1--9},\n year = 2015,\n"
        " doi = {10.9999/w.1}\n}\n"
    )
    assert found == {
        "ng": Reference(
            ref_id="ng",
            raw="Ng Ada, Ode Tom. 2015. On wool. J. Wool 3:1–9. doi:10.9999/w.1",
            authors=("Ng, Ada", "Ode, Tom"),
            year=2015,
            title="On wool",
            venue="J. Wool",
            doi="10.9999/w.1",
            volume="3",
            pages="1–9",
            work_type="article",
        )
    }


_KEYS = {
    "in order": ("@a{y, title={x}} @b{x, title={y}}", ["y", "x"]),
    "in brackets": ("@article(k, title={x})", ["k"]),
    "spaces": (" @ article { k , title={x}}", ["k"]),
    "odd keys": ("@a{DBLP:a/b-c+d.1&e, title={x}}", ["DBLP:a/b-c+d.1&e"]),
    "twice": ("@a{k, title={x}} @a{k, title={y}}", ["k"]),
    "comments": ("no @a @comment{k, title={x}} %@b{\n@a{k, title={x}}", ["k"]),
    "preamble": ('@preamble{"x"} @a{k, title={x}}', ["k"]),
    "left open": ("@a{j, title={x\n\n@a{k, title={x}}", ["j", "k"]),
    "closed too often": ("@a{j, title={x}}}}\n@a{k, title={x}}", ["j", "k"]),
    "no fields": ("@a{j} @a{k,} @a{l, title={x}}", ["l"]),
    "no key": ("@a{, title={x}} @a{k, title={x}}", ["k"]),
    "address": ("ng@wool.example{x} @a{k, title={x}}", ["k"]),
    "nothing": ("", []),
}


@pytest.mark.parametrize(("source", "keys"), _KEYS.values(), ids=_KEYS)
def test_finds_entries(source, keys):
    assert list(read_bibtex(source)) == keys


def test_reads_only_what_is_asked_for():
    source = "".join(f"@a{{k{n}, title={{x}}}}\n" for n in range(9))
    assert list(read_bibtex(source, ["k3", "k1", "none"])) == ["k1", "k3"]


def test_reads_csl_json():
    item = {
        "id": "ng",
        "type": "article-journal",
        "author": [
            {"family": "Prell", "given": "Ada", "non-dropping-particle": "van"},
            {"literal": "Wool Board, The"},
            "no",
        ],
        "title": "On <i>wool</i>.",
        "container-title": "J. Wool",
        "issued": {"date-parts": [["2015", 3]]},
        "DOI": "10.9999/W.1",
        "PMID": 123,
    }
    found = read_csl_json(json.dumps([item, {"title": "no id"}, "no", {"id": 7}]))
    assert found["ng"] == Reference(
        ref_id="ng",
        raw="van Prell Ada, Wool Board The. 2015. On wool. J. Wool. doi:10.9999/w.1",
        authors=("van Prell, Ada", "Wool Board The"),
        year=2015,
        title="On wool",
        venue="J. Wool",
        doi="10.9999/w.1",
        pmid="123",
        work_type="article-journal",
    )
    assert list(found) == ["ng", "7"]


_JSON = {
    "object": ('{"references": [{"id": "a"}]}', ["a"]),
    "raw date": ('[{"id": "a", "issued": {"raw": "March 2015"}}]', ["a"]),
    "odd values": (
        '[{"id": "a", "title": [], "author": {"x": 1}, "issued": 3, "DOI": {}}]',
        ["a"],
    ),
    "no list": ('{"name": "package"}', []),
    "no JSON": ("{", []),
    "deep": ("[" * 100_000, []),
}


@pytest.mark.parametrize(("text", "keys"), _JSON.values(), ids=_JSON)
def test_takes_any_json(text, keys):
    assert list(read_csl_json(text)) == keys


_TOKENS = st.sampled_from(
    [
        *("@a{k,", "@string{", "@comment(", "title", "author", "=", "{", "}", '"', "#"),
        *(
            ",",
            " and ",
            "\n",
            " ",
            "Ng",
            "A.",
            "\\",
            '\\"',
            "~",
            "crossref={k}",
            "2015",
        ),
        *("$", "family=", ";", "{\\'e}", "doi={10.9999/x}", "@", "(", ")", "others"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_TOKENS, max_size=40).map("".join))
def test_reads_whatever_it_is_given(source):
    for key, reference in read_bibtex(source).items():
        assert reference.ref_id == key
        assert all(name.strip() for name in reference.authors)
    read_names(source)
    read_csl_json(source)


_ADVERSARIAL = [
    "@",
    "@a{",
    "@a{k,t={",
    '@a{k,t="',
    "{",
    "}",
    " ",
    ",",
    "a=",
    "a={",
    "#",
]


@pytest.mark.parametrize("unit", _ADVERSARIAL)
def test_takes_linear_time(unit):
    # Super-linear reading would not end here.
    many = unit * (100_000 // len(unit))
    read_bibtex(many)
    read_bibtex(f"@a{{k, author={{{many}}}}}")
    read_names(many)
