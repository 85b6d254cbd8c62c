"""Common queries about a game and its seats."""

from collections.abc import Container, Iterable, Sequence
from difflib import get_close_matches

from judge.board.bundle import name_in_key
from judge.board.mapfile import spellings_of
from judge.games import find_system, is_installed, is_playable
from judge.games.capabilities import OrderPage
from judge.games.system import PowerInfo, Table, Viewer, ViewerRole
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.phrases import phrasebook
from judge.play.game import Game, GameView


def sides_of(game: GameView) -> tuple[PowerInfo, ...]:
    """Return the powers of a game's map."""
    return find_system(game.system).powers(game.map, game.settings)


def missing_part(game: GameView) -> str:
    """Return what a game that cannot go on lacks here, for operators."""
    system = find_system(game.system)
    fault = system.map_fault(game.map)
    if is_installed(game.system) and fault:
        return f"the map {game.map!r} of {game.name} cannot be used: {fault}"
    return f"the game system {game.system!r} of {game.name} is not installed here"


def system_missing(game: GameView) -> Phrase | None:
    """Return the reason if the system or map of a game is missing, else None."""
    if is_playable(game.system, game.map):
        return None
    if is_installed(game.system):
        return phrase("map-not-here", game=game.name, map=name_in_key(game.map))
    return phrase("system-not-here", game=game.name, system=game.system)


def example_of(game: GameView, code: str) -> str | Phrase:
    """Return an example (`example-to`) from the map of a game."""
    return find_system(game.system).examples(game.map).get(code, phrase(code))


def map_title(game: GameView) -> str:
    """Return the title of a game's map."""
    return find_system(game.system).map_title(game.map) or name_in_key(game.map)


def is_main_phase(game: GameView, table: Table) -> bool:
    """Return whether the phase is one that players negotiate for."""
    return find_system(game.system).clock(table.phase).is_main


def main_phases(game: GameView) -> Phrase:
    """Return the title of the phases that players negotiate for."""
    return find_system(game.system).main_clock.title


def main_clock(game: GameView) -> str:
    """Return the word that sets the main clock of a game, such as MOVE."""
    return find_system(game.system).main_clock.words[0]


def map_rules(game: Game) -> Sequence[Phrase]:
    """Return the rules of a game's map that differ from the usual ones."""
    return find_system(game.system).map_rules(game.map, game.settings)


def code_or_default(game: Game, code: str, usual: str) -> str:
    """Return *code* if the game's system has a phrase of that code, else *usual*.

    A system may word a phrase for each of its clocks ("ready-orders-retreat").
    """
    return code if phrasebook(game.system).has(code) else usual


def phase_meant(game: GameView, words: str) -> str:
    """Return the label of the phase named by *words*, or the words in capitals."""
    return find_system(game.system).find_phase(words) or words.upper()


def is_frozen(game: Game) -> bool:
    """Return whether a game's orders may not change, which also stops its clock."""
    return game.chosen.frozen in ("orders", "all")


def find_power(game: Game, word: str) -> PowerInfo | None:
    """Return the power that a letter, name, adjective or other spelling means.

    A single letter is always the sign-on letter; where sign-on letters are codes, so is a code.
    Accents may be left out.
    """
    typed = {*spellings_of(word)}
    for side in sides_of(game):
        names = (side.letter,) if len(word) == 1 else (
            side.name, side.letter, side.adjective, *side.words
        )
        if any(typed & {*spellings_of(name)} for name in names):
            return side
    return None


def seat_token(game: GameView, letter: str) -> str:
    """Return a seat as written in a line: Nmarco, or BRI@marco for a code."""
    return f"{letter}{game.name}" if len(letter) == 1 else f"{letter}@{game.name}"


def takeover_line(game: Game, power: str, password: str = "newsecret") -> str:
    """Return the line that takes over a vacant power.

    In a private game the master's word follows the password, shown as "word".
    """
    letter = next(side.letter for side in sides_of(game) if side.name == power)
    line = f"TAKEOVER {seat_token(game, letter)} {password}"
    return f"{line} word" if game.chosen.private else line


def private_code(game: Game, plain: str, private: str) -> str:
    """Return the phrase code for a take-over line: *private* in a private game.

    That phrase explains the master's word.
    """
    return private if game.chosen.private else plain


def near_powers(game: Game, word: str) -> list[str]:
    """Return the powers with a similar name, as suggestions."""
    names = {side.name.casefold(): side.name for side in sides_of(game)}
    return [names[low] for low in get_close_matches(word.casefold(), names, 3, 0.7)]


def no_such_power(game: Game, word: str) -> Phrase:
    """Return a phrase that a game has no power of that name, with similar names."""
    if near := near_powers(game, word):
        return phrase("no-such-power-near", power=word, game=game.name, near=tuple(near))
    return phrase("no-such-power", power=word, game=game.name)


def reader_of(game: Game, seat: Seat | None) -> Viewer:
    """Return the viewer role of a seat. A master who may play sees like an observer.

    A person without a seat sees like an observer too. Once a game is over everyone sees all of
    it.
    """
    if game.state is GameState.ENDED:
        return Viewer(ViewerRole.MASTER)
    if seat is None:
        return Viewer(ViewerRole.OBSERVER)
    if seat.role is Role.PLAYER and seat.power:
        return Viewer(ViewerRole.POWER, seat.power)
    if seat.role is Role.MASTER and not game.chosen.gm_plays:
        return Viewer(ViewerRole.MASTER)
    return Viewer(ViewerRole.OBSERVER)


def is_present(seat: Seat) -> bool:
    """Return whether a letter can reach the seat, as it has a person."""
    return seat.state in (SeatState.OCCUPIED, SeatState.WAITING)


def owner_of(seat: Seat) -> str:
    """Return the address of the player whom a sitter replaces, or an empty text."""
    sitting = seat.settings.sitting
    return sitting.owner if sitting else ""


def is_dummy(seat: Seat) -> bool:
    """Return whether a power has no player on purpose and cannot be taken over."""
    return seat.state is SeatState.VACANT and seat.settings.dummy is not None


def is_bot(game: Game, seat: Seat) -> bool:
    """Return whether a bot plays a vacant power, until a player takes it over."""
    return seat.power in bots_of(game.record, [seat])


def bots_of(game: GameView, seats: Iterable[Seat]) -> tuple[str, ...]:
    """Return the powers that bots play, from a game record and its seats."""
    begun = game.state is not GameState.FORMING
    takes_over = begun and game.settings.get("abandoned") == "bot"
    return tuple(
        seat.power
        for seat in seats
        if seat.state is SeatState.VACANT
        and seat.settings.dummy is None
        and (seat.settings.bot is not None or takes_over)
    )


def bots_in(game: Game) -> tuple[str, ...]:
    """Return the powers that bots play, or will play before the start."""
    return bots_of(game.record, player_seats(game))


def is_offered(seat: Seat) -> bool:
    """Return whether a power has no player and may be taken over."""
    return seat.state is SeatState.VACANT and not is_dummy(seat)


def vacant_seats(game: Game) -> list[Seat]:
    """Return the seats of surviving powers that may be taken over.

    The list is empty before the start.
    """
    if game.state is GameState.FORMING:
        return []
    alive = game.table.powers_alive()
    return [seat for seat in player_seats(game) if is_offered(seat) and seat.power in alive]


def player_count(game: Game) -> int:
    """Return how many players a game takes: its powers without dummies and bots."""
    seats = player_seats(game)
    return len(sides_of(game)) - sum(is_dummy(seat) or is_bot(game, seat) for seat in seats)


def player_seats(game: Game) -> list[Seat]:
    """Return the seats of powers in the map's order, occupied or vacant.

    Seats of players who wait for a power come first.
    """
    order = [side.name for side in sides_of(game)]
    seats = [s for s in game.all_seats() if s.role is Role.PLAYER and s.state is not SeatState.LEFT]
    waiting = [seat for seat in seats if seat.power not in order]
    return waiting + [seat for power in order for seat in seats if seat.power == power]


def occupied_seats(game: Game, powers: Container[str] | None = None) -> list[Seat]:
    """Return the seats with a player, of these powers or of all, in the map's order."""
    return [
        seat for seat in player_seats(game)
        if seat.state is SeatState.OCCUPIED and (powers is None or seat.power in powers)
    ]


def present_masters(game: Game) -> list[Seat]:
    """Return the seats of a game's masters, in the order they were made."""
    return [seat for seat in game.all_seats() if seat.role is Role.MASTER and is_present(seat)]


def seat_of_power(game: Game, power: str) -> Seat | None:
    """Return the seat of a power, occupied or vacant, or None."""
    return next((s for s in player_seats(game) if s.power == power), None)


def sheet_of(game: Game, power: str) -> str:
    """Return a power's orders on file for this phase, as the system wrote them."""
    return game.orders(game.phase).get(power, "")


def is_open(game: GameView) -> bool:
    """Return whether a game is not over."""
    return game.state is not GameState.ENDED


def is_shown(game: Game) -> bool:
    """Return whether anyone may look at a game now."""
    if game.state is GameState.FORMING or not game.chosen.listed or game.chosen.private:
        return False
    if is_open(game):
        return game.chosen.observers == "any" and not game.table.has_hidden_information
    return True


def order_page_address(game: Game, seat: Seat, letter: str) -> str:
    """Return the address of the page on which a seat's orders can be chosen, or "".

    Its last part is for the script of the page, and contains no secret.
    """
    archive = game.context.policy.archive
    if not archive or seat.settings.board == "off" or not is_shown(game) or awaits_release(game):
        return ""
    if game.state is GameState.ENDED or not isinstance(game.table, OrderPage):
        return ""
    return f"{archive}games/{game.name}/order.html#{letter}-{game.phase}"


def awaits_release(game: Game) -> bool:
    """Return whether the result of the present phase awaits the master's release."""
    return game.clock.awaits_release


def title_of(seat: Seat) -> str:
    """Return the title of a seat: its power, or Master, Observer, or "" for a player."""
    if seat.power:
        return seat.power
    return {"master": "Master", "player": ""}.get(seat.role.value, "Observer")
