"""What an owner may set up: mixes and numbers of players (ENT-01, ENT-02)."""

from varv.music.model import MixInfo
from varv.rooms.ports import Music, Store
from varv.rules import Setup
from varv.rules.model import MAX_PLAYERS_FREE, MAX_PLAYERS_PREMIUM, Mix
from varv.rules.refusals import Reason

PREMIUM = "premium"


class Entitlements:
    """Asked only when a game is created or configured, never later (ENT-02)."""

    def __init__(self, store: Store, music: Music, *, enforced: bool) -> None:
        """Not enforced: everyone has Premium."""
        self._store = store
        self._music = music
        self._enforced = enforced

    async def premium(self, owner: str | None) -> bool:
        """Whether this owner has Premium."""
        if not self._enforced:
            return True
        return owner is not None and PREMIUM in await self._store.entitlements(owner)

    async def allowed(self, owner: str | None, mix: MixInfo) -> bool:
        """Base mixes are everyone's; premium ones, bought singly or not, require Premium."""
        return not mix.premium or await self.premium(owner)

    async def setup(self, owner: str | None, mix_id: str) -> Setup | Reason:
        """The mix and the number of players, or why not (MUS-02, GAME-18)."""
        mix = await self._music.mix(mix_id)
        if mix is None:
            return Reason.UNKNOWN_MIX
        premium = await self.premium(owner)
        if mix.premium and not premium:
            return Reason.MIX_NOT_ALLOWED
        if not mix.playable:
            return Reason.MIX_NOT_PLAYABLE
        most = MAX_PLAYERS_PREMIUM if premium else MAX_PLAYERS_FREE
        return Setup(Mix(mix.id, mix.name, mix.songs), most)
