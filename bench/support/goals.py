"""How a figure that has a goal is told."""


def verdict(fine: bool) -> str:
    """Beside each figure that has a goal."""
    return "goal met" if fine else "GOAL MISSED"
