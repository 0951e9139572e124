"""Bots that take over a seat mid-game, and questions in which the other seats are such bots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli import main as cli
from bots.bot import Bot
from bots.runtime.loading import BadBot, load_bot
from bots.runtime.mid_game import bot_policy, choose_mid_game, mid_game_view
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
    "players 2; red 6; green 5; threshold 3; deck BlCo UnEx DeDr ShSo UnMe TrLi; "
    "A leader Myrad hand BlCo UnEx DeDr; B leader Cyra hand ShSo open UnMe TrLi"
)
"""B can end the game in its turn."""


class Idle(Bot):
    """Passes wherever it can."""

    def choose(self, view: View) -> int:
        return view.moves[-1]


def question_against(name: str, horizon: int = 2) -> Question:
    return Question(0, deny(1, "B"), horizon, Others.BOT, policy=bot_policy(GAME, name))


@pytest.mark.parametrize("name", ["greedy", "random", "ismcts:iterations=4"])
def test_brute_force_agrees_when_the_others_are_bots(name: str) -> None:
    state = read(ENDING).state()
    answer = solve_open(question_against(name), state, NodeBudget())
    assert {value.move: value.likely[0] for value in answer.values} == brute_values(
        question_against(name), state
    )


def test_brute_force_agrees_with_hidden_cards() -> None:
    position = read(
        "players 2; red 6; green 5; threshold 3; deck UnEx PiPi ShSo UnMe TrLi KeKo; "
        "A leader Myrad hand PiPi UnEx; B leader Cyra hand ? open UnMe TrLi; harbor ?"
    )
    worlds = posed_worlds(position, 2)
    assert len(worlds) == 2
    for value in solve_hidden(question_against("greedy"), worlds, NodeBudget()).values:
        plans = list(brute_plans(question_against("greedy"), worlds, value.move))
        assert value.sure[0] == max(min(plan) for plan in plans)
        assert value.likely[0] == max(sum(plan) / len(plan) for plan in plans)


def test_a_bot_need_not_be_the_worst_case() -> None:
    """Only the Executioner helps against every reply of B; if B passes, any move will do."""
    state = read(ENDING).state()
    worst_case = solve_open(Question(0, deny(1, "B"), 2), state, NodeBudget())
    passive = solve_open(question_against("tests.bots.test_mid_game:Idle"), state, NodeBudget())
    assert len(worst_case.best) == 1
    assert {value.likely[0] for value in passive.values} == {1}
    assert passive.sentences()[2].startswith("Each of the others is the bot tests.bots.test_mid")
    assert passive.sight == "The seat to move sees all cards, including cards drawn later."


def test_equal_views_get_equal_moves() -> None:
    policy = bot_policy(GAME, "ismcts:iterations=8")
    tables = [
        read(
            f"turn B; rest harbor; A leader {leader} hand {hand}; B leader Cyra hand ShSo KeKo UnMe"
        ).state()
        for leader, hand in (("Myrad", "BlCo"), ("Enned", "DeDr"), ("Pavyr", "BuEm"))
    ]
    assert len({policy.choose(table) for table in tables}) == 1
    assert bot_policy(GAME, "ismcts:iterations=8").choose(tables[2]) == policy.choose(tables[0])


def test_hands_of_bots_always_matter() -> None:
    assert GAME.positions is not None
    position = GAME.positions.read(
        "threshold 2; red 6; A leader Xiadul hand ShSo open FlKn; B hand ?x3"
    )
    assert solve_query(Query(GAME, position), NodeBudget()).idle
    asked = Query(GAME, position, others="bot:greedy")
    with pytest.raises(TooManyWorlds, match="ways to fill in what is unknown"):
        solve_query(asked, NodeBudget(), bot_policy, every_world=True)


def test_a_question_about_bots_needs_a_bot() -> None:
    with pytest.raises(BadQuestion, match="a question needs a bot"):
        Question(0, win(0, "A"), 1, Others.BOT)
    with pytest.raises(BadQuestion, match="a question needs a bot"):
        Question(0, win(0, "A"), 1, Others.RANDOM, policy=bot_policy(GAME, "greedy"))
    assert GAME.positions is not None
    asked = Query(GAME, GAME.positions.read(ENDING), others="bot:greedy")
    with pytest.raises(BadQuestion, match=r"to load bots, pass policies=bots\.bot_policy"):
        solve_query(asked, NodeBudget())


# ---- faulty bots, and the command line ----------------------------------------------------------

BOTS = "".join(
    f"class {name}(Bot):\n    def choose(self, view):\n        {choice}\n"
    for name, choice in {
        "Idle": "return view.moves[-1]",
        "Cheat": "return 77777",
        "Vague": "return 'the best one'",
        "Broken": "raise ValueError('no idea')",
        "Exits": "raise SystemExit(3)",
    }.items()
)


@pytest.fixture
def bots(tmp_path: Path) -> str:
    path = tmp_path / "strange.py"
    path.write_text(f"from bots import Bot\n{BOTS}", encoding="utf-8")
    return str(path)


def puzzle(folder: Path, bot: str) -> Path:
    """A puzzle in which the others are that bot."""
    text = Path("configs/puzzles/doubt.toml").read_text(encoding="utf-8")
    path = folder / "puzzle.toml"
    path.write_text(f"{text}\nothers = 'bot:{bot}'\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("{file}:Cheat", ", joining as B, chose 77777, which is not legal\n"),
        ("{file}:Vague", ", joining as B, chose 'the best one', which is not a move number\n"),
        (
            "{file}:Broken",
            ", joining as B, raised ValueError: no idea (strange.py, line 13, in choose)\n",
        ),
        (
            "{file}:Exits",
            ", joining as B, raised SystemExit: 3 (strange.py, line 16, in choose)\n",
        ),
        ("ismcts:seconds=0.1", " has a time limit, so its moves can vary"),
    ],
)
def test_a_bot_that_fails_is_reported(bot: str, problem: str, bots: str, capsys: Capture) -> None:
    name = bot.format(file=bots)
    assert cli.run(["solve", ENDING, "--horizon", "2", "--others", f"bot:{name}"]) == 2
    captured = capsys.readouterr()
    lines = captured.err.splitlines(keepends=True)
    told = "".join(line for line in lines if "with your rights, not in a sandbox" not in line)
    assert told.startswith(f"arena: the bot {name}{problem}")
    assert told.count("\n") == 1
    assert captured.out == ""


def test_solve_and_puzzles_accept_bots(tmp_path: Path, bots: str, capsys: Capture) -> None:
    arguments = ["--goal", "deny:B", "--horizon", "2", "--others", f"bot:{bots}:Idle"]
    assert cli.run(["solve", ENDING, *arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["others"] == f"bot:{bots}:Idle"
    assert report["exact"]
    file = str(puzzle(tmp_path, "greedy"))
    assert cli.run(["puzzles", "verify", file]) == 0
    assert cli.run(["puzzles", "show", file]) == 0
    assert "Each of the others is the bot" in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.parametrize("bot", ["{spy}:Spy", "ismcts:endgame={spy}:Spy"])
def test_a_puzzle_runs_nobodys_code(tmp_path: Path, bot: str, capsys: Capture) -> None:
    """To try a puzzle from elsewhere was to run the file beside it, without a word."""
    mark, spy = tmp_path / "mark", tmp_path / "spy.py"
    spy.write_text(f"open({str(mark)!r}, 'w')\nfrom bots import Bot\nclass Spy(Bot): pass\n")
    file = str(puzzle(tmp_path, bot.format(spy=spy)))
    for command in ("try", "show", "verify", "rate"):
        assert cli.run(["puzzles", command, file]) != 0
        printed = " ".join("".join(capsys.readouterr()).split())
        assert "a puzzle may name the built-in bots only (random, greedy, ismcts, cham" in printed
    assert not mark.exists()


class Unjoinable(HiddenLeadersGame):
    """A game without views for bots that join late."""

    analysis = Analysis()  # type: ignore[assignment]


def test_bots_cannot_join_a_game_without_late_views() -> None:
    state = read(ENDING).state()
    with pytest.raises(BadBot, match="bots cannot join Hidden Leaders in the middle of a game"):
        mid_game_view(Unjoinable(), state)
    assert choose_mid_game(GAME, load_bot("random"), mid_game_view(GAME, state), 3) in state.moves()


def test_a_puzzle_against_bots_has_a_trial_but_no_certificate(
    tmp_path: Path, bots: str, capsys: Capture
) -> None:
    solved = prove(load_puzzle(puzzle(tmp_path, f"{bots}:Idle")), NodeBudget(), bot_policy)
    trial = start_trial(solved, 1, False, NodeBudget())
    trial.choose(GAME.text.parse(trial.state, "play Doubtful Priest"))
    played = [GAME.text.move(step.table, step.move) for step in trial.history]
    assert played == ["play Doubtful Priest", "red -2"]
    assert cli.run(["puzzles", "certify", str(puzzle(tmp_path, "greedy"))]) == 2
    assert "' cannot be certified; use coalition, random or selfish" in capsys.readouterr().err
