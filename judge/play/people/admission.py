"""Admission: who may play in a game, who may create one, and the seats they open.

One person plays one power, unless the master allows more (`SET SEATS`). A person who plays, is
a sitter, has a sitter, or has played a power before knows what its player knows. Ejected people
stay out until the master allows them back, by an invitation or by `SET DENY PLAYER -address`.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from judge.games.system import PowerInfo
from judge.model.incoming import Incoming
from judge.model.person import LEVELS, ConductKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import Role, Seat
from judge.model.seat_settings import SeatSettings
from judge.play.choices.settings import SettingChange
from judge.play.game import Context, Game
from judge.play.letters.anonymity import is_gunboat, masters_know
from judge.play.passwords import is_acceptable
from judge.play.pending_requests import Invitation
from judge.play.people.signon_throttle import comes_from
from judge.play.queries import find_power, is_open, is_present, owner_of, player_seats, sides_of


def powers_known(game: Game, address: str) -> list[str]:
    """Return the powers of a game a person plays or has played, at any address.

    A seat that waits for its power counts, under no name.
    """
    people = set(game.context.aliases.addresses_of(address.lower()))
    mine = [
        seat.power
        for seat in player_seats(game)
        if is_present(seat) and people & {seat.address.lower(), owner_of(seat).lower()}
    ]
    return mine + sorted(game.context.register.find_powers_played(game.id, people) - set(mine))


def seats_problem(game: Game, address: str, power: str = "") -> Phrase | None:
    """Return why a person may not have one more power (this one, or any), or None.

    A power that the person has had before does not count as another one.
    """
    known, most = powers_known(game, address), game.chosen.seats
    if len(known) < most or power and power in known:
        return None
    if most > 1:
        return phrase("seats-most", game=game.name, most=most)
    code = "seats-one" if known[0] else "seats-one-waiting"
    return phrase(code, game=game.name, power=known[0])


def is_barred(game: Game, address: str) -> bool:
    """Return whether a person, at any address, was ejected from a game."""
    return bool(set(game.dealings.barred) & set(game.context.aliases.addresses_of(address.lower())))


def bar_return(game: Game, *addresses: str) -> None:
    """Bar these addresses from returning to a game without an invitation."""
    _keep_barred(game, {*game.dealings.barred, *(each.lower() for each in addresses if each)})


def allow_return(game: Game, address: str) -> None:
    """Lift the bar on a person, at any address, from a game."""
    _keep_barred(
        game, set(game.dealings.barred) - set(game.context.aliases.addresses_of(address.lower()))
    )


def _keep_barred(game: Game, addresses: Iterable[str]) -> None:
    kept = tuple(sorted(addresses))
    if kept != game.dealings.barred:
        game.change_requests(barred=kept)


def taken_out(words: Sequence[str]) -> list[str]:
    """Return the addresses that a SET line removes from a list: those after a "-"."""
    return [word.strip("<>,;")[1:].lower() for word in words if word.startswith("-")]


def list_problem(game: Game, change: SettingChange, words: Sequence[str]) -> Phrase | None:
    """Return why a list of addresses would not have the intended effect, or None.

    The list consists of single addresses. Patterns are refused, and so is the removal of an
    address that is not on it.
    """
    name = " ".join(change.setting.words)
    known = getattr(game.chosen, change.setting.name)
    assert isinstance(known, (list, tuple)) and isinstance(change.value, tuple)
    pattern = next((word for word in change.value if set(word) & set("*?%")), None)
    if pattern:
        return phrase("list-no-patterns", setting=name, text=pattern)
    away = [word for word in taken_out(words) if word not in known]
    if away and away[0] not in game.dealings.barred:
        return phrase("list-not-on-it", setting=name, text=away[0])
    lists = {"allow": game.chosen.allow, "deny": game.chosen.deny}
    lists[change.setting.name] = change.value
    allow, deny = (set(lists[key]) for key in ("allow", "deny"))
    return phrase("list-fits-nobody") if allow and allow <= deny else None


def invitations(game: Game, now: datetime) -> list[Invitation]:
    """Return the invitations that have not expired."""
    return [each for each in game.dealings.invited.values() if each.until > now]


def invitation_of(game: Game, address: str, now: datetime) -> Invitation | None:
    """Return a person's invitation, or None."""
    low = address.lower()
    return next((each for each in invitations(game, now) if each.address == low), None)


def keep_invitations(game: Game, kept: Iterable[Invitation]) -> None:
    """Replace the invitations to a game by these."""
    game.change_requests(invited={each.address: each for each in kept})


def free_sides(game: Game, address: str, now: datetime) -> list[PowerInfo]:
    """Return the powers of a forming game that a person may still choose."""
    taken = {seat.power for seat in player_seats(game)}
    taken |= {each.power for each in invitations(game, now) if each.address != address.lower()}
    return [side for side in sides_of(game) if side.name not in taken]


def places_kept(game: Game, address: str, now: datetime) -> int:
    """Return how many places of a forming game are reserved for other people."""
    return sum(each.address != address.lower() for each in invitations(game, now))


def entry_problem(game: Game, address: str, words: Collection[str], now: datetime) -> Phrase | None:
    """Return why a person may not play in a game, or None. An invited one always may.

    The refusal does not reveal which list contains the address.
    """
    low = address.lower()
    if invitation_of(game, low, now):
        return None
    if is_barred(game, low):
        return phrase("entry-barred", game=game.name)
    allowed = game.chosen.allow
    known = set(game.context.aliases.addresses_of(low))
    if known & set(game.chosen.deny) or (allowed and not known & set(allowed)):
        return phrase("entry-not-for-you", game=game.name)
    private = game.chosen.private
    if private and private not in {word.casefold() for word in words}:
        return phrase("entry-private", game=game.name)
    return _reliability_problem(game, low)


def _reliability_problem(game: Game, address: str) -> Phrase | None:
    on_time, left = game.chosen.ontimerat, game.chosen.resrat
    points, level = game.chosen.dedication, game.chosen.level
    figures = game.context.register.figures(*game.context.aliases.addresses_of(address))
    if figures.on_time_share < on_time:
        return phrase("entry-on-time", game=game.name, wanted=on_time, share=figures.on_time_share)
    if figures.left_share > left:
        return phrase("entry-left", game=game.name, wanted=left, share=figures.left_share)
    if figures.dedication < points:
        return phrase("entry-dedication", game=game.name, wanted=points, points=figures.dedication)
    said = game.context.register.person(address).level
    if level and (not said or LEVELS.index(said) < LEVELS.index(level)):
        return phrase("entry-level", game=game.name, wanted=level.capitalize())
    return None


def requested_power(game: Game, power: str) -> str:
    """Return the power a newcomer asks for, or "" if the masters may not know it.

    In a gunboat game a master who plays learns who asks, but not for which power.
    """
    return power if masters_know(game) or not is_gunboat(game) else ""


def settle(game: Game, address: str) -> None:
    """Drop the invitation and the join request of a person who now has a seat."""
    low, dealings = address.lower(), game.dealings
    if low in dealings.invited:
        game.change_requests(
            invited={who: each for who, each in dealings.invited.items() if who != low}
        )
    if low in dealings.asking:
        game.change_requests(
            asking={who: each for who, each in dealings.asking.items() if who != low}
        )


def opened_by(context: Context, seats: Sequence[Seat], password: str) -> Seat | None:
    """Return the seat that a password opens, or None after the same amount of work."""
    right = context.password_check.is_right
    opened = [seat for seat in seats if right(seat.password, password)]
    if not seats:
        right("", password)
    return opened[0] if opened else None


def seat_named(game: Game, who: str, sender: str) -> Seat | None:
    """Return the seat a sign-on names, or None.

    It is a power's, a master's, or the sender's as observer.
    """
    return next(iter(seats_named(game, who, sender)), None)


def seats_named(game: Game, who: str, sender: str) -> list[Seat]:
    """Return the seats a sign-on may name. They are several only for several masters.

    The sender's own comes first.
    """
    seats = [seat for seat in game.all_seats() if is_present(seat)]
    if who.casefold() in ("m", "master"):
        masters = [seat for seat in seats if seat.role is Role.MASTER]
        return sorted(
            masters, key=lambda s: not game.context.aliases.is_same_person(s.address, sender)
        )
    if who.casefold() in ("o", "observer"):
        watching = [seat for seat in seats if is_watching(seat)]
        return [s for s in watching if game.context.aliases.is_same_person(s.address, sender)][:1]
    side = find_power(game, who)
    return [seat for seat in seats if side and seat.power == side.name][:1]


def is_watching(seat: Seat) -> bool:
    """Return whether a seat is an observer's or a monitor's."""
    return seat.role in (Role.OBSERVER, Role.MONITOR)


def observed_seats(context: Context, mail: Incoming, game: str = "") -> list[Seat]:
    """Return the seats from which a sender observes games, or one game."""
    found = [seat for address in context.aliases.addresses_of(mail.sender)
             for seat in context.games.seats_at(address)
             if is_watching(seat) and is_present(seat) and comes_from(context, mail, seat)]
    return [seat for seat in found if game in ("", context.games.get(seat.game).name)]


def password_problem(password: str) -> Phrase | None:
    """Return the problem with a new password, or None."""
    return None if is_acceptable(password) else phrase("password-unusable")


def own_settings(context: Context, address: str) -> SeatSettings:
    """Return the settings of a new seat from its person's registration."""
    zone = context.register.person(address).zone
    return SeatSettings(zone=zone or None)


def name_problem(context: Context, name: str) -> Phrase | None:
    """Return why a game cannot have a name, or None.

    The refusal of a taken name suggests a free one.
    """
    low = name.lower()
    if not (2 <= len(low) <= 8 and low.isascii() and low.isalnum() and low[0].isalpha()):
        return phrase("game-name-unusable", game=name)
    if context.games.find(low):
        taken = set(context.games.names())
        stem = low[:6]
        free = next(n for n in (f"{stem}{i}" for i in range(2, 100_000)) if n not in taken)
        return phrase("game-name-taken", game=low, free=free)
    return None


def masters_games(context: Context, address: str) -> int:
    """Return how many open games an address is master of."""
    seats = context.games.seats_at(address)
    mine = {seat.game for seat in seats if seat.role is Role.MASTER}
    return sum(is_open(context.games.get(number)) for number in mine)


def record_conduct(game: Game, seats: Iterable[Seat], deed: ConductKind, now: datetime) -> None:
    """Store a conduct record of the present phase for the people on some seats.

    A board for trying out orders (FORK) does not count.
    """
    if game.chosen.fork_of:
        return
    people = [(seat.address, seat.power) for seat in seats if seat.address]
    game.context.register.record_conduct(people, deed, game.id, game.phase, now)
