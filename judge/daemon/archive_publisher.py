"""Public archive of games: `judge publish`.

Each game is read in a transaction of its own, and drawn and written outside of it, so that a
running judge never waits long. A game that is over and unchanged is not even read.
"""

from collections.abc import Sequence
from pathlib import Path

from judge import __version__
from judge.clock import Clock
from judge.config import Config
from judge.daemon.application import Application, use_application
from judge.daemon.order_pages import ORDER_PAGE
from judge.daemon.site_boards import DrawnBoard, SiteBoards
from judge.errors import JudgeError, StoreError
from judge.model.record import GameSummary, PhasePage, PublicGame, YearPage
from judge.play.archive.game_lists import Opening, figures, openings, shelves
from judge.play.archive.public_view import find_shown, hidden, showcase, sort_games
from judge.play.letters.order_pages import (
    draw_order_page,
    no_page_reason,
    order_page_facts,
    public_sketch,
)
from judge.site.folder import SiteFolder
from judge.site.pages import Pages, edition, finder, page_name, style

_INDEX = ""
"""Part of the site that belongs to no game."""


def publish(config: Config, clock: Clock, path: Path) -> str:
    """Write the public games into a folder. Return a summary.

    A game that cannot be written stays as it was, and is named once all others are written.

    Raises:
        StoreError: there is no database, or it cannot be used.
        JudgeError: the folder is not the judge's to write to, or a game could not be written.
        OSError: it cannot be written.
    """
    site_edition = edition(f"{__version__} {config.judge.name}")
    with use_application(config, clock) as application, SiteFolder(path, site_edition) as site:
        pages = Pages(
            config.judge.name,
            lambda text: hidden(application.context, text),
            config.judge.archive,
            config.judge.address,
        )
        games, faulty = _headlines(application, site)
        # Pages of a hidden game go even if no other page can be written.
        site.remove_parts({_INDEX, *faulty, *(game.name for game in games)})
        faults = [*faulty.values()]
        for game in games:
            faults.append(_bring_up(application, site, pages, game))
            site.save_progress()
        site.begin(_INDEX, "")
        site.put(_INDEX, "style.css", style())
        site.put(_INDEX, "find.js", finder())
        there = [game for game in games if site.holds(f"games/{game.name}/index.html")]
        faults.append(_write_shelves(application, site, pages, there))
        site.finish()
    if any(faults):
        raise JudgeError(f"not written: {'; '.join(filter(None, faults))}")
    return f"games: {len(games)}; files written: {site.written}, removed: {site.removed}"


def _write_shelves(
    application: Application, site: SiteFolder, pages: Pages, games: Sequence[GameSummary]
) -> str:
    """Write the index pages. Return a message about figures that failed, or ""."""
    found: list[Opening] = []
    told: list[dict[str, object]] = []
    fault = ""
    try:
        with application.store.transaction():
            with application.context.unit_of_work() as context:
                found, told = openings(context), figures(context)
    except StoreError:
        raise
    except Exception as odd:
        # A game that cannot be read costs the list of open seats and the figures, but no page.
        fault = f"figures: {type(odd).__name__}: {odd}"
    site.put(_INDEX, "index.html", pages.index(games, found))
    site.put(_INDEX, "feed.xml", pages.feed(games, found))
    site.put(_INDEX, "figures.html", pages.figures(told))
    found_shelves = shelves(games)
    site.put(_INDEX, "find/index.html", pages.shelves(found_shelves, games))
    for kind, rows in found_shelves.items():
        for shelf in rows:
            page = pages.shelf(kind, shelf.title, shelf.games)
            site.put(_INDEX, f"find/{shelf.slug}.html", page)
    return fault


def _headlines(
    application: Application, site: SiteFolder
) -> tuple[list[GameSummary], dict[str, str]]:
    """Return the public games, and messages about those that cannot be read, by name."""
    games: list[GameSummary] = []
    faults: dict[str, str] = {}
    for name in application.games.names():
        try:
            with application.store.transaction():
                found = find_shown(application.context, name)
        except StoreError:
            raise
        except Exception as fault:
            faults[name] = _retain_game(site, name, fault)
        else:
            games += [found] if found else []
    return sort_games(games), faults


def _bring_up(application: Application, site: SiteFolder, pages: Pages, game: GameSummary) -> str:
    """Write a game if it has changed. Return why it cannot be written, or ""."""
    if site.has(game.name, game.stamp):
        return ""
    try:
        _write_game(application, site, pages, game)
    except StoreError:
        raise
    except Exception as fault:
        # Isolate failures: one broken game, or a file that cannot be written, blocks no other.
        return _retain_game(site, game.name, fault)
    return ""


def _retain_game(site: SiteFolder, name: str, fault: Exception) -> str:
    """Keep the last written version of a game. Return the reason."""
    site.retain(name)
    return f"{name}: {type(fault).__name__}: {fault}"


def _write_game(
    application: Application, site: SiteFolder, pages: Pages, headline: GameSummary
) -> None:
    """Write all pages of a game: pictures first, the page that links to them last."""
    with application.store.transaction():
        with application.context.unit_of_work() as context:
            game = context.games.get(headline.id)
            shown = showcase(game)
            ordering = None if no_page_reason(game) else (
                order_page_facts(game), public_sketch(game)
            )
    name = headline.name
    site.begin(name, headline.stamp)
    boards = SiteBoards(site, name)
    card = boards.card(shown.board, pages.card(headline, shown)) if shown.board else ""
    for at, leaf in enumerate(shown.leaves):
        facts = {
            "leaf": leaf, "boards": [boards.draw_board(board) for board in leaf.boards],
            "before": shown.leaves[at - 1] if at else None,
            "after": shown.leaves[at + 1] if at + 1 < len(shown.leaves) else None, "card": card,
        }
        site.put(name, f"games/{name}/{page_name(leaf.phase)}", pages.phase(headline, facts))
    if ordering is not None:
        site.put(name, f"games/{name}/{ORDER_PAGE}", draw_order_page(*ordering))
    order_page = ORDER_PAGE if ordering else ""
    front = {**_front(boards, shown), "card": card, "order_page": order_page}
    site.put(name, f"games/{name}/index.html", pages.game(headline, front))


def _front(boards: SiteBoards, shown: PublicGame) -> dict[str, object]:
    """Return the facts of a game's first page."""
    board = boards.draw_board(shown.board) if shown.board else None
    years = shown.years if len(shown.years) > 1 else ()
    return {
        "board": board,
        "chapters": [(chapter, _stamps(boards, chapter)) for chapter in shown.chapters],
        "story": shown.story,
        "powers": shown.powers,
        "bots": shown.bots,
        "years": years,
        "chart": boards.chart(shown.chart) if shown.chart else None,
        "pending": shown.pending,
    }


def _stamps(boards: SiteBoards, chapter: YearPage) -> list[tuple[PhasePage, DrawnBoard | None]]:
    """Return the phases of a year, each with its last board as a thumbnail, or None."""
    return [
        (leaf, boards.draw_thumbnail(leaf.boards[-1]) if leaf.boards else None)
        for leaf in chapter.leaves
    ]
