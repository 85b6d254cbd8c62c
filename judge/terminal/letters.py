"""Letters of the outgoing Maildir, readable in a terminal: `judge inbox`."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from judge.config import Config
from judge.errors import ConfigError
from judge.mail.maildir import newest

_SHOWN = ("From", "To", "Subject", "Date")
_RULE = "-" * 72


def outgoing_maildir(config: Config) -> Path:
    """Return the folder of the Maildir letters are delivered to.

    Raises:
        ConfigError: letters go elsewhere.
    """
    folder = config.deliver.maildir
    if folder is None:
        raise ConfigError(
            "letters go to a mail server, not to a Maildir: read them there ([deliver] to)"
        )
    return folder


def inbox(config: Config, address: str, limit: int) -> str:
    """Return the newest letters to an address (empty: to anybody), oldest of them first."""
    folder = outgoing_maildir(config)
    letters = newest(folder, address, limit)
    if not letters:
        return f"No letter{f' to {address}' if address else ''} in {folder} yet."
    return show_letters([read_letter(raw) for raw in reversed(letters)])


def read_letter(raw: bytes) -> EmailMessage:
    """Return a letter of ours as a message."""
    letter = message_from_bytes(raw, policy=policy.default)
    assert isinstance(letter, EmailMessage)
    return letter


def show_letters(letters: list[EmailMessage]) -> str:
    """Return letters as text, each under a rule."""
    return "\n\n".join(f"{_RULE}\n{show_letter(letter)}" for letter in letters)


def show_letter(letter: EmailMessage) -> str:
    """Return a letter as text: the headers a person looks at, and the plain text."""
    body = letter.get_body(("plain",))
    text = "" if body is None else str(body.get_content())
    heads = [f"{name}: {letter[name]}" for name in _SHOWN if letter[name]]
    return printable("\n".join([*heads, "", text.rstrip()]))


def printable(text: str) -> str:
    r"""Return a text that cannot steer a terminal: control characters are shown, not obeyed.

    >>> printable("a\x1b[2Jb")
    'a?[2Jb'
    """
    return "".join(c if c in "\n\t" or c.isprintable() else "?" for c in text)
