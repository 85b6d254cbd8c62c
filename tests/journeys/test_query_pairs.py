"""Every question is answered next to games of other systems, from each seat."""

from itertools import combinations

import pytest

from judge.play.commands.audit_log import ShowLog
from judge.play.commands.table import COMMANDS
from tests.journeys.rig import Rig

ASKING = [
    row for row in COMMANDS
    if row.value is ShowLog or row.value.__module__.startswith("judge.play.commands.asking")
]
"""Commands that only ask."""
GM, ANN, ZOE = "gm@example.org", "ann@example.org", "zoe@example.org"
GAMES = {"marco": "standard", "trip": "nations1940", "siege": "yorktown"}
"""Game → its variant, one of each system."""
SEATS = {"marco": "F", "trip": "GER", "siege": "A"}
PHASES = {"marco": "S1901M", "trip": "T0", "siege": "AP0S"}
"""First phase of each game."""
SETS = [names for count in (2, 3) for names in combinations(GAMES, count)]
BARE = ("LIST FULL", "LIST MAPS", "LIST FORMING", "HELP SET", "INFO PLAYER", "STATUS", "OPTIONS")


def questions(names: tuple[str, ...]) -> list[str]:
    """Return each question, for each game if it names one."""
    lines = [form.line for row in ASKING for form in row.forms]
    asked = [line.replace("marco", name) for line in lines for name in names]
    asked += [line.replace("standard", GAMES[name]) for line in lines for name in names]
    asked += [f"LIST {name} FULL" for name in names]
    return list(dict.fromkeys((*asked, *BARE)))


def begun(names: tuple[str, ...]) -> Rig:
    """Return a judge with games of these names, each after one phase."""
    rig = Rig()
    for name in names:
        rig.mail(GM, f"CREATE ?{name} gmsecret {GAMES[name]}\nSET POWER CHOICE")
        rig.mail(ANN, f"JOIN {SEATS[name]}@{name} annsecret")
        rig.mail(GM, f"SIGNON M{name} gmsecret\nSTART")
        rig.mail(GM, f"SIGNON M{name} gmsecret\nPROCESS {PHASES[name]}")
    return rig


@pytest.mark.slow
@pytest.mark.parametrize("names", SETS, ids="+".join)
def test_every_question_is_answered_next_to_other_systems(names: tuple[str, ...]) -> None:
    rig = begun(names)
    seats = [(ZOE, "")]
    for name in names:
        seats += [(ANN, f"SIGNON {SEATS[name]}{name} annsecret\n"),
                  (GM, f"SIGNON M{name} gmsecret\n")]
    text = "\n".join(questions(names))
    for sender, sign_on in seats:
        for language in ("SET LANGUAGE en\n", "SET LANGUAGE de\n") if sign_on else ("",):
            rig.boxes.clear()
            rig.mail(sender, f"{sign_on}{language}{text}\n")
            faults = [mail.note for mail in rig.application.post.list_shunted()]
            assert not faults, (sender, sign_on, language, faults)
            assert set(rig.boxes) == {sender}, (sender, sign_on, [*rig.boxes])
    rig.close()
