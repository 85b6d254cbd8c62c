"""What is bound to a name, and on some way through its function not handed on."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Made = Callable[[ast.expr], bool]
"""Tells whether an expression makes what must not be let fall."""
Held = frozenset[tuple[str, int]]
"""What is bound and not handed on yet: the name, and the line that binds it."""
NONE: Held = frozenset()


def let_fall(function: ast.FunctionDef, made: Made) -> list[tuple[str, int]]:
    """Return the names that hold what was made when a way through a function ends, or when they
    are bound anew, with the lines that bound them.

    Handed on is what is read, but not what is only asked of (`done.is_refusal`), or only tried
    (`if done:`); what is tried and found empty need not be. Ways that end in an exception are no
    matter: it takes everything back.
    """
    walk = _Walk(made)
    walk.end(walk.through(function.body, NONE))
    return sorted(walk.fallen)


@dataclass
class _Walk:
    made: Made
    fallen: set[tuple[str, int]] = field(default_factory=set)
    out: list[Held] = field(default_factory=list)
    """What is held where the loops that are walked through are left, or begun again."""

    def end(self, held: Held | None) -> None:
        """Note what is held where a way ends."""
        self.fallen |= held or NONE

    def through(self, body: list[ast.stmt], held: Held | None) -> Held | None:
        """Return what is held after some statements; nothing where no way leads past them."""
        for statement in body:
            if held is None:
                return None
            held = self.past(statement, held)
        return held

    def past(self, statement: ast.stmt, held: Held) -> Held | None:
        """Return what is held after a statement."""
        match statement:
            case ast.Return(value=value):
                self.end(self.read(value, held) if value else held)
                return None
            case ast.Raise():
                return None
            case ast.Break() | ast.Continue():
                self.out.append(held)
                return None
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                held = self.read(value, held)
                for at, target in enumerate(targets):
                    held = self.bind(target, ast.Subscript(value, ast.Constant(at)), held)
                return held
            case ast.Assign(targets=[target], value=value):
                return self.bind(target, value, self.read(value, held))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self.bind(target, value, self.read(value, held))
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                now = self.read(value, held)
                return now | ({(name, statement.lineno)} if self.made(value) else NONE)
            case ast.If(test=test, body=body, orelse=orelse):
                now = self.ask(test, held)
                yes, no = _tried(test)
                return _either(
                    self.through(body, _without(now, no)), self.through(orelse, _without(now, yes))
                )
            case ast.For(iter=what, body=body, orelse=orelse):
                return self.around(body, orelse, self.read(what, held))
            case ast.While(test=test, body=body, orelse=orelse):
                return self.around(body, orelse, self.ask(test, held))
            case ast.With(items=items, body=body):
                for item in items:
                    held = self.read(item.context_expr, held)
                return self.through(body, held)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=last):
                now = self.through([*body, *orelse], held)
                for handler in handlers:
                    now = _either(now, self.through(handler.body, held))
                return self.through(last, now)
            case ast.Match(subject=subject, cases=cases):
                held = self.ask(subject, held)
                certain = any(ast.unparse(case.pattern) == "_" for case in cases)
                now = None if certain else held
                for case in cases:
                    now = _either(now, self.through(case.body, held))
                return now
            case _:
                return self.read(statement, held)

    def around(self, body: list[ast.stmt], orelse: list[ast.stmt], held: Held) -> Held | None:
        """Return what is held after a loop, which may be gone through never, once or twice."""
        outer, self.out = self.out, []
        now: Held | None = held
        for _ in range(2):
            now = _either(now, self.through(body, now))
            for each in self.out:
                now = _either(now, each)
        self.out = outer
        return self.through(orelse, now)

    def read(self, node: ast.AST, held: Held) -> Held:
        """Return what is held after something that hands on what it reads."""
        return _without(held, set(_handed_on(node)))

    def ask(self, test: ast.expr, held: Held) -> Held:
        """Return what is held after a condition, which may bind a name."""
        held = _without(held, set(_asked(test)))
        for each in ast.walk(test):
            if isinstance(each, ast.NamedExpr):
                held = self.bind(each.target, each.value, held)
        return held

    def bind(self, target: ast.expr, value: ast.expr, held: Held) -> Held:
        """Return what is held when a name is bound; what it held before falls."""
        if not isinstance(target, ast.Name):
            return held
        self.end(frozenset(each for each in held if each[0] == target.id))
        now = _without(held, {target.id})
        return now | {(target.id, target.lineno)} if self.made(value) else now


def _handed_on(node: ast.AST) -> Iterator[str]:
    """Yield the names that something hands on to whatever it is part of."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            yield name
        case ast.Attribute(value=ast.Name()):
            return
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield from (*_asked(test), *_handed_on(body), *_handed_on(orelse))
        case _:
            for below in ast.iter_child_nodes(node):
                yield from _handed_on(below)


def _asked(test: ast.AST) -> Iterator[str]:
    """Yield the names that a condition hands on; that it looks at one is not enough."""
    match test:
        case ast.Name():
            return
        case ast.UnaryOp() | ast.BoolOp() | ast.Compare() | ast.Attribute():
            for below in ast.iter_child_nodes(test):
                yield from _asked(below)
        case ast.NamedExpr(value=value):
            yield from _handed_on(value)
        case _:
            yield from _handed_on(test)


def _tried(test: ast.expr) -> tuple[set[str], set[str]]:
    """Return the names that are empty where a condition does not hold, and where it does."""
    match test:
        case ast.Name(id=name) | ast.NamedExpr(target=ast.Name(id=name)):
            return {name}, set()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yes, no = _tried(operand)
            return no, yes
        case ast.BoolOp(op=ast.Or(), values=values):
            return {name for each in values for name in _tried(each)[0]}, set()
        case ast.BoolOp(op=ast.And(), values=values):
            return set(), {name for each in values for name in _tried(each)[1]}
        case _:
            return set(), set()


def _without(held: Held, names: set[str]) -> Held:
    return frozenset(each for each in held if each[0] not in names)


def _either(one: Held | None, other: Held | None) -> Held | None:
    if one is None or other is None:
        return one if other is None else other
    return one | other
