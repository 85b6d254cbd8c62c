"""Options of a game system: SET lines, and the rules in force in words."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from judge.board.bundle import is_key
from judge.digits import is_number
from judge.games import find_system
from judge.games.system import GameSystem, Option
from judge.model.phrase import Phrase, phrase
from judge.play.game import GameView


class ChosenOption(NamedTuple):
    """An option, the value that a line sets, and its meaning as a sentence."""

    option: Option
    value: object
    told: Phrase


class RuleInForce(NamedTuple):
    """A rule of a game: its SET words, its sentence, and whether it is the default."""

    words: str
    told: Phrase
    is_usual: bool


def choices_of(game: GameView) -> tuple[Option, ...]:
    """Return the options of a game's system on its map."""
    return find_system(game.system).options(game.map)


def rules_in_force(game: GameView) -> list[RuleInForce]:
    """Return every rule of a game that is optional, in the system's order."""
    found = []
    for option in choices_of(game):
        usual = option.values[0] if option.values else option.default
        value = game.settings.get(option.name, usual)
        if option.values and value not in option.values:
            value = usual
        words = f"{words_of(option)} {str(value).upper()}".replace("_", " ")
        found.append(RuleInForce(words, option.describe_value(value), value == usual))
    return found


class OptionValue(NamedTuple):
    """A value of an option for HELP, with its sentences.

    There is one for each map that has another sentence, with the title of the map if there are
    several.
    """

    name: str | Phrase
    told: tuple[tuple[str, Phrase], ...]


class OptionHelp(NamedTuple):
    """An option for HELP: its words, its purpose, and each value with its sentences.

    `system` is the name of the system whose templates contain these sentences.
    """

    system: str
    words: str
    help: Phrase
    values: tuple[OptionValue, ...]
    at_any_time: bool


@cache
def choices_in(system: GameSystem) -> tuple[OptionHelp, ...]:
    """Return the options of a system on all its maps, each once, default value first."""
    found: dict[str, list[tuple[str, Option]]] = {}
    for map_name, title in system.maps().items():
        if is_key(map_name):
            # Added maps have the options of the others.
            continue
        for option in system.options(map_name):
            found.setdefault(option.name, []).append((title, option))
    return tuple(
        OptionHelp(system.name, words_of(last), last.help, _values(options), last.at_any_time)
        for options in found.values() for _, last in options[-1:]
    )


def _values(options: Sequence[tuple[str, Option]]) -> tuple[OptionValue, ...]:
    """Return the values of an option that several maps have."""
    values = options[0][1].values
    if not values:
        number = (phrase("value-usual"), phrase("value-number"))
        return tuple(
            OptionValue(
                name,
                _each_once([(title, _list_sentences(option)[at]) for title, option in options]),
            )
            for at, name in enumerate(number)
        )
    return tuple(
        OptionValue(
            name.replace("_", " "),
            _each_once([(title, option.describe_value(name)) for title, option in options]),
        )
        for name in values
    )


def _list_sentences(option: Option) -> Sequence[Phrase]:
    """Return the sentences of an option's values (for a number: default and another)."""
    return option.says if option.values else (option.says[0], option.describe_number("n"))


def _each_once(told: Sequence[tuple[str, Phrase]]) -> tuple[tuple[str, Phrase], ...]:
    """Return distinct sentences of maps, without the map if all maps agree."""
    found: list[tuple[str, Phrase]] = []
    for title, said in told:
        if all(said != other for _, other in found):
            found.append((title, said))
    return tuple(found) if len(found) > 1 else (("", found[0][1]),)


def house_rules(game: GameView) -> list[RuleInForce]:
    """Return the rules of a game that are not the defaults."""
    return [rule for rule in rules_in_force(game) if not rule.is_usual]


def words_of(option: Option) -> str:
    """Return an option's name as it is written after SET, such as "LAST YEAR"."""
    return option.name.replace("_", " ").upper()


def read_option(words: Sequence[str], off: bool, game: GameView) -> ChosenOption | Phrase | None:
    """Read an option of the game's system.

    Examples are `SET NO ICEBREAKER`, `SET PARADOX ALL HOLD`, `SET CENTERS 20` and `SET ANY
    CENTERS`. Return None if the words name no option of the game's system.
    """
    typed = " ".join(words).lower().replace("_", " ")
    found = list(_find_named_options(typed, game))
    if not found:
        return None
    _, option, value, rest = max(found, key=lambda each: len(each[0]))
    if value and (rest or off):
        # "SET NO ANY CENTERS" restores the default rule.
        return _chosen(option, usual_of(option)) if off and not rest else _unusable(option)
    return _with_value(option, value or rest, off)


def _find_named_options(typed: str, game: GameView) -> Iterator[tuple[str, Option, str, str]]:
    """Yield options whose name or other words begin a line, with the rest of it."""
    for option in choices_of(game):
        for name, value in ((option.name.replace("_", " "), ""), *option.also.items()):
            if typed == name or typed.startswith(f"{name} "):
                yield name, option, value, typed[len(name):].strip()


def _with_value(option: Option, text: str, off: bool) -> ChosenOption | Phrase:
    if not option.values:
        return _number(option, text, off)
    if off:
        value = next((v for v in ("off", "no", "none") if v in option.values), "")
        return _unusable(option) if text or not value else _chosen(option, value)
    if not text and "on" in option.values:
        text = "on"
    value = next((v for v in option.values if v.replace("_", " ") == text), "")
    return _chosen(option, value) if value else _unusable(option)


def _number(option: Option, text: str, off: bool) -> ChosenOption | Phrase:
    if off and not text:
        return _chosen(option, option.default)
    if off or not is_number(text):
        return phrase("setting-number", setting=words_of(option))
    if not option.least <= int(text) <= option.most:
        return phrase(
            "setting-between", setting=words_of(option), least=option.least, most=option.most
        )
    return _chosen(option, int(text))


def usual_of(option: Option) -> object:
    """Return the default value of an option."""
    return option.values[0] if option.values else option.default


def _chosen(option: Option, value: object) -> ChosenOption:
    return ChosenOption(option, value, option.describe_value(value))


def _unusable(option: Option) -> Phrase:
    allowed = ", ".join(value.replace("_", " ") for value in option.values) or phrase("a-number")
    return phrase("setting-value", setting=words_of(option), allowed=allowed)
