"""The command line: what it prints, and its exit codes."""

import io
import json
import os
import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from judge.cli import main
from judge.diplomacy import compat
from judge.games import all_systems
from judge.site import pages
from judge.store.database import Store
from judge.terminal.adjudicating import AHEAD, CHUNK, answers
from judge.terminal.inbox import printable, read_letter, show_letter


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty working directory and no configuration but the defaults."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_LISTEN_SMTP", "127.0.0.1:9")
    yield tmp_path


def pipe(monkeypatch: pytest.MonkeyPatch, octets: bytes) -> None:
    """Make octets the standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(octets)))


@pytest.mark.slow
def test_check_finds_no_fault_in_a_fresh_installation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check"]) == 0
    said = capsys.readouterr().out
    for word in ("standard", "youngstown", "grammars", "templates", "judge.sqlite3 is missing"):
        assert word in said
    drawn = re.findall(r"pictures: the board of (\w+) is drawn, (\d+) kB", said)
    large = [name for name, size in drawn if int(size) > 30]
    assert large == ["standard", "nations1940", "yorktown"]


@pytest.mark.slow
def test_check_reads_the_pages_of_the_archive(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    for name in ("site", *(system.name for system in all_systems())):
        (folder / "templates" / name).mkdir(parents=True)
    (folder / "templates/diplomacy/page-results.page").write_text("{% if %}")
    monkeypatch.setattr(pages, "_TEMPLATES", folder / "templates")
    monkeypatch.setattr(pages, "texts_of", (folder / "templates").joinpath)
    assert main(["check"]) == 1
    assert "diplomacy/page-results.page" in capsys.readouterr().err


@pytest.mark.slow
def test_check_reports_faults_and_exits_with_1(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "var").mkdir()
    (folder / "var/judge.sqlite3").write_text("this is no database, whatever its name says\n" * 99)
    assert main(["check"]) == 1
    assert "judge.sqlite3" in capsys.readouterr().err


def test_a_faulty_configuration_is_named_by_every_command(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "judge.toml").write_text("[judge]\nadress = 'x'\n")
    assert main(["inbox"]) == 1
    assert "adress" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["frobnicate"], ["mail"], ["resolve", "--now", "soon"]])
def test_wrong_usage_exits_with_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2


def test_mail_without_a_running_judge_explains_the_start(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "text").write_text("LIST\n")
    assert main(["mail", "--from", "ann@example.org", "text"]) == 1
    assert "judge serve" in capsys.readouterr().err


def test_mail_from_an_invalid_address_is_not_sent(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "text").write_text("LIST\n")
    assert main(["mail", "--from", "ann@example.org\nBcc: x@y.org", "text"]) == 1
    assert "no mail address" in capsys.readouterr().err


def test_an_empty_inbox_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inbox", "ann@example.org"]) == 0
    assert "No letter to ann@example.org" in capsys.readouterr().out


def test_inbox_fails_if_the_judge_delivers_to_a_server(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUDGE_DELIVER_TO", "smtp://127.0.0.1:25")
    assert main(["inbox"]) == 1
    assert "Maildir" in capsys.readouterr().err


def test_a_letter_cannot_steer_the_terminal() -> None:
    raw = (
        "From: a@x.org\nTo: b@x.org\nSubject: =?utf-8?q?=1B[2J=0D=0ADate:_never?=\n\n"
        "hello\x1b]0;x\x07 café\n"
    )
    shown = show_letter(read_letter(raw.encode()))
    assert "\x1b" not in shown and "\x07" not in shown
    assert "hello" in shown and "\nDate:" not in shown
    assert printable("A → B\n") == "A → B\n"


def test_adjudicate_continues_after_a_bad_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = {
        "id": 1,
        "map": "standard",
        "phase": "S1901M",
        "units": {"England": ["F NTH", "A LON"]},
        "orders": {"England": ["F NTH C A LON - NWY", "A LON - NWY VIA"]},
    }
    pipe(monkeypatch, "\n".join([json.dumps(good), "nonsense", json.dumps(good)]).encode())
    assert main(["adjudicate"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("id") for line in lines] == [1, None, 1]
    assert lines[0]["units"]["England"] == ["A NWY", "F NTH"]
    assert "error" in lines[1] and lines[2] == lines[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("command", ["adjudicate", "options"])
def test_positions_are_read_in_utf8_and_utf16(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str,
    encoding: str,
) -> None:
    lines = [
        json.dumps({"id": f"Zürich{n}", "map": "standard", "phase": "S1901M", "units": {}},
                   ensure_ascii=False)
        for n in range(3)
    ]
    text = "\r\n".join(lines)
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    pipe(monkeypatch, mark + text.encode(encoding))
    assert main([command]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["id"] for one in found] == ["Zürich0", "Zürich1", "Zürich2"]
    assert not any("error" in one for one in found)


def test_a_line_in_another_encoding_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.dumps({"id": 1, "map": "standard", "phase": "S1901M", "units": {}})
    pipe(monkeypatch, b"\n".join([good.encode(), b'{"id": "Z\xfcrich"}', good.encode()]))
    assert main(["adjudicate"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["id"] for one in found] == [1, None, 1]
    assert found[1]["error"] == "no UTF-8 text"


ORDERS = "GAME trip\nMAP standard\nPHASE S1901M\nFrance: A PAR - BUR\nFrance: A MAR - SPA\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_game_files_are_read_in_utf8_and_utf16(
    folder: Path, capsys: pytest.CaptureFixture[str], encoding: str
) -> None:
    Store("sqlite:///var/judge.sqlite3").open(create=True)
    (folder / "orders.txt").write_bytes(ORDERS.replace("\n", "\r\n").encode(encoding))
    assert main(["import", "orders.txt", "--master", "gm@example.org"]) == 0
    assert main(["export", "trip"]) == 0
    text = capsys.readouterr().out.partition("\n")[2]
    (folder / "trip.json").write_bytes(text.encode(encoding))
    assert main(["import", "trip.json", "--name", "again", "--master", "gm@example.org"]) == 0
    for what in ("orders.txt", "trip.json", "trip", "again"):
        assert main(["replay", what]) == 0, what
        assert "phases played again: 1, all with" in capsys.readouterr().out


def test_a_stored_game_is_replayed_in_a_folder_one_may_not_read(
    monkeypatch: pytest.MonkeyPatch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder may be root's home, as for `runuser -u judge`."""
    Store("sqlite:///var/judge.sqlite3").open(create=True)
    (folder / "orders.txt").write_text(ORDERS)
    assert main(["import", "orders.txt", "--master", "gm@example.org"]) == 0
    stat = os.stat

    def refuse(path: Any, *given: Any, **named: Any) -> os.stat_result:
        if str(path) in ("trip", "trip.json"):
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, *given, **named)

    monkeypatch.setattr(os, "stat", refuse)
    assert main(["replay", "trip"]) == 0
    assert "phases played again: 1" in capsys.readouterr().out
    assert main(["replay", "nowhere"]) == 1
    assert "there is no game 'nowhere'" in capsys.readouterr().err
    assert main(["replay", "trip.json"]) == 1
    assert "trip.json" in capsys.readouterr().err


@pytest.mark.parametrize(("octets", "told"), [
    (b"GAME trip\nMAP \xfc\n", "judge: orders.txt, line 2: no UTF-8 text; save it as UTF-8\n"),
    (b"\xff\xfeG\0A", "judge: orders.txt, line 1: no UTF-16 text; save it as UTF-8\n"),
    (ORDERS.encode("utf-16-le"),
     "judge: orders.txt: no UTF-8 text (it has NUL characters); save it as UTF-8\n"),
])
def test_other_encodings_are_named_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], octets: bytes, told: str
) -> None:
    Store("sqlite:///var/judge.sqlite3").open(create=True)
    (folder / "orders.txt").write_bytes(octets)
    for words in (["import", "orders.txt"], ["replay", "orders.txt"],
                  ["mail", "--from", "ann@example.org", "orders.txt"]):
        assert main(words) == 1
        assert capsys.readouterr().err == told, words
    (folder / "judge.toml").write_bytes(octets)
    assert main(["queue"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("judge: ") and "judge.toml" in said and said.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_configuration_is_read_in_utf8_and_utf16(
    folder: Path, capsys: pytest.CaptureFixture[str], encoding: str
) -> None:
    text = '[judge]\r\nname = "Zürich"\r\naddress = "me+judge@gmail.com"\r\n'
    (folder / "judge.toml").write_bytes(text.encode(encoding))
    assert main(["check"]) == 0
    assert "the judge is me+judge@gmail.com" in capsys.readouterr().out


def test_saved_games_of_the_diplomacy_package_are_replayed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = compat.Game("marco")
    game.set_orders("FRANCE", ["A PAR - BUR"])
    game.process()
    saved = json.loads(json.dumps(compat.to_saved_game_format(game)))
    (folder / "saved.json").write_text(json.dumps(saved))
    assert main(["replay", "saved.json"]) == 0
    assert "phases played again: 1, all with" in capsys.readouterr().out
    saved["phases"][1]["state"]["units"]["FRANCE"].remove("A BUR")
    (folder / "saved.json").write_text(json.dumps(saved))
    assert main(["replay", "saved.json"]) == 1
    assert "S1901M units FRANCE: recorded" in capsys.readouterr().out
    (folder / "saved.json").write_text('{"phases": [{"name": "S1901M"}]}')
    assert main(["replay", "saved.json"]) == 1
    assert "phase 1 of the saved game has no state" in capsys.readouterr().err


def test_options_gives_the_orders_of_every_unit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moving = {"id": 1, "map": "standard", "phase": "S1901M", "units": {"France": ["F BRE"]}}
    building = {
        "id": 2, "map": "standard", "phase": "F1901A", "units": {}, "centers": {"Italy": ["VEN"]},
    }
    given = [json.dumps(moving), "", "nonsense", json.dumps(building)]
    pipe(monkeypatch, "\n".join(given).encode())
    assert main(["options"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    orders = ["F BRE H", "F BRE - ENG", "F BRE - GAS", "F BRE - MAO", "F BRE - PIC"]
    assert lines[0] == {"id": 1, "orders": {"France": {"F BRE": orders}}}
    assert "error" in lines[1]
    builds = {"A VEN": ["BUILD A VEN"], "F VEN": ["BUILD F VEN"], "WAIVE": ["WAIVE"]}
    assert lines[2] == {"id": 2, "orders": {"Italy": builds}}


@pytest.mark.parametrize("command", ["adjudicate", "options"])
def test_processes_answer_in_order_with_bounded_read_ahead(
    command: str,
) -> None:
    read = 0

    def lines() -> Iterator[str]:
        nonlocal read
        for number in range(1500):
            read += 1
            yield json.dumps({"id": number, "phase": "S1901M", "units": {"France": ["A PAR"]}})

    for number, line in enumerate(answers(command, lines(), "standard", jobs=2)):
        assert json.loads(line)["id"] == number
        assert read - number <= CHUNK * (2 * AHEAD + 1)
    assert number == 1499


def test_the_bench_counts_positions_a_second(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = json.dumps({"id": 1, "phase": "S1901M", "units": {"France": ["A PAR"]}})
    pipe(monkeypatch, f"{line}\nnonsense".encode())
    assert main(["adjudicate", "--map", "standard", "--bench"]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2
    assert "1 positions" in said.err and "positions/s" in said.err


def test_a_position_is_drawn_as_svg_or_png(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    line = json.dumps({"id": 1, "phase": "S1901M", "units": {"France": ["A PAR"]}})
    pipe(monkeypatch, line.encode())
    assert main(["draw", "--map", "standard"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"<svg")
    pipe(monkeypatch, line.encode("utf-16"))
    assert main(["draw", "--map", "standard", "--png", "--width", "400"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"\x89PNG")
    pipe(monkeypatch, b"nonsense")
    assert main(["draw", "--map", "standard"]) == 1


def test_a_game_is_exported_imported_and_replayed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    orders = folder / "orders.txt"
    orders.write_text("GAME trip\nMAP standard\nPHASE S1901M\nA Par - Bur\nA Mar - Spa\n")
    assert main(["import", str(orders)]) == 1
    assert "there is no database" in capsys.readouterr().err
    Store("sqlite:///var/judge.sqlite3").open(create=True)
    assert main(["import", str(orders), "--master", "gm@example.org"]) == 0
    assert "trip is imported, in F1901M" in capsys.readouterr().out
    assert main(["import", str(orders)]) == 1
    assert "already" in capsys.readouterr().err
    assert main(["export", "nowhere"]) == 1
    assert main(["export", "trip", "--orders"]) == 0
    assert "France: A PAR - BUR\n" in capsys.readouterr().out
    assert main(["export", "trip"]) == 0
    text = capsys.readouterr().out
    assert json.loads(text)["turns"][0]["result"]["next"] == "F1901M"
    assert "gm@example.org" not in text
    file = folder / "trip.json"
    file.write_text(text)
    for what in ("trip", str(file)):
        assert main(["replay", what]) == 0
        assert "phases played again: 1, all with" in capsys.readouterr().out
    file.write_text(text.replace('[\\"A MAR - SPA\\"', '[\\"A MAR H\\"'))
    assert main(["replay", str(file)]) == 1
    assert "S1901M: outcome.verdicts.France" in capsys.readouterr().out


def test_attachments_of_a_letter_are_listed_and_saved(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letter = EmailMessage()
    letter["To"], letter["Subject"] = "ann@example.org", "marco - S1901M results"
    letter.set_content("Movement results\n")
    letter.add_attachment(b"\x89PNG", "image", "png", filename="../../marco S1901M.png")
    letter.add_attachment("No second picture.\n")
    (folder / "var/outbox/new").mkdir(parents=True)
    (folder / "var/outbox/new/1.1_1.judge").write_bytes(bytes(letter))
    assert main(["inbox", "ann@example.org", "--save", "pictures"]) == 0
    said = capsys.readouterr().out
    assert "[attached: marco-S1901M.png, 1 kB]" in said and "No second picture." in said
    assert "saved: pictures/marco-S1901M.png" in said
    assert [path.name for path in (folder / "pictures").iterdir()] == ["marco-S1901M.png"]
    assert (folder / "pictures/marco-S1901M.png").read_bytes() == b"\x89PNG"
