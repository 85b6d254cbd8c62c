"""What players let each other order, and who is told of it."""

from judge.play.commands.outcome import NOTHING, Outcome, Watched, said
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.office import is_present, seat_of_power
from judge.play.orders.proxies import tell_holders, trust_key, trust_keys, trusts_now
from judge.words.letter import Letter
from judge.words.reason import because


def watch(session: Session, game: Game) -> Outcome:
    """Remember what was entrusted to whom before this mail changes orders."""
    if game.id in session.trusted:
        return NOTHING
    return Watched(game.id, trusts_now(game))


def warn(session: Session, game: Game) -> Outcome:
    """Tell the open seat of units it lets somebody order who is not there."""
    before, did = trust_keys(session.trusted.get(game.id, ())), NOTHING
    for trust in trusts_now(game):
        holder = seat_of_power(game, trust.holder)
        if trust.owner == session.seat.power and trust_key(trust) not in before:
            if holder is None or not is_present(holder):
                did += said(because("proxy-to-vacant", power=trust.holder, unit=trust.unit))
    return did


def proxy_letters(session: Session) -> list[Letter]:
    """Tell players which units they may order since this mail, and which no longer."""
    letters = []
    for game_id, before in session.trusted.items():
        game = session.office.games.get(game_id)
        letters += tell_holders(game, before, trusts_now(game))
    return letters
