"""Tests of identifier recognition and normalisation."""

import pytest

from transforms import identifiers

# Text, the mention as printed, its key.
_CASES = {
    "bare DOI": ("see 10.5555/xyz123 here", "10.5555/xyz123", "doi:10.5555/xyz123"),
    "start of a line": ("below\n10.5555/abc", "10.5555/abc", "doi:10.5555/abc"),
    "balanced bracket": (
        "(see 10.5555/TQO.2009.05.25.02(ABCD))",
        "10.5555/TQO.2009.05.25.02(ABCD)",
        "doi:10.5555/tqo.2009.05.25.02(abcd)",
    ),
    "landing page": ("10.5555/qx.77/abstract", "10.5555/qx.77", "doi:10.5555/qx.77"),
    "markup": ("10.5555/abc</ref>", "10.5555/abc", "doi:10.5555/abc"),
    "prefix, semicolon": (
        "(doi:10.5555/abc.5; see below)",
        "doi:10.5555/abc.5",
        "doi:10.5555/abc.5",
    ),
    "link": (
        "at https://doi.org/10.5555/A_b.",
        "https://doi.org/10.5555/A_b",
        "doi:10.5555/a_b",
    ),
    "percent-encoded": (
        "https://dx.doi.org/10.5555%2Fqx77",
        "https://dx.doi.org/10.5555%2Fqx77",
        "doi:10.5555/qx77",
    ),
    "encoded twice": ("x 10.5555%252Fqx", "10.5555%252Fqx", "doi:10.5555/qx"),
    "SICI": (
        "10.5555/(SICI)1097(199909)36:1+<1::AID-Q2>3.0.CO;2-0",
        "10.5555/(SICI)1097(199909)36:1+<1::AID-Q2>3.0.CO;2-0",
        "doi:10.5555/(sici)1097(199909)36:1+<1::aid-q2>3.0.co;2-0",
    ),
    "long registrant": (
        "10.99999.88/abc1",
        "10.99999.88/abc1",
        "doi:10.99999.88/abc1",
    ),
    "arXiv": ("as arXiv:2199.01234v2, says", "arXiv:2199.01234v2", "arxiv:2199.01234"),
    "arXiv over a line": (
        "arXiv:2199.\n01234v2",
        "arXiv:2199.\n01234v2",
        "arxiv:2199.01234",
    ),
    "old arXiv": ("arXiv:cs/0799999", "arXiv:cs/0799999", "arxiv:cs/0799999"),
    "old arXiv with class": (
        "arXiv:math.GT/0399999",
        "arXiv:math.GT/0399999",
        "arxiv:math.GT/0399999",
    ),
    "arXiv link": (
        "https://arxiv.org/pdf/2199.00001.pdf",
        "https://arxiv.org/pdf/2199.00001.pdf",
        "arxiv:2199.00001",
    ),
    "arXiv DOI": (
        "10.48550/arXiv.2699.99999v1",
        "10.48550/arXiv.2699.99999v1",
        "arxiv:2699.99999",
    ),
    "PMCID": ("PMCID: PMC9999999", "PMCID: PMC9999999", "pmcid:PMC9999999"),
    "PMID": ("1 PMID:99999999,777 3-4 9876543210", "PMID:99999999", "pmid:99999999"),
    "PubMed link": (
        "https://pubmed.ncbi.nlm.nih.gov/99999999/",
        "https://pubmed.ncbi.nlm.nih.gov/99999999",
        "pmid:99999999",
    ),
}


@pytest.mark.parametrize(("text", "printed", "key"), _CASES.values(), ids=_CASES)
def test_finds_identifiers(text, printed, key):
    (mention,) = identifiers.find_identifiers(text)
    assert text[mention.start : mention.end] == printed
    assert mention.key == key


@pytest.mark.parametrize(
    "text",
    ["version 10.10 of the tool", "PMID:PMC123", "210.5555/x", "10.5555/", "PMC12"],
)
def test_finds_none(text):
    assert not list(identifiers.find_identifiers(text))


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("12345", "12345"),
        ("PMID: 0012345", "12345"),
        ("PMC12345", None),
        ("123456789", None),
        (None, None),
    ],
)
def test_pmid(written, canonical):
    assert identifiers.pmid(written) == canonical


@pytest.mark.parametrize(
    ("written", "canonical"),
    [("PMC12345", "PMC12345"), ("12345", "PMC12345"), ("PMC12345.2", "PMC12345")],
)
def test_pmcid(written, canonical):
    assert identifiers.pmcid(written) == canonical


def test_keys_ask_arxiv_before_its_doi():
    assert identifiers.keys(
        doi="10.48550/arxiv.2199.01234", arxiv=None, pmid="7", pmcid=None
    ) == ("arxiv:2199.01234", "pmid:7")


@pytest.mark.parametrize(
    "text",
    [
        "10.1010" + ".1010" * 50_000,
        *("10.1000/a" + tail * 50_000 for tail in ("<i>", "/pdf", ")>")),
    ],
    ids=["registrants", "tags", "landing pages", "closers"],
)
def test_long_tails_take_linear_time(text):
    # Anything else would not end here.
    assert isinstance(list(identifiers.find_identifiers(text)), list)
