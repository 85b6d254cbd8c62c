"""Terms of a game: a sentence for each choice of its master that affects play.

Every start letter lists press and its readers, who knows the players, the clock, grace periods,
and the NMR policy. Other choices are listed if they differ from the default. The rules of the
game system have sentences of their own (`house_rules`).
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from judge.games import find_system
from judge.model.phrase import Fact, Phrase, phrase
from judge.play.choices.settings import clock_time, format_setting_value
from judge.play.choices.settingtable import Takes, read_cell
from judge.play.game import Game
from judge.play.game_settings import DEFAULTS
from judge.play.queries import example_of, main_phases
from judge.play.schedule import EVERY_DAY
from judge.textfiles import read_rows

_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")


def terms_of(game: Game, *, reads_only: bool = False) -> list[Phrase]:
    """Return the choices of a game's master that its people must know.

    With *reads_only*, leave out how to send press.
    """
    return [*_press(game, reads_only), *_people(game), *_clock(game), *_late(game),
            *_chosen(game, "other"), *_limits(game)]


def clock_terms(game: Game) -> tuple[Phrase, ...]:
    """Return the sentences on the duration of a game's phases."""
    return tuple(_clock(game))


@cache
def _sentences(about: str) -> tuple[tuple[str, object, str], ...]:
    """Return settings, their values and the codes of the sentences on these."""
    rows = read_rows((files(__package__) / "terms.tsv").read_text("utf-8"))
    return tuple(
        (row["name"], read_cell(row["value"]), row["sentence"])
        for row in rows if row["about"] == about
    )


def _chosen(game: Game, about: str) -> Iterator[Phrase]:
    """Yield the sentences of the settings that have the value in question."""
    for name, value, code in _sentences(about):
        if getattr(game.chosen, name) == value:
            yield phrase(code, main=main_phases(game))


def _press(game: Game, reads_only: bool) -> Iterator[Phrase]:
    colour = game.chosen.press
    yield phrase(f"terms-press-{colour.replace('/', '')}")
    if colour != "none" and not reads_only:
        to, readers = (example_of(game, code) for code in ("example-to", "example-to-names"))
        yield phrase("terms-press-how", to=to, readers=readers)
    if colour == "none":
        return
    if game.chosen.partial and not game.chosen.gm_plays:
        copies = game.chosen.press_copies
        yield phrase("terms-master-reads" if copies else "terms-master-reads-not")
    yield from _chosen(game, "press")
    if most := game.chosen.max_press:
        yield phrase("terms-max-press", most=most)


def _people(game: Game) -> Iterator[Phrase]:
    """Yield sentences on who knows the players, and on a master who plays.

    Letters of a gunboat game contain the first without this.
    """
    if game.chosen.gm_plays:
        yield phrase("terms-gm-plays")
    if game.chosen.show_addresses:
        yield phrase("terms-addresses-shown")
    elif not game.chosen.gunboat:
        yield phrase("terms-nobody-knows" if game.chosen.gm_plays else "terms-master-knows")
    elif game.chosen.names_at_end:
        yield phrase("terms-names-at-end")
    seats = game.chosen.seats
    if seats > 1:
        yield phrase("terms-seats", most=seats)


def _clock(game: Game) -> Iterator[Phrase]:
    """Yield sentences on the duration of phases, or on their timetable."""
    first, later = game.chosen.first_negotiation, game.chosen.negotiation
    if first or later:
        yield phrase("terms-negotiation", first=describe_span(first), later=describe_span(later),
                     main=main_phases(game))
    zone = game.chosen.zone
    if cron := game.chosen.cron:
        yield phrase("terms-cron", cron=cron, zone=zone)
        return
    yield phrase("terms-clock-writing" if later else "terms-clock", **_by_clock(game, "next"))
    yield from _instants(game, zone)


def _instants(game: Game, zone: str) -> Iterator[Phrase]:
    """Yield sentences on times of day and days of deadlines, equal clocks together."""
    alike: dict[tuple[int, str], list[Phrase]] = {}
    for kind in find_system(game.system).clocks:
        each = game.chosen.clocks[kind.name]
        times = each.clock, each.days
        alike.setdefault(times, []).append(kind.title)
    for (minutes, days), phases in alike.items():
        if minutes >= 0:
            at = clock_time(minutes)
            yield phrase("terms-clock-at", phases=tuple(phases), time=at, zone=zone)
        if days != EVERY_DAY:
            named = tuple(
                phrase(day) if letter.isupper() else phrase("after-noon", day=phrase(day))
                for day, letter in zip(_DAYS, days) if letter != "-"
            )
            yield phrase("terms-days", phases=tuple(phases), days=named, zone=zone)


def _late(game: Game) -> Iterator[Phrase]:
    """Yield sentences on grace periods and the NMR policy."""
    graces = [each.grace for each in game.chosen.clocks.values()]
    if not any(graces):
        yield phrase("terms-no-grace")
    elif len(set(graces)) == 1:
        yield phrase("terms-grace", span=describe_span(graces[0]))
    else:
        yield phrase("terms-graces", **_by_clock(game, "grace"))
    misses = find_system(game.system).misses
    yield phrase(f"terms-nmr-{game.chosen.nmr}", misses=misses)
    if count := game.chosen.excuses:
        code = "terms-excuses-auto" if game.chosen.auto_excuses else "terms-excuses"
        yield phrase(code, count=count, span=describe_span(game.chosen.excuse_time))


def _by_clock(game: Game, setting: str) -> dict[str, Fact]:
    """Return a time that is set for each clock of a game, as a list and by name.

    The names are for systems that have a sentence of their own.
    """
    clocks = game.chosen.clocks.items()
    spans = {clock: describe_span(getattr(each, setting)) for clock, each in clocks}
    times = tuple(
        phrase("terms-time", time=spans[kind.name], kind=kind.title)
        for kind in find_system(game.system).clocks
    )
    return {"times": times, **{f"{clock}_time": span for clock, span in spans.items()}}


def _limits(game: Game) -> Iterator[Phrase]:
    days = game.chosen.max_absence
    if not days:
        yield phrase("terms-no-absence")
    elif days != DEFAULTS["max_absence"]:
        yield phrase("terms-max-absence", days=days)


def describe_span(hours: float) -> Phrase | str:
    """Return a time for a letter, such as "3 days", "36 hours" or "no time".

    >>> describe_span(72.0), describe_span(36.0).facts["count"], describe_span(0.0).code
    (Phrase(code='value-days', facts={'count': 3}), 36, 'value-no-time')
    """
    if not hours:
        return phrase("value-no-time")
    if hours >= 48 and hours % 24 == 0:
        return phrase("value-days", count=int(hours / 24))
    return format_setting_value(Takes.HOURS, hours)
