"""Grades how much of each claim the cited paper's title and abstract cover."""
