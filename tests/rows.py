"""Tables of many small rows that are one test: every row is tried, and each that fails is named.

A test of its own costs two milliseconds before it does anything, more than most rows of a table.
Rows share the fixtures of their test, so that none may change what another goes by.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]


def every(
    names: str | Sequence[str], rows: Iterable[Any] | Callable[[], Iterable[Any]],
    ids: Callable[[Any], str] = str,
) -> Callable[[Test], Test]:
    """Have a test tried with every row of a table, given to it as `parametrize` of pytest does.

    A function that makes the rows is called when the test begins, not by each process that collects
    the tests.
    """
    words = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    # The class of an enumeration can be called, and is a table.
    known = [*rows] if isinstance(rows, Iterable) else rows

    def decorated(test: Test) -> Test:
        @wraps(test)
        def tried(**fixtures: Any) -> None:
            table = known if isinstance(known, list) else [*known()]
            assert table, "the table has no rows"
            failed = []
            for row in table:
                values = row if len(words) > 1 else (row,)
                try:
                    test(**dict(zip(words, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as fault:
                    fault.add_note(f"row: {ids(row)}")
                    failed.append((ids(row), fault))
            if failed:
                named = ", ".join(name for name, _ in failed)
                raise BaseExceptionGroup(
                    f"{len(failed)} of {len(table)} rows fail: {named}", [it for _, it in failed]
                )

        signature = inspect.signature(test)
        tried.__signature__ = signature.replace(parameters=[  # type: ignore[attr-defined]
            each for name, each in signature.parameters.items() if name not in words
        ])
        return tried

    return decorated
