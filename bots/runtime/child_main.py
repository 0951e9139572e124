"""The main program of a process that plays one Python bot; BotProcess in the arena starts it.

It folds the View from the events it receives, so nothing else of the game is in this process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any, BinaryIO, TypeVar

from bots.bot import Bot, Budget
from bots.runtime.audit import AuditHook, places_of
from bots.runtime.faults import (
    BotFailure,
    FaultKind,
    check_belief,
    check_move,
    check_reason,
    failure_from,
)
from bots.runtime.loading import BUILT_IN, authors_lines, load_bot
from bots.runtime.protocol import PROTOCOL_VERSION, decode, encode
from games.errors import GameError
from games.registry import game, game_names
from games.view import View

_T = TypeVar("_T")


class BotServer:
    """Answers the messages of one game with one bot."""

    def __init__(self, hello: dict[str, Any], name: str) -> None:
        seat, seed, budget = hello["seat"], hello["seed"], Budget(**hello["budget"])
        try:
            factory = load_bot(name)
        except GameError as error:
            raise BotFailure(FaultKind.START, str(error)) from None
        self.view: View = game(hello["game"]).view(seat, hello["players"], **hello["options"])
        self.bot: Bot = guarded(lambda: factory.make(seat, seed, budget))
        guarded(lambda: self.bot.start(self.view))

    def observe(self, message: dict[str, Any]) -> None:
        """Pass the events of a message to the View and the bot."""
        for event in message["events"]:
            self.view.observe(tuple(event))
            if type(self.bot).observe is not Bot.observe:
                guarded(partial(self.bot.observe, tuple(event)))

    def answer(self, message: dict[str, Any]) -> dict[str, object]:
        """The bot's move with its reason and belief."""
        self.observe(message)
        move = guarded(lambda: check_move(self.bot.choose(self.view)))
        reply: dict[str, object] = {"type": "move", "decision": message["decision"], "move": move}
        if reason := guarded(lambda: check_reason(self.bot.explain())):
            reply["reason"] = reason
        if belief := guarded(lambda: check_belief(self.bot.belief())):
            reply["belief"] = belief
        return reply


def guarded(call: Callable[[], _T]) -> _T:
    """Call the bot; whatever it raises becomes a BotFailure."""
    try:
        return call()
    except BotFailure:
        raise
    except BaseException as error:
        raise failure_from(error) from error


def replies(lines: Iterator[bytes], name: str) -> Iterator[dict[str, object]]:
    """The answer to every message, until the game is over."""
    server = BotServer(decode(next(lines)), name)
    yield {"type": "ready", "protocol": PROTOCOL_VERSION, "name": name}
    for line in lines:
        message = decode(line)
        if message["type"] != "choose":
            return  # the game is over
        yield server.answer(message)


def preload() -> None:
    """Import what most games need, before the fork server forks."""
    for name in game_names():
        game(name)
    for place in BUILT_IN.values():
        import_module(place.partition(":")[0])


def take_stdout() -> BinaryIO:
    """The pipe to the arena, reserved for the protocol: what the bot prints goes to stderr."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # unbuffered: in order, and complete when the process dies
    return output


def run_bot(words: Sequence[str]) -> None:
    """Play one game over stdin and stdout; the words are `[--watch] NAME`."""
    name = words[-1]
    output = take_stdout()
    audit = AuditHook(places_of(name)) if "--watch" in words[:-1] else None

    def send(message: dict[str, object]) -> None:
        """Send a message, with what was noticed since the last one."""
        if audit is not None and (touched := audit.take_new()):
            message["touched"] = touched
        output.write(encode(message))
        output.flush()

    try:
        for reply in replies(sys.stdin.buffer, name):
            send(reply)
    except BotFailure as failure:
        if failure.__cause__ is not None:
            print(authors_lines(failure.__cause__, ""), file=sys.stderr)
        send({"type": "error", "kind": failure.kind, "problem": failure.problem})
    except BrokenPipeError:
        pass  # the arena has exited
    # Skip the interpreter's shutdown: a bot's threads or exit handlers must not delay it.
    sys.stderr.flush()
    os._exit(0)
