"""Secret seeds: drawn for leagues with strangers, committed to first, revealed last."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from arena.league.chain import Kind
from arena.league.config import League, read_league
from arena.league.database import set_aside
from arena.league.journal import Journal
from arena.league.plan import first_games
from arena.league.secret_seed import GUESSABLE, commitment_to, draw_seed
from arena.league.start import run_league
from arena.league.verify import RunCheck
from arena.league.verify_chain import played_after_reveal, seed_note
from tests.support.command_line import RunArena, check_refusal
from tests.support.faulty_bots import rogue
from tests.support.leagues import content, play, small

STRANGERS = ("random", rogue("Cheat"))
FEW = ("--players", "2", "--deals", "1", "--option", "rounds=1", "--workers", "1")
LEAGUE = ("league", "--bot", "random", "--bot", rogue("Cheat"), "--no-trust", *FEW)


def strangers(**more: object) -> League:
    return small(*STRANGERS, players=2, deals=1, trust=False, **more)


def test_only_a_league_with_strangers_and_without_a_seed_draws_one() -> None:
    assert strangers().draws_seed
    assert not strangers(seed=1).draws_seed
    assert not small(*STRANGERS).draws_seed  # they are trusted
    assert not small("random", "greedy", trust=False).draws_seed
    assert read_league(None, {"bots": ["random"]}).seed == 1


def test_a_drawn_seed_cannot_be_found_by_trying() -> None:
    seeds = {draw_seed().seed for _ in range(200)}
    assert len(seeds) == 200
    assert min(seeds) >= GUESSABLE
    assert sum(seed.bit_length() > 120 for seed in seeds) > 150
    assert commitment_to(17) == sha256(b"17").hexdigest()


def test_the_commitment_is_stored_before_the_first_game_and_the_seed_revealed_after_the_last(
    file: Path,
) -> None:
    league = small("random", "random as b", players=2)
    with Journal.write(file, league, draw=True) as journal:
        secret = journal.secret()
        assert secret is not None
        assert not secret.revealed
        assert journal.league.seed == secret.seed
        assert journal.commitment() == sha256(str(secret.seed).encode()).hexdigest()
        assert [entry.kind for entry in journal.chain()] == [Kind.COMMITMENT, Kind.LEAGUE]
    play(file, league, draw=True)
    with Journal.read(file) as journal:
        kinds = [entry.kind for entry in journal.chain()]
        assert journal.secret() == type(secret)(secret.seed, revealed=True)
        assert RunCheck(journal).problems() == []
    assert kinds[0] == Kind.COMMITMENT
    assert kinds[-2:] == [Kind.END, Kind.REVEALED]
    assert kinds.count(Kind.GAME) == len(first_games(league))


def test_a_league_with_a_secret_seed_is_that_of_anybody_who_sets_the_revealed_one(
    tmp_path: Path, file: Path
) -> None:
    league = small("random", "random as b", players=2)
    play(file, league, draw=True)
    with Journal.read(file) as journal:
        seed = journal.league.seed
    again = small("random", "random as b", players=2, seed=seed)
    assert play(tmp_path / "again.db", again).content == content(file)


def test_resuming_keeps_the_seed_and_restarting_draws_another(file: Path) -> None:
    def seed_of_run() -> int:
        with Journal.write(file, strangers(), draw=True) as journal:
            return journal.league.seed

    first = seed_of_run()
    assert seed_of_run() == first
    assert set_aside(file) is not None
    assert seed_of_run() != first


def test_a_chosen_seed_replaces_the_secret_one_and_the_chain_says_so(file: Path) -> None:
    bots = ("random", "random as b")
    play(file, small(*bots, players=2), draw=True)
    play(file, small(*bots, players=2, seed=5))
    with Journal.read(file) as journal:
        assert journal.secret() is None
        assert Kind.WITHDRAWN in [entry.kind for entry in journal.chain()]
        assert RunCheck(journal).problems() == []


def test_games_dealt_from_a_revealed_seed_are_counted(file: Path) -> None:
    bots = ("random", "random as b")
    play(file, small(*bots, players=2, deals=1), draw=True)
    play(file, small(*bots, players=2, deals=3), draw=True)
    with Journal.read(file) as journal:
        assert played_after_reveal(journal) == 4
        assert "4 games were dealt after that, from a known seed" in seed_note(journal)
        assert RunCheck(journal).problems() == []


@pytest.mark.parametrize("prune", [False, True])
def test_games_dealt_from_a_revealed_seed_that_left_the_league_are_not_counted(
    file: Path, prune: bool
) -> None:
    bots = ("random", "random as b")
    for deals in (1, 3, 1):
        play(file, small(*bots, players=2, deals=deals), draw=True)
    if prune:
        with Journal.write(file, small(*bots, players=2, deals=1), draw=True) as journal:
            assert journal.prune() == 4
    with Journal.read(file) as journal:
        assert played_after_reveal(journal) == 0
        assert seed_note(journal).endswith("before the first game and revealed")
        assert RunCheck(journal).problems() == []


def test_a_seed_drawn_after_another_was_revealed_is_not_known(file: Path) -> None:
    bots = ("random", "random as b")
    for chosen in ({}, {"seed": 5}, {}):
        play(file, small(*bots, players=2, deals=1, **chosen), draw=not chosen)
    with Journal.read(file) as journal:
        assert [entry.kind for entry in journal.chain()].count(Kind.REVEALED) == 2
        assert played_after_reveal(journal) == 0


@pytest.mark.slow
def test_run_league_draws_for_strangers(file: Path, tmp_path: Path) -> None:
    config = tmp_path / "my.toml"
    config.write_text(
        f'bots = ["random", "{rogue("Cheat")}"]\nplayers = 2\ndeals = 1\ntrust = false\n'
        "[options]\nrounds = 1\n"
    )
    run_league(config, run=file, workers=1)
    with Journal.read(file) as journal:
        assert journal.league.seed >= GUESSABLE
        assert RunCheck(journal).problems() == []


@pytest.mark.slow
def test_the_command_prints_commitment_seed_and_chain(folder: Path, arena: RunArena) -> None:
    first = arena(*LEAGUE, "--run", "run.db", "--json")
    report = json.loads(first.out)
    commitment, seed, chain = report["commitment"], report["seed"], report["chain"]
    assert sha256(seed.encode()).hexdigest() == commitment
    lines = first.err.splitlines()
    told = [line for line in lines if line.endswith(f"to be published now: {commitment}")]
    begun = next(line for line in lines if line.endswith(" engine"))
    assert lines.index(told[0]) < lines.index(begun)
    assert lines[-2] == f"The seed was {seed}, as committed to: {commitment}"
    assert lines[-1] == f"Chain, to be published with the results: {chain}"
    out = arena("verify", "run.db", "--head", chain, "--commitment", commitment).out
    assert f"commitment {commitment}\nseed {seed}\n" in out
    again = arena(*LEAGUE, "--run", "run.db")
    assert again.err.splitlines()[-1] == lines[-1]  # nothing was written


@pytest.mark.slow
def test_a_seed_that_can_be_guessed_is_named_or_refused(folder: Path, arena: RunArena) -> None:
    told = "the seed 5 can be guessed, and with it all cards, by Cheat"
    err = arena(*LEAGUE, "--seed", "5", "--run", "run.db").err
    assert told in err
    assert "Commitment" not in err
    check_refusal(arena(*LEAGUE, "--seed", "5", "--require-sandbox", code=2), told)
    assert "can be guessed" not in arena(*LEAGUE, "--seed", str(2**90), "--run", "big.db").err
    assert "nobody committed to it" in arena("verify", "run.db").out
