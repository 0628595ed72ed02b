"""How well a bot predicts as the Oracle."""

from varv.bots.figures import foresight
from varv.bots.oracle import predict
from varv.rules.difficulty import scale
from varv.rules.model import CardKind, Difficulty
from varv.rules.views.shapes import CardView, PlayerView


def player(*years: int) -> PlayerView:
    cards = [CardView(CardKind.SONG, year) for year in years]
    return PlayerView("p", "P", False, years[0], 0, cards, [])


def test_a_song_far_from_everybodys_cards_is_easy():
    assert predict(1955, [player(2000)] * 4, scale(4)) is Difficulty.EASY


def test_a_song_among_many_near_cards_is_hard():
    crowded = player(*range(1980, 1990))
    assert predict(1985, [crowded] * 4, scale(4)) is Difficulty.HARD


def test_a_table_of_both_kinds_is_medium():
    crowded, clear = player(*range(1980, 1990)), player(2010)
    assert predict(1985, [crowded, crowded, clear, clear], scale(4)) is Difficulty.MEDIUM


def test_oracles_predict_better_than_by_lot_and_than_always_the_same(mixed):
    seen = foresight(mixed["oracle"])
    assert seen.right > 1.5 * seen.by_lot
    assert seen.right > seen.commonest + 0.02
