"""Check that a game system's texts can be rendered in every language.

The first phase of each map is rendered.
"""

from collections.abc import Iterator

from judge.dice import Dice
from judge.games.system import GameSystem, Viewer, ViewerRole
from judge.languages import COMMON, letter_languages
from judge.mail.outbound.templates import Templates, templates_of
from judge.model.phrase import Phrase
from judge.plugins import texts_of

SAID_ANEW = frozenset(
    "head title sheet standing standing-rows results report ways orderable options-note"
    " how-to-briefly report-standing standing-briefly".split()
)
"""Templates of the judge that a game system may override (docs/build/systems.md)."""
_GAME = {"name": "check", "deadline": None, "zone": "UTC"}
_PLAYER = {"role": "player"}


def missing_texts(system: GameSystem) -> Iterator[str]:
    """Yield missing phrases and missing or broken templates."""
    yield from _find_overridden_templates(system)
    for language in letter_languages():
        try:
            templates = templates_of(system.name, language)
            for said in _phrases(system):
                templates.book.render(said)
            for map_name in system.maps():
                _tell(system, map_name, templates)
        except (Exception, SystemExit) as fault:
            # Third-party code may raise any exception.
            yield f"cannot be told{f' ({language})' if language else ''}: {fault}"


def _find_overridden_templates(system: GameSystem) -> Iterator[str]:
    """Yield the templates that override one of the judge's own without permission.

    Other letters include the judge's template, and could fail with the replacement.
    """
    texts = texts_of(system.name)
    names = {file.name for file in COMMON.iterdir() if file.name.endswith((".txt", ".html"))}
    for file in sorted(texts.iterdir(), key=lambda each: each.name) if texts else ():
        if file.name in names and file.name.rpartition(".")[0] not in SAID_ANEW:
            yield f"its template {file.name} takes the place of one of the judge's own"


def _phrases(system: GameSystem) -> Iterator[Phrase]:
    """Yield the phrases that the judge puts into its sentences."""
    yield from (clock.title for clock in system.clocks)
    for map_name in system.maps():
        for option in system.options(map_name):
            yield option.help
            for value in option.values or (option.least, option.most, option.default):
                yield option.describe_value(value)


def _tell(system: GameSystem, map_name: str, templates: Templates) -> None:
    table = system.table(map_name, system.initial_position(map_name, {}, Dice(bytes(32), 0)), {})
    phase = table.phase

    def fill(template: str, **facts: object) -> None:
        known = templates.with_parts({"game": _GAME, "seat": _PLAYER, **facts})
        templates.fill(template, known)

    for said in (phase.turn, phase.title):
        templates.book.render(said)
    found = table.adjudicate({}, Dice(bytes(32), 1))
    if found.ending:
        templates.book.render(found.ending.reason)
    power = table.powers_alive()[0]
    for missing in table.missing_orders(power, ""):
        templates.book.render(missing)
    for reader in (Viewer(ViewerRole.MASTER), Viewer(ViewerRole.POWER, power)):
        fill("standing", standing=table.position_facts(reader))
        results = system.turn(map_name, found.record).results(reader)
        fill("results", results=results)
    fill("sheet", sheet=table.show_sheet(power, ""))
