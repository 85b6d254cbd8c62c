"""Facts for HELP."""

from collections.abc import Iterable, Sequence

from judge.games import all_systems, find_system, is_installed
from judge.games.capabilities import OrderLists
from judge.games.system import ClockKind, GameSystem
from judge.help_topics import OTHER_WORDS, help_topics, match_topic, topics_in_game, topics_of_games
from judge.model.command import CommandKind
from judge.model.phrase import Phrase, phrase
from judge.play.choices.capabilities import capability_refusal, offers, topics_left_out
from judge.play.choices.house_rules import choices_in, rules_in_force
from judge.play.choices.settingtable import Setting, all_settings, settings_of
from judge.play.choices.terms import describe_span
from judge.play.game import Game
from judge.play.queries import map_title, sides_of


def help_facts(
    rows: Sequence[Setting] = (), game: Game | None = None,
    kinds: Iterable[CommandKind] = (),
) -> dict[str, object]:
    """Return the facts for help topics.

    They are all topics, rows of the settings table (all of them by default), the clocks, all
    options of the rules, those in force in a game, the letters of its powers, topics of other
    games, and commands without a topic.
    """
    known = rows_known(game)
    return {
        "choices": [
            (system.title, choices) for system in _systems(game) if (choices := choices_in(system))
        ],
        "in_force": rules_in_force(game) if game else [],
        "added_map": find_system(game.system).map_details(game.map) if game else None,
        "examples": find_system(game.system).examples(game.map) if game else {},
        "game": game.name if game else "",
        "variant": map_title(game) if game else "",
        "topics": help_topics(),
        "letters": [
            phrase("letter-of-power", letter=side.letter, power=side.name)
            for side in (sides_of(game) if game else ())
        ],
        "games": _topics_of_games(game),
        "guides": [
            f"HELP {topic.upper()}" for topic, systems in sorted(topics_of_games().items())
            if topic in systems and is_installed(topic)
        ],
        "left_out": topics_left_out(game),
        "has_menus": game is None or offers(game, OrderLists),
        "untold": [
            (form.line, kind.about) for kind in kinds for form in kind.forms
            if match_topic(form.spellings[0]) is None and not (game and _lacks(game, kind))
        ],
        "settings": [
            (" ".join(row.words), phrase(row.takes.value) if row.takes.value else None, row.help)
            for row in rows or known if not (game and capability_refusal(game, row.needs))
        ],
        "all_settings": not rows or len(rows) == len(known),
        "clocks": [kind for system in _systems(game) for kind in _clocks(system, game)],
        "usual": [_usual_times(system, _clocks(system, game)) for system in _systems(game)],
    }


def _topics_of_games(game: Game | None) -> list[tuple[str, str]]:
    """Return the HELP lines of the system of a game, or of all systems, with titles."""
    if game:
        title = find_system(game.system).title
        return [(f"HELP {topic.upper()}", title) for topic in topics_in_game(game.system)]
    return [
        (f"HELP {topic.upper()}", find_system(system).title)
        for topic, systems in sorted(topics_of_games().items())
        for system in systems if is_installed(system)
    ]


def _lacks(game: Game, kind: CommandKind) -> bool:
    return capability_refusal(game, getattr(kind, "needs", None)) is not None


def rows_known(game: Game | None) -> tuple[Setting, ...]:
    """Return the settings of a game, or those with the clocks of all systems."""
    return settings_of(game) if game else all_settings()


def _systems(game: Game | None) -> Sequence[GameSystem]:
    return [find_system(game.system)] if game else all_systems()


def _clocks(system: GameSystem, game: Game | None) -> tuple[ClockKind, ...]:
    """Return the clocks of a system, with the hours they have on the map of a game."""
    return system.clocks_on(game.map) if game else system.clocks


def _usual_times(
    system: GameSystem, clocks: Sequence[ClockKind]
) -> tuple[str, str, Phrase, Phrase]:
    """Return the default durations of a system's phases, and its early endings.

    The phrases are for the templates of that system.
    """
    times = tuple(
        phrase("terms-time", time=describe_span(kind.hours), kind=kind.title) for kind in clocks
    )
    early = phrase("usual-early", clock=system.main_clock.words[0])
    return system.name, system.title, phrase("usual-times", times=times), early


def find_setting_rows(topic: str, game: Game | None = None) -> list[Setting]:
    """Return the rows of settings that HELP SET MOVE or HELP MOVE NEXT asks for."""
    words = tuple(topic.upper().split())
    said_so = words[:1] == ("SET",)
    words = words[1:] if said_so else words
    known = OTHER_WORDS.keys() | set(help_topics())
    if not words or not said_so and len(words) == 1 and words[0].lower() in known:
        return []
    return [row for row in rows_known(game) if row.words[: len(words)] == words]
