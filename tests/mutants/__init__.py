"""How much the tests notice: faults are put into the code one at a time, and the tests are run.

`make mutants` draws some (the same seed draws the same), runs for each the tests that reach its
line, and tells which nobody noticed. A mutant that changes nothing anybody could see stands in
`equivalent.tsv` with the reason, and is not drawn again.
"""
