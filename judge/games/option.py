"""What a game of a system may be created with, besides its map."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a system: its values (first = default), and one line of help.

    `values` empty: a whole number from `least` to `most`, with `default`. `says` has a sentence
    for each value; for a number, one for the default and one that names `{n}`.
    """

    name: str
    values: tuple[str, ...]
    help: str
    default: int = 0
    says: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    at_any_time: bool = False
    """It may be changed in a running game; others only before the start."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Further words for it, in lower case → the value they set, empty if that follows them."""

    def told(self, value: object) -> str:
        """Return what a value means, as a sentence."""
        if self.values:
            return self.says[self.values.index(str(value))]
        return self.says[0] if value == self.default else self.says[1].format(n=value)
