"""What came out of many games, counted."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from varv.rules import Step
from varv.rules import events as e
from varv.rules.editions import EDITIONS
from varv.rules.model import PARTS, AbortReason, Difficulty, Game, Part, Placing, Result, RoundState


@dataclass
class Tally:
    """Counts only, so that tallies of different games can be added in any order."""

    games: int = 0
    commands: int = 0
    revealed: int = 0
    """Rounds played to the end."""
    rounds: Counter[int] = field(default_factory=Counter)
    """Rounds played to the end → games."""
    aborted: Counter[AbortReason] = field(default_factory=Counter)
    sat: Counter[str] = field(default_factory=Counter)
    """Skill → players who sat down, whether or not they stayed."""
    seats: Counter[str] = field(default_factory=Counter)
    """Skill → players ranked at the end."""
    wins: Counter[str] = field(default_factory=Counter)
    """Skill → players in the first place, shared or not."""
    cards: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Skill, cards → players."""
    tiebreaks: Counter[int] = field(default_factory=Counter)
    """What breaks a tie, in number → players."""
    shared: int = 0
    """Games whose first place is shared."""
    close: int = 0
    """Games whose first place only the tie-break decided."""
    guesses: Counter[str] = field(default_factory=Counter)
    """Skill → guesses judged."""
    right: Counter[tuple[str, Part]] = field(default_factory=Counter)
    """Skill, part → guesses with that part right."""
    difficulties: Counter[tuple[int, Difficulty]] = field(default_factory=Counter)
    """Guessers, difficulty → rounds."""
    predictions: Counter[tuple[Difficulty, Difficulty]] = field(default_factory=Counter)
    """Predicted, actual → rounds."""
    jokers_used: Counter[tuple[str, Part]] = field(default_factory=Counter)
    jokers_won: Counter[str] = field(default_factory=Counter)
    joker_placements: Counter[bool] = field(default_factory=Counter)
    """Right or wrong → placements with a joker on them."""

    def watch(self, step: Step, skills: Mapping[str, str]) -> None:
        """Count what happened at a table."""
        self.commands += 1
        for event in step.events:
            if isinstance(event, e.RoundAborted):
                self.aborted[event.because] += 1
            elif isinstance(event, e.RoundRevealed) and event.to is _terminal(step.game):
                self.revealed += 1
                self._judged(step.game, event.results, skills)

    def _judged(self, game: Game, results: Mapping[str, Result], skills: Mapping[str, str]) -> None:
        for player, result in results.items():
            skill = skills[player]
            self.guesses[skill] += 1
            for part in PARTS:
                self.right[skill, part] += bool(getattr(result, part))
            for part in result.jokers_used or ():
                self.jokers_used[skill, part] += 1
                if part is Part.PLACEMENT:
                    self.joker_placements[result.placement] += 1
            self.jokers_won[skill] += bool(result.joker_won)
        round_ = game.round
        if round_ and round_.outcome and round_.prediction:
            self.difficulties[round_.outcome.guessers, round_.outcome.difficulty] += 1
            self.predictions[round_.prediction, round_.outcome.difficulty] += 1

    def finished(self, game: Game, skills: Mapping[str, str]) -> None:
        """Count the one game that has been watched, now that it is over."""
        self.games += 1
        self.rounds[self.revealed] += 1
        self.sat.update(skills.values())
        ranking = game.ranking or ()
        for row in ranking:
            skill = skills[row.player]
            self.seats[skill] += 1
            self.wins[skill] += row.place == 1
            self.cards[skill, row.cards] += 1
            self.tiebreaks[row.tiebreak] += 1
        first = [row for row in ranking if row.place == 1]
        self.shared += len(first) > 1
        self.close += len(first) == 1 and _tied_on_cards(ranking)

    def add(self, other: "Tally") -> None:
        """Count the other's games too."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


def _terminal(game: Game) -> RoundState:
    return EDITIONS[game.edition].terminal


def _tied_on_cards(ranking: tuple[Placing, ...]) -> bool:
    return len(ranking) > 1 and ranking[0].cards == ranking[1].cards
