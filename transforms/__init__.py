"""The library: one package a stage, each with one public PTransform."""
