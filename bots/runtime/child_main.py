"""The main program of a process that plays one Python bot; BotProcess in the arena starts it.

It folds the View from the events it receives, so nothing else of the game is in this process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from importlib import import_module
from typing import Any, BinaryIO, TypeVar

from bots.bot import Bot, Budget, Match
from bots.runtime.audit import AuditHook, places_of
from bots.runtime.faults import BotFailure, FaultKind, check_move
from bots.runtime.frames import code_beside, failure_from, own_code, own_frames
from bots.runtime.loading import BUILT_IN, BadBot, load_bot
from bots.runtime.notes import note_of
from bots.runtime.protocol import PROTOCOL_VERSION, decode, encode
from games.errors import GameError
from games.installed import BadGame, import_installed, installed_games
from games.registry import all_games, game
from games.view import View

_T = TypeVar("_T")


class BotServer:
    """Answers the messages of one game with one bot."""

    def __init__(self, hello: dict[str, Any], name: str) -> None:
        seat, seed, budget = hello["seat"], hello["seed"], Budget(**hello["budget"])
        try:
            factory = load_bot(name)
            factory.check(Match(hello["game"], hello["players"], hello["options"]))
        except GameError as error:
            raise unloadable(error, name) from None
        self.code = own_code(factory.bot)
        self.view: View = new_view(hello)
        self.bot: Bot = self.guarded(lambda: factory.make(seat, seed, budget))
        self.guarded(lambda: self.bot.start(self.view))

    def observe(self, message: dict[str, Any]) -> None:
        """Pass the events of a message to the View and the bot."""
        for event in message["events"]:
            self.view.observe(tuple(event))
            if type(self.bot).observe is not Bot.observe:
                self.guarded(partial(self.bot.observe, tuple(event)))

    def answer(self, message: dict[str, Any]) -> dict[str, object]:
        """The bot's move with what it says about it."""
        self.observe(message)
        legal, players = list(self.view.moves), self.view.players
        move = self.guarded(lambda: check_move(self.bot.choose(self.view)))
        reply: dict[str, object] = {"type": "move", "decision": message["decision"], "move": move}
        if move in legal:
            note = self.guarded(lambda: note_of(self.bot, legal, players))
            reply.update({key: value for key, value in vars(note).items() if value})
        return reply

    def guarded(self, call: Callable[[], _T]) -> _T:
        """Call the bot; whatever it raises becomes a BotFailure."""
        try:
            return call()
        except BotFailure:
            raise
        except BaseException as error:
            raise failure_from(error, self.code) from error


def new_view(hello: Mapping[str, Any]) -> View:
    """The bot's View of a game that has not begun; the arena has tried a game that is installed."""
    try:
        return game(hello["game"]).view(hello["seat"], hello["players"], **hello["options"])
    except GameError as error:
        raise BotFailure(FaultKind.START, str(error)) from None


def unloadable(error: GameError, name: str) -> BotFailure:
    """The fault of a bot that cannot be loaded, with the lines of its file that raise."""
    first, *lines = str(error).splitlines()
    problem = f"{first} {lines[-1].strip()}" if lines else first
    cause = error.__context__ if isinstance(error, BadBot) else None
    file, dot_py, _ = name.partition(".py:")
    code = code_beside(f"{file}.py" if dot_py else "module.py")
    frames = own_frames(cause, code) if cause is not None else ()
    return BotFailure(FaultKind.START, problem, frames)


def replies(lines: Iterator[bytes], name: str) -> Iterator[dict[str, object]]:
    """The answer to every message, until the game is over."""
    server = BotServer(decode(next(lines)), name)
    yield {"type": "ready", "protocol": PROTOCOL_VERSION, "name": name}
    for line in lines:
        message = decode(line)
        if message["type"] != "choose":
            return  # the game is over
        yield server.answer(message)


def import_packages() -> None:
    """Import our packages and other packages' games, before confinement: inside, none is found.

    The folder ours lie in is not listed in a sandbox, since a checkout holds other things too, and
    a game under development (`pip install --editable`) is not where packages are. The packages
    `arena`, `bots` and `games` are imported already.
    """
    import_module("solver")
    with redirect_stdout(sys.stderr):  # stdout is the protocol's
        for name in installed_games():
            with suppress(BadGame):  # reported when that game is asked for
                import_installed(name)


def preload() -> None:
    """Import what most games need, before the fork server forks."""
    import_packages()
    all_games()
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
        send(
            {
                "type": "error",
                "kind": failure.kind,
                "problem": failure.problem,
                "frames": failure.frames,
            }
        )
    except BrokenPipeError:
        pass  # the arena has exited
    # Skip the interpreter's shutdown: a bot's threads or exit handlers must not delay it.
    sys.stderr.flush()
    os._exit(0)
