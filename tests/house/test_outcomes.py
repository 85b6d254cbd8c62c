"""What a command did is the outcome it returns: none is made and then let fall, on no way."""

import ast
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import judge
from tests.house.paths import let_fall
from tests.house.syntax import tree_of

_HOUSE = Path(judge.__file__).parents[1]
_PLAY = _HOUSE / "judge" / "play"
FILES = [_PLAY / "dispatcher.py", *sorted((_PLAY / "commands").rglob("*.py"))]


def tuple_of(returned: ast.expr | None) -> Iterator[list[ast.expr]]:
    """Yield what a tuple holds, where that is returned."""
    match returned:
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=found)):
            yield found


TREES = {
    ".".join(path.relative_to(_HOUSE).with_suffix("").parts): tree_of(path) for path in FILES
}
MADE = {
    f"{module}.{node.name}" for module, tree in TREES.items()
    for node in tree.body if isinstance(node, ast.FunctionDef)
    if node.returns and ast.unparse(node.returns) in ("Outcome", "Session")
}
"""The functions that return an outcome, or what a mail did with one."""
AMONG = {
    f"{module}.{node.name}": [ast.unparse(each) for each in found] for module, tree in TREES.items()
    for node in tree.body if isinstance(node, ast.FunctionDef)
    for found in tuple_of(node.returns)
}
"""What functions return that return several things."""
DEEDS = {
    f"{module}.{node.name}" for module, tree in TREES.items()
    for node in tree.body if isinstance(node, ast.ClassDef)
    if "Deed" in map(ast.unparse, node.bases)
}


def test_no_outcome_is_made_and_let_fall() -> None:
    assert "judge.play.commands.gm.running.tell_all" in MADE
    assert "judge.play.commands.outcome.Watched" in DEEDS
    assert AMONG["judge.play.commands.outreach.first_chance"][1] == "Outcome"
    dropped = [
        f"{module}:{node.lineno}" for module, tree in TREES.items() for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        and set(meanings(module, tree, node.value.func)) & (MADE | DEEDS)
    ]
    assert not dropped


def test_no_outcome_with_a_name_is_let_fall_on_any_way() -> None:
    dropped = [
        f"{module}:{line}: {name}" for module, tree in TREES.items() for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for name, line in let_fall(node, partial(makes, module, tree))
    ]
    assert not dropped


@pytest.mark.parametrize(("lines", "fallen"), [
    ("done = said()\nreturn done", []),
    ("done = said()\nreturn None", ["done"]),
    ("done = said()\nif late:\n    return refused()\nreturn done", ["done"]),
    ("done = said()\nif late:\n    raise Fault\nreturn done", []),
    ("done = said()\nif done.is_refusal:\n    return done\nreturn said()", ["done"]),
    ("if done := said():\n    return done\nreturn refused()", []),
    ("if done := said():\n    return refused()\nreturn said()", ["done"]),
    ("if not (done := said()):\n    return refused()\nreturn done", []),
    ("if (done := said()).is_refusal:\n    return done\nreturn done + said()", []),
    ("done = said()\ndone = refused()\nreturn done", ["done"]),
    ("done = said()\ndone += refused()\nreturn done", []),
    ("done = NOTHING\nfor one in many:\n    done = said()\nreturn done", ["done"]),
    ("done = NOTHING\nfor one in many:\n    done += said()\nreturn done", []),
    ("done = said() + refused()\nmatch what:\n    case 1:\n        return done\n"
     "    case _:\n        return refused()", ["done"]),
    ("done = said() if late else NOTHING\ntry:\n    work()\nexcept Fault:\n"
     "    return refused()\nreturn done", ["done"]),
    ("why, done = both()\nif why:\n    return refused()\nreturn done", ["done"]),
    ("while late:\n    done = said()\n    if full:\n        break\n    late = keep(done)\n",
     ["done"]),
])
def test_ways_are_told_apart(lines: str, fallen: list[str]) -> None:
    indented = "".join(f"    {line}\n" for line in lines.splitlines())
    function = ast.parse(f"def f():\n{indented}").body[0]
    assert isinstance(function, ast.FunctionDef)

    def made(value: ast.expr) -> bool:
        return any(call in ast.unparse(value) for call in ("said()", "refused()", "both()[1]"))

    assert [name for name, _ in let_fall(function, made)] == fallen


def makes(module: str, tree: ast.Module, value: ast.expr) -> bool:
    """Tell whether an expression makes an outcome."""
    match value:
        case ast.Call(func=called):
            return bool(set(meanings(module, tree, called)) & (MADE | DEEDS))
        case ast.Subscript(value=ast.Call(func=called), slice=ast.Constant(value=int(at))):
            found = [AMONG[name] for name in meanings(module, tree, called) if name in AMONG]
            return any(what[at] in ("Outcome", "Session") for what in found)
        case ast.BinOp(left=one, right=other) | ast.IfExp(body=one, orelse=other):
            return makes(module, tree, one) or makes(module, tree, other)
        case ast.BoolOp(values=values):
            return any(makes(module, tree, each) for each in values)
        case ast.NamedExpr(value=value):
            return makes(module, tree, value)
        case _:
            return False


def meanings(module: str, tree: ast.Module, called: ast.expr) -> Iterator[str]:
    """Yield what a name that is called may mean: a function here, or one brought in."""
    first, _, rest = ast.unparse(called).partition(".")
    yield f"{module}.{first}"
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for each in node.names:
                if (each.asname or each.name) == first:
                    yield ".".join(filter(None, (node.module, each.name, rest)))
