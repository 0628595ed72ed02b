"""How often an address or a socket may do something: token buckets in memory.

A party of ten behind one address creates, joins and reconnects freely; guessing codes does not pay.
"""

import ipaddress
import time
from collections.abc import Callable

from msgspec import Struct

from varv.rooms.reasons import Refused, Trouble


class Rate(Struct, frozen=True):
    """So many at once, and so many per second in the long run."""

    burst: float
    per_second: float


RATES = {
    "create": Rate(20, 0.2),
    "join": Rate(60, 1.0),
    "miss": Rate(20, 0.2),
    "connect": Rate(120, 5.0),
    "request": Rate(400, 60.0),
}
"""`miss` counts codes, tokens and tickets that name nothing."""
MESSAGES = Rate(80, 20.0)
"""What one socket may send."""
MOST_ADDRESSES = 10_000


class Bucket:
    """Fills with time, empties with use."""

    __slots__ = ("_at", "_left", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        """Full."""
        self._rate = rate
        self._left = rate.burst
        self._at = now

    def fill(self, now: float) -> float:
        """How much is left now."""
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now
        return self._left

    def take(self, now: float) -> bool:
        """Use one, if there is one."""
        if self.fill(now) < 1:
            return False
        self._left -= 1
        return True

    def full(self, now: float) -> bool:
        """Whether forgetting it would change nothing."""
        return self.fill(now) >= self._rate.burst

    def wait(self) -> int:
        """Whole seconds until there is one again."""
        return max(1, round((1 - self._left) / self._rate.per_second + 0.5))


class Limits:
    """The buckets of every address."""

    def __init__(self, *, on: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        """`on=False` lets everything through."""
        self.on = on
        self._clock = clock
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def _bucket(self, kind: str, address: str) -> Bucket:
        key = (kind, _network(address))
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MOST_ADDRESSES:
                self._tidy()
            bucket = self._buckets[key] = Bucket(RATES[kind], self._clock())
        return bucket

    def _tidy(self) -> None:
        """Forget whoever has been quiet; if all are busy, forget the oldest."""
        now = self._clock()
        quiet = [key for key, bucket in self._buckets.items() if bucket.full(now)]
        for key in quiet or list(self._buckets)[: MOST_ADDRESSES // 10]:
            del self._buckets[key]

    def spend(self, kind: str, address: str) -> None:
        """Use one, or `Refused` with when to come back."""
        if not self.on:
            return
        bucket = self._bucket(kind, address)
        if not bucket.take(self._clock()):
            raise Refused(Trouble.TOO_OFTEN, retry_after=bucket.wait())

    def guard(self, kind: str, address: str) -> None:
        """`Refused` if nothing is left, without using any."""
        if self.on:
            bucket = self._bucket(kind, address)
            if bucket.fill(self._clock()) < 1:
                raise Refused(Trouble.TOO_OFTEN, retry_after=bucket.wait())

    def socket(self) -> Bucket | None:
        """A bucket for the messages of one socket."""
        return Bucket(MESSAGES, self._clock()) if self.on else None


def _network(address: str) -> str:
    """An IPv6 host owns a whole /64: that counts as one address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        # A server that listens on `::` sees those who come by IPv4 like this.
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
