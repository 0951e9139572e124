"""Plays a bot of this project in a process of its own: what BotProcess starts for a Python class.

It folds the View from the events it is sent, so nothing else of the game is in this process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import BinaryIO, TypeVar

from bots.bot import Bot, Budget
from bots.runtime.audit import AuditHook, places_of
from bots.runtime.faults import (
    BotFailure,
    FaultKind,
    check_belief,
    check_move,
    check_reason,
    raised,
)
from bots.runtime.loading import BUILT_IN, authors_lines, load
from bots.runtime.protocol import VERSION, decode, encode
from games.errors import GameError
from games.registry import game, game_names
from games.view import View

T = TypeVar("T")


class BotServer:
    """One bot at one seat of one game, at the end of a pipe."""

    def __init__(self, hello: dict[str, object], name: str) -> None:
        seat, players, options = hello["seat"], hello["players"], hello["options"]
        seed, budget = hello["seed"], hello["budget"]
        assert isinstance(seat, int)
        assert isinstance(players, int)
        assert isinstance(options, dict)
        assert isinstance(seed, int)
        assert isinstance(budget, dict)
        try:
            entrant = load(name)
        except GameError as error:
            raise BotFailure(FaultKind.START, str(error)) from None
        self.view: View = game(str(hello["game"])).view(seat, players, **options)
        self.bot: Bot = guarded(lambda: entrant.make(seat, seed, Budget(**budget)))
        guarded(lambda: self.bot.start(self.view))

    def hear(self, message: dict[str, object]) -> None:
        """Take in the events of a message."""
        events = message["events"]
        assert isinstance(events, list)
        for event in events:
            self.view.observe(tuple(event))
            if type(self.bot).observe is not Bot.observe:
                guarded(partial(self.bot.observe, tuple(event)))

    def answer(self, message: dict[str, object]) -> dict[str, object]:
        """The bot's move, and what it says about it."""
        self.hear(message)
        move = guarded(lambda: check_move(self.bot.choose(self.view)))
        said: dict[str, object] = {"type": "move", "decision": message["decision"], "move": move}
        if reason := guarded(lambda: check_reason(self.bot.explain())):
            said["reason"] = reason
        if belief := guarded(lambda: check_belief(self.bot.belief())):
            said["belief"] = belief
        return said


def guarded(ask: Callable[[], T]) -> T:
    """Ask the bot for something; whatever it raises is its fault."""
    try:
        return ask()
    except BotFailure:
        raise
    except BaseException as error:
        raise raised(error) from error


def replies(lines: Iterator[bytes], name: str) -> Iterator[dict[str, object]]:
    """What there is to answer, message by message, until the game is over."""
    guest = BotServer(decode(next(lines)), name)
    yield {"type": "ready", "protocol": VERSION, "name": name}
    for line in lines:
        message = decode(line)
        if message["type"] != "choose":
            return  # the end of the game: nothing that happens now matters to it
        yield guest.answer(message)


def prepare() -> None:
    """Load beforehand what most games will need."""
    for name in game_names():
        game(name)
    for place in BUILT_IN.values():
        import_module(place.partition(":")[0])


def own_output() -> BinaryIO:
    """The pipe to the arena, kept for ourselves: whatever the bot prints goes to its stderr."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # unbuffered: in order, and there when the process dies
    return output


def play(words: Sequence[str]) -> None:
    """Play one game over stdin and stdout; the words are `[--watch] NAME`."""
    name = words[-1]
    output = own_output()
    watch = AuditHook(places_of(name)) if "--watch" in words[:-1] else None

    def say(message: dict[str, object]) -> None:
        """Send it, with what was noticed of the bot's doings since the last message."""
        if watch is not None and (touched := watch.news()):
            message["touched"] = touched
        output.write(encode(message))
        output.flush()

    try:
        for reply in replies(sys.stdin.buffer, name):
            say(reply)
    except BotFailure as fault:
        if fault.__cause__ is not None:
            print(authors_lines(fault.__cause__, ""), file=sys.stderr)
        say({"type": "error", "kind": fault.kind, "problem": fault.problem})
    except BrokenPipeError:
        pass  # the arena has gone; there is nobody to play for
    # Without the interpreter's tidying up: threads or exit handlers of a bot shall not hold it.
    sys.stderr.flush()
    os._exit(0)
