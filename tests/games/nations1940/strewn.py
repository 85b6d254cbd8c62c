"""Worlds and orders drawn by lot: everybody has land, armies and fleets among the others', knows
much, and is told to do all that an order can say."""

from collections.abc import Iterator
from random import Random

from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import State
from tests.games.nations1940.board_of_cases import BOARD, laid_out

WORKS = ("RAI", "ACA", "FOR", "HQ", "AIR", "AAB", "FAC", "SIL")
CODES = tuple(sorted(BOARD.nations))
CAPITALS = {start.capital: code for code, start in BOARD.nations.items()}


def strewn(seed: int) -> State:
    """Return a world in which many are at war, and many are friends."""
    luck = Random(f"nations {seed}")
    kinds = dict[tuple[str, str], str]()
    for at, one in enumerate(CODES):
        for other in CODES[at + 1:]:
            kinds[one, other] = luck.choice(("WAR", "WAR", "PACT", "NAP", "EXCHANGE", ""))
    lines = []
    for (one, other), kind in kinds.items():
        if kind:
            lines.append(f"{kind} {one} {other}")
        if kind == "EXCHANGE":
            lines.append(f"NAP {one} {other}")
    meeting = {code: [other for pair, kind in kinds.items() if code in pair and kind
                      in ("WAR", "PACT") for other in pair if other != code] for code in CODES}
    lines += [line for n in BOARD.lands for line in _province(luck, n, meeting)]
    for sea in BOARD.seas:
        if luck.random() < 0.5:
            there = luck.sample(CODES, luck.randint(1, 3))
            lines.append(f"{sea} {','.join(f'{code}:{luck.randint(1, 3)}' for code in there)}")
    lines += [_nation(luck, code) for code in CODES]
    return laid_out(lines, luck.choice((11, 23, 30)), RULES)


RULES = Settings(event_chance=100, nuke_neutrals=True)


def _province(luck: Random, n: int, meeting: dict[str, list[str]]) -> Iterator[str]:
    owner = CAPITALS.get(n) or luck.choice((*CODES, *CODES, "-"))
    if owner == "-":
        yield f"#{n} owner=- neutral={luck.randint(0, 1)} armies=- fleets=- mobile_hq=-"
        return
    there = {owner: luck.randint(0, 5)}
    if meeting[owner] and luck.random() < 0.3:
        there[luck.choice(meeting[owner])] = luck.randint(1, 5)
    works = luck.sample(WORKS, luck.randint(0, 4))
    values = [f"owner={owner}"]
    fleets = "-"
    if BOARD.coasts(n) and luck.random() < 0.7:
        works.append("POR")
        fleets = f"{owner}:{luck.randint(1, 3)}"
    armies = ",".join(f"{code}:{count}" for code, count in there.items() if count) or "-"
    hq = f"{owner}:1" if luck.random() < 0.15 else "-"
    values += [f"armies={armies}", f"fleets={fleets}", f"mobile_hq={hq}"]
    values.append(f"improvements={','.join(works) or '-'}")
    bad = luck.choice(("", "", "", "fallout=2 populous=no", "epidemic=yes", "populous=yes"))
    yield f"#{n} {' '.join([*values, bad])}"
    if n not in CAPITALS and luck.random() < 0.05:
        yield f"DUE #{n} {luck.choice(CODES)}"


def _nation(luck: Random, code: str) -> str:
    techs = ";".join(each.replace(" ", "_") for each in luck.sample(sorted(BOARD.techs), 5))
    queue = ";".join(each.replace(" ", "_") for each in luck.sample(sorted(BOARD.techs), 2))
    form = luck.choice(("monarchy", "republic", "dictatorship"))
    return f"{code} techs={techs} queue={queue} government={form} missed_turns={luck.randint(0, 2)}"


def drawn_lines(seed: int, state: State) -> list[tuple[str, str]]:
    """Return lines of all nations."""
    luck = Random(f"lines {seed}")
    found = []
    for code in CODES:
        own = [n for n, each in state.provinces.items() if each.owner == code]
        held = [n for n, each in state.provinces.items() if each.armies.get(code)]
        ports = [n for n in own if state.provinces[n].fleets.get(code)]
        ports = [f"#{n}" for n in ports]
        afloat = [sea for sea, counts in state.seas.items() if counts.get(code)]
        for _ in range(9):
            found.append((code, _land(luck, state, code, held or own)))
        for _ in range(4):
            found.append((code, _fleet(luck, [*ports, *afloat], ports)))
        for _ in range(9):
            found.append((code, _other(luck, code, own)))
    return found


def _land(luck: Random, state: State, code: str, held: list[int]) -> str:
    start = luck.choice(held)
    path = [start]
    for _ in range(luck.choice((1, 1, 1, 2, 3))):
        path.append(luck.choice(sorted(BOARD.roads[path[-1]])) if BOARD.roads[path[-1]] else start)
    way = " -> ".join(f"#{n}" for n in path)
    some = luck.choice(("ALL", "1", "2", "3"))
    coasts = BOARD.coasts(start)
    forms = [f"MOVE {some} {way}", f"MOVE {some} {way}", f"RAIL {luck.randint(1, 3)} {way}",
             f"MOVE HQ {way}", f"HOLD #{start}", f"DISBAND 1 #{start}"]
    if coasts:
        goal = luck.choice([n for n in BOARD.lands if BOARD.coasts(n)])
        forms += [f"MOVE 1 #{start} -> #{goal} VIA {luck.choice(coasts)}"] * 2
    return luck.choice(forms)


def _fleet(luck: Random, places: list[str], ports: list[str]) -> str:
    seas = sorted(BOARD.seas)
    if not places:
        return "READY"
    at = luck.choice(places)
    here = int(at[1:]) if at.startswith("#") else at
    near = sorted(map(str, BOARD.waters.get(here, ())))
    goal = luck.choice(near or seas)
    goal = f"#{goal}" if goal.isdigit() else goal
    forms = [f"FLEET {luck.choice(('1', '2', 'ALL'))} {at} -> {goal}"] * 4
    if ports:
        forms += [f"SCUTTLE 1 {luck.choice(ports)}", f"COMMISSION {luck.choice(ports)}"]
    land = sorted(n for n in BOARD.lands if BOARD.coasts(n))
    forms.append(f"ESCORT 1 {luck.choice(seas)} #{luck.choice(land)} -> #{luck.choice(land)}"
                 f" FOR {luck.choice(CODES)}")
    return luck.choice(forms)


def _other(luck: Random, code: str, own: list[int]) -> str:
    other, any_land = luck.choice(CODES), luck.choice(sorted(BOARD.lands))
    mine, second = luck.choice(own), luck.choice(own)
    tech, wanted = luck.sample(sorted(BOARD.techs), 2)
    treaty = luck.choice(("NAP", "EXCHANGE", "PACT", "PEACE"))
    return luck.choice((
        f"BUILD {luck.choice((*WORKS, 'POR'))} #{mine}",
        f"BUILD {luck.choice(WORKS)} {mine}, {second}",
        f"DISMANTLE {luck.choice(WORKS)} #{mine}", f"RESEARCH {tech}, {wanted}",
        f"SPAWN #{mine}, #{second}", f"SHED #{mine}, #{second}", f"WAR {other}",
        f"TREATY {treaty} {other}", f"CANCEL {treaty} {other}", f"WITHDRAW {treaty} {other}",
        f"GIVE #{mine} TO {other}", f"GIVE {tech} TO {other}",
        f"DEAL {other} GIVE #{mine} FOR {wanted}",
        f"BOMB #{any_land} FROM #{mine}", f"BOMB #{any_land} FROM #{mine} FAC",
        f"ATOM #{any_land} FROM #{mine}", f"MISSILE 1 #{any_land}", f"FORM HQ #{mine}",
    ))
