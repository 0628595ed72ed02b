"""A player's timeline: where a song fits, and how a card is laid into it."""

from bisect import bisect_right

from varv.rules.model import Card


def fits(timeline: tuple[Card, ...], position: int | None, year: int) -> bool:
    """Whether a song of this year belongs at that position; equal years do (RND-20)."""
    if position is None:
        return False
    after_left = position == 0 or timeline[position - 1].year <= year
    return after_left and (position == len(timeline) or year <= timeline[position].year)


def position_by_year(timeline: tuple[Card, ...], year: int) -> int:
    """Where a card goes that was won without a placement: after its own year (RND-28)."""
    return bisect_right(timeline, year, key=lambda card: card.year)


def lay(timeline: tuple[Card, ...], position: int, card: Card) -> tuple[Card, ...]:
    """The timeline with the card at that position."""
    return (*timeline[:position], card, *timeline[position:])
