"""A game between a person and bots, with undo that cannot be used to peek.

A choice can be undone as long as the person learned nothing from it that they could not foresee.
Each of their moves is first tried on the game as their seat imagines it. If the real game shows
them anything else, another player or chance has decided, or a hidden card was revealed, and undo
would be peeking. Bots receive events only when one of them must decide, so they never learn of
choices that were undone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field

from arena.match.narrator import Narrator
from arena.match.referee import BotFactory, BotFault, LiveGame
from games.errors import GameError
from games.registry import game
from games.replay import Replay
from games.state import CHANCE, NOBODY
from games.view import View


class NoUndo(GameError):
    """A choice that cannot be undone; the message says why."""


@dataclass
class NarratedMove:
    """One move as the person saw it."""

    who: str
    text: str
    news: list[str] = field(default_factory=list)
    """What else it revealed or caused."""


class HumanGame:
    """One game between a person and bots."""

    def __init__(
        self,
        opening: Replay,
        seat: int,
        factories: Mapping[int, BotFactory],
        seed: int,
        asking: Callable[[str], object],
    ) -> None:
        self.opening = opening
        """The game before the person took over: usually nothing but its rules."""
        self.rules = rules = game(opening.game)
        self._asking = asking
        """Called with the name of the bot that is asked next, which may take a while."""
        self.seat = seat
        self.players = len(factories) + 1
        self.seed = seed
        self._live = LiveGame(rules, opening, factories, seed)
        self.state = self._live.state
        self.moves = self._live.moves
        self.names = self._live.names
        self.narrator = Narrator(rules, self.names, seat)
        self.history: list[NarratedMove] = []
        """Everything the person has seen, move by move."""
        self._checkpoints: list[tuple[int, int]] = []
        """How many moves, and how many of the history, precede each choice that undo returns to."""
        self._no_undo = "you have not chosen anything yet"
        """Why the last choice cannot be undone, if there is no checkpoint."""
        self._informed = -1
        """How many moves had been played when the bots last received events, or -1."""
        self.view = self._view()
        try:
            with redirect_stdout(sys.stderr):  # what bots print is not part of the dialog
                self._live.begin()
        except BaseException:
            self.close()
            raise

    @property
    def over(self) -> bool:
        return self.state.actor == NOBODY

    def replay(self) -> Replay:
        return self._live.replay()

    # ---- playing --------------------------------------------------------------------------

    def advance(self) -> None:
        """Play until the person has something to choose, or the game is over."""
        while not self.over:
            actor = self.state.actor
            if actor == CHANCE:
                self._roll()
            elif actor != self.seat:
                self._ask(actor)
            elif len(self.view.moves) == 1:
                self._play_own(self.view.moves[0], " (the only choice)")
            else:
                return
        self._informed = len(self.moves)
        self._live.end()

    def close(self) -> None:
        """End the bots' processes; the game may be at any point."""
        self._live.close()

    def replace_bot(self, fault: BotFault, factory: BotFactory) -> None:
        """Let another bot play on for the one that failed, knowing what its seat has seen."""
        failed = self.narrator.who(fault.seat)
        self._live.replace_bot(fault.seat, factory)
        where = f" ({fault.where})" if fault.where else ""
        message = f"{failed} failed: {fault.problem}{where}; {factory.name} takes over its seat"
        self.history.append(NarratedMove("", message))

    def choose(self, move: int) -> None:
        """Play one of the person's legal moves."""
        self._checkpoints.append((len(self.moves), len(self.history)))
        self._play_own(move)

    def _roll(self) -> None:
        self._forbid_undo("chance has decided since")
        self._live.sample_chance()
        self._observe()

    def _ask(self, actor: int) -> None:
        who = self.narrator.who(actor)
        self._forbid_undo(f"{who} has decided since")
        self._informed = len(self.moves)
        self._asking(who)
        with redirect_stdout(sys.stderr):
            move, _ = self._live.ask()
        self._play(move, NarratedMove(who, self.narrator.move_text(self.state, move)))
        self._observe()

    def _play_own(self, move: int, remark: str = "") -> None:
        foreseen = self._foreseen(move)
        text = self.narrator.move_text(self.state, move) + remark
        self._play(move, NarratedMove(self.narrator.who(self.seat), text))
        if self._observe() != foreseen:
            self._forbid_undo("it revealed something you did not know")

    def _play(self, move: int, narrated: NarratedMove) -> None:
        self.history.append(narrated)
        self._live.play(move)

    def _foreseen(self, move: int) -> list[tuple[int, ...]]:
        """The events that the person can predict for a move."""
        imagined = self.view.imagine()
        imagined.record()
        imagined.play(move)
        return imagined.take_events(self.seat)

    def _observe(self) -> list[tuple[int, ...]]:
        """Show the person the new events: update the view, add news to the last move."""
        events = self.state.take_events(self.seat)
        for event in events:
            text = self.history[-1].text if self.history else ""
            news = self.rules.help.news(self.view, event, text)
            self.view.observe(event)
            if not news or self.over:  # the final position is shown on its own
                continue
            if not self.history:
                self.history.append(NarratedMove("", "the cards are dealt"))
            self.history[-1].news.append(news)
        return events

    # ---- undo -----------------------------------------------------------------------------

    def _forbid_undo(self, why: str) -> None:
        """Make all choices so far final."""
        if self._checkpoints:
            self._checkpoints.clear()
            self._no_undo = why

    @property
    def may_undo(self) -> bool:
        return bool(self._checkpoints)

    def undo(self) -> None:
        """Return to the person's last choice; NoUndo says why that is impossible."""
        if not self.may_undo:
            raise NoUndo(f"your last choice stands: {self._no_undo}")
        moves, history = self._checkpoints.pop()
        del self.moves[moves:]
        del self.history[history:]
        state = self.opening.new(record=True)
        for ply, move in enumerate([*self.moves, None]):
            if ply == self._informed:
                for seat in self._live.bots:
                    state.take_events(seat)  # which the bot has received already
            if move is not None:
                state.play(move)
        self.state = self._live.state = state
        self.view = self._view()

    def _view(self) -> View:
        """What the person knows of everything played so far."""
        view = self.opening.view(self.seat)
        for event in self.state.take_events(self.seat):
            view.observe(event)
        return view
