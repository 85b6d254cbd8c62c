"""SET NOTICES and SET DIGEST: which letters a seat wants, and when."""

from dataclasses import replace

from judge.play.choices.kinds import PHASE, muted_by
from judge.play.commands.session import Session
from judge.play.digests.sifting import digest_due, muted_kinds
from judge.play.letters.telling import zone_of
from judge.words.command import Command
from judge.words.reason import Reason, because
from judge.words.record import Role


def set_notices(session: Session, command: Command, words: tuple[str, ...]) -> None:
    """Note which kinds of letter the open seat wants."""
    seat = session.seat
    muted = muted_by(words, muted_kinds(seat), seat.role)
    if isinstance(muted, Reason):
        session.refuse(command, muted, "SET NOTICES ALL")
        return
    settings = {**seat.settings, "muted": list(muted)}
    session.office.games.save_seat(replace(seat, settings=settings))
    session.say(because("notices-muted", kinds=muted) if muted else because("notices-all"))


def set_digest(session: Session, command: Command, value: object) -> None:
    """Note when an observer wants what there is: at once, with the results, or once a day."""
    seat, office = session.seat, session.office
    if seat.role not in (Role.OBSERVER, Role.MONITOR):
        session.refuse(command, because("digest-observers-only"))
        return
    office.games.save_seat(replace(seat, settings={**seat.settings, "digest": value}))
    if value == "":
        session.say(because("digest-off"))
    elif value == PHASE:
        session.say(because("digest-phase"))
    else:
        minutes = int(str(value))
        hour = f"{minutes // 60:02}:{minutes % 60:02}"
        session.say(because("digest-day", time=hour, zone=zone_of(session.game, seat)))
    # What waits already is told when the digest asked for now would have told it.
    changed = office.games.seat(seat.id)
    assert changed is not None
    daily = value not in ("", PHASE)
    due = digest_due(session.game, changed, session.now) if daily else session.now
    office.bundles.hasten(seat.id, due or session.now)
