"""arena selftest: passes on a sound harness, and fails on an unsound one."""

import pytest

from arena.lab import selftest
from arena.lab.lottery_game import LOTTERY, LotteryState, deal_distribution
from arena.lab.selftest import Check, difference_of_copies, identical, known_advantage
from arena.match import referee
from arena.match.referee import run_game
from arena.seeds import derive_seed
from arena.stats.game_record import GameRecord
from bots.runtime.loading import load_bot
from games.conformance import check_game
from games.errors import GameError
from tests.support.command_line import RunArena
from tests.support.simulated_league import game


@pytest.mark.slow
def test_it_passes_and_reports_what_was_checked(arena: RunArena) -> None:
    lines = arena(*["selftest", "--players", "2-3", "--deals", "1", "--workers", "1"]).lines
    assert [line[:6] for line in lines[:-1] if line[0] != " "] == ["ok    "] * 4
    text = " ".join(" ".join(lines).split())
    assert "copies of random tie exactly: 5 games at 2, 3 players" in text
    assert "12 tickets are found to beat 9: 20 comparisons, half within" in text
    assert lines[-1] == "All checks passed."
    assert max(map(len, lines)) <= 80


def test_seeds_that_depend_on_the_name_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind of bug it is made for: a bot's seed depends on its name."""
    names: list[str] = []

    def begin(self: referee.LiveGame, seed: int, _budget: object = None) -> None:
        for seat, bot_factory in self.factories.items():
            names.append(bot_factory.name)
            self.bots[seat] = bot_factory.make(
                seat, derive_seed(seed, bot_factory.name), None, self.match
            )

    monkeypatch.setattr(referee.LiveGame, "begin", begin)
    check = identical("random", (2,), range(6), None)
    assert {"copy 1", "copy 2"} == set(names)
    assert not check.passed
    assert str(check).startswith("FAILED  copies of random tie exactly: 2 players: deal ")


@pytest.mark.slow
def test_a_bot_that_is_weaker_than_its_odds_is_noticed(
    monkeypatch: pytest.MonkeyPatch, arena: RunArena
) -> None:
    monkeypatch.setattr(selftest, "deal_distribution", lambda *_: deal_distribution(19, 2))
    check = known_advantage(1, None)
    assert not check.passed
    assert "(predicted: better, within" in check.result
    monkeypatch.setattr(selftest, "BOTS", ())
    assert arena("selftest", "--workers", "1", code=1).lines[-1] == "Self-test failed."


def test_copies_must_tie_in_every_deal_and_not_only_in_total() -> None:
    def deal(number: int, *winners: int) -> list[GameRecord]:
        tables = zip(("abc", "bca", "cab"), winners, strict=True)
        return [game(3 * number + i, number, seats, (w,)) for i, (seats, w) in enumerate(tables)]

    assert not difference_of_copies(deal(0, 0, 0, 0))
    bent, reverse = deal(0, 0, 0, 1), deal(1, 2, 1, 2)
    assert difference_of_copies(bent).startswith("deal 0, shares won {'a': 0.66")
    assert difference_of_copies([*bent, *reverse]).startswith("deal 0, shares won {'a': 0.66")


def test_a_check_is_one_line() -> None:
    assert str(Check(True, "this", "that")) == "ok      this: that"


# ---- the lottery --------------------------------------------------------------------------------


def test_the_lottery_conforms_to_the_contract_of_a_game() -> None:
    assert check_game(lambda: LotteryState(3), 1, 20).games == 20


def test_tickets_win_in_proportion() -> None:
    table = [load_bot(f"arena.lab.lottery_game:Buyer:tickets={count}") for count in (1, 3)]
    won = sum(0 in run_game(LOTTERY, table, seed).winners for seed in range(2000))
    assert won / 2000 == pytest.approx(0.25, abs=0.04)


@pytest.mark.parametrize(("first", "second"), [(12, 9), (9, 12), (10, 10), (20, 1)])
def test_the_distribution_is_that_of_all_tickets(first: int, second: int) -> None:
    odds = deal_distribution(first, second)
    assert sum(odds.values()) == pytest.approx(1.0)
    mean = sum(value * chance for value, chance in odds.items())
    assert mean == pytest.approx((first - second) / (first + second))
    differences = []
    for ticket in range(first + second):
        won = 0
        for seats in ((first, second), (second, first)):
            state = LotteryState(2)
            for move in (*seats, ticket):
                state.play(move)
            won += 1 if seats[state.winner] == first else -1
        differences.append(won / 2)
    if first != second:
        for value, chance in odds.items():
            assert differences.count(value) / len(differences) == pytest.approx(chance)


def test_moves_of_the_lottery_as_text() -> None:
    state = LotteryState(2)
    assert LOTTERY.text.parse(state, "buy 7") == 7
    with pytest.raises(GameError, match="'buy 21' is not a legal move"):
        LOTTERY.text.parse(state, "buy 21")
    for count in (2, 3):
        state.play(count)
    assert LOTTERY.text.move(state, 4) == "draw ticket 4"
    state.play(4)
    assert LOTTERY.text.draw(state, None) == "tickets [2, 3], winner (1,)"
