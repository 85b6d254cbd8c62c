"""LIST, WHO, SUMMARY, VERSION, RATING and STATISTICS."""

import json
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from judge import __version__
from judge.board.bundle import name_in_key
from judge.games import all_systems, find_system, is_playable, near_maps
from judge.games.capabilities import YearlyHistory, with_capability
from judge.model.command import (
    AuditDetail,
    Command,
    CommandForm,
    Permission,
    Spans,
    Typed,
    Where,
    Words,
    plain_words,
)
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat
from judge.play.choices.capabilities import capability_refusal
from judge.play.choices.house_rules import house_rules
from judge.play.choices.settings import format_setting_value
from judge.play.choices.settingtable import house_rules_of, settings_of
from judge.play.clocks.excuses import taken_by_power
from judge.play.commands.asking.boards import MAPS, list_maps
from judge.play.commands.asking.list_filters import parse_filters
from judge.play.commands.asking.own_games import own_rows
from judge.play.commands.row import command, reads
from judge.play.commands.seats.signup import find_game
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.game_settings import DEFAULTS, usual_times
from judge.play.letters.kept_phrases import load_phrase
from judge.play.letters.letter_factory import game_facts, roster
from judge.play.people.admission import free_sides, places_kept, requested_power
from judge.play.queries import (
    bots_in,
    is_present,
    map_rules,
    player_count,
    player_seats,
    reader_of,
    system_missing,
    takeover_line,
    vacant_seats,
)
from judge.play.rating import finished_games, map_facts, names_of, rank_players, skills

MAX_IN_FULL = 20
"""Maximum number of games that LIST FULL shows, so that the reply stays short."""
MAX_LISTED = 100
"""Maximum number of games that LIST reads, because other mails wait meantime."""


@command(
    CommandForm("LIST, WHOGAME, WHO GAME", "LIST marco"), who=Permission.ANYBODY, rule="games",
    log=AuditDetail.NOTHING, as_power=True,
)
class ListGames(Command):
    """List of games: `LIST`, `LIST marco FULL`, `LIST standard gunboat vacant`.

    *words* are a game's name or conditions for games, in lower case. `LIST MAPS` lists the
    maps.
    """

    words: tuple[str, ...] = ()
    full: bool = False

    @reads("games")
    @classmethod
    def read(cls, typed: Words, *, at: Where) -> "ListGames":
        """LIST marco FULL, LIST standard gunboat."""
        words = [word.rstrip(".!:") for word in plain_words(typed)]
        named = tuple(word for word in words if word not in ("", "full"))
        return cls(**at, words=named, full="full" in words)

    def run(self, session: Session) -> None:
        """List the public games, games that need players first, or show games in full."""
        named = " ".join(self.words)
        if named in MAPS:
            list_maps(session)
            return
        if session.context.games.find(named):
            game = find_game(session, self, named, opens=False)
            if game is not None:
                _show_game(session, game, _row(session, game))
            return
        wish = parse_filters(self.words, session.now)
        if wish.unknown == self.words and len(wish.unknown) == 1:
            find_game(session, self, named, opens=False)
            return
        if wish.unknown:
            session.refuse(self, phrase("list-unknown", words=wish.unknown), "LIST", "HELP LIST")
            return
        found = session.context.games.list_open(MAX_LISTED + 1)
        games = [game for game in found[:MAX_LISTED] if game.chosen.listed]
        facts = [(game, _row(session, game)) for game in games]
        fitting = [(game, row) for game, row in facts if wish.fits(game, row, session.now)]
        rows = sorted((row for _, row in fitting), key=lambda row: not row["looks"])
        session.show(LetterKind.INFO, "list", rows=rows, asked_for=" ".join(self.words).upper())
        if own := own_rows(session):
            session.show(LetterKind.INFO, "mine", asked="MY GAMES", rows=own)
        if len(found) > MAX_LISTED:
            session.done(phrase("list-not-all", most=MAX_LISTED))
        if self.full:
            for game, row in fitting[:MAX_IN_FULL]:
                _show_game(session, game, row, f"LIST {game.name}")


def _row(session: Session, game: Game) -> dict[str, Any]:
    """Return the facts of one game: players, vacant powers and ways to join."""
    forming = game.state is GameState.FORMING
    seats = player_seats(game)
    held = [seat for seat in seats if is_present(seat)]
    alive = () if forming or game.state is GameState.ENDED else game.table.powers_alive()
    bots = [power for power in bots_in(game) if forming or power in alive]
    offered = [] if game.state is GameState.ENDED else vacant_seats(game)
    vacant = [seat.power for seat in offered if seat.power not in bots]
    kept = places_kept(game, session.person, session.now)
    looks = bool(vacant) or forming and len(held) + kept < player_count(game)
    choice = looks and forming and game.chosen.power_choice
    return {
        "game": game_facts(game),
        "players": len(held),
        "kept": kept,
        "powers": player_count(game),
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


def _show_game(session: Session, game: Game, row: Mapping[str, Any], asked: str = "") -> None:
    """Show a game in full. *row* contains its facts for a list."""
    seat = own_seat(session, game)
    reader = reader_of(game, seat)
    begun, here = game.state is not GameState.FORMING, is_playable(game.system, game.map)
    ended = json.loads(game.result)["reason"] if game.result else None
    free = [*row["vacant"], *(row["bots"] if begun and not ended else ())]
    session.show(
        LetterKind.INFO,
        "list-game",
        asked=asked,
        system=game.system,
        **{**row, "takeovers": [takeover_line(game, each, "newpassword") for each in free]},
        roster=roster(game, seat),
        excused=taken_by_power(game) if here else [],
        standing=game.table.position_facts(reader) if begun and here else None,
        map_rules=map_rules(game),
        settings=_format_settings(game, master=seat is not None and seat.role is Role.MASTER),
        watchers=sorted(game.dealings.watchers) if seat and seat.role is Role.MASTER else [],
        asking=_asking(game) if seat and seat.role is Role.MASTER else [],
        ended=load_phrase(ended, game.system) if ended else None,
    )


@command(
    CommandForm("WHO, WHOIS", "WHO marco"), who=Permission.ANYBODY, log=AuditDetail.NOTHING,
    as_power=True,
)
class WhoPlays(Command):
    """Players of the powers of a game: `WHO marco`."""

    game: str = ""

    @reads("who")
    @classmethod
    def read(cls, game: str = "", *, at: Where) -> "WhoPlays":
        """Read WHO marco."""
        return cls(**at, game=game.lower().rstrip(".!?"))

    def run(self, session: Session) -> None:
        """Show the players of a game, as far as the sender may know them."""
        if self.game and session.context.games.find(self.game) is None:
            session.refuse(self, phrase("who-nobody", word=self.game), "WHO marco", "INFO PLAYER")
            return
        game = find_asked_game(session, self, self.game)
        if game is None:
            return
        row, seat = _row(session, game), own_seat(session, game)
        session.show(LetterKind.INFO, "who", system=game.system, **row, roster=roster(game, seat))


def _asking(game: Game) -> list[tuple[str, str]]:
    people = sorted(game.dealings.asking.items())
    return [(who, requested_power(game, each.power)) for who, each in people]


def own_seat(session: Session, game: Game) -> Seat | None:
    """Return the open seat if it is in this game, else None."""
    if session.is_signed_on and session.current.game == game.id:
        return session.seat
    return None


def _format_settings(game: Game, *, master: bool) -> list[tuple[str, Phrase | str]]:
    """Return the non-default settings, as the words of a SET line and a value.

    Lists of people and the word of a private game are for the master alone. Values that are
    stored with the settings but are none are omitted.
    """
    rows: dict[str, tuple[str, Phrase | str]] = {}
    settings, clocks = settings_of(game), find_system(game.system).clocks
    known = {row.name: row for row in reversed(settings)}
    usual, house = {**DEFAULTS, **usual_times(clocks)}, house_rules_of(clocks)
    for name, value in game.settings.items():
        row = known.get(name)
        # The comment is at the top of the game's entry.
        if row is None or name not in usual or name == "comment" or not (value or usual[name]):
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
            told = on if isinstance(value, bool) else format_setting_value(row.takes, value)
            rows[name] = (" ".join(row.words), told)
    rules = ((rule.words, rule.told) for rule in house_rules(game))
    return [*sorted(rows.values(), key=itemgetter(0)), *rules]


@command(
    CommandForm("SUMMARY", "SUMMARY marco"), who=Permission.ANYBODY, log=AuditDetail.NOTHING,
    as_power=True, needs=YearlyHistory,
)
class Summary(Command):
    """Possessions year by year: `SUMMARY`, `SUMMARY marco`."""

    game: str = ""

    def run(self, session: Session) -> None:
        """Show the course of a game, year by year."""
        game = find_asked_game(session, self, self.game)
        if game is None:
            return
        if problem := capability_refusal(game, YearlyHistory):
            session.refuse(self, problem, f"HISTORY {game.name}")
            return
        turns = [(turn.phase, turn.after) for turn in game.turns()]
        seat = own_seat(session, game)
        reader = reader_of(game, seat)
        system = with_capability(find_system(game.system), YearlyHistory)
        chronicle = system.chronicle(game.map, game.settings, turns, reader)
        session.show(
            LetterKind.INFO, "summary", system=game.system, game=game_facts(game),
            chronicle=chronicle,
        )


def game_in(parts: Iterable[Typed | Spans]) -> str:
    """Return the name of a game among the parts of a command, or an empty string."""
    named = (part for part in parts if isinstance(part, str) and part.type == "GAME")
    return next((part.lower() for part in named), "")


def find_asked_game(session: Session, command: Command, name: str) -> Game | None:
    """Return the game that a question names, else that of the open seat.

    None if the question was refused.
    """
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


@command(
    CommandForm("VERSION", "VERSION"), who=Permission.ANYBODY, log=AuditDetail.NOTHING,
    as_power=True,
)
class Version(Command):
    """Version of the judge."""

    def run(self, session: Session) -> None:
        """Report the version of the judge."""
        session.done(phrase("version", version=__version__))


@command(CommandForm("RATING, RATINGS", "RATING"), who=Permission.ANYBODY)
class ShowRating(Command):
    """Players of this judge by their rating: `RATING`."""

    def run(self, session: Session) -> None:
        """Show the players by their rating, and the rating of the present person."""
        context = session.context
        heads = context.aliases.primary_addresses()
        known = skills(finished_games(context), heads)
        rows, head = rank_players(context, known, heads), heads.get(session.person, session.person)
        session.show(
            LetterKind.INFO, "rating", rows=rows[:MAX_LISTED],
            left_out=max(0, len(rows) - MAX_LISTED), nameless=len(known) - len(rows),
            own=known.get(head), named=head in names_of(context, heads),
        )


@command(CommandForm("STATISTICS, STATISTIC", "STATISTICS standard"), who=Permission.ANYBODY)
class ShowStatistics(Command):
    """Results of the powers of a map: `STATISTICS`, `STATISTICS standard`.

    *map* is in lower case and may be unknown.
    """

    map: str = ""

    @reads("statistics")
    @classmethod
    def read(cls, map_name: str = "", *, at: Where) -> "ShowStatistics":
        """STATISTICS standard."""
        return cls(**at, map=map_name.lower().rstrip(".!"))

    def run(self, session: Session) -> None:
        """Show the results of the powers of a map.

        Without a map, all maps with finished games are shown.
        """
        games = finished_games(session.context)
        offered = (name_in_key(name) for system in all_systems() for name in system.maps())
        known = [*dict.fromkeys([*offered, *(name_in_key(game.map) for game in games)])]
        if self.map and self.map not in known:
            lines = [f"STATISTICS {name}" for name in near_maps([self.map])][:4]
            session.refuse(self, phrase("statistics-map", word=self.map), *lines)
            return
        played = [name for name in known if any(name_in_key(x.map) == name for x in games)]
        for name in [self.map] if self.map in played else played if not self.map else []:
            facts = map_facts([game for game in games if name_in_key(game.map) == name])
            session.show(LetterKind.INFO, "statistics", **facts)
        if self.map not in ("", *played) or not played:
            session.done(phrase("statistics-none"))
