"""arena selftest: it passes on a sound harness, and notices an unsound one."""

import pytest

from arena.cli import main as cli
from arena.lab import selftest
from arena.lab.lottery_game import LOTTERY, LotteryState, law
from arena.lab.selftest import Check, difference_of_copies, identical, known_advantage
from arena.match import referee
from arena.match.referee import play_game
from arena.seeds import derive_seed
from arena.stats.game_record import Played
from bots.runtime.loading import load_bot
from games.conformance import check_game
from games.errors import GameError

Capture = pytest.CaptureFixture[str]


def test_it_passes_here_and_says_what_was_tried(capsys: Capture) -> None:
    asked = "selftest --players 2-3 --deals 1 --workers 1"
    assert cli.run(asked.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:6] for line in lines[:-1]] == ["ok    "] * 4
    assert "copies of random tie exactly: 5 games at 2, 3 players" in lines[0]
    assert "12 tickets are found to beat 9: 20 comparisons, half within" in lines[3]
    assert lines[-1] == "All checks passed."


def test_luck_that_follows_the_name_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind of fault it is there for: a bot's stream depends on what it is called."""
    names: list[str] = []
    honest = derive_seed

    def begin(self: referee.LiveGame, seed: int, _budget: object = None) -> None:
        for seat, bot_factory in self.factories.items():
            names.append(bot_factory.name)
            self.bots[seat] = bot_factory.make(
                seat, honest(seed, bot_factory.name), None, self.match
            )

    monkeypatch.setattr(referee.LiveGame, "begin", begin)
    check = identical("random", (2,), range(6), None)
    assert {"copy 1", "copy 2"} == set(names)
    assert not check.passed
    assert str(check).startswith("FAILED  copies of random tie exactly: 2 players: deal ")


def test_a_player_that_is_not_as_good_as_its_odds_is_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(selftest, "law", lambda *_: law(19, 2))
    check = known_advantage(1, None)
    assert not check.passed
    assert "(predicted: better, within" in check.found
    monkeypatch.setattr(selftest, "BOTS", ())
    assert cli.run(["selftest", "--workers", "1"]) == 1
    assert capsys.readouterr().out.endswith("Self-test failed.\n")


def test_copies_must_tie_in_every_deal_and_not_only_in_all() -> None:
    def game(number: int, seats: str, winner: int) -> Played:
        return Played(number, 3, number // 3, tuple(seats), (winner,), ("",) * 3, 1, 1)

    fair = [game(i, seats, 0) for i, seats in enumerate(("abc", "bca", "cab"))]
    assert not difference_of_copies(fair)
    bent = [game(0, "abc", 0), game(1, "bca", 0), game(2, "cab", 1)]
    reverse = [game(3, "abc", 2), game(4, "bca", 1), game(5, "cab", 2)]
    assert difference_of_copies(bent).startswith("deal 0, shares won {'a': 0.66")
    assert difference_of_copies([*bent, *reverse]).startswith("deal 0, shares won {'a': 0.66")


def test_a_check_reads_as_a_line() -> None:
    assert str(Check(True, "this", "that")) == "ok      this: that"


# ---- the urn ------------------------------------------------------------------------------------


def test_the_urn_keeps_the_contract_of_a_game() -> None:
    tally = check_game(lambda: LotteryState(3), 1, 20)
    assert tally.games == 20


def test_tickets_decide_as_often_as_they_should() -> None:
    table = [load_bot(f"arena.lab.lottery_game:Buyer:tickets={many}") for many in (1, 3)]
    won = sum(0 in play_game(LOTTERY, table, seed).winners for seed in range(2000))
    assert won / 2000 == pytest.approx(0.25, abs=0.04)


@pytest.mark.parametrize(("first", "second"), [(12, 9), (9, 12), (10, 10), (20, 1)])
def test_the_law_is_what_comes_of_every_ticket(first: int, second: int) -> None:
    odds = law(first, second)
    assert sum(odds.values()) == pytest.approx(1.0)
    mean = sum(value * chance for value, chance in odds.items())
    assert mean == pytest.approx((first - second) / (first + second))
    differences = []
    for ticket in range(first + second):
        won = 0
        for seats in ((first, second), (second, first)):
            state = LotteryState(2)
            for many in (*seats, ticket):
                state.play(many)
            won += 1 if seats[state.winner] == first else -1
        differences.append(won / 2)
    if first != second:
        for value, chance in odds.items():
            assert differences.count(value) / len(differences) == pytest.approx(chance)


def test_moves_of_the_urn_in_words() -> None:
    state = LotteryState(2)
    assert LOTTERY.text.parse(state, "put in 7") == 7
    with pytest.raises(GameError, match="'put in 21' is no move here"):
        LOTTERY.text.parse(state, "put in 21")
    for many in (2, 3):
        state.play(many)
    assert LOTTERY.text.move(state, 4) == "draw ticket 4"
    state.play(4)
    assert LOTTERY.text.draw(state, None) == "tickets [2, 3], winner (1,)"
