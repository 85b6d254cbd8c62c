"""Areas of pixels: countries are painted, then divided among the nearest seeds.

Distances are measured on the picture, and each pixel is first moved a little by smooth noise, for
natural frontiers. Islets are removed. A piece of sea without a seed of its own goes to its
neighbours.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from judge_maps.atlas import Outline
from judge_maps.lens import Grid, View
from judge_maps.plan import OUTSIDE, Paintstroke, Plan

FINE = 1.5
"""Pixels to a unit of the picture."""
FINER = 3
ISLET = 60
"""Minimum size of land in pixels."""
NOISE = ((4.0, 2.0), (12.0, 5.0))
"""(smoothness, strength) of the noise that moves frontiers, in pixels."""
SEED = 20

Labels = npt.NDArray[np.int32]


class Painted(NamedTuple):
    """The picture's pixels, each with the number of an area's name."""

    labels: Labels
    names: tuple[str, ...]


def paint(view: View, plan: Plan, outlines: Iterable[Outline], seas: frozenset[str]) -> Painted:
    """Return the area of each pixel. *seas* are the areas that are water."""
    every = {*plan.seeds, *(name for areas in plan.countries.values() for name in areas)}
    names = (OUTSIDE, *sorted(every - {OUTSIDE}))
    number = {name: n for n, name in enumerate(names)}
    shape = (round(view.height * FINE), round(view.width * FINE))
    land, countries = _paint_countries(view, plan, outlines, shape)
    _drop_islets(land)
    sites = _sites(view, plan, number)
    moved = _shift_pixels(shape)
    labels = np.full(shape, -1, np.int32)
    for n, country in enumerate(countries, start=1):
        allowed = [number[name] for name in plan.countries.get(country, (OUTSIDE,))]
        _share(labels, land == n, sites, allowed, moved)
    wet = [number[name] for name in plan.seeds if name in seas]
    _share(labels, labels < 0, sites, wet, moved)
    for stroke in plan.strokes:
        _stroke(labels, view, stroke, number[stroke.area])
    _give_away(labels, sites, wet)
    return Painted(labels, names)


def _paint_countries(
    view: View, plan: Plan, outlines: Iterable[Outline], shape: tuple[int, int]
) -> tuple[Labels, list[str]]:
    """Return for each pixel the number of a country, from 1, or 0 for water."""
    land = np.zeros(shape, np.int32)
    countries: list[str] = []
    for outline in outlines:
        if outline.country not in countries:
            countries.append(outline.country)
        mask, left, top = _mask(view, outline, shape)
        part = land[top : top + mask.shape[0], left : left + mask.shape[1]]
        part[mask] = countries.index(outline.country) + 1
    return land, countries


def _mask(
    view: View, outline: Outline, shape: tuple[int, int]
) -> tuple[npt.NDArray[np.bool_], int, int]:
    """Return the pixels of one piece of a country without its holes, and its corner."""
    rings = []
    for ring in outline.rings:
        points = np.array(ring)
        x, y = view.place(points[:, 0], points[:, 1])
        rings.append((x * FINE, y * FINE))
    xs, ys = rings[0]
    left, top = max(int(xs.min()) - 1, 0), max(int(ys.min()) - 1, 0)
    right, bottom = min(int(xs.max()) + 2, shape[1]), min(int(ys.max()) + 2, shape[0])
    mask = np.zeros((max(bottom - top, 0), max(right - left, 0)), bool)
    if mask.size:
        for x, y in rings:
            mask ^= _fill_polygon(x - left, y - top, mask.shape)
    return mask, left, top


def _fill_polygon(x: Grid, y: Grid, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Return the pixels whose middle lies in a polygon.

    The library also fills each pixel that the edge touches, which would join islands over straits.
    Therefore it fills finer pixels, of which one is used.
    """
    image = Image.new("1", (shape[1] * FINER, shape[0] * FINER))
    corners = [(a * FINER, b * FINER) for a, b in zip(x, y, strict=True)]
    ImageDraw.Draw(image).polygon(corners, fill=1)
    return np.asarray(image)[FINER // 2 :: FINER, FINER // 2 :: FINER]


def _drop_islets(land: Labels) -> None:
    found = pieces_of((land > 0).astype(np.int32))
    sizes = np.bincount(found.ravel())
    land[(sizes < ISLET)[found] & (land > 0)] = 0


def _sites(view: View, plan: Plan, number: Mapping[str, int]) -> Grid:
    """Return all seeds as rows of (area, x, y) in pixels."""
    rows = []
    for name, points in plan.seeds.items():
        lon, lat = np.array(points).T
        x, y = view.place(lon, lat)
        rows += [(number[name], a * FINE, b * FINE) for a, b in zip(x, y, strict=True)]
    return np.array(rows)


def _shift_pixels(shape: tuple[int, int]) -> tuple[Grid, Grid]:
    """Return the x and y of each pixel, moved by smooth noise."""
    chance = np.random.default_rng(SEED)
    y, x = np.mgrid[: shape[0], : shape[1]].astype(float)
    for smoothness, strength in NOISE:
        for grid in (x, y):
            waves = _blur_grid(chance.standard_normal(shape), smoothness)
            grid += waves * strength / waves.std() / 2
    return x, y


def _blur_grid(grid: Grid, sigma: float) -> Grid:
    """Return a grid with a Gaussian blur, by Fourier transform."""
    down, across = np.fft.fftfreq(grid.shape[0]), np.fft.rfftfreq(grid.shape[1])
    fall = np.exp(-2 * (np.pi * sigma) ** 2 * (down[:, None] ** 2 + across[None, :] ** 2))
    found: Grid = np.fft.irfft2(np.fft.rfft2(grid) * fall, grid.shape)
    return found


def _share(
    labels: Labels,
    where: npt.NDArray[np.bool_],
    sites: Grid,
    allowed: Sequence[int],
    moved: tuple[Grid, Grid],
) -> None:
    """Give each of these pixels to the nearest seed of an allowed area."""
    rows, columns = np.nonzero(where)
    near = sites[np.isin(sites[:, 0], allowed)]
    if len(set(allowed)) == 1 or not len(near):
        labels[where] = allowed[0]
        return
    x, y = (grid[rows, columns].astype(np.float32) for grid in moved)
    best = np.full(len(rows), np.inf, np.float32)
    owner = np.zeros(len(rows), np.int32)
    for area, seed_x, seed_y in near.astype(np.float32):
        away = (x - seed_x) ** 2 + (y - seed_y) ** 2
        closer = away < best
        best[closer] = away[closer]
        owner[closer] = int(area)
    labels[rows, columns] = owner


def _stroke(labels: Labels, view: View, stroke: Paintstroke, area: int) -> None:
    lon, lat = np.array(stroke.points).T
    x, y = view.place(lon, lat)
    image = Image.new("1", (labels.shape[1], labels.shape[0]))
    line = [(a * FINE, b * FINE) for a, b in zip(x, y, strict=True)]
    wide = max(round(stroke.width * FINE), 1)
    ImageDraw.Draw(image).line(line, fill=1, width=wide, joint="curve")
    labels[np.asarray(image)] = area


def _give_away(labels: Labels, sites: Grid, wet: Sequence[int]) -> None:
    """Give pieces without a seed of their area to their neighbours.

    Sea goes to sea, and land to the land it joins. An island remains with the nearest seed. Thus no
    area gets the far shore of a strait.
    """
    stray = ~_own(labels, sites)
    old, water = labels.copy(), np.isin(labels, wet)
    dry = sorted({*range(int(labels.max()) + 1)} - {*wet})
    labels[stray & ~water] = -1
    _flow(labels, dry)
    _keep_islands_whole(labels, old)
    labels[stray & water] = -1
    _flow(labels, wet)
    # The remaining pixels are lakes: only land is around them.
    _flow(labels, dry)


def _keep_islands_whole(labels: Labels, old: Labels) -> None:
    """Give each island without an owner to the area that had most of it."""
    rows, columns = np.nonzero(labels < 0)
    island = pieces_of((labels < 0).astype(np.int32))[rows, columns]
    area = old[rows, columns]
    counts = np.zeros((int(island.max(initial=0)) + 1, int(old.max()) + 1), np.int32)
    np.add.at(counts, (island, area), 1)
    labels[rows, columns] = counts.argmax(1)[island]


def _own(labels: Labels, sites: Grid) -> npt.NDArray[np.bool_]:
    """Return the pixels of pieces with a seed of their own area.

    All pieces of an area without such a piece are included.
    """
    found = pieces_of(labels)
    own = np.zeros(int(found.max()) + 1, bool)
    for area, x, y in sites:
        row, column = int(y), int(x)
        inside = 0 <= row < labels.shape[0] and 0 <= column < labels.shape[1]
        if inside and labels[row, column] == int(area):
            own[found[row, column]] = True
    held = own[found]
    homeless = np.setdiff1d(labels, labels[held])
    return held | np.isin(labels, homeless)


def _flow(labels: Labels, sources: Sequence[int]) -> None:
    """Extend areas into unowned pixels as far as possible."""
    left = -1
    while left != (left := int((labels < 0).sum())):
        _spread(labels, sources)


def _spread(labels: Labels, sources: Sequence[int]) -> None:
    """Extend areas by one pixel into unowned pixels."""
    old = labels.copy()
    whole, first, last = slice(None), slice(None, -1), slice(1, None)
    for to, from_ in (
        ((first, whole), (last, whole)),
        ((last, whole), (first, whole)),
        ((whole, first), (whole, last)),
        ((whole, last), (whole, first)),
    ):
        target, source = labels[to], old[from_]
        take = (target < 0) & np.isin(source, sources)
        target[take] = source[take]


def pieces_of(labels: Labels) -> Labels:
    """Return the number of each pixel's piece: equal pixels joined by their sides.

    >>> pieces_of(np.array([[1, 1, 2], [2, 1, 2]], np.int32)).tolist()
    [[0, 0, 1], [2, 0, 1]]
    """
    starts = np.ones(labels.shape, bool)
    starts[:, 1:] = labels[:, 1:] != labels[:, :-1]
    runs = (np.cumsum(starts.ravel()) - 1).reshape(labels.shape)
    above, below = runs[:-1], runs[1:]
    same = labels[:-1] == labels[1:]
    pairs = np.unique(np.stack([above[same], below[same]], 1), axis=0)
    parent = list(range(int(runs.max()) + 1))
    for one, other in pairs.tolist():
        root, other_root = _root(parent, one), _root(parent, other)
        if root != other_root:
            parent[max(root, other_root)] = min(root, other_root)
    roots = np.array([_root(parent, run) for run in range(len(parent))])
    _, numbers = np.unique(roots, return_inverse=True)
    found: Labels = numbers.reshape(-1)[runs].astype(np.int32)
    return found


def _root(parent: list[int], run: int) -> int:
    while parent[run] != run:
        parent[run] = parent[parent[run]]
        run = parent[run]
    return run
