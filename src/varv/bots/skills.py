"""How well bots know music, by name."""

from msgspec import Struct


class Skill(Struct, frozen=True):
    """What somebody makes of a song that they hear. Errors are standard deviations, in years."""

    name: str
    recognises: float
    """How often the song is one they know."""
    names: float
    """How often they can name the title of a song they know, and how often its artist."""
    known_error: float
    """How far off they date a song they know."""
    heard_error: float
    """How far off they date any other, by the sound of it."""


SKILLS = {
    skill.name: skill
    for skill in (
        Skill("novice", recognises=0.30, names=0.45, known_error=8.0, heard_error=16.0),
        Skill("regular", recognises=0.50, names=0.60, known_error=5.0, heard_error=12.0),
        Skill("expert", recognises=0.75, names=0.80, known_error=2.5, heard_error=8.0),
    )
}
DEFAULT_SKILL = "regular"
