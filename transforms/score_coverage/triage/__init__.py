"""Judges whether a cited work is on the topic of the claim that cites it."""
