"""Settings read from SET lines, stored settings, and suggestions.

`interpret` turns the words of a SET line into changes or a reason of refusal.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from judge.digits import is_number
from judge.games import find_system
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role
from judge.play.choices.house_rules import choices_of, read_option, usual_of, words_of
from judge.play.choices.legacy_settings import translate_setting
from judge.play.choices.settingtable import (
    Scope,
    Setting,
    Takes,
    all_settings,
    house_rules_of,
    read_digest,
    read_limit,
    settings_of,
    update_addresses,
)
from judge.play.game import Game, GameView
from judge.play.game_settings import GameSettings, is_of_judge
from judge.play.parse_time import read_duration, read_time_of_day
from judge.play.schedule import EVERY_DAY, Schedule, Timing, find_zone, is_cron

_UNITS = ("m", "mins", "minute", "minutes", "h", "hour", "hours", "d", "day")
MAX_REMINDERS = 5
"""Maximum number of reminders of one deadline."""


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting with its new value.

    `raw` are words whose meaning depends on the time.
    """

    setting: Setting
    value: object
    raw: tuple[str, ...] = ()
    told: Phrase | None = None
    """Its meaning as a sentence, if the table of settings has none."""


def format_setting_value(takes: Takes, value: object) -> Phrase | str:
    """Return the value of a setting for a letter, such as "48 hours" or "23:30".

    >>> format_setting_value(Takes.HOURS, 1 / 6), format_setting_value(Takes.TIME_OF_DAY, 1410)
    (Phrase(code='value-minutes', facts={'count': 10}), '23:30')
    """
    if takes is Takes.HOURS and isinstance(value, float):
        minutes = round(value * 60)
        if minutes % 60:
            return phrase("value-minutes", count=minutes)
        return phrase("value-hours", count=minutes // 60)
    if takes is Takes.TIME_OF_DAY and isinstance(value, int):
        return clock_time(value) if value >= 0 else phrase("value-any-time")
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or phrase("value-empty")
    return f"{value:g}" if isinstance(value, float) else str(value) or phrase("value-none")


def clock_time(minutes: int) -> str:
    """Return a time of day, given in minutes.

    >>> clock_time(1410)
    '23:30'
    """
    return f"{minutes // 60:02}:{minutes % 60:02}"


def schedule_of(settings: GameSettings, shortest: timedelta = timedelta()) -> Schedule:
    """Return the clock of a game.

    `shortest` is the operator's minimum for new phases.
    """
    return Schedule(
        zone=settings.zone,
        cron=settings.cron,
        first_negotiation=settings.first_negotiation,
        negotiation=settings.negotiation,
        reminder=_share(settings.reminder),
        reminders=_lead_times(settings.reminder),
        strict_grace=settings.strict_grace,
        shortest=shortest,
        timings={
            clock: Timing(each.next, each.min, each.clock, each.days, each.grace)
            for clock, each in settings.clocks.items()
        },
        main=frozenset(clock for clock, each in settings.clocks.items() if each.is_main),
    )


def _share(reminder: str) -> float:
    return float(reminder[:-1]) / 100 if reminder.endswith("%") else 0.0


def _lead_times(reminder: str) -> tuple[float, ...]:
    """Return the hours of a value such as "24h, 6h"."""
    spans = (read_duration(part) for part in reminder.split(",") if "%" not in part)
    return tuple(span.total_seconds() / 3600 for span in spans if not isinstance(span, Phrase))


def interpret(
    words: Sequence[str], off: bool, game: GameView, role: Role
) -> tuple[SettingChange, ...] | Phrase:
    """Return the changes a SET line asks for, or the reason of its refusal.

    Several key and value pairs may follow a clock word: `SET MOVE NEXT 48 GRACE 24`.
    """
    words, off = translate_setting(words, off)
    upper = [word.upper() for word in words]
    clocks = find_system(game.system).clocks
    if len(words) >= 3 and not off and any(upper[0] in kind.words for kind in clocks):
        return _clock_changes(words, settings_of(game))
    if off and upper == ["PRESS"]:
        words, upper, off = ["NO", "PRESS"], ["NO", "PRESS"], False
    row = _find(upper, role, settings_of(game))
    if row is None:
        return _option_change(words, off, game)
    row = _with_example(row, game)
    rest = tuple(words[len(row.words):])
    if row.takes is Takes.NOTHING and row.off is not None and upper[len(row.words):] == ["OFF"]:
        off, rest = True, ()
    if row.takes is Takes.PERIOD:
        return (SettingChange(row, row.off if off else None, rest),)
    if off:
        if row.off is None or rest:
            return phrase("setting-not-off", setting=" ".join(row.words))
        return (SettingChange(row, row.off),)
    if row.takes is Takes.INSTANT:
        return (SettingChange(row, None, rest),)
    value = _value(row, rest)
    if isinstance(value, tuple) and row.takes is Takes.ADDRESSES and not isinstance(value, Phrase):
        value = update_addresses(getattr(GameSettings.of(game.settings), row.name), value)
    return value if isinstance(value, Phrase) else (SettingChange(row, value),)


def _with_example(row: Setting, game: GameView) -> Setting:
    """Return a setting whose example names a power of the game."""
    if "power" not in row.help.facts:
        return row
    power = (
        find_system(game.system).powers(game.map, game.settings)[0].name.lower().replace(" ", "")
    )
    return replace(row, help=phrase(row.help.code, power=power, game=game.name))


def _find(upper: Sequence[str], role: Role, rows: Sequence[Setting]) -> Setting | None:
    """Return the row with the most words that fits.

    For a person who is not a master, ZONE is their own zone.
    """
    fitting = [row for row in rows if tuple(upper[: len(row.words)]) == row.words]
    if not fitting:
        return None
    row = max(fitting, key=lambda row: len(row.words))
    if row.name == "zone" and role is not Role.MASTER:
        return Setting(row.words, row.name, row.help, row.takes, off="", scope=Scope.SEAT)
    return row


def _clock_changes(
    words: Sequence[str], rows: Sequence[Setting]
) -> tuple[SettingChange, ...] | Phrase:
    changes = []
    words = _with_units(words)
    clock = words[0].upper()
    for key, text in zip(words[1::2], words[2::2]):
        row = _find([clock, key.upper()], Role.MASTER, rows)
        if row is None:
            return phrase("setting-unknown", setting=f"{clock} {key.upper()}")
        value = _value(row, (text,))
        if isinstance(value, Phrase):
            return value
        changes.append(SettingChange(row, value))
    if len(words) % 2 == 0:
        return phrase("setting-needs-value", setting=f"{clock} {words[-1].upper()}")
    return tuple(changes)


def _clock_elsewhere(words: Sequence[str], game: GameView) -> Phrase | None:
    """Return the reply to a clock that only games of other systems have, or None."""
    upper = tuple(word.upper() for word in words[:2])
    if not any(row.words == upper for row in all_settings()):
        return None
    clocks = tuple(kind.words[0] for kind in find_system(game.system).clocks)
    return phrase("clock-of-others", clock=upper[0], game=game.name, clocks=clocks)


def _with_units(words: Sequence[str]) -> list[str]:
    """Join a number and the unit written after it.

    MIN and DAYS before a value are keys.

    >>> _with_units(["MOVE", "DELAY", "10", "minutes", "NEXT", "2", "DAYS", "-MTWTF-"])
    ['MOVE', 'DELAY', '10minutes', 'NEXT', '2', 'DAYS', '-MTWTF-']
    """
    joined: list[str] = []
    for at, word in enumerate(words):
        low, last = word.lower(), at == len(words) - 1
        unit = low in _UNITS or (last and low in ("min", "days"))
        if unit and joined and is_number(joined[-1].replace(".", "", 1)):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _option_change(
    words: Sequence[str], off: bool, game: GameView
) -> tuple[SettingChange, ...] | Phrase:
    """Read an option of the game's system, such as `SET PARADOX ALL HOLD`."""
    found = read_option(words, off, game)
    if found is None and (elsewhere := _clock_elsewhere(words, game)):
        return elsewhere
    if found is None:
        return phrase("setting-unknown", setting=" ".join(words) or phrase("nothing"))
    if isinstance(found, Phrase):
        return found
    option = found.option
    row = Setting(
        tuple(words_of(option).split()), option.name, option.help,
        before_start=not option.at_any_time,
    )
    return (SettingChange(row, found.value, told=found.told),)


def _value(row: Setting, rest: Sequence[str]) -> object:
    """Return the value of the words after a setting, or a Phrase."""
    name = " ".join(row.words)
    if row.takes is Takes.NOTHING:
        return phrase("setting-too-much", setting=name) if rest else row.value
    if not rest:
        return phrase("setting-needs-value", setting=name)
    text = " ".join(rest)
    match row.takes:
        case Takes.HOURS:
            return _hours(text, row)
        case Takes.TIME_OF_DAY:
            return _time_of_day(text, name)
        case Takes.DAYS:
            fits = len(text) == 7 and all(
                c == "-" or c.upper() == d for c, d in zip(text, EVERY_DAY)
            )
            usable = fits and text != "-------"
            return text if usable else phrase("setting-days", setting=name, text=text)
        case Takes.NUMBER:
            return _number(text, row)
        case Takes.REMINDERS:
            return _reminders(text)
        case Takes.CRON:
            return text if is_cron(text) else phrase("setting-cron", text=text)
        case Takes.ZONE:
            return find_zone(text) or phrase("setting-zone", text=text)
        case Takes.TEXT:
            return text[:200]
        case Takes.KINDS:
            return tuple(rest)
        case Takes.DIGEST:
            wish = read_digest(text)
            return phrase("digest-unknown", text=text) if wish is None else wish
        case _:
            return read_limit(row, rest)


def _hours(text: str, row: Setting) -> object:
    span = read_duration(text)
    if isinstance(span, Phrase):
        return span
    hours = span.total_seconds() / 3600
    if row.most and not row.least <= hours <= row.most:
        name = " ".join(row.words)
        return phrase("setting-hours-between", setting=name, least=row.least, most=row.most)
    return hours


def _number(text: str, row: Setting) -> object:
    name = " ".join(row.words)
    if not is_number(text):
        return phrase("setting-number", setting=name)
    if int(text) < row.least:
        return phrase("setting-between", setting=name, least=row.least, most=row.most)
    if row.most and int(text) > row.most:
        return phrase("setting-most", setting=name, most=row.most)
    return int(text)


def _reminders(text: str) -> object:
    """Read "25", "25%" (a share of the time) or "24h, 6h" (before the deadline).

    >>> _reminders("25"), _reminders("1D 6h")
    ('25%', '1d, 6h')
    """
    share = text.removesuffix("%").strip()
    if is_number(share, 2):
        return f"{int(share)}%"
    parts = text.lower().replace(",", " ").split()
    spans = [read_duration(part) for part in parts]
    usable = all(isinstance(span, timedelta) and span for span in spans)
    if not usable or len(spans) > MAX_REMINDERS or any(is_number(part[-1]) for part in parts):
        return phrase("setting-reminder")
    return ", ".join(parts)


def _time_of_day(text: str, name: str) -> object:
    if text == "-1":
        return -1
    if is_number(text) and int(text) < 24 * 60:
        return int(text)
    found = read_time_of_day(text)
    if found is None:
        return phrase("setting-time", setting=name, text=text)
    return found.hour * 60 + found.minute


def too_late(game: GameView, setting: str) -> Phrase | None:
    """Return the reason if a setting has no effect as its phase is over, else None."""
    begun = game.state is not GameState.FORMING
    is_over = {"first_negotiation": begun, "first_turn": begun and game.turn > 1}
    if not is_over.get(setting):
        return None
    words = next(row.words for row in all_settings() if row.name == setting)
    return phrase("setting-first-phase", setting=" ".join(words))


ENDS_VOTES = {"dias": "draw", "concessions": "concede"}
"""Settings whose change ends the votes in a matter."""
_PACE = (".next", ".min")
"""Settings of a clock that determine the length of a phase."""


def change_settings(game: Game, changes: Sequence[SettingChange]) -> list[Phrase]:
    """Set settings of a game to new values. Return the news.

    Votes in a matter whose rules change are dropped.
    """
    news = []
    for change in changes:
        name = change.setting.name
        already = name != "house" and is_in_force(game, change)
        more = house_rules_of(find_system(game.system).clocks) if name == "house" else {}
        game.change(settings={**game.settings, **more, name: change.value})
        news.append(describe_setting_change(change, already=already))
        if name in ENDS_VOTES and not already:
            game.drop_ballots(ENDS_VOTES[name])
    names = [change.setting.name for change in changes]
    if any(name == "cron" or name.endswith(_PACE) for name in names) and _is_hasty(game):
        minutes = game.context.policy.shortest // timedelta(minutes=1)
        news.append(phrase("clock-shortest", minutes=minutes))
    return news


def _is_hasty(game: Game) -> bool:
    return schedule_of(game.chosen, game.context.policy.shortest).is_any_hasty(game.created)


def is_in_force(game: Game, change: SettingChange) -> bool:
    """Return whether a setting already has its new value."""
    name = change.setting.name
    if name.endswith(".delay") and name not in game.settings:
        # The default delay counts for several persons only (`choices.early`).
        return False
    if is_of_judge(name):
        return game.chosen.with_setting(name, change.value) == game.chosen
    usual = {option.name: usual_of(option) for option in choices_of(game)}
    return game.settings.get(name, usual.get(name)) == change.value


def describe_setting_change(change: SettingChange, *, already: bool = False) -> Phrase:
    """Describe a setting's new value, or report that it is unchanged."""
    words, end = " ".join(change.setting.words), "-already" if already else ""
    if change.told:
        return phrase(f"setting-rule{end}", setting=words, told=change.told)
    if change.setting.takes is Takes.NOTHING:
        off = change.setting.off is not None and change.value == change.setting.off
        code = "setting-off" if off else "setting-holds" if already else "setting-now"
        return phrase(f"{code}{end}", setting=words, help=change.setting.help)
    code = "setting-already" if already else "setting-set"
    if change.setting.secret:
        code = "setting-set-secret"
    return phrase(
        code, setting=words, value=format_setting_value(change.setting.takes, change.value)
    )


_CLEARLY_WORSE = 0.1
"""Difference to the best similarity at which a suggestion is dropped."""


def near_settings(words: Sequence[str], off: bool, game: GameView, role: Role) -> tuple[str, ...]:
    """Return up to three similar SET lines that can be carried out.

    If the words only begin settings, return the HELP line about these.
    """
    rows = settings_of(game)
    known = {" ".join(row.words) for row in rows}
    known |= {words_of(option) for option in choices_of(game)}
    lines: dict[str, float] = {}
    for many in range(1, min(3, len(words)) + 1):
        typed = " ".join(words[:many]).upper()
        for name in difflib.get_close_matches(typed, known, 3, 0.75):
            corrected = [*name.split(), *words[many:]]
            if not isinstance(interpret(corrected, off, game, role), Phrase):
                line = " ".join(["SET", *(["NO"] if off else []), *corrected])
                lines[line] = difflib.SequenceMatcher(None, typed, name).ratio()
    upper = tuple(word.upper() for word in words)
    if not lines and any(row.words[: len(upper)] == upper for row in rows):
        return (f"HELP SET {' '.join(upper)}",)
    best = max(lines.values(), default=0)
    near = [line for line, ratio in lines.items() if ratio > best - _CLEARLY_WORSE]
    return tuple(sorted(near, key=lambda line: -lines[line])[:3])
