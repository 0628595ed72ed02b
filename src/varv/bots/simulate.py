"""Whole games among bots, by the hundred. The same plan always comes to the same tally."""

import random
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from multiprocessing import get_context

from msgspec import Struct

from varv.bots.deck import Deck
from varv.bots.match import Conditions, Match
from varv.bots.skills import SKILLS
from varv.bots.tally import Tally
from varv.rules import Step

BATCH = 20
"""Games that are played, and reported, together."""


class Plan(Struct, frozen=True):
    """What is to be simulated. Tables of the given sizes take turns."""

    edition: str
    sizes: tuple[int, ...] = (5,)
    games: int = 1000
    seed: int = 1
    cycles: int = 3
    skill: str | None = None
    """The skill of all players; by lot, each for themself, if None."""
    mishaps: bool = False


def simulate(plan: Plan, workers: int = 1) -> Iterator[Tally]:
    """Tallies of all games, a batch at a time, in the same order however many work at it."""
    batches = [
        range(start, min(start + BATCH, plan.games)) for start in range(0, plan.games, BATCH)
    ]
    if workers < 2:
        yield from map(partial(play, plan), batches)
        return
    pool = ProcessPoolExecutor(
        workers,
        mp_context=get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),  # Ctrl-C is for the one who waits for them
    )
    try:
        yield from pool.map(partial(play, plan), batches)
    finally:
        pool.shutdown(cancel_futures=True)


def play(plan: Plan, numbers: range) -> Tally:
    """Play the games of these numbers."""
    total = Tally()
    for number in numbers:
        total.add(_play_one(plan, number))
    return total


def _play_one(plan: Plan, number: int) -> Tally:
    """One game. Its chance depends on its number and the seed, and on no other game."""
    rng = random.Random(f"{plan.seed}/{number}")
    size = plan.sizes[number % len(plan.sizes)]
    names = [plan.skill or rng.choice(list(SKILLS)) for _ in range(size)]
    match = Match(
        Conditions(plan.edition, plan.cycles, plan.mishaps),
        [SKILLS[name] for name in names],
        _deck(plan.seed),
        rng,
    )
    tally = Tally()
    skills = {player: skill.name for player, skill in match.skills.items()}

    def watch(step: Step) -> None:
        tally.watch(step, skills)

    tally.finished(match.play(watch), skills)
    return tally


@lru_cache(maxsize=1)
def _deck(seed: int) -> Deck:
    return Deck(random.Random(seed))
