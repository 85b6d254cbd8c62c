"""Measure everything and print one table: `python -m tests.bench [--quick]`.

The figures are also written to var/bench.json. Run it on a machine that does nothing else.
"""

import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.accepts import CROWDS, MANNERS, ROOT, accepts, slow_disk
from tests.bench.answers import measure_receipts
from tests.bench.attack import attacks, format_attacks
from tests.bench.boards import format_rows, requests
from tests.bench.boards import measure as measure_boards
from tests.bench.bots import bots
from tests.bench.bots import format_bots as bots_told
from tests.bench.engines import engines
from tests.bench.engines import lines as engine_lines
from tests.bench.floods import COUNT
from tests.bench.floods import format_floods as floods_told
from tests.bench.floods import seconds as flood_seconds
from tests.bench.nations import format_turns as turns_told
from tests.bench.nations import turns
from tests.bench.pictures import measure_crowding, pictures
from tests.bench.rulings import deadline, measure_resolving, rulings
from tests.bench.weight import figures, weights
from tests.bench.weight import lines as weight_lines

MANY = (10, 1_000, 10_000)
SAYS = {"new": "a new connection each", "kept": "kept connections"}


def measure(folder: Path, quick: bool) -> dict[str, object]:
    """Return all figures."""
    rounds, seconds = (1, 0.5) if quick else (3, 2.0)
    found: dict[str, object] = {
        "machine": f"{os.cpu_count()} cores, Python {platform.python_version()}",
        "load_before": os.getloadavg()[0],
    }
    found["accepts"] = accepts(folder, rounds, seconds)
    found["slow_disk"] = slow_disk(folder, rounds, seconds)
    found["answers"] = measure_receipts(folder, seconds=2 if quick else 10)
    found["rulings"] = {name: rulings(name) for name in ("standard", "youngstown")}
    found["engines"] = engines()
    found["deadline_ms"] = 1000 * deadline(folder)
    found["weights"] = figures(weights())
    found["bots"] = bots(folder)
    found["nations"] = turns(folder)
    found["pictures"] = pictures(folder)
    found["boards"] = format_rows(measure_boards(requests()))
    found["crowded"] = measure_crowding(folder)
    found["attacks"] = attacks(folder / "attacks", size=0.05 if quick else 1.0)
    found["floods"] = flood_seconds(COUNT // 20 if quick else COUNT)
    found["resolver_ms"] = {str(many): 1000 * measure_resolving(folder, many) for many in MANY}
    return found


def table(found: dict[str, object]) -> str:
    """Return the figures as a table in plain text."""
    lines = [f"{found['machine']}, load before {found['load_before']:.2f}", ""]
    rates = found["accepts"]
    names = list(rates)
    lines.append(f"{'accepts a second':34}" + "".join(f"{name:>16}" for name in names))
    for manner in MANNERS:
        for crowd in CROWDS:
            case = f"{manner} {crowd}"
            what = f"  {crowd:2} clients, {SAYS[manner]}"
            lines.append(f"{what:34}" + "".join(f"{rates[name][case]:16,.0f}" for name in names))
    ours = rates["judge"]
    for manner in MANNERS:
        case = f"{manner} 50"
        ratios = [f"{ours[case] / rates[name][case]:.2f} of {name}" for name in names
                  if name != "judge"]
        lines.append(f"  ratio at 50, {SAYS[manner]}: " + ", ".join(ratios))
    if "postfix" not in rates:
        lines.append("  Postfix is not measured: it is not installed, or we may not start it")
    slow = {name: case["new 50"] for name, case in found["slow_disk"].items()}
    lines += [
        f"  a sync of 5 ms, 50 clients: {slow['group']:,.0f}; a commit for each message:"
        f" {slow['single']:,.0f}; ratio {slow['group'] / slow['single']:.1f}",
        "",
    ]
    waits = found["answers"]
    lines.append(
        "receipt of a mail of 20 orders, 50 mails a second: "
        f"p50 {waits['p50_ms']:.0f} ms, p99 {waits['p99_ms']:.0f} ms,"
        f" most {waits['most_ms']:.0f} ms"
    )
    for name, rate in found["rulings"].items():
        lines.append(
            f"{name}: {rate['lines']:,.0f} order lines read a second,"
            f" {rate['positions']:,.0f} positions adjudicated a second"
            f" ({rate['positions_reasons']:,.0f} with every reason),"
            f" {rate['dense']:,.0f} dense ones ({rate['dense_reasons']:,.0f})"
        )
    lines += engine_lines(found["engines"])
    lines.append(
        f"a due Youngstown game, deadline to last report queued: {found['deadline_ms']:.0f} ms"
    )
    lines += weight_lines(found["weights"])
    lines.append(bots_told(found["bots"]))
    lines.append(turns_told(found["nations"]))
    drawn = found["pictures"]
    lines.append(
        f"its picture: {drawn['first_ms']:.0f} ms later all reports can go; PNG"
        f" {drawn['png_ms']:.0f} ms, SVG {drawn['svg_ms']:.0f} ms; a report with its PNG has"
        f" {drawn['letter_octets'] / 1000:.0f} kB"
    )
    lines.append(
        f"a player's front: {drawn['front_cpu']:.0f} ms of CPU, the whole board"
        f" {drawn['png_cpu']:.0f}: a letter with both takes"
        f" {1 + drawn['front_cpu'] / drawn['png_cpu']:.2f} times as long to draw"
    )
    lines += found["boards"]
    many = found["crowded"]
    lines.append(
        f"{many['games']:.0f} such games due at once: {many['without_board']:.0%} of letters go"
        f" without the board, {many['without_front']:.0%} of players' without their front"
    )
    costs = ", ".join(f"{took:.0f} ms ({many} stored)"
                      for many, took in found["resolver_ms"].items())
    lines.append(f"10 due games attended to: {costs}")
    return "\n".join([*lines, "", *format_attacks(found["attacks"]), *floods_told(found["floods"])])


def main() -> None:
    """Measure, print and write the figures."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as folder:
        found = measure(Path(folder), "--quick" in sys.argv)
    print(table(found))
    place = ROOT / "var" / "bench.json"
    place.parent.mkdir(mode=0o700, exist_ok=True)
    place.write_text(json.dumps(found, indent=2) + "\n")
    print(f"\n{time.monotonic() - began:.0f} s; written to {place.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
