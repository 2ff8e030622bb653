"""Tests of describing failed elements."""

import functools
import pickle
import traceback

import pytest

from transforms.failures import to_failure
from transforms.records import Failure
from transforms.score_coverage.coverage import cover
from transforms.score_coverage.grades import grade


class _StrayError(Exception):
    pass


def _bad(function):
    """Returns what Beam makes of ``function`` failing."""
    try:
        function()
    except Exception as error:
        return "x", (type(error), repr(error), traceback.format_exception(error))
    raise AssertionError("did not raise")


def _raise(error):
    raise error


def _message(function):
    return to_failure(_bad(function), "stage", str.upper).message


def test_a_failure_says_what_was_raised_and_where():
    failure = to_failure(_bad(lambda: cover({}, frozenset())), "score", str.upper)
    assert failure == Failure("score", "X", "ValueError", failure.message)
    place, _, text = failure.message.partition(": ")
    assert place.startswith("ValueError at transforms/score_coverage/coverage.py:")
    assert place.rpartition(":")[2].isdigit()
    assert text == "a claim without terms has no coverage"


def test_the_innermost_frame_of_ours_is_named():
    # Raised inside the standard library, called from our module.
    message = _message(lambda: grade("high"))
    assert message.startswith("TypeError at transforms/score_coverage/grades.py:")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("short"), "ValueError: short"),
        (ValueError("first\nsecond"), "ValueError: first"),
        (ValueError("a" * 200), "ValueError: " + "a" * 200),
        (ValueError("a" * 201), "ValueError"),
        (ValueError(), "ValueError"),
        (KeyError("name"), "KeyError: 'name'"),
        (_StrayError("own"), "_StrayError: own"),
        (UnicodeDecodeError("utf-8", b"secret", 0, 1, "bad"), "UnicodeDecodeError"),
        (UnicodeError("not text"), "UnicodeError"),
    ],
)
def test_only_a_short_first_line_of_the_text_is_kept(error, message):
    assert _message(lambda: _raise(error)) == message


def test_notes_are_not_the_text():
    error = ValueError("short")
    error.add_note("the whole document")
    assert _message(lambda: _raise(error)) == "ValueError: short"


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("/x/site-packages/transforms/a/b.py", " at transforms/a/b.py:7"),
        ("pipeline/run.py", " at pipeline/run.py:7"),
        ("C:\\x\\transforms\\a.py", " at transforms\\a.py:7"),
        ("/x/apache_beam/transforms/core.py", ""),
        ("/x/transformers/a.py", ""),
    ],
)
def test_frames_of_others_are_passed_over(file, place):
    trace = [f'  File "{file}", line 7, in f\n    f()\n', "ValueError\n"]
    failure = to_failure(("x", (ValueError, "ValueError()", trace)), "stage", str)
    assert failure.message == "ValueError" + place


def test_is_picklable_with_its_arguments():
    describe = functools.partial(to_failure, stage="stage", element_id=str.upper)
    bad = _bad(lambda: _raise(ValueError("short")))
    assert pickle.loads(pickle.dumps(describe))(bad) == describe(bad)
