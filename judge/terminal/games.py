"""Operator's view of games, people and ratings: `judge game`, `ban`, `rating`."""

import json
from collections.abc import Sequence
from datetime import datetime

from judge.errors import JudgeError
from judge.games import is_playable
from judge.model.letter import Letter
from judge.model.record import GameState
from judge.phrases import phrasebook
from judge.play.game import Context, Game
from judge.play.gm import operator
from judge.play.gm.masters import KIND, masters_of
from judge.play.letters.kept_phrases import load_phrase
from judge.play.queries import (
    is_bot,
    is_dummy,
    is_present,
    map_title,
    missing_part,
    player_seats,
)
from judge.play.rating import finished_games, names_of, skills
from judge.terminal.inbox import printable, printable_line

Outcome = tuple[str, Sequence[Letter]]
_SHOWN_ACTS = 10


def run_game_command(
    context: Context, now: datetime, what: str, name: str, address: str, sure: bool
) -> Outcome:
    """Run one of `judge game list | show | pause | resume | give | delete`.

    Raises:
        JudgeError: There is no such game, or the action is impossible.
    """
    if what == "list":
        readable = {game.name: game for game in context.games.list_games()}
        rows = [
            _row(readable[name]) if name in readable else f"{name}  cannot be read"
            for name in context.games.names()
        ]
        return "\n".join(rows) or "There are no games.", []
    game = context.games.find(name.lower()) if name else None
    if game is None:
        raise JudgeError(f"there is no game {name!r}; `judge game list` shows all")
    if what == "show":
        return _describe_game(game), []
    if what == "give":
        if not address:
            raise JudgeError(f"name the new master: `judge game give {game.name} ann@example.org`")
        letters = operator.give(game, address, now)
        return f"{address} is now the master of {game.name}.", letters
    if what == "delete":
        if not sure:
            again = f"`judge game delete {game.name} --yes`"
            raise JudgeError(f"{_row(game)}\nThis cannot be undone. To delete it, run {again}")
        letters = operator.delete(game)
        return f"{game.name} is deleted; {len(letters)} people get a letter.", letters
    if what == "resume" and not is_playable(game.system, game.map):
        raise JudgeError(missing_part(game))
    letters = (operator.pause if what == "pause" else operator.resume)(game, now)
    return f"{game.name} is now {game.state.value}.", letters


def _row(game: Game) -> str:
    seats = player_seats(game)
    held = sum(map(is_present, seats))
    phase = "" if game.state is GameState.FORMING else f" {game.phase}"
    runs = game.state is GameState.RUNNING
    due = f", due {game.deadline:%Y-%m-%d %H:%M}" if game.deadline and runs else ""
    masters = ", ".join(seat.address for seat in masters_of(game))
    return printable_line(
        f"{game.name:<8}  {map_title(game):<22}  {game.state.value:<7} {phase}"
        f"  {held} players{due}  by {masters or 'no one'}"
    )


def _describe_game(game: Game) -> str:
    """Return a game with its people and its masters' last acts."""
    lines = [_row(game), ""]
    for seat in masters_of(game):
        heard = game.context.bans.last_activity(seat.id)
        when = f", last mail on {heard:%Y-%m-%d}" if heard else ""
        lines.append(f"  Master: {seat.address}{when}")
    for seat in player_seats(game):
        empty = "dummy power" if is_dummy(seat) else "vacant"
        if is_bot(game, seat):
            empty = "a bot"
        held = seat.address if is_present(seat) else empty
        lines.append(f"  {seat.power or 'a player'}: {held}")
    acts = [event for event in game.events() if event.kind == KIND]
    for act in acts[-_SHOWN_ACTS:]:
        said = phrasebook(game.system).render(load_phrase(json.loads(act.text), game.system))
        lines.append(f"  {act.at:%Y-%m-%d %H:%M} {act.phase}  {said}")
    return "\n".join(map(printable_line, lines))


def about_ban(context: Context, now: datetime, address: str, lift: bool, vacate: bool) -> Outcome:
    """Run `judge ban [ADDRESS] [--lift] [--vacate]`.

    Without an address the banned addresses are listed.

    Raises:
        JudgeError: The action is impossible.
    """
    if not address:
        rows = [f"{since:%Y-%m-%d}  {who}" for who, since in context.bans.bans()]
        return "\n".join(map(printable_line, rows)) or "No address is banned.", []
    if lift:
        if not context.bans.unban(address):
            others = [x for x in context.aliases.addresses_of(address) if context.bans.is_banned(x)]
            by = f" itself, but {others[0]} of the same person is" if others else ""
            raise JudgeError(f"{address} is not banned{by}")
        return f"Mail from {address} is accepted again.", []
    letters = operator.ban(context, address, vacate, now)
    said = f"Mail from {address} is kept, but not processed or answered."
    for name in operator.only_master_of(context, address):
        said += f"\n{address} is the only master of {name}: `judge game give {name} …`"
    return printable(said), letters


def about_rating(context: Context, recompute: bool) -> str:
    """Return the list of players by rating.

    With *recompute* all ratings are first computed again from the records and compared with the
    stored ones. They differ only if the database was changed by hand, or a newer judge computes
    them differently.
    """
    lines = [_recompute_ratings(context)] if recompute else []
    heads = context.aliases.primary_addresses()
    names = names_of(context, heads)
    known = skills(finished_games(context), heads)
    for head, skill in sorted(known.items(), key=lambda row: (-row[1].points, row[0])):
        lines.append(f"{skill.points:>5} {skill.games:>4}  {head}  {names.get(head, '')}".rstrip())
    return "\n".join(map(printable_line, lines)) or "No game has been rated yet."


def _is_playable(game: Game) -> bool:
    return is_playable(game.system, game.map)


def _recompute_ratings(context: Context) -> str:
    kept = context.finishes.load_finishes()
    context.finishes.delete_finishes(
        [game for game in kept if _is_playable(context.games.get(game))]
    )
    finished_games(context)
    again = context.finishes.load_finishes()
    changed = sorted(
        context.games.get(game).name for game in again if again[game] != kept.get(game)
    )
    said = f"games computed again: {len(again)}"
    return f"{said}; changed: {', '.join(changed)}" if changed else f"{said}; nothing changed"
