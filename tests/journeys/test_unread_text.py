"""Text in attachments, bold and struck-out text, and files that are not read.

The mails are like those of Gmail, Outlook and Exchange, Apple Mail, GMX and lists.
"""

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.field_mail import (
    ALL,
    ANN,
    GM,
    HTML,
    PLAIN,
    begin,
    both,
    mail,
    part,
    parts,
    read_filed_orders,
    send,
    take_all,
)
from tests.journeys.rig import Rig, squeeze_text, text_of

MAILS = Path(__file__).parent.parent / "mail" / "field"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game with Ann as France."""
    made = begin()
    yield made
    made.close()


@pytest.mark.parametrize("name, orders", [
    ("att00001", ALL), ("gmail-bold", ALL), ("gmx-am-schrieb", ["A PAR - BUR"]),
    ("s-tag", ["A PAR - BUR"]), ("sparrow-inline-name", ALL), ("txt-only", ALL),
])
def test_mails_of_real_programs_are_read(rig: Rig, name: str, orders: list[str]) -> None:
    (answer,) = send(rig, (MAILS / f"{name}.eml").read_text("utf-8"))
    assert read_filed_orders(rig) == orders, answer


DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
SIBLINGS = {
    "orders.txt behind prose": (
        parts("mixed", part("My orders are attached."), part("A Par - Bur", name="orders.txt")),
        ["A PAR - BUR"], [], ["orders.txt"],
    ),
    "a text that a phone calls octets": (
        parts("mixed", part(""), part("A Par - Bur", "application/octet-stream", "o.TXT")),
        ["A PAR - BUR"], [], ["o.TXT"],
    ),
    "an attached text without a name": (
        parts("mixed", part(""), "Content-Disposition: attachment\n\nA Par - Bur"),
        ["A PAR - BUR"], [], ["not read"],
    ),
    "a text beside orders": (
        parts("mixed", part("A Par - Bur"), part("A Par - Pic", name="old orders.txt")),
        ["A PAR - BUR"], ["Attached files that were not read", "old orders.txt"], [],
    ),
    "a text without orders": (
        parts("mixed", part("Hello judge, how are you?"), part("Rules\nare long", name="r.txt")),
        [], ["r.txt"], ["Rules"],
    ),
    "a document beside orders": (
        parts("mixed", part("A Par - Bur"), part("UEsDBA", DOCX, "plan.docx")),
        ["A PAR - BUR"], ["plan.docx", "Write orders into the mail itself."], [],
    ),
    "a document alone": (
        parts("mixed", part(""), part("UEsDBA", DOCX, "plan.docx")), [], ["plan.docx"], [],
    ),
    "a document alone, without any text part": (
        mail('Content-Type: application/pdf; name="plan.pdf"', "JVBERi0"), [], ["plan.pdf"], [],
    ),
    "a photo": (
        parts("mixed", part(""), part("x", "image/jpeg", "IMG_1.jpeg", "inline")),
        [], ["IMG_1.jpeg"], [],
    ),
    "the picture of a letter in HTML": (
        parts("related", part("<p>A Par - Bur</p>", "text/html"), part("x", "image/png", "m.png",
                                                                       "inline")),
        ["A PAR - BUR"], [], ["m.png", "not read"],
    ),
    "a forwarded mail": (
        parts("mixed", part("A Par - Bur"), part("From: x@y.example\n\nA Mar H", "message/rfc822",
                                                 "Re marco.eml")),
        ["A PAR - BUR"], ["Re marco.eml"], [],
    ),
    "signatures, keys and cards": (
        parts("mixed", part("A Par - Bur"), part("x", "application/pgp-keys", "0x1.asc"),
              part("x", "text/vcard", "ann.vcf"), part("x", "application/pkcs7-signature",
                                                       "smime.p7s")),
        ["A PAR - BUR"], [], ["0x1.asc", "ann.vcf", "smime.p7s"],
    ),
    "ATT00001.htm of Apple Mail by way of Exchange": (
        parts("mixed", part("<div>A Par - Bur</div>", "text/html"), part("x", "image/png", "a.png"),
              part("<div>A Mar - Spa</div>", "text/html", "ATT00001.htm")),
        ["A MAR - SPA", "A PAR - BUR"], ["a.png"], ["ATT00001"],
    ),
    "a list's footer as a part with a name": (
        parts("mixed", part("A Par - Bur"), part("_" * 40 + "\nDip mailing list\ndip@x.example",
                                                 name="ATT00002.txt")),
        ["A PAR - BUR"], ["lines of footer"], ["ATT00002"],
    ),
    "a name in RFC 2231, with signs that turn the writing": (
        parts("mixed", part("A Par - Bur"), "Content-Type: application/pdf\nContent-Disposition: "
              "attachment; filename*=utf-8''p%E2%80%AEfdp%0Aof%20war.exe\n\nx"),
        ["A PAR - BUR"], ["|| p fdp of war.exe"], ["\u202e"],
    ),
    "a name that would be a command, and one that never ends": (
        parts("mixed", part("A Par - Bur"), part("x", "application/pdf", "RESIGN"),
              part("x", "application/pdf", "a" * 400 + ".pdf")),
        ["A PAR - BUR"], ["|| RESIGN", "|| " + "a" * 30 + "…aaaa.pdf"], [],
    ),
    "twenty files": (
        parts("mixed", part("A Par - Bur"), *(part("x", "application/pdf", f"f{at}.pdf")
                                              for at in range(20))),
        ["A PAR - BUR"], ["f7.pdf", "(12 more)"], ["f8.pdf"],
    ),
    "a text in UTF-16 from Windows": (
        parts("mixed", part("see file"), "Content-Type: text/plain; name=o.txt\n"
              "Content-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n"
              + b64encode("A Par - Bur\r\n".encode("utf-16")).decode()),
        ["A PAR - BUR"], [], ["o.txt"],
    ),
    "a document that is called a text": (
        parts("mixed", part("A Par - Bur\0"), part("PK\0\0x", name="plan.txt")),
        ["A PAR - BUR"], ["plan.txt"], [],
    ),
    "a text too long for orders": (
        parts("mixed", part(""), part("A Par - Bur\n" * 6000, name="long.txt")),
        [], ["long.txt"], [],
    ),
    "a mail that is nothing but an attachment": (
        mail('Content-Type: text/html; name="m.htm"\nContent-Disposition: attachment',
             "<p>A Par - Bur</p>"), ["A PAR - BUR"], [], ["m.htm"],
    ),
    "Apple Mail: a document in the HTML alternative": (
        parts("alternative", part("A Par - Bur"), "Content-Type: multipart/mixed; boundary=c\n\n"
              "--c\nContent-Type: text/html\n\n<p>A Par - Bur</p>\n--c\n"
              + part("x", "application/pdf", "plan.pdf", "inline") + "\n--c--"),
        ["A PAR - BUR"], ["plan.pdf"], [],
    ),
    "old orders quoted in an attached letter": (
        parts("mixed", part("as in the file"), part(
            ":: Judge: Judge  Game: marco\n\nA Mar - Gas\n", name="marco.txt")),
        [], ["marco.txt"], [],
    ),
    "Gmail strikes in HTML only": (
        both("A Par - Bur\nA Mar - Spa\nF Bre - MAO\n",
             "<div>A Par - Bur</div><div><s>A Mar - Spa</s></div><div>F Bre - MAO</div>"),
        ["A PAR - BUR", "F BRE - MAO"], ["Struck out, so not counted", "A Mar - Spa"], [],
    ),
    "Outlook strikes a word": (
        mail(HTML, "<p>A Par - <span style='text-decoration: line-through'>Pic</span> Bur</p>"),
        ["A PAR - BUR"], ["> Pic"], [],
    ),
    "a class strikes": (
        mail(HTML, "<style>span.x1 {text-decoration-line:line-through}</style>"
             "<p>A Par - Bur</p><p><span class=x1>A Mar - Spa</span></p>"),
        ["A PAR - BUR"], ["> A Mar - Spa"], [],
    ),
    "Word's tracked changes, Apple's strike": (
        mail(HTML, "<div>A Par - <del>Pic</del><ins>Bur</ins></div><strike>A Mar H</strike>"),
        ["A PAR - BUR"], ["> Pic", "> A Mar H"], [],
    ),
    "struck and bold and over two lines": (
        mail(HTML, "<b>A Par</b> - Bur<br><s><b>A Mar</b> - Spa<br>F Bre H</s>"),
        ["A PAR - BUR"], ["> A Mar - Spa", "> F Bre H"], [],
    ),
    "a quote with strikes leaves the plain text": (
        both("*A Par* - Bur\n\nOn Mon, 5 Jan 2026, Ann wrote:\n> A Mar H\n",
             "<p><b>A Par</b> - Bur</p><blockquote type=cite><s>A Mar H</s></blockquote>"),
        ["A PAR - BUR"], [], ["struck"],
    ),
    "tildes and strokes": (
        mail(PLAIN, "A Par - Bur\n~~A Mar - Spa~~\n" + "".join(
            f"{each}\u0336" for each in "F Bre - MAO")),
        ["A PAR - BUR"], ["> A Mar - Spa", "> F Bre - MAO"], [],
    ),
    "a password that is struck out": (
        mail(HTML, "<p>A Par - Bur</p><p><s>SIGNON Fmarco annsecret</s></p>"),
        ["A PAR - BUR"], ["Struck out, so not counted", "***"], ["annsecret"],
    ),
    "Thunderbird's italics and bold, flowed": (
        mail("Content-Type: text/plain; format=flowed", "/A Par/ - Bur\n*A Mar - \nSpa*\n"),
        ["A MAR - SPA", "A PAR - BUR"], [], [],
    ),
    "bold over lines, in Gmail's lists": (
        mail(PLAIN, "*A Par - Bur\nA Mar - Spa*\n\n   - *F Bre *- MAO\n"), ALL, [], [],
    ),
    "typography of phones": (
        mail(PLAIN, "A\u00a0Par \u2013 Bur\n\u200bA Mar\u2192Spa\n\u200eF Bre \u2014 MAO\u200f\n"
             "\nSent from my iPhone\n"), ALL, ["1 line of footer"], [],
    ),
    "soft breaks of quoted-printable": (
        mail(PLAIN + "Content-Transfer-Encoding: quoted-printable",
             "*A Pa=\nr* =E2=80=93 Bur\n*A Mar *=\n- Spa\nF Bre =\n- MAO\n"), ALL, [], [],
    ),
    "a mail in lines of CR": (mail(PLAIN, "A Par - Bur\rA Mar - Spa\rF Bre - MAO\r"), ALL, [], []),
    "a signed mail by way of a list": (
        parts("mixed", "Content-Type: multipart/signed; boundary=c\n\n--c\n\n*A Par* - Bur\n--c\n"
              "Content-Type: application/pgp-signature; name=signature.asc\n\nx\n--c--",
              part("_" * 40 + "\nDip mailing list\ndip@x.example")),
        ["A PAR - BUR"], ["footer"], ["signature.asc"],
    ),
    "Yahoo's italics behind a head that Gmail broke": (
        mail(PLAIN, "_A Par_ - Bur\n\nOn Mon, Jan 5, 2026 at 10:12 AM Judge <\n"
             "TO-ADDRESS> wrote:\n\nA Mar - Gas\n"), ["A PAR - BUR"], [], [],
    ),
}


@pytest.mark.parametrize("name", SIBLINGS)
def test_mails_similar_to_real_ones_are_read(rig: Rig, name: str) -> None:
    raw, orders, told, untold = SIBLINGS[name]
    (answer,) = send(rig, raw)
    assert read_filed_orders(rig) == orders, answer
    for text in told:
        assert text in squeeze_text(answer), answer
    for text in untold:
        assert text not in answer, answer


def test_file_names_of_a_master_are_not_shown_to_the_player(rig: Rig) -> None:
    rig.take(parts("mixed", part("SIGNON Mmarco gmsecret\nBECOME France\nA Par - Bur"),
                   part("x", "application/pdf", "secret plan.pdf")).replace(
        "ann@field", "gm@field").replace("In-Reply-To: LETTER-ID\n", "").encode(), GM)
    assert "secret plan.pdf" in "".join(map(text_of, take_all(rig, GM)))
    assert "secret plan.pdf" not in "".join(map(text_of, take_all(rig, ANN)))
    assert read_filed_orders(rig) == ["A PAR - BUR"]


def test_german_answers_name_files_and_struck_text(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSET LANGUAGE de")
    take_all(rig)
    (answer,) = send(rig, parts(
        "mixed", part("A Par - Bur<br><s>A Mar H</s>", "text/html"), part("x", DOCX, "plan.docx"),
    ))
    assert "Das hast du durchgestrichen, es zählt also nicht: > A Mar H" in squeeze_text(answer)
    assert "Diese Dateien wurden nicht gelesen: || plan.docx" in squeeze_text(answer)


def test_stranger_with_a_document_receives_instructions(rig: Rig) -> None:
    raw = parts("mixed", part(""), part("x", "application/pdf", "plan.pdf"))
    rig.take(raw.replace(ANN, "eve@field.example").replace("TO-ADDRESS", "judge").encode(),
             "eve@field.example")
    answer = text_of(rig.letter("eve@field.example"))
    assert "JOIN marco yourpassword" in answer and "|| plan.pdf" in answer
