"""Terminal with prepared answers."""

from collections.abc import Sequence


class Script:
    """A dialogue with prepared answers. Without any, nothing can be asked."""

    def __init__(self, answers: Sequence[str] = (), line: str = "") -> None:
        self.answers = list(answers)
        self.is_interactive = bool(answers)
        self.lines: list[str] = []
        self.line = line
        """First line of standard input."""
        self.is_fine = False

    @property
    def text(self) -> str:
        """All lines and questions so far."""
        return "\n".join(self.lines)

    def has(self, *parts: str) -> bool:
        """Return whether all these texts were printed."""
        return all(part in self.text for part in parts)

    def say(self, line: str) -> None:
        """Note a line."""
        self.lines.append(line)

    def ask(self, question: str) -> str:
        """Return the next answer."""
        self.lines.append(question)
        return self.answers.pop(0)

    def ask_password(self, question: str) -> str:
        """Return the next answer."""
        return self.ask(question)

    def read_line(self) -> str:
        """Return the first line of standard input."""
        return self.line
