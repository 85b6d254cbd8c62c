"""The command language with all commands, as the tested judge reads it."""

from functools import partial

from judge.games import find_head
from judge.mail.language import mail_parser
from judge.mail.language import unclosed_press as swallowing
from judge.mail.language.vocabulary import CommandLanguage
from judge.mail.outbound import third_party_text
from judge.play.commands.table import COMMANDS

LANGUAGE = CommandLanguage(COMMANDS, find_head)
FORMS = {word: form.line for word, form in LANGUAGE.forms.items()}
"""Usage line of each command, by its first words."""
PRESS = LANGUAGE.press

read_sheet = partial(mail_parser.parse_mail, LANGUAGE)
swallowed = partial(swallowing.find_unclosed_press, LANGUAGE)
quoted = partial(third_party_text.quote_lines, LANGUAGE)
