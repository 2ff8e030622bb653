"""Checks that references exist and are what they say they are."""
