"""Mails as sent by programs to a running game, and their results."""

import json
from email.message import EmailMessage

from tests.journeys.rig import Rig, text_of

ANN, BOB, GM = "ann@field.example", "bob@field.example", "gm@field.example"
ALL = ["A MAR - SPA", "A PAR - BUR", "F BRE - MAO"]
PLAIN = "Content-Type: text/plain; charset=utf-8\n"
HTML = "Content-Type: text/html; charset=utf-8\n"


def begin() -> Rig:
    """Return a running game in which Ann is France and Bob is Germany."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard")
    made.mail(ANN, "JOIN france@marco annsecret")
    made.mail(BOB, "JOIN germany@marco bobsecret")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    return made


def send(rig: Rig, raw: str, sender: str = ANN) -> list[str]:
    """Mail a message as a reply to the newest letter, and return the replies as text."""
    letter = rig.newest[sender]
    to = str(letter["Reply-To"])
    raw = raw.replace("TO-ADDRESS", to).replace("LETTER-ID", str(letter["Message-ID"]))
    rig.mails += 1
    rig.take(f"Message-ID: <{rig.mails}@field.example>\n{raw}".encode(), sender, to)
    return [text_of(each) for each in take_all(rig, sender)]


def take_all(rig: Rig, address: str = ANN) -> list[EmailMessage]:
    """Return the letters to an address, and empty its box."""
    box = [*rig.boxes.get(address, ())]
    rig.boxes.pop(address, None)
    return box


def read_filed_orders(rig: Rig, power: str = "France") -> list[str]:
    """Return the orders of a power on file."""
    with rig.application.context.unit_of_work() as context:
        game = context.games.find("marco")
        assert game is not None
        return sorted(json.loads(game.orders(game.phase).get(power, "[]")))


def mail(kind: str, body: str, *more: str) -> str:
    """Return a mail with its content type. *more* are other header lines."""
    heads = ["From: Ann <ann@field.example>", "To: TO-ADDRESS", "Subject: Re: marco",
             "In-Reply-To: LETTER-ID", "MIME-Version: 1.0", *more]
    return "\n".join([*heads, kind.rstrip("\n"), "", body])


def parts(kind: str, *found: str) -> str:
    """Return a multipart mail."""
    inner = "".join(f"--b\n{part}\n" for part in found)
    return mail(f"Content-Type: multipart/{kind}; boundary=b", f"{inner}--b--\n")


def part(body: str, kind: str = "text/plain", name: str = "", way: str = "attachment") -> str:
    """Return one part. With a name it has a disposition."""
    shown = f'Content-Disposition: {way}; filename="{name}"\n' if name else ""
    return f"Content-Type: {kind}\n{shown}\n{body}"


def both(plain: str, html: str) -> str:
    """Return a mail in plain text and HTML."""
    return parts("alternative", part(plain), part(html, "text/html"))
