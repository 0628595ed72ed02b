"""The invented songs: years as at a party, and options by the rules."""

import random

import pytest

from varv.bots.deck import Deck
from varv.rules.candidates import valid
from varv.rules.model import Draw, DrawRequest
from varv.rules.refusals import Reason

NONE = frozenset[str]()


def request(played=NONE, this_round=NONE, retired=NONE, texts=NONE) -> DrawRequest:
    fields = {"played": played, "this_round": this_round, "retired": retired}
    known = {name: frozenset() for name in DrawRequest.__struct_fields__} | fields
    return DrawRequest(**(known | {"mix": "m", "retired_texts": texts}))


@pytest.mark.rule("CAN-01", "CAN-03")
def test_every_draw_is_valid():
    rng = random.Random(1)
    deck = Deck(rng)
    draws = [deck.draw(request(), rng) for _ in range(200)]
    assert all(isinstance(draw, Draw) and valid(draw) for draw in draws)
    assert len({draw.song for draw in draws}) > 100


def test_years_are_those_of_songs_people_know():
    years = [song.year for song in Deck(random.Random(2)).songs]
    assert years == sorted(years)
    assert 1950 <= years[0] < 1965 and 2015 < years[-1] <= 2025


@pytest.mark.rule("PRF-09")
def test_songs_not_played_come_first():
    rng = random.Random(3)
    deck = Deck(rng, 20)
    played = frozenset(song.id for song in deck.songs[:-1])
    for _ in range(30):
        draw = deck.draw(request(played=played), rng)
        assert isinstance(draw, Draw) and draw.song is deck.songs[-1] and valid(draw)


def test_when_all_are_played_any_will_do_but_this_rounds():
    rng = random.Random(4)
    deck = Deck(rng, 20)
    everything = frozenset(song.id for song in deck.songs)
    assert isinstance(deck.draw(request(played=everything), rng), Draw)
    assert deck.draw(request(everything, everything, everything), rng) is Reason.MIX_EXHAUSTED


@pytest.mark.rule("CAN-05")
def test_no_option_returns():
    rng = random.Random(5)
    deck = Deck(rng, 20)
    first = deck.draw(request(), rng)
    assert isinstance(first, Draw)
    second = deck.draw(request(retired=frozenset(first.group)), rng)
    assert isinstance(second, Draw) and not set(first.group) & set(second.group)
    short = frozenset(first.group) | {second.group[0]}
    assert deck.draw(request(retired=short), rng) is Reason.OPTIONS_EXHAUSTED
