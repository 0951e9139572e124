"""Reviews a saved game: values the moves of its last decisions and says which of them lost it.

A player is judged by what it could know: worlds that agree with all it had seen. Estimates also
count what the others' moves say about their roles; proofs do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from arena.match.game_view import GameView, seat_names
from arena.review.game_review import (
    GameReview,
    Judgement,
    MoveWorth,
    ReviewedDecision,
    ReviewPlan,
    seat_review,
)
from arena.review.lines import turn_story, what_followed
from arena.review.move_search import (
    MoveSearch,
    difference,
    likely_line,
    likely_worlds,
    mean,
)
from arena.review.proven_values import (
    Proven,
    proven_by_view,
    proven_line,
    proven_with_open_cards,
)
from arena.seeds import derive_seed
from bots.champion.search import ValueSearch
from games.replay import Replay
from games.state import CHANCE, NOBODY, Rng, State

_FIRST_LOOK: Final = 4
"""The first look at a move takes that fraction of the worlds of the final comparison."""
_ERRORS: Final = 2.0
"""A difference of fewer standard errors does not count."""
_MOST_BETTER: Final = 3
"""Better moves that are listed."""


@dataclass(frozen=True)
class _Moment:
    """A decision to review."""

    at: int
    seat: int
    state: State
    move: int
    limited: bool
    """Whether the turn limit has stopped the game."""


def review_game(
    replay: Replay,
    plan: ReviewPlan | None = None,
    faulty: int | None = None,
    progress: Callable[[int, int], bool] | None = None,
) -> GameReview:
    """Review the last decisions of a game, the last one first.

    `faulty` is the seat whose fault ended the game. `progress` is told how many decisions are done,
    and how many there are; it ends the review by returning False.
    """
    plan = plan or ReviewPlan()
    shown = GameView(replay)
    turns = plan.turns or 2 * replay.players
    moments = list(_moments(shown, turns, plan.seat))
    decisions: list[ReviewedDecision] = []
    for moment in reversed(moments):
        if progress is not None and not progress(len(decisions), len(moments)):
            break
        decisions.append(_review(shown, moment, plan))
    skipped = len(moments) - len(decisions)
    decisions = [one for one in reversed(decisions) if _matters(one)]
    end = replay.state()
    winners = tuple(end.winners()) if end.actor == NOBODY else None
    seats = []
    for seat, name in enumerate(seat_names(replay)):
        won = None if winners is None or faulty is not None else seat in winners
        seats.append(seat_review(seat, name, won, decisions))
    return GameReview(
        game=replay.game,
        plan=plan,
        turns=min(turns, int(end.turns) + (end.actor != NOBODY)),
        decisions=tuple(decisions),
        seats=tuple(seats),
        winners=winners,
        skipped=skipped,
        faulty=faulty,
    )


def _matters(decision: ReviewedDecision) -> bool:
    """Whether the moves differed in value, at least with open cards."""
    later = decision.hindsight
    return decision.judged.at_stake or (later is not None and later.at_stake)


def _moments(shown: GameView, turns: int, only: int | None) -> Iterator[_Moment]:
    """The decisions of the last turns in which there was a choice that can matter."""
    replay = shown.replay
    end = replay.state()
    running = end.actor != NOBODY
    limited = shown.rules.hit_turn_limit(end)
    first = int(end.turns) - turns + running  # an unfinished turn counts as the last one
    state, number = replay.new(), 0
    for move in replay.moves:
        if state.actor != CHANCE:
            number += 1
            seat = int(state.actor)
            last = state.turns == end.turns - 1 and not running
            idle = state.count == 1 or (last and shown.rules.analysis.only_cleanup(state))
            if state.turns >= first and not idle and only in (None, seat):
                yield _Moment(number, seat, state.copy(), move, limited)
        state.play(move)


def _review(shown: GameView, moment: _Moment, plan: ReviewPlan) -> ReviewedDecision:
    judge = _Judge(shown, moment, plan)
    hindsight = judge.with_open_cards() if plan.hindsight else None
    return ReviewedDecision(
        at=moment.at,
        seat=moment.seat,
        turn=shown.moves[moment.at - 1].turn,
        choices=len(moment.state.moves()),
        judged=judge.by_view(),
        followed=tuple(what_followed(shown, moment.at)),
        hindsight=hindsight,
    )


class _Judge:
    """Compares the moves of one decision."""

    def __init__(self, shown: GameView, moment: _Moment, plan: ReviewPlan) -> None:
        self.shown = shown
        self.rules = shown.rules
        self.moment = moment
        self.plan = plan
        self.seed = derive_seed(plan.seed, "review", moment.at)
        self.looks = max(1, plan.iterations // _FIRST_LOOK)

    def by_view(self) -> Judgement:
        """By what the seat could know."""
        before, seat = self.moment.at - 1, self.moment.seat
        view = self.shown.view(before, seat)
        proven = proven_by_view(self.rules, view, self.plan.nodes)

        def draw(count: int) -> list[State]:
            if any(0 < one.low < 1 for one in proven.values()):
                # Such a chance is by the odds of the rules, so the other moves must be, too.
                rng = Rng(self.seed)
                return [view.sample(rng) for _ in range(count)]
            return likely_worlds(self.shown, before, seat, self.seed, count)

        return self._judged(proven, draw)

    def with_open_cards(self) -> Judgement:
        """As if all cards had been open to everybody."""
        proven = proven_with_open_cards(self.moment.state, self.plan.nodes)
        return self._judged(proven, lambda count: [self.moment.state] * count)

    def _judged(self, proven: dict[int, Proven], draw: Callable[[int], list[State]]) -> Judgement:
        """Look at all moves, then compare the one played with the best of the others."""
        played = self.moment.move
        moves = self.moment.state.moves()
        least = {move: proven[move].low if move in proven else 0.0 for move in moves}
        exact = {move for move in moves if move in proven and proven[move].exact}
        values = {move: least[move] for move in exact}
        search = None
        if len(exact) < len(moves):
            worlds = draw(self.looks + self.plan.iterations)
            search = MoveSearch(self.rules, worlds, self.seed, self.moment.limited)
            for move in moves:
                if move not in exact:
                    found = mean(search.searched(move, 0, self.looks).chances)
                    values[move] = max(found, least[move])
        best = max((move for move in moves if move != played), key=lambda move: values[move])
        if values[best] <= values[played]:
            worth = self._worth(played, values, exact)
            return Judgement(worth, worth, 0.0, at_stake=len(set(values.values())) > 1)
        return self._compared(best, values, least, exact, search)

    def _compared(
        self,
        best: int,
        values: dict[int, float],
        least: dict[int, float],
        exact: set[int],
        search: MoveSearch | None,
    ) -> Judgement:
        """Compare two moves in worlds that had no part in choosing the better one."""
        played = self.moment.move
        span = self.looks, self.looks + self.plan.iterations
        samples, tree = {}, None
        for move in (played, best):
            if move in exact:
                samples[move] = [values[move]] * self.plan.iterations
            else:
                assert search is not None
                samples[move], tree = search.searched(move, *span)
                values[move] = max(mean(samples[move]), least[move])
        gap = difference(samples[best], samples[played])
        worth = self._worth(played, values, exact)
        if gap.mean <= _ERRORS * gap.error or values[best] <= values[played]:
            return Judgement(worth, worth, 0.0)
        ranked = sorted(values, key=lambda move: -values[move])
        better = [move for move in ranked if values[move] - _ERRORS * gap.error > values[played]]
        if best in better:
            better.remove(best)
        listed = [best, *better][:_MOST_BETTER]
        return Judgement(
            played=worth,
            best=self._worth(best, values, exact),
            loss=values[best] - values[played],
            better=tuple(self._worth(move, values, exact) for move in listed),
            line=tuple(self._line(best, None if best in exact else tree)),
        )

    def _line(self, move: int, tree: ValueSearch | None) -> list[str]:
        state = self.moment.state
        if tree is None:
            steps = proven_line(state, move, self.plan.nodes)
        else:
            steps = likely_line(tree, state, move, self.seed)
        return turn_story(self.rules, state, steps)

    def _worth(self, move: int, values: dict[int, float], exact: set[int]) -> MoveWorth:
        text = self.rules.text.move(self.moment.state, move)
        return MoveWorth(move, text, values[move], move in exact)
