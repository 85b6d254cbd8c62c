"""What docs/ promises in figures is what the code goes by: bounds, sizes, times.

Each row has the words of the page, and what they mean; who changes one of the three changes all.
"""

import re
from datetime import timedelta
from operator import attrgetter
from pathlib import Path
from pkgutil import resolve_name

import pytest

from judge.store.postgres import Postgres
from tests.rows import every

DOCS = Path(__file__).parents[2] / "docs"
KIB, MIB = 1024, 1024 * 1024
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DOOR = "judge.mail.smtp.limits:Limits."
SENDER = "judge.mail.outbound.sender:"
LENGTH, RATE = "judge.mail.outbound.length_limit:", "judge.daemon.rate_limit:"
PAINTER = "judge.daemon.picture_worker:"

OPERATING = [
    ("At once 500 connections", DOOR + "connections", 500),
    ("50 of them from one address", DOOR + "peer_connections", 50),
    ("50 more that only this machine may use", DOOR + "reserved", 50),
    ("`max_message` octets and 100 recipients", DOOR + "recipients", 100),
    ("must arrive within 15 minutes", DOOR + "message", 15 * 60),
    ("a session lasts half an hour at most", DOOR + "session", 30 * 60),
    ("and five minutes of silence", DOOR + "idle", 5 * 60),
    ('max_message = "5MiB"', DOOR + "size", 5 * MIB),
    ("of 1,000 commands, or 50 refused ones", DOOR + "commands", 1000),
    ("of 1,000 commands, or 50 refused ones", DOOR + "errors", 50),
    ("on their way hold 128 MiB at most in all", DOOR + "held", 128 * MIB),
    ("those from one address 32 MiB", DOOR + "peer_held", 32 * MIB),
    ("32 MiB are kept free for this machine itself", DOOR + "held_reserved", 32 * MIB),
    ("locked for more than ten seconds", "judge.store.sqlite:BUSY_MS", 10_000),
    ("three seconds to arrive", "judge.daemon.listener:_GRACE", 3),
    ("64 KiB of text at most to somebody who has not signed on", LENGTH + "STRANGER", 64 * KIB),
    ("and 512 KiB to a seat", LENGTH + "SEAT", 512 * KIB),
    ("One address gets 512 KiB of text an hour", RATE + "TO_ONE", 512 * KIB),
    ("all strangers together 8 MiB", RATE + "FEW_OCTETS", 8 * MIB),
    ("where they are more than 40 in an hour", RATE + "FEW", 40),
    ("or 192 KiB if that is more", RATE + "FLOOR", 192 * KIB),
    ("After 64 KiB in an hour they get text without HTML", RATE + "PAGES", 64 * KIB),
    ("left alone after 60 in an hour", RATE + "MOST_FRUITLESS", 60),
    ("left alone after 60 in an hour", RATE + "HOUR", HOUR),
    ("300 commands and 2,000 orders", "judge.mail.language.sheet:MOST_COMMANDS", 300),
    ("300 commands and 2,000 orders", "judge.mail.language.sheet:LONGEST_SHEET", 2000),
    ("after 30 days they are cut down", "judge.daemon.retention:KEPT_WHOLE", 30 * DAY),
    ("replaced every 90 days", "judge.store.key_values:KEY_LIFE", 90 * DAY),
    ("hear three times a day, the sender once", "judge.daemon.error_reports:MOST_TOLD", 3),
    ("hear three times a day, the sender once", "judge.daemon.error_reports:_DAY", DAY),
    ("mail that eight judges in a row ended on", "judge.daemon.worker:_DEATHS", 8),
    ("over four connections at most", SENDER + "AT_ONCE", 4),
    ("tried again after five minutes", SENDER + "FIRST_DELAY", 5 * MINUTE),
    ("doubled up to four hours", SENDER + "LONGEST_DELAY", 4 * HOUR),
    ("doubled up to four hours, for five days", SENDER + "GIVE_UP", 5 * DAY),
    ("for 15 seconds at first", SENDER + "FIRST_REST", timedelta(seconds=15)),
    ("15 seconds at first and ten minutes at most", SENDER + "LONGEST_REST", 10 * MINUTE),
    ("on three days (six,", "judge.store.bounces:SUSPENDED_AT", 6),
    ("did not arrive, once a day for each address", "judge.daemon.returned_mail:_DAY", DAY),
    ("ends after five idle minutes", PAINTER + "_IDLE", 5 * MINUTE),
    ("takes more than 30 seconds is given up", PAINTER + "PATIENCE", 30),
    ("and the keeper is told, once a day", PAINTER + "_DAY", DAY),
    ("After three that took too long", PAINTER + "_MOST_SLOW", 3),
    ("go without pictures for ten minutes", PAINTER + "_REST", 10 * MINUTE),
    ("no letter waits longer than a minute", PAINTER + "LONGEST_WAIT", MINUTE),
    ("note every minute that they are alive", "judge.daemon.service:_BEAT", MINUTE),
]
SCALING = [
    ("clock is more than a minute from it", "judge.store.database:APART", MINUTE),
    ("keeps its letters for two minutes", "judge.daemon.sending:_LEASE", 2 * MINUTE),
    ("| 75 s | no answer is waited for longer |", "judge.store.postgres:ANSWER", 75),
    ("drops what is old, once an hour", "judge.daemon.retention:HOURLY", HOUR),
]
STANDARDS = [
    ("RFC 5321, 6.3: at least 100 hops", DOOR + "hops", 100),
    ("RFC 5321, 4.5.3.2.1: five minutes for a greeting", SENDER + "TIMEOUT", 5 * 60),
    ("RFC 5321, 4.5.3.2.6: ten minutes for what ends a message", SENDER + "PATIENCE", 10 * 60),
    ("RFC 5322, 2.1.1: 998 octets in a line", "judge.mail.outbound.compose:LONGEST_LINE", 998),
    ("RFC 2047, 2: 76 in a line with words", "judge.mail.outbound.compose:FOLD", 76),
]
ROWS = [("operating.md", *row) for row in OPERATING] + [("scaling.md", *row) for row in SCALING]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The pages, each as one line."""
    return {page.name: re.sub(r"\s+", " ", page.read_text("utf-8")) for page in DOCS.glob("*.md")}


@every("page, words, name, meant", ROWS)
def test_a_figure_of_the_docs_is_what_the_code_goes_by(
    pages: dict[str, str], page: str, words: str, name: str, meant: object
) -> None:
    assert words in pages[page], "the page says something else"
    assert meaning(name) == meant


@every("standard, name, meant", STANDARDS)
def test_a_figure_of_a_standard_is_what_the_code_goes_by(
    standard: str, name: str, meant: object
) -> None:
    assert meaning(name) == meant, standard


def meaning(name: str) -> object:
    """Return the value of a constant, or of a field of a class that nobody set."""
    where, _, what = name.partition(":")
    owner, _, field = what.rpartition(".")
    found = resolve_name(f"{where}:{owner}")() if owner else resolve_name(where)
    return attrgetter(field)(found)


def test_a_line_to_the_database_that_breaks_is_noticed_when_the_docs_say(
    pages: dict[str, str]
) -> None:
    assert "| packets are lost, either way | 25 to 30 s | keepalives" in pages["scaling.md"]
    assert "| a connection is not made | 10 s for each server" in pages["scaling.md"]
    told = Postgres("postgres://db.example.org/judge").database.connect_params
    assert told["keepalives_idle"] + told["keepalives_count"] * told["keepalives_interval"] == 25
    assert told["tcp_user_timeout"] == 30 * 1000
    assert told["connect_timeout"] == 10
