"""Who has won."""

import pytest
from tests.table import table

from varv.rules import ranking
from varv.rules.model import (
    Card,
    CardKind,
    Game,
    GameState,
    Mix,
    Options,
    Placing,
    Player,
)

START, SONG, ORACLE = CardKind.START, CardKind.SONG, CardKind.ORACLE
TIMELINE, DJ = CardKind.TIMELINE, CardKind.DJ


def player(number: int, *cards: str, cycle: int | None = 1) -> Player:
    """Cards such as "song 1", "timeline 2 *" (cycle 2, with a star), "oracle 1"."""
    timeline, side = [Card(START, 1990)], []
    for text in cards:
        kind, of, *star = text.split()
        card = Card(CardKind(kind), 1995, star=bool(star), round=1, cycle=int(of))
        (side if card.kind in (DJ, ORACLE) else timeline).append(card)
    return Player(
        f"p{number}", f"P{number}", cycle=cycle, timeline=tuple(timeline), side_cards=tuple(side)
    )


def game(edition: str, *players: Player, finished: tuple[int, ...] = (1,)) -> Game:
    return Game(
        code="K7QX",
        edition=edition,
        state=GameState.IN_PROGRESS,
        host="p1",
        mix=Mix("m", "M", 20),
        options=Options(),
        min_players=3,
        max_players=10,
        players={row.id: row for row in players},
        finished_cycles=finished,
    )


def places(at: Game) -> list[tuple[int, str, int, int]] | None:
    rows = ranking.rank(at)
    return rows and [(row.place, row.player, row.cards, row.tiebreak) for row in rows]


@pytest.mark.rule("RANK-03")
def test_dj_counts_cards_without_the_start_card_then_stars():
    assert places(
        game(
            "dj",
            player(1, "timeline 1"),
            player(2, "timeline 1", "dj 1"),
            player(3, "timeline 1 *"),
            player(4),
            player(5, "timeline 1", "dj 1 *"),
        )
    ) == [(1, "p5", 2, 1), (2, "p2", 2, 0), (3, "p3", 1, 1), (4, "p1", 1, 0), (5, "p4", 0, 0)]


@pytest.mark.rule("RANK-04")
def test_oracle_counts_the_timeline_with_the_start_card_then_oracle_cards():
    assert places(
        game(
            "oracle",
            player(1, "oracle 1", "oracle 1", "oracle 1"),
            player(2, "song 1"),
            player(3, "song 1", "oracle 1"),
            player(4),
        )
    ) == [(1, "p3", 2, 1), (2, "p2", 2, 0), (3, "p1", 1, 3), (4, "p4", 1, 0)]


@pytest.mark.rule("RANK-07")
def test_shared_places_leave_a_gap():
    tied = game("oracle", player(1), player(2, "song 1"), player(3, "song 1"), player(4))
    assert places(tied) == [(1, "p2", 2, 0), (1, "p3", 2, 0), (3, "p1", 1, 0), (3, "p4", 1, 0)]
    four = game("dj", *(player(n) for n in range(1, 5)), player(5, "timeline 1"))
    assert [row[0] for row in places(four) or []] == [1, 2, 2, 2, 2]


@pytest.mark.rule("RANK-01", "RANK-02")
def test_only_finished_cycles_count():
    players = player(1, "song 1", "song 3"), player(2, "song 2", "oracle 2"), player(3)
    both = game("oracle", *players, finished=(1, 2))
    assert places(both) == [(1, "p2", 2, 1), (2, "p1", 2, 0), (3, "p3", 1, 0)]
    one = game("oracle", *players, finished=(1,))
    assert places(one) == [(1, "p1", 2, 0), (2, "p2", 1, 0), (2, "p3", 1, 0)]


@pytest.mark.rule("RANK-06")
def test_no_finished_cycle_no_ranking():
    assert ranking.rank(game("oracle", player(1), finished=())) is None


@pytest.mark.rule("RANK-09")
def test_who_joined_after_the_last_finished_cycle_is_not_ranked():
    players = player(1), player(2, cycle=2), player(3, cycle=None), player(4, cycle=3)
    assert places(game("oracle", *players, finished=(1,))) == [(1, "p1", 1, 0)]
    two = places(game("oracle", *players, finished=(1, 2)))
    assert two == [(1, "p1", 1, 0), (1, "p2", 1, 0)]


def test_a_row_of_the_ranking():
    assert ranking.rank(game("dj", player(1, "dj 1 *"))) == (Placing(1, "p1", 1, 1),)


def test_the_tally_of_all_cycles_is_the_standing_so_far():
    someone = player(1, "song 1", "song 7", "oracle 7")
    assert ranking.tally("oracle", someone) == (3, 1)
    assert ranking.tally("oracle", someone, [1]) == (2, 0)
    assert ranking.tally("oracle", someone, []) == (1, 0)


@pytest.mark.rule("RANK-05", "RANK-09", "CYC-15")
def test_at_the_table():
    at = table("oracle", 4).plays_cycle().joins("Eva").sets_year("Eva", 2000).starts_cycle()
    at.plays_until("Bo").plays_round(2005, right=["Eva", "Cia"]).removes("Dan").plays_cycle()
    assert at.game.cycle is not None
    assert at.game.cycle.completed == at.game.cycle.rotation
    at.finishes()
    assert {row[1] for row in at.ranking() or []} == {"Ada", "Bo", "Cia", "Eva"}
    assert at.game.finished_cycles == (1, 2)


@pytest.mark.parametrize("edition", ["dj", "oracle"])
@pytest.mark.rule("RANK-01")
def test_the_ranking_is_settled_when_the_game_ends_and_shown_then(edition: str):
    at = table(edition, 3)
    assert at.snapshot()["ranking"] is None
    at.plays_cycle().finishes()
    assert [row["place"] for row in at.snapshot()["ranking"]] == [1, 1, 1]
    assert at.snapshot()["counted_cycles"] == [1]
