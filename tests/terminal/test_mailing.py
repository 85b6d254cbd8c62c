"""Output of `judge mail` while letters with pictures are still being made."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.config import Config
from judge.terminal import mailing

ANN = "ann@example.org"


@pytest.mark.slow
@pytest.mark.parametrize("expected", [True, False])
def test_late_letters_are_announced(monkeypatch: pytest.MonkeyPatch, expected: bool) -> None:
    letters: list[bytes] = []

    def send(*_: object) -> str:
        letters.append(f"To: {ANN}\nIn-Reply-To: <1@x>\nSubject: a receipt\n\nDone.\n".encode())
        return "<1@x>"

    @contextmanager
    def queue(*_: object) -> Iterator[Callable[[], bool]]:
        yield lambda: expected

    monkeypatch.setattr(mailing, "send_text", send)
    monkeypatch.setattr(mailing, "_queue_of", queue)
    monkeypatch.setattr(mailing, "read_newest", lambda *_: [*letters])
    monkeypatch.setattr(mailing, "outgoing_maildir", lambda _: Path())
    monkeypatch.setattr(mailing, "ANSWER_SECONDS", 0.6)
    answered, told = mailing.mail_and_wait(Config(), ANN, "", "", "x", datetime.now(UTC))
    assert answered and "a receipt" in told
    assert (f"More letters to you will follow: judge inbox {ANN}" in told) == expected
