"""Data model: the frozen values that all packages share.

It imports no other package of the judge. The terms are explained in docs/build/glossary.md.
"""
