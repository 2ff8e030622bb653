"""Benchmarks: ``make bench`` prints ratios of one run on one machine."""
