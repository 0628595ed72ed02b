"""The Snapshot: what everyone sees of a game."""

from itertools import compress, product

from varv.rules import coupling, difficulty, ranking
from varv.rules.editions import EDITIONS
from varv.rules.editions.base import Edition, guessers
from varv.rules.model import (
    PARTS,
    START_YEARS,
    Card,
    Difficulty,
    Game,
    GameState,
    Guess,
    Part,
    Performance,
    Player,
    Result,
    Round,
    RoundState,
    Song,
)
from varv.rules.permission import joining_refused
from varv.rules.views.shapes import (
    Answer,
    CardView,
    CycleView,
    GuessView,
    OptionView,
    PlayerView,
    ResultView,
    RoundView,
    Snapshot,
    Standing,
)


def snapshot(game: Game) -> Snapshot:
    """What everyone sees of the game."""
    hidden = hidden_round(game)
    players = [player_view(player, hidden) for player in game.players.values()]
    return snapshot_with(game, players, standings(game))


def snapshot_with(game: Game, players: list[PlayerView], standings: list[Standing]) -> Snapshot:
    """The Snapshot, with players and standings that are already made."""
    cycle = game.cycle
    return Snapshot(
        code=game.code,
        edition=game.edition,
        state=game.state,
        mix=game.mix,
        min_players=game.min_players,
        max_players=game.max_players,
        start_years=START_YEARS,
        joinable=joining_refused(game) is None,
        host=game.host,
        options=game.options,
        players=players,
        cycle=CycleView(cycle.number, cycle.state, cycle.rotation, cycle.completed)
        if cycle
        else None,
        round=round_view(game, game.round) if game.round else None,
        last_round=round_view(game, game.last_round) if game.last_round else None,
        standings=standings,
        ranking=game.ranking,
        counted_cycles=game.finished_cycles,
    )


def hidden_round(game: Game) -> int | None:
    """The round whose new cards still hide their names: between the two reveals (VIEW-03)."""
    round_ = game.round
    if round_ is None or round_.results is None:
        return None
    return None if round_.state is EDITIONS[game.edition].terminal else round_.number


def _card(card: Card, hidden: int | None) -> CardView:
    number, cycle = card.round, card.cycle
    if number is None:
        return CardView(card.kind, card.year)
    assert cycle is not None
    if number == hidden:
        return CardView(card.kind, card.year, None, None, card.star, number, cycle)
    return CardView(card.kind, card.year, card.title, card.artist, card.star, number, cycle)


def player_view(player: Player, hidden: int | None) -> PlayerView:
    """A remaining player, with the names on the cards of the `hidden` round left out."""
    return PlayerView(
        id=player.id,
        name=player.name,
        bot=player.bot,
        start_year=player.start_year,
        jokers=player.jokers,
        timeline=[_card(card, hidden) for card in player.timeline],
        side_cards=[_card(card, hidden) for card in player.side_cards],
    )


def standings(game: Game) -> list[Standing]:
    """How many cards everyone has so far, in every cycle, the leading first."""
    rows = [
        Standing(player.id, *ranking.tally(game.edition, player))
        for player in game.players.values()
    ]
    return sorted(rows, key=lambda row: (-row.cards, -row.tiebreak))


def _next_leader(game: Game, round_: Round) -> str | None:
    """Who leads after this round: its own leader again if it was aborted (CYC-07)."""
    if game.state is GameState.FINISHED:
        return None
    aborted = round_.state is RoundState.ABORTED
    return coupling.next_leader(game, after=None if aborted else round_.leader)


def round_view(game: Game, round_: Round) -> RoundView:
    """A round as everyone sees it (VIEW-02, VIEW-03, VIEW-07)."""
    edition = EDITIONS[game.edition]
    performance, results = round_.performance, round_.results
    revealed = results is not None
    fully = round_.state is edition.terminal
    outcome = round_.outcome if fully else None
    prediction = round_.prediction if fully else None
    return RoundView(
        number=round_.number,
        state=round_.state,
        leader=round_.leader,
        leader_name=round_.leader_name,
        leader_removed=round_.leader not in game.players,
        next_leader=_next_leader(game, round_),
        performance=performance.number if performance else None,
        deadline=performance.deadline if performance else None,
        difficulty_scale=_scale(edition, game, round_),
        submitted=_submitted(edition, game, round_),
        predicted=round_.prediction is not None,
        answer=answer_view(performance.song, fully=fully) if performance and revealed else None,
        results={player: _result(performance, result, fully) for player, result in results.items()}
        if performance and results is not None
        else None,
        difficulty=outcome.difficulty if outcome else None,
        guessers=outcome.guessers if outcome else None,
        correct=outcome.correct if outcome else None,
        prediction=prediction,
        prediction_correct=prediction is outcome.difficulty if outcome else None,
        aborted_because=round_.aborted_because,
    )


def _scale(edition: Edition, game: Game, round_: Round) -> dict[Difficulty, tuple[int, int]] | None:
    """What a prediction means: with the guessers there are, or were when the round locked."""
    if not edition.predicts or round_.state is RoundState.ABORTED:
        return None
    if round_.outcome:
        return difficulty.scale(round_.outcome.guessers)
    return difficulty.scale(len(guessers(edition, game, round_)))


def _submitted(edition: Edition, game: Game, round_: Round) -> dict[str, tuple[Part, ...]]:
    """Who has submitted which parts (VIEW-04)."""
    if round_.performance is None or round_.state is RoundState.ABORTED:
        return {}
    if round_.results is not None:
        return {player: _parts(result.guess) for player, result in round_.results.items()}
    submitted: dict[str, tuple[Part, ...]] = dict.fromkeys(guessers(edition, game, round_), ())
    for player, guess in round_.guesses.items():
        submitted[player] = _parts(guess)
    return submitted


def _parts(guess: Guess) -> tuple[Part, ...]:
    given = (guess.placement is not None, guess.title is not None, guess.artist is not None)
    return _GIVEN[given]


_GIVEN = {
    given: tuple(compress(PARTS, given)) for given in product((False, True), repeat=len(PARTS))
}
"""The parts that are there, by whether each is."""


def answer_view(song: Song, *, fully: bool) -> Answer:
    """The answer, or only its year."""
    return Answer(song.year, song.title, song.artist) if fully else Answer(song.year)


def _option(texts: tuple[str, ...], option: str | None) -> OptionView | None:
    return None if option is None else OptionView(option, texts[int(option[1:])])


def _result(performance: Performance, result: Result, fully: bool) -> ResultView:
    guess = result.guess
    return ResultView(
        guess=GuessView(
            guess.placement,
            _option(performance.titles, guess.title) if fully else None,
            _option(performance.artists, guess.artist) if fully else None,
        ),
        placement=result.placement,
        title=result.title,
        artist=result.artist,
        card=result.card,
        position=result.position,
        star=result.star,
        joker_won=result.joker_won,
        jokers_used=result.jokers_used,
    )
