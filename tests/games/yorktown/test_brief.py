"""The head of a results letter of Yorktown: the viewer's own results first."""

import pytest

from judge.dice import derive_die
from judge.games.letter_facts import Brief
from judge.games.yorktown.default_orders import orders_of
from judge.games.yorktown.rules.board import counters
from judge.games.yorktown.rules.state import DEAD, blank
from judge.games.yorktown.rules.turn import YorktownRules, play_step
from judge.games.yorktown.views.brief import brief_facts
from judge.games.yorktown.views.moments import POWERS
from judge.games.yorktown.views.record import YorktownRecord, read_record, write_record
from judge.model.phrase import Fact, Phrase, phrase
from judge.phrases import phrasebook
from tests.games.yorktown.siege_cases import Case, play, position_of

FA, AP = POWERS["FA"], POWERS["AP"]
STORM = """MOMENT FA6M
UNIT FA INF 23 1513
UNIT FA INF 25 1713
UNIT FA INF 26 1613
UNIT FA INF 9 0512
UNIT AP INF 9 1612 marked with CMD 1
UNIT AP INF 8 1512
DICE 4
FA INF 9: 0513-0514 face S
FA attack 1612 with INF 23 INF 25 INF 26 advance INF 26"""
DRIVEN = """MOMENT FA6M
UNIT FA INF 23 1513
UNIT FA INF 25 1713
UNIT AP INF 9 1612 marked with CMD 1
DICE 4
FA attack 1612 with INF 23 INF 25"""
BOMBARDMENT = """MOMENT FA6F
UNIT FA ART 1 1518
UNIT FA ART 2 1519
UNIT FA ART 3 1618
UNIT FA INF 4 1519
UNIT AP INF 9 1613
UNIT AP INF 8 1815
DICE 6 6
FA ART 1 fires at 1815
FA ART 2 fires at 1815
FA ART 3 fires at 1016"""
SALLY = """MOMENT AP6M
UNIT AP INF 9 0110
UNIT AP INF 8 2012
UNIT AP INF 7 0905
UNIT FA INF 9 2224
AP INF 9 exit W
AP INF 8: 2112-2212-2312-2412-2512-2612"""
LAST = """MOMENT AP10M
UNIT AP INF 9 1612
UNIT FA INF 9 2224
RULES days=10"""


def record_of(text: str) -> YorktownRecord:
    case = Case("", text.splitlines())
    return read_record(write_record(position_of(case), play(case), {}))


def rows(brief: Brief) -> list[str]:
    """Return the rows of a head, in English, with an exclamation mark for losses."""
    say = phrasebook("yorktown").render
    return [
        " ".join([
            *("!" for _ in range(fate.is_lost)), say(fate.what), "|", say(fate.verdict),
            *map(say, fate.why),
        ])
        for fate in brief.fates
    ]  # fmt: skip


def title(brief: Brief) -> str:
    return phrasebook("yorktown").render(brief.title)


def elsewhere(brief: Brief) -> str:
    return "; ".join(map(phrasebook("yorktown").render, brief.elsewhere))


def test_the_attacker_reads_losses_of_the_enemy_and_the_dice() -> None:
    brief = brief_facts(record_of(STORM), FA)
    assert title(brief) == (
        "FRANCO-AMERICAN, day 6, move step of FA: you eliminated INF 9 and CORNWALLIS of AP; "
        "you moved 2 units."
    )
    assert rows(brief) == [
        "attack on 1612 | all defenders are eliminated 70 to 28, differential +42, die 4: DE.",
        "INF 9 | moved",
        "INF 26 | advanced to 1612",
    ]
    assert elsewhere(brief) == "1 of 7 FA units in Yorktown"


def test_the_defender_reads_own_losses_first() -> None:
    """INF 9 of the other side, which moved, is not confused with the lost INF 9."""
    brief = brief_facts(record_of(STORM), AP)
    assert title(brief) == (
        "ANGLO-PRUSSIAN, day 6, move step of FA: you lost INF 9; CORNWALLIS is dead."
    )
    assert rows(brief) == [
        "! INF 9 | ELIMINATED in 1612",
        "! CORNWALLIS | DEAD Every GB unit is 10 weaker for the rest of the game.",
        "1612 attacked | all defenders are eliminated 70 to 28, differential +42, die 4: DE.",
    ]
    assert elsewhere(brief) == ("FA attacked 1612; FA moved 2 units; 1 of 7 FA units in Yorktown")


@pytest.mark.parametrize(
    ("text", "reader", "said"),
    [
        (DRIVEN, AP, "ANGLO-PRUSSIAN, day 6, move step of FA: your INF 9 was driven back."),
        (DRIVEN, FA, "FRANCO-AMERICAN, day 6, move step of FA: you drove back INF 9 of AP."),
        (DRIVEN, "", "day 6, move step of FA: FA attacked 1612."),
        (BOMBARDMENT, AP, "ANGLO-PRUSSIAN, day 6, fire step of FA: you lost INF 8."),
        (
            BOMBARDMENT, FA,
            "FRANCO-AMERICAN, day 6, fire step of FA: you eliminated INF 8 of AP; "
            "1 of your orders failed; you fired 2 shots.",
        ),
        (BOMBARDMENT, "", "day 6, fire step of FA: AP lost INF 8; FA fired 2 shots."),
        (
            SALLY, AP,
            "ANGLO-PRUSSIAN, day 6, move step of AP: 1 of your units left the map (1 so far); "
            "1 of your orders failed; you moved 2 units.",
        ),
        (SALLY, FA, "FRANCO-AMERICAN, day 6, move step of AP: you lost nothing."),
        (LAST, AP, "ANGLO-PRUSSIAN, day 10, move step of AP: you have won."),
        (LAST, FA, "FRANCO-AMERICAN, day 10, move step of AP: Anglo-Prussian has won."),
        (LAST, "", "day 10, move step of AP: Anglo-Prussian has won; AP moved no units."),
    ],
)  # fmt: skip
def test_the_sentence_sums_up_the_step_for_the_viewer(text: str, reader: str, said: str) -> None:
    assert title(brief_facts(record_of(text), reader)) == said


def test_a_failed_order_has_a_reason() -> None:
    assert rows(brief_facts(record_of(BOMBARDMENT), FA))[0] == (
        "ART 3 | not done YE14: There is no enemy in 1016 to fire at."
    )
    assert rows(brief_facts(record_of(SALLY), AP)) == [
        "INF 8 | stopped in 2212 YE09: 2312 is water. Only frigates go there.",
        "INF 9 | left the map by W",
    ]


@pytest.mark.slow
def test_each_viewer_reads_exactly_the_own_losses() -> None:
    """Ids are the same on both sides, so losses are derived from the positions."""
    position, fallen = blank(), 0
    while True:
        played = play_step(
            position, orders_of(position), {}, YorktownRules(), lambda k: derive_die("balance 3", k)
        )
        record = read_record(write_record(position, played, {}))
        for side, power in POWERS.items():
            dead = {
                counter.name if counter.kind.name == "CMD" else counter.order_id
                for key, counter in counters().items()
                if counter.side == side
                and (record.before.units[key].at, record.after.units[key].at).count(DEAD) == 1
            }
            told = rows(brief_facts(record, power))
            gone = ("ELIMINATED", "LOST", "DEAD")
            lost = [row for row in told if row.startswith("! ") and any(w in row for w in gone)]
            assert {row[2:].partition(" |")[0].partition(" (")[0] for row in lost} == dead, told
            fallen += len(dead)
        if played.end:
            assert fallen > 10, "a game with few losses shows little"
            return
        position = played.after


LOST = Brief(phrase("brief-fire"), (phrase("gist-lost"), phrase("gist-fell")))
DROVE = Brief(phrase("brief-move"), (phrase("gist-you-drove"), phrase("gist-fell")))
QUIET = Brief(phrase("brief-move"), (phrase("gist-you-lost-nothing"),), is_quiet=True)


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        (LOST, QUIET, ["gist-lost", "gist-fell"]),
        (QUIET, LOST, ["gist-lost", "gist-fell"]),
        (QUIET, QUIET, ["gist-you-lost-nothing"]),
        (LOST, DROVE, ["gist-lost", "gist-you-drove", "gist-fell"]),
    ],
)
def test_joint_brief_has_no_contradiction(
    earlier: Brief, later: Brief, expected: list[str]
) -> None:
    turn = phrase("turn-day")
    joint = later.after(earlier, turn)
    assert [clause.code for clause in joint.gist] == expected
    assert joint.turn == turn


def _clause(code: str, *units: str, count: int = 0, side: str = "") -> Phrase:
    facts: dict[str, Fact] = {"count": count or len(units)}
    facts |= {"units": units} if units else {}
    return Phrase(code, facts | ({"side": side} if side else {}))


@pytest.mark.parametrize(("earlier", "later", "told"), [
    (_clause("gist-lost", "INF 1"), _clause("gist-lost", "INF 2"), "you lost INF 1 and INF 2"),
    (_clause("gist-lost", "INF 1"), _clause("gist-lost", "INF 1"), "you lost INF 1"),
    (_clause("gist-lost-many", count=4), _clause("gist-lost", "INF 2"), "you lost 5 units"),
    (_clause("gist-lost-many", count=4), _clause("gist-lost-many", count=5), "you lost 9 units"),
    (
        _clause("gist-halved", "INF 1"), _clause("gist-halved", "INF 2"),
        "your INF 1 and INF 2 are at half strength",
    ),
    (
        _clause("gist-eliminated", "INF 1", side="AP"), _clause("gist-lost", "INF 1"),
        "you eliminated INF 1 of AP; you lost INF 1",
    ),
])
def test_joint_brief_merges_similar_clauses(earlier: Phrase, later: Phrase, told: str) -> None:
    briefs = [Brief(phrase("brief-fire"), (clause,)) for clause in (earlier, later)]
    joint = briefs[1].after(briefs[0], phrase("turn-day"))
    assert "; ".join(map(phrasebook("yorktown").render, joint.gist)) == told
