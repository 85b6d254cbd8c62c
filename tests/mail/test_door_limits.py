"""Limits of the SMTP listener, each tested on both sides of its value."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast
from unittest.mock import Mock

import pytest

from judge.mail.smtp.connections import (
    NO_ROOM,
    SHUTTING_DOWN,
    TOO_BIG,
    TOO_LONG,
    TOO_SILENT,
    TOO_SLOW,
    ConnectionRegistry,
    Limits,
    MemoryReservation,
    SessionTimer,
)

ANN, EVE, HERE = "192.0.2.1", "192.0.2.2", ""


@dataclass(eq=False)
class Guest:
    """A connection that is only counted."""

    host: str

    def dismiss(self, reply: str) -> None:
        """Do nothing."""

    abort = dismiss


def door(limits: Limits) -> ConnectionRegistry:
    """Return a server that accepts no message."""
    return ConnectionRegistry(Mock(), Mock(), "judge.example.org", limits)


@pytest.mark.parametrize("guests, let_in", [
    ([ANN, ANN, ANN], [True, True, False]),
    ([ANN, EVE, ANN, EVE], [True, True, True, False]),
    ([ANN, EVE, ANN, HERE, HERE], [True, True, True, True, False]),
    ([HERE, HERE, HERE, HERE, HERE], [True, True, True, True, False]),
    ([HERE, HERE, HERE, ANN], [True, True, True, False]),
])
def test_connections_are_limited_by_peer_and_in_total(
    guests: list[str], let_in: list[bool]
) -> None:
    smtp_server = door(Limits(connections=3, reserved=1, peer_connections=2))
    assert [smtp_server.enter(Guest(host)) for host in guests] == let_in


def test_a_closed_connection_frees_its_place_once() -> None:
    smtp_server = door(Limits(connections=3, peer_connections=2))
    first, second, third = (Guest(ANN) for _ in range(3))
    assert smtp_server.enter(first) and smtp_server.enter(second)
    assert not smtp_server.enter(third)
    smtp_server.leave(third)
    assert not smtp_server.enter(third)
    smtp_server.leave(first)
    smtp_server.leave(first)
    assert smtp_server.enter(third) and not smtp_server.enter(first)
    for guest in (second, third):
        smtp_server.leave(guest)
    assert not smtp_server.sessions and not smtp_server._peers, "nothing is kept of who came once"


# A message may have 100 octets and the line end before it. All messages have 300, of which 100 are
# reserved for the local machine. Those of one address have 150.
@pytest.mark.parametrize("steps", [
    [(ANN, 102, "")],
    [(ANN, 103, TOO_BIG)],
    [(ANN, 90, ""), (ANN, 60, "")],
    [(ANN, 90, ""), (ANN, 61, NO_ROOM)],
    [(ANN, 100, ""), (EVE, 100, "")],
    [(ANN, 100, ""), (EVE, 101, NO_ROOM)],
    [(ANN, 100, ""), (HERE, 100, ""), (HERE, 100, "")],
    [(HERE, 100, ""), (HERE, 100, ""), (HERE, 101, NO_ROOM)],
    [(HERE, 100, ""), (HERE, 100, ""), (ANN, 100, "")],
    [(HERE, 100, ""), (HERE, 100, ""), (ANN, 101, NO_ROOM)],
    [(HERE, 100, ""), (HERE, 50, ""), (ANN, 100, ""), (EVE, 51, NO_ROOM)],
    [(HERE, 100, ""), (HERE, 50, ""), (ANN, 100, ""), (EVE, 50, "")],
])
def test_incoming_messages_are_limited_in_total(steps: list[tuple[str, int, str]]) -> None:
    smtp_server = door(Limits(size=100, buffered=300, held_reserved=100, peer_held=150))
    holds = []
    for peer, octets, refusal in steps:
        hold = MemoryReservation(smtp_server, peer)
        assert hold.may_keep(octets) is not refusal
        assert hold.refusal == refusal
        holds.append(hold)
    kept = sum(octets for _, octets, refusal in steps if not refusal)
    assert smtp_server.held == kept == sum(smtp_server.held_by.values())
    for hold in holds:
        hold.release()
    assert smtp_server.held == 0 and not smtp_server.held_by


def test_a_growing_message_is_counted_and_refused_permanently() -> None:
    smtp_server = door(Limits(size=100, buffered=150, held_reserved=0, peer_held=150))
    hold, other = MemoryReservation(smtp_server, ANN), MemoryReservation(smtp_server, EVE)
    assert hold.may_keep(60) and hold.may_keep(90) and hold.may_keep(40)
    assert smtp_server.held == 90
    assert other.may_keep(60) and not other.may_keep(61)
    hold.release()
    assert not other.may_keep(61), "part of it was dropped meanwhile"


class Loop:
    """A fake event loop with a manual clock and one scheduled call."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.at = 0.0
        self.timer = Mock()

    def time(self) -> float:
        """Return the current time of the manual clock."""
        return self.now

    def call_at(self, at: float, look: Callable[[], None]) -> Mock:
        """Store the scheduled call."""
        self.at, self.look = at, look
        return self.timer

    def look_at(self, now: float) -> None:
        """Run the scheduled call, *now* seconds after the start."""
        self.now = 1000.0 + now
        self.look()


def make_watch(
    idle: float = 10, message: float = 30, session: float = 100
) -> tuple[Loop, SessionTimer, list[str]]:
    """Return a new watch with its loop and the list of its final replies."""
    loop, said = Loop(), list[str]()
    limits = Limits(idle=idle, message=message, session=session)
    watch = SessionTimer(cast(asyncio.AbstractEventLoop, loop), limits, said.append)
    watch.schedule_check()
    return loop, watch, said


@pytest.mark.parametrize("idle, message, session, at", [
    (10, 30, 100, 10), (50, 30, 100, 30), (50, 70, 40, 40), (0, 70, 40, 0.01), (0.02, 70, 40, 0.02),
])
def test_the_watch_is_scheduled_for_the_first_limit(
    idle: float, message: float, session: float, at: float
) -> None:
    loop, _, _ = make_watch(idle, message, session)
    assert loop.at == 1000 + at


@pytest.mark.parametrize(
    "now, reply", [(9.9, ""), (10, TOO_SILENT), (99.9, TOO_SILENT), (100, TOO_LONG)]
)
def test_idle_and_long_sessions_are_closed(now: float, reply: str) -> None:
    loop, _, said = make_watch()
    loop.at = 0
    loop.look_at(now)
    assert said == ([reply] if reply else [])
    assert loop.at == (0 if reply else 1010), "who is sent away is watched no more"


@pytest.mark.parametrize("idle, now, reply", [
    (1000, 34.9, ""), (1000, 35, TOO_SLOW), (10, 35, TOO_SLOW)
])
def test_the_time_of_a_message_starts_with_it(idle: float, now: float, reply: str) -> None:
    loop, watch, said = make_watch(idle=idle, session=1000)
    loop.now += 5
    watch.message_begins()
    loop.look_at(now)
    assert said == ([reply] if reply else [])


def test_processing_time_does_not_count_for_the_client() -> None:
    loop, watch, said = make_watch()
    watch.message_begins()
    watch.message_is_here()
    loop.look_at(60)
    assert said == [] and loop.at == 1070, "it is looked again"
    loop.now += 5
    watch.message_is_done()
    loop.look_at(74.9)
    assert said == []
    loop.look_at(75)
    assert said == [TOO_SILENT], "the silence began when the message was done"


def test_received_data_restarts_the_idle_time() -> None:
    loop, watch, said = make_watch()
    loop.now += 9
    watch.note_activity()
    loop.look_at(18.9)
    assert said == [] and loop.at == 1019
    loop.look_at(19)
    assert said == [TOO_SILENT]


def test_a_stopped_watch_is_not_scheduled_again() -> None:
    loop, watch, _ = make_watch()
    watch.stop()
    loop.timer.cancel.assert_called_once_with()
    SessionTimer(cast(asyncio.AbstractEventLoop, loop), Limits(), Mock()).stop()


class Leaving(Guest):
    """A connection that closes after its message or when aborted.

    It records the calls.
    """

    def __init__(self, smtp_server: ConnectionRegistry, busy: float) -> None:
        """Enter the server, with a message that takes *busy* seconds."""
        super().__init__(ANN)
        self.smtp_server, self.busy, self.told = smtp_server, busy, list[str]()
        smtp_server.enter(self)

    def dismiss(self, reply: str) -> None:
        """Leave the server after the message."""
        self.told.append("dismissed")
        asyncio.get_running_loop().call_later(self.busy, self.smtp_server.leave, self)

    def abort(self, reply: str) -> None:
        """Leave the server at once."""
        self.told.append(reply)
        self.smtp_server.leave(self)


@pytest.mark.parametrize("busy, grace, hurries, told", [
    ([0, 0], 60, False, []), ([60, 60], 0, False, [SHUTTING_DOWN]),
    ([60, 60], 60, True, [SHUTTING_DOWN]), ([60, 60], 0.03, False, [SHUTTING_DOWN]),
    ([0.03, 0.03], 0.9, False, []),
])
def test_a_closing_server_dismisses_all_and_aborts_after_a_time(
    busy: list[float], grace: float, hurries: bool, told: list[str]
) -> None:
    async def close_server() -> list[Leaving]:
        smtp_server = door(Limits())
        guests = [Leaving(smtp_server, each) for each in busy]
        if hurries:
            smtp_server.hurry()
        await asyncio.wait_for(smtp_server.close(grace), 10)
        assert not smtp_server.sessions
        return guests

    assert [guest.told for guest in asyncio.run(close_server())] == [["dismissed", *told]] * len(
        busy
    )
