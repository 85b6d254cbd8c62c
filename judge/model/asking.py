"""Questions."""

from dataclasses import dataclass

from judge.model.command import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class ListGames(Command):
    """`LIST`, `LIST marco`, `LIST FULL`, `LIST standard gunboat vacant`, `LIST MAPS`.

    `words` are a game's name, or say which games; in lower case.
    """

    words: tuple[str, ...] = ()
    full: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoPlays(Command):
    """`WHO marco`: who plays which power."""

    game: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MyGames(Command):
    """`MY GAMES`: the games of whoever asks; `MEINE PARTIEN` asks in German."""

    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Command):
    """`SUMMARY`, `SUMMARY marco`: who owned what, year by year."""

    game: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class History(Command):
    """`HISTORY [marco] [FROM date|phase] [TO date|phase] [LINES n]`; the bounds as typed.

    `without`: `EXCLSTART S1903M [EXCLEND F1905B]` leaves those phases out, and notices too,
    unless BROAD is said.
    """

    game: str = ""
    since: tuple[str, ...] = ()
    until: tuple[str, ...] = ()
    lines: int = 1000
    without: tuple[str, ...] = ()
    results_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Help(Command):
    """`HELP [topic]`, `GET file`; `HILFE` asks in German."""

    topic: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version(Command):
    """`VERSION`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowMap(Command):
    """`MAP`, `MAP marco`, `MAP marco S1901M`, `MAP TEXT`, `MAP standard`: a board, or some orders.

    `game` is the first word, where a game could be called so; it may begin the name of a phase
    instead. `form` is "png", "small", "svg", "text" or empty: as the reader wants it in general;
    or "names", of a map without a game (`MAP standard NAMES`), or "state", rows for programs.
    """

    game: str = ""
    phase: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowRating(Command):
    """`RATING`: the players of this judge by their rating."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowStatistics(Command):
    """`STATISTICS`, `STATISTICS standard`: how the powers of a map did; `map` as typed."""

    map: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowLog(Command):
    """`LOG marco LINES 50`: all that the masters of a game did."""

    game: str = ""
    lines: int = 200
