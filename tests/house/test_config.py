"""Configuration: file, environment, defaults."""

import re
from collections.abc import Sequence
from dataclasses import Field, fields
from datetime import date, timedelta
from pathlib import Path

import pytest

from judge.config import (
    MAX_HOLIDAYS,
    NUMBERS,
    SECTIONS,
    SPANS,
    TOKEN_LENGTH,
    Config,
    DurationRange,
    NumberRange,
    holidays_error,
    load_config,
    sub_address_error,
    value_error,
)
from judge.config_values import read_size, read_span
from judge.errors import ConfigError
from judge.play.tokens import Purpose, ReplyToken, Tokens

SECOND = timedelta(seconds=1)


def config(folder: Path, text: str | None = None, **environ: str) -> Config:
    """Read a configuration as a process in that folder would."""
    if text is not None:
        (folder / "judge.toml").write_text(text)
    return load_config(None, environ, folder)


def test_without_a_file_every_key_has_its_default(tmp_path: Path) -> None:
    found = config(tmp_path)
    assert found.listen.smtp == "127.0.0.1:2525"
    assert found.policy.max_message == 5 * 2**20
    assert found.policy.outage_grace == timedelta(hours=1)
    assert found.store.file == tmp_path / "var/judge.sqlite3"
    assert found.deliver.maildir == tmp_path / "var/outbox"
    assert found.file is None


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    found = config(
        tmp_path,
        '[judge]\nname = "Ours"\naddress = "j@x.org"\n[clock]\ntick = "2s"\n',
        JUDGE_JUDGE_NAME="Theirs",
        JUDGE_POLICY_STRANGERS_PER_HOUR="3",
    )
    assert (found.judge.name, found.judge.address) == ("Theirs", "j@x.org")
    assert found.policy.strangers_per_hour == 3
    assert found.clock.tick == timedelta(seconds=2)


def test_relative_paths_count_from_the_folder_of_the_file(tmp_path: Path) -> None:
    home = tmp_path / "etc"
    home.mkdir()
    (home / "mine.toml").write_text('[store]\nurl = "sqlite:///db/x"\n[listen]\nlmtp = "unix:s"\n')
    for named, environ in (("etc/mine.toml", {}), (None, {"JUDGE_CONFIG": "etc/mine.toml"})):
        found = load_config(named, environ, tmp_path)
        assert found.store.url == f"sqlite:///{home / 'db/x'}"
        assert found.store.url.startswith("sqlite:////")
        assert found.listen.lmtp == f"unix:{home / 's'}"


def test_absolute_paths_and_servers_stay_as_they_are(tmp_path: Path) -> None:
    found = config(tmp_path, JUDGE_STORE_URL="sqlite:////a/b", JUDGE_DELIVER_TO="smtp://h:25")
    assert (found.store.url, found.deliver.to) == ("sqlite:////a/b", "smtp://h:25")
    assert found.deliver.maildir is None


@pytest.mark.parametrize(
    ("given", "to", "must"),
    [
        ("auto", "maildir:x", False),
        ("auto", "smtp://h:25", True),
        ("true", "maildir:x", True),
        ("false", "smtp://h:25", False),
    ],
)
def test_strangers_confirm_unless_letters_stay_here(
    tmp_path: Path, given: str, to: str, must: bool
) -> None:
    found = config(tmp_path, JUDGE_POLICY_CONFIRM=given, JUDGE_DELIVER_TO=to)
    assert found.must_confirm is must


@pytest.mark.parametrize("given, found", [
    ("300", "300"), ('"300"', "300"), ('"auto"', "auto"), ("0", "0"),
    ("-1", ""), ('"many"', ""), ("1.5", ""), ("true", ""), ("1_000_000", ""),
])
def test_letters_a_day_are_auto_or_a_number(tmp_path: Path, given: str, found: str) -> None:
    text = f"[deliver]\nper_day = {given}\n"
    if found:
        assert config(tmp_path, text).deliver.per_day == found
    else:
        with pytest.raises(ConfigError, match="deliver.per_day"):
            config(tmp_path, text)


def test_confirm_may_be_a_truth_value_in_the_file(tmp_path: Path) -> None:
    assert config(tmp_path, "[policy]\nconfirm = true\n").must_confirm


@pytest.mark.parametrize(
    "text",
    [
        "[judg]\n",
        '[judge]\nadress = "x"\n',
        "[judge]\naddress = 3\n",
        '[judge]\nname = "a\\nb"\n',
        '[policy]\nconfirm = "maybe"\n',
        '[policy]\nmax_message = "much"\n',
        '[clock]\ntick = "soon"\n',
        "judge = 3\n",
        "[judge\n",
    ],
)
def test_malformed_configuration_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError):
        config(tmp_path, text)


@pytest.mark.parametrize("name, detail, is_allowed", [
    ("j" * 26, "+", True), ("j" * 27, "+", False), ("me+" + "j" * 23, "+", True),
    ("j" * 25, "--", True), ("j" * 26, "--", False), ("j" * 64, "", True), ("j" * 65, "", False),
])
def test_sub_addresses_fit_a_local_part(name: str, detail: str, is_allowed: bool) -> None:
    """Otherwise servers refuse the Reply-To of every letter (RFC 5321, 4.5.3.1.1)."""
    token = Tokens(lambda: [bytes(32)]).write(ReplyToken(Purpose.COMMANDS, 2**31 - 1, 1, 1))
    assert len(token) == TOKEN_LENGTH
    assert (sub_address_error(f"{name}@example.org", detail) == "") is is_allowed


@pytest.mark.parametrize(
    "name, value, told",
    [
        ("CLOCK_TICK", "0s", "clock.tick: 0s is not allowed: 1s to 1h"),
        ("CLOCK_TICK", "99999999999999d", "more than anybody waits for"),
        ("CLOCK_TICK", "9" * 30, "is no span of time"),
        ("CLOCK_TICK", "²s", "is no span of time"),
        ("CLOCK_TICK", "-1", "is no span of time"),
        ("CLOCK_HOLIDAYS", "0001-01-01 to 9999-12-31", "is more than 120 days"),
        ("CLOCK_HOLIDAYS", "2026-01-01 to 2026-04-29, 2026-06-01, 2026-06-02", "of one year"),
        ("STORE_KEEP_LETTERS", "29d", "store.keep_letters: 29d is not allowed: 30d to"),
        ("POLICY_SILENT_MASTER", "1d", "policy.silent_master: 1d is not allowed: 8d to"),
        ("POLICY_OUTAGE_GRACE", "400d", "policy.outage_grace: 400d is not allowed: 0s to 30d"),
        ("POLICY_MAX_MESSAGE", "1", "policy.max_message: 1 is not allowed: 10000 to"),
        ("POLICY_MAX_MESSAGE", "900GiB", "is not allowed"),
        ("POLICY_OBSERVERS", "99999999999999", "policy.observers: 99999999999999 is not"),
        ("JUDGE_ADDRESS", "nobody", "judge.address: 'nobody' is no mail address"),
        ("JUDGE_ADDRESS", "a b@x.org", "no mail address"),
        ("JUDGE_ADDRESS", "jürgen@x.org", "no mail address"),
        ("JUDGE_ADDRESS", "j" * 27 + "@x.org", "has more than 26 letters before the @"),
        ("JUDGE_KEEPER", "", "judge.keeper: '' is no mail address"),
        ("JUDGE_NAME", "", "judge.name: '' is no name"),
        ("LISTEN_SMTP", "here", "listen.smtp: 'here' is no host:port"),
        ("LISTEN_SMTP", "127.0.0.1:65536", "is no host:port"),
        ("LISTEN_LMTP", "unix:/" + "x" * 200, "is no host:port"),
        ("LISTEN_DETAIL", "plus", "listen.detail: 'plus' is no mark"),
        ("METRICS_LISTEN", "9225", "metrics.listen: '9225' is no host:port"),
        ("LISTEN_TRUST", "x" * 5000, "listen.trust: longer than 4000 letters"),
    ],
)
def test_invalid_value_is_reported_with_its_limits(
    tmp_path: Path, name: str, value: str, told: str
) -> None:
    with pytest.raises(ConfigError) as fault:
        config(tmp_path, **{f"JUDGE_{name}": value})
    assert told in str(fault.value) and "\n" not in str(fault.value)


@pytest.mark.parametrize("key, place", [
    (f"{name}.{each.name.removesuffix('_')}", each)
    for name, section in SECTIONS.items() for each in fields(section)
])
def test_every_number_and_duration_has_limits_around_its_default(
    key: str, place: "Field[object]"
) -> None:
    """A default outside its limits would be an error."""
    if isinstance(place.default, timedelta):
        assert SPANS[key].least <= place.default <= SPANS[key].most
    elif isinstance(place.default, int):
        assert NUMBERS[key].least <= place.default <= NUMBERS[key].most
    else:
        assert not value_error(key, place.default)


def test_unknown_environment_variables_are_reported(tmp_path: Path) -> None:
    found = config(
        tmp_path, JUDGE_POLICY_MAX_MESAGE="1MiB", JUDGE_CONFIG="", JUDGE_STORE_URL="sqlite:///x",
        JUDGE_FAILPOINT="", JUDGES="7",
    )
    [warning] = found.warnings
    assert "JUDGE_POLICY_MAX_MESAGE is no key" in warning
    assert warning.endswith("; JUDGE_POLICY_MAX_MESSAGE is")


def test_a_named_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere.toml"):
        load_config("nowhere.toml", {}, tmp_path)


OPERATING = (Path(__file__).parents[2] / "docs/run/operating.md").read_text("utf-8")


def test_the_configuration_in_the_docs_is_that_without_a_file(tmp_path: Path) -> None:
    example = "[judge]" + OPERATING.partition("```toml\n[judge]")[2].partition("```")[0]
    shown, without = config(tmp_path, example), config(tmp_path, "")
    for section, kind in SECTIONS.items():
        assert getattr(shown, section) == getattr(without, section)
        for key in fields(kind):
            name = key.name.removesuffix("_")
            assert f"\n{name} = " in example, f"{section}.{name} is not shown"


def test_the_bounds_in_the_docs_are_those_of_the_code() -> None:
    row = r"^\| (`(?:clock|fetch|policy|store)\..+`) \| ([^|]+) \|$"
    found = dict(re.findall(row, OPERATING, re.MULTILINE))
    told = {}
    for keys, bounds in found.items():
        section, _, names = keys.replace("`", "").partition(".")
        for name in names.split(", "):
            told[f"{section}.{name}"] = bounds
    size = "100B to 4MiB, 1GiB"
    assert told.pop("policy.press_size") == told.pop("policy.press_volume") == size
    assert NUMBERS["policy.press_size"] == (100, 4 * 2**20, False)
    assert NUMBERS["policy.press_volume"] == (100, 2**30, False)
    assert told.pop("clock.holidays") == f"{MAX_HOLIDAYS} days of a year"
    assert told.keys() == (NUMBERS.keys() | SPANS.keys()) - {
        "policy.press_size", "policy.press_volume"
    }
    for key, bounds in told.items():
        least, _, most = bounds.removesuffix(", or 0").partition(" to ")
        if key in SPANS:
            meant: object = DurationRange(
                read_span(least), read_span(most), bounds.endswith("or 0")
            )
            assert meant == SPANS[key], key
        else:
            meant = NumberRange(read_size(least), read_size(most), bounds.endswith("or 0"))
            assert meant == NUMBERS[key], key


@pytest.mark.parametrize("key, inside, outside", [
    *((key, (of.least, of.most), (of.least - 1, of.most + 1)) for key, of in NUMBERS.items()),
    *((key, (of.least, of.most), (of.least - SECOND, of.most + SECOND))
      for key, of in SPANS.items()),
])
def test_values_are_accepted_up_to_their_limits(
    key: str, inside: Sequence[object], outside: Sequence[object]
) -> None:
    for value in inside:
        assert value_error(key, value) == ""
    for value in outside:
        assert "is not allowed" in value_error(key, value) or not value


@pytest.mark.parametrize("first, last, is_fault", [
    ("2026-01-01", "2026-04-30", False), ("2026-01-01", "2026-05-01", True),
    # 45 days of one year and 75 of the next.
    ("2026-11-17", "2027-03-16", False),
])
def test_number_of_holidays_is_limited(first: str, last: str, is_fault: bool) -> None:
    days = (date.fromisoformat(first), date.fromisoformat(last))
    assert bool(holidays_error([days])) is is_fault
    rest = [(date(2026, 7, n), date(2026, 7, n)) for n in range(1, 3)]
    assert bool(holidays_error([days, *rest])) is (days[1].year == 2026)
