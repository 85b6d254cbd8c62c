"""In which language somebody is written to: that of the seat, else that of the person."""

from dataclasses import replace

from judge.play.office import Office
from judge.words.letter import Letter


def in_own_language(office: Office, letter: Letter) -> Letter:
    """Return a letter in the language of its reader: SET LANGUAGE, else REGISTER, else the one that
    was asked in (HILFE), else English.

    What a mail says of its own language (Content-Language, Accept-Language) is not believed: it is
    that of a spelling checker or of a firm, and anybody may write a mail in another's name.
    """
    seat = office.games.seat(letter.seat) if letter.seat else None
    chosen = seat.settings.get("language") if seat else None
    language = str(chosen or office.register.person(letter.to).language or letter.language)
    return replace(letter, language="" if language == "en" else language)
