"""What a command did is the outcome it returns: none is made and then let fall."""

import ast
from collections.abc import Iterator
from pathlib import Path

import judge
from tests.house.syntax import tree_of

_HOUSE = Path(judge.__file__).parents[1]
_PLAY = _HOUSE / "judge" / "play"
FILES = [_PLAY / "dispatcher.py", *sorted((_PLAY / "commands").rglob("*.py"))]


def test_no_outcome_is_made_and_let_fall() -> None:
    trees = {
        ".".join(path.relative_to(_HOUSE).with_suffix("").parts): tree_of(path) for path in FILES
    }
    # The functions that return an outcome, or what a mail did with one.
    made = {
        f"{module}.{node.name}" for module, tree in trees.items()
        for node in tree.body if isinstance(node, ast.FunctionDef)
        if node.returns and ast.unparse(node.returns) in ("Outcome", "Session")
    }
    deeds = {
        f"{module}.{node.name}" for module, tree in trees.items()
        for node in tree.body if isinstance(node, ast.ClassDef)
        if "Deed" in map(ast.unparse, node.bases)
    }
    assert "judge.play.commands.gm.running.tell_all" in made
    assert "judge.play.commands.outcome.Watched" in deeds
    dropped = [
        f"{module}:{node.lineno}" for module, tree in trees.items() for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        and set(meanings(module, tree, node.value.func)) & (made | deeds)
    ]
    assert not dropped


def meanings(module: str, tree: ast.Module, called: ast.expr) -> Iterator[str]:
    """Yield what a name that is called may mean: a function here, or one brought in."""
    first, _, rest = ast.unparse(called).partition(".")
    yield f"{module}.{first}"
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for each in node.names:
                if (each.asname or each.name) == first:
                    yield ".".join(filter(None, (node.module, each.name, rest)))
