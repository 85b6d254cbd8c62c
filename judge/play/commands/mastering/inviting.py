"""The master invites people: a seat is kept for them."""

from datetime import datetime, timedelta

from judge.play.choices.limits import is_address
from judge.play.commands.outcome import Outcome, refused, said
from judge.play.commands.seats.outreach import first_chance, send, unsend
from judge.play.commands.session import Session
from judge.play.dealings import Invitation
from judge.play.game import Game
from judge.play.letters.disguise import may_know
from judge.play.letters.telling import letter_outside
from judge.play.office import (
    find_side,
    is_offered,
    is_open,
    is_present,
    no_such_power,
    player_seats,
    sides_of,
)
from judge.play.people.eligibility import let_in
from judge.play.people.entry import (
    free_sides,
    invitation_of,
    invitations,
    keep_invitations,
    places_kept,
)
from judge.words.reason import Reason, because
from judge.words.record import GameState, Role
from judge.words.seats import Invite

KEPT_FOR = timedelta(days=7)
"""How long a seat is kept for somebody invited."""


def invite(session: Session, command: Invite) -> Outcome:
    """Keep a seat for somebody and mail the line that takes it; or take the invitation back."""
    game, address = session.game, command.address.lower()
    if command.off:
        return _take_back(session, command, game, address)
    power = _power_named(session, command, game)
    # Who may not know the players is not told by an answer who they are: such an invitation goes
    # out like any other, and whoever plays already can do nothing with it.
    unknown = not may_know(game, session.seat)
    problem = power if isinstance(power, Reason) else problem_of(
        session, game, address, even_seated=unknown
    )
    if problem:
        return refused(command, problem, *_powers_to_name(session, command, game))
    assert not isinstance(power, Reason)
    due, did = first_chance(session, address, _about(game, address))
    if isinstance(due, Reason):
        return did + refused(command, due)
    else:
        return _send(session, game, address, power, due)


def _about(game: Game, address: str) -> str:
    return f"invite {game.id} {address}"


def _take_back(session: Session, command: Invite, game: Game, address: str) -> Outcome:
    if invitation_of(game, address, session.now) is None:
        return refused(command, because("uninvite-nobody", address=address))
    kept = [each for each in invitations(game, session.now) if each.address != address]
    keep_invitations(game, kept)
    did = unsend(session, _about(game, address))
    return did + said(because("uninvited", address=address))


def _power_named(session: Session, command: Invite, game: Game) -> str | Reason:
    """Return the power an invitation is for (empty: any of a forming game), or why none."""
    side = find_side(game, command.power) if command.power else None
    if command.power and side is None:
        return no_such_power(game, command.power)
    if game.state is GameState.FORMING:
        free = free_sides(game, command.address, session.now)
        if side and side not in free:
            return because("power-taken", power=side.name, game=game.name)
        return side.name if side else ""
    vacant = vacant_powers(session, game)
    if side is None:
        return vacant[0] if len(vacant) == 1 else because("invite-which", game=game.name)
    if side.name not in vacant:
        return because("invite-not-vacant", power=side.name, game=game.name)
    return side.name


def vacant_powers(session: Session, game: Game) -> list[str]:
    """Return the vacant powers that are still in a game that has begun."""
    if game.state is GameState.FORMING:
        return []
    alive = game.table.alive()
    seats = player_seats(game)
    return [s.power for s in seats if is_offered(s) and s.power in alive]


def _powers_to_name(session: Session, command: Invite, game: Game) -> list[str]:
    if game.state is GameState.ENDED or command.power:
        return []
    return [f"INVITE {command.address} {power}" for power in vacant_powers(session, game)]


def problem_of(
    session: Session, game: Game, address: str, *, even_seated: bool = False
) -> Reason | None:
    """Return why a game has no seat for an address, or None.

    With `even_seated` it is not looked at whether the address has one.
    """
    seats = [seat for seat in game.all_seats() if is_present(seat)]
    if not is_open(game):
        return because("already-over", game=game.name)
    if not is_address(address):
        return because("no-address", text=address)
    if not even_seated and any(
        s.role is Role.PLAYER and s.address.lower() == address for s in seats
    ):
        return because("invite-seated", address=address, game=game.name)
    joined = len(player_seats(game)) + places_kept(game, address, session.now)
    if game.state is GameState.FORMING and joined >= len(sides_of(game)):
        return because("invite-full", game=game.name)
    return None


def _send(
    session: Session, game: Game, address: str, power: str, due: datetime
) -> Outcome:
    """Keep a seat and mail somebody, as soon as that may be, the line that takes it."""
    until = due + KEPT_FOR
    others = [each for each in invitations(game, session.now) if each.address != address]
    people = game.dealings.asking
    game.deal(asking={who: asked for who, asked in people.items() if who != address})
    let_in(game, address)
    keep_invitations(game, [*others, Invitation(address, power, until)])
    line = f"JOIN {game.name} yourpassword"
    if game.state is not GameState.FORMING:
        initial = next(side.letter for side in sides_of(game) if side.name == power)
        line = f"TAKEOVER {initial}{game.name} yourpassword"
    letter = letter_outside(
        game, address, "a seat is kept for you", "invite", power=power, line=line, until=until,
    )
    reason = because("invited", address=address, power=power or "a power", game=game.name)
    return send(session, letter, _about(game, address), due, reason)
