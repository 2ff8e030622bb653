"""What the indexes have said to one reference so far."""

from __future__ import annotations

from transforms.fetch_evidence.cache import Answer
from transforms.fetch_evidence.questions import Unasked
from transforms.fetch_evidence.sources import crossref, openalex, semantic_scholar
from transforms.records import Reference, Work
from transforms.reference_records import Findings, Led

# They hold about every article, preprint and paper of a conference there is.
_COMPLETE = frozenset([semantic_scholar.NAME, openalex.NAME])
# These know about every DOI of an article; one alone may lag behind.
_KNOW_DOIS = frozenset([crossref.NAME, semantic_scholar.NAME, openalex.NAME])
_AGREEING = 2


class ReferenceCase:
    """One reference on its way from index to index.

    Args:
      key: Key of the question.
      reference: The entry.

    Attributes:
      reference: The entry.
    """

    def __init__(self, key: str, reference: Reference) -> None:
        self.reference = reference
        self._key = key
        # Dictionaries, because they keep order and hold each once.
        self._works: dict[Work, None] = {}
        self._led: dict[str, Work | None] = {}
        self._ignorant: dict[str, set[str]] = {}
        self._asked: dict[str, None] = {}
        self._unasked: dict[str, None] = {}

    @property
    def has_works(self) -> bool:
        """Whether any index has a record that may be of it."""
        return bool(self._works)

    def take_id(self, source: str, key: str, answer: Answer | Unasked) -> None:
        """Takes what an identifier leads to."""
        if isinstance(answer, Unasked):
            self.fail(source, answer.reason)
            return
        self._led.setdefault(key, None)
        if answer.works:
            self._works[answer.works[0]] = None
            self._led[key] = self._led[key] or answer.works[0]
        else:
            self._ignorant.setdefault(key, set()).add(source)

    def take_search(self, source: str, answer: Answer | Unasked) -> None:
        """Takes the candidates for a title."""
        if isinstance(answer, Unasked):
            self.fail(source, answer.reason)
            return
        self._asked[source] = None
        self._works.update(dict.fromkeys(answer.works))

    def fail(self, source: str, reason: str) -> None:
        """Takes note that an index could not be asked."""
        self._unasked[f"{source}: {reason}"] = None

    def findings(self) -> Findings:
        """Returns all that is known by now."""
        return Findings(
            key=self._key,
            works=tuple(self._works),
            led=tuple(
                Led(key, work, is_unknown=self._is_unknown(key, work))
                for key, work in self._led.items()
            ),
            asked=tuple(self._asked),
            unasked=tuple(self._unasked),
            is_complete=self._is_complete(),
        )

    def _is_unknown(self, key: str, work: Work | None) -> bool:
        """Tells whether enough indexes deny that there is such a DOI."""
        if work or not key.startswith("doi:"):
            return False
        return len(self._ignorant.get(key, set()) & _KNOW_DOIS) >= _AGREEING

    def _is_complete(self) -> bool:
        """Tells whether an index that was asked holds such works without gaps.

        Crossref has no preprints of arXiv and few papers of conferences, but all
        articles of journals.
        """
        if _COMPLETE & self._asked.keys():
            return True
        is_article = bool(self.reference.doi or self.reference.volume)
        return crossref.NAME in self._asked and is_article
