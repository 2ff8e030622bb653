"""Tests of the time that one document may take."""

import time

import pytest

from transforms.time_limit import DocumentTimeout, TimeLimit


def test_interrupts_a_body_that_takes_too_long():
    limit = TimeLimit(0.05)
    for _ in range(3):
        with pytest.raises(DocumentTimeout, match="document-timeout"), limit:
            while True:
                pass


def test_is_raised_again_where_it_was_swallowed():
    with pytest.raises(DocumentTimeout), TimeLimit(0.05):
        try:
            while True:
                pass
        except DocumentTimeout:
            while True:
                pass


def test_leaves_alone_what_is_in_time():
    limit = TimeLimit(0.05)
    for _ in range(10):
        with limit:
            time.sleep(0.01)
    time.sleep(0.1)


def test_zero_is_no_limit():
    with TimeLimit(0):
        time.sleep(0.01)
