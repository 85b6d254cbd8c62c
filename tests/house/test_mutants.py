"""The faults that are known to change nothing can be made: a row of what is gone says nothing."""

from pathlib import Path

from tests.mutants.__main__ import known
from tests.mutants.faults import faults

TOP = Path(__file__).parents[2]


def test_every_fault_known_to_change_nothing_can_still_be_made() -> None:
    rows = known()
    there = {
        fault.name
        for name in {row[0] for row in rows} if (TOP / name).exists()
        for fault in faults(name, (TOP / name).read_bytes())
    }
    gone = [row for row in rows if row not in there]
    assert not gone, f"tests/mutants/equivalent.tsv: {gone}"
