"""Tests of reading documents that are compressed with gzip; invented text."""

import gzip
import hashlib

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from transforms.read_documents import compressed
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.formats import read_document

_INNER = {
    "a.txt.gz": (b"Wool is *warm*.", "Wool is *warm*."),
    "a.md.gz": (b"Wool is *warm*.", "Wool is warm."),
    "a.xml.gz": (b"<article><body><p>Wool.</p></body></article>", "Wool."),
    "a.tei.gz": (b"<TEI><text><p>Wool.</p></text></TEI>", "Wool."),
    "a.html.gz": (b"<p>Wool.", "Wool."),
    "a": (b"Wool is warm.", "Wool is warm."),
    "a.GZ": (b"<html><p>Wool.", "Wool."),
}


@pytest.mark.parametrize(("path", "inner"), _INNER.items(), ids=_INNER)
def test_reads_what_is_compressed(path, inner):
    data = gzip.compress(inner[0])
    document = read_document(data, doc_id="d", path=path)
    assert (document.text, document.path) == (inner[1], path)
    assert document.content_sha256 == hashlib.sha256(data).hexdigest()


def test_reads_several_members_and_leaves_out_padding():
    data = gzip.compress(b"Wool ") + gzip.compress(b"is warm.") + bytes(512)
    assert read_document(data, doc_id="d", path="a.gz").text == "Wool is warm."


def test_many_members_take_linear_time():
    # Copying what is left for each of them would not end here.
    data = gzip.compress(b"Wool ") * 300_000
    assert compressed.unpack(data) == b"Wool " * 300_000


_BROKEN = {
    "cut short": (gzip.compress(b"Wool is warm.")[:-9], "cut short"),
    "damaged": (gzip.compress(b"Wool" * 99)[:20] + b"\xff" * 20, "broken gzip"),
    "a header alone": (b"\x1f\x8b\x08\0", "gzip"),
    "nothing in it": (gzip.compress(b""), "empty"),
    "a bomb": (gzip.compress(bytes(20 << 20)), "unpacks to over 16 MB"),
    "a bomb of members": (gzip.compress(b"w" * (1 << 20)) * 40, "unpacks to over"),
    "twice": (gzip.compress(gzip.compress(b"Wool")), "gzip file within another"),
}


@pytest.mark.parametrize(("data", "reason"), _BROKEN.values(), ids=_BROKEN)
def test_refuses_what_is_broken_or_hostile(data, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read_document(data, doc_id="d", path="a.gz")


_WHOLE = gzip.compress(b"Wool is warm (Ng, 2010).\n\n" * 50)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(_WHOLE)), st.binary(max_size=4), st.integers(0, 9))
def test_nothing_but_unreadable_document_comes_out(at, new, dropped):
    try:
        read_document(_WHOLE[:at] + new + _WHOLE[at + dropped :], doc_id="d", path="a")
    except UnreadableDocument as error:
        assert "\n" not in error.reason
