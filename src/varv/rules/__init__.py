"""The rules of Varv: pure functions over frozen values (standard library and msgspec only).

`create` and `join` make a table, `decide` says what a command leads to or why it is refused,
`evolve` folds what happened into the game, and `views` says what each person is shown.
"""

from varv.rules.decide import Chance, Setup, Step, create, decide, join, take
from varv.rules.evolve import evolve, replay
from varv.rules.permission import check

__all__ = [
    "Chance",
    "Setup",
    "Step",
    "check",
    "create",
    "decide",
    "evolve",
    "join",
    "replay",
    "take",
]
