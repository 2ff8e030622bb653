"""Tests that imports point one way.

pipeline -> transforms/<stage>/stage.py -> pure modules -> records
"""

from __future__ import annotations

import ast
import pathlib

import pytest

_ROOT = pathlib.Path(__file__).parent.parent
_MODULES = sorted(
    path.relative_to(_ROOT)
    for package in ("pipeline", "transforms")
    for path in (_ROOT / package).rglob("*.py")
)
_STAGES = sorted(path.parent.name for path in (_ROOT / "transforms").glob("*/stage.py"))


def _imports(module):
    tree = ast.parse((_ROOT / module).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _is_stage(module):
    return module.name == "stage.py"


@pytest.mark.parametrize("module", _MODULES, ids=str)
def test_imports_point_one_way(module):
    package = module.parts[0]
    for imported in _imports(module):
        top = imported.split(".")[0]
        if top == "apache_beam":
            assert package == "pipeline" or _is_stage(module)
        if top == "requests":
            assert "sources" in module.parts
        if package == "transforms":
            assert top not in ("pipeline", "tests")
            others = set(imported.split(".")[1:2]) & set(_STAGES)
            assert others <= set(module.parts)


def test_there_is_one_package_a_stage():
    assert _STAGES == [
        "extract_citations",
        "fetch_evidence",
        "read_documents",
        "score_coverage",
        "verify_references",
        "write_results",
    ]


@pytest.mark.parametrize("module", [m for m in _MODULES if _is_stage(m)], ids=str)
def test_stages_are_thin(module):
    forbidden = {"re", "sqlite3", "requests"}
    assert not forbidden & {name.split(".")[0] for name in _imports(module)}
