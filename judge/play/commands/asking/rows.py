"""Questions."""

from judge.play.commands import acts
from judge.play.commands.asking import figures, histories, inquiries, showing
from judge.play.commands.row import Row
from judge.words.asking import (
    Help,
    History,
    ListGames,
    ShowLog,
    ShowMap,
    ShowRating,
    ShowStatistics,
    Summary,
    Version,
)
from judge.words.commandkind import Form, Log, Shown, Waits, Who

COMMANDS = (
    Row(
        value=ListGames, run=inquiries.list_games, who=Who.ANYBODY,
        forms=(Form("LIST, WHOGAME, WHO GAME", "LIST marco"),), log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=Summary, run=inquiries.summary, who=Who.ANYBODY,
        forms=(Form("SUMMARY", "SUMMARY marco"),), log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=History, run=histories.history, who=Who.ANYBODY,
        forms=(Form("HISTORY", "HISTORY marco LINES 200", Shown.ALL),),
        waits=Waits.LONG, log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=ShowMap, run=showing.show_map, who=Who.ANYBODY,
        forms=(Form("MAP", "MAP marco", Shown.ALL),), log=Log.NOTHING, as_power=True,
    ),
    Row(
        value=ShowRating, run=figures.show_rating, who=Who.ANYBODY,
        forms=(Form("RATING, RATINGS", "RATING"),),
    ),
    Row(
        value=ShowStatistics, run=figures.show_statistics, who=Who.ANYBODY,
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
        value=ShowLog, run=acts.show_log, who=Who.ANYBODY,
        forms=(Form("LOG", "LOG marco"),), waits=Waits.LONG, log=Log.NOTHING, as_power=True,
    ),
)
