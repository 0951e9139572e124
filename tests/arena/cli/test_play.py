"""`arena play`: what a person sees and may type, through pipes and on a terminal."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli.commands.play import play_command
from arena.cli.console import numbered, wrap
from arena.cli.dialog import PROMPT
from games.hidden_leaders.rules.cards import EMPEROR, HEROES, LEADERS
from games.hidden_leaders.rules.constants import Event
from games.registry import game
from games.replay import read_replay, redact
from games.state import NOBODY, UNSEEN
from tests.support.command_line import RunArena
from tests.support.paths import ROOT


def screen(typed: str, *arguments: str) -> str:
    """What a person sees who types these lines and then leaves."""
    done = CliRunner().invoke(play_command, ["--seed", "4", *arguments], f"{typed}\nquit\ny\n")
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    return done.stdout


def opening(*arguments: str) -> str:
    """What a person sees before typing anything."""
    return CliRunner().invoke(play_command, arguments, "").stdout


def answer(typed: str, *arguments: str) -> str:
    """The reply to the first line typed."""
    return screen(typed, *arguments).split(PROMPT)[1].partition("\n")[2]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A game in which the first choice is always taken: what was printed, and its replay."""
    file = tmp_path_factory.mktemp("played") / "game.jsonl"
    words = ["--seed", "3", "--bots", "greedy,random", "--replay", str(file)]
    done = CliRunner().invoke(play_command, words, "1\n" * 500)
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    return done.stdout.replace(str(file), "game.jsonl"), file.read_text(encoding="utf-8")


def test_a_whole_game_ends_with_who_won_and_why(whole: tuple[str, str]) -> None:
    text, written = whole
    replay = read_replay(written)
    state = replay.state()
    assert state.actor == NOBODY
    assert replay.extra == {"seed": 3, "seats": ["you", "greedy", "random"]}
    end = text.rpartition("\n\nover after ")[2]
    assert game("hidden-leaders").text.draw(state, None).partition("\n")[2] in end
    assert " has won: " in end
    assert re.search(r"^(You win\.|You lose to [BC] \(\w+\)\.|Nobody wins\.)$", end, re.MULTILINE)
    (winner,) = state.winners()
    assert ("You win." in end) == (winner == 0)


def test_a_whole_game_fits_80_columns_and_has_no_colours(whole: tuple[str, str]) -> None:
    text, _ = whole
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    assert "\r" not in text


def test_nothing_is_shown_that_the_seat_has_not_seen(whole: tuple[str, str]) -> None:
    """Up to the last choice: afterwards everything lies open."""
    text, written = whole
    shown = " ".join(text.rpartition(PROMPT)[0].split())
    account = redact(read_replay(written), 0).splitlines()
    events = [tuple(map(int, re.findall(r"-?\d+", line))) for line in account[1:-1]]
    seen = {event[-1] for event in events if event[0] in (Event.MOVED, Event.SEEN)} - {UNSEEN}
    seen.add(EMPEROR)  # lies on the graveyard from the beginning
    own = next(event[2] for event in events if event[:2] == (Event.LEADER, 0))
    for card, hero in enumerate(HEROES):
        if hero.name in shown:
            assert card in seen, hero.name
    for number, leader in enumerate(LEADERS):
        assert (leader.name in shown) == (number == own)


def test_choices_are_numbered_and_the_table_is_drawn_after_moves_of_others(
    whole: tuple[str, str],
) -> None:
    text, _ = whole
    first, second = text.split(PROMPT)[:2]
    assert "A  leader" in first
    assert "You are A, for " in first
    assert "open heroes in one party end the game" in first
    assert re.search(r"^  1  hide ", first, re.MULTILINE)
    assert "A (you): hide " in second
    assert "A  leader" not in second
    assert re.search(r"^  4  discard ", second, re.MULTILINE)


def test_the_same_seed_and_answers_give_the_same_game() -> None:
    assert screen("1\n2\n3") == screen("1\n2\n3")


def test_words_work_as_well_as_numbers() -> None:
    by_number, by_words = screen("4"), screen("hide will")
    assert "A (you): hide Will-Bending Witch" in by_words
    assert by_number.replace("choice: 4", "") == by_words.replace("choice: hide will", "")


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("", "type a number from 1 to 5, or ? for help"),
        ("0", "there is no choice 0; type a number from 1 to 5"),
        ("6", "there is no choice 6; type a number from 1 to 5"),
        ("-1", "'-1' is not a legal move"),
        ("hide wll", "'hide wll' is not a legal move"),
        ("hide keen koy", "did you mean 'hide Keen Koi'?"),
        ("hide", "'hide' could mean 'hide Bored Goblin' or"),
        ("? crow carier", "there is no hero 'crow carier'; did you mean 'Crow Carrier'?"),
        ("? undeath", "did you mean 'Undead'?"),
        ("? 9", "there is no choice 9"),
        ("undo", "you have not chosen anything yet"),
    ],
)
def test_invalid_answers_get_a_sentence_and_another_try(typed: str, problem: str) -> None:
    reply = answer(typed)
    assert problem in " ".join(reply.split())
    assert "legal here" not in reply
    assert len(reply.splitlines()) <= 4
    assert len(screen(typed).split(PROMPT)) == 3


def test_help_explains_the_goal_and_the_commands() -> None:
    reply = answer("?")
    for words in ("both markers stand in the war zone", "undo ", "table ", "log ", "peeking"):
        assert words in reply
    assert answer("help") == reply


@pytest.mark.parametrize(
    ("typed", "reply"),
    [
        ("? crow carrier", "Crow Carrier (CrCa), Undead"),
        ("?crca", "Crow Carrier (CrCa), Undead"),
        ("help Crow", "Crow Carrier (CrCa), Undead"),
        ("? 5", "Keen Koi (KeKo), Water"),
        ("? xiadul", "Xiadul (number 4) supports Undead and Empire."),
        ("? water", "Water wins if the markers are at most one space apart"),
    ],
)
def test_there_is_help_on_every_card_leader_and_faction(typed: str, reply: str) -> None:
    assert answer(typed).startswith(reply)


def test_a_card_is_explained_the_first_time_it_can_be_chosen() -> None:
    ability = "Move the leading marker -1 and the trailing marker +1."
    text = screen("1\n1\n1")
    assert text.count("play Keen Koi") == 1
    assert text.count(ability) == 1


def test_a_choice_that_revealed_what_somebody_lacks_cannot_be_undone() -> None:
    """The Underwater Artist asks for a faction; that B holds none of it is news."""
    text = screen("1\n1\n7\n3\n1\n3\n1\n1\nundo", "--bots", "random,random", "--seed", "48")
    assert "no Undead in B's hand" in text
    assert "it revealed something you did not know" in text


def test_undo_goes_back_step_by_step_until_somebody_else_has_decided() -> None:
    parts = screen("1\n1\n1\n1\nundo\nundo\nundo\n3").split(PROMPT)
    assert parts[4].count("red +2") == 1
    choosing, playing = parts[5], parts[6]
    assert choosing.startswith("undo\nUndone.\n\n  1  red +2\n  2  green +2\n")
    assert playing.startswith("undo\nUndone.\n")
    assert "  1  play Rotting Orangutan\n" in playing
    assert "B (greedy) has decided since\n" in parts[7]
    assert "play Keen Koi" in parts[8]


def test_the_table_and_the_log_are_shown_on_request() -> None:
    text = screen("1\ntable\nlog")
    assert "   hidden       Bored Goblin (T)\n" in text.split(PROMPT)[2]
    log = "the cards are dealt [you begin]\nA (you): hide Bored Goblin\n"
    assert text.split(PROMPT)[3].startswith(f"log\n{log}\n  1  discard ")


def test_leaving_needs_a_confirmation() -> None:
    done = CliRunner().invoke(play_command, ["--seed", "4"], "quit\nn\n1\nQUIT\nYes\n")
    assert done.exit_code == 0
    assert done.stdout.endswith("Leave the game? (y/n) Yes\nYou left the game after 2 moves.\n")


def test_the_seat_can_be_chosen_or_drawn() -> None:
    assert "A (greedy), B (you), C (greedy)" in screen("", "--seat", "b")
    drawn = {
        re.search(r"([A-D]) \(you\)", opening("--seat", "random", "--seed", str(seed)))[1]  # type: ignore[index]
        for seed in range(8)
    }
    assert drawn == {"A", "B", "C"}


def test_without_a_seed_every_game_is_different_and_prints_its_seed() -> None:
    seeds = {opening().partition(":")[0] for _ in range(3)}
    assert len(seeds) == 3
    assert all(re.fullmatch(r"Hidden Leaders, seed \d+", line) for line in seeds)


def test_the_end_of_input_ends_the_game_and_saves_its_moves(folder: Path, arena: RunArena) -> None:
    words = ("play", "--seed", "4", "--replay", "g.jsonl")
    outcome = arena(*words, typed="1\n1\n", code=130)
    assert outcome.err.split() == ["Stopped."]
    assert outcome.out.endswith("wrote g.jsonl\n")
    assert read_replay((folder / "g.jsonl").read_text()).state().actor == 0


CRASHING_BOT = """
from bots import Bot

class Crashing(Bot):
    def choose(self, view):
        raise RuntimeError("oh")
"""


def test_a_bot_that_crashes_is_shown_with_its_lines_and_saved(
    folder: Path, arena: RunArena
) -> None:
    (folder / "crashing.py").write_text(CRASHING_BOT)
    words = ("play", "--bots", "crashing.py:Crashing", "--seed", "4", "--replay", "g.jsonl")
    warning, *lines, fault = arena(*words, typed="1\n1\n", code=2).err.splitlines()
    assert warning.startswith("crashing.py:Crashing runs with your rights, not in a sandbox")
    assert lines == ["  crashing.py, line 6, in choose", '    raise RuntimeError("oh")']
    assert re.fullmatch(
        r"arena: B \(crashing.py:Crashing\) at decision \d+: raised RuntimeError: oh "
        r"\(crashing.py, line 6, in choose\)",
        fault,
    )
    assert read_replay((folder / "g.jsonl").read_text()).state().actor == 1
    assert "B (crashing.py:Crashing) raised RuntimeError: oh" in arena("show", "g.jsonl").out


def test_a_bot_that_never_answers_is_stopped(folder: Path, arena: RunArena) -> None:
    (folder / "slow.py").write_text(CRASHING_BOT.replace('raise RuntimeError("oh")', "while 1: 0"))
    words = (
        "play",
        "--bots",
        "slow.py:Crashing",
        "--seed",
        "4",
        "--isolate",
        "--move-limit",
        "0.2",
    )
    assert "gave no answer within 0.2 s" in arena(*words, typed="1\n1\n", code=2).err
    refused = arena(*words[:-3], "--move-limit", "0.2", code=2).err
    assert "cannot stop slow.py:Crashing in the arena's own process: add --isolate" in refused


class Terminal:
    """A terminal with the command running in it."""

    def __init__(self, keyboard: int, process: subprocess.Popen[bytes]) -> None:
        self.keyboard = keyboard
        self.process = process
        self.screen = ""

    def read(self, wanted: str) -> str:
        """Wait until the words have appeared; what has appeared since the last time."""
        before = len(self.screen)
        deadline = time.monotonic() + 60
        while wanted not in self.screen[before:]:
            ready, _, _ = select.select(
                [self.keyboard], [], [], max(0.0, deadline - time.monotonic())
            )
            assert ready, f"{wanted!r} did not come: {self.screen[before:]}"
            self.screen += os.read(self.keyboard, 65536).decode()
        return self.screen[before:]

    def type(self, keys: str) -> None:
        os.write(self.keyboard, keys.encode())

    def interrupt(self) -> None:
        """Ctrl-C, and once more if that came just before the command began to wait for a line.

        Then the signal waits as well, until something is typed: a person would press again.
        """
        for _ in range(5):
            self.process.send_signal(signal.SIGINT)
            if select.select([self.keyboard], [], [], 5)[0]:
                return


@contextmanager
def terminal(folder: Path, *arguments: str) -> Iterator[Terminal]:
    keyboard, screen = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "play", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"},
        stdin=screen,
        stdout=screen,
        stderr=screen,
        start_new_session=True,
    )
    os.close(screen)
    try:
        yield Terminal(keyboard, process)
    finally:
        process.kill()
        process.wait()
        os.close(keyboard)


@pytest.mark.slow
def test_on_a_terminal_what_is_typed_is_not_echoed_again(tmp_path: Path) -> None:
    with terminal(tmp_path, "--seed", "4") as seen:
        seen.read(PROMPT)
        seen.type("1\n")
        assert seen.read(PROMPT).startswith("1\r\n\r\nA (you): hide Bored Goblin\r\n")
        seen.type("1\n")
        later = seen.read(PROMPT)
        assert "B (greedy) is thinking ..." in later
        assert "B (greedy): chooses face down" in later


@pytest.mark.slow
@pytest.mark.parametrize("how", ["ctrl-c", "ctrl-d"])
def test_ctrl_c_and_ctrl_d_end_the_game_and_save_its_moves(tmp_path: Path, how: str) -> None:
    with terminal(tmp_path, "--seed", "4", "--replay", "g.jsonl") as seen:
        seen.read(PROMPT)
        seen.type("1\n")
        seen.read(PROMPT)
        if how == "ctrl-c":
            seen.interrupt()
        else:
            seen.type("\x04")
        farewell = seen.read("Stopped.")
        assert seen.process.wait(60) == 130
        assert "wrote g.jsonl" in farewell
        assert "Traceback" not in farewell
    replay = read_replay((tmp_path / "g.jsonl").read_text())
    assert replay.state().actor == 0


def test_few_choices_are_listed_in_one_column_and_many_in_two() -> None:
    assert numbered(["a", "b"]) == "  1  a\n  2  b"
    nine = numbered([f"take {letter}" for letter in "abcdefghi"]).splitlines()
    assert nine[0] == "  1  take a    6  take f"
    assert nine[-1] == "  5  take e"
    assert len(numbered(["x" * 40] * 20).splitlines()) == 20


def test_long_lines_are_wrapped_and_short_ones_kept() -> None:
    text = wrap("word " * 30 + "\n  kept  as it is", indent=4).splitlines()
    assert [len(line) <= 80 for line in text] == [True] * 3
    assert text[1].startswith("    word")
    assert text[2] == "  kept  as it is"
