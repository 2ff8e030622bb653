"""Charts as inline SVG that follows the colours of the page.

Drawn by matplotlib, in placeholder colours that stand for variables of the style
sheet: the same chart is right in light, dark and print.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib
from markupsafe import Markup, escape
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pipeline.report.interval import Share
from pipeline.report.words import BANDS, TRIAGE, Word
from transforms.records import Grade
from transforms.score_coverage.grades import PARTIAL_COVERAGE, STRONG_COVERAGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Placeholder colour to variable of the style sheet.  No two may be alike, and none
# may be one that matplotlib draws of its own accord.
_INK = "#010101"
_FAINT = "#020202"
_GRADE_COLOURS = {
    Grade.LOW: "#030303",
    Grade.PARTIAL: "#040404",
    Grade.STRONG: "#050505",
}
_PLAIN = "#060606"
_VARIABLES = {
    _INK: "var(--muted)",
    _FAINT: "var(--line)",
    _GRADE_COLOURS[Grade.LOW]: "var(--low)",
    _GRADE_COLOURS[Grade.PARTIAL]: "var(--partial)",
    _GRADE_COLOURS[Grade.STRONG]: "var(--strong)",
    _PLAIN: "var(--accent)",
}
# Inches of 72 units, so that a phone shows a chart at its own size.
_WIDTH = 5.0
_HEIGHT = 2.6
_BAR_HEIGHT = 0.36
# Arguments of matplotlib are named by literals, which no dictionary of texts fits.
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.size": 11,
    "text.parse_math": False,
    "axes.edgecolor": _FAINT,
    "axes.labelcolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": _INK,
    "xtick.color": _FAINT,
    "ytick.color": _FAINT,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
}
# What matplotlib writes and a page has no use for: its fonts, names of groups, and a
# style that would hold for the whole page.
_NEEDLESS = re.compile(
    r"<metadata>.*?</metadata>|<style.*?</style>|(?<=<g) id=\"[^\"]*\""
    r"|font-family: [^;\"]*;? ?",
    re.DOTALL,
)
_SPACE = re.compile(r"\s*\n\s*")
_MAX_LABEL_CHARS = 28
# Where the grades are named: in the middle of their part of the coverage.
_GRADE_PLACES = (
    (PARTIAL_COVERAGE / 2, "hardly"),
    ((PARTIAL_COVERAGE + STRONG_COVERAGE) / 2, "partly"),
    ((STRONG_COVERAGE + 1) / 2, "well covered"),
)


@matplotlib.rc_context(_STYLE)
def coverage_chart(coverage: Mapping[str, Sequence[int]]) -> Markup:
    """Draws how many checked citations have which coverage, with the thresholds.

    Args:
      coverage: Counts by equal bin of [0, 1], by grade.
    """
    figure, axes = _figure(_HEIGHT)
    bins = max(map(len, coverage.values()), default=1)
    tops = [0] * bins
    for grade in (Grade.LOW, Grade.PARTIAL, Grade.STRONG):
        counts = coverage.get(grade, [0] * bins)
        left = [number / bins for number in range(bins)]
        colour = _GRADE_COLOURS[grade]
        axes.bar(left, counts, 0.9 / bins, tops, align="edge", color=colour)
        tops = [a + b for a, b in zip(tops, counts, strict=True)]
    height = max(1, *tops) * 1.2
    axes.set(xlim=(0, 1), ylim=(0, height), xlabel="coverage", ylabel="citations")
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.set_xticks([0, PARTIAL_COVERAGE, STRONG_COVERAGE, 0.75, 1])
    axes.set_xticklabels(
        ["0", f"{PARTIAL_COVERAGE}", f"{STRONG_COVERAGE}", "0.75", "1"]
    )
    for threshold in (PARTIAL_COVERAGE, STRONG_COVERAGE):
        axes.axvline(threshold, color=_INK, linewidth=1, linestyle=(0, (3, 2)))
    for place, name in _GRADE_PLACES:
        axes.text(place, height * 0.96, name, ha="center", va="top")
    return _svg(figure, "Coverage of the checked citations")


@matplotlib.rc_context(_STYLE)
def bands_chart(bands: Mapping[str, int]) -> Markup:
    """Draws how many documents are in which band of scores."""
    bars = [
        (f"{word.sign} {word.name}", bands.get(band, 0), colour)
        for (band, word), colour in zip(
            BANDS.items(), _GRADE_COLOURS.values(), strict=True
        )
    ]
    return _bars(bars, "Documents by band of score")


@matplotlib.rc_context(_STYLE)
def triage_chart(triage: Mapping[str, int]) -> Markup:
    """Draws how many checked citations came to which triage."""
    colours = (*_GRADE_COLOURS.values(), _INK)
    bars = [
        (f"{word.sign} {word.name}", triage.get(value, 0), colour)
        for (value, word), colour in zip(TRIAGE.items(), colours, strict=True)
    ]
    return _bars(bars, "Triage of the checked citations")


@matplotlib.rc_context(_STYLE)
def reasons_chart(reasons: Sequence[tuple[Word, int]]) -> Markup:
    """Draws why selected citations were not judged, in the order given."""
    bars = [(word.name, count, _PLAIN) for word, count in reasons]
    return _bars(bars, "Reasons why citations were not judged")


@matplotlib.rc_context(_STYLE)
def support_chart(support: Sequence[tuple[str, Share]], column: str) -> Markup:
    """Draws the support rate by value of a metadata column, with 95 % intervals.

    Args:
      support: Value and share, in the order to draw, each of at least one citation.
      column: Name of the column.
    """
    figure, axes = _figure(_BAR_HEIGHT * len(support) + 0.7)
    rows = range(len(support))
    for row, (_, share) in zip(rows, support, strict=True):
        low, high = share.interval or (0.0, 1.0)
        axes.plot([low, high], [row, row], color=_PLAIN, linewidth=2.5)
        axes.plot(
            [share.hits / share.total],
            [row],
            "o",
            color=_PLAIN,
            markersize=7,
            clip_on=False,
        )
    axes.set(xlim=(0, 1), ylim=(len(support) - 0.4, -0.6), xlabel="support rate")
    axes.set_yticks(rows, [f"{_short(v)} ({s.total})" for v, s in support])
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.grid(axis="x", color=_FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    return _svg(figure, f"Support rate by {column}")


def _bars(bars: Sequence[tuple[str, int, str]], title: str) -> Markup:
    """Draws labelled counts as bars, first on top."""
    figure, axes = _figure(_BAR_HEIGHT * max(1, len(bars)) + 0.25)
    for row, (_, count, colour) in enumerate(bars):
        axes.barh(row, count, height=0.62, color=colour)
        axes.annotate(
            f"{count:,}", (count, row), (4, 0), textcoords="offset points", va="center"
        )
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.set_xlim(0, max((count for _, count, _ in bars), default=1) * 1.18 or 1)
    axes.set_yticks(range(len(bars)), [label for label, _, _ in bars])
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
    return _svg(figure, title)


def _figure(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    axes = figure.subplots()
    axes.tick_params(length=0)
    return figure, axes


def _svg(figure: Figure, title: str) -> Markup:
    """Returns the drawing as an element of the page, with its title as its name."""
    written = io.StringIO()
    # Names of elements are hashed with the salt: they must differ between charts.
    with matplotlib.rc_context({"svg.hashsalt": title}), _quiet():
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None})
    drawing = written.getvalue()
    drawing = drawing[drawing.index("<svg") :]
    drawing = _SPACE.sub(" ", _NEEDLESS.sub("", drawing))
    for colour, variable in _VARIABLES.items():
        drawing = drawing.replace(colour, variable)
    name = escape(title)
    return Markup(
        drawing.replace("<svg", f'<svg role="img" class="chart" aria-label="{name}"', 1)
    )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps quiet of letters that the font for measuring lacks; the page has them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        yield


def _short(text: str) -> str:
    if len(text) <= _MAX_LABEL_CHARS:
        return text
    return text[: _MAX_LABEL_CHARS - 1] + "…"
