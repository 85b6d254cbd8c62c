"""SET: settings of the game by its master, of a seat by its person."""

from collections.abc import Sequence
from datetime import timedelta

from judge.play.choices.houserules import choices_of, usual_of
from judge.play.choices.settings import Change, schedule_of, value_said
from judge.play.choices.settingtable import HOUSE_RULES, Takes
from judge.play.chosen import DEFAULTS
from judge.play.game import Game
from judge.play.times.schedule import CLOCKS
from judge.words.reason import Reason, because

ENDS_VOTES = {"dias": "draw", "concessions": "concede"}
"""Settings whose change ends the votes in a matter."""
_PACE = ("cron", *(f"{clock}.{key}" for clock in CLOCKS for key in ("next", "min")))
"""Settings that say how long a phase takes."""


def change_settings(game: Game, changes: Sequence[Change]) -> list[Reason]:
    """Put settings of a game to new values; return what is to be told of it.

    Votes for what is no longer voted on in that way end.
    """
    news = []
    for change in changes:
        name = change.setting.name
        already = name != "house" and _is_in_force(game, change)
        more = HOUSE_RULES if name == "house" else {}
        game.change(settings={**game.settings, **more, name: change.value})
        news.append(change_told(game, change, already=already))
        if name in ENDS_VOTES and not already:
            game.drop_ballots(ENDS_VOTES[name])
    if any(change.setting.name in _PACE for change in changes) and _is_hasty(game):
        minutes = game.office.policy.shortest // timedelta(minutes=1)
        news.append(because("clock-shortest", minutes=minutes))
    return news


def _is_hasty(game: Game) -> bool:
    """Tell whether a clock of a game is set faster than the operator lets it run."""
    schedule = schedule_of(game.chosen, game.office.policy.shortest)
    return any(schedule.is_hasty(clock, game.created) for clock in CLOCKS)


def _is_in_force(game: Game, change: Change) -> bool:
    """Tell whether a setting has the value already that it is to get."""
    name = change.setting.name
    if name.endswith(".delay") and name not in game.settings:
        # Unsaid it counts for several persons only (`clocks.early`).
        return False
    if name in DEFAULTS:
        return game.chosen.said(name, change.value) == game.chosen
    usual = {option.name: usual_of(option) for option in choices_of(game)}
    return game.settings.get(name, usual.get(name)) == change.value


def change_told(game: Game, change: Change, *, already: bool = False) -> Reason:
    """Say what a setting is now, or that it was so already."""
    words, end = " ".join(change.setting.words), "-already" if already else ""
    if change.told:
        return because(f"setting-rule{end}", setting=words, told=change.told)
    if change.setting.takes is Takes.NOTHING:
        off = change.setting.off is not None and change.value == change.setting.off
        code = "setting-off" if off else "setting-holds" if already else "setting-now"
        return because(f"{code}{end}", setting=words, help=change.setting.help)
    code = "setting-already" if already else "setting-set"
    if change.setting.secret:
        code = "setting-set-secret"
    return because(code, setting=words, value=value_said(change.setting, change.value))
