"""The picture worker: pictures drawn beside everything else, and put into letters on their way.

A letter with a picture is queued with the picture's key, and waits until the picture is drawn or
has failed. Which letters may go out then is looked at with the last picture, and once a second
while there are more: that costs the more the more letters wait. Pictures of results come first. No
letter waits longer than a minute, whatever else is to be drawn. What was drawn when a judge died is
drawn again by the next. Of several workers each draws another picture: who has one in hand holds a
number that follows from it.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta

from judge.daemon.application import Application
from judge.drawing.render_process import RenderProcess, Stopped, TooSlow, Undrawn
from judge.errors import StoreTrouble
from judge.failpoints import failpoint
from judge.games.painting import paint
from judge.mail.outbound.compose import fill, note_part, picture_part
from judge.model.letter import NOTE, Place, Sketch
from judge.model.phrase import phrase
from judge.model.record import Outgoing
from judge.phrases import phrasebook

log = logging.getLogger("judge.painter")

PATIENCE = 30.0
"""Seconds a picture may take; its letters then go without it."""
LONGEST_WAIT = timedelta(seconds=60)
"""A letter goes without its picture after so long; counted anew when a judge begins."""
_LOOKS = 1.0
"""Seconds between two looks for such letters while a picture is drawn."""
_MOST_SLOW = 3
"""So many too slow one after the other: the machine is at fault, not the pictures."""
_REST = timedelta(minutes=10)
"""How long letters then go without pictures, so that nobody waits for each in turn."""
_IDLE = timedelta(minutes=5)
"""After so long without a picture the process that draws ends: it holds memory."""
_DAY = timedelta(days=1)
_NUMBERS = 8
"""Pictures that can be in hand at the same time: those of one number are drawn one after another.
"""


class PictureWorker:
    """Draws what is asked for, the longest waiting first."""

    def __init__(
        self, application: Application, render_process: RenderProcess | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._application = application
        self._studio = render_process or RenderProcess(paint)
        self._stopped = stopped
        self._slow = 0
        self._rest_until: datetime | None = None
        self._last: datetime | None = None
        self._began: datetime | None = None
        self._looked = self._let_go = -_LOOKS
        self._numbers = application.store.engine.numbers("painter")

    def step(self) -> bool:
        """Draw one picture that nobody else has in hand, or let letters go whose pictures are
        there; return whether there was any.

        Raises:
            StoreError: the database cannot be used now; the picture is drawn again later.
        """
        now = self._application.clock.now()
        self._began = self._began or now
        if self._give_up_late(now):
            return True
        with self._in_hand() as sketch:
            if sketch is None:
                if self._application.pictures.let_go():
                    return True
                if self._last is not None and abs(now - self._last) >= _IDLE:
                    self._studio.close()
                    self._last = None
                return False
            self._last = now
            return self._draw(sketch, now)

    @contextmanager
    def _in_hand(self) -> Iterator[Sketch | None]:
        """Choose what is to be drawn next, and keep other painters from it."""
        pictures, numbers = self._application.pictures, self._numbers
        if numbers is None:
            yield pictures.next_new()
            return
        for place in range(_NUMBERS):
            sketch = pictures.next_new(place)
            if sketch is None:
                break
            number = 1 + int(sketch.key[:8], 16) % _NUMBERS
            if not numbers.take(number):
                continue
            try:
                # Somebody may have drawn it in between.
                if pictures.is_new(sketch.key):
                    yield sketch
                    return
            finally:
                with suppress(StoreTrouble):
                    numbers.release(number)
        yield None

    def _draw(self, sketch: Sketch, now: datetime) -> bool:
        """Draw a picture, or let its letters go without it; False: the judge stops."""
        try:
            if self._rest_until is not None and now < self._rest_until:
                raise Undrawn("several pictures took too long just now")
            octets = self._studio.draw(sketch, PATIENCE, self._is_stopped)
            failpoint("drawn")
        except Stopped:
            return False
        except Undrawn as fault:
            self._give_up(sketch, fault)
            return True
        self._slow = 0
        lets_go = time.monotonic() - self._let_go >= _LOOKS
        if lets_go:
            self._let_go = time.monotonic()
        many = self._application.pictures.drawn(
            sketch.key, octets, self._application.clock.now(), lets_go=lets_go
        )
        log.info("a picture of %d octets is drawn, %d letters go out", len(octets), many)
        return True

    def drain(self) -> int:
        """Draw all there is; return how many there were.

        Raises:
            StoreError: as `step`.
        """
        many = 0
        while self.step():
            many += 1
        return many

    def close(self) -> None:
        """End the process that draws."""
        self._studio.close()
        if self._numbers is not None:
            self._numbers.close()

    def _is_stopped(self) -> bool:
        """Tell whether to stop drawing; meanwhile no letter waits too long for other pictures."""
        if time.monotonic() - self._looked >= _LOOKS:
            self._looked = time.monotonic()
            self._give_up_late(self._application.clock.now())
        return self._stopped()

    def _give_up_late(self, now: datetime) -> bool:
        """Let letters go that have waited too long for a picture; return whether there were any."""
        if self._began is None or now - self._began < LONGEST_WAIT:
            return False
        many, letters = self._application.pictures.give_up(
            now - LONGEST_WAIT, "nobody waits for it any more", now
        )
        if many:
            log.warning("%d pictures took too long, %d letters go without", many, letters)
        return many > 0

    def _give_up(self, sketch: Sketch, fault: Undrawn) -> None:
        """Let the letters of a picture go without it, and tell the keeper, once a day."""
        application, now = self._application, self._application.clock.now()
        self._slow = self._slow + 1 if isinstance(fault, TooSlow) else self._slow
        if self._slow >= _MOST_SLOW:
            self._slow, self._rest_until = 0, now + _REST
        log.error("a picture for %s cannot be drawn: %s", sketch.title, fault)
        with application.store.transaction():
            application.pictures.failed(sketch.key, str(fault), now)
            if application.context.people.ask("pictures", now, now - _DAY):
                application.tell_keeper(
                    f"a picture for {sketch.title} cannot be drawn",
                    f"The judge could not draw a picture for {sketch.title}. The letters that were"
                    " to carry it go out without it and say so. Further pictures that fail today"
                    " are only noted in the log.",
                    now, str(fault),
                )


_KEPT = 8
"""So many pictures are at hand: the letters of a game's phase go out together."""


class PictureInserter:
    """Fills the places of pictures in finished messages."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._parts: OrderedDict[Place, bytes] = OrderedDict()

    def filled(self, letter: Outgoing) -> Outgoing:
        """Return a letter with its pictures; where one could not be drawn, it says so.

        Raises:
            StoreError: the database cannot be used now.
        """
        if not letter.places:
            return letter
        parts = [self._part(place, letter.game) for place in letter.places]
        return replace(letter, message=fill(letter.message, letter.places, parts), places=())

    def _part(self, place: Place, game: str) -> bytes:
        same = place._replace(at=0)
        if same not in self._parts:
            octets = self._application.pictures.octets(place.key)
            if place.form == NOTE:
                return b"" if octets is not None else place.shows.encode()
            if octets is None:
                reason = phrase("picture-missing", shows=place.shows, game=game)
                return note_part(place, phrasebook().say(reason))
            self._parts[same] = picture_part(place, octets)
            while len(self._parts) > _KEPT:
                self._parts.popitem(last=False)
        return self._parts[same]
