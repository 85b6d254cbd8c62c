"""Dataclasses are frozen and have slots, except for the listed ones."""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass

import judge

KNOWN = """
judge.board.map.Map: no slots
judge.board.position.Position: no slots
judge.daemon.mail_scheduler.MailScheduler: changes
judge.daemon.mail_scheduler.WaitingMail: changes
judge.daemon.worker._Work: changes
judge.demo.play.DemoPlayer: changes
judge.diplomacy.saved.SavedGame: no slots
judge.diplomacy.state.Result: no slots
judge.diplomacy.state.State: no slots
judge.drawing.base.BoardGeometry: no slots
judge.drawing.chart.Chart: no slots
judge.drawing.hexes.HexBoard: no slots
judge.drawing.layout.PanelDrawing: no slots
judge.drawing.layout.ProvinceDrawing: no slots
judge.drawing.picture.Captions: no slots
judge.drawing.picture.Picture: no slots
judge.drawing.tables.TableDrawing: no slots
judge.drawing.tables.TablePicture: no slots
judge.games.diplomacy.language.lexicon.Branch: changes
judge.games.diplomacy.rules.order_context.OrderContext: no slots
judge.games.nations1940.language.filing._Entry: changes, by identity
judge.games.nations1940.language.verdicts.NationsVerdict: changes, no slots
judge.games.nations1940.rules.bands.ArmyBand: changes, by identity, no slots
judge.games.nations1940.rules.combat.Fighter: changes, by identity, no slots
judge.games.nations1940.rules.combat.Fought: no slots
judge.games.nations1940.rules.fleets.Squadron: changes, by identity, no slots
judge.games.nations1940.rules.random_events.EventKind: no slots
judge.games.nations1940.rules.resolve.Resolved: no slots
judge.games.nations1940.rules.state.NationsState: no slots
judge.games.nations1940.scenario.Scenario: no slots
judge.games.nations1940.views.map_drawing.NationsDrawing: no slots
judge.games.nations1940.views.record.NationsRecord: no slots
judge.games.yorktown.language.merging.Pile: changes, no slots
judge.games.yorktown.rules.assaults.Assault: changes, no slots
judge.games.yorktown.rules.field.EventLog: changes, no slots
judge.games.yorktown.rules.state.SiegePosition: no slots
judge.play.commands.asking.history._Range: no slots
judge.play.commands.session.Session: changes
judge.play.parse_time._Parts: changes
"""
"""Dataclasses that change, are compared by identity, or have no slots."""


def dataclasses() -> Iterator[type]:
    """Yield all dataclasses of the judge."""
    for module in pkgutil.walk_packages(judge.__path__, "judge."):
        if not module.name.endswith("__main__"):
            for kind in vars(importlib.import_module(module.name)).values():
                if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.name:
                    yield kind


def list_differences(kind: type) -> str:
    """Return how a dataclass differs from a plain value."""
    rules = kind.__dataclass_params__  # type: ignore[attr-defined]
    facts = {
        "changes": not rules.frozen, "by identity": not rules.eq, "ordered": rules.order,
        "no slots": "__slots__" not in vars(kind),
    }
    return ", ".join(name for name, is_so in facts.items() if is_so)


def test_unlisted_dataclasses_are_frozen_and_have_slots() -> None:
    found = {
        f"{kind.__module__}.{kind.__name__}: {list_differences(kind)}"
        for kind in dataclasses()
        if list_differences(kind)
    }
    assert found == set(KNOWN.split("\n")) - {""}
