"""The envelope of a mail that was piped in without one."""

import pytest

from judge.mail.address import JudgeAddresses
from judge.mail.inbound.envelope import read_envelope

OURS = JudgeAddresses("me+judge@example.org", "me@example.org")
ANN, BOB = "ann@example.org", "bob@example.org"


@pytest.mark.parametrize("head, sender", [
    (f"From: {ANN}\n", ANN),
    (f"From: Ann <{ANN}>, {BOB}\n", ANN),
    (f"Return-Path: <{BOB}>\nFrom: {ANN}\n", BOB),
    (f"Return-path: {BOB}\nFrom: {ANN}\n", BOB),
    (f"Received: by x\nReturn-Path:\n <{BOB}>\nFrom: {ANN}\n", BOB),
    # The first header is from the mail server, the others may be from the sender.
    (f"Return-Path: <{BOB}>\nReturn-Path: <>\nFrom: {ANN}\n", BOB),
    (f"Return-Path: <>\nReturn-Path: <{BOB}>\nFrom: {ANN}\n", ""),
    (f"Return-Path: < >\nFrom: {ANN}\n", ""),
    (f"Return-Path: nonsense\nFrom: {ANN}\n", ANN),
    (f"Return-Path:\nFrom: {ANN}\n", ANN),
    (f"From {BOB} Mon Jan  5 20:00:00 2026\nFrom: {ANN}\n", BOB),
    (f"From {BOB} Mon Jan  5 20:00:00 2026\nReturn-Path: <{ANN}>\nFrom: {ANN}\n", BOB),
    (f"From MAILER-DAEMON Mon Jan  5 20:00:00 2026\nFrom: {ANN}\n", ""),
    (f"From MAILER-DAEMON Mon Jan  5 20:00:00 2026\nReturn-Path: <{BOB}>\n", BOB),
    (f"From - Mon Jan  5 20:00:00 2026\nFrom: {ANN}\n", ANN),
    ("From: nobody\n", ""), ("", ""),
])
def test_sender_is_found_in_the_headers(head: str, sender: str) -> None:
    for end in ("\n", "\r\n"):
        raw = f"{head}Subject: x\n\nReturn-Path: <eve@example.org>\n".replace("\n", end)
        assert read_envelope(raw.encode(), OURS).sender == sender


SEAT, OTHER = "me+judge+t7@example.org", "me+judge+t8@example.org"


@pytest.mark.parametrize("head, recipient", [
    ("To: me+judge@example.org\n", "me+judge@example.org"),
    (f"To: Judge <{SEAT}>\n", SEAT),
    (f"To: {BOB}, Judge <{SEAT}>\n", SEAT),
    (f"To: {BOB}\nCc: {SEAT}\n", SEAT),
    (f"Cc: {SEAT}\nTo: me+judge@example.org\n", SEAT),
    (f"Delivered-To: me+judge@example.org\nTo: {SEAT}\n", SEAT),
    (f"To: {SEAT}\nX-Original-To: {OTHER}\n", OTHER),
    (f"To: {SEAT}\nDelivered-To: {OTHER}\n", OTHER),
    (f"To: {SEAT}\nEnvelope-To: {OTHER}\n", OTHER),
    (f"To: {SEAT}\nX-Envelope-To: <{OTHER}>\n", OTHER),
    (f"Delivered-To: me@example.org\nDelivered-To: {OTHER}\n", OTHER),
    ("To: me@example.org\n", ""), (f"To: {BOB}\n", ""), ("", ""),
    ("Subject: me+judge+t7@example.org\n", ""), ("To: me+judge+t7@elsewhere.org\n", ""),
])
def test_recipient_is_found_in_the_headers(head: str, recipient: str) -> None:
    raw = f"From: {ANN}\n{head}\nTo: me+judge+body@example.org\n"
    assert read_envelope(raw.encode(), OURS).recipient == recipient
