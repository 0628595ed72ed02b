"""The real services that these tests use."""

from tests.services import postgres_url, redis_url

__all__ = ["postgres_url", "redis_url"]
