"""Help topics of Nations 1940 made from its tables.

`python -m tests.games.nations1940.help_texts` writes them, and `test_help_texts.py` compares them.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap

from judge.games.nations1940.rules.odds import chance
from judge.games.nations1940.scenario import GOVERNMENTS, KINDS, Effect, in_order
from judge.games.nations1940.sides import names_by_code
from judge.games.nations1940.views.first_turn import links_of
from tests.games.nations1940.board_of_cases import BOARD, MAP
from tests.games.nations1940.help_rules import RULES, rules_text

FOLDER = Path(__file__).parents[3] / "mailtemplates" / "nations1940"
WIDTH = 72
GERMAN = dict(
    row.split("\t") for row in (FOLDER / "de/names.tsv").read_text(encoding="utf-8").splitlines()
    if "\t" in row
)

EFFECTS: Mapping[str, tuple[str, str]] = {
    "army_move": ("armies march {n} provinces", "Armeen marschieren {n} Provinzen"),
    "rail_move": ("{n} provinces by rail", "{n} Provinzen mit der Bahn"),
    "fleet_move": ("fleets move {n} regions", "Flotten fahren {n} Seegebiete"),
    "escort_capacity": ("a fleet carries {n} armies", "eine Flotte trägt {n} Armeen"),
    "air_range": ("Airfields reach {n} links", "Flugplätze reichen {n} Verbindungen weit"),
    "air_bonus": ("Airfields give +{n}", "Flugplätze geben +{n}"),
    "intercepts": ("fighters stop {n} bombings a turn", "Jäger stoppen {n} Bombenangriffe je Zug"),
    "aa_chance": ("AA Batteries stop {n}% of bombs", "Flak stoppt {n}% der Bomben"),
    "missile_aa_chance": ("AA Batteries stop {n}% of missiles", "Flak stoppt {n}% der Raketen"),
    "pass_penalty": ("no penalty over passes", "kein Abzug über Pässe"),
    "att_army": ("armies attack +{n}", "Armeen greifen mit +{n} an"),
    "def_army": ("armies defend +{n}", "Armeen verteidigen mit +{n}"),
    "army_cap": ("Max.Army +{n}", "Max.Army +{n}"),
    "mobile_hq": ("Mobile HQs (FORM HQ)", "mobile Hauptquartiere (FORM HQ)"),
    "fleet_att": ("fleets attack +{n}", "Flotten greifen mit +{n} an"),
    "fleet_def": ("fleets defend +{n}", "Flotten verteidigen mit +{n}"),
    "pi": ("improvements a turn +{n}", "Ausbauten je Zug +{n}"),
    "rp": ("+{n} RP a turn", "+{n} FP je Zug"),
    "rp_per_academy": ("+{n} RP per Academy", "+{n} FP je Akademie"),
    "atomic_bombs": ("{n} atomic bombs a turn (ATOM)", "{n} Atombomben je Zug (ATOM)"),
    "missiles": ("Missile Silos and MISSILE", "Raketensilos und MISSILE"),
    "win": ("wins the game", "gewinnt die Partie"),
    "none": ("only needed for others", "nur Voraussetzung für andere"),
    "epidemic_kill": ("epidemics kill half as often", "Seuchen töten halb so oft"),
    "epidemic_end": ("end twice as often", "und enden doppelt so oft"),
}
"""Key of an effect → its description in English and in German."""

BUILT: Mapping[str, tuple[str, str]] = {
    "RAI": ("armies go 3 provinces by RAIL (4 with Electric&Diesel Trains) if every province on "
            "the way has one",
            "Armeen fahren mit RAIL 3 Provinzen (4 mit Electric&Diesel Trains), wenn jede Provinz "
            "auf dem Weg eine hat"),
    "ACA": ("2 Research Points a turn, 3 in a Republic's capital",
            "2 Forschungspunkte je Zug; 3 in der Hauptstadt einer Republik"),
    "FOR": ("armies there defend with +1", "Armeen dort verteidigen mit +1"),
    "POR": ("only on a coast; COMMISSION turns one army a turn into a fleet",
            "nur an einer Küste; COMMISSION macht aus einer Armee eine Flotte, eine je Zug"),
    "HQ": ("costs 2 armies there; not in the capital; a new army appears each turn; +1 to "
           "attacks from there; +1 to defence there and in adjacent provinces",
           "kostet 2 Armeen dort; nicht in der Hauptstadt; jeden Zug entsteht eine Armee; +1 "
           "auf Angriffe von dort, +1 auf Verteidigung dort und daneben"),
    "AIR": ("+1 to attacks from provinces in its range and to defence there; one BOMB a turn; "
            "its fighters stop one bombing of its province a turn; range 1 link at first",
            "+1 auf Angriffe aus seiner Reichweite und auf Verteidigung darin; ein BOMB je Zug; "
            "seine Jäger stoppen je Zug einen Bombenangriff auf seine Provinz; Reichweite erst 1"),
    "AAB": ("stop 40% of bombs; attackers get no Airfield bonus there",
            "stoppt 40% der Bomben; Angreifern hilft dort kein Flugplatz"),
    "FAC": ("every 4 Factories allow one more improvement a turn",
            "je 4 Fabriken geben einen Ausbau mehr je Zug"),
    "SIL": ("needs Nuclear Missiles; launches them (MISSILE); +1 to defence there",
            "braucht Nuclear Missiles; MISSILE; +1 auf Verteidigung dort"),
}  # fmt: skip

RULED: Mapping[str, tuple[str, str]] = {
    "Monarchy": ("the capital and each populous province give one more to Max.Army; -3 RP a turn",
                 "Hauptstadt und volkreiche Provinzen geben eins mehr zu Max.Army; -3 FP je Zug"),
    "Republic": ("the capital gives one more to Max.Army; an Academy there gives 3 RP",
                 "die Hauptstadt gibt eins mehr zu Max.Army; ihre Akademie gibt 3 FP"),
    "Dictatorship": ("armies defend with +1", "Armeen verteidigen mit +1"),
}  # fmt: skip

TITLES: Mapping[str, tuple[str, str]] = {
    "tech": ("HELP TECH: technologies of Nations 1940, with their cost in RP.",
             "HELP TECH: Technologien von Nations 1940, mit Kosten in FP."),
    "improvements": ("HELP IMPROVEMENTS: what you can build in Nations 1940.",
                     "HELP IMPROVEMENTS: was in Nations 1940 gebaut wird."),
    "governments": ("HELP GOVERNMENTS: governments of Nations 1940.",
                    "HELP GOVERNMENTS: Regierungen von Nations 1940."),
    "combat": ("HELP COMBAT: how armies fight in Nations 1940.",
               "HELP COMBAT: wie Armeen in Nations 1940 kämpfen."),
    "links": ("HELP LINKS: the provinces of Nations 1940 and their neighbours.",
              "HELP LINKS: die Provinzen von Nations 1940 und wohin sie führen."),
}  # fmt: skip


def rows(text: str) -> Iterator[str]:
    """Yield the lines of one row."""
    yield from wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def paragraph(text: str) -> Iterator[str]:
    """Yield an empty line and the lines of a paragraph."""
    yield ""
    yield from wrap(text, WIDTH, break_on_hyphens=False)


def tech(at: int) -> Iterator[str]:
    """Yield all technologies, by category."""
    yield from paragraph((
        "RESEARCH Radar, Sonar sets your queue. You must know the technologies in brackets "
        "first. RP are Research Points. OPTIONS lists what you can start now; STATUS shows what "
        "you know and your queue.",
        "RESEARCH Radar, Sonar setzt deine Forschungsliste. Was in Klammern steht, muss vorher "
        "bekannt sein. FP sind Forschungspunkte. OPTIONS zeigt, was du jetzt anfangen kannst; "
        "STATUS, was du kennst.",
    )[at])
    for category in dict.fromkeys(one.category for one in BOARD.techs.values()):
        yield from ("", f"{category}:", "")
        for one in BOARD.techs.values():
            if one.category == category:
                does = "; ".join(effect_text(effect, at) for effect in one.effects)
                needs = f" ({', '.join(one.requires)})" if one.requires else ""
                yield from rows(f"{one.name}, {one.cost}: {does}{needs}.")


def effect_text(effect: Effect, at: int) -> str:
    """Return the description of an effect."""
    return EFFECTS[effect.key][at].format(n=effect.by)


def improvements(at: int) -> Iterator[str]:
    """Yield all improvements."""
    yield from paragraph((
        "At first you can build 3 improvements a turn in your whole nation: BUILD FAC 21, 22. "
        "Each DISMANTLE counts as one too. The province must be yours when the turn begins. It "
        "can have one improvement of each kind.",
        "Du baust 3 je Zug in der ganzen Nation, in Provinzen, die bei Zugbeginn dein waren: "
        "BUILD FAC 21, 22. Auch DISMANTLE zählt. Von jeder Art eine je Provinz.",
    )[at])
    yield ""
    for code, title in KINDS.items():
        name = GERMAN[title] if at else title
        yield from rows(f"{code} {name}: {BUILT[code][at]}.")


def governments(at: int) -> Iterator[str]:
    """Yield the governments with their nations."""
    names = names_by_code(MAP)
    yield ""
    for name in GOVERNMENTS:
        nations = [names[code] for code, one in BOARD.nations.items() if one.government == name]
        yield from rows(f"{name} ({', '.join(nations)}): {RULED[name][at]}.")


def combat(at: int) -> Iterator[str]:
    """Yield the bonuses, a battle, and the odds against a neutral army."""
    yield from paragraph((
        "Each round, each side rolls an 8-sided die and adds its bonuses. The lower side loses "
        "an army. On a tie, an attacking army retreats. The fight ends when one side has no "
        "army left.",
        "In jeder Runde würfeln beide Seiten mit 8 Seiten und zählen ihre Boni dazu. Die kleinere "
        "Zahl verliert eine Armee. Bei Gleichstand geht eine angreifende Armee zurück. Es endet, "
        "wenn eine Seite keine Armee mehr hat.",
    )[at])
    yield from ("", ("Attack:", "Angriff:")[at], "")
    for text in (
        ("+1 from a province with a Military HQ, a Mobile HQ or the capital.",
         "+1 aus einer Provinz mit Militär- oder mobilem HQ oder der Hauptstadt."),
        ("+1 from a province in range of your or a partner's Airfield (+2 with Ground-Attack "
         "Aircraft). No such bonus if the target has AA Batteries.",
         "+1 aus einer Provinz in Reichweite eines eigenen oder Partner-Flugplatzes (+2 mit "
         "Ground-Attack Aircraft), außer das Ziel hat Flak."),
        ("-1 over a mountain pass, 0 with Engineer Corps.",
         "-1 über einen Pass, 0 mit Engineer Corps."),
        ("+1 each: Submachine Guns, Medium Tanks, Assault Rifles.",
         "je +1: Submachine Guns, Medium Tanks, Assault Rifles."),
    ):  # fmt: skip
        yield from rows(text[at])
    yield from ("", ("Defence:", "Verteidigung:")[at], "")
    for text in (
        ("+1 each: Fortifications; an HQ or capital there or in an adjacent province; a Missile "
         "Silo; an army of a Dictatorship.",
         "je +1: Befestigungen; ein HQ oder die Hauptstadt dort oder daneben; ein Raketensilo; die "
         "Armee einer Diktatur."),
        ("+1 in range of an Airfield (+2 with Ground-Attack Aircraft).",
         "+1 in Reichweite eines Flugplatzes (+2 mit Ground-Attack Aircraft)."),
        ("+1 each: Defence in Depth, Anti-Tank Guns, Guided Anti-Tank Weapons.",
         "je +1: Defence in Depth, Anti-Tank Guns, Guided Anti-Tank Weapons."),
        ("-1 in fallout. A neutral army has +2 and no other bonus.",
         "-1 im Fallout. Eine neutrale Armee hat +2 und sonst nichts."),
    ):  # fmt: skip
        yield from rows(text[at])
    yield from paragraph((
        "The larger side adds 1 for each full 3 armies that it has more, recounted each round. "
        "Letters show the attacker as A, the defender as D, and this bonus as sup.",
        "Die größere Seite zählt 1 dazu für je volle 3 Armeen mehr, in jeder Runde neu. Briefe "
        "nennen den Angreifer A, den Verteidiger D und diesen Bonus Übermacht.",
    )[at])
    yield from paragraph((
        "Example: 3 armies attack a neutral army from a capital. They roll 5 and add 1 for the "
        "capital: 6. The neutral army rolls 6 and adds 2: 8. One attacker falls. Then 7 + 1 = 8 "
        "against 3 + 2 = 5: the neutral army falls, and 2 armies take the province.",
        "Beispiel: 3 Armeen marschieren aus einer Hauptstadt auf eine neutrale Armee. Sie würfeln "
        "5 und zählen 1 für die Hauptstadt: 6. Die neutrale Armee würfelt 6 und zählt 2: 8. Ein "
        "Angreifer fällt. Dann 7 + 1 = 8 gegen 3 + 2 = 5: Die neutrale Armee fällt, und 2 Armeen "
        "nehmen die Provinz.",
    )[at])
    yield from paragraph((
        "The receipt of an attack shows its odds, as far as you see the defenders. OPTIONS "
        "lists the odds of all attacks that you can order, also those after WAR.",
        "Die Quittung eines Angriffs nennt seine Aussichten, soweit du die Verteidiger siehst. "
        "OPTIONS nennt sie für alle Angriffe, die du befehlen kannst, auch nach WAR.",
    )[at])
    counts = (1, 2, 3, 4, 5, 7)
    for plus in (0, 1):
        units = (("army", "armies"), ("Armee", "Armeen"))[at]
        odds = ", ".join(
            f"{n} {units[n > 1]} {round(100 * chance(n, 1, plus))}%" for n in counts
        )
        yield from paragraph((
            f"Odds against one neutral army, with an attack bonus of +{plus}: {odds}.",
            f"Aussichten gegen eine neutrale Armee, mit Angriff +{plus}: {odds}.",
        )[at])


def links(at: int) -> Iterator[str]:
    """Yield each province with its neighbours by type of link."""
    words = (("pass", "water", "fleet"), ("Pass", "Wasser", "Flotte"))[at]
    yield from paragraph((
        "Armies march over land, passes and water crossings; fleets move through sea regions "
        "(S1 to S28). Each row lists land neighbours first, then passes, water crossings "
        "(water) and sea regions (fleet). Orders take the number or the name. * means populous. "
        "On the map, a red line on brown is a pass, and one on blue is a water crossing. "
        "Mountain borders and dark blue borders are closed.",
        "Armeen marschieren über Land, Pässe und Wasser; Flotten fahren durch Seegebiete (S1 "
        "bis S28). Jede Zeile nennt erst die Nachbarn zu Land, dann Pässe, Wege über Wasser und "
        "Seegebiete. Ein Befehl nimmt die Nummer oder den Namen. * ist volkreich. Auf der Karte "
        "ist eine rote Linie auf Braun ein Pass, eine rote Linie auf Blau ein Weg über Wasser; "
        "Grenzen aus Bergen und dunkelblaue Grenzen sind geschlossen.",
    )[at])
    yield ""
    for n, land in BOARD.lands.items():
        found = links_of(BOARD, n)
        near = {kind: [name.partition(" ")[0] for name in names] for kind, names in found.items()}
        parts = [" ".join(near["land"])]
        for word, kind in zip(words, ("passes", "crossings", "seas"), strict=True):
            parts += [f"{word} {' '.join(near[kind])}"] if near[kind] else []
        star = "*" if land.populous else ""
        yield from rows(f"#{n} {land.name}{star}: {'; '.join(filter(None, parts))}.")
    yield ""
    for sea in BOARD.seas.values():
        near_seas = sorted((s for s in BOARD.waters[sea.id] if isinstance(s, str)), key=in_order)
        yield from rows(f"{sea.id} {sea.name}: {' '.join(map(str, near_seas))}.")


TOPICS = {
    "tech": tech, "improvements": improvements, "governments": governments, "combat": combat,
    "links": links,
}  # fmt: skip


def texts() -> dict[Path, str]:
    """Return the file of each topic and language, with its text."""
    found: dict[Path, str] = {}
    for at, folder in enumerate(("", "de")):
        made = {topic: "\n".join([TITLES[topic][at], *make(at), ""])
                for topic, make in TOPICS.items()}
        made |= {topic: rules_text(topic, at) for topic in RULES}
        found |= {FOLDER / folder / "help" / f"{topic}.txt": text for topic, text in made.items()}
    return found


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")
