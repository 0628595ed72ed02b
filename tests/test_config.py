"""Settings: what the environment says, and what makes no sense."""

import pytest

from varv.config import Settings, UsageError, from_environment


def test_settings_come_from_the_environment() -> None:
    given = {"VARV_PORT": "9000", "VARV_DATA": "x", "VARV_LIMITS": "", "OTHER": "1"}
    assert from_environment(given) == Settings(port=9000, data="x")
    assert from_environment(Settings(port=1, bus="redis://x").environment()) == Settings(
        port=1, bus="redis://x"
    )
    with pytest.raises(UsageError, match="VARV_PORT"):
        from_environment({"VARV_PORT": "many"})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (Settings(previews="spotify"), "--previews takes"),
        (Settings(workers=0), "--workers takes"),
        (Settings(metrics="all"), "VARV_METRICS takes"),
        (Settings(log_level="loud"), "VARV_LOG_LEVEL takes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_makes_no_sense_is_told(settings: Settings, said: str) -> None:
    """More of it in tests/cli/test_commands.py, as somebody types it."""
    with pytest.raises(UsageError, match=said):
        settings.check()
    Settings().check()
