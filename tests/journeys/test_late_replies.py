"""Replies to letters of earlier phases: which orders still count, and when."""

from collections.abc import Iterator
from email.message import EmailMessage

import pytest

from tests.journeys.rig import Rig, text_of

ANN, AUD, BOB, GM = "ann@example.org", "aud@example.org", "bob@example.org", "gm@example.org"
MASTER = "SIGNON Mlate gmsecret\n"
REFUSED = "You replied to a letter of an earlier phase,"


class Letters:
    """A game until S1902M, with the letters that announced each phase."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.told: dict[tuple[str, str], EmailMessage] = {}

    def again(self) -> "Letters":
        """Return a copy of the game."""
        other = Letters(self.rig.again())
        other.told = dict(self.told)
        return other

    def begin(self) -> None:
        """Create the game and fill three powers."""
        self.rig.mail(GM, "CREATE ?late gmsecret standard\nSTART")
        for address, letter in ((ANN, "R"), (AUD, "A"), (BOB, "T")):
            self.rig.mail(address, f"TAKEOVER {letter}late secret")
        self.keep("S1901M")

    def keep(self, phase: str) -> None:
        """Store the letters that announced a phase."""
        self.told |= {(phase, who): self.rig.newest[who] for who in (ANN, AUD, BOB, GM)}

    def play(self, phase: str, then: str, *orders: str) -> None:
        """Adjudicate a phase with orders of the master, and store the next letters."""
        self.rig.mail(GM, "\n".join((MASTER, *orders)))
        self.rig.mail(GM, f"{MASTER}PROCESS {phase}")
        self.keep(then)

    def answer(self, who: str, phase: str, order: str) -> str:
        """Reply to the letter that announced a phase. Return the reply of the judge."""
        self.rig.reply(who, order, self.told[phase, who])
        return " ".join(text_of(self.rig.newest[who]).split())


@pytest.fixture(scope="module")
def after_moves() -> Iterator[Letters]:
    """The game in F1901M, with an Austrian army in Galicia."""
    made = Letters(Rig())
    made.begin()
    made.play("S1901M", "F1901M", "A Vie - Gal", "A Mun - Sil", "A Mos - Ukr", "F Sev - Rum")
    yield made
    made.rig.close()


@pytest.fixture(scope="module")
def retreat_phase(after_moves: Letters) -> Iterator[Letters]:
    """The game in F1901R, in which Russia must retreat.

    Austria will build, Turkey does neither.
    """
    made = after_moves.again()
    made.play("F1901M", "F1901R", "A Gal - War", "A Sil S A Gal - War", "A Con H")
    yield made
    made.rig.close()


@pytest.fixture
def letters(retreat_phase: Letters) -> Iterator[Letters]:
    """A copy of that game for one test."""
    made = retreat_phase.again()
    yield made
    made.rig.close()


def test_orders_in_reply_to_an_earlier_phase_are_refused(
    after_moves: Letters,
) -> None:
    letters = after_moves.again()
    answer = letters.answer(BOB, "S1901M", "A Con - Bul")
    assert REFUSED in answer and "It is F1901M now" in answer
    assert "Turkey: Army Constantinople, No Order Processed." in answer
    assert "Constantinople -> Bulgaria" in letters.answer(BOB, "F1901M", "A Con - Bul")
    # A line with the name of the current phase is unambiguous.
    answer = letters.answer(BOB, "S1901M", "PHASE F1901M\nA Con - Smy")
    assert REFUSED not in answer and "Constantinople -> Smyrna" in answer
    letters.rig.close()


def test_movement_orders_may_precede_the_retreats_of_others(
    letters: Letters,
) -> None:
    answer = letters.answer(BOB, "F1901R", "A Con - Bul")
    assert REFUSED not in answer and "Your line is kept" in " ".join(answer.split())
    assert REFUSED in letters.answer(BOB, "F1901M", "F Ank - Con")
    letters.play("F1901R", "F1901A", "A War - Mos")
    letters.play("F1901A", "S1902M", "Austria: BUILD A Vie")
    told = text_of(letters.rig.newest[BOB])
    assert "Army Constantinople -> Bulgaria." in told
    assert "Fleet Ankara, No Order Processed." in told


def test_winter_orders_in_reply_to_movement_results_are_refused(letters: Letters) -> None:
    letters.play("F1901R", "F1901A", "A War - Mos")
    assert REFUSED in letters.answer(AUD, "F1901R", "BUILD A Vie")
    assert "you built A VIE" in letters.answer(AUD, "F1901A", "BUILD A Vie")


def test_a_reply_may_skip_phases_without_own_decisions(
    letters: Letters,
) -> None:
    letters.play("F1901R", "F1901A", "A War - Mos")
    letters.play("F1901A", "S1902M", "Austria: BUILD A Vie")
    for who, phase, order, done in (
        (BOB, "F1901R", "A Con - Bul", "Army Constantinople -> Bulgaria."),
        (BOB, "F1901A", "A Con - Smy", "Army Constantinople -> Smyrna."),
        (BOB, "F1901M", "A Con - Ank", ""),
        (BOB, "S1901M", "A Con - Ank", ""),
        (ANN, "F1901R", "A Mos - Stp", ""),
        (ANN, "F1901A", "A Mos - Lvn", "Army Moscow -> Livonia."),
        (AUD, "F1901R", "A War - Gal", ""),
        (AUD, "F1901A", "A War - Gal", ""),
        (AUD, "S1902M", "A War - Gal", "Army Warsaw -> Galicia."),
        (GM, "F1901R", "A Smy H", ""),
        (GM, "F1901A", "A Smy H", ""),
        (GM, "S1902M", "A Smy H", "Army Smyrna, HOLD."),
    ):
        answer = letters.answer(who, phase, order)
        assert (REFUSED in answer) == (not done), (who, phase, answer)
        assert done in answer, (who, phase, answer)
