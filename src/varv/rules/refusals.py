"""Why a command was refused: a stable reason with its rule, and the facts of the case.

The wording a player reads belongs to the client; `detail` is for developers and logs.
`docs/refusals.md` is generated from this table.
"""

from enum import StrEnum
from typing import Any, Self

from msgspec import Struct


class Explained(StrEnum):
    """A reason tied to its class, the rule or part of the protocol behind it, and a sentence."""

    code: str
    rule: str
    detail: str

    def __new__(cls, value: str, code: str, rule: str, detail: str) -> Self:
        """A constant whose value is its name."""
        reason = str.__new__(cls, value)
        reason._value_ = value
        reason.code = code
        reason.rule = rule
        reason.detail = detail
        return reason


class Reason(Explained):
    """Why the rules refuse."""

    # Not a player, or not the game, round or song that the sender was looking at
    REMOVED = "REMOVED", "forbidden", "GAME-16", "You are no longer in this game."
    STALE = "STALE", "conflict", "GUE-09", "That round or song is no longer the current one."
    # Wrong state
    GAME_FINISHED = "GAME_FINISHED", "conflict", "GAME-06", "The game is over."
    GAME_NOT_IN_LOBBY = "GAME_NOT_IN_LOBBY", "conflict", "GAME-10", "The game has started."
    GAME_NOT_IN_PROGRESS = (
        "GAME_NOT_IN_PROGRESS",
        "conflict",
        "GAME-02",
        "The game has not started.",
    )
    CYCLE_NOT_IN_ACTIVE = (
        "CYCLE_NOT_IN_ACTIVE",
        "conflict",
        "CYC-10",
        "The cycle is over: the host decides what now.",
    )
    CYCLE_NOT_IN_BOUNDARY_DECISION = (
        "CYCLE_NOT_IN_BOUNDARY_DECISION",
        "conflict",
        "CYC-10",
        "The cycle is still being played.",
    )
    ROUND_NOT_IN_WAITING_FOR_DJ = (
        "ROUND_NOT_IN_WAITING_FOR_DJ",
        "conflict",
        "RND-03",
        "The round has already started.",
    )
    ROUND_NOT_IN_READY = (
        "ROUND_NOT_IN_READY",
        "conflict",
        "RND-04",
        "The round has already started.",
    )
    ROUND_NOT_IN_GUESSING = (
        "ROUND_NOT_IN_GUESSING",
        "conflict",
        "RND-09",
        "The round is not open for guesses.",
    )
    ROUND_NOT_IN_LOCKED = "ROUND_NOT_IN_LOCKED", "conflict", "RND-09", "The round is not locked."
    ROUND_NOT_IN_REVEALED_TIMELINE = (
        "ROUND_NOT_IN_REVEALED_TIMELINE",
        "conflict",
        "RND-03",
        "The year has not been revealed, or everything has.",
    )
    ROUND_NOT_IN_REVEALED_FULL = (
        "ROUND_NOT_IN_REVEALED_FULL",
        "conflict",
        "CYC-16",
        "The round has not been fully revealed.",
    )
    ROUND_NOT_IN_REVEALED = (
        "ROUND_NOT_IN_REVEALED",
        "conflict",
        "CYC-16",
        "The round has not been revealed.",
    )
    ROUND_ALREADY_REVEALED = (
        "ROUND_ALREADY_REVEALED",
        "conflict",
        "RND-15",
        "A revealed round cannot be aborted.",
    )
    JOINING_CLOSED = "JOINING_CLOSED", "conflict", "GAME-20", "Nobody can join at this point."
    START_YEAR_FIXED = (
        "START_YEAR_FIXED",
        "conflict",
        "GAME-09",
        "Your start year is already a card.",
    )
    NOT_IN_THIS_EDITION = (
        "NOT_IN_THIS_EDITION",
        "conflict",
        "RND-08",
        "This edition has no such thing.",
    )
    # Wrong role
    HOST_ONLY = "HOST_ONLY", "forbidden", "GAME-12", "Only the host may do that."
    LEADER_ONLY = "LEADER_ONLY", "forbidden", "RND-16", "Only the leader of the round may do that."
    LEADER_OR_HOST_ONLY = (
        "LEADER_OR_HOST_ONLY",
        "forbidden",
        "CYC-16",
        "Only the leader or the host may do that.",
    )
    PLAYS_NO_AUDIO = "PLAYS_NO_AUDIO", "forbidden", "VIEW-06", "Somebody else plays the song."
    ORACLE_DOES_NOT_GUESS = (
        "ORACLE_DOES_NOT_GUESS",
        "forbidden",
        "RND-08",
        "The Oracle knows the answer: no guess.",
    )
    LEADER_USES_NO_JOKER = (
        "LEADER_USES_NO_JOKER",
        "forbidden",
        "JOK-02",
        "The leader of the round uses no joker.",
    )
    # Not yet
    TOO_FEW_PLAYERS = "TOO_FEW_PLAYERS", "conflict", "GAME-10", "There are too few players."
    TOO_MANY_PLAYERS = "TOO_MANY_PLAYERS", "conflict", "GAME-18", "There are too many players."
    START_YEAR_MISSING = (
        "START_YEAR_MISSING",
        "conflict",
        "GAME-08",
        "Somebody has not chosen a start year.",
    )
    PREDICTION_MISSING = (
        "PREDICTION_MISSING",
        "conflict",
        "RND-10",
        "The Oracle has not predicted the difficulty.",
    )
    MIX_EXHAUSTED = "MIX_EXHAUSTED", "conflict", "PRF-09", "The mix has no more songs to draw."
    OPTIONS_EXHAUSTED = (
        "OPTIONS_EXHAUSTED",
        "conflict",
        "CAN-05",
        "There are not ten fresh songs for new options.",
    )
    # Wrong order
    PART_OUT_OF_ORDER = "PART_OUT_OF_ORDER", "conflict", "GUE-04", "Another part comes first."
    PART_FINAL = "PART_FINAL", "conflict", "GUE-05", "That part is final."
    PART_TAKES_NO_JOKER = (
        "PART_TAKES_NO_JOKER",
        "conflict",
        "JOK-04",
        "No joker can be used on that part.",
    )
    JOKER_ALREADY_USED = "JOKER_ALREADY_USED", "conflict", "JOK-03", "A joker is already on it."
    NO_JOKER_LEFT = "NO_JOKER_LEFT", "conflict", "JOK-05", "You have no joker left."
    # Wrong value
    HOST_CANNOT_BE_REMOVED = (
        "HOST_CANNOT_BE_REMOVED",
        "conflict",
        "GAME-17",
        "The host cannot be removed.",
    )
    UNKNOWN_PLAYER = "UNKNOWN_PLAYER", "invalid", "GAME-16", "There is no such player in this game."
    START_YEAR_OUT_OF_RANGE = (
        "START_YEAR_OUT_OF_RANGE",
        "invalid",
        "GAME-07",
        "A start year is from 1980 to 2010.",
    )
    UNKNOWN_PART = (
        "UNKNOWN_PART",
        "invalid",
        "GUE-02",
        "A guess has a placement, a title and an artist.",
    )
    POSITION_OUT_OF_RANGE = (
        "POSITION_OUT_OF_RANGE",
        "invalid",
        "GUE-08",
        "There is no such place in your timeline.",
    )
    UNKNOWN_OPTION = "UNKNOWN_OPTION", "invalid", "GUE-08", "That is not one of your options."
    UNKNOWN_DIFFICULTY = (
        "UNKNOWN_DIFFICULTY",
        "invalid",
        "PRE-01",
        "A difficulty is easy, medium or hard.",
    )
    UNKNOWN_STATE = (
        "UNKNOWN_STATE",
        "invalid",
        "RND-03",
        "A round cannot be revealed to that state.",
    )
    OPTIONS_INVALID = (
        "OPTIONS_INVALID",
        "invalid",
        "VIEW-06",
        "There is no such way to set up a game.",
    )
    NAME_INVALID = (
        "NAME_INVALID",
        "invalid",
        "GAME-02",
        "A name is 1 to 24 visible characters.",
    )
    UNKNOWN_EDITION = "UNKNOWN_EDITION", "invalid", "GAME-01", "There is no such edition."
    UNKNOWN_MIX = "UNKNOWN_MIX", "invalid", "MUS-02", "There is no such mix."
    MIX_NOT_PLAYABLE = (
        "MIX_NOT_PLAYABLE",
        "conflict",
        "MUS-02",
        "The mix has too few songs that can be played.",
    )
    MIX_NOT_ALLOWED = "MIX_NOT_ALLOWED", "forbidden", "ENT-01", "The mix is not yours to use."


class Refusal(Struct, frozen=True):
    """A refused command: nothing has changed (GUE-07)."""

    reason: Reason
    facts: dict[str, Any] = {}


def refuse(reason: Reason, **facts: Any) -> Refusal:
    """A refusal with its facts."""
    return Refusal(reason, facts)
