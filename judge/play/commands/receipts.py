"""The answer to a mail: one letter for each seat it opened, one to the sender for the rest."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta

from judge.games.facts import Sheet as OrderSheet
from judge.games.system import Watcher
from judge.model.altered import altered
from judge.model.command import Sheet
from judge.model.letter import Kind, Letter
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge.model.record import GameState, Role, Seat
from judge.play.commands.asking.own_games import own_rows
from judge.play.commands.picture_ration import rationed
from judge.play.commands.seats.absences import absence_facts
from judge.play.commands.session import Answer, Session
from judge.play.game import Game
from judge.play.gm.decisions import standing_votes
from judge.play.letters.anonymity import is_gunboat
from judge.play.letters.illustrations import View, distinct, filed_view, illustrated, wish_of
from judge.play.letters.letter_factory import (
    game_facts,
    has_password,
    letter_to,
    notice_to,
    owed_facts,
    roster,
    seat_facts,
)
from judge.play.letters.subjects import HEADLINES, MOST_CLAUSES, answering, with_gist
from judge.play.orders import NOT_FILED, OLDER, plan_facts, sheets_facts
from judge.play.people.addresses import wants_copies
from judge.play.people.sitting import sits_until
from judge.play.queries import is_open, is_present, places, reader_of, sides_of, system_missing
from judge.play.unsettled import refused_lines

ANSWER_TO_PRESUMED_INTERVAL = timedelta(hours=1)
"""Time between two answers to a seat whose mails look like a program's."""
MOST_ALIKE = 5
"""How often an answer says the same of the same line: a block of orders may have it twice."""
_PLAIN = ("SIGNON", "SIGNOFF", "HELP")
_HOW_TO_BEGIN = {"template": "help-hint"}
_GREETING = "greeting-without-seat"
_UNDERSTOOD_NOTHING = frozenset(
    {"orders-without-seat", _GREETING, "looks-like-command", "looks-like-clearing",
     "looks-like-forgotten", "looks-like-resigning", "looks-like-extension"}
)
"""Reasons by which a line is refused that was written as to a person."""
_FOR_SEATS = ("sheets", "plans", "owed", "votes", "absences")
"""Facts of a receipt that an answer to nobody's seat does not have."""


def answer_letters(session: Session, sheet: Sheet) -> list[Letter]:
    """Make all answers to a mail at the end of its work."""
    if session.mail.sealed:
        last = len(session.answers) - 1
        sealed = Answer(done=(phrase("mail-encrypted"),))
        session.add(sealed, at=last)
    letters = []
    elsewhere = False
    for answer in session.answers:
        if answer.seat and not _is_needless(session, answer):
            seat = session.context.games.seat(answer.seat)
            assert seat is not None
            if session.mail.presumed:
                letters += _answers_to_presumed(session, answer, seat, sheet)
                continue
            letters += _seat_answers(session, answer, seat, sheet)
            address = answer.address or letters[-1].to
            sender = session.mail.sender
            if address.casefold() == sender.casefold():
                continue
            if not session.context.aliases.same(address, sender):
                elsewhere = True
            elif not wants_copies(seat):
                letters.append(altered(letters[-1], to=sender))
    if session.mail.presumed:
        return letters
    answer = _to_sender(session, elsewhere=elsewhere, answered=bool(letters))
    if not answer.is_empty and session.mail.sender:
        letters.append(_stranger_answer(session, answer, sheet))
    if session.warned:
        letters.append(_warning(session, session.warned))
    return letters


def _answers_to_presumed(
    session: Session, answer: Answer, seat: Seat, sheet: Sheet
) -> list[Letter]:
    """Make the answer to a mail that a program may have sent, once an hour for each seat: two
    programs must not go on answering each other (RFC 3834, 2)."""
    people, now = session.context.people, session.now
    if people.ask(f"presumed {seat.id}", now, now - ANSWER_TO_PRESUMED_INTERVAL):
        return _seat_answers(session, answer, seat, sheet)
    return []


def _to_sender(session: Session, *, elsewhere: bool, answered: bool) -> Answer:
    """Return what the sender hears of the mail as a whole, besides what concerned no seat.

    `elsewhere`: something was carried out for a seat whose answer does not come to him;
    `answered`: some seat's answer was made.
    """
    answer = session.answers[0]
    if answered:
        others = (each for each in answer.complaints if each.reason.code != _GREETING)
        answer = altered(answer, complaints=tuple(others))
    if session.dropped:
        reason = phrase("lines-dropped", count=session.dropped)
        complaint = Complaint(ComplaintKind.NOT_ALLOWED, 0, "", reason)
        answer = answer.plus(Answer(complaints=(complaint,)))
    if elsewhere and session.mail.sender:
        answer = answer.plus(Answer(done=(phrase("carried-out-elsewhere"),)))
    if session.kept and not answer.is_empty:
        known = session.context.people.is_confirmed(session.mail.sender)
        code = "waits-for-yes" if known else "waits-for-confirmation"
        answer = answer.plus(Answer(done=(phrase(code, what=session.kept),)))
    if not (answered or session.letters or session.kept) and answer.is_empty:
        only_quoted = session.mail.ignored.quoted and not session.mail.lines
        reason = phrase("only-quoted" if only_quoted else "nothing-found")
        return answer.plus(Answer(done=(reason,), infos=(_HOW_TO_BEGIN,)))
    if not (answered or session.letters or session.kept or answer.infos or answer.done):
        answer = answer.plus(_guidance(session, answer))
    return answer


def _guidance(session: Session, answer: Answer) -> Answer:
    """Return what helps somebody on of whom no line was understood, or counted for a seat: his own
    games with the lines that open them, else how to begin.

    As MY GAMES it is told to the address the mail names and to no other. To whom no seat belongs
    every sign-on that fails is answered alike.
    """
    codes = {complaint.reason.code for complaint in answer.complaints}
    if not codes <= _UNDERSTOOD_NOTHING | {"signon-failed", "signon-other-letter"}:
        return Answer()
    if rows := own_rows(session):
        return Answer(infos=({"template": "mine", "rows": rows},))
    return Answer(infos=(_HOW_TO_BEGIN,) if codes <= _UNDERSTOOD_NOTHING else ())


def _is_needless(session: Session, answer: Answer) -> bool:
    """Return whether nothing was said for a seat: it was opened, or left, on the way to another
    one, or another letter asks it something."""
    passed = answer.seat in {other.by for other in session.answers} or bool(answer.address)
    asks = any(each.seat == answer.seat and each.kind is Kind.CONFIRM for each in session.letters)
    if asks and answer.is_empty:
        return True
    if answer.replied:
        passed = passed or not all(other.is_empty for other in session.answers)
    return answer.is_empty and passed


def _common_facts(session: Session, answer: Answer, sheet: Sheet) -> dict[str, object]:
    return {
        "done": list(answer.done),
        "complaints": _once(_still_true(answer)),
        "orders": list(answer.orders),
        "infos": list(answer.infos),
        "ignored": session.mail.ignored,
        "unread": sheet.unread,
        "left": None,
        "quoted": sheet.quoted,
        "below": sheet.below,
        "refused": _has_refused_orders(answer),
        "struck": sheet.struck,
        "files": session.mail.files,
    }


def _once(complaints: Sequence[Complaint]) -> list[Complaint]:
    """Return complaints without those of a line that was written, and refused, again and again."""
    times: Counter[object] = Counter()
    kept = []
    for each in complaints:
        same = (each.text, json.dumps(each.reason.as_json(), default=str))
        times[same] += 1
        if not each.text or times[same] <= MOST_ALIKE:
            kept.append(each)
    return kept


def _has_refused_orders(answer: Answer) -> bool:
    """Tell whether the mail ordered something that was not filed."""
    lines = any(read.complaint for read in answer.orders)
    return lines or any(each.reason.code in NOT_FILED for each in answer.complaints)


def _still_true(answer: Answer) -> list[Complaint]:
    """Return the complaints; that an older order stands is not said of one that a later line of
    the mail has changed."""
    changed = {" ".join(order.split()[:2]) for read in answer.orders for order in read.filed}
    return [
        complaint for complaint in answer.complaints
        if complaint.reason.code != OLDER
        or " ".join(str(complaint.reason.facts["order"]).split()[:2]) not in changed
    ]


def _stranger_answer(session: Session, answer: Answer, sheet: Sheet) -> Letter:
    """Make the answer to the sender for what concerned no seat."""
    kind = Kind.ERROR if answer.complaints or not answer.kinds else Kind.INFO
    if answer.kinds == {Kind.HELP} and not answer.complaints:
        kind = Kind.HELP
    elif answer.done and not answer.complaints and not answer.infos:
        kind = Kind.INFO
    about = {Kind.HELP: phrase("event-help"), Kind.INFO: phrase("event-your-question")}
    gist = (*_asked(answer), *_refused_lines(answer), *_guided(answer))
    event = with_gist(about.get(kind, phrase("event-your-mail")), gist)
    if kind is Kind.INFO and (game := _game_asked_about(answer)):
        event = phrase("subject-outside", game=game, event=event)
    subject = answering(event)
    return Letter(
        kind=kind,
        to=session.mail.sender,
        subject=subject,
        template="answer",
        facts=_common_facts(session, answer, sheet),
        # What was asked for is shown as its own game system shows it.
        system=next((str(info["system"]) for info in answer.infos if info.get("system")), ""),
        answers=session.mail.message_id,
        pictures=distinct(answer.pictures),
        files=tuple(answer.files),
        language=answer.language,
    )


def _game_asked_about(answer: Answer) -> str:
    """Return the name of the one game that was asked about, or an empty string."""
    games = [info["game"] for info in answer.infos if "game" in info]
    names = {str(game["name"]) for game in games if isinstance(game, Mapping)}
    return names.pop() if len(games) == len(answer.infos) and len(names) == 1 else ""


def _guided(answer: Answer) -> tuple[Phrase, ...]:
    """Say in a subject that whoever wrote words of his own is told how to go on."""
    codes = {complaint.reason.code for complaint in answer.complaints}
    if not codes or not codes <= _UNDERSTOOD_NOTHING:
        return ()
    return (phrase("how-to-begin" if _HOW_TO_BEGIN in answer.infos else "your-games"),)


def _with_end(session: Session, answer: Answer) -> Answer:
    """Return an answer that says that its game is over, where it would say nothing."""
    game = session.context.games.get(answer.game)
    if game.state is not GameState.ENDED or not answer.is_empty:
        return answer
    return answer.plus(Answer(done=(phrase("signed-on-over", game=game.name),)))


def _seat_answers(session: Session, answer: Answer, seat: Seat, sheet: Sheet) -> list[Letter]:
    """Make the answer to a seat; where a master acted for it, its player's copy and his own."""
    if _asks_to_resign(session, seat):
        answer = answer.plus(Answer(done=(phrase("resign-asked"),)))
    answer = _with_beginning(session, answer, seat)
    answer, drawn = _drawn(session, _with_end(session, answer), seat)
    letter = _seat_answer(session, answer, seat, sheet)
    if drawn is not None:
        letter = illustrated(letter, drawn)
    if not is_present(seat) and not answer.by:
        letter = _to_the_gone(letter, answer)
    master = session.context.games.seat(answer.by) if answer.by else None
    if master is None:
        return [letter]
    game = session.context.games.get(answer.game)
    event = phrase("event-orders" if answer.orders else "event-receipt")
    # Whoever reads this is the master: the sheet says what the power has still to decide.
    shared = {name: fact for name, fact in letter.facts.items() if name not in ("game", "seat")}
    own = letter_to(
        game, master, letter.kind, letter.template,
        {**shared, **_standing_facts(session, game, master, answer)},
        with_gist(event, _gist(game, answer, master, _sheets(game, seat, answer))),
        answers=session.mail.message_id or "-",
    )
    own = altered(own, pictures=letter.pictures)
    told = phrase("master-acted", power=seat.power, game=game.name)
    done = [told, *(each for each in answer.done if each.code != "acting-as")]
    # What the master wrote and could not have done may name anybody; it is his alone.
    read = [line for line in answer.orders if not line.ignored]
    facts = {**letter.facts, "done": done, "complaints": [], "orders": read, "quoted": (),
             "unread": 0, "below": "", "refused": False, "struck": (), "files": ()}
    copy = altered(letter, facts=facts, answers="", subject=_unanswering(letter.subject))
    return [copy, own] if is_present(seat) else [own]


def _with_beginning(session: Session, answer: Answer, seat: Seat) -> Answer:
    """Add to the answer to a JOIN that the game has begun, if it has."""
    game = session.context.games.get(answer.game)
    has_joined = any(each.code == "joined" for each in answer.done)
    if not has_joined or game.state is not GameState.RUNNING or not seat.power:
        return answer
    return answer.plus(Answer(done=(phrase("joined-last", game=game.name, power=seat.power),)))


def _asks_to_resign(session: Session, seat: Seat) -> bool:
    """Return whether another letter asks a seat if it means to resign."""
    return any((each.template, each.seat) == ("resign", seat.id) for each in session.letters)


def _unanswering(subject: Phrase | str) -> Phrase | str:
    """Return the subject of an answer for somebody whom it answers nothing."""
    inner = subject.facts.get("subject") if isinstance(subject, Phrase) else None
    return inner if isinstance(inner, Phrase) else subject


def _seat_answer(session: Session, answer: Answer, seat: Seat, sheet: Sheet) -> Letter:
    """Make the answer to a seat: what was done, the whole order sheet, what is owed."""
    context = session.context
    game = context.games.get(answer.game)
    here = _shown_once([_with_own_facts(game, seat, info) for info in answer.infos], game)
    sheets = _sheets(game, seat, answer)
    facts = {
        **_common_facts(session, answer, sheet),
        "infos": here,
        "sheets": sheets,
        "plans": plan_facts(game, seat.power) if seat.power and is_open(game) else [],
        **_standing_facts(session, game, seat, answer),
    }
    only_info = answer.infos and not (answer.done or answer.orders or answer.complaints)
    kinds = answer.kinds
    kind, template, event = Kind.RECEIPT, "receipt", phrase("event-receipt")
    if only_info and kinds and Kind.RECEIPT not in kinds:
        kind = Kind.HELP if kinds == {Kind.HELP} else Kind.INFO
        event = phrase("event-help" if kinds == {Kind.HELP} else "event-answer")
    elif answer.orders and game.state is not GameState.FORMING:
        event = phrase("event-orders")
    gist = _gist(game, answer, seat, sheets)
    if asked := _questions(answer):
        kind, event, gist = Kind.CONFIRM, phrase("event-please-confirm"), (*asked, *gist)
    facts["preheader"] = phrase("preheader", gist=gist) if gist else None
    letter = letter_to(
        game, seat, kind, template, facts, with_gist(event, gist),
        answers=_answered_id(session, game, answer.address or seat.address),
    )
    pictures, files = distinct(answer.pictures), tuple(answer.files)
    return altered(letter, pictures=pictures, files=files, language=answer.language)


def _gist(
    game: Game, answer: Answer, seat: Seat, sheets: Sequence[OrderSheet]
) -> tuple[Phrase, ...]:
    """Return what an answer to a seat comes to: orders in, or what was done, and what was not.

    A master who sees all sheets hears of the orders of all powers.
    """
    if answer.orders and sheets and reader_of(game, seat).quality is Watcher.MASTER:
        shown = {sheet.power for sheet in sheets}
        others = [side.name for side in sides_of(game) if side.name not in shown]
        sheets = [*sheets, *sheets_facts(game, others)]
    filed = _on_file(sheets) if answer.orders else ()
    return (*(filed or _asked(answer)), *_refused_lines(answer))


def _on_file(sheets: Sequence[OrderSheet]) -> tuple[Phrase, ...]:
    """Return the number of orders on file, of those that are needed if that is known.

    Orders that are not final yet need the word that makes them final.
    """
    drafts = [d for sheet in sheets for d in sheet.draft if d.line != sheet.final_word]
    of = len(drafts)
    count = sum(not draft.open for draft in drafts)
    if not of:
        return ()
    if any(sheet.is_open_ended for sheet in sheets):
        return (phrase("orders-filed" if count else "orders-none-filed", count=count),)
    if any(sheet.missing for sheet in sheets):
        return (phrase("orders-in" if count else "orders-none-in", count=count, of=of),)
    if words := {sheet.final_word for sheet in sheets if sheet.final_word}:
        return (phrase("orders-not-final", words=tuple(sorted(words))),)
    return (phrase("orders-all-in" if of > 1 else "orders-in", count=of, of=of),)


def _asked(answer: Answer) -> tuple[Phrase, ...]:
    """Name the commands that were carried out, or what was done without one; that somebody signed
    on, or asked for help, goes without saying."""
    verbs = tuple(dict.fromkeys(answer.verbs))
    told = tuple(verb for verb in verbs if verb not in _PLAIN) or verbs
    if answer.complaints or answer.kinds == {Kind.HELP}:
        told = tuple(verb for verb in told if verb not in _PLAIN)
    if told:
        return (phrase("verbs", verbs=told[:MOST_CLAUSES]),)
    done = [HEADLINES[each.code] for each in answer.done if each.code in HEADLINES]
    return tuple(phrase(code) for code in done[:1])


def _questions(answer: Answer) -> tuple[Phrase, ...]:
    """Return the commands that wait for a confirmation in a later mail, by their first words."""
    asked = [each for each in answer.complaints if each.kind is ComplaintKind.QUESTION]
    words = dict.fromkeys(each.suggestions[0].split()[0] for each in asked)
    return (phrase("verbs", verbs=tuple(words)),) if words else ()


def _refused_lines(answer: Answer) -> tuple[Phrase, ...]:
    """Return the number of lines that were not carried out, as a clause of the subject.

    A READY that only follows from another refused line is not counted.
    """
    lines = {
        each.line for each in answer.complaints
        if each.kind is not ComplaintKind.QUESTION and each.reason.code != "ready-beside-refused"
    }
    lines |= {read.line.number for read in answer.orders if read.complaint}
    return (phrase("lines-refused", count=len(lines)),) if lines else ()


def _standing_facts(
    session: Session, game: Game, seat: Seat, answer: Answer
) -> dict[str, object]:
    """Return the facts of an answer about its seat: missing orders, votes, the next line."""
    return {
        "owed": owed_facts(game, seat),
        "votes": standing_votes(game, seat),
        "absences": absence_facts(session, game, seat),
        "forming": _forming_facts(game, seat),
        "next": _next_line(game, seat),
        "lines_wait": _waiting_lines(game, seat),
        "lines_earlier": _earlier_lines(game, seat, answer),
        "sits_until": sits_until(seat),
    }


def _waiting_lines(game: Game, seat: Seat) -> Phrase | None:
    """Say that the phase waits for refused lines of a power that has something to decide."""
    waits = seat.role is Role.PLAYER and is_open(game) and not game.clock.negotiates
    if not waits or system_missing(game) or seat.power not in game.table.due():
        return None
    lines = refused_lines(game, seat.power)
    code = "unread-lines-wait" if lines.unread else "refused-lines-wait"
    count = lines.unread or len(lines.open)
    return phrase(code, count=count, phase=game.phase, send="DROP") if count else None


def _earlier_lines(game: Game, seat: Seat, answer: Answer) -> Phrase | None:
    """Return the pending refused lines of a power that earlier mails contained."""
    if seat.role is not Role.PLAYER:
        return None
    texts = [each.text for each in answer.complaints]
    texts += [read.line.text for read in answer.orders if read.complaint]
    now = {" ".join(text.split()).casefold() for text in texts}
    lines = tuple(
        line for line in refused_lines(game, seat.power).open if line.casefold() not in now
    )
    return phrase("refused-lines-earlier", count=len(lines), lines=lines) if lines else None


def _answered_id(session: Session, game: Game, to: str) -> str:
    """Return the Message-ID an answer names: it tells a mail server, and in a gunboat game somebody
    who sits in must not learn for whom."""
    if is_gunboat(game) and not session.context.aliases.same(to, session.mail.sender):
        return "-"
    return session.mail.message_id or "-"


def _to_the_gone(letter: Letter, answer: Answer) -> Letter:
    """Send the answer of somebody who left to the address that left; it opens nothing any more."""
    return Letter(
        kind=letter.kind,
        to=answer.address,
        subject=letter.subject,
        template="answer",
        facts={k: v for k, v in letter.facts.items() if k not in _FOR_SEATS},
        system=letter.system,
        answers=letter.answers,
        threads=letter.threads,
        pictures=letter.pictures,
        files=letter.files,
    )


def _with_own_facts(
    game: Game, seat: Seat, info: Mapping[str, object]
) -> dict[str, object]:
    """Fill in what an info shows of the seat's own game; STATUS is filled only now, after all."""
    facts = dict(info)
    if facts["template"] == "position":
        begun = game.state is not GameState.FORMING
        reader = reader_of(game, seat)
        facts["standing"] = game.table.standing(reader) if begun else None
        facts["roster"] = roster(game, seat)
        facts["game"] = game_facts(game, seat)
    return facts


def _shown_once(infos: Sequence[dict[str, object]], game: Game) -> list[dict[str, object]]:
    """Return what an answer shows, without the position of LIST where STATUS has it."""
    if not any(info["template"] == "position" for info in infos):
        return list(infos)
    return [{**info, "standing": None} if _lists(info, game) else info for info in infos]


def _lists(info: Mapping[str, object], game: Game) -> bool:
    """Return whether this is what LIST shows of a game."""
    facts = info.get("game")
    is_list = info["template"] == "list-game"
    return is_list and isinstance(facts, Mapping) and facts.get("name") == game.name


def _sheets(game: Game, seat: Seat, answer: Answer) -> list[OrderSheet]:
    """Return the facts of every order sheet this answer shows: the seat's own power's, or those
    a master changed or asked for."""
    here = is_present(seat) or answer.by
    if game.state not in (GameState.RUNNING, GameState.PAUSED) or not here or system_missing(game):
        return []
    return _together(sheets_facts(game, _powers(seat, answer)))


def _together(sheets: list[OrderSheet]) -> list[OrderSheet]:
    """Say once what several sheets of one phase share: the title, what becomes of units without
    orders."""
    owing = [number for number, sheet in enumerate(sheets) if sheet.missing]
    shown: list[OrderSheet] = []
    for number, sheet in enumerate(sheets):
        title = None if number else sheet.title
        default = sheet.default if owing[-1:] == [number] else None
        shown.append(altered(sheet, title=title, default=default))
    return shown


def _drawn(session: Session, answer: Answer, seat: Seat) -> tuple[Answer, View | None]:
    """Return the orders of every sheet this answer shows, and nobody else's, on the board, where
    its reader wants that, and the answer, which says so where there is no picture of them."""
    if not seat.settings.preview or not any(line.filed for line in answer.orders):
        return answer, None
    game = session.context.games.get(answer.game)
    sheets = game.orders(game.phase)
    shown = {power: sheets[power] for power in _powers(seat, answer) if power in sheets}
    if not shown:
        return answer, View()
    wish, more = rationed(session, answer, wish_of(session.context, seat))
    return answer.plus(more), filed_view(game, reader_of(game, seat), wish, shown)


def _powers(seat: Seat, answer: Answer) -> list[str]:
    """Return whose sheets an answer shows: the seat's own, or what a master changed or asked for.
    """
    return [seat.power] if seat.power else sorted(answer.powers)


def _forming_facts(game: Game, seat: Seat) -> dict[str, object] | None:
    if game.state is not GameState.FORMING or seat.role not in (Role.PLAYER, Role.MASTER):
        return None
    players = [s for s in game.all_seats() if s.role is Role.PLAYER]
    return {
        "joined": sum(is_present(s) for s in players),
        "of": places(game),
        "master": seat.role is Role.MASTER,
        "word": game.chosen.private if seat.role is Role.MASTER else "",
        "manual": game.chosen.manual_start,
        "muster": bool(game.chosen.muster),
        "powers": [f"{side.letter} {side.name}" for side in sides_of(game)],
    }


def _next_line(game: Game, seat: Seat) -> str:
    """Return the sign-on line this seat uses next time; empty where only replies open it."""
    if not has_password(seat):
        return ""
    return f"SIGNON {seat_facts(game, seat)['signon']} yourpassword"


def _warning(session: Session, seat: Seat) -> Letter:
    """Tell a seat's address that its reply address was used from elsewhere; nothing was done."""
    game = session.context.games.get(seat.game)
    reason = phrase("token-from-elsewhere", game=game.name)
    return notice_to(game, seat, [reason], Kind.NOTICE)
