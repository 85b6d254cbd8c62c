"""Parser of a mail: blocks are split off, commands parsed, order lines passed on."""

import re
from collections.abc import Sequence
from dataclasses import replace

from judge.mail.language.blocks import (
    Block,
    BlockEnd,
    CommandLine,
    Order,
    read_choice,
    split_blocks,
)
from judge.mail.language.commands import MAX_COMMAND, misspelling_complaint, read_command
from judge.mail.language.emphasis import without_struck
from judge.mail.language.open_seat import OpenSeat
from judge.mail.language.order_text import clean_order
from judge.mail.language.press_replies import read_press_reply
from judge.mail.language.segments import Segment, plain_text
from judge.mail.language.suggestions import suggest
from judge.mail.language.unclosed_press import Evidence, find_unclosed_press
from judge.mail.language.vocabulary import CommandLanguage
from judge.mail.outbound.third_party_text import MAX_QUOTE, quote_lines
from judge.model.command import BlockCommand, Command, ParsedMail, TextCommand
from judge.model.incoming import ConfirmationReply, Line
from judge.model.master_commands import Announce
from judge.model.order_commands import Conditional, ForPhase, GiveOrders
from judge.model.order_words import OpenedSeat, OrderWordsOf
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge.model.press_commands import SendPress
from judge.model.seat_commands import ChangeSetting, Register, SignOff

MAX_ANSWER_LINES = 50
"""Lines of a mail that are searched for a confirmation reply."""

_START = r"[\s\W_]*"
_YES = re.compile(
    _START + r"""(?:
    yes | yep | yeah | yup | ok | okay | sure | agreed | i\ agree | correct
    | confirm | confirmed | i\ confirm | accept | accepted | i\ accept
    | (?:that|it|this)(?:\ is|'s|\ was)\ (?:me|i|mine|right|correct)
    | ja | jawohl | jep | gern | gerne | einverstanden | stimmt | richtig | korrekt
    | (?:ich\ )?(?:bestätige|bestaetige) | bestätigt | bestaetigt
    | das\ (?:bin|war)\ ich | ich\ (?:bin|war)\ (?:es|das) | ich\ (?:bin|war)'?s
    )\b | [\s\W_]* [yj] [\W_]* $""",
    re.VERBOSE,
)
_NO = re.compile(
    _START + r"""(?:
    no | nope | not | never | decline | declined | refuse | refused
    | i\ (?:do|did|am|was)\ not | i\ (?:don|didn|wasn)'?t
    | (?:that|it|this)(?:\ is|'s|\ was)\ not | (?:that|it|this)\ (?:isn|wasn)'?t
    | nein | nö | nicht | niemals | ablehnen | abgelehnt
    | (?:das|ich)\ (?:bin|war|habe)\ .*\bnicht
    )\b | [\s\W_]* n [\W_]* $""",
    re.VERBOSE,
)
_UNDO = re.compile(_START + r"(?:undo|revert|zurück|zurueck|rückgängig|rueckgaengig)\b")
MAX_GREETING_WORDS = 3
"""Words of a line with HELLO that is only a greeting."""
_ARROW = re.compile(r"[\w\s]-+>?\s|\w-\w|>")
_APOSTROPHE = re.compile("[\u2018\u2019\u02bc\u00b4`]")
_TAKEN_BACK = re.compile(r"\b(?:no|not|never|nor|nicht|nein|nie|niemals|kein\w*)\b|n't\b|\?")


def read_consent(lines: Sequence[Line]) -> ConfirmationReply:
    """Find a confirmation reply (yes, no, undo) in the lines of a mail.

    A word for yes or no counts at the start of a line of the mail's own text, in any language of
    the letters. Replies on behalf of another person and automatic replies hardly begin a line so.
    A mail with both, or with a yes that is taken back on the same line, is unclear, and the judge
    asks again.

    >>> read_consent([Line(1, "Hello,"), Line(2, "yes, that is me.")])
    <ConfirmationReply.YES: 'yes'>
    >>> read_consent([Line(1, "NO!! I do not know this person.")])
    <ConfirmationReply.NO: 'no'>
    >>> read_consent([Line(1, "I say yes")]), read_consent([Line(1, " ")])
    (<ConfirmationReply.UNCLEAR: 'unclear'>, <ConfirmationReply.NOTHING: 'nothing'>)
    """
    full = [line.text for line in lines if line.text.strip()]
    if not full:
        return ConfirmationReply.NOTHING
    plain = [plain_text(_APOSTROPHE.sub("'", text[:500])) for text in full[:MAX_ANSWER_LINES]]
    found = {_sense(text.casefold()) for text in plain} - {None}
    return (
        found.pop() or ConfirmationReply.UNCLEAR if len(found) == 1 else ConfirmationReply.UNCLEAR
    )


def _sense(text: str) -> ConfirmationReply | None:
    if _UNDO.match(text):
        return ConfirmationReply.UNDO
    if _NO.match(text):
        return ConfirmationReply.NO
    if _YES.match(text):
        return ConfirmationReply.UNCLEAR if _TAKEN_BACK.search(text) else ConfirmationReply.YES
    return None


_FIELD = re.compile(r"\s*([A-Za-z][A-Za-z -]{0,30}?)\s*[:=]\s*(.*)")


def read_registration(block: Block) -> tuple[Register, list[Complaint]]:
    """Parse a REGISTER block into its fields, with a complaint for each other line."""
    opening = block.opening
    fields: list[tuple[str, str]] = []
    complaints = []
    for number, line in enumerate(block.body, opening.number + 1):
        if found := _FIELD.fullmatch(line):
            fields.append((found[1].lower(), found[2].strip()))
        elif line.strip():
            complaints.append(
                Complaint(
                    ComplaintKind.UNREADABLE, number, line.strip()[:MAX_COMMAND],
                    phrase("register-line"), suggestions=("Name: Ann Example",),
                )
            )
    command = Register(line=opening.number, text=opening.raw, fields=tuple(fields))
    return command, complaints


MAX_ORDER_LINES = 2000
"""Commands and order lines of one mail. More would take long to answer."""
MAX_COMMANDS = 300
"""Commands among them, including unreadable ones.

Each may cause a long reply, or a letter to another person."""


def parse_mail(
    language: CommandLanguage,
    lines: Sequence[Line],
    press_reply: bool = False,
    words_of: OrderWordsOf | None = None,
    opened: OpenedSeat | None = None,
) -> ParsedMail:
    """Parse a mail into commands. Unreadable lines become complaints, never orders.

    With `press_reply` the mail answers a letter of press and is press itself (see `press_replies`).
    `words_of` returns the order words of a game. If a seat of it is open, lines that begin with
    them are always orders. `opened` is the seat that is open before the first line.
    """
    seat = OpenSeat(language, words_of, opened)
    if press_reply:
        return read_press_reply(language, lines, seat)
    return _MailParser(language, lines, seat).read()


_ORDER_AND_SIGN_OFF = re.compile(
    r"\s*((?:a|f|army|fleet)\s[^#;]*[^#;\s])\s+signoff[\s.!]*", re.IGNORECASE
)
"""An order followed by SIGNOFF on its line."""


class _MailParser:
    """State of the parser of one mail."""

    def __init__(self, language: CommandLanguage, lines: Sequence[Line], seat: OpenSeat) -> None:
        self._language = language
        self._lines = lines
        self._seat = seat
        self._commands: list[Command] = []
        self._complaints: list[Complaint] = []
        self._orders: list[Line] = []
        self._struck: list[Line] = []
        self._last: int | None = None
        """Number of the line at which parsing stopped, or None."""
        self._shut: int = 0
        """Line of a failed sign-on, after which nothing counts until the next. 0 if none."""
        self._dropped: list[int] = []
        self._many = 0
        """Number of commands found so far, including unreadable ones."""
        self._below = ""
        """Head of the block in whose text parsing stopped."""

    def read(self) -> ParsedMail:
        """Parse all parts in turn."""
        many = 0
        for part in split_blocks(self._language, self._lines, self._seat):
            many += self._count(part)
            if many > MAX_ORDER_LINES:
                self._too_long(part)
                break
            match part:
                case CommandLine():
                    self._text(part)
                case Block():
                    self._block(part)
                case Order():
                    self._order(part.line)
            if self._last is not None:
                break
        self._close_orders()
        self._close_seat()
        complaints = sorted(self._complaints, key=lambda complaint: complaint.line)
        consent = read_consent(self._lines)
        unread = self._unread()
        return ParsedMail(
            tuple(self._commands), tuple(complaints), len(unread),
            quote_lines(self._language, unread), self._below, consent,
            quote_lines(self._language, self._struck),
        )

    def _count(self, part: CommandLine | Block | Order) -> int:
        """Return the number of commands and order lines that a part counts as.

        Each line of REGISTER is a field that may be refused. A block that is too long is refused
        whole.
        """
        match part:
            case CommandLine():
                return len(part.pieces)
            case Block(word="REGISTER", body=body) if not self._is_too_long(part):
                return 1 + len(body)
            case _:
                return 1

    def _is_too_long(self, block: Block) -> bool:
        return len(block.body) > self._language.block_form(block.word).max_lines

    def _unread(self) -> list[Line]:
        if self._last is None:
            return []
        return [line for line in self._lines if line.number > self._last and line.text.strip()]

    def _too_long(self, part: CommandLine | Block | Order) -> None:
        line = part.opening.number if isinstance(part, Block) else part.line.number
        self._complaints.append(_no(line, "", phrase("mail-too-long", limit=MAX_ORDER_LINES)))
        self._last = line - 1

    def _text(self, text: CommandLine) -> None:
        pieces = [piece.strip_list_mark() for piece in text.pieces]
        language = self._language
        words = [language.first_word(piece.plain) for piece in pieces]
        hints = [word or self._meant(piece) for word, piece in zip(words, pieces, strict=True)]
        looks = [
            None if hint else suggest(language, piece)
            for hint, piece in zip(hints, pieces, strict=True)
        ]
        if not any(hints) and not any(looks):
            self._order(text.line)
            return
        for piece, word, hint, look, typed in zip(
            pieces, words, hints, looks, text.pieces, strict=True
        ):
            if self._last is not None:
                return
            if isinstance(look, Complaint):
                self._refuse(look, "")
            elif look:
                self._accept(look)
            elif word:
                self._command(piece, word, typed)
            elif hint:
                self._refuse(misspelling_complaint(language, piece, hint), hint)
            else:
                self._order(Line(piece.number, typed.raw))

    def _command(self, piece: Segment, word: str, typed: Segment) -> None:
        meaning = self._seat.meaning_of(piece)
        has_arrow = _ARROW.search(piece.plain) is not None
        if word == "HELLO" and (has_arrow or isinstance(meaning, Complaint)):
            # "Hello, all!" is not a failed sign-on. An order may follow it.
            if has_arrow or len(piece.plain.split()) > MAX_GREETING_WORDS:
                self._order(Line(piece.number, typed.raw))
            return
        if isinstance(meaning, Complaint):
            self._refuse(meaning, word)
            return
        for command in meaning:
            self._accept(command)

    def _has_room(self, line: int) -> bool:
        """Count a command. Return whether the mail may still contain it."""
        if self._many < MAX_COMMANDS:
            self._many += 1
        elif self._last is None:
            reason = phrase("mail-too-many-commands", limit=MAX_COMMANDS)
            self._complaints.append(_no(line, "", reason))
            self._last = line - 1
        return self._last is None

    def _accept(self, command: Command) -> None:
        if not self._has_room(command.line):
            return
        if isinstance(command, SignOff):
            self._last = command.line
        elif type(command) in self._language.openings:
            self._close_seat()
        elif self._shut:
            self._dropped.append(command.line)
            return
        self._close_orders()
        self._commands.append(command)

    def _refuse(self, complaint: Complaint, word: str) -> None:
        if not self._has_room(complaint.line):
            return
        if word in self._language.openers:
            self._close_orders()
            self._close_seat()
            self._shut = complaint.line
        elif self._shut:
            self._dropped.append(complaint.line)
            return
        elif word == "PHASE":
            self._accept(ForPhase(line=complaint.line, text=complaint.text, phase=""))
        self._complaints.append(complaint)

    def _meant(self, piece: Segment) -> str:
        return self._language.guess_command(piece.plain) if len(piece.plain) <= MAX_COMMAND else ""

    def _order(self, line: Line) -> None:
        text, struck = without_struck(line.text)
        if struck:
            self._struck.append(Line(line.number, struck))
            if not text:
                return
        line = Line(line.number, clean_order(text))
        ended = _ORDER_AND_SIGN_OFF.fullmatch(line.text)
        if self._shut:
            self._dropped.append(line.number)
        else:
            self._orders.append(Line(line.number, ended[1]) if ended else line)
        if ended:
            self._accept(SignOff(line=line.number, text="SIGNOFF"))

    def _block(self, block: Block) -> None:
        line = block.opening.number
        if block.word == "IF":
            self._condition(block)
        elif block.ending is BlockEnd.NEVER and (block.word != "PREVIEW" or self._shut):
            self._refuse(_never_closed(self._language, block), block.word)
            self._stop_below(block)
        elif self._shut:
            self._dropped.append(line)
        elif self._is_too_long(block):
            limit = self._language.block_form(block.word).max_lines
            reason = phrase("block-too-long", limit=limit)
            self._refuse(_no(line, block.opening.raw, reason), block.word)
        elif block.word == "PREVIEW":
            self._preview(block)
        elif block.word == "REGISTER":
            self._register(block)
        elif block.word in ("SETUP", "IMPORT"):
            self._with_lines(block)
        elif block.word == "SET COMMENT":
            text = " ".join(" ".join(block.body).split())
            words = ("COMMENT", *text.split())
            self._accept(ChangeSetting(line=line, text=block.opening.raw, words=words))
        elif not block.exact:
            self._refuse(self._unclear_head(block), block.word)
        else:
            self._press(block)
        if block.ending is BlockEnd.SIGNED_OFF and self._last is None:
            self._accept(SignOff(line=block.last, text="SIGNOFF"))

    def _condition(self, block: Block) -> None:
        """Parse an IF block. If it is never closed, only this block is refused."""
        line = block.opening.number
        if self._shut:
            self._dropped.append(line)
            return
        choice = read_choice(self._language, block.lines, self._seat) if block.lines else None
        if choice is None:
            reason = phrase("if-not-closed", count=len(block.body) + 1)
            self._refuse(_no(line, block.opening.raw, reason), "IF")
        elif isinstance(choice, Complaint):
            self._refuse(choice, "IF")
        else:
            self._accept(Conditional(line=line, text=block.opening.raw, choice=choice))

    def _preview(self, block: Block) -> None:
        meaning = read_command(self._language, block.opening)
        if isinstance(meaning, Complaint):
            self._refuse(meaning, block.word)
            return
        for command in meaning:
            if isinstance(command, BlockCommand):
                lines = (Line(each.number, clean_order(each.text)) for each in block.lines)
                self._accept(replace(command, lines=(*command.lines, *lines)))

    def _with_lines(self, block: Block) -> None:
        meaning = read_command(self._language, block.opening)
        if isinstance(meaning, Complaint):
            self._refuse(meaning, block.word)
            return
        for command in meaning:
            if isinstance(command, BlockCommand):
                self._accept(replace(command, lines=(*command.lines, *block.lines)))

    def _press(self, block: Block) -> None:
        """Parse press, a diary note or an announcement. Refuse one that seems unclosed."""
        found = find_unclosed_press(self._language, block.body)
        meaning = read_command(self._language, block.opening)
        if found.sign is not None:
            line = block.opening.number + 1 + found.at
            code = f"press-swallowed-{found.sign.value}"
            reason = phrase(code, word=block.word, line=line)
            self._refuse(_no(block.opening.number, block.opening.raw, reason), block.word)
            if found.sign is Evidence.SECRET:
                # The seat that the following lines were for was not opened.
                self._stop_below(block)
        elif block.word == "OFFICIAL":
            subject = " ".join(plain_text(block.lines[0].text).split()[1:])
            self._accept(Announce(line=block.opening.number, text=block.opening.raw,
                                  subject=subject, body=block.body))
        elif isinstance(meaning, Complaint):
            self._refuse(meaning, block.word)
        else:
            signed_off = block.ending is BlockEnd.SIGNED_OFF
            for command in meaning:
                if isinstance(command, SendPress):
                    self._accept(replace(command, body=block.body, names=found.names,
                                         signed_off=signed_off))
                elif isinstance(command, TextCommand):
                    self._accept(replace(command, body=block.body, names=found.names))

    def _unclear_head(self, block: Block) -> Complaint:
        opening, corrected = block.opening, ""
        if self._language.first_word(opening.plain) == block.word:
            reason = phrase("press-head-not-alone", word=block.word)
        else:
            reason = phrase("press-head-misspelt", word=block.word)
            corrected = " ".join([block.word, *opening.plain.split()[len(block.word.split()):]])
        fits = corrected and self._language.is_command(corrected)
        return Complaint(
            ComplaintKind.UNREADABLE, opening.number, opening.raw, reason,
            suggestions=(corrected,) if fits else (),
        )

    def _stop_below(self, block: Block) -> None:
        self._last = block.opening.number
        self._below = "REGISTER" if block.word == "REGISTER" else block.opening.raw[:MAX_QUOTE]

    def _register(self, block: Block) -> None:
        command, complaints = read_registration(block)
        self._accept(command)
        self._complaints += complaints

    def _close_orders(self) -> None:
        if self._orders:
            first = self._orders[0]
            orders = GiveOrders(line=first.number, text=first.text, lines=tuple(self._orders))
            self._commands.append(orders)
            self._orders = []

    def _close_seat(self) -> None:
        """Complain once about lines dropped without an open seat, and reset the state.

        Their texts are not quoted, since they may contain the password.
        """
        if self._dropped:
            reason = phrase("after-failed-sign-on", line=self._shut, count=len(self._dropped))
            self._complaints.append(_no(self._dropped[0], "", reason))
        self._dropped = []
        self._shut = 0


def _no(line: int, text: str, reason: Phrase) -> Complaint:
    return Complaint(ComplaintKind.NOT_ALLOWED, line, text, reason)


def _never_closed(language: CommandLanguage, block: Block) -> Complaint:
    word = block.word
    end = language.block_form(word).end
    reason = phrase("block-not-closed", word=word, end=end)
    if block.slip:
        reason = phrase("block-end-misspelt", word=word, end=end, slip=block.slip)
    return Complaint(ComplaintKind.UNREADABLE, block.opening.number, block.word, reason)
