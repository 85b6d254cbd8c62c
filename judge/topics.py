"""The help topics, found by name or by another word: the files of `mailtemplates/common/help/`, and
those in the folder `help` of each game system's texts."""

import difflib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from judge.plugins import declared, texts_of

_WORDS = {
    "absence": "absences holiday holidays vacation vacations max",
    "addresses": "iamalso also copies",
    "asking": "list version whogame get send help",
    "blind": "fog sight",
    "calendar": "calendars ics ical icalendar outlook",
    "chance": "dice seed random luck sha-256 allotment",
    "choices": (
        "victory centers centres winning last.year last at.end final quiet quiet.falls blank "
        "blank.board builds retreats friendly friendly.fire coastal icebreaker paradox routes "
        "intent fallback missing wrong disorder datc any one empty"
    ),
    "clocks": "reminder cron late strict cd timing",
    "deadlines": (
        "deadline clock grace nmr zone wait ready house house.rules unready notready "
        "nowait negotiation"
    ),
    "entry": (
        "invite uninvite approve approved approval refuse private allow deny newcomers "
        "muster confirm access"
    ),
    "export": "json import endimport file files copy sandbox",
    "gunboat": "show anonymous identity",
    "history": "exclstart exclend summary",
    "index": "topics commands flist info",
    "joining": "join preference pref choice takeover take vacancy vacancies",
    "later": "phase if else endif conditions",
    "map": "maps picture pictures board boards png svg",
    "master": (
        "create eject process pause how2gm terminate force begin unpause suspend "
        "manual auto listed comment"
    ),
    "masters": (
        "become promote demote dummy revive official endofficial freeze unfreeze unstart "
        "rename log gm"
    ),
    "options": "preview endpreview predict",
    "orders": "order replace syntax movement retreat build status clear",
    "press": "broadcast endpress postal partial white",
    "grey": "gray anonymous fake feigned",
    "pressrules": "none touch must late minor ftf copies reveal",
    "rating": "ratings statistics statistic skill openskill",
    "register": "name person who whois",
    "reliability": "player dedication ontimerat resrat level dedsystems ratio",
    "results": "result report why bounce dislodged void",
    "rules": "rulebook how",
    "settings": "set",
    "signing": (
        "signon sign password resign signin login logon hello signoff logoff logout "
        "pw pass token withdraw reset address"
    ),
    "setup": "endsetup arrange position edit",
    "sitters": "sitter sit sitting substitute",
    "standby": "stand adverts advert",
    "start": "guide newbie first game",
    "turning": "rollback rollforward roll release held restore undo",
    "votes": (
        "extend concede concessions concession dias cancel resume vote draw draws unvote"
    ),
    "watching": (
        "observe observer watch monitor unsubscribe unobserve unwatch unmonitor "
        "observers notices digest notifications kinds"
    ),
    "youngstown": "boxes suez",
}

_GERMAN = {
    "absence": "abwesenheit urlaub fort",
    "addresses": "adressen adresse",
    "asking": "fragen liste",
    "blind": "nebel sicht",
    "calendar": "kalender",
    "chance": "zufall glück glueck",
    "choices": "wahlregeln siegbedingung sieg",
    "clocks": "uhren uhr erinnerung erinnerungen",
    "deadlines": "fristen frist nachfrist warten fertig",
    "diary": "tagebuch notizen",
    "entry": "zutritt einladen einladung",
    "export": "dateien ausgabe",
    "grey": "grau anonym",
    "gunboat": "namenlos",
    "history": "verlauf geschichte",
    "index": "hilfe themen kommandos inhalt",
    "joining": "beitreten mitspielen übernehmen uebernehmen",
    "later": "später spaeter bedingungen wenn",
    "letters": "briefe sprache format",
    "mail": "post e-mail",
    "map": "karte karten bild bilder brett",
    "master": "leiten spielleiter",
    "masters": "spielleitung logbuch",
    "options": "möglichkeiten moeglichkeiten vorschau",
    "orders": "befehle befehl züge zuege",
    "press": "nachrichten nachricht presse verhandeln verhandlung",
    "pressrules": "presseregeln",
    "proxy": "vollmacht vertretung",
    "rating": "rangliste wertung statistik",
    "register": "eintragen wer",
    "reliability": "zuverlässigkeit zuverlaessigkeit",
    "results": "ergebnisse ergebnis warum",
    "rules": "regeln regel",
    "settings": "einstellungen einstellung",
    "setup": "aufstellung stellung",
    "signing": "anmelden anmeldung passwort kennwort aufhören aufhoeren",
    "sitters": "vertreter",
    "standard": "standardkarte",
    "standby": "ersatz bereitschaft",
    "start": "anfang anfangen beginnen erste",
    "turning": "zurücknehmen zuruecknehmen",
    "votes": "abstimmung abstimmen remis aufgabe",
    "watching": "beobachten beobachter zuschauen",
}
"""The same for who asks in German: HILFE fristen."""

OTHER_WORDS: Mapping[str, str] = {
    "": "index",
    **{
        word: topic
        for table in (_WORDS, _GERMAN) for topic, words in table.items() for word in words.split()
    },
}
"""Words people ask for → the topic that tells of it."""


@cache
def help_topics() -> tuple[str, ...]:
    """Return the names of all help topics of the judge, and of the games installed, sorted."""
    common = files("judge.mailtemplates") / "common"
    return tuple(sorted({*_topics_in(common), *topics_of_games()}))


@cache
def topics_of_games() -> Mapping[str, str]:
    """Return the topics that game systems bring along → the system, which must say it itself.

    A topic of the judge's own cannot be a game's too.
    """
    own = {*_topics_in(files("judge.mailtemplates") / "common"), *OTHER_WORDS}
    found: dict[str, str] = {}
    for system in declared():
        texts = texts_of(system)
        for topic in _topics_in(texts) if texts else ():
            if topic not in own:
                found.setdefault(topic, system)
    return found


def _topics_in(texts: Traversable) -> list[str]:
    folder = texts / "help"
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return sorted(name[:-4] for name in names if name.endswith(".txt"))


def find_topic(asked: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the topic meant by the words after HELP, or None and the HELP lines near them.

    >>> find_topic("Signon")[0], find_topic("set press")[0]
    ('signing', 'settings')
    >>> find_topic("Fristen")[0]
    'deadlines'
    """
    words = asked.casefold().split() or [""]
    for word in words:
        topic = OTHER_WORDS.get(word, word)
        if topic in help_topics():
            return topic, ()
    known = sorted({*help_topics(), *OTHER_WORDS} - {""})
    near = difflib.get_close_matches(words[0], known, 6, 0.6)
    # One word for each topic is enough.
    first = {OTHER_WORDS.get(word, word): word for word in reversed(near)}
    shown = [word for word in near if first[OTHER_WORDS.get(word, word)] == word]
    return None, tuple(f"HELP {word.upper()}" for word in shown[:3])
