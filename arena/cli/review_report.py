"""The review of a game, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from arena.cli.console import format_table, wrap
from arena.cli.saved_games import LoadedGame
from arena.match.game_view import GameView
from arena.review.game_review import (
    BLUNDER,
    MISTAKE,
    NOTABLE,
    GameReview,
    Judgement,
    ReviewedDecision,
    SeatReview,
)
from arena.review.verdict import verdict, worth_text
from arena.stats.text_table import short_name
from games.seats import seat_name
from games.wording import counted

_FOOT = (
    "Chances are by what the seat could know. ~ is an estimate by search, which counts what the "
    "moves of the others say about their roles; all else is exact. "
    f"? lost {MISTAKE:.2f} or more, ?? {BLUNDER:.2f} or more. Accuracy: the share of its chance "
    "that a decision kept, on average."
)
_HINDSIGHT = "Hindsight: as if all cards had been open to everybody."


@dataclass(frozen=True)
class ReviewReport:
    """A review, and where the game was found."""

    review: GameReview
    loaded: LoadedGame
    every: bool = False
    """Whether decisions that lost next to nothing are listed, too."""

    def as_text(self) -> str:
        header = GameView(self.loaded.replay).header(self.loaded.where, self.loaded.fault)
        parts = [
            wrap(verdict(self.review)),
            "\n".join(wrap(line, indent=4) for line in header),
            self._seats(),
            self._decisions(),
            *map(self._details, self._marked()),
            self._foot(),
        ]
        return "\n\n".join(part for part in parts if part)

    def as_json(self) -> dict[str, object]:
        return {
            "where": self.loaded.where,
            "fault": self.loaded.fault or None,
            "verdict": verdict(self.review),
            **self.review.to_json(),
        }

    # ---- tables ---------------------------------------------------------------------------

    def _seats(self) -> str:
        only = self.review.plan.seat
        rows = [_seat_row(seat) for seat in self.review.seats if only in (None, seat.seat)]
        headers = ["seat", "bot", "decisions", "accuracy", "mean\nloss", "worst\nmove", "lost\nat"]
        return format_table(rows, headers)

    def _listed(self) -> list[ReviewedDecision]:
        return [one for one in self.review.decisions if self.every or _worst_loss(one) >= NOTABLE]

    def _marked(self) -> list[ReviewedDecision]:
        return [one for one in self.review.decisions if _is_marked(one)]

    def _decisions(self) -> str:
        rows = [self._row(decision) for decision in self._listed()]
        if not rows:
            if self.review.decisions:
                return f"No decision lost {NOTABLE:.2f} or more."
            if not self.review.complete:
                return "No decision was reviewed."
            return "In no decision did the moves differ in value."
        later = ["hind-\nsight"] if self.review.plan.hindsight else []
        headers = ["move", "seat", "played", "best", "after", "loss", *later, "better"]
        return format_table(rows, headers)

    def _row(self, decision: ReviewedDecision) -> list[str]:
        judged = decision.judged
        row = [str(decision.at), seat_name(decision.seat), decision.text]
        row += [worth_text(judged.best), worth_text(judged.played)]
        row.append(f"{judged.loss:.2f} {judged.mark}".rstrip() if judged.loss else "")
        if self.review.plan.hindsight:
            row.append(_loss_text(decision.hindsight))
        return [*row, judged.better[0].text if judged.better else ""]

    def _details(self, decision: ReviewedDecision) -> str:
        """What could have followed a marked move, and what did."""
        who = self.review.seats[decision.seat].name
        judged = decision.judged
        head = f"Move {decision.at}, {seat_name(decision.seat)} ({who}): {decision.text}"
        lines = [f"{head} {judged.mark}".rstrip()]
        lines += _better_lines("better", judged)
        if decision.hindsight is not None and decision.hindsight.mark:
            lines += _better_lines("in hindsight better", decision.hindsight)
        if decision.followed:
            lines.append(f"    what followed: {'; '.join(decision.followed)}")
        return "\n".join(wrap(line, indent=8) for line in lines)

    def _foot(self) -> str:
        review, plan = self.review, self.review.plan
        count = len(review.decisions) + review.skipped
        last = "the last turn" if review.turns == 1 else f"the last {review.turns} turns"
        what = f"Reviewed: {counted(len(review.decisions), 'decision')} of {last}"
        what += f", {plan.iterations} worlds per move, seed {plan.seed}."
        if review.skipped:
            what += f" Stopped early: the first {review.skipped} of {count} were not reviewed."
        return "\n".join(map(wrap, [what, _FOOT, *([_HINDSIGHT] if plan.hindsight else [])]))


def _seat_row(seat: SeatReview) -> list[str]:
    accuracy, loss = seat.accuracy, seat.mean_loss
    return [
        seat_name(seat.seat),
        f"{short_name(seat.name)}{' (won)' if seat.won else ''}",
        str(len(seat.losses)),
        "" if accuracy is None else f"{accuracy:.0%}",
        "" if loss is None else f"{loss:.3f}",
        str(seat.worst or ""),
        str(seat.lost_at or ""),
    ]


def _worst_loss(decision: ReviewedDecision) -> float:
    later = 0.0 if decision.hindsight is None else decision.hindsight.loss
    return max(decision.judged.loss, later)


def _is_marked(decision: ReviewedDecision) -> bool:
    later = decision.hindsight
    return bool(decision.judged.mark or (later is not None and later.mark))


def _loss_text(judged: Judgement | None) -> str:
    if judged is None or not judged.loss:
        return ""
    estimate = "" if judged.exact else "~"
    return f"{judged.loss:.2f}{estimate} {judged.mark}".strip()


def _better_lines(name: str, judged: Judgement) -> list[str]:
    """The better moves with their values, and what could have followed the best of them."""
    if not judged.better:
        return []
    moves = ", ".join(f"{each.text} ({worth_text(each)})" for each in judged.better)
    lines = [f"    {name}: {moves} instead of {worth_text(judged.played)}"]
    if len(judged.line) > 1:
        lines.append(f"    for example: {'; '.join(judged.line)}")
    return lines
