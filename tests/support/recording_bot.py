"""Runs a bot program and logs every line it reads (">") and writes ("<"), in order."""

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
        for line in sys.stdin:
            print(">", line, end="", file=notes, flush=True)
            bot.stdin.write(line)
            bot.stdin.flush()
            if '"type":"choose"' in line or '"type":"hello"' in line:
                reply = bot.stdout.readline()
                print("<", reply, end="", file=notes, flush=True)
                print(reply, end="", flush=True)
        bot.stdin.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
