"""SET NOTICES and SET DIGEST: which letters a seat wants, and when."""

from dataclasses import replace

from judge.play.choices.kinds import PHASE, muted_by
from judge.play.commands.outcome import Outcome, refused, said
from judge.play.commands.session import Session
from judge.play.digests.sifting import digest_due, muted_kinds
from judge.play.letters.telling import zone_of
from judge.words.command import Command
from judge.words.reason import Reason, because
from judge.words.record import Role


def set_notices(session: Session, command: Command, words: tuple[str, ...]) -> Outcome:
    """Note which kinds of letter the open seat wants."""
    seat = session.seat
    muted = muted_by(words, muted_kinds(seat), seat.role)
    if isinstance(muted, Reason):
        return refused(command, muted, "SET NOTICES ALL")
    settings = replace(seat.settings, muted=muted)
    session.office.games.save_seat(replace(seat, settings=settings))
    return said(because("notices-muted", kinds=muted) if muted else because("notices-all"))


def set_digest(session: Session, command: Command, wish: int | str | None) -> Outcome:
    """Note when an observer wants what there is: at once, with the results, or once a day."""
    seat, office = session.seat, session.office
    if seat.role not in (Role.OBSERVER, Role.MONITOR):
        return refused(command, because("digest-observers-only"))
    office.games.save_seat(replace(seat, settings=replace(seat.settings, digest=wish)))
    if isinstance(wish, int):
        hour = f"{wish // 60:02}:{wish % 60:02}"
        did = said(because("digest-day", time=hour, zone=zone_of(session.game, seat)))
    else:
        did = said(because("digest-phase" if wish == PHASE else "digest-off"))
    # What waits already is told when the digest asked for now would have told it.
    changed = office.games.seat(seat.id)
    assert changed is not None
    daily = isinstance(wish, int)
    due = digest_due(session.game, changed, session.now) if daily else session.now
    office.bundles.hasten(seat.id, due or session.now)
    return did
