"""The head of a results letter: a sentence, own orders and events elsewhere."""

from collections.abc import Mapping

import pytest
from english import in_english
from scenes import unit
from tables import DICE, YOUNGSTOWN, position, read, table
from test_blind import BLIND, power_reader

from judge.board.position import Dislodged, Position
from judge.games.diplomacy import SYSTEM
from judge.games.letter_facts import Brief
from judge.games.system import Adjudication, Viewer, ViewerRole

CHINA, RUSSIA = power_reader("China"), power_reader("Russia")
OBSERVER, MASTER = Viewer(ViewerRole.OBSERVER), Viewer(ViewerRole.MASTER)


def play_lines(
    found: Position, orders: Mapping[str, tuple[str, ...]], **options: object
) -> Adjudication:
    """Adjudicate orders that are read from lines."""
    at = table(found, **options)
    sheets: dict[str, str] = {}
    for power, lines in orders.items():
        done = read(at, power, *lines)
        assert all(line.complaint is None for line in done.lines), done.lines
        sheets |= done.sheets
    return at.adjudicate(sheets, DICE)


def brief(done: Adjudication, reader: Viewer) -> Brief:
    return SYSTEM.turn("youngstown", done.record).brief(reader)


def format_fates(done: Adjudication, reader: Viewer) -> list[str]:
    """Return the rows of a head, in English."""
    return [
        " ".join([fate.what, "|", fate.verdict, *fate.why])
        for fate in in_english(brief(done, reader)).fates
    ]


def title(done: Adjudication, reader: Viewer) -> str:
    return str(in_english(brief(done, reader).title))


def elsewhere(done: Adjudication, reader: Viewer) -> tuple[str, ...]:
    found: tuple[str, ...] = in_english(brief(done, reader).elsewhere)
    return found


def test_a_destroyed_unit_is_listed_with_dislodger_and_reason() -> None:
    """All provinces in reach from Kashmir are occupied or the attacker's origin."""
    beside = sorted(YOUNGSTOWN.walk["Kas"])
    units = ", ".join(f"A {place.upper()}" for place in beside)
    at = position("S1901M", {"China": "A KAS, F CAN", "Russia": units})
    first, second = beside[0].upper(), beside[1].upper()
    helper = f"A {second} S A {first} - KAS"
    done = play_lines(at, {"China": ("F Can H",), "Russia": (f"A {first} - Kas", helper)})
    rows = format_fates(done, CHINA)
    assert title(done, CHINA) == "CHINA, Spring of 1901: you lost A KAS."
    assert rows[0].startswith(f"A Kashmir | DESTROYED by Russia's A {first}, 2 against 1 ")
    names = {YOUNGSTOWN.provinces[place].name for place in beside}
    assert "No retreat was open: " in rows[0] and all(name in rows[0] for name in names)
    assert f"the attack came from {YOUNGSTOWN.provinces[beside[0]].name}." in rows[0]
    assert rows[1:] == ["F Canton | held"]
    assert elsewhere(done, RUSSIA)[-1] == "China's A KAS was destroyed"


def test_a_unit_removed_at_once_blocked_a_retreat() -> None:
    """In Fall 1901 a power without a centre loses its army in the same year."""
    start, *beside, third = sorted(YOUNGSTOWN.walk["Del"])
    units = ", ".join(f"A {place.upper()}" for place in (start, *beside))
    at = position(
        "F1901M", {"China": "A DEL", "Russia": units, "Turkey": f"A {third.upper()}"},
        {"Russia": "Ber Bel Bre Bud"},
    )
    done = play_lines(at, {"Russia": (f"A {start} - Del", f"A {beside[0]} S A {start} - Del")})
    assert f"A {third.upper()}" not in done.after, "Turkey's army is gone"
    assert YOUNGSTOWN.provinces[third].name in format_fates(done, CHINA)[0]


@pytest.mark.parametrize(
    ("order", "row"),
    [
        # The cases are a support cut by the dislodger, a bounce with another unit, and a void
        # order.
        ("A Del S A Cal", "A Delhi S A Calcutta | DISLODGED by China's A KAS, 2 against 1"
                          " {retreat}"),
        ("A Del - Snd", "A Delhi - Sind | DISLODGED by China's A KAS, 2 against 1"
                        " {retreat} Russia's A SND came the other way, 1 against your 1."),
        ("A Del S A Cal - Nep", "A Delhi S A Calcutta - Nepal | DISLODGED by China's A KAS,"
                                " 2 against 1 {retreat}"),
        ("A Del H", "A Delhi | DISLODGED by China's A KAS, 2 against 1 {retreat}"),
    ],
)  # fmt: skip
def test_a_failed_and_dislodged_unit_names_its_dislodger(order: str, row: str) -> None:
    at = position("S1901M", {
        "India": "A DEL, A CAL", "China": "A KAS, A NEP", "Russia": "A SND",
    })  # fmt: skip
    done = play_lines(at, {
        "India": (order,), "China": ("A Kas - Del", "A Nep S A Kas - Del"),
        "Russia": ("A Snd - Del",),
    })  # fmt: skip
    found = format_fates(done, power_reader("India"))[0]
    begin, _, end = row.partition("{retreat}")
    assert found.startswith(begin) and found.endswith(end)
    assert "It can retreat to " in found
    # All other viewers read both reasons too, without "your".
    results = SYSTEM.turn("youngstown", done.record).results(OBSERVER)
    (reason,) = [
        deed.reason for group in results.groups if group.power == "India" for deed in group.lines
        if "dislodged" in deed.tags
    ]
    assert "Dislodged by China's A KAS, 2 against 1." in in_english(reason)
    assert "your" not in in_english(reason)


def test_a_bounce_names_arrival_or_mere_standoff() -> None:
    at = position("S1901M", {"India": "A DEL", "China": "A AFG"})
    equal = play_lines(at, {"India": ("A Del - Kas",), "China": ("A Afg - Kas",)})
    assert format_fates(equal, power_reader("India")) == [
        "A Delhi - Kashmir | bounced China's A AFG was going there too, 1 against your 1."
    ]
    assert title(equal, power_reader("India")) == "INDIA, Spring of 1901: your order failed."
    at = position("S1901M", {"India": "A NEP", "China": "A TIB, A BRM"})
    beaten = play_lines(at, {
        "India": ("A Nep - Cal",), "China": ("A Tib - Cal", "A Brm S A Tib - Cal"),
    })  # fmt: skip
    assert format_fates(beaten, power_reader("India")) == [
        "A Nepal - Calcutta | bounced China's A TIB got there first, 2 against your 1."
    ]


def test_holding_units_are_one_row_below_the_lost_ones() -> None:
    at = position("S1901M", {"India": "A CAL, A DEL, F MAD", "China": "A KAS, A NEP"})
    done = play_lines(at, {"China": ("A Kas - Del", "A Nep S A Kas - Del")})
    rows = format_fates(done, power_reader("India"))
    assert rows[0].startswith("A Delhi | DISLODGED by China's A KAS, 2 against 1 ")
    assert rows[1:] == ["A Calcutta, F Madras | no order; held"]
    assert brief(done, power_reader("India")).near == ("India", "China")


def test_observer_and_master_receive_the_results_of_all() -> None:
    at = position("S1901M", {"India": "A DEL", "China": "A KAS, A NEP"})
    done = play_lines(at, {"China": ("A Kas - Del", "A Nep S A Kas - Del")})
    for reader in (OBSERVER, MASTER):
        assert title(done, reader) == (
            "Spring of 1901: all 2 orders succeeded; India's A DEL must retreat."
        )
        (row,) = format_fates(done, reader)
        assert row.startswith("India: A Delhi | DISLODGED by China's A KAS, 2 against 1")
        assert not elsewhere(done, reader)


def test_the_head_in_a_blind_game_lists_only_visible_events() -> None:
    at = position("S1901M", {"India": "A DEL", "China": "A KAS, A NEP", "Italy": "A ROM"})
    orders = {"China": ("A Kas - Del", "A Nep S A Kas - Del"), "Italy": ("A Rom - Nap",)}
    done = play_lines(at, orders, **BLIND)
    (row,) = format_fates(done, power_reader("India"))
    assert row.startswith("A Delhi | DISLODGED by China's A KAS, 2 against 1 It can retreat to ")
    assert title(done, OBSERVER) == "Spring of 1901: the phase was adjudicated."
    assert format_fates(done, OBSERVER) == [] == list(elsewhere(done, OBSERVER))
    assert elsewhere(done, power_reader("Italy")) == ()
    # The open retreats are known to the owner of the unit and to the master only.
    assert "India's A DEL was dislodged" in elsewhere(done, power_reader("China"))
    assert "It can retreat to" in format_fates(done, MASTER)[0]


def test_a_winter_lists_used_and_unused_builds() -> None:
    at = position("F1901A", {"India": "A CAL"}, {"India": "Cal Del Mad"})
    done = play_lines(at, {"India": ("Build A Del",)})
    assert title(done, power_reader("India")) == (
        "INDIA, Fall of 1901: you built A DEL; 1 of your builds was not used."
    )
    assert format_fates(done, power_reader("India")) == [
        "Build A Delhi | built",
        "1 more build | not used There was no order for it, or no free centre to build in.",
    ]
    assert elsewhere(done, OBSERVER) == ()


def test_equal_gains_and_losses_of_centres_are_listed() -> None:
    """A sum of zero must not hide the changes from any viewer."""
    at = position("F1901M", {"India": "A KAS", "China": "A BRM"}, {"India": "Cal", "China": "Brm"})
    done = play_lines(at, {"India": ("A Kas - Del",), "China": ("A Brm - Cal",)})
    assert title(done, power_reader("India")) == (
        "INDIA, Fall of 1901: your order succeeded; you have 1 centre (1 gained, 1 lost)."
    )
    changes = "centres: India 1 (1 gained, 1 lost)"
    assert elsewhere(done, power_reader("China"))[-1] == changes
    assert title(done, OBSERVER) == (
        "Fall of 1901: all 2 orders succeeded; centres: China 2 (+1), India 1 (1 gained, 1 lost)."
    )


def test_a_year_with_only_own_changes_is_a_year_with_changes() -> None:
    at = position("F1901M", {"India": "A KAS", "China": "A BRM"}, {"India": "Cal", "China": "Brm"})
    done = play_lines(at, {"India": ("A Kas - Del",), "China": ("A Brm H",)})
    assert elsewhere(done, power_reader("India")) == ("the only order succeeded",)
    assert elsewhere(done, power_reader("China"))[-1] == "centres: India 2 (+1)"
    still = play_lines(at, {"India": ("A Kas H",), "China": ("A Brm H",)})
    assert elsewhere(still, power_reader("India"))[-1] == "no centre changed hands"


def test_centres_lost_in_retreats_are_listed() -> None:
    at = position("F1901R", {"India": "A DEL", "China": "A CAL"}, {"India": "Cal", "China": "Brm"})
    assert title(play_lines(at, {}), power_reader("India")) == (
        "INDIA, Fall of 1901: you have 1 centre (1 gained, 1 lost)."
    )


def test_observer_receives_all_builds() -> None:
    homes = {"India": "Cal", "China": "Pek", "Japan": "Tok", "Russia": "Mos", "France": "Par"}
    at = position("F1901A", {"Italy": "A ROM"}, homes)
    orders = {power: (f"Build A {place}",) for power, place in homes.items()}
    done = play_lines(at, {**orders, "Italy": ("Remove A Rom",)})
    head = title(done, OBSERVER)
    assert all(f"{power} 1" in head for power in homes), head
    assert head.startswith("Fall of 1901: built: ") and head.endswith("; removed: Italy 1.")


def test_subject_for_observers_agrees_with_the_letter() -> None:
    at = position(
        "F1901M", {"India": "A CAL, A DEL", "China": "A KAS"}, {"India": "Cal Del", "China": "Pek"}
    )
    done = play_lines(at, {"India": ("A Cal - Brm", "A Del H"), "China": ("A Kas H",)})
    headline = brief(done, OBSERVER).headline
    assert [each.code for each in headline] == ["all-centres", "else-done"]
    assert in_english(headline[0]) == "1 centre changed hands"
    assert brief(done, power_reader("Italy")).headline == ()


def test_a_destroyed_unit_is_not_lost_again_in_the_retreats() -> None:
    lost = Dislodged(unit("A KAS", YOUNGSTOWN), retreats=())
    driven = Dislodged(unit("A DEL", YOUNGSTOWN), retreats=("Cal",))
    at = position("S1901R", {"Russia": "A SND"}, None, {"China": (lost,), "India": (driven,)})
    done = play_lines(at, {"India": ("A Del D",)})
    assert title(done, power_reader("China")) == (
        "CHINA, Spring of 1901: your A KAS, destroyed earlier, has left the board."
    )
    assert format_fates(done, power_reader("China")) == [
        "A Kashmir | off the board: it could not retreat"
    ]
    assert title(done, OBSERVER) == "Spring of 1901: India's A DEL was disbanded."
    assert elsewhere(done, power_reader("Russia")) == ("India's A DEL was disbanded",)
