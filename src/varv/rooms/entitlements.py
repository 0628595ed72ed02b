"""What an owner may set up: mixes and numbers of players (ENT-01, ENT-02)."""

from msgspec import Struct

from varv.music.model import MixInfo, MixKind
from varv.rooms.ports import Music, Store
from varv.rules import Setup
from varv.rules.model import MAX_PLAYERS_FREE, MAX_PLAYERS_PREMIUM, Mix
from varv.rules.refusals import Reason

PREMIUM = "premium"


def single(mix: str) -> str:
    """The entitlement to a mix that is sold singly."""
    return f"mix:{mix}"


class Held(Struct, frozen=True):
    """What one owner has; everything, if `granted` is None."""

    granted: frozenset[str] | None

    @property
    def premium(self) -> bool:
        """Whether they have Premium."""
        return self.granted is None or PREMIUM in self.granted

    def allows(self, mix: MixInfo) -> bool:
        """Base mixes are everyone's; a single one requires Premium, too (ENT-01)."""
        if self.granted is None or mix.kind is MixKind.BASE:
            return True
        return self.premium and (mix.kind is MixKind.PREMIUM or single(mix.id) in self.granted)


class Entitlements:
    """Asked only when a game is created or configured, never later (ENT-02)."""

    def __init__(self, store: Store, music: Music, *, enforced: bool) -> None:
        """Not enforced: everyone has everything."""
        self._store = store
        self._music = music
        self._enforced = enforced

    async def of(self, owner: str | None) -> Held:
        """What this owner has; nobody in particular has nothing."""
        if not self._enforced:
            return Held(None)
        return Held(frozenset() if owner is None else await self._store.entitlements(owner))

    async def setup(self, owner: str | None, mix_id: str) -> Setup | Reason:
        """The mix and the number of players, or why not (MUS-02, GAME-18)."""
        mix = await self._music.mix(mix_id)
        if mix is None:
            return Reason.UNKNOWN_MIX
        held = await self.of(owner)
        if not held.allows(mix):
            return Reason.MIX_NOT_ALLOWED
        if not mix.playable:
            return Reason.MIX_NOT_PLAYABLE
        most = MAX_PLAYERS_PREMIUM if held.premium else MAX_PLAYERS_FREE
        return Setup(Mix(mix.id, mix.name, mix.songs), most)
