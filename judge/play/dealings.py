"""What is under way between people of a game: who was asked for what, and who has not answered.

Of a game it is kept among its settings, under names no SET line knows; only here is it known how.
Of a seat it is part of what is set there (`model/seatsettings`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple, TypedDict, Unpack

from judge.model.record import Role, Seat
from judge.model.seatsettings import SeatSettings, SitterAsked, Sitting


@dataclass(frozen=True, slots=True)
class Invitation:
    """A seat kept for somebody: for one power, or (`power` empty) for any."""

    address: str
    power: str
    until: datetime


class Asked(NamedTuple):
    """What somebody asked for who waits for the master: a power or any, with which password."""

    power: str = ""
    password: str = ""
    """argon2id hash; empty where it was not kept."""
    preference: str = ""


@dataclass(frozen=True, slots=True)
class Promotion:
    """Somebody was asked to be a master: the word that shows he read it, and until when it holds.
    """

    word: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Dealings:
    """The dealings of one game; people by their addresses."""

    invited: Mapping[str, Invitation] = field(default_factory=dict)
    """Whom the master keeps a seat for; some of it may be over."""
    asking: Mapping[str, Asked] = field(default_factory=dict)
    """Who asked to play and waits for the master."""
    watchers: Mapping[str, Role] = field(default_factory=dict)
    """Who asked to watch and waits for the master: as observer or monitor."""
    asked_masters: Mapping[str, Promotion] = field(default_factory=dict)
    """Who was asked to be a master; some of it may be over."""
    master_offered: datetime | None = None
    """Since when anybody in the game may be its master, as nothing is heard of him."""
    barred: tuple[str, ...] = ()
    """Who was ejected and stays away."""
    sitting_until: datetime | None = None
    """When the next sitting ends."""


class DealingsChanges(TypedDict, total=False):
    """Dealings that come to be other ones."""

    invited: Mapping[str, Invitation]
    asking: Mapping[str, Asked]
    watchers: Mapping[str, Role]
    asked_masters: Mapping[str, Promotion]
    master_offered: datetime | None
    barred: tuple[str, ...]
    sitting_until: datetime | None


class _Form(NamedTuple):
    """How one of the dealings is written among the settings, and read."""

    write: Callable[[Any], object]
    read: Callable[[Any], Any]
    drops: bool = False
    """What is none is not written at all, rather than as an empty text."""


def _by_address(
    write: Callable[[Any], object], read: Callable[[str, Any], object]
) -> _Form:
    def written(people: Mapping[str, Any]) -> object:
        return {who: write(each) for who, each in people.items()}

    def found(kept: Any) -> object:
        return {who: read(who, each) for who, each in kept.items()}

    return _Form(written, found)


def _instant(text: Any) -> datetime | None:
    return datetime.fromisoformat(str(text)) if text else None


def _instant_written(instant: datetime | None) -> str:
    return instant.isoformat() if instant else ""


def _invitation(address: str, kept: Any) -> Invitation:
    return Invitation(address, str(kept["power"]), datetime.fromisoformat(kept["until"]))


def _invitation_written(each: Invitation) -> object:
    return {"power": each.power, "until": each.until.isoformat()}


def _asked(_: str, kept: Any) -> Asked:
    # Older judges kept no more than the power.
    return Asked(kept) if isinstance(kept, str) else Asked(*map(str, kept))


def _promotion(_: str, kept: Any) -> Promotion:
    return Promotion(str(kept["word"]), datetime.fromisoformat(kept["until"]))


def _promotion_written(each: Promotion) -> object:
    return {"word": each.word, "until": each.until.isoformat()}


def _role_written(role: Role) -> str:
    return str(role.value)


_FORMS: Mapping[str, _Form] = {
    "invited": _by_address(_invitation_written, _invitation),
    "asking": _by_address(list, _asked),
    "watchers": _by_address(_role_written, lambda _, kept: Role(kept)),
    "asked_masters": _by_address(_promotion_written, _promotion),
    "master_offered": _Form(_instant_written, _instant, drops=True),
    "barred": _Form(list, lambda kept: tuple(map(str, kept))),
    "sitting_until": _Form(_instant_written, _instant),
}
NOTHING_UNDER_WAY: Mapping[str, object] = {
    name: form.write(getattr(Dealings(), name)) for name, form in _FORMS.items()
}
"""The names under which dealings stand among the settings, with what stands for none."""


def dealings_in(settings: Mapping[str, Any]) -> Dealings:
    """Return the dealings that are kept among the settings of a game.

    >>> dealings_in({"barred": ["ann@example.org"], "press": "white"}).barred
    ('ann@example.org',)
    """
    return Dealings(
        **{name: form.read(settings[name]) for name, form in _FORMS.items() if name in settings}
    )


def settings_with(
    settings: Mapping[str, object], **changes: Unpack[DealingsChanges]
) -> dict[str, object]:
    """Return the settings of a game in which some of its dealings are other ones.

    >>> settings_with({"master_offered": "x"}, master_offered=None, sitting_until=None)
    {'sitting_until': ''}
    """
    kept = dict(settings)
    for name, value in changes.items():
        form = _FORMS[name]
        if form.drops and value is None:
            kept.pop(name, None)
        else:
            kept[name] = form.write(value)
    return kept


# Of one seat.

def with_sitter_asked(seat: Seat, asked: SitterAsked | None) -> Seat:
    """Return a seat whose player asks somebody, or nobody any more, to sit in."""
    return replace(seat, settings=replace(seat.settings, sitter=asked))


def with_sitting(seat: Seat, sitting: Sitting) -> Seat:
    """Return a seat that is lent."""
    return replace(seat, settings=seat.settings.lent(sitting))


def without_sitting(seat: Seat) -> Seat:
    """Return a seat that is its player's own again."""
    return replace(seat, settings=seat.settings.given_back())


def as_dummy(seat: Seat, stance: str) -> Seat:
    """Return the seat of a power that has no player on purpose."""
    return replace(seat, settings=SeatSettings(dummy=stance))


def place_of(seat: Seat) -> int:
    """Return when a master came among the others: 0 for who made the game."""
    return seat.settings.place or 0


def with_place(seat: Seat, place: int | None) -> Seat:
    """Return a master's seat at another place among the others; None: he is no master."""
    return replace(seat, settings=replace(seat.settings, place=place))
