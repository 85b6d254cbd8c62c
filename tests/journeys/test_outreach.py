"""Letters caused by others: an unconfirmed address receives few of them."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from judge.config import Config, PolicySection, StoreSection
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, BOB = "gm@example.org", "bob@nowhere.invalid"
SIGNON = "SIGNON Mmarco gmsecret\n"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge that permits two letters a day to unconfirmed addresses, and a game."""
    policy = PolicySection(unconfirmed_per_day=2)
    made = Rig(Config(store=StoreSection("sqlite:///:memory:"), policy=policy))
    made.mail(GM, "CREATE ?marco gmsecret standard")
    made.boxes.clear()
    yield made
    made.close()


def answer(rig: Rig, text: str, sender: str = GM) -> str:
    """Mail a text and return the reply."""
    rig.mail(sender, text)
    return squeeze_text(text_of(rig.newest[sender]))


def invite(*names: str) -> str:
    """Return a mail that invites people."""
    return SIGNON + "".join(f"INVITE {name}@nowhere.invalid\n" for name in names)


def take_recipients(rig: Rig) -> set[str]:
    """Return the recipients of letters without the master, and clear the boxes."""
    found = {to.partition("@")[0] for to in rig.boxes} - {"gm"}
    rig.boxes.clear()
    return found


def tomorrow(rig: Rig, hours: int = 24) -> set[str]:
    """Advance a day. Return the recipients of letters."""
    rig.clock.set(rig.clock.now() + timedelta(hours=hours))
    rig.run()
    return take_recipients(rig)


def test_excess_invitations_are_sent_the_next_day_or_refused(
    rig: Rig,
) -> None:
    told = answer(rig, invite("a", "b", "c", "d", "e"))
    assert take_recipients(rig) == {"a", "b"}
    assert "The letter to c@nowhere.invalid goes out tomorrow" in told
    assert "No letter went to e@nowhere.invalid." in told
    assert tomorrow(rig, 23) == set()
    assert tomorrow(rig, 1) == {"c", "d"}
    assert tomorrow(rig) == set()
    assert answer(rig, invite("e")) and take_recipients(rig) == {"e"}


def test_joining_ends_only_the_own_invitation(rig: Rig) -> None:
    answer(rig, invite("a", "b"))
    answer(rig, "JOIN marco secret", "a@nowhere.invalid")
    game = rig.application.games.find("marco")
    assert game is not None
    invited = game.settings["invited"]
    assert isinstance(invited, dict) and list(invited) == ["b@nowhere.invalid"]


def test_a_delayed_offer_expires_counted_from_its_sending(rig: Rig) -> None:
    answer(rig, invite("a", "b", "c"))
    tomorrow(rig)
    letter = rig.newest["c@nowhere.invalid"]
    assert "Tue 13 Jan 2026" in text_of(letter) and str(letter["Date"]).startswith("Tue, 06 Jan")
    rig.clock.set(rig.clock.now() + timedelta(days=6, hours=23))
    assert "You have joined" in answer(rig, "JOIN marco secret", "c@nowhere.invalid")


def test_a_withdrawn_delayed_letter_is_never_sent(rig: Rig) -> None:
    answer(rig, invite("a", "b", "c", "d"))
    rig.boxes.clear()
    answer(rig, SIGNON + "UNINVITE c@nowhere.invalid")
    assert tomorrow(rig) == {"d"}


def test_an_invitation_withdrawn_in_its_mail_is_not_sent(rig: Rig) -> None:
    told = answer(rig, invite("a") + "UNINVITE a@nowhere.invalid\nINVITE b@nowhere.invalid\n")
    assert take_recipients(rig) == {"b"}
    assert "a@nowhere.invalid is invited" not in told
    assert answer(rig, invite("c")) and take_recipients(rig) == {"c"}


def test_one_address_receives_one_letter_a_day_from_all_games(rig: Rig) -> None:
    for name in ("x", "y", "z"):
        rig.mail(f"{name}@example.org", f"CREATE ?{name}game secret standard")
    rig.boxes.clear()
    for name in ("x", "y", "z"):
        rig.mail(f"{name}@example.org", f"SIGNON M{name}game secret\nINVITE {BOB}")
    assert len(rig.boxes.pop(BOB)) == 1
    assert "No letter went to" in squeeze_text(text_of(rig.newest["z@example.org"]))
    assert "bob" in tomorrow(rig)


def test_a_seat_receives_letters_at_once_up_to_a_limit(rig: Rig) -> None:
    rig.mail("ann@example.org", "OBSERVE marco")
    rig.boxes.clear()
    mail = SIGNON + "INVITE ann@example.org\n"
    for _ in range(5):
        answer(rig, mail)
    assert len(rig.boxes["ann@example.org"]) == 5
    assert "No letter went to ann@example.org: you have sent 5 there today." in answer(rig, mail)
    assert len(rig.boxes["ann@example.org"]) == 5


def test_only_the_last_new_address_of_a_mail_is_asked(rig: Rig) -> None:
    told = answer(rig, SIGNON + "".join(f"SET ADDRESS {n}@nowhere.invalid\n" for n in "abc"))
    assert take_recipients(rig) == {"c"} and "a@nowhere.invalid" not in told
    rig.reply("c@nowhere.invalid", "Yes")
    assert "Your seat in 'marco' now has this" in text_of(rig.newest["c@nowhere.invalid"])


def test_requests_to_masters_are_limited(rig: Rig) -> None:
    lines = "".join(f"PROMOTE {n}@nowhere.invalid\n" for n in "abcdef")
    told = answer(rig, SIGNON + lines)
    assert told.count("has been asked") == 4 and "5 masters" in told
