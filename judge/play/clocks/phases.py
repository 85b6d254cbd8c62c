"""Phases of a game: start, adjudication, results held back, and end.

With `SET HOLD`, the result of a phase that is over waits for its master's RELEASE. Orders close
when the phase would be adjudicated, and the master gets a preview of the result for review.
Until it is released no one else sees it. A new deadline opens the phase again.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from judge.dice import Dice, RecordedDice, new_seed
from judge.games import find_system
from judge.games.capabilities import Bots, CivilDisorder, YearlyHistory
from judge.games.system import Ending, Table, ViewerRole
from judge.model.clock_state import EMPTY_CLOCK, ClockState
from judge.model.letter import Letter, LetterKind
from judge.model.person import ConductKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import Draw, Event, GameState, Seat, SeatState, Turn
from judge.model.replace import replace
from judge.model.seat_settings import DEFAULT_SETTINGS, SeatSettings
from judge.play.choices.settings import schedule_of
from judge.play.clocks.deadlines import avoid_absences
from judge.play.clocks.results import results_letters
from judge.play.future_orders import NEXT_MAIN_PHASE, apply_stored_orders
from judge.play.game import Game, options_of, table_before, write_ending
from judge.play.game_story import chart_of, how_it_went, page_of, score_of
from judge.play.letters.board_pictures import (
    board_format_of,
    chart_view,
    illustrate_letter,
    standing_view,
)
from judge.play.letters.letter_factory import (
    announce,
    append_summary,
    letter_to,
    recipients_of,
    record_in_history,
    roster,
    start_letter,
)
from judge.play.pending_requests import settings_with
from judge.play.people.admission import record_conduct
from judge.play.people.power_allocation import (
    allocate_powers,
    describe_preferences,
    find_allocation,
)
from judge.play.people.sitting import all_handed_over
from judge.play.post_game import open_post_game_press, talk_until
from judge.play.press import publish_remaining_texts
from judge.play.queries import (
    awaits_release,
    is_bot,
    occupied_seats,
    player_seats,
    present_masters,
    private_code,
    reader_of,
    takeover_line,
)
from judge.play.rating import keep_finish
from judge.play.unsettled import UNSETTLED
from judge.play.votes import expire


def start_game(game: Game, now: datetime, rest: SeatSettings = DEFAULT_SETTINGS) -> list[Letter]:
    """Allocate the powers, set up the board and announce the start.

    Seats without a player get the settings `rest`.
    """
    dice = Dice(game.seed, 0)
    allotted = allocate_powers(game, dice, now, rest)
    system = find_system(game.system)
    # A master may have set up another opening position.
    begun = game.chosen.set_up
    position = game.position if begun else system.initial_position(game.map, game.settings, dice)
    game.change(
        state=GameState.RUNNING,
        started=now,
        turn=1,
        position=position,
        phase=system.table(game.map, position, game.settings).phase.label,
    )
    _note_start(game, now)
    open_phase(game, now)
    told = Event(game.id, now, game.phase, LetterKind.START.value, allotted.as_text())
    game.add_event(told)
    return [start_letter(game, seat, begins=True) for seat in recipients_of(game)]


def open_phase(game: Game, now: datetime) -> None:
    """Set the clock of the present phase, and clear the flags of the last one."""
    schedule = schedule_of(game.chosen, game.context.policy.shortest)
    clock = game.table.phase.clock
    negotiated = schedule.negotiation_end(clock, now, first=game.turn == 1)
    begun = negotiated or now
    planned = schedule.deadline(clock, begun)
    deadline, why = avoid_absences(game, game.table, planned, now)
    for seat in player_seats(game):
        if seat.wait or seat.ready:
            game.save_seat(replace(seat, wait=False, ready=False))
    game.change(
        opened=now,
        deadline=deadline,
        grace_until=schedule.grace_end(clock, deadline),
        due=now,
        clock=ClockState(begun=begun, put_off=why or None, writing_from=negotiated),
    )
    expire(game)


def _note_start(game: Game, now: datetime) -> None:
    """Store who had a power from the beginning."""
    record_conduct(game, occupied_seats(game), ConductKind.STARTED, now)


def _note_phase(game: Game, table: Table, sheets: Mapping[str, str], now: datetime) -> None:
    """Store who had orders in for a phase that is adjudicated now, on time or late.

    Powers with nothing to order get no record, nor do those that still had time when the master
    sent PROCESS. Missing orders at the end of the grace period are stored elsewhere.
    """
    late, held = game.clock.late, occupied_seats(game, table.powers_due())
    came_late = [seat for seat in held if seat.power in late and sheets.get(seat.power)]
    on_time = [
        seat
        for seat in held
        if seat.power not in late
        and (seat.ready or not table.missing_orders(seat.power, sheets.get(seat.power, "")))
    ]
    record_conduct(game, came_late, ConductKind.LATE, now)
    record_conduct(game, on_time, ConductKind.ON_TIME, now)


def adjudicate(game: Game, now: datetime) -> list[Letter]:
    """Adjudicate the present phase, store the turn, and open the next or end."""
    sheets = sheets_in_force(game)
    table = game.table
    _note_phase(game, table, sheets, now)
    dice = Dice(game.seed, game.turn)
    found = table.adjudicate(sheets, dice)
    game.add_turn(
        Turn(
            game.id, game.turn, game.phase, game.position, sheets, found.record, found.after, now,
            options_of(game), tuple(Draw(*each) for each in dice.drawn), game.seed,
        )
    )
    game.drop_orders(game.phase)
    played = game.phase
    system = find_system(game.system)
    after = system.table(game.map, found.after, game.settings)
    game.change(position=found.after, turn=game.turn + 1, phase=after.phase.label)
    if found.ending:
        end_game(game, found.ending, now)
        return [
            *results_letters(game, played, found.record),
            *ending_letters(game, found.ending),
        ]
    if found.carried:
        game.file_sheets(game.phase, found.carried)
    open_phase(game, now)
    kept = apply_stored_orders(game)
    return [*results_letters(game, played, found.record), *kept]


def carried_sheets(game: Game) -> Mapping[str, str]:
    """Return the sheets that the phase before carried over to the present one.

    That phase is adjudicated again for it, with its stored orders.
    """
    before = [turn for turn in game.turns() if turn.number == game.turn - 1]
    if not before or before[-1].after != game.position:
        return {}
    turn = before[-1]
    return table_before(game, turn).adjudicate(turn.orders, dice_of(turn)).carried


def dice_of(turn: Turn) -> Dice:
    """Return the dice of a turn that was played.

    Without its seed they repeat its draws.
    """
    if turn.draws and not turn.seed:
        return RecordedDice(turn.draws)
    return Dice(turn.seed, turn.number)


def sheets_in_force(game: Game) -> dict[str, str]:
    """Return the orders of a phase, with those of bots and of default orders.

    Bots order the units that have no order on file, and vacant powers defend themselves if the
    game says so. A bot's orders are made here, from the position and the game's seed, and are
    never on file. A phase that is rolled back to, held back, or previewed has the same orders,
    later changes count, and no orders of the bot are left when a player takes over the power.
    """
    sheets = game.orders(game.phase)
    table = game.table
    due = table.powers_due()
    for seat in player_seats(game):
        if seat.state is not SeatState.VACANT or seat.power not in due:
            continue
        sheet = sheets.get(seat.power, "")
        defends = (seat.settings.dummy or game.chosen.cd) == "support"
        if is_bot(game, seat) and isinstance(table, Bots):
            sheet = table.bot_sheet(seat.power, sheet, Dice(game.seed, game.turn))
        elif defends and isinstance(table, CivilDisorder):
            sheet = table.complete_sheet(seat.power, sheet)
        if sheet:
            sheets[seat.power] = sheet
    return sheets


def end_game(game: Game, ending: Ending, now: datetime) -> None:
    """End a game: clear its clock and orders, and store its result."""
    game.change(
        state=GameState.ENDED,
        ended=now,
        deadline=None,
        grace_until=None,
        due=None,
        clock=EMPTY_CLOCK,
        settings=settings_with({**game.settings, "frozen": ""}, sitting_until=None),
        result=write_ending(ending),
    )
    open_post_game_press(game, now)
    keep_finish(game)
    game.drop_ballots()
    game.drop_orders(NEXT_MAIN_PHASE)
    game.drop_orders(UNSETTLED)
    game.drop_plans()
    text = json.dumps(ending.reason.as_json(), ensure_ascii=False)
    game.add_event(Event(game.id, now, game.phase, LetterKind.END.value, text))


def ending_letters(game: Game, ending: Ending) -> list[Letter]:
    """Return the last letters: winners, last position, and the score year by year."""
    system = find_system(game.system)
    turns = [(turn.phase, turn.after) for turn in game.turns()]
    chronicle = None
    if isinstance(system, YearlyHistory):
        chronicle = system.chronicle(game.map, game.settings, turns, reader_of(game, None))
    allotted = find_allocation(game.events())
    letters = all_handed_over(game)
    told, goal = score_of(game)
    story, chart = how_it_went(game, told), chart_view(game, chart_of(game, told, goal))
    for seat in recipients_of(game):
        gist = _end_for(seat, ending)
        named = bool(seat.power and gist)
        facts = {
            "title": phrase("brief-title-end", power=seat.power, gist=gist) if named else None,
            "reason": ending.reason,
            "winners": ending.winners,
            "chronicle": chronicle,
            "story": story,
            "link": page_of(game),
            "standing": None if chronicle else game.table.position_facts(reader_of(game, seat)),
            # A game that never began has no players with a power.
            "players": [one for one in roster(game, seat) if one["power"]],
            "seed": game.seed.hex(),
            "wishes": [
                (", ".join(describe_preferences(wish, game)), power)
                for wish, power in (allotted.players if allotted else ())
            ],
            "talk": talk_until(game),
        }
        over = append_summary(phrase("event-game-over"), gist)
        letter = letter_to(game, seat, LetterKind.END, "end", facts, over)
        wish = board_format_of(game.context, seat)
        view = standing_view(game, reader_of(game, seat), wish)
        letters.append(illustrate_letter(letter, view.then(chart) if view.pictures else view))
    return letters + publish_remaining_texts(game)


def _end_for(seat: Seat, ending: Ending) -> tuple[Phrase, ...]:
    """Return the gist of the end for a seat: the winner, the draw, or ()."""
    is_own = seat.power in ending.winners
    match ending.winners:
        case ():
            return ()
        case (winner,):
            return (phrase("gist-you-won") if is_own else phrase("gist-won", power=winner),)
    return (phrase("gist-your-draw" if is_own else "gist-draw"),)


def vacate(game: Game, seat: Seat, now: datetime) -> Seat:
    """Remove the player of a power, with their tokens, password, votes and plans."""
    empty = replace(
        seat, state=SeatState.VACANT, address="", password="", epoch=seat.epoch + 1, wait=False,
        ready=False, missed=0, settings=DEFAULT_SETTINGS, since=now,
    )
    game.save_seat(empty)
    game.withdraw(seat.id)
    game.drop_plans(seat.power)
    return empty


def vacancy_code(game: Game) -> str:
    """Return the code of the phrase about a power that has lost its player."""
    if game.chosen.abandoned == "bot":
        return private_code(game, "seat-vacant-bot", "seat-vacant-bot-private")
    return private_code(game, "seat-vacant", "seat-vacant-private")


def vacancy(game: Game, power: str) -> Phrase:
    """Describe a power without a player, with the line to take it over."""
    return phrase(vacancy_code(game), power=power, game=game.name, send=takeover_line(game, power))


RELEASE_REMINDER_INTERVAL = timedelta(hours=24)
"""Interval between reminders to the master of a waiting result."""


def finish_phase(game: Game, now: datetime) -> list[Letter]:
    """Adjudicate a phase that is over, or hold back its result if the game says so.

    A game without a master to release it holds nothing back.
    """
    if not game.chosen.hold or not _masters(game):
        return adjudicate(game, now)
    game.change(clock=replace(game.clock, early=None, held=now, master_reminded=now))
    masters = _masters(game)
    reason = phrase("phase-held", phase=game.phase, game=game.name)
    letters = announce(game, reason, now, but=[seat.id for seat in masters])
    return letters + [_held_letter(game, seat) for seat in masters]


def _masters(game: Game) -> list[Seat]:
    """Return the masters who can release a result, not those who are banned."""
    banned = game.context.bans.is_banned
    return [seat for seat in present_masters(game) if not banned(seat.address)]


def _held_letter(game: Game, seat: Seat) -> Letter:
    """Return a letter to a master about the waiting result.

    It contains the result, unless the master may play.
    """
    reader = reader_of(game, seat)
    results = None
    if reader.quality is ViewerRole.MASTER:
        sheets, dice = sheets_in_force(game), Dice(game.seed, game.turn)
        tried = game.table.adjudicate(sheets, dice)
        results = find_system(game.system).turn(game.map, tried.record).results(reader)
    facts = {"results": results}
    return letter_to(game, seat, LetterKind.NOTICE, "held", facts, phrase("event-waits-for-you"))


def next_master_reminder(game: Game) -> datetime | None:
    """Return when to remind the master of a waiting result, or None without one."""
    nudged = game.clock.master_reminded if awaits_release(game) else None
    return nudged + RELEASE_REMINDER_INTERVAL if nudged else None


def remind_master(game: Game, now: datetime) -> list[Letter]:
    """Remind the master of the waiting result. Release it if no master is left."""
    if not _masters(game):
        return adjudicate(game, now)
    game.change(clock=replace(game.clock, master_reminded=now))
    return [_held_letter(game, seat) for seat in _masters(game)]


_RENEWED = ("seed-renewed", "seed-renewed-stream")
"""Codes of the event with the previous seed.

The second adds the hash of numbered dice.
"""


def renew_seed(game: Game, now: datetime) -> Phrase:
    """Give a game a new random seed. Return the phrase with its hash for all players.

    HISTORY stores it with the seed before, which is published. Turns already played keep
    theirs.
    """
    was = game.seed
    game.change(seed=new_seed())
    dice = Dice(game.seed, 0)
    facts = {"game": game.name, "commitment": dice.commitment(), "was": was.hex()}
    news = phrase(_RENEWED[0], **facts)
    if find_system(game.system).numbered_dice:
        news = phrase(_RENEWED[1], **facts, stream=dice.stream_commitment())
    record_in_history(game, news, now)
    return news


def seeds_since_start(present: bytes, events: Sequence[Event]) -> list[bytes]:
    """Return the seeds of a game from its last start on, the present one last.

    An unknown one is empty.
    """
    seeds = [present]
    for event in reversed(events):
        if event.kind == LetterKind.START.value:
            break
        told = json.loads(event.text)
        if told.get("code") in _RENEWED:
            seeds.insert(0, bytes.fromhex(str(told["was"])))
    return seeds
