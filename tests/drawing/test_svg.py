"""SVG pictures, checked by structure: layers, shapes and texts, not pixels."""

import xml.etree.ElementTree as Tree
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.drawing import colours
from judge.drawing.base import BoardGeometry, Point
from judge.drawing.curves import distance
from judge.drawing.picture import (
    Head,
    HoldMark,
    Picture,
    Sample,
    Side,
    Stroke,
    StrokeKind,
    Token,
    TokenShape,
    TokenState,
)
from judge.drawing.svg import draw_svg
from judge.drawing.tokens import spots_aside
from tests.drawing.arrows import dense, points_of
from tests.drawing.small import small_base

NS = "{http://www.w3.org/2000/svg}"
RED = Side("Redland", "R", 0, "1 centre")
BLUE = Side("Blueland", "B", 3)


def draw_small(**more: object) -> Tree.Element:
    """Return the parsed SVG of a small picture."""
    whole = {"base": small_base(), "head": Head("marco", "Spring"), "sides": (RED, BLUE)} | more
    return Tree.fromstring(draw_svg(Picture(**whole)))  # type: ignore[arg-type]


def layer(root: Tree.Element, name: str) -> list[Tree.Element]:
    """Return the elements of a layer and of the groups in it, or an empty list."""
    found = [group for group in root.iter(f"{NS}g") if group.get("id") == name]
    return [element for group in found for element in group.iter() if element.tag != f"{NS}g"]


def position(root: Tree.Element, name: str, number: int = -1) -> Point:
    """Return the position of a group in a layer, by default the last."""
    group = [group for group in root.iter(f"{NS}g") if group.get("id") == name][-1][number]
    x, y = str(group.get("transform")).removeprefix("translate(").removesuffix(")").split()
    return Point(float(x), float(y))


def texts(elements: list[Tree.Element]) -> list[str]:
    """Return the texts among elements, without halos."""
    return [
        str(element.text)
        for element in elements
        if element.tag == f"{NS}text" and element.get("aria-hidden") is None
    ]


def strokes(elements: list[Tree.Element]) -> set[str]:
    """Return the stroke colours of elements, without white."""
    return {str(element.get("stroke")) for element in elements} - {"None", "#ffffff"}


def test_layers_are_in_their_order() -> None:
    root = draw_small(
        tokens=(Token("Lan", "Redland", TokenShape.BLOCK),),
        strokes=(Stroke(StrokeKind.MOVE, "Lan", "Sea", failed=True),), contested=("Isl",),
        key=((Sample.BLOCK, "army"),),
    )
    names = [group.get("id") for group in root.iter(f"{NS}g") if group.get("id")]
    assert names == [
        "areas", "lines", "frames", "orders", "names", "centres", "closed", "units", "failures",
        "head", "legend", "key",
    ]


def test_owned_land_has_the_colour_of_its_owner() -> None:
    fills = [e.get("fill") for e in layer(draw_small(tints={"Isl": "Blueland"}), "areas")]
    assert colours.paint(3).tint in fills and colours.paint(0).tint not in fills


def test_only_an_owned_centre_has_its_owners_letter() -> None:
    assert texts(layer(draw_small(owners={"Lan": "Blueland"}), "centres")) == ["B"]
    free = layer(draw_small(), "centres")
    assert len(free) == 2 and not texts(free)


def test_a_dislodged_unit_is_drawn_on_the_free_side() -> None:
    beaten = Token("Isl", "Redland", TokenShape.BLOCK, TokenState.BEATEN, aside=True)
    came = Token("Isl", "Blueland", TokenShape.BLOCK)
    assert [at.x for at in spots_of(beaten, came)] == [673]
    neighbour = Token("Lan/ec", "Blueland", TokenShape.BLOCK)
    base = small_base()
    crowded = replace(base, spots={"Lan/ec": Point(680, 120)})
    assert [at.x for at in spots_of(beaten, came, neighbour, base=crowded)] == [627]


def spots_of(*tokens: Token, base: BoardGeometry | None = None) -> list[Point]:
    """Return the points of the tokens drawn at the side of their place."""
    return [*spots_aside(Picture(base or small_base(), Head("", ""), tokens=tokens)).values()]


@pytest.mark.parametrize("form", TokenShape)
def test_a_unit_has_the_letter_of_its_side(form: TokenShape) -> None:
    root = draw_small(tokens=(Token("Lan", "Redland", form),))
    assert texts(layer(root, "units")) == ["R"]


def test_the_eleventh_side_is_hatched_and_doubly_outlined() -> None:
    def shapes(colour: int) -> tuple[bool, int]:
        side = Side("Redland", "R", colour)
        root = draw_small(
            sides=(side,), tints={"Isl": "Redland"},
            tokens=(Token("Lan", "Redland", TokenShape.BLOCK),),
        )
        fills = {element.get("fill") for element in layer(root, "areas")}
        assert ("url(#hatch)" in {e.get("fill") for e in layer(root, "legend")}) == (
            "url(#hatch)" in fills
        )
        return "url(#hatch)" in fills, len(layer(root, "units"))

    plain, many = shapes(colours.PLAIN - 1), shapes(colours.PLAIN)
    assert (plain[0], many[0]) == (False, True) and many[1] == plain[1] + 1


def test_unseen_areas_and_frames_are_veiled() -> None:
    root = draw_small(unseen=frozenset({"Isl", "ObA"}))
    for name in ("covers", "frames"):
        veils = [e for e in layer(root, name) if e.get("fill") == "url(#unseen)"]
        assert len(veils) == 1
    assert not [e for e in layer(draw_small(), "covers")]


def test_a_support_line_bends_around_a_unit_in_its_way() -> None:
    base = replace(small_base(), spots={"Lan/ec": Point(425, 145)})
    own = (Token("Lan", "Redland", TokenShape.BLOCK), Token("Isl", "Redland", TokenShape.BLOCK))
    support = Stroke(StrokeKind.SUPPORT, "Lan", "Isl", aim="Isl")
    other = Token("Lan/ec", "Blueland", TokenShape.BOAT)

    def way(*tokens: Token) -> list[Point]:
        root = draw_small(base=base, tokens=tokens, strokes=(support,))
        [line] = [e for e in layer(root, "orders") if e.get("stroke") == colours.SUPPORT]
        at = position(root, "orders", 0)
        return [Point(at.x + x, at.y + y) for x, y in dense(points_of(str(line.get("d"))))]

    straight, round_it = way(*own), way(*own, other)
    assert min(distance(at, base.spots["Lan/ec"]) for at in straight) < 14
    assert min(distance(at, base.spots["Lan/ec"]) for at in round_it) >= 13.9


def test_the_cross_of_a_failed_convoy_is_not_on_the_fleet() -> None:
    """The line of an army whose convoy failed passes close to one of the fleets."""
    base = replace(small_base(), spots={"Lan/ec": Point(452, 150)})
    tokens = (
        Token("Lan", "Redland", TokenShape.BLOCK), Token("Lan/ec", "Redland", TokenShape.BOAT),
    )
    failed = Stroke(StrokeKind.MOVE, "Lan", "Isl", failed=True)
    root = draw_small(base=base, tokens=tokens, strokes=(failed,))
    assert distance(position(root, "failures"), base.spots["Lan/ec"]) > 20


def test_a_dislodged_unit_is_drawn_above_its_attacker() -> None:
    beaten = Token("Lan", "Redland", TokenShape.BLOCK, TokenState.BEATEN, aside=True)
    root = draw_small(tokens=(beaten, Token("Lan", "Blueland", TokenShape.BLOCK)))
    assert texts(layer(root, "units")) == ["B", "R"]


def test_a_destroyed_unit_is_an_outline_with_a_readable_letter() -> None:
    gone = Token("Lan", "Redland", TokenShape.BLOCK, TokenState.GONE)
    units = layer(draw_small(tokens=(gone,)), "units")
    (letter,) = [element for element in units if element.tag == f"{NS}text"]
    strong = colours.paint(RED.colour).strong
    assert letter.get("fill") == strong
    assert strong not in {element.get("fill") for element in units if element is not letter}


@pytest.mark.parametrize(
    ("way", "colour"),
    [
        (StrokeKind.MOVE, colours.MOVE), (StrokeKind.SUPPORT, colours.SUPPORT),
        (StrokeKind.CONVOY, colours.CONVOY), (StrokeKind.RETREAT, colours.RETREAT),
    ],
)
def test_each_order_kind_has_its_colour_and_failure_another(way: StrokeKind, colour: str) -> None:
    one = Stroke(
        way, "Lan", "Isl", aim="Sea" if way in (StrokeKind.SUPPORT, StrokeKind.CONVOY) else ""
    )
    assert strokes(layer(draw_small(strokes=(one,)), "orders")) == {colour}
    failed = draw_small(strokes=(one._replace(failed=True),))
    assert strokes(layer(failed, "orders")) == {colours.FAILED}
    assert strokes(layer(failed, "failures")) == {colours.FAILED}


def test_the_end_of_a_support_is_drawn_above_the_supported_line() -> None:
    orders = layer(
        draw_small(
            strokes=(
                Stroke(StrokeKind.MOVE, "Lan", "Isl"),
                Stroke(StrokeKind.SUPPORT, "Sea", "Isl", aim="Lan"),
            )
        ),
        "orders",
    )
    assert orders[-1].get("fill") == colours.SUPPORT
    assert colours.MOVE in strokes(orders[:-1])


def test_successful_orders_are_drawn_above_failed_ones() -> None:
    failed, done = (
        Stroke(StrokeKind.MOVE, "Sea", "Isl", failed=True), Stroke(StrokeKind.MOVE, "Lan", "Isl"),
    )
    orders = layer(draw_small(strokes=(done, failed)), "orders")
    order = [e.get("stroke") for e in orders if e.get("stroke") not in (None, "#ffffff")]
    assert order == [colours.FAILED, colours.MOVE]


def test_a_failed_move_is_marked_without_colour_too() -> None:
    root = draw_small(strokes=(Stroke(StrokeKind.MOVE, "Lan", "Sea", failed=True),))
    assert any(line.get("stroke-dasharray") for line in layer(root, "orders"))
    assert layer(root, "failures")


def test_a_move_between_far_frames_is_two_labels_without_a_line() -> None:
    root = draw_small(strokes=(Stroke(StrokeKind.MOVE, "ObA", "ObB"),))
    assert texts(layer(root, "failures")) == ["→ ObB", "ObA →"]
    assert layer(root, "orders") == []


def test_a_convoy_through_far_frames_has_labels_at_the_gap() -> None:
    fleets = ("ObA", "ObB", "Sea")
    root = draw_small(
        strokes=(
            Stroke(StrokeKind.MOVE, "Lan", "Isl", through=fleets),
            *(Stroke(StrokeKind.CONVOY, fleet, "Isl", aim="Lan") for fleet in fleets),
        )
    )
    assert texts(layer(root, "failures")) == ["→ ObB", "ObA →"]
    rings = [e for e in layer(root, "orders") if e.get("stroke") == colours.CONVOY]
    assert len(rings) == len(fleets)


def test_a_far_support_names_the_supported_move() -> None:
    root = draw_small(
        strokes=(
            Stroke(StrokeKind.MOVE, "ObA", "ObB"),
            Stroke(StrokeKind.SUPPORT, "Lan", "ObB", aim="ObA"),
        )
    )
    assert "ObA → ObB" in texts(layer(root, "failures"))


def test_a_holding_unit_has_a_sign_around_it() -> None:
    token = Token("Lan", "Redland", TokenShape.BLOCK)
    plain, held = draw_small(tokens=(token,)), draw_small(tokens=(token,), holds=(HoldMark("Lan"),))
    assert len(layer(held, "units")) == len(layer(plain, "units")) + 2


def test_the_legend_names_every_side_with_letter_and_note() -> None:
    assert texts(layer(draw_small(), "legend")) == ["R", "Redland", "1 centre", "B", "Blueland"]


@pytest.mark.parametrize("sample", Sample)
def test_every_sample_of_the_key_is_drawn_next_to_its_words(sample: Sample) -> None:
    key = layer(draw_small(key=((sample, "words"),)), "key")
    assert "words" in texts(key)
    assert any(element.tag == f"{NS}path" for element in key)


def test_head_and_legend_have_one_size_on_every_board() -> None:
    """800 units are half the page width, so texts are scaled by one half."""
    (around,) = [
        g for g in draw_small().iter(f"{NS}g") if str(g.get("transform")).startswith("scale")
    ]
    assert around.get("transform") == "scale(0.5)"
    assert {group.get("id") for group in around} == {"head", "legend"}


def test_a_picture_has_a_title_and_a_description() -> None:
    root = draw_small(describes="Redland has one centre.")
    assert root.findtext(f"{NS}title") == "marco, Spring"
    assert root.findtext(f"{NS}desc") == "Redland has one centre."


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_user_text_is_always_escaped(title: str) -> None:
    hostile = f"<script>{{{{ 7*7 }}}}</script>&\"'{title}"
    root = draw_small(head=Head(hostile, "Spring"))
    assert hostile in texts(layer(root, "head"))
    assert {element.tag for element in root.iter()} <= {
        f"{NS}{tag}" for tag in ("svg", "title", "defs", "pattern", "path", "g", "text", "desc")
    }
