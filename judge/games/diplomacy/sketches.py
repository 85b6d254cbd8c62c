"""What a picture shows, as text that is kept until somebody draws it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judge.board.map import Map
from judge.board.position import Position, dump_position, load_position
from judge.drawing.picture import Picture
from judge.games.diplomacy.adjudicate import Adjudged
from judge.games.diplomacy.boards import board_under
from judge.games.diplomacy.filing import load_sheet, orders_of
from judge.games.diplomacy.pictures import orders_picture, standing_picture
from judge.games.diplomacy.record import read_record
from judge.games.diplomacy.outcome import Verdict
from judge.games.diplomacy.rules import Rules

_TRIED = "A preview of {kind} orders for {phase}: nothing of it has happened"
_GIVEN = "{kind} orders for {phase}, as they are on file"


def board_sketch(board: Map, position: Position, *, only: str = "") -> str:
    """Return what shows the board as it stands; `only`: as one power sees it."""
    told = {"map": board.name, "board": dump_position(position), "victory": board.victory}
    return json.dumps({**told, **_as(only)})


def _as(only: str) -> dict[str, str]:
    return {"only": only} if only else {}


def orders_sketch(
    board: Map, position: Position, sheets: Mapping[str, str], *, only: str = ""
) -> str:
    """Return what shows the board with orders of which nobody knows yet what becomes of them."""
    given = {power: json.loads(sheet) for power, sheet in sorted(sheets.items()) if sheet}
    shown = {"map": board.name, "board": dump_position(position), "given": given}
    return json.dumps({**shown, **_as(only)})


def turn_sketch(map_name: str, record: str, *, tried: bool, only: str = "") -> str:
    """Return what shows the orders of a phase, on the board before it, and what became of them."""
    return json.dumps({"map": map_name, "turn": record, "tried": tried, **_as(only)})


def picture_of(sketch: str, title: str) -> Picture:
    """Return the picture of any of these."""
    told = json.loads(sketch)
    found = _picture_of(told, title)
    return _veiled(found, told["only"]) if "only" in told else found


def _veiled(picture: Picture, power: str) -> Picture:
    """Return a picture that says as whom it is seen, and of others only what stands there."""
    sides = tuple(
        side if side.name == power else side._replace(note="") for side in picture.sides
    )
    subtitle = f"{picture.head.subtitle}, as {power} sees it"
    key = tuple((sample, _VEILED.get(label, label)) for sample, label in picture.key)
    head = picture.head._replace(subtitle=subtitle)
    return replace(picture, sides=sides, head=head, key=key, describes=f"{subtitle}.")


_VEILED = {"supply centre, unowned": "supply centre, not yours"}


def _picture_of(told: Mapping[str, Any], title: str) -> Picture:
    board = board_under(told["map"], Rules(victory=told.get("victory", 0)))
    if "turn" in told:
        record = read_record(told["turn"], board)
        found = orders_picture(board, record.before, record.adjudged, title)
        if told["tried"]:
            return _subtitled(found, _TRIED, record.before, found.describes)
        return found
    position = load_position(told["board"])
    standing = standing_picture(board, position, title)
    if "given" not in told:
        return standing
    verdicts = {
        power: tuple(
            Verdict(order, ()) for order in orders_of(load_sheet(json.dumps(texts), board))
        )
        for power, texts in told["given"].items()
    }
    undecided = Adjudged(position, verdicts, {}, frozenset(), {}, "", ())
    found = orders_picture(board, position, undecided, title)
    return _subtitled(found, _GIVEN, position, standing.describes)


def _subtitled(picture: Picture, text: str, position: Position, describes: str) -> Picture:
    """Return a picture that says of its orders whether they count."""
    phase = position.phase
    subtitle = text.format(kind=phase.kind.title.lower(), phase=phase)
    subtitle = subtitle[0].upper() + subtitle[1:]
    described = f"{subtitle}. {describes}"
    return replace(picture, head=picture.head._replace(subtitle=subtitle), describes=described)
