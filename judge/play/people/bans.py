"""Whom the keeper takes no mail from: a person, at all addresses known as one's.

Such a mail is kept, and neither carried out nor answered; only UNSUBSCRIBE still works, in silence,
for nobody is to get letters against his will.
"""

from judge.play.game import Office
from judge.play.tokens import Purpose
from judge.words.command import Sheet
from judge.words.incoming import Incoming
from judge.words.seats import SignOn, Unsubscribe


def is_banned(office: Office, address: str) -> bool:
    """Tell whether an address is banned: itself, its domain, or another one of its person."""
    return bool(address) and office.watchbook.is_banned(*office.aliases.of(address))


def leave_taken(office: Office, mail: Incoming, sheet: Sheet) -> Sheet:
    """Return what a mail of somebody banned may still do: end a subscription, or nothing."""
    token = office.tokens.read(mail.detail)
    if token is not None and token.purpose is Purpose.UNSUBSCRIBE:
        return Sheet((Unsubscribe(line=0, text="UNSUBSCRIBE"),))
    if not any(isinstance(one, Unsubscribe) for one in sheet.commands):
        return Sheet(())
    return Sheet(tuple(one for one in sheet.commands if isinstance(one, (SignOn, Unsubscribe))))
