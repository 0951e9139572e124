"""A bot in its own process that needs nothing but Python: it prefers to play, draw and take cards.

arena match 'cmd:python3 examples/remote/first.py' random greedy

docs/protocol.md describes the messages. They arrive on stdin and are answered on stdout, so print
everything else to stderr.
"""

import json
import random
import sys

VERBS = ("play", "draw", "take")


def send(**message: object) -> None:
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        rng = random.Random(message["seed"])  # the same seed, the same game
        send(type="ready", protocol=1, name="first")
    elif message["type"] == "choose":
        moves = message["moves"]
        preferred = [move for move in moves if move["text"].startswith(VERBS)]
        chosen = rng.choice(preferred or moves)
        send(
            type="move",
            decision=message["decision"],
            move=chosen["move"],
            reason=f"one of {len(moves)} moves",
        )
    elif message["type"] == "fault":
        print("the arena reports:", message["problem"], file=sys.stderr)
