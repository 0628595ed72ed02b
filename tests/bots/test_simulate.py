"""Whole games among bots: the same plan, the same tally."""

import random

import pytest

from varv.bots import figures
from varv.bots.deck import Deck
from varv.bots.match import BotRefused, Conditions, Match
from varv.bots.simulate import BATCH, Plan, play, simulate
from varv.bots.skills import SKILLS
from varv.bots.tally import Tally
from varv.rules import Step
from varv.rules import commands as c
from varv.rules.model import AbortReason, GameState

BOTH = pytest.mark.parametrize("edition", ["dj", "oracle"])


def total(plan: Plan, workers: int = 1) -> Tally:
    tally = Tally()
    for batch in simulate(plan, workers):
        tally.add(batch)
    return tally


@BOTH
def test_no_bot_is_ever_refused(edition):
    """`play` raises at the first refusal, and when nobody can go on."""
    plan = Plan(edition, sizes=(3, 4, 5, 6), games=200, cycles=2, seed=11, mishaps=True)
    tally = play(plan, range(plan.games))
    assert tally.games == plan.games
    assert set(tally.aborted) >= {AbortReason.HOST, AbortReason.LEADER_REMOVED}


def test_a_refusal_would_not_go_unnoticed():
    match = Match(
        Conditions("oracle"), [SKILLS["regular"]] * 3, Deck(random.Random(1)), random.Random(1)
    )
    match._bots["p2"].act = lambda *_, **__: c.StartGame()
    with pytest.raises(BotRefused, match="HOST_ONLY"):
        match.play(lambda _: None)


@BOTH
@pytest.mark.parametrize("players", [3, 10])
def test_a_match_is_played_to_the_end(edition, players):
    steps: list[Step] = []
    match = Match(
        Conditions(edition, cycles=2),
        [SKILLS["regular"]] * players,
        Deck(random.Random(1)),
        random.Random(1),
    )
    game = match.play(steps.append)
    assert game.state is GameState.FINISHED
    assert game.finished_cycles == (1, 2)
    assert game.ranking is not None and len(game.ranking) == players
    assert len(game.played) == 2 * players
    assert steps[-1].game is game


def test_the_same_plan_comes_to_the_same_tally_however_many_work_at_it():
    plan = Plan("oracle", sizes=(3, 4), games=BATCH + 5, cycles=1, seed=3, mishaps=True)
    assert total(plan) == total(plan) == total(plan, workers=2)


def test_another_seed_comes_to_another_tally():
    plans = [Plan("dj", sizes=(3,), games=5, cycles=1, seed=seed) for seed in (1, 2)]
    assert total(plans[0]) != total(plans[1])


def test_a_game_depends_on_its_number_and_on_no_other_game():
    plan = Plan("dj", sizes=(3, 4), games=6, cycles=1)
    apart = Tally()
    for number in reversed(range(6)):
        apart.add(play(plan, range(number, number + 1)))
    assert apart == play(plan, range(6))


@BOTH
def test_better_skill_wins_more(mixed, edition):
    tally = mixed[edition]
    for shares in (
        [tally.wins[skill] / tally.seats[skill] for skill in SKILLS],
        [figures.spread(figures.cards_of(tally, skill)).mean for skill in SKILLS],
        [tally.jokers_won[skill] / tally.seats[skill] for skill in SKILLS],
    ):
        assert shares == sorted(shares) and shares[0] < 0.9 * shares[-1]


@BOTH
def test_the_tally_adds_up(mixed, edition):
    tally = mixed[edition]
    assert tally.games == tally.rounds.total() == 40
    assert tally.rounds == {15: 20, 24: 20}
    assert tally.revealed == 20 * (15 + 24)
    guessers = {15: 4, 24: 7} if edition == "oracle" else {15: 5, 24: 8}
    assert tally.guesses.total() == sum(20 * rounds * n for rounds, n in guessers.items())
    assert tally.seats.total() == tally.cards.total() == 20 * (5 + 8)
    assert tally.wins.total() >= tally.games
    assert tally.shared + tally.close <= tally.games
    predictions = tally.revealed if edition == "oracle" else 0
    assert tally.predictions.total() == tally.difficulties.total() == predictions


@pytest.mark.rule("JOK-04")
def test_jokers_are_used_and_help(mixed):
    oracle, dj = mixed["oracle"], mixed["dj"]
    assert {part for _, part in oracle.jokers_used} == {"placement"}
    assert {part for _, part in dj.jokers_used} == {"placement", "title", "artist"}
    for tally in (oracle, dj):
        helped = figures.share(tally.joker_placements[True], tally.joker_placements.total())
        assert helped > 0.6


def test_one_skill_for_all():
    tally = play(Plan("oracle", sizes=(3,), cycles=1, skill="novice"), range(3))
    assert set(tally.seats) == {"novice"}
