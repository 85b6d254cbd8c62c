"""Tool that makes the shapes of boards from open geodata and the judge's tables.

It is a separate distribution, postal-judge-maps, and uses the judge's basic modules. The judge
never needs it.

`importing` makes tables and outlines of the maps of other judges (docs/build/maps.md). The rest
makes outlines of geodata.

A map's folder has a `plan`: its lens (projection), and for each area the points that belong to it.
Country outlines come from Natural Earth (public domain) as packed in world-atlas 2.0.2::

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    pip install . ./mapmaking
    python -m judge_maps judge/games/diplomacy/maps/youngstown package/countries-50m.json

writes `shapes.json` in that folder. tests/games/diplomacy/test_shapes.py checks that each border of
the tables, and no other, is drawn. `--places` keeps the outlines and only finds new positions for
units and names. `--bends` keeps those too and only computes the detours of arrows. The steps:
`lens` (positions on the picture for points of the earth), `painting` (areas of pixels), `tracing`
(pixels to lines), `placing` (units and names), `bending` (detours of arrows).
"""
