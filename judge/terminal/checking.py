"""What `judge check` looks at, from the configuration to the database."""

from collections.abc import Callable, Iterator

from judge.config import Config
from judge.dice import Dice
from judge.errors import DataError, JudgeError
from judge.games import all_systems, opening_table
from judge.games.painting import paint
from judge.games.system import Reader, Watcher
from judge.mail.language import Language
from judge.mail.render import Renderer
from judge.mail.sheet import read_sheet
from judge.phrases import Phrasebook
from judge.play.commands.table import COMMANDS
from judge.site.pages import Pages
from judge.store.database import Store
from judge.store.mark import must_not_be_new
from judge.terminal.premises import (
    look_at_addresses,
    look_at_delivery,
    look_at_files,
    look_at_senders,
)
from judge.words.incoming import Line
from judge.words.picture import Sketch

Finding = tuple[bool, str]
"""Whether something is right, and the line that says so."""

Check = Callable[[Config], Iterator[str]]


def check_house(config: Config) -> Iterator[Finding]:
    """Yield a finding for each thing looked at; nothing is changed."""
    for look in (
        _configuration, look_at_addresses, look_at_delivery, look_at_senders, look_at_files,
        _games, _languages, _templates, _pictures, _database,
    ):
        try:
            for line in look(config):
                yield True, line
        except (JudgeError, OSError) as fault:
            yield False, str(fault)


def _configuration(config: Config) -> Iterator[str]:
    source = config.file or "none, so every key has its default"
    yield f"configuration: {source}"
    yield f"mail comes in at {config.listen.smtp or config.listen.lmtp or 'nowhere'}"
    yield f"letters go to {config.deliver.to.rpartition('@')[2]}"


def _games(config: Config) -> Iterator[str]:
    for system in all_systems():
        for name, title in system.maps().items():
            position = system.opening(name, {}, Dice(bytes(32), 0))
            table = system.table(name, position, {})
            yield f"{system.title} on {title} ({name}): {len(system.sides(name))} powers, " + (
                f"begins in {table.phase.label}"
            )


def _languages(config: Config) -> Iterator[str]:
    if read_sheet(Language(COMMANDS), [Line(1, "STATUS")]).complaints:
        raise DataError("the command language does not know STATUS")
    for system in all_systems():
        table = opening_table(system)
        table.read_orders([Line(1, "hold")], table.alive()[0], {})
    yield f"grammars: commands, {', '.join(system.name for system in all_systems())}"


def _templates(config: Config) -> Iterator[str]:
    detail = config.listen.detail
    Renderer(Language(COMMANDS), config.judge.name, config.judge.address, detail).check()
    Pages(config.judge.name, str).check()
    for system in all_systems():
        Phrasebook(system.name)
    yield "templates, pages and phrases: all can be read"


def _pictures(config: Config) -> Iterator[str]:
    for system in all_systems():
        name = next(iter(system.maps()))
        source = opening_table(system).sketch(Reader(Watcher.MASTER))
        octets = paint(Sketch(system.name, source, "check"))
        yield f"pictures: the board of {name} is drawn, {len(octets) // 1000} kB"


def _database(config: Config) -> Iterator[str]:
    file = config.store.file
    must_not_be_new(file)
    if file is not None and not file.exists():
        yield f"database: {file} is missing; `judge serve` will make it"
        return
    store = Store(config.store.url)
    store.open(create=False)
    try:
        yield f"database: {file}, {store.pragma('quick_check')}"
    finally:
        store.close()
