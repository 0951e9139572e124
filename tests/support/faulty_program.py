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


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def for_ever() -> None:
    while True:
        time.sleep(60)


def close_output() -> None:
    os.close(1)
    for_ever()


def close_input() -> None:
    os.close(0)
    say(type="move", decision=-1, move=0)
    for_ever()


def half_a_line() -> None:
    write('{"type": "mo')
    for_ever()


def die() -> None:
    print("so tired", file=sys.stderr, flush=True)
    os._exit(3)


def write_bytes(line: bytes) -> None:
    os.write(1, line)


def flood(descriptor: int, text: bytes) -> None:
    while True:
        os.write(descriptor, text)


INSTEAD: dict[str, Callable[[], None]] = {
    "dies-at-once": lambda: sys.exit(7),
    "old": lambda: say(type="ready", protocol=0),
    "unversioned": lambda: say(type="ready"),
    "moves-at-once": lambda: say(type="move", decision=0, move=0),
    "says-nothing": for_ever,
}

FAULTS: dict[str, Callable[[dict[str, int]], None]] = {
    "rubbish": lambda _: write("I would rather not\n"),
    "empty-line": lambda _: write("\n"),
    "bytes": lambda _: write_bytes(b"\xff\xfe\x00\n"),
    "list": lambda _: write("[1, 2]\n"),
    "nested": lambda _: write("[" * 60_000 + "\n"),
    "big-number": lambda a: write('{"type": "move", "move": ' + "9" * 5000 + "}\n"),
    "half-a-line": lambda _: half_a_line(),
    "megabyte": lambda _: write("x" * (1 << 20) + "\n"),
    "endless-line": lambda _: flood(1, b"x" * 4096),
    "talkative": lambda _: flood(2, b"and then\n" * 1000),
    "dies": lambda _: die(),
    "killed": lambda _: os.kill(os.getpid(), 11),
    "nameless": lambda _: os.kill(os.getpid(), 35),
    "kills-itself": lambda _: os.kill(os.getpid(), 9),
    "closes-output": lambda _: close_output(),
    "closes-input": lambda _: close_input(),
    "illegal": lambda a: say(type="move", move=100_000, **a),
    "negative": lambda a: say(type="move", move=-1, **a),
    "string": lambda a: say(type="move", move="play Keen Koi", **a),
    "none": lambda a: say(type="move", move=None, **a),
    "true": lambda a: say(type="move", move=True, **a),
    "no-move": lambda a: say(type="move", **a),
    "sleeps": lambda _: for_ever(),
    "raises": lambda _: say(type="error", problem="raised ValueError:\n\x1b[31m no"),
    "odd-error": lambda _: say(type="error", kind=["x"], problem=None),
    "hurt-by-others": lambda _: say(type="error", kind="killed", problem="it was not me"),
    "other-type": lambda a: say(type="ready", protocol=1, **a),
    "other-decision": lambda _: say(type="move", decision=1, move=0),
    "odd-reason": lambda a: say(type="move", reason=[1], **a),
    "odd-belief": lambda a: say(type="move", belief={"B is Cyra": 7}, **a),
}


def main(fault: str) -> None:
    asked = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            INSTEAD.get(fault, lambda: say(type="ready", protocol=1))()
        elif message["type"] == "choose":
            asked += 1
            answer = {"decision": message["decision"]}
            if fault.startswith("odd-") and fault != "odd-error":
                answer["move"] = message["moves"][0]["move"]
            if asked <= 3:
                say(type="move", decision=message["decision"], move=message["moves"][0]["move"])
            else:
                FAULTS[fault](answer)
        elif message["type"] == "fault":
            print("told:", message["kind"], message["problem"], file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
