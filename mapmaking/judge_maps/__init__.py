"""Makes the shapes boards are drawn on, from open geodata and our tables.

A distribution of its own, postal-judge-maps: it stands on the judge's lower two floors, and the
judge never needs it.

A map's folder has a `plan`: the lens it is seen through, and for each area the points that belong
to it. Country outlines come from Natural Earth (public domain) as packed in world-atlas 2.0.2::

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    pip install . ./mapmaking
    python -m judge_maps judge/games/diplomacy/maps/youngstown package/countries-50m.json

writes `shapes.json` in that folder; tests/games/diplomacy/test_shapes.py says whether every border
of the tables, and no other, is drawn. `--places` leaves the outlines and only finds new places for
units and names; `--bends` leaves those too and only leads arrows anew. The steps: `lens` (where on
the picture a point of the earth is), `painting` (which pixel belongs to which area), `tracing`
(pixels to lines), `placing` (units and names), `bending` (arrows that have to go round something).
"""
