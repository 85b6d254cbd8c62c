"""The dashboard for Grafana shows the metrics that the judge serves."""

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from judge.cli import main
from judge.clock import SystemClock
from judge.config import Config, DeliverSection, FetchSection, MetricsSection, StoreSection
from judge.daemon.metrics import serve_metrics
from judge.store.database import Store
from judge.store.mailboxes import Mailboxes

FILE = Path(__file__).parents[2] / "docs/run/grafana.json"
BOARD: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
PANELS: list[dict[str, Any]] = BOARD["panels"]
OF_A_PROCESS = {"process_cpu_seconds_total", "process_resident_memory_bytes"}
"""Metrics that are served, but not printed by `judge metrics`."""
_METRIC = re.compile(r'\b((?:judge|process)_\w+)\{instance=~"\$instance"(?:, (\w+)="(\w+)")?\}')


def queries() -> list[str]:
    """Return the queries of all panels."""
    return [target["expr"] for panel in PANELS for target in panel["targets"]]


def parse_samples(text: str) -> set[tuple[str, ...]]:
    """Return each sample's name, and its name with each of its labels."""
    found: set[tuple[str, ...]] = set()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found |= {(sample.name, *label) for label in sample.labels.items()}
            found.add((sample.name,))
    return found


@pytest.mark.slow
def test_each_metric_is_on_the_dashboard_and_each_of_it_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url, spec, to = f"sqlite:///{tmp_path}/x.sqlite3", "imaps://me:x@h/INBOX", "smtp://me:x@h"
    for name, value in (("STORE_URL", url), ("FETCH_FROM", spec), ("DELIVER_TO", to)):
        monkeypatch.setenv(f"JUDGE_{name}", value)
    with Store(url).keep_open(create=True) as store:
        Mailboxes(store).record_condition("me@h/INBOX", 7, 0)
    assert main(["metrics"]) == 0
    printed = parse_samples(capsys.readouterr().out)
    config = Config(
        store=StoreSection(url), fetch=FetchSection(spec), deliver=DeliverSection(to),
        metrics=MetricsSection("127.0.0.1:0"),
    )
    with (
        serve_metrics(config, SystemClock()) as page,
        urllib.request.urlopen(page, timeout=60) as answer,
    ):
        served = parse_samples(answer.read().decode())
    shown = {tuple(filter(None, found)) for text in queries() for found in _METRIC.findall(text)}
    names = {name for name, *_ in shown}
    assert shown <= served and names - {name for name, *_ in printed} == OF_A_PROCESS
    judges = {name for name, *_ in served if name.startswith("judge_")}
    assert judges - names == set()


def test_each_query_asks_for_the_chosen_judge() -> None:
    for text in queries():
        assert len(_METRIC.findall(text)) == len(re.findall(r"\b(?:judge|process)_", text)) > 0


def test_the_dashboard_can_be_imported_into_any_grafana() -> None:
    chosen = {"type": "prometheus", "uid": "${datasource}"}
    assert BOARD["id"] is None and BOARD["schemaVersion"] <= 38, "38 is that of Grafana 10.0"
    [source, instance] = BOARD["templating"]["list"]
    assert (source["name"], source["type"], source["query"]) == (
        "datasource", "datasource", "prometheus"
    )
    assert instance["datasource"] == chosen
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    fields: set[tuple[int, int]] = set()
    for panel in PANELS:
        assert panel["datasource"] == chosen and panel["type"] in ("stat", "timeseries")
        assert all(target["datasource"] == chosen for target in panel["targets"])
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        own = {
            (place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])
        }
        assert not own & fields, f"{panel['title']} covers another panel"
        fields |= own
