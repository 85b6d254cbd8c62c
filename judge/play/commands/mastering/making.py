"""CREATE: a game is made; and what a mail set in motion when it is worked."""

from judge.dice import Dice, fresh_seed
from judge.games import all_systems, find_map
from judge.play.clocks.clockwork import reconsider
from judge.play.clocks.muster import gather
from judge.play.commands.outcome import NOTHING, Outcome, Unsaid, closed, posted, refused, said
from judge.play.commands.seats.signup import add_seat, settled_in
from judge.play.commands.session import Session
from judge.play.governing.settling import settle_votes
from judge.play.office import is_open, map_title, sides_of, told_privately
from judge.play.people.creating import masters_games, name_problem
from judge.play.people.signup import password_problem
from judge.words.reason import Reason, because
from judge.words.record import GameRecord, GameState, Role, SeatState
from judge.words.seats import Create

DEFAULT_MAP = "youngstown"
"""What CREATE makes where no map is named: our main game."""


def create(session: Session, command: Create) -> Outcome:
    """Make a game; the sender becomes its master. All or nothing."""
    office, name = session.office, command.game.lower()
    problem = _creation_problem(session, command)
    if problem:
        return closed(shut=True) + refused(command, problem)
    maps = [word for word in command.variant if find_map(word)]
    map_name = maps[0] if maps else DEFAULT_MAP
    system = find_map(map_name)
    assert system is not None
    seed = fresh_seed()
    position = system.opening(map_name, {}, Dice(seed, 0))
    game = office.games.add(
        GameRecord(
            0,
            name,
            system.name,
            map_name,
            GameState.FORMING,
            system.table(map_name, position, {}).phase.label,
            0,
            position,
            {},
            seed,
            session.now,
        )
    )
    assert game is not None
    seat = add_seat(session, game, command.password, Role.MASTER, SeatState.HELD)
    office.watchbook.hear(seat.id, session.now)
    did = settled_in(seat)
    return did + said(
        because(
            "game-created",
            game=name,
            variant=map_title(game),
            players=len(sides_of(game)),
            commitment=Dice(seed, 0).commitment(),
        )
    )


def _creation_problem(session: Session, command: Create) -> Reason | None:
    """Return why a game cannot be made, or None."""
    policy, office = session.office.policy, session.office
    own = masters_games(office, session.mail.sender)
    if own >= policy.open_games and not policy.is_keeper(session.mail.sender):
        return because("create-too-many", most=policy.open_games)
    if policy.create == "keeper" and not policy.is_keeper(session.mail.sender):
        return because("create-keeper-only")
    problem = name_problem(office, command.game)
    if problem:
        return problem
    unknown = tuple(word for word in command.variant if not find_map(word))
    if unknown or len(command.variant) > 1:
        known = tuple(sorted(name for system in all_systems() for name in system.maps()))
        return because("variant-unknown", words=unknown or command.variant, known=known)
    return password_problem(command.password)


def settle_starts(session: Session) -> Outcome:
    """Start the forming games this mail completed, and hasten the running ones it may have."""
    did = NOTHING
    for game_id in session.changed:
        game = session.office.games.get(game_id)
        if game.state is GameState.FORMING:
            did += posted(*gather(game, session.now))
        else:
            did += posted(*settle_votes(game, session.now))
            if not is_open(game):
                # Nobody is to be asked to take over what has just ended.
                code = told_privately(game, "seat-vacant", "seat-vacant-private")
                did += Unsaid(game_id, code)
            reconsider(game, session.now)
    return did
