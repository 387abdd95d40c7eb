"""Benchmarks: each is a package that ``python -m benchmarks.NAME`` runs, and reports in the form of ``figures.py``."""
