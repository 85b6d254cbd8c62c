"""The language of commands: a mail's lines to values, or to complaints that show the right form."""
