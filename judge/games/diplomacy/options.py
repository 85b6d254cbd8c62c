"""The choices a master has: house rules that other judges know, and what the rulebook leaves open.

The names of the values are those of `ruleset.Rules`; the numbers of chapters are the DATC's (3.0).
"""

from judge.board.map import Map
from judge.games.system import Option

FALLS = ("2", "3", "4", "5")
"""How many Falls in a row without change may end a game."""

_QUIET = "{n} Falls in a row in which no centre changes hands are a draw of all who still play."
_NEVER_QUIET = "Falls without a change of centres do not end the game."


def options_on(board: Map) -> tuple[Option, ...]:
    """Return the options of a game on a map, the usual value first."""
    ice = _ICE if board.icebreaker else ()
    return (*_ending(board), *_HOUSE, *ice, *_RULEBOOK)


def _ending(board: Map) -> tuple[Option, ...]:
    quiet = _QUIET.format(n=board.quiet_falls) if board.quiet_falls else _NEVER_QUIET
    return (
        Option(
            "victory", (), "centres that win the game after a Fall", board.victory,
            says=(
                f"{board.victory} of the {len(board.centres)} centres win the game.",
                f"{{n}} of the {len(board.centres)} centres win the game.",
            ),
            least=2, most=len(board.centres), at_any_time=True,
            also={"centers": "", "centres": "", "winning centers": "", "winning centres": ""},
        ),
        Option(
            "last_year", (), "the year after whose Fall the game ends, at the latest", 0,
            says=(
                "The game goes on until somebody wins or a draw is agreed on.",
                "The game ends after the Fall of {n} at the latest.",
            ),
            least=board.first_year, most=board.first_year + 98, at_any_time=True,
            also={"end": "", "final year": ""},
        ),
        Option(
            "at_end", ("survivors", "leader"), "who shares in a game that its last year ends",
            says=(
                "If its last year ends the game, all who still have a unit or a centre share it.",
                "If its last year ends the game, whoever has the most centres wins; those who"
                " have equally many share it.",
            ),
            at_any_time=True,
        ),
        Option(
            "quiet_falls", ("by map", "off", *FALLS),
            "how many Falls in a row without a change of centres make a draw of all survivors",
            says=(
                f"As the map has it: {quiet[0].lower()}{quiet[1:]}",
                _NEVER_QUIET,
                *(_QUIET.format(n=n) for n in FALLS),
            ),
            at_any_time=True, also={"quiet falls on": "3"},
        ),
    )


_HOUSE = (
    Option(
        "blank_board", ("off", "on"), "on: the board is empty, and the game begins with builds",
        says=(
            "The game begins with the units that the map sets up.",
            "The board is empty at first: in the Winter before the first Spring every power"
            " chooses what to build in its home centres.",
        ),
        also={"empty board": "on"},
    ),
    Option(
        "builds", ("home", "one", "any"), "where a power may build",
        says=(
            "A power builds in its own home centres.",
            "A power builds in any centre it owns, as long as it owns one of its home centres.",
            "A power builds in any centre it owns.",
        ),
        also={
            "home centers": "home", "home centres": "home", "one center": "one",
            "one centre": "one", "one centers": "one", "one centres": "one",
            "any centers": "any", "any centres": "any", "any center": "any", "any centre": "any",
            "build any": "any", "build anywhere": "any",
        },
    ),
    Option(
        "retreats", ("on", "off"), "off: dislodged units leave the board at once",
        says=(
            "Dislodged units may retreat.",
            "There are no retreats: a dislodged unit leaves the board at once.",
        ),
        also={"auto disband": "off"},
    ),
    Option(
        "friendly_fire", ("off", "on"), "on: a power may dislodge its own units",
        says=(
            "No power dislodges its own units, nor helps others to.",
            "Units of one power fight each other as strangers do: they dislodge each other, cut"
            " each other's supports and help others against their own.",
        ),
    ),
    Option(
        "coastal_convoys", ("off", "on"), "on: fleets in coastal provinces may convoy too",
        says=(
            "Fleets convoy at sea only.",
            "Fleets in coastal provinces may convoy too, but not where a province has two coasts,"
            " nor into the province they stand in.",
        ),
        also={"coastal convoy": "on"},
    ),
    Option(
        "blind", ("off", "on"),
        "on: each power sees only its own units and centres and what stands next to them",
        says=(
            "Everybody sees the whole board.",
            "Each power sees only its own units and centres and what stands next to them; observers"
            " see nothing until the end (HELP BLIND).",
        ),
        also={"fog": "on", "fog of war": "on"},
    ),
    Option(
        "proxy", ("off", "on"), "on: a player may let another one order a unit for a phase",
        says=(
            "Every player orders his own units only.",
            "A player may let another one order a unit for a phase: A Par PROXY England"
            " (HELP PROXY).",
        ),
        at_any_time=True,
    ),
)

_ICE = (
    Option(
        "icebreaker", ("on", "off"), "off: fleets may not use the coast of Omsk",
        says=(
            "Fleets may use the coast of Omsk.",
            "Fleets may not use the coast of Omsk.",
        ),
    ),
)

_RULEBOOK = (
    Option(
        "paradox", ("szykman", "all_hold", "1971", "1982", "2000"),
        "which rule settles a convoy paradox (DATC 4.A.2)",
        says=(
            "Convoy paradoxes: Szykman's rule. The fleets in the paradox do not convoy.",
            "Convoy paradoxes: all moves in the paradox fail.",
            "Convoy paradoxes: the rulebook of 1971. A convoyed army does not cut the support of"
            " an attack on a fleet of its convoy, and each fleet of a convoy must stand.",
            "Convoy paradoxes: the rulebook of 1982. A convoyed army does not cut a support that"
            " is directed at a fleet which convoys.",
            "Convoy paradoxes: the rulebook of 2000. A convoyed army does not cut the support of"
            " an attack on a fleet that its convoy cannot do without.",
        ),
    ),
    Option(
        "routes", ("any", "all"), "when a convoy with fleets to spare is broken (DATC 4.A.1)",
        says=(
            "An army arrives as long as one unbroken chain of its fleets stands.",
            "An army does not arrive if any fleet that convoys it is dislodged.",
        ),
    ),
    Option(
        "intent", ("own_fleet", "via_only", "swap_only"),
        "what sends an army by convoy that could walk (DATC 4.A.3)",
        says=(
            "An army that could walk goes by sea if it says VIA or a fleet of its own convoys it.",
            "An army that could walk goes by sea only if it says VIA.",
            "An army that could walk goes by sea only to change places with a unit that comes"
            " the other way.",
        ),
    ),
    Option(
        "fallback", ("none", "land"),
        "land: an army without a complete convoy walks if it can (DATC 4.A.3)",
        says=(
            "An army sent by sea does not walk if its convoy was not ordered.",
            "An army sent by sea walks, if it can, when no whole convoy was ordered.",
        ),
    ),
    Option(
        "convoy_cut", ("dislodging", "always"),
        "when a convoyed army cuts a support directed at where it comes from (DATC 4.A.4)",
        says=(
            "A support directed at where a convoyed army comes from is cut by it only if its"
            " attack dislodges, as with an army that walks.",
            "A convoyed army cuts every support of the unit it attacks, also one directed at"
            " where it comes from.",
        ),
    ),
    Option(
        "convoy_return", ("allowed", "no"),
        "whether a unit may retreat to where its convoyed attacker came from (DATC 4.A.5)",
        says=(
            "A unit may retreat to where its attacker came from if that came by convoy.",
            "A unit may never retreat to where its attacker came from, not even by convoy.",
        ),
    ),
    Option(
        "missing_coast", ("possible", "illegal"),
        "what a fleet does that names no coast where it reaches only one (DATC 4.B.2)",
        says=(
            "A fleet that reaches only one coast need not name it.",
            "A fleet must name the coast it goes to, even if it reaches only one.",
        ),
    ),
    Option(
        "wrong_coast", ("illegal", "possible"),
        "what a fleet does that names a coast it cannot reach, but reaches the other (DATC 4.B.3)",
        says=(
            "A fleet that names a coast it cannot reach holds.",
            "A fleet that names a coast it cannot reach goes to the other, if it reaches that.",
        ),
    ),
    Option(
        "support_coast", ("lenient", "strict"),
        "strict: a support must name the coast its fleet goes to (DATC 4.B.4)",
        says=(
            "A support need not name the coast to which the fleet goes.",
            "A support of a fleet must name the coast to which it goes, or it is void.",
        ),
    ),
    Option(
        "disorder", ("owned", "home"),
        "the centres from which distances count when nobody removes units (DATC 4.D.8)",
        says=(
            "Removals nobody ordered: first the unit farthest from the centres its power owns.",
            "Removals nobody ordered: first the unit farthest from its power's home centres, as"
            " before 2023.",
        ),
    ),
)
"""Too many builds or removals (DATC 4.D.4, 4.D.6) are no option: filing keeps the last ones."""
