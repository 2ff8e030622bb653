"""Writes the records of a run as Parquet tables."""
