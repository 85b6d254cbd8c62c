"""Board in words: units, owners of centres, and their history."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from judge.board.map import Map, Province, Terrain, Unit
from judge.board.mapfile import read_rows
from judge.board.position import PhaseKind, Position, Season, parse_phase
from judge.games.diplomacy.boards import board, folder_of
from judge.games.diplomacy.language.wording import describe_dislodged, describe_unit
from judge.games.diplomacy.rules.adjudicate import buildable, builds_due, open_retreats
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.phases import make_title
from judge.games.diplomacy.views.pieces import CentreGains, Count, Driven, Owned, beaten_piece
from judge.games.diplomacy.views.record import load_text
from judge.games.letter_facts import (
    HistoryTable,
    HoldingRow,
    LetterPiece,
    PlaceRow,
    Places,
    PositionFacts,
    Region,
    Score,
    YearRow,
)
from judge.model.phrase import Phrase, phrase


def standing_facts(
    board: Map, position: Position, rules: Rules, *, only: str | None = None
) -> PositionFacts:
    """Return the facts of a position: units by power, dislodged units and ownership.

    *only* limits the centres to those of one power.
    """
    dislodged = retreat_lines(board, position, rules, only=only)
    owned = Owned(
        ownership_rows(board, position, only=only), board.victory,
        tally(board, position, position, rules, only=only),
    )
    return PositionFacts(
        title=make_title("title-position", position.phase, board),
        phase=str(position.phase),
        rows=tuple(
            HoldingRow(power.name, tuple(
                describe_unit(unit, board)
                for unit in sorted(position.units.get(power.name, ()), key=str)
            ))
            for power in board.powers
        ),
        scores=tuple(
            Score(power.name, len(position.centres(power.name)))
            for power in board.powers if only in (None, power.name)
        ),
        pieces=(
            *([beaten_piece(phrase("intro-dislodged"), dislodged)] if dislodged else ()),
            *([LetterPiece("owners", owned, "ownership", final=True)] if owned.rows else ()),
        ),
    )


def retreat_lines(
    board: Map, position: Position, rules: Rules, *, only: str | None = None
) -> list[Driven]:
    """Return a sentence for each unit that must retreat."""
    return [
        Driven(power.name, describe_dislodged(
            power.adjective,
            beaten,
            open_retreats(board, position, beaten, rules) if only in (None, power.name) else None,
            board,
        ))
        for power in board.powers
        for beaten in position.dislodged.get(power.name, ())
    ]


def ownership_rows(
    board: Map, position: Position, *, only: str | None = None
) -> tuple[HoldingRow, ...]:
    """Return a row for each owner of centres, with unowned centres last."""
    rows = [(power.name, position.centres(power.name)) for power in board.powers]
    if only is None:
        rows.append(("", tuple(c for c in board.centres if c not in position.owners)))
    named = ((owner, sorted(board.provinces[c].name for c in found)) for owner, found in rows)
    return tuple(
        HoldingRow(owner or phrase("unowned"), tuple(names)) for owner, names in named if names
    )


def tally(
    board: Map, before: Position, after: Position, rules: Rules | None = None,
    *, only: str | None = None,
) -> tuple[Count, ...]:
    """Return the figures of every power that has or had a unit or a centre.

    Lost builds are counted only if *rules* are given.
    """
    rows: list[Count] = []
    for power in board.powers:
        name = power.name
        centres, had = len(after.centres(name)), len(before.centres(name))
        units = len(after.units.get(name, ()))
        if (centres or units or had) and only in (None, name):
            due, lost = builds_due(board, after, name), 0
            if rules and due > 0:
                lost = max(due - len(buildable(board, after, name, rules)), 0)
            rows.append(Count(name, centres, centres - had, units, due, lost))
    return tuple(rows)


def chronicle_facts(
    board: Map, opening: Position, turns: Sequence[tuple[str, str]], *, only: str | None = None
) -> HistoryTable:
    """Return the centres of each power at the end of each year, and their changes.

    *only* limits them to one power's own count, and to the centres it took and lost.
    """
    years = _owners_by_year(board, opening, turns)
    label = board.calendar.year_label
    changes = tuple(
        CentreGains(label(year), describe_gains(board, *_known(before, after, only)))
        for (_, before), (year, after) in zip(years, years[1:], strict=False)
    )
    return HistoryTable(
        title=phrase("page-chronicle", victory=board.victory),
        powers=tuple(power.name for power in board.powers),
        letters=tuple(power.letter for power in board.powers),
        rows=tuple(
            YearRow(label(year), tuple(
                _count(owners, power.name) if only in (None, power.name) else "?"
                for power in board.powers
            ))
            for year, owners in years
        ),
        pieces=(LetterPiece("gains", changes, "gains"),),
        goal=board.victory,
    )


def _known(
    before: Mapping[str, str], after: Mapping[str, str], only: str | None
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the owners of centres, limited to those that are or were *only*'s.

    The first mapping is before the change, the second after it.
    """
    if only is None:
        return before, after
    own = {c for c, owner in before.items() if owner == only}
    return (
        {c: owner for c, owner in before.items() if c in own},
        {c: owner for c, owner in after.items() if c in own or owner == only},
    )


def _owners_by_year(
    board: Map, opening: Position, turns: Sequence[tuple[str, str]]
) -> list[tuple[int, Mapping[str, str]]]:
    years = [(board.first_year - 1, opening.owners)]
    for label, text in turns:
        phase, position = parse_phase(label), load_text(text)
        pending = position.phase.kind is PhaseKind.RETREAT
        if phase.season is Season.FALL and not pending:
            # Adjustments change no owner, so a later row of one year says the same again.
            years = [row for row in years if row[0] != phase.year]
            years.append((phase.year, position.owners))
    return years


def centres_by_year(
    board: Map, opening: Position, turns: Sequence[tuple[str, str]]
) -> list[tuple[str, Mapping[str, int]]]:
    """Return the centres of each power at the beginning and at the end of each year."""
    label = board.calendar.year_label
    return [
        (label(year), {power.name: _count(owners, power.name) for power in board.powers})
        for year, owners in _owners_by_year(board, opening, turns)
    ]


def _count(owners: Mapping[str, str], power: str) -> int:
    return sum(owner == power for owner in owners.values())


def describe_gains(
    board: Map, before: Mapping[str, str], after: Mapping[str, str]
) -> tuple[Phrase, ...]:
    """Return the gains of each power, as "India: Nepal, Burma (from China)."."""
    return tuple(
        phrase("gains", power=power.name, centres=taken)
        for power in board.powers
        if (taken := tuple(_list_gains(board, power.name, before, after)))
    )


def _list_gains(
    board: Map, power: str, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[str | Phrase]:
    for centre in board.centres:
        if after.get(centre) == power != before.get(centre):
            name = board.provinces[centre].name
            known = centre in before
            yield phrase("gain-from", place=name, power=before[centre]) if known else name


@cache
def regions(map_name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the regions of a map with their provinces, as in `regions.tsv`.

    Provinces in no region, which may be all, are under the title of the map. Impassable ones are
    in none.
    """
    folder, on = folder_of(map_name), board(map_name)
    rows = read_rows(folder, "regions") if (folder / "regions.tsv").is_file() else ()
    found = {
        row["region"]: tuple(abbr for abbr in row["provinces"].split() if abbr in on.provinces)
        for row in rows
    }
    listed = {abbr for abbrs in found.values() for abbr in abbrs}
    more = tuple(
        province.abbr for province in on.provinces.values()
        if province.abbr not in listed and province.terrain is not Terrain.SHUT
    )
    return {**found, on.title: (*found.get(on.title, ()), *more)} if more else found


def place_facts(
    board: Map, position: Position, *, unowned: str | Phrase = phrase("nobody")
) -> Places:
    """Return the facts of the whole board: rows of notable places, by region.

    Places without a centre or a unit are listed by name, and so are impassable ones. *unowned* is
    shown as the owner where none is known.
    """
    standing = _standing(position)
    told = tuple(
        _region(name, [board.provinces[abbr] for abbr in abbrs], standing, position, unowned)
        for name, abbrs in regions(board.name).items()
    )
    return Places(
        title=make_title("title-board", position.phase, board),
        regions=told,
        shut=tuple(
            _format_province(province)
            for province in board.provinces.values()
            if province.terrain is Terrain.SHUT
        ),
    )


def _region(
    name: str,
    provinces: list[Province],
    standing: Mapping[str, list[Phrase]],
    position: Position,
    unowned: str | Phrase,
) -> Region:
    rows: list[PlaceRow] = []
    empty: list[str] = []
    for province in provinces:
        found = list(standing.get(province.abbr, ()))
        if province.abbr in position.contested:
            found.append(phrase("place-closed"))
        if found or province.is_centre:
            rows += _rows(province, position.owners.get(province.abbr, unowned), found)
        elif province.terrain is not Terrain.SHUT:
            empty.append(_format_province(province))
    return Region(name, tuple(rows), tuple(empty))


def _rows(province: Province, owner: str | Phrase, found: list[Phrase]) -> list[PlaceRow]:
    """Return the rows of one place, one for each unit or note."""
    owned = owner if province.is_centre else ""
    first = PlaceRow(_format_province(province), owned, found[0] if found else "-")
    return [first, *(PlaceRow("", "", more) for more in found[1:])]


def _standing(position: Position) -> Mapping[str, list[Phrase]]:
    """Return the units in each province, with dislodged ones last."""
    found: dict[str, list[Phrase]] = {}
    for power, units in position.units.items():
        for unit in units:
            found.setdefault(unit.province, []).append(_unit(power, unit))
    for power, beaten in position.dislodged.items():
        for one in beaten:
            told = phrase("place-dislodged", unit=_unit(power, one.unit))
            found.setdefault(one.unit.province, []).append(told)
    return found


def _unit(power: str, unit: Unit) -> Phrase:
    _, mark, coast = unit.place.partition("/")
    return phrase(f"place-{unit.kind.name.lower()}", power=power, coast=mark + coast)


def _format_province(province: Province) -> str:
    return f"{province.name} ({province.abbr})"
