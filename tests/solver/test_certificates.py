"""Certificates prove what the solver says, and a checker that shares nothing with it finds lies."""

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
from games.hidden_leaders.positions.notation import write
from games.hidden_leaders.positions.worlds import PosedTable, pose
from solver.ask import Asked, Solved, solve
from solver.certificates import checker as checking
from solver.certificates.checker import Unproven, check
from solver.certificates.format import (
    BadCertificate,
    Certificate,
    read_certificate,
    write_certificate,
)
from solver.certificates.writer import Uncertified, certify
from solver.core.budget import NodeBudget
from solver.puzzles.files import find_puzzle, load_puzzle, prove, puzzle_files
from solver.reference.cross_check import _position, _veiled, hidden_leaders_case
from tests.support.paths import ROOT
from tests.support.small_positions import ONE_TURN

Capture = pytest.CaptureFixture[str]
Told = dict[str, Any]
"""A certificate as JSON has it."""
SELFISH = (
    "threshold 2; red 6; green 5; deck UnMe KeKo; A leader Enned; B leader Cyra hand KeKo open UnMe"
)


def certified(position: str, **asked: str) -> Certificate:
    solved = solve(Asked(GAME, pose(position), **asked), NodeBudget())  # type: ignore[arg-type]
    return certify(solved, NodeBudget())


def of_puzzle(name: str) -> Certificate:
    return certify(prove(load_puzzle(find_puzzle(name)), NodeBudget()), NodeBudget())


# ---- what is true is found to be true -----------------------------------------------------------


@pytest.mark.parametrize("path", puzzle_files(), ids=lambda path: path.stem)
def test_the_certificate_of_every_puzzle_holds(path: Path) -> None:
    certificate = certify(prove(load_puzzle(path), NodeBudget()), NodeBudget())
    again = read_certificate(write_certificate(certificate))
    assert again == certificate
    assert check(again).open == ()


def random_answer(seed: int) -> Solved | None:
    """An exact answer to a random question, hidden cards in every second; None if too large."""
    dice = random.Random(seed)
    if seed % 2:
        posed = PosedTable(_veiled(dice, _position(dice, 2 + seed % 5)))
        if posed.world_count() > 12:
            return None
    else:
        case = hidden_leaders_case(seed, hidden=False)
        if case is None:
            return None
        posed = pose(write(case.worlds[0]))  # type: ignore[arg-type, assignment]
    others = ["coalition", "random"] if seed % 2 else ["coalition", "random", "selfish"]
    goals = ["win", "tribes"]
    horizon = dice.choice(["turn", "2", "end"])
    asked = Asked(GAME, posed, dice.choice(goals), horizon, dice.choice(others))
    solved = solve(asked, NodeBudget(600))
    return solved if solved.answer.exact else None


def test_certificates_of_random_positions_hold_and_no_other_value_can_be_claimed() -> None:
    kinds: Counter[tuple[str, str]] = Counter()
    for seed in range(60):
        solved = random_answer(seed)
        if solved is None:
            continue
        certificate = certify(solved, NodeBudget())
        assert check(certificate).open == ()
        kinds[certificate.kind, certificate.horizon] += 1
        claim = certificate.claims[seed % len(certificate.claims)]
        for lie in {Fraction(0), Fraction(1), Fraction(3, 7)} - {claim.value}:
            told = replace(claim, value=lie)
            claims = tuple(told if one is claim else one for one in certificate.claims)
            with pytest.raises(Unproven, match="is claimed, but"):
                check(replace(certificate, claims=claims))
    assert {kind for kind, _ in kinds} == {"bounds", "choices", "plans"}
    assert {horizon for _, horizon in kinds} == {"turn", "2", "end"}
    assert kinds.total() > 20


def test_they_are_checked_by_name_and_as_files(tmp_path: Path, capsys: Capture) -> None:
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


# ---- what is false is found out -----------------------------------------------------------------


def lower(told: Told) -> None:
    told["claims"][0]["value"] = "1/2"


def raise_(told: Told) -> None:
    told["claims"][-1]["value"] = "1"


def drop_claim(told: Told) -> None:
    del told["claims"][1]


def claim_twice(told: Told) -> None:
    told["claims"][1] = told["claims"][0]


def claim_nonsense(told: Told) -> None:
    told["claims"][0]["move"] = "play Keen Koi"


def reply(told: Told) -> Told:
    """The node at which B chooses where red goes."""
    node: Told = next(one for one in told["nodes"] if {*one["then"]} == {"red +2", "red -2"})
    return node


def drop_reply(told: Told) -> None:
    del reply(told)["then"]["red +2"]


def swap_policy(told: Told) -> None:
    """A passes where red has gone back and the certificate had it play the Orangutan."""
    told["nodes"][reply(told)["then"]["red -2"]]["then"] = {"pass": "end"}


def play_the_impossible(told: Told) -> None:
    told["nodes"][reply(told)["then"]["red -2"]]["then"] = {"play Keen Koi": "end"}


def end_early(told: Told) -> None:
    told["claims"][0]["least"] = "end"


def go_on(told: Told) -> None:
    told["claims"][-1]["most"] = 0


def claim_nothing(told: Told) -> None:
    told["claims"][0]["least"] = None


def other_horizon(told: Told) -> None:
    told["horizon"] = "2"


def other_goal(told: Told) -> None:
    told["goal"] = "deny:B"


def other_position(told: Told) -> None:
    told["position"] = told["position"].replace("red 7", "red 6")


def impossible_position(told: Told) -> None:
    told["position"] = told["position"].replace("red 7", "red 17")


def other_version(told: Told) -> None:
    told["version"] = 2


def other_rules(told: Told) -> None:
    told["rules"] = 99


def other_format(told: Told) -> None:
    told["format"] = "arena-replay"


def unknown_key(told: Told) -> None:
    told["nodess"] = []


def unknown_key_of_a_claim(told: Told) -> None:
    told["claims"][0]["valeu"] = "1"


def missing_key(told: Told) -> None:
    del told["goal"]


def no_fraction(told: Told) -> None:
    told["claims"][0]["value"] = "1/0"


def no_such_node(told: Told) -> None:
    told["claims"][0]["least"] = 99


def circle(told: Told) -> None:
    node = told["nodes"][0]
    node["then"] = dict.fromkeys(node["then"], 0)


def unknown_others(told: Told) -> None:
    told["others"] = "kind"


def unknown_goal(told: Told) -> None:
    told["goal"] = "vin"


def unknown_game(told: Told) -> None:
    told["game"] = "chess"


def idle(told: Told) -> None:
    told["idle"] = True


def unknown_card(told: Told) -> None:
    told["position"] = told["position"].replace("KeKo", "?")


def unknown_own_card(told: Told) -> None:
    told["position"] = told["position"].replace("LeLi", "?")
    told["sight"] = "own"
    told["claims"] = told["nodes"] = []


def unknown_own_leader(told: Told) -> None:
    told["position"] = told["position"].replace("A leader Xiadul", "A leader ?")
    told["sight"] = "own"
    told["claims"] = told["nodes"] = []


def unknown_everything(told: Told) -> None:
    told["position"] = told["position"].replace("hand KeKo", "hand ?x3")
    told["sight"] = "own"
    told["claims"] = told["nodes"] = []


@pytest.mark.parametrize(
    ("lie", "complaint"),
    [
        (lower, "after A: play Doubtful Priest: 1/2 is claimed, but 1 is not shown to be too much"),
        (raise_, "after A: do nothing: 1 is claimed, but only 0 is shown to be had"),
        (drop_claim, "nothing is claimed of the move 'play Rotting Orangutan'"),
        (claim_twice, "a move is claimed twice"),
        (claim_nonsense, "nothing is claimed of the move 'play Doubtful Priest'"),
        (drop_reply, "after A: play Doubtful Priest: 'red +2' is missing"),
        (swap_policy, "after A: play Doubtful Priest: 1 is claimed, but only 0 is shown"),
        (play_the_impossible, "red -2: 'play Keen Koi' is not possible"),
        (end_early, "after A: play Doubtful Priest: the proof ends here, where nothing is settled"),
        (go_on, "after A: do nothing: the proof goes on here, where all is settled"),
        (claim_nothing, "play Doubtful Priest: 1 is claimed, but only 0 is shown to be had"),
        (other_horizon, "the proof ends here, where nothing is settled"),
        (other_goal, "0 is claimed, but 1 is not shown to be too much"),
        (other_position, "is claimed, but"),
        (impossible_position, "red 17: the track goes from 1 to 12"),
        (other_version, "certificates of version 2 cannot be read, only of 1"),
        (other_rules, "it is about version 99 of the rules of Hidden Leaders"),
        (other_format, "this is no certificate: its format is not 'arena-certificate'"),
        (unknown_key, "'nodess' is no key of a certificate; did you mean 'nodes'?"),
        (unknown_key_of_a_claim, "'valeu' is no key of claim 0; did you mean 'value'?"),
        (missing_key, "a certificate must have 'goal'"),
        (no_fraction, "claim 0: '1/0' is not a fraction in quotes"),
        (no_such_node, "claim 0 leads to node 99, which is not before it"),
        (circle, "node 0 leads to node 0, which is not before it"),
        (unknown_others, "others 'kind': no certificate is about such"),
        (unknown_goal, "there is no goal 'vin'"),
        (unknown_game, "there is no game 'chess'"),
        (unknown_card, "with all cards open none can be unknown (B hand: 1 unknown)"),
        (unknown_own_card, "the seat to move must know its own cards"),
        (unknown_own_leader, "the seat to move must know its own cards and leader"),
        (unknown_everything, "worlds, more than 5000"),
        (idle, "only within this turn, and with hidden cards, can hands be idle"),
    ],
)
def test_a_lie_is_named_in_one_sentence_with_the_file_and_the_moves_that_lead_to_it(
    lie: Callable[[Told], None], complaint: str, tmp_path: Path, capsys: Capture
) -> None:
    told = json.loads(write_certificate(of_puzzle("doubt")))
    lie(told)
    path = tmp_path / "lie.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    assert cli.run(["puzzles", "check", str(path)]) == 1
    sentence, summary = capsys.readouterr().out.splitlines()
    assert sentence.startswith(f"wrong    {path}: ")
    assert complaint in sentence
    assert summary == "0 of 1 certificates are valid."


def test_with_hidden_cards_nobody_is_selfish() -> None:
    """What is proven of random others says nothing of selfish ones."""
    position = (
        "threshold 2; red 6; deck ShSo FrFr FlKn CrCa WrWa BuEm; "
        "A leader Xiadul hand ShSo FrFr open FlKn; B leader Cyra hand CrCa open WrWa"
    )
    proven = certified(position, horizon="2", others="random", sight="own")
    assert check(proven).open == ()
    with pytest.raises(BadCertificate, match="no certificate is about selfish others"):
        check(replace(proven, others="selfish"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (write_certificate(of_puzzle("doubt"))[:300].encode(), "this is not JSON: "),
        (b"[" * 100_000, "this is not JSON: "),
        (b"[1, 2]", "this is no certificate"),
        (
            write_certificate(of_puzzle("doubt")).replace('"goal"', '"\\ud800"', 1).encode(),
            r"'\ud800' is no key of a certificate",
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


def places(told: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in what JSON holds."""
    keys = range(len(told)) if isinstance(told, list) else told if isinstance(told, dict) else ()
    return [one for key in keys for one in ((*path, key), *places(told[key], (*path, key)))]


def stands(told: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        told = told[key]
    return told


def test_damage_anywhere_is_refused_or_leaves_the_claims_true() -> None:
    certificates = [of_puzzle(name) for name in ("doubt", "fewer-is-more")]
    certificates.append(certified(SELFISH, goal="deny:B", horizon="2", others="selfish"))
    held = 0
    for seed in range(600):
        dice = random.Random(seed)
        true = dice.choice(certificates)
        told = json.loads(write_certificate(true))
        spots = places(told)
        *path, key = dice.choice(spots)
        # One thing takes the place of another, or of nothing.
        junk = [None, -1, 99, "end", "1/2", True, [], {}, stands(told, dice.choice(spots))]
        stands(told, tuple(path))[key] = deepcopy(dice.choice(junk))
        try:
            damaged = read_certificate(json.dumps(told))
            check(damaged)
        except GameError:
            continue
        held += 1
        if replace(damaged, nodes=(), claims=()) == replace(true, nodes=(), claims=()):
            assert [(one.move, one.value) for one in damaged.claims] == [
                (one.move, one.value) for one in true.claims
            ]
    assert held < 60


def changed(certificate: Certificate, change: Callable[[Told], None]) -> Certificate:
    told = json.loads(write_certificate(certificate))
    change(told)
    return read_certificate(json.dumps(told))


def test_an_outcome_of_luck_cannot_be_left_out() -> None:
    # The Gorgon buries one of two heroes of B.
    certificate = certified(
        "threshold 3; red 4; green 8; A leader Lemron hand GoGo open DeDr BlCo; "
        "B leader Pavyr open LoLo UnMe hidden WaWi"
    )
    check(certificate)

    def drop(told: Told) -> None:
        node = next(one for one in told["nodes"] if any("chance" in word for word in one["then"]))
        del node["then"][next(iter(node["then"]))]

    with pytest.raises(Unproven, match=r"'chance: .*' is missing"):
        check(changed(certificate, drop))


def test_what_the_selfish_choose_is_checked() -> None:
    certificate = certified(SELFISH, goal="deny:B", horizon="2", others="selfish")
    check(certificate)

    def choose(told: Told) -> None:
        node = next(one for one in told["nodes"] if one["choice"] == "play Keen Koi")
        node["choice"] = "do nothing"

    def drop(told: Told) -> None:
        node = next(one for one in told["nodes"] if one["choice"] == "play Keen Koi")
        del node["then"]["do nothing"]

    with pytest.raises(Unproven, match="'do nothing' is said to be chosen, but 'play Keen Koi' is"):
        check(changed(certificate, choose))
    with pytest.raises(Unproven, match="'do nothing' is missing"):
        check(changed(certificate, drop))


def test_plans_are_followed_in_every_world() -> None:
    certificate = of_puzzle("fewer-is-more")

    def swap(told: Told) -> None:
        node = next(one for one in told["nodes"] if one["choice"] == "red -2")
        node["choice"] = "green -2"

    def forget(told: Told) -> None:
        for node in told["nodes"]:
            node["after"] = []

    def begin_otherwise(told: Told) -> None:
        told["claims"][0]["likeliest"] = told["claims"][1]["likeliest"]

    def invent(told: Told) -> None:
        node = next(one for one in told["nodes"] if one["choice"] == "red -2")
        node["choice"] = "blue -2"

    with pytest.raises(Unproven, match="2/3 is claimed, but the plan achieves 0"):
        check(changed(certificate, swap))
    with pytest.raises(Unproven, match="play Furious Frog: the plan does not say what to choose"):
        check(changed(certificate, forget))
    with pytest.raises(Unproven, match="play Furious Frog: its plan does not begin with this"):
        check(changed(certificate, begin_otherwise))
    with pytest.raises(Unproven, match="'blue -2' is not possible"):
        check(changed(certificate, invent))


def test_a_plan_that_is_not_the_best_is_found_out() -> None:
    def worse(told: Told) -> None:
        told["claims"][0]["value"] = "0"
        for node in told["nodes"]:
            node["choice"] = node["choice"].replace("red -2", "green -2")

    with pytest.raises(Unproven, match="0 is claimed, but another plan achieves more"):
        check(changed(of_puzzle("fewer-is-more"), worse))


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
    assert check(certificate).open == ()


def test_idle_hands_are_watched() -> None:
    # Unknown hands do not matter here; where Curious Cat Lover can be played, they do.
    position = "A leader Cyra hand UnMe; B leader Myrad hand ?x3; threshold 1"
    certificate = certified(position)
    assert certificate.idle
    check(certificate)
    with pytest.raises(Unproven, match="nothing is claimed of the move 'play Curious Cat Lover'"):
        check(replace(certificate, position=position.replace("UnMe", "CuLo")))


# ---- limits -------------------------------------------------------------------------------------


def test_plans_too_many_to_try_are_left_open_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(checking, "MOST_TRIED", 2)
    assert cli.run(["puzzles", "check", "fewer-is-more"]) == 0
    said = capsys.readouterr().out
    assert "its plans reach the claimed value, but whether there are better plans with" in said
    assert "'play Furious Frog'" in said


def test_a_check_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_POSITIONS", 5)
    with pytest.raises(Unproven, match="this takes more than 5 positions to check"):
        check(of_puzzle("cut-them-down"))


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
    with pytest.raises(BadCertificate, match="nodes, and at most 20 can be read"):
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
