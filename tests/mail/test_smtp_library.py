"""Private names of aiosmtpd that the SMTP server uses."""

import ast
import inspect
from hashlib import sha256
from textwrap import dedent

from aiosmtpd.smtp import SMTP

from judge.mail.smtp import server

KNOWN = {
    "_handle_client": "a5ebaf5f3f1ebecb",
    "_smtp_methods": "5db765f2f8d13e7b",
    "_writer": "a22ac8001c35e748",
    "_create_envelope": "6443d44d2bc18504",
    "_create_session": "07c5507940db4c78",
    "_getaddr": "8ae9a47550f0a997",
}
"""Digests of the methods that are overridden or called, or that set the attribute."""
SET_IN = {"_smtp_methods": "__init__", "_writer": "_cb_client_connected"}


def private_names() -> set[str]:
    """Return the private names of `SMTP` that the server uses or overrides."""
    tree = ast.parse(inspect.getsource(server))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    library = ast.parse(dedent(inspect.getsource(SMTP)))
    theirs = {node.attr for node in ast.walk(library) if isinstance(node, ast.Attribute)}
    theirs |= set(dir(SMTP))
    return {name for name in used & theirs if name.startswith("_") and not name.endswith("__")}


def digest(name: str) -> str:
    """Return a digest of the source of a method, without its blanks."""
    source = inspect.getsource(getattr(SMTP, SET_IN.get(name, name)))
    return sha256("".join(source.split()).encode()).hexdigest()[:16]


def test_every_private_name_of_the_library_has_a_reason() -> None:
    assert private_names() == set(server.PRIVATE_NAMES)


def test_private_names_of_the_library_are_unchanged() -> None:
    assert {name: digest(name) for name in server.PRIVATE_NAMES} == KNOWN
