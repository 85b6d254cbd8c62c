"""The lines of a `REGISTER … END` block: `Field: value`, one a line."""

import re

from judge.mail.blocks import Block
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.reason import because
from judge.words.seats import Register

_FIELD = re.compile(r"\s*([A-Za-z][A-Za-z -]{0,30}?)\s*[:=]\s*(.*)")


def read_registration(block: Block) -> tuple[Register, list[Complaint]]:
    """Return what a block says of its writer, and a complaint for each line that is no field."""
    opening = block.opening
    fields: list[tuple[str, str]] = []
    complaints = []
    for number, line in enumerate(block.body, opening.number + 1):
        if found := _FIELD.fullmatch(line):
            fields.append((found[1].lower(), found[2].strip()))
        elif line.strip():
            complaints.append(
                Complaint(
                    ComplaintKind.UNREADABLE,
                    number,
                    line.strip(),
                    because("register-line"),
                    suggestions=("Name: Ann Example",),
                )
            )
    command = Register(line=opening.number, text=opening.raw, fields=tuple(fields))
    return command, complaints
