"""Simulated players with simple rules.

They expand, research, ally, trade and fight. A player sees the state and writes the lines of a
mail, as a person would, and the reader parses them. A `Temper` is the strategy of a player. The
players are simple and deterministic: games differ by their seed only.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge.games.nations1940.rules.limits import improvement_limit, max_army
from judge.games.nations1940.rules.state import EXCHANGE, NAP, PACT, WAR
from judge.games.nations1940.rules.world import World

MOON = (
    "Electronics", "Particle Physics", "Nuclear Fission", "Early Computers", "Transistors",
    "Advanced Computers", "Monoplane Fighters", "Radar", "Jet Engines", "Rocketry", "Satellites",
    "Vaccinations", "Antibiotics", "Field Surgery", "Manned Spaceflight", "Lunar Landing",
)  # fmt: skip
ARMY = (
    "Submachine Guns", "Motorized Logistics", "Medium Tanks", "National Service", "Assembly Lines",
    "Mechanized Infantry", "Defence in Depth", "Reserve System", "Monoplane Fighters",
    "Ground-Attack Aircraft", "Assault Rifles", "Electric&Diesel Trains", "Rapid Deployment Force",
    "Long-Range Bombers", "Particle Physics", "Nuclear Fission", "Nuclear Power",
)  # fmt: skip
HOME = (
    "Defence in Depth", "National Service", "Mechanized Agriculture", "Assembly Lines", "Sonar",
    "Oil-Fired Turbines", "Radar", "Engineer Corps",
)  # fmt: skip


@dataclass(frozen=True)
class Temper:
    """Strategy of a simulated player."""

    research: tuple[str, ...]
    takes_neutrals: bool = True
    makes_war: bool = False
    makes_treaties: bool = True
    first_war: int = 20
    mass: int = 3
    """Number of armies to assemble before an attack."""
    bombs: bool = False
    against: str = "weak"
    """Target of wars: the `weak` neighbour, or the `leader` among its neighbours."""
    works: tuple[str, ...] = ()
    """Improvements to build first. Empty: those that suit the other wishes."""


RACER = Temper(MOON)
CONQUEROR = Temper(ARMY + MOON, makes_war=True, makes_treaties=False, bombs=True, first_war=8)
RULER = Temper(ARMY + HOME + MOON, makes_war=True, first_war=30, mass=4)
SLEEPER = Temper((), takes_neutrals=False, makes_treaties=False)
FARMER = Temper(HOME)
HEADLONG = Temper(
    ("Submachine Guns", "National Service", "Motorized Logistics", "Medium Tanks", *ARMY, *MOON),
    makes_war=True, makes_treaties=False, first_war=2, mass=4, works=("ACA", "RAI", "FAC"),
)
AIRMAN = Temper(
    ("Monoplane Fighters", "Long-Range Bombers", "Ground-Attack Aircraft", "Assembly Lines", *ARMY,
     *MOON),
    makes_war=True, first_war=24, bombs=True, works=("AIR", "ACA", "FAC", "AAB", "FOR"),
)
HEDGEHOG = Temper(
    ("Defence in Depth", "Anti-Tank Guns", "Radar", *HOME, *MOON),
    works=("FOR", "ACA", "AAB", "FAC", "AIR"),
)
LEVELLER = Temper(ARMY + MOON, makes_war=True, first_war=16, mass=4, against="leader")


def lines_of(world: World, nation: str, temper: Temper) -> list[str]:
    """Return the lines that a simulated player sends for a turn."""
    if not world.nations[nation].alive:
        return []
    return [*_Player(world, nation, temper).lines(), "READY"]


class _Player:
    """One nation in one turn."""

    def __init__(self, world: World, nation: str, temper: Temper) -> None:
        self.world = world
        self.nation = nation
        self.temper = temper
        self.owned = world.list_owned(nation)
        self.enemies = [
            one.other(nation) for one in sorted(world.bonds)
            if one.kind == WAR and one.joins(nation)
        ]  # fmt: skip
        self.left = {
            n: world.provinces[n].armies.get(nation, 0)
            for n in world.provinces if world.provinces[n].armies.get(nation)
        }  # fmt: skip

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        yield from self._research()
        if self.temper.makes_treaties:
            yield from self._treaties()
        if self.world.turn == 0:
            return
        yield from self._wars()
        yield from self._deals()
        yield from self._strikes()
        yield from self._works()
        yield from self._moves()
        yield from self._fleets()

    def _research(self) -> Iterator[str]:
        known = self.world.nations[self.nation].techs
        queue = [tech for tech in self.temper.research if tech not in known]
        ordered: list[str] = []
        for tech in queue:
            needs = self.world.board.techs[tech].requires
            for need in needs:
                if need not in known and need not in ordered:
                    ordered += [n for n in self._chain(need) if n not in known and n not in ordered]
            if tech not in ordered:
                ordered.append(tech)
        if ordered and tuple(ordered[:3]) != self.world.nations[self.nation].queue[:3]:
            yield "RESEARCH " + ", ".join(f'"{tech}"' for tech in ordered[:8])

    def _chain(self, tech: str) -> list[str]:
        found = [one for need in self.world.board.techs[tech].requires for one in self._chain(need)]
        return [*dict.fromkeys(found), tech]

    def _neighbours(self) -> list[str]:
        """Return the nations with linked land, the weakest first."""
        found: dict[str, int] = {}
        for n in self.owned:
            for near in self.world.board.roads.get(n, {}):
                owner = self.world.provinces[near].owner
                if owner and owner != self.nation:
                    found[owner] = self.world.armies_of(owner)
        return sorted(found, key=lambda code: (found[code], code))

    def _treaties(self) -> Iterator[str]:
        """Offer peace to every nation at peace, exchanges to the first that agrees."""
        world = self.world
        own = [bond for bond in world.bonds if bond.joins(self.nation)]
        has = {
            kind: [bond.other(self.nation) for bond in own if bond.kind == kind]
            for kind in (NAP, EXCHANGE, PACT)
        }
        target = self._target()
        for other in world.alive:
            if other == self.nation or other == target or other in self.enemies:
                continue
            if other not in has[NAP]:
                yield f"TREATY NAP {other}"
            elif len(has[EXCHANGE]) < 2 and other not in has[EXCHANGE]:
                pair = world.alive.index(other) + world.alive.index(self.nation)
                if pair % 3 == world.turn % 3:
                    yield f"TREATY EXCHANGE {other}"
            elif other in has[EXCHANGE] and other not in has[PACT] and world.turn % 5 == 0:
                yield f"TREATY PACT {other}"
        for enemy in self.enemies:
            if world.turn % 12 == 11:
                yield f"TREATY PEACE {enemy}"

    def _target(self) -> str:
        """Return the next nation to attack.

        Empty before the first war, and during a war.
        """
        if not self.temper.makes_war or self.world.turn < self.temper.first_war or self.enemies:
            return ""
        near = self._neighbours()
        if self.temper.against == "leader":
            held = {code: len(self.world.list_owned(code)) for code in near}
            ahead = [code for code in near if held[code] > len(self.owned)]
            return max(ahead, key=lambda code: (held[code], code), default="")
        weak = [
            code for code in near
            if self.world.armies_of(code) + 2 < self.world.armies_of(self.nation)
        ]  # fmt: skip
        return weak[0] if weak else ""

    def _wars(self) -> Iterator[str]:
        if target := self._target():
            self.enemies.append(target)
            yield f"WAR {target}"

    def _deals(self) -> Iterator[str]:
        """Swap a technology with an exchange partner every six turns."""
        if self.world.turn % 6 or not self.temper.makes_treaties:
            return
        mine = self.world.nations[self.nation].techs
        for one in sorted(self.world.bonds):
            if one.kind == EXCHANGE and one.joins(self.nation):
                other = one.other(self.nation)
                theirs = self.world.nations[other].techs
                gives = [t for t in sorted(mine - theirs) if self._could_learn(t, theirs)]
                wants = [t for t in sorted(theirs - mine) if self._could_learn(t, mine)]
                if gives and wants:
                    yield f'DEAL {other} GIVE "{gives[0]}" FOR "{wants[0]}"'
                    return

    def _could_learn(self, tech: str, known: Iterable[str]) -> bool:
        return tech != "Lunar Landing" and {*self.world.board.techs[tech].requires} <= {*known}

    def _strikes(self) -> Iterator[str]:
        if not self.temper.bombs or not self.enemies:
            return
        world = self.world
        reach = world.strength(self.nation, "air_range")
        atoms = world.strength(self.nation, "atomic_bombs")
        for n in self.owned:
            if "AIR" in world.provinces[n].improvements:
                targets = [
                    t for t in sorted(t for t in world.board.within(n, reach) if isinstance(t, int))
                    if world.provinces[t].owner in self.enemies
                ]
                if targets:
                    verb = "ATOM" if atoms and world.provinces[targets[0]].armies else "BOMB"
                    atoms -= verb == "ATOM"
                    yield f"{verb} #{targets[0]} FROM #{n}"

    def _works(self) -> Iterator[str]:
        world = self.world
        wish = self.temper.works or (
            ("ACA", "FAC", "AIR", "RAI", "AAB", "FOR") if self.temper.makes_war
            else ("ACA", "FAC", "RAI", "FOR")
        )  # fmt: skip
        left = improvement_limit(world, self.nation) if self.temper.research else 0
        capital = world.nations[self.nation].capital
        order = [capital, *(n for n in self.owned if n != capital)]
        for kind in wish:
            for n in order:
                if left and kind not in world.provinces[n].improvements:
                    left -= 1
                    yield f"BUILD {kind} #{n}"

    def _moves(self) -> Iterator[str]:
        """Send armies to the nearest target, and attack with sufficient armies."""
        if not self.temper.takes_neutrals:
            return
        world = self.world
        goals = {n for n in world.provinces if self._is_wanted(n)}
        if not goals:
            return
        capital = world.nations[self.nation].capital
        for n, count in sorted(self.left.items()):
            stay = 1 if n == capital else 0
            near = [m for m in sorted(world.board.roads.get(n, {})) if m in goals]
            near.sort(key=lambda m: sum(world.provinces[m].armies.values()))
            for goal in near:
                foes = sum(world.provinces[goal].armies.values()) + world.provinces[goal].neutral
                if count - stay >= (self.temper.mass if foes else 1):
                    yield f"MOVE {count - stay} #{n} -> #{goal}"
                    break
            else:
                step = self._step(n, goals) if not near else None
                if step is not None and count > stay:
                    yield f"MOVE {count - stay} #{n} -> #{step}"

    def _is_wanted(self, n: int) -> bool:
        province = self.world.provinces[n]
        if not province.owner:
            return True
        return province.owner in self.enemies

    def _step(self, start: int, goals: set[int]) -> int | None:
        """Return the first step of the shortest way over own land to a target."""
        ways: deque[tuple[int, int | None]] = deque([(start, None)])
        seen = {start}
        while ways:
            here, first = ways.popleft()
            if here in goals:
                return first if first not in goals else None
            for near in sorted(self.world.board.roads.get(here, {})):
                open_to = near in goals or self.world.is_friendly(self.nation, near)
                if near not in seen and open_to:
                    seen.add(near)
                    ways.append((near, near if first is None else first))
        return None

    def _fleets(self) -> Iterator[str]:
        """Sail back and forth, and build a fleet when there are many armies."""
        world = self.world
        for n in self.owned:
            province = world.provinces[n]
            if province.fleets.get(self.nation):
                coasts = world.board.coasts(n)
                yield f"FLEET ALL #{n} -> {coasts[world.turn % len(coasts)]}"
            elif "POR" in province.improvements and world.armies_of(self.nation) >= max_army(
                world, self.nation
            ) and province.armies.get(self.nation, 0) > 3 and world.turn % 10 == 0:
                yield f"COMMISSION #{n}"
        for sea, fleets in world.seas.items():
            if fleets.get(self.nation):
                near = [s for s in sorted(world.board.waters[sea], key=str) if isinstance(s, str)]
                yield f"FLEET 1 {sea} -> {near[world.turn % len(near)]}"
