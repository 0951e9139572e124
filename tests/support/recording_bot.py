"""Runs a program and writes down every line it hears (">") and says ("<"), in order."""

import subprocess
import sys
from pathlib import Path


def main(log: Path, command: list[str]) -> None:
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bot,
        log.open("w", encoding="utf-8") as notes,
    ):
        assert bot.stdin is not None
        assert bot.stdout is not None
        for captured in sys.stdin:
            print(">", captured, end="", file=notes, flush=True)
            bot.stdin.write(captured)
            bot.stdin.flush()
            if '"type":"choose"' in captured or '"type":"hello"' in captured:
                said = bot.stdout.readline()
                print("<", said, end="", file=notes, flush=True)
                print(said, end="", flush=True)
        bot.stdin.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
