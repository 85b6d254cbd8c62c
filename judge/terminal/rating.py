"""Ratings as the keeper sees them, and worked out again from the records: `judge rating`."""

from judge.play.rating.figures import names_of
from judge.play.rating.finishes import finished_games
from judge.play.rating.rating import skills
from judge.play.game import Office
from judge.terminal.letters import printable


def about_rating(office: Office, recompute: bool) -> str:
    """Return the list of players; with `recompute`, all figures are first worked out anew.

    What was kept and what the records say is compared, and the difference told: there is none
    unless somebody changed the database by hand, or a newer judge counts otherwise.
    """
    lines = [_recomputed(office)] if recompute else []
    heads = office.aliases.heads()
    names = names_of(office, heads)
    known = skills(finished_games(office), heads)
    for head, skill in sorted(known.items(), key=lambda row: (-row[1].points, row[0])):
        lines.append(f"{skill.points:>5} {skill.games:>4}  {head}  {names.get(head, '')}".rstrip())
    return printable("\n".join(lines)) or "No game has counted yet."


def _recomputed(office: Office) -> str:
    kept = office.finishes.kept()
    office.finishes.forget(list(kept))
    finished_games(office)
    again = office.finishes.kept()
    changed = sorted(
        office.games.get(game).name for game in again if again[game] != kept.get(game)
    )
    said = f"games worked out again: {len(again)}"
    return f"{said}; changed: {', '.join(changed)}" if changed else f"{said}; nothing changed"
