"""VOTE and UNVOTE."""

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

from judge.model.command import AuditDetail, Command, CommandForm, EchoPolicy, Typed, Where, Words
from judge.model.letter import LetterKind
from judge.model.order_commands import matter_meant
from judge.model.phrase import Phrase, phrase
from judge.model.record import Ballot, GameState, Role, Seat
from judge.play.choices.house_rules import ChosenOption, read_option
from judge.play.choices.terms import describe_span
from judge.play.clocks.deadlines import hour_of_deadlines
from judge.play.commands.row import command, reads
from judge.play.commands.seats.sitting import is_sitter
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.gm.decisions import carry_out_votes
from judge.play.letters.letter_factory import zone_of
from judge.play.parse_time import read_instant
from judge.play.queries import awaits_release, main_clock, owner_of
from judge.play.votes import (
    COUNTED_TOGETHER,
    MATTERS,
    Matter,
    bot_ahead,
    drop_past_pauses,
    extension_of,
    find_carried_choice,
    pause_until,
    read_choice,
    tally,
    vote_line,
    voters,
    votes_of_seat,
)

OTHER_WORDS = {
    "conc": "concede", "concession": "concede", "time": "clock", "times": "clock",
    "extension": "extend", "suspend": "pause", "unpause": "resume", "terminate": "cancel",
    "rules": "rule", "set": "rule", "option": "rule",
}
"""Synonyms of the words of `votes.MATTERS` after VOTE."""
_WHICH_WAY = frozenset({"yes", "no", "solo", "y", "n", "aye", "nay"})
"""Words of DPjudge for votes on a proposal."""


@command(
    CommandForm("VOTE", "VOTE DRAW", EchoPolicy.ALL), log=AuditDetail.WORD, as_power=True,
    freeze="votes",
)
class Vote(Command):
    """Vote in a matter: `VOTE DRAW`, `SET DRAW`, `VOTE CLOCK …`.

    *matter* is in lower case, *words* as typed.
    """

    matter: str
    words: tuple[str, ...] = ()

    @reads("vote")
    @classmethod
    def read(cls, matter: str, typed: Words = (), *, at: Where) -> "Vote":
        """VOTE DRAW."""
        return cls(**at, matter=matter_meant(matter), words=typed)

    @reads("set_vote")
    @classmethod
    def read_set_vote(cls, matter: Typed, typed: Words = (), *, at: Where) -> "Vote":
        """SET DRAW, SET CONCEDE E."""
        return cls.read(matter.type, typed, at=at)

    def run(self, session: Session) -> None:
        """Cast a vote. If it was the last one needed, carry out its matter at once."""
        command: Vote = self
        seat, game = session.seat, session.game
        command = _as_rule(command, game)
        matter = MATTERS.get(OTHER_WORDS.get(command.matter, command.matter))
        if command.matter in _WHICH_WAY:
            session.refuse(command, phrase("vote-which-way"), "VOTE DRAW", "UNVOTE DRAW")
            return
        if matter is None:
            asked, clock = command.matter.upper(), main_clock(game)
            session.refuse(command, phrase("vote-unknown", matter=asked, clock=clock))
            return
        choice = _problem(matter, seat, game) or _read_choice(session, matter, command)
        if matter.ends_game and is_sitter(session, seat):
            choice = phrase("vote-sitter", matter=matter.name.upper(), power=seat.power)
        if matter.name == "concede" and choice == seat.power:
            choice = phrase("vote-concede-self")
        if isinstance(choice, Phrase):
            session.refuse(command, choice)
            return
        drop_past_pauses(game, session.now)
        before = votes_of_seat(game, seat.id)
        game.cast_vote(Ballot(game.id, seat.id, matter.name, choice))
        found = find_carried_choice(game, matter.name)
        _answer(session, game, matter.name, choice)
        if matter.name == "draw" and (power := bot_ahead(game)):
            session.done(phrase("draw-bot-ahead", power=power))
        if found is not None:
            news, letters = carry_out_votes(game, matter.name, found, session.now)
            session.announce_to_all(game, news)
            session.queue(*letters)
            return
        elif not any((b.matter, b.choice) == (matter.name, choice) for b in before):
            _call(session, game, seat, matter.name, choice)
            return


def _as_rule(command: Vote, game: Game) -> Vote:
    """Return a vote that begins with the name of a rule as a vote on that rule.

    VOTE ICEBREAKER OFF, for example, is VOTE RULE ICEBREAKER OFF.
    """
    words = (command.matter, *command.words)
    known = command.matter in {*MATTERS, *OTHER_WORDS}
    if known or not isinstance(read_option(words, False, game), ChosenOption):
        return command
    return replace(command, matter="rule", words=words)


def _read_choice(session: Session, matter: Matter, command: Vote) -> str | Phrase:
    game = session.game
    zone, hour = ZoneInfo(zone_of(game, session.seat)), hour_of_deadlines(game)
    return read_choice(
        matter, command.words, game, session.now,
        lambda words: read_instant(words, session.now, zone, hour=hour),
    )


def _problem(matter: Matter, seat: Seat, game: Game) -> Phrase | None:
    """Return why this seat has no vote in a matter now, or None."""
    if game.state is GameState.ENDED:
        return phrase("already-over", game=game.name)
    if seat.role is not Role.PLAYER or game.state not in (GameState.RUNNING, GameState.PAUSED):
        return phrase("needs-running-power")
    if seat.power not in game.table.powers_alive():
        return phrase("vote-eliminated")
    if game.state not in matter.states:
        code = "not-paused" if matter.name == "resume" else "vote-while-paused"
        return phrase(code, game=game.name)
    if matter.name == "resume" and game.clock.paused_by != "vote":
        return phrase("vote-resume-master", game=game.name)
    if matter.name == "extend" and awaits_release(game):
        return phrase("orders-while-held", phase=game.phase)
    if matter.name == "extend" and game.deadline is None:
        return phrase("vote-extend-waiting", game=game.name)
    if matter.name == "concede" and not game.chosen.concessions:
        return phrase("vote-no-concessions", game=game.name)
    return None


def _answer(session: Session, game: Game, matter: str, choice: str) -> None:
    line = vote_line(game, matter, choice)
    if game.chosen.votes == "secret":
        session.done(phrase("voted-secretly", line=line))
    else:
        found = tally(game, matter, choice)
        session.done(phrase("voted", line=line, **found._asdict()))


def _call(session: Session, game: Game, seat: Seat, matter: str, choice: str) -> None:
    """Announce a vote, as far as the game's secrecy allows."""
    secrecy = game.chosen.votes
    if secrecy == "secret":
        return
    line = vote_line(game, matter, choice)
    found = tally(game, matter, choice)
    hides_list = secrecy == "count" and matter == "draw"
    shown = "VOTE DRAW" if hides_list else line
    if secrecy == "open":
        called = phrase("vote-cast-open", power=seat.power, game=game.name, line=shown)
    else:
        called = phrase("vote-cast", game=game.name, line=shown)
    about = _about(game, matter, choice)
    how = phrase("vote-how", matter=matter.upper(), send=shown)
    session.announce(game, called, LetterKind.VOTE)
    for more in (about, phrase("vote-tally", **found._asdict())):
        session.announce_quietly(game, more, LetterKind.VOTE)
    session.announce_quietly(game, how, LetterKind.VOTE, to=_find_open_voters(game, matter, choice))


def _find_open_voters(game: Game, matter: str, choice: str) -> frozenset[int]:
    """Return the seats that could cast the same vote and have not.

    Only they get the line for it. Sitters are excluded where a vote ends the game.
    """
    entitled = voters(game, game.table, choice if matter == "concede" else "")
    agreed = {
        ballot.seat for ballot in game.ballots()
        if ballot.matter == matter
        and (ballot.choice == choice or matter in COUNTED_TOGETHER)
    }
    seats = [game.context.games.seat(number) for number in entitled if number not in agreed]
    ends = MATTERS[matter].ends_game
    return frozenset(seat.id for seat in seats if seat and not (ends and owner_of(seat)))


def _about(game: Game, matter: str, choice: str) -> Phrase:
    if matter == "draw" and not game.chosen.dias:
        return phrase("vote-about-draw-some")
    if matter == "pause" and (until := pause_until(choice)):
        return phrase("vote-about-pause-until", until=until.isoformat())
    if matter == "extend":
        code = "vote-about-extend-negotiation" if game.clock.negotiates else "vote-about-extend"
        return phrase(code, by=describe_span(extension_of(choice) / timedelta(hours=1)))
    return phrase(f"vote-about-{matter}")


@command(CommandForm("UNVOTE", "UNVOTE"), log=AuditDetail.WORD, as_power=True, freeze="votes")
class Unvote(Command):
    """Withdrawal of votes: `UNVOTE`, `UNVOTE DRAW`, `SET NO DRAW`."""

    matter: str = ""

    @reads("unvote")
    @classmethod
    def read(cls, matter: str = "", *, at: Where) -> "Unvote":
        """UNVOTE, UNVOTE DRAW, SET NO DRAW."""
        matter = getattr(matter, "type", matter)
        return cls(**at, matter=matter_meant(matter))

    def run(self, session: Session) -> None:
        """Withdraw the votes in one matter, or all votes."""
        seat, game = session.seat, session.game
        matter = OTHER_WORDS.get(self.matter, self.matter)
        mine = [x for x in votes_of_seat(game, seat.id) if matter in ("", x.matter)]
        kept = [x for x in mine if MATTERS[x.matter].ends_game and is_sitter(session, seat)]
        mine = [x for x in mine if x not in kept]
        if not mine and isinstance(read_option((matter,), True, game), ChosenOption):
            rule = matter.upper()
            session.refuse(self, phrase("vote-rule-off", rule=rule), f"VOTE RULE NO {rule}")
            return
        if not mine:
            reason = phrase("unvote-none")
            if kept:
                reason = phrase("vote-sitter", matter=kept[0].matter.upper(), power=seat.power)
            session.refuse(self, reason)
            return
        for ballot in mine:
            game.withdraw(seat.id, ballot.matter)
            line = vote_line(game, ballot.matter, ballot.choice)
            session.done(phrase("unvoted", line=line))
            secrecy = game.chosen.votes
            if secrecy == "open":
                news = phrase("vote-withdrawn-open", power=seat.power, game=game.name, line=line)
                session.announce(game, news, LetterKind.VOTE)
            elif secrecy == "count":
                news = phrase("vote-withdrawn", game=game.name, matter=ballot.matter.upper())
                session.announce(game, news, LetterKind.VOTE)
