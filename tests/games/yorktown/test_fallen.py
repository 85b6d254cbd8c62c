"""Who fell in a step, as its picture shows it."""

import json

from judge.games.yorktown.views.pictures import turn_sketch
from tests.games.yorktown.test_brief import record_of

REPULSED = """MOMENT FA6M
UNIT FA INF 7 1513
UNIT AP INF 21 1512
DICE 1
FA attack 1512 with INF 7"""


def test_an_attacker_who_fell_lies_where_he_stood_and_not_on_whom_he_attacked() -> None:
    record = record_of(REPULSED)
    assert record.after.units["FA-INF7"].at == "dead", "the case is not what it is for"
    assert json.loads(turn_sketch(record, tried=False))["fallen"] == [["1513", "FA-INF7"]]
