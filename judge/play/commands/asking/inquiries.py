"""Questions anybody may ask: LIST, SUMMARY, HELP, VERSION, MAP, RATING, STATISTICS."""

import json
from collections.abc import Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any

from judge import __version__
from judge.digits import is_number
from judge.games import all_systems, find_system, is_installed, maps_meant, near_maps
from judge.games.capabilities import Chronicle, Drawn, PlacesTold, ProgramRows, having
from judge.games.system import Reader
from judge.model.asking import (
    Help,
    ListGames,
    ShowMap,
    ShowRating,
    ShowStatistics,
    Summary,
    Version,
    WhoPlays,
)
from judge.model.command import Command
from judge.model.letter import Kind
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat, Turn
from judge.play.choices.house_rules import house_rules
from judge.play.choices.offering import lacking, offers, topic_lacking
from judge.play.choices.settings import value_said
from judge.play.choices.settingtable import house_rules_of, settings_of
from judge.play.chosen import DEFAULTS, usual_times
from judge.play.clocks.excuses import taken_by_power
from judge.play.commands.asking.boards import MAPS, NAMES, STATE, list_maps, show_board
from judge.play.commands.asking.choosing import read_wish
from judge.play.commands.asking.own_games import own_rows
from judge.play.commands.picture_ration import rationed
from judge.play.commands.seats.signup import find_game
from judge.play.commands.session import Answer, Session
from judge.play.game import Game
from judge.play.letters.illustrations import (
    MOST_PICTURES,
    OFF,
    TEXT,
    View,
    front_view,
    standing_view,
    turn_view,
    view_with_front,
    wish_of,
)
from judge.play.letters.inquiries import help_facts, rows_asked
from judge.play.letters.kept_phrases import recalled
from judge.play.letters.letter_factory import game_facts, roster
from judge.play.people.admission import free_sides, places_kept, power_asked
from judge.play.queries import (
    bots_in,
    is_present,
    phase_meant,
    places,
    player_seats,
    reader_of,
    system_missing,
    takeover_line,
    vacant_seats,
)
from judge.play.rating import finished_games, listed, map_facts, names_of, skills
from judge.topics import find_topic, tellers_of, topic_meant, topic_of_system

MOST_IN_FULL = 20
"""Games that LIST FULL shows; more would make a book of it."""
MOST_LISTED = 100
"""Games that LIST looks at: anybody may ask, and mail at the door waits for the answer."""


def list_games(session: Session, command: ListGames) -> None:
    """List the public games, those that look for players first; or one game, or all, in full."""
    named = " ".join(command.words)
    if named in MAPS:
        list_maps(session)
        return
    if session.context.games.find(named):
        game = find_game(session, command, named, opens=False)
        if game is not None:
            _show_game(session, game, _row(session, game))
        return
    wish = read_wish(command.words, session.now)
    if wish.unknown == command.words and len(wish.unknown) == 1:
        find_game(session, command, named, opens=False)
        return
    if wish.unknown:
        session.refuse(command, phrase("list-unknown", words=wish.unknown), "LIST", "HELP LIST")
        return
    found = session.context.games.going(MOST_LISTED + 1)
    games = [game for game in found[:MOST_LISTED] if game.chosen.listed]
    facts = [(game, _row(session, game)) for game in games]
    fitting = [(game, row) for game, row in facts if wish.fits(game, row, session.now)]
    rows = sorted((row for _, row in fitting), key=lambda row: not row["looks"])
    session.show(Kind.INFO, "list", rows=rows, asked_for=" ".join(command.words).upper())
    if own := own_rows(session):
        session.show(Kind.INFO, "mine", asked="MY GAMES", rows=own)
    if len(found) > MOST_LISTED:
        session.done(phrase("list-not-all", most=MOST_LISTED))
    if command.full:
        for game, row in fitting[:MOST_IN_FULL]:
            _show_game(session, game, row, f"LIST {game.name}")


def _row(session: Session, game: Game) -> dict[str, Any]:
    """Return the facts of one game: who has joined, what is vacant, how to get in."""
    forming = game.state is GameState.FORMING
    seats = player_seats(game)
    held = [seat for seat in seats if is_present(seat)]
    alive = () if forming or game.state is GameState.ENDED else game.table.alive()
    bots = [power for power in bots_in(game) if forming or power in alive]
    offered = [] if game.state is GameState.ENDED else vacant_seats(game)
    vacant = [seat.power for seat in offered if seat.power not in bots]
    kept = places_kept(game, session.person, session.now)
    looks = bool(vacant) or forming and len(held) + kept < places(game)
    choice = looks and forming and game.chosen.power_choice
    return {
        "game": game_facts(game),
        "players": len(held),
        "kept": kept,
        "powers": places(game),
        "vacant": vacant,
        "bots": bots,
        "takeovers": [takeover_line(game, power, "newpassword") for power in vacant],
        "free": [s.name for s in free_sides(game, session.person, session.now)]
        if choice
        else [],
        "private": bool(game.chosen.private),
        "approval": game.chosen.approval,
        "muster": game.clock.muster_until if forming else None,
        "looks": looks,
    }


def _show_game(
    session: Session, game: Game, row: Mapping[str, Any], asked: str = ""
) -> None:
    """Show a game in full; `row` are its facts in a list."""
    seat = own_seat(session, game)
    reader = reader_of(game, seat)
    begun = game.state is not GameState.FORMING
    ended = json.loads(game.result)["reason"] if game.result else None
    free = [*row["vacant"], *(row["bots"] if begun and not ended else ())]
    session.show(
        Kind.INFO,
        "list-game",
        asked=asked,
        system=game.system,
        **{**row, "takeovers": [takeover_line(game, each, "newpassword") for each in free]},
        roster=roster(game, seat),
        excused=taken_by_power(game) if is_installed(game.system) else [],
        standing=game.table.standing(reader) if begun and is_installed(game.system) else None,
        settings=_settings_told(game, master=seat is not None and seat.role is Role.MASTER),
        watchers=sorted(game.dealings.watchers) if seat and seat.role is Role.MASTER else [],
        asking=_asking(game) if seat and seat.role is Role.MASTER else [],
        ended=recalled(ended, game.system) if ended else None,
    )


def who_plays(session: Session, command: WhoPlays) -> None:
    """Tell who plays in a game, as far as he who asks may know; of people without a game nothing.
    """
    if command.game and session.context.games.find(command.game) is None:
        session.refuse(command, phrase("who-nobody", word=command.game), "WHO marco", "INFO PLAYER")
        return
    game = game_asked(session, command, command.game)
    if game is None:
        return
    row, seat = _row(session, game), own_seat(session, game)
    session.show(Kind.INFO, "who", system=game.system, **row, roster=roster(game, seat))


def _asking(game: Game) -> list[tuple[str, str]]:
    people = sorted(game.dealings.asking.items())
    return [(who, power_asked(game, each.power)) for who, each in people]


def own_seat(session: Session, game: Game) -> Seat | None:
    """Return the open seat if it is in this game."""
    if session.is_signed_on and session.current.game == game.id:
        return session.seat
    return None


def _settings_told(game: Game, *, master: bool) -> list[tuple[str, Phrase | str]]:
    """Return the settings that differ from the defaults, as the words of a SET line and a value.

    Lists of people and the word of a private game are the master's alone; what is kept among the
    settings without being one is nobody's.
    """
    rows: dict[str, tuple[str, Phrase | str]] = {}
    settings, clocks = settings_of(game), find_system(game.system).clocks
    known = {row.name: row for row in reversed(settings)}
    usual, house = {**DEFAULTS, **usual_times(clocks)}, house_rules_of(clocks)
    for name, value in game.settings.items():
        row = known.get(name)
        if row is None or name not in usual or not value and not usual[name]:
            continue
        if value == usual.get(name) or row and row.secret and not master:
            continue
        if game.settings.get("house") and house.get(name) == value and name != "house":
            continue
        said = next((r for r in settings if r.name == name and r.value == value), None)
        if said and isinstance(value, str):
            rows[name] = (" ".join(said.words), phrase("yes"))
        else:
            on = phrase("yes" if value else "no")
            told = on if isinstance(value, bool) else value_said(row.takes, value)
            rows[name] = (" ".join(row.words), told)
    rules = ((rule.words, rule.told) for rule in house_rules(game))
    return [*sorted(rows.values(), key=itemgetter(0)), *rules]


def summary(session: Session, command: Summary) -> None:
    """Show how a game went, year by year."""
    game = game_asked(session, command, command.game)
    if game is None:
        return
    if problem := lacking(game, Chronicle):
        session.refuse(command, problem, f"HISTORY {game.name}")
        return
    turns = [(turn.phase, turn.after) for turn in game.turns()]
    seat = own_seat(session, game)
    reader = reader_of(game, seat)
    system = having(find_system(game.system), Chronicle)
    chronicle = system.chronicle(game.map, game.settings, turns, reader)
    session.show(
        Kind.INFO, "summary", system=game.system, game=game_facts(game), chronicle=chronicle
    )


def game_asked(session: Session, command: Command, name: str) -> Game | None:
    """Return the game a question names, else that of the open seat, or the refusal."""
    if name:
        found = find_game(session, command, name, opens=False)
        missing = system_missing(found) if found else None
        if missing:
            session.refuse(command, missing)
            return None
        return found
    if session.is_signed_on:
        return session.game
    session.refuse(command, phrase("which-game", word=command.text.split()[0].upper()))
    return None


def help_with(session: Session, command: Help) -> None:
    """Show a help topic; an unknown one gets the list and those near it."""
    session.add(Answer(language=command.language))
    game = session.game if session.is_signed_on else None
    rows = rows_asked(command.topic, game)
    kinds = session.kinds.values()
    if command.topic.startswith("info.") and topic_meant(command.topic[5:]) is None:
        asked = ListGames(line=command.line, text=command.text, words=(command.topic[5:],))
        list_games(session, asked)
        return
    if command.topic.startswith("transform"):
        session.refuse(command, phrase("old-get-transform"), "HELP ORDERS")
        return
    own = game.system if game else ""
    topic, near = ("settings", ()) if rows else _topic_asked(command.topic, own)
    if topic is None and any(command.topic.upper() in kind.spellings for kind in kinds):
        topic = "index"
    if topic is None:
        session.refuse(command, phrase("no-such-topic", topic=command.topic), *near)
        topic = "index"
    if game and (problem := topic_lacking(game, topic)):
        session.refuse(command, problem)
        topic = "index"
    # Who has a game open is told what all games have in common with lines of that game; but what
    # only another system tells of knows nothing of it, and cannot say its rules.
    for teller in tellers_of(topic, own):
        system = teller or own
        facts = help_facts(rows, game if system == own else None, kinds)
        facts["system"] = system
        session.show(Kind.HELP, f"help/{topic}", **facts)


def _topic_asked(words: str, system: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the topic meant; HELP SET VICTORY asks for what tells of VICTORY."""
    if own := topic_of_system(words, system):
        return own, ()
    bare = words.casefold().removeprefix("set ").removeprefix("info.")
    topic, near = find_topic(bare)
    return (topic, near) if topic else find_topic(words)


def version(session: Session, command: Version) -> None:
    """Tell the version of the judge."""
    session.done(phrase("version", version=__version__))


def show_rating(session: Session, command: ShowRating) -> None:
    """Show the players by their rating, and where the one who asks stands."""
    context = session.context
    heads = context.aliases.heads()
    known = skills(finished_games(context), heads)
    rows, head = listed(context, known, heads), heads.get(session.person, session.person)
    session.show(
        Kind.INFO,
        "rating",
        rows=rows[:MOST_LISTED],
        left_out=max(0, len(rows) - MOST_LISTED),
        nameless=len(known) - len(rows),
        own=known.get(head),
        named=head in names_of(context, heads),
    )


def show_statistics(session: Session, command: ShowStatistics) -> None:
    """Show how the powers of a map did; of every map that has been played to an end, if none is
    named."""
    known = [name for system in all_systems() for name in system.maps()]
    if command.map and command.map not in known:
        lines = [f"STATISTICS {name}" for name in near_maps([command.map])][:4]
        session.refuse(command, phrase("statistics-map", word=command.map), *lines)
        return
    games = finished_games(session.context)
    played = [name for name in known if any(game.map == name for game in games)]
    for name in [command.map] if command.map in played else played if not command.map else []:
        facts = map_facts([game for game in games if game.map == name])
        session.show(Kind.INFO, "statistics", **facts)
    if command.map not in ("", *played) or not played:
        session.done(phrase("statistics-none"))


def show_map(session: Session, command: ShowMap) -> None:
    """Show the board of a game, now or in a phase played before."""
    if command.phase.strip() == "*" and not command.game:
        own = [str(row["game"]["name"]) for row in own_rows(session)]  # type: ignore[index]
        reason = phrase("map-all" if own else "map-all-none")
        session.refuse(command, reason, *([f"MAP {each}" for each in own[:4]] or ["LIST"]))
        return
    name, words = game_and_phase(session, command.game, command.phase)
    map_name = _map_asked(session, name, words)
    asked = session.current.asked
    enough = sum(map(asked.count, ("map", "board-of-map"))) >= MOST_PICTURES
    if map_name and not enough and command.form != STATE:
        wish, more = ("", Answer()) if command.form == NAMES else _wish(session, command, None)
        show_board(session, command, map_name, wish, more)
        return
    game = game_asked(session, command, name)
    if game is None:
        return
    if command.form == NAMES:
        # A game's places are called as on its map, in whatever phase.
        show_board(session, command, game.map, "", Answer())
        return
    if command.form == STATE:
        _show_program_rows(session, command, game, words)
        return
    if enough:
        session.refuse(command, phrase("too-many-maps", limit=MOST_PICTURES))
    else:
        _show_map_of(session, command, game, words)


def _show_map_of(session: Session, command: ShowMap, game: Game, words: str) -> None:
    """Show the board of a game, by default as it is now."""
    label = phase_meant(game, words)
    turn = turn_called(game, words)
    if turn is None and label not in ("", game.phase):
        reason = phrase("map-not-played", phase=label, game=game.name)
        session.refuse(command, reason, f"MAP {game.name}")
        return
    seat = own_seat(session, game)
    reader = reader_of(game, seat)
    if not (offers(game, Drawn) or offers(game, PlacesTold)):
        _in_words(session, game, seat, reader, turn)
        return
    wish, more = _wish(session, command, game)
    if turn:
        view = turn_view(game, reader, wish, turn.phase, turn.outcome)
    else:
        view = standing_view(game, reader, wish)
        view = view_with_front(front_view(game, reader, wish), view, only_files=True)
    if view.is_empty:
        session.add(more)
        session.refuse(command, phrase("map-hidden", game=game.name))
        return
    results = None
    if turn and wish == TEXT:
        results = find_system(game.system).retell(game.map, turn.outcome, reader)
    session.add(replace(more, pictures=tuple(view.pictures)))
    session.show(
        Kind.INFO, "map", system=game.system, game=game_facts(game, seat), map=view.facts,
        results=results, standing=None,
    )


def _show_program_rows(session: Session, command: ShowMap, game: Game, words: str) -> None:
    """Send the position of a game that has begun as rows for programs."""
    table = game.table
    problem = lacking(game, ProgramRows)
    if problem:
        session.refuse(command, problem, f"EXPORT {game.name}")
        return
    assert isinstance(table, ProgramRows)
    if game.state is GameState.FORMING or phase_meant(game, words) not in ("", game.phase):
        session.refuse(command, phrase("map-state-now"), f"MAP {game.name} STATE")
        return
    rows = table.program_rows(reader_of(game, own_seat(session, game)))
    session.show(Kind.INFO, "map-state", system=game.system, game=game_facts(game), rows=rows)


def _in_words(
    session: Session, game: Game, seat: Seat | None, reader: Reader, turn: Turn | None
) -> None:
    """Tell how a game of a system without pictures stands, or what came of a phase of it."""
    system, begun = find_system(game.system), game.state is not GameState.FORMING
    results = system.retell(game.map, turn.outcome, reader) if turn else None
    reason = lacking(game, Drawn)
    assert reason is not None
    session.done(reason)
    session.show(
        Kind.INFO, "map", system=game.system, game=game_facts(game, seat), map=View().facts,
        results=results, standing=game.table.standing(reader) if begun and not turn else None,
    )


def game_and_phase(session: Session, game: str, phase: str) -> tuple[str, str]:
    """Return the game that a line names, and the words for a phase: what a game calls one of its
    phases is no other game's name."""
    words = " ".join(filter(None, (game, phase)))
    if not words:
        return "", ""
    known = [find_system(session.game.system)] if session.is_signed_on else all_systems()
    return ("", words) if any(system.find_phase(words) for system in known) else (
        game, phase
    )


def turn_called(game: Game, words: str) -> Turn | None:
    """Return a phase that was played, by words for it or its number; the last of that name."""
    return _turn(game, phase_meant(game, words)) or _turn_by_number(game, words)


def _turn(game: Game, label: str) -> Turn | None:
    """Return a phase that was played, by its label; the last of that name."""
    turns = game.turns() if label else []
    return next((turn for turn in reversed(turns) if turn.phase == label), None)


def _map_asked(session: Session, name: str, words: str) -> str:
    """Return the map that is asked for without a game, or nothing: a game of that name is meant."""
    meant = maps_meant([*name.split(), *words.lower().split()])
    if len(meant.maps) != 1 or session.context.games.find(name):
        return ""
    return meant.maps[0]


def _turn_by_number(game: Game, words: str) -> Turn | None:
    """Return the phase that a number counts, as nJudge has it: 1 is the first that was played."""
    turns = game.turns() if is_number(words, 3) else []
    return turns[int(words) - 1] if 0 < len(turns) >= int(words or 0) > 0 else None


def _wish(session: Session, command: ShowMap, game: Game | None) -> tuple[str, Answer]:
    """Return how the board is shown: as the line says, else as its reader wants it in general.

    Who wants none with letters and asks for one all the same gets a picture.
    """
    wish = command.form or wish_of(session.context, own_seat(session, game) if game else None)
    return rationed(session, session.current, "png" if wish == OFF else wish)
