"""Vocabulary: the words that begin commands, their forms, and misspelt ones.

The grammar defines how words follow each other. The kinds of commands are parameters.
"""

import re
from collections.abc import Iterable
from functools import cache, cached_property

from lark import Lark
from lark.exceptions import UnexpectedInput
from rapidfuzz import process
from rapidfuzz.distance import OSA

from judge.grammar_loader import load_grammar, rules_of, start_pattern
from judge.model.command import BlockForm, Command, CommandForm, CommandKind, EchoPolicy, Permission
from judge.model.order_words import FindHead

_FOREIGN_SECRETS = frozenset({"INVEST", "PURGE"})
"""Commands of other judges that contain passwords."""

_LABEL = re.compile(r"\w[\w.-]*[.!:]*")
# "Yellow Sea H" must not be read as a misspelt HELLO.
_NEVER_MEANT = frozenset({"HELLO"})
_GAME = "[a-z][a-z0-9]{1,7}"
_SEAT = re.compile(rf"\?{_GAME}|[^\s@?]+@{_GAME}|[a-z]{_GAME}", re.IGNORECASE)
_NEARLY_SEAT = re.compile(rf"{_SEAT.pattern}|[a-z]$|\S*[@?0-9]", re.IGNORECASE)
_SEAT_WITH_SIGN = re.compile(rf"(\?{_GAME}|[^\s@?]+@{_GAME})(\s+\S+){{1,3}}", re.IGNORECASE)


def _changes_seat(kind: CommandKind) -> bool:
    """Return whether a command may open another seat, or rename the open seat's game."""
    return kind.opens or kind.value.seat_change is not Command.seat_change


class CommandLanguage:
    """Command language: all commands and their spellings."""

    def __init__(self, kinds: Iterable[CommandKind], head: FindHead = lambda line: None) -> None:
        self.kinds = tuple(kinds)
        self.head = head
        """Function that finds a phase name at the beginning of a line, in any game."""
        self.readings = {kind.rule_name: kind for kind in self.kinds}
        """Grammar rules whose parts are the fields of a command, with its kind."""
        self.readers = {rule: read for kind in self.kinds for rule, read in kind.readers.items()}
        """Grammar rules, and the functions that make commands from their parts."""
        self.forms: dict[str, CommandForm] = {
            word: form for kind in self.kinds for form in kind.forms for word in form.spellings
        }
        """All words that begin a command of this judge, with their forms."""
        self.blocks: dict[str, BlockForm] = {
            word: form.block for word, form in self.forms.items() if form.block
        }
        """Words that may begin a block, with its form."""
        self.sign_ons = self._words_of("sign_on")
        self.press = self._words_of("press")
        """Commands whose block is press."""
        self._ends_of_press = {self.blocks[word].ends for word in self.press}
        self.openers = frozenset(
            word for kind in self.kinds if kind.shuts for word in kind.spellings
        )
        """Commands after which, if one fails, nothing counts until a seat is opened."""
        self.openings = frozenset(kind.value for kind in self.kinds if kind.opens and kind.shuts)
        """Classes of those that open a seat, after which commands count again."""
        self.masters = frozenset(
            word for kind in self.kinds if kind.who is Permission.MASTER for word in kind.spellings
        )
        """Commands that only masters may give."""
        self.seating = frozenset(
            word for kind in self.kinds if _changes_seat(kind) for word in kind.spellings
        )
        """Commands that may open another seat, or rename the game of the open one."""
        self.secretive = frozenset(
            word for word, form in self.forms.items() if form.shown is EchoPolicy.SEAT
        )
        """Commands that may contain a password."""
        self._long = [word for word in self.forms if len(word) >= 5 and word not in _NEVER_MEANT]
        rules = rules_of("mail") | {kind.rule_name for kind in self.kinds if kind.grammar}
        # Some have no rule of their own, but are made from another's: SET PASSWORD, UNVOTE.
        known = dict.fromkeys(kind.rule_name for kind in self.kinds if kind.rule_name in rules)
        self.added = (
            f"%extend _command: {' | '.join(known)}\n",
            *(f"{kind.grammar}\n" for kind in self.kinds if kind.grammar),
        )
        """Additions to the grammar: the list of command rules, and rules of the kinds."""

    def _words_of(self, rule: str) -> frozenset[str]:
        kind = self.readings.get(rule)
        return frozenset(kind.spellings if kind else ())

    def ends_press(self, plain: str) -> bool:
        """Return whether a line ends a block of press."""
        return any(_closing(ends).fullmatch(plain) for ends in self._ends_of_press)

    @cached_property
    def parser(self) -> Lark:
        """Parser of one command."""
        return load_grammar("mail", self.added)

    @cached_property
    def _beginnings(self) -> re.Pattern[str]:
        return start_pattern("mail", self.added)

    def is_command(self, plain: str) -> bool:
        """Return whether a segment is a command.

        If it names a phase by several words, a game must have a phase of that name.
        """
        try:
            tree = self.parser.parse(plain)
        except UnexpectedInput:
            return False
        named = [" ".join(map(str, node.children)) for node in tree.find_data("phase")]
        return all(_LABEL.fullmatch(words) or self.head(words) for words in named)

    def first_word(self, plain: str) -> str:
        """Return the command word of a segment in capitals, or an empty string."""
        found = self._beginnings.match(plain)
        return " ".join(found.group().upper().split()) if found else ""

    def takes_password(self, word: str) -> bool:
        """Return whether a password may follow a command."""
        kinds = (kind.value for kind in self.kinds if word in kind.spellings)
        return word == "SET PASSWORD" or any(
            "password" in kind.__dataclass_fields__ for kind in kinds
        )

    def command_length(self, plain: str) -> int:
        """Return the number of words of the command, which may be misspelt or omitted."""
        if word := self.first_word(plain):
            return len(word.split())
        return 0 if _SEAT_WITH_SIGN.fullmatch(plain) else 1

    def shown_words(self, word: str, rest: list[str]) -> int:
        """Return the number of words after the command that a complaint may show.

        Any word of an unreadable line may be the password. The seat or game is shown if it is in
        its place and exactly one word follows.
        """
        form = self.forms.get(word)
        if form is None:
            return 0 if word in _FOREIGN_SECRETS else len(rest)
        match form.shown:
            case EchoPolicy.SEAT:
                return len(self._seat_in(word, rest).split())
            case EchoPolicy.NOTHING:
                return 0
            case EchoPolicy.FIRST:
                return 1
            case EchoPolicy.ALL:
                return len(rest)

    def usage_of(self, word: str, rest: list[str]) -> str:
        """Return the right form of a command, with the sender's words if they fit."""
        line = self.forms[word].line
        command, *parts = line.split()
        seat = self._seat_in(word, rest).replace(" ", "")
        if seat and "password" in parts:
            return f"{command} {seat} password"
        corrected = " ".join([word, *rest])
        shown = word not in self.secretive and self.shown_words(word, rest) == len(rest) > 0
        if shown and self.is_command(corrected):
            return corrected
        if shown and parts[:1] == ["marco"] and _GAME_NAME.fullmatch(rest[0]):
            return " ".join([command, rest[0], *parts[1:]])
        return line

    def _seat_in(self, word: str, rest: list[str]) -> str:
        """Return the seat as typed ("N marco" too), if it cannot be a password."""
        if len(rest) == 2 and _SEAT.fullmatch(rest[0]):
            return rest[0]
        if len(rest) == 3 and len(rest[0]) == 1 and _SEAT.fullmatch(rest[0] + rest[1]):
            return f"{rest[0]} {rest[1]}" if word in self.sign_ons else ""
        return ""

    def guess_command(self, plain: str) -> str:
        """Guess the intended command of an unrecognised line, or return an empty string.

        The first word must be nearly a command (one typing error, or two if a seat and a password
        follow), and the rest must fit it. Lines of the form `?game password` and
        `power@game password` are sign-ons.
        """
        typed, _, rest = plain.partition(" ")
        if _SEAT_WITH_SIGN.fullmatch(plain) or _SEAT_WITH_SIGN.fullmatch(rest.strip()):
            near = self.nearest(typed, 2)
            return near if near in self.secretive else "SIGNON"
        if typed.upper().startswith("SIGNON"):
            return "SIGNON"
        near = self.nearest(typed, 1)
        if near and (near in self.sign_ons or self.is_command(f"{near} {rest}")):
            return near
        words, secretive = rest.split(), near in self.secretive
        if secretive and len(near) > 5 and len(words) > 1 and _NEARLY_SEAT.match(words[0]):
            return near
        near = self.nearest(typed, 2)
        # "London sits tight" is two typing errors away from a LOGON.
        is_long = near in self.secretive and len(near) > 5
        fits = is_long and len(words) == 2 and self.is_command(f"{near} {rest}")
        return near if fits else ""

    def nearest(self, word: str, limit: int) -> str:
        """Return the only command within *limit* typing errors of a word, or "".

        The word must have five letters or more. Of shorter commands only JOIN is tried, since a
        password follows it.
        """
        if not 4 <= len(word) <= 13:
            return ""
        known_words = self._long
        if len(word) == 4:
            # "Chin to Bur" is two typing errors away.
            known_words, limit = [word for word in ("JOIN",) if word in self.forms], 1
        upper = word.upper()
        near = process.extract(
            upper, known_words, scorer=OSA.distance, score_cutoff=limit, limit=None
        )
        closest = {
            self.forms[known].line: known
            for known, distance, _ in near if distance == near[0][1]
        }
        return closest.popitem()[1] if len(closest) == 1 else ""

    def block_form(self, name: str) -> BlockForm:
        """Return the form of a block by its name, which begins with its first word."""
        return self.blocks.get(name) or self.blocks[name.split()[0]]

    def near_press(self, plain: str) -> str:
        """Return the press or DIARY command meant by a misspelt head, or ""."""
        typed, *rest = plain.upper().split()
        if typed == "POSTAL" and rest and OSA.distance(rest[0], "PRESS", score_cutoff=1) <= 1:
            return "POSTAL PRESS"
        if len(typed) == 4 and OSA.distance(typed, "PRESS") == 1:
            return "PRESS"
        word = self.nearest(typed, 2 if len(typed) > 6 else 1)
        return word if word in self.press or word == "DIARY" and not rest else ""


_GAME_NAME = re.compile(r"[a-z][\w-]{2,}", re.IGNORECASE)
"""A word that may be the name of a game."""


def ends_block(form: BlockForm, plain: str) -> bool:
    """Return whether a line ends a block.

    >>> ends_block(BlockForm("ENDPRESS", r"end\\s*press"), "End Press.")
    True
    """
    return _closing(form.ends).fullmatch(plain) is not None


@cache
def _closing(ends: str) -> re.Pattern[str]:
    return re.compile(rf"\s*({ends})[\s.!]*", re.IGNORECASE)


def is_password_setting(word: str) -> bool:
    """Return whether a word after SET means that a password follows."""
    return word.upper() in {"P", "PW"} or near_password(word)


def near_password(word: str) -> bool:
    """Return whether a word is PASSWORD, PASS or a misspelling of PASSWORD.

    >>> near_password("pasword"), near_password("press")
    (True, False)
    """
    return word.upper() == "PASS" or OSA.distance(word.upper(), "PASSWORD", score_cutoff=2) <= 2


def is_one_slip(typed: str, known: str) -> bool:
    """Return whether two words differ by one extra, missing, other or swapped letter.

    >>> is_one_slip("LISST", "LIST"), is_one_slip("LIST", "LIST")
    (True, False)
    """
    return OSA.distance(typed, known, score_cutoff=1) == 1


def near_end_of_press(plain: str) -> bool:
    """Return whether a line looks like a misspelt end of a press block.

    >>> near_end_of_press("ENDPRES"), near_end_of_press("End pres, Ann"), near_end_of_press("end")
    (True, True, False)
    """
    typed = plain.upper().split()[:2]
    if not typed or len(plain) > 40:
        return False
    # "Endless war awaits" is two typing errors away.
    slips = 2 if len(typed) == 1 else 1
    return any(
        OSA.distance(text.strip(",.!"), end, score_cutoff=slips) <= slips
        for text in (typed[0], "".join(typed))
        for end in ("ENDPRESS", "ENDBROADCAST")
    )
