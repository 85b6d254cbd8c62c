"""Any map that passes `judge map check` is played, drawn and copied."""

import tempfile
from collections.abc import Mapping
from contextlib import closing
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from judge.board.mapfile import read_tables
from judge.games.diplomacy.boards import board, rules_on
from judge.games.diplomacy.rules.possible import possible_texts
from judge.games.diplomacy.views.record import load_text
from judge.model.record import GameRecord, GameState
from judge.play.archive.gamefile import archive_stored, read_archive, write_archive
from judge.play.archive.importing import import_game, replay
from judge.play.archive.map_of_game import add_map_in
from judge.terminal.maps import check_map
from tests.added_maps import forget_maps, install
from tests.journeys.rig import Rig, text_of

GM = "gm@example.org"
ISLES = Path(__file__).parents[1] / "maps" / "sixisles"
PLAIN = st.text("abdeäéñöçë- xyz", max_size=14).map(lambda text: f"A{text.strip()}n")
NAMES = st.integers(0, 30).flatmap(lambda one: PLAIN if one < 30 else st.text(max_size=10))
NOTES = st.text("abc ÄéXß'.-!?0<&|\u202e@{}%\n\t", max_size=60)


@st.composite
def tables(draw: st.DrawFn) -> dict[str, str]:
    """Return the files of a small map, which may have faults."""
    count = draw(st.integers(4, 9))
    abbrs = [f"{chr(97 + at)}{chr(122 - at)}".title() + "q" for at in range(count)]
    kinds = [draw(st.sampled_from(["coast", "coast", "land", "sea", "port"])) for _ in abbrs]
    powers = [f"Power{letter}" for letter in "XYZ"[:draw(st.integers(2, 3))]]
    homes = {abbr: power for abbr, power in zip(abbrs, draw(st.permutations(powers)))}
    centres = {abbr for abbr in abbrs if abbr in homes or draw(st.booleans())}
    for at in range(1, count):
        if {*kinds[at - 1:at + 1]} == {"land", "sea"}:
            kinds[at] = "coast"
    borders = []
    for i, j in combinations(range(count), 2):
        by_land, by_sea = ("sea" not in (kinds[i], kinds[j])), ("land" not in (kinds[i], kinds[j]))
        by_sea = by_sea and not (by_land and draw(st.booleans()))
        if (by_land or by_sea) and (j == i + 1 or draw(st.integers(0, 3)) == 0):
            borders.append(f"{abbrs[i]}\t{abbrs[j]}\t{int(by_land)}\t{int(by_sea)}")
    return {
        "map": "key\tvalue\n" + "\n".join(f"{key}\t{value}" for key, value in {
            "title": draw(NAMES), "first_year": draw(st.sampled_from(["1", "901", "1812"])),
            "victory": "-", "quiet_falls": "0", "icebreaker": "-", "licence": "own",
            "author": draw(NAMES), "about": draw(NAMES),
            "builds": draw(st.sampled_from(["home", "any", "one"])),
            "first_phase": "-", "era": draw(st.sampled_from(["-", "BC", "AD"])),
        }.items()),
        "provinces": "abbr\tname\tkind\tsupply_centre\thome_power\tcoasts\taliases\n" + "\n".join(
            f"{abbr}\t{abbr} {draw(NAMES)}\t{kind}\t{int(abbr in centres)}"
            f"\t{homes.get(abbr, '-')}\t-\t-"
            for abbr, kind in zip(abbrs, kinds)
        ),
        "coasts": "abbr\tname\taliases",
        "adjacency": "a\tb\tarmy\tfleet\n" + "\n".join(borders),
        "powers": "power\tletter\tadjective\twords\n" + "\n".join(
            f"{power}\t{power[-1]}\t{power}ish\t-" for power in powers
        ),
        "start": "power\tletter\tunit\tlocation\n" + "\n".join(
            f"{power}\t{power[-1]}\t{'F' if kinds[abbrs.index(abbr)] in ('sea', 'port') else 'A'}"
            f"\t{abbr}" for abbr, power in homes.items()
        ),
    }


def run_cycle(files: Mapping[str, str], notes: str, chance: int) -> None:
    """Play a game on a map by mail, export it and import it into another judge."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "anymap"
        folder.mkdir()
        for table, text in files.items():
            (folder / f"{table}.tsv").write_text(f"{text}\n", encoding="utf-8")
        (folder / "notes.txt").write_text(notes, encoding="utf-8")
        if check_map(folder).map is None:
            reject()
        with closing(Rig()) as rig, closing(Rig()) as other:
            key = install(rig, folder)
            rig.mail(GM, "CREATE ?marco gmsecret anymap\nSTART")
            rig.mail(GM, "LIST MAPS\nMAP anymap TEXT\nMAP anymap\nMAP anymap NAMES\nHELP anymap")
            for turn in range(3):
                if game(rig).state is GameState.RUNNING:
                    play_phase(rig, key, chance + turn)
            assert not find_shunted(rig) and rig.easel.drawn
            check_copy(rig, other)


def game(rig: Rig) -> GameRecord:
    """Return the game."""
    found = rig.application.games.find("marco")
    assert found is not None
    return found


def play_phase(rig: Rig, key: str, chance: int) -> None:
    """Give every unit a legal order by mail, and process the phase."""
    before = game(rig)
    found = possible_texts(board(key), load_text(before.position), rules_on(key, {}))
    lines = [
        f"{power}: {texts[chance % len(texts)]}"
        for power, units in found.items() for texts in units.values()
        if before.phase[-1] != "A"
    ]
    rig.boxes.clear()
    rig.mail(GM, "\n".join(["SIGNON Mmarco gmsecret", *lines]))
    said = " ".join(map(text_of, rig.boxes[GM]))
    assert "Not done" not in said and "fault of the judge" not in said, (lines, said)
    rig.mail(GM, f"SIGNON Mmarco gmsecret\nPROCESS {before.phase}")
    assert game(rig).turn == before.turn + 1


def check_copy(rig: Rig, other: Rig) -> None:
    """Export a game, import it into a judge without its map, and compare."""
    text = write_archive(archive_stored(rig.application.games, game(rig)), with_map=True)
    forget_maps()
    application = other.application
    with application.store.transaction(), application.context.unit_of_work() as context:
        add_map_in(context, text, other.clock.now())
        archived = read_archive(text)
        assert not [*replay(archived)]
        import_game(context, archived, "", GM, other.clock.now(), force=False)
    assert (game(other).map, game(other).position) == (game(rig).map, game(rig).position)


def find_shunted(rig: Rig) -> list[tuple[object, ...]]:
    """Return the mails on which the judge itself failed."""
    return rig.application.store.select_sql("SELECT note FROM mails WHERE state <> 'done'", ())


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(tables(), NOTES, st.integers(0, 1000))
def test_map_that_passes_the_check_is_played_and_copied(
    files: Mapping[str, str], notes: str, chance: int
) -> None:
    run_cycle(files, notes, chance)


def test_six_isles_are_played_and_copied() -> None:
    files = {name.removesuffix(".tsv"): text for name, text in read_tables(ISLES).items()}
    run_cycle({**files, "map": files["map"] + "licence\town\n"}, "Two moons.", 3)
