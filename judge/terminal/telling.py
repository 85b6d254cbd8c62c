"""Whether a game system can say what it tells: its first phase in letters of every language."""

from collections.abc import Iterator

from judge.dice import Dice
from judge.games.system import GameSystem, Reader, Watcher
from judge.languages import letter_languages
from judge.mail.outbound.templates import Templates, templates_of
from judge.model.phrase import Phrase

_GAME = {"name": "check", "deadline": None, "zone": "UTC"}
_PLAYER = {"role": "player"}


def unsaid(system: GameSystem) -> Iterator[str]:
    """Yield what cannot be said: a phrase without a sentence, a template that is missing or faulty.
    """
    for language in letter_languages():
        try:
            templates = templates_of(system.name, language)
            for said in _phrases(system):
                templates.book.say(said)
            for map_name in system.maps():
                _tell(system, map_name, templates)
        except (Exception, SystemExit) as fault:
            # Code of somebody else may fail in any way there is.
            yield f"cannot be told{f' ({language})' if language else ''}: {fault}"


def _phrases(system: GameSystem) -> Iterator[Phrase]:
    """Yield what stands in sentences of the judge."""
    yield from (clock.title for clock in system.clocks)
    for map_name in system.maps():
        for option in system.options(map_name):
            yield option.help
            for value in option.values or (option.least, option.most, option.default):
                yield option.told(value)


def _tell(system: GameSystem, map_name: str, templates: Templates) -> None:
    table = system.table(map_name, system.opening(map_name, {}, Dice(bytes(32), 0)), {})
    phase, facts = table.phase, {"game": _GAME, "seat": _PLAYER}
    for said in (phase.turn, phase.title):
        templates.book.say(said)
    found = table.adjudicate({}, Dice(bytes(32), 1))
    if found.ending:
        templates.book.say(found.ending.reason)
    power = table.alive()[0]
    for missing in table.missing(power, ""):
        templates.book.say(missing)
    for reader in (Reader(Watcher.MASTER), Reader(Watcher.POWER, power)):
        templates.fill("standing", {**facts, "standing": table.standing(reader)})
        results = system.retell(map_name, found.record, reader)
        templates.fill("results", {**facts, "results": results})
    templates.fill("sheet", {**facts, "sheet": table.show_sheet(power, "")})
