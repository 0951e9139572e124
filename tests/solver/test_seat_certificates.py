"""Certificates of what a seat can win as it knows the game: true ones hold, forged ones do not."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena import play_game
from arena.cli import main as cli
from arena.match.game_view import GameView
from games.engine import COMPILED
from games.hidden_leaders.knowledge.party_odds import PartyOdds, TooManyWays
from games.hidden_leaders.knowledge.unseen_parties import UnseenParties
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.positions.small_endings import secretive_position
from games.hidden_leaders.positions.worlds import PosedTable, world_count
from games.hidden_leaders.recount.odds import faction_odds
from games.hidden_leaders.recount.parts import Uncounted
from games.hidden_leaders.recount.ways import WaysTold
from games.hidden_leaders.rules.constants import ALL_FACTIONS
from games.registry import game
from games.replay import Replay, write_replay
from solver.ask import Query, Solution, solve_query
from solver.certificates.check_file import check_text
from solver.certificates.checker import Unproven
from solver.certificates.format import (
    BadCertificate,
    read_seat_certificate,
    write_seat_certificate,
)
from solver.certificates.seat_writer import certify_seat
from solver.certificates.writer import Uncertified
from solver.core.budget import NodeBudget
from solver.search.blind_turn import BlindTurn
from tests.solver.test_blind_turn import (
    FUSION,
    MOST_WORLDS,
    any_plan,
    both_ways,
    sees_leaders,
)
from tests.support.paths import ROOT
from tests.support.volume import volume

Capture = pytest.CaptureFixture[str]
Entries = dict[str, Any]
GAME = game("hidden-leaders")

FROM_WILDERNESS = (
    "threshold 2; red 8; green 5; deck JoCh BoGo GrGu ShSo UnMe ArSk FuFr KeKo; wilderness ?x2; "
    "harbor ?x3; A leader Pavyr hand JoCh open BoGo; B leader Xiadul open GrGu"
)
FROM_HARBOR = (
    "threshold 2; red 8; green 5; deck DeSq BoGo GrGu ShSo UnMe ArSk FuFr KeKo; harbor ?x5; "
    "A leader Pavyr hand DeSq open BoGo; B leader Xiadul open GrGu"
)
"""A draws two unseen cards and wins if it can hide one of the Empire in its party."""


def blind(text: str) -> Solution:
    """The solution of a posed position without going through its worlds."""
    query = Query(GAME, PosedTable(read(text)), sight="own", most_worlds=0)
    return solve_query(query, NodeBudget(20_000))


def by_world(text: str) -> Solution:
    query = Query(GAME, PosedTable(read(text)), sight="own", most_worlds=10_000)
    return solve_query(query, NodeBudget(10**6), every_world=True)


@cache
def certificate(text: str) -> str:
    return write_seat_certificate(certify_seat(blind(text)))


@cache
def last_turn(players: int, seed: int) -> tuple[Replay, int]:
    """A game, and the number of the first decision of its last turn."""
    replay = play_game(["greedy"] * players, seed=seed).replay
    view, end = GameView(replay), replay.state()
    numbers = (n for n in range(view.length) if view.state(n).turns == end.turns - 1)
    return replay, next(n for n in numbers if view.state(n).actor >= 0)


def in_game(players: int, seed: int) -> Solution:
    """What the seat to move can win in the last turn of a game, as it knows it."""
    replay, number = last_turn(players, seed)
    seat = int(GameView(replay).state(number).actor)
    assert GAME.positions is not None
    position = GAME.positions.read(GameView(replay, seat).position(number))
    known = GameView(replay).view(number, seat)
    return solve_query(Query(GAME, position, sight="own", view=known), NodeBudget(20_000))


# ---- true certificates hold ---------------------------------------------------------------------


@pytest.mark.parametrize("name", FUSION)
def test_the_claims_are_those_of_plans_searched_world_by_world(name: str) -> None:
    text = certificate(FUSION[name])
    check_text(text)
    claimed = {claim.move: claim.value for claim in read_seat_certificate(text).claims}
    true = by_world(FUSION[name])
    assert claimed == {words: value.likely[0] for words, value in true.moves.items()}


@pytest.mark.slow
def test_the_claims_about_random_positions_are_those_of_plans_searched_world_by_world() -> None:
    held = chancy = 0
    for seed in range(volume(40, 6)):
        position = secretive_position(random.Random(seed), 2 + seed % 5)
        if not 1 < world_count(position) <= MOST_WORLDS:
            continue
        true, solution = both_ways(position)
        if not true.exact or not solution.exact:
            continue
        proof = certify_seat(solution)
        check_text(write_seat_certificate(proof))
        assert {claim.move: claim.value for claim in proof.claims} == {
            words: value.likely[0] for words, value in true.moves.items()
        }, seed
        held += 1
        chancy += any(0 < claim.value < 1 for claim in proof.claims)
    assert held
    assert chancy or not COMPILED


@pytest.mark.parametrize("text", [FROM_WILDERNESS, FROM_HARBOR], ids=["wilderness", "harbor"])
def test_a_plan_may_depend_on_a_card_that_the_seat_gets_to_see(text: str) -> None:
    written = read_seat_certificate(certificate(text))
    check_text(certificate(text))
    assert {claim.move: claim.value for claim in written.claims} == {
        words: value.likely[0] for words, value in by_world(text).moves.items()
    }
    assert written.claims[0].value == Fraction(7, 10)
    assert max(len(node.after) for node in written.nodes) > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "seed"),
    [
        *[(2, 1), (3, 0), (4, 2)],
        *(pytest.param(*game, marks=pytest.mark.compiled) for game in [(5, 2), (6, 3), (6, 4)]),
    ],
)
def test_certificates_of_real_games_hold(players: int, seed: int) -> None:
    text = write_seat_certificate(certify_seat(in_game(players, seed)))
    written = read_seat_certificate(text)
    assert write_seat_certificate(written) == text
    check_text(text)
    assert any(0 < claim.value < 1 for claim in written.claims)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_the_count_agrees_with_what_the_seat_knows(players: int) -> None:
    """Two ways to the same odds that share no code: the tables of a view, and whole numbers."""
    compared = 0
    for seed in (1, 2) if COMPILED or players == 2 else ():
        replay, number = last_turn(players, seed)
        seat = int(GameView(replay).state(number).actor)
        view = GameView(replay).view(number, seat)
        assert isinstance(view, HiddenLeadersView)
        parties = PartyOdds(view.knowledge(), ALL_FACTIONS)
        events = GAME.analysis.events_of(view)
        assert events is not None
        try:
            true = parties.odds()
            told = WaysTold(seat, players, view.deck, events, ALL_FACTIONS)
            counted = faction_odds(told, parties.slots)
        except (TooManyWays, Uncounted):
            continue
        assert sum(counted.values()) == 1
        assert set(true) == set(counted)
        assert all(abs(true[kinds] - float(counted[kinds])) < 1e-9 for kinds in true)
        compared += 1
    assert compared or not COMPILED


# ---- forged ones do not -------------------------------------------------------------------------


def claim(entries: Entries, number: int, **changes: object) -> None:
    entries["claims"][number].update(changes)


def event(entries: Entries, old: list[int], new: list[int]) -> None:
    entries["events"][entries["events"].index(old)] = new


def no_plan(entries: Entries) -> None:
    claim(entries, 0, value="0", plan=None)
    entries["nodes"].clear()


def by_a_card_not_seen(entries: Entries) -> None:
    """The plan chooses by B's hidden hero, as if the seat had looked at it."""
    entries["nodes"].insert(1, {"choice": "green +2", "after": []})
    entries["claims"][0]["plan"] = 2
    (branch,) = entries["nodes"][2]["after"]
    told = branch["seen"]
    entries["nodes"][2]["after"] = [
        {"seen": [*told, [3, 19, 0, 1000 + kind]], "node": number}
        for kind, number in ((1, 0), (2, 0), (4, 1), (8, 1))
    ]


def beside_what_is_seen(entries: Entries) -> None:
    by_a_card_not_seen(entries)
    told = [[2, 6, -1, 12, -1, 41]]
    entries["nodes"][2]["after"].append({"seen": told, "node": 0})


FORGERIES: dict[str, tuple[Callable[[Entries], object], str]] = {
    "the value raised": (
        lambda entries: claim(entries, 0, value="5/6"),
        "after play Rotting Orangutan: 5/6 is claimed, but the plan achieves 2/3",
    ),
    "the value lowered": (
        lambda entries: claim(entries, 0, value="1/2"),
        "1/2 is claimed, but the plan achieves 2/3",
    ),
    "the value lowered, and no plan": (
        no_plan,
        "0 is claimed, but another plan may achieve 2/3",
    ),
    "a chance above 1": (
        lambda entries: claim(entries, 0, value="7/6"),
        "7/6 is claimed, which is more than a chance can be",
    ),
    "a win that is none": (
        lambda entries: claim(entries, 2, value="1"),
        "after do nothing: 1 is claimed, but there is no plan",
    ),
    "a plan that begins with another move": (
        lambda entries: claim(entries, 2, value="2/3", plan=1),
        "after do nothing: the plan does not begin with this move",
    ),
    "a choice that is not offered": (
        lambda entries: entries["nodes"][0].update(choice="red +3"),
        "'red +3' is not possible",
    ),
    "strategy fusion: a plan that chooses by a card not seen": (
        by_a_card_not_seen,
        "the plan has no move for what the seat has observed",
    ),
    "strategy fusion beside an honest plan": (
        beside_what_is_seen,
        "the plan has a move for what the seat never observes",
    ),
    "a node without a plan": (
        lambda entries: entries["nodes"].append({"choice": "pass", "after": []}),
        "node 2 belongs to no plan",
    ),
    "a move left out": (
        lambda entries: entries["claims"].pop(),
        "there is no claim about the move 'do nothing'",
    ),
    "a move claimed twice": (
        lambda entries: entries["claims"].append(entries["claims"][0]),
        "a move is claimed twice",
    ),
    "a move that is not legal": (
        lambda entries: entries["claims"].append(
            {"move": "play Keen Koi", "value": "0", "plan": None}
        ),
        "'play Keen Koi' is not a legal move",
    ),
    "another seat's hidden card named": (
        lambda entries: event(entries, [2, 0, 0, 19, -1, -1], [2, 0, 0, 19, -1, 23]),
        "2/3 is claimed, but the plan achieves",
    ),
    "a card seen in two places": (
        lambda entries: event(entries, [2, 0, 0, 19, -1, -1], [2, 0, 0, 19, -1, 41]),
        "the cards on the table are not those of the deck",
    ),
    "a card seen that is not in the deck": (
        lambda entries: event(entries, [2, 0, 0, 19, -1, -1], [2, 0, 0, 19, -1, 68]),
        "the cards on the table are not those of the deck",
    ),
    "a hidden card forgotten": (
        lambda entries: entries["events"].remove([2, 0, 0, 20, -1, -1]),
        "2/3 is claimed, but another plan may achieve 1",
    ),
    "a card that contradicts what was seen": (
        lambda entries: entries["events"].insert(12, [3, 13, 0, 7]),
        "event 12 does not fit what came before it",
    ),
    "a leader dealt twice": (
        lambda entries: event(entries, [0, 1, 3], [0, 1, 4]),
        "the leaders that it names cannot all have been dealt",
    ),
    "a leader changed": (
        lambda entries: event(entries, [0, 1, 3], [0, 1, 5]),
        "2/3 is claimed, but the plan achieves",
    ),
    "a leader forgotten: worlds added": (
        lambda entries: event(entries, [0, 1, 3], [0, 1, -1]),
        "2/3 is claimed, but the plan achieves",
    ),
    "the markers moved": (
        lambda entries: event(entries, [4, 4, 4], [4, 9, 9]),
        "2/3 is claimed, but the plan achieves",
    ),
    "a marker off the track": (
        lambda entries: event(entries, [4, 4, 4], [4, 4, 13]),
        "event 4 is not an event of this game: [4, 4, 13]",
    ),
    "other moves offered": (
        lambda entries: entries["events"][-1].pop(),
        "the moves that the seat was offered are not those of the rules",
    ),
    "events broken off": (
        lambda entries: entries["events"].append([7, 0, 41]),
        "the events do not end with a decision of the seat in its own turn",
    ),
    "a card being resolved that does not exist": (
        lambda entries: event(
            entries,
            [8, 0, 0, 0, 40, -1, 1, -1, -1, 0, 0, 0],
            [8, 0, 0, 0, 99999, -1, 1, -1, -1, 0, 0, 0],
        ),
        "event 15 is not an event of this game",
    ),
    "the odds: another card in the deck": (
        lambda entries: entries["options"]["deck"].append("Angry Priestess"),
        "2/3 is claimed, but the plan achieves",
    ),
    "a world left out: a card taken from the deck": (
        lambda entries: entries["options"]["deck"].remove("Grumpy Guard"),
        "2/3 is claimed, but the plan achieves 1/2",
    ),
    "the threshold": (
        lambda entries: entries["options"].update(threshold=6),
        "2/3 is claimed, but the plan achieves 0",
    ),
    "an option that there is not": (
        lambda entries: entries["options"].update(luck=1),
        "Hidden Leaders has no option 'luck'",
    ),
    "another seat": (
        lambda entries: entries.update(seat="B"),
        "the events do not end with a decision of the seat in its own turn",
    ),
    "a seat that is not there": (
        lambda entries: entries.update(seat="D"),
        "seat 'D': the seats are A, B, C",
    ),
    "more players": (
        lambda entries: entries.update(players=4),
        "not every seat got a leader",
    ),
    "another goal": (
        lambda entries: entries.update(goal="deny:B"),
        "goal 'deny:B': a seat certificate has goal 'win'",
    ),
    "another horizon": (
        lambda entries: entries.update(horizon="2"),
        "horizon '2': a seat certificate has horizon 'turn'",
    ),
    "other rules": (lambda entries: entries.update(rules=99), "it is for version 99 of the rules"),
    "another game": (
        lambda entries: entries.update(game="secrets", players=4),
        "what a seat knows of Secrets cannot be checked",
    ),
    "another version": (
        lambda entries: entries.update(version=2),
        "version 2 cannot be read, only version 1",
    ),
    "an event of words": (
        lambda entries: entries["events"].append(["seen"]),
        "event 17: 'seen' is not a whole number",
    ),
    "a key left out": (
        lambda entries: entries.pop("events"),
        "'events' is missing from a seat certificate",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_certificate_is_refused(name: str) -> None:
    forge, complaint = FORGERIES[name]
    entries = json.loads(certificate(FUSION["hidden heroes"]))
    forge(entries)
    with pytest.raises((Unproven, BadCertificate), match=re.escape(complaint)):
        check_text(json.dumps(entries))


def test_a_worse_plan_is_refused() -> None:
    """It hides the other one of the two cards drawn wherever it matters which."""
    entries = json.loads(certificate(FROM_WILDERNESS))
    one, other = entries["nodes"][:2]
    one["choice"], other["choice"] = other["choice"], one["choice"]
    with pytest.raises(Unproven, match="7/10 is claimed, but the plan achieves"):
        check_text(json.dumps(entries))


@pytest.mark.slow
def test_what_is_accepted_without_an_event_is_true_without_it() -> None:
    """Events are dropped, one at a time. What the checker then accepts, the search finds, too."""
    entries = json.loads(write_seat_certificate(certify_seat(in_game(2, 1))))
    events, claims = entries["events"], entries["claims"]
    refused = accepted = 0
    for at in range(0, len(events), 5 if COMPILED else 40):
        entries["events"] = events[:at] + events[at + 1 :]
        try:
            check_text(json.dumps(entries))
        except (Unproven, BadCertificate):
            refused += 1
            continue
        accepted += 1
        view = GAME.view("AB".index(entries["seat"]), 2, **entries["options"])
        for event in entries["events"]:
            view.observe(tuple(event))
        assert GAME.positions is not None
        position = GAME.positions.read(GAME.positions.write_view(view))
        found = solve_query(Query(GAME, position, sight="own", view=view), NodeBudget(20_000))
        for claim in claims:
            low, high = found.moves[claim["move"]].likely
            assert abs(low - Fraction(claim["value"])) < Fraction(1, 10**8), at
            assert low == high
    assert (refused > 5 and accepted > 5) or not COMPILED, (refused, accepted)


# ---- the searches are checked -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "name", "fault"),
    [(BlindTurn, "bounds", any_plan), (UnseenParties, "_dealt_so", sees_leaders)],
    ids=["plans are picked by world", "leaders are seen"],
)
def test_a_planted_strategy_fusion_gets_no_certificate(
    monkeypatch: pytest.MonkeyPatch, part: type, name: str, fault: object
) -> None:
    monkeypatch.setattr(part, name, fault)
    caught = 0
    for text in FUSION.values():
        solution = blind(text)
        try:
            certify_seat(solution)
        except Uncertified as error:
            caught += "by the checker's count, but" in str(error)
    assert caught >= 4


def test_the_checker_shares_nothing_with_the_search_or_the_views() -> None:
    solver = {
        f"solver.certificates.{name}"
        for name in ("checker", "format", "turn_tree", "turn_value", "seat_checker")
    }
    imports = re.compile(r"^\s*(?:from|import) ((?:bots|solver|arena)[.\w]*)", re.MULTILINE)
    for name in ("seat_checker", "turn_tree", "turn_value"):
        source = (ROOT / "solver" / "certificates" / f"{name}.py").read_text(encoding="utf-8")
        used = imports.findall(source)
        assert set(used) <= solver, name
    for path in (ROOT / "games" / "hidden_leaders" / "recount").glob("*.py"):
        assert "hidden_leaders.knowledge" not in path.read_text(encoding="utf-8"), path


# ---- what has none ------------------------------------------------------------------------------


def test_sampled_odds_and_other_questions_have_no_certificate() -> None:
    stealing = "A leader Cyra hand CuLo; B leader Myrad hand ?x3; threshold 1"
    query = Query(GAME, PosedTable(read(stealing)), horizon="2", most_worlds=0)
    with pytest.raises(Uncertified, match="only horizon 'turn' can be certified, not '2'"):
        certify_seat(solve_query(query, NodeBudget(2000)))
    solution = blind(FUSION["hidden heroes"])
    values = [replace(value, likely=(Fraction(0), Fraction(1))) for value in solution.answer.values]
    answer = replace(solution.answer, values=tuple(values), why="values were estimated")
    with pytest.raises(Uncertified, match="and this one is not: values were estimated"):
        certify_seat(replace(solution, answer=answer))


def test_the_command_line_writes_and_checks_them(tmp_path: Path, capsys: Capture) -> None:
    replay, number = last_turn(2, 0)
    saved, proof = tmp_path / "game.jsonl", tmp_path / "proof.json"
    saved.write_text(write_replay(replay), encoding="utf-8")
    arguments = ["solve", "--from", str(saved), "--at", str(number), "--sight", "own"]
    assert cli.run([*arguments, "--certificate", str(proof)]) == 0
    assert capsys.readouterr().err == f"wrote {proof}\n"
    assert cli.run(["puzzles", "check", str(proof)]) == 0
    assert "1 of 1 certificates are valid." in capsys.readouterr().out
    entries = json.loads(proof.read_text(encoding="utf-8"))
    entries["claims"][0]["value"] = "3/7"
    proof.write_text(json.dumps(entries), encoding="utf-8")
    assert cli.run(["puzzles", "check", str(proof)]) == 1
    assert "3/7 is claimed, but" in capsys.readouterr().out
