"""Order lines for later phases, whose positions are still unknown."""

from random import Random

import pytest
from scenes import position
from slips import mistyped_lines
from test_reading import BOARDS, decode_escapes, read, read_cases, read_filed_orders

from judge.board.position import parse_phase
from judge.games.diplomacy.language.future_orders import FutureLine, read_ahead
from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.incoming import Line


def ahead(
    text: str, phase: str = "F1905M", power: str = "France", on: str = "standard"
) -> FutureLine:
    return read_ahead(Line(1, text), BOARDS[on], parse_phase(phase), power, Rules())


def texts(seen: FutureLine) -> list[str]:
    return [sketch.text for sketch in seen.orders]


def codes(seen: FutureLine) -> list[str]:
    return [complaint.reason.code for complaint in seen.complaints]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("A Par - Bur", "A PAR - BUR"),
        ("par-bur", "PAR - BUR"),
        ("gas - spa", "GAS - SPA"),
        ("F Mao - Spa/sc", "F MAO - SPA/SC"),
        ("eng - bre", "ENG - BRE"),
        ("English fleet Eng holds", None),
        ("A Lon - Nth - Nwy", "A LON - NWY VIA NTH"),
        ("A Lon - Nwy via convoy", "A LON - NWY VIA"),
        ("F Nth C A Lon - Nwy", "F NTH C A LON - NWY"),
        ("A Ven - Tyr and A Rom - Ven", "A VEN - TYR; A ROM - VEN"),
        ("A Par S A Mar - Bur; F Bre hold", "A PAR S A MAR - BUR; F BRE H"),
        ("France: A Par - Bur", "A PAR - BUR"),
        ("A Marselles - Gascny", "A MAR - GAS"),
        ("F Edi - Norwegain Sea", "F EDI - NWG"),
    ],
)
def test_a_future_order_is_stored_with_standard_names(line: str, kept: str | None) -> None:
    assert "; ".join(texts(ahead(line))) == (kept or "")


@pytest.mark.parametrize(
    ("line", "phase", "kept"),
    [
        ("A Bur R Mar", "F1905R", "A BUR R MAR"),
        ("A Bur - Mar", "F1905R", "A BUR - MAR"),
        ("F Bre D", "S1905R", "F BRE D"),
        ("BUILD A Par", "F1905A", "BUILD A PAR"),
        ("B F Mar", "F1905A", "BUILD F MAR"),
        ("REMOVE Bur", "F1905A", "BUR D"),
        ("R A Bur", "F1905A", "A BUR D"),
        ("waive", "F1905A", "WAIVE"),
    ],
)
def test_every_kind_of_phase_has_its_orders(line: str, phase: str, kept: str) -> None:
    assert texts(ahead(line, phase)) == [kept]


@pytest.mark.parametrize(
    ("line", "phase", "code"),
    [
        ("A Par - Bud", "F1905M", "cannot-reach"),
        ("F Bre - Par", "F1905M", "inland"),
        ("Germany: A Mun H", "F1905M", "not-your-power"),
        ("Germany A Mun", "F1905A", "not-your-power"),
        ("Germany A Mun Ber", "F1905M", "not-your-power"),
        ("A Par", "F1905M", "incomplete"),
        ("A Par", "F1905A", "incomplete"),
        ("A Par H", "F1905R", "wrong-phase"),
        ("A Bur R Mar", "F1905M", "wrong-phase"),
        ("BUILD A Mun", "F1905A", "not-home"),
        ("BUILD Bre", "F1905A", "which-type"),
        ("F Mao - Spa", "F1905M", "which-coast"),
        ("A Par - Xyz", "F1905M", "unknown-place"),
        ("A Psr - Bur", "F1905M", "did-you-mean"),
        ("A Par suports A Bur", "F1905M", "did-you-mean"),
        ("F Edi hodl", "F1905M", "did-you-mean"),
        ("A Swe Den", "F1905M", "two-meanings"),
        ("F Lon-Nth F Edi-Nwg", "F1905M", "did-you-mean"),
        ("A Par - " + "Bur " * 100, "F1905M", "not-an-order"),
    ],
)
def test_an_impossible_or_ambiguous_future_order_is_refused(
    line: str, phase: str, code: str
) -> None:
    seen = ahead(line, phase)
    assert (texts(seen), codes(seen)) == ([], [code])
    for complaint in seen.complaints:
        for suggestion in complaint.suggestions:
            again = ahead(suggestion, phase)
            assert texts(again) == suggestion.split("; ") or "REMOVE" in suggestion


@pytest.mark.parametrize("line", ["Hello there, my friend", "> A Par - Bur", "See you in Paris!"])
def test_prose_is_no_order_and_no_complaint(line: str) -> None:
    assert ahead(line) == FutureLine(Line(1, line))


def test_a_good_order_counts_next_to_a_bad_one_on_its_line() -> None:
    seen = ahead("A Par - Bur, A Mar - Xyz")
    assert (texts(seen), codes(seen)) == (["A PAR - BUR"], ["unknown-place"])


def test_a_very_long_line_is_split_at_its_commas() -> None:
    places = [*BOARDS["standard"].provinces][:20]
    seen = ahead(", ".join(f"{place} H" for place in places))
    assert texts(seen) == [f"{place.upper()} H" for place in places]


@pytest.mark.parametrize(
    "row", [row for row in read_cases() if row[3]], ids=lambda row: f"{row[0]}-{row[2]}"
)
def test_a_stored_future_order_keeps_its_meaning(row: list[str]) -> None:
    line, on, phase, power, units, _ = row
    at = position(BOARDS[on], phase, units)
    seen = read_ahead(Line(1, decode_escapes(line)), BOARDS[on], at.phase, power, Rules())
    now = read_filed_orders(read(decode_escapes(line), power, at, BOARDS[on]))
    later = [
        text
        for kept in texts(seen)
        for text in read_filed_orders(read(kept, power, at, BOARDS[on]))
    ]
    assert later == now or not now or not seen.orders or seen.complaints


@pytest.mark.slow
@pytest.mark.parametrize("on", sorted(BOARDS))
def test_a_mistyped_line_is_hardly_ever_stored_as_another_order(on: str) -> None:
    """Without a position a typing error may yield another valid name.

    The repair itself adds none.
    """
    right = wrong = 0
    for at, power, order, line in mistyped_lines(BOARDS[on], Random(7), 800):
        seen = read_ahead(Line(1, line), BOARDS[on], at.phase, power, Rules())
        now = [
            text
            for kept in texts(seen)
            for text in read_filed_orders(read(kept, power, at, BOARDS[on]))
        ]
        right += now == [order_text(order)]
        if now and now != [order_text(order)]:
            wrong += 1
            assert "read-as" not in [note.code for note in seen.notes], line
    assert right > 250 and wrong <= 2


def test_an_exact_name_wins_over_a_vague_word() -> None:
    """On Youngstown "liv" is Liverpool, although Moscow borders on Livonia."""
    seen = ahead("A Mos - Liv", power="Russia", on="youngstown")
    assert (texts(seen), codes(seen)) == ([], ["cannot-reach"])
    assert texts(ahead("F Bar - North", power="Russia", on="youngstown")) == ["F BAR - NWG"]
