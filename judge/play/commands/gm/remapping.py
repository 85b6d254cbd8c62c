"""SET MAP with a map: another map of the same system before the start."""

from collections.abc import Sequence
from dataclasses import replace

from judge.board.bundle import name_in_key
from judge.dice import Dice
from judge.games import find_map, find_system, match_maps, near_maps
from judge.games.system import Option
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.model.seat_commands import ChangeSetting
from judge.play.commands.gm.running import announce_reason
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.people.admission import invitations, keep_invitations
from judge.play.people.power_allocation import parse_preferences
from judge.play.queries import is_dummy, is_present, map_title, player_seats, sides_of

_WORDS = ("MAP", "VARIANT", "BOARD")
_PICTURES = ("PNG", "SMALL", "SVG", "TEXT", "OFF", "ON", "NONE", "LINK", "ATTACHED")
"""Values of SET MAP and SET BOARD other than maps: forms of the board in one's own letters."""


def map_wished(command: ChangeSetting, role: Role) -> tuple[str, ...] | None:
    """Return the words for a map after SET MAP or SET VARIANT.

    None if the line is about something else.
    """
    first, *rest = (word.strip(",.") for word in command.words)
    if command.off or first.upper() not in _WORDS or not rest or rest[0].upper() in _PICTURES:
        return None
    words = tuple(word.lower() for word in rest)
    if not match_maps(words).maps and (first.upper() == "VARIANT" or role is not Role.MASTER):
        # In nJudge this line may set options for any map. A player's line is about pictures.
        return None
    return words


def change_map(session: Session, command: ChangeSetting, words: Sequence[str]) -> None:
    """Change the map of a forming game. Report settings that it drops."""
    game, meant = session.game, match_maps(words)
    if problem := _problem(session, game, words):
        session.refuse(command, problem, *_near(words))
        return
    name = meant.maps[0]
    if name == game.map:
        session.done(phrase("map-already", game=game.name, variant=map_title(game)))
        return
    system = find_system(game.system)
    options = {option.name: option for option in system.options(name)}
    were = {option.name for option in system.options(game.map)}
    settings = {
        key: value for key, value in game.settings.items()
        if key not in were or key in options and _fits(options[key], value)
    }
    position = system.initial_position(name, {}, Dice(game.seed, 0))
    game.change(
        map=name, position=position, settings={**settings, "set_up": False},
        phase=system.table(name, position, settings).phase.label,
    )
    dropped = tuple(sorted(key.replace("_", " ").upper() for key in {*game.settings} ^ {*settings}
                           if key in were))
    powers = len(sides_of(game))
    told = phrase("map-changed", game=game.name, variant=map_title(game), players=powers)
    announce_reason(session, game, told)
    if dropped:
        session.done(phrase("map-options-dropped", options=dropped))
    _refit(session, game)
    session.mark_changed(game)


def _problem(session: Session, game: Game, words: Sequence[str]) -> Phrase | None:
    meant = match_maps(words)
    if session.seat.role is not Role.MASTER:
        return phrase("setting-master-only", setting="MAP")
    if game.state is not GameState.FORMING:
        return phrase("setting-before-start", setting="MAP")
    if len(meant.maps) > 1:
        return phrase("map-several", maps=tuple(map(name_in_key, meant.maps)))
    if not meant.maps or set(words) - meant.words:
        return phrase("map-unknown", words=tuple(words), known=near_maps(words))
    system, name = find_map(meant.maps[0]), name_in_key(meant.maps[0])
    assert system is not None
    if system.name != game.system:
        titles = (system.title, find_system(game.system).title)
        return phrase("map-other-system", map=name, other=titles[0], own=titles[1])
    joined = sum(is_present(seat) for seat in player_seats(game))
    joined += len(invitations(game, session.now))
    powers = len(system.powers(meant.maps[0], {}))
    if joined > powers:
        return phrase("map-too-small", map=name, powers=powers, players=joined)
    return None


def _near(words: Sequence[str]) -> tuple[str, ...]:
    if match_maps(words).maps:
        return ()
    near = near_maps(words)
    return tuple(f"SET MAP {name}" for name in near[:3]) if len(near) < 6 else ("LIST MAPS",)


def _fits(option: Option, value: object) -> bool:
    if option.values:
        return value in option.values
    return isinstance(value, int) and (
        value == option.default or option.least <= value <= option.most
    )


def _refit(session: Session, game: Game) -> None:
    """Remove powers that the map lacks from wishes, places, dummies and invitations."""
    known, news = {side.name for side in sides_of(game)}, len(session.news)
    for seat in player_seats(game):
        fitted = _adapt_seat(game, seat, known)
        if fitted != seat:
            session.context.games.save_seat(fitted)
            if is_present(seat) and len(session.news) == news:
                session.announce(game, phrase("map-wishes-dropped", game=game.name))
    kept = [
        each if not each.power or each.power in known else replace(each, power="")
        for each in invitations(game, session.now)
    ]
    keep_invitations(game, kept)


def _adapt_seat(game: Game, seat: Seat, known: set[str]) -> Seat:
    if is_dummy(seat):
        return seat if seat.power in known else replace(seat, state=SeatState.LEFT)
    wishes = parse_preferences(seat.preference, game)[0]
    power = seat.power if seat.power in known else ""
    preference = "" if isinstance(wishes, Phrase) else wishes
    return replace(seat, power=power, preference=preference)
