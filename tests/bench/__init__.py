"""Benchmarks of the judge and its peers: `make bench`."""
