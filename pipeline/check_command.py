"""The ``check`` command: one claim against one work, for a person at a prompt."""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
from typing import Any

from pipeline import check, evidence_flags
from pipeline.check_printing import print_verdict
from pipeline.evidence_options import EvidenceOptions
from pipeline.exits import EXIT_DONE, EXIT_INCOMPLETE, UsageError
from transforms import identifiers
from transforms.fetch_evidence.opening import open_resolver
from transforms.fetch_evidence.sources.papers_file import PapersError
from transforms.records import (
    Assessment,
    Citation,
    Evidence,
    EvidenceStatus,
    MatchMethod,
    Work,
)
from transforms.score_coverage.triage.files import load_judge

_DESCRIPTION = """
Check one claim against one cited work: how much of the claim do its title and
abstract cover, and which words do they lack.
""".strip()

_EPILOG = f"""
examples:
  citation-support check --claim "Vinegar rinsing halved rot (Ode, 2014)." \\
      --doi 10.1000/xyz
  citation-support check --claim "Snails keep time by the tide." \\
      --title "Snail migration on tidal clocks" --papers index.parquet
  citation-support check --claim "Snails keep time by the tide." \\
      --evidence abstract.txt

exit codes:
  0  graded, whatever the grade
  2  bad usage
  3  not graded: no such work, or no abstract, or it could not be asked

{evidence_flags.KEYS}
A low grade is a lead, not a finding.
""".strip()

# Somebody waits at the prompt: a service that does not answer is soon given up.
_TIMEOUT_SECONDS = 10.0
_FIRST_DELAY_SECONDS = 0.25


def add_to(commands: argparse._SubParsersAction[Any]) -> argparse.ArgumentParser:
    """Adds the command to a parser; returns its own."""
    command: argparse.ArgumentParser = commands.add_parser(
        "check",
        help="check one claim against one work",
        usage="%(prog)s --claim TEXT\n"
        "         (--doi ID | --arxiv ID | --title TEXT | --evidence FILE) [options]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument(
        "--claim", required=True, metavar="TEXT", help="the citing sentence"
    )
    work = command.add_mutually_exclusive_group(required=True)
    work.add_argument("--doi", metavar="ID", help="DOI of the cited work")
    work.add_argument("--arxiv", metavar="ID", help="its arXiv id")
    work.add_argument("--title", metavar="TEXT", help="its title")
    work.add_argument(
        "--evidence", type=pathlib.Path, metavar="FILE",
        help="text file: its title on the first line, then its abstract",
    )  # fmt: skip
    command.add_argument(
        "--json", action="store_true", help="print one JSON object instead"
    )
    evidence_flags.add_to(command)
    command.set_defaults(run=run)
    return command


def run(given: argparse.Namespace) -> int:
    """Prints the verdict; returns the exit code.

    Raises:
      UsageError: If claim, work or options cannot be used.
    """
    if not given.claim.strip():
        raise UsageError("--claim is empty; give the citing sentence")
    title = (given.title or "").strip()
    if given.title is not None and not title:
        raise UsageError("--title is empty; give the title of the cited work")
    citation = check.claim_citation(
        given.claim, identifier=_identifier(given), title=title
    )
    evidence = _evidence(given, citation)
    assessment = check.verdict(citation, evidence, load_judge(None, None))
    if given.json:
        print(json.dumps(_as_json(assessment), indent=2))
    else:
        print_verdict(assessment)
    return EXIT_DONE if assessment.grade else EXIT_INCOMPLETE


def _identifier(given: argparse.Namespace) -> str:
    for flag, kind, written, read in (
        ("--doi", "doi", given.doi, identifiers.doi),
        ("--arxiv", "arxiv", given.arxiv, identifiers.arxiv_id),
    ):
        if written is not None:
            value = read(written)
            if not value:
                raise UsageError(f"{flag} {written!r} is none; check it")
            return f"{kind}:{value}"
    return ""


def _evidence(given: argparse.Namespace, citation: Citation) -> Evidence:
    if given.evidence:
        return _from_file(given.evidence)
    names = EvidenceOptions.__dataclass_fields__
    options = EvidenceOptions(**evidence_flags.values(given, names))
    settings = dataclasses.replace(
        options.fetch_settings(),
        timeout_seconds=_TIMEOUT_SECONDS,
        first_delay_seconds=_FIRST_DELAY_SECONDS,
    )
    try:
        resolver = open_resolver(settings)
    except (PapersError, RuntimeError, ValueError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(
            f"{error.filename}: {error.strerror}; check the path"
        ) from error
    try:
        (found,) = resolver.resolve([check.lookup(citation)])
    finally:
        resolver.close()
    return found


def _from_file(path: pathlib.Path) -> Evidence:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(
            f"--evidence {path}: {error.strerror}; check the path"
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"--evidence {path}: not UTF-8; save it as UTF-8 text"
        ) from error
    title, _, abstract = text.strip().partition("\n")
    work = Work("file", path.name, title.strip(), " ".join(abstract.split()))
    return Evidence(
        path.name, EvidenceStatus.FOUND, work, "", "", MatchMethod.TITLE, 1.0
    )


def _as_json(assessment: Assessment) -> dict[str, Any]:
    work, coverage = assessment.work, assessment.coverage
    judgement = assessment.judgement
    explained = check.explain(assessment.citation, work) if work and coverage else []
    return {
        "claim": assessment.citation.claim,
        "claim_unmarked": assessment.citation.claim_unmarked,
        "status": assessment.status,
        "detail": assessment.detail,
        "grade": assessment.grade,
        "coverage": coverage.value if coverage else None,
        "judgement": dataclasses.asdict(judgement) if judgement else None,
        "terms": [dataclasses.asdict(term) for term in explained],
        "work": dataclasses.asdict(work) if work else None,
    }
