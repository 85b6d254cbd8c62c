"""Compare the letters of all scenes with the stored ones.

`python -m tests.guard` prints the differences. With `--write` the letters are stored as they are
now. With `--record` the scenes are made from the present journeys and the present code, which is
right only where no behaviour has changed.
"""

import argparse
import tempfile
from difflib import unified_diff
from pathlib import Path

from tests.guard.scenes import (
    FOLDER,
    NAMES,
    Recorder,
    Step,
    journey,
    load_letters,
    pack,
    record,
    replay,
)
from tests.journeys.rig import same_dice

JOURNEYS = Path(__file__).parents[1] / "journeys"
CORPUS = Path(__file__).parents[1] / "mail"
CUT_BEFORE = {
    "bots": 12, "blind": 7, "calendar": 6, "choices": 5, "choosing": 5, "confirmation": 6,
    "excuses": 9, "fake": 8, "forged": 8, "forks": 8, "from_alone": 12, "german": 4, "grey": 9,
    "held": 6, "history": 7, "import": 8, "joining": 4, "kept_orders": 5, "later": 6,
    "letters_own": 6, "looks": 6, "maps": 8, "masters": 9, "moved": 5, "names_gunboat": 4,
    "nations1940": 5, "nations1940_endings": 8, "nations1940_life": 8, "nations1940_setup": 6,
    "negotiation": 8, "observers": 12, "offers_end": 6, "one_power": 10, "orders": 5,
    "owing_nothing": 7, "passwords": 10, "press": 9, "press_lists": 9, "proxies": 10,
    "rating": 9, "rollback": 9, "roles": 7, "sitters": 6, "stop_confirmed": 6, "talk": 7,
    "votes_some": 10, "votes_standing": 8, "votes_time": 7, "withdrawing": 7, "yorktown": 7,
    "yorktown_people": 8, "yorktown_undone": 7,
}
"""Journeys of the scenes, each with the number of steps that make the database."""
FORMING = {"nations1940_forming": ("nations1940_setup", 2), "yorktown_forming": ("yorktown", 2)}
"""Scenes that begin earlier in one of these journeys."""
ENDED = Path(__file__).parent / "yorktown_ended.txt"


def difference(name: str) -> str:
    """Return the difference between the stored and the present letters."""
    with tempfile.TemporaryDirectory(prefix="judge-guard-") as folder:
        now = replay(name, Path(folder)).splitlines()
    return "\n".join(unified_diff(load_letters(name).splitlines(), now, f"{name}, stored",
                                  f"{name}, now", lineterm=""))


def write(name: str) -> None:
    """Store the letters of a scene as they are now."""
    with tempfile.TemporaryDirectory(prefix="judge-guard-") as folder:
        (FOLDER / f"{name}.txt").write_text(replay(name, Path(folder)), "utf-8")


def record_all() -> list[str]:
    """Make all scenes from the present journeys, and return their names."""
    with tempfile.TemporaryDirectory(prefix="judge-guard-") as folder:
        cuts = {**{name: (name, cut) for name, cut in CUT_BEFORE.items()}, **FORMING}
        for name, (story, cut) in cuts.items():
            record(name, journey(JOURNEYS / f"{story}.txt"), cut, Path(folder))
        record(ENDED.stem, journey(ENDED), 6, Path(folder))
        record_corpus(Path(folder))
    return [*CUT_BEFORE, *FORMING, ENDED.stem, "corpus"]


def record_corpus(folder: Path) -> None:
    """Make the scene in which a player sends the mails of the corpus."""
    mails = sorted([*CORPUS.glob("corpus/*.eml"), *CORPUS.glob("field/*.eml")])
    with same_dice():
        rig = Recorder()
        try:
            rig.mail("gm@example.org", "CREATE ?marco gmsecret youngstown\nSET POWER CHOICE")
            rig.mail("ann@example.org", "JOIN India@marco annsecret")
            rig.mail("bob@example.org", "JOIN Germany@marco bobsecret")
            rig.mail("gm@example.org", "SIGNON Mmarco gmsecret\nSTART")
            rig.save(folder / "corpus.sqlite3")
            begin, steps = rig.clock.now(), list[Step]()
            to = str(rig.newest["ann@example.org"]["Reply-To"])
            rig.events, rig.raws, rig.letters = [], {}, []
            for mail in mails:
                rig.take(mail.read_bytes(), "ann@example.org", to)
            pack("corpus", steps, begin, rig, folder / "corpus.sqlite3")
        finally:
            rig.close()


def main() -> None:
    """Compare, write or record."""
    asked = argparse.ArgumentParser(prog="python -m tests.guard", description=__doc__)
    asked.add_argument("--write", action="store_true", help="store the letters as they are now")
    asked.add_argument("--record", action="store_true", help="make the scenes again, and write")
    asked.add_argument("names", nargs="*", help="these scenes alone")
    said = asked.parse_args()
    names = record_all() if said.record else said.names or NAMES
    for name in names:
        if said.write or said.record:
            write(name)
        elif found := difference(name):
            print(found)


if __name__ == "__main__":
    main()
