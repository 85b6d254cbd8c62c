"""Archived games: contents of the file, private data, and replay elsewhere."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import JudgeError
from judge.model.record import GameRecord, GameState, SeatState
from judge.play.archive.gamefile import Archived, archive_stored, read_archive, write_archive
from judge.play.archive.importing import import_game, replay
from judge.play.archive.orderlists import order_list, read_order_list
from tests.journeys.rig import START, Rig, squeeze_text, text_of

ANN, EVE, GM = "ann@example.org", "eve@example.org", "gm@example.org"
MASTER = "SIGNON Mtrip gmsecret\n"


def game_of(rig: Rig, name: str = "trip") -> GameRecord:
    game = rig.application.games.find(name)
    assert game
    return game


def archive(rig: Rig) -> Archived:
    return archive_stored(rig.application.games, game_of(rig))


def play(rig: Rig, *phases: str) -> None:
    """File the orders of each phase and adjudicate it."""
    for orders in phases:
        rig.mail(GM, f"{MASTER}{orders}\nPROCESS {game_of(rig).phase}")


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge with a running game."""
    made = Rig()
    made.mail(GM, "CREATE ?trip gmsecret standard\nSET DENY PLAYER foe@example.net\nSTART")
    yield made
    made.close()


def test_an_archived_game_is_read_back_unchanged(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}BROADCAST\nHello, «all»\nENDPRESS\nSET PARADOX 1982")
    play(rig, "A Par - Bur\nA Mun - Bur", "A Mar - Spa\nF Bre - Mao")
    taken = archive(rig)
    assert read_archive(write_archive(taken)) == with_game_id(taken, 0)


def test_a_text_that_begins_like_json_may_be_any(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}BROADCAST\n[sic] they say\nENDPRESS\nBROADCAST\n{{so}}\nENDPRESS")
    assert read_archive(write_archive(archive(rig))) == with_game_id(archive(rig), 0)


def with_game_id(taken: Archived, number: int) -> Archived:
    """Return an archive with this game number, without what a file lacks."""
    game = taken.game
    values = {name: getattr(game, name) for name in game.__slots__}
    values |= {"id": number, "opened": None, "deadline": None, "grace_until": None, "due": None,
               "branch": 0}
    turns = [set_game_number(turn, number) for turn in taken.turns]
    events = [set_game_number(event, number) for event in taken.events]
    return Archived(GameRecord(**values), tuple(turns), tuple(events))


def set_game_number(item: object, number: int) -> object:
    values = {name: getattr(item, name) for name in type(item).__slots__}
    return type(item)(**{**values, "game": number})


def test_nothing_private_is_in_a_file(rig: Rig) -> None:
    rig.mail(ANN, "TAKEOVER Ftrip annsecret")
    rig.mail(
        ANN,
        "SIGNON Ftrip annsecret\nPRESS TO M\nprivate words\nENDPRESS\n"
        "BROADCAST\nwrite to ann@example.org\nENDPRESS\nA Par - Bur",
    )
    text = write_archive(archive(rig))
    assert "write to (an address)" in text and "DENY PLAYER ***" in text
    for secret in (ANN, GM, "foe@example.net", "private words", "annsecret", "PAR - BUR",
                   game_of(rig).seed.hex(), "argon2"):
        assert secret not in text
    rig.mail(GM, f"{MASTER}PROCESS S1901M\nTERMINATE trip F1901M")
    over = write_archive(archive(rig))
    assert game_of(rig).seed.hex() in over and "PAR - BUR" in over and ANN not in over


def test_unused_proxies_and_orders_stay_private(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?trip2 gmsecret standard\nSET PROXY\nSTART")
    rig.mail(ANN, "TAKEOVER Ftrip2 annsecret")
    rig.mail(EVE, "TAKEOVER Etrip2 evesecret")
    rig.mail(
        ANN,
        "SIGNON Ftrip2 annsecret\nA Par - Gas\nA Par PROXY England\n"
        "A Mar PROXY England\nA Mar - Spa\nF Bre - Mao",
    )
    rig.mail(EVE, "SIGNON Etrip2 evesecret\nA Par - Bur\nF Lon - Nth")
    game = game_of(rig, "trip2")
    rig.mail(GM, f"SIGNON Mtrip2 gmsecret\nPROCESS {game.phase}")
    taken = archive_stored(rig.application.games, game_of(rig, "trip2"))
    orders = json.dumps(dict(taken.turns[0].orders))
    assert "A PAR - BUR" in orders and "A MAR - SPA" in orders
    assert "A PAR - GAS" not in orders and "A MAR PROXY" not in orders
    assert list(replay(taken)) == []


ORDERS = st.lists(
    st.sampled_from(
        ["A Par - Bur", "A Mar - Bur", "F Bre - Mao", "A Mun - Bur", "A Mun - Ruh", "A Ber - Kie",
         "F Kie - Den", "A Ven - Pie", "F Lon - Eng", "F Bre - Eng", "A Mar S A Par - Bur",
         "A Bur - Bel", "F Mao - Por", "BUILD A Par", "WAIVE", "A Bur H"]
    ),
    max_size=6,
)


@settings(max_examples=max(4, settings.default.max_examples // 25),
          suppress_health_check=list(HealthCheck))
@given(phases=st.lists(ORDERS, min_size=1, max_size=4))
def test_an_archived_game_is_replayed_elsewhere(begun: Rig, phases: list[list[str]]) -> None:
    home, abroad = begun.again(), Rig()
    try:
        play(home, *("\n".join(orders) for orders in phases))
        text = write_archive(archive(home))
        taken = read_archive(text)
        assert list(replay(taken)) == []
        bring(abroad, taken)
        again = archive(abroad)
        assert [set_game_number(turn, 0) for turn in again.turns] == list(taken.turns)
        assert again.game.position == taken.game.position
        listed = read_order_list(order_list(taken), home.clock.now())
        assert [turn.after for turn in listed.turns] == [turn.after for turn in taken.turns]
        assert listed.game.position == taken.game.position
    finally:
        home.close()
        abroad.close()


def bring(rig: Rig, taken: Archived, name: str = "", force: bool = False) -> None:
    """Import a game as `judge import` does."""
    application = rig.application
    with application.store.transaction():
        with application.context.unit_of_work() as context:
            _, letters = import_game(context, taken, name, GM, rig.clock.now(), force=force)
        application.queue(letters)


def test_an_imported_game_waits_for_players_and_goes_on(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}OFFICIAL On we go\nSoon.\nENDOFFICIAL")
    play(rig, "A Par - Bur")
    text = write_archive(archive(rig))
    bring(rig, read_archive(text), "again")
    rig.run()
    letter = rig.newest[GM]
    assert "'again' was imported from a file" in text_of(letter)
    rig.mail(ANN, "LOG again\nHISTORY again FROM S1901M")
    told = squeeze_text(text_of(rig.newest[ANN]))
    assert "The master: PROCESS S1901M" in told and "announces: On we go || Soon." in told
    game = game_of(rig, "again")
    assert game.state is GameState.PAUSED and game.seed != b""
    seats = rig.application.games.seats(game.id)
    assert [seat.state for seat in seats if seat.power] == [SeatState.VACANT] * 7
    rig.mail(ANN, "TAKEOVER Fagain annsecret")
    rig.reply(GM, "SET PASSWORD new\nRESUME", letter)
    rig.mail(ANN, "SIGNON Fagain annsecret\nA Bur - Bel; A Mar - Spa; F Bre - Mao")
    assert game_of(rig, "again").phase == "F1901A"
    assert "A Burgundy - Belgium" in text_of(rig.newest[ANN])


def test_replay_reports_differences(rig: Rig) -> None:
    play(rig, "A Par - Bur\nA Mun - Bur", "A Mar - Spa")
    values = json.loads(write_archive(archive(rig)))
    values["turns"][0]["orders"]["Germany"] = '["A MUN - RUH"]'
    wrong = list(replay(read_archive(json.dumps(values))))
    assert wrong and all(line.startswith("S1901M: ") for line in wrong)
    with pytest.raises(JudgeError, match="does not come out"):
        bring(rig, read_archive(json.dumps(values)), "other")
    bring(rig, read_archive(json.dumps(values)), "other", force=True)
    assert game_of(rig, "other").phase == "F1901A"


DAMAGES: dict[str, object] = {
    "format": "something else", "version": 2, "map": "mars", "system": "chess", "state": "forming",
    "turn": 7, "phase": "F1999M", "position": "{}", "settings": {"zone": "Mars/Olympus"},
    "seed": "xyz", "created": "2026-01-01T00:00:00", "turns": [{"number": 1}],
    "events": [{"at": "2026-01-01T00:00:00+00:00", "phase": "x", "kind": "notice",
                "told": {"code": "no-such-sentence"}}],
    "ending": {"winners": [], "reason": {"code": "no-such-sentence"}},
}


@pytest.fixture(scope="module")
def file() -> str:
    """The file of a game of one phase."""
    rig = Rig()
    rig.mail(GM, "CREATE ?trip gmsecret standard\nSTART")
    play(rig, "A Par - Bur")
    text = write_archive(archive(rig))
    rig.close()
    return text


@pytest.mark.parametrize("key", DAMAGES)
def test_a_damaged_file_is_refused(file: str, key: str) -> None:
    values = json.loads(file)
    with pytest.raises(JudgeError):
        read_archive(json.dumps({**values, key: DAMAGES[key]}))
    del values[key]
    with pytest.raises(JudgeError):
        read_archive(json.dumps(values))


SETTINGS_REFUSED = [
    {"press": 7}, {"invited": {"a@b.c": {}}}, {"allow": ["a@b.c"]}, {"unknown": 1},
    {"cron": "never"}, {"move.days": "x"}, {"dias": "yes"}, {"paradox": ["a"]},
]


@pytest.mark.parametrize("half", ["\ud800", json.dumps(["\ud800"])], ids=["bare", "in JSON"])
def test_a_lone_surrogate_is_refused_anywhere(file: str, half: str) -> None:
    """No database stores it, and the import would fail half-way."""
    values = json.loads(file)
    values["turns"][0]["orders"]["France"] = half
    with pytest.raises(JudgeError, match="this is no file of a game"):
        read_archive(json.dumps(values))


@pytest.mark.parametrize("wrong", SETTINGS_REFUSED, ids=str)
def test_invalid_settings_are_refused(file: str, wrong: dict[str, object]) -> None:
    values = json.loads(file)
    with pytest.raises(JudgeError):
        read_archive(json.dumps({**values, "settings": wrong}))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("GAME x", "no map"),
        ("MAP standard\nA Par H", "PHASE must come before"),
        ("MAP standard\nPHASE F1901M", "the game is in S1901M"),
        ("MAP standard\nPHASE S1901M\nA Par - Atlantis", "line 3"),
        ("MAP standard\nSETUP\nFrance: A Xanadu\nENDSETUP", "line 3"),
        ("MAP standard\nSETUP\nFrance: A Gas\nENDSETUP\nA Gas H", "PHASE must come before"),
        ("MAP standard\nSET ZONE Europe/Paris\nPHASE S1901M", "no option of the rules"),
        ("MAP standard\nSET FROBNICATE\nPHASE S1901M", "line 2"),
    ],
)
def test_a_wrong_order_list_names_its_line(text: str, fault: str) -> None:
    with pytest.raises(JudgeError, match=fault):
        read_order_list(text, START)


def test_an_order_list_begins_with_its_options() -> None:
    text = (
        "GAME blank\nMAP standard\nSET BLANK_BOARD ON\nSET LAST_YEAR 1905\n"
        "PHASE F1900A\nFrance: BUILD A PAR\nPHASE S1901M\nFrance: A PAR - BUR\n"
    )
    listed = read_order_list(text, START)
    assert listed.game.phase == "F1901M"
    assert order_list(listed).split() == (
        "GAME blank MAP standard SET BLANK_BOARD ON SET LAST_YEAR 1905"
        " PHASE F1900A France: BUILD A PAR PHASE S1901M France: A PAR - BUR".split()
    )


def set_up_and_confirm(rig: Rig, setup: str) -> None:
    """Set up a position and confirm it."""
    rig.mail(GM, f"{MASTER}{setup}")
    told = text_of(rig.newest[GM])
    word = next(line.split()[1] for line in told.splitlines() if line.strip().startswith("SETUP "))
    rig.mail(GM, f"{MASTER}SETUP {word}")


def test_order_lists_include_set_up_positions(rig: Rig) -> None:
    play(rig, "A Par - Bur")
    set_up_and_confirm(
        rig,
        "SETUP\nFrance: A Bur, F Spa/sc, F Mao\nFrance centres: Par, Mar, Mun\n"
        "Turkey: none\nUnowned: Bre\nENDSETUP",
    )
    play(rig, "A Bur - Bel")
    set_up_and_confirm(
        rig,
        "SETUP S1903M\nCLEAR\nFrance: A Par\nGermany: A Ber, F Kie\n"
        "France centres: Par\nGermany centres: Ber, Kie\nENDSETUP",
    )
    play(rig, "A Par - Pic")
    set_up_and_confirm(rig, "SETUP\nFrance: A Pic, A Bre\nENDSETUP")
    taken = archive(rig)
    text = order_list(taken)
    assert text.count("\nSETUP\n") == text.count("\nENDSETUP\n") == 3
    assert "France: A BUR, F MAO, F SPA/SC" in text and "Turkey: none" in text
    listed = read_order_list(text, rig.clock.now())
    assert [turn.after for turn in listed.turns] == [turn.after for turn in taken.turns]
    assert list(replay(listed)) == []
    assert order_list(listed) == text
    bring(rig, listed, "again")
    again = game_of(rig, "again")
    assert (again.phase, again.position) == (taken.game.phase, taken.game.position)


def test_a_game_with_a_start_of_its_own_is_read_back(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?trip3 gmsecret standard\nSETUP\nFrance: A Par, A Mar\nENDSETUP")
    told = text_of(rig.newest[GM])
    word = next(line.split()[1] for line in told.splitlines() if line.strip().startswith("SETUP "))
    rig.mail(GM, f"SIGNON Mtrip3 gmsecret\nSETUP {word}\nSTART")
    rig.mail(GM, "SIGNON Mtrip3 gmsecret\nA Par - Bur\nPROCESS S1901M")
    taken = archive_stored(rig.application.games, game_of(rig, "trip3"))
    listed = read_order_list(order_list(taken), rig.clock.now())
    assert [turn.after for turn in listed.turns] == [turn.after for turn in taken.turns]


def test_an_order_list_with_a_winner_is_a_finished_game() -> None:
    text = (
        "GAME brief\nMAP standard\nSET VICTORY 5\nPHASE S1901M\nFrance: A MAR - SPA\n"
        "France: F BRE - MAO\nPHASE F1901M\nFrance: F MAO - POR\n"
        "PHASE F1901A\nFrance: BUILD A MAR\n"
    )
    with pytest.raises(JudgeError, match="over by then"):
        read_order_list(text, START)
    listed = read_order_list(text.partition("PHASE F1901A")[0], START)
    assert listed.game.state is GameState.ENDED
    assert json.loads(listed.game.result)["winners"] == ["France"]


@pytest.mark.parametrize("name", ["trip", "x", "far too long", "9lives"])
def test_an_occupied_or_invalid_name_is_refused(rig: Rig, file: str, name: str) -> None:
    with pytest.raises(JudgeError):
        bring(rig, read_archive(file), name)
