"""Pictures put into letters on their way out."""

from collections import OrderedDict
from dataclasses import replace

from judge.daemon.works import Works
from judge.mail.bodies import fill, note_part, picture_part
from judge.phrases import phrasebook
from judge.words.picture import Place
from judge.words.reason import because
from judge.words.record import Outgoing

_KEPT = 8
"""So many pictures are at hand: the letters of a game's phase go out together."""


class Enclosing:
    """Fills the places of pictures in finished messages."""

    def __init__(self, works: Works) -> None:
        self._works = works
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
            octets = self._works.pictures.octets(place.key)
            if octets is None:
                reason = because("picture-missing", shows=place.shows, game=game)
                return note_part(place, phrasebook().say(reason))
            self._parts[same] = picture_part(place, octets)
            while len(self._parts) > _KEPT:
                self._parts.popitem(last=False)
        return self._parts[same]
