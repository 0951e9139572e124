"""Certificates prove the solver's answers, and an independent checker refuses false ones."""

import ast
import json
import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main as cli
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
from solver.puzzles.files import find_puzzle, load_puzzle, prove, puzzle_files
from solver.reference.cross_check import random_case
from tests.support.paths import ROOT
from tests.support.small_positions import ONE_TURN

Capture = pytest.CaptureFixture[str]
Entries = dict[str, Any]
"""A certificate as JSON."""
SELFISH = (
    "threshold 2; red 6; green 5; deck UnMe KeKo; A leader Enned; B leader Cyra hand KeKo open UnMe"
)


def certified(position: str, **options: str) -> Certificate:
    return certify(solve(position, **options), NodeBudget())  # type: ignore[arg-type]


def of_puzzle(name: str) -> Certificate:
    return certify(prove(load_puzzle(find_puzzle(name)), NodeBudget()), NodeBudget())


# ---- true certificates hold ---------------------------------------------------------------------


@pytest.mark.parametrize("path", puzzle_files(), ids=lambda path: path.stem)
def test_the_certificate_of_every_puzzle_holds(path: Path) -> None:
    certificate = certify(prove(load_puzzle(path), NodeBudget()), NodeBudget())
    again = read_certificate(write_certificate(certificate))
    assert again == certificate
    assert check_certificate(again).open == ()


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


def test_certificates_of_random_positions_hold_and_no_other_value_can_be_claimed() -> None:
    kinds: Counter[tuple[str, str]] = Counter()
    for seed in range(60):
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
    assert kinds.total() > 20


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


def test_without_names_all_puzzles_are_checked(capsys: Capture) -> None:
    assert cli.run(["puzzles", "check"]) == 0
    many = len(puzzle_files())
    assert capsys.readouterr().out.endswith(f"{many} of {many} certificates are valid.\n")


# ---- what is false is refused -------------------------------------------------------------------


def put(*path: str | int, to: Any) -> Callable[[Entries], None]:
    """Changes what stands there."""

    def change(entries: Entries) -> None:
        stands(entries, path[:-1])[path[-1]] = to

    return change


def drop(*path: str | int) -> Callable[[Entries], None]:
    """Removes what stands there."""

    def change(entries: Entries) -> None:
        del stands(entries, path[:-1])[path[-1]]

    return change


def rewrite(old: str, new: str, hidden: bool = False) -> Callable[[Entries], None]:
    """Changes the position; if hidden, the certificate claims nothing about hidden cards."""

    def change(entries: Entries) -> None:
        assert old in entries["position"]
        entries["position"] = entries["position"].replace(old, new)
        if hidden:
            entries["sight"] = "own"
            entries["claims"] = entries["nodes"] = []

    return change


def reply(entries: Entries) -> Entries:
    """The node at which B chooses where red goes."""
    node: Entries = next(one for one in entries["nodes"] if {*one["then"]} == {"red +2", "red -2"})
    return node


def claim_twice(entries: Entries) -> None:
    entries["claims"][1] = entries["claims"][0]


def drop_reply(entries: Entries) -> None:
    del reply(entries)["then"]["red +2"]


def swap_policy(entries: Entries) -> None:
    """A passes where red has gone back and the certificate had it play the Orangutan."""
    entries["nodes"][reply(entries)["then"]["red -2"]]["then"] = {"pass": "end"}


def play_the_impossible(entries: Entries) -> None:
    entries["nodes"][reply(entries)["then"]["red -2"]]["then"] = {"play Keen Koi": "end"}


def circle(entries: Entries) -> None:
    node = entries["nodes"][0]
    node["then"] = dict.fromkeys(node["then"], 0)


@pytest.mark.parametrize(
    ("lie", "complaint"),
    [
        (
            put("claims", 0, "value", to="1/2"),
            "after A: play Doubtful Priest: 1/2 is claimed, but the proof does not rule out 1",
        ),
        (
            put("claims", -1, "value", to="1"),
            "after A: do nothing: 1 is claimed, but the proof shows only 0",
        ),
        (drop("claims", 1), "there is no claim about the move 'play Rotting Orangutan'"),
        (claim_twice, "a move is claimed twice"),
        (
            put("claims", 0, "move", to="play Keen Koi"),
            "there is no claim about the move 'play Doubtful Priest'",
        ),
        (drop_reply, "after A: play Doubtful Priest: 'red +2' is missing"),
        (swap_policy, "after A: play Doubtful Priest: 1 is claimed, but the proof shows only 0"),
        (play_the_impossible, "red -2: 'play Keen Koi' is not possible"),
        (
            put("claims", 0, "least", to="end"),
            "after A: play Doubtful Priest: the proof ends here, but the goal is not settled",
        ),
        (
            put("claims", -1, "most", to=0),
            "after A: do nothing: the proof continues here, but the goal is settled",
        ),
        (
            put("claims", 0, "least", to=None),
            "play Doubtful Priest: 1 is claimed, but the proof shows only 0",
        ),
        (put("horizon", to="2"), "the proof ends here, but the goal is not settled"),
        (put("goal", to="deny:B"), "0 is claimed, but the proof does not rule out 1"),
        (rewrite("red 7", "red 6"), "is claimed, but"),
        (rewrite("red 7", "red 17"), "red 17: the track goes from 1 to 12"),
        (put("version", to=2), "version 2 cannot be read, only version 1"),
        (put("rules", to=99), "it is for version 99 of the rules of Hidden Leaders"),
        (
            put("format", to="arena-replay"),
            "this is not a certificate: its format is not 'arena-certificate'",
        ),
        (put("nodess", to=[]), "'nodess' is not a key of a certificate; did you mean 'nodes'?"),
        (
            put("claims", 0, "valeu", to="1"),
            "'valeu' is not a key of claim 0; did you mean 'value'?",
        ),
        (drop("goal"), "'goal' is missing from a certificate"),
        (put("claims", 0, "value", to="1/0"), "claim 0: '1/0' is not a fraction in quotes"),
        (
            put("claims", 0, "least", to=99),
            "claim 0 links to node 99, which does not come before it",
        ),
        (circle, "node 0 links to node 0, which does not come before it"),
        (put("others", to="kind"), "others 'kind' cannot be certified"),
        (put("goal", to="vin"), "there is no goal 'vin'"),
        (put("game", to="chess"), "there is no game 'chess'"),
        (rewrite("KeKo", "?"), "sight 'all' needs every card to be known (B hand: 1 unknown)"),
        (rewrite("LeLi", "?", hidden=True), "the seat to move must know its own cards"),
        (
            rewrite("A leader Xiadul", "A leader ?", hidden=True),
            "the seat to move must know its own cards, its leader",
        ),
        (rewrite("hand KeKo", "hand ?x3", hidden=True), "worlds; the limit is 5000"),
        (put("idle", to=True), "idle hands are possible only with horizon 'turn' and sight 'own'"),
    ],
)
def test_a_false_certificate_gets_one_sentence_with_the_file_and_the_moves(
    lie: Callable[[Entries], None], complaint: str, tmp_path: Path, capsys: Capture
) -> None:
    entries = json.loads(write_certificate(of_puzzle("doubt")))
    lie(entries)
    path = tmp_path / "lie.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    assert cli.run(["puzzles", "check", str(path)]) == 1
    sentence, summary = capsys.readouterr().out.splitlines()
    assert sentence.startswith(f"wrong    {path}: ")
    assert complaint in sentence
    assert summary == "0 of 1 certificates are valid."


def test_selfish_others_are_refused_with_hidden_cards() -> None:
    """What is proven of random others says nothing of selfish ones."""
    position = (
        "threshold 2; red 6; deck ShSo FrFr FlKn CrCa WrWa BuEm; "
        "A leader Xiadul hand ShSo FrFr open FlKn; B leader Cyra hand CrCa open WrWa"
    )
    proven = certified(position, horizon="2", others="random", sight="own")
    assert check_certificate(proven).open == ()
    with pytest.raises(BadCertificate, match="selfish others cannot be certified"):
        check_certificate(replace(proven, others="selfish"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (write_certificate(of_puzzle("doubt"))[:300].encode(), "this is not JSON: "),
        (b"[" * 100_000, "this is not JSON: "),
        (b"[1, 2]", "this is not a certificate"),
        (
            write_certificate(of_puzzle("doubt")).replace('"goal"', '"\\ud800"', 1).encode(),
            r"'\ud800' is not a key of a certificate",
        ),
        (b"\xff\xfe\x00", "this is not a text file"),
    ],
    ids=["truncated", "deep", "a list", "half a letter", "not text"],
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
    keys = (
        range(len(entries))
        if isinstance(entries, list)
        else entries
        if isinstance(entries, dict)
        else ()
    )
    return [one for key in keys for one in ((*path, key), *places(entries[key], (*path, key)))]


def stands(entries: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        entries = entries[key]
    return entries


def test_damage_anywhere_is_refused_or_leaves_the_claims_true() -> None:
    certificates = [of_puzzle(name) for name in ("doubt", "fewer-is-more")]
    certificates.append(certified(SELFISH, goal="deny:B", horizon="2", others="selfish"))
    held = 0
    for seed in range(600):
        dice = random.Random(seed)
        true = dice.choice(certificates)
        entries = json.loads(write_certificate(true))
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


def changed(certificate: Certificate, change: Callable[[Entries], None]) -> Certificate:
    entries = json.loads(write_certificate(certificate))
    change(entries)
    return read_certificate(json.dumps(entries))


def test_an_outcome_of_chance_cannot_be_left_out() -> None:
    # The Gorgon buries one of two heroes of B.
    certificate = certified(
        "threshold 3; red 4; green 8; A leader Lemron hand GoGo open DeDr BlCo; "
        "B leader Pavyr open LoLo UnMe hidden WaWi"
    )
    check_certificate(certificate)

    def drop(entries: Entries) -> None:
        node = next(
            one for one in entries["nodes"] if any("chance" in word for word in one["then"])
        )
        del node["then"][next(iter(node["then"]))]

    with pytest.raises(Unproven, match=r"'chance: .*' is missing"):
        check_certificate(changed(certificate, drop))


def test_the_choices_of_selfish_players_are_checked() -> None:
    certificate = certified(SELFISH, goal="deny:B", horizon="2", others="selfish")
    check_certificate(certificate)

    def choose(entries: Entries) -> None:
        node = next(one for one in entries["nodes"] if one["choice"] == "play Keen Koi")
        node["choice"] = "do nothing"

    def drop(entries: Entries) -> None:
        node = next(one for one in entries["nodes"] if one["choice"] == "play Keen Koi")
        del node["then"]["do nothing"]

    with pytest.raises(
        Unproven, match="chooses 'do nothing', but the seat chooses 'play Keen Koi'"
    ):
        check_certificate(changed(certificate, choose))
    with pytest.raises(Unproven, match="'do nothing' is missing"):
        check_certificate(changed(certificate, drop))


def test_plans_are_followed_in_every_world() -> None:
    certificate = of_puzzle("fewer-is-more")

    def swap(entries: Entries) -> None:
        node = next(one for one in entries["nodes"] if one["choice"] == "red -2")
        node["choice"] = "green -2"

    def forget(entries: Entries) -> None:
        for node in entries["nodes"]:
            node["after"] = []

    def begin_otherwise(entries: Entries) -> None:
        entries["claims"][0]["likeliest"] = entries["claims"][1]["likeliest"]

    def invent(entries: Entries) -> None:
        node = next(one for one in entries["nodes"] if one["choice"] == "red -2")
        node["choice"] = "blue -2"

    with pytest.raises(Unproven, match="2/3 is claimed, but the plan achieves 0"):
        check_certificate(changed(certificate, swap))
    with pytest.raises(Unproven, match="play Furious Frog: the plan has no move for what"):
        check_certificate(changed(certificate, forget))
    with pytest.raises(Unproven, match="play Furious Frog: the plan does not begin with this"):
        check_certificate(changed(certificate, begin_otherwise))
    with pytest.raises(Unproven, match="'blue -2' is not possible"):
        check_certificate(changed(certificate, invent))


def test_a_plan_that_is_not_the_best_is_refused() -> None:
    def worse(entries: Entries) -> None:
        entries["claims"][0]["value"] = "0"
        for node in entries["nodes"]:
            node["choice"] = node["choice"].replace("red -2", "green -2")

    with pytest.raises(Unproven, match="0 is claimed, but another plan achieves more"):
        check_certificate(changed(of_puzzle("fewer-is-more"), worse))


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


def test_idle_hands_are_watched() -> None:
    # Unknown hands do not matter here; where Curious Cat Lover can be played, they do.
    position = "A leader Cyra hand UnMe; B leader Myrad hand ?x3; threshold 1"
    certificate = certified(position)
    assert certificate.idle
    check_certificate(certificate)
    with pytest.raises(Unproven, match="no claim about the move 'play Curious Cat Lover'"):
        check_certificate(replace(certificate, position=position.replace("UnMe", "CuLo")))


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
    arguments = ["solve", ONE_TURN, "--horizon", "2", "--nodes", "500", "--certificate", str(out)]
    assert cli.run(arguments) == 2
    captured = capsys.readouterr()
    assert "Not exact, a bound" in captured.out
    assert "only exact answers can be certified, and this one is not: the limit of" in captured.err
    assert not out.exists()


def test_a_certificate_that_costs_too_much_is_not_written() -> None:
    solved = prove(load_puzzle(find_puzzle("cut-them-down")), NodeBudget())
    with pytest.raises(Uncertified, match="no certificate can be written: the limit of 50 pos"):
        certify(solved, NodeBudget(50))


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
        assert "nowhere/x.json: there is no folder nowhere to write it into" in captured.err
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
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                used |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                used.add(str(node.module))
        code = source.split('"""', 2)[2]
        assert ".settled_end(" not in code
        assert ".equivalence_key(" not in code
    ours = {name for name in used if name.startswith(("games", "solver", "arena", "bots"))}
    assert {name for name in ours if not name.startswith("games.")} == {
        "solver.certificates.format"
    }
