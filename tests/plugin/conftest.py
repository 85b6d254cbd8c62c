"""The system in `fords` is a package of its own, and no part of these tests' imports."""

collect_ignore = ["fords"]
