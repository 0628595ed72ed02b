"""Which sites may speak for a person, and which address is handed out."""

from typing import Any

import pytest

from varv.web import origins


def scope(scheme: str = "http", **headers: str) -> dict[str, Any]:
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {"scheme": scheme, "headers": pairs}


@pytest.mark.parametrize(
    ("origin", "host", "public", "fine"),
    [
        (None, "varv.lan:8000", "", True),
        ("http://varv.lan:8000", "varv.lan:8000", "", True),
        ("http://VARV.lan:8000", "varv.lan:8000", "", True),
        ("http://varv.lan:9000", "varv.lan:8000", "", False),
        ("https://evil.example", "varv.lan:8000", "", False),
        ("null", "varv.lan:8000", "", False),
        ("", "varv.lan:8000", "", False),
        ("http://[::1", "varv.lan:8000", "", False),
        ("https://varv.example", "127.0.0.1:8000", "https://varv.example", True),
        ("https://varv.example", "127.0.0.1:8000", "", False),
    ],
)
def test_origin(origin: str | None, host: str, public: str, fine: bool) -> None:
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    assert origins.same_origin(scope(**headers), public) is fine


def test_the_address_to_hand_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(origins, "lan_address", lambda: "192.168.1.7")
    given = origins.base_url
    assert given(scope(host="localhost:8000"), "") == "http://192.168.1.7:8000"
    assert given(scope(host="127.0.0.1"), "") == "http://192.168.1.7"
    assert given(scope(host="[::1]:8000"), "") == "http://192.168.1.7:8000"
    assert given(scope(host="varv.lan:8000"), "") == "http://varv.lan:8000"
    assert given(scope("https", host="varv.lan"), "") == "https://varv.lan"
    assert given(scope(host="[2001:db8::1]"), "") == "http://[2001:db8::1]"
    assert given(scope(host="a" * 300), "") == "http://192.168.1.7"
    assert given(scope(host="localhost"), "https://varv.example/") == "https://varv.example"
    monkeypatch.setattr(origins, "lan_address", lambda: None)
    assert given(scope(host="localhost:8000"), "") == "http://localhost:8000"


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.168.1.20", False),
        ("2001:db8::1", False),
        ("", False),
    ],
)
def test_who_is_at_this_machine(address: str, here: bool) -> None:
    assert origins.is_here(address) is here
