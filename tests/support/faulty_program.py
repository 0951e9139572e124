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


def close_input() -> None:
    os.close(0)
    say(type="move", decision=-1, move=0)


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

LONG_LINE = "wrote a line of more than 65536 bytes"
NOT_JSON = "which is not a JSON object"
NO_MOVE = "which is not a move number"
ERROR = {"type": "error", "problem": "it was not me"}

FAULTS: list[tuple[str, str, str, bytes | dict[str, object] | Callable[[], object]]] = [
    ("rubbish", "protocol", f"wrote 'I would rather not', {NOT_JSON}", b"I would rather not\n"),
    ("empty-line", "protocol", "wrote '', which is not", b"\n"),
    ("bytes", "protocol", NOT_JSON, b"\xff\xfe\x00\n"),
    ("list", "protocol", f"wrote '[1, 2]', {NOT_JSON}", b"[1, 2]\n"),
    ("nested", "protocol", NOT_JSON, b"[" * 60_000 + b"\n"),
    ("big-number", "protocol", NOT_JSON, b'{"type": "move", "move": ' + b"9" * 5000 + b"}\n"),
    (
        "megabyte",
        "output",
        f"{LONG_LINE}, starting 'xxx",
        lambda: print("x" * (1 << 20), flush=True),
    ),
    ("endless-line", "output", LONG_LINE, lambda: flood(1, b"x" * 4096)),
    ("talkative", "output", "more than 1048576 bytes to", lambda: flood(2, b"and then\n" * 1000)),
    ("half-a-line", "time", "part of a line within 0.5 s per decision: '{\"type", b'{"type": "mo'),
    ("sleeps", "time", "gave no answer within 0.5 s per decision", b""),
    ("dies", "died", "exited with code 3", die),
    ("killed", "died", "was killed by SIGSEGV", lambda: os.kill(os.getpid(), 11)),
    ("nameless", "died", "was killed by signal 35", lambda: os.kill(os.getpid(), 35)),
    ("closes-output", "protocol", "closed its stdout but kept running", lambda: os.close(1)),
    ("closes-input", "protocol", "answered decision -1", close_input),
    ("illegal", "illegal", "played 100000, which is not legal here; legal", {"move": 100_000}),
    ("negative", "illegal", "played -1, which is not legal", {"move": -1}),
    ("string", "not-a-move", f"chose 'play Keen Koi', {NO_MOVE}", {"move": "play Keen Koi"}),
    ("none", "not-a-move", f"chose None, {NO_MOVE}", {"move": None}),
    ("true", "not-a-move", f"chose True, {NO_MOVE}", {"move": True}),
    ("no-move", "not-a-move", f"chose None, {NO_MOVE}", {}),
    (
        "raises",
        "exception",
        "raised \ufffd[31m no",
        {"type": "error", "problem": "raised\n\x1b[31m no"},
    ),
    (
        "framed",
        "exception",
        "lost (bot.c\ufffd[31m, line 7, in main)",
        {
            "type": "error",
            "problem": "lost",
            "frames": [["bot.c\x1b[31m", 7, "main", "abort();"], 5],
        },
    ),
    ("odd-error", "exception", "None", {"type": "error", "kind": ["x"], "problem": None}),
    ("hurt-by-others", "exception", "it was not me", {**ERROR, "kind": "killed"}),
    ("other-type", "protocol", "instead of a 'move' message", {"type": "ready", "protocol": 1}),
    ("other-decision", "protocol", "answered decision 1, not ", {"decision": 1}),
    ("odd-reason", "protocol", "gave the reason [1], which is not text", {"reason": [1]}),
    ("odd-candidates", "protocol", "considered 5, which is not a list", {"candidates": 5}),
    ("lost-candidate", "protocol", "considered -1, which is not", {"candidates": [[-1, 0, 0]]}),
    ("odd-belief", "protocol", "'B is Cyra' the probability 7", {"belief": {"B is Cyra": 7}}),
    ("dies-at-once", "died", "before its first decision: exited with code 7", b""),
    ("old", "protocol", "before its first decision: speaks protocol 0; this arena speaks 1", b""),
    ("unversioned", "protocol", "before its first decision: speaks protocol None; this arena", b""),
    ("moves-at-once", "protocol", "instead of a 'ready' message", b""),
    (
        "says-nothing",
        "time",
        "gave no answer within 0.5 s to start; did it flush stdout",
        b"",
    ),
    ("kills-itself", "killed", "was killed by the system", lambda: os.kill(os.getpid(), 9)),
]
"""Name, kind of fault, part of the message, and how it fails: the bytes it writes before it sleeps,
what is different in its message, or what it does."""


def main(fault: str) -> None:
    (failure,) = [failure for name, _, _, failure in FAULTS if name == fault]
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
            move = {"decision": message["decision"], "move": message["moves"][0]["move"]}
            if answers <= 3:
                say(type="move", **move)
            elif isinstance(failure, dict):
                if fault == "no-move":
                    del move["move"]
                say(**{"type": "move", **move, **failure})
            else:
                _ = os.write(1, failure) if isinstance(failure, bytes) else failure()
                stay()
        elif message["type"] == "fault":
            print("told:", message["kind"], message["problem"], file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
