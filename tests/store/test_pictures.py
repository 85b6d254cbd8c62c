"""Stored pictures, one for all letters that carry it."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from judge.model.letter import PictureFormat, PictureRequest, PictureSlot, PictureState
from judge.model.record import Outgoing
from judge.store.database import Store
from judge.store.mail_queues import NEW_LETTERS, Post
from judge.store.pending import Pictures
from judge.store.schema import PICTURES
from judge.store.table import Rows
from tests.outbox import due_out, request_picture
from tests.store.test_post import NOW, outgoing

BOARD = PictureRequest("toy", "a board", "marco")
OTHER = PictureRequest("toy", "another", "marco")
MINUTE = timedelta(minutes=1)


def queue(store: Store, *sketches: PictureRequest) -> Outgoing:
    """Queue a letter that carries these pictures."""
    places = tuple(
        PictureSlot(at, sketch.key, "png", "board", "the board")
        for at, sketch in enumerate(sketches)
    )
    drawn = [request_picture(Pictures(store), sketch, NOW) for sketch in sketches]
    return Post(store).queue(outgoing(places=places, waits=not all(drawn)))


def due(store: Store) -> list[int]:
    return [letter.id for letter in due_out(Post(store), NOW, 99)]


def test_letters_wait_for_their_pictures_and_no_others_do(store: Store) -> None:
    pictures = Pictures(store)
    first, plain, both = queue(store, BOARD), queue(store), queue(store, BOARD, OTHER)
    assert due(store) == [plain.id]
    assert Post(store).claim_out(NOW, 99, NOW) == [plain]
    assert pictures.next_new() in (BOARD, OTHER)
    assert pictures.save_drawn(BOARD.key, b"png", NOW) == 1
    assert due(store) == [first.id, plain.id]
    assert Post(store).get_out(both.id) == both and both.waits
    assert pictures.next_new() == OTHER
    assert pictures.mark_failed(OTHER.key, "no paint", NOW) == 1
    assert due(store) == [first.id, plain.id, both.id]
    assert pictures.next_new() is None
    assert (pictures.octets(BOARD.key), pictures.octets(OTHER.key)) == (b"png", None)


def test_letters_of_several_pictures_are_released_at_once(store: Store) -> None:
    """Letters whose picture was stored before a crash are released by the next look."""
    pictures = Pictures(store)
    first, second, both = queue(store, BOARD), queue(store, OTHER), queue(store, BOARD, OTHER)
    assert pictures.release_letters() == 0
    for sketch in (BOARD, OTHER):
        assert pictures.save_drawn(sketch.key, b"png", NOW, lets_go=False) == 0
    assert due(store) == []
    assert [pictures.release_letters(), pictures.release_letters()] == [3, 0]
    assert due(store) == [first.id, second.id, both.id]


def test_stored_picture_is_ready_for_later_letters(store: Store) -> None:
    queue(store, BOARD)
    Pictures(store).save_drawn(BOARD.key, b"png", NOW)
    assert not queue(store, BOARD).waits
    assert len(due(store)) == 2


def test_failed_picture_is_tried_again_for_later_letters(store: Store) -> None:
    queue(store, BOARD)
    Pictures(store).mark_failed(BOARD.key, "no paint", NOW)
    assert queue(store, BOARD).waits
    assert Pictures(store).next_new() == BOARD


def test_picture_rendered_twice_is_stored_once(store: Store) -> None:
    queue(store, BOARD)
    pictures = Pictures(store)
    assert [pictures.save_drawn(BOARD.key, octets, NOW) for octets in (b"one", b"two")] == [1, 0]
    assert pictures.mark_failed(BOARD.key, "late", NOW) == 0
    assert pictures.octets(BOARD.key) == b"one"


def test_picture_that_was_wanted_first_is_rendered_first(store: Store) -> None:
    pictures = Pictures(store)
    request_picture(pictures, OTHER, NOW + MINUTE)
    request_picture(pictures, BOARD._replace(form=PictureFormat.SVG), NOW)
    found = pictures.next_new()
    assert found == BOARD._replace(form=PictureFormat.SVG) and isinstance(found, PictureRequest)


def test_a_letter_that_is_undone_leaves_no_picture_behind(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.transaction():
        queue(store, BOARD)
        raise ZeroDivisionError
    assert Pictures(store).next_new() is None


def test_old_pictures_are_dropped_but_not_those_still_wanted(store: Store) -> None:
    pictures = Pictures(store)
    for sketch, asked in (
        (BOARD, NOW), (OTHER, NOW), (BOARD._replace(form=PictureFormat.SVG), NOW),
    ):
        request_picture(pictures, sketch, asked)
    pictures.save_drawn(BOARD.key, b"old", NOW)
    pictures.save_drawn(OTHER.key, b"new", NOW)
    request_picture(pictures, OTHER, NOW + MINUTE)
    assert pictures.delete_unused(NOW + MINUTE) == 1
    kept = {one.key: one.state for one in Rows(store, PICTURES).find()}
    assert kept == {
        OTHER.key: PictureState.DRAWN, BOARD._replace(form=PictureFormat.SVG).key: PictureState.NEW,
    }


def test_old_pictures_are_found_by_their_index(
    store: Store, plans: Callable[[Callable[[], object]], list[str]]
) -> None:
    """A scan would read all pictures while no other process can write."""
    said = " ".join(plans(lambda: Pictures(store).delete_unused(NOW)))
    assert "pictures_state" in said and "SCAN" not in said


def test_a_letter_on_its_way_is_expected_until_it_was_tried(store: Store) -> None:
    letter = queue(store, BOARD)
    post = Post(store)
    assert post.is_expected(letter.to.upper()) and not post.is_expected("bob@example.org")
    post.schedule_retry(letter.id, NOW, "451 later")
    assert not post.is_expected(letter.to)


def test_ask_all_finds_or_requests_each_picture(store: Store) -> None:
    pictures = Pictures(store)
    sketches = [BOARD, OTHER, BOARD._replace(title="polo"), OTHER._replace(title="polo")]
    for sketch in sketches[:3]:
        request_picture(pictures, sketch, NOW, asked_for=True)
    pictures.save_drawn(sketches[0].key, b"png", NOW)
    for sketch in sketches[1:3]:
        pictures.mark_failed(sketch.key, "no paint", NOW)
    found = pictures.request_pictures({sketch: False for sketch in sketches}, NOW + MINUTE)
    assert found == {sketch: sketch == BOARD for sketch in sketches}
    drawn = set()
    while sketch := pictures.next_new():
        drawn.add(sketch)
        pictures.save_drawn(sketch.key, b"png", NOW)
    assert drawn == set(sketches[1:])


def test_requested_picture_of_results_has_their_priority(store: Store) -> None:
    pictures = Pictures(store)
    request_picture(pictures, BOARD, NOW, asked_for=True)
    request_picture(pictures, OTHER, NOW + MINUTE, asked_for=True)
    assert pictures.next_new() == BOARD
    request_picture(pictures, BOARD, NOW + MINUTE, asked_for=True)
    request_picture(pictures, OTHER, NOW + MINUTE)
    assert pictures.next_new() == OTHER


def test_overdue_picture_fails_and_releases_its_letters(store: Store, wakeups: list[str]) -> None:
    pictures = Pictures(store)
    assert pictures.fail_older_than(NOW, "too slow", NOW) == (0, 0)
    first, both = queue(store, BOARD), queue(store, BOARD, OTHER)
    drawn = PictureRequest("toy", "a third", "marco")
    with_drawn = queue(store, drawn)
    pictures.save_drawn(drawn.key, b"png", NOW, lets_go=False)
    wakeups.clear()
    assert pictures.fail_older_than(NOW - timedelta(microseconds=1), "too slow", NOW) == (0, 0)
    assert due(store) == [] and wakeups == []
    assert pictures.fail_older_than(NOW, "too slow", NOW + MINUTE) == (2, 3)
    assert wakeups == [NEW_LETTERS], "who sends is woken"
    assert due(store) == [first.id, both.id, with_drawn.id]
    assert pictures.octets(drawn.key) == b"png" and pictures.next_new() is None
    assert pictures.fail_older_than(NOW, "too slow", NOW) == (0, 0) and wakeups == [NEW_LETTERS]
    rows = {one.key: one for one in Rows(store, PICTURES).find_where("1 = 1")}
    assert [(rows[key].state, rows[key].error, rows[key].finished)
            for key in (BOARD.key, drawn.key)] == [
        (PictureState.FAILED, "too slow", NOW + MINUTE), (PictureState.DRAWN, "", NOW)]


def test_picture_stored_twice_releases_no_letter(store: Store, wakeups: list[str]) -> None:
    pictures = Pictures(store)
    both = queue(store, BOARD, OTHER)
    wakeups.clear()
    assert pictures.save_drawn(BOARD.key, b"png", NOW) == 0 and wakeups == []
    assert pictures.save_drawn(BOARD.key, b"again", NOW) == 0
    assert pictures.mark_failed(BOARD.key, "late", NOW) == 0
    assert pictures.octets(BOARD.key) == b"png" and pictures.octets(OTHER.key) is None
    assert pictures.save_drawn(OTHER.key, b"png", NOW) == 1 and wakeups == [NEW_LETTERS]
    assert due(store) == [both.id]
