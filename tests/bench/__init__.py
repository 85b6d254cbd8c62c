"""How fast the judge is, beside what it is measured against: `make bench`."""
