"""The demo mix: music in the public domain that plays with no network and no music folder.

>>> from varv.music.demo import melodies, render
>>> sound = render(melodies()[0])
>>> sound.shape[1]
2
"""

from varv.music.demo.library import Fact, Melody, Score, facts, melodies
from varv.music.demo.studio import render, write_wav
from varv.music.demo.timbres import SAMPLE_RATE

__all__ = ["SAMPLE_RATE", "Fact", "Melody", "Score", "facts", "melodies", "render", "write_wav"]
