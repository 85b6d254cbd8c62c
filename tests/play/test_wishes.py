"""SET PREFERENCE: readable wishes, refusals and suggested lines."""

import json
from datetime import UTC, datetime

import pytest

from judge.model.phrase import Phrase
from judge.model.record import Event, GameRecord, GameState
from judge.play.people.power_allocation import (
    PowerAllocation,
    describe_preferences,
    find_allocation,
    parse_known_preferences,
    parse_preferences,
    rank_power,
)

GAME = GameRecord(
    1, "marco", "diplomacy", "youngstown", GameState.FORMING, "S1901M", 0, "{}", {}, b"",
    datetime(2026, 1, 1, tzinfo=UTC),
)

UNDERSTOOD = [
    ("N", "N"), ("njc", "NJC"), ("NIR", "NIR"), ("N[IR]E", "N[IR]E"), ("n(ir)e", "N[IR]E"),
    ("India", "N"), ("indian", "N"), ("India, Italy, Russia", "NIR"), ("India Italy", "NI"),
    ("N, J and C", "NJC"), ("N J C", "NJC"), ("N,J,C.", "NJC"), ("N > J > C", "NJC"),
    ("India, Italy or Russia, then E", "N[IR]E"), ("N I=R E", "N[IR]E"),
    ("[India Japan] C", "[NJ]C"), ("F R A N E C", "FRANEC"),
    ("N-J-C", "NJC"), ("Austria-Hungary, Turkey", "AT"), ("N*J", "N[ACEFGIRT]J"), ("NJ*", "NJ"),
    ("*", ""), ("none", ""), ("any", ""), ("ACEFGIJNRT", "ACEFGIJNRT"), ("air", "AIR"),
]

REFUSED = [
    ("XQZ", "preference-unknown", ()),
    ("ZZ", "preference-unknown", ()),
    ("NXJ", "preference-unknown", ("NJ",)),
    ("[NJ", "preference-brackets", ("[NJ]", "NJ")),
    ("N]J", "preference-brackets", ("NJ",)),
    ("[]", "preference-brackets", ()),
    ("3N 2J 1C", "preference-numbers", ("CJN", "NJC")),
    ("1. India 2. Japan", "preference-numbers", ("NJ", "JN")),
    ("NN", "preference-again", ("N",)),
    ("India, N and J", "preference-again", ("NJ",)),
    ("Indai", "preference-unknown", ("N",)),
    ("Indai, Itlay", "preference-unknown", ("NI",)),
    ("Franec", "preference-doubtful", ("F", "F R A N E C")),
    ("Nir India", "preference-again", ("NIR",)),
    ("Chin", "preference-unknown", ("C",)),
    ("Chx", "preference-unknown", ()),
    ("Fran", "preference-doubtful", ("F", "F R A N")),
    ("INDAI", "preference-unknown", ("N",)),
    ("[NJ [C", "preference-brackets", ("NJC",)),
    ("[NJ]]", "preference-brackets", ("NJ",)),
    ("India 1 Japan", "preference-numbers", ("NJ", "JN")),
    ("India Itlay Japan", "preference-unknown", ("NIJ",)),
    ("Itlay Itlay", "preference-unknown", ("I",)),
    ("whatever I get", "preference-unknown", ()),
    (" ".join(["Franec"] * 28), "preference-doubtful", ()),
]


@pytest.mark.parametrize(("typed", "kept"), UNDERSTOOD)
def test_wishes_are_read_in_common_spellings(typed: str, kept: str) -> None:
    assert parse_preferences(typed, GAME) == (kept, ())


@pytest.mark.parametrize(("typed", "code", "meant"), REFUSED)
def test_unreadable_wishes_are_refused_with_suggestions(
    typed: str, code: str, meant: tuple[str, ...]
) -> None:
    found, lines = parse_preferences(typed, GAME)
    assert isinstance(found, Phrase) and found.code == code
    assert lines == tuple(f"SET PREFERENCE {each}" for each in meant)
    for line in lines:
        assert parse_preferences(line.removeprefix("SET PREFERENCE "), GAME)[1] == ()


def test_wishes_are_listed_in_their_sequence() -> None:
    assert describe_preferences("N[IR]E", GAME) == ("1. India", "2. Italy/Russia", "3. England")


@pytest.mark.parametrize(("wishes", "ranks"), [
    ("FEG", [0, 1, 2, 9]), ("[FE]GR", [0, 0, 1, 2]), ("[FE]G", [0, 0, 1, 9]),
    ("F[EG]R", [0, 1, 1, 2]),
    ("(FE)G", [0, 0, 1, 9]), ("F[E]G", [0, 1, 2, 9]), ("*", [0, 0, 0, 0]), ("", [0, 0, 0, 0]),
    ("G", [9, 9, 0, 9]),
])
def test_the_rank_of_a_power_counts_the_groups_before_it(wishes: str, ranks: list[int]) -> None:
    assert [rank_power(wishes, letter, 9) for letter in "FEGR"] == ranks


def test_the_allotment_is_read_from_the_last_start_with_one() -> None:
    def event(kind: str, text: dict[str, object]) -> Event:
        return Event(1, datetime(2026, 1, 1, tzinfo=UTC), "S1901M", kind, json.dumps(text))

    first = PowerAllocation(("France",), (("E", "England"),))
    last = PowerAllocation((), (("G", "Germany"), ("", "Italy")))
    starts = [event("start", json.loads(each.as_text())) for each in (first, last)]
    told = event("result", json.loads(first.as_text()))
    assert find_allocation([*starts, told]) == last
    assert find_allocation([*starts, told, event("start", {})]) == last
    assert find_allocation([starts[0], told]) == first
    assert find_allocation([told, event("start", {})]) is None


def test_a_long_word_is_quoted_up_to_forty_letters() -> None:
    for many in (40, 41):
        found, _ = parse_preferences("x" * many, GAME)
        assert isinstance(found, Phrase) and found.facts["word"] == "x" * 40


@pytest.mark.parametrize(("typed", "kept", "strange"), [
    ("Italy, Atlantis, Russia", "IR", ("Atlantis",)),
    ("Atlantis, Mu", "", ()),
    ("Italy, Russia", "", ()),
])
def test_known_wishes_are_kept_next_to_unknown_names(
    typed: str, kept: str, strange: tuple[str, ...]
) -> None:
    assert parse_known_preferences(typed, GAME) == (kept, strange)
