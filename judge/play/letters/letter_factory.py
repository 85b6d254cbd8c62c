"""Letters about a game and their subjects, merged to one of a kind per reader.

A mail may do a thing and take it back a hundred times. Notices to one reader are merged into
one with each reason once, at its last place. Of letters that show the state of the game only
the last one is sent. Independent letters are always sent: replies, press, results,
announcements of the master.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from typing import Any

from judge.dice import Dice
from judge.games import find_system
from judge.games.capabilities import OrderCompletion, with_capability
from judge.games.letter_facts import SheetFacts
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import Event, GameState, Role, Seat
from judge.model.replace import replace
from judge.play.choices.early import ending_facts
from judge.play.choices.house_rules import house_rules
from judge.play.choices.terms import terms_of
from judge.play.game import Context, Game
from judge.play.letters.anonymity import is_gunboat, may_know, names_in
from judge.play.letters.board_pictures import (
    BoardView,
    board_format_of,
    front_view,
    illustrate_letter,
    standing_view,
    view_with_front,
)
from judge.play.letters.kept_phrases import dump_phrase
from judge.play.queries import (
    awaits_release,
    bots_in,
    is_bot,
    is_dummy,
    is_frozen,
    is_present,
    map_rules,
    map_title,
    order_page_address,
    owner_of,
    player_seats,
    reader_of,
    seat_token,
    sheet_of,
    sides_of,
    system_missing,
    title_of,
)
from judge.play.tokens import Purpose, ReplyToken
from judge.play.unsettled import refused_lines
from judge.textfiles import read_rows

_NOT_IN_ID = re.compile(r"[^A-Za-z0-9_.-]")
"""Characters not allowed in a message id, which names the thread of a letter."""

Facts = Mapping[str, object]


def zone_of(game: Game, seat: Seat | None) -> str:
    """Return the zone for a reader's times: the person's own, else the game's."""
    own = seat.settings.zone if seat else None
    return own or game.chosen.zone


def game_facts(game: Game, seat: Seat | None = None) -> dict[str, object]:
    """Return the facts of a game for every letter about it, with the reader's zone."""
    phase = game.table.phase
    return {
        "name": game.name,
        "variant": map_title(game),
        "phase": game.phase,
        "label": game.phase,
        "turn": game.turn,
        "title": phase.title,
        "season": phase.turn,
        "state": game.state.value,
        "deadline": game.deadline if game.state is GameState.RUNNING else None,
        "paused_until": _pause_end(game),
        "grace": game.grace_until if game.clock.late else None,
        "late_until": game.grace_until if game.clock.grace else None,
        "put_off": game.clock.put_off or "",
        "writing_from": game.clock.writing_from,
        "early": game.clock.early,
        "held": awaits_release(game),
        "zone": zone_of(game, seat),
        "comment": game.chosen.comment,
        "gunboat": is_gunboat(game),
        "master_plays": game.chosen.gm_plays,
        "press": game.chosen.press,
        "cd": game.chosen.cd,
        "bots": _describe_bots(game),
        "open_press": game.chosen.observer_press != "none",
    }


def _pause_end(game: Game) -> datetime | None:
    """Return when a paused game resumes by itself, or None if it does not."""
    lasts = game.state is not GameState.PAUSED or is_frozen(game)
    return None if lasts else game.clock.paused_until


def _describe_bots(game: Game) -> Phrase | None:
    """Return a phrase about the surviving powers of bots, or None before the start."""
    if game.state is GameState.FORMING:
        return None
    alive = game.table.powers_alive()
    powers = tuple(power for power in bots_in(game) if power in alive)
    return phrase("bots-play", powers=powers) if powers else None


def has_password(seat: Seat) -> bool:
    """Return whether the person a seat's letters reach can sign on to it.

    A sitter cannot, nor can an observer, or a person who was given a seat, without a password.
    """
    return bool(seat.password) and not owner_of(seat)


def answers_by_token(seat: Seat) -> bool:
    """Return whether a seat's letters have reply tokens.

    SET TOKEN OFF removes them if there is another way to sign on.
    """
    return seat.settings.token is not False or not has_password(seat)


def seat_facts(game: Game, seat: Seat) -> dict[str, object]:
    """Return the facts of the seat a letter is for, such as its title and role."""
    letter = {Role.MASTER: "M", Role.PLAYER: "?"}.get(seat.role, "O")
    adjective = ""
    for side in sides_of(game):
        if side.name == seat.power:
            letter, adjective = side.letter, side.adjective
    return {
        "title": title_of(seat),
        "replies": answers_by_token(seat),
        "signs_on": has_password(seat),
        "role": seat.role.value,
        "power": seat.power,
        "adjective": adjective,
        "signon": seat_token(game, letter),
        "order_page": order_page_address(game, seat, letter) if seat.power else "",
        # These two are replaced in letters that carry the page.
        "attached_page": "",
        "page_too_large": False,
        "wait": seat.wait,
        "ready": seat.ready,
        "wishes": seat.preference or _example_preferences(game),
        "has_wishes": bool(seat.preference),
    }


def _example_preferences(game: Game) -> str:
    """Return an example of wishes: three powers, in the game's order."""
    letters = [side.letter for side in sides_of(game)[:3]]
    return ("" if max(map(len, letters), default=1) == 1 else " ").join(letters)


def threads_of(game: Game) -> tuple[str, ...]:
    """Return the thread names of a game and its phase, as parts of message ids."""
    return f"{game.name}.game", f"{game.name}.{_NOT_IN_ID.sub('-', game.phase)}"


def owed_facts(game: Game, seat: Seat) -> dict[str, object]:
    """Return the facts of missing orders: `due`, `missing`, and how the phase `ends`.

    `final_word` is set if no order is missing and with this word the phase could end before its
    deadline. A player who is READY has no missing orders, even if units are without one.
    """
    ends = ending_facts(game, game.clock.not_before)
    facts: dict[str, object] = {
        "due": False, "missing": (), "final_word": None, "ready": False, "ends": ends,
    }
    if game.state not in (GameState.RUNNING, GameState.PAUSED) or not seat.power:
        return facts
    table = game.table
    # An eliminated player keeps no one waiting.
    facts["ends"] = {
        **ends, "may_wait": seat.power in table.powers_alive(),
        "refused": refused_lines(game, seat.power).are_pending,
    }
    due = seat.power in table.powers_due() and not awaits_release(game)
    if not due:
        return facts
    # During negotiation READY only ends the negotiation, and the orders are still missing.
    ready = seat.ready and not game.clock.negotiates
    sheet = sheet_of(game, seat.power)
    missing = table.missing_orders(seat.power, sheet)
    asked = isinstance(table, OrderCompletion) and not (missing or ready or game.clock.late)
    return {
        **facts,
        "due": True,
        "missing": () if ready else missing,
        "final_word": with_capability(table, OrderCompletion).final_word(seat.power, sheet)
        if asked
        else None,
        "ready": ready and bool(missing),
    }


def letter_to(
    game: Game,
    seat: Seat,
    kind: LetterKind,
    template: str,
    facts: Facts,
    event: Phrase | str,
    *,
    answers: str = "",
    purpose: Purpose = Purpose.COMMANDS,
    extra: int = 0,
) -> Letter:
    """Return a letter to a seat, with a Reply-To that opens the seat.

    `event` ends the subject ("results"). `extra` is for the token of press.
    """
    if purpose is Purpose.COMMANDS:
        extra = game.branch
    token = ReplyToken(purpose, seat.id, seat.epoch, game.turn, extra)
    subject = subject_of(game.name, game.phase, event, ambiguous_power(game, seat))
    return Letter(
        kind=kind,
        to=seat.address,
        subject=answering(subject) if answers else subject,
        template=template,
        facts={
            "game": game_facts(game, seat), "seat": seat_facts(game, seat),
            "map": BoardView().facts, **facts,
        },
        game=game.name,
        phase=game.phase,
        power=title_of(seat),
        system=game.system,
        token=game.context.tokens.write(token) if answers_by_token(seat) else "",
        unsubscribe=_unsubscribe_token(game.context, seat),
        answers=answers,
        seat=seat.id,
        threads=threads_of(game),
        plain=seat.settings.format == "text",
    )


def ambiguous_power(game: Game, seat: Seat) -> str:
    """Return a seat's power if its address has several in the game, else ""."""
    address = seat.address.lower()
    powers = [each for each in game.all_seats() if each.power and each.address.lower() == address]
    return seat.power if len([each for each in powers if is_present(each)]) > 1 else ""


def _unsubscribe_token(context: Context, seat: Seat) -> str:
    """Return the token that ends an observer's subscription, or "" for other seats."""
    if seat.role not in (Role.OBSERVER, Role.MONITOR):
        return ""
    return context.tokens.write(ReplyToken(Purpose.UNSUBSCRIBE, seat.id, seat.epoch, 0))


def present_seats(game: Game) -> list[Seat]:
    """Return every seat a letter can reach, in the order they were made."""
    return [seat for seat in game.all_seats() if is_present(seat)]


def recipients_of(game: Game) -> list[Seat]:
    """Return every seat that gets announcements.

    A master who plays gets them as a power only.
    """
    seats = present_seats(game)
    if not game.chosen.gm_plays:
        return seats
    players = {seat.address.lower() for seat in seats if seat.role is Role.PLAYER and seat.power}
    return [
        seat for seat in seats
        if seat.role is not Role.MASTER or seat.address.lower() not in players
    ]


def record_in_history(
    game: Game, reason: Phrase, now: datetime, kind: LetterKind = LetterKind.NOTICE
) -> None:
    """Store a public notice for HISTORY."""
    game.add_event(Event(game.id, now, game.phase, kind.value, dump_phrase(reason, game.system)))


def announce(
    game: Game,
    reason: Phrase,
    now: datetime,
    *,
    kind: LetterKind = LetterKind.NOTICE,
    more: Sequence[Phrase] = (),
    but: Iterable[int] = (),
    parting: bool = False,
) -> list[Letter]:
    """Return a notice to everyone in a game but the seats in `but`, and store it.

    The letter also contains *more*, which HISTORY does not store. With `parting`, it does not
    list missing orders, since the phase ends with this.
    """
    record_in_history(game, reason, now, kind)
    left_out = set(but)
    return [
        notice_to(game, seat, [reason, *more], kind, parting=parting)
        for seat in recipients_of(game)
        if seat.id not in left_out
    ]


def letter_outside(game: Game, to: str, event: Phrase, template: str, **facts: object) -> Letter:
    """Return a letter about a game to an address that has no seat in it."""
    return Letter(
        kind=LetterKind.NOTICE, to=to,
        subject=phrase("subject-outside", game=game.name, event=event), template=template,
        facts={"game": game_facts(game), **facts}, threads=threads_of(game),
    )


def notice_to(
    game: Game,
    seat: Seat,
    reasons: Sequence[Phrase],
    kind: LetterKind,
    *,
    parting: bool = False,
) -> Letter:
    """Return a notice to a seat, with its missing orders unless `parting`."""
    facts = {"reasons": reasons, "owed": owed_facts(game, seat), "parting": parting}
    event = headline(reasons[0].code, kind)
    return letter_to(game, seat, kind, "notice", facts, event)


def start_letter(game: Game, seat: Seat, *, begins: bool = False) -> Letter:
    """Return the first letter of a person in a game: their part, position, deadline.

    With `begins`, the game starts with it. Otherwise a new person enters a running game.
    """
    reader = reader_of(game, seat)
    sitting, dice = seat.settings.sitting, Dice(game.seed, 0)
    facts = {
        "begins": begins,
        "sits_until": sitting.until if sitting else None,
        "standing": game.table.position_facts(reader),
        "players": roster(game, seat),
        "owed": owed_facts(game, seat),
        "sheet": _own_sheet(game, seat),
        "terms": terms_of(game, reads_only=_reads_only(game, seat)),
        "rules": house_rules(game),
        "map_rules": map_rules(game),
        "commitment": dice.commitment(),
        "stream": dice.stream_commitment() if find_system(game.system).numbered_dice else "",
    }
    event = phrase("event-game-starts") if begins else _entering(seat)
    letter = letter_to(game, seat, LetterKind.START, "start", facts, event)
    wish = board_format_of(game.context, seat)
    front = front_view(game, reader, wish)
    view = view_with_front(front, standing_view(game, reader, wish))
    return illustrate_letter(letter, view)


def _reads_only(game: Game, seat: Seat) -> bool:
    """Return whether a seat may send no press but to the master."""
    watches = seat.role in (Role.OBSERVER, Role.MONITOR)
    return watches and game.chosen.observer_press not in ("white", "any")


def _entering(seat: Seat) -> Phrase:
    """Return the end of the subject of the letter to a new person in a running game."""
    if not seat.power:
        return phrase("event-how-it-stands")
    return phrase("event-you-sit-in" if owner_of(seat) else "event-you-play", power=seat.power)


def _own_sheet(game: Game, seat: Seat) -> SheetFacts | None:
    """Return a player's own orders, or None if there is nothing to decide."""
    table = game.table
    if seat.power not in table.powers_due():
        return None
    return table.show_sheet(seat.power, sheet_of(game, seat.power))


def roster(game: Game, reader: Seat | None) -> list[dict[str, object]]:
    """Return the players by power.

    Addresses, with registered names, are only for readers who may know people. Others see the
    names that people gave themselves, if the game is not anonymous.
    """
    shows, seats = may_know(game, reader), player_seats(game)
    names = {} if shows else names_in(game, [seat for seat in seats if is_present(seat)])
    alive = None
    if (
        game.state is not GameState.FORMING
        and not system_missing(game)
        and not game.table.has_hidden_information
    ):
        alive = game.table.powers_alive()
    return [
        {
            "power": seat.power,
            "out": alive is not None and bool(seat.power) and seat.power not in alive,
            "held": is_present(seat),
            "dummy": is_dummy(seat),
            "bot": is_bot(game, seat),
            "address": _person_shown(game.context, seat) if shows and is_present(seat) else "",
            "name": names.get(seat.id, ""),
            "told": seat.id in names,
        }
        for seat in seats
    ]


def _person_shown(context: Context, seat: Seat) -> str:
    name = context.register.person(seat.address).name
    return f"{name} <{seat.address}>" if name else seat.address


MAX_TOLD = 40
"""Maximum number of reasons in one notice. HISTORY has the rest."""
_ALONE = ("press", "press-sent", "report", "official", "turned", "fault")
"""Templates of letters that are never merged."""


def merge_notices(letters: Iterable[Letter]) -> list[Letter]:
    """Return the letters of one mail, merged to one of a kind for each reader."""
    found: dict[object, Letter] = {}
    for letter in letters:
        key = _key(letter)
        before = found.get(key)
        if before is not None and letter.template == "notice":
            letter = _both(before, letter)
        found[key] = letter
    return [_short(letter) if "reasons" in letter.facts else letter for letter in found.values()]


def _key(letter: Letter) -> object:
    """Return the key that letters to be merged have in common."""
    if letter.answers or letter.template in _ALONE or letter.outreach:
        return id(letter)
    # A person who left and came again has another seat, but gets one start letter.
    start = letter.kind is LetterKind.START
    elsewhere = letter.game, str(letter.subject)
    about = (letter.game, letter.power) if start else letter.seat or elsewhere
    # A letter with a token and one without are not merged.
    parting = letter.facts.get("parting", False)
    return letter.to.lower(), letter.template, letter.kind, about, bool(letter.token), parting


def _both(before: Letter, after: Letter) -> Letter:
    """Return one notice with the reasons of two."""
    reasons = unique_phrases([*_reasons(before), *_reasons(after)])
    return replace(after, facts={**after.facts, "reasons": reasons}, subject=before.subject)


def _reasons(letter: Letter) -> Sequence[Phrase]:
    found: Any = letter.facts["reasons"]
    return tuple(found)


def unique_phrases(reasons: Sequence[Phrase]) -> list[Phrase]:
    """Return reasons without duplicates, each at its last place."""
    kept: list[Phrase] = []
    for reason in reversed(reasons):
        if reason not in kept:
            kept.append(reason)
    return kept[::-1]


def _short(letter: Letter) -> Letter:
    """Return a notice with the newest reasons only, as many as fit."""
    reasons = unique_phrases(_reasons(letter))
    many = len(reasons) - MAX_TOLD
    if many > 0:
        reasons = [phrase("more-in-history", count=many), *reasons[many:]]
    return replace(letter, facts={**letter.facts, "reasons": reasons})


def localize_letters(context: Context, letters: Sequence[Letter]) -> list[Letter]:
    """Return letters, each in the language of its reader.

    It is that of SET LANGUAGE, else of REGISTER, else the one of the request (HILFE), else
    English. The headers of a mail (Content-Language, Accept-Language) are not used, as they
    come from a spelling checker or a firm, and anyone may write a mail in another's name.
    """
    seats = context.games.seats_numbered({letter.seat for letter in letters if letter.seat})
    people = context.register.people({letter.to for letter in letters})
    found = []
    for letter in letters:
        seat, person = seats.get(letter.seat), people.get(letter.to.lower())
        chosen = seat.settings.language if seat else None
        language = chosen or (person.language if person else "") or letter.language
        found.append(replace(letter, language="" if language == "en" else language))
    return found


EVENT_BY_CODE: Mapping[str, str] = {
    row["code"]: row["event"]
    for row in read_rows((files(__package__) / "events.tsv").read_text(encoding="utf-8"))
}
"""Code of a reason → code of the end of the subject. Others are plain news."""
MAX_CLAUSES = 3
"""Maximum number of clauses of the gist in a subject."""


def subject_of(
    game: str, phase: str | tuple[str, ...], event: Phrase | str, power: str = ""
) -> Phrase:
    """Return the subject of a letter about a phase, as in "marco - S1901M results".

    It names several phases if the letter reports them together. *power* is named if its reader
    has several: "marco (France) - S1901M results".
    """
    named = phrase("game-of-power", game=game, power=power) if power else game
    return phrase("subject-game", game=named, phase=phase, event=event)


def append_summary(event: Phrase, gist: Sequence[Phrase]) -> Phrase:
    """Return a subject's end with the letter's gist, as in "results: you lost A IMO".

    >>> append_summary(phrase("event-results"), ()).code
    'event-results'
    """
    clauses = tuple(gist[:MAX_CLAUSES])
    return phrase("event-and", event=event, gist=clauses) if clauses else event


def answering(subject: Phrase) -> Phrase:
    """Return the subject of a reply."""
    return phrase("subject-answer", subject=subject)


def headline(code: str, kind: LetterKind) -> Phrase:
    """Return the end of the subject of a letter with this first reason.

    >>> headline("paused", LetterKind.NOTICE).code, headline("vote-cast", LetterKind.VOTE).code
    ('event-paused', 'event-vote')
    """
    if code.startswith("power-nmr-"):
        # A game system may word it differently for each of its clocks.
        code = "power-nmr"
    return phrase(EVENT_BY_CODE.get(code.removesuffix("-private"), f"event-{kind.value}"))
