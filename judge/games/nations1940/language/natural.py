"""Rewriting of freely worded orders into the order language.

Each rule handles one form ("Declare war on Britain", "Build a railroad in Kiev") and returns lines
of the language. A text that no rule handles has none. The meaning of names is decided later, so a
rule never guesses a place or a nation.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice, product

from judge.games.nations1940.language.grammar import parse_order
from judge.games.nations1940.language.lexicon import ScenarioLexicon, fold_name
from judge.games.nations1940.language.patterns import any_of, forms, key_of, pattern, sources

_MAX_CHARS = 240
NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), 1
    )
}
"""Number word → its digits."""
_MAX_ANDS = 3
"""Maximum number of parts of a name that contains "and"."""


def sentences(text: str) -> list[str]:
    """Split a line of several sentences into its possible orders.

    >>> sentences("Research Sonar. Build a port in Wales.")
    ['Research Sonar', 'Build a port in Wales.']
    """
    return [part.strip() for part in pattern("joins").split(text) if part and part.strip()]


def holds_everything(text: str) -> bool:
    """Return whether a text orders all units to stay, as they do without an order.

    >>> holds_everything("All other armies hold."), holds_everything("Hold Kiev")
    (True, False)
    """
    return bool(pattern("stays-all").fullmatch(_plain(text)))


def canonical_orders(text: str, names: ScenarioLexicon) -> list[str]:
    """Return the orders of a freely worded text, as lines of the language.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> canonical_orders("Declare war on Britain!", lexicon("nations1940"))
    ['WAR Britain']
    >>> canonical_orders("please move two armies from Kiev to Minsk", lexicon("nations1940"))
    ['MOVE 2 Kiev -> Minsk']
    >>> canonical_orders("Dear judge", lexicon("nations1940"))
    []
    """
    if len(text) > _MAX_CHARS:
        return []
    plain = _plain(pattern("request").sub(r"\1", text))
    if plain.endswith("?"):
        return []
    erased = dict(forms("erased"))
    for rule in _RULES:
        rest = erased[rule].sub("", plain) if rule in erased else plain
        special = _SPECIAL_RULES.get(rule)
        found = special(plain, names) if special else _orders_in_form(rule, rest, names)
        if found and all(parse_order(line) for line in found):
            return found
    return []


def _plain(text: str) -> str:
    """Return a text without courtesy, remarks and stops, with numbers in digits."""
    text = re.sub(r"\s+", " ", text.replace("’", "'")).strip().strip("*_")
    text = text.strip("() ") if text[:1] == "(" else pattern("aside").sub("", text)
    text = re.sub(r"^[a-z]\)\s*", "", text).rstrip(".!, ")
    text = re.sub(r"\b([0-9]+)\s?x\b", r"\1", pattern("everything-there").sub("all", text))
    text = pattern("thanks").sub("", pattern("polite").sub("", text, count=1))
    text = re.sub(r"[^\W\d_]+", lambda word: NUMBERS.get(word[0].lower(), word[0]), text)
    return re.sub(r"\ball (?:the |our |my )?([0-9]+)\b", r"\1", text, flags=re.I)


def _orders_in_form(table: str, text: str, names: ScenarioLexicon, verb: str = "") -> list[str]:
    """Return the orders of the first form of a table that a text has.

    A group of the form may have several meanings, which give an order each, or none.
    """
    for line, form in forms(table):
        found = form.fullmatch(text)
        if found is None:
            continue
        parts = {name: _PARTS[name](part or "", names) if name in _PARTS else [part]
                 for name, part in sorted(found.groupdict().items())}
        if all(parts[name] for name in _DECISIVE & parts.keys()):
            each = product(*parts.values())
            return [line.format(verb=verb, **dict(zip(parts, one, strict=True))) for one in each]
    return []


def _list(text: str) -> list[str]:
    """Return the names of a list, without articles."""
    parts = (pattern("article").sub("", part) for part in pattern("split").split(text))
    return [part.strip() for part in parts if part.strip()]


def _places(text: str, names: ScenarioLexicon) -> list[str]:
    return [", ".join(_list(text))]


def _known_places(text: str, names: ScenarioLexicon) -> list[str]:
    places = _list(text)
    return [", ".join(places)] if all(_is_place(one, names) for one in places) else []


def _sites(text: str, names: ScenarioLexicon) -> list[str]:
    """Return the places of improvements, without prepositions."""
    return [", ".join(pattern("preposition").sub("", one) for one in _list(text))]


def _known_sites(text: str, names: ScenarioLexicon) -> list[str]:
    return _sites(text, names) if all(_is_place(one, names) for one in _list(text)) else []


def _treaty_codes(text: str, names: ScenarioLexicon) -> list[str]:
    """Return the codes of treaties.

    "Pact" may be only the end of another treaty's name.
    """
    found = [code for code, name in sources("treaty") if re.search(rf"\b(?:{name})\b", text, re.I)]
    return [code for code in found if code != "PACT" or pattern("pact-alone").search(text)]


def _queue(text: str, names: ScenarioLexicon) -> list[str]:
    techs = [tech for part in pattern("then").split(text) for tech in _techs(part, names)]
    return [", ".join(f'"{tech}"' for tech in techs)] if techs else []


def _techs(text: str, names: ScenarioLexicon) -> list[str]:
    """Return technologies joined by "and", which may itself be part of a name."""
    text = text.strip().strip("\"'“”„")
    if not text:
        return []
    parts = pattern("and").split(pattern("and-article").sub("", text))
    found, at = [], 0
    while at < len(parts):
        for end in range(min(at + _MAX_ANDS, len(parts)), at, -1):
            name = "&".join(parts[at:end])
            if names.techs.is_known(name):
                break
        else:
            return [text]
        found.append(name)
        at = end
    return found


def _kinds(text: str, names: ScenarioLexicon) -> list[str]:
    """Return the codes of the improvements in a list."""
    words = (pattern("many-first").sub("", part) for part in pattern("split").split(text))
    return [code for code in (key_of("kind", word) for word in words) if code]


def _items(text: str, names: ScenarioLexicon) -> list[str]:
    items = (pattern("possessive").sub("", item) for item in _list(text))
    return [", ".join(pattern("item-kind").sub("", item) for item in items)]


def _known_nation(text: str, names: ScenarioLexicon) -> list[str]:
    return [text] if names.nations.find(text).meanings else []


_PARTS: Mapping[str, Callable[[str, ScenarioLexicon], Sequence[str]]] = {
    "n": lambda text, names: [text or "1"],
    "nations": lambda text, names: _list(text),
    "known": _known_nation,
    "treaties": _treaty_codes,
    "queue": _queue,
    "places": _places,
    "known_places": _known_places,
    "where": _sites,
    "sites": _known_sites,
    "known_sites": _known_sites,
    "kind": _kinds,
    "kinds": _kinds,
    "gives": _items,
    "wants": _items,
}
"""Group of a form → its meanings. Other groups are taken as written."""
_DECISIVE = frozenset({"known", "known_sites"})
"""Groups without which a form does not count."""


def _build(text: str, names: ScenarioLexicon) -> list[str]:
    """Parse orders to build or dismantle, such as "build an academy in Kiev"."""
    text = pattern("turned-build").sub(r"build \1 ", text)
    if found := _orders_in_form("build", text, names):
        return found
    begun = ((verb, form.match(text)) for verb, form in forms("build-list"))
    verb, rest = next(((verb, text[one.end():]) for verb, one in begun if one), ("", ""))
    if found := _orders_in_form("turned-sites", rest, names, verb):
        return found
    spare: list[str] = []
    for part in pattern("next-site").split(rest):
        site = pattern("site-list").fullmatch(part)
        kinds = _kinds(site["kinds"] if site else part, names)
        if not (site or kinds):
            break
        spare += kinds
        if site:
            (where,) = _sites(re.sub(r"^(?:both|each)\s+", "", site["where"]), names)
            found += [f"{verb} {kind} {where}" for kind in spare]
            spare = []
    return found


def _moves(text: str, names: ScenarioLexicon) -> list[str]:
    """Parse marches, rail moves and voyages."""
    plain, rails = pattern("by-rail").subn("", text)
    plain = pattern("into-port").sub("to", pattern("by-sea").sub("", plain.strip()))
    found = (form.fullmatch(plain) for _, form in forms("move"))
    lines = (_march(one.groupdict(), names, is_rail=rails > 0) for one in found if one)
    return list(islice(filter(None, lines), 1))


def _march(parts: dict[str, str | None], names: ScenarioLexicon, *, is_rail: bool) -> str:
    """Return the move of a form's groups, or an empty string without valid places."""
    unit, verb = (parts.get("unit") or "").lower(), (parts.get("verb") or "").lower()
    start = pattern("article").sub("", parts["a"] or "")
    goals = [one for one in pattern("arrow").split(parts["b"] or "") if one]
    steps = [re.sub(rf"^{any_of('det')}\s+", "", one) for one in goals]
    if not all(_is_place(one, names) for one in (start, *steps)):
        return ""
    is_fleet = bool(pattern("fleets").fullmatch(unit)) or verb in ("sail", "fleet", "f")
    is_fleet = is_fleet or bool(names.sea(start).meanings and not names.land(start).meanings)
    word = "FLEET" if is_fleet else "RAIL" if is_rail or verb in ("rail", "r") else "MOVE"
    plural = unit.endswith("ies") or unit in ("troops", "forces", "units", "fleets", "ships")
    count = (parts.get("n") or ("ALL" if plural else "1")).upper()
    count = {"BOTH": "2", "EVERY": "ALL"}.get(count, count)
    if unit.endswith(("hq", "hqs", "headquarters")):
        count = "HQ"
    seas = ", ".join(_list(parts.get("via") or ""))
    via = f" VIA {seas}" if seas else ""
    return f"{word} {count} {' -> '.join((start, *steps))}{via}"


def _is_place(text: str, names: ScenarioLexicon) -> bool:
    """Return whether a text may be the name of a place, misspelt or not."""
    found = names.place(text)
    return bool(found.meanings or found.repaired) and len(fold_name(text)) > 0


_RULES = "ready war treaty-form research unit build strike hold move trade".split()
_SPECIAL_RULES = {"build": _build, "move": _moves}
