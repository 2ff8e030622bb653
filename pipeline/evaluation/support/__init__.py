"""Measures and fits triage on labelled pairs of claims and cited works."""
