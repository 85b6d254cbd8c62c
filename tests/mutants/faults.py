"""Where a fault can be put into a source file, and what stands there then."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

SWAPS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
UNSEEABLE = ("slots", "frozen", "maxsize")
"""What a decorator says of memory, and of changes that the types forbid already."""
QUIET = ("log", "logger", "_log", "_LOG", "LOG", "assert_never")
"""Names of logs, for what is written there is for eyes; and what the types say is never reached."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One change of one file: the text between two places is replaced.

    `inside` is the function or class it is in; `first` and `last` are lines from 1; `start` and
    `end` count octets of the file.
    """

    file: str
    inside: str
    kind: str
    first: int
    last: int
    start: int
    end: int
    before: str
    after: str

    def put_into(self, source: bytes) -> bytes:
        """Return the file with the fault in it."""
        assert source[self.start:self.end].decode() == self.before, "the file has changed meanwhile"
        return source[:self.start] + self.after.encode() + source[self.end:]

    @property
    def name(self) -> tuple[str, str, str, str]:
        """What it is called in `equivalent.tsv`: file, function, what stands there, what then."""
        return self.file, self.inside, " ".join(self.before.split()), " ".join(self.after.split())


def faults(file: str, source: bytes) -> list[Fault]:
    """Return every fault we know to make in a file.

    >>> [(f.kind, f.after) for f in faults("x.py", b"def f(x):\\n    return x < 3\\n")]
    [('comparison', '(x <= 3)'), ('constant', '(4)')]
    """
    tree = ast.parse(source)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def at(node: ast.expr | ast.stmt, kind: str, after: str) -> Fault:
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        before = source[start:end].decode()
        inside = homes.get(id(node), "")
        return Fault(file, inside, kind, node.lineno, node.end_lineno, start, end, before, after)

    left_out, homes = _left_out(tree), _homes(tree)
    found = []
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, (ast.expr, ast.stmt)):
            found += [at(place, kind, after) for place, kind, after in _changes(node)]
        elif isinstance(node, ast.comprehension):
            found += [at(test, "filter", "True") for test in node.ifs]
    return sorted(found, key=lambda fault: (fault.start, fault.end, fault.after))


def _homes(tree: ast.Module) -> dict[int, str]:
    """Return the innermost function or class that each node is in."""
    found: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            # The outer ones come first, so that the innermost has the last word.
            found.update((id(each), node.name) for each in ast.walk(node))
    return found


def _left_out(tree: ast.Module) -> set[int]:
    """Return the nodes that do nothing when the code runs: types, docstrings, sizes of caches."""
    found: set[int] = set()
    for node in ast.walk(tree):
        quiet: list[ast.AST | None] = []
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            quiet.append(node.returns)
        if isinstance(node, (ast.arg, ast.AnnAssign)):
            quiet.append(node.annotation)
        if isinstance(node, ast.keyword) and node.arg in UNSEEABLE:
            quiet.append(node.value)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            quiet.append(node)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            quiet.append(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if ast.unparse(node.value.func).split(".")[0] in QUIET:
                quiet.append(node)
        for root in quiet:
            found.update(id(each) for each in ast.walk(root) if root) if root else None
    return found


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    """Return what may stand in a node's place: which node, the kind of fault, the new text."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SWAPS:
            swapped = ast.Compare(left, [SWAPS[type(op)]()], [right])
            yield node, "comparison", f"({ast.unparse(swapped)})"
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield node, "logic", f"({ast.unparse(ast.BoolOp(other, node.values))})"
        case ast.UnaryOp(op=ast.Not()):
            yield node, "logic", f"({ast.unparse(node.operand)})"
        case ast.Constant(value=bool()):
            yield node, "constant", str(not node.value)
        case ast.Constant(value=int()):
            yield node, "constant", f"({node.value + 1})"  # type: ignore[operator]
        case ast.For():
            # Not as a list: there are loops without an end.
            first = f"__import__('itertools').islice({ast.unparse(node.iter)}, 1)"
            yield node.iter, "loop", first
        case ast.Continue():
            yield node, "loop", "break"
        case ast.If(body=[first, *_], orelse=[]) if isinstance(first, LEAVES):
            yield node.test, "guard", "False"
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield node, "statement", "pass"
        case ast.With(items=[ast.withitem(context_expr=held, optional_vars=None)]):
            kind = "guard" if ast.unparse(held).startswith("suppress(") else "lock"
            yield held, kind, "__import__('contextlib').nullcontext()"
