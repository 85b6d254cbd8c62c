"""What the commands of masters mean."""

import re

from lark import v_args

from judge.digits import is_number
from judge.mail.meaning.parts import PartsMeaning, Words, bare_address
from judge.words.command import Command
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Line
from judge.words.mastering import (
    Announce,
    Become,
    Dummy,
    Export,
    Import,
    Promote,
    Rename,
    Revive,
    RollBack,
    RollForward,
    SetUp,
    Start,
    Turning,
)
from judge.words.reason import because

_PHASE = re.compile(r"[a-z][0-9]{3,4}[a-z]", re.IGNORECASE)
_YES = re.compile(r"[b-t]{6}", re.IGNORECASE)
"""The word that says yes to a position; no phase looks like it."""
_FORMS = ("", "orders", "json")
_IDLE = ("TURN", "PHASE")


@v_args(inline=True)
class MasteringMeaning(PartsMeaning):
    """The rules about masters and what they do to a game, one method for each."""

    def begin(self, now: str = "") -> Command:
        """START, START NOW, FORCE BEGIN."""
        return Start(**self._at, now=bool(now))

    def become(self, who: str) -> Command:
        """BECOME N, BECOME MASTER."""
        return Become(**self._at, who=who.rstrip(".!"))

    def promote(self, who: str, owner: str = "") -> Command:
        """PROMOTE ann@example.org, PROMOTE ann@example.org OWNER."""
        return Promote(**self._at, who=bare_address(who), owner=bool(owner))

    def demote(self, who: str) -> Command:
        """DEMOTE ann@example.org."""
        return Promote(**self._at, who=bare_address(who), off=True)

    def official(self, subject: Words) -> Command:
        """OFFICIAL A day later; its body comes from the block."""
        return Announce(**self._at, subject=" ".join(subject))

    def dummy(self, who: str, stance: str = "") -> Command:
        """DUMMY N, DUMMY N SUPPORT."""
        return Dummy(**self._at, who=who.rstrip(".!"), stance=stance.lower())

    def revive(self, who: str, address: str = "") -> Command:
        """REVIVE N, REVIVE N ann@example.org."""
        return Revive(**self._at, who=who.rstrip(".!"), address=bare_address(address))

    def rename(self, name: str) -> Command:
        """RENAME polo."""
        return Rename(**self._at, name=name.lower().lstrip("?").rstrip(".!"))

    def roll_back(self, *typed: str) -> Command:
        """ROLLBACK S1901M, ROLLBACK 3, ROLLBACK marco F1901M TO S1901M RESTORE."""
        return self._turning(RollBack, typed)

    def roll_forward(self, *typed: str) -> Command:
        """ROLLFORWARD, ROLLFORWARD F1901M."""
        return self._turning(RollForward, typed)

    def export(self, typed: Words) -> Command:
        """EXPORT marco, EXPORT marco ORDERS."""
        words = [word.strip(".,!").lower() for word in typed]
        names = [word for word in words if word not in _FORMS]
        return Export(**self._at, game=" ".join(names), orders="orders" in words)

    def bring_in(self, typed: Words) -> Command:
        """IMPORT trial, IMPORT trial marco; the lines come from the block."""
        words = [word.strip(".,!?").lower() for word in typed]
        name, game = words[0], " ".join(word for word in words[1:] if word != "from")
        return Import(**self._at, name=name, game=game)

    def setup(self, typed: Words) -> Command:
        """SETUP F1903M, the head of a block, or SETUP word; the lines come from the block."""
        words = " ".join(typed).strip(" .!")
        if _YES.fullmatch(words):
            return SetUp(**self._at, word=words.lower())
        lines = (Line(self._at["line"], f"PHASE {words}"),) if words else ()
        return SetUp(**self._at, lines=lines)

    def _turning(self, kind: type[Turning], typed: Words) -> Command:
        """Sort the words: a game by what is no phase, then one phase, or two: from and to."""
        words = [word.strip(",.;:!").upper() for word in typed]
        known = [word for word in words if word and word not in ("RESTORE", "FULL", *_IDLE)]
        phases = [phase_label(word) for word in known if _PHASE.fullmatch(word)]
        turns = [int(word) for word in known if is_number(word, 5)]
        names = [word for word in known if not _PHASE.fullmatch(word) and not is_number(word, 5)]
        return kind(
            **self._at,
            game=" ".join(names).lower(),
            present=phases[0] if len(phases) > 1 else "",
            phase=phases[-1] if phases else "",
            turn=turns[0] if turns else 0,
            restore="RESTORE" in words,
            full="FULL" in words,
        )

    def stray_end(self) -> Complaint:
        """ENDPRESS without PRESS."""
        word = self._language.first_word(self._piece.plain)
        return self._no(ComplaintKind.UNREADABLE, because("end-without-beginning", word=word))


def phase_label(word: str) -> str:
    """Return a phase as we write it: F1901B and W1901A are F1901A.

    >>> phase_label("w1901a"), phase_label("S1901M")
    ('F1901A', 'S1901M')
    """
    label = word.upper()
    adjusts = label[-1] == "B" or label[0] == "W"
    return f"F{label[1:-1]}A" if adjusts else label
