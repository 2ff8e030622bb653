"""Tells what a sentence cites a work for, and by which words.  Pure."""

from __future__ import annotations

from transforms.records import CitationFunction, Function
from transforms.score_coverage import statement_cues as cues
from transforms.score_coverage.attribution import attributed, done, pointer
from transforms.score_coverage.quantities import stated_number
from transforms.score_coverage.scope import CitationContext, Scope, scope_of

_ATTRIBUTED = frozenset([Function.METHOD, Function.RESOURCE, Function.SOFTWARE])


def citation_function(context: CitationContext) -> CitationFunction:
    """Tells what a citation is for.

    Args:
      context: The citation in its sentence.

    Returns:
      The first that has a cue of: method, software or resource; own work;
      comparison; finding.  Without a cue, a method in a Methods section, own work if
      it is known to be, else background.
    """
    scope = scope_of(context)
    number = stated_number(scope.clause)
    compared = _compared(scope)
    found = _found(scope)
    function, cue = _function(context, scope, compared, found, number)
    points = pointer(scope)
    attribution_cue = points
    if function in _ATTRIBUTED or (
        function is Function.OWN_WORK
        and cues.OWN_MADE.search(cue.lower())
        and not found
    ):
        attribution_cue = cue or points
    if function is Function.BACKGROUND:
        cue = points
    is_numeric = bool(number) and function not in _ATTRIBUTED
    return CitationFunction(function, cue, attribution_cue, is_numeric)


def is_methods_section(title: str) -> bool:
    """Tells whether a heading is of a part that says how the work was done.

    Args:
      title: The heading, of whatever level, or ``""``.
    """
    return bool(cues.METHODS_HEADING.search(title.lower()))


def _function(
    context: CitationContext, scope: Scope, compared: str, found: str, number: str
) -> tuple[Function, str]:
    """Returns the function and its cue."""
    states = bool(compared or found)
    for_use = attributed(scope, context.cited_title, states=states)
    if for_use:
        return for_use
    if context.is_own_work is not False and (own := _own(scope)):
        return Function.OWN_WORK, own
    is_method = is_methods_section(context.section)
    if (is_method or not states) and (was_done := done(scope)):
        return Function.METHOD, was_done
    if compared:
        return Function.COMPARISON, compared
    if found:
        return Function.FINDING, found
    if is_method:
        return Function.METHOD, ""
    if number:
        return Function.FINDING, number
    return (Function.OWN_WORK if context.is_own_work else Function.BACKGROUND), ""


def _own(scope: Scope) -> str:
    found = cues.OWN.search(scope.before.lower)
    return scope.before.cue(found) if found else ""


def _compared(scope: Scope) -> str:
    text = scope.before.lower
    found = cues.COMPARISON_AT.search(text) or cues.COMPARISON.search(text)
    return scope.before.cue(found) if found else ""


def _found(scope: Scope) -> str:
    if found := cues.FINDING_AFTER.match(scope.after.lower):
        return scope.after.cue(found)
    found = cues.FINDING.search(scope.before.lower)
    return scope.before.cue(found) if found else ""
