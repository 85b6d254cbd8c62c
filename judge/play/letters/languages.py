"""In which language somebody is written to: that of the seat, else that of the person."""

from dataclasses import replace

from judge.play.office import Office
from judge.words.letter import Letter


def in_own_language(office: Office, letter: Letter) -> Letter:
    """Return a letter in the language of its reader: SET LANGUAGE, else REGISTER, else English."""
    seat = office.games.seat(letter.seat) if letter.seat else None
    chosen = seat.settings.get("language") if seat else None
    language = str(chosen or office.register.person(letter.to).language)
    return replace(letter, language="" if language == "en" else language)
