"""Tests of reading JSON Lines of texts; invented text."""

import json

import pytest

from transforms.read_documents import contents, json_lines
from transforms.read_documents.contents import Content
from transforms.read_documents.errors import InputError
from transforms.read_documents.inputs import Source, expand
from transforms.read_documents.stage import ReadDocuments
from transforms.records import Failure

_COLUMNS = {"id_column": "id", "text_column": "text"}


def _write(path, *lines):
    path.write_bytes(b"".join(lines))
    return path


def _line(**fields):
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def _open(path, duplicates=()):
    sources = expand([path], **_COLUMNS).sources
    return [
        opened
        for source in sources
        for opened in contents.open_source(source, "id", "text", dict(duplicates))
    ]


def test_reads_a_document_a_line(tmp_path):
    path = _write(
        tmp_path / "m.jsonl",
        b"\xef\xbb\xbf" + _line(id="a", text="Café is warm.", year=2010, tags=["no"]),
        b" \r\n",
        _line(id=7, text="Soft.\n\nIt is.", price=1.5, ok=True, none=None),
        b'{"id": "c", "text": "No line feed.", "far": 1e999, "n": NaN}',
    )
    assert expand([path], **_COLUMNS).documents == 3
    first, second, third = _open(path)
    assert first == Content(
        "a", str(path), "m.jsonl row 1", "Café is warm.".encode(), True,
        '{"year": 2010}',
    )  # fmt: skip
    assert (second.doc_id, second.data) == ("7", b"Soft.\n\nIt is.")
    assert json.loads(second.metadata) == {"price": 1.5, "ok": True, "none": None}
    assert (third.doc_id, third.metadata) == ("c", '{"n": null}')


_BAD = {
    "no JSON": (b"{'id': 1}\n", "is no JSON object"),
    "cut short": (b'{"id": "b", "text": "Wo\n', "is no JSON object"),
    "no object": (b'["b", "Wool"]\n', "is no JSON object"),
    "no UTF-8": (b'{"id": "b", "text": "Caf\xe9"}\n', "is no JSON object"),
    "half a character": (b'{"id": "b", "text": "\\ud800"}\n', "half of a character"),
    "nested deeply": (b"[" * 100_000 + b"\n", "is no JSON object"),
    "no id": (_line(text="Wool"), "has no document id"),
    "an empty id": (_line(id="", text="Wool"), "has no document id"),
    "a list for an id": (_line(id=["b"], text="Wool"), "has no document id"),
    "no text": (_line(id="b"), "its text is null"),
    "a number for text": (_line(id="b", text=3), "has no text in 'text'"),
}


@pytest.mark.parametrize(("line", "reason"), _BAD.values(), ids=_BAD)
def test_a_bad_line_is_one_failure(tmp_path, line, reason):
    whole = _line(id="a", text="Wool.")
    opened = _open(_write(tmp_path / "m.jsonl", whole, line, whole))
    assert [type(found) for found in opened] == [Content, Failure, Content]
    assert opened[1].message.startswith("m.jsonl row 2 ")
    assert reason in opened[1].message


def test_a_line_that_is_too_long_is_one_failure(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "_MAX_LINE_BYTES", 64)
    long = _line(id="b", text="wool " * 100)
    path = _write(tmp_path / "m.jsonl", _line(id="a", text="Wool."), long, long[:-1])
    opened = _open(path)
    assert [type(found) for found in opened] == [Content, Failure, Failure]


def test_cuts_a_file_into_parts_at_line_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "_PART_BYTES", 100)
    lines = [_line(id=str(n), text="wool " * (n % 7 * 9)) for n in range(40)]
    path = _write(tmp_path / "m.ndjson", *lines)
    sources = expand([path], **_COLUMNS).sources
    assert len(sources) > 5
    ends = [source.byte_range[1] for source in sources]
    assert [source.byte_range[0] for source in sources] == [0, *ends[:-1]]
    opened = [o for s in sources for o in contents.open_source(s, "id", "text", {})]
    assert [(o.doc_id, o.name) for o in opened] == [
        (str(n), f"m.ndjson row {n + 1}") for n in range(40)
    ]


_MISSING = {
    "no id column": (("key", "text"), "no column 'key'; it has: id, n, text;.*--id-"),
    "no text column": (("id", "body"), "no column 'body'.*--text-column"),
    "none named": ((None, None), "needs --id-column"),
}


@pytest.mark.parametrize(("names", "message"), _MISSING.values(), ids=_MISSING)
def test_refuses_a_file_without_the_columns(tmp_path, names, message):
    _write(tmp_path / "m.jsonl", b"{broken\n", _line(id="a", text="Wool.", n=1))
    with pytest.raises(InputError, match=message):
        expand([tmp_path], id_column=names[0], text_column=names[1])


def test_an_empty_file_gives_nothing_and_a_missing_one_a_failure(tmp_path):
    _write(tmp_path / "a.jsonl", b"\n\n")
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "nothing")
    found = expand([tmp_path], **_COLUMNS)
    assert [(s.doc_id, s.byte_range, s.documents) for s in found.sources] == [
        ("b.jsonl", None, 1)
    ]
    assert "cannot be opened" in found.sources[0].problem


def test_a_file_that_is_gone_is_a_failure_a_row(tmp_path):
    path = _write(tmp_path / "m.jsonl", *[_line(id=n, text="Wool.") for n in range(3)])
    (source,) = expand([path], **_COLUMNS).sources
    path.unlink()
    opened = list(contents.open_source(source, "id", "text", {}))
    assert [found.element_id for found in opened] == [
        f"m.jsonl row {n}" for n in (1, 2, 3)
    ]


def test_repeated_ids_are_found(tmp_path):
    path = _write(tmp_path / "m.jsonl", *[_line(id="a", text="Wool.")] * 2, b"{\n")
    (source,) = expand([path], **_COLUMNS).sources
    places = [place for _, place in contents.read_ids(source, "id")]
    assert places == [((str(path), n), f"m.jsonl row {n + 1}") for n in (0, 1)]
    duplicates = contents.later_duplicates(("a", places))
    first, second, _ = _open(path, duplicates)
    assert isinstance(first, Content)
    assert "has the same id as m.jsonl row 1" in second.message


def test_needs_both_columns():
    source = Source("m.jsonl", "m.jsonl", byte_range=(0, 9))
    with pytest.raises(ValueError, match="need both columns"):
        ReadDocuments([source])
