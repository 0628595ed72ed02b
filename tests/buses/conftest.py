"""The real service that these tests use."""

from tests.services import redis_url

__all__ = ["redis_url"]
