"""Lists, figures, forks and pages of games on added maps."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.board.bundle import hash_of, make_key, read_bundle
from judge.config import StoreSection
from judge.daemon.archive_publisher import publish
from judge.model.record import GameState
from tests.added_maps import MARS, REDS, ask, drop, forget_maps, install, map_and_phase, write_mars
from tests.journeys.rig import Rig, text_of

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
CREATE = "CREATE ?marco gmsecret mars"


@pytest.fixture
def rig() -> Iterator[Rig]:
    """An empty judge."""
    made = Rig()
    yield made
    made.close()


def end(rig: Rig, name: str) -> None:
    """Begin a game whose first year ends it, and play that."""
    rig.mail(GM, f"CREATE ?{name} gmsecret mars\nSTART")
    rig.mail(ANN, f"TAKEOVER F{name} annsecret")
    rig.mail(BOB, f"TAKEOVER R{name} bobsecret")
    for phase in ("S1901M", "F1901M"):
        rig.mail(GM, f"SIGNON M{name} gmsecret\nPROCESS {phase}")
    found = rig.application.games.find(name)
    assert found is not None and found.state is GameState.ENDED


@pytest.mark.slow
def test_statistics_count_all_versions_of_a_map(rig: Rig, tmp_path: Path) -> None:
    install(rig, write_mars(tmp_path, victory="4"))
    end(rig, "marco")
    install(rig, write_mars(tmp_path, "New Mars", victory="4"))
    end(rig, "polo")
    drop(rig)
    forget_maps()
    for text in ("STATISTICS MARS", "STATISTICS"):
        said = ask(rig, ANN, text)
        assert "New Mars" in said and "2 games" in said and REDS not in said
    assert "Not done" in ask(rig, ANN, "STATISTICS VENUS")


def test_standby_list_names_a_map_without_its_hash(rig: Rig, tmp_path: Path) -> None:
    install(rig, write_mars(tmp_path))
    assert "mars" in ask(rig, BOB, "STANDBY MARS")
    rig.reply(BOB, "yes")
    install(rig, write_mars(tmp_path, "New Mars"))
    rig.mail(GM, f"{CREATE}\nSTART")
    rig.mail(ANN, "TAKEOVER Fmarco annsecret")
    rig.boxes.clear()
    rig.resign(ANN, "SIGNON Fmarco annsecret")
    assert "France in 'marco' (New Mars" in " ".join(map(text_of, rig.boxes[BOB]))


def test_master_changes_the_map_of_a_forming_game(rig: Rig, tmp_path: Path) -> None:
    rig.mail(GM, "CREATE ?marco gmsecret standard")
    key = install(rig, write_mars(tmp_path))
    assert REDS in ask(rig, GM, "SIGNON Mmarco gmsecret\nSET MAP MARS")
    assert map_and_phase(rig)[0] == key
    assert "already" in ask(rig, GM, "SIGNON Mmarco gmsecret\nSET MAP MARS")
    new = install(rig, write_mars(tmp_path, "New Mars"))
    assert "New Mars" in ask(rig, GM, "SIGNON Mmarco gmsecret\nSET MAP MARS")
    assert map_and_phase(rig)[0] == new


def test_two_maps_in_one_line_are_named_without_hashes(rig: Rig, tmp_path: Path) -> None:
    install(rig, write_mars(tmp_path))
    said = ask(rig, GM, "CREATE ?marco gmsecret mars youngstown")
    assert "mars" in said and "mars." not in said.replace("mars. ", "")
    said = ask(rig, GM, "CREATE ?marco gmsecret marz")
    assert "mars" in said and "mars." not in said.replace("mars. ", "")


def test_map_of_the_package_hides_an_added_map_of_its_name(rig: Rig, tmp_path: Path) -> None:
    """An update of the judge may bring such a map."""
    key = install(rig, write_mars(tmp_path))
    rig.mail(GM, CREATE)
    context, bundle = rig.application.context, read_bundle(tmp_path / MARS)
    context.maps.add(
        make_key("standard", hash_of(bundle)), "standard", hash_of(bundle), REDS, bundle,
        rig.clock.now(),
    )
    rig.mail(BOB, "CREATE ?polo bobsecret standard")
    assert {each.map for each in rig.application.games.list_games()} == {key, "standard"}


def test_fork_of_a_game_has_its_map(rig: Rig, tmp_path: Path) -> None:
    key = install(rig, write_mars(tmp_path))
    rig.mail(GM, f"{CREATE}\nSTART")
    drop(rig)
    forget_maps()
    rig.mail(GM, "SIGNON Mmarco gmsecret\nFORK marco")
    assert [each.map for each in rig.application.games.list_games()] == [key, key]


@pytest.mark.slow
def test_archive_of_a_game_on_an_added_map_has_no_tables(rig: Rig, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/judge.sqlite3"
    key = install(rig, write_mars(tmp_path, victory="4"))
    end(rig, "marco")
    drop(rig)
    made = rig.again(replace(rig.config, store=StoreSection(url)))
    forget_maps()
    publish(made.config, made.clock, tmp_path / "site")
    pages = " ".join(each.read_text() for each in (tmp_path / "site").rglob("*.html"))
    assert REDS in pages and key not in pages
    assert not [*(tmp_path / "site").rglob("*.tsv")]
    made.close()
