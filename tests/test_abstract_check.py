"""Table tests of what stands in the place of an abstract."""

import dataclasses

import pytest

from transforms.fetch_evidence.abstract_check import is_suspect, without_notice
from transforms.records import Work

_LANTERNS = (
    "Lanterns were set adrift from a pier on calm nights and followed by eye. "
    "They moved at the speed that surface waves alone explain. Wind made no "
    "difference below a breeze. We conclude that lanterns on calm water drift by "
    "waves, and that their height above the water does not matter for the drift."
)
_WORK = Work("s", "p", "Lantern drift under surface waves in calm weather", _LANTERNS)
_SNAILS = (
    "Snails kept in constant darkness went on to migrate when the tide would have "
    "risen. Their clocks ran for eleven days. Heating shifted them by an hour. Old "
    "snails kept better time than young ones, which may be because they have seen "
    "more tides, although cold summers could have slowed some of the juveniles."
)


@pytest.mark.parametrize(
    "notice",
    [
        "No abstract available",
        "No abstract available.",
        "[No abstract available]",
        "No abstract",
        "There is no abstract available for this article.",
        "Abstract not available",
        "Abstract unavailable.",
        "An abstract is not available for this content so a preview has been provided.",
        "This article does not have an abstract.",
        "This article has no abstract; the first hundred words appear below.",
        "This article has been retracted",
        "This article has been retracted: please see the policy on withdrawal. It has "
        "been retracted at the request of the editors, " + "who say why. " * 40,
        "The paper was withdrawn.",
        "[This corrects the article DOI: 10.99999/quills.1.].",
        "© 2019 Tides Press. All rights reserved.",
        "Copyright © 2012 Quill Society. Published by Tides Ltd.",
        "(c) 2007 The Authors.",
        "2011 Tides Ltd. All rights reserved",
        "All rights reserved.",
        "N/A",
        "None.",
    ],
)
def test_a_notice_is_no_abstract(notice):
    work = dataclasses.replace(_WORK, abstract=notice)
    assert without_notice(work) == dataclasses.replace(_WORK, abstract="")


@pytest.mark.parametrize(
    "notice",
    [
        "Abstract withheld at the publisher's request.",
        "Abstract withheld",
        "The abstract has been withheld by the publisher.",
        "Withheld at the request of the publisher.",
    ],
)
def test_a_notice_may_say_that_the_abstract_is_withheld(notice):
    cleared = without_notice(dataclasses.replace(_WORK, abstract=notice))
    assert (cleared.abstract, cleared.is_withheld) == ("", True)


@pytest.mark.parametrize(
    "abstract",
    [
        _LANTERNS,
        "No abstract concept is learnt before the age of nine. " + _LANTERNS,
        "Abstract thought is rare in snails.",
        "Copyright law changed in 1998, and publishers with it. " + _LANTERNS,
        "This article has no equal in its field, the referees said. " + _LANTERNS,
        "This article reviews what has been withdrawn since 1990.",
        "None of the lanterns sank.",
        "",
    ],
)
def test_an_abstract_is_no_notice(abstract):
    work = dataclasses.replace(_WORK, abstract=abstract)
    assert without_notice(work) is work


_SUSPECT = {
    "its own abstract": (_WORK.title, _LANTERNS, False),
    "that of another work": (_WORK.title, _SNAILS, True),
    "one word in common": (_WORK.title, f"{_SNAILS} It was calm.", False),
    "other endings": ("Weathering, drifting, lanterned waving", _LANTERNS, False),
    "short title": ("Lantern drift", _SNAILS, False),
    "title of function words": ("Under these, which were about calm", _SNAILS, False),
    "short abstract": (
        _WORK.title,
        "Snails in darkness migrate by tidal clocks.",
        False,
    ),
    "title in other letters": ("Дрейф фонарей на волнах в штиль", _SNAILS, False),
    "no abstract": (_WORK.title, "", False),
}


@pytest.mark.parametrize(
    ("title", "abstract", "expected"), _SUSPECT.values(), ids=_SUSPECT
)
def test_tells_the_abstract_of_another_work(title, abstract, expected):
    assert is_suspect(Work("s", "p", title, abstract)) is expected
