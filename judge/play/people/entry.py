"""Who may play in a game: lists, invitations, the word of a private game, reliability, approval."""

from collections.abc import Collection, Iterable
from datetime import datetime

from judge.games.system import Side
from judge.play.dealings import Invitation
from judge.play.game import Game
from judge.play.letters.disguise import is_gunboat, masters_know
from judge.play.office import player_seats, sides_of
from judge.play.people.eligibility import is_barred
from judge.words.person import LEVELS
from judge.words.reason import Reason, because


def invitations(game: Game, now: datetime) -> list[Invitation]:
    """Return the invitations that still hold."""
    return [each for each in game.dealings.invited.values() if each.until > now]


def invitation_of(game: Game, address: str, now: datetime) -> Invitation | None:
    """Return somebody's invitation, or None."""
    low = address.lower()
    return next((each for each in invitations(game, now) if each.address == low), None)


def keep_invitations(game: Game, kept: Iterable[Invitation]) -> None:
    """Have these invitations to a game stand, and no others."""
    game.deal(invited={each.address: each for each in kept})


def free_sides(game: Game, address: str, now: datetime) -> list[Side]:
    """Return the powers of a forming game that somebody at an address may still choose."""
    taken = {seat.power for seat in player_seats(game)}
    taken |= {each.power for each in invitations(game, now) if each.address != address.lower()}
    return [side for side in sides_of(game) if side.name not in taken]


def places_kept(game: Game, address: str, now: datetime) -> int:
    """Return how many places of a forming game are kept for others than the one at an address."""
    return sum(each.address != address.lower() for each in invitations(game, now))


def entry_problem(
    game: Game, address: str, words: Collection[str], now: datetime
) -> Reason | None:
    """Return why somebody may not play in a game, or None. Who is invited may, whatever the rest.

    The words of a refusal do not tell which list somebody is on.
    """
    low = address.lower()
    if invitation_of(game, low, now):
        return None
    if is_barred(game, low):
        return because("entry-barred", game=game.name)
    allowed = game.chosen.allow
    known = set(game.office.aliases.of(low))
    if known & set(game.chosen.deny) or (allowed and not known & set(allowed)):
        return because("entry-not-for-you", game=game.name)
    private = game.chosen.private
    if private and private not in {word.casefold() for word in words}:
        return because("entry-private", game=game.name)
    return _reliability_problem(game, low)


def _reliability_problem(game: Game, address: str) -> Reason | None:
    on_time, left = game.chosen.ontimerat, game.chosen.resrat
    points, level = game.chosen.dedication, game.chosen.level
    figures = game.office.register.figures(*game.office.aliases.of(address))
    if figures.on_time_share < on_time:
        return because(
            "entry-on-time", game=game.name, wanted=on_time, share=figures.on_time_share
        )
    if figures.left_share > left:
        return because("entry-left", game=game.name, wanted=left, share=figures.left_share)
    if figures.dedication < points:
        return because(
            "entry-dedication", game=game.name, wanted=points, points=figures.dedication
        )
    said = game.office.register.person(address).level
    if level and (not said or LEVELS.index(said) < LEVELS.index(level)):
        return because("entry-level", game=game.name, wanted=level.capitalize())
    return None


def power_asked(game: Game, power: str) -> str:
    """Return the power a newcomer asks for, as the masters may know it: empty where it is secret.

    In a gunboat game a master who plays learns who asks, but not for what.
    """
    return power if masters_know(game) or not is_gunboat(game) else ""


def settle(game: Game, address: str) -> None:
    """Drop the invitation and the question of somebody who has a seat in a game now."""
    low, dealings = address.lower(), game.dealings
    if low in dealings.invited:
        game.deal(invited={who: each for who, each in dealings.invited.items() if who != low})
    if low in dealings.asking:
        game.deal(asking={who: each for who, each in dealings.asking.items() if who != low})
