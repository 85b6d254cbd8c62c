"""Our code as Python reads it, each file once for all tests that look into it."""

import ast
import gc
from functools import cache
from pathlib import Path


@cache
def tree_of(file: Path) -> ast.Module:
    """Return a module as a tree.

    It stays to the end: the collector of cycles, which would look through all trees again and
    again, and for longer than it takes to make them, is told to leave them alone.
    """
    tree = ast.parse(file.read_text(encoding="utf-8"))
    gc.freeze()
    return tree


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """Return all that stands in a module, in the order of `ast.walk`."""
    return tuple(ast.walk(tree_of(file)))
