"""Damaged and hostile sources: one clear line each, and nothing half made."""

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from judge_maps.__main__ import main
from judge_maps.importing.draft import ImportFault
from judge_maps.importing.php import arrays_in
from judge_maps.importing.raster import fill_areas, read_picture
from judge_maps.importing.sources import MAX_OCTETS, SourceFiles
from judge_maps.importing.svg_layer import paint_layer, read_layer
from tests.mapmaking.foreign_maps import WRITERS
from tests.mapmaking.test_importing import read_isles

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><g id="provinces">{}</g></svg>'


def refusal(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the one line with which an import is refused."""
    assert main(["import", *map(str, arguments)]) == 1
    found = capsys.readouterr()
    assert found.out == "" and found.err.count("\n") == 1
    return found.err


@given(data=st.data())
def test_damaged_sources_are_imported_or_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "own").mkdir()
    (folder / "other").mkdir()
    kind = data.draw(st.sampled_from(sorted(WRITERS)))
    source = WRITERS[kind](read_isles(folder / "own"), folder / "other")
    files = sorted(file for file in (folder / "other").rglob("*") if file.is_file())
    file = data.draw(st.sampled_from(files))
    text = file.read_text("utf-8")
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 30)))
        piece = data.draw(st.one_of(
            st.text(max_size=5), st.sampled_from(["\x00", "(((", "-1", "/nc", "9" * 30, "\t"])
        ))
        text = text[:start] + piece + text[end:]
    file.write_bytes(text.encode("utf-8", "replace"))
    code = main(["import", str(source), str(folder / "mars"), "--format", kind])
    assert (folder / "mars" / "import.log").exists() or code == 1
    assert {path.name for path in folder.iterdir()} <= {"own", "other", "mars"}


@pytest.mark.parametrize("octets", [
    b"\x00" * 200, b"\xff\xfe" * 100, b"<" * 1000, b"A" * 1000, b"", b"(" * 50_000,
    b"array(" * 9999,
])
@pytest.mark.parametrize("kind", WRITERS)
def test_files_of_other_kinds_are_refused(
    kind: str, octets: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("install.php", "variant.php", "variants.xml", "x.map", "map.x", "x.go"):
        (source / name).write_bytes(octets)
    assert refusal(capsys, source, tmp_path / "mars", "--format", kind)
    assert not (tmp_path / "mars").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi")
) + "]><VARIANTS>&i;</VARIANTS>"
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><VARIANTS>&a;</VARIANTS>'


@pytest.mark.parametrize("text", [
    BOMB, OUTSIDE, "<VARIANTS>" + "<a>" * 5000 + "</a>" * 5000 + "</VARIANTS>", "<VARIANTS>",
    "<VARIANTS/>", '<VARIANTS><VARIANT name="x"/></VARIANTS>',
    '<VARIANTS><VARIANT name="x"><MAP adjacencyURI="../../secret"/></VARIANT></VARIANTS>',
    '<VARIANTS><VARIANT name="x"><MAP adjacencyURI="http://example.org/a"/></VARIANT></VARIANTS>',
    '<VARIANTS><VARIANT name="x"><MAP adjacencyURI="/etc/passwd"/></VARIANT></VARIANTS>',
])
def test_hostile_xml_is_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "variants.xml").write_text(text)
    assert refusal(capsys, tmp_path, tmp_path / "mars")
    assert not (tmp_path / "mars").exists()


def test_paths_out_of_the_folder_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret.map").write_text("COAST SPA ABUTS POR")
    folder = tmp_path / "maps"
    folder.mkdir()
    (folder / "a.map").write_text("USE ../secret.map")
    assert "leads out of the folder" in refusal(capsys, folder, tmp_path / "mars")
    (folder / "a.map").write_text("USE link.map")
    (folder / "link.map").symlink_to(tmp_path / "secret.map")
    told = refusal(capsys, folder / "a.map", tmp_path / "mars")
    assert "leads out of the folder" in told


def test_large_files_and_loops_are_refused(tmp_path: Path) -> None:
    with (tmp_path / "a.map").open("wb") as file:
        file.truncate(MAX_OCTETS + 1)
    with pytest.raises(ImportFault, match="more than 16 MiB"):
        SourceFiles(tmp_path).read("a.map")


def test_folder_that_exists_is_not_touched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mars").mkdir()
    (tmp_path / "mars" / "notes.txt").write_text("mine")
    assert "is there already" in refusal(capsys, tmp_path, tmp_path / "mars")
    assert "cannot be the name" in refusal(capsys, tmp_path, tmp_path / "Mars!")


@pytest.mark.parametrize("body", [
    "", '<path id="spa" d="M 0 0 L nan nan Z"/>', '<path id="spa" d="zzzz"/>',
    '<image id="spa" href="file:///etc/passwd"/>', '<use id="spa" href="#x"/>',
    "<g>" * 500 + "</g>" * 500, '<rect id="spa" width="1e999" height="1"/>',
    '<polygon id="spa" points="1 2 3"/>',
])
def test_svg_without_usable_shapes_is_refused(body: str) -> None:
    with pytest.raises(ImportFault):
        paint_layer(read_layer(SVG.format(body).encode(), "", {"spa": "Spa"}), ["Spa"])


def test_pictures_that_are_too_large_or_none_are_refused() -> None:
    octets = BytesIO()
    Image.new("1", (5000, 10)).save(octets, "PNG")
    with pytest.raises(ImportFault, match="larger than"):
        read_picture(octets.getvalue())
    for found in (b"", b"\x89PNG\r\n\x1a\n" + b"\x00" * 100, b"GIF89a"):
        with pytest.raises(ImportFault, match="cannot be read"):
            read_picture(found)


@pytest.mark.parametrize("text", ["array(" * 100, "[" * 100, "$x = array('a' => ['b' => array("])
def test_php_that_is_cut_off_or_deep_has_no_arrays(text: str) -> None:
    try:
        assert [*arrays_in(text)] == []
    except ImportFault as fault:
        assert "nested deeper" in str(fault)


def test_php_arrays_are_read_and_nothing_is_run() -> None:
    source = r"""<?php // array('no')
    /* array(1) */ $a = array('it\'s', "x" , -3, 1.5, system('rm'), TRUE, array('k' => 'v'), );
    """
    [found] = arrays_in(source)
    assert found.name == "a"
    assert found.values[:6] == ["it's", "x", -3, 1.5, None, None]
    assert found.values[6].items == [("k", "v")]  # type: ignore[union-attr]


def test_points_of_another_scale_are_refused() -> None:
    with pytest.raises(ImportFault, match="outside of the picture"):
        octets = BytesIO()
        Image.new("RGB", (20, 20)).save(octets, "PNG")
        fill_areas(read_picture(octets.getvalue()), {"Spa": (50, 5)}, ["Spa"], None)  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "text"), [
    ("dpjudge", "COAST A" + "\nA BCD" * 30_000), ("dpjudge", "# created" + " \n" * 9000),
    ("dpjudge", "".join(f"COAST P{n} ABUTS P1\n" for n in range(1200)) + "X () P1\nY () P2"),
    ("godip", "/*" * 100_000), ("godip", "//" * 100_000), ("godip", '"\\"' * 50_000),
    ("njudge", "a-" * 100_000 + "\n-1\n" + "-" * 100_000 + "\n-1"),
])
def test_sources_that_cost_much_are_refused_at_once(
    kind: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {"dpjudge": "x.map", "godip": "x.go", "njudge": "map.x"}
    (tmp_path / names[kind]).write_text(text)
    assert refusal(capsys, tmp_path / names[kind], tmp_path / "mars", "--format", kind)


@pytest.mark.parametrize("text", ["'\\'" * 50_000, "/*" * 50_000, '"' + "\\" * 50_001])
def test_php_without_end_is_read_once(text: str) -> None:
    assert [*arrays_in(text)] == []
