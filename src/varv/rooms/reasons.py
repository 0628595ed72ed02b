"""Why the server, rather than the rules, refuses: the same kind of table as `rules.refusals`."""

from collections.abc import Mapping
from typing import Any

from varv.rules.refusals import Explained, Reason, Refusal


class Trouble(Explained):
    """Why the server refuses."""

    MALFORMED = "MALFORMED", "malformed", "protocol", "That is not a message this server knows."
    TOKEN_MISSING = "TOKEN_MISSING", "unauthorized", "protocol", "This needs a player's token."
    TOKEN_UNKNOWN = "TOKEN_UNKNOWN", "unauthorized", "GAME-21", "That token names nobody here."
    OWNER_UNKNOWN = "OWNER_UNKNOWN", "unauthorized", "ENT-01", "That owner token names nobody."
    NOT_YOURS = "NOT_YOURS", "forbidden", "GAME-21", "Only the player, the host or the owner may."
    ORIGIN_REFUSED = "ORIGIN_REFUSED", "forbidden", "protocol", "That site may not speak for you."
    GAME_UNKNOWN = "GAME_UNKNOWN", "not_found", "GAME-22", "There is no game with that code."
    PLAYER_UNKNOWN = "PLAYER_UNKNOWN", "not_found", "GAME-16", "There is no such player in it."
    TICKET_UNKNOWN = (
        "TICKET_UNKNOWN",
        "not_found",
        "GAME-21",
        "That link has been used or is too old.",
    )
    AUDIO_UNKNOWN = "AUDIO_UNKNOWN", "not_found", "VIEW-06", "That song is not being played."
    PATH_UNKNOWN = "PATH_UNKNOWN", "not_found", "protocol", "There is nothing at this address."
    METHOD_UNKNOWN = (
        "METHOD_UNKNOWN",
        "not_allowed",
        "protocol",
        "This address takes another method.",
    )
    ID_REUSED = "ID_REUSED", "conflict", "protocol", "That id was used for something else."
    GAME_UNFINISHED = (
        "GAME_UNFINISHED",
        "conflict",
        "GAME-23",
        "You already have a game that is not over.",
    )
    GAME_NOT_FINISHED = "GAME_NOT_FINISHED", "conflict", "GAME-06", "The game is not over."
    ROUND_NOT_REVEALED = (
        "ROUND_NOT_REVEALED",
        "conflict",
        "VIEW-07",
        "That round has not been fully revealed.",
    )
    SEAT_OF_A_BOT = "SEAT_OF_A_BOT", "conflict", "GAME-21", "A bot sits there."
    SOUND_UNAVAILABLE = (
        "SOUND_UNAVAILABLE",
        "conflict",
        "PRF-09",
        "No song could be made ready to play.",
    )
    CONTENDED = "CONTENDED", "conflict", "GAME-22", "Too many at once: try again."
    TOO_LARGE = "TOO_LARGE", "too_large", "protocol", "That is too large."
    OUT_OF_RANGE = "OUT_OF_RANGE", "invalid", "protocol", "A value is out of range or unknown."
    TOO_OFTEN = "TOO_OFTEN", "too_often", "protocol", "Too often: wait a moment."
    RESTARTING = "RESTARTING", "unavailable", "GAME-22", "The server is restarting."
    UNAVAILABLE = "UNAVAILABLE", "unavailable", "GAME-22", "The server cannot answer right now."


class Refused(Exception):
    """Nothing has changed, for this reason. `facts` are JSON values."""

    def __init__(
        self,
        reason: Reason | Trouble,
        facts: Mapping[str, Any] | None = None,
        *,
        retry_after: int | None = None,
    ) -> None:
        """With the facts of the case."""
        super().__init__(str(reason))
        self.reason = reason
        self.facts: dict[str, Any] = dict(facts or {})
        self.retry_after = retry_after


def refused(refusal: Refusal) -> Refused:
    """A refusal of the rules, to be raised."""
    return Refused(refusal.reason, refusal.facts)
