"""Tests of packing."""

import pytest

from transforms.packing import pack, unpack
from transforms.records import Work

_SHORT = Work("papers", "w1", "Kelp farms", authors=("Ng, A",))
_LONG = Work("papers", "w2", "Kelp farms", abstract="Rot fell in cold basins. " * 100)


@pytest.mark.parametrize("record", [_SHORT, _LONG, (_SHORT, _LONG), "", "x" * 5_000])
def test_gives_back_what_was_packed(record):
    assert unpack(pack(record)) == record


def test_packs_long_records_small():
    assert len(pack(_LONG)) < len(_LONG.abstract) / 5
