"""Rendering of letters as messages from templates.

A letter is a text, with an HTML page of the same content (`mail/outbound/templates`) and
pictures in that page.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache, partial
from html import escape

from judge.mail.language.vocabulary import CommandLanguage
from judge.mail.outbound.compose import (
    Composed,
    Data,
    Headers,
    Part,
    PicturePlaceholder,
    TextPart,
    compose,
    make_multipart,
    replace_surrogates,
)
from judge.mail.outbound.icalendar import CalendarText, calendar_file, file_name
from judge.mail.outbound.layout import normalize, wrap_lines
from judge.mail.outbound.templates import Templates, check_all, templates_of
from judge.mail.outbound.third_party_text import quote_prose
from judge.model.letter import CalendarEntry, Letter, LetterPicture, PictureFormat
from judge.model.phrase import phrase
from judge.model.replace import replace
from judge.phrases import phrasebook

SHOWN_WIDTH = 680
PHONE_WIDTH = 440
"""Pixels of a picture in a page that is wide enough."""
NAMELESS = "-"
"""Value of `Letter.answers` for a mail without a Message-ID."""

_SPECIAL = str.maketrans("", "", '"\\()<>[]:;@,')
"""Characters not allowed in an unquoted name before an address (RFC 5322, 3.2.3)."""


class Renderer:
    """Renderer of the letters of one judge.

    It hides possible secrets in quoted unreadable lines, which *language* recognises. Without
    sub-addresses, replies may not be recognised, so that letters name the sign-on.
    """

    def __init__(
        self, language: CommandLanguage, name: str, address: str, detail: str = "+", *,
        has_sub_addresses: bool = True,
    ) -> None:
        self._unordered = partial(quote_prose, language)
        self._judge = {"name": name, "address": address}
        self._local, _, self._host = address.rpartition("@")
        self._detail = detail
        self._has_sub_addresses = has_sub_addresses
        self._sender = f"{name.translate(_SPECIAL)} <{address}>".strip()
        self._calendar = lru_cache(maxsize=16)(self._make_calendar)

    def text(self, letter: Letter) -> str:
        """Return the text of a letter, at most 72 columns wide where words allow.

        Raises:
            DataError: its template is missing or faulty, or uses a missing fact.
        """
        known = self._known(letter)
        filled = self._fill_template(letter, known)
        return normalize(filled + self._fill_footers(letter, filled, known))

    def page(self, letter: Letter) -> str:
        """Return the HTML page of a letter, which has the content of its text.

        Raises:
            DataError: its template is missing or faulty, or uses a missing fact.
        """
        known = self._known(letter)
        return self._page(letter, self._fill_template(letter, known), known)

    def piece(self, letter: Letter, template: str, **facts: object) -> str:
        """Return a part of a letter as text: a filled template, with some facts replaced.

        Raises:
            DataError: as `text`.
        """
        templates = self._of(letter)
        known = templates.with_parts({**self._facts(letter, None), **facts})
        return normalize(templates.fill(template, known))

    def message(self, letter: Letter, now: datetime, message_id: str) -> Composed:
        """Compose a letter as a message with positions for its pictures."""
        return compose(self._headers(letter, now, message_id), self._body(letter, now))

    def _body(self, letter: Letter, now: datetime) -> Part:
        """Return the parts of a letter, with its text first.

        Pictures shown by a page are related to it. Others are attached files.
        """
        sent = [Data(file.text.encode("utf-8"), file.type, file.name) for file in letter.files]
        if letter.appointments:
            told = tuple(letter.appointments)
            sent.append(self._calendar(told, letter.system, letter.language, now))
        known = self._known(letter, now)
        filled = self._fill_template(letter, known)
        notes = self._missing_notes(letter)
        text = TextPart(normalize(filled + self._fill_footers(letter, filled, known)), notes=tuple(
            (key, "\n" + wrap_lines(note)) for key, note in notes
        ))
        if letter.plain:
            return make_multipart("mixed", text, *map(_drawing, letter.pictures), *sent)
        shown = [_drawing(each, self._cid(each)) for each in letter.pictures if _is_shown(each)]
        files = [_drawing(each) for each in letter.pictures if not _is_shown(each)]
        paragraphs = tuple((key, _paragraph(note)) for key, note in notes)
        head, body_end, tail = self._page(letter, filled, known).rpartition("</body>")
        html = TextPart(head, "html", paragraphs, body_end + tail)
        page = make_multipart("related", html, *shown)
        return make_multipart("mixed", make_multipart("alternative", text, page), *files, *sent)

    def _missing_notes(self, letter: Letter) -> list[tuple[str, str]]:
        """Return the key of each picture, with the note for a letter sent without it."""
        book = self._of(letter).book
        return [
            (each.sketch.key,
             book.render(phrase("picture-missing", shows=each.shows, game=letter.game)))
            for each in letter.pictures
        ]  # fmt: skip

    def _make_calendar(
        self, appointments: tuple[CalendarEntry, ...], system: str, language: str, now: datetime
    ) -> Data:
        """Return deadlines as a calendar file in a reader's language.

        It is the same for all readers of that language.
        """
        book = templates_of(system, language).book
        entries = []
        for appointment in appointments:
            turn = appointment.said or appointment.turn
            facts = {"game": appointment.name, "turn": turn, "phase": appointment.phase}
            own = f"calendar-{appointment.clock}"
            summary = book.render(phrase(own if book.has(own) else "calendar-due", **facts))
            told = "calendar-told" if appointment.is_on else "calendar-gone"
            entries.append(CalendarText(appointment, summary, book.render(phrase(told, **facts))))
        return calendar_file(entries, self._judge["address"], now)

    def _fill_template(self, letter: Letter, known: Mapping[str, object]) -> str:
        """Return the filled template of a letter, not yet laid out."""
        return self._of(letter).fill(letter.template, known)

    def _fill_footers(self, letter: Letter, filled: str, known: Mapping[str, object]) -> str:
        """Return the last lines of a letter, or ""."""
        names, templates = self._footers(letter, filled), self._of(letter)
        return "".join(f"\n\n{templates.fill(name, known)}" for name in names)

    def _footers(self, letter: Letter, filled: str) -> list[str]:
        """Return the templates of the last lines of a letter.

        They explain how to sign on if a reply fails or needs it, and to observers how to stop
        the letters.
        """
        seat, found = letter.facts.get("seat"), []
        parting = letter.facts.get("parting")
        if isinstance(seat, Mapping):
            name = ""
            if letter.token:
                name = "" if self._has_sub_addresses else "signon"
            elif not seat["replies"] and not parting:
                name = "signon-first"
            if name and seat["signs_on"] and f"SIGNON {seat['signon']} " not in filled:
                found.append(name)
        if letter.unsubscribe and not parting:
            found.append("leave")
        return found

    def _known(self, letter: Letter, now: datetime | None = None) -> Mapping[str, object]:
        """Return the facts of a letter with the shared macros for its text and page."""
        return self._of(letter).with_parts(self._facts(letter, now))

    def _facts(self, letter: Letter, now: datetime | None) -> dict[str, object]:
        """Return the facts that a letter's templates may use.

        `calendar` is the name of its calendar file, or `cancelled` if that only cancels deadlines.
        Without `now` no remaining times are shown.
        """
        calendar = [file_name(each) for each in letter.appointments if each.is_on][:1]
        cancelled = [] if calendar else [file_name(each) for each in letter.appointments][:1]
        return {
            "judge": self._judge, "now": now, "calendar": calendar, "cancelled": cancelled,
            "unordered": self._unordered,
            **letter.facts,
        }

    def _page(self, letter: Letter, filled: str, known: Mapping[str, object]) -> str:
        pictures = [
            {
                "cid": self._cid(each),
                "shows": each.shows,
                "width": width,
                "is_for_phones": width < SHOWN_WIDTH,
            }
            for each in letter.pictures
            if _is_shown(each)
            for width in [SHOWN_WIDTH if each.sketch.form is PictureFormat.PNG else PHONE_WIDTH]
        ]
        page = {
            "subject": letter.subject,
            "pictures": pictures,
            "template": letter.template,
            "text": filled,
            "footers": self._footers(letter, filled),
        }
        found = replace_surrogates(
            self._of(letter).fill_page(letter.template, {**known, "page": page})
        )
        # In HTML any character can be written in ASCII, which needs no transfer encoding.
        return found.encode("ascii", "xmlcharrefreplace").decode()

    def _cid(self, picture: LetterPicture) -> str:
        """Return the Content-ID of a picture, the same in every letter that contains it."""
        return f"{picture.sketch.key[:24]}@{self._host}"

    def check(self) -> None:
        """Read every template of every folder.

        Raises:
            DataError: a template cannot be read.
        """
        check_all()

    def _headers(self, letter: Letter, now: datetime, message_id: str) -> Headers:
        answered = "" if letter.answers == NAMELESS else letter.answers
        threads = [f"<{each}@{self._host}>" for each in letter.threads]
        leave = f"<mailto:{self._sub(letter.unsubscribe)}?subject=UNSUBSCRIBE>"
        judge_headers = {
            "Game": letter.game,
            "Phase": letter.phase,
            "Power": letter.power,
            "Kind": letter.kind.value,
        }
        return Headers(
            sender=self._sender,
            to=letter.to,
            subject=self._of(letter).book.render(letter.subject),
            message_id=message_id,
            date=now,
            reply_to=self._sub(letter.token),
            in_reply_to=answered,
            references=" ".join(filter(None, (*threads, answered))),
            list_id=f"<{letter.game}.{self._host}>" if letter.game else "",
            unsubscribe=leave if letter.unsubscribe else "",
            language=letter.language or "en",
            auto="auto-replied" if letter.answers else "auto-generated",
            judge={name: value for name, value in judge_headers.items() if value},
        )

    def _sub(self, detail: str) -> str:
        """Return the judge's address, with a detail if it is not empty."""
        return f"{self._local}{self._detail if detail else ''}{detail}@{self._host}"

    def _of(self, letter: Letter) -> Templates:
        return templates_of(letter.system, letter.language)


def _drawing(picture: LetterPicture, cid: str = "") -> PicturePlaceholder:
    """Return the placeholder of a picture, with its description in English."""
    shows = phrasebook(picture.sketch.system).render(picture.shows)
    return PicturePlaceholder(replace(picture, shows=shows), cid)


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>".encode("ascii", "xmlcharrefreplace").decode()


def _is_shown(picture: LetterPicture) -> bool:
    """Return whether a page shows a picture. An SVG is always a file."""
    return picture.sketch.form is not PictureFormat.SVG and not picture.is_file
