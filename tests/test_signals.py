"""Long work in compiled code lets Python handle signals: Ctrl-C must not wait for its end."""

import signal
from collections.abc import Callable
from types import FrameType

from bots.loading import load
from games.hidden_leaders.game import GAME
from games.hidden_leaders.posing import pose
from games.hidden_leaders.state import new_game
from games.hidden_leaders.view import HiddenLeadersView
from games.state import CHANCE, Rng
from solver.asking import Asked, solve
from solver.effort import Effort

ENDLESS = "players 3; A leader Xiadul hand DoPr RoOr LeLi; B leader Pavyr hand KeKo; C leader Cyra"


class Rung(Exception):
    """The alarm has rung."""


def broken_off(work: Callable[[], object]) -> bool:
    """Whether an alarm half a second after its beginning ends the work."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise Rung

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        work()
    except Rung:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return False


def test_a_search() -> None:
    state = new_game(2, record=True)
    while state.actor == CHANCE:
        state.roll(Rng(1))
    view = HiddenLeadersView(state.actor, 2)
    for event in state.take_events(state.actor):
        view.observe(event)
    bot = load("ismcts:iterations=1000000000").make(int(state.actor), 1)
    bot.start(view)
    assert broken_off(lambda: bot.choose(view))


def test_a_proof() -> None:
    asked = Asked(GAME, pose(ENDLESS), horizon="end", others="random")
    assert broken_off(lambda: solve(asked, Effort(10**9)))
