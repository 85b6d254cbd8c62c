"""Changes of a state by a master: SET, EVENT, NEUTRALISE (N-170, N-171)."""

import pytest

from judge.dice import Dice
from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.rules.resolve import resolve
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import NationsState, dump_state, load_state
from judge.games.nations1940.views.setup import NationsSetup, arrangement
from judge.model.incoming import Line
from tests.games.nations1940.board_of_cases import BOARD, MAP, SEED, laid_out
from tests.games.nations1940.test_rules import rules

QUIET = Settings(events=False)


def laid_over(
    *texts: str, turn: int = 7, before: tuple[str, ...] = ()
) -> tuple[NationsState, list[str]]:
    """Return the state changed by the lines, and the codes of the complaints."""
    setup = NationsSetup(laid_out(before, turn, QUIET), QUIET, lexicon(MAP))
    read = setup.read([Line(number, text) for number, text in enumerate(texts, 1)])
    return setup.state, [one.complaint.reason.code for one in read if one.complaint]


@rules("N-170")
def test_every_field_can_be_set() -> None:
    state, wrong = laid_over(
        "SET provinces.20.owner RUS", "provinces.20.armies.UKR 0", "provinces.20.armies.RUS 2",
        "SET provinces.Kiev.improvements ACA, Fortifications", "provinces.20.populous no",
        "provinces.20.fallout 3", "provinces.20.epidemic yes",
        "nations.UKR.capital 21", "nations.RUS.techs Sonar", "nations.RUS.queue Radar, Electronics",
        'SET nations.RUS.progress."Radar" 12', "nations.RUS.pi_malus 1",
        "nations.RUS.missed_turns 2", "nations.RUS.spawn_order 88, 20", "seas.S16.SIC 2",
        "treaties.GER.RUS NAP, EXCHANGE", "domination.RUS 3", "SET turn 9",
        "nations.BRI.government Dictatorship", "provinces.6.owner KAL",
    )  # fmt: skip
    assert wrong == []
    kiev, russia = state.provinces[20], state.nations["RUS"]
    assert (kiev.owner, dict(kiev.armies), kiev.fallout, kiev.epidemic) == ("RUS", {"RUS": 2}, 3, 1)
    assert kiev.improvements == {"ACA", "FOR"} and not kiev.populous
    assert (russia.techs, russia.queue) == ({"Sonar"}, ("Radar", "Electronics"))
    assert (russia.progress, russia.pi_malus, russia.missed_turns) == ({"Radar": 12}, 1, 2)
    assert russia.spawn_order == (88, 20) and state.nations["UKR"].capital == 21
    assert state.seas["S16"] == {"SIC": 2} and state.domination == {"RUS": 3}
    assert [one.kind for one in sorted(state.bonds)] == ["EXCHANGE", "NAP"]
    assert state.turn == 9 and state.nations["BRI"].government == "Dictatorship"
    assert (state.provinces[6].owner, state.provinces[6].neutral) == ("KAL", 0)


@pytest.mark.parametrize(("text", "code"), [
    ("SET provinces.20.owner ATL", "setup-unknown"),
    ("SET provinces.91.owner RUS", "setup-unknown"),
    ("SET provinces.20.colour red", "setup-no-field"),
    ("SET provinces.20.tanks.RUS 2", "setup-no-field"),
    ("SET provinces.20.armies.RUS some", "setup-no-value"),
    ("SET provinces.20.armies.RUS 99999", "setup-no-value"),
    ("SET nations.RUS.alive no", "setup-no-field"),
    ("SET treaties.GER.RUS LOVE", "setup-no-value"),
    ("SET treaties.GER.GER NAP", "setup-unreadable"),
    ("SET weather sunny", "setup-no-path"),
    ("EVENT Flood #20", "setup-no-event"),
    ("EVENT Storm #20", "setup-no-target"),
    ("EVENT Uprising 20", "setup-no-target"),
    ("NEUTRALISE Atlantis", "setup-unknown"),
    ("SET provinces.20.owner none", "setup-broken"),
    ("SET treaties.GER.RUS WAR, NAP", "setup-broken"),
    ("SET provinces.20.fallout 2", "setup-broken"),
    ('state {"turn": 3}', "setup-unreadable"),
])  # fmt: skip
@rules("N-171", "N-175")
def test_an_invalid_setup_line_has_its_complaint(text: str, code: str) -> None:
    _, wrong = laid_over(text)
    assert wrong and wrong[0] == code


@rules("N-170", "N-171")
def test_an_ordered_event_uses_the_dice_of_the_game() -> None:
    """It happens once, in step 9 of the turn, and the gazette names its author."""
    state, wrong = laid_over("EVENT Storm S16", "EVENT Volunteers GER", before=("S16 SIC:4",))
    assert wrong == []
    assert load_state(dump_state(state)) == state
    found = resolve(BOARD, state, {}, QUIET, Dice(SEED, 7))
    kinds = [event.kind for event in found.events if not event.only]
    assert kinds[:2] == ["act", "act"] and kinds.count("event") == 2 and "storm" in kinds
    lost = 4 - found.after.seas.get("S16", {}).get("SIC", 0)
    assert lost == sum(roll.result <= 50 for roll in found.rolls if roll.tag == "storm:S16")
    assert (found.after.ordered, found.after.acts) == ((), ())
    assert found.after.provinces[50].armies["GER"] == state.provinces[50].armies["GER"] + 2


@rules("N-22", "N-72", "N-170")
def test_a_nation_is_made_neutral() -> None:
    state, wrong = laid_over("NEUTRALISE Germany", "SET treaties.UKR.RUS WAR")
    assert wrong == [] and not state.nations["GER"].alive
    assert all(p.owner != "GER" and "GER" not in p.armies for p in state.provinces.values())
    assert state.provinces[50].neutral == 1 and "ACA" in state.provinces[50].improvements


def test_a_position_line_recreates_the_state() -> None:
    goal, _ = laid_over("EVENT Storm S16", "SET turn 12", "provinces.6.owner KAL")
    made, wrong = laid_over(*arrangement(goal))
    assert wrong == [] and made == goal


@rules("N-113", "N-170")
def test_neutralise_sends_guests_home() -> None:
    state, wrong = laid_over(
        "NEUTRALISE GER",
        before=("PACT BUR GER", "PACT GER KAL", "#49 armies=BUR:2,GER:1", "#50 fleets=KAL:1,GER:1"),
    )
    assert wrong == []
    assert state.provinces[49].armies == {} and state.provinces[50].fleets == {}
    assert state.provinces[51].armies["BUR"] == 3
    assert sum(fleets.get("KAL", 0) for fleets in state.seas.values()) == 1
