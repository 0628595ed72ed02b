"""What can be wrong with a store, in words that say what to do."""


class StoreError(Exception):
    """A store that cannot be used as it is; the message says what to do about it."""
