"""Table tests of whether a record can be of the work that an entry describes."""

import dataclasses

import pytest

from transforms.identity import described, disagreements
from transforms.records import Citation, CitationKind, Entry, Reference, Work

_TITLE = "Depth-first quills in cold estuaries of the northern coast"
_ENTRY = Entry(_TITLE, ("Sjøstrand", "Ng"), 2014)
_WORK = Work("s", "p", _TITLE, authors=("Kari Sjøstrand", "Ada Ng"), year=2014)
_OTHER = Work("s", "o", "Lamps that drift at sea", authors=("P. Lim",), year=1998)


def entry(**changes):
    return dataclasses.replace(_ENTRY, **changes)


def work(**changes):
    return dataclasses.replace(_WORK, **changes)


_MAY_BE_ONE = {
    "the same": (_ENTRY, _WORK),
    "year one off": (_ENTRY, work(year=2015)),
    "year far off": (_ENTRY, work(year=1999)),
    "another first author": (_ENTRY, work(authors=("P. Lim",))),
    "neither author nor year": (_ENTRY, work(authors=("P. Lim",), year=1999)),
    "subtitle": (_ENTRY, work(title=f"{_TITLE}: a survey of ten years", year=1999)),
    "without its subtitle": (
        entry(title=f"Quill books: {_TITLE}"),
        work(authors=("P. Lim",)),
    ),
    "abbreviated": (
        entry(title="Depth-first quills in cold estuaries of N. coast"),
        work(authors=("P. Lim",)),
    ),
    "typos": (
        entry(title="Dept-first quils in cold estuarys of the nothern coast"),
        work(year=1999),
    ),
    "lost accents": (entry(surnames=("Sjostrand",)), work(title=_OTHER.title)),
    "misspelt surname": (entry(surnames=("Sjostrant",)), work(title=_OTHER.title)),
    "translated title": (
        entry(title="Quilles en profondeur d'abord dans les estuaires froids"),
        _WORK,
    ),
    "title in other letters": (entry(title="Глубинные перья"), work(year=1999)),
    "name in other letters": (
        entry(surnames=("Шёстранд",)),
        work(title=_OTHER.title),
    ),
    "order of authors": (
        entry(surnames=("Ng", "Sjøstrand")),
        work(title=_OTHER.title),
    ),
    "first author left out": (entry(surnames=("Ng",)), work(title=_OTHER.title)),
    "record without authors": (_ENTRY, work(title=_OTHER.title, authors=())),
    "record without title": (_ENTRY, work(title="")),
    "record with nothing": (_ENTRY, Work("s", "p", "")),
    "entry with nothing": (Entry(), _OTHER),
    "year alone": (Entry(year=2014), _OTHER),
    "author alone": (Entry(surnames=("Ng",)), _OTHER),
    "no title, other year": (entry(title=""), work(year=1999)),
    "no title, other author": (entry(title=""), work(authors=("P. Lim",))),
    "title alone, much alike": (
        Entry("Cold estuaries and the quills of the coast"),
        work(authors=(), year=None),
    ),
}

_MISMATCHES = {
    "all": (_ENTRY, _OTHER, "title, first author, year"),
    "title and author": (
        _ENTRY,
        dataclasses.replace(_OTHER, year=2014),
        "title, first author",
    ),
    "title and year": (
        _ENTRY,
        dataclasses.replace(_OTHER, authors=_WORK.authors),
        "title, year",
    ),
    "title, year unknown": (
        entry(year=None),
        dataclasses.replace(_OTHER, year=2014),
        "title, first author",
    ),
    "title and nothing else known": (
        Entry(_TITLE),
        _OTHER,
        "title",
    ),
    "author and year without a title": (
        entry(title=""),
        _OTHER,
        "first author, year",
    ),
}


@pytest.mark.parametrize(
    ("described_as", "record"), _MAY_BE_ONE.values(), ids=_MAY_BE_ONE
)
def test_what_may_be_one_work(described_as, record):
    assert disagreements(described_as, record) == ()


@pytest.mark.parametrize(
    ("described_as", "record", "fields"), _MISMATCHES.values(), ids=_MISMATCHES
)
def test_what_names_two_works(described_as, record, fields):
    assert ", ".join(disagreements(described_as, record)) == fields


def cite(reference=None, **known):
    return Citation(
        *("d#1", "d", 1, CitationKind.AUTHOR_YEAR, "", 0, 0, "", 0, 0, ""),
        reference=reference,
        **known,
    )


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        (
            cite(Reference("r", "raw", ("Ng, Ada", "et al."), 2014, title=" T! ")),
            Entry("T!", ("Ng",), 2014),
        ),
        (
            cite(Reference("r", "raw"), surnames=("Ode",), year="2011a"),
            Entry("", ("Ode",), 2011),
        ),
        (cite(surnames=("Ode",), year="in press"), Entry("", ("Ode",))),
        (cite(Reference("r", "raw", title="...")), Entry()),
        (cite(), Entry()),
    ],
)
def test_describes_the_cited_work(citation, expected):
    assert described(citation) == expected
