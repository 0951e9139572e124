"""A bot in a process of its own, which needs nothing but Python: it plays what lies open first.

arena match 'cmd:python3 examples/remote/first.py' random greedy

The protocol is on one page: docs/protocol.md. Lines come on stdin and go to stdout, so whatever
there is to say besides belongs on stderr.
"""

import json
import random
import sys

WISHES = ("play", "draw", "take")


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "hello":
        dice = random.Random(heard["seed"])  # the same seed, the same game
        say(type="ready", protocol=1, name="first")
    elif heard["type"] == "choose":
        moves = heard["moves"]
        wanted = [move for move in moves if move["text"].startswith(WISHES)]
        chosen = dice.choice(wanted or moves)
        say(
            type="move",
            decision=heard["decision"],
            move=chosen["move"],
            reason=f"one of {len(moves)} moves",
        )
    elif heard["type"] == "fault":
        print("the arena says:", heard["problem"], file=sys.stderr)
