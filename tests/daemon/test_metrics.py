"""Prometheus metrics as text, file and HTTP, and their check by `judge check`."""

import re
import urllib.request
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from judge import __version__
from judge.cli import main
from judge.clock import SystemClock
from judge.config import Config, DeliverSection, FetchSection, MetricsSection, StoreSection
from judge.daemon.metrics import as_text, serve_metrics
from judge.errors import ConfigError
from judge.model.incoming import Arrival
from judge.model.record import Outgoing
from judge.store.key_values import HEARTBEAT, LAST_RUN
from judge.store.mailboxes import Mailboxes
from tests.daemon.test_supervision import Supervised
from tests.journeys.rig import Rig
from tests.outbox import counts

GM, ANN = "gm@example.org", "ann@example.org"


def figures(text: str) -> dict[str, float]:
    """Return the samples of a text by name and label values."""
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rig:
    """A judge with a game, a waiting mail, and a deferred and a failed letter."""
    url = f"sqlite:///{tmp_path}/judge.sqlite3"
    monkeypatch.setenv("JUDGE_STORE_URL", url)
    made = Rig(Config(store=StoreSection(url)))
    made.clock.set(SystemClock().now() - timedelta(days=4))
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    made.mail(GM, "LIST", Auto_Submitted="auto-replied")
    before = made.clock.now()
    made.application.post.accept([Arrival(b"", ANN, ("judge@localhost",))], before)
    for number in (1, 2):
        letter = made.application.post.queue(Outgoing(
            0, ANN, "judge@localhost", f"<{number}@x>", b"", queued=before, due=before,
        ))
        if number == 1:
            made.application.post.schedule_retry(letter.id, before + timedelta(days=5), "450 later")
        else:
            made.application.post.mark_failed(letter.id, "550 no", before)
    return made


def test_metrics_match_the_database(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics"]) == 0
    text = capsys.readouterr().out
    found = figures(text)
    assert found[f"judge_info {__version__}"] == found["judge_up"] == 1
    assert found["judge_mails_accepted_total"] == 4
    assert found["judge_mails_answered_total"] == 2 and found["judge_mails_ignored_total"] == 1
    assert found["judge_letters_sent_total"] == counts(rig.application.post).sent > 2
    assert found["judge_letters_today"] == 0
    assert figures(as_text(rig.config, rig.clock))["judge_letters_today"] == (
        counts(rig.application.post).sent
    )
    assert found["judge_letters_failed_total"] == found["judge_letters_deferred"] == 1
    assert found["judge_queue_length in"] == found["judge_queue_length out"] == 1
    assert found["judge_queue_age_seconds in"] == pytest.approx(4 * 86400, abs=60)
    assert found["judge_games running"] == 1 and found["judge_games ended"] == 0
    assert found["judge_games_overdue"] == 1
    assert 86400 < found["judge_overdue_seconds"] < 4 * 86400
    assert found["judge_resolver_last_run_timestamp_seconds"] == 0
    assert found["judge_heartbeat_timestamp_seconds"] == 0
    assert found["judge_letters_without_picture"] == 0
    assert found["judge_database_bytes"] > 10_000
    assert "example.org" not in text and "marco" not in text


def test_resolver_pass_is_recorded_unless_its_time_is_given(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    last_run = partial(rig.application.key_values.instant, LAST_RUN)
    assert main(["resolve", "--now", "2040-01-01T00:00"]) == 0 and last_run() is None
    assert main(["resolve"]) == 0
    noted = last_run()
    assert noted is not None and abs(SystemClock().now() - noted) < timedelta(minutes=1)


def test_metrics_file_is_replaced_atomically_and_readable(rig: Rig, tmp_path: Path) -> None:
    folder = tmp_path / "textfile"
    folder.mkdir()
    for _ in range(2):
        assert main(["metrics", "--file", str(folder / "judge.prom")]) == 0
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o644
    assert figures(file.read_text())["judge_up"] == 1


def test_judge_without_a_database_is_reported_down(tmp_path: Path) -> None:
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/none.sqlite3"))
    assert figures(as_text(config, SystemClock()))["judge_up"] == 0


@pytest.mark.parametrize(
    ("minutes", "says"), [(None, "no judge has run"), (6, "no heartbeat since 20"), (4, "")]
)
def test_check_fails_without_a_recent_heartbeat(
    rig: Rig, minutes: int | None, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if minutes is not None:
        before = SystemClock().now() - timedelta(minutes=minutes)
        rig.application.key_values.put_instant(HEARTBEAT, before)
    assert main(["metrics", "--check"]) == (1 if says else 0)
    captured = capsys.readouterr()
    assert captured.out == "" and says in captured.err and bool(captured.err) == bool(says)


@pytest.mark.slow
def test_running_judge_serves_metrics_by_http(tmp_path: Path) -> None:
    with Supervised(
        tmp_path, JUDGE_METRICS_LISTEN="127.0.0.1:0", JUDGE_LOG_LEVEL="info"
    ) as household:
        url = re.search(r"http://127\.0\.0\.1:\d+/metrics", household.log())
        assert url
        with urllib.request.urlopen(url[0], timeout=120) as answer:
            found = figures(answer.read().decode())
        assert found["judge_up"] == 1 and found["judge_queue_length in"] == 0
        assert household.process is not None
        household.process.terminate()
        assert household.process.wait(120) == 0


@pytest.mark.parametrize("spec", ["nonsense", "127.0.0.1:99999", "192.0.2.1:9225"])
def test_a_place_that_cannot_be_used_is_named(spec: str) -> None:
    config = Config(metrics=MetricsSection(spec))
    with pytest.raises(ConfigError, match=re.escape(spec)), serve_metrics(config, SystemClock()):
        pass


def test_metrics_of_a_mailbox_are_those_of_its_last_look(rig: Rig) -> None:
    assert "mailbox" not in as_text(rig.config, rig.clock)
    config = replace(rig.config, fetch=FetchSection("imaps://me:hush@h/INBOX"))
    boxes, box, now = Mailboxes(rig.application.store), "me@h/INBOX", rig.clock.now()
    text = as_text(config, rig.clock)
    assert figures(text)["judge_mailbox_looked_timestamp_seconds"] == 0
    assert "quota" not in text and "hush" not in text
    boxes.record_look(box, now, 7, timedelta(minutes=15))
    boxes.record_fault(box)
    boxes.record_condition(box, 81, 2)
    found = figures(as_text(config, rig.clock))
    assert found["judge_mailbox_looked_timestamp_seconds"] == now.timestamp()
    assert found["judge_mailbox_faults_total"] == 1
    assert found["judge_mailbox_junk"] == 2
    assert found["judge_mailbox_left"] == 7 and found["judge_mailbox_quota_ratio"] == 0.81


def test_metrics_of_the_limit_are_there_with_a_limit_only(rig: Rig) -> None:
    assert "budget" not in as_text(rig.config, rig.clock)
    to = "smtp://me:hush@127.0.0.1"
    config = replace(rig.config, deliver=DeliverSection(to, "9"))
    text, sent = as_text(config, rig.clock), counts(rig.application.post).sent
    found = figures(text)
    assert found["judge_budget_limit"] == 9 and found["judge_letters_today"] == sent > 0
    assert found["judge_budget_waiting"] == 0 and "hush" not in text
    config = replace(rig.config, deliver=DeliverSection(to, "1"))
    letter = Outgoing(
        0, ANN, "judge@localhost", "<3@x>", b"", queued=rig.clock.now(), due=rig.clock.now()
    )
    rig.application.post.queue(letter)
    assert figures(as_text(config, rig.clock))["judge_budget_waiting"] == 1
    config = replace(rig.config, deliver=DeliverSection(to, "0"))
    assert "budget" not in as_text(config, rig.clock)


def test_games_with_a_deadline_within_a_day_are_due(rig: Rig) -> None:
    game = rig.application.games.find("marco")
    assert game is not None and game.deadline is not None
    for before, is_due in ((25, 0), (23, 1), (0, 0)):
        rig.clock.set(game.deadline - timedelta(hours=before))
        assert figures(as_text(rig.config, rig.clock))["judge_games_due"] == is_due
