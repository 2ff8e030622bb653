"""Typed records that flow between the stages.  No Beam, no I/O.

Every record is frozen and hashable, and holds tuples, never lists.  Offsets are
half-open and count characters of ``Document.text``.
"""

from __future__ import annotations

import dataclasses
import enum

# Abstracts below this length are treated as missing (spec/support, section 3).
MIN_ABSTRACT_CHARS = 30


class CitationKind(enum.StrEnum):
    """How a citation names its target."""

    AUTHOR_YEAR = "author_year"
    DOI = "doi"
    ARXIV = "arxiv"
    PMID = "pmid"
    PMCID = "pmcid"
    NUMBERED = "numbered"


class EvidenceStatus(enum.StrEnum):
    """What a lookup came to.  Every outcome is data; none is an exception."""

    FOUND = "found"
    NO_ABSTRACT = "no_abstract"
    WITHHELD = "withheld"
    SUSPECT_ABSTRACT = "suspect_abstract"
    IDENTITY_MISMATCH = "identity_mismatch"
    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    FETCH_FAILED = "fetch_failed"


class MatchMethod(enum.StrEnum):
    """By what the cited work was told from others."""

    IDENTIFIER = "identifier"
    TITLE = "title"
    AUTHOR_YEAR = "author_year"


class CitationStatus(enum.StrEnum):
    """Whether a citation was checked, and if not, why not."""

    CHECKED = "checked"
    NO_ABSTRACT = "no_abstract"
    WITHHELD = "withheld"
    SUSPECT_ABSTRACT = "suspect_abstract"
    IDENTITY_MISMATCH = "identity_mismatch"
    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    FETCH_FAILED = "fetch_failed"
    NO_CLAIM_TERMS = "no_claim_terms"


class DocumentStatus(enum.StrEnum):
    """Whether a document got a score, and if not, why not."""

    SCORED = "scored"
    TOO_SHORT = "too_short"
    UNSUPPORTED_LANGUAGE = "unsupported_language"
    NO_CITATIONS = "no_citations"
    SUPPORT_NOT_CHECKED = "support_not_checked"


class ReferenceStatus(enum.StrEnum):
    """What the document's own reference list says of a citation."""

    LINKED = "linked"
    AMBIGUOUS = "ambiguous"
    UNLISTED = "unlisted"
    NO_LIST = "no_list"


class Grade(enum.StrEnum):
    """How much of a claim the evidence covers."""

    STRONG = "strong"
    PARTIAL = "partial"
    LOW = "low"


class Function(enum.StrEnum):
    """What a sentence cites a work for."""

    BACKGROUND = "background"
    METHOD = "method"
    RESOURCE = "resource"
    SOFTWARE = "software"
    OWN_WORK = "own_work"
    COMPARISON = "comparison"
    FINDING = "finding"


class Severity(enum.StrEnum):
    """How much of a reader's attention a grade asks for."""

    NONE = "none"
    INFO = "info"
    WARNING = "warning"


class Triage(enum.StrEnum):
    """Whether a cited work seems to be on the topic of the claim, never more.

    ``attribution`` is a claim that names a method, a tool, a resource, a pointer or the
    authors' own work as its reason to cite: no abstract could tell.
    """

    ON_TOPIC = "on_topic"
    UNCLEAR = "unclear"
    OFF_TOPIC = "off_topic"
    ATTRIBUTION = "attribution"


class Band(enum.StrEnum):
    """A document score in words."""

    WELL_SUPPORTED = "well_supported"
    SOME_WEAK_SUPPORT = "some_weak_support"
    SYSTEMATIC_MISATTRIBUTION = "systematic_misattribution"


@dataclasses.dataclass(frozen=True, slots=True)
class Section:
    """A headed part of a document.

    Attributes:
      title: The heading as printed, e.g. ``Materials and methods``.
      start: Offset of the first character of the heading.
      end: Offset one past the last character of the part.
    """

    title: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True, slots=True)
class Anchor:
    """An in-text citation that the format itself marks (JATS ``xref``).

    Attributes:
      start: Offset of the first character of the marked text.
      end: Offset one past its last character.
      ref_ids: The reference entries it points to, in order; may name none.
    """

    start: int
    end: int
    ref_ids: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Reference:
    """One entry of a document's reference list.

    Attributes:
      ref_id: Its id within the document: the format's own, or ``ref-<n>``.
      raw: The entry as printed, white space folded.
      authors: Names as ``Family, Given`` where known, else as printed.
      year: Year of publication, or None.
      year_suffix: The letter that tells works of one year apart, or ``""``.
      title: Title of the work, or ``""``.
      venue: Journal, book or publisher, or ``""``.
      doi: Canonical DOI (lower case, no prefix), or None.
      arxiv_id: arXiv id without version, or None.
      pmid: PubMed id, digits, or None.
      pmcid: PubMed Central id as ``PMC<digits>``, or None.
      label: The number or label that the text cites it by, or ``""``.
      volume: Volume as printed, or ``""``.
      pages: Pages or article number as printed, or ``""``.
      work_type: What the entry is of, in the words of its format (``book``,
        ``phdthesis``), or ``""``.
    """

    ref_id: str
    raw: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    year_suffix: str = ""
    title: str = ""
    venue: str = ""
    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    label: str = ""
    volume: str = ""
    pages: str = ""
    work_type: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Document:
    """One manuscript as read.  Never crosses a shuffle: it holds the whole text.

    Attributes:
      doc_id: Stable identifier, unique in the run.
      path: The file it was read from.
      text: Body text, NFC, line feeds only, paragraphs parted by a blank line;
        no byte-order mark, reference list, table or caption.
      title: Title, or ``""``.
      sections: Headed parts in reading order; they may nest.
      references: Entries of the reference list, where the format has records.
      reference_text: The reference list as printed, where the format has none; it
        was cut off ``text``.
      anchors: In-text citations that the format marks, by position.
      own_ids: Identifiers of the document itself (``doi:10.1000/x``), never citations.
      metadata: Further columns of the input as a JSON object, or ``"{}"``.
      content_sha256: Hex digest of the bytes that were read.
    """

    doc_id: str
    path: str
    text: str
    title: str = ""
    sections: tuple[Section, ...] = ()
    references: tuple[Reference, ...] = ()
    reference_text: str = ""
    anchors: tuple[Anchor, ...] = ()
    own_ids: tuple[str, ...] = ()
    metadata: str = "{}"
    content_sha256: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Citation:
    """One mention of one cited work, with the sentence that makes it.

    Attributes:
      citation_id: ``<doc_id>#<ordinal>``.
      doc_id: The document that makes the citation.
      ordinal: Position among all citations of the document, from 1.
      kind: How the citation names its target.
      marker: The citation as printed: ``text[marker_start:marker_end]``.
      marker_start: Offset of the marker's first character.
      marker_end: Offset one past the marker's last character.
      claim: The sentence around it: ``text[claim_start:claim_end]``.
      claim_start: Offset of the claim's first character.
      claim_end: Offset one past the claim's last character.
      claim_unmarked: The claim without any citation marker; this is what is scored.
      claim_clause: The part of the claim that this citation's group closes:
        ``text[clause_start:clause_end]``; the whole claim where there is one group.
      clause_start: Offset of the clause's first character.
      clause_end: Offset one past the clause's last character.
      previous_sentence: The sentence before it in the same paragraph, or ``""``.
      previous_unmarked: That sentence without any citation marker.
      named_authors: Authors of the reference list whom the claim or the sentence
        before it names in words: folded surnames in order of appearance.
      group_id: Id shared by the citations of one bracket: ``<doc_id>#g<ordinal>``
        with the ordinal of the first of them.
      section: Heading of the innermost section around it, or ``""``.
      outer_section: Heading of the outermost section around it, or ``""``.
      surnames: Surnames of the authors as cited, first author first.
      et_al: Whether further authors are implied (``et al.``).
      year: Year as cited (``2010``, ``in press``), or ``""``.
      year_suffix: Letter after the year, or ``""``.
      identifier: Canonical identifier in the text (``doi:10.1000/x``), or None.
      reference_status: Whether the reference list has the cited entry.
      reference: The linked entry of the reference list, or None.
      reference_candidates: Ids of the entries it may point to, where several fit
        and none is the link; empty otherwise.
      reference_label: What the reference check made of the linked entry, or ``""``.
      reference_fault: Why the entry is of another work or none, or ``""``.
    """

    citation_id: str
    doc_id: str
    ordinal: int
    kind: CitationKind
    marker: str
    marker_start: int
    marker_end: int
    claim: str
    claim_start: int
    claim_end: int
    claim_unmarked: str
    claim_clause: str = ""
    clause_start: int = 0
    clause_end: int = 0
    previous_sentence: str = ""
    previous_unmarked: str = ""
    named_authors: tuple[str, ...] = ()
    group_id: str = ""
    section: str = ""
    outer_section: str = ""
    surnames: tuple[str, ...] = ()
    et_al: bool = False
    year: str = ""
    year_suffix: str = ""
    identifier: str | None = None
    reference_status: ReferenceStatus = ReferenceStatus.NO_LIST
    reference: Reference | None = None
    reference_candidates: tuple[str, ...] = ()
    reference_label: str = ""
    reference_fault: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class DocumentHeader:
    """What is known of a document once its citations are extracted; no text.

    Attributes:
      doc_id: Identifier of the document.
      path: The file it was read from.
      title: Title, or ``""``.
      words: Words of body text.
      status: Whether it is to be scored.
      citations_total: Citations of every kind.
      citations_numbered: Those of them that cite by number.
      citations_selected: Those that are checked, in reading order.
      metadata: Further columns of the input as a JSON object.
      content_sha256: Hex digest of the bytes that were read.
      references_total: Entries of the reference list.
      references: How many of them got each label, in the order of
        ``ReferenceLabel``; None unless references are checked.
    """

    doc_id: str
    path: str
    title: str
    words: int
    status: DocumentStatus
    citations_total: int
    citations_numbered: int
    citations_selected: int
    metadata: str
    content_sha256: str
    references_total: int = 0
    references: tuple[int, ...] | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class CitingDocument:
    """A document with the citations that are checked.

    Attributes:
      header: What is known of it.
      citations: Its selected citations in reading order.
    """

    header: DocumentHeader
    citations: tuple[Citation, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """How a document describes a work that it cites.

    Attributes:
      title: Title as printed, or ``""``.
      surnames: Surnames of the authors as far as known, first author first.
      year: Year of publication, or None.
    """

    title: str = ""
    surnames: tuple[str, ...] = ()
    year: int | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Lookup:
    """One distinct work to look up, with all that is known of it.

    Attributes:
      key: Canonical key; citations of one work share it (``doi:10.1000/xyz``,
        ``title:<normalised>|year|surname``, ``author-year:<surnames>|year|<terms>``,
        ``entries:<doc_id>|<ids>`` where several reference entries fit).
      doi: Canonical DOI, or None.
      arxiv_id: arXiv id without version, or None.
      pmid: PubMed id, or None.
      pmcid: PubMed Central id as ``PMC<digits>``, or None.
      title: Title from the reference entry, or ``""``.
      surnames: Surnames of the authors as far as known, first author first.
      et_al: Whether there are more authors than ``surnames`` names.
      year: Year of publication, or None.
      year_suffix: Letter after the year in the text, where nothing else is known
        that tells the works of one year apart; else ``""``.
      terms: Words of the claim that an author-year search may use, best first.
      entries: How the documents that cite the work describe it, each way once;
        what an identifier leads to is checked against them.
      rivals: Reference entries that the citation may point to, where several fit;
        then no index can tell which is meant, and none is asked.
    """

    key: str
    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    title: str = ""
    surnames: tuple[str, ...] = ()
    et_al: bool = False
    year: int | None = None
    year_suffix: str = ""
    terms: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    rivals: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Work:
    """A record of a scholarly index.

    Attributes:
      source: Name of the index (``papers``, ``semantic-scholar``).
      paper_id: The index's own id.
      title: Title, or ``""``.
      abstract: Abstract as plain text, or ``""``.
      authors: Names as the index gives them, in order.
      year: Year of publication, or None.
      doi: Canonical DOI, or None.
      arxiv_id: arXiv id without version, or None.
      pmid: PubMed id, or None.
      pmcid: PubMed Central id as ``PMC<digits>``, or None.
      is_withheld: Whether the publisher keeps the abstract from the index.
      venue: Journal, conference or repository, or ``""``.
      volume: Volume, or ``""``.
      pages: Pages or article number, or ``""``.
      notices: Editorial notices on the work: ``retraction``, ``correction``.
    """

    source: str
    paper_id: str
    title: str
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    is_withheld: bool = False
    venue: str = ""
    volume: str = ""
    pages: str = ""
    notices: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """What became of one lookup.

    Attributes:
      key: ``Lookup.key``.
      status: What the lookup came to.
      work: The record, if one was found (with or without abstract); on an
        identity mismatch, the record of the other work.
      retrieved_at: When a network index answered, ISO 8601 UTC; ``""`` otherwise.
      detail: Why the work was not found, is ambiguous or could not be asked; on an
        identity mismatch, the fields that disagree.
      match_method: By what the work was told from others, or None without a match.
      match_score: How well it fits, in [0, 1]: 1 for an identifier, else the
        similarity of the titles or the score of the author-year search; None
        without a match.
      abstract_source: Index that the abstract came from, which may be another than
        ``work.source``; ``""`` without an abstract.
    """

    key: str
    status: EvidenceStatus
    work: Work | None = None
    retrieved_at: str = ""
    detail: str = ""
    match_method: MatchMethod | None = None
    match_score: float | None = None
    abstract_source: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a claim some evidence covers.

    Attributes:
      value: Weight of the covered terms over the weight of all, in [0, 1].
      covered: Claim terms that occur in the evidence, in order of appearance.
      missing: The other claim terms, in order of appearance.
    """

    value: float
    covered: tuple[str, ...]
    missing: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class CitationFunction:
    """What a citation is for.

    Attributes:
      function: Its function.
      cue: The words that say so, as printed; ``""`` where none do.
      attribution_cue: The words by which the sentence attributes a method, software,
        a resource or something that its authors made before, or points to another
        text; ``""`` where it does not.
      is_numeric: Whether the clause states a number as a result.
    """

    function: Function
    cue: str
    attribution_cue: str
    is_numeric: bool


@dataclasses.dataclass(frozen=True, slots=True)
class TermPoints:
    """What one word of a claim says for or against its evidence.

    Attributes:
      term: The word as printed.
      points: Logarithm of how much likelier its presence or absence is, if the
        evidence is the source of the claim than if it is unrelated.
    """

    term: str
    points: float


@dataclasses.dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a cited work is on the topic of the claim that cites it, and why.

    Attributes:
      triage: The judgement in one word.
      topic_probability: Calibrated probability that it is on topic, in (0, 1), if as
        many citations were off topic as on it.
      weight_of_evidence: Sum of all points, damped by the number of terms.
      rare_coverage: Share of the claim's words covered, by rarity, in [0, 1].
      title_share: Share of the title's words that the claim has, in [0, 1].
      passage_coverage: The best ``rare_coverage`` by one passage, in [0, 1].
      covered: Points of the words that the evidence has, in order of appearance.
      missing: Points of the other words, in order of appearance.
      passage_start: Offset in the abstract of the passage that covers most; None if
        none covers anything.
      passage_end: Offset one past its end, or None.
      better_sibling: Lookup key of another work that the document cites and that fits
        the claim better, or ``""``.
      sibling_margin: By how much, in log odds, >= 0.
      direction_note: A remark on opposite direction words, or ``""``.
    """

    triage: Triage
    topic_probability: float
    weight_of_evidence: float
    rare_coverage: float
    title_share: float
    passage_coverage: float
    covered: tuple[TermPoints, ...]
    missing: tuple[TermPoints, ...]
    passage_start: int | None = None
    passage_end: int | None = None
    better_sibling: str = ""
    sibling_margin: float = 0.0
    direction_note: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Assessment:
    """One citation with its verdict, or with the reason why it has none.

    Attributes:
      citation: The citation.
      lookup_key: Key of the work that was looked up for it.
      status: ``checked``, or why not.
      work: The cited work, if found.
      coverage: Coverage of the claim; None unless checked.
      grade: Grade of the coverage; None unless checked.
      contribution: What it adds to the document score; 0 unless checked.
      severity: Severity of the grade; None unless checked.
      detail: Why it was not checked, in words, or ``""``.
      match_method: ``Evidence.match_method`` where the work is the one cited.
      match_score: ``Evidence.match_score``, likewise.
      abstract_source: ``Evidence.abstract_source``, likewise.
      purpose: What the sentence cites the work for.
      judgement: Whether the work is on the topic of the claim; None unless checked.
      group_best: The best triage of the citations in one bracket; None where none of
        them was judged.
    """

    citation: Citation
    lookup_key: str
    status: CitationStatus
    work: Work | None = None
    coverage: Coverage | None = None
    grade: Grade | None = None
    contribution: float = 0.0
    severity: Severity | None = None
    detail: str = ""
    match_method: MatchMethod | None = None
    match_score: float | None = None
    abstract_source: str = ""
    purpose: CitationFunction | None = None
    judgement: Judgement | None = None
    group_best: Triage | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class DocumentScore:
    """One document with its counts and score.

    Attributes:
      header: The document.
      grades: How many checked citations got each grade, in the order of ``Grade``.
      unchecked: How many were not checked for each reason, in the order of
        ``CitationStatus`` without ``checked``.
      score: Literal score in [0, 5]; None unless the document is scored.
      band: The score in words; None where nothing was checked.
      triages: How many checked citations got each triage, in the order of ``Triage``.
      priority: How early a person should read it, >= 0, highest first: the sum over
        distinct cited works of how sure each is off topic; 1 for a mismatch.
    """

    header: DocumentHeader
    grades: tuple[int, int, int]
    unchecked: tuple[int, ...]
    score: float | None
    band: Band | None
    triages: tuple[int, int, int, int] = (0, 0, 0, 0)
    priority: float = 0.0


@dataclasses.dataclass(frozen=True, slots=True)
class Failure:
    """An element that a stage could not process.

    Attributes:
      stage: Name of the stage that failed.
      element_id: Identifier of the failing element, never its payload.
      error: Exception class name.
      message: What was wrong and what to do; one line, no document text.
    """

    stage: str
    element_id: str
    error: str
    message: str
