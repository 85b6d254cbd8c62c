"""In which language somebody is written to: that of the seat, else that of the person."""

from collections.abc import Sequence
from dataclasses import replace

from judge.play.game import Office
from judge.words.letter import Letter


def in_own_language(office: Office, letters: Sequence[Letter]) -> list[Letter]:
    """Return letters, each in the language of its reader: SET LANGUAGE, else REGISTER, else the one
    that was asked in (HILFE), else English.

    What a mail says of its own language (Content-Language, Accept-Language) is not believed: it is
    that of a spelling checker or of a firm, and anybody may write a mail in another's name.
    """
    seats = office.games.seats_numbered({letter.seat for letter in letters if letter.seat})
    people = office.register.people({letter.to for letter in letters})
    found = []
    for letter in letters:
        seat, person = seats.get(letter.seat), people.get(letter.to.lower())
        chosen = seat.settings.language if seat else None
        language = chosen or (person.language if person else "") or letter.language
        found.append(replace(letter, language="" if language == "en" else language))
    return found
