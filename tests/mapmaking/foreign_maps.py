"""Maps of the judge, written in the syntaxes of other judges."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

from judge.board.map import FLEET, Map, Province, Terrain, Unit

DPJUDGE_KINDS = {
    Terrain.LAND: "LAND", Terrain.COAST: "COAST", Terrain.PORT: "PORT", Terrain.SEA: "WATER",
    Terrain.SHUT: "SHUT",
}


def write_dpjudge(board: Map, folder: Path) -> Path:
    lines = [f"BEGIN {'SPRING' if board.first_phase[0] == 'S' else 'FALL'}"
             f" {int(board.first_phase[1:5])} MOVEMENT", f"VICTORY {board.victory}"]
    if board.builds == "any":
        lines.append("RULE BUILD_ANY")
    for power in board.powers:
        homes = [p.abbr.upper() for p in board.provinces.values() if p.home == power.name]
        name = power.name.upper().replace(" ", "+")
        lines += ["", f"{name} ({power.adjective.upper()}:{power.letter}) {' '.join(homes)}"]
        owned = [place.upper() for place, owner in board.owners.items() if owner == power.name]
        if owned != homes:
            lines.append(f"OWNS {' '.join(owned)}")
        lines += map(str, board.start.get(power.name, ()))
        if not power.plays:
            lines.append("DUMMY")
    free = [p.abbr for p in board.provinces.values() if p.is_centre and not p.home]
    lines += ["", f"UNOWNED {' '.join(free).upper()}", ""]
    for place in board.provinces.values():
        words = [place.abbr.lower(), *(word.replace(" ", "+") for word in place.aliases)]
        lines.append(f"{place.name} = {' '.join(words)}")
        for coast in place.coasts:
            lines.append(f"{place.name} ({coast}) = {place.abbr.lower()}/{coast}")
    for place in board.provinces.values():
        lines += _dpjudge_sites(board, place)
    (folder / "isles.map").write_text("\n".join(lines), encoding="utf-8")
    return folder / "isles.map"


def _dpjudge_sites(board: Map, place: Province) -> list[str]:
    kind, walk = DPJUDGE_KINDS[place.terrain], board.walk.get(place.abbr, ())
    lines = []
    spots = board.fleet_places(place.abbr)
    for spot in spots:
        sail = {goal for goals in board.sail[spot].values() for goal in goals}
        goals = [goal.upper() for goal in sail if goal in walk and spot == place.abbr]
        goals += [goal.capitalize() if goal in walk else goal.upper()
                  for goal in sail if goal.upper() not in goals]
        if spot == place.abbr:
            goals += [goal.lower() for goal in walk if goal not in sail]
        lines.append(f"{kind} {spot.upper()} ABUTS {' '.join(sorted(goals))}")
    if place.abbr not in spots:
        name = place.abbr.lower() if spots else place.abbr.upper()
        lines.append(f"{kind} {name} ABUTS {' '.join(sorted(g.lower() for g in walk))}")
    return lines


def _rows(board: Map) -> Mapping[str, list[tuple[str, list[str]]]]:
    """Return the rows of borders of nJudge and jDip: province → (type, goals)."""
    found: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    for abbr, place in board.provinces.items():
        walk = sorted(board.walk.get(abbr, ()))
        if walk or place.terrain in (Terrain.COAST, Terrain.PORT):
            found[abbr].append(("mv", walk or [abbr]))
        for spot in board.fleet_places(abbr):
            goals = sorted(goal for goals in board.sail[spot].values() for goal in goals)
            found[abbr].append((spot.partition("/")[2] or "xc", goals))
    return found


def write_njudge(board: Map, folder: Path) -> Path:
    letters = {power.name: power.letter for power in board.powers}
    lines = ["# a comment"]
    for place in board.provinces.values():
        kind = "w" if place.terrain is Terrain.SEA else "l"
        if place.is_centre:
            kind = letters.get(place.home, "x")
        words = [place.abbr.lower(), *(word for word in place.aliases if " " not in word)]
        lines.append(f"{place.name},  {kind} {' '.join(words)}")
    lines.append("-1")
    for abbr, rows in _rows(board).items():
        lines += [f"{abbr}-{kind}: {' '.join(goals)}".lower() for kind, goals in rows]
    lines += ["-1", "Center order for summary report", "-1", ""]
    (folder / "map.isles").write_text("\n".join(lines), encoding="utf-8")
    seed = [board.first_phase]
    for power, units in board.start.items():
        for unit in units:
            coast = unit.place.partition("/")[2]
            name = board.provinces[unit.province].name + (f"/{coast}" if coast else "")
            seed.append(f"{letters[power]}: {unit.kind.value} {name}")
    seed.append("-1")
    for place, owner in board.owners.items():
        if owner != board.provinces[place].home:
            seed.append(f"{letters[owner]}: {place.lower()}")
    (folder / "seed.isles").write_text("\n".join([*seed, "-1", ""]), encoding="utf-8")
    return folder / "map.isles"


def write_jdip(board: Map, folder: Path) -> Path:
    doctype = "<!DOCTYPE {0} [<!ELEMENT {0} ANY><!ATTLIST X y CDATA #IMPLIED>]>"
    lines = ['<?xml version="1.0"?>', doctype.format("PROVINCES"), "<PROVINCES>"]
    for abbr, rows in _rows(board).items():
        place = board.provinces[abbr]
        port = ' isConvoyableCoast="true"' if place.terrain is Terrain.PORT else ""
        lines.append(f'<PROVINCE shortname="{abbr.lower()}" fullname="{place.name}"{port}>')
        lines += [f'<UNIQUENAME name="{alias}"/>' for alias in place.aliases]
        for kind, goals in rows:
            lines.append(f'<ADJACENCY type="{kind}" refs="{" ".join(goals).lower()}"/>')
        lines.append("</PROVINCE>")
    closed = [p for p in board.provinces.values() if p.terrain is Terrain.SHUT]
    for place in closed:
        lines.append(f'<PROVINCE shortname="{place.abbr.lower()}" fullname="{place.name}"/>')
    lines.append("</PROVINCES>")
    (folder / "isles_adjacency.xml").write_text("\n".join(lines), encoding="utf-8")
    season = "Spring" if board.first_phase[0] == "S" else "Fall"
    lines = [
        '<?xml version="1.0"?>', doctype.format("VARIANTS"), "<VARIANTS>",
        f'<VARIANT name="{board.title}" version="1.0" default="true">',
        f"<DESCRIPTION><![CDATA[<p>Author: {board.texts.author}</p>]]></DESCRIPTION>",
        '<MAP adjacencyURI="isles_adjacency.xml"/>',
        f'<STARTINGTIME turn="{season}, {int(board.first_phase[1:5])} Movement"/>',
        "<VICTORYCONDITIONS>",
        f'<WINNING_SUPPLY_CENTERS value="{board.victory}"/></VICTORYCONDITIONS>',
    ]
    if board.builds == "any":
        lines.append('<RULEOPTIONS><RULEOPTION name="OPTION_BUILDS"'
                     ' value="VALUE_BUILDS_ANY_OWNED"/></RULEOPTIONS>')
    for power in board.powers:
        active = str(power.plays).lower()
        lines.append(f'<POWER name="{power.name}" active="{active}" adjective="{power.adjective}"'
                     f' altnames="{", ".join(power.words)}"/>')
    for place in board.provinces.values():
        if place.is_centre:
            home = f' homepower="{place.home.lower()}"' if place.home else ""
            owner = board.owners.get(place.abbr, "none").lower()
            lines.append(f'<SUPPLYCENTER province="{place.abbr.lower()}"{home} owner="{owner}"/>')
    for power_name, units in board.start.items():
        for unit in units:
            kind = "fleet" if unit.kind is FLEET else "army"
            coast = unit.place.partition("/")[2]
            unitcoast = f' unitcoast="{coast}"' if coast else ""
            lines.append(f'<INITIALSTATE province="{unit.province.lower()}"'
                         f' power="{power_name.lower()}" unit="{kind}"{unitcoast}/>')
    lines.append("</VARIANT></VARIANTS>")
    (folder / "variants.xml").write_text("\n".join(lines), encoding="utf-8")
    return folder


GODIP_FLAGS = {
    Terrain.LAND: "godip.Land", Terrain.COAST: "godip.Coast...", Terrain.SEA: "godip.Sea",
    Terrain.PORT: "godip.Archipelago...", Terrain.SHUT: "",
}


def write_godip(board: Map, folder: Path) -> Path:
    played = [power for power in board.powers if power.plays]
    idents = {power.name: power.name.replace(" ", "") for power in board.powers}
    lines = ["package isles", "const ("]
    lines += [f'\t{idents[p.name]} godip.Nation = "{p.name}"' for p in board.powers]
    listed = ", ".join(idents[power.name] for power in played)
    lines += [")", f"var Nations = []godip.Nation{{{listed}}}",
              "var IslesVariant = common.Variant{", f'\tName: "{board.title}",',
              f'\tCreatedBy: "{board.texts.author}",',
              f"\tSoloWinner: common.SCCountWinner({board.victory}),"]
    if board.builds == "any":
        lines.append("\tParser: hundred.BuildAnywhereParser,")
    season = "Spring" if board.first_phase[0] == "S" else "Fall"
    lines += ["}", f"start := classical.NewPhase({int(board.first_phase[1:5])}, godip.{season},"
              " godip.Movement)", "result.SetUnits(map[godip.Province]godip.Unit{"]
    for power, units in board.start.items():
        for unit in units:
            kind = "Fleet" if unit.kind is FLEET else "Army"
            lines.append(f'\t"{unit.place.lower()}": godip.Unit{{godip.{kind}, {idents[power]}}},')
    lines += ["})", "result.SetSupplyCenters(map[godip.Province]godip.Nation{"]
    lines += [f'\t"{place.lower()}": {idents[owner]},' for place, owner in board.owners.items()]
    lines += ["})", "return graph.New()."]
    for place in board.provinces.values():
        lines += _godip_province(board, place, idents)
    lines += ["\tDone()", "var provinceLongNames = map[godip.Province]string{"]
    lines += [f'\t"{p.abbr.lower()}": "{p.name}",' for p in board.provinces.values()]
    (folder / "isles.go").write_text("\n".join([*lines, "}", ""]), encoding="utf-8")
    return folder / "isles.go"


def _godip_province(board: Map, place: Province, idents: Mapping[str, str]) -> list[str]:
    walk = board.walk.get(place.abbr, frozenset())
    spots, lines = board.fleet_places(place.abbr), [f"\t\t// {place.name}"]
    for spot in dict.fromkeys((place.abbr, *spots)):
        sail = {goal for goals in board.sail.get(spot, {}).values() for goal in goals}
        steps = walk if spot == place.abbr else frozenset[str]()
        call = f'\t\tProv("{spot.lower()}")'
        for goal in sorted(sail | steps):
            both = goal in sail and goal in steps
            flag = "Coast..." if both else "Land" if goal in steps else "Sea"
            call += f'.Conn("{goal.lower()}", godip.{flag})'
        flags = GODIP_FLAGS[place.terrain]
        if place.coasts:
            flags = "godip.Land" if spot == place.abbr else "godip.Sea"
        call += f".Flag({flags})"
        if place.is_centre and spot == place.abbr:
            call += f".SC({idents.get(place.home, 'godip.Neutral')})"
        lines.append(call + ".")
    return lines


WEBDIP_KINDS = {
    Terrain.LAND: "Land", Terrain.COAST: "Coast", Terrain.PORT: "Coast", Terrain.SEA: "Sea",
}


def write_webdip(board: Map, folder: Path) -> Path:
    powers = [power.name for power in board.powers if power.plays]
    rows, borders = [], []
    for number, place in enumerate(board.provinces.values()):
        if place.terrain is Terrain.SHUT:
            continue
        kind, centre = WEBDIP_KINDS[place.terrain], "Yes" if place.is_centre else "No"
        country = powers.index(place.home) + 1 if place.home in powers else 0
        at = f"{10 * number}, {20 * number}, {5 * number}, {10 * number}"
        name = place.name.replace("'", "\\'")
        rows.append(f"\tarray('{name}', '{kind}', '{centre}', {country}, {at})")
        for coast in place.coasts:
            full = board.place_name(f"{place.abbr}/{coast}").title()
            rows.append(f"\tarray('{full}', 'Coast', 'No', {country}, {at})")
    for a in [*board.provinces, *(place for place in board.sail if "/" in place)]:
        walk = board.walk.get(a, frozenset())
        sail = {goal for goals in board.sail.get(a, {}).values() for goal in goals}
        for b in sorted(walk | sail):
            if a < b:
                yes = ["Yes" if b in goals else "No" for goals in (sail, walk)]
                borders.append(f"\tarray('{_name(board, a)}','{_name(board, b)}','{yes[0]}',"
                               f"'{yes[1]}')")
    text = ("<?php\n// install.php of 'isles'\n$territoryRawData=array(\n" + ",\n".join(rows)
            + "\n);\nforeach($territoryRawData as $row) { new InstallTerritory($row[0]); }\n"
            "$bordersRawData=array(\n" + ",\n".join(borders) + "\n);\n?>\n")
    (folder / "install.php").write_text(text, encoding="utf-8")
    year = int(board.first_phase[1:5])
    names = [spot for p in board.provinces.values() if p.terrain is not Terrain.SHUT
             for spot in (p.abbr, *(f"{p.abbr}/{coast}" for coast in p.coasts))]
    ports = [f"'{number}'" for number, name in enumerate(names, 1)
             if name in board.provinces and board.provinces[name].terrain is Terrain.PORT]
    listed = ", ".join(f"'{name}'" for name in powers)
    (folder / "variant.php").write_text(
        "<?php\nclass IslesVariant extends WDVariant {\n"
        f"\tpublic $name='Isles';\n\tpublic $fullName='{board.title}';\n"
        f"\tpublic $author='{board.texts.author}';\n\tpublic $countries=array({listed});\n"
        f"\tpublic $supplyCenterTarget={board.victory};\n"
        f"\tpublic $convoyCoasts = array ({', '.join(ports)});\n"
        "\tpublic function turnAsDate($turn) {\n\t\treturn ( $turn % 2 ? \"Autumn, \" :"
        f" \"Spring, \" ).(floor($turn/2) + {year});\n\t}}\n}}\n", encoding="utf-8")
    (folder / "classes").mkdir()
    units = [f"\t\t'{power}' => array({_units(board, found)})"
             for power, found in board.start.items()]
    (folder / "classes" / "adjudicatorPreGame.php").write_text(
        "<?php\nclass X {\n\tprotected $countryUnits = array(\n" + ",\n".join(units)
        + "\n\t);\n}\n", encoding="utf-8")
    return folder


def _name(board: Map, place: str) -> str:
    name = board.place_name(place)
    return (name.title() if "/" in place else name).replace("'", "\\'")


def _units(board: Map, units: tuple[Unit, ...]) -> str:
    return ", ".join(
        f"'{_name(board, unit.place)}'=>'{'Fleet' if unit.kind is FLEET else 'Army'}'"
        for unit in units
    )


WRITERS: Mapping[str, Callable[[Map, Path], Path]] = {
    "dpjudge": write_dpjudge, "njudge": write_njudge, "jdip": write_jdip, "godip": write_godip,
    "webdip": write_webdip,
}
"""Writer of each format. Each returns the path to import."""
