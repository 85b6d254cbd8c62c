"""Syntax trees of the code, parsed once for all tests."""

import ast
import gc
from functools import cache
from pathlib import Path


@cache
def tree_of(file: Path) -> ast.Module:
    """Return the syntax tree of a module.

    The tree is kept to the end. The garbage collector is frozen, because its repeated scans of all
    trees would take longer than parsing them.
    """
    tree = ast.parse(file.read_text(encoding="utf-8"))
    gc.freeze()
    return tree


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a module, in the order of `ast.walk`."""
    return tuple(ast.walk(tree_of(file)))
