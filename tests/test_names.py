"""Tests of author names."""

import pytest

from transforms.names import clean, family_name, fold, same_surname


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Ode, Tamsin", "Ode"),
        ("Tamsin Ode", "Ode"),
        ("Ode T", "Ode"),
        ("T. Ode", "Ode"),
        ("J.-P. Ode", "Ode"),
        ("Ode JA Jr", "Ode"),
        ("van der Prell A", "van der Prell"),
        ("Anna van der Prell", "van der Prell"),
        ("van der Prell", "van der Prell"),
        ("Bohan Brown, MM", "Bohan Brown"),
        ("Ng", "Ng"),
        ("", ""),
    ],
)
def test_family_name(name, family):
    assert family_name(name) == family


@pytest.mark.parametrize(
    ("cited", "author", "same"),
    [
        ("Ode", "Tamsin Ode", True),
        ("Ode", "Ode T", True),
        ("van der Hoorn", "Hoorn, A. van der", True),
        ("Hoorn", "A. van der Hoorn", True),
        ("Sjostrand", "SJØSTRAND, Eva", True),
        ("O’Darragh", "O'Darragh, P.", True),
        ("Ortin-Faro", "Luis Ortin Faro", True),
        ("Grosse", "Große, A.", True),
        ("Ode", "Modena, L.", False),
        ("Tamsin", "Ode, Tamsin", False),
        ("Wu", "Benedikta Thornquist", False),
        ("", "Benedikta Thornquist", False),
        ("Wu", "", False),
    ],
)
def test_same_surname(cited, author, same):
    assert same_surname(cited, author) is same


def test_fold_and_clean():
    assert fold("Kahneman‐SJØSTRAND") == "kahneman sjostrand"
    assert clean("Tol\u00adliver\u200b  o’x") == "Tolliver o'x"
