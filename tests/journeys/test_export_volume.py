"""EXPORT sends long files for a short command: the daily limit of an address."""

from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN = "gm@example.org", "ann@example.org"
FILE = "marco-F1901M.json"


def files(rig: Rig, address: str) -> list[str | None]:
    """Request the game as an address. Return the files in the reply."""
    rig.mail(address, "EXPORT marco")
    return [part.get_filename() for part in rig.newest[address].walk() if part.get_filename()]


def test_exports_to_an_address_are_limited_per_day() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nA Par - Bur\nPROCESS S1901M")
    people, most = rig.application.context.people, rig.config.policy.export_volume
    assert files(rig, ANN) == [FILE]
    long = people.served_since(ANN, rig.clock.now().replace(year=2000))
    people.record_served(ANN, most - 2 * long, rig.clock.now())
    assert files(rig, ANN) == [FILE] and files(rig, ANN) == []
    told = squeeze_text(text_of(rig.newest[ANN]))
    assert "gets at most 4096 kB of games as files" in told and "tomorrow" in told
    assert files(rig, GM) == [FILE]
    rig.clock.advance(hours=25)
    assert files(rig, ANN) == [FILE]
    rig.close()
