"""Single features of the formats of other judges, on small synthetic maps."""

from pathlib import Path

import pytest

from judge_maps.importing.command import detect_format, read_draft
from judge_maps.importing.draft import DraftMap, DraftPower
from judge_maps.importing.mending import mend
from judge_maps.importing.sources import SourceFiles
from judge_maps.importing.tables import TableWriter

BASE = """\
BEGIN SPRING 1850 MOVEMENT
REDS (RED:R) ALD
F ALD
BLUES (BLUE) COS
F COS/SC
UNOWNED FEN
Alder = ald elder old+alder bad?
Coss (north coast) = cos/nc
Coss (south coast) = cos/sc
Coss = cos
Fenland = fen
Mere = mer
Bryn = bry
COAST ALD ABUTS MER bry
LAND BRY ABUTS ALD COS
COAST cos ABUTS BRY FEN MER
COAST COS/NC ABUTS MER
COAST COS/SC ABUTS FEN
COAST FEN ABUTS cos COS/SC MER
WATER MER ABUTS ALD COS/NC FEN
"""


def read_map(tmp_path: Path, text: str, base: str = BASE) -> DraftMap:
    (tmp_path / "base.map").write_text(base, "utf-8")
    (tmp_path / "isles.map").write_text(text, "utf-8")
    return read_draft(SourceFiles(tmp_path / "isles.map"), "dpjudge")


def test_used_file_is_amended(tmp_path: Path) -> None:
    draft = read_map(tmp_path, """# Designed by A. Writer
USE base
AMEND FEN ABUTS -MER *BRY ald(COS)
AMEND BRY ABUTS FEN~
""")
    assert ("fen", "bry") in draft.walk and ("fen", "ald") in draft.walk
    assert ("fen", "mer") not in draft.sail
    assert draft.author == "A. Writer"
    lost = draft.log.entries("lost")
    assert {"the condition of the border fen-bry: *BRY",
            "the condition of the border fen-ald: ald(COS)",
            "the condition of the border bry-fen: FEN~"} <= {*lost}
    mend(draft)
    assert "the border mer-fen of fleets is one way: now it is two-way" in \
        draft.log.entries("guessed")


def test_place_is_renamed_or_dropped(tmp_path: Path) -> None:
    draft = read_map(tmp_path, "USE base\ncos -> New Cove = cov cove\nDROP FEN\n")
    assert {*draft.places} == {"ald", "bry", "cov", "mer"}
    assert draft.places["cov"].name == "New Cove" and draft.places["cov"].home == "BLUES"
    assert {*draft.coast_aliases} == {"cov/nc", "cov/sc"}
    assert ("bry", "cov") in draft.walk and ("mer", "cov/nc") in draft.sail
    assert [unit.place for unit in draft.units] == ["ald", "cov/sc"]


def test_powers_are_renamed_removed_or_dummies(tmp_path: Path) -> None:
    draft = read_map(tmp_path, """USE base
BLUES -> DEEP+BLUES (DEEP:D)
_PIRATES () FEN
A FEN
DUMMY
GREENS (GREEN) BRY
UNPLAYED GREENS
""")
    names = {power.name: power.plays for power in draft.powers.values()}
    assert names == {"Reds": True, "Deep Blues": True, "Pirates": False}
    assert draft.places["cos"].home == "DEEPBLUES"
    assert draft.places["bry"].is_centre and not draft.places["bry"].home


@pytest.mark.parametrize(("line", "phase"), [
    ("BEGIN WINTER 1899 ADJUSTMENTS", "F1899A"), ("BEGIN FALL 900 MOVEMENT", "F0900M"),
    ("BEGIN SPRING 1901 MOVEMENT", "S1901M"), ("BEGIN AUTUMN 5 MOVEMENT", "F0005M"),
])
def test_first_phase_is_read(tmp_path: Path, line: str, phase: str) -> None:
    assert read_map(tmp_path, f"USE base\n{line}\n").first_phase == phase


@pytest.mark.parametrize("line", [
    "FLOW SPRING:MOVEMENT", "IN S1901M: DROP FEN", "RULE NO_DRAW", "NEWHOMES 1910", "W FEN",
    "VICTORY 3 4 5", "PAYOLA DIRECTIVE",
])
def test_what_is_lost_is_in_the_log(tmp_path: Path, line: str) -> None:
    draft = read_map(tmp_path, f"USE base\n{line}\n")
    assert len(draft.log.entries("lost")) == 1
    assert {*draft.places} == {"ald", "bry", "cos", "fen", "mer"}


def tables_of(draft: DraftMap) -> dict[str, str]:
    mend(draft)
    return TableWriter(draft, "a test").write()


def test_letters_are_chosen_where_powers_share_one(tmp_path: Path) -> None:
    draft = read_map(tmp_path, "USE base\nMOORS () FEN\nRUSES () BRY\n")
    rows = [row.split("\t")[:2] for row in tables_of(draft)["powers.tsv"].splitlines()[1:]]
    assert rows == [["Reds", "R"], ["Blues", "B"], ["Moors", "S"], ["Ruses", "U"]]
    assert draft.log.entries("letters") == ["S for Moors", "U for Ruses"]


def test_many_powers_have_codes(tmp_path: Path) -> None:
    draft = read_map(tmp_path, "USE base\n")
    draft.powers |= {char: DraftPower(f"Land {char}") for char in "abcdefghijklmnopqrstuvwx"}
    rows = [row.split("\t")[:2] for row in tables_of(draft)["powers.tsv"].splitlines()[1:]]
    assert rows[0] == ["Reds", "RED"] and all(len(letter) == 3 for _, letter in rows)


def test_names_and_spellings_are_cleaned(tmp_path: Path) -> None:
    draft = read_map(tmp_path, "USE base\n")
    draft.places["mer"].name = "Bosnia &amp; Mere (7), #1"
    draft.places["fen"].aliases = ["ald", "the fen;", "fen"]
    row = next(r for r in tables_of(draft)["provinces.tsv"].splitlines() if r.startswith("Mer"))
    assert row.split("\t")[1] == "Bosnia and Mere 7 1"
    assert "Bosnia &amp; Mere (7), #1 is Bosnia and Mere 7 1" in draft.log.entries("renamed")
    assert draft.log.entries("lost") == ["the spelling 'ald' of Fenland"]


def test_coasts_of_other_names_are_renamed(tmp_path: Path) -> None:
    base = BASE.replace("COS/SC", "COS/RC").replace("cos/sc", "cos/rc")
    draft = read_map(tmp_path, "USE base\n", base)
    tables = tables_of(draft)
    assert "Cos/sc\tCoss (south coast)" in tables["coasts.tsv"]
    assert "the coast cos/rc is cos/sc" in draft.log.entries("renamed")


def test_only_coast_of_a_province_is_no_coast(tmp_path: Path) -> None:
    base = "\n".join(line for line in BASE.splitlines() if not line.startswith("COAST COS/NC"))
    draft = read_map(tmp_path, "USE base\n", base)
    tables = tables_of(draft)
    assert "coasts.tsv" not in tables and "Cos\tFen\t1\t1\n" in tables["adjacency.tsv"]


JDIP = """<VARIANTS><VARIANT name="A"><MAP adjacencyURI="a.xml"/></VARIANT>
<VARIANT name="B" default="true"><MAP adjacencyURI="a.xml"/>
<POWER name="North" adjective="Northern"/><POWER name="South" adjective="Southern"/>
<STARTINGTIME turn="Spring, -60 Movement" allowBCYears="true"/>
<VICTORYCONDITIONS><YEARS_WITHOUT_SC_CAPTURE value="7"/></VICTORYCONDITIONS>
<SUPPLYCENTER province="isl" homepower="north"/><SUPPLYCENTER province="cap" owner="south"/>
</VARIANT></VARIANTS>"""
BORDERS = """<PROVINCES><PROVINCE shortname="isl" fullname="Isle"><ADJACENCY type="xc" refs="sea"/>
</PROVINCE><PROVINCE shortname="cap" fullname="Cape"><ADJACENCY type="mv" refs="cap"/>
<ADJACENCY type="nc" refs="sea"/><ADJACENCY type="sc" refs="bay"/></PROVINCE>
<PROVINCE shortname="bay" fullname="Bay"><ADJACENCY type="xc" refs="cap-sc sea"/></PROVINCE>
<PROVINCE shortname="sea" fullname="Sea" borders="ice"><ADJACENCY type="xc" refs="isl cap(nc) bay"/>
</PROVINCE></PROVINCES>"""


def test_jdip_variant_with_an_island_and_years_before_christ(tmp_path: Path) -> None:
    (tmp_path / "variants.xml").write_text(JDIP)
    (tmp_path / "a.xml").write_text(BORDERS)
    files = SourceFiles(tmp_path)
    assert detect_format(files) == "jdip"
    draft = read_draft(files, "jdip")
    kinds = {key: place.kind for key, place in draft.places.items()}
    assert kinds == {"isl": "coast", "cap": "coast", "bay": "sea", "sea": "sea"}
    assert (draft.first_phase, draft.era, draft.quiet_falls) == ("S0060M", "BC", 7)
    assert draft.places["isl"].home == "north" and draft.places["isl"].owner == ""
    assert draft.places["cap"].home == "" and draft.places["cap"].owner == "south"
    assert ("sea", "cap/nc") in draft.sail and ("bay", "cap/sc") in draft.sail
    assert draft.log.entries("guessed") == [
        "Isle has borders of fleets and a centre: an island"
    ]
    assert draft.log.entries("lost") == [
        "further variants (--variant): A", "the conditions of borders of sea: ice"
    ]


def test_calendar_and_builds_of_webdiplomacy(tmp_path: Path) -> None:
    (tmp_path / "install.php").write_text("""<?php $t = [['O\\'Isle','Coast','Yes',1,3,4,1,2],
['Cape','Coast','Yes',2,5,6,1,2],['Sea','Sea','No',0,7,8,1,2]];
$b = [['O\\'Isle','Sea','Yes','No'],['Cape','Sea','Yes','No'],['Cape','Moon','Yes','No']];""")
    (tmp_path / "variant.php").write_text("""<?php public $fullName="Old War";
/* GNU Affero General Public License */ public $countries=['North','South'];
$this->variantClasses['userOrderBuilds'] = 'X'; $this->variantClasses['processOrder'] = 'X';
return ( $turn % 2 ? "Harvest, " : "Sowing, " ).(431 - floor($turn/2)).' BC';""")
    (tmp_path / "classes").mkdir()
    (tmp_path / "classes" / "userOrderBuilds.php").write_text("class BuildAnywhere {}")
    draft = read_draft(SourceFiles(tmp_path), "webdip")
    assert (draft.first_phase, draft.era, draft.builds) == ("F0432A", "BC", "any")
    assert "no units are listed: builds come first, F0432A" in draft.log.entries("guessed")
    assert draft.seasons == ("Sowing", "Harvest") and draft.licence == "AGPL"
    assert draft.places["o'isle"].home == "north" and draft.victory == 1
    assert draft.log.entries("lost") == [
        "the border Cape-Moon, which is on no map", "the rules in the class processOrder"
    ]
    tables = tables_of(draft)
    assert "licence\tAGPL\n" in tables["map.tsv"] and "\tO'Isle\t" in tables["provinces.tsv"]


def test_njudge_types_marks_and_missing_seed(tmp_path: Path) -> None:
    (tmp_path / "map.isles").write_text("""# comment
Alder, Aw ald
Cape, B cap
Peak, l pea peak
Rock, xw roc
Sea, w sea
Old Railway, r TSR
-1
ald-mv: cap
ald-xc: sea
cap-mv: ald
cap-mx: roc
cap-xc: sea
pea-mv: pea
roc-xc sea
sea-xc: ald cap roc
-1
Center order for summary report:
  ald cap
Railway
TSR:R Ald Cap
-1
""")
    draft = read_draft(SourceFiles(tmp_path), "njudge", powers="A=Reds, B=Blues")
    kinds = {key: place.kind for key, place in draft.places.items()}
    assert kinds == {"ald": "coast", "cap": "coast", "pea": "shut", "roc": "coast", "sea": "sea"}
    assert [power.name for power in draft.powers.values()] == ["Reds", "Blues"]
    assert draft.log.entries("lost") == [
        "the railway or gateway Old Railway", "the condition mx of the border cap-roc",
        "a railway, gateway or other setting: TSR:R Ald Cap", "units: seed.isles is missing",
    ]


@pytest.mark.parametrize("number", ["9" * 5000, "²", "٣", "0"])
def test_numbers_that_are_none_are_guessed(tmp_path: Path, number: str) -> None:
    draft = read_map(tmp_path, f"USE base\nVICTORY {number}\nBEGIN SPRING {number} MOVEMENT\n")
    assert "victory\t-\n" in tables_of(draft)["map.tsv"]
    assert draft.log.entries("guessed")


def test_godip_start_is_read_from_its_own_package(tmp_path: Path) -> None:
    (tmp_path / "isles.go").write_text("""package isles
const (
\tNorth godip.Nation = "North"
)
var (
\tNations = []godip.Nation{North, godip.South}
)
var V = common.Variant{
\tBlankStart: Blank(NewPhase(1900, godip.Fall, godip.Adjustment)),
\tRules: {"pie": Rule{Dependencies: map[godip.Province]godip.Nation{"cap": North}}},
\tRules: `Fleets may
swim.`,
}
startPhase := classical.NewPhase(1801, godip.Spring, godip.Movement)
// Isle
Prov("isl").Conn("sea", godip.Sea).Flag(godip.Coast...).SC(North).
// Cape
Prov("cap").Conn("sea", godip.Sea).Flag(godip.Archipelago...).SC(godip.Neutral).
Prov("sea").Conn("isl", godip.Sea).Conn("cap", godip.Sea).Flag(godip.Sea).
""")
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "start.go").write_text("""package start
func Units() { return map[godip.Province]godip.Unit{
\t"isl": godip.Unit{godip.Fleet, North}, "cap": {godip.Army, godip.South},
} }
func SupplyCenters() map[godip.Province]godip.Nation {
\treturn map[godip.Province]godip.Nation{
\t\t"isl": North, "cap": godip.South,
\t}
}
""")
    draft = read_draft(SourceFiles(tmp_path), "godip")
    assert draft.first_phase == "S1801M"
    assert {key: place.owner for key, place in draft.places.items()} == {
        "isl": "north", "cap": "south", "sea": None,
    }
    assert draft.places["cap"].kind == "port" and draft.places["cap"].home == ""
    assert [unit.power for unit in draft.units] == ["north", "south"]
    assert draft.places["isl"].name == "Isle"
    assert draft.log.entries("lost") == ["rules in prose, read them: Fleets may swim."]


def test_godip_calls_in_comments_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "isles.go").write_text("""package isles
var Nations = []godip.Nation{North, South}
// Isle
Prov("isl").Conn("sea", godip.Sea).
	// Conn("cap", godip.Land).
	Flag(godip.Coast...).SC(North).
/* Prov("bay").Conn("isl", godip.Sea).Flag(godip.Sea). */
// Prov("old").Conn("isl", godip.Land).Flag(godip.Land).
// Cape (the "old" one)
Prov("cap").Conn("sea", godip.Sea).Flag(godip.Coast...).SC(South).
// Sea
Prov("sea").Conn("isl", godip.Sea).Conn("cap", godip.Sea).Flag(godip.Sea).
""")
    draft = read_draft(SourceFiles(tmp_path), "godip")
    names = {key: place.name for key, place in draft.places.items()}
    assert names == {"isl": "Isle", "cap": 'Cape (the "old" one)', "sea": "Sea"}
    assert draft.walk == set()


def test_webdiplomacy_name_with_a_slash_has_coasts(tmp_path: Path) -> None:
    (tmp_path / "variant.php").write_text(
        "<?php $fullName = 'Horn'; $countries = array('Red', 'Blue');"
    )
    (tmp_path / "install.php").write_text("""<?php
$places = array(
    array('Cape/Horn', 'Coast', 'Yes', 1, 10, 10),
    array('Cape/Horn (North Coast)', 'Coast', 'No', 0, 10, 10),
    array('Cape/Horn (South Coast)', 'Coast', 'No', 0, 10, 10),
    array('Bay', 'Sea', 'No', 0, 1, 2), array('Mere', 'Sea', 'No', 0, 5, 6));
$borders = array(
    array('Cape/Horn (North Coast)', 'Bay', 'Yes', 'No'),
    array('Cape/Horn (South Coast)', 'Mere', 'Yes', 'No'));
""")
    draft = read_draft(SourceFiles(tmp_path), "webdip")
    mend(draft)
    assert {*draft.coast_aliases} == {"cape horn/nc", "cape horn/sc"}
    assert draft.log.entries("lost") == []


def test_coast_of_no_province_is_lost(tmp_path: Path) -> None:
    base = "\n".join(line for line in BASE.splitlines() if not line.startswith("COAST cos"))
    draft = read_map(tmp_path, "USE base\n", base)
    assert "cos" not in tables_of(draft)["provinces.tsv"].lower()
    assert "the coast cos/nc of no province" in draft.log.entries("lost")
