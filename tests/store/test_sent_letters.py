"""Sent letters, as found for quotes in replies."""

from judge.store.database import Store
from judge.store.mail_queues import Post
from tests.store.test_post import NOW, outgoing

ANN = "Ann@example.org"


def test_first_known_message_id_identifies_the_letter(store: Store) -> None:
    post, sent = Post(store), Post(store)
    for name in ("a", "b"):
        post.queue(outgoing(message_id=f"<{name}@x>", message=name.encode()))
    assert sent.sent_as(["<c@x>", "<b@x>", "<a@x>"]) == b"b"
    assert sent.sent_as(["<a@x>", "<b@x>"]) == b"a"
    assert sent.sent_as(["<c@x>"]) == b"" == sent.sent_as([])


def test_fifty_newest_letters_to_an_address_are_found(store: Store) -> None:
    post, sent = Post(store), Post(store)
    assert list(sent.sent_to(ANN)) == []
    for number in range(51):
        post.queue(outgoing(to=ANN, message=b"%d" % number))
        post.queue(outgoing(to="bob@example.org", message=b"no"))
    assert list(sent.sent_to(ANN.upper())) == [b"%d" % number for number in range(50, 0, -1)]


def test_letter_is_found_by_the_id_of_the_next_server(store: Store) -> None:
    post = Post(store)
    with store.transaction():
        out = post.queue(outgoing(message_id="<a@x>", message=b"a"))
        post.mark_sent(out.id, NOW, "<1@provider>")
    assert post.sent_as(["<1@provider>"]) == b"a" == post.sent_as(["<a@x>"])
    found = post.letter_named(["<1@provider>"])
    assert found is not None and found.id == out.id


def test_only_letters_to_given_addresses_are_found(store: Store) -> None:
    post = Post(store)
    for name, to in (("a", ANN), ("b", "bob@example.org")):
        post.queue(outgoing(to=to, message_id=f"<{name}@x>", message=name.encode()))
    ids = ["<b@x>", "<a@x>"]
    assert post.sent_as(ids, [ANN.lower()]) == b"a"
    assert post.sent_as(ids[:1], [ANN.lower()]) == b""
