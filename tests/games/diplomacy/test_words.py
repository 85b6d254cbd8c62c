"""Phase names, compass names and the summary of several orders."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from scenes import position
from test_brief import CHINA, OBSERVER, RUSSIA, elsewhere, play_lines, title
from test_brief import position as on_youngstown

from judge.board.map import Map, UnitKind
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.language.lexicon import (
    Branch,
    MapLexicon,
    lexicon,
    places_near,
    powers_near,
)
from judge.games.diplomacy.language.order_reader import read_lines
from judge.games.diplomacy.language.phases import find_head, find_phase
from judge.games.diplomacy.rules.orders import Convoy, Move, order_text, parse_order
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.pictures import route_of
from judge.model.incoming import Line

STANDARD, YOUNGSTOWN = board("standard"), board("youngstown")


@pytest.mark.parametrize(("line", "label", "rest", "is_turn"), [
    ("Spring 1901", "S1901M", "", True), ("Spring 1901:", "S1901M", "", True),
    ("Spring 1901: A Par - Bur", "S1901M", "A Par - Bur", True),
    ("Fall of 1901 moves: A Par H", "F1901M", "A Par H", False),
    ("Autumn 1902 orders:", "F1902M", "", True),
    ("F1901M A Par - Bur", "F1901M", "A Par - Bur", False),
    ("F1901M: A Par - Bur", "F1901M", "A Par - Bur", False),
    ("F 1901 M orders A Par H", "F1901M", "A Par H", False),
    ("Winter 1901: build A Par", "F1901A", "build A Par", False),
    ("w1901b: remove A Par", "F1901A", "remove A Par", False),
])
def test_a_phase_is_named_above_orders_or_before_one(
    line: str, label: str, rest: str, is_turn: bool
) -> None:
    head = find_head(line)
    assert head and (head.label, head.rest, head.is_turn) == (label, rest, is_turn)


@pytest.mark.parametrize("line", [
    "Spring 1901 A Par - Bur", "Spring 1901: it was cold", "F1901M nonsense", "F1901M: nonsense",
    "S1901M hello there", "Fall 1901 Retreats were many", "1901: A Par - Bur",
])
def test_a_season_in_a_sentence_is_no_heading(line: str) -> None:
    """A season alone precedes an order only with a colon.

    No phase name precedes prose.
    """
    assert find_head(line) is None


@pytest.mark.parametrize(("words", "label"), [
    ("S01M", "S1901M"), ("U1902R", "S1902R"), ("Spring S1901M", "S1901M"), ("F02B", "F1902A"),
    ("fall 1905 adjustments", "F1905A"), ("Winter of 1901 builds", "F1901A"),
    ("F1905 retreat", "F1905R"), ("spring 1901 movement", "S1901M"), ("winter 1901", "F1901A"),
    ("Spring 1902 builds", ""), ("winter 1901 moves", ""), ("winter 1901 retreats", ""),
    ("Fall 1901", ""), ("X1901M", ""), ("S1M", ""),
])
def test_a_phase_is_named_by_season_year_and_kind(words: str, label: str) -> None:
    found = find_phase(words)
    assert (str(found) if found else "") == label


@pytest.mark.parametrize(("spelling", "place"), [
    ("n atlantic", "Nat"), ("northern atlantic", "Nat"), ("natlantic", "Nat"),
    ("n atlantic ocean", "Nat"), ("n pacific", "Npa"), ("northern pacific", "Npa"),
    ("s atlantic", "Sao"), ("southern atlantic", "Sao"), ("s pacific ocean", "Spo"),
    ("e china sea", "Ecs"), ("eastern china", "Ecs"), ("s china", "Scs"),
    ("w indian", "Wio"), ("western indian ocean", "Wio"), ("e indian", "Eio"), ("w med", "Wes"),
    ("e med", "Eas"), ("n sea", "Nth"), ("box a", "Oba"), ("off board box a", "Oba"),
    ("off-board a", "Oba"), ("box l", "Obl"),
])
def test_compass_points_are_short_or_long(spelling: str, place: str) -> None:
    at = position(YOUNGSTOWN, "M", f"England: F {place.upper()}")
    (seen,) = read_lines([Line(1, f"F {spelling} H")], YOUNGSTOWN, at, "England", Rules())
    assert [order_text(order) for _, order in seen.orders] == [f"F {place.upper()} H"]


VAGUE = {
    "standard": {
        "north": "NAO NAf Nth Nwg", "gulf": "Bot Lyo", "gulf of": "Bot Lyo", "golf": "Bot Lyo",
        "golf von": "Bot Lyo", "liv": "Lvn Lvp", "man": "Eng",
    },
    "youngstown": {
        "north": "NAt NPa Nth Nwg", "south": "SAO SCS SPO", "sea": "Jap Okh", "sea of": "Jap Okh",
        "gulf": "Ade Bot Lyo Sia Ton", "gulf of": "Ade Bot Lyo Sia Ton", "liv": "Lvn",
        "golf": "Ade Ben Bot Lyo Sia Ton", "golf von": "Ade Ben Bot Lyo Sia Ton",
        **dict.fromkeys(["off", "off board", "off board box", "offboard"],
                        " ".join(f"Ob{letter}" for letter in "ABCDEFGHIJKL")),
    },
}


@pytest.mark.parametrize("on", [STANDARD, YOUNGSTOWN], ids=lambda on: on.name)
def test_ambiguous_beginnings_of_names_mean_each_of_them(on: Map) -> None:
    """The beginning of a single name is not ambiguous.

    Neither is a name of its own ("liv", "man" on Youngstown), unless others use it for another
    place.
    """
    assert dict(vague(lexicon(on).root)) == VAGUE[on.name]


def vague(branch: Branch, words: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield the words that are only abbreviations of places, with these places."""
    if meant := [sense.meaning for sense in branch.senses if sense.vague]:
        yield " ".join(words), " ".join(meant)
    for word, after in branch.after.items():
        yield from vague(after, (*words, word))


def test_a_vague_word_means_only_places_of_this_map() -> None:
    few = {abbr: one for abbr, one in STANDARD.provinces.items() if abbr not in ("Nwg", "Eng")}
    meant = {words: meaning for words, meaning in VAGUE["standard"].items() if words != "man"}
    found = dict(vague(MapLexicon(replace(STANDARD, provinces=few)).root))
    assert found == {**meant, "north": "NAO NAf Nth"}


@pytest.mark.parametrize(("word", "places"), [
    ("Pariss", ("Paris",)), ("Xanadu", ()), ("Londn", ("London",)), ("Pa", ()),
    ("Burgundi", ("Burgundy",)), ("Prsi", ()), ("Pax", ("Paris",)), ("Alania", ("Albania",)),
])
def test_misspelt_place_names_are_found(word: str, places: tuple[str, ...]) -> None:
    assert places_near(word, STANDARD) == places


def test_misspelt_powers_are_found() -> None:
    assert powers_near("Frnace", STANDARD) == ("France",)
    assert powers_near("Germanny", STANDARD) == ("Germany",)
    assert powers_near("Xanadu", STANDARD) == powers_near("Fr", STANDARD) == ()


def test_letters_and_adjectives_are_powers_of_a_map() -> None:
    words = lexicon(STANDARD)
    assert words.letters["f"] == "France" and words.powers["french"] == "France"
    assert len(words.letters) == 7


WINTER = on_youngstown("F1901A", {"India": "A CAL, A KAS", "China": "A CAN, A PEK, A MAN"},
                       {"India": "Cal Del Mad", "China": "Can Pek"})


def test_only_successful_adjustments_of_a_winter_are_counted() -> None:
    done = play_lines(WINTER, {"India": ("Build F Mad",), "China": ("A Man D",)})
    assert elsewhere(done, CHINA) == ("built: India 1",)
    assert title(done, OBSERVER) == "Fall of 1901: built: India 1; removed: China 1."


@pytest.mark.parametrize(("orders", "of_russia", "of_china", "of_all"), [
    ({"India": ("A Del H", "A Cal H"), "China": ("A Kas - Del", "A Nep S A Kas - Del")},
     ("all 4 orders succeeded", "India's A DEL must retreat"),
     ("all 2 orders succeeded", "India's A DEL must retreat"), "all 4 orders succeeded"),
    ({"India": ("A Cal - Nep",), "China": ("A Kas - Del",)},
     ("2 of 2 orders failed",), ("the only order failed",), "2 of 2 orders failed."),
    ({"India": ("A Cal H",)}, ("the only order succeeded",),
     ("the only order succeeded",), "the only order succeeded."),
    ({}, ("no one else sent orders",), ("no one else sent orders",), "no one sent orders."),
])  # fmt: skip
def test_actions_of_others_are_counted_for_each_viewer(
    orders: dict[str, tuple[str, ...]], of_russia: tuple[str, ...], of_china: tuple[str, ...],
    of_all: str,
) -> None:
    at = on_youngstown(
        "S1901M", {"India": "A DEL, A CAL", "China": "A KAS, A NEP", "Russia": "A SND"}
    )
    done = play_lines(at, orders)
    assert elsewhere(done, RUSSIA) == of_russia and elsewhere(done, CHINA) == of_china
    assert title(done, OBSERVER).startswith(f"Spring of 1901: {of_all}")


def test_changed_centres_are_listed_without_the_viewers_own() -> None:
    at = on_youngstown(
        "F1901M", {"India": "A DEL, A CAL", "China": "A KAS", "Russia": "A SND"},
        {"India": "Cal Mad", "China": "Del Can"},
    )
    done = play_lines(at, {"India": ("A Cal H",)})
    assert elsewhere(done, RUSSIA)[-1] == "centres: China 1 (-1), India 3 (+1)"
    assert elsewhere(done, CHINA)[-1] == "centres: India 3 (+1)"


@pytest.mark.parametrize(("move", "convoys", "route"), [
    ("A LON - NWY", ["F NTH C A LON - NWY"], "Nth"),
    ("A LON - NWY", [], ""),
    ("A LON - NWY", ["F NTH C A LON - DEN"], ""),
    ("A LON - NWY", ["F NTH C A YOR - NWY"], ""),
    ("A LON - NWY", ["F ENG C A LON - NWY"], ""),
    ("A LON - YOR", ["F NTH C A LON - YOR"], ""),
    ("A LON - YOR VIA", ["F NTH C A LON - YOR"], "Nth"),
    ("A LON - TUN", ["F ENG C A LON - TUN", "F MAO C A LON - TUN", "F WES C A LON - TUN"],
     "Eng MAO Wes"),
    ("A LON - TUN", ["F ENG C A LON - TUN", "F WES C A LON - TUN"], ""),
    ("A LON - BEL VIA NTH", ["F NTH C A LON - BEL", "F ENG C A LON - BEL"], "Nth"),
    ("A LON - BEL VIA ENG", ["F NTH C A LON - BEL", "F ENG C A LON - BEL"], "Eng"),
    ("A LON - BEL VIA ENG", ["F NTH C A LON - BEL"], "Nth"),
    ("F LON - NTH", ["F NTH C A LON - NWY"], ""),
])
def test_a_convoyed_move_is_drawn_along_its_fleets(
    move: str, convoys: list[str], route: str
) -> None:
    order = parse_order(move, STANDARD)
    assert isinstance(order, Move) and order.unit.kind in UnitKind
    fleets = [parse_order(text, STANDARD) for text in convoys]
    found = route_of(STANDARD, order, [one for one in fleets if isinstance(one, Convoy)])
    assert found == tuple(route.split())


@pytest.mark.parametrize("on", ["standard", "youngstown"])
def test_only_holland_is_one_letter_away_from_hold(on: str) -> None:
    """"A HOL" (Holland) may be a truncated "A Hold".

    H and similar words are one letter away from many words.
    """
    assert lexicon(board(on)).like_hold == {"hol"}
