"""Tests of citation keys in Markdown.  All documents are invented."""

import json

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from transforms.read_documents import markdown
from transforms.read_documents.siblings import MemberSiblings

_BIB = b"""
@article{ng_1, author={Ng, Ada and Ode, Tom and Ba, Cy}, title={Warm Wool}, year=2015}
@article{ode:2016, author={Tom Ode and Ada Ng}, title={One}, year={2016}}
"""
_JSON = json.dumps(
    [{"id": "ng_1", "author": [{"family": "Ng"}], "issued": {"date-parts": [[2015]]}}]
).encode()


def _read(source, **files):
    members = {name.replace("_", "."): data for name, data in files.items()}
    siblings = MemberSiblings(members)
    return markdown.read(source.encode(), doc_id="d", path="d.md", siblings=siblings)


def _anchors(document):
    return [(document.text[a.start : a.end], *a.ref_ids) for a in document.anchors]


_PRINTED = {
    "in brackets": (
        "Warm [@ng_1].",
        "Warm (Ng et al., 2015).",
        [("Ng et al., 2015", "ng_1")],
    ),
    "several": (
        "[see @ng_1, p. 3; also @ode:2016]",
        "(see Ng et al., 2015, p. 3; also Ode & Ng, 2016)",
        [("Ng et al., 2015", "ng_1"), ("Ode & Ng, 2016", "ode:2016")],
    ),
    "narrative": (
        "As @ode:2016 says, @{ng_1}.",
        "As Ode and Ng (2016) says, Ng et al. (2015).",
        [("Ode and Ng (2016)", "ode:2016"), ("Ng et al. (2015)", "ng_1")],
    ),
    "narrative with note": (
        "As @ng_1 [p. 3] says",
        "As Ng et al. (2015, p. 3) says",
        [("Ng et al. (2015, p. 3)", "ng_1")],
    ),
    "narrative, then brackets": (
        "@ng_1 [@ode:2016]",
        "Ng et al. (2015) (Ode & Ng, 2016)",
        [("Ng et al. (2015)", "ng_1"), ("Ode & Ng, 2016", "ode:2016")],
    ),
    "without author": (
        "Ng [-@ng_1] and -@ode:2016",
        "Ng (2015) and (2016)",
        [("2015", "ng_1"), ("2016", "ode:2016")],
    ),
    "unknown": (
        "[@none; @ng_1] @nobody.",
        "(@none; Ng et al., 2015) @nobody.",
        [("@none", "none"), ("Ng et al., 2015", "ng_1"), ("@nobody", "nobody")],
    ),
    "unknown alone": ("[see @none]", "[see @none]", [("@none", "none")]),
    "at the end of a sentence": (
        "So says @ng_1. It is.",
        "So says Ng et al. (2015). It is.",
        [("Ng et al. (2015)", "ng_1")],
    ),
    "emphasis": ("*See @ng_1*", "See Ng et al. (2015)", [("Ng et al. (2015)", "ng_1")]),
    "over lines": (
        "[see\n@ng_1]",
        "(see Ng et al., 2015)",
        [("Ng et al., 2015", "ng_1")],
    ),
    "heading": (
        "# On @ng_1 {#x}",
        "On Ng et al. (2015)",
        [("Ng et al. (2015)", "ng_1")],
    ),
    "footnote": (
        "a[^1]\n\n[^1]: See @ng_1.",
        "a\n\nSee Ng et al. (2015).",
        [("Ng et al. (2015)", "ng_1")],
    ),
    "code": ("`@ng_1` `[@ng_1]`\n\n```\n@ng_1\n```", "@ng_1 [@ng_1]", []),
    "addresses": ("ng@ng_1 ng.@ng_1 @@ng_1", "ng@ng_1 ng.@ng_1 @@ng_1", []),
    "figures": (
        "[@fig:ng] @tbl:x @fig-y [@ng_1]",
        "[@fig:ng] @tbl:x @fig-y (Ng et al., 2015)",
        [("Ng et al., 2015", "ng_1")],
    ),
    "no keys": ("a [b] c", "a [b] c", []),
}  # fmt: skip


@pytest.mark.parametrize(("source", "text", "marked"), _PRINTED.values(), ids=_PRINTED)
def test_prints_keys_as_author_and_year(source, text, marked):
    document = _read(source, refs_bib=_BIB)
    assert document.text == text
    assert _anchors(document) == marked
    cited = [key for _, key in marked]
    assert [r.ref_id for r in document.references] == [
        key for key in dict.fromkeys(cited) if key in ("ng_1", "ode:2016")
    ]


_IDENTIFIED = {
    "DOI": ("@doi:10.9999/w.1", "doi", "10.9999/w.1"),
    "DOI in upper case": ("@DOI:10.9999/W.1", "doi", "10.9999/w.1"),
    "DOI with brackets": ("@doi:10.9999/S1(96)2-9", "doi", "10.9999/s1(96)2-9"),
    "DOI in braces": ("@{doi:10.9999/w;1}", "doi", "10.9999/w;1"),
    "DOI as a link": ("@https://doi.org/10.9999/w.1", "doi", "10.9999/w.1"),
    "arXiv": ("@arxiv:2101.00001v2", "arxiv_id", "2101.00001"),
    "arXiv as a link": (
        "@url:https://arxiv.org/abs/2101.00001",
        "arxiv_id",
        "2101.00001",
    ),
    "PMID": ("@pmid:123", "pmid", "123"),
    "PubMed": ("@pubmed:123", "pmid", "123"),
    "PMCID": ("@pmcid:PMC1234", "pmcid", "PMC1234"),
    "link": ("@url:http://a.example/b_c?d=e", "raw", "url:http://a.example/b_c?d=e"),
    "nonsense": ("@doi:nonsense", "doi", None),
}  # fmt: skip


@pytest.mark.parametrize(
    "around", ["[{}]", "[see {}; @x]", "As {}, so.", "({})", "{}."]
)
@pytest.mark.parametrize(
    ("written", "name", "value"), _IDENTIFIED.values(), ids=_IDENTIFIED
)
def test_reads_identifiers(around, written, name, value):
    document = _read(around.format(written))
    assert document.text == around.format(written)
    key = written.strip("@{}")
    assert _anchors(document)[0] == (written, key)
    (reference,) = document.references
    assert reference.ref_id == key
    assert getattr(reference, name) == value


def test_reads_what_tags_stand_for():
    document = _read(
        "a [@tag:one; @two; @tag:three].\n\n[@two]: pmid:123\n\n[@x]: doi:10.9999/x\n",
        **{"citation-tags_tsv": b"tag\tcitation\none\tdoi:10.9999/w.1\n\n"},
    )
    assert document.text == "a [@tag:one; @two; @tag:three]."
    found = [(r.ref_id, r.doi, r.pmid) for r in document.references]
    assert found == [("tag:one", "10.9999/w.1", None), ("two", None, "123")]
    assert [key for _, key in _anchors(document)] == ["tag:one", "two", "tag:three"]


def test_handles_are_no_keys():
    document = _read("Ask @somebody about @fig:x and [@fig:y].")
    assert document.anchors == document.references == ()


_MATTER = {
    "one": ("bibliography: b.bib", {"b_bib": _BIB, "c_bib": b""}, True),
    "quoted": ('bibliography: "b.bib"', {"b_bib": _BIB, "c_bib": b""}, True),
    "list": ("bibliography: [c.bib, b.bib]", {"b_bib": _BIB, "c_bib": b""}, True),
    "block": ("bibliography:\n  - c.bib\n- b.bib", {"b_bib": _BIB, "c_bib": b""}, True),
    "JSON": ("bibliography: b.json", {"b_json": _JSON, "c_bib": b""}, True),
    "none": ("title: x", {"b_bib": _BIB}, True),
    "none, JSON": ("title: x", {"b_json": _JSON, "c_bib": b""}, True),
    "none, several": ("title: x", {"b_bib": _BIB, "c_bib": b""}, False),
    "missing": ("bibliography: d.bib", {"b_bib": _BIB, "c_bib": b""}, False),
    "outside": ("bibliography: ../b.bib", {"b_bib": _BIB, "c_bib": b""}, False),
}


@pytest.mark.parametrize(("matter", "files", "known"), _MATTER.values(), ids=_MATTER)
def test_finds_the_bibliography(matter, files, known):
    document = _read(f"---\n{matter}\n---\n\nWarm [@ng_1].", **files)
    assert bool(document.references) is known


_TOKENS = st.sampled_from(
    [
        *(
            "[",
            "]",
            "@ng_1",
            "@",
            "-@ode:2016",
            ";",
            " ",
            "\n\n",
            "`",
            "*",
            "_",
            "{",
            "}",
        ),
        *(
            "@doi:10.9999/w",
            "(",
            ")",
            ".",
            "see ",
            "[p. 3]",
            "# ",
            "[^1]",
            "[^1]: ",
            ":",
        ),
        *(
            "@tag:x",
            "\n[@tag:x]: doi:10.9999/w\n",
            "\u0301",
            "@url:http://a",
            "\ufdd0",
            "<",
        ),
    ]
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_TOKENS, max_size=30).map("".join))
def test_reads_whatever_it_is_given(source):
    document = _read(source, refs_bib=_BIB)
    end = 0
    for anchor in document.anchors:
        marked = document.text[anchor.start : anchor.end]
        assert marked and marked == marked.strip()
        assert anchor.start >= end
        end = anchor.end
    assert "\ufdd0" not in document.text


_ADVERSARIAL = [
    "@",
    "[@",
    "[@a;",
    "@a [",
    "-@a",
    "@{",
    "@doi:10.1/a",
    "[",
    "@a.",
    "[@a]",
]


@pytest.mark.parametrize("unit", _ADVERSARIAL)
def test_takes_linear_time(unit):
    # Super-linear reading would not end here.
    assert _read(unit * (60_000 // len(unit)), refs_bib=_BIB).doc_id
