"""Parts of letters that many readers get word for word: filled once for all of them."""

from collections import deque
from collections.abc import Mapping

from jinja2 import Environment
from jinja2.filters import do_mark_safe

_KEPT = 8
"""Of each part; the letters of one game's phase differ in it by zone, and by little else."""


class Shared:
    """What templates call as `shared("standing.txt", standing=standing)`.

    Such a part knows these facts and no others, so that the same facts make the same text: nothing
    that is for one reader alone can get into the letter of another. Facts are compared by what
    is in them; those that are the same objects cost nothing.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._kept: dict[str, deque[tuple[Mapping[str, object], str]]] = {}

    def __call__(self, name: str, **facts: object) -> str:
        """Return a part, filled."""
        kept = self._kept.setdefault(name, deque(maxlen=_KEPT))
        for known, said in kept:
            if known == facts:
                return said
        said = self._environment.get_template(name).render(facts)
        # A page's part is escaped already.
        said = do_mark_safe(said) if self._environment.autoescape else said
        kept.append((facts, said))
        return said
