"""Bots that join a game in its middle, and questions in which the others are such bots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli import main as cli
from bots.bot import Bot
from bots.runtime.loading import BadBot, load
from bots.runtime.mid_game import choice, hired, joined
from games.hidden_leaders.game import GAME, HiddenLeadersGame
from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.positions.worlds import worlds as posed_worlds
from games.questions import TooManyWorlds
from games.registry import Analysis
from games.view import View
from solver.answer import solve_hidden, solve_open
from solver.ask import Query, solve_query
from solver.core.budget import NodeBudget
from solver.core.question import BadQuestion, Others, Question, deny, win
from solver.puzzles.files import load_puzzle, prove
from solver.puzzles.trial import start_trial
from solver.reference.brute_force import brute_plans, brute_values

Capture = pytest.CaptureFixture[str]

ENDING = (
    "players 2; red 6; green 5; threshold 3; deck PiPi BlCo UnEx DeDr ShSo UnMe TrLi; "
    "A leader Myrad hand PiPi BlCo UnEx DeDr; B leader Cyra hand ShSo open UnMe TrLi"
)
"""B ends the game in its turn, if it wants to and can."""


class Idle(Bot):
    """Passes wherever it can."""

    def choose(self, view: View) -> int:
        return view.moves[-1]


def asked_with(name: str, horizon: int = 2) -> Question:
    return Question(0, deny(1, "B"), horizon, Others.BOT, policy=hired(GAME, name))


@pytest.mark.parametrize("name", ["greedy", "random", "ismcts:iterations=4"])
def test_the_checker_says_the_same_about_others_who_are_bots(name: str) -> None:
    state = read(ENDING).state()
    answer = solve_open(asked_with(name), state, NodeBudget())
    assert {one.move: one.likely[0] for one in answer.values} == brute_values(
        asked_with(name), state
    )


def test_the_checker_says_the_same_where_the_seat_does_not_see_all_cards() -> None:
    position = read(
        "players 2; red 6; green 5; threshold 3; deck UnEx PiPi ShSo UnMe TrLi KeKo; "
        "A leader Myrad hand PiPi UnEx; B leader Cyra hand ? open UnMe TrLi; harbor ?"
    )
    worlds = posed_worlds(position, 2)
    assert len(worlds) == 2
    for one in solve_hidden(asked_with("greedy"), worlds, NodeBudget()).values:
        plans = list(brute_plans(asked_with("greedy"), worlds, one.move))
        assert one.sure[0] == max(min(plan) for plan in plans)
        assert one.likely[0] == max(sum(plan) / len(plan) for plan in plans)


def test_a_bot_is_not_the_worst_that_can_happen() -> None:
    """Against all that B could do the Executioner alone helps; a B that passes needs no help."""
    state = read(ENDING).state()
    against = solve_open(Question(0, deny(1, "B"), 2), state, NodeBudget())
    kind = solve_open(asked_with("tests.bots.test_mid_game:Idle"), state, NodeBudget())
    assert len(against.best) == 1
    assert {one.likely[0] for one in kind.values} == {1}
    assert kind.sentences()[2].startswith("Each of the others is the bot tests.bots.test_mid_game:")
    assert kind.sight == "The seat to move sees all cards, including cards drawn later."


def test_it_does_the_same_wherever_it_sees_the_same() -> None:
    policy = hired(GAME, "ismcts:iterations=8")
    tables = [
        read(f"turn B; A leader {leader} hand {hand}; B leader Cyra hand ShSo KeKo UnMe").state()
        for leader, hand in (("Myrad", "BlCo"), ("Enned", "DeDr"), ("Pavyr", "BuEm"))
    ]
    assert len({policy.choose(table) for table in tables}) == 1
    assert hired(GAME, "ismcts:iterations=8").choose(tables[2]) == policy.choose(tables[0])


def test_hands_of_bots_are_never_left_out_of_account() -> None:
    assert GAME.positions is not None
    position = GAME.positions.read(
        "threshold 2; red 6; A leader Xiadul hand ShSo open FlKn; B hand ?x3"
    )
    assert solve_query(Query(GAME, position), NodeBudget()).idle
    with pytest.raises(TooManyWorlds, match="ways to fill in what is unknown"):
        solve_query(Query(GAME, position, others="bot:greedy"), NodeBudget(), hired)


def test_a_question_needs_the_bot_it_is_about() -> None:
    with pytest.raises(BadQuestion, match="a question needs a bot"):
        Question(0, win(0, "A"), 1, Others.BOT)
    with pytest.raises(BadQuestion, match="a question needs a bot"):
        Question(0, win(0, "A"), 1, Others.RANDOM, policy=hired(GAME, "greedy"))
    assert GAME.positions is not None
    asked = Query(GAME, GAME.positions.read(ENDING), others="bot:greedy")
    with pytest.raises(BadQuestion, match="bots are not available here"):
        solve_query(asked, NodeBudget())


# ---- bots that break down, and the command line -----------------------------------------------

BOTS = """
from bots import Bot


class Idle(Bot):
    def choose(self, view):
        return view.moves[-1]


class Cheat(Bot):
    def choose(self, view):
        return 77777


class Vague(Bot):
    def choose(self, view):
        return "the best one"


class Broken(Bot):
    def choose(self, view):
        raise ValueError("no idea")


class Exits(Bot):
    def choose(self, view):
        raise SystemExit(3)
"""


@pytest.fixture
def bots(tmp_path: Path) -> str:
    path = tmp_path / "strange.py"
    path.write_text(BOTS, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("Cheat", "joining as B, chose 77777, which is not legal"),
        ("Vague", "joining as B, chose 'the best one', which is not a number of a move"),
        ("Broken", "joining as B, raised ValueError: no idea"),
        ("Exits", "joining as B, raised SystemExit: 3"),
    ],
)
def test_a_bot_that_fails_is_named_in_one_sentence(
    bot: str, problem: str, bots: str, capsys: Capture
) -> None:
    code = cli.run(["solve", ENDING, "--horizon", "2", "--others", f"bot:{bots}:{bot}"])
    captured = capsys.readouterr()
    assert code == 2
    assert captured.err == f"arena: the bot {bots}:{bot}, {problem}\n"
    assert captured.out == ""


def test_a_bot_that_goes_by_the_clock_is_refused(capsys: Capture) -> None:
    assert cli.run(["solve", ENDING, "--others", "bot:ismcts:seconds=0.1"]) == 2
    assert "the bot ismcts:seconds=0.1 goes by the clock" in capsys.readouterr().err


def test_the_command_and_puzzles_take_bots(tmp_path: Path, bots: str, capsys: Capture) -> None:
    arguments = ["--goal", "deny:B", "--horizon", "2", "--others", f"bot:{bots}:Idle"]
    assert cli.run(["solve", ENDING, *arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["others"] == f"bot:{bots}:Idle"
    assert told["exact"]
    text = Path("configs/puzzles/doubt.toml").read_text(encoding="utf-8")
    puzzle = tmp_path / "puzzle.toml"
    puzzle.write_text(f"{text}\nothers = 'bot:{bots}:Idle'\n", encoding="utf-8")
    assert cli.run(["puzzles", "verify", str(puzzle)]) == 0
    assert cli.run(["puzzles", "show", str(puzzle)]) == 0
    assert "Each of the others is the bot" in capsys.readouterr().out.replace("\n", " ")


class Unjoinable(HiddenLeadersGame):
    """A game that does not say what a seat knows that joins late."""

    analysis = Analysis()  # type: ignore[assignment]


def test_nobody_can_join_a_game_that_does_not_say_what_a_newcomer_sees() -> None:
    state = read(ENDING).state()
    with pytest.raises(BadBot, match="bots cannot join Hidden Leaders in the middle of a game"):
        joined(Unjoinable(), state)
    assert choice(GAME, load("random"), joined(GAME, state), 3) in state.moves()


def test_a_puzzle_about_bots_is_tried_against_them_and_has_no_certificate(
    tmp_path: Path, bots: str, capsys: Capture
) -> None:
    text = Path("configs/puzzles/doubt.toml").read_text(encoding="utf-8")
    puzzle = tmp_path / "puzzle.toml"
    puzzle.write_text(f"{text}\nothers = 'bot:{bots}:Idle'\n", encoding="utf-8")
    solved = prove(load_puzzle(puzzle), NodeBudget(), hired)
    trial = start_trial(solved, 1, False, NodeBudget())
    trial.choose(GAME.text.parse(trial.state, "play Doubtful Priest"))
    told = [GAME.text.move(deed.table, deed.move) for deed in trial.history]
    assert told == ["play Doubtful Priest", "red -2"]
    assert cli.run(["puzzles", "certify", str(puzzle)]) == 2
    assert "' cannot be certified; use coalition, random or selfish" in capsys.readouterr().err
