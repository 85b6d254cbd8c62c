"""Help topics of Nations 1940 on treaties, trade, armies, transport and the turn.

`help_texts.py` writes them next to the topics of the tables. Numbers come from the rules.
"""

from collections.abc import Iterator, Mapping
from textwrap import wrap

from judge.games.nations1940.rules.building import HQ_ARMIES
from judge.games.nations1940.rules.diplomacy import MAX_EXCHANGES
from judge.games.nations1940.scenario import BASE
from tests.games.nations1940.board_of_cases import BOARD

WIDTH = 72
Text = tuple[str, str]
"""A text in English and in German."""


def _strongest(key: str) -> int:
    """Return the value of an effect with all technologies."""
    found = [effect.by for one in BOARD.techs.values() for effect in one.effects
             if effect.key == key]
    return max(found, default=BASE[key])


def _techs_with(key: str) -> str:
    return ", ".join(
        f"{one.name} +{effect.by}"
        for one in BOARD.techs.values() for effect in one.effects if effect.key == key
    )


TREATIES: tuple[Text, ...] = (
    ("All nations begin at peace without treaties. At peace, armies cannot enter the land of "
     "another nation.",
     "Alle Nationen beginnen im Frieden, ohne Verträge. Im Frieden betritt keine Armee fremdes "
     "Land."),
    ("- WAR RUS: war begins at once, before armies move. You can attack in the same turn. War "
     "ends every treaty and offer between the two nations. No one has to agree. Partners of "
     "either side are not drawn in.",
     "- WAR RUS: Der Krieg beginnt sofort, bevor Armeen ziehen. Angreifen darfst du im selben Zug. "
     "Er beendet jeden Vertrag und jedes Angebot zwischen beiden. Zustimmen muss niemand. Partner "
     "beider Seiten bleiben draußen."),
    ("- TREATY PEACE RUS: ends a war and does nothing else.",
     "- TREATY PEACE RUS: beendet einen Krieg, sonst nichts."),
    ("- TREATY NAP RUS: a Non-Aggression Treaty. It also ends a war, and EXCHANGE needs it. It "
     "is only a promise: WAR ends it.",
     "- TREATY NAP RUS: ein Nichtangriffspakt. Auch er beendet einen Krieg, und EXCHANGE braucht "
     "ihn. Er bindet nur mit dem Wort: WAR beendet ihn."),
    ("- TREATY EXCHANGE RUS: each nation gets +1 Max.Army and +2 RP a turn. It needs a NAP, "
     f"which may be offered in the same turn. A nation can have {MAX_EXCHANGES} at most.",
     "- TREATY EXCHANGE RUS: Jeder bekommt +1 Max.Army und +2 FP je Zug. Er braucht einen NAP, "
     f"der im selben Zug angeboten werden darf. Eine Nation hat höchstens {MAX_EXCHANGES}."),
    ("- TREATY PACT RUS: a Military Pact. Each partner may enter the other's land and stay "
     "there. Each may use the other's railroads and Ports and be carried by its fleets "
     "(ESCORT). HQs and Airfields help both. It needs no NAP.",
     "- TREATY PACT RUS: ein Militärpakt. Jeder darf durch das Land des anderen ziehen und dort "
     "stehen, seine Bahnen und Häfen nutzen und mit seinen Flotten fahren (ESCORT). HQs und "
     "Flugplätze helfen beiden. Einen NAP braucht er nicht."),
    ("Both nations must send the TREATY line, each naming the other. The treaty begins with the "
     "turn after the second line. An offer stays open for its own turn and the next. WITHDRAW "
     "NAP RUS takes it back.",
     "Beide müssen die Zeile TREATY schicken und dabei den anderen nennen. Der Vertrag gilt ab "
     "dem Zug nach der zweiten. Ein Angebot bleibt in seinem Zug und im nächsten offen. "
     "WITHDRAW NAP RUS nimmt es zurück."),
    ("CANCEL NAP RUS ends a treaty without war, from the next turn on. If a NAP ends, its "
     "EXCHANGE ends too. If a PACT ends, armies in the other's land go home.",
     "CANCEL NAP RUS beendet einen Vertrag ohne Krieg, ab dem nächsten Zug. Mit einem NAP endet "
     "der EXCHANGE. Endet ein PACT, gehen Armeen im Land des anderen heim."),
    ("Wars, offers and treaties are public. STATUS lists them; OPTIONS has the lines that you "
     "can send. Promises in messages bind no one.",
     "Kriege, Angebote und Verträge sind öffentlich. STATUS nennt sie; OPTIONS hat die Zeilen "
     "dafür. Was Nationen einander in Briefen versprechen, bindet niemanden."),
)  # fmt: skip

TRADE: tuple[Text, ...] = (
    ("You can trade provinces and technologies, but not your capital or Lunar Landing. Nations "
     "at war cannot trade.",
     "Provinzen und Technologien können getauscht werden, nicht aber deine Hauptstadt und Lunar "
     "Landing. Nationen im Krieg handeln nicht."),
    ('- GIVE "Radar" TO EGY, or GIVE #83 TO EGY: a gift. Egypt need not agree.',
     '- GIVE "Radar" TO EGY oder GIVE #83 TO EGY: ein Geschenk. Ägypten muss nicht zustimmen.'),
    ('- DEAL EGY GIVE #83 FOR "Sonar": an offer. Egypt accepts by sending the mirrored line, '
     "which is in its letter. The offer stays open for this turn and the next. WITHDRAW DEAL "
     "EGY takes it back. A deal happens as a whole or not at all.",
     '- DEAL EGY GIVE #83 FOR "Sonar": ein Angebot. Ägypten nimmt es mit der gespiegelten Zeile '
     "an, die in seinem Brief steht. Es bleibt diesen Zug und den nächsten offen. WITHDRAW DEAL "
     "EGY nimmt es zurück. Ein Handel geschieht ganz oder gar nicht."),
    ("A province is handed over as soon as none of your armies is there, this turn at the "
     "earliest. Your armies cannot go back in. Conquest or war ends the handover.",
     "Eine Provinz geht über, sobald keine deiner Armeen darin ist, frühestens in diesem Zug. "
     "Hinein darf keine mehr. Eroberung oder Krieg beendet die Übergabe."),
    ("A technology works from the next turn on. You keep it too. The receiver must know the "
     "technologies that it requires (HELP TECH). Points that the receiver has spent on it are "
     "lost.",
     "Eine Technologie wirkt ab dem nächsten Zug. Du behältst sie auch. Der Empfänger muss "
     "kennen, was sie voraussetzt (HELP TECH). Punkte, die er dafür ausgab, sind verloren."),
)  # fmt: skip

ARMIES: tuple[Text, ...] = (
    ("Max.Army is the number of armies that you may have. STATUS shows how yours adds up. It is:",
     "Max.Army ist die Zahl der Armeen, die du haben darfst. STATUS zeigt deine Summe. Sie "
     "besteht aus:"),
    ("- 1 for each province,", "- 1 für jede Provinz,"),
    ("- 1 more for the capital (2 in a Monarchy or a Republic),",
     "- 1 mehr für die Hauptstadt (2 in Monarchie und Republik),"),
    ("- 1 more for each populous province (2 in a Monarchy),",
     "- 1 mehr für jede volkreiche Provinz (2 in einer Monarchie),"),
    (f"- 1 for each Exchange Treaty, at most {MAX_EXCHANGES},",
     f"- 1 für jeden EXCHANGE, höchstens {MAX_EXCHANGES},"),
    (f"- technologies: {_techs_with('army_cap')}.",
     f"- Technologien: {_techs_with('army_cap')}."),
    ("A province with fallout counts only 1. Fleets and Mobile HQs do not count as armies.",
     "Im Fallout bleibt einer Provinz 1. Flotten und mobile HQs zählen nicht."),
    ("Below the limit, a new army appears each turn in the capital and at each Military HQ. The "
     "capital comes first, then your list SPAWN #20, #21, then the other HQs by number. "
     "Provinces without a Military HQ get none. Nor do provinces with fallout or an epidemic. "
     "An HQ built or captured this turn begins with the next.",
     "Darunter entsteht jeden Zug eine Armee in der Hauptstadt und an jedem Militär-HQ. Zuerst "
     "kommt die Hauptstadt, dann deine Liste SPAWN #20, #21, dann die anderen HQs nach Nummer. "
     "Eine Provinz ohne Militär-HQ bekommt keine, auch keine mit Fallout oder Seuche. Ein HQ, das "
     "in diesem Zug gebaut oder erobert wurde, beginnt mit dem nächsten."),
    ("Above the limit, no army appears and you lose one each turn. It comes from the first "
     "province of your list SHED #21 that has one. Without a list it is drawn by lot.",
     "Darüber entsteht keine, und jeden Zug geht eine verloren: aus der ersten Provinz deiner "
     "Liste SHED #21, die eine hat, ohne Liste nach Los."),
    ("SPAWN and SHED stay in force until you send a new list. SPAWN NONE and SHED NONE end them.",
     "SPAWN und SHED bleiben in Kraft, bis du eine neue Liste schickst. SPAWN NONE und SHED NONE "
     "beenden sie."),
    (f"DISBAND 1 #20 gives up an army. BUILD HQ 20 costs {HQ_ARMIES} armies there. COMMISSION "
     "#24 turns an army into a fleet, FORM HQ #20 into a Mobile HQ.",
     f"DISBAND 1 #20 gibt eine Armee auf. BUILD HQ 20 kostet dort {HQ_ARMIES} Armeen, COMMISSION "
     "#24 eine für eine Flotte, FORM HQ #20 eine für ein mobiles HQ."),
)  # fmt: skip

TRANSPORT: tuple[Text, ...] = (
    (f"MOVE 2 #20 -> #19: armies march {BASE['army_move']} province a turn, "
     f"{_strongest('army_move')} with Mechanized Infantry (MOVE 2 #20 -> #19 -> #18).",
     f"MOVE 2 #20 -> #19: Armeen marschieren {BASE['army_move']} Provinz je Zug, "
     f"{_strongest('army_move')} mit Mechanized Infantry (MOVE 2 #20 -> #19 -> #18)."),
    (f"RAIL 2 #24 -> #19: by rail, armies go {BASE['rail_move']} provinces, "
     f"{_strongest('rail_move')} with Electric&Diesel Trains. Every province on the way needs a "
     "Railroad (RAI), the first and the last too. Each must be yours or a pact partner's. The "
     "judge finds the shortest way. Armies cannot attack by rail. In one turn an army marches "
     "or goes by rail, not both.",
     f"RAIL 2 #24 -> #19: Mit der Bahn fahren sie {BASE['rail_move']} Provinzen, "
     f"{_strongest('rail_move')} mit Electric&Diesel Trains. Jede Provinz auf dem Weg, auch die "
     "erste und die letzte, braucht eine Bahn (RAI). Jede muss dir oder einem Pakt-Partner "
     "gehören. Den kürzesten Weg sucht der Judge. Mit der Bahn greift niemand an, und eine Armee "
     "marschiert oder fährt, nicht beides."),
    (f"Ferry: MOVE 1 #65 -> #33 VIA S16. Each of your fleets carries {BASE['escort_capacity']} "
     f"army a turn over its sea region, {_strongest('escort_capacity')} with Landing Craft. The "
     "fleet must begin or end the turn there. Name every region on the way: VIA S13, S16. A "
     "ferry counts as one march and may attack. Your own fleets need no other order.",
     f"Fähre: MOVE 1 #65 -> #33 VIA S16. Eine deiner Flotten trägt {BASE['escort_capacity']} Armee "
     f"je Zug über ihr Seegebiet, {_strongest('escort_capacity')} mit Landing Craft. Sie muss den "
     "Zug dort beginnen oder beenden. Über mehrere Gebiete nenne jedes: VIA S13, S16. Die Fahrt "
     "zählt als ein Marsch und darf angreifen. Eigene Flotten brauchen keinen weiteren Befehl."),
    ("A pact partner's fleet can carry your army too. The partner orders ESCORT 1 S16 #65 -> "
     "#33 FOR SIC; you order MOVE ... VIA S16. If the fleet is sunk or driven back, the army "
     "stays.",
     "Auch die Flotte eines Pakt-Partners trägt deine Armee. Der Partner befiehlt ESCORT 1 S16 #65 "
     "-> #33 FOR SIC; du befiehlst MOVE ... VIA S16. Eine Flotte, die versenkt oder vertrieben "
     "wurde, trägt niemanden: Die Armee bleibt."),
    (f"FLEET 1 S16 -> S13: fleets move {BASE['fleet_move']} sea region a turn, more with "
     "Oil-Fired Turbines. Entering or leaving a Port counts as one. Docked fleets cannot be "
     "attacked and carry no armies. HELP LINKS lists all neighbours. A water crossing needs no "
     "fleet.",
     f"FLEET 1 S16 -> S13: Flotten fahren {BASE['fleet_move']} Seegebiet je Zug, mehr mit "
     "Oil-Fired Turbines. Hinein in einen Hafen und hinaus zählt als eins. Im Hafen können sie "
     "nicht angegriffen werden und tragen niemanden. HELP LINKS nennt alle Verbindungen. Ein Weg "
     "über Wasser braucht keine Flotte."),
)  # fmt: skip

STEPS: tuple[Text, ...] = (
    ("All nations give orders at the same time. Within a step, everything happens at once.",
     "Alle Nationen befehlen zugleich. Innerhalb eines Schritts geschieht alles gleichzeitig."),
    ("1. Offers are withdrawn, wars begin, treaties are offered.",
     "1. Angebote werden zurückgenommen, Kriege beginnen, Verträge werden angeboten."),
    ("2. Bombs and missiles strike.", "2. Bomben und Raketen schlagen ein."),
    ("3. Fleets move and fight.", "3. Flotten fahren und kämpfen."),
    ("4. Armies move and fight, one province at a time (impulse 1, 2 and so on). Armies that "
     "leave a province do not defend it.",
     "4. Armeen ziehen und kämpfen, eine Provinz nach der anderen (Impuls 1, 2 und so weiter). "
     "Wer abzieht, verteidigt nicht."),
    ("5. Fleets flee from captured Ports. New capitals replace fallen ones.",
     "5. Flotten fliehen aus eroberten Häfen, gefallene Hauptstädte werden ersetzt."),
    ("6. Improvements are built, fleets commissioned and armies disbanded.",
     "6. Ausbauten und Flotten entstehen, Armeen werden aufgelöst."),
    ("7. Gifts and deals are carried out, and land is handed over.",
     "7. Geschenke und Handel; Land geht über."),
    ("8. Research.", "8. Forschung."),
    ("9. Epidemics, fallout, armies above the limit, new armies, a random event.",
     "9. Seuchen, Fallout, Armeen über der Grenze, neue Armeen, ein Zufallsereignis."),
    ("10. Treaties and peace begin; cancelled treaties end. New technologies work from now on. "
     "Armies without a right to stay go home.",
     "10. Verträge beginnen und enden, auch der Frieden. Neue Technologien wirken ab jetzt. Armeen "
     "ohne Aufenthaltsrecht gehen heim."),
    ("11. Nations without land are eliminated, and victory is tested.",
     "11. Nationen ohne Land scheiden aus; der Sieg wird geprüft."),
    ("So peace agreed this turn stops no attack this turn. A war declared this turn allows "
     "attacks this turn.",
     "Ein Frieden dieses Zuges hält also keinen Angriff dieses Zuges auf. Ein Krieg, der in diesem "
     "Zug erklärt wird, erlaubt Angriffe im selben Zug."),
)  # fmt: skip

RULES: Mapping[str, tuple[Text, tuple[Text, ...]]] = {
    "treaties": (("HELP TREATIES: war, peace and treaties of Nations 1940.",
                  "HELP TREATIES: Krieg, Frieden und Verträge."), TREATIES),
    "trade": (("HELP TRADE: gifts and deals of Nations 1940.",
               "HELP TRADE: Geschenke und Handel in Nations 1940."), TRADE),
    "armies": (("HELP ARMIES: Max.Army, new armies, lost armies.",
                "HELP ARMIES: Max.Army, neue und verlorene Armeen."), ARMIES),
    "transport": (("HELP TRANSPORT: marches, railroads, ferries and fleets.",
                   "HELP TRANSPORT: Märsche, Bahnen, Fähren und Flotten."), TRANSPORT),
    "steps": (("HELP STEPS: the order of events in a turn of Nations 1940.",
               "HELP STEPS: was in einem Zug von Nations 1940 wann geschieht."), STEPS),
}  # fmt: skip
"""Topic → its title and its paragraphs.

A paragraph that begins with - or a number is a row of a list.
"""


def rules_text(topic: str, at: int) -> str:
    """Return the text of a topic in one language, 0 for English and 1 for German."""
    title, texts = RULES[topic]
    return "\n".join([title[at], *_lines([text[at] for text in texts]), ""])


def _lines(texts: list[str]) -> Iterator[str]:
    was_row = False
    for text in texts:
        is_row = text.startswith("- ") or text.split(".")[0].isdigit()
        if not (is_row and was_row):
            yield ""
        yield from wrap(
            text, WIDTH, subsequent_indent="  " if is_row else "", break_on_hyphens=False
        )
        was_row = is_row
