"""How a server is set up: command line, environment, defaults."""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct


class ConfigError(Exception):
    """Why a server cannot be started like this; the message says what to do."""


class UsageError(ConfigError):
    """Settings that make no sense, or not together."""


class Settings(Struct, frozen=True):
    """Everything that can be set. Each field is also the environment variable `VARV_<FIELD>`."""

    host: str = "0.0.0.0"  # noqa: S104 - phones on the same network are the point
    port: int = 8000
    data: str = ""
    store: str = ""
    bus: str = ""
    workers: int = 1
    public_url: str = ""
    entitlements: str = "open"
    limits: str = "default"
    previews: str = "off"
    metrics: str = "local"
    log_level: str = "info"
    bot_pace: float = 1.0
    """Seconds that a bot takes to think; tests make it short."""

    @property
    def folder(self) -> Path:
        """Where the database and the prepared sound are kept."""
        if self.data:
            return Path(self.data).expanduser()
        import platformdirs

        return Path(platformdirs.user_data_dir("varv", appauthor=False))

    @property
    def postgres(self) -> bool:
        """Whether the store is PostgreSQL."""
        return self.store.startswith(("postgresql://", "postgres://"))

    @property
    def database(self) -> Path:
        """The SQLite file, if that is the store."""
        if self.store.startswith("sqlite:///"):
            return Path(self.store.removeprefix("sqlite:///")).expanduser()
        return self.folder / "varv.db"

    def check(self) -> None:
        """Say what does not fit together, before anything is started."""
        if self.store and not (self.postgres or self.store.startswith("sqlite:///")):
            raise UsageError("--store takes postgresql://… or sqlite:///FILE.")
        if self.bus and not _is_address(self.bus, "redis", "rediss", "unix"):
            raise UsageError("--bus takes redis://… (Redis or Valkey).")
        if self.entitlements not in ("open", "enforced"):
            raise UsageError("--entitlements takes open or enforced.")
        if self.limits not in ("default", "off"):
            raise UsageError("--limits takes default or off.")
        if self.previews not in ("off", "deezer"):
            raise UsageError("--previews takes off or deezer.")
        if self.metrics not in ("local", "open"):
            raise UsageError("VARV_METRICS takes local or open.")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise UsageError("VARV_LOG_LEVEL takes debug, info, warning or error.")
        if self.public_url and not _is_address(self.public_url, "http", "https"):
            raise UsageError("--public-url takes an address such as https://varv.example.")
        if self.workers < 1:
            raise UsageError("--workers takes a number from 1.")
        if self.workers > 1 and not (self.postgres and self.bus):
            raise UsageError(
                "Several workers need a store and a bus that they share: "
                "--store postgresql://… --bus redis://…"
            )

    def environment(self) -> dict[str, str]:
        """For worker processes."""
        return {f"VARV_{name.upper()}": str(getattr(self, name)) for name in FIELDS}


def _is_address(text: str, *schemes: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in schemes and bool(parts.netloc or parts.path) and parts.port != 0
    except ValueError:
        # A port that is no number, brackets that do not close.
        return False


FIELDS = Settings.__struct_fields__


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings that a worker process is started with."""
    given = os.environ if environment is None else environment
    values: dict[str, str | int | float] = {}
    for name in FIELDS:
        text = given.get(f"VARV_{name.upper()}")
        if text:
            kind = type(getattr(Settings(), name))
            try:
                values[name] = kind(text)
            except ValueError as error:
                raise UsageError(f"VARV_{name.upper()} is not a number: {text}") from error
    return Settings(**values)  # type: ignore[arg-type]
