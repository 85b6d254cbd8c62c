"""Orders through a real Postfix in both directions, set up as in the guide.

Postfix runs from a temporary folder on free ports, and changes nothing else on the machine. Without
it, or without root, the end of the test run reports that it is missing.
"""

import json
import re
import smtplib
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import TypeVar

import pytest

from judge.demo.judge_process import text_of
from tests.bench.postfix import Postfix, prepare_postfix
from tests.machine import HAS_POSTFIX
from tests.mail.sink import Sink, Taken
from tests.operating.guide import Pretence
from tests.operating.test_guide import CONFIGURE, POSTFIX, SHELL, SOCKET, UNITS, free_ports

Found = TypeVar("Found")

JUDGE = "judge@example.org"
ANN, BOB, NOBODY = (f"{name}@players.example" for name in ("ann", "bob", "no550"))
PATIENCE = 120.0
WORLD = """\
mydestination = example.org
relayhost = [127.0.0.1]:{port}
smtp_host_lookup = native
"""


class Exchange:
    """The judge, its Postfix, and the mail server of the players."""

    def __init__(self, machine: Pretence, server: Postfix, sink: Sink) -> None:
        self.machine = machine
        self.server = server
        self.sink = sink
        self.mails = 0
        self._read = 0

    def send(self, sender: str, to: str, text: str, answers: str = "") -> None:
        """Mail a text through Postfix, as a player's own mail server would."""
        self.mails += 1
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, to, "orders"
        mail["Message-ID"] = f"<{self.mails}@players.example>"
        if answers:
            mail["In-Reply-To"] = answers
        mail.set_content(text)
        with smtplib.SMTP("127.0.0.1", self.server.port, timeout=PATIENCE) as wire:
            assert wire.sendmail(sender, [to], bytes(mail)) == {}

    def letter(
        self, to: str, kind: str, *, says: str = "", flushing: bool = False
    ) -> tuple[Taken, EmailMessage]:
        """Return the next letter of a kind that reached a player, with its envelope.

        Letters that left together can arrive in any order: `says` tells apart two of one kind. With
        `flushing` Postfix has to try its queue until the letter arrives. Once is not enough: a mail
        refused a moment ago may not have reached the deferred queue yet, so that a flush misses it,
        and the next try by itself comes minutes later.
        """
        def find_letter() -> tuple[Taken, EmailMessage] | None:
            while self._read < len(self.sink.taken):
                taken = self.sink.taken[self._read]
                self._read += 1
                letter = message_from_bytes(taken.message, policy=policy.default)
                assert isinstance(letter, EmailMessage)
                if (taken.to, letter["X-Judge-Kind"]) != (to, kind):
                    continue
                if says in text_of(letter):
                    return taken, letter
            if flushing:
                self.server.command("flush")
            return None

        return self.until(find_letter)

    def find_stored_numbers(self) -> list[str]:
        """Return the mail numbers in the 250 replies of the judge to Postfix."""
        said = r"status=sent \(250 2\.0\.0 stored as (\d+)\)"
        return re.findall(said, self.server.log())

    def until(self, found: Callable[[], Found | None]) -> Found:
        """Wait until a value is found and return it."""
        end = time.monotonic() + PATIENCE
        while (one := found()) is None:
            logs = self.server.log() + (self.machine.root / "log").read_text()
            assert time.monotonic() < end, logs[-6000:]
            time.sleep(0.05)
        return one

    def steps(self) -> list[dict[str, str]]:
        """Return the judge's log, record by record."""
        lines = (self.machine.root / "log").read_text().splitlines()
        return [dict(map(_field, re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)', x))) for x in lines]


def _field(pair: tuple[str, str]) -> tuple[str, str]:
    name, value = pair
    return name, str(json.loads(value)) if value.startswith('"') else value


@pytest.fixture(scope="module")
def exchange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exchange]:
    """All three running, with judge and Postfix set up by the guide."""
    with Sink() as sink, prepare_postfix(WORLD.format(port=sink.port)) as server:
        lmtp, metrics = free_ports(2)
        machine = Pretence(tmp_path_factory.mktemp("machine"), {
            "127.0.0.1:2424": f"127.0.0.1:{lmtp}",
            "127.0.0.1:9225": f"127.0.0.1:{metrics}",
            "smtp://127.0.0.1:25": f"smtp://{server.place}",
            "/run/judge/": f"{server.where}/",
        })
        for name in ("postconf", "postfix"):
            machine.stub(name, f'#!/bin/sh\nexec /usr/sbin/{name} -c {server.config} "$@"\n')
        server.start()
        machine.run(CONFIGURE, POSTFIX, UNITS)
        try:
            yield Exchange(machine, server, sink)
        finally:
            machine.stop()


if HAS_POSTFIX:

    @pytest.mark.slow
    def test_a_game_is_made_and_ordered_in_through_postfix(exchange: Exchange) -> None:
        # Bounces of another test's letters were stored, too.
        others = len(exchange.find_stored_numbers()) - exchange.mails
        _ask_and_confirm(exchange, ANN, "CREATE ?marco gmsecret standard\nSTART\n")
        exchange.letter(ANN, "start")
        _ask_and_confirm(exchange, BOB, "TAKEOVER Fmarco bobsecret\n")
        _, start = exchange.letter(BOB, "start")
        assert str(start["Reply-To"]).startswith("judge+")
        exchange.send(BOB, str(start["Reply-To"]), "A Par - Bur\n", str(start["Message-ID"]))
        _, receipt = exchange.letter(BOB, "receipt", says="Paris -> Burgundy")
        assert receipt["In-Reply-To"] == f"<{exchange.mails}@players.example>"
        _follow_by_number(exchange, others)

    @pytest.mark.slow
    def test_a_letter_the_world_refuses_comes_back_through_postfix(exchange: Exchange) -> None:
        exchange.send(NOBODY, JUDGE, "LIST\n")

        def find_bounce() -> dict[str, str] | None:
            return next((x for x in exchange.steps() if x.get("event") == "bounced"), None)

        step = exchange.until(find_bounce)
        assert step["to"] == NOBODY and "550" in step["error"]
        define = SHELL.partition("\n")[0]
        said = exchange.machine.run(define, f"judge queue show out:{step['letter']}")
        assert f"to <{NOBODY}>: sent" in said

    @pytest.mark.slow
    def test_while_the_judge_is_down_postfix_keeps_the_mail(exchange: Exchange) -> None:
        exchange.machine.run("systemctl stop judge.service")
        exchange.send(ANN, JUDGE, "LIST\n")
        exchange.until(lambda: "status=deferred" in exchange.server.log() or None)
        exchange.machine.run("systemctl start judge.service")
        _, answer = exchange.letter(ANN, "info", flushing=True)
        assert answer["In-Reply-To"] == f"<{exchange.mails}@players.example>"
        # The same with a socket file of the judge, which is another user than Postfix.
        exchange.machine.run(SOCKET)
        exchange.send(ANN, JUDGE, "LIST\n")
        _, answer = exchange.letter(ANN, "info")
        assert answer["In-Reply-To"] == f"<{exchange.mails}@players.example>"
        assert f"relay=bench.example[{exchange.server.where}/lmtp]" in exchange.server.log()


def _ask_and_confirm(exchange: Exchange, address: str, text: str) -> None:
    """Send commands from a new address and confirm them."""
    exchange.send(address, JUDGE, text)
    envelope, question = exchange.letter(address, "confirm")
    assert envelope.sender.startswith("judge+") and envelope.sender.endswith("@example.org")
    exchange.send(address, str(question["Reply-To"]), "YES\n", str(question["Message-ID"]))


def _follow_by_number(exchange: Exchange, others: int) -> None:
    """Check that the number in the 250 leads through the judge's log to the letter."""
    told = exchange.find_stored_numbers()
    assert len(told) == exchange.mails + others

    def gone() -> list[dict[str, str]] | None:
        steps = [step for step in exchange.steps() if step.get("mail") == told[-1]]
        return steps if len(steps) > 2 else None

    steps = exchange.until(gone)
    assert [step["event"] for step in steps] == ["accepted", "worked", "sent"]
    assert steps[0]["sender"] == steps[2]["to"] == BOB
    log = (exchange.machine.root / "log").read_text()
    assert "secret" not in log and "judge+" not in log
