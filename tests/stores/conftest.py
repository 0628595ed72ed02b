"""The real service that these tests use."""

from tests.services import postgres_url

__all__ = ["postgres_url"]
