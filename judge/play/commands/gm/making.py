"""CREATE, UNSTART and RENAME: commands for a game before its start."""

from dataclasses import replace
from datetime import datetime

from judge.board.bundle import name_in_key
from judge.dice import Dice, new_seed
from judge.games import MapMatch, find_map, match_maps, near_maps
from judge.model.clock_state import EMPTY_CLOCK
from judge.model.command import (
    PASSWORD_MASK,
    AuditDetail,
    Command,
    CommandForm,
    ConfirmationPolicy,
    EchoPolicy,
    Permission,
    SeatChange,
    Where,
    Words,
    plain_words,
)
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, GameRecord, GameState, Role, SeatState
from judge.play.choices.capabilities import capability_refusal
from judge.play.choices.setting_lists import SettingList, read_several, redact_unknown, redact_words
from judge.play.clocks.game_clock import update_early_deadline, update_forming_game
from judge.play.clocks.phases import vacancy_code
from judge.play.commands.gm.bots import is_kept_bot
from judge.play.commands.gm.running import announce_reason
from judge.play.commands.gm.settings import apply_changes
from judge.play.commands.row import command, reads
from judge.play.commands.seats.signup import add_seat, settled_in
from judge.play.commands.session import Session
from judge.play.future_orders import NEXT_MAIN_PHASE
from judge.play.game import Game
from judge.play.gm.decisions import settle_votes
from judge.play.pending_requests import settings_with
from judge.play.people.admission import masters_games, name_problem, password_problem
from judge.play.people.password_prehash import PasswordPrehasher, SeatEntry
from judge.play.people.sitting import all_handed_over
from judge.play.queries import (
    is_open,
    is_present,
    map_title,
    phase_meant,
    player_seats,
)
from judge.play.unsettled import UNSETTLED

DEFAULT_MAP = "youngstown"
"""Map of a game that CREATE makes without a map name: that of the main game."""


@command(
    CommandForm("CREATE", "CREATE ?marco password youngstown", EchoPolicy.SEAT),
    who=Permission.ANYBODY, opens=True, shuts=True, registers="m", waits=ConfirmationPolicy.SEATED,
    log=AuditDetail.NOTHING, as_power=True, makes=True,
)
class Create(SeatEntry):
    """Command that makes a game: `CREATE ?marco pw youngstown`.

    The sender becomes its master. *variant* contains the words after the password, in lower
    case (map and options).
    """

    variant: tuple[str, ...] = ()

    def seat_change(self) -> SeatChange:
        """Return the change of the open seat."""
        return SeatChange(self.game, self.variant, is_masters=True)

    def prepare(self, work: PasswordPrehasher) -> None:
        """Hash the password in advance, if it will be needed."""
        work.create(self.game, self.password)

    @reads()
    @classmethod
    def read(cls, game: str, password: str, variant: Words, *, at: Where) -> "Create":
        """CREATE ?marco pw youngstown."""
        name = game.lower().lstrip("?")
        return cls(**at, game=name, password=password, variant=plain_words(variant))

    def run(self, session: Session) -> None:
        """Make a game with all its options, or refuse it. The sender becomes its master."""
        context, name = session.context, self.game.lower()
        shown = redact_words(self, self.variant)
        problem = _creation_problem(session, self)
        if problem:
            session.close(shut=True)
            session.refuse(shown, problem)
            return
        meant = match_maps(self.variant)
        planned = _forming(name, next(iter(meant.maps), DEFAULT_MAP), session.now)
        wishes = read_several([word for word in self.variant if word not in meant.words], planned)
        problem = _options_refusal(planned, meant, wishes)
        if problem:
            session.close(shut=True)
            session.refuse(shown, problem)
            return
        game = context.games.add(planned)
        assert game is not None
        seat = add_seat(session, game, self.password, Role.MASTER, SeatState.OCCUPIED)
        context.bans.record_activity(seat.id, session.now)
        settled_in(session, seat)
        session.done(
            phrase(
                "game-created",
                game=name,
                variant=map_title(game),
                commitment=Dice(planned.seed, 0).commitment(),
            )
        )
        if wishes.changes:
            apply_changes(session, game, wishes.changes)


def _forming(name: str, map_name: str, now: datetime) -> GameRecord:
    """Return the record of a forming game on a map."""
    system, seed = find_map(map_name), new_seed()
    assert system is not None
    position = system.initial_position(map_name, {}, Dice(seed, 0))
    label = system.table(map_name, position, {}).phase.label
    return GameRecord(
        NO_ID, name, system.name, map_name, GameState.FORMING, label, 0, position, {}, seed, now,
    )


def _options_refusal(planned: GameRecord, meant: MapMatch, wishes: SettingList) -> Phrase | None:
    """Return why a game cannot have the options after CREATE, or None."""
    if len(meant.maps) > 1:
        return phrase("variant-several", maps=tuple(map(name_in_key, meant.maps)))
    if wishes.unknown:
        names_none = not meant.maps and not wishes.changes
        words, known = redact_unknown(wishes.unknown), near_maps(wishes.unknown)
        if names_none and words == (PASSWORD_MASK,):
            return phrase("variant-hidden", known=known)
        code = "variant-unknown" if names_none else "create-words-unknown"
        return phrase(code, words=words, known=known)
    on = {change.setting.name for change in wishes.changes if change.value}
    if {"gunboat", "show_addresses"} <= on:
        return phrase("gunboat-shows-nobody")
    lacks = (capability_refusal(planned, change.setting.needs) for change in wishes.changes)
    return next(filter(None, lacks), None)


def _creation_problem(session: Session, command: Create) -> Phrase | None:
    """Return why a game cannot be made, or None."""
    policy, context = session.context.policy, session.context
    own = masters_games(context, session.mail.sender)
    if own >= policy.open_games and not policy.is_operator(session.mail.sender):
        return phrase("create-too-many", most=policy.open_games)
    if policy.create == "keeper" and not policy.is_operator(session.mail.sender):
        return phrase("create-keeper-only")
    problem = name_problem(context, command.game)
    if problem:
        return problem
    return password_problem(command.password)


def settle_starts(session: Session) -> None:
    """Start forming games that this mail completed, and hasten running ones."""
    for game_id in session.changed:
        game = session.context.games.get(game_id)
        if game.state is GameState.FORMING:
            session.queue(*update_forming_game(game, session.now))
        else:
            session.queue(*settle_votes(game, session.now))
            if not is_open(game):
                # A game that has just ended has no vacancies to fill.
                session.remove_from_all(game_id, vacancy_code(game))
            update_early_deadline(game, session.now)


@command(CommandForm("UNSTART", "UNSTART"), who=Permission.MASTER)
class Unstart(Command):
    """Command that undoes the start in the first phase: `UNSTART S1901M`."""

    phase: str = ""

    def run(self, session: Session) -> None:
        """Undo the start during the first phase, if its name is given.

        Players keep their places and lose their powers, orders and votes. The game then starts
        only by START. The seed stays the same, so the same players with the same wishes get the
        same powers.
        """
        game = session.game
        again = f"UNSTART {game.phase}"
        if game.state not in (GameState.RUNNING, GameState.PAUSED):
            session.refuse(self, phrase("not-running", game=game.name, state=game.state.value))
        elif game.turn != 1:
            session.refuse(self, phrase("unstart-late", game=game.name))
        elif not self.phase:
            session.refuse(self, phrase("unstart-which", phase=game.phase), again)
        elif (asked := phase_meant(game, self.phase)) != game.phase:
            reason = phrase("process-other-phase", asked=asked, phase=game.phase)
            session.refuse(self, reason, again)
        else:
            session.queue(*all_handed_over(game))
            _put_back(game)
            announce_reason(session, game, phrase("unstarted", game=game.name))


def _put_back(game: Game) -> None:
    """Restore the state of a game and its seats before the start."""
    game.drop_ballots()
    game.drop_plans()
    for phase in (game.phase, NEXT_MAIN_PHASE, UNSETTLED):
        game.drop_orders(phase)
    for seat in player_seats(game):
        # Dummies and named bots are kept, because they exist before the start too.
        state = SeatState.WAITING if is_present(seat) else SeatState.LEFT
        power = "" if is_present(seat) else seat.power
        if seat.settings.dummy is not None or is_kept_bot(seat):
            state = SeatState.VACANT
        game.context.games.save_seat(
            replace(
                seat, state=state, power=power, epoch=seat.epoch + 1,
                wait=False, ready=False, missed=0,
            )
        )
    game.context.register.forget_game(game.id)
    game.context.archive.delete_undone(game.id)
    game.change(
        state=GameState.FORMING,
        turn=0,
        settings=settings_with(
            {**game.settings, "manual_start": True, "frozen": ""}, sitting_until=None
        ),
        started=None, opened=None, deadline=None, grace_until=None, due=None, clock=EMPTY_CLOCK,
    )


@command(CommandForm("RENAME", "RENAME polo"), who=Permission.MASTER)
class Rename(Command):
    """New name for a game before its start: `RENAME polo`."""

    name: str

    def seat_change(self) -> SeatChange:
        """Return the new name of the game."""
        return SeatChange(name=self.name)

    @reads("rename")
    @classmethod
    def read(cls, name: str, *, at: Where) -> "Rename":
        """RENAME polo."""
        return cls(**at, name=name.lower().lstrip("?").rstrip(".!"))

    def run(self, session: Session) -> None:
        """Give a forming game another name, and announce both names."""
        game = session.game
        problem = name_problem(session.context, self.name)
        if game.state is not GameState.FORMING:
            session.refuse(self, phrase("already-started", game=game.name))
        elif problem:
            session.refuse(self, problem)
        else:
            old = game.name
            game.change(name=self.name)
            announce_reason(session, game, phrase("renamed", old=old, game=game.name))

