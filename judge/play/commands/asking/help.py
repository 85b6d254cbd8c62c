"""HELP."""


from judge.help_topics import (
    find_topic,
    match_topic,
    system_named,
    tellers_of,
    topic_lines,
    topic_of_system,
    topics_of_games,
)
from judge.model.command import (
    AuditDetail,
    Command,
    CommandForm,
    Permission,
    Where,
    Words,
)
from judge.model.letter import LetterKind
from judge.model.phrase import phrase
from judge.play.choices.capabilities import topic_lacking
from judge.play.commands.asking.boards import show_notes
from judge.play.commands.asking.inquiries import ListGames
from judge.play.commands.asking.maps import ShowMap
from judge.play.commands.row import command, reads
from judge.play.commands.seats.persons import InfoPlayer
from judge.play.commands.session import ReplyDraft, Session
from judge.play.letters.inquiries import find_setting_rows, help_facts


@command(
    CommandForm("HELP, HILFE", "HELP"), CommandForm("GET, SEND", "GET rules"),
    who=Permission.ANYBODY, log=AuditDetail.NOTHING, as_power=True,
)
class Help(Command):
    """Request for a help topic: `HELP [topic]`, `GET file`, in German `HILFE`."""

    topic: str = ""
    language: str = ""

    @reads("help")
    @classmethod
    def read_english(cls, topic: Words, *, at: Where) -> Command:
        """HELP press, GET rules. GET DEDICATION requests one's own figures."""
        if topic and topic[0].lower() == "dedication":
            return InfoPlayer(**at)
        file, dot, of = (topic[0] if topic else "").lower().rstrip(".!?").partition(".")
        if dot and file in ("map", "names"):
            # GET map.standard of nJudge.
            form = "names" if file == "names" else ""
            return ShowMap(**at, game=of, form=form)
        return cls(**at, topic=" ".join(topic).lower().rstrip(".!?"))

    @reads("help_in_german")
    @classmethod
    def read(cls, topic: Words, *, at: Where) -> "Help":
        """HILFE fristen."""
        asked = " ".join(topic).lower().rstrip(".!?")
        return cls(**at, topic=asked, language="de")

    def run(self, session: Session) -> None:
        """Show a help topic. An unknown topic gets the index and similar topics."""
        session.add(ReplyDraft(language=self.language))
        game = session.game if session.is_signed_on else None
        rows = find_setting_rows(self.topic, game)
        kinds = session.kinds.values()
        if self.topic.startswith("info.") and match_topic(self.topic[5:]) is None:
            asked = ListGames(line=self.line, text=self.text, words=(self.topic[5:],))
            asked.run(session)
            return
        if self.topic.startswith("transform"):
            session.refuse(self, phrase("old-get-transform"), "HELP ORDERS")
            return
        if match_topic(self.topic) is None and show_notes(session, self, self.topic):
            return
        own = system_named(self.topic) or (game.system if game else "")
        topic, near = ("settings", ()) if rows else _find_topic(self.topic, own)
        if topic is None and any(self.topic.upper() in kind.spellings for kind in kinds):
            topic = "index"
        if topic is None:
            session.refuse(self, phrase("no-such-topic", topic=self.topic), *near)
            topic = "index"
        if game and (problem := topic_lacking(game, topic)):
            session.refuse(self, problem)
            topic = "index"
        # Topics of all games show lines of the open game. A topic of another system has no facts
        # of that game.
        for teller in tellers_of(topic, own):
            system = teller or own
            facts = help_facts(rows, game if game and system == game.system else None, kinds)
            facts["system"] = system
            session.show(LetterKind.HELP, f"help/{topic}", **facts)
        elsewhere = topic_lines(self.topic)
        if not game and not system_named(self.topic) and topic not in topics_of_games():
            session.done(*(phrase("topic-of-game", line=line) for line in elsewhere))


def _find_topic(words: str, system: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the topic that words name, with similar topics.

    HELP SET VICTORY, for example, names the topic of VICTORY. Without a match the topic is
    None.
    """
    if system_named(words):
        words = words.split(maxsplit=1)[1]
    if own := topic_of_system(words, system):
        return own, ()
    bare = words.casefold().removeprefix("set ").removeprefix("info.")
    topic, near = find_topic(bare, system)
    return (topic, near) if topic else find_topic(words, system)


