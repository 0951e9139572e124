"""Bots given to `play_game` and its like as classes instead of names."""

from pathlib import Path

import pytest

from arena import BotFault, compare, exploitability, play_game
from bots import BadBot, Bot, Match, Option
from games import View


class First(Bot):
    """Plays the first legal move."""

    place = Option(0, "how many to leave out", least=0)

    def choose(self, view: View) -> int:
        return view.moves[self.place]


class Duellist(First):
    def check_match(self, match: Match) -> None:
        if match.players > 2:
            raise BadBot("it plays with two only")


class Failing(Bot):
    def choose(self, view: View) -> int:
        return view.moves[len(view.moves)]


class Silent(Bot):
    """Has no method `choose`."""


def test_a_class_plays_as_the_bot_of_its_name_does() -> None:
    by_class = play_game([First, "greedy"], seed=3)
    by_name = play_game([f"{Path(__file__)}:First", "greedy"], seed=3)
    assert by_class.replay.moves == by_name.replay.moves
    assert by_class.replay.extra["seats"] == ["First", "greedy"]


def test_it_can_be_asked_how_exploitable_it_is() -> None:
    assert exploitability(First, variant="tiny") > 0


def test_a_class_that_fails_is_named_with_its_line() -> None:
    with pytest.raises(BotFault, match=r"^A \(Failing\) .* IndexError.*test_api.py, line \d+"):
        play_game([Failing, "random"])


def test_a_class_is_asked_whether_it_can_play() -> None:
    with pytest.raises(BadBot, match=r"^Duellist: it plays with two only$"):
        play_game([Duellist, "random", "random"])


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        (Silent, "Silent cannot play; write the method choose"),
        (str, "str is not a bot; a bot is a subclass of bots.Bot"),
        (3, "3 is not a bot; a bot is a subclass of bots.Bot"),
    ],
)
def test_what_is_no_bot_is_named(bot: type[Bot], problem: str) -> None:
    with pytest.raises(BadBot) as raised:
        play_game([bot, "random"])
    assert str(raised.value) == problem


def test_other_processes_need_a_name() -> None:
    name = "save First in a file and give its name, like 'my_bot.py:First'$"
    with pytest.raises(BadBot, match=f"^compare plays in several processes: {name}"):
        compare(First, "random")  # type: ignore[arg-type]
    with pytest.raises(BadBot, match=f"^an isolated bot plays in another process: {name}"):
        play_game([First, "random"], isolate=True)
