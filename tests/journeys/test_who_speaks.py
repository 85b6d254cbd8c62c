"""Who speaks: wrong passwords, tokens from elsewhere, forged senders, limits; with whole mails."""

from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage

import pytest

from judge.config import Config, ListenSection, PolicySection, StoreSection
from judge.daemon.retention import KEPT_WHOLE, Tidying
from judge.model.record import Seat
from judge.play.gm.operator import ban
from judge.play.passwords import Keyring
from judge.play.people import signon_throttle
from tests.journeys.bench import Bench, text_of

ANN, EVE, GM = "ann@example.org", "eve@example.org", "gm@example.org"
CONFIG = Config(
    store=StoreSection("sqlite:///:memory:"), listen=ListenSection(trust="mx.example.org")
)
HIDDEN = 'mx.example.org; spf=pass smtp.mailfrom="("@x.org; dmarc=fail; a=pass smtp.b=")"'
FAILED = "mx.example.org; dmarc=fail header.from=example.org"


@pytest.fixture(scope="module")
def begun() -> Iterator[Bench]:
    """A running game of a trusting judge: Ann plays India, Germany has no player."""
    made = Bench(CONFIG)
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes every check of a password that costs the time of one."""
    checked: list[str] = []
    real = Keyring._verify

    def noting(ring: Keyring, stored: str, password: str) -> bool:
        checked.append(password)
        return real(ring, stored, password)

    monkeypatch.setattr(Keyring, "_verify", noting)
    return checked


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Checks passwords without the cost, and notes which were checked."""
    checked: list[str] = []
    real = Keyring._verify

    def quick(ring: Keyring, stored: str, password: str) -> bool:
        checked.append(password)
        return password.endswith("secret") and real(ring, stored, password)

    monkeypatch.setattr(Keyring, "_verify", quick)
    return checked


def seat_of(bench: Bench, power: str) -> Seat:
    """Return the seat of a power."""
    game = bench.works.games.find("marco")
    assert game is not None
    return next(seat for seat in bench.works.games.seats(game.id) if seat.power == power)


def said(bench: Bench, address: str) -> str:
    """Return the text of the next letter to an address, its blanks squeezed."""
    return " ".join(text_of(bench.letter(address)).split())


WRONG = ["N", "G", "Z", "M", "O", "india@", "atlantis@"]


def test_every_wrong_sign_on_gets_the_same_answer_and_costs_one_check(
    bench: Bench, verified: list[str]
) -> None:
    """A wrong password, a vacant seat, an unknown letter or name, no observer: all are one."""
    answers = set()
    for who in WRONG:
        sender = f"x{len(answers)}{who.strip('@')}@example.org"
        verified.clear()
        bench.mail(sender, f"SIGNON {who}marco wrongword\nA Del - Kas")
        assert len(verified) == 1, who
        answers.add(said(bench, sender).replace(f"{who}marco", "", 1))
    assert len(answers) == 1
    assert "no such seat, or another password" in answers.pop()
    assert not bench.boxes.get(ANN), "nothing that concerns her was done"


def test_who_guesses_must_wait_longer_and_longer(bench: Bench, cheap: list[str]) -> None:
    for _ in range(signon_throttle.FREE):
        bench.mail(EVE, "SIGNON Nmarco wrongword")
        assert "no such seat, or another password" in said(bench, EVE)
    cheap.clear()
    bench.mail(EVE, "SIGNON Nmarco annsecret\nA Del - Kas")
    assert "Try again in 1 minute, or" in said(bench, EVE) and not cheap
    bench.clock.forward(minutes=1, seconds=1)
    bench.mail(EVE, "SIGNON Nmarco wrongword")
    assert "another password" in said(bench, EVE)
    bench.mail(EVE, "SIGNON india@marco wrongword")
    assert "Try again in 2 minutes" in said(bench, EVE), "another spelling is the same seat"
    bench.clock.forward(minutes=2, seconds=1)
    bench.mail(EVE, "SIGNON Nmarco annsecret")
    assert "carried out" in said(bench, EVE)
    bench.letter(ANN, "receipt")
    bench.mail(EVE, "SIGNON Nmarco wrongword")
    assert "another password" in said(bench, EVE), "the right one wipes the slate clean"


def test_a_thousand_guesses_are_looked_at_a_few_times_only(
    bench: Bench, cheap: list[str]
) -> None:
    for number in range(25):
        bench.mail(EVE, "\n".join(f"SIGNON Nmarco guess{number}{n}" for n in range(40)))
        bench.clock.forward(seconds=10)
    assert len(cheap) < 60, len(cheap)


@pytest.mark.parametrize("seat", ["N", "Z"])
def test_guesses_under_many_names_end_at_the_seat_whether_it_exists_or_not(
    bench: Bench, cheap: list[str], seat: str
) -> None:
    for number in range(signon_throttle.MOST_AT_SEAT + 10):
        bench.mail(f"x{number}@example.org", f"SIGNON {seat}marco wrongword")
    checked = [word for word in cheap if word == "wrongword"]
    assert len(checked) == signon_throttle.MOST_AT_SEAT
    bench.mail("y@example.org", f"SIGNON {seat}marco wrongword")
    assert "Try again in 60 minutes" in said(bench, "y@example.org")


def test_no_flood_of_guesses_shuts_out_who_is_registered(bench: Bench, cheap: list[str]) -> None:
    """Neither guesses in her own name nor from elsewhere keep Ann from her seat."""
    bench.mail(GM, "SIGNON Mmarco gmsecret\nSTATUS")
    for number in range(30):
        bench.mail(ANN, "\n".join(f"SIGNON Nmarco guess{n}" for n in range(10)))
        bench.mail(f"x{number}@example.org", "\n".join(["SIGNON Nmarco wrongword"] * 10))
    bench.mail("y@example.org", "SIGNON Nmarco annsecret")
    assert "not looked at" in said(bench, "y@example.org")
    bench.boxes.clear()
    bench.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    assert "Army Delhi -> Kashmir" in said(bench, ANN)
    bench.reply(ANN, "F Mad - Ben")
    assert "Fleet Madras -> " in said(bench, ANN)


def test_one_address_guesses_so_often_at_all_seats_together(
    bench: Bench, cheap: list[str]
) -> None:
    for letter in "ABCDEFGHIJ":
        bench.mail(EVE, f"SIGNON {letter}marco wrongword\n" * 4)
    assert len(cheap) <= signon_throttle.MOST_FROM_ADDRESS + 10
    cheap.clear()
    bench.boxes.clear()
    bench.mail(EVE, "SIGNON Tmarco wrongword")
    assert not cheap


def test_a_mail_may_hold_so_many_passwords(bench: Bench, cheap: list[str]) -> None:
    lines = [f"SIGNON Nmarco guess{number}" for number in range(signon_throttle.MOST_OPENINGS + 5)]
    bench.mail(ANN, "\n".join([*lines, "SIGNON Nmarco annsecret", "A Del - Kas"]))
    assert len(cheap) == signon_throttle.MOST_OPENINGS
    answer, told = sorted((said(bench, ANN), said(bench, ANN)), key=lambda x: "In an hour" in x)
    assert f"{signon_throttle.MOST_AT_HOME} wrong passwords for your seat in marco" in told
    assert f"A mail may hold {signon_throttle.MOST_OPENINGS} passwords" in answer
    assert not bench.boxes[ANN] and not bench.works.games.orders(1, "S1901M")


def test_a_token_opens_its_seat_from_its_address_only_and_the_seat_is_told(bench: Bench) -> None:
    bench.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
    letter = bench.letter(ANN, "receipt")
    bench.reply(EVE, "CLEAR\nA Del - Kas\nRESIGN", letter)
    answer, warning = said(bench, EVE), said(bench, ANN)
    assert "opens no seat for you" in answer and "Army Delhi" not in answer
    assert "from another address. Nothing was done." in warning
    assert not bench.works.games.orders(1, "S1901M")
    bench.reply(ANN, "A Del - Kas", letter)
    assert "Army Delhi -> Kashmir" in said(bench, ANN)


@pytest.mark.parametrize(
    "line", ["SIGNON Nmarco annsecret\nSET PASSWORD newsecret", "SET TOKEN OFF"]
)
def test_older_tokens_are_dead_after_a_new_password_or_without_tokens(
    bench: Bench, line: str
) -> None:
    bench.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
    letter = bench.letter(ANN, "receipt")
    bench.reply(ANN, line, letter)
    newer = bench.letter(ANN, "receipt")
    assert ("+" in newer["Reply-To"]) is (line != "SET TOKEN OFF")
    bench.reply(ANN, "A Del - Kas", letter)
    assert "opens no seat for you" in said(bench, ANN)


def test_a_token_whose_sender_the_trusted_server_doubts_opens_nothing(bench: Bench) -> None:
    bench.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
    to = str(bench.letter(ANN, "receipt")["Reply-To"])
    bench.mail(ANN, "A Del - Kas", to, Authentication_Results=FAILED)
    letters = [text_of(letter) for letter in bench.boxes.pop(ANN)]
    assert any("opens no seat for you" in " ".join(text.split()) for text in letters)
    assert any("from another address" in " ".join(text.split()) for text in letters)
    forged = FAILED.replace("mx.example.org", "mx.evil.example")
    bench.mail(ANN, "A Del - Kas", to, Authentication_Results=forged)
    assert "Army Delhi -> Kashmir" in said(bench, ANN), "said by nobody we trust"


@pytest.mark.parametrize("trust", ["mx.example.org", ""])
@pytest.mark.parametrize("verdict", ["permerror", "none", "pass header.from=example.org"])
@pytest.mark.parametrize("head", [
    f"From: {EVE}\nFrom: {ANN}", f"From: {ANN}\nFrom: {EVE}", f"From: {EVE}, {ANN}",
])
def test_of_two_authors_neither_opens_a_seat_with_a_token(
    trust: str, verdict: str, head: str
) -> None:
    bench = Bench(replace(CONFIG, listen=ListenSection(trust=trust)))
    bench.mail(GM, "CREATE ?marco gmsecret youngstown")
    to = str(bench.letter(GM, "receipt")["Reply-To"])
    text = f"Authentication-Results: mx.example.org; dmarc={verdict}\n{head}\nTo: {to}\n\n"
    bench.take(f"{text.replace(ANN, GM)}SET MOVE NEXT 48\n".encode(), GM, to)
    game = bench.works.games.find("marco")
    assert game and "48" not in str(game.settings)
    bench.close()


def test_a_verdict_hidden_behind_a_quoted_local_part_counts(bench: Bench) -> None:
    bench.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
    to = str(bench.letter(ANN, "receipt")["Reply-To"])
    bench.mail(ANN, "A Del - Kas", to, Authentication_Results=HIDDEN)
    assert not bench.works.games.orders(1, "S1901M")


def test_a_password_speaks_for_itself_whatever_the_trusted_server_says(bench: Bench) -> None:
    bench.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas", Authentication_Results=FAILED)
    assert "Army Delhi -> Kashmir" in said(bench, ANN)


@pytest.mark.parametrize(
    "line", ["CREATE ?other xsecret", "OBSERVE marco", "TAKEOVER Gmarco xsecret"]
)
def test_a_doubtful_sender_gets_no_seat(bench: Bench, line: str) -> None:
    bench.mail(EVE, line, Authentication_Results=FAILED)
    assert "doubts that this mail came from the address" in said(bench, EVE)
    assert EVE not in [seat.address for seat in bench.works.games.seats(1)]
    assert bench.works.games.find("other") is None


def test_guesses_of_a_doubtful_sender_are_a_strangers(bench: Bench, cheap: list[str]) -> None:
    for _ in range(signon_throttle.FREE + 1):
        bench.mail(ANN, "SIGNON Nmarco wrongword", Authentication_Results=FAILED)
    assert len(cheap) == signon_throttle.FREE


def test_answers_to_a_stranger_are_limited_however_many_letters_he_gets(bench: Bench) -> None:
    most = bench.config.policy.strangers_per_hour
    for number in range(most + 10):
        bench.mail(ANN, "hello?")
        bench.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
        bench.mail(GM, f"SIGNON Mmarco gmsecret\nBROADCAST\n{number}\nENDPRESS")
    kinds = [letter["X-Judge-Kind"] for letter in bench.boxes[ANN]]
    assert kinds.count("error") == most
    assert kinds.count("receipt") == kinds.count("press") == most + 10


def test_what_a_right_password_caused_is_answered_also_over_the_limit(bench: Bench) -> None:
    for _ in range(bench.config.policy.strangers_per_hour + 1):
        bench.mail(EVE, "hello?")
    bench.boxes.clear()
    bench.mail(EVE, "SIGNON Nmarco annsecret\nSTATUS")
    assert "carried out" in said(bench, EVE)
    bench.mail(EVE, "hello?")
    assert not bench.boxes[EVE]


def confirming() -> Bench:
    """Return a judge that has its new addresses confirmed."""
    return Bench(replace(CONFIG, policy=PolicySection(confirm="true")))


def test_what_waits_is_carried_out_with_its_own_lines_and_nothing_twice() -> None:
    bench = confirming()
    bench.mail(GM, "CREATE ?marco gmsecret youngstown")
    bench.reply(GM, "")
    bench.boxes.clear()
    bench.mail(EVE, "SIGNON Mmarco gmsecret\nBROADCAST\nfirst\nENDPRESS\nOBSERVE marco\nSTATUS\n"
                    "SIGNON Mmarco gmsecret\nBROADCAST\nsecond\nENDPRESS")
    assert bench.letter(GM, "receipt")
    assert len(bench.works.games.events(1)) == 2
    bench.reply(EVE, "yes", next(x for x in bench.boxes[EVE] if x["X-Judge-Kind"] == "confirm"))
    assert len(bench.works.games.events(1)) == 2, "the press was sent once"
    kinds = [letter["X-Judge-Kind"] for letter in bench.boxes[EVE]]
    assert kinds == ["info", "confirm", "confirm", "receipt"]
    bench.close()


def test_a_reply_to_a_letter_of_a_seat_confirms_the_address() -> None:
    """Seats from before the confirmation was asked for need none."""
    bench = Bench(CONFIG)
    bench.mail(GM, "CREATE ?marco gmsecret youngstown")
    bench.reply(GM, "STATUS")
    assert bench.works.office.people.is_confirmed(GM)
    bench.close()


def test_a_forged_request_for_confirmation_is_asked_once_a_day_and_bounded() -> None:
    bench = confirming()
    for number in range(30):
        bench.mail(ANN, f"OBSERVE game{number}")
    kinds = [letter["X-Judge-Kind"] for letter in bench.boxes[ANN]]
    assert kinds.count("confirm") == 1 and kinds.count("error") == 10
    bench.clock.forward(days=1, seconds=1)
    bench.mail(ANN, "OBSERVE marco\nhello")
    assert [x["X-Judge-Kind"] for x in bench.boxes[ANN]].count("confirm") == 2
    bench.close()


def test_a_confirmation_shows_nothing_a_stranger_could_write_to_others() -> None:
    bench = confirming()
    bench.mail(ANN, "CREATE ?marco gmsecret buy cheap pills http://evil.example")
    text = text_of(bench.letter(ANN, "confirm"))
    assert "CREATE marco" in text and "evil" not in text and "pills" not in text
    bench.close()


def test_a_machine_confirms_nothing() -> None:
    bench = confirming()
    bench.mail(ANN, "CREATE ?marco gmsecret")
    to = str(bench.letter(ANN, "confirm")["Reply-To"])
    bench.mail(ANN, "I am on holiday", to, Auto_Submitted="auto-replied")
    assert not bench.works.office.people.is_confirmed(ANN)
    assert bench.works.games.find("marco") is None
    bench.close()


def test_the_keeper_is_asked_like_everybody() -> None:
    bench = confirming()
    bench.mail("postmaster@localhost", "CREATE ?marco gmsecret")
    assert bench.works.games.find("marco") is None, "machine mail by its name"
    bench.close()
    policy = PolicySection(confirm="true")
    section = replace(CONFIG.judge, keeper="kate@example.org")
    bench = Bench(replace(CONFIG, policy=policy, judge=section))
    bench.mail("kate@example.org", "CREATE ?marco gmsecret")
    assert bench.works.games.find("marco") is None
    bench.reply("kate@example.org", "yes")
    assert bench.works.games.find("marco") is not None
    bench.close()


def test_mails_are_reduced_after_thirty_days_and_nothing_that_counts_is_lost(
    bench: Bench,
) -> None:
    tidying = Tidying(bench.works)
    tidying.step(bench.clock.now())
    whole = bench.works.post.get(1)
    assert whole is not None and b"gmsecret" in whole.raw
    bench.clock.set(bench.clock.now() + KEPT_WHOLE)
    bench.clock.forward(hours=2)
    bench.mail(ANN, "SIGNON Nmarco annsecret")
    tidying.step(bench.clock.now())
    kept = [bench.works.post.get(number) for number in (1, 2, 3, 4)]
    assert [mail is not None and b"secret" in mail.raw for mail in kept] == [False] * 3 + [True]
    assert kept[0] is not None and "sha256" in kept[0].note and b"Message-ID" in kept[0].raw
    # A second delivery of a reduced mail is still known to be one.
    bench.boxes.clear()
    bench.take(whole.raw, GM)
    assert not bench.boxes


def test_a_new_key_is_drawn_and_letters_written_with_the_old_one_still_work(
    bench: Bench,
) -> None:
    bench.mail(ANN, "SIGNON Nmarco annsecret\nSTATUS")
    letter: EmailMessage = bench.letter(ANN, "receipt")
    (first,) = bench.works.memory.keys(bench.clock.now())
    bench.mail(GM, "SIGNON Mmarco gmsecret\nPAUSE")
    bench.clock.forward(days=100)
    Tidying(bench.works).step(bench.clock.now())
    keys = bench.works.memory.keys(bench.clock.now())
    assert len(keys) == 2 and keys[1] == first
    bench.boxes.clear()
    bench.reply(ANN, "A Del - Kas", letter)
    assert "Army Delhi -> Kashmir" in said(bench, ANN)
    bench.mail(GM, "SIGNON Mmarco gmsecret\nTERMINATE marco S1901M")
    bench.clock.forward(days=40)
    Tidying(bench.works).step(bench.clock.now())
    assert first not in bench.works.memory.keys(bench.clock.now())


def test_a_captured_mail_sent_again_later_undoes_nothing(bench: Bench) -> None:
    old = (
        b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\n"
        b"SIGNON Nmarco annsecret\r\nA Del H\r\n"
    )
    bench.take(old, ANN)
    bench.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    bench.boxes.clear()
    bench.clock.forward(hours=20)
    bench.take(b"Received: from evil.example\r\n" + old, "eve@evil.example")
    assert "KAS" in bench.works.games.orders(1, "S1901M")["India"].upper()
    assert not bench.boxes.get(ANN)


def test_press_carries_nothing_of_its_writer_but_the_power(bench: Bench) -> None:
    raw = (
        b"From: Ann Example <ann@example.org>\r\nSender: ann@work.example\r\n"
        b"Message-ID: <traitor@home.example>\r\nX-Originating-IP: 192.0.2.77\r\n"
        b"User-Agent: AnnMail\r\nSubject: secret subject\r\n"
        b"References: <thread@home.example>\r\n\r\n"
        b"SIGNON Nmarco annsecret\r\nBROADCAST\r\nHello\r\nENDPRESS\r\n-- \r\nAnn Example, Esq.\r\n"
    )
    bench.mail(EVE, "OBSERVE marco")
    bench.boxes.clear()
    bench.take(raw, ANN)
    for reader in (EVE, GM):
        letter = bench.letter(reader, "press").as_bytes()
        assert b"Hello" in letter and b"India" in letter
        for trait in (b"Ann", b"ann@", b"home.example", b"192.0.2", b"secret subject", b"Esq"):
            assert trait not in letter, trait


def test_a_sign_on_with_the_password_that_waits_is_kept_and_counts_from_its_own_250() -> None:
    bench = confirming()
    bench.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    bench.reply(GM, "yes")
    bench.mail(ANN, "TAKEOVER Rmarco annsecret\nA War - Gal")
    asked = bench.letter(ANN, "confirm")
    bench.clock.forward(hours=1)
    bench.mail(ANN, "SIGNON Rmarco annsecret\nA Mos - Ukr")
    assert "the instant it came counts" in said(bench, ANN)
    bench.mail(EVE, "SIGNON Rmarco annsecret\nA Mos - Ukr")
    assert "another password" in said(bench, EVE), "nothing of Eve's waits"
    assert not bench.works.games.orders(1, "S1901M")
    bench.reply(ANN, "YES", asked)
    assert set(bench.works.games.orders(1, "S1901M")) == {"Russia"}
    sheet = bench.works.games.orders(1, "S1901M")["Russia"].upper()
    assert "GAL" in sheet and "UKR" in sheet
    bench.close()


def test_orders_that_waited_are_for_the_phase_in_which_they_came() -> None:
    bench = confirming()
    bench.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    bench.reply(GM, "yes")
    bench.mail(ANN, "TAKEOVER Rmarco annsecret\nA War - Gal")
    asked = bench.letter(ANN, "confirm")
    bench.clock.forward(minutes=1)
    bench.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    bench.reply(ANN, "YES", asked)
    assert not bench.works.games.orders(1, "F1901M")
    told = [" ".join(text_of(letter).split()) for letter in bench.boxes[ANN]]
    assert any("Russia in 'marco' is yours now" in text for text in told)
    assert any("SIGNON Rmarco yourpassword A War - Gal" in text for text in told)
    bench.close()


@pytest.mark.parametrize("confirm", ["true", "false"])
def test_where_the_keeper_alone_makes_games_his_word_is_asked_for(confirm: str) -> None:
    policy = PolicySection(confirm=confirm, create="keeper")
    section = replace(CONFIG.judge, keeper="kate@example.org")
    bench = Bench(replace(CONFIG, policy=policy, judge=section))
    bench.mail("kate@example.org", "CREATE ?marco gmsecret")
    assert bench.works.games.find("marco") is None
    bench.reply("kate@example.org", "yes")
    assert bench.works.games.find("marco") is not None
    bench.mail(EVE, "CREATE ?other evesecret")
    bench.reply(EVE, "yes") if confirm == "true" else None
    assert bench.works.games.find("other") is None
    bench.close()


def test_a_ban_holds_at_the_seat_from_whichever_address(bench: Bench) -> None:
    bench.mail(ANN, "SIGNON Nmarco annsecret\nSET ADDRESS ann@work.example")
    asked = bench.newest["ann@work.example"]
    with bench.works.office.work() as office:
        ban(office, ANN, False, bench.clock.now())
    bench.boxes.clear()
    bench.mail(EVE, "SIGNON Nmarco annsecret\nA Del - Kas")
    assert "another password" in said(bench, EVE)
    bench.reply("ann@work.example", "yes", asked)
    assert "no longer asks" in said(bench, "ann@work.example")
    assert seat_of(bench, "India").address == ANN
    assert not bench.works.games.orders(1, "S1901M") and not bench.boxes.get(ANN)


def test_eject_finds_somebody_by_any_of_his_addresses(bench: Bench) -> None:
    bench.mail(EVE, "OBSERVE marco")
    bench.mail(EVE, "IAMALSO eve@work.example")
    for address in (EVE, "eve@work.example"):
        letter = next(x for x in bench.boxes[address] if x["Subject"].startswith("Are these"))
        bench.reply(address, "yes", letter)
    bench.mail(GM, "SIGNON Mmarco gmsecret\nEJECT eve@work.example")
    seats = bench.works.games.seats(1)
    assert [seat.state.value for seat in seats if seat.address == EVE] == ["left"]
