"""Options of a game: house rules of other judges, and choices of the rulebook.

Names and values are those of `ruleset.Rules`, which explains them.
"""

from dataclasses import replace

from judge.board.map import Map
from judge.games.system import Option
from judge.model.phrase import phrase

FALLS = ("2", "3", "4", "5")
"""Values of quiet_falls: how many Falls without change end a game as a draw."""


def options_on(board: Map) -> tuple[Option, ...]:
    """Return the options of a game on a map, each with its default value first."""
    ice = (_ice_option(board),) if board.icebreaker else ()
    house = (_put_default_first(option, board.builds) if option.name == "builds" else option
             for option in _HOUSE)
    return (*_ending_options(board), *house, *ice, *_RULEBOOK)


def _ice_option(board: Map) -> Option:
    place = board.provinces[board.icebreaker].name
    return Option(
        "icebreaker", ("on", "off"), phrase("choice-icebreaker", place=place),
        says=(
            phrase("rule-icebreaker-on", place=place), phrase("rule-icebreaker-off", place=place)
        ),
        at_any_time=True,
    )


def _put_default_first(option: Option, value: str) -> Option:
    """Return an option with another value as the default."""
    at = option.values.index(value)
    values, says = list(option.values), list(option.says)
    return replace(
        option, values=(values.pop(at), *values), says=(says.pop(at), *says),
    )


def _ending_options(board: Map) -> tuple[Option, ...]:
    falls, centres = board.quiet_falls, len(board.centres)
    by_map = phrase("rule-quiet-falls-by-map", n=falls) if falls else phrase("rule-never-by-map")
    return (
        Option(
            "victory", (), phrase("choice-victory"), board.victory,
            says=(phrase("rule-victory", n=board.victory, centres=centres),),
            least=2, most=centres, at_any_time=True,
            also={"centers": "", "centres": "", "winning centers": "", "winning centres": ""},
        ),
        Option(
            "last_year", (), phrase("choice-last-year"), 0,
            says=(phrase("rule-no-last-year"), phrase("rule-last-year", n=0)),
            least=board.first_year, most=board.first_year + 98, at_any_time=True,
            also={"end": "", "final year": ""},
        ),
        Option(
            "at_end", ("survivors", "leader"), phrase("choice-at-end"),
            says=(phrase("rule-at-end-survivors"), phrase("rule-at-end-leader")),
            at_any_time=True,
        ),
        Option(
            "quiet_falls", ("by map", "off", *FALLS),
            phrase("choice-quiet-falls"),
            says=(
                by_map,
                phrase("rule-no-quiet-falls"),
                *(phrase("rule-quiet-falls", n=int(n)) for n in FALLS),
            ),
            at_any_time=True, also={"quiet falls on": "3"},
        ),
    )


_HOUSE = (
    Option(
        "blank_board", ("off", "on"), phrase("choice-blank-board"),
        says=(phrase("rule-blank-board-off"), phrase("rule-blank-board-on")),
        also={"empty board": "on"},
    ),
    Option(
        "builds", ("home", "one", "any"), phrase("choice-builds"),
        says=(phrase("rule-builds-home"), phrase("rule-builds-one"), phrase("rule-builds-any")),
        also={
            "home centers": "home", "home centres": "home", "one center": "one",
            "one centre": "one", "one centers": "one", "one centres": "one",
            "any centers": "any", "any centres": "any", "any center": "any", "any centre": "any",
            "build any": "any", "build anywhere": "any",
        },
    ),
    Option(
        "retreats", ("on", "off"), phrase("choice-retreats"),
        says=(phrase("rule-retreats-on"), phrase("rule-retreats-off")),
        also={"auto disband": "off"},
    ),
    Option(
        "friendly_fire", ("off", "on"), phrase("choice-friendly-fire"),
        says=(phrase("rule-friendly-fire-off"), phrase("rule-friendly-fire-on")),
    ),
    Option(
        "coastal_convoys", ("off", "on"), phrase("choice-coastal-convoys"),
        says=(phrase("rule-coastal-convoys-off"), phrase("rule-coastal-convoys-on")),
        also={"coastal convoy": "on"},
    ),
    Option(
        "blind", ("off", "on"),
        phrase("choice-blind"),
        says=(phrase("rule-blind-off"), phrase("rule-blind-on")),
        also={"fog": "on", "fog of war": "on"},
    ),
    Option(
        "proxy", ("off", "on"), phrase("choice-proxy"),
        says=(phrase("rule-proxy-off"), phrase("rule-proxy-on")),
        at_any_time=True,
    ),
)

_RULEBOOK = (
    Option(
        "paradox", ("szykman", "all_hold", "1971", "1982", "2000"),
        phrase("choice-paradox"),
        says=(
            phrase("rule-paradox-szykman"), phrase("rule-paradox-all-hold"),
            phrase("rule-paradox-1971"), phrase("rule-paradox-1982"), phrase("rule-paradox-2000"),
        ),
    ),
    Option(
        "routes", ("any", "all"), phrase("choice-routes"),
        says=(phrase("rule-routes-any"), phrase("rule-routes-all")),
    ),
    Option(
        "intent", ("own_fleet", "via_only", "swap_only"),
        phrase("choice-intent"),
        says=(
            phrase("rule-intent-own-fleet"), phrase("rule-intent-via-only"),
            phrase("rule-intent-swap-only"),
        ),
    ),
    Option(
        "fallback", ("none", "land"),
        phrase("choice-fallback"),
        says=(phrase("rule-fallback-none"), phrase("rule-fallback-land")),
    ),
    Option(
        "convoy_cut", ("dislodging", "always"),
        phrase("choice-convoy-cut"),
        says=(phrase("rule-convoy-cut-dislodging"), phrase("rule-convoy-cut-always")),
    ),
    Option(
        "convoy_return", ("allowed", "no"),
        phrase("choice-convoy-return"),
        says=(phrase("rule-convoy-return-allowed"), phrase("rule-convoy-return-no")),
    ),
    Option(
        "missing_coast", ("possible", "illegal"),
        phrase("choice-missing-coast"),
        says=(phrase("rule-missing-coast-possible"), phrase("rule-missing-coast-illegal")),
    ),
    Option(
        "wrong_coast", ("illegal", "possible"),
        phrase("choice-wrong-coast"),
        says=(phrase("rule-wrong-coast-illegal"), phrase("rule-wrong-coast-possible")),
    ),
    Option(
        "support_coast", ("lenient", "strict"),
        phrase("choice-support-coast"),
        says=(phrase("rule-support-coast-lenient"), phrase("rule-support-coast-strict")),
    ),
    Option(
        "disorder", ("owned", "home"),
        phrase("choice-disorder"),
        says=(phrase("rule-disorder-owned"), phrase("rule-disorder-home")),
    ),
)
"""Choices of the rulebook.

Builds and removals in excess (DATC 3.0, 4.D.4 and 4.D.6) are none: only the last ones are filed.
"""
