"""Passwords and reply tokens."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from argon2.exceptions import InvalidHashError, VerificationError
from hypothesis import given
from hypothesis import strategies as st

from judge.model.incoming import ConfirmationReply
from judge.model.letter import Letter, LetterKind
from judge.model.record import Role, Seat, SeatState
from judge.play import passwords
from judge.play.commands.confirmation import pending_commands
from judge.play.commands.seats import passwords as resetting
from judge.play.passwords import MAX, PasswordCheck, is_acceptable
from judge.play.people.signon_throttle import LOST, SEVERAL, TAKEN_BACK, UNPROVEN
from judge.play.tokens import Purpose, ReplyToken, Tokens
from judge.store.people import PendingLine
from tests.journeys.rig import Rig, text_of

TOKENS = Tokens(lambda: [b"k" * 32])


@pytest.mark.usefixtures("true_cost")
def test_a_password_must_match_exactly() -> None:
    ring = PasswordCheck(b"p" * 32)
    stored = ring.hash("annSecret")
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert ring.is_right(stored, "annSecret")
    assert not ring.is_right(stored, "annsecret")
    assert not ring.is_right("", "annSecret")


def test_a_hash_is_prepared_once_and_used_once() -> None:
    ring = PasswordCheck(b"p" * 32)
    ring.prepare("secret")
    assert ring.hash("secret") != ring.hash("secret")


def test_a_hashed_password_is_known_without_verification() -> None:
    ring = PasswordCheck(b"p" * 32)
    stored = ring.hash("secret")
    assert ring.knows(stored, "secret") and not ring.knows(stored, "other")


class Hasher:
    """Fast replacement of the slow hasher, which records its calls."""

    def __init__(self) -> None:
        self.hashed: list[str] = []
        self.looked: list[tuple[str, str]] = []

    def hash(self, password: str) -> str:
        """Return a readable hash."""
        self.hashed.append(password)
        return f"hash of {password}"

    def verify(self, stored: str, password: str) -> bool:
        """Verify a password. Raise the errors of the real library."""
        self.looked.append((stored, password))
        if not stored.startswith("hash of "):
            raise InvalidHashError
        if stored != f"hash of {password}":
            raise VerificationError
        return True


def quick() -> tuple[PasswordCheck, Hasher]:
    """Return a fast password check and its hasher."""
    check, hasher = PasswordCheck(b"p" * 32), Hasher()
    check._hasher = hasher  # type: ignore[assignment]
    return check, hasher


STORED = "hash of secret"


@pytest.mark.parametrize("stored, password, is_right, hashed", [
    (STORED, "secret", True, []), (STORED, "Secret", False, []), ("garbage", "secret", False, []),
    # A hash is computed nevertheless, for constant time.
    ("", "secret", False, ["secret"]), (STORED, "a b", False, ["a b"]),
    (STORED, "x" * (MAX + 1), False, ["x" * MAX]), ("", "", False, [""]),
    ("hash of a b", "a b", False, ["a b"]),
])
def test_every_wrong_password_costs_one_hash(
    stored: str, password: str, is_right: bool, hashed: list[str]
) -> None:
    check, hasher = quick()
    for _ in range(2):
        assert check.is_right(stored, password) is is_right
    assert hasher.hashed == hashed and len(hasher.looked) == 1 - len(hashed)


def test_wrong_guesses_cost_time_in_each_mail() -> None:
    check, hasher = quick()
    for password in ("one", "two", "secret"):
        check.is_right(STORED, password)
    check.forget_wrong()
    hasher.looked.clear()
    assert check.knows(STORED, "secret") and check.is_right(STORED, "secret")
    assert hasher.looked == []
    for password in ("one", "two"):
        assert not check.is_right(STORED, password)
    assert hasher.looked == [(STORED, "one"), (STORED, "two")]


def test_only_the_newest_verdicts_and_hashes_are_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "MAX_REMEMBERED", 2)
    check, hasher = quick()
    for password in ("one", "two", "three"):
        check.prepare(password)
    for password in ("three", "two", "one"):
        check.hash(password)
    assert hasher.hashed == ["one", "two", "three", "one"]
    assert [check.knows(f"hash of {word}", word) for word in ("three", "two", "one")] == [
        False, True, True
    ]


def test_passwords_are_validated() -> None:
    good = ["x", "Grüße", "a" * 64, "it's!"]
    bad = ["", "a" * 65, "two words", "a;b", "a,b", "a#b", "tab\tbed", "é" * 33]
    assert all(is_acceptable(text) for text in good)
    assert not any(is_acceptable(text) for text in bad)


@given(
    st.sampled_from(Purpose), st.integers(0, 2**32 - 1), st.integers(0, 65535),
    st.integers(0, 65535), st.integers(0, 2**32 - 1),
)
def test_a_token_survives_folding_and_fits_a_local_part(
    purpose: Purpose, seat: int, epoch: int, turn: int, extra: int
) -> None:
    token = ReplyToken(purpose, seat, epoch, turn, extra)
    text = TOKENS.write(token)
    assert TOKENS.read(text.upper()) == token
    assert len("judge+" + text) <= 64


@given(st.text(max_size=60))
def test_a_strangers_text_is_no_token(text: str) -> None:
    assert TOKENS.read(text) is None


def test_a_changed_or_foreign_token_is_invalid() -> None:
    text = TOKENS.write(ReplyToken(Purpose.COMMANDS, 1, 1, 1))
    for at in range(len(text) - 1):
        other = "b" if text[at] == "a" else "a"
        assert TOKENS.read(text[:at] + other + text[at + 1 :]) is None
    assert Tokens(lambda: [b"x" * 32]).read(text) is None


def test_tokens_use_the_newest_key_and_read_all() -> None:
    keys = [b"a" * 32]
    tokens, other = Tokens(lambda: keys), Tokens(lambda: keys)
    old = ReplyToken(Purpose.COMMANDS, 1, 1, 1)
    text = tokens.write(old)
    keys.insert(0, b"b" * 32)
    tokens.refresh()
    newer = tokens.write(old)
    assert newer != text
    assert tokens.read(text) == tokens.read(newer) == old
    assert other.read(newer) == old, "drawn by another process"
    keys.pop()
    tokens.refresh()
    assert (tokens.read(text), tokens.read(newer)) == (None, old)


def test_a_token_reveals_nothing_without_the_key() -> None:
    """Counters and equal parts are invisible: each octet may have any value."""
    written = [TOKENS.write(ReplyToken(Purpose.PRESS, 3, 1, 2, number)) for number in range(1, 400)]
    for at in range(36):
        assert len({text[at] for text in written}) > 20, at
    assert len({text[:8] for text in written}) == len(written)


@pytest.mark.parametrize(("text", "token"), [
    ("oaaaaaadaaaqaaqaaaaakrg3wpiygei7fyyig", ReplyToken(Purpose.PRESS, 3, 1, 2, 5)),
    ("mmaaaaahaaaqaayaaaaablxfmsu2doygvreps", ReplyToken(Purpose.COMMANDS, 7, 1, 3)),
])
def test_tokens_of_earlier_versions_are_read(text: str, token: ReplyToken) -> None:
    """Tokens written by version 0.1 under the key of these tests."""
    assert TOKENS.read(text) == TOKENS.read(text.upper()) == token
    assert TOKENS.read("m" + text[1:-1] + "a") is None


@pytest.mark.parametrize(
    "purpose, hours, consent, frees",
    [
        (Purpose.CONFIRM, 1, ConfirmationReply.YES, True),
        (Purpose.COMMANDS, 1, ConfirmationReply.YES, False),
        (Purpose.CONFIRM, 24 * 30, ConfirmationReply.YES, False),
        (Purpose.SIT, 24 * 30, ConfirmationReply.YES, False),
        (Purpose.CONFIRM, 1, ConfirmationReply.NOTHING, False),
    ],
)
def test_only_a_fresh_consent_releases_deferred_commands(
    purpose: Purpose, hours: int, consent: ConfirmationReply, frees: bool
) -> None:
    people: Any = SimpleNamespace(
        address_of=lambda number: "ann@example.org", is_confirmed=lambda address: True,
        pending_for=lambda address, since, before=None: [PendingLine(7, frozenset({1}), address)],
    )
    context = SimpleNamespace(
        people=people, policy=SimpleNamespace(is_operator=lambda address: False),
        tokens=SimpleNamespace(write=lambda token: "word"),
    )
    now = datetime(2026, 1, 5, tzinfo=UTC)
    mail = SimpleNamespace(message_id="<1@x>")
    session: Any = SimpleNamespace(context=context, now=now, mail=mail, deferred=())
    token = ReplyToken.at(now - timedelta(hours=hours), purpose, 1)
    assert [held.mail for held in pending_commands(session, token, consent)] == (
        [7] if frees else []
    )


def test_password_reset_before_the_start_is_mailed_to_its_sender() -> None:
    rig = Rig()
    rig.mail("gm@example.org", "CREATE ?marco gmsecret")
    for name in ("ann", "bob"):
        rig.mail(f"{name}@example.org", f"JOIN marco {name}secret")
    rig.boxes.clear()
    rig.mail("bob@example.org", "RESET PASSWORD ?marco")
    rig.letter("bob@example.org", "info")
    assert "lost" in text_of(rig.letter("bob@example.org", "confirm"))
    assert "ann@example.org" not in rig.boxes
    rig.close()


@pytest.mark.parametrize("why, address, owner, was_asked, is_sent", [
    (LOST, "ann@example.org", None, False, True), (LOST, "ann@example.org", None, True, False),
    (UNPROVEN, "ann@example.org", None, False, True),
    (UNPROVEN, "ann@example.org", None, True, False),
    # Actions of the judge itself are reported at once.
    (SEVERAL, "ann@example.org", None, True, True),
    (TAKEN_BACK, "ann@example.org", None, True, True),
    # Vacant seats and seats with a sitter have no password to reset.
    (LOST, "", None, False, False), (SEVERAL, "", None, False, False),
    (LOST, "ann@example.org", "bob@example.org", False, False),
])
def test_password_reset_is_mailed_to_the_seats_owner(
    why: str, address: str, owner: str | None, was_asked: bool, is_sent: bool
) -> None:
    asked: list[tuple[object, ...]] = []

    def ask(*what: object) -> bool:
        asked.append(what)
        return not was_asked

    now = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
    context = SimpleNamespace(people=SimpleNamespace(ask_once=ask), tokens=TOKENS)
    session = SimpleNamespace(context=context, now=now)
    seat = Seat(3, 1, Role.PLAYER, SeatState.OCCUPIED, "France", address, epoch=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resetting, "owner_of", lambda seat: owner)
        patch.setattr(resetting, "letter_to", lambda *_: Letter(
            LetterKind.CONFIRM, address, "", "reset", unsubscribe="x"
        ))
        sent = resetting.reset_letters(cast(Any, session), cast(Any, None), seat, why)
    assert len(sent) == is_sent
    is_bounded = why in (LOST, UNPROVEN) and bool(address) and not owner
    assert asked == [("reset 3", now, now - timedelta(days=1))] * is_bounded
    for letter in sent:
        token = TOKENS.read(letter.token)
        assert token is not None and (token.purpose, token.seat, token.epoch) == (
            Purpose.PASSWORD, 3, 2
        )
        assert letter.unsubscribe == ""
