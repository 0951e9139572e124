"""The certificate file formats: an answer with everything needed to check it, as readable JSON.

A certificate holds the question, the claimed value of every first move, and numbered nodes that
prove the claims. After each move there is a link: the number of a node; `END_LINK`, where the goal
is settled; or null, where nothing is claimed beyond the trivial bound. Nodes link only to nodes
before them. A seat certificate is about what a seat has seen in a game: instead of a position it
has the seat's events. docs/formats.md describes both files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeVar

from games.errors import GameError, did_you_mean

_FORMAT: Final = "arena-certificate"
_VERSION: Final = 2
_SEAT_FORMAT: Final = "arena-seat-certificate"
_SEAT_VERSION: Final = 1
END_LINK: Final = "end"
MOST_NODES: Final = 200_000
"""Certificates with more nodes are neither written nor read."""
MOST_CERTIFIED_WORLDS: Final = 5000
"""Nor are certificates about more worlds."""

_T = TypeVar("_T", str, int, list[object], dict[str, object])
Link = int | str | None
Seen = tuple[tuple[int, ...], ...]
"""What the seat observed between two of its choices."""

_ASKED: Final = ("position", "goal", "horizon", "others", "sight")
_KEYS: Final = ("format", "version", "game", "rules", *_ASKED, "idle", "claims", "nodes")
_SEAT_ASKED: Final = ("goal", "horizon", "others")
_SEAT_KEYS: Final = (
    *("format", "version", "game", "rules", "players", "options", "seat", *_SEAT_ASKED),
    *("events", "claims", "nodes"),
)
_LINKS: Final = {
    "bounds": ("least", "most"),
    "choices": ("tree",),
    "plans": ("likeliest", "surest"),
    "seat": ("plan",),
}
_NODE_KEYS: Final = {
    "bounds": ("then",),
    "choices": ("choice", "then"),
    "plans": ("choice", "after"),
}
_KIND_NAMES: Final[dict[type, str]] = {
    str: "text in quotes",
    int: "a whole number",
    list: "a list",
    dict: "an object",
}
FRACTION: Final = re.compile(r"\d{1,200}(/0*[1-9]\d{0,199})?")


class BadCertificate(GameError):
    """Not a certificate, or not one that can be checked here."""


@dataclass(frozen=True)
class ProofNode:
    """A node of a proof."""

    choice: str = ""
    """The move chosen here, where the certificate must name it."""
    then: Mapping[str, Link] = field(default_factory=dict)
    """Moves in words, each with the link to its proof."""
    after: Mapping[Seen, Link] = field(default_factory=dict)
    """How a plan continues after each possible observation."""


@dataclass(frozen=True)
class Claim:
    """The claimed value of a first move."""

    move: str
    value: Fraction
    sure: Fraction
    """The value in the worst world; the same as `value` if all cards are open."""
    links: tuple[Link, ...]
    """Where the proofs begin: of the lower and upper bound, of the tree of choices, or of the
    likeliest and the surest plan."""


@dataclass(frozen=True)
class Certificate:
    """A question, claims about the first moves, and their proofs."""

    game: str
    rules: int
    position: str
    goal: str
    horizon: str
    others: str
    sight: str
    idle: bool
    """Whether unknown hands were filled in one way only, because they do not matter."""
    claims: tuple[Claim, ...]
    nodes: tuple[ProofNode, ...]

    @property
    def kind(self) -> str:
        """The kind of proof: plans, choices of every seat, or bounds."""
        return kind_of(self.others, self.sight)


@dataclass(frozen=True)
class SeatCertificate:
    """What a seat has seen, claims about its moves, and plans that achieve them."""

    game: str
    rules: int
    players: int
    options: Mapping[str, object]
    """Of the game, as in a replay."""
    seat: str
    goal: str
    horizon: str
    others: str
    events: tuple[tuple[int, ...], ...]
    """Everything the seat has perceived, up to the decision asked about."""
    claims: tuple[Claim, ...]
    nodes: tuple[ProofNode, ...]


def kind_of(others: str, sight: str) -> str:
    if sight == "own":
        return "plans"
    return "choices" if others == "selfish" else "bounds"


# ---- writing ----------------------------------------------------------------------------------


def write_certificate(certificate: Certificate) -> str:
    """The certificate as JSON, with one line per claim and per node."""
    kind = certificate.kind
    head = {"format": _FORMAT, "version": _VERSION, "game": certificate.game}
    head |= {key: getattr(certificate, key) for key in ("rules", *_ASKED)}
    if certificate.idle:
        head["idle"] = True
    return _written(head, kind, certificate.claims, certificate.nodes)


def write_seat_certificate(certificate: SeatCertificate) -> str:
    """The same for what a seat has seen; all events are on one line."""
    head = {"format": _SEAT_FORMAT, "version": _SEAT_VERSION}
    head |= {key: getattr(certificate, key) for key in _SEAT_KEYS[2:-2]}
    return _written(head, "seat", certificate.claims, certificate.nodes)


def _written(
    head: Mapping[str, object], kind: str, claimed: tuple[Claim, ...], proofs: tuple[ProofNode, ...]
) -> str:
    lines = "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
    claims = ",\n".join(f"  {json.dumps(_claim_entry(one, kind))}" for one in claimed)
    nodes = ",\n".join(f"  {json.dumps(_node_entry(one, kind))}" for one in proofs)
    return f'{{\n{lines} "claims": [\n{claims}\n ],\n "nodes": [\n{nodes}\n ]\n}}\n'


def _claim_entry(claim: Claim, kind: str) -> dict[str, object]:
    entry: dict[str, object] = {"move": claim.move, "value": str(claim.value)}
    if kind == "plans":
        entry["sure"] = str(claim.sure)
    return entry | dict(zip(_LINKS[kind], claim.links, strict=True))


def _node_entry(node: ProofNode, kind: str) -> dict[str, object]:
    entry: dict[str, object] = {"choice": node.choice} if node.choice else {}
    if kind in ("plans", "seat"):
        after = [{"seen": seen, "node": link} for seen, link in node.after.items()]
        return entry | {"after": after}
    return entry | {"then": node.then}


# ---- reading ----------------------------------------------------------------------------------


def read_certificate(text: str) -> Certificate:
    """Read a certificate; BadCertificate says what is wrong with it."""
    entries = _entries(text, _FORMAT, _VERSION)
    _check_keys("a certificate", entries, _KEYS, optional=("idle",))
    question = {key: _expect(str, key, entries[key]) for key in _ASKED}
    kind = kind_of(question["others"], question["sight"])
    if type(entries.get("idle", False)) is not bool:
        raise BadCertificate(f"idle: {entries['idle']!r} is neither true nor false")
    claims, nodes = (_expect(list, key, entries[key]) for key in ("claims", "nodes"))
    if len(nodes) > MOST_NODES:
        raise BadCertificate(f"it has {len(nodes)} nodes; at most {MOST_NODES} can be read")
    return Certificate(
        game=_expect(str, "game", entries["game"]),
        rules=_expect(int, "rules", entries["rules"]),
        idle=entries.get("idle") is True,
        claims=tuple(
            _claim(f"claim {i}", claim, kind, len(nodes)) for i, claim in enumerate(claims)
        ),
        nodes=tuple(_node(i, node, kind) for i, node in enumerate(nodes)),
        **question,
    )


def is_seat_certificate(text: str) -> bool:
    """Whether the text claims to be a certificate about what a seat has seen."""
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(entries, dict) and entries.get("format") == _SEAT_FORMAT


def read_seat_certificate(text: str) -> SeatCertificate:
    """Read a certificate about what a seat has seen; BadCertificate says what is wrong with it."""
    entries = _entries(text, _SEAT_FORMAT, _SEAT_VERSION)
    _check_keys("a seat certificate", entries, _SEAT_KEYS)
    words = {key: _expect(str, key, entries[key]) for key in ("game", "seat", *_SEAT_ASKED)}
    events, claims, nodes = (
        _expect(list, key, entries[key]) for key in ("events", "claims", "nodes")
    )
    if len(nodes) > MOST_NODES:
        raise BadCertificate(f"it has {len(nodes)} nodes; at most {MOST_NODES} can be read")
    return SeatCertificate(
        rules=_expect(int, "rules", entries["rules"]),
        players=_expect(int, "players", entries["players"]),
        options=_expect(dict, "options", entries["options"]),
        events=tuple(_event(f"event {i}", event) for i, event in enumerate(events)),
        claims=tuple(
            _claim(f"claim {i}", claim, "seat", len(nodes)) for i, claim in enumerate(claims)
        ),
        nodes=tuple(_node(i, node, "plans") for i, node in enumerate(nodes)),
        **words,
    )


def _entries(text: str, named: str, newest: int) -> dict[str, object]:
    """What a file of this format and version contains."""
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadCertificate(f"this is not JSON: {error}") from None
    if not isinstance(entries, dict) or entries.get("format") != named:
        raise BadCertificate(f"this is not a certificate: its format is not '{named}'")
    version = entries.get("version")
    if version != newest:
        raise BadCertificate(
            f"version {version!r} cannot be read, only version {newest}; write it again"
        )
    return entries


def _event(what: str, value: object) -> tuple[int, ...]:
    return tuple(_expect(int, what, number) for number in _expect(list, what, value))


def _claim(what: str, value: object, kind: str, before: int) -> Claim:
    names = _LINKS[kind]
    values = ("value", "sure") if kind == "plans" else ("value",)
    entry = _expect(dict, what, value)
    _check_keys(what, entry, ("move", *values, *names))
    likely, sure = (_fraction(what, entry[key]) for key in (values[0], values[-1]))
    links = tuple(_link(what, entry[name], before) for name in names)
    return Claim(_expect(str, what, entry["move"]), likely, sure, links)


def _node(number: int, value: object, kind: str) -> ProofNode:
    what = f"node {number}"
    entry = _expect(dict, what, value)
    _check_keys(what, entry, _NODE_KEYS[kind], optional=("choice",) if kind == "choices" else ())
    choice = _expect(str, what, entry.get("choice", ""))
    if kind != "plans":
        then = _expect(dict, what, entry["then"])
        return ProofNode(choice, {words: _link(what, link, number) for words, link in then.items()})
    after: dict[Seen, Link] = {}
    for item in _expect(list, what, entry["after"]):
        branch = _expect(dict, what, item)
        _check_keys(what, branch, ("seen", "node"))
        seen = tuple(_event(what, event) for event in _expect(list, what, branch["seen"]))
        if seen in after:
            raise BadCertificate(f"{what} has two branches for the same observations")
        after[seen] = _link(what, branch["node"], number)
    return ProofNode(choice, after=after)


def _check_keys(
    what: str, entry: Mapping[str, object], known: tuple[str, ...], optional: tuple[str, ...] = ()
) -> None:
    for key in entry:
        if key not in known:
            raise BadCertificate(f"{key!r} is not a key of {what}{did_you_mean(key, known)}")
    for key in known:
        if key not in entry and key not in optional:
            raise BadCertificate(f"'{key}' is missing from {what}")


def _link(what: str, value: object, before: int) -> Link:
    """A link to a node before that number, to the end, or to nothing."""
    if value is None or value == END_LINK:
        return None if value is None else END_LINK
    number = _expect(int, what, value)
    if not 0 <= number < before:
        raise BadCertificate(f"{what} links to node {number}, which does not come before it")
    return number


def _fraction(what: str, value: object) -> Fraction:
    if not isinstance(value, str) or not FRACTION.fullmatch(value):
        raise BadCertificate(f'{what}: {value!r} is not a fraction in quotes, such as "2/3"')
    return Fraction(value)


def _expect(kind: type[_T], what: str, value: object) -> _T:
    """The value, if it is of that kind."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadCertificate(f"{what}: {value!r} is not {_KIND_NAMES[kind]}")
    return value
