"""Kuhn poker as the arena lists it: `GAME` is what the entry point names."""

from __future__ import annotations

from typing import Final

from arena_kuhn_poker.positions import KuhnPositions, card_of
from arena_kuhn_poker.state import Kuhn
from arena_kuhn_poker.view import KuhnView, move_text
from games import Game, GameHelp, GameText, IllegalMove, ObservationLayout, State, View


class KuhnText(GameText):
    """Moves and tables in words."""

    def move(self, state: State, move: int) -> str:
        assert isinstance(state, Kuhn)
        return move_text(state, move)

    def parse(self, state: State, words: str) -> int:
        texts = {self.move(state, move): move for move in state.moves()}
        if words.strip().lower() not in texts:
            raise IllegalMove(f"no move is called {words!r}", ", ".join(texts))
        return texts[words.strip().lower()]

    def draw(self, state: State, seat: int | None) -> str:
        assert isinstance(state, Kuhn)
        cards = [card_of(state, i) if seat in (None, i) else "?" for i in range(2)]
        spoken = " ".join({"p": "pass", "b": "bet"}[bet] for bet in state.bets) or "none"
        return f"A has {cards[0]}, B has {cards[1]}; bets: {spoken}"


class KuhnHelp(GameHelp):
    """Help for a person who plays."""

    rules = (
        "J < Q < K, one card each, one chip in the pot from each. Check or bet; after a bet, fold "
        "or call. Who is c chips ahead at the end holds 2 + c of four lots; a lot is drawn."
    )


class KuhnPoker(Game):
    """Kuhn poker for two."""

    name = "kuhn-poker"
    title = "Kuhn poker"
    rules_version = 1
    min_players = max_players = 2
    text = KuhnText()
    help = KuhnHelp()
    positions = KuhnPositions()
    observation = ObservationLayout(
        1, (("bets: pass or bet", 6), ("seat that decides", 1)), (("own card: J, Q, K", 3),)
    )

    def new(self, players: int, **options: object) -> State:
        self.check_players(players)
        self.check_options(options, ["record"])
        state = Kuhn()
        if options.get("record"):
            state.record()
        return state

    def view(self, seat: int, players: int, **options: object) -> View:
        self.check_players(players)
        self.check_options(options, ["record"])
        return KuhnView(seat)


GAME: Final = KuhnPoker()
