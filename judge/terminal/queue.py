"""Waiting and shunted mails and letters: `judge queue …`, `judge shunted …`.

An ID is `in:12` for a mail, with the number reported to its sender, or `out:34` for a letter.
Their texts are not shown, because mails contain passwords and letters contain secrets of their
recipients.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain

from judge.config import Config, DeliverSection
from judge.digits import is_number
from judge.errors import JudgeError
from judge.model.record import DeliveryState, MailState, Outgoing, StoredMail
from judge.store.database import Store
from judge.store.key_values import KeyValues
from judge.store.mail_queues import Post
from judge.store.queue_report import Queues, Waiting
from judge.store.send_budget import SendBudget
from judge.terminal.inbox import printable, printable_line, read_letter

_HEADERS = ("from", "to", "subject", "date", "message-id")
_REDUCED = " octets, sha256 "
"""Text in the note of a mail that was reduced to its headers."""
_DROPPED = "dropped by the operator"
_SHUNTED = "set aside by the operator"


def run_shunted_command(config: Config, what: str, number: int, now: datetime) -> str:
    """List the shunted mails, or show, retry or drop one. Return the text to print.

    Raises:
        JudgeError: No shunted mail has this number.
        StoreError: There is no database, or it cannot be used.
    """
    with Store(config.store.url).keep_open() as store:
        if what == "list":
            mails = Post(store).list_shunted()
            return "\n".join(map(_line, mails)) or "No mail is set aside."
        return _shunted_mail(Post(store), what, number, now)


def _shunted_mail(post: Post, what: str, number: int, now: datetime) -> str:
    mail = post.get(number)
    if mail is None or mail.state is not MailState.SHUNTED:
        raise JudgeError(f"no mail is set aside under {number}; `judge shunted list` shows all")
    if what == "show":
        return _describe_mail(mail)
    if what == "retry":
        if _REDUCED in mail.note:
            raise JudgeError(f"{number} is too old: only its headers are kept")
        post.unshunt(number, MailState.NEW, "", None)
        return (
            f"Mail {number} will be processed next. Its orders count for the current phase of its"
            " game."
        )
    post.unshunt(number, MailState.IGNORED, _DROPPED, now)
    return f"Mail {number} is dropped; it stays in the database, but is not processed."


def _line(mail: StoredMail) -> str:
    part = f" lines {mail.part}" if mail.part else ""
    fault = mail.note.strip().rpartition("\n")[2]
    return printable_line(
        f"{mail.id:>6}  {mail.accepted:%Y-%m-%d %H:%M:%S}  <{mail.sender}>"
        f" {len(mail.raw)} octets{part}: {fault[:100]}"
    )


def _describe_mail(mail: StoredMail) -> str:
    """Return the envelope, the headers and the error report of a mail."""
    head = mail.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("utf-8", "replace")
    shown = [line for line in head.split("\n") if line.partition(":")[0].lower() in _HEADERS]
    part = [f"Only its lines {mail.part} are set aside."] if mail.part else []
    lines = [
        printable_line(f"Mail {mail.id} from <{mail.sender}> to {', '.join(mail.recipients)}"),
        f"accepted {mail.accepted:%Y-%m-%d %H:%M:%S} UTC by {mail.peer or 'unknown'},"
        f" {len(mail.raw)} octets.",
        *part, "", *shown, "", mail.note.rstrip(),
    ]
    return printable("\n".join(lines))


MAX_SHOWN = 20
"""Maximum number of listed mails and letters of each kind."""
_STATES = {
    DeliveryState.QUEUED: "waiting", DeliveryState.SENT: "sent", DeliveryState.FAILED: "given up",
}


def run_queue_command(config: Config, what: str, which: str, now: datetime) -> str:
    """List the queues, or show or change an entry. Return the text to print.

    Raises:
        JudgeError: There is no such mail or letter, or the action is impossible.
        StoreError: There is no database, or it cannot be used.
    """
    way, _, number = which.partition(":")
    is_all = way == "out" and not number and what == "retry"
    if what != "list" and not is_all and not (way in ("in", "out") and is_number(number, 18)):
        raise JudgeError(f"{which!r} is not an ID: write in:12 for a mail, out:34 for a letter")
    with Store(config.store.url).keep_open() as store:
        if what == "list":
            budget = SendBudget(store, config.deliver.max_per_day, config.deliver.max_per_minute)
            limits = describe_budget(config.deliver, budget, now)
            lines = chain(limits, describe_pause(store, now))
            return "\n".join(_list_queues(Queues(store), lines, now))
        if is_all:
            return f"Letters to be tried now: {Queues(store).retry_deferred(now)}."
        work = _mail if way == "in" else _letter
        return work(store, what, int(number), now)


def _list_queues(queues: Queues, limits: Iterator[str], now: datetime) -> Iterator[str]:
    waiting = queues.waiting()
    yield describe_mails(waiting, now)
    for mail_state in (MailState.NEW, MailState.SHUNTED):
        for mail in queues.mails(mail_state, MAX_SHOWN):
            yield printable_line(format_mail(mail))
    yield describe_letters(waiting, now)
    yield from limits
    for state in (DeliveryState.QUEUED, DeliveryState.FAILED):
        for letter in queues.letters(state, MAX_SHOWN):
            yield printable_line(format_letter(letter))


def describe_mails(waiting: Waiting, now: datetime) -> str:
    """Return the number of mails that wait or are set aside, as a line."""
    return (
        f"Mails in: {waiting.mails} waiting{_since(waiting.oldest_mail, now)},"
        f" {waiting.shunted} set aside."
    )


def describe_letters(waiting: Waiting, now: datetime) -> str:
    """Return the number of letters that wait or were given up, as a line."""
    return (
        f"Letters out: {waiting.letters} waiting{_since(waiting.oldest_letter, now)},"
        f" {waiting.deferred} of them put off, {waiting.for_picture} without their picture yet;"
        f" {waiting.failed} given up."
    )


def describe_budget(deliver: DeliverSection, budget: SendBudget, now: datetime) -> Iterator[str]:
    """Yield the limits of a mail account, and the letters sent and delayed."""
    if not budget.is_limited:
        return
    yield (
        f"Limits of letters: {describe_limits(deliver)}; {budget.count_sent(now)} sent in 24 hours."
    )
    if many := sum(budget.list_waiting(now).values()):
        verb = "waits" if many == 1 else "wait"
        yield f"  {many} of these letters {verb} for the limit of a day."


def describe_pause(store: Store, now: datetime) -> Iterator[str]:
    """Yield a line during a pause, in which no letter is sent."""
    until = KeyValues(store).find_last_pause()
    if until is not None and until > now:
        yield (
            f"The mail server refused the last letters: the next is tried at"
            f" {until:%Y-%m-%d %H:%M:%S}, or now by `judge queue retry out`."
        )


def describe_limits(deliver: DeliverSection) -> str:
    """Return the limits of the configured mail account.

    >>> describe_limits(DeliverSection("smtps://me:secret@smtp.gmail.com"))
    '400 in 24 hours, 20 a minute'
    """
    limits = [f"{deliver.max_per_day} in 24 hours"] if deliver.max_per_day else []
    limits += [f"{deliver.max_per_minute} a minute"] if deliver.max_per_minute else []
    return ", ".join(limits)


def _since(oldest: datetime | None, now: datetime) -> str:
    if oldest is None:
        return ""
    minutes = max((now - oldest).total_seconds(), 0) / 60
    return f" (the oldest for {minutes:.0f} min)"


def format_mail(mail: StoredMail) -> str:
    """Return a mail as a line with its ID, which may contain control characters."""
    fault = mail.note.strip().rpartition("\n")[2]
    return (
        f"  {f'in:{mail.id}':<9} {mail.accepted:%Y-%m-%d %H:%M:%S}  <{mail.sender}>"
        f" {len(mail.raw)} octets, {mail.state.value}" + (f": {fault[:80]}" if fault else "")
    )


def format_letter(letter: Outgoing) -> str:
    """Return a letter as a line with its ID, which may contain control characters."""
    told = f": {letter.error[:80]}" if letter.error else ""
    if letter.state is DeliveryState.FAILED:
        state = "given up"
    elif letter.waits:
        state = "waits for a picture"
    else:
        state = f"tried {letter.tries} times, next {letter.due:%Y-%m-%d %H:%M:%S}"
    what = " ".join(filter(None, (letter.kind, letter.game)))
    return f"  {f'out:{letter.id}':<9} <{letter.to}> {what}, {state}{told}"


def _mail(store: Store, what: str, number: int, now: datetime) -> str:
    if what == "shunt":
        return _shunt_mail(store, number, now)
    mail = Post(store).get(number)
    if what != "show" or mail and mail.state is MailState.SHUNTED:
        return _shunted_mail(Post(store), what, number, now)
    if mail is None:
        raise JudgeError(f"there is no mail {number}")
    return printable_line(format_mail(mail).strip())


def _shunt_mail(store: Store, number: int, now: datetime) -> str:
    """Shunt a mail that waits, before it is processed."""
    post = Post(store)
    with store.transaction():
        mail = post.get(number)
        if mail is None or mail.state is not MailState.NEW:
            raise JudgeError(f"mail {number} does not wait")
        post.shunt(mail, mail.part, _SHUNTED, now)
    return (
        f"Mail {number} is set aside, and its sender gets no notice."
        f" `judge queue retry in:{number}` lets the judge process it."
    )


def _letter(store: Store, what: str, number: int, now: datetime) -> str:
    letter = Post(store).get_out(number)
    if letter is None:
        raise JudgeError(f"there is no letter {number}")
    if what == "show":
        return _shown_letter(letter)
    if what == "shunt":
        raise JudgeError("only a mail can be set aside; `judge queue drop` gives up a letter")
    if Queues(store).is_in_hand(number, now):
        raise JudgeError(f"letter {number} is being sent now; try again in a few minutes")
    if what == "retry":
        if not Queues(store).retry(number, now):
            raise JudgeError(f"letter {number} was sent")
        return f"Letter {number} will be tried within a few minutes, by `judge serve` or `send`."
    if not Queues(store).drop(number, _DROPPED, now):
        raise JudgeError(f"letter {number} is no longer waiting")
    return f"Letter {number} is dropped; {letter.to} gets no notice."


def _shown_letter(letter: Outgoing) -> str:
    """Return the details of a letter without its text."""
    answers = f", answers mail in:{letter.answers}" if letter.answers else ""
    lines = [
        f"Letter {letter.id} to <{letter.to}>: {_STATES[letter.state]}{answers}.",
        f"Queued {letter.queued:%Y-%m-%d %H:%M:%S} UTC, {len(letter.message)} octets,"
        f" tried {letter.tries} times.",
        *([f"Next try {letter.due:%Y-%m-%d %H:%M:%S} UTC."]
          if letter.state is DeliveryState.QUEUED else []),
        f"Subject: {read_letter(letter.message)['Subject']}",
        f"Message-ID: {letter.message_id}",
        *([f"Error: {letter.error}"] if letter.error else []),
    ]
    return "\n".join(map(printable_line, lines))
