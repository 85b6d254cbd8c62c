"""Letters with pictures, which wait a limited time and delay no other letter."""

from collections.abc import Callable, Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.daemon.picture_worker import PictureWorker
from judge.daemon.retention import Retention
from judge.demo.judge_process import JudgeProcess, Mailroom
from judge.drawing.render_process import RenderCancelled, RenderError, RenderTimeout
from judge.failpoints import VARIABLE
from judge.mail.outbound.compose import list_enclosures
from judge.model.letter import PictureFormat, PictureRequest
from judge.play.letters.board_pictures import MAX_TO_PERSON
from judge.store.database import Store
from judge.store.pending import Pictures
from tests.journeys.rig import Easel, Rig, pictures_of, text_of
from tests.outbox import counts, due_out, newest_out

PLAYERS = "AEFGIRT"
GM = "gm@example.org"
KEEPER = "postmaster@localhost"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge in memory with a running game of seven players and two observers."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard")
    for letter in PLAYERS:
        made.mail(f"{letter}@example.org", f"JOIN marco secret\nSET PREFERENCE {letter}")
    made.mail("eve@example.org", "OBSERVE marco")
    made.mail("mo@example.org", "MONITOR marco")
    made.boxes.clear()
    made.easel.drawn.clear()
    yield made
    made.close()


class Faulty(Easel):
    """Easel that fails with the given faults in turn, then renders."""

    def __init__(self, *faults: RenderError, fronts: bool = False) -> None:
        super().__init__()
        self.faults = list(faults)
        self.fronts = fronts

    def draw(
        self, sketch: PictureRequest, seconds: float, stopped: Callable[[], bool] = lambda: False
    ) -> bytes:
        """Raise the next fault or render."""
        octets = super().draw(sketch, seconds, stopped)
        if self.faults and (self.fronts or sketch.form is not PictureFormat.FRONT):
            raise self.faults.pop(0)
        return octets


def whole(drawn: Sequence[PictureRequest]) -> list[PictureRequest]:
    """Return the rendered pictures of whole boards."""
    return [sketch for sketch in drawn if sketch.form is not PictureFormat.FRONT]


def boards_of(letter: EmailMessage) -> list[str]:
    """Return the file names of the pictures of whole boards in a letter."""
    return [name for name in pictures_of(letter) if not name.endswith("-front.png")]


def note_in(letter: EmailMessage) -> str:
    """Return the text that replaced a picture."""
    notes = [x for x in list_enclosures(letter) if str(x.get_filename()).endswith(".txt")]
    return str(notes[0].get_content())


def process(rig: Rig) -> None:
    """Adjudicate the present phase."""
    phase = rig.application.games.get(1).phase
    rig.mail(GM, f"SIGNON Mmarco gmsecret\nPROCESS {phase}")


def test_ten_letters_share_one_picture(rig: Rig) -> None:
    process(rig)
    assert len(whole(rig.easel.drawn)) == 1
    results = [
        letter for box in rig.boxes.values() for letter in box
        if letter["X-Judge-Kind"] == "results"
    ]
    assert len(results) == 10
    assert {tuple(boards_of(letter)) for letter in results} == {("marco-S1901M-orders.png",)}
    fronts = {letter["X-Judge-Power"]: next(iter(pictures_of(letter))) for letter in results}
    assert {*fronts.values()} == {"marco-F1901M-front.png", "marco-S1901M-orders.png"}
    assert len(rig.easel.drawn) == 1 + len(PLAYERS), "and each player's own front is drawn once"
    rig.mail("stranger@example.org", "MAP marco S1901M")
    assert boards_of(rig.letter("stranger@example.org", "info"))
    assert len(whole(rig.easel.drawn)) == 1, "and whoever asks later has the same"


def test_other_letters_go_out_while_a_picture_is_not_drawn(rig: Rig) -> None:
    rig.painting = PictureWorker(rig.application, Faulty(*[RenderCancelled("the judge stops")] * 2))
    process(rig)
    assert rig.letter(GM, "receipt")
    assert not rig.boxes[GM] and counts(rig.application.post).queued == 10
    rig.mail("A@example.org", "SIGNON Amarco secret\nSTATUS")
    assert rig.letter("A@example.org", "receipt")
    # The next process renders what the first one had begun.
    rig.painting = PictureWorker(rig.application, rig.easel)
    rig.run()
    assert boards_of(rig.letter("A@example.org", "results"))


def test_failed_picture_delays_no_letter_and_is_reported_once(
    rig: Rig,
) -> None:
    rig.painting = PictureWorker(
        rig.application, Faulty(RenderError("no paint"), RenderError("no brush"))
    )
    process(rig)
    letter = rig.letter("A@example.org", "results")
    assert not boards_of(letter) and "Movement results" in text_of(letter)
    said = " ".join(note_in(letter).split())
    assert "the orders of S1901M with their results" in said and "MAP marco" in said
    missing = "A picture could not be drawn in time: the orders of S1901M with their results."
    assert missing in " ".join(text_of(letter).split())
    page = letter.get_body(("html",))
    assert page is not None and missing in page.get_content()
    process(rig)
    assert not boards_of(rig.letter("A@example.org", "results"))
    told = rig.boxes.pop(KEEPER)
    assert len(told) == 1 and "no paint" in text_of(told[0])
    rig.mail("A@example.org", "SIGNON Amarco secret\nMAP S1901M")
    assert boards_of(rig.letter("A@example.org", "info")), "asked for again it is tried again"


@pytest.fixture(scope="module")
def hung(begun: Rig) -> Iterator[Rig]:
    """The same rig after three pictures in a row that timed out."""
    made = begun.again()
    made.easel = Faulty(*[RenderTimeout("not done after 30 seconds")] * 3, fronts=True)
    made.painting = PictureWorker(made.application, made.easel)
    for _ in range(5):
        process(made)
    yield made
    made.close()


Resting = tuple[Rig, Faulty]
"""Judge whose picture worker pauses after time-outs, with its easel."""


@pytest.fixture
def resting(hung: Rig) -> Iterator[Resting]:
    """The same for one test."""
    made, easel = hung.again(), Faulty(fronts=True)
    easel.drawn += hung.easel.drawn
    made.painting = PictureWorker(made.application, easel)
    # A picture worker stores nothing about earlier pictures.
    for known in ("_slow", "_rest_until", "_last", "_began"):
        setattr(made.painting, known, getattr(hung.painting, known))
    yield made, easel
    made.close()


def test_letters_do_not_wait_for_pictures_after_time_outs(resting: Resting) -> None:
    rig, easel = resting
    assert len(easel.drawn) == 3
    rig.boxes.clear()
    rig.clock.advance(minutes=11)
    process(rig)
    assert len(whole(easel.drawn)) == 1
    assert boards_of(rig.letter("A@example.org", "results"))


def test_next_pause_takes_as_many_time_outs_as_the_first(resting: Resting) -> None:
    rig, easel = resting
    rig.clock.advance(minutes=11)
    easel.faults += [RenderTimeout("not done after 30 seconds")] * 2
    process(rig)
    rig.boxes.clear()
    process(rig)
    assert not easel.faults and boards_of(rig.letter("A@example.org", "results"))


class Brush(Easel):
    """Easel that takes a given time for a picture, by the rig's clock."""

    def __init__(self, rig: Rig, seconds: float) -> None:
        super().__init__()
        self.rig = rig
        self.seconds = seconds

    def draw(
        self, sketch: PictureRequest, seconds: float, stopped: Callable[[], bool] = lambda: False
    ) -> bytes:
        """Advance the clock, and check for a shutdown as the real one does."""
        self.rig.clock.advance(seconds=self.seconds)
        stopped()
        return super().draw(sketch, seconds, stopped)


def asking(rig: Rig, many: int) -> None:
    """Send requests of one player for *many* different pictures."""
    orders = (
        "A Par - Bur", "A Mar - Spa", "F Bre - MAO", "A Mun - Bur", "F Lon - NTH", "F Nap - ION",
    )
    for number in range(many):
        lines = "\n".join(orders[n] for n in range(6) if number + 1 >> n & 1)
        text = f"SIGNON Fmarco secret\nPREVIEW\n{lines}\nENDPREVIEW"
        rig.store(f"From: F@example.org\r\n\r\n{text}\r\n".encode(), "F@example.org")
    while rig.worker.work_one():
        pass


def test_pictures_of_results_come_before_requested_ones(rig: Rig) -> None:
    asking(rig, 10)
    rig.store(f"From: {GM}\r\n\r\nSIGNON Mmarco gmsecret\r\nPROCESS S1901M\r\n".encode(), GM)
    while rig.worker.work_one():
        pass
    # A worker that released letters less than a second ago delays the next release.
    rig.painting = PictureWorker(rig.application, Brush(rig, 0))
    assert all(rig.painting.draw_one() for _ in (*PLAYERS, "the whole board"))
    rig.application.pictures.release_letters()
    ready = {out.kind for out in due_out(rig.application.post, rig.clock.now(), 99) if out.places}
    assert ready == {"results"}


def test_fronts_are_rendered_before_whole_boards(rig: Rig) -> None:
    """Each player then has a picture of their units when many games are due at once."""
    process(rig)
    forms = [sketch.form for sketch in rig.easel.drawn]
    assert forms == [*[PictureFormat.FRONT] * len(PLAYERS), PictureFormat.PNG]
    rig.painting = PictureWorker(rig.application, Brush(rig, 20))
    rig.painting.draw_one()
    rig.clock.advance(minutes=4)
    rig.boxes.clear()
    process(rig)
    letters = [rig.letter(f"{name}@example.org", "results") for name in PLAYERS]
    assert not any(boards_of(letter) for letter in letters)
    assert 0 < sum(len(pictures_of(letter)) for letter in letters) <= len(letters)


def test_second_worker_helps_only_while_many_pictures_wait(rig: Rig) -> None:
    stopped = Faulty(*[RenderCancelled("the judge stops")] * 9, fronts=True)
    rig.painting = PictureWorker(rig.application, stopped)
    process(rig)
    easel = Easel()
    many = len(PLAYERS) + 1
    with pytest.MonkeyPatch.context() as patch:
        # A release reads all waiting letters.
        patch.setattr(Pictures, "release_letters", lambda pictures: 1 / 0)
        assert PictureWorker(rig.application, easel, least=many + 1).drain() == 0
    assert PictureWorker(rig.application, easel, least=many - 1).drain() == 2
    assert len(easel.drawn) == 2
    rig.painting = PictureWorker(rig.application, rig.easel)
    rig.run()
    assert boards_of(rig.letter("A@example.org", "results"))


def test_no_letter_waits_longer_than_two_minutes_for_its_picture(rig: Rig) -> None:
    rig.painting = PictureWorker(rig.application, Brush(rig, 0))
    rig.painting.draw_one()
    rig.clock.advance(minutes=5)
    rig.painting = PictureWorker(rig.application, Brush(rig, 13))
    rig.painting.draw_one()
    asking(rig, 20)
    began = rig.clock.now()
    rig.run()
    assert (rig.clock.now() - began).total_seconds() <= 135
    letters = [x for x in rig.boxes["F@example.org"] if x["X-Judge-Kind"] != "receipt"]
    drawn = [bool(boards_of(letter)) for letter in letters]
    assert len(drawn) == 20 and 0 < sum(drawn) < 20
    (note, *_) = list_enclosures(letters[drawn.index(False)])
    assert "A picture could not be drawn in time" in " ".join(note.get_content().split())


def test_pictures_pending_over_an_outage_are_rendered(rig: Rig) -> None:
    asking(rig, 1)
    rig.clock.advance(hours=5)
    rig.painting = PictureWorker(rig.application, rig.easel)
    rig.run()
    assert boards_of(rig.letter("F@example.org", "info"))


def test_requested_pictures_of_a_person_are_limited_per_hour(
    rig: Rig,
) -> None:
    asking(rig, MAX_TO_PERSON + 3)
    rig.run()
    letters = [x for x in rig.boxes["F@example.org"]]
    assert sum(bool(boards_of(letter)) for letter in letters) == MAX_TO_PERSON
    assert f"You have had {MAX_TO_PERSON} pictures this hour" in text_of(letters[-1])
    rig.mail("F@example.org", "SIGNON Fmarco secret\nSET PREVIEW ON\nA Par - Bur")
    assert not boards_of(rig.newest["F@example.org"])
    process(rig)
    assert boards_of(rig.newest["F@example.org"]), "results are not asked for"
    rig.clock.advance(hours=1, seconds=1)
    rig.mail("F@example.org", "SIGNON Fmarco secret\nMAP")
    assert boards_of(rig.newest["F@example.org"])


def test_press_cannot_contain_a_picture_placeholder(rig: Rig) -> None:
    process(rig)
    raw = newest_out(rig.application.post, 1)[0]
    assert raw.places
    fake = f"{raw.places}\n{raw.places[0].key}\n{raw.message.decode()[-400:]}"
    rig.mail("A@example.org", f"SIGNON Amarco secret\nPRESS TO F\n{fake}\nENDPRESS")
    press = [x for x in rig.boxes["F@example.org"] if x["X-Judge-Kind"] == "press"]
    assert len(press) == 1
    assert [part.get_content_type() for part in press[0].walk()] == [
        "multipart/alternative", "text/plain", "text/html",
    ]
    assert raw.places[0].key in text_of(press[0])


def test_strangers_together_get_no_flood_of_pictures(rig: Rig) -> None:
    """The From header is easily forged, and a picture is long."""
    for number in range(60):
        rig.mail(f"stranger{number}@x{number}.org", "MAP marco")
    letters = [rig.letter(f"stranger{number}@x{number}.org", "info") for number in range(60)]
    assert sum(bool(boards_of(letter)) for letter in letters) == 40
    assert "region by region" in text_of(letters[-1])
    rig.mail("A@example.org", "SIGNON Amarco secret\nMAP")
    assert boards_of(rig.letter("A@example.org", "info"))


def test_suspended_addresses_cause_no_pictures(rig: Rig) -> None:
    for name in (*PLAYERS, "eve", "mo"):
        rig.application.bounce_counts.count_bounce(f"{name}@example.org", 99, rig.clock.now())
    rig.mail(GM, "SIGNON Mmarco gmsecret\nSET MAP OFF\nPROCESS S1901M")
    assert [letter["X-Judge-Kind"] for letter in rig.boxes[GM]] == ["receipt", "results"]
    assert not rig.easel.drawn and counts(rig.application.post).queued == 0


def test_pictures_are_deleted_with_their_letters(rig: Rig) -> None:
    process(rig)
    key = rig.easel.drawn[0].key
    for days, kept in ((29, True), (2, False)):
        rig.clock.advance(days=days)
        Retention(rig.application).run_once(rig.clock.now())
        assert (rig.application.pictures.octets(key) is not None) is kept


class Dying(JudgeProcess):
    """Judge that crashes after rendering a picture, before storing it."""

    def settings(self) -> dict[str, str]:
        """Return the settings with the point of the crash."""
        return super().settings() | {VARIABLE: "drawn"}


@pytest.mark.slow
def test_picture_lost_in_a_crash_is_rendered_after_restart(tmp_path: Path) -> None:
    """This is the only test with a real judge that renders a real, large board."""
    with Dying(tmp_path) as first:
        room = Mailroom(first.place, first.outbox, SystemClock())
        text = "CREATE ?marco gmsecret youngstown\nSTART\nSET MAP PNG"
        room.send(GM, "judge@localhost", "", text)
        assert first.process is not None
        first.process.wait(120)
        answer = room.next_letter(GM, lambda x: True, 10)
        assert answer is not None and answer["X-Judge-Kind"] == "receipt"
    with JudgeProcess(tmp_path) as second:
        room = Mailroom(second.place, second.outbox, SystemClock())
        letter = room.next_letter(GM, lambda x: x["X-Judge-Kind"] == "start", 60)
        assert letter is not None
        png, *_ = list_enclosures(letter)
        octets = png.get_payload(decode=True)
        assert isinstance(octets, bytes) and octets.startswith(b"\x89PNG")
        assert png.get_filename() == "marco-S1901M.png"
        assert 50_000 < len(letter.as_bytes()) < 450_000
    store = Store(f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    store.open(create=False)
    assert Pictures(store).next_new() is None
    store.close()


@pytest.mark.parametrize("seconds, drawn", [(599, 0), (600, 1)])
def test_pause_after_several_time_outs_is_ten_minutes(
    resting: Resting, seconds: int, drawn: int
) -> None:
    rig, easel = resting
    before = len(whole(easel.drawn))
    rig.clock.advance(seconds=seconds)
    process(rig)
    assert len(whole(easel.drawn)) - before == drawn
