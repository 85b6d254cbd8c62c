"""Log formats: plain, logfmt, JSON and the journal."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from judge.terminal.log_lines import FORMAT, FieldFormatter, JournalFormatter, LogFormatter


def record(level: int = logging.INFO, **facts: object) -> logging.LogRecord:
    made = logging.LogRecord("judge.sender", level, "", 0, "letter %d\n to %s", (7, "<a>"), None)
    made.created = 1767614400.25
    if facts:
        made.facts = facts
    return made


def test_a_record_is_one_escaped_line_of_fields() -> None:
    evil = 'a"b\n2026 level=error\x1b[2J \\ é\u2028='
    line = FieldFormatter("logfmt").format(record(event="sent", mail=12, error=evil))
    start = "time=2026-01-05T12:00:00.250Z level=info part=judge.sender event=sent mail=12 error="
    assert line.startswith(start)
    assert line.isascii() and line.isprintable()
    assert json.loads(line.removeprefix(start)) == evil
    as_json = FieldFormatter("json").format(record(event="sent", mail=12, error=evil))
    assert as_json.isascii() and as_json.isprintable()
    assert json.loads(as_json)["error"] == evil and json.loads(as_json)["mail"] == 12


def test_a_plain_record_has_message_and_traceback_as_fields() -> None:
    made = record(logging.ERROR)
    try:
        raise ZeroDivisionError("by zero")
    except ZeroDivisionError:
        made.exc_info = sys.exc_info()
    found = json.loads(FieldFormatter("json").format(made))
    assert found["message"] == "letter 7\n to <a>" and found["level"] == "error"
    assert "ZeroDivisionError: by zero" in found["story"]


@pytest.mark.parametrize(("level", "mark"), [(logging.INFO, "<6>"), (logging.ERROR, "<3>")])
def test_the_journal_receives_the_priority(level: int, mark: str) -> None:
    assert JournalFormatter(LogFormatter(FORMAT)).format(record(level)).startswith(f"{mark}2026-")


def test_only_a_stream_to_the_journal_has_priorities(tmp_path: Path) -> None:
    said = (
        "import logging, os, sys; from judge.config import LogSection;"
        "from judge.terminal.log_lines import keep_log;"
        "place = os.fstat(2); here = f'{place.st_dev}:{place.st_ino}';"
        "keep_log(sys.stderr, LogSection(style='logfmt'),"
        " {'JOURNAL_STREAM': here if sys.argv[1] == 'yes' else '1:1'}, verbose=False);"
        "logging.warning('hm')"
    )
    for word, head in (("yes", "<4>time="), ("no", "time=")):
        done = subprocess.run(
            [sys.executable, "-c", said, word], cwd=tmp_path, text=True, stderr=subprocess.PIPE,
            env=os.environ, timeout=120, check=True,
        )
        assert done.stderr.startswith(head) and "message=hm" in done.stderr
