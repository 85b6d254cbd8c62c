"""How many powers of a game one person may have, and who was sent away from it.

One person plays one power, unless the master allows more (`SET SEATS`): who plays, sits in, has
lent his power to a sitter, or has played a power before knows what its player knows. Whoever was
ejected stays away until the master says otherwise: by an invitation, or by `SET DENY PLAYER
-address`.
"""

from collections.abc import Iterable, Sequence

from judge.play.choices.settings import Change
from judge.play.game import Game
from judge.play.office import is_present, owner_of, player_seats
from judge.words.reason import Reason, because


def powers_known(game: Game, address: str) -> list[str]:
    """Return the powers of a game somebody plays or has played, at whatever address.

    A seat that waits for its power counts, under no name.
    """
    people = set(game.office.aliases.of(address.lower()))
    mine = [
        seat.power
        for seat in player_seats(game)
        if is_present(seat) and people & {seat.address.lower(), owner_of(seat).lower()}
    ]
    return mine + sorted(game.office.register.played(game.id, people) - set(mine))


def seats_problem(
    game: Game, address: str, power: str = ""
) -> Reason | None:
    """Return why somebody may not have one more power (this one, or any), or None.

    A power he has had himself is no second one.
    """
    known, most = powers_known(game, address), seats_allowed(game)
    if len(known) < most or power and power in known:
        return None
    if most > 1:
        return because("seats-most", game=game.name, most=most)
    code = "seats-one" if known[0] else "seats-one-waiting"
    return because(code, game=game.name, power=known[0])


def seats_allowed(game: Game) -> int:
    """Return how many powers of a game one person may have."""
    return game.chosen.seats


def is_barred(game: Game, address: str) -> bool:
    """Tell whether somebody, at whatever address, was ejected from a game."""
    return bool(set(game.dealings.barred) & set(game.office.aliases.of(address.lower())))


def bar(game: Game, *addresses: str) -> None:
    """Keep whoever has these addresses from coming back into a game by himself."""
    _keep_barred(game, {*game.dealings.barred, *(each.lower() for each in addresses if each)})


def let_in(game: Game, address: str) -> None:
    """Keep somebody, at whatever address, away from a game no longer."""
    _keep_barred(game, set(game.dealings.barred) - set(game.office.aliases.of(address.lower())))


def _keep_barred(game: Game, addresses: Iterable[str]) -> None:
    kept = tuple(sorted(addresses))
    if kept != game.dealings.barred:
        game.deal(barred=kept)


def taken_out(words: Sequence[str]) -> list[str]:
    """Return the addresses that a SET line takes out of a list: those with a - before them."""
    return [word.strip("<>,;")[1:].lower() for word in words if word.startswith("-")]


def list_problem(game: Game, change: Change, words: Sequence[str]) -> Reason | None:
    """Return why a list of addresses would not do what it says, or None.

    It is written address by address, and nothing else fits: no pattern, nobody who is not on it.
    """
    name = " ".join(change.setting.words)
    known = getattr(game.chosen, change.setting.name)
    assert isinstance(known, (list, tuple)) and isinstance(change.value, tuple)
    pattern = next((word for word in change.value if set(word) & set("*?%")), None)
    if pattern:
        return because("list-no-patterns", setting=name, text=pattern)
    away = [word for word in taken_out(words) if word not in known]
    if away and away[0] not in game.dealings.barred:
        return because("list-not-on-it", setting=name, text=away[0])
    lists = {"allow": game.chosen.allow, "deny": game.chosen.deny}
    lists[change.setting.name] = change.value
    allow, deny = (set(lists[key]) for key in ("allow", "deny"))
    return because("list-fits-nobody") if allow and allow <= deny else None
