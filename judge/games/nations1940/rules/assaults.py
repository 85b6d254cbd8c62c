"""Battles and captures in one impulse (N-41, N-45, N-47, N-51, N-52)."""

from collections.abc import Sequence
from itertools import combinations

from judge.games.nations1940.rules.bands import ArmyBand, survive
from judge.games.nations1940.rules.bonuses import CombatBonuses
from judge.games.nations1940.rules.combat import Fighter, Fought, Rolls, fight
from judge.games.nations1940.rules.world import World


class Assaults:
    """Combat in all provinces after the steps of one impulse."""

    def __init__(
        self,
        world: World,
        ground: CombatBonuses,
        bands: Sequence[ArmyBand],
        retreating: list[ArmyBand],
        impulse: int,
    ) -> None:
        self._world = world
        self._ground = ground
        self._retreating = retreating
        self._impulse = impulse
        self._at: dict[int, list[ArmyBand]] = {}
        for band in sorted(bands, key=lambda band: (band.nation, band.origin)):
            if not band.hq and band.count:
                self._at.setdefault(band.here, []).append(band)

    def run(self) -> None:
        """Fight in each province by rising number, then transfer captured provinces."""
        won: list[tuple[int, list[ArmyBand], Fought | None]] = []
        for number, here in sorted(self._at.items()):
            attackers = [
                band for band in here
                if band.entered and self._world.is_hostile(band.nation, number)
            ]
            self._duels(number, attackers or here)
            attackers = [band for band in attackers if band.count]
            if attackers:
                fought = self._assault(number, attackers, here)
                if any(band.count for band in attackers):
                    won.append((number, attackers, fought))
        for number, attackers, fought in won:
            self._take(number, [band for band in attackers if band.count], fought)

    def _duels(self, number: int, bands: Sequence[ArmyBand]) -> None:
        """Fight the duels between nations at war in one province (N-47).

        Pairs follow the order of nation codes. Attackers fight each other first. Foreign troops of
        nations at war that meet there fight too.
        """
        nations = sorted({band.nation for band in bands})
        for one, other in combinations(nations, 2):
            sides = [[b for b in bands if b.nation == code and b.count] for code in (one, other)]
            meet = self._impulse == 1 or any(band.entered for side in sides for band in side)
            if all(sides) and meet and self._world.is_at_war(one, other) and (
                self._world.provinces[number].owner not in (one, other)
            ):
                tag = f"duel:{number}:{self._impulse}"
                rolls = Rolls(f"{tag}:{one}", f"{tag}:{other}")
                self._fight("duel", number, rolls, *sides, both=True)

    def _fight(
        self,
        kind: str,
        number: int,
        rolls: Rolls,
        attackers: Sequence[ArmyBand],
        defenders: Sequence[ArmyBand],
        *,
        both: bool = False,
    ) -> Fought:
        """Fight a battle or duel and update the bands of both sides.

        *both*: both sides attack, as in a duel.
        """
        world = self._world
        ones = {band: self._attacker(band, number) for band in attackers}
        others = {
            band: self._attacker(band, number) if both else self._defender(band, number)
            for band in defenders
        }
        neutral = world.provinces[number].neutral
        garrison = [] if both or not neutral else [
            Fighter("", neutral, self._ground.defence("", number), number)
        ]
        fought = fight(
            world, rolls, [*ones.values()], [*others.values(), *garrison], both_leave=both
        )
        world.record_event(
            kind, at=number, owner=world.provinces[number].owner, impulse=self._impulse,
            **fought.facts(),
        )  # fmt: skip
        for band, fighter in (*ones.items(), *others.items()):
            survive(band, fighter, self._retreating)
        if garrison:
            world.change(number, neutral=garrison[0].count)
        return fought

    def _attacker(self, band: ArmyBand, number: int) -> Fighter:
        bonuses = self._ground.attack(band.nation, band.origin, number, band.link)
        return Fighter(band.nation, band.count, bonuses, band.origin)

    def _defender(self, band: ArmyBand, number: int) -> Fighter:
        bonuses = self._ground.defence(band.nation, number)
        place = band.origin if self._world.rules >= 3 else number
        return Fighter(band.nation, band.count, bonuses, place)

    def _assault(
        self, number: int, attackers: Sequence[ArmyBand], here: Sequence[ArmyBand]
    ) -> Fought | None:
        """Fight for a province if it is defended, else return None (N-45).

        Defenders are the owner's armies, foreign troops at war with an attacker, and neutral
        armies.
        """
        world = self._world
        province = world.provinces[number]
        against = {band.nation for band in attackers}
        defenders = [
            band for band in here
            if band.count and band not in attackers
            and (
                band.nation == province.owner
                or any(world.is_at_war(band.nation, nation) for nation in against)
            )
        ]
        if not defenders and not province.neutral:
            return None
        tag = f"battle:{number}:{self._impulse}"
        return self._fight("battle", number, Rolls(f"{tag}:A", f"{tag}:D"), attackers, defenders)

    def _take(self, number: int, victors: Sequence[ArmyBand], fought: Fought | None) -> None:
        """Transfer a province to its captor.

        After combat one improvement, drawn by the dice, is razed (N-51). Victors that are not
        allied with the captor retreat.
        """
        world = self._world
        province = world.provinces[number]
        captor = self._captor(number, victors, fought)
        razed = ""
        if fought and province.improvements:
            razed = world.pick(f"raze:{number}", sorted(province.improvements))
        world.change(
            number, owner=captor, neutral=0, due_to="",
            improvements=province.improvements - {razed},
        )  # fmt: skip
        world.record_event(
            "capture", at=number, nation=captor, loser=province.owner, razed=razed,
            fought=fought is not None, to_raze=bool(province.improvements),
            count=sum(band.count for band in victors if band.nation == captor),
        )  # fmt: skip
        for band in victors:
            if band.nation == captor:
                band.became.append("captures")
            if not world.is_allied(captor, band.nation):
                band.became.append("retreats")
                self._retreating.append(
                    ArmyBand(band.nation, band.count, band.trail[:-1] or band.trail, fought=True,
                         surprised=band.surprised, became=band.became)
                )  # fmt: skip
                band.count = 0

    def _captor(self, number: int, victors: Sequence[ArmyBand], fought: Fought | None) -> str:
        """Return the nation that takes a province (N-52).

        It is the one with the most armies left, then the winner of the last roll, then one drawn by
        the dice.
        """
        armies: dict[str, int] = {}
        for band in victors:
            armies[band.nation] = armies.get(band.nation, 0) + band.count
        most = sorted(code for code, count in armies.items() if count == max(armies.values()))
        if len(most) == 1:
            return most[0]
        if fought and fought.last in most:
            return fought.last
        return self._world.pick(f"captor:{number}:{self._impulse}", most)
