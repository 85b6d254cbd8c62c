"""Which room carries which command out, and whose seat must be open for it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from judge.play.archive import copying, exporting, figures, histories
from judge.play.choices import choosing
from judge.play.clocks import muster
from judge.play.governing import (
    acts,
    arranging,
    becoming,
    dummies,
    making,
    mastering,
    masters,
    mastership,
    releasing,
    turning,
    unstarting,
)
from judge.play.letters import inquiries, showing
from judge.play.orders import foresight, ordering
from judge.play.people import (
    aliases,
    approving,
    inviting,
    leaving,
    observing,
    passwords,
    persons,
    signup,
    sitting,
    standby,
)
from judge.play.pressroom import announcing, diary, press
from judge.play.session import Session
from judge.play.votes import voting
from judge.words import archive, governing, picturing, seating
from judge.words import command as words
from judge.words import figures as figured
from judge.words import foresight as foreseen
from judge.words import press as spoken
from judge.words.command import Command


@dataclass(frozen=True, slots=True)
class Handler:
    """What carries a command out, and whose seat must be open for it: "", "seat" or "master"."""

    run: Callable[[Session, Any], None]
    needs: str = "seat"


HANDLERS: dict[type[Command], Handler] = {
    words.SignOn: Handler(signup.sign_on, ""),
    words.Create: Handler(making.create, ""),
    words.Join: Handler(signup.join, ""),
    words.Observe: Handler(observing.observe, ""),
    words.Takeover: Handler(mastership.takeover, ""),
    words.ResetPassword: Handler(passwords.reset_password, ""),
    words.ListGames: Handler(inquiries.list_games, ""),
    words.Summary: Handler(inquiries.summary, ""),
    words.History: Handler(histories.history, ""),
    words.Help: Handler(inquiries.help_with, ""),
    words.Version: Handler(inquiries.version, ""),
    words.GiveOrders: Handler(ordering.give_orders, ""),
    words.Clear: Handler(ordering.clear),
    words.Status: Handler(ordering.status),
    words.Ready: Handler(ordering.ready),
    words.Heading: Handler(foresight.heading, ""),
    foreseen.ForPhase: Handler(foresight.for_phase),
    foreseen.Conditional: Handler(foresight.conditional),
    foreseen.Replace: Handler(foresight.replace_all),
    foreseen.Options: Handler(foresight.options),
    foreseen.Preview: Handler(foresight.preview),
    figured.ShowRating: Handler(figures.show_rating, ""),
    figured.ShowStatistics: Handler(figures.show_statistics, ""),
    picturing.ShowMap: Handler(showing.show_map, ""),
    words.ChangeSetting: Handler(choosing.change_setting),
    words.ChangePassword: Handler(passwords.change_password),
    spoken.SendPress: Handler(press.send_press),
    spoken.WriteDiary: Handler(diary.write_diary),
    spoken.ListDiary: Handler(diary.list_diary),
    spoken.ReadDiary: Handler(diary.read_diary),
    spoken.DeleteDiary: Handler(diary.delete_diary),
    words.Vote: Handler(voting.vote),
    words.Unvote: Handler(voting.unvote),
    words.Resign: Handler(leaving.resign),
    words.Unsubscribe: Handler(leaving.unsubscribe, ""),
    words.Start: Handler(mastering.start, "master"),
    words.Process: Handler(mastering.process, "master"),
    words.Pause: Handler(mastering.pause, "master"),
    words.Resume: Handler(mastering.resume, "master"),
    words.Eject: Handler(leaving.eject, "master"),
    words.Terminate: Handler(mastering.terminate, "master"),
    archive.Export: Handler(exporting.export, ""),
    archive.Import: Handler(copying.import_game, ""),
    archive.Release: Handler(releasing.release, "master"),
    archive.RollBack: Handler(turning.roll_back, "master"),
    archive.SetUp: Handler(arranging.set_up, "master"),
    archive.RollForward: Handler(turning.roll_forward, "master"),
    governing.Become: Handler(becoming.become),
    governing.Promote: Handler(masters.promote, "master"),
    governing.Announce: Handler(announcing.announce, "master"),
    governing.Dummy: Handler(dummies.dummy, "master"),
    governing.Revive: Handler(dummies.revive, "master"),
    governing.Unstart: Handler(unstarting.unstart, "master"),
    governing.Rename: Handler(unstarting.rename, "master"),
    governing.ShowLog: Handler(acts.show_log, ""),
    seating.Register: Handler(persons.register, ""),
    seating.InfoPlayer: Handler(persons.info_player, ""),
    seating.StandBy: Handler(standby.stand_by, ""),
    seating.Sit: Handler(sitting.sit, ""),
    seating.IAmAlso: Handler(aliases.also, ""),
    seating.Sitter: Handler(sitting.sitter),
    seating.Confirm: Handler(muster.confirm),
    seating.Invite: Handler(inviting.invite, "master"),
    seating.Approve: Handler(approving.approve, "master"),
}
"""Every command and who carries it out; SIGNOFF only ends the mail."""
