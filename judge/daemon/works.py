"""The parts of the judge, put together from a configuration."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
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
from judge.store.post import Post
from judge.store.register import Register
from judge.words.letter import Letter
from judge.words.record import Outgoing

log = logging.getLogger("judge")

_LOOKED_BEHIND = 100
"""How many letters of games to an address are looked past when its other answers are counted."""


@dataclass(frozen=True, slots=True)
class Works:
    """Everything a mail or a due game is worked with."""

    config: Config
    clock: Clock
    store: Store
    games: Games
    post: Post
    memory: Memory
    desk: Desk
    resolver: Resolver
    renderer: Renderer

    @property
    def host(self) -> str:
        """Return the domain of the judge's address."""
        return self.config.judge.address.rpartition("@")[2]

    def queue(self, letters: Iterable[Letter], answers: int = 0) -> int:
        """Render letters into the outgoing queue, inside the transaction that caused them.

        `answers` is the number of the mail that some of them answer. Answers that belong to no
        game are limited by address: nobody is to be flooded through us.
        """
        many = 0
        now = self.clock.now()
        for letter in letters:
            if not letter.game and self._had_enough(letter.to, now):
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
            self.post.queue(out)
            many += 1
        return many

    def _had_enough(self, address: str, now: datetime) -> bool:
        """Tell whether a stranger's address has had its answers for this hour."""
        most = self.config.policy.strangers_per_hour
        recent = [
            out
            for out in self.post.newest_out(most + _LOOKED_BEHIND, address)
            if not out.game and out.kind and now - out.queued < timedelta(hours=1)
        ]
        return len(recent) >= most

    def tell_keeper(self, subject: str, text: str, now: datetime) -> None:
        """Queue a plain letter to the keeper; no template, for it may be a template that failed."""
        message_id = self.new_message_id()
        headers = Headers(
            sender=self.config.judge.address,
            to=self.config.judge.keeper,
            subject=subject,
            message_id=message_id,
            date=now,
            auto="auto-generated",
        )
        out = Outgoing(
            id=0,
            to=self.config.judge.keeper,
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
    )
    keyring, tokens = Keyring(fresh_seed()), Tokens(memory.secret())
    office = Office(games, keyring, tokens, policy, Register(store))
    return Works(
        config=config,
        clock=clock,
        store=store,
        games=games,
        post=Post(store),
        memory=memory,
        desk=Desk(office, clock),
        resolver=Resolver(office),
        renderer=Renderer(config.judge.name, config.judge.address, config.listen.detail),
    )
