"""The demo mix: music in the public domain that plays with no network and no music folder.

>>> from varv.music.demo import melodies
>>> from varv.music.demo.studio import render
>>> sound = render(melodies()[0])
>>> sound.shape[1]
2
"""

from varv.music.demo.library import Fact, Melody, Score, facts, melodies

__all__ = ["Fact", "Melody", "Score", "facts", "melodies"]
