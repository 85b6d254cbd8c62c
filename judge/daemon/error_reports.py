"""Reports of internal errors to the operator, masters and senders.

The operator's letters have the traceback, those to others are in plain words. A letter about an
error must not fail by the same error: if its template fails, the bare sentence is sent.

A mail that triggers an error can be sent again and again: each recipient gets a few letters a day
about the same cause, and the sender of the mail gets one.
"""

import logging
import re
from datetime import datetime, timedelta

from judge.daemon.application import Application
from judge.daemon.log_fields import log_step
from judge.errors import StoreError
from judge.model.command import PASSWORD_MASK, ParsedMail
from judge.model.incoming import Incoming
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import Role, StoredMail
from judge.phrases import phrasebook
from judge.play.letters.anonymity import SOMEBODY, masters_know
from judge.play.letters.letter_factory import answering, notice_to
from judge.play.queries import is_present
from judge.plugins import BrokenPlugin

log = logging.getLogger("judge")

MAX_REPORTS_PER_DAY = 3
"""Maximum letters a day about one cause, to operator and each game's masters."""
LIMIT_NOTICE = (
    f"About faults of the same cause you get {MAX_REPORTS_PER_DAY} letters a day;"
    " the log has them all, and"
    " `judge shunted list` and `judge game list` show what does not go on."
)

_DAY = timedelta(days=1)
_LONG = timedelta(days=365)
_PLACE = re.compile(r'^  File "(.*)", line ([0-9]+)', re.MULTILINE)
_KIND = re.compile(r"^([A-Za-z_][A-Za-z0-9_.]*)(?=[:,]|$)", re.MULTILINE)

def fault_signature(story: str) -> str:
    """Return the common cause of errors that differ only in their data.

    >>> fault_signature(
    ...     '  File "a.py", line 7, in read\\n    int(text)\\nValueError: no number: "²"\\n')
    'ValueError a.py:7'
    >>> fault_signature("The judge ended 8 times while it worked this mail.")
    'The judge ended 8 times while it worked this mail.'
    """
    places = _PLACE.findall(story)
    if not places:
        return story[:200]
    file, line = places[-1]
    return f"{(_KIND.findall(story) or ['fault'])[-1]} {file}:{line}"


def report_fault(
    application: Application, subject: str, text: str, story: str, now: datetime
) -> None:
    """Report an internal error to the operator, at most a few times a day.

    Raises:
        StoreError: the database cannot be used now.
    """
    if _should_report(application, "keeper", story, now):
        application.notify_operator(subject, f"{text} {LIMIT_NOTICE}", now, story)


def _should_report(
    application: Application, who: str, story: str, now: datetime, most: int = MAX_REPORTS_PER_DAY
) -> bool:
    """Return whether a recipient may get another report about a cause today.

    The limit is *most* reports a day. This one is counted if it may be sent.
    """
    asked = (f"fault {number} {who} {fault_signature(story)}" for number in range(most))
    return any(application.context.people.ask_once(what, now, now - _DAY) for what in asked)


def pause_game(application: Application, game_id: int, story: str, now: datetime) -> None:
    """Pause a game that cannot be advanced. Report it to operator and masters.

    Raises:
        StoreError: the database cannot be used now.
    """
    with application.store.transaction():
        name = application.games.pause_unread(game_id)
        report_fault(
            application,
            f"game {name} is paused",
            f"The judge could not move {name} on and has paused it; nothing was changed. Once the"
            " fault is mended, the master's RESUME lets it go on.",
            story, now,
        )
        notify_masters(application, game_id, phrase("game-paused-by-fault", game=name), now)
    log_step(log.error, "paused", f"game {name} is paused\n{story}", game=name, story=story)


def report_system(application: Application, system: BrokenPlugin, now: datetime) -> None:
    """Report an unusable game system in the log, and once to the operator.

    Raises:
        StoreError: the database cannot be used now.
    """
    log_step(
        log.error, "system",
        "the game system {} ({}) is left out: {}\n{}".format(*system),
        system=system.name, package=system.package, story=system.story,
    )
    with application.store.transaction():
        if application.context.people.ask_once(f"system {system[:3]}", now, now - _LONG):
            application.notify_operator(
                f"the game system {system.name} is left out",
                f"The game system {system.name} of {system.package} is installed and cannot be"
                f" used: {system.why}. Nobody can play it until that is mended; its games are"
                " paused, and all other games go on. `judge check` shows it too, and a restart of"
                " the judge looks again.",
                now, system.story,
            )


def shunt_mail(
    application: Application, mail: StoredMail, story: str, *,
    incoming: Incoming | None = None, sheet: ParsedMail = ParsedMail(()), part: str = "",
) -> None:
    """Shunt a mail, or some lines of it. Report it to operator, masters and sender.

    If only lines are shunted, the sender gets the report in the reply to the other lines.

    Raises:
        StoreError: the database cannot be used now.
    """
    now = application.clock.now()
    for secret in _secrets(incoming, sheet):
        story = story.replace(secret, PASSWORD_MASK)
    what = f"lines {part} of mail {mail.id}" if part else f"mail {mail.id}"
    verb = "are" if "-" in part else "is"
    log_step(
        log.error, "shunted", f"{what} from <{mail.sender}> {verb} set aside\n{story}",
        mail=mail.id, lines=part, sender=mail.sender or "<>", story=story,
    )
    with application.store.transaction():
        number = application.post.shunt(mail, part, story, now)
        report_fault(
            application,
            f"{what} {verb} set aside",
            f"The judge could not work {what} from <{mail.sender}>, accepted"
            f" {mail.accepted:%Y-%m-%d %H:%M:%S} UTC. It is kept, nothing of it was carried"
            f" out, and the mails after it go on. `judge shunted show {number}` shows it,"
            f" `judge shunted retry {number}` has it worked again.",
            story, now,
        )
        if incoming is None or incoming.machine or incoming.presumed:
            return
        code = "mail-part-set-aside" if part else "mail-set-aside"
        for game_id in _games_of(application, incoming, sheet):
            if not _should_report(application, f"game {game_id}", story, now):
                continue
            known = masters_know(application.context.games.get(game_id))
            who = incoming.sender if known else SOMEBODY
            notify_masters(
                application, game_id, phrase(code, address=who, most=MAX_REPORTS_PER_DAY), now
            )
        to_sender = incoming.sender and not part
        if to_sender and _should_report(application, incoming.sender, story, now, most=1):
            _tell_sender(application, mail, incoming)


def notify_masters(
    application: Application, game_id: int, reason: Phrase, now: datetime, *,
    kind: LetterKind = LetterKind.NOTICE, but: int = 0,
) -> int:
    """Queue a letter to each master of a game except for one seat.

    Return the number of letters.

    Raises:
        StoreError: the database cannot be used now.
    """
    many = 0
    for seat in application.games.seats(game_id):
        if seat.role is Role.MASTER and is_present(seat) and seat.id != but:
            many += 1
            try:
                with application.store.transaction():
                    game = application.context.games.get(game_id)
                    application.queue([notice_to(game, seat, [reason], kind)])
            except StoreError:
                raise
            except Exception:
                # If no letter can be rendered for the game, a bare sentence is sent.
                log.exception("no letter can be made of game %d", game_id)
                application.queue_plain_letter(
                    seat.address, "an internal error", "", now, phrasebook().render(reason)
                )
    return many


def _tell_sender(application: Application, mail: StoredMail, incoming: Incoming) -> None:
    """Answer a shunted mail once, so that its sender knows it was not executed."""
    letter = Letter(
        kind=LetterKind.ERROR, to=incoming.sender, subject=answering(phrase("event-your-mail")),
        template="fault", facts={"reason": phrase("your-mail-set-aside")},
        answers=incoming.message_id or "-",
    )
    try:
        with application.store.transaction():
            application.queue([letter], mail.id)
    except StoreError:
        raise
    except Exception:
        log.exception("mail %d cannot be answered", mail.id)


def _games_of(application: Application, incoming: Incoming, sheet: ParsedMail) -> list[int]:
    """Return the games that a mail names, and those in which its sender has a seat."""
    token = application.context.tokens.read(incoming.detail) if incoming.detail else None
    opened = application.games.seat(token.seat) if token else None
    found = {seat.game for seat in application.games.seats_at(incoming.sender)}
    if opened:
        found.add(opened.game)
    about_seats = (one for one in sheet.commands if hasattr(one, "who") or hasattr(one, "password"))
    for name in filter(None, (str(getattr(one, "game", "")) for one in about_seats)):
        if game := application.games.find(name.lower()):
            found.add(game.id)
    return sorted(found)


def _secrets(incoming: Incoming | None, sheet: ParsedMail) -> set[str]:
    """Return the passwords and the token in a mail, which a report must not contain."""
    found = {str(getattr(one, "password", "")) for one in sheet.commands}
    return {*found, incoming.detail if incoming else ""} - {""}
