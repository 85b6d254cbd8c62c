"""Options of a game of Nations 1940 (section 17 of the rules)."""

from dataclasses import replace

from judge.games.nations1940.presets import PRESETS
from judge.games.nations1940.rules.settings import START_TECHS, Settings
from judge.games.system import Option
from judge.model.phrase import phrase

_USUAL = Settings()

OPTIONS = (
    Option(
        "fog", ("border", "open"), phrase("choice-fog"),
        says=(phrase("rule-fog-border"), phrase("rule-fog-open")), also={"open reports": "open"},
    ),
    Option(
        "deploy0", ("off", "on"), phrase("choice-deploy0"),
        says=(phrase("rule-deploy0-off"), phrase("rule-deploy0-on")), also={"deploy": "on"},
    ),
    Option(
        "free_government", ("off", "on"), phrase("choice-free-government"),
        says=(phrase("rule-free-government-off"), phrase("rule-free-government-on")),
    ),
    Option(
        "traits", ("off", "on"), phrase("choice-traits"),
        says=(phrase("rule-traits-off"), phrase("rule-traits-on")),
    ),
    Option(
        "events", ("on", "off"), phrase("choice-events"),
        says=(phrase("rule-events-on"), phrase("rule-events-off")),
    ),
    Option(
        "event_chance", (), phrase("choice-event-chance"), _USUAL.event_chance,
        says=(phrase("rule-event-chance", n=_USUAL.event_chance),), least=0, most=100,
    ),
    Option(
        "nuke_neutrals", ("off", "on"), phrase("choice-nuke-neutrals"),
        says=(phrase("rule-nuke-neutrals-off"), phrase("rule-nuke-neutrals-on")),
    ),
    Option(
        "domination_turns", (), phrase("choice-domination-turns"), _USUAL.domination_turns,
        says=(phrase("rule-domination-turns", n=_USUAL.domination_turns),), least=1, most=240,
    ),
    Option(
        "last_turn", (), phrase("choice-last-turn"), _USUAL.last_turn,
        says=(phrase("rule-last-turn", n=_USUAL.last_turn),), least=1, most=999,
    ),
    Option(
        "nations", (), phrase("choice-nations"), _USUAL.nations,
        says=(phrase("rule-nations", n=_USUAL.nations),), least=6, most=12,
    ),
    Option(
        "start_techs", ("off", "on"), phrase("choice-start-techs"),
        says=(phrase("rule-start-techs-off"), phrase("rule-start-techs-on", techs=START_TECHS)),
    ),
)  # fmt: skip
"""Options, with the names of their fields in `Settings`."""


def options_on(map_name: str) -> tuple[Option, ...]:
    """Return the options of a game on a map, with the defaults of that map."""
    changed = PRESETS[map_name].options if map_name in PRESETS else {}
    return tuple(
        _with_default(one, changed[one.name]) if one.name in changed else one for one in OPTIONS
    )


def _with_default(option: Option, value: object) -> Option:
    if not option.values:
        return replace(option, default=int(str(value)), says=(option.describe_number(str(value)),))
    at = option.values.index(str(value))
    values, says = list(option.values), list(option.says)
    return replace(option, values=(values.pop(at), *values), says=(says.pop(at), *says))
