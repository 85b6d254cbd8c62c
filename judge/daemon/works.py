"""The parts of the judge, put together from a configuration."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.clock import Clock
from judge.config import Config, read_days
from judge.dice import fresh_seed
from judge.mail.compose import Headers, compose
from judge.mail.render import Renderer
from judge.play.desk import Desk
from judge.play.keyring import Keyring
from judge.play.office import Office
from judge.play.policy import Policy
from judge.play.resolver import Resolver
from judge.play.tokens import Tokens
from judge.store.database import Store
from judge.store.games import Games
from judge.store.memory import Memory
from judge.store.people import People
from judge.store.post import Post
from judge.store.reach import Reach
from judge.store.register import Register
from judge.words.letter import Kind, Letter
from judge.words.record import Outgoing, OutState

log = logging.getLogger("judge")

_TO_STRANGERS = (Kind.ERROR.value, Kind.INFO.value, Kind.HELP.value)
"""The kinds of answers that are limited when they belong to no game."""


@dataclass(frozen=True, slots=True)
class Works:
    """Everything a mail or a due game is worked with."""

    config: Config
    clock: Clock
    store: Store
    games: Games
    post: Post
    memory: Memory
    reach: Reach
    office: Office
    desk: Desk
    resolver: Resolver
    renderer: Renderer

    @property
    def host(self) -> str:
        """Return the domain of the judge's address."""
        return self.config.judge.address.rpartition("@")[2]

    def queue(self, letters: Iterable[Letter], answers: int = 0) -> int:
        """Render letters into the outgoing queue, inside the transaction that caused them.

        `answers` is the number of the mail that some of them answer. The answers to mails that
        opened no seat are limited by address: nobody is to be flooded through us.
        """
        many = 0
        now = self.clock.now()
        letters = list(letters)
        opened = any(letter.game and letter.answers for letter in letters)
        for letter in letters:
            if not opened and self._had_enough(letter, now):
                log.warning("no more answers to <%s> this hour", letter.to)
                continue
            message_id = self.new_message_id()
            out = Outgoing(
                id=0,
                to=letter.to,
                sender=self.config.judge.address,
                message_id=message_id,
                message=self.renderer.message(letter, now, message_id),
                queued=now,
                due=now,
                game=letter.game,
                kind=letter.kind.value,
                answers=answers if letter.answers else 0,
            )
            if self.reach.is_suspended(letter.to):
                out = replace(out, state=OutState.FAILED, error="the address bounces")
            self.post.queue(out)
            many += 1
        return many

    def _had_enough(self, letter: Letter, now: datetime) -> bool:
        """Tell whether this is an answer to a stranger who has had enough of them this hour."""
        if letter.game or letter.kind.value not in _TO_STRANGERS:
            return False
        hour_ago = now - timedelta(hours=1)
        many = self.post.answers_to(letter.to, _TO_STRANGERS, hour_ago)
        return many >= self.config.policy.strangers_per_hour

    def tell_keeper(self, subject: str, text: str, now: datetime) -> None:
        """Queue a plain letter to the keeper."""
        self.tell(self.config.judge.keeper, subject, text, now)

    def tell(self, address: str, subject: str, text: str, now: datetime) -> None:
        """Queue a plain letter; no template, for it may be a template that failed."""
        message_id = self.new_message_id()
        headers = Headers(
            sender=self.config.judge.address,
            to=address,
            subject=subject,
            message_id=message_id,
            date=now,
            auto="auto-generated",
        )
        out = Outgoing(
            id=0,
            to=address,
            sender=self.config.judge.address,
            message_id=message_id,
            message=compose(headers, text),
            queued=now,
            due=now,
            kind="notice",
        )
        self.post.queue(out)

    def new_message_id(self) -> str:
        """Return a Message-ID nobody has used."""
        return f"<{fresh_seed()[:15].hex()}@{self.host}>"


def open_works(config: Config, clock: Clock, *, create: bool) -> Works:
    """Open the database and put the parts together.

    Raises:
        StoreError: the database is missing (and is not to be made), or cannot be used.
    """
    store = Store(config.store.url)
    store.open(create=create)
    games, memory = Games(store), Memory(store)
    policy = Policy(
        judge=config.judge.name,
        address=config.judge.address,
        keeper=config.judge.keeper,
        create=config.policy.create,
        strangers_per_hour=config.policy.strangers_per_hour,
        outage_grace=config.policy.outage_grace,
        holidays=read_days(config.clock.holidays),
        confirm=config.must_confirm,
    )
    tokens = Tokens(lambda: memory.keys(clock.now()))
    office = Office(
        games, People(store), Keyring(fresh_seed()), tokens, policy, Register(store)
    )
    return Works(
        config=config,
        clock=clock,
        store=store,
        games=games,
        post=Post(store),
        memory=memory,
        reach=Reach(store),
        office=office,
        desk=Desk(office, clock),
        resolver=Resolver(office),
        renderer=Renderer(config.judge.name, config.judge.address, config.listen.detail),
    )
