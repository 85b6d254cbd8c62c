"""Missed phases are counted in sequence, and READY counts as an answer."""

from tests.journeys.rig import Rig

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"


def test_ready_ends_the_count_of_missed_phases() -> None:
    rig = Rig()
    try:
        rig.mail(GM, "CREATE ?two gmsecret standard")
        rig.mail(ANN, "JOIN two annsecret\nSET PREFERENCE F")
        rig.mail(BOB, "JOIN two bobsecret\nSET PREFERENCE G")
        rig.mail(GM, "SIGNON Mtwo gmsecret\nSTART")
        rig.mail(BOB, "SIGNON Gtwo bobsecret\nREADY")
        for _ in range(2):
            rig.clock.advance(hours=72)
            rig.run()
        assert count_missed_phases(rig) == {"France": 1, "Germany": 0}
        rig.mail(ANN, "SIGNON Ftwo annsecret\nREADY")
        assert count_missed_phases(rig)["France"] == 0
        rig.mail(ANN, "SIGNON Ftwo annsecret\nNOT READY")
        assert count_missed_phases(rig)["France"] == 0
    finally:
        rig.close()


def count_missed_phases(rig: Rig) -> dict[str, int]:
    """Return the number of consecutive phases missed by each player."""
    game = rig.application.games.find("two")
    assert game
    return {
        s.power: s.missed for s in rig.application.games.seats(game.id) if s.address and s.power
    }
