"""Stems English words.  Pure."""

from __future__ import annotations

import functools

from snowballstemmer.english_stemmer import EnglishStemmer


@functools.lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """Returns the English stem of a lower-case word.

    The stems are those of Snowball 3.1, with which the stems of any table must agree:
    earlier versions cut some words otherwise ("interval", "added").
    """
    # A stemmer holds the word it works on: threads must not share one.
    stemmed: str = EnglishStemmer().stemWord(word)
    return stemmed
