"""Tests of finding inputs and of reading Parquet.  All text is invented."""

import datetime
import decimal
import json
import os
import socket
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from transforms.read_documents import contents, parquet
from transforms.read_documents.contents import Content, open_source, read_ids
from transforms.read_documents.errors import InputError, UnreadableDocument
from transforms.read_documents.inputs import Source, expand
from transforms.read_documents.siblings import FolderSiblings


@pytest.fixture
def folder(tmp_path):
    """A folder with files, hidden files, a subfolder and links."""
    root = tmp_path / "corpus"
    for name in ("b.txt", "a.md", "sub/c.xml", ".hidden", ".git/d.txt"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("Wool is warm.")
    return root


def _ids(inputs, **options):
    return [source.doc_id for source in expand(inputs, **options).sources]


def _write(path, row_group_size=None, **columns):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path, row_group_size=row_group_size)
    return path


def test_finds_files_folders_and_globs(folder):
    assert _ids([folder]) == ["a.md", "b.txt", "sub/c.xml"]
    assert _ids([folder / "b.txt", str(folder / "sub")]) == ["b.txt", "c.xml"]
    assert _ids([str(folder / "*.txt")]) == ["b.txt"]
    assert _ids([str(folder / "**" / "*.xml")]) == ["c.xml"]
    assert _ids([str(folder / "s*")]) == ["c.xml"]


def test_counts_what_it_finds(folder):
    found = expand([folder])
    assert (found.files, found.documents) == (3, 3)
    assert found.sources[0] == Source(str(folder / "a.md"), "a.md")


def test_an_empty_folder_gives_nothing(tmp_path):
    found = expand([tmp_path])
    assert (found.sources, found.files, found.documents) == ((), 0, 0)


def test_a_file_is_found_once_however_often_it_is_named(folder):
    (folder / "link.txt").symlink_to(folder / "b.txt")
    (folder / "loop").symlink_to(folder)
    (folder / "again").symlink_to(folder / "sub")
    given = [folder, folder / "b.txt", str(folder / "*.txt"), folder / "sub" / ".."]
    assert _ids(given) == ["a.md", "again/c.xml", "b.txt"]


def test_patterns_of_any_depth_follow_links_once(folder, tmp_path, monkeypatch):
    for name in ("one", "two"):
        (folder / name).symlink_to(folder)
        (folder / "sub" / name).symlink_to(folder / "sub")
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "far.xml").write_text("Wool is warm.")
    (folder / "linked").symlink_to(tmp_path / "away")
    assert _ids([str(folder / "**" / "*.xml")]) == ["far.xml", "c.xml"]
    assert _ids([str(folder / "**")]) == [
        "a.md",
        "b.txt",
        "linked/far.xml",
        "sub/c.xml",
    ]
    monkeypatch.chdir(folder)
    assert _ids(["**/*.xml"]) == ["far.xml", "c.xml"]


_PATTERNS = {
    "**/*": ["a.md", "b.txt", "sub/c.xml"],
    "**/*.xml": ["sub/c.xml"],
    "**/": ["a.md", "b.txt", "sub/c.xml"],
    "*/**": ["sub/c.xml"],
    "sub/**/*.xml": ["sub/c.xml"],
    "**/.git/*": [".git/d.txt"],
    ".git/**": [".git/d.txt"],
    "**/[ab].*": ["a.md", "b.txt"],
    "**/sub/**/c*": ["sub/c.xml"],
    "s*/*.xml": ["sub/c.xml"],
}


@pytest.mark.parametrize(("pattern", "expected"), _PATTERNS.items(), ids=_PATTERNS)
@pytest.mark.parametrize("is_absolute", [True, False])
def test_patterns_find_what_a_shell_would(
    folder, monkeypatch, pattern, expected, is_absolute
):
    monkeypatch.chdir(folder)
    given = str(folder / "x")[:-1] + pattern if is_absolute else pattern
    found = [os.path.relpath(s.path) for s in expand([given]).sources]
    assert sorted(found) == expected


@pytest.fixture
def deep(tmp_path, monkeypatch):
    """A file in more folders than Python calls itself, in the current one."""
    monkeypatch.chdir(tmp_path)
    for _ in range(1200):
        os.mkdir("d")
        os.chdir("d")
    with open("deep.txt", "w") as file:
        file.write("Wool.")
    monkeypatch.chdir(tmp_path)
    yield "d"
    # Neither pytest nor shutil could.
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)


def test_folders_may_be_nested_deeper_than_calls(deep):
    (source,) = expand([deep]).sources
    assert source.path.endswith("d/deep.txt")
    (content,) = open_source(source, None, None, {})
    assert content.data == b"Wool."


@pytest.mark.parametrize("name", ["m.txt", "m.parquet", "m.jsonl", "m.tex"])
def test_a_pipe_swapped_in_for_a_file_makes_nobody_wait(tmp_path, name):
    columns = {"id_column": "id", "text_column": "text"}
    path = tmp_path / name
    if name == "m.parquet":
        _write(path, id=["a"], text=["Wool."])
    else:
        path.write_text('{"id": "a", "text": "Wool."}')
    (source,) = expand([path], **columns).sources
    path.unlink()
    os.mkfifo(path)
    (failure,) = open_source(source, "id", "text", {})
    assert failure.error == "UnreadableDocument"
    assert "is a pipe or a device" in failure.message
    (tmp_path / "refs.bib").symlink_to(path)
    assert FolderSiblings(str(tmp_path)).read("refs.bib") is None


def test_a_file_larger_than_any_manuscript_is_not_read_whole(tmp_path, monkeypatch):
    with open(tmp_path / "sparse.txt", "wb") as file:
        file.truncate(1 << 40)
    monkeypatch.setattr(contents, "_MAX_BYTES", 1 << 20)
    (source,) = expand([tmp_path]).sources
    (failure,) = open_source(source, None, None, {})
    assert "is over 1 MB" in failure.message


def test_an_existing_name_is_no_pattern(tmp_path):
    (tmp_path / "a[1].txt").write_text("Wool.")
    assert _ids([tmp_path / "a[1].txt"]) == ["a[1].txt"]


def test_ids_are_as_long_as_tells_them_apart(tmp_path):
    for name in ("x/one/a.txt", "y/one/a.txt", "y/two/a.txt", "y/two/b.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("Wool.")
    given = [tmp_path / "x" / "one", tmp_path / "y" / "one", tmp_path / "y" / "two"]
    assert _ids(given) == ["x/one/a.txt", "y/one/a.txt", "two/a.txt", "b.txt"]
    assert _ids(given) == _ids(given)


def test_names_that_are_escaped_alike_are_one_document_and_a_failure(tmp_path):
    (tmp_path / r"a\udcff.txt").write_text("Wool.")
    with open(os.path.join(os.fsencode(tmp_path), b"a\xff.txt"), "w") as file:
        file.write("Warm.")
    sources = expand([tmp_path]).sources
    assert [s.doc_id for s in sources] == [r"a\udcff.txt"] * 2
    first, second = (next(open_source(s, None, None, {})) for s in sources)
    assert isinstance(first, Content)
    assert "has the name of another file" in second.message
    assert [list(read_ids(s, "id")) != [] for s in sources] == [True, False]


def test_leaves_out_excluded_files_and_folders(folder):
    (folder / "sub-other.txt").write_text("Wool.")
    excluded = [folder / "a.md", folder / "sub"]
    assert _ids([folder], exclude=excluded) == ["b.txt", "sub-other.txt"]


def test_keeps_links_to_nothing_and_leaves_out_pipes(folder):
    (folder / "gone.txt").symlink_to(folder / "nothing")
    (folder / "self.txt").symlink_to(folder / "self.txt")
    os.mkfifo(folder / "pipe")
    found = _ids([folder / "sub", folder])
    assert found == ["c.xml", "a.md", "b.txt", "gone.txt", "self.txt"]


def test_refuses_missing_paths_patterns_and_special_files(tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        name = str(tmp_path / "s")
        listener.bind(name)
        for given, message in (
            (str(tmp_path / "none.txt"), "no such file or folder: .*none.txt"),
            (str(tmp_path / "*.txt"), "nothing matches the pattern: .*txt"),
            (name, "neither a file nor a folder"),
        ):
            with pytest.raises(InputError, match=message) as caught:
                expand([given])
            assert "\n" not in caught.value.message


def test_cuts_parquet_into_parts_between_row_groups(tmp_path, monkeypatch):
    path = _write(tmp_path / "m.parquet", 2, id=["a", "b", "c"], text=["Wool."] * 3)
    found = expand([tmp_path], id_column="id", text_column="text")
    assert found.sources == (Source(str(path), "m.parquet", (0, 2), 0, 3),)
    monkeypatch.setattr(parquet, "_MIN_PART_BYTES", 1)
    found = expand([tmp_path], id_column="id", text_column="text")
    assert found.sources == (
        Source(str(path), "m.parquet", (0, 1), 0, 2),
        Source(str(path), "m.parquet", (1, 2), 2, 1),
    )
    assert (found.files, found.documents) == (1, 3)


def test_thousands_of_row_groups_make_few_parts(tmp_path, monkeypatch):
    # Each part reads the description of all row groups.
    monkeypatch.setattr(parquet, "_MIN_PART_BYTES", 1)
    ids = [f"d{n}" for n in range(3000)]
    _write(tmp_path / "m.parquet", 1, id=ids, text=["Wool."] * 3000)
    sources = expand([tmp_path], id_column="id", text_column="text").sources
    assert len(sources) <= 129
    read = [o.doc_id for s in sources for o in open_source(s, "id", "text", {})]
    assert read == ids
    assert [i for s in sources for i, _ in read_ids(s, "id")] == ids


def test_empty_row_groups_are_no_parts(tmp_path):
    path = tmp_path / "m.parquet"
    rows, none = ([{"id": "a", "text": "Wool."}], [])
    schema = pa.schema({"id": pa.string(), "text": pa.string()})
    with pq.ParquetWriter(path, schema) as writer:
        for group in (none, rows, none, rows, none):
            writer.write_table(pa.Table.from_pylist(group, schema))
    found = expand([path], id_column="id", text_column="text")
    assert [(s.first_row, s.documents) for s in found.sources] == [(0, 2)]
    (source,) = found.sources
    assert len(list(open_source(source, "id", "text", {}))) == 2


def test_a_file_that_lies_about_its_rows_is_broken(tmp_path, monkeypatch):
    path = _write(tmp_path / "m.parquet", id=["a"] * 1000, text=["Wool."] * 1000)
    data = path.read_bytes()
    # The number of rows stands in the description of the file and of each group.
    at = data.rfind(b"\xd0\x0f")
    assert at > 0
    path.write_bytes(data[:at] + b"\xd2\x0f" + data[at + 2 :])
    (source,) = expand([path], id_column="id", text_column="text").sources
    assert "cannot be read as Parquet (damaged data)" in source.problem


def test_knows_parquet_by_content_where_it_is_given(tmp_path):
    path = _write(tmp_path / "m.data", id=["a"], text=["Wool."])
    found = expand([path], id_column="id", text_column="text")
    assert found.sources == (Source(str(path), "m.data", (0, 1), 0, 1),)


def test_an_empty_table_gives_nothing(tmp_path):
    _write(tmp_path / "m.pq", id=pa.array([], "string"), text=pa.array([], "string"))
    assert expand([tmp_path], id_column="id", text_column="text").documents == 0


_COLUMNS = {
    "no id column": (
        ("key", "text"),
        "m.parquet has no column 'key'.*id, text, n.*--id",
    ),
    "no text column": (("id", "body"), "has no column 'body'.*--text-column"),
    "none named": ((None, None), "needs --id-column"),
    "numbers for text": (("id", "n"), "column 'n' of .*m.parquet holds int64"),
}


@pytest.mark.parametrize(("names", "message"), _COLUMNS.values(), ids=_COLUMNS)
def test_refuses_parquet_without_the_columns(tmp_path, names, message):
    _write(tmp_path / "m.parquet", id=["a"], text=["Wool."], n=[1])
    with pytest.raises(InputError, match=message):
        expand([tmp_path], id_column=names[0], text_column=names[1])


def test_a_broken_parquet_file_is_left_to_the_run(tmp_path):
    (tmp_path / "m.parquet").write_bytes(b"PAR1 broken")
    (tmp_path / "n.parquet").symlink_to(tmp_path / "nothing")
    found = expand([tmp_path], id_column="id", text_column="text")
    assert [(s.doc_id, s.row_groups) for s in found.sources] == [
        ("m.parquet", None),
        ("n.parquet", None),
    ]
    assert all("cannot be read as Parquet" in s.problem for s in found.sources)
    assert found.documents == 2


def _rows(path, **columns):
    _write(path, **columns)
    return list(
        parquet.read_rows(str(path), (0, 1), 0, id_column="id", text_column="text")
    )


_TEXTS = {
    "string": pa.array(["Café", None]),
    "large string": pa.array(["Café", None], pa.large_string()),
    "string view": pa.array(["Café", None], pa.string_view()),
    "category": pa.array(["Café", None]).dictionary_encode(),
    "category of binary": pa.array(["Café".encode(), None]).dictionary_encode(),
    "fixed-size binary": pa.array(["Café".encode(), None], pa.binary(5)),
    "binary": pa.array(["Café".encode(), None]),
    "large binary": pa.array(["Café".encode(), None], pa.large_binary()),
}


@pytest.mark.parametrize(("name", "texts"), _TEXTS.items(), ids=_TEXTS)
def test_reads_text_of_every_type(tmp_path, name, texts):
    rows = _rows(tmp_path / "m.parquet", id=["a", "b"], text=texts)
    assert [row.data for row in rows] == ["Café".encode(), None]
    assert {row.is_text for row in rows} == {"binary" not in name}


def test_a_column_of_nulls_is_documents_without_text(tmp_path):
    _write(tmp_path / "m.parquet", id=["a", "b"], text=pa.nulls(2))
    _write(tmp_path / "n.parquet", id=pa.nulls(1), text=["Wool."])
    sources = expand([tmp_path], id_column="id", text_column="text").sources
    opened = [o for s in sources for o in open_source(s, "id", "text", {})]
    assert [(o.element_id, o.message) for o in opened] == [
        *(
            (
                doc_id,
                f"m.parquet row {n} cannot be read: its text is null; fill it in"
                " or leave the row out",
            )
            for n, doc_id in ((1, "a"), (2, "b"))
        ),
        (
            "n.parquet row 1",
            "n.parquet row 1 has no document id: the id is null or empty; give it one",
        ),
    ]


def test_ids_that_are_no_utf_8_stay_distinct(tmp_path):
    ids = pa.array([b"\xff", b"\xfe", b"caf\xe9", "café".encode()])
    expected = [r"\xff", r"\xfe", r"caf\xe9", "café"]
    for kind in (ids, ids.dictionary_encode(), ids.view(pa.string())):
        rows = _rows(tmp_path / "m.parquet", id=kind, text=["Wool."] * 4)
        assert [row.doc_id for row in rows] == expected
        path = str(tmp_path / "m.parquet")
        assert list(parquet.read_ids(path, (0, 1), id_column="id")) == expected


_IDS = {
    "string": (pa.array(["a", "", None]), ["a", "", ""]),
    "number": (pa.array([7, 0, None]), ["7", "0", ""]),
    "float": (pa.array([1.5, float("nan"), None]), ["1.5", "", ""]),
    "binary": (pa.array([b"a", b"", b"\xff"]), ["a", "", r"\xff"]),
    "date": (pa.array([datetime.date(2020, 1, 2)] * 3), ["2020-01-02"] * 3),
}


@pytest.mark.parametrize(("ids", "expected"), _IDS.values(), ids=_IDS)
def test_reads_ids_of_every_type(tmp_path, ids, expected):
    path = tmp_path / "m.parquet"
    rows = _rows(path, id=ids, text=["Wool."] * 3)
    assert [row.doc_id for row in rows] == expected
    assert list(parquet.read_ids(str(path), (0, 1), id_column="id")) == expected


def test_gives_the_other_columns_as_json(tmp_path):
    moment = datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
    (row,) = _rows(
        tmp_path / "m.parquet",
        id=["a"],
        text=["Wool."],
        title=["Café"],
        n=[3],
        share=[float("nan")],
        ok=[True],
        none=pa.nulls(1),
        day=[datetime.date(2020, 1, 2)],
        far=pa.array([10**7], pa.date32()),
        at=pa.array([moment], pa.timestamp("ns", "Europe/Berlin")),
        price=[decimal.Decimal("1.50")],
        kind=pa.array(["x"]).dictionary_encode(),
        blob=[b"no"],
        tags=[["no"]],
    )
    assert json.loads(row.metadata) == {
        "title": "Café",
        "n": 3,
        "share": None,
        "ok": True,
        "none": None,
        "day": "2020-01-02",
        "far": None,
        "at": "2020-01-02T03:04:05+00:00",
        "price": "1.50",
        "kind": "x",
    }


def test_numbers_rows_across_batches_and_reads_long_ones(tmp_path):
    texts = ["wool " * 200_000 + str(n) for n in range(20)]
    path = _write(tmp_path / "m.parquet", 12, id=list(range(20)), text=texts)
    rows = list(
        parquet.read_rows(str(path), (1, 2), 12, id_column="id", text_column="text")
    )
    assert [row.number for row in rows] == list(range(12, 20))
    assert [row.data.decode() for row in rows] == texts[12:]


def test_one_column_may_be_both(tmp_path):
    path = _write(tmp_path / "m.parquet", both=["Wool."])
    (row,) = parquet.read_rows(
        str(path), (0, 1), 0, id_column="both", text_column="both"
    )
    assert (row.doc_id, row.data, row.metadata) == ("Wool.", b"Wool.", "{}")


def test_a_missing_file_is_unreadable(tmp_path):
    with pytest.raises(UnreadableDocument, match="cannot be read as Parquet"):
        list(parquet.read_ids(str(tmp_path / "none.parquet"), 0, id_column="id"))
