"""Certificates prove the solver's answers, and an independent checker refuses false ones."""

import json
import random
import re
import tomllib
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main as cli
from games.engine import COMPILED
from games.errors import GameError
from games.hidden_leaders.game import GAME
from games.hidden_leaders.positions.small_endings import small_position, with_secrets
from games.hidden_leaders.positions.worlds import PosedTable
from games.state import State
from solver import Solution, solve
from solver.certificates import checker as checking
from solver.certificates.checker import Unproven, check_certificate
from solver.certificates.format import (
    BadCertificate,
    Certificate,
    read_certificate,
    write_certificate,
)
from solver.certificates.writer import Uncertified, certify
from solver.core.budget import NodeBudget
from solver.puzzles.files import find_puzzle, load_puzzle, prove
from solver.reference.cross_check import random_case
from tests.support.paths import ROOT
from tests.support.small_positions import ONE_TURN

Capture = pytest.CaptureFixture[str]
SELFISH = (
    "threshold 2; red 6; green 5; deck UnMe KeKo; A leader Enned; B leader Cyra hand KeKo open UnMe"
)


def certified(position: str, **options: str) -> Certificate:
    return certify(solve(position, **options), NodeBudget())  # type: ignore[arg-type]


def of_puzzle(name: str) -> Certificate:
    """The certificate of the puzzle with that name or path."""
    return certify(prove(load_puzzle(find_puzzle(name)), NodeBudget()), NodeBudget())


# ---- true certificates hold ---------------------------------------------------------------------


def test_a_certificate_is_the_same_after_writing_and_reading() -> None:
    """That those of all bundled puzzles hold is checked in test_puzzles.py."""
    for name in ("doubt", "fewer-is-more", "new-friends"):
        certificate = of_puzzle(name)
        assert read_certificate(write_certificate(certificate)) == certificate


def random_solution(seed: int) -> Solution | None:
    """The solution of a random question, every second with hidden cards; None if too large."""
    dice = random.Random(seed)
    position: State | PosedTable
    if seed % 2:
        position = PosedTable(with_secrets(dice, small_position(dice, 2 + seed % 5)))
        if position.world_count() > 12:
            return None
    else:
        case = random_case(GAME, seed, hidden=False)
        if case is None:
            return None
        position = case.worlds[0]
    others = ["coalition", "random"] if seed % 2 else ["coalition", "random", "selfish"]
    horizon = dice.choice(["turn", "2", "end"])
    goal = dice.choice(["win", "tribes"])
    solution = solve(position, goal=goal, horizon=horizon, others=dice.choice(others), nodes=600)
    return solution if solution.exact else None


@pytest.mark.slow
def test_certificates_of_random_positions_hold_and_no_other_value_can_be_claimed() -> None:
    kinds: Counter[tuple[str, str]] = Counter()
    for seed in range(60 if COMPILED else 25):
        solution = random_solution(seed)
        if solution is None:
            continue
        certificate = certify(solution, NodeBudget())
        assert check_certificate(certificate).open == ()
        kinds[certificate.kind, certificate.horizon] += 1
        claim = certificate.claims[seed % len(certificate.claims)]
        for lie in {Fraction(0), Fraction(1), Fraction(3, 7)} - {claim.value}:
            false = replace(claim, value=lie)
            claims = tuple(false if one is claim else one for one in certificate.claims)
            with pytest.raises(Unproven, match="is claimed, but"):
                check_certificate(replace(certificate, claims=claims))
    assert {kind for kind, _ in kinds} == {"bounds", "choices", "plans"}
    assert {horizon for _, horizon in kinds} == {"turn", "2", "end"}
    assert kinds.total() > (20 if COMPILED else 8)


def test_certificates_are_checked_by_puzzle_name_and_as_files(
    tmp_path: Path, capsys: Capture
) -> None:
    ending = tmp_path / "ending.json"
    assert cli.run(["solve", ONE_TURN, "--certificate", str(ending)]) == 0
    assert capsys.readouterr().err == f"wrote {ending}\n"
    doubt = tmp_path / "doubt.json"
    assert cli.run(["puzzles", "certify", "doubt", "--out", str(doubt)]) == 0
    assert cli.run(["puzzles", "check", str(ending), str(doubt), "fewer-is-more"]) == 0
    said = capsys.readouterr().out
    assert "checked  ending (" in said
    assert "checked  fewer-is-more (" in said
    assert said.endswith("3 of 3 certificates are valid.\n")
    assert cli.run(["puzzles", "certify", "doubt"]) == 0
    assert capsys.readouterr().out == doubt.read_text(encoding="utf-8")


# ---- what is false is refused -------------------------------------------------------------------


@pytest.fixture(scope="module")
def true_certificates() -> dict[str, str]:
    """The text of some certificates that hold, by name."""
    open_hand = (
        "threshold 2; red 6; deck ShSo FrFr FlKn CrCa WrWa BuEm; "
        "A leader Xiadul hand ShSo FrFr open FlKn; B leader Cyra hand CrCa open WrWa"
    )
    certificates = {
        "doubt": of_puzzle("doubt"),
        "fewer-is-more": of_puzzle("fewer-is-more"),
        "selfish": certified(SELFISH, goal="deny:B", horizon="2", others="selfish"),
        # The Gorgon buries one of two heroes of B.
        "gorgon": certified(
            "threshold 3; red 4; green 8; A leader Lemron hand GoGo open DeDr BlCo; "
            "B leader Pavyr open LoLo UnMe hidden WaWi"
        ),
        "random": certified(open_hand, horizon="2", others="random", sight="own"),
        "idle": certified("A leader Cyra hand UnMe; B leader Myrad hand ?x3; threshold 1"),
    }
    assert certificates["idle"].idle
    assert {check_certificate(certificate).open for certificate in certificates.values()} == {()}
    certificates["no claims"] = replace(certificates["doubt"], sight="own", claims=(), nodes=())
    return {name: write_certificate(certificate) for name, certificate in certificates.items()}


LIES = Path(__file__).with_name("false_certificates.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("lie", tomllib.loads(LIES)["lies"], ids=lambda lie: lie[1])
def test_a_false_certificate_gets_one_sentence_with_the_file_and_the_moves(
    lie: tuple[Any, ...], true_certificates: dict[str, str], tmp_path: Path, capsys: Capture
) -> None:
    name, complaint, *changes = lie
    text = true_certificates[name]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "lie.json"
    path.write_text(text, encoding="utf-8")
    assert cli.run(["puzzles", "check", str(path)]) == 1
    sentence, summary = capsys.readouterr().out.splitlines()
    assert sentence.startswith(f"wrong    {path}: ")
    assert complaint in sentence
    assert summary == "0 of 1 certificates are valid."


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b'{"format": "arena-certificate", "vers', "this is not JSON: "),
        (b"[" * 100_000, "this is not JSON: "),
        (b"[1, 2]", "this is not a certificate"),
        (b"\xff\xfe\x00", "this is not a text file"),
    ],
    ids=["truncated", "deep", "a list", "not text"],
)
def test_what_is_no_certificate_is_refused(
    text: bytes, complaint: str, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(text)
    assert cli.run(["puzzles", "check", str(path)]) == 1
    sentence, _ = capsys.readouterr().out.splitlines()
    assert sentence.startswith(f"wrong    {path}: {complaint}")


def places(entries: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all entries of a JSON value."""
    keys = range(len(entries)) if isinstance(entries, list) else entries
    if not isinstance(entries, list | dict):
        return []
    return [one for key in keys for one in ((*path, key), *places(entries[key], (*path, key)))]


def stands(entries: Any, path: tuple[Any, ...]) -> Any:
    return reduce(getitem, path, entries)


@pytest.mark.slow
def test_damage_anywhere_is_refused_or_leaves_the_claims_true(
    true_certificates: dict[str, str],
) -> None:
    held = 0
    for seed in range(600 if COMPILED else 150):
        dice = random.Random(seed)
        text = true_certificates[dice.choice(("doubt", "fewer-is-more", "selfish"))]
        true, entries = read_certificate(text), json.loads(text)
        spots = places(entries)
        *path, key = dice.choice(spots)
        # One thing takes the place of another, or of nothing.
        junk = [None, -1, 99, "end", "1/2", True, [], {}, stands(entries, dice.choice(spots))]
        stands(entries, tuple(path))[key] = deepcopy(dice.choice(junk))
        try:
            damaged = read_certificate(json.dumps(entries))
            check_certificate(damaged)
        except GameError:
            continue
        held += 1
        if replace(damaged, nodes=(), claims=()) == replace(true, nodes=(), claims=()):
            assert [(one.move, one.value) for one in damaged.claims] == [
                (one.move, one.value) for one in true.claims
            ]
    assert held < 60


def test_all_plans_are_tried_where_one_who_sees_all_could_do_better() -> None:
    # The Frog makes Tribes win, or Empire, and A supports both; so does B one of them, and then
    # has as many heroes of it and fewer in all. Of five leaders two support Tribes, two Empire,
    # and one neither: A's chance is 3/5 either way, and 1 if it saw B's leader.
    certificate = certified(
        "threshold 3; red 6; green 6; A leader Pavyr hand FuFr open DeDr ShSo; "
        "B leader ? open BlCo UnMe"
    )
    frog = certificate.claims[0]
    assert (frog.move, frog.value) == ("play Furious Frog", Fraction(3, 5))
    assert frog.sure == 0
    assert check_certificate(certificate).open == ()


# ---- limits -------------------------------------------------------------------------------------


def test_moves_with_too_many_plans_to_try_are_reported_as_open(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(checking, "MOST_TRIED", 2)
    assert cli.run(["puzzles", "check", "fewer-is-more"]) == 0
    said = capsys.readouterr().out
    assert "its plans reach the claimed value, but whether there are better plans with" in said
    assert "'play Furious Frog'" in said


def test_a_check_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_POSITIONS", 5)
    with pytest.raises(Unproven, match="the check would visit more than 5 positions"):
        check_certificate(of_puzzle("cut-them-down"))


def test_only_exact_answers_have_certificates(tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "bound.json"
    arguments = ["solve", ONE_TURN, "--horizon", "2", "--nodes", "5", "--certificate", str(out)]
    assert cli.run(arguments) == 1
    captured = capsys.readouterr()
    assert "Not exact, a bound" in captured.out
    assert "only exact answers can be certified, and this one is not: the limit of" in captured.err
    assert not out.exists()


def test_a_certificate_that_costs_too_much_is_not_written() -> None:
    solved = prove(load_puzzle(find_puzzle("cut-them-down")), NodeBudget())
    with pytest.raises(Uncertified, match="no certificate can be written: the limit of 50 pos"):
        certify(solved, NodeBudget(50))


LUCK = "threshold 2; red 6; A leader Xiadul hand ShSo WaWi open FlKn; B leader Cyra hand KeKo"
"""Proofs that leave out what is drawn need nine positions; a certificate shows all that can be."""


def test_a_search_that_runs_out_does_not_leave_holes_in_the_certificate() -> None:
    solved = solve(LUCK, horizon="2")
    assert solved.exact
    with pytest.raises(Uncertified, match="no certificate can be written: the limit of 3000 pos"):
        certify(solved, NodeBudget(3000))


def test_a_puzzle_too_large_for_the_limit_has_no_certificate_and_is_not_wrong(
    tmp_path: Path, capsys: Capture
) -> None:
    puzzle = tmp_path / "luck.toml"
    puzzle.write_text(
        f'title = "Luck"\nstory = "Two turns."\nposition = "{LUCK}"\nhorizon = "2"\n'
        'answer = ["play Short-Sighted Soldier"]\nvalue = "1"\n'
        'difficulty = 1\ntheme = "strength"\n',
        encoding="utf-8",
    )
    code = cli.run(["puzzles", "check", str(puzzle), "--nodes", "3000"])
    out = capsys.readouterr().out
    assert code != 0
    assert "the limit of 3000 positions was reached" in out
    assert "wrong" not in out


def test_too_many_nodes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = of_puzzle("cut-them-down")
    monkeypatch.setattr("solver.certificates.writer.MOST_NODES", 20)
    with pytest.raises(Uncertified, match="would have more than 20 nodes"):
        of_puzzle("cut-them-down")
    monkeypatch.setattr("solver.certificates.format.MOST_NODES", 20)
    with pytest.raises(BadCertificate, match="nodes; at most 20 can be read"):
        read_certificate(write_certificate(certificate))


def test_a_folder_that_is_not_there_is_named_before_any_work(capsys: Capture) -> None:
    for command in (["puzzles", "certify", "doubt", "--out"], ["solve", ONE_TURN, "--certificate"]):
        assert cli.run([*command, "nowhere/x.json"]) == 2
        captured = capsys.readouterr()
        assert "nowhere/x.json cannot be written: there is no folder nowhere" in captured.err
        assert captured.out == ""


def test_a_file_that_is_not_there_is_named(capsys: Capture) -> None:
    assert cli.run(["puzzles", "check", "doubt", "nowhere.json"]) == 2
    captured = capsys.readouterr()
    assert captured.err == "arena: there is no file 'nowhere.json'\n"
    assert captured.out == ""


# ---- the checker stands alone -------------------------------------------------------------------


def test_the_checker_shares_no_search_with_the_solver() -> None:
    used: set[str] = set()
    for name in ("checker", "format"):
        source = (ROOT / "solver" / "certificates" / f"{name}.py").read_text(encoding="utf-8")
        used |= set(
            re.findall(r"^\s*(?:from|import) ((?:bots|solver|arena)[.\w]*)", source, re.MULTILINE)
        )
        code = source.split('"""', 2)[2]
        assert not re.search(r"\.(settled_end|equivalence_key)\(", code)
    assert used == {"solver.certificates.format"}
