"""A third language needs a folder of texts only."""

import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from shutil import copytree

import pytest

POLISH = {
    "phrases-anything.tsv": (
        "value-days\t{count} {count:dzień|dni|dni}\n"
        "value-hours\t{count} {count:godzina|godziny|godzin}\n"
        "no-such-game-near\tNie ma partii '{game}'. Może {near:or}?\n"
        "time-instant\t{day}, godz. {time} ({zone})\n"
        "set-language\tlisty są w języku: {language:language}\n"
        "event-results\twyniki\n"
        "subject-game\t{game}, {phase}: {event}\n"
    ),
    "names.tsv": "Master\tMistrz gry\n",
    "help-hint.txt": "To jest sędzia. Zostało {{ rest|span }}, {{ when|when }}.\n",
}
"""A few texts.

All others are rendered in English.
"""

SCRIPT = """
import sys
from importlib.util import module_from_spec, spec_from_file_location

import judge

where = sys.argv[1]
spec = spec_from_file_location(
    "judge.mailtemplates", where + "/__init__.py", submodule_search_locations=[where]
)
sys.modules["judge.mailtemplates"] = judge.mailtemplates = module_from_spec(spec)
spec.loader.exec_module(judge.mailtemplates)

from datetime import UTC, datetime, timedelta

from judge.languages import find_language, languages
from judge.mail.outbound.templates import check_all, templates_of
from judge.model.phrase import phrase
from judge.play.choices.settingtable import all_settings
from judge.play.letters.letter_factory import subject_of

check_all()
print(*languages().items())
print(find_language("Polski"), find_language("polish"), find_language("Polnisch"))
print(*(" ".join(row.words) for row in all_settings() if row.value == "pl"))
found = templates_of("diplomacy", "pl")
for count in (1, 2, 5, 22):
    print(found.book.render(phrase("value-days", count=count)))
print(found.book.render(phrase("no-such-game-near", game="x", near=("marco", "polo", "vasco"))))
print(*(found.book.render(phrase("value-hours", count=n)) for n in (1, 2, 5, 22)), sep=", ")
print(found.book.render(phrase("set-language", language="de")))
print(found.book.render(subject_of("marco", "S1901M", phrase("event-results"))))
print(found.book.render(phrase("eliminated", power="Master")))
facts = {"rest": timedelta(days=2, hours=5), "when": datetime(2026, 1, 6, 22, 30, tzinfo=UTC)}
print(found.fill("help-hint", facts))
"""

SAID = """\
('en', 'English') ('de', 'Deutsch') ('pl', 'polski')
pl pl pl
LANGUAGE PL LANGUAGE POLISH LANGUAGE POLSKI
1 dzień
2 dni
5 dni
22 dni
Nie ma partii 'x'. Może marco, polo lub vasco?
1 godzina, 2 godziny, 5 godzin, 22 godziny
listy są w języku: niemiecki
marco, S1901M: wyniki
Master has no units or supply centres left and is eliminated.
To jest sędzia. Zostało 2 dni i 5 godzin, wt. 6 sty 2026, godz. 22:30 (UTC).
"""


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Texts of the judge together with those of a third language."""
    found = tmp_path / "mailtemplates"
    copytree(str(files("judge.mailtemplates")), found)
    folder = found / "common" / "pl"
    folder.mkdir()
    for name, text in POLISH.items():
        (folder / name).write_text(text, encoding="utf-8")
    return found


def run_script(texts: Path) -> subprocess.CompletedProcess[str]:
    """Run the script with these texts in a new process."""
    command = [sys.executable, "-c", SCRIPT, str(texts)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


@pytest.mark.slow
def test_a_folder_of_texts_is_a_language(texts: Path) -> None:
    done = run_script(texts)
    assert (done.stdout, done.stderr) == (SAID + "\n", "")


@pytest.mark.slow
def test_folder_of_an_unknown_language_is_named_in_the_error(texts: Path) -> None:
    (texts / "common" / "pl").rename(texts / "common" / "zz")
    done = run_script(texts)
    assert done.returncode and "no language is called so" in done.stderr
