"""The editions there are. A new one is a file of its own and a line here."""

from varv.rules.editions.base import Edition
from varv.rules.editions.dj import Dj
from varv.rules.editions.oracle import Oracle

EDITIONS: dict[str, Edition] = {edition.name: edition for edition in (Dj(), Oracle())}
