"""Certificates: an answer with all that is needed to check it, as a file that people can read.

A certificate holds the question, what every first move is claimed to be worth, and numbered nodes
that prove it. A link leads on from a move: to a node, by its number; to `END`, where the goal is
settled; or to nothing, where no more is claimed than what is true of everything. Nodes lead only
to nodes before them. docs/formats.md describes the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from games.errors import GameError, did_you_mean

FORMAT: Final = "arena-certificate"
VERSION: Final = 1
END: Final = "end"
MOST_NODES: Final = 200_000
"""Larger certificates are neither written nor read."""
MOST_WORLDS: Final = 5000
"""Nor are those about more ways to fill in what is unknown."""

Link = int | str | None
Seen = tuple[tuple[int, ...], ...]
"""What the seat perceived from one choice of its own to the next."""

_ASKED: Final = ("position", "goal", "horizon", "others", "sight")
_KEYS: Final = ("format", "version", "game", "rules", *_ASKED, "idle", "claims", "nodes")
_LINKS: Final = {
    "bounds": ("least", "most"),
    "choices": ("tree",),
    "plans": ("likeliest", "surest"),
}
_NODE_KEYS: Final = {
    "bounds": ("then",),
    "choices": ("choice", "then"),
    "plans": ("choice", "after"),
}
FRACTION: Final = re.compile(r"\d{1,200}(/0*[1-9]\d{0,199})?")


class BadCertificate(GameError):
    """Something that is no certificate, or not one that can be checked here."""


@dataclass(frozen=True)
class Node:
    """One point of a proof."""

    choice: str = ""
    """What is chosen here, where the certificate must say so."""
    then: Mapping[str, Link] = field(default_factory=dict)
    """Moves in words, and what proves what is claimed of each."""
    after: Mapping[Seen, Link] = field(default_factory=dict)
    """How a plan goes on after all that may be perceived."""


@dataclass(frozen=True)
class Claim:
    """What a first move is said to be worth."""

    move: str
    value: Fraction
    sure: Fraction
    """In the worst world; with all cards open, the same."""
    links: tuple[Link, ...]
    """Where the proofs begin: of the lower and the upper bound, of the tree of choices, or of the
    likeliest and the surest plan."""


@dataclass(frozen=True)
class Certificate:
    """A question, claims about the first moves, and what proves them."""

    game: str
    rules: int
    position: str
    goal: str
    horizon: str
    others: str
    sight: str
    idle: bool
    """Whether what may turn out not to matter was filled in in one way only."""
    claims: tuple[Claim, ...]
    nodes: tuple[Node, ...]

    @property
    def kind(self) -> str:
        """How it is proven: by plans, by everybody's choices, or by bounds."""
        return kind_of(self.others, self.sight)


def kind_of(others: str, sight: str) -> str:
    if sight == "own":
        return "plans"
    return "choices" if others == "selfish" else "bounds"


# ---- writing ----------------------------------------------------------------------------------


def write_certificate(certificate: Certificate) -> str:
    """The file's text: JSON with a line for every claim and every node."""
    kind = certificate.kind
    head: dict[str, object] = {"format": FORMAT, "version": VERSION, "game": certificate.game}
    head["rules"] = certificate.rules
    head |= {key: getattr(certificate, key) for key in _ASKED}
    if certificate.idle:
        head["idle"] = True
    lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    claims = [json.dumps(_claim_told(claim, kind)) for claim in certificate.claims]
    nodes = [json.dumps(_node_told(node, kind)) for node in certificate.nodes]
    return "\n".join(
        [
            "{",
            *lines,
            ' "claims": [',
            _lines(claims),
            " ],",
            ' "nodes": [',
            _lines(nodes),
            " ]",
            "}\n",
        ]
    )


def _lines(items: list[str]) -> str:
    return ",\n".join(f"  {item}" for item in items)


def _claim_told(claim: Claim, kind: str) -> dict[str, object]:
    told: dict[str, object] = {"move": claim.move, "value": str(claim.value)}
    if kind == "plans":
        told["sure"] = str(claim.sure)
    return told | dict(zip(_LINKS[kind], claim.links, strict=True))


def _node_told(node: Node, kind: str) -> dict[str, object]:
    told: dict[str, object] = {"choice": node.choice} if node.choice else {}
    if kind == "plans":
        return told | {"after": [{"seen": seen, "node": link} for seen, link in node.after.items()]}
    return told | {"then": node.then}


# ---- reading ----------------------------------------------------------------------------------


def read_certificate(text: str) -> Certificate:
    """The certificate in the text; BadCertificate says what is wrong with it."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadCertificate(f"this is not JSON: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadCertificate(f"this is no certificate: its format is not '{FORMAT}'")
    if found.get("version") != VERSION:
        told = found.get("version")
        raise BadCertificate(f"certificates of version {told!r} cannot be read, only of {VERSION}")
    _check_keys("a certificate", found, _KEYS, optional=("idle",))
    asked = {key: _text(key, found[key]) for key in _ASKED}
    kind = kind_of(asked["others"], asked["sight"])
    if type(found.get("idle", False)) is not bool:
        raise BadCertificate(f"idle: {found['idle']!r} is neither true nor false")
    claims, nodes = _list("claims", found["claims"]), _list("nodes", found["nodes"])
    if len(nodes) > MOST_NODES:
        raise BadCertificate(f"it has {len(nodes)} nodes, and at most {MOST_NODES} can be read")
    return Certificate(
        game=_text("game", found["game"]),
        rules=_number("rules", found["rules"]),
        idle=found.get("idle") is True,
        claims=tuple(_claim(f"claim {i}", one, kind, len(nodes)) for i, one in enumerate(claims)),
        nodes=tuple(_node(i, one, kind) for i, one in enumerate(nodes)),
        **asked,
    )


def _claim(what: str, told: object, kind: str, before: int) -> Claim:
    names = _LINKS[kind]
    values = ("value", "sure") if kind == "plans" else ("value",)
    found = _object(what, told)
    _check_keys(what, found, ("move", *values, *names))
    value, sure = (_fraction(what, found[key]) for key in (values[0], values[-1]))
    links = tuple(_link(what, found[name], before) for name in names)
    return Claim(_text(what, found["move"]), value, sure, links)


def _node(number: int, told: object, kind: str) -> Node:
    what = f"node {number}"
    found = _object(what, told)
    _check_keys(what, found, _NODE_KEYS[kind], optional=("choice",) if kind == "choices" else ())
    choice = _text(what, found.get("choice", ""))
    if kind != "plans":
        then = _object(what, found["then"])
        return Node(choice, {words: _link(what, one, number) for words, one in then.items()})
    after: dict[Seen, Link] = {}
    for one in _list(what, found["after"]):
        entry = _object(what, one)
        _check_keys(what, entry, ("seen", "node"))
        seen = tuple(
            tuple(_number(what, number) for number in _list(what, event))
            for event in _list(what, entry["seen"])
        )
        if seen in after:
            raise BadCertificate(f"{what} says twice what follows the same perceptions")
        after[seen] = _link(what, entry["node"], number)
    return Node(choice, after=after)


def _check_keys(
    what: str, found: Mapping[str, object], known: tuple[str, ...], optional: tuple[str, ...] = ()
) -> None:
    for key in found:
        if key not in known:
            raise BadCertificate(f"{key!r} is no key of {what}{did_you_mean(key, known)}")
    for key in known:
        if key not in found and key not in optional:
            raise BadCertificate(f"{what} must have '{key}'")


def _link(what: str, told: object, before: int) -> Link:
    """Where it leads; to a node before that number."""
    if told is None or told == END:
        return None if told is None else END
    number = _number(what, told)
    if not 0 <= number < before:
        raise BadCertificate(f"{what} leads to node {number}, which is not before it")
    return number


def _fraction(what: str, told: object) -> Fraction:
    if not isinstance(told, str) or not FRACTION.fullmatch(told):
        raise BadCertificate(f'{what}: {told!r} is not a fraction in quotes, such as "2/3"')
    return Fraction(told)


def _text(what: str, told: object) -> str:
    if not isinstance(told, str):
        raise BadCertificate(f"{what}: {told!r} is not text in quotes")
    return told


def _number(what: str, told: object) -> int:
    if type(told) is not int:
        raise BadCertificate(f"{what}: {told!r} is not a whole number")
    return told


def _list(what: str, told: object) -> list[object]:
    if not isinstance(told, list):
        raise BadCertificate(f"{what}: {told!r} is not a list")
    return told


def _object(what: str, told: object) -> dict[str, object]:
    if not isinstance(told, dict):
        raise BadCertificate(f"{what}: {told!r} is not an object")
    return told
