"""Application: the parts of the judge, built from a configuration."""

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import Any

from judge.clock import Clock, SteadyClock, SystemClock
from judge.config import Config
from judge.config_values import read_days
from judge.daemon.rate_limit import HOUR, MAX_OCTETS_PER_ADDRESS, may_go_to_strangers, may_send_html
from judge.dice import new_seed
from judge.games import find_head
from judge.games.added_maps import use_source
from judge.mail.address import JudgeAddresses
from judge.mail.imap.account import read_account
from judge.mail.language.vocabulary import CommandLanguage
from judge.mail.outbound.compose import Headers, compose_text
from judge.mail.outbound.layout import strip_controls
from judge.mail.outbound.length_limit import MAX_STRANGER_OCTETS, ReplyAllowance, bounded_length
from judge.mail.outbound.render import Renderer
from judge.mail.outbound.third_party_text import CONTINUATION_MARK, mark_third_party
from judge.model.letter import Letter, LetterKind, PictureRequest
from judge.model.record import NO_ID, DeliveryState, Outgoing
from judge.model.replace import replace
from judge.play.commands.row import CommandRow
from judge.play.commands.table import COMMANDS
from judge.play.dispatcher import Dispatcher
from judge.play.game import Context, LoadedGames
from judge.play.game_settings import Policy
from judge.play.letters.letter_factory import localize_letters
from judge.play.passwords import PasswordCheck
from judge.play.resolver import Resolver
from judge.play.tokens import Tokens
from judge.store.addresses import Bans, BounceCounts
from judge.store.database import Store
from judge.store.games import Finishes, Games, RollbackArchive
from judge.store.key_values import KeyValues
from judge.store.mail_queues import Post
from judge.store.mailboxes import Mailboxes
from judge.store.maps import Maps
from judge.store.pending import Appointments, Bundles, PendingPress, Pictures
from judge.store.people import Aliases, Outreach, People, PersonRegister
from judge.store.table import EPOCH

log = logging.getLogger("judge")

_TO_STRANGERS = (LetterKind.ERROR.value, LetterKind.INFO.value, LetterKind.HELP.value)
"""Kinds of replies that are limited when they belong to no game."""
_LIMITED = (*_TO_STRANGERS, LetterKind.CONFIRM.value)
"""Kinds of all limited letters of no game."""
_AT_ONCE = 50
"""Maximum number of finished letters in memory before they are queued."""


@dataclass(frozen=True, slots=True)
class Application:
    """Objects needed to process a mail or a due game."""

    config: Config
    clock: Clock
    store: Store
    games: Games
    post: Post
    pictures: Pictures
    key_values: KeyValues
    bounce_counts: BounceCounts
    context: Context
    dispatcher: Dispatcher
    resolver: Resolver
    renderer: Renderer
    language: CommandLanguage
    """Language of the commands in mails."""

    @property
    def host(self) -> str:
        """Return the domain of the judge's address."""
        return self.config.judge.address.rpartition("@")[2]

    @property
    def ours(self) -> JudgeAddresses:
        """Return the addresses of the judge and its operator."""
        config = self.config
        return JudgeAddresses(config.judge.address, config.judge.keeper, config.listen.separator)

    @contextmanager
    def unit_of_work(self) -> Iterator["Application"]:
        """Begin a unit of work in a transaction, and yield its application."""
        with self.context.unit_of_work() as context:
            yield self._within(context)

    def read_session(self) -> "Application":
        """Return an application for reading, which caches what it has read.

        Nothing may be changed with it.
        """
        return self._within(self.context.read_session())

    def _within(self, context: Context) -> "Application":
        return replace(
            self,
            context=context,
            dispatcher=self.dispatcher.within(context),
            resolver=Resolver(context),
        )

    def queue(self, letters: Iterable[Letter], answers: int = 0, reached: str = "") -> int:
        """Render letters into the outgoing queue. Return their number.

        It must run inside the transaction that caused them. `answers` is the id of the mail that
        some of them answer. Replies to mails that opened no seat are limited by address, so that
        the judge cannot be used to flood a victim. `reached` is an address that does not bounce,
        because a mail has just arrived from it.
        """
        many = 0
        now = self.clock.now()
        letters = list(letters)
        opened = any(letter.game and letter.answers for letter in letters)
        news = {p.sketch for letter in letters if not letter.answers for p in letter.pictures}
        shares = ReplyAllowance(self.renderer)
        ready: list[tuple[Letter, Outgoing]] = []
        for letter in localize_letters(self.context, letters):
            limited = not opened and not letter.game and letter.kind.value in _LIMITED
            if limited or len(ready) >= _AT_ONCE:
                # The limits below must count the letters so far.
                many += self._post(ready, news, reached, now)
                ready = []
            if limited and self._is_over_limit(letter, now):
                log.warning("no more answers to <%s> for now", letter.to)
                continue
            if limited and self._is_flooded(letter, now):
                log.warning("no more text to <%s> for now", letter.to)
                continue
            if limited and self._is_text_only(letter, now):
                letter = replace(letter, plain=True)
            message_id = self.new_message_id()
            # A letter for a later day is dated as if it were written then.
            due = max(letter.due or now, now)
            message = shares.message(letter, due, message_id)
            ready.append((letter, Outgoing(
                id=NO_ID,
                to=letter.to,
                sender=self.config.judge.address,
                message_id=message_id,
                message=message.octets,
                queued=due,
                due=due,
                game=letter.game,
                kind=letter.kind.value,
                answers=answers if letter.answers else 0,
                places=message.places,
                priority=letter.priority.value,
            )))
        return many + self._post(ready, news, reached, now)

    def _post(
        self,
        ready: Sequence[tuple[Letter, Outgoing]],
        news: Collection[PictureRequest],
        reached: str,
        now: datetime,
    ) -> int:
        """Queue finished letters in few statements. Return their number.

        Those to suspended addresses are stored as failed. Others wait for their pictures. Pictures
        in *news*, which no person asked for, have priority.
        """
        if not ready:
            return 0
        low = reached.lower()
        suspended = self.bounce_counts.find_suspended(
            [out.to for _, out in ready if out.to.lower() != low]
        )
        rests = [out.to.lower() in suspended for _, out in ready]
        drawn = self.pictures.request_pictures({
            picture.sketch: picture.sketch not in news
            for (letter, _), rest in zip(ready, rests) if not rest
            for picture in letter.pictures
        }, now)
        numbers = self.post.queue_all([
            replace(out, state=DeliveryState.FAILED, error="the address bounces") if rest
            else replace(out, waits=not all(drawn[p.sketch] for p in letter.pictures))
            for (letter, out), rest in zip(ready, rests)
        ])
        for (letter, _), number in zip(ready, numbers):
            if letter.outreach:
                self.context.outreach.record_letter(letter.outreach, number)
        return len(ready)

    def _is_over_limit(self, letter: Letter, now: datetime) -> bool:
        """Return whether a reply to a stranger exceeds this hour's limits.

        There is one limit for each address and one for all strangers. From lines are easily forged,
        and replies go to the addresses they name. The second limit does not apply to known
        addresses.
        """
        many = self.post.answers_to(letter.to, _TO_STRANGERS, now - HOUR)
        if letter.kind is not LetterKind.CONFIRM and many >= self.config.policy.strangers_per_hour:
            return True
        went = self.post.count_strangers_mailed(_LIMITED, now - HOUR)
        came = partial(self.post.received_octets, now - HOUR)
        if may_go_to_strangers(*went, came) or self.is_known(letter.to):
            return False
        if letter.kind is LetterKind.CONFIRM:
            # The confirmation was not requested, so that the next mail may request it.
            self.context.people.delete_question(f"address {letter.to.casefold()}")
        return True

    def _is_text_only(self, letter: Letter, now: datetime) -> bool:
        """Return whether a stranger gets text only, as much went to strangers this hour."""
        _, octets = self.post.count_strangers_mailed(_LIMITED, now - HOUR)
        return not (may_send_html(octets) or self.is_known(letter.to))

    def _is_flooded(self, letter: Letter, now: datetime) -> bool:
        """Return whether a reply exceeds an address's hourly limit of text.

        It is for replies to mails that opened no seat, whose addressee may not have asked for them.
        A reply within the limit is counted. Files have limits of their own.
        """
        if letter.kind is LetterKind.CONFIRM:
            return False
        people, what = self.context.people, f"text {letter.to}"
        octets = bounded_length(self.renderer, letter, MAX_STRANGER_OCTETS)
        if people.served_since(what, now - HOUR) + octets > MAX_OCTETS_PER_ADDRESS:
            return True
        people.record_served(what, octets, now)
        return False

    def is_known(self, address: str) -> bool:
        """Return whether an address is confirmed, or registered for a seat."""
        return self.context.people.is_confirmed(address) or bool(self.games.seats_at(address))

    @property
    def mailbox(self) -> str:
        """Name of the mailbox that mail is fetched from, or empty."""
        fetch = self.config.fetch.from_
        return read_account(fetch).name if fetch else ""

    def mail_complete_until(self, now: datetime) -> datetime:
        """Return the instant up to which all mail is stored, at most *now*.

        Mail in a mailbox is stored up to the start of the last complete look.
        """
        if not self.mailbox:
            return now
        return min(Mailboxes(self.store).state(self.mailbox).looked or EPOCH, now)

    def notify_operator(self, subject: str, text: str, now: datetime, cites: str = "") -> None:
        """Queue a plain letter to the operator."""
        self.queue_plain_letter(self.config.judge.keeper, subject, text, now, cites)

    def queue_plain_letter(
        self, address: str, subject: str, text: str, now: datetime, cites: str = ""
    ) -> None:
        """Queue a plain letter without a template, as a template may have failed.

        `cites` is appended as third-party text, such as others' words or a traceback that may
        contain them.
        """
        if cites:
            quoted = mark_third_party(strip_controls(cites.rstrip()))
            text = f"{text}\n\n{quoted.replace(CONTINUATION_MARK, '')}".strip()
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
            id=NO_ID, to=address, sender=self.config.judge.address, message_id=message_id,
            message=compose_text(headers, text), queued=now, due=now, kind="notice",
        )
        self.post.queue(out)

    def new_message_id(self) -> str:
        """Return a new, unique Message-ID."""
        return f"<{new_seed()[:15].hex()}@{self.host}>"


def trusted_clock(clock: Clock, key_values: KeyValues) -> Clock:
    """Return a steady clock for the machine's clock, or any other clock unchanged."""
    return (
        SteadyClock(clock, key_values.last_reading()) if isinstance(clock, SystemClock) else clock
    )


def policy_of(config: Config) -> Policy:
    """Return the operator's settings that the package `play` needs."""
    same = Policy.__dataclass_fields__.keys() & config.policy.__dataclass_fields__.keys()
    values: dict[str, Any] = {name: getattr(config.policy, name) for name in same}
    values["confirm"] = config.must_confirm
    return Policy(
        judge=config.judge.name,
        address=config.judge.address,
        keeper=config.judge.keeper,
        archive=config.judge.archive,
        shortest=config.clock.shortest,
        holidays=read_days(config.clock.holidays),
        **values,
    )


@cache
def _language() -> CommandLanguage:
    """Return the language of all commands, which is built once."""
    return CommandLanguage(COMMANDS, find_head)


def open_application(
    config: Config, clock: Clock, *, create: bool, commands: Sequence[CommandRow] = COMMANDS
) -> Application:
    """Open the database and build the parts of the judge.

    *commands* are those that mails may contain.

    Raises:
        StoreError: the database is missing (and is not to be made), or cannot be used.
    """
    store = Store(config.store.url)
    store.open(create=create)
    games, key_values, maps = Games(store), KeyValues(store), Maps(store)
    use_source(maps)
    clock = trusted_clock(clock, key_values)
    tokens = Tokens(lambda: key_values.keys(clock.now()))
    context = Context(
        LoadedGames(games), People(store), PasswordCheck(new_seed()), tokens, policy_of(config),
        PersonRegister(store), Bundles(store), RollbackArchive(store), Bans(store), Aliases(store),
        PendingPress(store), Finishes(store), Appointments(store), Outreach(store), maps,
    )
    language = _language() if commands is COMMANDS else CommandLanguage(commands, find_head)
    return Application(
        config=config,
        clock=clock,
        store=store,
        games=games,
        post=Post(store),
        pictures=Pictures(store),
        key_values=key_values,
        bounce_counts=BounceCounts(store),
        context=context,
        dispatcher=Dispatcher(context, clock, commands),
        resolver=Resolver(context),
        renderer=Renderer(
            language, config.judge.name, config.judge.address, config.listen.separator,
            has_sub_addresses=bool(config.listen.detail),
        ),
        language=language,
    )


@contextmanager
def use_application(config: Config, clock: Clock) -> Iterator[Application]:
    """Open the database for a block of one thread, and close it afterwards.

    Raises:
        StoreError: the database is missing, or cannot be used.
    """
    application = open_application(config, clock, create=False)
    with closing(application.store):
        yield application
