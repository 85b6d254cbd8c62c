"""Mail reader: sender and commands of a stored mail."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from judge.daemon.application import Application
from judge.daemon.bounces import BounceHandler
from judge.mail.address import addresses
from judge.mail.inbound.mime import Entity
from judge.mail.inbound.reader import read_mail
from judge.mail.language.mail_parser import parse_mail
from judge.mail.outbound.third_party_text import quote_lines
from judge.model.command import ParsedMail
from judge.model.incoming import Incoming
from judge.model.order_words import OrderWords
from judge.model.record import StoredMail
from judge.play.commands.seats.leaving import leave_taken
from judge.play.game import Context
from judge.play.people.addresses import is_banned

AskedWords = Mapping[tuple[str, tuple[str, ...]], OrderWords]
BANNED = "banned"
_HELD = "held "


class ReadMail(NamedTuple):
    """Mail as read."""

    incoming: Incoming
    sheet: ParsedMail
    """All commands of the mail, regardless of its sender."""
    kept: str
    """Reason to store the mail without a reply, known in advance, or ""."""
    words: AskedWords = MappingProxyType({})
    """Order words of games that were looked up while it was read."""


class MailReader:
    """Reader of stored mails, which changes nothing."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self.ours = application.ours
        self._bouncing = BounceHandler(application)

    def resolve(
        self, mail: StoredMail, incoming: Incoming, sheet: ParsedMail, unanswered: str
    ) -> ParsedMail:
        """Return the commands of a mail that are to be answered now."""
        if unanswered == BANNED and self.is_for_judge(mail):
            return leave_taken(self._application.context, incoming, sheet)
        if incoming.presumed:
            sheet = self._instructions(incoming, sheet) or ParsedMail(())
        return part_of(sheet, mail.part)

    def _instructions(self, incoming: Incoming, sheet: ParsedMail) -> ParsedMail | None:
        """Return the commands that count in a mail that a program may have sent, or None."""
        found = self._application.dispatcher.instructions_of(incoming, sheet)
        return found if found.commands else None

    def read_whole(self, mail: StoredMail, seen: Application | None = None) -> ReadMail:
        """Return a mail with all its commands, regardless of its sender.

        `seen` is an application with cached games. A repeat is detected with certainty, because a
        second delivery has the higher id.
        """
        application, incoming = self._application, self._read(mail)
        is_automatic = incoming.machine or incoming.presumed
        if not is_automatic and self._bouncing.letter_of(incoming.detail):
            # A person wrote to the VERP address of a letter, which opens no seat.
            incoming = replace(incoming, detail="")
        kept = incoming.machine or ("repeat" if application.post.is_repeat(mail) else "")
        if kept or not self.is_for_judge(mail):
            return ReadMail(incoming, ParsedMail(()), kept)
        press = application.dispatcher.is_press_reply(incoming)
        seen = seen or application
        sheet, words = sheet_of(seen, incoming, press_reply=press)
        if incoming.attached:
            incoming, sheet, more = with_attached(seen, incoming, sheet, press_reply=press)
            words = {**words, **more}
        return ReadMail(incoming, sheet, kept, words)

    def read_deferred(self, mail: StoredMail) -> tuple[Incoming, ParsedMail]:
        """Return a mail with deferred lines, and its commands."""
        incoming = self._read(mail)
        return incoming, sheet_of(self._application, incoming)[0]

    def _read(self, mail: StoredMail) -> Incoming:
        application = self._application
        listen = application.config.listen
        find_detail = None if listen.detail else partial(find_answered_detail, application)
        return read_mail(mail, self.ours, listen.trust, application.post, find_detail)

    def is_still_valid(self, read: ReadMail, seen: Application) -> bool:
        """Return whether a mail that was read ahead would be read the same now.

        An earlier mail may have made or renamed its game.
        """
        words_of = seen.dispatcher.order_words()
        return all(words_of(*asked) == words for asked, words in read.words.items())

    def find_no_reply_reason(self, context: Context, read: ReadMail) -> str:
        """Return the reason to store a mail now without a reply, or ""."""
        if read.kept or is_banned(context, read.incoming.sender):
            return read.kept or BANNED
        presumed = read.incoming.presumed
        return presumed if presumed and not self._instructions(read.incoming, read.sheet) else ""

    def is_for_judge(self, mail: StoredMail) -> bool:
        """Return whether a mail is for the judge, not for its operator alone."""
        return any(self.ours.is_judge(one) for one in mail.recipients)


def find_answered_letter(application: Application, sender: str, ids: Sequence[str]) -> bytes:
    """Return the letter with the first known one of these ids, or b"".

    Only letters to the sender count, at any of their addresses. Others may know the id of a letter
    that was forwarded, and it must not open a seat for them.
    """
    if not sender or not ids:
        return b""
    return application.post.sent_as(ids, application.context.aliases.addresses_of(sender))


def find_answered_detail(application: Application, sender: str, ids: Sequence[str]) -> str:
    """Return the detail in the Reply-To of the letter that a mail answers, or ""."""
    letter = Entity(find_answered_letter(application, sender, ids))
    found = map(application.ours.detail_of, addresses(letter.first("reply-to")))
    return next(filter(None, found), "")


def sheet_of(
    application: Application, incoming: Incoming, *, press_reply: bool = False
) -> tuple[ParsedMail, AskedWords]:
    """Return the commands of a mail, and the order words of games it was read with."""
    asked: dict[tuple[str, tuple[str, ...]], OrderWords] = {}
    words_of = application.dispatcher.order_words()

    def noting(name: str, variant: tuple[str, ...]) -> OrderWords:
        asked[name, variant] = words_of(name, variant)
        return asked[name, variant]

    sheet = parse_mail(
        application.language, incoming.lines, press_reply, noting,
        application.dispatcher.seat_opened(incoming),
    )
    struck = (*quote_lines(application.language, incoming.struck), *sheet.struck)
    return replace(sheet, struck=struck), asked


def with_attached(
    application: Application, incoming: Incoming, sheet: ParsedMail, *, press_reply: bool
) -> tuple[Incoming, ParsedMail, AskedWords]:
    """Return a mail with its text attachments if only those contain instructions.

    Otherwise their names are listed with the files that are not read.
    """
    has_instruction = application.dispatcher.has_instruction
    if not has_instruction(incoming, sheet):
        lines = tuple(line for one in incoming.attached for line in one.lines)
        whole = replace(incoming, lines=(*incoming.lines, *lines), attached=())
        found, words = sheet_of(application, whole, press_reply=press_reply)
        if has_instruction(whole, found):
            return whole, found, words
    names = tuple(one.name for one in incoming.attached)
    return replace(incoming, files=(*names, *incoming.files), attached=()), sheet, {}


def pending_part(lines: frozenset[int]) -> str:
    """Return the text of a part for deferred lines of a mail."""
    return _HELD + ",".join(map(str, sorted(lines)))


def held_lines(part: str) -> frozenset[int] | None:
    """Return the deferred lines of a part, or None for another kind of part."""
    if not part.startswith(_HELD):
        return None
    return frozenset(map(int, part.removeprefix(_HELD).split(",")))


def part_of(sheet: ParsedMail, part: str) -> ParsedMail:
    """Return the commands and complaints of a part, "5-9", or all for the whole mail."""
    if not part or part.startswith(_HELD):
        return sheet
    first, last = map(int, part.split("-"))
    return ParsedMail(
        tuple(one for one in sheet.commands if first <= one.line <= last),
        tuple(one for one in sheet.complaints if first <= one.line <= last),
        consent=sheet.consent,
    )
