"""The command language with all commands, as the tested judge reads it."""

from functools import partial

from judge.games import find_head
from judge.mail.language import sheet
from judge.mail.language import unclosed_press as swallowing
from judge.mail.language.vocabulary import Language
from judge.mail.outbound import citing
from judge.play.commands.table import COMMANDS

LANGUAGE = Language(COMMANDS, find_head)
FORMS = {word: form.line for word, form in LANGUAGE.forms.items()}
"""Usage line of each command, by its first words."""
PRESS = LANGUAGE.press

read_sheet = partial(sheet.read_sheet, LANGUAGE)
swallowed = partial(swallowing.swallowed, LANGUAGE)
quoted = partial(citing.quoted, LANGUAGE)
