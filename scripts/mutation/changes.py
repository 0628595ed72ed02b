"""The changes to a constant that a test should notice."""

import ast
from collections.abc import Iterator, Sequence
from typing import Any

Change = tuple[str, ast.expr]
"""What it does, in words, and the value that then stands there."""

SIBLINGS = {
    "RoundState": ("GUESSING", "LOCKED"),
    "CycleState": ("FINISHED", "ACTIVE"),
    "GameState": ("FINISHED", "LOBBY"),
    "CardKind": ("START", "DJ"),
    "Reason": ("STALE",),
    "Role": ("AUDIO", "HOST"),
}
"""What a row can lead to if no other row of its table leads anywhere else."""


def changes(value: ast.expr) -> Iterator[Change]:
    """Every change to a constant's value that a test should notice."""
    if isinstance(value, ast.Call) and value.args:
        yield from _inside(value, value.args[0])
    elif isinstance(value, ast.Dict):
        yield from _dict_changes(value)
    elif isinstance(value, ast.Set | ast.Tuple | ast.List):
        yield from _sequence_changes(value)
    elif isinstance(value, ast.Constant):
        yield from _number_changes(value)
    elif _member(value):
        yield from ((f"becomes {ast.unparse(other)}", other) for other in _others(value, [])[:1])


def _inside(call: ast.Call, inner: ast.expr) -> Iterator[Change]:
    """The changes to a table that is made by a call: of a set, or of letters to translate."""
    if isinstance(inner, ast.Dict | ast.Set | ast.Tuple | ast.List):
        for change, changed in changes(inner):
            yield change, ast.Call(call.func, [changed, *call.args[1:]], call.keywords)
    elif ast.unparse(call.func) == "set" and isinstance(inner, ast.Constant):
        letters = str(inner.value)
        for letter in letters:
            rest = ast.Constant(letters.replace(letter, ""))
            yield f"without {letter!a}", ast.Call(call.func, [rest], [])


def _dict_changes(value: ast.Dict) -> Iterator[Change]:
    for index, key in enumerate(value.keys):
        if key is None:
            continue
        row = ast.unparse(key)
        yield f"without {row}", _dict_with(value, index, None)
        for other in _others(value.values[index], value.values)[:1]:
            yield f"{row} leads to {ast.unparse(other)}", _dict_with(value, index, other)
        for change, changed in _number_changes(value.values[index]):
            yield f"{row} {change}", _dict_with(value, index, changed)
        if isinstance(value.values[index], ast.Tuple):
            for change, changed in _sequence_changes(value.values[index], delete=False):
                yield f"{row} {change}", _dict_with(value, index, changed)


def _dict_with(value: ast.Dict, index: int, changed: ast.expr | None) -> ast.Dict:
    keys, values = list(value.keys), list(value.values)
    if changed is None:
        del keys[index], values[index]
    else:
        values[index] = changed
    return ast.Dict(keys, values)


def _sequence_changes(value: Any, *, delete: bool = True) -> Iterator[Change]:
    numbers = all(
        isinstance(item, ast.Constant) and isinstance(item.value, int) for item in value.elts
    )
    for index, item in enumerate(value.elts):
        if numbers:
            for change, changed in _number_changes(item):
                yield f"[{index}] {change}", _with_item(value, index, changed)
        elif delete:
            yield f"without {_short(item)}", _with_item(value, index, None)
    calls = all(isinstance(item, ast.Call) for item in value.elts)
    for index in range(len(value.elts) - 1) if calls and isinstance(value, ast.Tuple) else ():
        swapped = list(value.elts)
        swapped[index : index + 2] = swapped[index + 1], swapped[index]
        yield f"{_short(value.elts[index])} after the next", ast.Tuple(swapped, ast.Load())


def _with_item(value: Any, index: int, changed: ast.expr | None) -> ast.expr:
    items = list(value.elts)
    items[index : index + 1] = [] if changed is None else [changed]
    if isinstance(value, ast.Set):
        return ast.Set(items) if items else ast.Call(ast.Name("set", ast.Load()), [], [])
    return type(value)(items, ast.Load())  # type: ignore[no-any-return]


def _short(item: ast.expr) -> str:
    text = ast.unparse(item)
    return text if len(text) < 60 else text[:57] + "…"


def _number_changes(value: ast.expr) -> Iterator[Change]:
    if not isinstance(value, ast.Constant):
        return
    if isinstance(value.value, bool):
        yield f"becomes {not value.value}", ast.Constant(not value.value)
    elif isinstance(value.value, int):
        for number in (value.value - 1, value.value + 1):
            yield f"{value.value} becomes {number}", ast.Constant(number)


def _member(value: ast.expr) -> bool:
    """Whether it is a member of an enumeration or a function, such as `RoundState.LOCKED`."""
    return isinstance(value, ast.Name) or (
        isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name)
    )


def _others(value: ast.expr, rows: Sequence[ast.expr]) -> list[ast.expr]:
    """Other places a row could lead to: what other rows lead to, or another of the same kind."""
    if not _member(value):
        return []
    text = ast.unparse(value)
    known = {ast.unparse(other): other for other in rows if _member(other)}
    texts = list(known)
    start = texts.index(text) + 1 if text in texts else 0
    found = [known[other] for other in texts[start:] + texts[:start] if other != text]
    if not found and isinstance(value, ast.Attribute):
        found = [
            ast.Attribute(value.value, sibling, ast.Load())
            for sibling in SIBLINGS.get(ast.unparse(value.value), ())
            if sibling != value.attr
        ]
    return found
