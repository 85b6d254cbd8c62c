"""Identity of senders: passwords, tokens, forged senders and limits, by mail."""

from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage

import pytest

from judge.config import Config, ListenSection, PolicySection, StoreSection
from judge.daemon.retention import FULL_MAIL_RETENTION, Retention
from judge.model.record import Seat
from judge.play.gm.operator import ban
from judge.play.passwords import PasswordCheck
from judge.play.people import signon_throttle
from tests.journeys.rig import Rig, squeeze_text, text_of

ANN, EVE, GM, KATE = (f"{name}@example.org" for name in ("ann", "eve", "gm", "kate"))
CONFIG = Config(
    store=StoreSection("sqlite:///:memory:"), listen=ListenSection(trust="mx.example.org")
)
HIDDEN = 'mx.example.org; spf=pass smtp.mailfrom="("@x.org; dmarc=fail; a=pass smtp.b=")"'
FAILED = "mx.example.org; dmarc=fail header.from=example.org"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game of a judge with a trusted server.

    Ann is India, and Germany is vacant.
    """
    made = Rig(CONFIG)
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


@pytest.fixture
def costly_checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List of all password checks with their full cost."""
    checked: list[str] = []
    real = PasswordCheck.verify

    def noting(ring: PasswordCheck, stored: str, password: str) -> bool:
        checked.append(password)
        return real(ring, stored, password)

    monkeypatch.setattr(PasswordCheck, "verify", noting)
    return checked


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List of all password checks, without their cost."""
    checked: list[str] = []
    real = PasswordCheck.verify

    def quick(ring: PasswordCheck, stored: str, password: str) -> bool:
        checked.append(password)
        return password.endswith("secret") and real(ring, stored, password)

    monkeypatch.setattr(PasswordCheck, "verify", quick)
    return checked


def seat_of(rig: Rig, power: str) -> Seat:
    """Return the seat of a power."""
    game = rig.application.games.find("marco")
    assert game is not None
    return next(seat for seat in rig.application.games.seats(game.id) if seat.power == power)


def read_next_letter(rig: Rig, address: str) -> str:
    """Return the text of the next letter to an address, with single blanks."""
    return " ".join(text_of(rig.letter(address)).split())


WRONG = ["N", "G", "Z", "M", "O", "india@", "atlantis@"]


def test_failed_sign_ons_get_equal_replies_at_equal_cost(
    rig: Rig, costly_checks: list[str]
) -> None:
    """The reply must not depend on the reason of the failure.

    Reasons are a wrong password, a vacant seat, an unknown letter or name, and a missing observer.
    """
    answers = set()
    for who in WRONG:
        sender = f"x{len(answers)}{who.strip('@')}@example.org"
        costly_checks.clear()
        rig.mail(sender, f"SIGNON {who}marco wrongword\nA Del - Kas")
        assert len(costly_checks) == 1, who
        answers.add(read_next_letter(rig, sender).replace(f"{who}marco", "", 1))
    assert len(answers) == 1
    assert "wrong game, power or password" in answers.pop()
    assert not rig.boxes.get(ANN), "nothing that concerns her was done"


def test_repeated_guesses_must_wait_increasingly_long(rig: Rig, cheap: list[str]) -> None:
    for _ in range(signon_throttle.FREE_ATTEMPTS):
        rig.mail(EVE, "SIGNON Nmarco wrongword")
        assert "wrong game, power or password" in read_next_letter(rig, EVE)
    cheap.clear()
    rig.mail(EVE, "SIGNON Nmarco annsecret\nA Del - Kas")
    assert "Try again in 1 minute, or" in read_next_letter(rig, EVE) and not cheap
    rig.clock.advance(minutes=1, seconds=1)
    rig.mail(EVE, "SIGNON Nmarco wrongword")
    assert "wrong game, power or password" in read_next_letter(rig, EVE)
    rig.mail(EVE, "SIGNON india@marco wrongword")
    assert "Try again in 2 minutes" in read_next_letter(rig, EVE), (
        "another spelling is the same seat"
    )
    rig.clock.advance(minutes=2, seconds=1)
    rig.mail(EVE, "SIGNON Nmarco annsecret")
    assert "Details went to the address registered" in read_next_letter(rig, EVE)
    rig.letter(ANN, "receipt")
    rig.mail(EVE, "SIGNON Nmarco wrongword")
    said = read_next_letter(rig, EVE)
    assert "wrong game, power or password" in said, "the right one wipes the slate clean"


@pytest.mark.slow
def test_only_a_few_of_a_thousand_guesses_are_checked(rig: Rig, cheap: list[str]) -> None:
    for number in range(25):
        rig.mail(EVE, "\n".join(f"SIGNON Nmarco guess{number}{n}" for n in range(40)))
        rig.clock.advance(seconds=10)
    assert len(cheap) < 60, len(cheap)


@pytest.mark.parametrize("seat", ["N", "Z"])
def test_guesses_of_many_senders_are_limited_at_the_seat(
    rig: Rig, cheap: list[str], seat: str
) -> None:
    free = signon_throttle.FREE_ATTEMPTS
    for number in range(signon_throttle.MAX_AT_SEAT // free + 2):
        guesses = "\n".join(f"SIGNON {seat}marco wrongword{n}" for n in range(free))
        rig.mail(f"x{number}@example.org", guesses)
    checked = [word for word in cheap if word.startswith("wrongword")]
    assert len(checked) == signon_throttle.MAX_AT_SEAT
    rig.mail("y@example.org", f"SIGNON {seat}marco wrongword")
    assert "Try again in 60 minutes" in read_next_letter(rig, "y@example.org")


@pytest.mark.slow
def test_guesses_never_lock_out_the_registered_player(rig: Rig, cheap: list[str]) -> None:
    """Neither guesses in her name nor from elsewhere keep Ann from her seat."""
    rig.mail(GM, "SIGNON Mmarco gmsecret\nSTATUS")
    for number in range(30):
        rig.mail(ANN, "\n".join(f"SIGNON Nmarco guess{n}" for n in range(10)))
        rig.mail(f"x{number}@example.org", "\n".join(["SIGNON Nmarco wrongword"] * 10))
    rig.mail("y@example.org", "SIGNON Nmarco annsecret")
    assert "Too many wrong passwords" in read_next_letter(rig, "y@example.org")
    rig.boxes.clear()
    rig.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    assert "Army Delhi -> Kashmir" in read_next_letter(rig, ANN)
    rig.reply(ANN, "F Mad - Ben")
    assert "Fleet Madras -> " in read_next_letter(rig, ANN)


def test_guesses_of_one_address_at_all_seats_are_limited(rig: Rig, cheap: list[str]) -> None:
    for letter in "ABCDEFGHIJ":
        rig.mail(EVE, f"SIGNON {letter}marco wrongword\n" * 4)
    assert len(cheap) <= signon_throttle.MAX_FROM_ADDRESS + 10
    cheap.clear()
    rig.boxes.clear()
    rig.mail(EVE, "SIGNON Tmarco wrongword")
    assert not cheap


def test_the_number_of_passwords_in_a_mail_is_limited(rig: Rig, cheap: list[str]) -> None:
    lines = [
        f"SIGNON Nmarco guess{number}"
        for number in range(signon_throttle.MAX_PASSWORDS_PER_MAIL + 5)
    ]
    rig.mail(ANN, "\n".join([*lines, "SIGNON Nmarco annsecret", "A Del - Kas"]))
    assert len(cheap) == signon_throttle.MAX_PASSWORDS_PER_MAIL
    answer, told = sorted(
        (read_next_letter(rig, ANN), read_next_letter(rig, ANN)), key=lambda x: "In an hour" in x
    )
    assert f"{signon_throttle.MAX_OWN_FAILURES} wrong passwords for your seat in marco" in told
    assert f"A mail can hold {signon_throttle.MAX_PASSWORDS_PER_MAIL} passwords" in answer
    assert not rig.boxes[ANN] and not rig.application.games.orders(1, "S1901M")


def test_a_token_works_from_its_address_and_others_are_reported(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
    letter = rig.letter(ANN, "receipt")
    rig.reply(EVE, "CLEAR\nA Del - Kas\nRESIGN", letter)
    answer, warning = read_next_letter(rig, EVE), read_next_letter(rig, ANN)
    assert "does not sign you on" in answer and "Army Delhi" not in answer
    assert "from another address, so nothing was done." in warning
    assert not rig.application.games.orders(1, "S1901M")
    rig.reply(ANN, "A Del - Kas", letter)
    assert "Army Delhi -> Kashmir" in read_next_letter(rig, ANN)


@pytest.mark.parametrize(
    "line", ["SIGNON Nmarco annsecret\nSET PASSWORD newsecret", "SET TOKEN OFF"]
)
def test_older_tokens_expire_with_a_new_password_or_setting(rig: Rig, line: str) -> None:
    rig.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
    letter = rig.letter(ANN, "receipt")
    rig.reply(ANN, line, letter)
    newer = rig.letter(ANN, "receipt")
    assert ("+" in newer["Reply-To"]) is (line != "SET TOKEN OFF")
    rig.reply(ANN, "A Del - Kas", letter)
    assert "does not sign you on" in read_next_letter(rig, ANN)


def test_a_token_from_a_doubtful_sender_opens_no_seat(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
    to = str(rig.letter(ANN, "receipt")["Reply-To"])
    rig.mail(ANN, "A Del - Kas", to, Authentication_Results=FAILED)
    letters = [text_of(letter) for letter in rig.boxes.pop(ANN)]
    assert any("does not sign you on" in " ".join(text.split()) for text in letters)
    assert any("from another address" in " ".join(text.split()) for text in letters)
    forged = FAILED.replace("mx.example.org", "mx.evil.example")
    rig.mail(ANN, "A Del - Kas", to, Authentication_Results=forged)
    assert "Army Delhi -> Kashmir" in read_next_letter(rig, ANN), "said by nobody we trust"


@pytest.fixture(scope="module")
def forming() -> Iterator[Rig]:
    """A forming game and its master's letter."""
    made = Rig(CONFIG)
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    yield made
    made.close()


@pytest.mark.parametrize("trust", ["mx.example.org", ""])
@pytest.mark.parametrize("verdict", ["permerror", "none", "pass header.from=example.org"])
@pytest.mark.parametrize("head", [
    f"From: {EVE}\nFrom: {ANN}", f"From: {ANN}\nFrom: {EVE}", f"From: {EVE}, {ANN}",
])
def test_a_mail_of_two_authors_opens_no_seat_with_a_token(
    forming: Rig, trust: str, verdict: str, head: str
) -> None:
    rig = forming.again(replace(CONFIG, listen=ListenSection(trust=trust)))
    to = str(rig.letter(GM, "receipt")["Reply-To"])
    text = f"Authentication-Results: mx.example.org; dmarc={verdict}\n{head}\nTo: {to}\n\n"
    rig.take(f"{text.replace(ANN, GM)}SET MOVE NEXT 48\n".encode(), GM, to)
    game = rig.application.games.find("marco")
    assert game and "48" not in str(game.settings)
    rig.close()


def test_a_verdict_hidden_behind_a_quoted_local_part_counts(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
    to = str(rig.letter(ANN, "receipt")["Reply-To"])
    rig.mail(ANN, "A Del - Kas", to, Authentication_Results=HIDDEN)
    assert not rig.application.games.orders(1, "S1901M")


def test_a_password_suffices_for_a_doubtful_sender(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas", Authentication_Results=FAILED)
    assert "Army Delhi -> Kashmir" in read_next_letter(rig, ANN)


@pytest.mark.parametrize(
    "line", ["CREATE ?other xsecret", "OBSERVE marco", "TAKEOVER Gmarco xsecret"]
)
def test_a_doubtful_sender_gets_no_seat(rig: Rig, line: str) -> None:
    rig.mail(EVE, line, Authentication_Results=FAILED)
    assert "doubts that this mail came from the address" in read_next_letter(rig, EVE)
    assert EVE not in [seat.address for seat in rig.application.games.seats(1)]
    assert rig.application.games.find("other") is None


def test_guesses_of_a_doubtful_sender_count_as_a_strangers(rig: Rig, cheap: list[str]) -> None:
    for _ in range(signon_throttle.FREE_ATTEMPTS + 1):
        rig.mail(ANN, "SIGNON Nmarco wrongword", Authentication_Results=FAILED)
    assert len(cheap) == signon_throttle.FREE_ATTEMPTS


@pytest.fixture
def sparing(begun: Rig) -> Iterator[Rig]:
    """The game at a judge with a low limit of replies to strangers."""
    policy = replace(CONFIG.policy, strangers_per_hour=7)
    made = begun.again(replace(CONFIG, policy=policy))
    yield made
    made.close()


def test_replies_to_a_stranger_are_limited_separately(sparing: Rig) -> None:
    rig, most = sparing, sparing.config.policy.strangers_per_hour
    for number in range(most + 10):
        rig.mail(ANN, "hello?")
        rig.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
        rig.mail(GM, f"SIGNON Mmarco gmsecret\nBROADCAST\n{number}\nENDPRESS")
    kinds = [letter["X-Judge-Kind"] for letter in rig.boxes[ANN]]
    assert kinds.count("error") == most
    assert kinds.count("receipt") == kinds.count("press") == most + 10


def test_commands_with_a_password_are_answered_over_the_limit(sparing: Rig) -> None:
    for _ in range(sparing.config.policy.strangers_per_hour + 1):
        sparing.mail(EVE, "hello?")
    sparing.boxes.clear()
    sparing.mail(EVE, "SIGNON Nmarco annsecret\nSTATUS")
    assert "Details went to the address registered" in read_next_letter(sparing, EVE)
    sparing.mail(EVE, "hello?")
    assert not sparing.boxes[EVE]


def confirming() -> Rig:
    """Return a judge that has new addresses confirmed."""
    return Rig(replace(CONFIG, policy=PolicySection(confirm="true")))


def test_deferred_commands_are_carried_out_once() -> None:
    rig = confirming()
    rig.mail(GM, "CREATE ?marco gmsecret youngstown")
    rig.reply(GM, "")
    rig.boxes.clear()
    rig.mail(
        EVE,
        "SIGNON Mmarco gmsecret\nBROADCAST\nfirst\nENDPRESS\nOBSERVE marco\nSTATUS\n"
        "SIGNON Mmarco gmsecret\nBROADCAST\nsecond\nENDPRESS",
    )
    assert rig.letter(GM, "receipt")
    assert len(rig.application.games.events(1)) == 2
    rig.reply(EVE, "yes", next(x for x in rig.boxes[EVE] if x["X-Judge-Kind"] == "confirm"))
    assert len(rig.application.games.events(1)) == 2, "the press was sent once"
    kinds = [letter["X-Judge-Kind"] for letter in rig.boxes[EVE]]
    assert kinds == ["info", "confirm", "confirm", "receipt"]
    rig.close()


def test_a_reply_to_a_letter_of_a_seat_confirms_the_address(forming: Rig) -> None:
    """Seats older than the confirmation policy need no confirmation."""
    rig = forming.again()
    rig.reply(GM, "STATUS")
    assert rig.application.context.people.is_confirmed(GM)
    rig.close()


def test_confirmation_letters_are_limited_to_one_a_day() -> None:
    rig = confirming()
    for number in range(30):
        rig.mail(ANN, f"OBSERVE game{number}")
    kinds = [letter["X-Judge-Kind"] for letter in rig.boxes[ANN]]
    assert kinds.count("confirm") == 1 and kinds.count("error") == 10
    rig.clock.advance(days=1, seconds=1)
    rig.mail(ANN, "OBSERVE marco\nhello")
    assert [x["X-Judge-Kind"] for x in rig.boxes[ANN]].count("confirm") == 2
    rig.close()


def test_a_confirmation_letter_contains_no_text_of_a_stranger() -> None:
    rig = confirming()
    rig.mail(ANN, "CREATE ?marco gmsecret buy cheap pills http://evil.example")
    text = text_of(rig.letter(ANN, "confirm"))
    assert "CREATE marco" in text and "evil" not in text and "pills" not in text
    rig.close()


def test_automatic_mail_confirms_nothing() -> None:
    rig = confirming()
    rig.mail(ANN, "CREATE ?marco gmsecret")
    to = str(rig.letter(ANN, "confirm")["Reply-To"])
    rig.mail(ANN, "I am on holiday", to, Auto_Submitted="auto-replied")
    assert not rig.application.context.people.is_confirmed(ANN)
    assert rig.application.games.find("marco") is None
    rig.close()


def test_the_operator_must_confirm_too() -> None:
    rig = confirming()
    rig.mail("postmaster@localhost", "CREATE ?marco gmsecret")
    assert rig.application.games.find("marco") is None, "machine mail by its name"
    rig.close()
    policy = PolicySection(confirm="true")
    section = replace(CONFIG.judge, keeper=KATE)
    rig = Rig(replace(CONFIG, policy=policy, judge=section))
    rig.mail(KATE, "CREATE ?marco gmsecret")
    assert rig.application.games.find("marco") is None
    rig.reply(KATE, "yes")
    assert rig.application.games.find("marco") is not None
    rig.close()


def test_mails_are_reduced_to_headers_after_thirty_days(
    rig: Rig,
) -> None:
    tidying = Retention(rig.application)
    tidying.run_once(rig.clock.now())
    whole = rig.application.post.get(1)
    assert whole is not None and b"gmsecret" in whole.raw
    rig.clock.set(rig.clock.now() + FULL_MAIL_RETENTION)
    rig.clock.advance(hours=2)
    rig.mail(ANN, "SIGNON Nmarco annsecret")
    tidying.run_once(rig.clock.now())
    kept = [rig.application.post.get(number) for number in (1, 2, 3, 4)]
    assert [mail is not None and b"secret" in mail.raw for mail in kept] == [False] * 3 + [True]
    assert kept[0] is not None and "sha256" in kept[0].note and b"Message-ID" in kept[0].raw
    # A second delivery of a reduced mail is still recognised.
    rig.boxes.clear()
    rig.take(whole.raw, GM)
    assert not rig.boxes


def test_tokens_of_an_older_key_are_still_valid(
    rig: Rig,
) -> None:
    rig.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
    letter: EmailMessage = rig.letter(ANN, "receipt")
    (first,) = rig.application.key_values.keys(rig.clock.now())
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPAUSE")
    rig.clock.advance(days=100)
    Retention(rig.application).run_once(rig.clock.now())
    keys = rig.application.key_values.keys(rig.clock.now())
    assert len(keys) == 2 and keys[1] == first
    rig.boxes.clear()
    rig.reply(ANN, "A Del - Kas", letter)
    assert "Army Delhi -> Kashmir" in read_next_letter(rig, ANN)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nTERMINATE marco S1901M")
    rig.clock.advance(days=40)
    Retention(rig.application).run_once(rig.clock.now())
    assert first not in rig.application.key_values.keys(rig.clock.now())


def test_a_replayed_mail_changes_nothing(rig: Rig) -> None:
    old = (
        b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\n"
        b"SIGNON Nmarco annsecret\r\nA Del H\r\n"
    )
    rig.take(old, ANN)
    rig.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    rig.boxes.clear()
    rig.clock.advance(hours=20)
    rig.take(b"Received: from evil.example\r\n" + old, "eve@evil.example")
    assert "KAS" in rig.application.games.orders(1, "S1901M")["India"].upper()
    assert not rig.boxes.get(ANN)


def test_press_contains_only_the_power_of_its_writer(rig: Rig) -> None:
    raw = (
        b"From: Ann Example <ann@example.org>\r\nSender: ann@work.example\r\n"
        b"Message-ID: <traitor@home.example>\r\nX-Originating-IP: 192.0.2.77\r\n"
        b"User-Agent: AnnMail\r\nSubject: secret subject\r\n"
        b"References: <thread@home.example>\r\n\r\n"
        b"SIGNON Nmarco annsecret\r\nBROADCAST\r\nHello\r\nENDPRESS\r\n-- \r\nAnn Example, Esq.\r\n"
    )
    rig.mail(EVE, "OBSERVE marco")
    rig.boxes.clear()
    rig.take(raw, ANN)
    for reader in (EVE, GM):
        letter = rig.letter(reader, "press").as_bytes()
        assert b"Hello" in letter and b"India" in letter
        for trait in (b"Ann", b"ann@", b"home.example", b"192.0.2", b"secret subject", b"Esq"):
            assert trait not in letter, trait


def test_a_sign_on_with_a_pending_password_is_deferred() -> None:
    rig = confirming()
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    rig.reply(GM, "yes")
    rig.mail(ANN, "TAKEOVER Rmarco annsecret\nA War - Gal")
    asked = rig.letter(ANN, "confirm")
    rig.clock.advance(hours=1)
    rig.mail(ANN, "SIGNON Rmarco annsecret\nA Mos - Ukr")
    assert "are kept, with their time of arrival" in read_next_letter(rig, ANN)
    rig.mail(EVE, "SIGNON Rmarco annsecret\nA Mos - Ukr")
    assert "wrong game, power or password" in read_next_letter(rig, EVE), "nothing of Eve's waits"
    assert not rig.application.games.orders(1, "S1901M")
    rig.reply(ANN, "YES", asked)
    assert set(rig.application.games.orders(1, "S1901M")) == {"Russia"}
    sheet = rig.application.games.orders(1, "S1901M")["Russia"].upper()
    assert "GAL" in sheet and "UKR" in sheet
    rig.close()


def test_deferred_orders_are_for_the_phase_of_their_arrival() -> None:
    rig = confirming()
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    rig.reply(GM, "yes")
    rig.mail(ANN, "TAKEOVER Rmarco annsecret\nA War - Gal")
    asked = rig.letter(ANN, "confirm")
    rig.clock.advance(minutes=1)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    rig.reply(ANN, "YES", asked)
    assert not rig.application.games.orders(1, "F1901M")
    told = [" ".join(text_of(letter).split()) for letter in rig.boxes[ANN]]
    assert any("You now play Russia in 'marco'" in text for text in told)
    assert any("SIGNON Rmarco yourpassword A War - Gal" in text for text in told)
    rig.close()


@pytest.mark.parametrize("confirm", ["true", "false"])
def test_operator_only_games_need_a_confirmation(confirm: str) -> None:
    policy = PolicySection(confirm=confirm, create="keeper")
    section = replace(CONFIG.judge, keeper=KATE)
    rig = Rig(replace(CONFIG, policy=policy, judge=section))
    rig.mail(KATE, "CREATE ?marco gmsecret")
    assert rig.application.games.find("marco") is None
    rig.reply(KATE, "yes")
    assert rig.application.games.find("marco") is not None
    rig.mail(EVE, "CREATE ?other evesecret")
    rig.reply(EVE, "yes") if confirm == "true" else None
    assert rig.application.games.find("other") is None
    rig.close()


def test_operator_only_games_are_copied_by_the_operator_only() -> None:
    policy = PolicySection(confirm="false", create="keeper")
    rig = Rig(replace(CONFIG, policy=policy, judge=replace(CONFIG.judge, keeper=KATE)))
    rig.mail(KATE, "CREATE ?marco gmsecret standard\nSTART\nSET NO TALK")
    rig.reply(KATE, "yes")
    rig.mail(EVE, "OBSERVE marco evesecret")
    rig.mail(KATE, f"SIGNON Mmarco gmsecret\nPROMOTE {EVE}\nTERMINATE marco S1901M")
    rig.mail(KATE, "SIGNON Mmarco gmsecret\nIMPORT trial marco")
    assert rig.application.games.find("trial") is not None
    rig.mail(EVE, "SIGNON Mmarco evesecret\nIMPORT other marco")
    assert "Only the operator of this judge may create games." in text_of(rig.newest[EVE])
    assert rig.application.games.find("other") is None
    rig.close()


def test_a_ban_covers_the_seat_from_any_address(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Nmarco annsecret\nSET ADDRESS ann@work.example")
    asked = rig.newest["ann@work.example"]
    with rig.application.context.unit_of_work() as context:
        ban(context, ANN, False, rig.clock.now())
    rig.boxes.clear()
    rig.mail(EVE, "SIGNON Nmarco annsecret\nA Del - Kas")
    assert "wrong game, power or password" in read_next_letter(rig, EVE)
    rig.reply("ann@work.example", "yes", asked)
    assert "or is older than 7 days" in read_next_letter(rig, "ann@work.example")
    assert seat_of(rig, "India").address == ANN
    assert not rig.application.games.orders(1, "S1901M") and not rig.boxes.get(ANN)


def test_eject_finds_a_person_by_any_address(rig: Rig) -> None:
    rig.mail(EVE, "OBSERVE marco")
    rig.mail(EVE, "IAMALSO eve@work.example")
    for address in (EVE, "eve@work.example"):
        letter = next(x for x in rig.boxes[address] if x["Subject"].startswith("Are both"))
        rig.reply(address, "yes", letter)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nEJECT eve@work.example")
    seats = rig.application.games.seats(1)
    assert [seat.state.value for seat in seats if seat.address == EVE] == ["left"]


def test_a_new_password_may_be_changed_at_once() -> None:
    """The first password needs no old one, and the second follows in the same mail."""
    rig = Rig()
    rig.mail(GM, "CREATE ?speak gmsecret standard\nSTART")
    rig.mail(EVE, "OBSERVE speak")
    rig.boxes.clear()
    rig.reply(EVE, "SET PASSWORD evefirst\nSET PASSWORD evesecond")
    told = text_of(rig.letter(EVE, "receipt"))
    assert "Your password has been changed." in told and "cannot change a password" not in told
    assert not rig.boxes[EVE]
    rig.mail(EVE, "SIGNON Ospeak evefirst\nSTATUS")
    rig.letter(EVE, "error")
    rig.mail(EVE, "SIGNON Ospeak evesecond\nSTATUS")
    rig.letter(EVE, "receipt")
    rig.close()


def test_eject_by_address_vacates_every_seat_of_that_person() -> None:
    """Each seat has a letter, the master has one, and the address stays barred."""
    rig = Rig()
    rig.mail(GM, "CREATE ?speak gmsecret standard\nSET SEATS 3")
    rig.mail(EVE, "JOIN speak evesecret")
    rig.mail(EVE, "JOIN speak eveother AGAIN")
    rig.boxes.clear()
    rig.mail(GM, f"SIGNON Mspeak gmsecret\nEJECT {EVE}")
    told = [text_of(letter) for letter in rig.boxes[EVE]]
    assert sum("has removed you" in squeeze_text(text) for text in told) == 2
    assert len(told) == 2
    assert {seat.state.value for seat in rig.application.games.seats(1) if seat.address == EVE} == {
        "left"
    }
    assert text_of(rig.letter(GM, "receipt")).count(EVE) == 1
    rig.mail(EVE, "JOIN speak evesecret")
    assert not [seat for seat in rig.application.games.seats(1)
                if seat.address == EVE and seat.state.value != "left"]
    rig.close()


def test_only_letters_to_observers_offer_to_unsubscribe(rig: Rig) -> None:
    rig.mail(EVE, "OBSERVE marco")
    rig.boxes.clear()
    rig.mail(GM, "SIGNON Mmarco gmsecret\nOFFICIAL Hello\nGood luck.\nENDOFFICIAL")
    offered = {to: str(letter["List-Unsubscribe"]) for to, box in rig.boxes.items()
               for letter in box if letter["List-Unsubscribe"]}
    assert {ANN, EVE} <= rig.boxes.keys()
    assert offered.keys() == {EVE} and offered[EVE].startswith("<mailto:judge+")


def test_yes_confirms_only_the_commands_of_its_letter() -> None:
    rig = confirming()
    rig.mail(ANN, "CREATE ?marco annsecret")
    rig.reply(ANN, "yes")
    rig.mail(ANN, "STANDBY")
    asked = rig.newest[ANN]
    rig.clock.advance(seconds=2)
    rig.mail(ANN, "NAME Evil")
    rig.reply(ANN, "yes", asked)
    person = rig.application.context.register.person(ANN)
    assert (person.standby, person.name) == (("*",), "")
    rest = [letter for letter in rig.boxes[ANN] if letter["X-Judge-Kind"] == "confirm"][-1]
    assert "|| REGISTER NAME Evil" in text_of(rest) and "STANDBY" not in text_of(rest)
    rig.reply(ANN, "yes", rest)
    assert rig.application.context.register.person(ANN).name == "Evil"
    rig.close()


def test_confirmation_lists_each_field_of_register() -> None:
    rig = confirming()
    rig.mail(ANN, "CREATE ?marco annsecret")
    rig.reply(ANN, "yes")
    noise = "\n".join(f"Hobby {number}: none" for number in range(40))
    rig.mail(ANN, f"REGISTER\n{noise}\nName: Evil\nName: /\nZone: UTC\nEND")
    assert "|| REGISTER NAME Evil, NAME /, ZONE UTC" in text_of(rig.newest[ANN])
    zones = "\n".join(f"Zone: x{number}" for number in range(40))
    rig.mail(ANN, f"REGISTER\n{zones}\nName: Evil\nEND")
    assert rig.newest[ANN]["X-Judge-Kind"] == "error"
    rig.close()
