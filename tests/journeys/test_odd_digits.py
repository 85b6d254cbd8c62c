"""Non-ASCII digits in any number of a command cause no internal error."""

from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig, squeeze_text, text_of

GM = "gm@example.org"
ODD = ("²", "٣", "1_0", "9" * 5000)
MORE = ("１", "①", "½", "١٢", "𝟙", "-1", "1e3", "+1", "9" * 20, "0", "1.")
LINES = """\
ROLLBACK {n}
ROLLBACK marco S19{n}M
CLOCK {n}
SET CLOCK {n}
SET DIGEST {n}:30
SET DIGEST 7:{n}
SET MOVE NEXT {n}
SET MOVE CLOCK {n}
SET MOVE CLOCK 12:{n}
SET MOVE NEXT {n}h
SET NEXT {n}
SET REMINDERS {n}%
SET REMINDERS {n}h
SET REMINDER {n}
SET SEATS {n}
SET MAX PRESS {n}
SET QUORUM {n}
SET MAX ABSENCE {n}
SET LAST YEAR {n}
SET VICTORY {n}
SET DEDICATION {n}
SET RELIABILITY {n}
SET MAJORITY {n}
SET SHARE {n}
SET LEVEL {n}
SET DEADLINE {n} jan 20:00
SET DEADLINE {n}:00
SET DEADLINE +{n}h
SET DEADLINE 2026-01-{n}
SET ABSENCE jan {n} to feb {n}
ABSENCE jan {n} to feb {n}
HISTORY marco FROM S{n}M
HISTORY marco LINES {n}
HISTORY marco {n}
LOG marco LINES {n}
SUMMARY marco {n}
LIST {n}
PROCESS S{n}M
PROCESS {n}
PHASE F{n}M
SETUP F{n}M
MAP S{n}M
MAP marco {n}
EXPORT marco {n}
DIARY READ {n}
READ DIARY {n}
DIARY DELETE {n}
DELETE DIARY {n}
VOTE CLOCK {n}
VOTE CLOCK {n}h
EXTEND {n}
DELAY {n}
SET GRACE {n}
SET DELAY {n}
SET DAYS {n}
SET CRON {n} 20 * * tue
SET CRON 0 {n} * * *
SET ZONE UTC+{n}
SET QUIET FALLS {n}
SET CENTERS {n}
SET PREFERENCE {n}
SET WIDTH {n}
SET WAIT {n}
SET ALLOW PLAYER {n}
TAKEOVER {n}marco x
STANDBY {n}
REGISTER LEVEL {n}
INFO {n}
EJECT {n}
BECOME {n}
HELP {n}
ROLLFORWARD {n}
RELEASE S{n}M
UNSTART S{n}M
CREATE ?a{n} secret standard
OPTIONS S{n}M
IF F{n}M THEN A Par - Bur
{n} Par - Bur
A Par - {n}
BUILD {n}
PREVIEW {n}
SET MAP {n}
PRESS TO {n}
UNPRESS {n}
SET START {n}
SET HOLIDAYS 2026-12-{n}
SET DIAS {n}
""".splitlines()


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    """A judge with a running game and a forming one."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard\nSET GM PLAYS\nSTART")
    made.mail(GM, "CREATE ?polo gmsecret standard")
    yield made
    made.close()


@pytest.mark.parametrize("game", ["marco", "polo"])
@pytest.mark.parametrize(
    "odd", [*ODD, *(pytest.param(odd, marks=pytest.mark.slow) for odd in MORE)], ids=ascii
)
def test_an_odd_number_causes_no_internal_error_in_any_command(
    rig: Rig, odd: str, game: str
) -> None:
    for at in range(0, len(LINES), 20):
        lines = "\n".join(line.format(n=odd) for line in LINES[at:at + 20])
        rig.mail(GM, f"SIGNON M{game} gmsecret\n{lines}")
    assert [mail.id for mail in rig.application.post.list_shunted()] == []


@pytest.mark.parametrize("line", ["SET DIGEST 7:²", "SET MOVE CLOCK 12:²", "ROLLBACK ²"])
def test_an_odd_number_is_refused_like_any_word(rig: Rig, line: str) -> None:
    rig.boxes.clear()
    rig.mail(GM, f"SIGNON Mmarco gmsecret\n{line}")
    told = squeeze_text(text_of(rig.newest[GM]))
    assert line in told and "the judge failed" not in told
