"""Fair turns of senders at the desk, and limits of password guessing.

Mails that touch the same game, or are of one person, keep their order. Wrong passwords cost a
limited time, which delays no other sender.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import timedelta
from types import SimpleNamespace

import pytest

from judge.config import Config, PolicySection, StoreSection
from judge.daemon import mail_scheduler
from judge.daemon.application import Application
from judge.daemon.mail_reader import MailReader, ReadMail
from judge.daemon.mail_scheduler import READ_AHEAD, MailScheduler
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from judge.games import find_system
from judge.model.incoming import Arrival
from judge.model.order_words import OrderWords
from judge.model.record import GameRecord, MailState, StoredMail
from judge.play import passwords
from judge.play.commands.gm.importing import Import
from judge.play.commands.gm.making import Rename
from judge.play.commands.table import COMMANDS
from judge.play.mail_locks import MailLocks
from judge.play.passwords import PasswordCheck
from judge.play.people import signon_throttle
from judge.store.mail_queues import Post
from tests.journeys.rig import Rig, text_of

ANN, BOB, EVE, GM = "ann@example.org", "bob@example.org", "eve@example.org", "gm@example.org"
CONFIG = Config(store=StoreSection("sqlite:///:memory:"))


def running() -> Rig:
    """Return a rig with a running game, marco.

    Ann plays India and Bob plays Japan.
    """
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(BOB, "JOIN marco bobsecret\nSET PREFERENCE J")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    return made


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """That game, and a forming one, polo."""
    made = running()
    made.mail(GM, "CREATE ?polo gmsecret standard")
    made.boxes.clear()
    yield made
    made.close()


@pytest.fixture
def hashed_passwords(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Passwords that cost the time of a hash, in order."""
    found: list[str] = []
    verify, made = PasswordCheck.verify, passwords.PasswordHasher.hash

    def verifying(ring: PasswordCheck, stored: str, password: str) -> bool:
        found.append(password)
        return verify(ring, stored, password)

    def hashing(hasher: object, password: str, **given: object) -> str:
        found.append(password)
        return made(hasher, password, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(PasswordCheck, "verify", verifying)
    monkeypatch.setattr(passwords.PasswordHasher, "hash", hashing)
    return found


def post(rig: Rig, sender: str, text: str, to: str = "") -> int:
    """Accept a mail without processing it and return its number."""
    head = f"From: {sender}\r\nTo: judge@localhost\r\nMessage-ID: <{rig.mails}.x@x.org>\r\n\r\n"
    rig.mails += 1
    raw = (head + text.replace("\n", "\r\n") + "\r\n").encode()
    arrival = Arrival(raw, sender, (to or rig.config.judge.address,))
    (number,) = rig.application.post.accept([arrival], rig.clock.now())
    return number


def is_new(rig: Rig, number: int) -> bool:
    mail = rig.application.post.get(number)
    assert mail is not None
    return mail.state is MailState.NEW


def order_of_work(rig: Rig, numbers: list[int]) -> list[int]:
    """Process all mails and return these numbers in the order of processing."""
    found: list[int] = []
    while rig.worker.work_one():
        waits = Post(rig.application.store).waiting(10_000)
        found += [one for one in numbers if one not in found and one not in waits]
    return found


def game_of(rig: Rig) -> GameRecord:
    game = rig.application.games.find("marco")
    assert game is not None
    return game


def test_a_sender_delays_another_by_one_mail(rig: Rig) -> None:
    many = [post(rig, EVE, f"HELP\nLIST {n}") for n in range(40)]
    one = post(rig, BOB, "SIGNON Jmarco bobsecret\nF Tok - NPa")
    other = post(rig, ANN, "HELP")
    assert order_of_work(rig, [*many, one, other])[:4] == [many[0], one, other, many[1]]


def test_new_senders_do_not_delay_a_waiting_one(rig: Rig) -> None:
    for _ in range(3):
        post(rig, BOB, "HELP")
        rig.run()
    for number in range(10):
        post(rig, f"x{number}@example.org", "HELP")
        rig.worker.work_one()
        waits = post(rig, BOB, "HELP")
        crowd = [post(rig, f"y{number}.{n}@example.org", "HELP") for n in range(5)]
        assert order_of_work(rig, [waits, *crowd])[0] == waits


@pytest.mark.slow
def test_mails_beyond_the_read_ahead_have_their_turn(rig: Rig) -> None:
    many = [post(rig, EVE, f"HELP\nLIST {n}") for n in range(3 * READ_AHEAD)]
    one = post(rig, BOB, "HELP")
    order = order_of_work(rig, [*many, one])
    assert len(order) == len(many) + 1
    assert order.index(one) <= 3, "each turn reads some more"


@pytest.mark.parametrize("more, looked", [(0, 2), (1, 3)])
def test_octets_read_ahead_are_limited(rig: Rig, more: int, looked: int) -> None:
    numbers = [post(rig, EVE, "HELP") for _ in range(5)]
    mail = rig.application.post.get(numbers[0])
    assert mail is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mail_scheduler, "OCTETS_AHEAD", 2 * len(mail.raw) + more)
        queue = waiting(rig)
        assert queue.read_ahead() and len(queue.waiting) == looked
    while rig.worker.work_one():
        pass


def test_number_of_listed_mails_is_limited(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_scheduler, "MAX_EXAMINED", 3)
    for _ in range(5):
        post(rig, EVE, "HELP")
    queue = waiting(rig)
    assert queue.read_ahead() and len(queue.waiting) == 3
    assert not queue.read_ahead() and len(queue.waiting) == 3


def test_only_deferred_mails_count_as_overtaken(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    mail = rig.application.post.get(post(rig, EVE, "HELP"))
    assert mail is not None
    queue = waiting(rig)
    monkeypatch.setattr(rig.application.post, "games_answered", lambda addresses, number: {"marco"})
    assert queue.overtaken_games(mail, EVE) == frozenset()
    queue._rested.add(mail.id)
    assert queue.overtaken_games(mail, EVE) == {"marco"}


def waiting(rig: Rig) -> MailScheduler:
    """Return the scheduler of a worker that starts now."""
    return Worker(rig.application, ResolverLoop(rig.application))._queue


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the mails read.

    At most three senders are looked for.
    """
    found: list[int] = []
    whole = MailReader.read_whole

    def reading(self: MailReader, mail: StoredMail, *seen: Application) -> ReadMail:
        found.append(mail.id)
        return whole(self, mail, *seen)

    monkeypatch.setattr(MailReader, "read_whole", reading)
    monkeypatch.setattr(mail_scheduler, "MAX_READY_SENDERS", 3)
    return found


def test_a_mail_costs_the_same_however_many_wait(rig: Rig, read: list[int]) -> None:
    many = [post(rig, f"x{n}@example.org", "HELP") for n in range(2 * READ_AHEAD)]
    assert rig.worker.work_one() and rig.worker.work_one()
    assert read == many[:READ_AHEAD + 1], "of a new process the first one alone"
    for _ in range(READ_AHEAD):
        rig.worker.work_one()
    assert read == many, "when two of the first fifty were left the others were looked at"
    rig.run()
    assert not any(is_new(rig, one) for one in many) and len(read) == len(many)


def test_blocked_senders_do_not_count_as_ready(
    rig: Rig, hashed_passwords: list[str], read: list[int]
) -> None:
    flood(rig, READ_AHEAD + 2)
    rig.run()
    read.clear()
    one = post(rig, BOB, "HELP")
    assert rig.worker.work_one() and not is_new(rig, one), "one step finds it behind all the others"


def test_due_game_waits_for_a_mail_not_read_yet(rig: Rig, read: list[int]) -> None:
    game = game_of(rig)
    assert game.deadline is not None
    rig.clock.set(game.deadline - timedelta(seconds=1))
    rig.resolving.tick(rig.clock.now())
    crowd = [post(rig, f"x{n}@example.org", "HELP") for n in range(READ_AHEAD + 5)]
    own = post(rig, ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    after = post(rig, EVE, "HELP")
    assert rig.worker.work_one() and rig.worker.work_one()
    rig.clock.set(game.deadline + timedelta(seconds=1))
    for _ in range(3):
        rig.resolving.tick(rig.clock.now())
    assert own in read and not game_of(rig).clock.late and is_new(rig, own)
    rig.run()
    assert game_of(rig).clock.late and not any(is_new(rig, one) for one in [*crowd, own, after])


def test_due_game_reads_no_mail_after_its_deadline(rig: Rig, read: list[int]) -> None:
    game = game_of(rig)
    assert game.deadline is not None
    rig.clock.set(game.deadline - timedelta(seconds=1))
    rig.resolving.tick(rig.clock.now())
    rig.clock.set(game.deadline + timedelta(seconds=1))
    own = post(rig, ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    rig.clock.advance(seconds=1)
    apart = ResolverLoop(rig.application)
    apart.tick(rig.clock.now())
    assert game_of(rig).clock.late and is_new(rig, own) and own not in read


def test_mails_of_all_senders_for_one_game_keep_their_order(rig: Rig) -> None:
    many = [post(rig, ANN, "HELP") for _ in range(10)]
    order = post(rig, ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    after = post(rig, BOB, "SIGNON Jmarco bobsecret\nSTATUS")
    assert order_of_work(rig, [*many, order, after]) == [*many, order, after]


@pytest.mark.parametrize("first, then", [
    ("CREATE ?carlo carlosecret standard", "JOIN carlo bobsecret"),
    ("CREATE ?carlo carlosecret standard", "SIGNON ? bobsecret"),
    ("CREATE ?carlo carlosecret standard\nRENAME bruno", "JOIN bruno bobsecret"),
    ("SIGNON Mpolo gmsecret\nRENAME carlo", "JOIN carlo bobsecret"),
    ("SIGNON Mpolo gmsecret\nSTART", "SIGNON ? bobsecret"),
    ("SIGNON Mpolo gmsecret\nSET DENY bob@example.org", "REGISTER"),
])
def test_mail_that_names_a_game_precedes_mails_that_use_it(rig: Rig, first: str, then: str) -> None:
    numbers = [post(rig, GM, "HELP"), post(rig, GM, first), post(rig, BOB, then)]
    assert order_of_work(rig, numbers) == numbers


def test_fields_of_commands_are_known_to_the_lock_rules() -> None:
    """A new kind of field needs a check: does it name a game or a person?"""
    names = {
        field.name for row in COMMANDS for field in fields(row.value)
        if field.type in ("str", str) and field.name not in ("text", "password")
    }
    assert names <= {
        "game", "name", "who", "address",
        # These name neither games nor persons.
        "power", "phase", "topic", "language", "matter", "unit", "map", "rest", "form", "word",
        "stance", "subject", "colour", "sender", "present", "words",
    }
    named = {row.value for row in COMMANDS if "name" in {field.name for field in fields(row.value)}}
    assert named == {Rename, Import}


def test_a_person_with_two_addresses_has_one_turn(rig: Rig) -> None:
    aliases = rig.application.context.aliases
    number = aliases.ask_once(ANN, "ann@work.example", rig.clock.now())
    aliases.agree(number, first=True)
    aliases.agree(number, first=False)
    mails = [post(rig, one, "HELP") for one in (ANN, ANN, "ann@work.example")]
    other = post(rig, BOB, "HELP")
    assert order_of_work(rig, [*mails, other]) == [mails[0], other, *mails[1:]]


def test_forged_mail_does_not_delay_the_named_sender() -> None:
    rig = Rig(replace(CONFIG, listen=replace(CONFIG.listen, trust="mx.example.org")))
    failed = "Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\r\n"
    forged = []
    for number in range(5):
        raw = f"{failed}From: {ANN}\r\nMessage-ID: <{number}@x>\r\n\r\nHELP\r\n"
        rig.store(raw.encode(), ANN)
        forged.append(number + 1)
    own = post(rig, ANN, "HELP")
    assert order_of_work(rig, [*forged, own])[:2] == [1, own]
    rig.close()


def test_mail_waits_for_deadlines_of_its_games_only(rig: Rig) -> None:
    game = game_of(rig)
    assert game.deadline is not None
    rig.clock.set(game.deadline + timedelta(seconds=1))
    polo = post(rig, BOB, "OBSERVE polo bobsecret")
    wide = post(rig, EVE, "STANDBY youngstown")
    other = post(rig, GM, "SIGNON Mpolo gmsecret\nSET NOTE hello")
    rig.worker.work_one()
    assert not is_new(rig, polo) and not game_of(rig).clock.late
    rig.worker.work_one()
    assert not is_new(rig, other) and is_new(rig, wide), "who waits for all is passed"
    rig.worker.work_one()
    assert not is_new(rig, wide) and game_of(rig).clock.late


def test_late_mail_is_processed_after_the_deadline_of_its_game(rig: Rig) -> None:
    game = game_of(rig)
    assert game.deadline is not None
    rig.clock.set(game.deadline + timedelta(seconds=1))
    own = post(rig, ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    rig.worker.work_one()
    assert not is_new(rig, own) and game_of(rig).clock.late


def test_deadline_waits_for_mails_that_may_touch_its_game_only(rig: Rig) -> None:
    game = game_of(rig)
    assert game.deadline is not None
    rig.clock.set(game.deadline - timedelta(seconds=1))
    post(rig, EVE, "HELP")
    own = post(rig, ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    rig.clock.set(game.deadline + timedelta(seconds=1))
    rig.resolving.tick(rig.clock.now())
    assert not game_of(rig).clock.late and is_new(rig, own)
    while is_new(rig, own):
        rig.worker.work_one()
    post(rig, EVE, "HELP")
    rig.resolving.tick(rig.clock.now())
    assert game_of(rig).clock.late, "a mail for nobody's game holds none up"


def test_automatic_mail_delays_no_deadline(rig: Rig, hashed_passwords: list[str]) -> None:
    game = game_of(rig)
    assert game.deadline is not None
    rig.clock.set(game.deadline - timedelta(seconds=1))
    raw = (
        f"From: {ANN}\r\nTo: judge@localhost\r\nMessage-ID: <away@x.org>\r\n"
        "Auto-Submitted: auto-replied\r\n\r\nSIGNON Nmarco annsecret\r\nA Del - Kas\r\n"
    )
    rig.store(raw.encode(), ANN, "")
    rig.clock.set(game.deadline + timedelta(seconds=1))
    rig.resolving.tick(rig.clock.now())
    assert game_of(rig).clock.late
    rig.run()
    assert hashed_passwords == []


def test_mail_after_a_deadline_waits_even_if_its_turn_is_sooner(
    rig: Rig,
) -> None:
    rig.mail(BOB, "SIGNON Jmarco bobsecret\nREADY")
    game = game_of(rig)
    assert game.deadline is not None
    rig.clock.set(game.deadline - timedelta(seconds=1))
    for _ in range(5):
        post(rig, EVE, "HELP")
    post(rig, EVE, "SIGNON Jmarco bobsecret\nSTATUS")
    rig.clock.set(game.deadline + timedelta(seconds=1))
    late = post(rig, ANN, "SIGNON Nmarco annsecret\nREADY")
    rig.run()
    assert not is_new(rig, late)
    events = [event.text for event in rig.application.games.events(game.id)]
    assert any("powers-late" in text for text in events)


# --- passwords ---


REFUSED = [
    "JOIN nope guess{n}", "CREATE ?marco guess{n} standard", "TAKEOVER Nmarco guess{n}",
    "TAKEOVER Nnope guess{n}", "OBSERVE nope guess{n}", "SET PASSWORD guess{n}",
    "JOIN marco guess{n}", "SIGNON Nnope guess{n}",
]


@pytest.mark.parametrize("line", REFUSED)
def test_no_password_is_hashed_for_what_is_refused(
    rig: Rig, hashed_passwords: list[str], line: str
) -> None:
    rig.mail(EVE, "\n".join(line.format(n=n) for n in range(40)))
    assert not hashed_passwords, len(hashed_passwords)


def test_a_wrong_password_costs_as_much_in_every_mail(
    rig: Rig, hashed_passwords: list[str]
) -> None:
    """Otherwise the time of a reply would reveal which passwords others tried."""
    for _ in range(2):
        rig.mail(EVE, "SIGNON Nmarco guess")
    assert hashed_passwords == ["guess", "guess"]


@pytest.mark.parametrize("line", [
    "JOIN polo {}", "CREATE ?carlo {} standard", "TAKEOVER Gmarco {}", "OBSERVE marco {}",
])
def test_password_of_an_unconfirmed_sender_is_not_hashed(
    hashed_passwords: list[str], line: str
) -> None:
    rig = Rig(replace(CONFIG, policy=PolicySection(confirm="true")))
    rig.application.context.people.confirm(GM, rig.clock.now())
    rig.mail(GM, "CREATE ?marco gmsecret youngstown\nSTART")
    rig.mail(GM, "CREATE ?polo gmsecret standard")
    hashed_passwords.clear()
    rig.mail(EVE, "\n".join([line.format("evesecret")] * 5))
    assert not hashed_passwords
    rig.close()


def test_join_passwords_are_limited_like_sign_on_passwords(
    rig: Rig, hashed_passwords: list[str]
) -> None:
    rig.mail(EVE, "\n".join(f"JOIN polo guess{n}" for n in range(40)))
    assert hashed_passwords == ["guess0", *(f"guess{n}" for n in range(1, 40))]
    hashed_passwords.clear()
    rig.boxes.clear()
    for _ in range(5):
        post(rig, EVE, "\n".join(f"JOIN polo other{n}" for n in range(40)))
    rig.run()
    assert len(hashed_passwords) <= 40, len(hashed_passwords)


def flood(rig: Rig, mails: int = 30) -> list[int]:
    """Send wrong passwords in Ann's name, with no cached verdict on the right one."""
    rig.application.context.password_check._verdicts.clear()
    return [
        post(rig, ANN, "\n".join(f"SIGNON Nmarco guess{n}.{number}" for n in range(40)))
        for number in range(mails)
    ]


def test_guesses_in_a_players_name_are_checked_one_a_minute(
    rig: Rig, hashed_passwords: list[str]
) -> None:
    letter = rig.newest[ANN]
    guesses = flood(rig)
    rig.run()
    assert len(hashed_passwords) == signon_throttle.MAX_OWN_FAILURES
    notices = [x for x in rig.boxes[ANN] if x["X-Judge-Kind"] == "notice"]
    assert len(notices) == 1 and notices[0]["Subject"].endswith("wrong passwords")
    assert "40 wrong passwords for your seat in marco" in " ".join(text_of(notices[0]).split())
    # A reply needs no password, and all others in the game are unaffected.
    rig.boxes.clear()
    rig.reply(ANN, "A Del - Kas", letter)
    assert "Army Delhi -> Kashmir" in text_of(rig.letter(ANN, "receipt"))
    rig.mail(BOB, "SIGNON Jmarco bobsecret\nF Tok - NPa")
    assert "Fleet Tokyo -> North Pacific" in text_of(rig.letter(BOB, "receipt"))
    assert sum(is_new(rig, one) for one in guesses) == 29
    hashed_passwords.clear()
    for minute in range(1, 6):
        rig.clock.advance(minutes=1)
        rig.run()
        assert len([one for one in hashed_passwords if "guess" in one]) == minute
        assert sum(is_new(rig, one) for one in guesses) == 29 - minute
    assert not [x for x in rig.boxes[ANN] if x["X-Judge-Kind"] == "notice"], "told once a day"


def test_verified_password_is_never_deferred(rig: Rig, hashed_passwords: list[str]) -> None:
    flood(rig)
    rig.application.context.password_check.is_right(
        next(seat.password for seat in rig.application.games.seats(1) if seat.power == "India"),
        "annsecret",
    )
    rig.run()
    rig.boxes.clear()
    rig.mail(ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    assert "Army Delhi -> Kashmir" in text_of(rig.letter(ANN, "receipt"))


def test_deferred_mail_counts_for_the_deadline_it_came_before(rig: Rig) -> None:
    game = game_of(rig)
    assert game.deadline is not None
    rig.clock.set(game.deadline - timedelta(seconds=30))
    flood(rig, 5)
    own = post(rig, ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    rig.run()
    assert is_new(rig, own) and rig.resolving.queue.wakes == rig.clock.now() + timedelta(minutes=1)
    # Mails after the deadline are processed after it.
    rig.clock.set(game.deadline + timedelta(seconds=1))
    late = post(rig, BOB, "SIGNON Jmarco bobsecret\nF Tok - NPa")
    rig.run()
    assert not is_new(rig, own) and not is_new(rig, late)
    assert "Kas" in rig.application.games.orders(game.id, "S1901M")["India"].title()
    told = [x for x in rig.boxes[ANN] if x["X-Judge-Kind"] == "reminder"]
    assert game_of(rig).clock.late and told


def test_deferred_mails_take_no_place_of_newer_ones(rig: Rig) -> None:
    letter = rig.newest[ANN]
    flood(rig, 1)
    own = post(rig, ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    rig.run()
    assert is_new(rig, own)
    rig.reply(ANN, "A Del H", letter)
    rig.boxes.clear()
    rig.clock.advance(minutes=1)
    rig.run()
    assert not is_new(rig, own)
    assert "KAS" not in rig.application.games.orders(1, "S1901M")["India"].upper()
    assert "your later mail to marco came first" in " ".join(
        text_of(rig.letter(ANN, "error")).split()
    )


def test_another_process_finds_the_same_mails_put_off(
    rig: Rig, hashed_passwords: list[str]
) -> None:
    guesses = flood(rig, 3)
    rig.run()
    hashed_passwords.clear()
    fresh = Worker(rig.application, type(rig.resolving)(rig.application))
    assert not fresh.work_one() and not hashed_passwords
    assert sum(is_new(rig, one) for one in guesses) == 2


@pytest.mark.slow
def test_guesses_from_many_addresses_are_reported_to_the_player(rig: Rig) -> None:
    for number in range(signon_throttle.MAX_AT_SEAT + 5):
        rig.mail(f"x{number}@example.org", "SIGNON Nmarco wrongword")
    (notice,) = rig.boxes[ANN]
    assert "came from other addresses" in " ".join(text_of(notice).split())


def test_a_mail_read_before_its_game_had_this_name_is_read_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = OrderWords(frozenset({"CLEAR"}))
    monkeypatch.setattr(type(find_system("diplomacy")), "order_words", words)
    post(rig, GM, "SIGNON Mpolo gmsecret\nRENAME carlo")
    post(rig, GM, "SIGNON Mcarlo gmsecret\nCLEAR A Del")
    rig.run()
    answer = text_of(rig.boxes[GM][-1])
    assert "this line and did nothing with it:\n\n    > CLEAR A Del" in answer.replace("\r", "")


@pytest.mark.parametrize("due, accepted, wanted", [
    (None, 0, False), (0, 0, True), (-1, -1, True), (-1, 0, False), (0, 1, False), (1, 0, False),
])
def test_due_game_waits_for_mails_that_came_in_time(
    rig: Rig, due: int | None, accepted: int, wanted: bool
) -> None:
    """*due* and *accepted* are minutes from now."""
    queue, now = waiting(rig), rig.clock.now()
    at = None if due is None else now + timedelta(minutes=due)
    game = SimpleNamespace(due=at)
    keys = frozenset({"person x", "game 7"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rig.application.games, "get", {7: game}.get)
        each = mail_scheduler.WaitingMail(
            1, now + timedelta(minutes=accepted), MailLocks(EVE, keys), None
        )
        assert queue._is_wanted(each, now) is wanted


def test_confirmation_touches_its_deferred_mail(rig: Rig) -> None:
    held = post(rig, ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    queue, touch = waiting(rig), MailLocks(EVE, frozenset({"person x"}))
    more = queue._with_held(touch, held).keys - touch.keys
    assert any(key.startswith("game ") for key in more)
    assert queue._with_held(touch, held + 1) is touch, "it is gone"
    while rig.worker.work_one():
        pass


def test_sender_without_mail_has_no_place(rig: Rig) -> None:
    """A sender who comes back is placed behind those who waited."""
    queue = waiting(rig)
    queue._places = [ANN, BOB, EVE]
    queue.waiting = {
        1: mail_scheduler.WaitingMail(1, rig.clock.now(), MailLocks(BOB), None),
        2: mail_scheduler.WaitingMail(2, rig.clock.now(), MailLocks(GM), None),
    }
    queue._settle_places()
    assert queue._places == [BOB, GM]
    queue.waiting[3] = mail_scheduler.WaitingMail(3, rig.clock.now(), MailLocks(ANN), None)
    queue._served = BOB
    queue._settle_places()
    assert queue._places == [GM, ANN, BOB]


def test_games_of_changed_rules_are_checked_once(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving, did = ResolverLoop(rig.application), list[int]()
    monkeypatch.setattr(rig.application.resolver, "find_system_changes", lambda: [7, 8, 9])
    monkeypatch.setattr(resolving, "_do", lambda game, work, now: did.append(game))
    assert resolving._look_at_systems(rig.clock.now()) == 3
    assert did == [7, 8, 9] and resolving._looked_at_systems
