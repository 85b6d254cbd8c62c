"""What comes of orders drawn by lot in worlds drawn by lot, and what each is told, is as it was.

WRITE_DIGESTS=1 has the table written anew.
"""

from collections.abc import Iterator

from judge.dice import Dice
from judge.games.nations1940 import Nations1940
from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import read_lines
from judge.games.nations1940.rules.resolve import resolve
from judge.games.nations1940.rules.state import dump_state
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.sides import names_by_code
from judge.games.nations1940.table import dump_sheet
from judge.games.nations1940.views.record import write_record
from judge.games.system import Reader, Watcher
from judge.model.incoming import Line
from tests.digests import hold_to
from tests.games.nations1940.board_of_cases import BOARD, MAP, SEED
from tests.games.nations1940.strewn import RULES, drawn_lines, strewn
from tests.games.nations1940.test_played import KEPT

MANY = 6
READERS = (Reader(Watcher.POWER, "Danubia"), Reader(Watcher.OBSERVER), Reader(Watcher.MASTER))


def comes() -> Iterator[tuple[str, str]]:
    """Yield the name of each case, and what came of it or is shown."""
    system = Nations1940()
    for seed in range(MANY):
        state = strewn(seed)
        lines, world, orders = drawn_lines(seed, state), World(BOARD, state, RULES), {}
        for code in world.alive:
            own = [Line(n, text) for n, (who, text) in enumerate(lines, 1) if who == code]
            read = read_lines(world, lexicon(MAP), code, own, ())
            orders[code] = read.orders
            yield f"{seed} read {code}", f"{read.verdicts}"
        resolved = resolve(BOARD, state, orders, RULES, Dice(SEED, state.turn))
        record = write_record(state, resolved, RULES, {})
        yield f"{seed} played", record
        for reader in READERS:
            name = f"{seed} {reader.power or reader.quality.value}"
            yield f"{name} told", f"{system.retell(MAP, record, reader)}"
            yield f"{name} head", f"{system.brief(MAP, record, reader)}"
            yield f"{name} picture", system.sketch_turn(MAP, record, reader)
        table = system.table(MAP, dump_state(state), {})
        for code in world.alive[:4]:
            shown = table.show_sheet(names_by_code(MAP)[code], dump_sheet(orders[code]))
            yield f"{seed} sheet {code}", f"{shown}"
        yield f"{seed} places", f"{table.places(READERS[0])} {table.standing(READERS[0])}"


def test_whatever_may_be_ordered_comes_to_what_it_did_and_is_told_alike() -> None:
    hold_to(KEPT / "strewn.tsv", dict(comes()))
