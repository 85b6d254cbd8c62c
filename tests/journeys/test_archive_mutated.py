"""Changed archives are refused with a reason, or are valid games."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import JudgeError
from judge.model.record import MailState
from judge.play.archive.gamefile import archive_stored, read_archive, write_archive
from judge.play.archive.importing import import_game
from judge.play.archive.orderlists import order_list, read_order_list
from tests.journeys.rig import START, Rig

GM = "gm@example.org"
MASTER = "SIGNON Mtrip gmsecret\n"
ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1, 2**70, 10**400, 1.5, float("nan"), float("inf"), "", "x", "²", "٣", "\0",
    "\ud800", '"\\ud800"', '["\\ud800"]', "{}", "[]", "[" * 5000, "null", '{"a": 1}', [], {}, [[]],
    {"a": []}, "9" * 5000, ["A PAR - BUR"], {"code": "x"}, "S1901M", "2026-01-01T00:00:00+00:00",
    "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:00", "2026-01-01", "Mars/Olympus",
    "* * * * *",
)


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    """A judge with a game of two phases with press and an announcement."""
    made = Rig()
    made.mail(GM, "CREATE ?trip gmsecret standard\nSTART")
    made.mail(GM, f"{MASTER}BROADCAST\nHello\nENDPRESS\nOFFICIAL On we go\nSoon\nENDOFFICIAL")
    made.mail(GM, f"{MASTER}SET MOVE NEXT 48\nA Par - Bur\nA Mun - Bur\nPROCESS S1901M")
    made.mail(GM, f"{MASTER}A Mar - Spa\nF Bre - Mao\nPROCESS F1901M")
    yield made
    made.close()


@pytest.fixture(scope="module")
def file(rig: Rig) -> str:
    game = rig.application.games.find("trip")
    assert game
    return write_archive(archive_stored(rig.application.games, game))


def places(value: object, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every item in a value."""
    yield at
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(
        value, list
    ) else ():
        yield from places(value[key], (*at, key))  # type: ignore[index]


def mutate_value(data: st.DataObject, value: Any) -> Any:
    """Return a value with one item added, removed or replaced, also inside JSON."""
    way = data.draw(st.sampled_from(list(places(value))))
    if not way:
        return data.draw(st.sampled_from(ODD))
    holder = value
    for key in way[:-1]:
        holder = holder[key]
    there, odd = holder[way[-1]], data.draw(st.sampled_from(ODD))
    if isinstance(there, str) and there[:1] in ("{", "[") and data.draw(st.integers(0, 3)):
        holder[way[-1]] = json.dumps(mutate_value(data, json.loads(there)))
    elif data.draw(st.booleans()):
        holder[way[-1]] = odd
    elif isinstance(there, dict):
        there["another"] = odd
    elif isinstance(there, list):
        there.append(odd)
    else:
        del holder[way[-1]]
    return value


@settings(max_examples=settings.default.max_examples // 4, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_file_with_a_changed_value_is_refused_or_a_game(
    rig: Rig, file: str, data: st.DataObject
) -> None:
    text = json.dumps(mutate_value(data, json.loads(file)))
    brought_in(rig, text, data.draw(st.booleans()))


@settings(max_examples=settings.default.max_examples // 4, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_file_with_a_changed_letter_is_refused_or_a_game(
    rig: Rig, file: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(file)))
    pieces = ["", '"', "{", "]", "0", "²", ",", "x", "\\ud800", "e9", "NaN"]
    put = data.draw(st.sampled_from(pieces))
    text = file[:at] + put + file[at + data.draw(st.integers(0, 3)):]
    brought_in(rig, text, data.draw(st.booleans()))


@pytest.mark.parametrize("force", [False, True])
def test_an_unknown_province_in_an_outcome_is_refused(rig: Rig, file: str, force: bool) -> None:
    values = json.loads(file)
    outcome = json.loads(values["turns"][1]["outcome"])
    owners = outcome["after"]["owners"]
    owners["{War"] = owners.pop("War")
    values["turns"][1]["outcome"] = json.dumps(outcome)
    brought_in(rig, json.dumps(values), force)


def brought_in(rig: Rig, text: str, force: bool) -> None:
    """Import a game if it is valid, and request it in every way."""
    application = rig.application
    try:
        archived = read_archive(text)
        with application.store.transaction():
            with application.context.unit_of_work() as context:
                game, letters = import_game(
                    context, archived, f"g{rig.mails}", GM, rig.clock.now(), force=force
                )
            application.queue(letters)
    except JudgeError:
        return
    name = game.name
    rig.mail(
        GM,
        f"LIST {name}\nHISTORY {name}\nLOG {name}\nSUMMARY {name}\nEXPORT {name}\n"
        f"TAKEOVER F{name} secret",
    )
    stories = [mail.note for mail in application.post.list_shunted()]
    for mail in application.post.list_shunted():
        application.post.unshunt(mail.id, MailState.DONE, "", rig.clock.now())
    rig.boxes.clear()
    assert not stories, stories[0]


@settings(max_examples=settings.default.max_examples // 4, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_changed_order_list_is_refused_or_a_game(
    rig: Rig, file: str, data: st.DataObject
) -> None:
    listed = order_list(read_archive(file))
    lines = listed.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        words = lines[at].split(" ")
        odd = str(data.draw(st.sampled_from([*ODD, "SET", "PHASE", "MAP", "GAME", "youngstown"])))
        words[data.draw(st.integers(0, len(words) - 1))] = odd
        lines[at] = " ".join(words)
    try:
        read_order_list("\n".join(lines), START)
    except JudgeError:
        pass
