"""Replies to a mail: one for each seat it opened, one to the sender for the rest."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta

from judge.games.letter_facts import SheetFacts as OrderSheet
from judge.games.system import ViewerRole
from judge.model.command import ParsedMail
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge.model.record import GameState, Role, Seat
from judge.model.replace import replace
from judge.play.commands.asking.own_games import own_rows
from judge.play.commands.picture_ration import ration_pictures
from judge.play.commands.seats.absences import absence_facts
from judge.play.commands.session import ReplyDraft, Session
from judge.play.future_orders import NOT_FILED, OLDER_ORDER_CODE, plan_facts, sheets_facts
from judge.play.game import Game
from judge.play.gm.decisions import standing_votes
from judge.play.letters.anonymity import is_gunboat
from judge.play.letters.board_pictures import (
    BoardView,
    board_format_of,
    distinct,
    illustrate_letter,
    orders_view,
)
from judge.play.letters.letter_factory import (
    EVENT_BY_CODE,
    MAX_CLAUSES,
    answering,
    append_summary,
    game_facts,
    has_password,
    letter_to,
    notice_to,
    owed_facts,
    roster,
    seat_facts,
)
from judge.play.people.addresses import wants_copies
from judge.play.people.sitting import sits_until
from judge.play.queries import (
    is_open,
    is_present,
    player_count,
    reader_of,
    sides_of,
    system_missing,
)
from judge.play.unsettled import refused_lines

ANSWER_TO_PRESUMED_INTERVAL = timedelta(hours=1)
"""Minimum time between two replies to a seat whose mails may come from a program."""
MAX_ALIKE = 5
"""Maximum number of equal complaints, as a block may repeat a line of orders."""
_PLAIN = ("SIGNON", "SIGNOFF", "HELP")
_HOW_TO_BEGIN = {"template": "help-hint"}
_GREETING = "greeting-without-seat"
_UNDERSTOOD_NOTHING = frozenset(
    {"orders-without-seat", _GREETING, "looks-like-command", "looks-like-clearing",
     "looks-like-forgotten", "looks-like-resigning", "looks-like-extension"}
)
"""Complaint codes for lines that were written as if to a person."""
_FOR_SEATS = ("sheets", "plans", "owed", "votes", "absences")
"""Facts of a receipt that a reply without a seat does not have."""


def answer_letters(session: Session, sheet: ParsedMail) -> list[Letter]:
    """Make all replies to a mail after its commands were carried out."""
    if session.mail.sealed:
        last = len(session.answers) - 1
        sealed = ReplyDraft(done=(phrase("mail-encrypted"),))
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
            if not session.context.aliases.is_same_person(address, sender):
                elsewhere = True
            elif not wants_copies(seat):
                letters.append(replace(letters[-1], to=sender))
    if session.mail.presumed:
        return letters
    answer = _to_sender(session, elsewhere=elsewhere, answered=bool(letters))
    if not answer.is_empty and session.mail.sender:
        letters.append(_stranger_answer(session, answer, sheet))
    if session.warned:
        letters.append(_warning(session, session.warned))
    return letters


def _answers_to_presumed(
    session: Session, answer: ReplyDraft, seat: Seat, sheet: ParsedMail
) -> list[Letter]:
    """Make the reply to a mail that may be automatic, once an hour for each seat.

    Two programs must not keep answering each other (RFC 3834, 2).
    """
    people, now = session.context.people, session.now
    if people.ask_once(f"presumed {seat.id}", now, now - ANSWER_TO_PRESUMED_INTERVAL):
        return _seat_answers(session, answer, seat, sheet)
    return []


def _to_sender(session: Session, *, elsewhere: bool, answered: bool) -> ReplyDraft:
    """Return the sender's own reply, with what concerns the mail as a whole.

    *elsewhere* is true if something was carried out for a seat whose reply goes to an unrelated
    address. *answered* is true if a seat gets a reply.
    """
    answer = session.answers[0]
    if answered:
        others = (each for each in answer.complaints if each.reason.code != _GREETING)
        answer = replace(answer, complaints=tuple(others))
    if session.dropped:
        reason = phrase("lines-dropped", count=session.dropped)
        complaint = Complaint(ComplaintKind.NOT_ALLOWED, 0, "", reason)
        answer = answer.merge(ReplyDraft(complaints=(complaint,)))
    if elsewhere and session.mail.sender:
        answer = answer.merge(ReplyDraft(done=(phrase("carried-out-elsewhere"),)))
    if session.deferred and not answer.is_empty:
        known = session.context.people.is_confirmed(session.mail.sender)
        code = "waits-for-yes" if known else "waits-for-confirmation"
        answer = answer.merge(ReplyDraft(done=(phrase(code, what=session.deferred),)))
    if not (answered or session.letters or session.deferred) and answer.is_empty:
        only_quoted = session.mail.ignored.quoted and not session.mail.lines
        reason = phrase("only-quoted" if only_quoted else "nothing-found")
        return answer.merge(ReplyDraft(done=(reason,), infos=(_HOW_TO_BEGIN,)))
    if not (answered or session.letters or session.deferred or answer.infos or answer.done):
        answer = answer.merge(_guidance(session, answer))
    return answer


def _guidance(session: Session, answer: ReplyDraft) -> ReplyDraft:
    """Return help for a sender whose mail had no understood line or opened no seat.

    The help is the list of their own games with the sign-on lines, else the first steps. Like
    MY GAMES, the list goes to the sender's address and to no other. A sender without a seat
    gets the same reply for every sign-on that fails.
    """
    codes = {complaint.reason.code for complaint in answer.complaints}
    if not codes <= _UNDERSTOOD_NOTHING | {"signon-failed", "signon-other-letter"}:
        return ReplyDraft()
    if rows := own_rows(session):
        return ReplyDraft(infos=({"template": "mine", "rows": rows},))
    return ReplyDraft(infos=(_HOW_TO_BEGIN,) if codes <= _UNDERSTOOD_NOTHING else ())


def _is_needless(session: Session, answer: ReplyDraft) -> bool:
    """Return whether a seat needs no reply.

    An empty reply is omitted if the seat was only opened, or left, on the way to another one,
    or if another letter asks the seat for a confirmation.
    """
    passed = answer.seat in {other.acting_master_id for other in session.answers} or bool(
        answer.address
    )
    asks = any(
        each.seat == answer.seat and each.kind is LetterKind.CONFIRM for each in session.letters
    )
    if asks and answer.is_empty:
        return True
    if answer.replied:
        passed = passed or not all(other.is_empty for other in session.answers)
    return answer.is_empty and passed


def _common_facts(session: Session, answer: ReplyDraft, sheet: ParsedMail) -> dict[str, object]:
    return {
        "done": list(answer.done), "complaints": _once(_still_true(answer)),
        "orders": list(answer.orders), "infos": list(answer.infos), "ignored": session.mail.ignored,
        "unread": sheet.unread, "left": None, "quoted": sheet.quoted, "below": sheet.below,
        "refused": _has_refused_orders(answer), "struck": sheet.struck, "files": session.mail.files,
    }


def _once(complaints: Sequence[Complaint]) -> list[Complaint]:
    """Limit repeated complaints about equal lines to MOST_ALIKE each."""
    times: Counter[object] = Counter()
    kept = []
    for each in complaints:
        same = (each.text, json.dumps(each.reason.as_json(), default=str))
        times[same] += 1
        if not each.text or times[same] <= MAX_ALIKE:
            kept.append(each)
    return kept


def _has_refused_orders(answer: ReplyDraft) -> bool:
    """Return whether the mail contained an order that was not filed."""
    lines = any(read.complaint for read in answer.orders)
    return lines or any(each.reason.code in NOT_FILED for each in answer.complaints)


def _still_true(answer: ReplyDraft) -> list[Complaint]:
    """Return the complaints without outdated ones.

    A notice that an older order is on file is outdated if a later line of the mail changed that
    order.
    """
    changed = {" ".join(order.split()[:2]) for read in answer.orders for order in read.filed}
    return [
        complaint for complaint in answer.complaints
        if complaint.reason.code != OLDER_ORDER_CODE
        or " ".join(str(complaint.reason.facts["order"]).split()[:2]) not in changed
    ]


def _stranger_answer(session: Session, answer: ReplyDraft, sheet: ParsedMail) -> Letter:
    """Make the reply to the sender for what concerned no seat."""
    kind = LetterKind.ERROR if answer.complaints or not answer.kinds else LetterKind.INFO
    if answer.kinds == {LetterKind.HELP} and not answer.complaints:
        kind = LetterKind.HELP
    elif answer.done and not answer.complaints and not answer.infos:
        kind = LetterKind.INFO
    about = {LetterKind.HELP: phrase("event-help"), LetterKind.INFO: phrase("event-your-question")}
    gist = (*_describe_commands(answer), *_refused_lines(answer), *_describe_guidance(answer))
    event = append_summary(about.get(kind, phrase("event-your-mail")), gist)
    if kind is LetterKind.INFO and (game := _find_asked_game(answer)):
        event = phrase("subject-outside", game=game, event=event)
    return Letter(
        kind=kind,
        to=session.mail.sender,
        subject=answering(event),
        template="answer",
        facts=_common_facts(session, answer, sheet),
        # Requested facts are rendered by the templates of their game system.
        system=next((str(info["system"]) for info in answer.infos if info.get("system")), ""),
        answers=session.mail.message_id,
        pictures=distinct(answer.pictures),
        files=tuple(answer.files),
        language=answer.language,
    )


def _find_asked_game(answer: ReplyDraft) -> str:
    """Return the name of the game if all infos are about one game, else ""."""
    games = [info["game"] for info in answer.infos if "game" in info]
    names = {str(game["name"]) for game in games if isinstance(game, Mapping)}
    return names.pop() if len(games) == len(answer.infos) and len(names) == 1 else ""


def _describe_guidance(answer: ReplyDraft) -> tuple[Phrase, ...]:
    """Return the subject clause that announces help after plain prose, or none."""
    codes = {complaint.reason.code for complaint in answer.complaints}
    if not codes or not codes <= _UNDERSTOOD_NOTHING:
        return ()
    return (phrase("how-to-begin" if _HOW_TO_BEGIN in answer.infos else "your-games"),)


def _with_end(session: Session, answer: ReplyDraft) -> ReplyDraft:
    """Return an empty reply with a note that the game is over, if it is."""
    game = session.context.games.get(answer.game)
    if game.state is not GameState.ENDED or not answer.is_empty:
        return answer
    return answer.merge(ReplyDraft(done=(phrase("signed-on-over", game=game.name),)))


def _seat_answers(
    session: Session, answer: ReplyDraft, seat: Seat, sheet: ParsedMail
) -> list[Letter]:
    """Make the reply to a seat.

    If a master acted for the seat, return its player's copy and the master's reply.
    """
    if _asks_to_resign(session, seat):
        answer = answer.merge(ReplyDraft(done=(phrase("resign-asked"),)))
    answer = _with_beginning(session, answer, seat)
    answer, drawn = _draw_orders(session, _with_end(session, answer), seat)
    letter = _seat_answer(session, answer, seat, sheet)
    if drawn is not None:
        letter = illustrate_letter(letter, drawn)
    if not is_present(seat) and not answer.acting_master_id:
        letter = _to_the_gone(letter, answer)
    master = (
        session.context.games.seat(answer.acting_master_id) if answer.acting_master_id else None
    )
    if master is None:
        return [letter]
    game = session.context.games.get(answer.game)
    event = phrase("event-orders" if answer.orders else "event-receipt")
    # The viewer is the master. The sheet shows what the power still has to decide.
    shared = {name: fact for name, fact in letter.facts.items() if name not in ("game", "seat")}
    own = letter_to(
        game, master, letter.kind, letter.template,
        {**shared, **_standing_facts(session, game, master, answer)},
        append_summary(event, _gist(game, answer, master, _sheets(game, seat, answer))),
        answers=session.mail.message_id or "-",
    )
    own = replace(own, pictures=letter.pictures)
    told = phrase("master-acted", power=seat.power, game=game.name)
    done = [told, *(each for each in answer.done if each.code != "acting-as")]
    # Refused lines of the master may name any person, so only the master sees them.
    read = [line for line in answer.orders if not line.ignored]
    facts = {**letter.facts, "done": done, "complaints": [], "orders": read, "quoted": (),
             "unread": 0, "below": "", "refused": False, "struck": (), "files": ()}
    copy = replace(letter, facts=facts, answers="", subject=_unanswering(letter.subject))
    return [copy, own] if is_present(seat) else [own]


def _with_beginning(session: Session, answer: ReplyDraft, seat: Seat) -> ReplyDraft:
    """Add to the reply to a JOIN that the game has started, if it has."""
    game = session.context.games.get(answer.game)
    has_joined = any(each.code == "joined" for each in answer.done)
    if not has_joined or game.state is not GameState.RUNNING or not seat.power:
        return answer
    return answer.merge(ReplyDraft(done=(phrase("joined-last", game=game.name, power=seat.power),)))


def _asks_to_resign(session: Session, seat: Seat) -> bool:
    """Return whether another letter asks a seat to confirm its resignation."""
    return any((each.template, each.seat) == ("resign", seat.id) for each in session.letters)


def _unanswering(subject: Phrase | str) -> Phrase | str:
    """Return the subject of a reply without its reply prefix."""
    inner = subject.facts.get("subject") if isinstance(subject, Phrase) else None
    return inner if isinstance(inner, Phrase) else subject


def _seat_answer(session: Session, answer: ReplyDraft, seat: Seat, sheet: ParsedMail) -> Letter:
    """Make the reply to a seat: effects, the whole order sheet, missing orders."""
    context = session.context
    game = context.games.get(answer.game)
    here = _shown_once([_with_own_facts(game, seat, info) for info in answer.infos], game)
    sheets = _sheets(game, seat, answer)
    facts = {
        **_common_facts(session, answer, sheet), "infos": here, "sheets": sheets,
        "plans": plan_facts(game, seat.power) if seat.power and is_open(game) else [],
        **_standing_facts(session, game, seat, answer),
    }
    only_info = answer.infos and not (answer.done or answer.orders or answer.complaints)
    kinds = answer.kinds
    kind, template, event = LetterKind.RECEIPT, "receipt", phrase("event-receipt")
    if only_info and kinds and LetterKind.RECEIPT not in kinds:
        kind = LetterKind.HELP if kinds == {LetterKind.HELP} else LetterKind.INFO
        event = phrase("event-help" if kinds == {LetterKind.HELP} else "event-answer")
    elif answer.orders and game.state is not GameState.FORMING:
        event = phrase("event-orders")
    gist = _gist(game, answer, seat, sheets)
    if asked := _questions(answer):
        kind, event, gist = LetterKind.CONFIRM, phrase("event-please-confirm"), (*asked, *gist)
    facts["preheader"] = phrase("preheader", gist=gist) if gist else None
    letter = letter_to(
        game, seat, kind, template, facts, append_summary(event, gist),
        answers=_answered_id(session, game, answer.address or seat.address),
    )
    pictures, files = distinct(answer.pictures), tuple(answer.files)
    return replace(letter, pictures=pictures, files=files, language=answer.language)


def _gist(
    game: Game, answer: ReplyDraft, seat: Seat, sheets: Sequence[OrderSheet]
) -> tuple[Phrase, ...]:
    """Return the clauses of the subject: orders or effects, then refused lines.

    For a master who sees all sheets the orders of all powers are counted.
    """
    if answer.orders and sheets and reader_of(game, seat).quality is ViewerRole.MASTER:
        shown = {sheet.power for sheet in sheets}
        others = [side.name for side in sides_of(game) if side.name not in shown]
        sheets = [*sheets, *sheets_facts(game, others)]
    filed = _on_file(sheets) if answer.orders else ()
    return (*(filed or _describe_commands(answer)), *_refused_lines(answer))


def _on_file(sheets: Sequence[OrderSheet]) -> tuple[Phrase, ...]:
    """Return the number of orders on file, and of those needed if that is known.

    Orders that are not final need a word that makes them final. The phrase names it.
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


def _describe_commands(answer: ReplyDraft) -> tuple[Phrase, ...]:
    """Return the clause of the subject that names the commands carried out.

    Without commands it names the first effect that has a headline. Sign-ons and requests for
    help are omitted next to other content.
    """
    verbs = tuple(dict.fromkeys(answer.verbs))
    told = tuple(verb for verb in verbs if verb not in _PLAIN) or verbs
    if answer.complaints or answer.kinds == {LetterKind.HELP}:
        told = tuple(verb for verb in told if verb not in _PLAIN)
    if told:
        return (phrase("verbs", verbs=told[:MAX_CLAUSES]),)
    done = [EVENT_BY_CODE[each.code] for each in answer.done if each.code in EVENT_BY_CODE]
    return tuple(phrase(code) for code in done[:1])


def _questions(answer: ReplyDraft) -> tuple[Phrase, ...]:
    """Return the first words of the commands that need a confirmation."""
    asked = [each for each in answer.complaints if each.kind is ComplaintKind.QUESTION]
    words = dict.fromkeys(each.suggestions[0].split()[0] for each in asked)
    return (phrase("verbs", verbs=tuple(words)),) if words else ()


def _refused_lines(answer: ReplyDraft) -> tuple[Phrase, ...]:
    """Return the number of refused lines, as a clause of the subject.

    A READY that is refused only because of another refused line is not counted.
    """
    lines = {
        each.line for each in answer.complaints
        if each.kind is not ComplaintKind.QUESTION and each.reason.code != "ready-beside-refused"
    }
    lines |= {read.line.number for read in answer.orders if read.complaint}
    return (phrase("lines-refused", count=len(lines)),) if lines else ()


def _standing_facts(
    session: Session, game: Game, seat: Seat, answer: ReplyDraft
) -> dict[str, object]:
    """Return the facts about a reply's seat: missing orders, votes, next sign-on."""
    return {
        "owed": owed_facts(game, seat), "votes": standing_votes(game, seat),
        "absences": absence_facts(session, game, seat), "forming": _forming_facts(game, seat),
        "next": _next_line(game, seat), "lines_wait": _waiting_lines(game, seat),
        "lines_earlier": _earlier_lines(game, seat, answer), "sits_until": sits_until(seat),
    }


def _waiting_lines(game: Game, seat: Seat) -> Phrase | None:
    """Return the note that the phase waits for refused lines of the power, or None."""
    waits = seat.role is Role.PLAYER and is_open(game) and not game.clock.negotiates
    if not waits or system_missing(game) or seat.power not in game.table.powers_due():
        return None
    lines = refused_lines(game, seat.power)
    code = "unread-lines-wait" if lines.unread else "refused-lines-wait"
    count = lines.unread or len(lines.open)
    return phrase(code, count=count, phase=game.phase) if count else None


def _earlier_lines(game: Game, seat: Seat, answer: ReplyDraft) -> Phrase | None:
    """Return the pending refused lines of a power from earlier mails, or None."""
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
    """Return the Message-ID that a reply refers to.

    "-" if the mail came from an unrelated address in a gunboat game. The Message-ID names a
    mail server, so it could tell a sitter which player they replace.
    """
    if is_gunboat(game) and not session.context.aliases.is_same_person(to, session.mail.sender):
        return "-"
    return session.mail.message_id or "-"


def _to_the_gone(letter: Letter, answer: ReplyDraft) -> Letter:
    """Return the reply to a player who left, for the address that left.

    It has no token and no facts of the seat.
    """
    return Letter(
        kind=letter.kind, to=answer.address, subject=letter.subject, template="answer",
        facts={k: v for k, v in letter.facts.items() if k not in _FOR_SEATS}, system=letter.system,
        answers=letter.answers, threads=letter.threads, pictures=letter.pictures,
        files=letter.files,
    )


def _with_own_facts(game: Game, seat: Seat, info: Mapping[str, object]) -> dict[str, object]:
    """Fill in the facts of STATUS about the seat's own game.

    They are filled in after all commands, so that they show the final state.
    """
    facts = dict(info)
    if facts["template"] == "position":
        begun = game.state is not GameState.FORMING
        reader = reader_of(game, seat)
        facts["standing"] = game.table.position_facts(reader) if begun else None
        facts["roster"] = roster(game, seat)
        facts["game"] = game_facts(game, seat)
    return facts


def _shown_once(infos: Sequence[dict[str, object]], game: Game) -> list[dict[str, object]]:
    """Return the infos of a reply without the position of LIST if STATUS shows it."""
    if not any(info["template"] == "position" for info in infos):
        return list(infos)
    return [{**info, "standing": None} if _lists(info, game) else info for info in infos]


def _lists(info: Mapping[str, object], game: Game) -> bool:
    """Return whether an info is the entry of LIST for a game."""
    facts = info.get("game")
    is_list = info["template"] == "list-game"
    return is_list and isinstance(facts, Mapping) and facts.get("name") == game.name


def _sheets(game: Game, seat: Seat, answer: ReplyDraft) -> list[OrderSheet]:
    """Return the facts of every order sheet that this reply shows.

    These are the sheet of the seat's own power, or those that a master changed or requested.
    """
    here = is_present(seat) or answer.acting_master_id
    if game.state not in (GameState.RUNNING, GameState.PAUSED) or not here or system_missing(game):
        return []
    return _together(sheets_facts(game, _powers(seat, answer)))


def _together(sheets: list[OrderSheet]) -> list[OrderSheet]:
    """Keep only one copy of the facts that several sheets of one phase share.

    The title stays with the first sheet, the default orders with the last sheet that misses
    orders.
    """
    owing = [number for number, sheet in enumerate(sheets) if sheet.missing]
    shown: list[OrderSheet] = []
    for number, sheet in enumerate(sheets):
        title = None if number else sheet.title
        default = sheet.default if owing[-1:] == [number] else None
        shown.append(replace(sheet, title=title, default=default))
    return shown


def _draw_orders(
    session: Session, answer: ReplyDraft, seat: Seat
) -> tuple[ReplyDraft, BoardView | None]:
    """Return the reply and the board with the orders of every sheet that it shows.

    There is no board if the viewer wants no preview or no order was filed. The reply contains a
    note if the board is shown as text.
    """
    if not seat.settings.preview or not any(line.filed for line in answer.orders):
        return answer, None
    game = session.context.games.get(answer.game)
    sheets = game.orders(game.phase)
    shown = {power: sheets[power] for power in _powers(seat, answer) if power in sheets}
    if not shown:
        return answer, BoardView()
    wish, more = ration_pictures(session, answer, board_format_of(session.context, seat))
    return answer.merge(more), orders_view(game, reader_of(game, seat), wish, shown)


def _powers(seat: Seat, answer: ReplyDraft) -> list[str]:
    """Return the powers whose sheets a reply shows."""
    return [seat.power] if seat.power else sorted(answer.powers)


def _forming_facts(game: Game, seat: Seat) -> dict[str, object] | None:
    if game.state is not GameState.FORMING or seat.role not in (Role.PLAYER, Role.MASTER):
        return None
    players = [s for s in game.all_seats() if s.role is Role.PLAYER]
    return {
        "joined": sum(is_present(s) for s in players), "of": player_count(game),
        "master": seat.role is Role.MASTER,
        "word": game.chosen.private if seat.role is Role.MASTER else "",
        "manual": game.chosen.manual_start, "muster": bool(game.chosen.muster),
        "powers": [f"{side.letter} {side.name}" for side in sides_of(game)],
    }


def _next_line(game: Game, seat: Seat) -> str:
    """Return the next sign-on line of this seat, or "" if it has no password."""
    if not has_password(seat):
        return ""
    return f"SIGNON {seat_facts(game, seat)['signon']} yourpassword"


def _warning(session: Session, seat: Seat) -> Letter:
    """Warn a seat's address that its reply address was used from elsewhere in vain."""
    game = session.context.games.get(seat.game)
    reason = phrase("token-from-elsewhere", game=game.name)
    return notice_to(game, seat, [reason], LetterKind.NOTICE)
