"""Metrics for Prometheus, by HTTP from `judge serve` or as a text file.

Every scrape counts in the database, so that all processes report the same figures, and right from
the start. They contain no address and no game.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    ProcessCollector,
    generate_latest,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from judge import __version__
from judge.clock import Clock
from judge.config import Config
from judge.errors import ConfigError, StoreError, StoreLost
from judge.mail.imap.account import read_account
from judge.model.record import DeliveryState, MailState
from judge.store.database import Store
from judge.store.key_values import HEARTBEAT, KeyValues
from judge.store.queue_report import QueueFigures, count
from judge.store.schema import MailboxState
from judge.store.send_budget import SendBudget

_READABLE = 0o644
MAX_HEARTBEAT_AGE = timedelta(minutes=5)
"""Age of the last heartbeat from which a judge counts as stopped. It stores one a minute."""


class Metrics(Collector):
    """Collector that counts in the database at each scrape."""

    def __init__(self, config: Config, clock: Clock) -> None:
        self._config = config
        self._clock = clock

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics.

        If the database cannot be read, they are only `judge_info` and `judge_up` (0).
        """
        now, spec, deliver = self._clock.now(), self._config.fetch.from_, self._config.deliver
        box = read_account(spec).name if spec else ""
        budget: list[Metric] = []
        try:
            with Store(self._config.store.url).keep_open() as store:
                figures: QueueFigures | None = count(store, now, box)
                limits = SendBudget(store, deliver.max_per_day, deliver.max_per_minute)
                budget += _budget_metrics(limits, now)
        except (StoreError, StoreLost):
            figures = None
        yield _make_labelled_gauge(
            "judge_info", "The version of the judge.", "version", {__version__: 1}
        )
        is_up = "Whether its database can be read."
        yield GaugeMetricFamily("judge_up", is_up, value=int(figures is not None))
        if figures is not None:
            yield from _metrics(figures, now)
            yield from budget


def as_text(config: Config, clock: Clock) -> str:
    """Return the metrics in Prometheus's text format."""
    registry = CollectorRegistry()
    registry.register(Metrics(config, clock))
    return generate_latest(registry).decode("utf-8")


def write_text(config: Config, clock: Clock, file: Path) -> None:
    """Write the metrics atomically to a file for a node exporter.

    The file can be read by all, because the exporter runs as another user.

    Raises: OSError.
    """
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    draft.write_text(as_text(config, clock), "utf-8")
    draft.chmod(_READABLE)
    draft.replace(file)


def describe_stall(config: Config, now: datetime) -> str:
    """Return why no judge seems to serve or listen, or an empty string if one does.

    Raises:
        StoreError: the database cannot be used.
    """
    with Store(config.store.url).keep_open() as store:
        heartbeat = KeyValues(store).instant(HEARTBEAT)
    if heartbeat is None:
        return "no judge has run on this database"
    if now - heartbeat > MAX_HEARTBEAT_AGE:
        return f"the judge has stored no heartbeat since {heartbeat:%Y-%m-%d %H:%M:%S} UTC"
    return ""


@contextmanager
def serve_metrics(config: Config, clock: Clock) -> Iterator[str]:
    """Serve metrics by HTTP during the block. Yield the URL, or "" if not configured.

    Raises:
        ConfigError: the place cannot be used.
    """
    spec = config.metrics.listen
    if not spec:
        yield ""
        return
    host, _, port = spec.rpartition(":")
    registry = CollectorRegistry()
    registry.register(Metrics(config, clock))
    # Processor time and memory of the process that serves them, where the system has /proc.
    ProcessCollector(registry=registry)
    try:
        server, thread = start_http_server(int(port), host.strip("[]") or "::", registry)
    except (OSError, OverflowError, ValueError) as fault:
        raise ConfigError(f"[metrics] listen: {spec!r} cannot be used ({fault})") from fault
    try:
        yield f"http://{host or 'localhost'}:{server.server_port}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(1)


def _metrics(figures: QueueFigures, now: datetime) -> Iterator[Metric]:
    mails, letters, waiting = figures.mails, figures.letters, figures.waiting
    for name, told, many in (
        ("judge_mails_accepted", "Mails taken in.", sum(mails.values())),
        ("judge_mails_answered", "Mails carried out.", mails[MailState.DONE]),
        ("judge_mails_ignored", "Machine mail, repeats and such.", mails[MailState.IGNORED]),
        ("judge_letters_sent", "Letters handed over.", letters[DeliveryState.SENT]),
        ("judge_letters_failed", "Letters given up.", letters[DeliveryState.FAILED]),
    ):
        yield CounterMetricFamily(name, told, value=many)
    yield _make_labelled_gauge(
        "judge_queue_length", "What waits to be worked (in) or sent (out).", "queue",
        {"in": waiting.mails, "out": waiting.letters},
    )
    yield _make_labelled_gauge(
        "judge_queue_age_seconds", "How long the oldest of it has waited.", "queue",
        {"in": _age(waiting.oldest_mail, now), "out": _age(waiting.oldest_letter, now)},
    )
    yield _make_labelled_gauge(
        "judge_games", "Games, by where they are in their life.", "state",
        {state.value: many for state, many in figures.games.items()},
    )
    overdue = _age(figures.overdue_since, now)
    last_run, heartbeat = (at.timestamp() if at else 0 for at in (
        figures.resolved, figures.heartbeat
    ))
    for name, told, value in (
        ("mails_shunted", "Mails set aside after a fault of ours.", mails[MailState.SHUNTED]),
        ("letters_today", "Letters handed over in the last 24 hours.", figures.sent_today),
        ("letters_deferred", "Letters tried and put off.", waiting.deferred),
        ("letters_without_picture", "Letters that wait for a picture.", waiting.for_picture),
        ("games_due", "Running games with a deadline in the next 24 hours.", figures.due_soon),
        ("games_overdue", "Games due and not attended to.", figures.overdue),
        ("overdue_seconds", "How long the first of them is due.", overdue),
        ("resolver_last_run_timestamp_seconds", "When due games were last looked for.", last_run),
        ("heartbeat_timestamp_seconds", "When a judge was last alive.", heartbeat),
        ("database_bytes", "The size of the database.", figures.octets),
    ):
        yield GaugeMetricFamily(f"judge_{name}", told, value=value)
    if figures.mailbox is not None:
        yield from _mailbox_metrics(figures.mailbox)


def _budget_metrics(budget: SendBudget, now: datetime) -> Iterator[Metric]:
    """Yield the use of the limit of a day, if there is one."""
    if budget.per_day:
        for name, told, value in (
            ("limit", "Letters that may be sent in 24 hours.", budget.per_day),
            ("waiting", "Letters that wait for the limit.", sum(budget.list_waiting(now).values())),
        ):
            yield GaugeMetricFamily(f"judge_budget_{name}", told, value=value)


def _mailbox_metrics(state: MailboxState) -> Iterator[Metric]:
    looked = state.looked.timestamp() if state.looked else 0
    faults = "Connections to the mailbox that failed."
    yield CounterMetricFamily("judge_mailbox_faults", faults, value=state.faults)
    for name, told, value in (
        ("looked_timestamp_seconds", "Up to when all mail of the mailbox is stored.", looked),
        ("left", "Mails in the mailbox that are not for the judge.", state.left_alone),
        ("junk", "Mails in the folder for junk that answer letters.", state.junk),
    ):
        yield GaugeMetricFamily(f"judge_mailbox_{name}", told, value=value)
    if state.quota >= 0:
        told = "Used part of the mailbox's quota."
        yield GaugeMetricFamily("judge_mailbox_quota_ratio", told, value=state.quota / 100)


def _age(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max((now - since).total_seconds(), 0.0)


def _make_labelled_gauge(name: str, told: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, told, labels=[label])
    for value, many in values.items():
        family.add_metric([value], many)
    return family
