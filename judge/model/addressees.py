"""Words for readers of press and for seats that no power can have as its name."""

CODES_WITH_A_MEANING = frozenset({
    "M", "O", "GM", "OBS", "ALL", "AND", "BUT", "TO", "FROM", "FAKE", "GREY", "GRAY", "NO", "NOT",
    "OFF", "ON", "NONE", "ANY", "YES", "ALLE", "UND",
})
"""Sign-on letters and codes that no power gets unless its table gives it that code."""
WORDS_WITH_A_MEANING = frozenset({
    # Masters, observers and the judge.
    "m", "o", "gm", "master", "masters", "gamemaster", "game master", "moderator", "moderators",
    "obs", "observer", "observers", "monitor", "monitors", "watcher", "watchers", "judge",
    # Heads of press.
    "press", "broadcast", "to", "all", "everybody", "everyone", "but", "except", "and", "from",
    "fake", "partial", "white", "unanonymous", "unanonymously", "openly", "grey", "gray",
    "anonymous", "anonymously", "honest", "quiet",
    # Words for no power or any power, and answers to a question.
    "none", "nobody", "any", "anybody", "anyone", "no preference", "off", "on", "yes", "no", "not",
    "solo", "neutral", "unowned",
    # German.
    "alle", "keine", "keiner", "egal", "und", "spielleiter", "beobachter",
})
"""Words that mean something else where a power is named: heads of press, sign-on, preferences."""
