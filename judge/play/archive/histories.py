"""HISTORY: results, notices and open press of a game, by dates or by phases."""

import json
from collections.abc import Callable
from datetime import datetime

from judge.games import find_system
from judge.play.game import Game
from judge.play.letters.inquiries import reason_from
from judge.play.office import reader_of, title_of
from judge.play.pressroom.correspondence import may_read, read_sent, view
from judge.play.pressroom.lastpapers import DIARY
from judge.words.letter import Kind
from judge.words.record import Event, Seat

_AFTER_ALL = 1 << 62


def entries_for(
    game: Game, seat: Seat | None, has: Callable[[str, datetime], bool]
) -> list[dict[str, object]]:
    """Return results, notices and press in order of time, as this reader may see them.

    What happened at the same instant in the same phase was before its results.
    """
    reader = reader_of(game, seat)
    system, turns = find_system(game.system), game.turns()
    places = {turn.phase: at for at, turn in enumerate(turns)}
    found: list[tuple[tuple[datetime, int, int], dict[str, object]]] = []
    for number, event in enumerate(game.events()):
        entry = event_entry(game, seat, event) if has(event.phase, event.at) else None
        if entry is not None:
            place = places.get(event.phase, len(turns))
            found.append(((event.at, place, number), {"letter": event.kind, **entry}))
    for at, turn in enumerate(turns):
        if has(turn.phase, turn.at):
            results = system.retell(game.map, turn.outcome, reader)
            entry = {"at": turn.at, "kind": "results", "letter": "results", "results": results}
            found.append(((turn.at, at, _AFTER_ALL), entry))
    return [entry for _, entry in sorted(found, key=lambda each: each[0])]


def event_entry(
    game: Game, seat: Seat | None, event: Event
) -> dict[str, object] | None:
    """Return an event as this reader may see it; None if it is nothing for him."""
    if event.kind == Kind.PRESS.value:
        data = json.loads(event.text)
        if "about" in data:
            news = {"letter": Kind.NOTICE.value, "about": data["about"], "body": data["body"]}
            return {"at": event.at, "kind": "official", **news}
        sent = read_sent(event.text)
        if not may_read(game, seat, event, sent):
            return None
        return {"at": event.at, "kind": "press", "press": view(game, seat, sent)}
    if event.readers and not (seat and title_of(seat) in event.readers):
        return None
    data = json.loads(event.text)
    if event.kind == "log" and data.get("told"):
        # An act of a master that another event tells of.
        return None
    if event.kind == DIARY:
        return {"at": event.at, "kind": DIARY, "phase": event.phase, **data}
    if "code" in data:
        kind = "end" if event.kind == Kind.END.value else "notice"
        return {"at": event.at, "kind": kind, "reason": reason_from(data)}
    return {"at": event.at, "kind": event.kind}
