"""Tells whether a run can be trusted as a whole."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.counts import RunCounts
from transforms.fetch_evidence.settings import KEY_VARIABLES

# Indexes miss a tenth to a third of what articles cite.  More than this says that
# something is wrong: with the index, its address or the reading of the references.
_MAX_UNKNOWN_SHARE = 0.6
# Fewer lookups may be those of one document that cites what no index holds.
_MIN_NETWORK_LOOKUPS = 50


def problems(
    counts: RunCounts,
    requests: Mapping[str, int],
    allowed: float,
    *,
    lacks_key: bool = False,
) -> list[str]:
    """Returns why a run counts as incomplete, in words; empty for a sound one.

    Args:
      counts: Counts of the run.
      requests: What asking the network indexes cost, by name.
      allowed: Share of lookups or documents, in [0, 1], that may fail.
      lacks_key: Whether Semantic Scholar was asked without a key.
    """
    lookups = "lookups could not be asked"
    if lacks_key:
        lookups += f" (Semantic Scholar without a key: set {KEY_VARIABLES[0]})"
    found = [
        f"{share:.1%} of {what}; --max-failed-share allows {allowed:.1%}"
        for share, what in (
            (counts.failed_lookup_share, lookups),
            (counts.failed_document_share, "documents failed"),
            (counts.open_reference_share, "references could not be asked about"),
        )
        if share > allowed
    ]
    asked, unknown = requests["network_lookups"], requests["network_misses"]
    if asked >= _MIN_NETWORK_LOOKUPS and unknown > _MAX_UNKNOWN_SHARE * asked:
        found.append(
            f"{unknown / asked:.1%} of {asked} works are unknown to the network index,"
            f" which is not to be believed above {_MAX_UNKNOWN_SHARE:.0%}: check the"
            " index, its address, and how the references were read"
        )
    return found
