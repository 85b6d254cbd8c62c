"""A board of three areas and two frames."""

import json

from judge.drawing.base import BoardGeometry, load_base

SMALL = {
    "width": 800,
    "height": 300,
    "unit": 1,
    # The arcs are the two halves of the edge, the coast between land and sea, and an island.
    "arcs": [
        [400, 0, -400, 0, 0, 300, 400, 0],
        [400, 300, 400, 0, 0, -300, -400, 0],
        [400, 0, 0, 300],
        [600, 100, 100, 0, 0, 100, -100, 0, 0, -100],
    ],
    "sides": [["Lan", ""], ["Sea", ""], ["Lan", "Sea"], ["Isl", "Sea"]],
    "inert": [],
    "areas": {
        "Lan": {
            "kind": "land",
            "label": "Lan",
            "rings": [[0, -3]],
            "unit": [200, 150],
            "name": [200, 180],
            "dot": [180, 180],
            "spots": {"Lan/ec": [380, 150]},
        },
        "Sea": {
            "kind": "sea",
            "label": "SEA",
            "rings": [[1, 2], [-4]],
            "unit": [500, 150],
            "name": [500, 180],
        },
        "Isl": {
            "kind": "land",
            "label": "Isl",
            "rings": [[3]],
            "unit": [650, 140],
            "name": [650, 170],
        },
    },
    "frames": {
        "ObA": {
            "kind": "sea",
            "box": [4, 20, 112, 58],
            "unit": [96, 49],
            "links": ["B"],
            "home": "Sea",
            "door": [410, 60],
        },
        "ObB": {
            "kind": "sea",
            "box": [680, 230, 112, 58],
            "unit": [700, 259],
            "links": ["A"],
            "home": "Sea",
            "door": [600, 250],
        },
    },
}


def small_base() -> BoardGeometry:
    """Return the small board."""
    return load_base(json.dumps(SMALL))
