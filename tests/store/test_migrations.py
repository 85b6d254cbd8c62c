"""Migrations of a database to the present schema."""

import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from judge.errors import StoreError
from judge.model.record import Draw
from judge.store.database import Store
from judge.store.games import Games
from judge.store.migrations import STEPS, Migration, migrate


def columns(store: Store, table: str) -> list[str]:
    return [column.name for column in store.database.get_columns(table)]


def test_a_second_opening_applies_nothing(store: Store) -> None:
    with store.transaction():
        assert migrate(store.database) == []


def test_a_new_step_is_applied_once(file_store: Store) -> None:
    more = (*STEPS, Migration("second", ("ALTER TABLE games ADD COLUMN colour TEXT",)))
    with file_store.transaction():
        assert migrate(file_store.database, more) == ["second"]
    with file_store.transaction():
        assert migrate(file_store.database, more) == []
    assert "colour" in columns(file_store, "games")


def test_a_failed_step_leaves_nothing_behind(file_store: Store) -> None:
    bad = Migration("second", ("CREATE TABLE half (a INTEGER)", "ALTER TABLE nowhere ADD COLUMN b"))
    with pytest.raises(StoreError), file_store.transaction():
        migrate(file_store.database, (*STEPS, bad))
    assert "half" not in file_store.database.get_tables()
    with file_store.transaction():
        assert migrate(file_store.database, (*STEPS, Migration("second", ()))) == ["second"]


def test_a_newer_database_is_refused(file_store: Store) -> None:
    with file_store.transaction():
        migrate(file_store.database, (*STEPS, Migration("from the future", ())))
    with pytest.raises(StoreError, match="newer judge.*from the future"):
        Store(f"sqlite:///{file_store.path}").open(create=True)


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    foreign = sqlite3.connect(path)
    foreign.execute("CREATE TABLE games (a INTEGER)")
    foreign.commit()
    foreign.close()
    with pytest.raises(StoreError):
        Store(f"sqlite:///{path}").open(create=False)


def old_database(path: Path) -> None:
    """Make a database with the schema of the first judges and a mail in it."""
    path.touch()
    store = Store(f"sqlite:///{path}")
    store.database.connect()
    with store.transaction():
        migrate(store.database, STEPS[:1])
        store.database.execute_sql(
            "INSERT INTO mails (accepted, sender, recipients, peer, raw, state, digest, note)"
            " VALUES (1, 'ann@example.org', '[]', '', x'41', 'new', '', '')"
        )
    store.close()


def test_existing_games_get_no_early_deadline_delay(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    old_database(path)
    columns = (
        "name, system, map, state, phase, turn, position, settings, seed, created, marks, result"
    )
    rows = [("marco", "{}"), ("polo", '{"move.delay": 2.0, "zone": "Europe/Paris"}')]
    with closing(sqlite3.connect(path)) as database:
        for name, settings in rows:
            database.execute(
                f"INSERT INTO games ({columns}) VALUES (?, 'diplomacy', 'standard', 'running',"
                " 'S1901M', 1, '', ?, x'00', 1, '{}', '')", (name, settings),
            )
        database.commit()
    store = Store(f"sqlite:///{path}")
    store.open(create=False)
    games = Games(store)
    assert games.find("marco").settings == {"move.delay": 0.0}  # type: ignore[union-attr]
    assert games.find("polo").settings == {  # type: ignore[union-attr]
        "move.delay": 2.0, "zone": "Europe/Paris",
    }
    store.close()


def test_migration_removes_words_about_positions_from_the_log(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    old_database(path)
    lines = ["SETUP bcdfgh", "setup  no", "Setup BCDFGH.", "SETUP F1903M", "PROCESS S1901M"]
    with closing(sqlite3.connect(path)) as database:
        for line in lines:
            text = json.dumps({"code": "master-act", "who": "Jörg", "line": line, "told": True})
            database.execute(
                "INSERT INTO events (game, at, phase, kind, text, readers)"
                " VALUES (1, 1, 'S1901M', 'log', ?, '[]')", (text,),
            )
        database.commit()
    Store(f"sqlite:///{path}").open(create=False)
    with closing(sqlite3.connect(path)) as database:
        texts = database.execute("SELECT text FROM events ORDER BY id").fetchall()
    told = [json.loads(text) for (text,) in texts]
    assert [each["line"] for each in told] == ["SETUP", "setup  no", "SETUP", *lines[3:]]
    assert all(each["who"] == "Jörg" and each["told"] is True for each in told)


def test_existing_seats_keep_their_json_files(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    old_database(path)
    kept = [
        ("held", "{}"), ("waiting", '{"zone": "Europe/Paris"}'), ("held", '{"json": false}'),
        ("vacant", "{}"), ("left", "{}"), ("held", "damaged"),
    ]
    with closing(sqlite3.connect(path)) as database:
        for state, settings in kept:
            database.execute(
                "INSERT INTO seats (game, role, state, power, address, password, epoch, preference,"
                " wait, ready, missed, settings) VALUES (1, 'player', ?, '', '', '', 1, '', 0, 0,"
                " 0, ?)", (state, settings),
            )
        database.commit()
    Store(f"sqlite:///{path}").open(create=False)
    with closing(sqlite3.connect(path)) as database:
        found = [text for (text,) in database.execute("SELECT settings FROM seats ORDER BY id")]
    assert list(map(json.loads, found[:3])) == [
        {"json": True}, {"zone": "Europe/Paris", "json": True}, {"json": False},
    ]
    assert found[3:] == ["{}", "{}", "damaged"]


def names_in(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT name FROM migrations ORDER BY number").fetchall()
        assert database.execute("SELECT sender FROM mails").fetchall() == [("ann@example.org",)]
        return [name for (name,) in rows]


def test_an_old_database_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    old_database(path)
    store = Store(f"sqlite:///{path}")
    store.open(create=False)
    store.close()
    copy = tmp_path / f"judge.sqlite3.before-{STEPS[1].name}"
    assert names_in(path) == [step.name for step in STEPS]
    assert names_in(copy) == [STEPS[0].name]
    assert copy.stat().st_mode & 0o077 == 0


def test_a_copy_of_an_earlier_attempt_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    earlier = tmp_path / f"judge.sqlite3.before-{STEPS[1].name}"
    earlier.write_text("earlier")
    old_database(path)
    Store(f"sqlite:///{path}").open(create=False)
    assert earlier.read_text() == "earlier"
    assert names_in(tmp_path / f"{earlier.name}.2") == [STEPS[0].name]


def test_where_no_copy_can_be_made_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "judge.sqlite3"
    old_database(path)

    def full(*given: object) -> None:
        raise StoreError("no space left on device")

    monkeypatch.setattr("judge.store.sqlite.copy_database", full)
    with pytest.raises(StoreError, match="no space"):
        Store(f"sqlite:///{path}").open(create=False)
    assert names_in(path) == [STEPS[0].name]


def test_a_database_that_is_up_to_date_or_new_is_not_copied(tmp_path: Path) -> None:
    for _ in range(2):
        store = Store(f"sqlite:///{tmp_path / 'judge.sqlite3'}")
        store.open(create=True)
        store.close()
    assert not list(tmp_path.glob("*before*"))


def test_two_judges_migrate_an_old_database_once(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    old_database(path)
    faults: list[BaseException] = []

    def open_it() -> None:
        try:
            store = Store(f"sqlite:///{path}")
            store.open(create=False)
            store.close()
        except StoreError as fault:
            faults.append(fault)

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert names_in(path) == [step.name for step in STEPS]
    assert len(list(tmp_path.glob("*before*"))) == 1


def test_turns_get_the_seed_they_were_played_with(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    path.touch()
    store = Store(f"sqlite:///{path}")
    store.database.connect()
    at = [step.name for step in STEPS].index("turn seeds")
    with store.transaction():
        migrate(store.database, STEPS[:at])
    store.close()
    own, foreign = '[["hit", 1, 6, 3, false]]', '[["hit", 1, 6, 3, true], ["a", 2, 6, 1, true]]'
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "INSERT INTO games (name, system, map, state, phase, turn, position, settings, seed,"
            " created, marks, result) VALUES"
            " ('marco', 'diplomacy', 'standard', 'running', 'S1901M', 3, '', '{}', x'4142', 1,"
            " '{}', '')"
        )
        for number, draws in enumerate((own, foreign, "[]"), start=1):
            database.execute(
                "INSERT INTO turns (game, number, phase, before, orders, outcome, after, at, draws)"
                " VALUES (1, ?, 'S1901M', '', '{}', '', '', 1, ?)", (number, draws),
            )
        database.commit()
    store = Store(f"sqlite:///{path}")
    store.open(create=False)
    turns = Games(store).turns(1)
    assert [turn.seed for turn in turns] == [b"AB", b"", b"AB"]
    assert [len(turn.draws) for turn in turns] == [1, 2, 0]
    assert turns[0].draws == (Draw("hit", 1, 6, 3),)
    store.close()
