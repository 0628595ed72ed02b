"""Who holds which role right now, and what somebody is told who does not."""

from collections.abc import Callable, Collection, Mapping

from varv.rules.editions import EDITIONS
from varv.rules.editions.base import Role, guessers
from varv.rules.model import Audio, Game, round_of
from varv.rules.refusals import Reason, Refusal, refuse


def _without_card(game: Game) -> Collection[str]:
    """A start year may change until it has become a card (GAME-09)."""
    return [player.id for player in game.players.values() if not player.timeline]


def _host(game: Game) -> Collection[str]:
    return (game.host,)


def _leader(game: Game) -> Collection[str]:
    return (EDITIONS[game.edition].acting_leader(game, round_of(game)),)


def _leader_in_person(game: Game) -> Collection[str]:
    return (round_of(game).leader,)


def _leader_or_host(game: Game) -> Collection[str]:
    return {round_of(game).leader, game.host}


def _guesser(game: Game) -> Collection[str]:
    return guessers(EDITIONS[game.edition], game, round_of(game))


def _joker_user(game: Game) -> Collection[str]:
    """The leader guesses in some editions, but never with a joker (RND-07, JOK-02)."""
    leader = round_of(game).leader
    return [player for player in game.players if player != leader]


def _audio(game: Game) -> Collection[str]:
    if game.options.audio == Audio.EVERYONE:
        return game.players
    return (EDITIONS[game.edition].audio_player(game, round_of(game)),)


HOLDERS: Mapping[Role, Callable[[Game], Collection[str]]] = {
    Role.WITHOUT_CARD: _without_card,
    Role.HOST: _host,
    Role.LEADER: _leader,
    Role.LEADER_IN_PERSON: _leader_in_person,
    Role.LEADER_OR_HOST: _leader_or_host,
    Role.GUESSER: _guesser,
    Role.JOKER_USER: _joker_user,
    Role.AUDIO: _audio,
}
"""A removed leader can be among them; nobody else who has left is."""

_REASONS: Mapping[Role, Reason] = {
    Role.WITHOUT_CARD: Reason.START_YEAR_FIXED,
    Role.HOST: Reason.HOST_ONLY,
    Role.LEADER: Reason.LEADER_ONLY,
    Role.LEADER_IN_PERSON: Reason.LEADER_ONLY,
    Role.LEADER_OR_HOST: Reason.LEADER_OR_HOST_ONLY,
    Role.JOKER_USER: Reason.LEADER_USES_NO_JOKER,
    Role.AUDIO: Reason.PLAYS_NO_AUDIO,
}


def refuse_role(game: Game, role: Role) -> Refusal:
    """What somebody is told who does not hold the role."""
    if role is Role.GUESSER:
        return refuse(EDITIONS[game.edition].no_guess)
    return refuse(_REASONS[role])


def controls_audio(game: Game, player: str) -> bool:
    """Whether this player starts and stops the song (VIEW-06)."""
    return player in _audio(game)
