"""Mails set aside after a fault of ours: `judge shunted list | show | retry | drop`.

A listing shows no text of a mail: it may hold a password.
"""

from datetime import datetime

from judge.config import Config
from judge.errors import JudgeError
from judge.store.database import Store
from judge.store.post import Post
from judge.terminal.letters import printable
from judge.words.record import MailState, StoredMail

_HEADERS = ("from", "to", "subject", "date", "message-id")
_REDUCED = " octets, sha256 "
"""What stands in the note of a mail that was cut down to its headers."""
_DROPPED = "dropped by the keeper"


def shunted(config: Config, what: str, number: int, now: datetime) -> str:
    """List the mails set aside, show one, have it worked again, or drop it; return what to say.

    Raises:
        JudgeError: no mail is set aside under that number.
        StoreError: there is no database, or it cannot be used.
    """
    store = Store(config.store.url)
    store.open(create=False)
    try:
        post = Post(store)
        if what == "list":
            mails = post.shunted()
            return "\n".join(map(_line, mails)) or "No mail is set aside."
        mail = post.get(number)
        if mail is None or mail.state is not MailState.SHUNTED:
            raise JudgeError(f"no mail is set aside under {number}; `judge shunted list` shows all")
        if what == "show":
            return _shown(mail)
        if what == "retry":
            if _REDUCED in mail.note:
                raise JudgeError(f"{number} is too old: only its headers are kept")
            post.unshunt(number, MailState.NEW, "", None)
            return (
                f"{number} will be worked again, before all that wait. Orders in it count for the"
                " phase its game is in now."
            )
        post.unshunt(number, MailState.IGNORED, _DROPPED, now)
        return f"{number} is dropped; it stays in the database, but is not worked."
    finally:
        store.close()


def _line(mail: StoredMail) -> str:
    part = f" lines {mail.part}" if mail.part else ""
    fault = mail.note.strip().rpartition("\n")[2]
    return printable(
        f"{mail.id:>6}  {mail.accepted:%Y-%m-%d %H:%M:%S}  <{mail.sender}>"
        f" {len(mail.raw)} octets{part}: {fault[:100]}"
    )


def _shown(mail: StoredMail) -> str:
    """Return what is known of a mail: envelope, headers and the story of the fault."""
    head = mail.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("utf-8", "replace")
    shown = [line for line in head.split("\n") if line.partition(":")[0].lower() in _HEADERS]
    part = [f"Only its lines {mail.part} are set aside."] if mail.part else []
    lines = [
        f"Mail {mail.id} from <{mail.sender}> to {', '.join(mail.recipients)}",
        f"accepted {mail.accepted:%Y-%m-%d %H:%M:%S} UTC, {len(mail.raw)} octets.",
        *part, "", *shown, "", mail.note.rstrip(),
    ]
    return printable("\n".join(lines))
