"""Fetches title and abstract of each cited work: one lookup, one piece of evidence."""
