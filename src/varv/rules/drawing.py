"""What has to be known of a game to draw its next song."""

from msgspec.structs import replace

from varv.rules.candidates import fold
from varv.rules.model import DrawRequest, Game


def request(game: Game) -> DrawRequest:
    """PRF-09, CAN-05, CAN-07."""
    round_ = game.round
    old = round_.performance if round_ else None
    return DrawRequest(
        mix=game.mix.id,
        played=frozenset(game.played),
        on_tables=frozenset(
            card.song
            for player in game.players.values()
            for card in (*player.timeline, *player.side_cards)
            if card.song is not None
        ),
        this_round=frozenset(round_.songs if round_ else ()),
        retired=frozenset((*round_.retired, *old.group) if round_ and old else ()),
        retired_texts=retired_texts(game),
        revealed=frozenset(game.revealed),
        game=game.code,
    )


def likely_next(game: Game) -> DrawRequest:
    """What the next round will ask for if somebody wins the song that is being played."""
    assert game.round is not None
    assert game.round.performance is not None
    song = frozenset((game.round.performance.song.id,))
    now = request(game)
    return replace(
        now,
        on_tables=now.on_tables | song,
        this_round=frozenset(),
        retired=frozenset(),
        retired_texts=frozenset(),
        revealed=now.revealed | song,
    )


def retired_texts(game: Game) -> frozenset[str]:
    """The options of this round so far, folded: none of them may return (CAN-05)."""
    round_ = game.round
    if round_ is None or round_.performance is None:
        return frozenset()
    current = (*round_.performance.titles, *round_.performance.artists)
    return frozenset((*round_.retired_texts, *map(fold, current)))
