"""Questions."""

from judge.games.capabilities import Chronicle
from judge.model.asking import (
    Help,
    History,
    ListGames,
    MyGames,
    ShowLog,
    ShowMap,
    ShowRating,
    ShowStatistics,
    Summary,
    Version,
    WhoPlays,
)
from judge.model.command import Form, Log, Shown, Waits, Who
from judge.play.commands import audit_log
from judge.play.commands.asking import history, inquiries, own_games
from judge.play.commands.row import Row

COMMANDS = (
    Row(
        value=ListGames, run=inquiries.list_games, who=Who.ANYBODY, rule="games",
        forms=(Form("LIST, WHOGAME, WHO GAME", "LIST marco"),), log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=WhoPlays, run=inquiries.who_plays, who=Who.ANYBODY,
        forms=(Form("WHO, WHOIS", "WHO marco"),), log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=MyGames, run=own_games.my_games, who=Who.ANYBODY,
        forms=(
            Form("MY GAMES, MYGAMES, MY SEATS, LIST MY GAMES", "MY GAMES"),
            Form("MEINE PARTIEN, MEINE SPIELE", "MEINE PARTIEN"),
        ),
        log=Log.NOTHING,
    ),
    Row(
        value=Summary, run=inquiries.summary, who=Who.ANYBODY,
        forms=(Form("SUMMARY", "SUMMARY marco"),), log=Log.NOTHING, as_power=True,
        needs=Chronicle,
    ),
    Row(
        value=History, run=history.history, who=Who.ANYBODY,
        forms=(Form("HISTORY", "HISTORY marco LINES 200", Shown.ALL),),
        waits=Waits.LONG, log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=ShowMap, run=inquiries.show_map, who=Who.ANYBODY, rule="show_map",
        forms=(Form("MAP", "MAP marco", Shown.ALL),), log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=ShowRating, run=inquiries.show_rating, who=Who.ANYBODY,
        forms=(Form("RATING, RATINGS", "RATING"),),
    ),
    Row(
        value=ShowStatistics, run=inquiries.show_statistics, who=Who.ANYBODY,
        forms=(Form("STATISTICS, STATISTIC", "STATISTICS standard"),),
    ),
    Row(
        value=Help, run=inquiries.help_with, who=Who.ANYBODY,
        forms=(Form("HELP, HILFE", "HELP"), Form("GET, SEND", "GET rules")),
        log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=Version, run=inquiries.version, who=Who.ANYBODY,
        forms=(Form("VERSION", "VERSION"),), log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=ShowLog, run=audit_log.show_log, who=Who.ANYBODY,
        forms=(Form("LOG", "LOG marco"),), waits=Waits.LONG, log=Log.NOTHING, as_power=True,
    ),
)
