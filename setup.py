"""Metadata and dependencies of citation-support.

Beam ships this project to remote workers with ``--setup_file``: building it
needs no network and imports neither package.
"""

import pathlib
import re

from setuptools import find_packages, setup

_HERE = pathlib.Path(__file__).parent
_VERSION = re.search(
    r'^__version__ = "(.+)"$',
    (_HERE / "pipeline" / "__init__.py").read_text(encoding="utf-8"),
    re.MULTILINE,
).group(1)

setup(
    name="citation-support",
    version=_VERSION,
    description=(
        "Measures how much of each citing sentence the cited paper's title and "
        "abstract cover, over a corpus of scholarly manuscripts."
    ),
    long_description=(_HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="MIT",
    python_requires=">=3.11",
    packages=find_packages(
        include=["pipeline", "pipeline.*", "transforms", "transforms.*"]
    ),
    package_data={
        "transforms": ["*/data/*", "py.typed"],
        "pipeline": ["report/templates/*", "py.typed"],
    },
    install_requires=[
        "apache-beam>=2.77",
        "fasteners>=0.19",
        "jinja2>=3.1.6",
        "lxml>=6.1",
        "markdown-it-py>=4.0",
        "matplotlib>=3.10",
        "numpy>=1.26",
        "packaging>=24.0",
        "platformdirs>=4.0",
        "pyarrow>=21.0",
        "pypdfium2>=5.0",
        "rapidfuzz>=3.9",
        "requests>=2.32.4",
        "rich>=13.7",
        "snowballstemmer>=3.1",
        "sqlitedict>=2.1",
        "tenacity>=9.0",
    ],
    extras_require={
        "fit": ["scikit-learn>=1.4"],
        "dev": [
            "duckdb>=1.1",
            "hypothesis>=6.100",
            "lxml-stubs",
            "mypy>=1.13",
            "pandas>=2.2",
            "polars>=1.9",
            "pyarrow-stubs",
            "pytest>=8.0",
            "pytest-xdist>=3.6",
            "python-docx>=1.1",
            "reportlab>=4.0",
            "ruff>=0.8",
            "selenium>=4.27",
            "scikit-learn>=1.4",
            "types-requests",
        ],
    },
    entry_points={"console_scripts": ["citation-support = pipeline.cli:main"]},
)
