"""Which sites may speak for a person, and which address to hand out to others."""

import ipaddress
import socket
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

LOCAL = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")  # noqa: S104 - names, not a binding
LONGEST_HOST = 260
"""A name in the DNS has at most 253 characters; a longer one fits in no QR code either."""


def header(scope: MutableMapping[str, Any], name: bytes) -> str | None:
    """A header of a request or handshake."""
    for key, value in scope["headers"]:
        if key == name:
            text: str = value.decode("latin-1")
            return text
    return None


def same_origin(scope: MutableMapping[str, Any], public_url: str) -> bool:
    """Programs send no Origin; a browser's must be this server's own."""
    origin = header(scope, b"origin")
    if origin is None:
        return True
    try:
        host = urlsplit(origin).netloc.lower()
    except ValueError:
        return False
    allowed = {(header(scope, b"host") or "").lower(), urlsplit(public_url).netloc.lower()}
    return bool(host) and host in allowed


def is_here(address: str) -> bool:
    """Whether a request comes from this machine."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return (mapped or parsed).is_loopback


def lan_address() -> str | None:
    """The machine's address on the network that phones share, as far as can be told."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting a datagram socket only chooses a way out.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return None if address.startswith("127.") else address


def base_url(scope: MutableMapping[str, Any], public_url: str) -> str:
    """The address of this server as another phone can reach it, without a slash at the end."""
    if public_url:
        return public_url.rstrip("/")
    host = header(scope, b"host") or "localhost"
    if len(host) > LONGEST_HOST:
        host = "localhost"
    name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not name:
        name, port = host, ""
    if name.lower() in LOCAL:
        name = lan_address() or name
    scheme = scope.get("scheme", "http")
    return f"{scheme}://{name}:{port}" if port else f"{scheme}://{name}"
