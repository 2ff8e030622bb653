"""Finds citations, their claims and the reference entries they point to."""
