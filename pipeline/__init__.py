"""The program: flags, graph, run and report."""

__version__ = "0.1.0"
