"""The projection: a Miller map stretched to approximate a wanted scale.

A scale s is wanted for each point of the earth, large where provinces are small. The solution is x
and y on a grid of Miller coordinates X, Y that minimise |grad x - s e_X|^2 + |grad y - s e_Y|^2
over all of it. That is a Poisson equation with free edges, solved by Fourier transform. Shapes
remain nearly true, and no point needs a manual position.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judge_maps.plan import Lens, LonLat

Grid = npt.NDArray[np.float64]


class View(NamedTuple):
    """A computed lens: x and y of the picture on a grid of Miller coordinates."""

    west: float
    south: float
    step: float
    x: Grid
    y: Grid
    width: int
    height: int

    def place(self, lon: Grid, lat: Grid) -> tuple[Grid, Grid]:
        """Return positions on the picture for points of the earth. y grows downwards."""
        column = (lon - self.west) / self.step
        row = (miller(lat) - self.south) / self.step
        return _between(self.x, row, column), _between(self.y, row, column)


def miller(lat: Grid) -> Grid:
    """Return Miller's Y for latitudes, in degrees like the longitude."""
    found: Grid = np.degrees(1.25 * np.log(np.tan(np.pi / 4 + 0.4 * np.radians(lat))))
    return found


def _miller_back(y: Grid) -> Grid:
    found: Grid = np.degrees(2.5 * (np.arctan(np.exp(0.8 * np.radians(y))) - np.pi / 4))
    return found


def wanted_scale(lens: Lens, lon: Grid, lat: Grid) -> Grid:
    """Return the scale a lens asks for."""
    much, begins, over = lens.north
    scale: Grid = lens.base * (1 - much / (1 + np.exp(-(lat - begins) / over)))
    for swell in lens.swells:
        across, down = (lon - swell.lon) / swell.wide, (lat - swell.lat) / swell.high
        scale = scale * (1 + swell.strength * np.exp(-((across**2 + down**2) ** swell.edge)))
    return scale


def look_through(lens: Lens) -> View:
    """Compute the view of a lens.

    Raises:
        ValueError: the map would be folded somewhere.
    """
    west, east, south, north = lens.domain
    low, high = (float(edge) for edge in miller(np.array([south, north])))
    columns = np.arange(west, east + lens.step / 2, lens.step)
    rows = np.arange(low, high + lens.step / 2, lens.step)
    lon, lat = np.meshgrid(columns, _miller_back(rows))
    scale = wanted_scale(lens, lon, lat)
    x = _integrate(scale, 1) * lens.step
    y = _integrate(scale, 0) * lens.step
    _check_not_folded(x, y)
    whole = View(west, low, lens.step, x, -y, 0, 0)
    return _crop_view(whole, lens)


def _integrate(scale: Grid, axis: int) -> Grid:
    """Return the grid with a slope near *scale* along one axis, and flat across."""
    half = (scale + np.roll(scale, -1, axis)) / 2
    last = [slice(None)] * 2
    last[axis] = slice(-1, None)
    half[tuple(last)] = 0
    source = half - np.roll(half, 1, axis)
    mirrored = np.concatenate([source, source[::-1]], 0)
    mirrored = np.concatenate([mirrored, mirrored[:, ::-1]], 1)
    bends = [2 * np.cos(2 * np.pi * np.fft.fftfreq(size)) - 2 for size in mirrored.shape]
    bend = bends[0][:, None] + bends[1][None, :]
    bend[0, 0] = 1
    waves = np.fft.fft2(mirrored) / bend
    waves[0, 0] = 0
    found: Grid = np.fft.ifft2(waves).real[: scale.shape[0], : scale.shape[1]]
    return found


def _check_not_folded(x: Grid, y: Grid) -> None:
    x_down, x_across = np.gradient(x)
    y_down, y_across = np.gradient(y)
    least = float((x_across * y_down - x_down * y_across).min())
    if least <= 0:
        raise ValueError(f"the lens folds the map over: least stretch {least:.3f}")


def _crop_view(view: View, lens: Lens) -> View:
    """Return a view with its origin at the picture's upper left, of the lens's width."""

    def spot(point: LonLat) -> tuple[float, float]:
        x, y = view.place(np.array([point[0]]), np.array([point[1]]))
        return float(x[0]), float(y[0])

    left, right = spot(lens.left)[0], spot(lens.right)[0]
    top, bottom = spot(lens.top)[1], spot(lens.bottom)[1]
    size = lens.width / (right - left)
    return view._replace(
        x=(view.x - left) * size,
        y=(view.y - top) * size,
        width=lens.width,
        height=round((bottom - top) * size),
    )


def _between(grid: Grid, row: Grid, column: Grid) -> Grid:
    """Return interpolated values of a grid, and edge values beyond its edges."""
    row = np.clip(row, 0, grid.shape[0] - 1.001)
    column = np.clip(column, 0, grid.shape[1] - 1.001)
    i, j = row.astype(int), column.astype(int)
    down, across = row - i, column - j
    found: Grid = (
        grid[i, j] * (1 - down) * (1 - across)
        + grid[i + 1, j] * down * (1 - across)
        + grid[i, j + 1] * (1 - down) * across
        + grid[i + 1, j + 1] * down * across
    )
    return found
