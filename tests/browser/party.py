"""A mix of our own for the browser: thirty songs from eight decades, with a tone for each."""

import csv
import math
import struct
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.house import House
from tests.process import varv

MIX = "Fredagsmix"
MIX_ID = "fredagsmix"
RATE, SECONDS = 8000, 30

SONGS = (
    ("Johnny B. Goode", "Chuck Berry", 1958),
    ("Blue Suede Shoes", "Carl Perkins", 1956),
    ("Jailhouse Rock", "Elvis Presley", 1957),
    ("Twist and Shout", "The Beatles", 1963),
    ("Respect", "Aretha Franklin", 1967),
    ("Space Oddity", "David Bowie", 1969),
    ("Sakta vi gå genom stan", "Monica Zetterlund", 1962),
    ("Waterloo", "ABBA", 1974),
    ("Jolene", "Dolly Parton", 1973),
    ("Heart of Glass", "Blondie", 1978),
    ("Öppna landskap", "Ulf Lundell", 1982),
    ("Take On Me", "a-ha", 1985),
    ("Running Up That Hill (A Deal with God)", "Kate Bush", 1985),
    ("Sommartider", "Gyllene Tider", 1982),
    ("Like a Prayer", "Madonna", 1989),
    ("Smells Like Teen Spirit", "Nirvana", 1991),
    ("Diamanter", "Lisa Nilsson", 1992),
    ("Wonderwall", "Oasis", 1995),
    ("Lovefool", "The Cardigans", 1996),
    ("…Baby One More Time", "Britney Spears", 1998),
    ("Crazy in Love", "Beyoncé", 2003),
    ("Rehab", "Amy Winehouse", 2006),
    ("Be Mine!", "Robyn", 2005),
    ("Vart jag mig i världen vänder", "Den svenska björnstammen", 2012),
    ("Dancing On My Own", "Robyn", 2010),
    ("Rolling in the Deep", "Adele", 2010),
    ("Get Lucky", "Daft Punk", 2013),
    ("Blinding Lights", "The Weeknd", 2019),
    ("Levitating", "Dua Lipa", 2020),
    ("Flowers", "Miley Cyrus", 2023),
)


@contextmanager
def open_house(folder: Path) -> Iterator[House]:
    """A server that has the mix."""
    house = House(folder)
    _add_mix(house)
    with house:
        yield house


def _add_mix(house: House) -> None:
    """Import it, as an operator would."""
    folder = house.data / "music"
    folder.mkdir(parents=True)
    for number, _ in enumerate(SONGS):
        _tone(folder / f"{number}.wav", 220 * 2 ** (number / 12))
    with (folder / "songs.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("title", "artist", "year", "audio"))
        rows.writerows((*song, f"{number}.wav") for number, song in enumerate(SONGS))
    done = varv("music", "import", str(folder / "songs.csv"), "--mix", MIX, data=house.data)
    assert done.returncode == 0, done.stderr


def _tone(path: Path, pitch: float) -> None:
    """Half a minute, one note a second."""
    second = [
        int(12000 * math.sin(2 * math.pi * pitch * t / RATE) * (1 - t / RATE)) for t in range(RATE)
    ]
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(struct.pack(f"<{RATE}h", *second) * SECONDS)
