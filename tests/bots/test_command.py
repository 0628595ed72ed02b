"""`varv simulate` and `varv bots` on the command line."""

import importlib.util

import click
import pytest
from click.testing import CliRunner, Result

from varv.bots.command import bots, simulate

PNG = b"\x89PNG\r\n\x1a\n"
app = click.Group(commands=[simulate, bots])


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def simulated(*more: str, seed: int = 1) -> Result:
    result = run("simulate", "--games", "6", "--cycles", "1", "--seed", str(seed), *more)
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_the_same_seed_comes_to_the_same_output(edition):
    first = simulated("--edition", edition)
    assert first.stdout_bytes == simulated("--edition", edition).stdout_bytes
    assert first.stdout_bytes != simulated("--edition", edition, seed=2).stdout_bytes


def test_the_number_of_workers_does_not_show():
    one, two = (simulated("--workers", str(workers)) for workers in (1, 2))
    assert one.stdout_bytes == two.stdout_bytes


def test_the_summary_says_what_was_asked_for():
    text = simulated("--players", "3-5").stdout
    assert text.startswith("6 games of 3–5 players, edition oracle, seed 1: 24 rounds, ")
    for title in (
        "Cards per player", "How hard the rounds were", "What the Oracles predicted",
        "Jokers per player and game", "rounds per game", "first place shared",
        "always the commonest",
    ):  # fmt: skip
        assert title in text
    assert "games/s" not in text


def test_how_fast_it_went_is_told_on_standard_error():
    assert "games/s" in simulated().stderr


def test_an_edition_without_predictions_has_no_table_of_them():
    text = simulated("--edition", "dj").stdout
    assert "Oracle" not in text and "on title" in text


@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_the_plot_is_written(tmp_path, edition):
    file = tmp_path / "out.png"
    simulated("--edition", edition, "--players", "3-5", "--mishaps", "--plot", str(file))
    assert file.read_bytes().startswith(PNG)
    assert file.stat().st_size > 20_000


def test_without_matplotlib_it_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    result = run("simulate", "--games", "1", "--plot", str(tmp_path / "out.png"))
    assert result.exit_code == 1
    assert result.stderr == "--plot needs matplotlib: pip install 'varv[plot]'\n"
    assert result.stdout == ""


def test_a_folder_that_is_not_there_is_told_before_playing(tmp_path):
    result = run("simulate", "--plot", str(tmp_path / "none" / "out.png"))
    assert result.exit_code == 1
    assert "There is no folder" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--players", "2"), ("--players", "11"), ("--players", "many"), ("--players", "5-3"),
        ("--players", ""), ("--edition", "chess"), ("--skill", "god"), ("--games", "0"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_usage_errors(arguments):
    result = run("simulate", *arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "nonsense", "ftp://example"])
def test_bots_say_when_there_is_no_server(url):
    result = run("bots", "K7QX", "--url", url)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
