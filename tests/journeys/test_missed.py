"""Missed phases are counted in a row: whoever says READY was there."""

from tests.journeys.bench import Bench

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"


def test_whoever_says_ready_has_missed_nothing() -> None:
    bench = Bench()
    try:
        bench.mail(GM, "CREATE ?two gmsecret standard")
        bench.mail(ANN, "JOIN two annsecret\nSET PREFERENCE F")
        bench.mail(BOB, "JOIN two bobsecret\nSET PREFERENCE G")
        bench.mail(GM, "SIGNON Mtwo gmsecret\nSTART")
        bench.mail(BOB, "SIGNON Gtwo bobsecret\nREADY")
        for _ in range(2):
            bench.clock.forward(hours=72)
            bench.run()
        assert missed(bench) == {"France": 1, "Germany": 0}
        bench.mail(ANN, "SIGNON Ftwo annsecret\nREADY")
        assert missed(bench)["France"] == 0
        bench.mail(ANN, "SIGNON Ftwo annsecret\nNOT READY")
        assert missed(bench)["France"] == 0
    finally:
        bench.close()


def missed(bench: Bench) -> dict[str, int]:
    """Return how many phases in a row each player has missed."""
    game = bench.works.games.find("two")
    assert game
    return {s.power: s.missed for s in bench.works.games.seats(game.id) if s.address and s.power}
