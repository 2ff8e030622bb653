"""Reads manuscripts of every supported format as documents."""
