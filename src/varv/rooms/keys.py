"""Secrets: tokens that are kept as hashes, and tickets that need no keeping at all."""

import base64
import hashlib
import hmac
import secrets

from msgspec import Struct

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""No 0/O, no 1/I/L: a code is read aloud and typed."""
CODE_LENGTHS = (4, 6)


class AudioTicket(Struct, frozen=True):
    """Whose ear a performance is meant for."""

    code: str
    round: int
    performance: int
    viewer: str


def new_code(length: int) -> str:
    """A join code."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def read_code(text: str) -> str | None:
    """A code as it is kept, however it was typed; None if it cannot be one."""
    code = text.strip().upper()
    shortest, longest = CODE_LENGTHS
    fits = text.isascii() and shortest <= len(code) <= longest
    if fits and all(letter in CODE_LETTERS for letter in code):
        return code
    return None


def new_token() -> str:
    """192 random bits."""
    return secrets.token_urlsafe(24)


def new_owner() -> str:
    """A public owner id: short enough to read out, long enough not to collide."""
    return "o-" + new_code(10)


def hash_token(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


class Keys:
    """What follows from the server's secret, the same on every worker and after a restart."""

    def __init__(self, secret: bytes) -> None:
        """The secret comes from the store."""
        self._secret = secret

    def _mac(self, *parts: str) -> bytes:
        message = b"\0".join(part.encode("utf-8", "surrogatepass") for part in parts)
        return hmac.digest(self._secret, message, "sha256")

    def token(self, scope: str, key: str, fingerprint: bytes) -> str:
        """The token that answers a repeated call, though only its hash is stored."""
        return _text(self._mac("token", scope, key, fingerprint.hex()))

    def idempotency_key(self, scope: str, key: str) -> bytes:
        """An Idempotency-Key as it is stored."""
        return self._mac("idempotency", scope, key)

    def seed(self, *parts: str) -> bytes:
        """Chance that is the same every time, and that nobody outside can work out."""
        return self._mac("seed", *parts)

    def screen_ticket(self, code: str) -> str:
        """Pairs a shared screen with a game, by link."""
        return _text(self._mac("screen", code))

    def screen_code(self, code: str) -> str:
        """Pairs a shared screen with a game, typed by hand."""
        number = int.from_bytes(self._mac("screen code", code)[:8])
        letters = []
        for _ in range(6):
            number, index = divmod(number, len(CODE_LETTERS))
            letters.append(CODE_LETTERS[index])
        return "".join(letters)

    def pairs_screen(self, code: str, ticket: str) -> bool:
        """Whether a ticket or a typed code pairs a screen with this game."""
        given = ticket.encode("utf-8", "surrogatepass")
        typed = ticket.strip().upper().encode("utf-8", "surrogatepass")
        by_link = hmac.compare_digest(given, self.screen_ticket(code).encode())
        return by_link or hmac.compare_digest(typed, self.screen_code(code).encode())

    def audio_ticket(self, code: str, round_: int, performance: int, viewer: str) -> str:
        """An address for one performance and one viewer; it says nothing of the song (VIEW-06)."""
        return f"{code}.{round_}.{performance}.{viewer}." + _text(
            self._mac("audio", code, str(round_), str(performance), viewer)[:18]
        )

    def read_audio_ticket(self, ticket: str) -> AudioTicket | None:
        """What a ticket is for, if it is genuine."""
        parts = ticket.split(".")
        if len(parts) != 5:
            return None
        code, round_, performance, viewer, _ = parts
        if not (round_.isascii() and round_.isdigit() and len(round_) < 9):
            return None
        if not (performance.isascii() and performance.isdigit() and len(performance) < 9):
            return None
        genuine = self.audio_ticket(code, int(round_), int(performance), viewer)
        given = ticket.encode("utf-8", "surrogatepass")
        if not hmac.compare_digest(given, genuine.encode("utf-8", "surrogatepass")):
            return None
        return AudioTicket(code, int(round_), int(performance), viewer)


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
