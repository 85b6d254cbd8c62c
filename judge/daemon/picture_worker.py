"""Picture worker: pictures rendered in the background and inserted into letters.

A letter with a picture is queued with the picture's key, and waits until the picture is rendered or
has failed. Waiting letters are checked with the last picture, and once a second while there are
more pictures, because the check costs more the more letters wait. Pictures of results come first.
No letter waits longer than two minutes, regardless of what else is to be rendered. A picture
that was rendered when a judge crashed is rendered again by the next. Several workers render
different pictures: each locks a number that is derived from its picture. A judge has a second
worker for the hours in which many games are due.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta

from judge.daemon.application import Application
from judge.drawing.render_process import RenderCancelled, RenderError, RenderProcess, RenderTimeout
from judge.errors import DataError, StoreTrouble
from judge.failpoints import failpoint
from judge.games.painting import complete_request, paint
from judge.mail.outbound.compose import insert_parts, note_part, picture_part
from judge.model.letter import NOTE, PictureRequest, PictureSlot
from judge.model.phrase import phrase
from judge.model.record import Outgoing
from judge.phrases import phrasebook

log = logging.getLogger("judge.painter")

PLATES = "plates"
"""Folder beside the database for images of whole boards. It can be removed at any time."""
DRAW_TIMEOUT = 30.0
"""Seconds until a picture is given up, and its letters go without it."""
MAX_LETTER_DELAY = timedelta(seconds=120)
"""Time after which a letter goes without its picture.

It restarts when a judge starts.
"""
_LOOKS = 1.0
"""Seconds between two checks for such letters while a picture is rendered."""
_MAX_TIMEOUTS = 3
"""Number of slow pictures in a row that shows a slow machine."""
_PAUSE_AFTER_TIMEOUTS = timedelta(minutes=10)
"""Time for which letters then go without pictures, and need not wait."""
_IDLE = timedelta(minutes=5)
"""Idle time after which the rendering process ends, to free its memory."""
_DAY = timedelta(days=1)
MANY_WAITING = 40
"""Number of waiting pictures, about two seconds of work, from which on a second worker helps."""
_NUMBERS = 8
"""Number of picture locks. Pictures with the same lock are rendered in turn."""


class PictureWorker:
    """Worker that renders requested pictures, the longest waiting first.

    It leaves them to another worker while fewer than *least* wait.
    """

    def __init__(
        self, application: Application, render_process: RenderProcess | None = None,
        stopped: Callable[[], bool] = lambda: False, *, least: int = 1,
    ) -> None:
        self._application = application
        path = application.store.engine.path
        plates = path and path.with_name(PLATES)
        self._studio = render_process or RenderProcess(paint, plates)
        self._stopped = stopped
        self._least = least
        self._slow = 0
        self._rest_until: datetime | None = None
        self._last: datetime | None = None
        self._began: datetime | None = None
        self._looked = self._let_go = -_LOOKS
        self._numbers = application.store.engine.numbers("painter")

    def draw_one(self) -> bool:
        """Render one picture that no other worker has, or else release letters.

        Return whether there was anything to do.

        Raises:
            StoreError: the database cannot be used now; the picture is rendered again later.
        """
        now = self._application.clock.now()
        self._began = self._began or now
        if self._give_up_late(now):
            return True
        with self._in_hand() as sketch:
            if sketch is None:
                # A worker that helps sees no picture while few wait, although letters need them.
                if self._least == 1 and self._application.pictures.release_letters():
                    return True
                if self._last is not None and abs(now - self._last) >= _IDLE:
                    self._studio.close()
                    self._last = None
                return False
            self._last = now
            return self._draw(sketch, now)

    @contextmanager
    def _in_hand(self) -> Iterator[PictureRequest | None]:
        """Choose the next picture to render, and lock it against other workers."""
        pictures, numbers = self._application.pictures, self._numbers
        has_enough = pictures.next_new(self._least - 1) is not None
        for place in range(_NUMBERS if has_enough else 0):
            sketch = pictures.next_new(place)
            if sketch is None:
                break
            number = 1 + int(sketch.key[:8], 16) % _NUMBERS
            if not numbers.take(number):
                continue
            try:
                # Another worker may have rendered it since.
                if pictures.is_new(sketch.key):
                    yield sketch
                    return
            finally:
                with suppress(StoreTrouble):
                    numbers.release(number)
        yield None

    def _draw(self, sketch: PictureRequest, now: datetime) -> bool:
        """Render a picture, or give it up. Return False if the judge stops."""
        try:
            if self._rest_until is not None and now < self._rest_until:
                raise RenderError("several pictures took too long just now")
            octets = self._studio.draw(_complete(sketch), DRAW_TIMEOUT, self._is_stopped)
            failpoint("drawn")
        except RenderCancelled:
            return False
        except RenderError as fault:
            self._give_up(sketch, fault)
            return True
        self._slow = 0
        lets_go = time.monotonic() - self._let_go >= _LOOKS
        if lets_go:
            self._let_go = time.monotonic()
        many = self._application.pictures.save_drawn(
            sketch.key, octets, self._application.clock.now(), lets_go=lets_go
        )
        log.info("a picture of %d octets is drawn, %d letters go out", len(octets), many)
        return True

    def drain(self) -> int:
        """Render all requested pictures. Return their number.

        Raises:
            StoreError: as `draw_one`.
        """
        return sum(1 for _ in iter(self.draw_one, False))

    def close(self) -> None:
        """End the rendering process."""
        self._studio.close()
        self._numbers.close()

    def _is_stopped(self) -> bool:
        """Return whether to stop rendering. Give up late pictures now and then."""
        if time.monotonic() - self._looked >= _LOOKS:
            self._looked = time.monotonic()
            self._give_up_late(self._application.clock.now())
        return self._stopped()

    def _give_up_late(self, now: datetime) -> bool:
        """Give up pictures that letters waited for too long. Return whether any were."""
        if self._began is None or now - self._began < MAX_LETTER_DELAY:
            return False
        many, letters = self._application.pictures.fail_older_than(
            now - MAX_LETTER_DELAY, "nobody waits for it any more", now
        )
        if many:
            log.warning("%d pictures took too long, %d letters go without", many, letters)
        return many > 0

    def _give_up(self, sketch: PictureRequest, fault: RenderError) -> None:
        """Release the letters of a failed picture. Report it to the operator once a day."""
        application, now = self._application, self._application.clock.now()
        self._slow = self._slow + 1 if isinstance(fault, RenderTimeout) else self._slow
        if self._slow >= _MAX_TIMEOUTS:
            self._slow, self._rest_until = 0, now + _PAUSE_AFTER_TIMEOUTS
        log.error("a picture for %s cannot be drawn: %s", sketch.title, fault)
        with application.store.transaction():
            application.pictures.mark_failed(sketch.key, str(fault), now)
            if application.context.people.ask_once("pictures", now, now - _DAY):
                application.notify_operator(
                    f"a picture for {sketch.title} cannot be drawn",
                    f"The judge could not draw a picture for {sketch.title}. The letters that were"
                    " to carry it go out without it and say so. Further pictures that fail today"
                    " are only noted in the log.",
                    now, str(fault),
                )


def _complete(sketch: PictureRequest) -> PictureRequest:
    try:
        return complete_request(sketch)
    except DataError as fault:
        raise RenderError(str(fault)) from fault


_KEPT = 8
"""Number of cached pictures: the letters of a game's phase are sent together."""


class PictureInserter:
    """Insertion of pictures into finished messages."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._parts: dict[PictureSlot, bytes] = {}

    def insert_pictures(self, letter: Outgoing) -> Outgoing:
        """Return a letter with its pictures, or with a note for each that failed.

        Raises:
            StoreError: the database cannot be used now.
        """
        if not letter.places:
            return letter
        parts = [self._part(place, letter.game) for place in letter.places]
        return replace(
            letter, message=insert_parts(letter.message, letter.places, parts), places=()
        )

    def _part(self, place: PictureSlot, game: str) -> bytes:
        same = place._replace(at=0)
        if same not in self._parts:
            octets = self._application.pictures.octets(place.key)
            if place.form == NOTE:
                return b"" if octets is not None else place.shows.encode()
            if octets is None:
                reason = phrase("picture-missing", shows=place.shows, game=game)
                return note_part(place, phrasebook().render(reason))
            self._parts[same] = picture_part(place, octets)
            while len(self._parts) > _KEPT:
                del self._parts[next(iter(self._parts))]
        return self._parts[same]
