"""An edition is one file: a third one, made up here, plays a whole game; nothing else names one."""

import ast
from pathlib import Path

import msgspec
import pytest
from tests.table import lobby, table

from varv.rules import commands as c
from varv.rules import replay
from varv.rules.editions import EDITIONS
from varv.rules.editions.base import ROLES, Edition, Role
from varv.rules.events import Event
from varv.rules.model import Card, CardKind, Game, Guess, Part, Performance, Round, RoundState
from varv.rules.refusals import Reason, Refusal, refuse
from varv.rules.views import snapshot, viewer

SOURCES = Path(__file__).parents[2] / "src" / "varv"


class Blitz(Edition):
    """Placements only, no jokers, no lock: the leader reveals straight from GUESSING."""

    name = "blitz"
    rounds = {
        (RoundState.READY, c.StartRound): RoundState.GUESSING,
        (RoundState.READY, c.AbortRound): RoundState.ABORTED,
        (RoundState.GUESSING, c.SubmitGuess): RoundState.GUESSING,
        (RoundState.GUESSING, c.UseJoker): RoundState.GUESSING,
        (RoundState.GUESSING, c.Reveal): RoundState.REVEALED,
        (RoundState.GUESSING, c.AbortRound): RoundState.ABORTED,
        (RoundState.REVEALED, c.NextRound): RoundState.REVEALED,
    }
    leader_gone = {RoundState.READY: RoundState.ABORTED, RoundState.GUESSING: RoundState.ABORTED}
    roles = {**ROLES, c.ChangeSong: Role.HOST}
    first = RoundState.READY
    terminal = RoundState.REVEALED
    leader_guesses = False
    card = CardKind.SONG

    def audio_player(self, game: Game, round_: Round) -> str:
        return round_.leader

    def open_parts(self, guess: Guess) -> tuple[Part, ...]:
        return (Part.PLACEMENT,)

    def not_open(self, guess: Guess, part: Part, *, withdraw: bool) -> Refusal | None:
        return None if part is Part.PLACEMENT else refuse(Reason.PART_OUT_OF_ORDER)

    def joker_refused(self, guess: Guess, part: Part) -> Refusal | None:
        return refuse(Reason.PART_TAKES_NO_JOKER)

    def options(self, performance: Performance, guess: Guess, part: Part) -> None:
        return None

    def wins_joker(self, *, placement: bool, title: bool, artist: bool) -> bool:
        return False

    def score(self, cards: list[Card], side_cards: list[Card]) -> tuple[int, int]:
        return len(cards), 0


@pytest.fixture
def blitz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EDITIONS, "blitz", Blitz())


@pytest.mark.usefixtures("blitz")
def test_a_third_edition_plays_a_whole_game():
    at = lobby("blitz", 4).starts_game()
    for year in (1985, 1995, 2005, 1999):
        at.starts(year).locks().refused("NOT_IN_THIS_EDITION")
        at.uses_joker("Bo" if at.leader == "Ada" else "Ada").refused("PART_TAKES_NO_JOKER")
        guessers = [name for name in ("Ada", "Bo", "Cia") if name != at.leader]
        at.places_right(*guessers).places(at.leader, 0).refused("LEADER_ONLY")
        if at.leader != "Dan":
            at.titles("Dan").refused("PART_OUT_OF_ORDER")
        at.reveals()
        assert at.snapshot()["round"]["answer"]["year"] == year
        if at.states[1] == "ACTIVE":
            at.next_round()
    assert at.states == ("IN_PROGRESS", "BOUNDARY_DECISION", "REVEALED")
    assert at.timeline("Ada") == [1990, 1995, 1999, 2005]
    at.joins("Eva").refused("JOINING_CLOSED").starts_cycle()
    at.starts(2010).places("Cia", 4).reveals().removes("Bo").finishes()
    assert at.timeline("Cia") == [1985, 1990, 1995, 1999, 2010]
    assert at.ranking() == [(1, "Ada", 4, 0), (1, "Cia", 4, 0), (3, "Dan", 1, 0)]
    decoder = msgspec.json.Decoder(Event)
    again = replay(decoder.decode(msgspec.json.encode(event)) for event in at.log)
    assert again == at.game


@pytest.mark.usefixtures("blitz")
def test_its_views_need_nothing_more():
    at = lobby("blitz", 3).starts_game().starts()
    assert at.snapshot()["round"]["difficulty_scale"] is None
    assert at.actions("Ada") == {"remove_player", "finish_game", "reveal", "abort_round"}
    assert at.view("Ada")["blocked"] == {}
    assert at.actions("Bo") == {"guess"}
    assert at.view("Bo")["open_parts"] == ["placement"]
    assert at.view("Bo")["options"] == {"title": None, "artist": None}
    assert at.view("Bo")["answer"] is None
    assert snapshot(at.game).edition == "blitz"
    assert viewer(at.game, "p1").plays_audio is False


@pytest.mark.usefixtures("blitz")
def test_removal_follows_its_own_table():
    at = lobby("blitz", 5).starts_game().plays_until("Ada").starts().reveals().next_round()
    at.starts().removes("Bo")
    assert (at.states[2], at.leader) == ("READY", "Cia")
    at.starts().reveals().removes("Cia")
    assert (at.states[2], at.leader) == ("REVEALED", "Cia")


def test_what_an_edition_gives_its_leader_is_given_at_the_last_reveal_only(monkeypatch):
    two_steps = EDITIONS["dj"]
    monkeypatch.setattr(two_steps, "leader_card", lambda _: CardKind.ORACLE, raising=False)
    at = table("dj", 3).starts().locks().reveals()
    assert at.side_cards("Ada") == []
    at.reveals()
    assert at.side_cards("Ada") == ["oracle"]


def _named(node: ast.AST) -> bool:
    """Whether this is a string with an edition's name, or the class of one."""
    if isinstance(node, ast.Constant):
        return node.value in set(EDITIONS)
    classes = {type(edition).__name__ for edition in EDITIONS.values()}
    return isinstance(node, ast.Name) and node.id in classes


def _asks(node: ast.AST) -> bool:
    """Whether this compares something with an edition's name, or looks it up by one."""
    if isinstance(node, ast.Compare):
        return any(_named(part) for side in (node.left, *node.comparators)
                   for part in ast.walk(side))  # fmt: skip
    if isinstance(node, ast.Dict):
        return any(_named(key) for key in node.keys if key is not None)
    if isinstance(node, ast.MatchValue):
        return _named(node.value)
    return isinstance(node, ast.Subscript) and _named(node.slice)


def _outside_editions(under: Path) -> list[tuple[str, ast.AST]]:
    return [
        (str(path.relative_to(SOURCES)), ast.parse(path.read_text()))
        for path in sorted(under.rglob("*.py"))
        if "editions" not in path.parts
    ]


def test_no_other_rule_names_an_edition():
    """Only a kind of card is called as one is."""
    found = [
        (name, ast.unparse(node))
        for name, tree in _outside_editions(SOURCES / "rules")
        for node in ast.walk(tree)
        if _named(node)
    ]
    assert found == [("rules/model.py", "'dj'"), ("rules/model.py", "'oracle'")]


def test_nobody_asks_which_edition_it_is():
    """The server or a command line may have a usual one; nothing may depend on which."""
    trees = _outside_editions(SOURCES)
    assert len(trees) > 40
    assert not [
        (name, ast.unparse(node)) for name, tree in trees for node in ast.walk(tree) if _asks(node)
    ]


@pytest.mark.parametrize(
    "code",
    ["x == 'dj'", "x in ('dj', 'y')", "'oracle' != x", "y = {'dj': 1}", "TABLE['oracle']",
     "match x:\n    case 'dj': pass", "isinstance(x, Dj) == 1"],
)  # fmt: skip
def test_asking_is_found(code: str):
    assert any(_asks(node) for node in ast.walk(ast.parse(code)))
