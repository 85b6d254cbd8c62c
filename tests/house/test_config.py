"""Configuration: file, environment, defaults."""

from datetime import timedelta
from pathlib import Path

import pytest

from judge.config import Config, load_config
from judge.errors import ConfigError


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
def test_what_cannot_be_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError):
        config(tmp_path, text)


def test_a_named_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere.toml"):
        load_config("nowhere.toml", {}, tmp_path)
