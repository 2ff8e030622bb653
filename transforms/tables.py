"""The Arrow schema of each output table.  No Beam.

A column says what it means in its field's metadata, so that the README and the files
cannot drift apart.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from transforms.reference_records import Field

_TEXT = pa.string()
_COUNT = pa.int64()
_REAL = pa.float64()
_FLAG = pa.bool_()
_POINTS = pa.list_(pa.struct([("term", pa.string()), ("points", pa.float64())]))
_TEXTS = pa.list_(pa.string())
_TIME = pa.timestamp("ms", tz="UTC")


def _required(name: str, type_: pa.DataType, description: str) -> pa.Field[Any]:
    return pa.field(name, type_, False, {"description": description})


def _optional(name: str, type_: pa.DataType, description: str) -> pa.Field[Any]:
    return pa.field(name, type_, True, {"description": description})


DOCUMENTS = pa.schema(
    [
        _required("doc_id", _TEXT, "Identifier of the document, unique in the run."),
        _required("path", _TEXT, "File that the document was read from."),
        _optional("title", _TEXT, "Title of the document."),
        _required("words", _COUNT, "Words of body text."),
        _required(
            "status",
            _TEXT,
            "scored, or why not: too_short, unsupported_language, no_citations,"
            " support_not_checked.",
        ),
        _required("citations_total", _COUNT, "Citations of every kind."),
        _required("citations_numbered", _COUNT, "Of these, those that cite by number."),
        _required("citations_selected", _COUNT, "Of these, those that were looked up."),
        _required("checked", _COUNT, "Selected citations with a grade."),
        _required("strong", _COUNT, "Citations graded strong."),
        _required("partial", _COUNT, "Citations graded partial."),
        _required("low", _COUNT, "Citations graded low."),
        _required("no_abstract", _COUNT, "Unchecked: work found without an abstract."),
        _required("withheld", _COUNT, "Unchecked: abstract withheld by the publisher."),
        _required("suspect_abstract", _COUNT, "Unchecked: abstract of another work."),
        _required(
            "identity_mismatch", _COUNT, "Unchecked: identifier of another work."
        ),
        _required("not_found", _COUNT, "Unchecked: work in no index that was asked."),
        _required("ambiguous", _COUNT, "Unchecked: several works fit."),
        _required("fetch_failed", _COUNT, "Unchecked: the index could not be asked."),
        _required(
            "no_claim_terms", _COUNT, "Unchecked: claim with nothing to compare."
        ),
        _required("references_total", _COUNT, "Entries of the reference list."),
        _optional("references_exact", _COUNT, "Of these, right; null if unchecked."),
        _optional("references_minor", _COUNT, "Real, with a wrong field; likewise."),
        _optional("references_major", _COUNT, "Of no such work; likewise."),
        _optional("references_not_verifiable", _COUNT, "Not to be told; likewise."),
        _required("on_topic", _COUNT, "Checked: work is on the claim's topic."),
        _required("unclear", _COUNT, "Checked: the words do not tell."),
        _required("flagged", _COUNT, "Checked: work seems off topic; look first."),
        _required("attribution", _COUNT, "Checked: cited for what no abstract shows."),
        _required("priority", _REAL, "Reading order, highest first, >= 0."),
        _optional("score", _REAL, "Score in [0, 5], 0 best; null unless scored."),
        _optional("band", _TEXT, "The score in words; null if nothing was checked."),
        _required("content_sha256", _TEXT, "SHA-256 of the bytes read, hex."),
        _required("metadata", _TEXT, "Further columns of the input, a JSON object."),
    ]
)

CITATIONS = pa.schema(
    [
        _required("citation_id", _TEXT, "Identifier: doc_id, then # and the ordinal."),
        _required("doc_id", _TEXT, "Document that makes the citation."),
        _required("ordinal", _COUNT, "Position among all its citations, from 1."),
        _required("kind", _TEXT, "How it cites: author_year, doi, arxiv, pmid, ..."),
        _required("marker", _TEXT, "The citation as printed."),
        _required("marker_start", _COUNT, "Offset of its first character in the text."),
        _required("marker_end", _COUNT, "Offset one past its last character."),
        _required("claim", _TEXT, "The sentence around the citation."),
        _required("claim_start", _COUNT, "Offset of its first character in the text."),
        _required("claim_end", _COUNT, "Offset one past its last character."),
        _required("surnames", _TEXTS, "Surnames as cited, first author first."),
        _optional("year", _TEXT, "Year as cited: 2010, in press."),
        _optional("year_suffix", _TEXT, "Letter after the year."),
        _optional("reference_id", _TEXT, "Id of the linked reference entry."),
        _optional("reference_text", _TEXT, "The linked reference entry as printed."),
        _required("lookup_key", _TEXT, "Key of the cited work in the works table."),
        _required("status", _TEXT, "checked, or the reason why not."),
        _optional("grade", _TEXT, "strong, partial or low; null unless checked."),
        _optional("coverage", _REAL, "Weight covered, in [0, 1]; null unless checked."),
        _optional("contribution", _REAL, "Added to the score; null unless checked."),
        _optional("severity", _TEXT, "none, info or warning; null unless checked."),
        _optional("covered_terms", _TEXTS, "Claim terms found; null unless checked."),
        _optional("missing_terms", _TEXTS, "The other terms; null unless checked."),
        _optional("source", _TEXT, "Index that knows the cited work."),
        _optional("paper_id", _TEXT, "The index's own id of the cited work."),
        _optional("paper_title", _TEXT, "Title of the cited work."),
        _optional("paper_year", _COUNT, "Year the cited work was published."),
        _required("claim_unmarked", _TEXT, "The claim without markers, as scored."),
        _required("claim_clause", _TEXT, "The part of the claim this group closes."),
        _required("clause_start", _COUNT, "Offset of its first character in the text."),
        _required("clause_end", _COUNT, "Offset one past its last character."),
        _optional("previous_sentence", _TEXT, "Sentence before it in the paragraph."),
        _optional("previous_unmarked", _TEXT, "That sentence without markers."),
        _required("named_authors", _TEXTS, "Authors whom both name in words, folded."),
        _required("group_id", _TEXT, "Shared by the citations of one bracket."),
        _optional("group_best", _TEXT, "Best triage in the bracket."),
        _optional("section", _TEXT, "Heading of the innermost section around it."),
        _optional("outer_section", _TEXT, "Heading of the outermost section around."),
        _optional("identifier", _TEXT, "Identifier in the text: doi:10.1000/x."),
        _optional("reference_label", _TEXT, "What its reference came to; see there."),
        _optional(
            "match_method", _TEXT, "How it was matched: identifier, title, author_year."
        ),
        _optional(
            "match_score", _REAL, "How well it fits, in [0, 1]; 1 by identifier."
        ),
        _optional("abstract_source", _TEXT, "Index that the abstract came from."),
        _optional("detail", _TEXT, "Why it was not checked; fields that disagree."),
        _required(
            "reference_status",
            _TEXT,
            "What the reference list has: linked, ambiguous, unlisted, no_list.",
        ),
        _required(
            "function",
            _TEXT,
            "What it is cited for: background, method, resource, software, own_work, "
            "comparison, finding.",
        ),
        _optional("function_cue", _TEXT, "The words that say so."),
        _required("numeric_claim", _FLAG, "Whether its clause states a number."),
        _optional("attribution_cue", _TEXT, "Words that attribute rather than claim."),
        _optional(
            "triage",
            _TEXT,
            "on_topic, unclear, off_topic or attribution; null unless checked.",
        ),
        _optional("topic_probability", _REAL, "Of being on topic, at even odds."),
        _optional("weight_of_evidence", _REAL, "Sum of all points, damped."),
        _optional("rare_coverage", _REAL, "Share of its words covered, by rarity."),
        _optional("title_share", _REAL, "Share of the title's words it has."),
        _optional("passage_coverage", _REAL, "Most of it that one passage covers."),
        _optional("covered_points", _POINTS, "Its words in the evidence, with points."),
        _optional("missing_points", _POINTS, "Its other words, with points."),
        _optional("best_passage", _TEXT, "Passage of the abstract that covers most."),
        _optional("best_passage_start", _COUNT, "Offset in the abstract."),
        _optional("best_passage_end", _COUNT, "Offset one past its end."),
        _optional("better_reference", _TEXT, "Key of another cited work that fits."),
        _optional("better_margin", _REAL, "By how much, in log odds; 0 if none does."),
        _optional("direction_note", _TEXT, "Opposite direction words, to be read."),
    ]
)

WORKS = pa.schema(
    [
        _required("lookup_key", _TEXT, "Key of the lookup, unique in the run."),
        _required("status", _TEXT, "found, or what the lookup came to instead."),
        _optional("source", _TEXT, "Index that knows the work."),
        _optional("paper_id", _TEXT, "The index's own id of the work."),
        _optional("doi", _TEXT, "DOI, lower case, without prefix."),
        _optional("title", _TEXT, "Title of the work."),
        _optional("abstract", _TEXT, "Abstract as plain text."),
        _optional("authors", _TEXTS, "Names as the index gives them, in order."),
        _optional("year", _COUNT, "Year of publication."),
        _optional("retrieved_at", _TIME, "When a network index answered, UTC."),
        _optional("arxiv_id", _TEXT, "arXiv id without version."),
        _optional("pmid", _TEXT, "PubMed id."),
        _optional("pmcid", _TEXT, "PubMed Central id: PMC and digits."),
        _optional("detail", _TEXT, "Why the lookup came to no evidence."),
        _optional(
            "match_method", _TEXT, "How it was matched: identifier, title, author_year."
        ),
        _optional(
            "match_score", _REAL, "How well it fits, in [0, 1]; 1 by identifier."
        ),
        _optional("abstract_source", _TEXT, "Index that the abstract came from."),
    ]
)

MATCHED = pa.struct(
    [
        *((name, _TEXT) for name in ("source", "paper_id", "title")),
        ("authors", _TEXTS),
        ("year", _COUNT),
        *((name, _TEXT) for name in ("venue", "doi", "arxiv_id")),
    ]
)
REFERENCES = pa.schema(
    [
        _required("doc_id", _TEXT, "Document whose list it is in."),
        _required("reference_id", _TEXT, "Id of the entry in its document."),
        _required("ordinal", _COUNT, "Place in the list, from 1."),
        _required("label", _TEXT, "exact, minor, major or not_verifiable."),
        _required("reasons", _TEXTS, "Why, in words; for exact, what was tolerated."),
        _optional("text", _TEXT, "The entry as printed."),
        _required("authors", _TEXTS, "Authors as cited, in order."),
        _optional("year", _COUNT, "Year as cited."),
        _optional("title", _TEXT, "Title as cited."),
        _optional("venue", _TEXT, "Journal, book or publisher as cited."),
        _optional("volume", _TEXT, "Volume as cited."),
        _optional("pages", _TEXT, "Pages or article number as cited."),
        _optional("doi", _TEXT, "DOI as cited, lower case, without prefix."),
        _optional("arxiv_id", _TEXT, "arXiv id as cited, without version."),
        _optional("pmid", _TEXT, "PubMed id as cited."),
        _optional("pmcid", _TEXT, "PubMed Central id as cited."),
        _optional("work_type", _TEXT, "What it is of, as its format says: book, ..."),
        *(
            _required(
                f"{field.value}_state",
                _TEXT,
                "ok, note (tolerated), differs, conflict or unknown.",
            )
            for field in Field
        ),
        _required("asked", _TEXTS, "Indexes that were asked for its title."),
        _required("unasked", _TEXTS, "Why others could not be asked."),
        _required("matched", pa.list_(MATCHED), "Records of the work, best first."),
        _optional("closest", MATCHED, "The closest record where none matched."),
        _required("notices", _TEXTS, "Editorial notices on the work: retraction."),
        _required("cited_in", _TEXTS, "Citations that point to it, selected or not."),
        _optional("duplicate_of", _TEXT, "First entry of the list of the same work."),
    ]
)

FAILURES = pa.schema(
    [
        _required("stage", _TEXT, "Stage that failed."),
        _required("element_id", _TEXT, "Document, citation or key that it failed on."),
        _required("error", _TEXT, "Class of the exception."),
        _required("message", _TEXT, "What was wrong, on one line; no document text."),
    ]
)

# In the order of ``Triage``.


def describe(schema: pa.Schema) -> list[tuple[str, str, str]]:
    """Lists the columns of a table in order, as (name, type, meaning)."""
    return [
        (field.name, str(field.type), (field.metadata or {})[b"description"].decode())
        for field in schema
    ]
