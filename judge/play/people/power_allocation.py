"""Power allocation at the start: wishes with ranks, and their minimum sum.

The inputs of the draw are stored with the start event and published when the game is over, so
that anyone can compute it again from the game's random seed (`HELP CHANCE` explains how).

Wishes (SET PREFERENCE) name powers, best first. They are stored as sign-on letters in order,
with brackets around equal ones: `N[IR]E`. They are read as the old judges read them (letters in
one word), and as people write lists: names, commas, "and". An ambiguous list is refused with
suggested lines.
"""

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from judge.dice import Dice
from judge.digits import is_number
from judge.games.system import PowerInfo
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, Event, Role, Seat, SeatState
from judge.model.seat_settings import DEFAULT_SETTINGS, SeatSettings
from judge.play.game import Game, GameView
from judge.play.queries import find_power, player_seats, sides_of

_TOKEN = re.compile(r"[\[\](){}*=]|[,;:>&+.]|[0-9]+|[^\W\d_]+(?:-[^\W\d_]+)*|\S")
_LINKS = frozenset({"and", "then", "und", "dann", *",;:>&+."})
_EQUALS = frozenset({"or", "oder", "="})
_NOTHING = frozenset({"", "*", "none", "any", "all", "no preference", "egal", "keine"})
_MIN_NAME_LETTERS = 4
"""Minimum number of letters of a word that may be a misspelt name."""
MAX_WISHES = 200
"""Maximum number of characters of wishes, as a line of SET stores them."""
_MAX_REPAIRS = 4
"""Maximum number of errors that a suggestion corrects.

Each error has at most two corrections, so that a search has at most 16 ends.
"""
Groups = list[list[str]]
"""Letters of powers in order of preference. Those in one group are equal."""


class _Refused(NamedTuple):
    """Reason why wishes are refused, with possible corrections."""

    reason: Phrase
    meant: tuple[Groups, ...] = ()


def parse_preferences(text: str, game: Game) -> tuple[str | Phrase, tuple[str, ...]]:
    """Return wishes in stored form or a reason of refusal, and suggested lines."""
    typed = " ".join(text.split()).strip(" .!")
    if typed.casefold() in _NOTHING:
        return "", ()
    found = _WishReader(game).read(_TOKEN.findall(typed))
    if not isinstance(found, _Refused):
        return _format_preferences(found), ()
    lines = dict.fromkeys(_line(groups, game) for groups in found.meant if groups)
    return found.reason, tuple(lines)


def parse_known_preferences(text: str, game: Game) -> tuple[str, tuple[str, ...]]:
    """Return the readable wishes of a list, and the words that are left out.

    Only a list with commas is read so. The wishes are empty if the rest cannot be read either.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    strange = tuple(part for part in parts if isinstance(parse_preferences(part, game)[0], Phrase))
    kept, _ = parse_preferences(", ".join(part for part in parts if part not in strange), game)
    return (kept, strange) if strange and kept and isinstance(kept, str) else ("", ())


def _line(groups: Groups, game: Game) -> str:
    """Return the line that sets wishes, with spaces if the letters look like a name."""
    text = _format_preferences(groups)
    if isinstance(_WishReader(game, _MAX_REPAIRS).read(_TOKEN.findall(text)), _Refused):
        text = " ".join(text)
    return f"SET PREFERENCE {text}"


def describe_preferences(kept: str, game: Game) -> tuple[str, ...]:
    """Return wishes for a letter: ("1. India", "2. Italy/Russia")."""
    names = {side.letter: side.name for side in sides_of(game)}
    parted = " " in kept or kept in names
    groups = re.findall(r"\[([\w ]+)\]|(\w+)" if parted else r"\[(\w+)\]|(\w)", kept)
    found = ((alike or one).split() if parted else alike or one for alike, one in groups)
    told = ["/".join(names.get(x, x) for x in each) for each in found]
    return tuple(f"{number}. {each}" for number, each in enumerate(told, 1))


def rank_power(wishes: str, letter: str, worst: int) -> int:
    """Return a letter's rank in wishes, from 0 (best) to *worst* (left out).

    Wishes kept by older versions were not checked, and are read as far as they go.

    >>> [rank_power("N[ab]c", letter, 10) for letter in "NABCZ"]
    [0, 1, 1, 2, 10]
    >>> [rank_power("BRI [FRA GER] ITA", code, 10) for code in ("BRI", "GER", "ITA", "RUS")]
    [0, 1, 2, 10]
    """
    place, group = 0, False
    upper = wishes.upper()
    for character in re.findall(r"\w+|[\[\]]", upper) if len(letter) > 1 else upper:
        if character in "[(":
            group = True
        elif character in "])":
            group, place = False, place + 1
        elif character == letter:
            return place
        elif not group:
            place += 1
    return worst if wishes.strip("* ") else 0


def _format_preferences(groups: Groups) -> str:
    """Return wishes in their stored form: N[ab]c, or BRI [FRA GER] for codes."""
    link = " " if any(len(each) > 1 for group in groups for each in group) else ""
    return link.join(g[0] if len(g) == 1 else f"[{link.join(g)}]" for g in groups)


class _WishReader:
    """Parser of wishes, word by word."""

    def __init__(self, game: Game, depth: int = 0) -> None:
        self._game = game
        self._depth = depth
        self._names = {
            name.casefold(): side.letter
            for side in sides_of(game)
            for name in (side.name, side.adjective, *side.words)
        }
        self._letters = tuple(side.letter for side in sides_of(game))
        self._groups: Groups = []
        self._bracket: list[str] | None = None
        self._alike = False
        """True if the next power is wished for as much as the one before."""
        self._rest = False
        """True after a star, which means all powers that are not named."""

    def read(self, tokens: Sequence[str]) -> Groups | _Refused:
        """Read all words. The first impossible one ends the reading."""
        for at, token in enumerate(tokens):
            low = token.casefold()
            if token in "[({":
                if self._bracket is not None:
                    return self._wrong_brackets(tokens)
                self._bracket = []
            elif token in "])}":
                if not self._bracket:
                    return self._wrong_brackets(tokens)
                self._groups.append(self._bracket)
                self._bracket = None
            elif low in _EQUALS:
                self._alike = bool(self._groups or self._bracket)
            elif token == "*" and not self._rest:
                self._groups.append(["*"])
                self._rest = True
            elif low not in _LINKS:
                refused = self._word(token, tokens, at)
                if refused:
                    return refused
        if self._bracket is not None:
            return self._wrong_brackets(tokens)
        found = [each for group in self._groups for each in group]
        again = sorted({each for each in found if found.count(each) > 1})
        if again:
            reason = phrase("preference-again", powers=tuple(map(self._name, again)))
            return _Refused(reason, (_each_once(self._groups),))
        return self._with_rest()

    def _word(self, token: str, tokens: Sequence[str], at: int) -> _Refused | None:
        """Read a name, or letters written together."""
        if is_number(token, len(token)):
            return self._refuse_numbers(tokens)
        letters = self._letters_of(token)
        near = self._near(token)
        if not letters:
            return self._unknown(tokens, at, near)
        if len(letters) >= _MIN_NAME_LETTERS and near:
            doubted = self._replace_word(tokens, at, near)
            spelt = self._replace_word(tokens, at, "".join(f"{letter} " for letter in letters))
            reason = phrase("preference-doubtful", word=token, power=self._name(near))
            return _Refused(reason, (*doubted, *spelt))
        for letter in letters:
            if self._bracket is not None:
                self._bracket.append(letter)
            elif self._alike and self._groups:
                self._groups[-1].append(letter)
            else:
                self._groups.append([letter])
            self._alike = False
        return None

    def _letters_of(self, token: str) -> Sequence[str]:
        """Return the letters of the powers a word names, or "" if any part names none."""
        side = find_power(self._game, token)
        if side:
            return [side.letter]
        typed = token.upper().replace("-", "")
        return typed if set(typed) <= set(self._letters) else ""

    def _near(self, token: str) -> str:
        """Return the letter of the power with the most similar name, or ""."""
        low = token.casefold()
        if len(low) < _MIN_NAME_LETTERS or find_power(self._game, token):
            return ""
        names = [name for name in self._names if len(name) >= _MIN_NAME_LETTERS]
        close = difflib.get_close_matches(low, names, 3, 0.7)
        return self._names[close[0]] if close else ""

    def _unknown(self, tokens: Sequence[str], at: int, near: str) -> _Refused:
        """Refuse a word that names no power, with the possible meaning without it."""
        token = tokens[at]
        left = near
        if not near and token.isupper():
            left = " ".join(each for each in token if each in self._letters)
        reason = phrase(
            "preference-unknown", word=token[:40],
            powers=tuple(f"{side.letter} {side.name}" for side in sides_of(self._game)),
        )
        return _Refused(reason, self._replace_word(tokens, at, left) if left else ())

    def _replace_word(self, tokens: Sequence[str], at: int, by: str) -> tuple[Groups, ...]:
        """Return the meaning of the words with one of them replaced, if they have one."""
        return self._otherwise([*tokens[:at], *by.split(), *tokens[at + 1 :]])

    def _otherwise(self, tokens: Sequence[str]) -> tuple[Groups, ...]:
        """Return the meanings of other words, with misspelt ones corrected too."""
        if self._depth == _MAX_REPAIRS:
            return ()
        found = _WishReader(self._game, self._depth + 1).read(tokens)
        return found.meant if isinstance(found, _Refused) else (found,)

    def _wrong_brackets(self, tokens: Sequence[str]) -> _Refused:
        """Refuse unbalanced brackets, with suggestions that close them or leave them out."""
        opened = [token for token in tokens if token in "[({"]
        plain = [token for token in tokens if token not in "[](){}"]
        ways = [[*tokens, "]"]] if len(opened) == 1 and tokens[-1] not in "])}" else []
        meant = [groups for way in (*ways, plain) for groups in self._otherwise(way)]
        return _Refused(phrase("preference-brackets"), tuple(meant))

    def _refuse_numbers(self, tokens: Sequence[str]) -> _Refused:
        """Refuse numbers, as they may be ranks or weights."""
        pairs: list[tuple[int, Sequence[str]]] = []
        number = 0
        for token in tokens:
            if is_number(token, 3):
                number = int(token)
            elif letters := self._letters_of(token):
                pairs.append((number, letters))
        ranked = [letters for _, letters in sorted(pairs, key=lambda pair: pair[0])]
        weighed = [letters for _, letters in sorted(pairs, key=lambda pair: -pair[0])]
        ways = [[each for letters in way for each in letters] for way in (ranked, weighed)]
        meant = [groups for way in ways for groups in self._otherwise(way)]
        return _Refused(phrase("preference-numbers"), tuple(meant))

    def _with_rest(self) -> Groups:
        """Return the groups, with the powers not named in place of a star.

        A star at the end is left out, as unnamed powers come last anyway.
        """
        named = {each for group in self._groups for each in group}
        rest = [letter for letter in self._letters if letter not in named]
        if self._groups and self._groups[-1] == ["*"]:
            return self._groups[:-1]
        groups = (rest if group == ["*"] else group for group in self._groups)
        return [group for group in groups if group]

    def _name(self, letter: str) -> str:
        return next(side.name for side in sides_of(self._game) if side.letter == letter)


def _each_once(groups: Groups) -> Groups:
    seen: set[str] = set()
    found = []
    for group in groups:
        once = [each for each in dict.fromkeys(group) if each not in seen]
        seen.update(once)
        found.append(once)
    return [group for group in found if group]


EVENT_KEY = "allotment"
"""Key of the allocation in the text of the start event."""


class PowerAllocation(NamedTuple):
    """Result of an allocation: powers not drawn, and the power of each player."""

    kept: tuple[str, ...] = ()
    players: tuple[tuple[str, str], ...] = ()
    """Pairs (wishes, power), in the order in which the players joined."""

    def as_text(self) -> str:
        """Return it as the text of an event."""
        told = {"kept": self.kept, "players": self.players}
        return json.dumps({EVENT_KEY: told}, ensure_ascii=False)


def allocate_powers(
    game: Game, dice: Dice, now: datetime, rest: SeatSettings = DEFAULT_SETTINGS
) -> PowerAllocation:
    """Allocate powers to the waiting players, and return the allocation.

    Players who have a power already, by choice or invitation, keep it. Powers without a player
    get a vacant seat with the settings `rest`.
    """
    joined = [s for s in player_seats(game) if s.state is SeatState.WAITING]
    kept = tuple(seat.power for seat in player_seats(game) if seat.power)
    for seat in joined:
        if seat.power:
            game.save_seat(replace(seat, state=SeatState.OCCUPIED, since=now))
    waiting = [seat for seat in joined if not seat.power]
    wishes = [seat.preference for seat in waiting]
    free = [side for side in sides_of(game) if side.name not in kept]
    powers = draw_by_preference(dice, free, wishes)
    for seat, power in zip(waiting, powers, strict=True):
        game.save_seat(replace(seat, power=power, state=SeatState.OCCUPIED, since=now))
    taken = {seat.power for seat in player_seats(game)}
    for side in sides_of(game):
        if side.name not in taken:
            vacant = Seat(NO_ID, game.id, Role.PLAYER, SeatState.VACANT, power=side.name)
            game.add_seat(replace(vacant, settings=rest, since=now))
    return PowerAllocation(kept, tuple(zip(wishes, powers, strict=True)))


def draw_by_preference(dice: Dice, free: Sequence[PowerInfo], wishes: Sequence[str]) -> list[str]:
    """Return the power of each player, in the order in which their wishes are given.

    Free powers are in the map's order. Ties between equal sums are decided by draw.
    """
    sides = dice.shuffle("allot:powers", free)
    players = dice.shuffle("allot:players", range(len(wishes)))
    costs = [[rank_power(wishes[at], side.letter, len(sides)) for side in sides] for at in players]
    places = dict(zip(players, assign_min_cost(costs, len(sides)), strict=True))
    return [sides[places[at]].name for at in range(len(wishes))]


def assign_min_cost(costs: list[list[int]], places: int) -> list[int]:
    """Return the place of each row so that the sum of costs is minimal.

    Of equal solutions the one with the first places counts, and among these the one that gives the
    last row the last place it can have, then the row before. Shuffled rows and columns therefore
    make a fair draw.

    >>> assign_min_cost([[0, 5], [0, 1]], 2)
    [0, 1]
    """
    # The ties are decided by digits below those of the costs, so that no two sums are equal.
    by_row = places ** len(costs)
    return _find_cheapest([
        [((cost << places) - (1 << places - 1 - place)) * by_row - place * places**number
         for place, cost in enumerate(row)]
        for number, row in enumerate(costs)
    ])


def _find_cheapest(costs: list[list[int]]) -> list[int]:
    """Assign rows to places by the Hungarian method, along shortest augmenting paths.

    Prices of rows and places keep the reduced costs at 0 or more.
    """
    row_of: dict[int, int] = {}
    row_price, place_price = [0] * len(costs), [0] * len(costs[0]) if costs else []
    for start in range(len(costs)):
        row, at, length = start, -1, 0
        reached: dict[int, int] = {}
        before: dict[int, int] = {}
        done: dict[int, int] = {}
        while at < 0 or at in row_of:
            row = start if at < 0 else row_of[at]
            for place, cost in enumerate(costs[row]):
                total = length + cost - row_price[row] - place_price[place]
                if place not in done and total < reached.get(place, total + 1):
                    reached[place], before[place] = total, at
            at = min(reached.keys() - done.keys(), key=reached.__getitem__)
            length = done[at] = reached[at]
        row_price[start] += length
        for place, total in done.items():
            place_price[place] -= length - total
            if place in row_of:
                row_price[row_of[place]] += length - total
        while at >= 0:
            row_of[at] = start if before[at] < 0 else row_of[before[at]]
            at = before[at]
    place_of = {row: place for place, row in row_of.items()}
    return [place_of[row] for row in range(len(costs))]


def find_allocation(events: Sequence[Event]) -> PowerAllocation | None:
    """Return the power allocation of the last start, or None if it is unknown."""
    starts = [event for event in events if event.kind == LetterKind.START.value]
    for event in reversed(starts):
        told = json.loads(event.text).get(EVENT_KEY)
        if told is not None:
            return read_allocation(told)
    return None


def read_allocation(told: Mapping[str, Any]) -> PowerAllocation:
    """Return the power allocation in a text of an event.

    Raises:
        KeyError, TypeError, ValueError: the text is no allocation.
    """
    players = tuple((str(wishes), str(power)) for wishes, power in told["players"])
    return PowerAllocation(tuple(map(str, told["kept"])), players)


def recompute_allocation(game: GameView, told: PowerAllocation) -> list[str]:
    """Compute an allocation again from the game's seed. Return the players' powers."""
    free = [side for side in sides_of(game) if side.name not in told.kept]
    return draw_by_preference(Dice(game.seed, 0), free, [wishes for wishes, _ in told.players])
