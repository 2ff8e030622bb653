"""Commands that measure the program on labelled data."""
