"""Printed manual: all help topics in the order of the index, as Markdown."""

import re

from judge.help_topics import help_topics, tellers_of
from judge.mail.language.vocabulary import CommandLanguage
from judge.mail.outbound.render import Renderer
from judge.model.letter import Letter, LetterKind
from judge.play.commands.table import COMMANDS
from judge.play.letters.inquiries import help_facts

_HEAD = """# The manual

What `HELP` and `HELP TOPIC` answer by mail, all of it. This file is made of the topics themselves
(`judge manual > docs/reference/manual.md`): change those in `mailtemplates/common/help/`.
"""


def manual() -> str:
    """Return the manual, topics missing from the index last."""
    renderer = Renderer(CommandLanguage(COMMANDS), "Judge", "judge@localhost")
    named = re.findall(r"HELP ([A-Z]+)\b", _text(renderer, "index"))
    order = dict.fromkeys(["index", *map(str.lower, named), *help_topics()])
    topics = [topic for topic in order if topic in help_topics()]
    chapters = [
        f"## HELP {topic.upper()}\n\n```text\n{_text(renderer, topic, system)}\n```\n"
        for topic in topics for system in tellers_of(topic)
    ]
    return "\n".join([_HEAD, *chapters])


def _text(renderer: Renderer, topic: str, system: str = "") -> str:
    letter = Letter(
        kind=LetterKind.HELP, to="", subject="", template=f"help/{topic}",
        facts={"info": help_facts()}, system=system,
    )
    return renderer.text(letter).strip("\n")
