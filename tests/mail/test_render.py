"""Letters: the format of their text, and their headers."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader

from judge.errors import DataError
from judge.mail.outbound.format_time import format_duration, format_local, format_njudge
from judge.mail.outbound.layout import WIDTH, fill_paragraphs, normalize, wrap_lines
from judge.mail.outbound.render import Renderer
from judge.mail.outbound.templates import templates_of
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from tests.language import LANGUAGE

NOW = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
DEADLINE = datetime(2026, 1, 6, 23, 30, tzinfo=UTC)
GAME: Mapping[str, object] = {
    "name": "marco",
    "variant": "Youngstown",
    "phase": "F1901M",
    "deadline": DEADLINE,
    "zone": "UTC",
    "turn": 3,
    "state": "running",
}


def renderer_of(monkeypatch: pytest.MonkeyPatch, **templates: str) -> Renderer:
    """Return a renderer with these templates only."""
    texts = {f"{name}.txt": text for name, text in templates.items()}
    monkeypatch.setattr("judge.mail.outbound.templates.loader", lambda *_: DictLoader(texts))
    monkeypatch.setattr("judge.mail.outbound.render.templates_of", cache(templates_of.__wrapped__))
    return Renderer(LANGUAGE, "YNGS", "judge@example.org")


def letter(template: str = "t", **facts: object) -> Letter:
    return Letter(
        LetterKind.RECEIPT, "ann@example.org", "Re: marco - S1901M orders", template, facts
    )


def message(one: Letter) -> EmailMessage:
    renderer = Renderer(LANGUAGE, "YNGS", "judge@example.org")
    raw = renderer.message(one, NOW, "<1.x@example.org>").octets
    found = message_from_bytes(raw, policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


def head(**changes: object) -> Letter:
    facts = {"template": "head", "facts": {"game": GAME}, "game": "marco", "phase": "F1901M"}
    fields = {
        "kind": LetterKind.RESULTS, "to": "ann@example.org", "subject": "marco - S1901M results",
    }
    return Letter(**{**fields, **facts, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("system", "phase", "shown"),
    [
        ("", "F1901M", "F1901M"),
        ("diplomacy", "F1901M", "F1901M"),
        ("diplomacy", "F1901A", "F1901B"),
    ],
)
def test_letters_begin_with_the_two_lines_of_njudge(system: str, phase: str, shown: str) -> None:
    one = head(facts={"game": {**GAME, "phase": phase}}, system=system)
    assert Renderer(LANGUAGE, "YNGS", "judge@example.org").text(one) == (
        ":: Judge: YNGS  Game: marco  Variant: Youngstown\n"
        f":: Deadline: {shown} Tue Jan 06 2026 23:30:00 +0000\n"
    )


def test_a_letter_without_a_game_names_only_the_judge() -> None:
    renderer = Renderer(LANGUAGE, "YNGS", "judge@example.org")
    assert renderer.text(head(facts={})) == ":: Judge: YNGS\n"


def test_a_letter_of_a_seat_has_every_header() -> None:
    found = message(
        head(
            power="India",
            token="k3y",
            threads=("marco.game", "marco.F1901M"),
            answers="<m1@ann.example>",
            unsubscribe="l3ave",
        )
    )
    assert {
        name: found[name]
        for name in found
        if name.startswith("X-Judge") or name in ("To", "Subject", "Message-ID", "Reply-To")
    } == {
        "To": "ann@example.org",
        "Subject": "marco - S1901M results",
        "Message-ID": "<1.x@example.org>",
        "Reply-To": "judge+k3y@example.org",
        "X-Judge-Game": "marco",
        "X-Judge-Phase": "F1901M",
        "X-Judge-Power": "India",
        "X-Judge-Kind": "results",
    }
    assert found["In-Reply-To"] == "<m1@ann.example>"
    threads = "<marco.game@example.org> <marco.F1901M@example.org>"
    assert found["References"] == f"{threads} <m1@ann.example>"
    assert found["List-Id"] == "<marco.example.org>"
    assert found["List-Unsubscribe"] == "<mailto:judge+l3ave@example.org?subject=UNSUBSCRIBE>"
    assert found["Auto-Submitted"] == "auto-replied"
    assert "judge@example.org" in found["From"]


def test_reply_to_a_mail_without_message_id_has_its_threads_only() -> None:
    found = message(head(threads=("marco.game", "marco.F1901M"), answers="-"))
    assert found["In-Reply-To"] is None
    assert found["References"] == "<marco.game@example.org> <marco.F1901M@example.org>"
    assert found["Auto-Submitted"] == "auto-replied"


def test_unsolicited_letter_has_its_threads_only() -> None:
    found = message(head(threads=("marco.game", "marco.F1901M")))
    assert found["References"] == "<marco.game@example.org> <marco.F1901M@example.org>"
    assert found["In-Reply-To"] is None
    assert found["Auto-Submitted"] == "auto-generated"


def test_headers_without_a_value_are_omitted() -> None:
    found = message(head(facts={}, game="", phase=""))
    absent = "X-Judge-Game X-Judge-Phase X-Judge-Power References List-Id List-Unsubscribe".split()
    assert [name for name in absent if found[name] is not None] == []
    assert found["X-Judge-Kind"] == "results"
    assert found["Reply-To"] == "judge@example.org"


def test_the_text_never_contains_a_token() -> None:
    found = message(head(token="k3y", unsubscribe="k3y"))
    bodies = [part.get_content() for part in found.walk() if not part.is_multipart()]
    assert len(bodies) == 2 and not any("k3y" in body for body in bodies)


def test_a_missing_fact_is_a_data_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="sheep"):
        renderer_of(monkeypatch, t="{{ sheep }}").text(letter())


def test_a_missing_template_is_a_data_error() -> None:
    with pytest.raises(DataError, match="no-such"):
        Renderer(LANGUAGE, "YNGS", "judge@example.org").text(letter("no-such"))


def test_templates_of_a_system_override_common_ones() -> None:
    renderer = Renderer(LANGUAGE, "YNGS", "judge@example.org")
    facts = {"game": {**GAME, "phase": "F1901A"}}
    assert renderer.text(head(facts=facts)) != renderer.text(head(facts=facts, system="diplomacy"))


def test_a_constant_is_filtered_in_the_language_of_each_letter(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    loader = DictLoader({"t.txt": "{{ 1.5|decimal }}{% set a = 2.5|decimal %} {{ a }}"})
    monkeypatch.setattr("judge.mail.outbound.templates.loader", lambda *_: loader)
    english, german = (templates_of.__wrapped__("", language).text for language in ("", "de"))
    assert english.get_template("t.txt").render() == "1.5 2.5"
    assert german.get_template("t.txt").render() == "1,5 2,5"


def test_every_shipped_template_can_be_read() -> None:
    Renderer(LANGUAGE, "YNGS", "judge@example.org").check()
    assert (files("judge.mailtemplates") / "common" / "head.txt").is_file()


@pytest.mark.parametrize(
    "text", ["{{ judge.address }}", "{% include 'head.txt' %}", "{# x #}", "%s"]
)
def test_players_texts_are_never_templates(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    renderer = renderer_of(monkeypatch, t="{{ body|press }}\n{{ word }}", head="no")
    assert renderer.text(letter(body=(text,), word=text)) == f"{text}\n{text}\n"


@given(st.text(max_size=300))
def test_a_players_text_cannot_move_the_cursor(text: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        renderer = renderer_of(monkeypatch, t="{{ body|press }}\n{{ word|wrapped(hang=4) }}\n")
        told = renderer.text(letter(body=text, word=text))
    assert not [c for c in told if (c < " " and c not in "\n\t") or "\x7f" <= c < "\xa0"]


def test_press_keeps_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    body = ("Dear France,", "", "", "   a map:  x" + " y" * 60, "end  ")
    renderer = renderer_of(monkeypatch, t="To you:\n\n\n\n{{ body|press }}\n\n\nBye\n")
    assert renderer.text(letter(body=body)).split("\n") == ["To you:", "", *body, "", "Bye", ""]


def test_reasons_are_rendered_in_the_words_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer = renderer_of(monkeypatch, t="{{ why|say }}")
    one = letter(why=phrase("victory", power="India", centres=37))
    told = renderer.text(Letter(one.kind, one.to, one.subject, "t", one.facts, system="diplomacy"))
    assert told == "India owns 37 supply centres and has won the game.\n"


@given(st.lists(st.text("ab -*\n", max_size=90), max_size=6))
def test_tidy_letters_are_narrow_and_have_single_blank_lines(parts: list[str]) -> None:
    told = normalize("\n".join(parts))
    assert "\n\n\n" not in told
    assert all(line == line.rstrip() for line in told.split("\n"))
    assert not [x for x in told.split("\n") if len(x) > WIDTH and " " in x.strip().lstrip("-* ")]


RESULT = (
    "England: Fleet Bulgaria (south coast) SUPPORT Fleet St Petersburg (north coast)"
    " -> Norwegian Sea.  (*cut, dislodged*)"
)


def test_long_result_lines_are_wrapped_with_whole_tags() -> None:
    lines = wrap_lines(RESULT, hang=4).split("\n")
    assert len(lines) > 1 and all(line.startswith("    ") for line in lines[1:])
    assert all(len(line) <= WIDTH for line in lines)
    assert lines[-1].endswith("(*cut, dislodged*)")
    assert " ".join(" ".join(lines).split()) == " ".join(RESULT.split())


def test_prose_is_rewrapped() -> None:
    assert fill_paragraphs("a\nb\n\n" + "word " * 20).split("\n\n")[0] == "a b"
    assert max(map(len, fill_paragraphs("word " * 60).split("\n"))) <= WIDTH


@pytest.mark.parametrize(
    ("zone", "old", "friendly"),
    [
        ("UTC", "Tue Jan 06 2026 23:30:00 +0000", "Tue 6 Jan 2026, 23:30 (UTC)"),
        ("Europe/Paris", "Wed Jan 07 2026 00:30:00 +0100", "Wed 7 Jan 2026, 00:30 (Europe/Paris)"),
        ("Asia/Kolkata", "Wed Jan 07 2026 05:00:00 +0530", "Wed 7 Jan 2026, 05:00 (Asia/Kolkata)"),
    ],
)
def test_instants_are_rendered_in_the_viewers_zone(zone: str, old: str, friendly: str) -> None:
    assert format_njudge(DEADLINE, zone) == old
    assert format_local(DEADLINE, zone) == friendly


@pytest.mark.parametrize(
    ("duration", "said"),
    [
        (timedelta(days=5, hours=23, minutes=30, seconds=1), "5 days, 23 hours and 30 minutes"),
        (timedelta(days=1), "1 day"),
        (timedelta(hours=2, minutes=1), "2 hours and 1 minute"),
        (timedelta(seconds=30), "less than a minute"),
        (timedelta(0), "no time"),
    ],
)
def test_durations_are_rendered_in_days_hours_and_minutes(duration: timedelta, said: str) -> None:
    assert format_duration(duration) == said


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Judge", "Judge"),
        ('The "Old" Judge', "The Old Judge"),
        ("Jürgen, Judge", "Jürgen Judge"),
        ("", ""),
        ("x <eve@example.org>", "x eveexample.org"),
    ],
)
def test_letters_have_the_name_of_the_judge_as_sender(name: str, shown: str) -> None:
    renderer = Renderer(LANGUAGE, name, "judge@example.org")
    raw = renderer.message(head(), NOW, "<1.x@example.org>").octets
    found = message_from_bytes(raw, policy=policy.default)
    (sender,) = found["From"].addresses
    assert sender.addr_spec == "judge@example.org"
    assert sender.display_name == shown
