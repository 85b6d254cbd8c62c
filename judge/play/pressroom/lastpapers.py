"""When a game is over: diaries are published, and press that waited for results that never came."""

import json

from judge.play.game import Game
from judge.play.letters.telling import letter_to, present_seats
from judge.play.office import title_of
from judge.play.pressroom.correspondence import view
from judge.play.pressroom.postal import publish_postal
from judge.words.letter import Kind, Letter
from judge.words.paper import PaperKind
from judge.words.record import Event, Role

DIARY = "diary"
"""The kind of event that a published note of a diary is."""
MOST_OCTETS = 200 * 1024
"""Of diaries in one letter; HISTORY has the rest."""


def last_papers(game: Game) -> list[Letter]:
    """Publish all diaries, and tell who reads press where the rest is open now."""
    now = game.ended or game.created
    postal = publish_postal(game, now)
    notes = _published(game)
    shown, left = [], MOST_OCTETS
    for note in notes:
        left -= len(json.dumps(note["body"], ensure_ascii=False).encode())
        if left >= 0:
            shown.append(note)
    turns = game.turns()
    first = turns[0].phase if turns else game.phase
    revealed = game.chosen.reveal_press
    if not (postal or notes or revealed):
        return []
    return [
        letter_to(
            game, seat, Kind.END, "papers",
            {
                "postal": [view(game, seat, sent) for sent in postal],
                "notes": shown,
                "left_out": len(notes) - len(shown),
                "revealed": revealed,
                "since": first,
            },
            "press and diaries",
        )
        for seat in present_seats(game)
        if seat.role is not Role.MONITOR
    ]


def _published(game: Game) -> list[dict[str, object]]:
    """Move diaries into the history, where everybody reads them."""
    notes = []
    for paper in game.office.papers.kept(game.id, PaperKind.DIARY):
        seat = game.office.games.seat(paper.seat)
        assert seat is not None
        note = {"from": title_of(seat), "body": json.loads(paper.text)}
        game.add_event(
            Event(game.id, paper.at, paper.phase, DIARY, json.dumps(note, ensure_ascii=False))
        )
        game.office.papers.drop(paper)
        notes.append({**note, "at": paper.at, "phase": paper.phase})
    return notes
