"""A bot program that plays three good moves and then fails as its argument says.

Some arguments say what it sends instead of `ready`.
"""

import json
import os
import sys
import time
from collections.abc import Callable


def say(**fields: object) -> None:
    print(json.dumps(fields), flush=True)


def stay() -> None:
    while True:
        time.sleep(60)


def half_a_line() -> None:
    os.write(1, b'{"type": "mo')
    stay()


def close_output() -> None:
    os.close(1)
    stay()


def close_input() -> None:
    os.close(0)
    say(type="move", decision=-1, move=0)
    stay()


def die() -> None:
    print("so tired", file=sys.stderr, flush=True)
    os._exit(3)


def flood(descriptor: int, text: bytes) -> None:
    while True:
        os.write(descriptor, text)


GREETINGS: dict[str, dict[str, object]] = {
    "old": {"type": "ready", "protocol": 0},
    "unversioned": {"type": "ready"},
    "moves-at-once": {"type": "move", "decision": 0, "move": 0},
}
"""What it says instead of `ready`."""

MESSAGES: dict[str, dict[str, object]] = {
    "illegal": {"move": 100_000},
    "negative": {"move": -1},
    "string": {"move": "play Keen Koi"},
    "none": {"move": None},
    "no-move": {},
    "true": {"move": True},
    "raises": {"type": "error", "problem": "raised ValueError:\n\x1b[31m no"},
    "odd-error": {"type": "error", "kind": ["x"], "problem": None},
    "hurt-by-others": {"type": "error", "kind": "killed", "problem": "it was not me"},
    "other-type": {"type": "ready", "protocol": 1},
    "other-decision": {"decision": 1},
    "odd-reason": {"reason": [1]},
    "odd-belief": {"belief": {"B is Cyra": 7}},
}
"""What is different in its fourth answer, which would else be a good move."""

ACTIONS: dict[str, Callable[[], object]] = {
    "rubbish": lambda: os.write(1, b"I would rather not\n"),
    "empty-line": lambda: os.write(1, b"\n"),
    "bytes": lambda: os.write(1, b"\xff\xfe\x00\n"),
    "list": lambda: os.write(1, b"[1, 2]\n"),
    "nested": lambda: os.write(1, b"[" * 60_000 + b"\n"),
    "big-number": lambda: os.write(1, b'{"type": "move", "move": ' + b"9" * 5000 + b"}\n"),
    "half-a-line": half_a_line,
    "megabyte": lambda: print("x" * (1 << 20), flush=True),
    "endless-line": lambda: flood(1, b"x" * 4096),
    "talkative": lambda: flood(2, b"and then\n" * 1000),
    "dies": die,
    "killed": lambda: os.kill(os.getpid(), 11),
    "nameless": lambda: os.kill(os.getpid(), 35),
    "kills-itself": lambda: os.kill(os.getpid(), 9),
    "closes-output": close_output,
    "closes-input": close_input,
    "sleeps": stay,
}


def main(fault: str) -> None:
    answers = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            if fault == "dies-at-once":
                sys.exit(7)
            if fault == "says-nothing":
                stay()
            say(**GREETINGS.get(fault, {"type": "ready", "protocol": 1}))
        elif message["type"] == "choose":
            answers += 1
            if answers > 3 and fault in ACTIONS:
                ACTIONS[fault]()
                continue
            move = {"decision": message["decision"], "move": message["moves"][0]["move"]}
            if answers > 3 and fault == "no-move":
                del move["move"]
            say(**{"type": "move", **move, **(MESSAGES[fault] if answers > 3 else {})})
        elif message["type"] == "fault":
            print("told:", message["kind"], message["problem"], file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
