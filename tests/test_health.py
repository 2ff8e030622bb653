"""Tests of whether a run can be trusted, and of what it says of its requests."""

import dataclasses

import pytest

from pipeline.counts import RunCounts
from pipeline.health import problems
from pipeline.report.summary import ratio_to_floor
from tests.screening import manifest, rows, run
from tests.stand_in.semantic_scholar import SemanticScholarService
from tests.stand_in.server import StandIn
from tests.stand_in.works import QUILLS, SNAILS, write_json_lines
from transforms.fetch_evidence.costs import Stats
from transforms.records import CitationStatus, EvidenceStatus

_PROSE = "Tides rise and fall along the coast while lamps drift in the cold. " * 20


def counts(*, works=(), citations=(), documents_in=10, failed_documents=0):
    known = {field.name: {} for field in dataclasses.fields(RunCounts)}
    tally = dict.fromkeys(EvidenceStatus, 0) | dict(works)
    return RunCounts(
        **known
        | {
            "documents_in": documents_in,
            "failed_documents": failed_documents,
            "works": tally,
            "citations": dict.fromkeys(CitationStatus, 0) | dict(citations),
        }
    )


def requests(lookups=0, misses=0):
    return dataclasses.asdict(Stats(network_lookups=lookups, network_misses=misses))


_FAILED = {EvidenceStatus.FETCH_FAILED: 3, EvidenceStatus.FOUND: 7}


@pytest.mark.parametrize(
    ("found", "asked", "words"),
    [
        (counts(), requests(), []),
        (counts(works=_FAILED), requests(), ["30.0% of lookups could not be asked"]),
        # A broken lane leaves citations without any row of works.
        (
            counts(citations={CitationStatus.FETCH_FAILED: 8}),
            requests(),
            ["100.0% of lookups could not be asked"],
        ),
        (counts(failed_documents=3), requests(), ["30.0% of documents failed"]),
        (counts(failed_documents=2), requests(), []),
        (
            dataclasses.replace(counts(), references={"exact": 10}, references_open=3),
            requests(),
            ["30.0% of references could not be asked about"],
        ),
        (
            dataclasses.replace(counts(), references={"exact": 10}, references_open=2),
            requests(),
            [],
        ),
        (counts(), requests(50, 31), ["62.0% of 50 works are unknown"]),
        (counts(), requests(50, 30), []),
        (counts(), requests(49, 49), []),
        (
            counts(works=_FAILED),
            requests(100, 100),
            ["could not be asked", "100.0% of 100"],
        ),
    ],
)
def test_says_what_is_wrong(found, asked, words):
    said = problems(found, asked, 0.2)
    assert len(said) == len(words)
    assert all(word in line for word, line in zip(words, said, strict=True))


@pytest.mark.parametrize(
    ("made", "floor", "ratio"), [(12, 10, 1.2), (0, 10, 0.0), (0, 0, None)]
)
def test_ratio_to_floor(made, floor, ratio):
    asked = dataclasses.asdict(Stats(requests=made, floor=floor))
    assert ratio_to_floor(asked) == ratio


@pytest.fixture
def manuscript(tmp_path):
    """A manuscript that cites sixty works by DOI, of which one is to be found."""
    cited = [f"10.99999/none.{number}" for number in range(59)] + [QUILLS.doi]
    sentences = [f"Lamps drift in the cold (doi:{doi})." for doi in cited]
    path = tmp_path / "paper.txt"
    path.write_text(f"Tides\n\n{_PROSE}\n\n{' '.join(sentences)}\n", encoding="utf-8")
    return path


def screen(manuscript, *arguments):
    folder = manuscript.parent
    return run(
        *("screen", manuscript, "--output", folder / "run", "--max-citations", 0),
        *("--cache", folder / "cache" / "evidence.sqlite", "--workers", 1),
        *arguments,
    )


def test_a_network_index_that_knows_nothing_is_not_believed(manuscript, capfd):
    with StandIn(SemanticScholarService([QUILLS])) as index:
        url = index.url + SemanticScholarService.prefix
        code = screen(manuscript, "--semantic-scholar-url", url, "--rate", 1000)
    assert code == 3
    found = manifest(manuscript.parent / "run")
    assert found["status"] == "incomplete"
    (problem,) = found["problems"]
    assert problem.startswith("98.3% of 60 works are unknown to the network index")
    asked = found["requests"]
    assert (asked["requests"], asked["floor"], asked["ratio_to_floor"]) == (1, 1, 1.0)
    printed = capfd.readouterr().out
    assert (
        "1 made, 0 saved by the cache (fewest without a cache: 1, 1.00 times)"
        in printed
    )
    assert "INCOMPLETE: 98.3%" in printed


def test_a_local_file_may_well_lack_most_works(manuscript, capfd):
    papers = write_json_lines(manuscript.parent / "papers.jsonl", [QUILLS])
    assert screen(manuscript, "--papers", papers) == 0
    assert manifest(manuscript.parent / "run")["requests"]["ratio_to_floor"] is None
    assert "Requests:" not in capfd.readouterr().out


_CITING = (
    "Tides\n\n{prose}\n\nQuills grow in cold estuaries (Ode, 2014).\n\n"
    "References\n\n{entry}\n"
)


def test_an_identifier_of_another_work_is_not_graded(tmp_path):
    entries = {
        "right.txt": f"Ode, T. (2014). {QUILLS.title}. Tides, 3, 1-9.",
        "wrong.txt": f"Ode, T. (2014). {SNAILS.title}. Tides, 9, 3-7.",
        "other.txt": "Lim, P. (1998). Lamps of the northern coast. Tides, 1, 1-3.",
    }
    for name, entry in entries.items():
        text = _CITING.format(
            prose=_PROSE, entry=f"{entry} https://doi.org/{QUILLS.doi}"
        )
        text = text.replace("(Ode, 2014)", "(Lim, 1998)") if "Lim" in entry else text
        (tmp_path / name).write_text(text, encoding="utf-8")
    papers = write_json_lines(tmp_path / "papers.jsonl", [QUILLS])
    output = tmp_path / "run"
    code = run(
        *("screen", *(tmp_path / name for name in entries), "--output", output),
        *("--papers", papers, "--cache", tmp_path / "cache", "--workers", 1),
    )
    assert code == 0
    found = {
        row["doc_id"]: (row["status"], row["detail"], row["match_method"])
        for row in rows(output, "citations")
    }
    assert found == {
        "right.txt": ("checked", None, "identifier"),
        # By the same author in the same year: a title alone may be a translation.
        "wrong.txt": ("checked", None, "identifier"),
        "other.txt": ("identity_mismatch", "title, first author, year", None),
    }
    documents = {row["doc_id"]: row for row in rows(output, "documents")}
    assert documents["other.txt"]["identity_mismatch"] == 1
    (work,) = rows(output, "works")
    assert (work["status"], work["match_score"]) == ("found", 1.0)


@pytest.mark.parametrize("days", [0, -1, "nan"])
def test_rejects_a_bad_cache_age(manuscript, capfd, days):
    assert screen(manuscript, "--cache-ttl", days) == 2
    assert "--cache-ttl must be greater than 0" in capfd.readouterr().err


def test_a_find_is_asked_again_after_the_cache_age(manuscript):
    with StandIn(SemanticScholarService([QUILLS])) as index:
        url = index.url + SemanticScholarService.prefix
        online = ("--semantic-scholar-url", url, "--rate", 1000, "--overwrite")
        for days, requests_made in ((90, 1), (90, 1), (1e-9, 2)):
            screen(manuscript, *online, "--cache-ttl", days)
            assert len(index.requests) == requests_made
