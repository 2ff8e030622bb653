"""Tests of local files of works: reading them and indexing them."""

import dataclasses
import json
import pathlib
import sqlite3
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.damage import DAMAGES, FOREIGN, damage
from tests.stand_in.works import QUILLS, SNAILS, WORKS, write_json_lines
from transforms.fetch_evidence.sources import papers_index, papers_rows
from transforms.fetch_evidence.sources.papers import Papers
from transforms.fetch_evidence.sources.papers_file import PapersError, read_works
from transforms.fetch_evidence.sources.papers_index import prepare
from transforms.records import Work

_OF_2014 = Work("papers", "papers:1", "T", year=2014)


def read(path):
    return list(read_works([path]))


def test_reads_parquet_in_batches(tmp_path, monkeypatch):
    monkeypatch.setattr(papers_rows, "_ROWS_PER_READ", 2)
    path = tmp_path / "works.parquet"
    rows = [dataclasses.asdict(work) for work in WORKS]
    for row in rows:
        row["authors"] = list(row["authors"])
        del row["source"]
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert read(path) == list(WORKS)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"title": " T "}, Work("papers", "papers:1", "T")),
        ({"title": None, "abstract": None}, Work("papers", "papers:1", "")),
        (
            {"title": "T", "doi": "https://doi.org/10.99999/ABC.", "pmid": "7"},
            Work("papers", "doi:10.99999/abc", "T", doi="10.99999/abc", pmid="7"),
        ),
        (
            {"title": "T", "pmid": 12.0, "pmcid": "77001", "paper_id": 5},
            Work("papers", "5", "T", pmid="12", pmcid="PMC77001"),
        ),
        (
            {"title": "T", "arxiv_id": "arXiv:2199.01234v3"},
            Work("papers", "arxiv:2199.01234", "T", arxiv_id="2199.01234"),
        ),
        (
            {"title": "T", "authors": "Ode, Tamsin; Ng, Ada;"},
            Work("papers", "papers:1", "T", authors=("Ode, Tamsin", "Ng, Ada")),
        ),
        (
            {
                "title": "T",
                "authors": [
                    {"family": "Ode", "given": "T."},
                    {"name": "Ada Ng"},
                    {"family": "Lim", "given": None},
                    {"name": ""},
                    "Kari Sjøstrand",
                ],
            },
            Work(
                "papers",
                "papers:1",
                "T",
                authors=("Ode, T.", "Ada Ng", "Lim", "Kari Sjøstrand"),
            ),
        ),
        (
            {"title": "T", "year": "2014-03"},
            Work("papers", "papers:1", "T", year=2014),
        ),
        ({"title": "T", "year": 2014}, Work("papers", "papers:1", "T", year=2014)),
        (
            {"title": "T", "year": 2014.0},
            Work("papers", "papers:1", "T", year=2014),
        ),
        ({"title": "T", "year": float("nan")}, Work("papers", "papers:1", "T")),
        ({"title": "T", "year": float("inf")}, Work("papers", "papers:1", "T")),
        ({"title": "T", "year": "in press"}, Work("papers", "papers:1", "T")),
    ],
)
def test_reads_the_forms_that_files_use(tmp_path, row, expected):
    path = tmp_path / "works.jsonl"
    path.write_text("\ufeff\n" + json.dumps(row) + "\n\n", encoding="utf-8")
    assert read(path) == [expected]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"title,abstract\nA,B\n", "neither Parquet nor JSON Lines"),
        (b'[{"title": "A"}]\n', "neither Parquet nor JSON Lines"),
        (b"\x89PNG\r\n", "neither Parquet nor JSON Lines"),
        (b'{"title": "A"}\n{"title": \n', "line 2: not a JSON object"),
        (b'{"title": "A"}\n\n["B"]\n', "line 3: not a JSON object"),
        (b'{"title": "A\xff"}\n', "line 1: not a JSON object in UTF-8"),
        (b'{"Title": "A", "year": 1}\n', "no column 'title' .it has: Title, year"),
        (b'{"title": ["A"]}\n', "line 1, column 'title': list is not what"),
        (b'{"title": "A", "year": {}}\n', "line 1, column 'year'"),
        (b'{"title": true}\n', "line 1, column 'title': bool is not what"),
        (b'{"title": "A", "authors": {"x": 1}}\n', "column 'authors': dict is not"),
        (b"PAR1" + b"\0" * 50, "damaged Parquet"),
    ],
)
def test_says_what_is_wrong(tmp_path, content, message):
    path = tmp_path / "works"
    path.write_bytes(content)
    with pytest.raises(PapersError, match=message) as error:
        read(path)
    assert str(path) in str(error.value)


def test_half_characters_cost_no_row(tmp_path, caplog):
    path = tmp_path / "works.jsonl"
    lines = [
        {"title": "Whole \N{SNAIL}"},
        {"title": "Half \ud83d", "authors": [{"name": "O\udc00de"}]},
        {"title": r"Escaped \ud83d"},
        {"title": "Half \ude00", "\ud800": 1},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    works = Papers([path], tmp_path / "state").by_author_year(("O\ufffdde",), 2014, ())
    assert works == []
    titles = [work.title for work in read(path)]
    assert titles == [
        *("Whole \N{SNAIL}", "Half \ufffd", r"Escaped \ud83d", "Half \ufffd")
    ]
    assert read(path)[1].authors == ("O\ufffdde",)
    messages = {record.getMessage() for record in caplog.records}
    assert messages == {
        f"{path}: 2 rows hold what is no text, the first in line 2; it is read as"
        " U+FFFD"
    }


def test_text_that_is_no_utf_8_costs_no_row(tmp_path, caplog):
    path = tmp_path / "works.parquet"
    texts = pa.array([b"Kelp", b"Caf\xe9", None, "Caf\xe9".encode()])
    offsets = pa.array([0, 1, 2, 2, 3], pa.int32())
    names = pa.array([b"Ode", b"N\xfc", b"Lim"]).view(pa.string())
    table = {
        "title": texts.view(pa.string()),
        "abstract": texts,
        "authors": pa.ListArray.from_arrays(offsets, names),
        "paper_id": texts.view(pa.string()).dictionary_encode(),
    }
    pq.write_table(pa.table(table), path)
    works = read(path)
    assert [w.title for w in works] == ["Kelp", "Caf\ufffd", "", "Caf\xe9"]
    assert [w.abstract for w in works] == ["Kelp", "Caf\ufffd", "", "Caf\xe9"]
    assert [w.authors for w in works] == [("Ode",), ("N\ufffd",), (), ("Lim",)]
    assert works[1].paper_id == "Caf\ufffd"
    (record,) = caplog.records
    assert "1 rows hold" in record.getMessage() and "in row 2;" in record.getMessage()


def test_says_that_a_parquet_file_has_no_title(tmp_path):
    path = tmp_path / "works.parquet"
    pq.write_table(pa.table({"name": ["A"], "abstract": ["B"]}), path)
    with pytest.raises(PapersError, match="no column 'title' .it has: name"):
        read(path)


def test_says_that_a_parquet_file_is_cut(tmp_path):
    path = tmp_path / "works.parquet"
    pq.write_table(pa.table({"title": ["A"] * 100}), path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(PapersError, match="damaged Parquet"):
        read(path)


def test_says_that_a_file_is_missing(tmp_path):
    with pytest.raises(PapersError, match="does not exist: check the path"):
        read(tmp_path / "missing.jsonl")


def test_reuses_the_index_until_a_file_changes(tmp_path, monkeypatch):
    file = write_json_lines(tmp_path / "a.jsonl", WORKS)
    first = prepare([file], tmp_path / "state")
    with monkeypatch.context() as patched:
        patched.setattr(papers_index, "read_works", None)
        assert prepare([file], tmp_path / "state") == first
    write_json_lines(file, WORKS[:2])
    assert prepare([file], tmp_path / "state") != first


def test_leaves_nothing_behind_after_an_error(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"title": "A"}\n{\n')
    with pytest.raises(PapersError, match="line 2"):
        prepare([file], tmp_path / "state")
    assert list((tmp_path / "state").iterdir()) == []


@pytest.mark.parametrize("name", ["missing", "."])
def test_says_that_there_is_no_such_file(tmp_path, name):
    with pytest.raises(PapersError, match="does not exist|is not a file"):
        prepare([tmp_path / name], tmp_path / "state")


def test_says_that_a_file_changed_meanwhile(tmp_path, monkeypatch):
    file = write_json_lines(tmp_path / "a.jsonl", WORKS)

    def read(paths):
        yield from read_works(paths)
        write_json_lines(file, WORKS[:1])

    monkeypatch.setattr(papers_index, "read_works", read)
    with pytest.raises(PapersError, match="changed while it was read"):
        prepare([file], tmp_path / "state")


def test_builders_at_once_do_not_meet(tmp_path):
    file = write_json_lines(tmp_path / "a.jsonl", WORKS * 500)
    indexes = []
    threads = [
        threading.Thread(
            target=lambda: indexes.append(prepare([file], tmp_path / "state"))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(indexes)) == 1
    assert list((tmp_path / "state").iterdir()) == [indexes[0]]
    source = Papers([file], tmp_path / "state")
    assert source.by_ids(["pmid:41000001"]) == [QUILLS]


def test_two_files_are_one_index(tmp_path):
    files = [
        write_json_lines(tmp_path / "a.jsonl", WORKS[:1]),
        write_json_lines(tmp_path / "b.jsonl", WORKS[1:]),
    ]
    source = Papers(files, tmp_path / "state")
    assert source.by_ids(["pmid:41000001", "arxiv:2199.01234"]) == [QUILLS, SNAILS]


def test_prefers_the_record_with_an_abstract(tmp_path):
    bare = dataclasses.replace(QUILLS, paper_id="bare", abstract="")
    file = write_json_lines(tmp_path / "a.jsonl", [bare, QUILLS])
    source = Papers([file], tmp_path / "state")
    assert source.by_ids(["doi:10.99999/quills.1"]) == [QUILLS]


def test_the_index_is_read_only(tmp_path):
    file = write_json_lines(tmp_path / "a b?#.jsonl", WORKS)
    source = Papers([file], tmp_path / "state ?#")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        source._connection.execute("DELETE FROM works")


def test_a_file_without_works_is_an_empty_index(tmp_path):
    path = tmp_path / "works.parquet"
    pq.write_table(pa.table({"title": pa.array([], pa.string())}), path)
    source = Papers([path], tmp_path / "state")
    assert source.by_ids(["pmid:1"]) == [None]


def test_says_that_the_folder_cannot_be_used(tmp_path):
    file = write_json_lines(tmp_path / "a.jsonl", WORKS)
    with pytest.raises(PapersError, match="make the folder writable"):
        prepare([file], file / "state")


@pytest.mark.parametrize("kind", [*DAMAGES, *FOREIGN])
def test_a_damaged_index_is_built_anew(tmp_path, kind, caplog):
    file = write_json_lines(tmp_path / "a.jsonl", WORKS * 20)
    index = prepare([file], tmp_path / "state")
    damage(index, kind)
    source = Papers([file], tmp_path / "state")
    assert source.by_ids(["pmid:41000001"]) == [QUILLS]
    (warning,) = caplog.records
    assert f"{index} is damaged" in warning.getMessage()
    assert Papers([file], tmp_path / "state").by_ids(["pmid:41000001"]) == [QUILLS]
    assert len(caplog.records) == 1
    assert list((tmp_path / "state").iterdir()) == [index]


def test_of_two_that_meet_damage_one_builds_anew(tmp_path, caplog):
    file = write_json_lines(tmp_path / "a.jsonl", WORKS * 20)
    damage(prepare([file], tmp_path / "state"), "page")
    sources = [Papers([file], tmp_path / "state") for _ in range(2)]
    assert [s.by_ids(["pmid:41000001"]) for s in sources] == [[QUILLS], [QUILLS]]
    assert len(caplog.records) == 1


def test_an_index_is_built_anew_only_once(tmp_path, monkeypatch):
    file = write_json_lines(tmp_path / "a.jsonl", WORKS * 20)
    index = prepare([file], tmp_path / "state")
    damage(index, "page")
    source = Papers([file], tmp_path / "state")

    content = index.read_bytes()
    monkeypatch.setattr(
        papers_index, "_build", lambda _, name: pathlib.Path(name).write_bytes(content)
    )
    for _ in range(2):
        with pytest.raises(sqlite3.DatabaseError):
            source.by_ids(["pmid:41000001"])
