"""Letters that somebody has others sent: an address that never confirmed gets few of them."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from judge.config import Config, PolicySection, StoreSection
from tests.journeys.rig import Rig, squeezed, text_of

GM, BOB = "gm@example.org", "bob@nowhere.invalid"
SIGNON = "SIGNON Mmarco gmsecret\n"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge at which two letters a day may be had sent, and a game with places."""
    policy = PolicySection(unconfirmed_per_day=2)
    made = Rig(Config(store=StoreSection("sqlite:///:memory:"), policy=policy))
    made.mail(GM, "CREATE ?marco gmsecret standard")
    made.boxes.clear()
    yield made
    made.close()


def answer(rig: Rig, text: str, sender: str = GM) -> str:
    """Mail something and return the answer."""
    rig.mail(sender, text)
    return squeezed(text_of(rig.newest[sender]))


def invite(*names: str) -> str:
    """Return a mail that invites people."""
    return SIGNON + "".join(f"INVITE {name}@nowhere.invalid\n" for name in names)


def reached(rig: Rig) -> set[str]:
    """Return who has had letters but for the master, and forget it."""
    found = {to.partition("@")[0] for to in rig.boxes} - {"gm"}
    rig.boxes.clear()
    return found


def tomorrow(rig: Rig, hours: int = 24) -> set[str]:
    """Let a day pass; return who gets letters then."""
    rig.clock.set(rig.clock.now() + timedelta(hours=hours))
    rig.run()
    return reached(rig)


def test_what_is_over_the_day_goes_out_the_next_day_and_what_is_over_that_not_at_all(
    rig: Rig,
) -> None:
    told = answer(rig, invite("a", "b", "c", "d", "e"))
    assert reached(rig) == {"a", "b"}
    assert "the letter to c@nowhere.invalid goes out tomorrow" in told
    assert "No letter went to e@nowhere.invalid." in told
    assert tomorrow(rig, 23) == set()
    assert tomorrow(rig, 1) == {"c", "d"}
    assert tomorrow(rig) == set()
    assert answer(rig, invite("e")) and reached(rig) == {"e"}


def test_who_has_a_seat_is_invited_no_more_and_the_others_still_are(rig: Rig) -> None:
    answer(rig, invite("a", "b"))
    answer(rig, "JOIN marco secret", "a@nowhere.invalid")
    game = rig.application.games.find("marco")
    assert game is not None
    invited = game.settings["invited"]
    assert isinstance(invited, dict) and list(invited) == ["b@nowhere.invalid"]


def test_a_letter_that_waited_says_when_its_offer_ends_as_of_that_day(rig: Rig) -> None:
    answer(rig, invite("a", "b", "c"))
    tomorrow(rig)
    letter = rig.newest["c@nowhere.invalid"]
    assert "Tue 13 Jan 2026" in text_of(letter) and str(letter["Date"]).startswith("Tue, 06 Jan")
    rig.clock.set(rig.clock.now() + timedelta(days=6, hours=23))
    assert "You have joined" in answer(rig, "JOIN marco secret", "c@nowhere.invalid")


def test_what_is_taken_back_while_it_waits_never_goes_out(rig: Rig) -> None:
    answer(rig, invite("a", "b", "c", "d"))
    rig.boxes.clear()
    answer(rig, SIGNON + "UNINVITE c@nowhere.invalid")
    assert tomorrow(rig) == {"d"}


def test_what_one_mail_asks_and_takes_back_is_not_sent_and_not_said(rig: Rig) -> None:
    told = answer(rig, invite("a") + "UNINVITE a@nowhere.invalid\nINVITE b@nowhere.invalid\n")
    assert reached(rig) == {"b"}
    assert "a@nowhere.invalid is invited" not in told
    assert answer(rig, invite("c")) and reached(rig) == {"c"}


def test_one_address_gets_one_a_day_whoever_has_it_sent(rig: Rig) -> None:
    for name in ("x", "y", "z"):
        rig.mail(f"{name}@example.org", f"CREATE ?{name}game secret standard")
    rig.boxes.clear()
    for name in ("x", "y", "z"):
        rig.mail(f"{name}@example.org", f"SIGNON M{name}game secret\nINVITE {BOB}")
    assert len(rig.boxes.pop(BOB)) == 1
    assert "No letter went to" in squeezed(text_of(rig.newest["z@example.org"]))
    assert "bob" in tomorrow(rig)


def test_who_has_a_seat_hears_at_once_but_not_often(rig: Rig) -> None:
    rig.mail("ann@example.org", "OBSERVE marco")
    rig.boxes.clear()
    mail = SIGNON + "INVITE ann@example.org\n"
    for _ in range(5):
        answer(rig, mail)
    assert len(rig.boxes["ann@example.org"]) == 5
    assert "You have had 5 letters sent to ann@example.org today" in answer(rig, mail)
    assert len(rig.boxes["ann@example.org"]) == 5


def test_of_several_new_addresses_in_one_mail_only_the_last_is_asked(rig: Rig) -> None:
    told = answer(rig, SIGNON + "".join(f"SET ADDRESS {n}@nowhere.invalid\n" for n in "abc"))
    assert reached(rig) == {"c"} and "a@nowhere.invalid" not in told
    rig.reply("c@nowhere.invalid", "Yes")
    assert "This is now the address of your seat" in text_of(rig.newest["c@nowhere.invalid"])


def test_no_more_masters_are_asked_than_there_may_be(rig: Rig) -> None:
    lines = "".join(f"PROMOTE {n}@nowhere.invalid\n" for n in "abcdef")
    told = answer(rig, SIGNON + lines)
    assert told.count("has been asked") == 4 and "5 masters" in told
