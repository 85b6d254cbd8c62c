"""EXPORT answers a short word with a long file: how much of that one address gets a day."""

from tests.journeys.bench import Bench, squeezed, text_of

GM, ANN = "gm@example.org", "ann@example.org"
FILE = "marco-F1901M.json"


def files(bench: Bench, address: str) -> list[str | None]:
    """Have somebody ask for the game; return the files in the answer."""
    bench.mail(address, "EXPORT marco")
    return [part.get_filename() for part in bench.newest[address].walk() if part.get_filename()]


def test_an_address_gets_so_many_octets_of_games_a_day() -> None:
    bench = Bench()
    bench.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    bench.mail(GM, "SIGNON Mmarco gmsecret\nA Par - Bur\nPROCESS S1901M")
    people, most = bench.works.office.people, bench.config.policy.export_volume
    assert files(bench, ANN) == [FILE]
    long = people.served(ANN, bench.clock.now().replace(year=2000))
    people.serve(ANN, most - 2 * long, bench.clock.now())
    assert files(bench, ANN) == [FILE] and files(bench, ANN) == []
    told = squeezed(text_of(bench.newest[ANN]))
    assert "gets 4096 kB of games as files" in told and "tomorrow" in told
    assert files(bench, GM) == [FILE]
    bench.clock.forward(hours=25)
    assert files(bench, ANN) == [FILE]
    bench.close()
