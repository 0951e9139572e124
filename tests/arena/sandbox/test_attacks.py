"""Every attack of the probe, and more, by bots in a real league: contained, and nobody is hurt."""

import os
import re
import shutil
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.config import League
from arena.league.journal import Journal
from arena.league.pool import LocalPool
from arena.league.runner import play_league
from arena.sandbox.protections import PROTECTIONS, probe_folder
from arena.stats.game_record import GameRecord
from tests.support.leagues import never_stop, small
from tests.support.leftovers import fully_sandboxed, scratches
from tests.support.paths import ROOT, SUPPORT
from tests.support.sealed_bots import OWN

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="bots are isolated on Linux only"),
    fully_sandboxed,
]

MISER = f"{ROOT / 'examples' / 'miser.py'}:Miser as miser"
ATTACKED = [name for name in PROTECTIONS if name != "cleanup"]
ATTACKERS = [*ATTACKED, "own", "remembers"]


def league_with(*bots: str, **more: object) -> League:
    settings: dict[str, object] = {"players": 2, "deals": 1, "trust": False, "probation": 0}
    return small(MISER, "random", *bots, **settings, format="gauntlet", **more)


def played(path: Path, league: League) -> tuple[list[GameRecord], dict[str, set[str]], list[str]]:
    """The games, what each bot said, and whose faults there were."""
    with Journal.write(path, league) as journal:
        with closing(LocalPool(league, 2, hidden=journal.files())) as pool:
            assert play_league(journal, pool, lambda _: None, never_stop)
        said: dict[str, set[str]] = {}
        for record, game in zip(journal.played(), journal.games(), strict=True):
            for note in game.replay.notes.values():
                if note.reason.startswith("tried"):
                    (bot,) = set(record.seats) - {"miser", "random"}
                    said.setdefault(bot, set()).add(note.reason)
        faults = [f"{bot}: {fault.problem}" for _, bot, fault in journal.faults()]
        return journal.played(), said, faults


def copies_of_others() -> set[Path]:
    """Copies of submissions that processes other than this one have left."""
    copies = Path(tempfile.gettempdir()).glob("arena_copy-*")
    return {path for path in copies if f"-{os.getpid()}-" not in path.name}


class Aftermath:
    """What is left after a league with all of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        own = probe_folder(folder)
        self.file = own / "sealed_bots.py"
        shutil.copy(SUPPORT / "sealed_bots.py", self.file)
        (folder / "rival").mkdir()
        (folder / "rival" / "rival.py").write_text("SECRET = 1\n")
        before = scratches()
        self.secret = (folder / "secret").stat()
        target = f"folder={folder},pid={os.getpid()}"
        bots = [f"{self.file}:Attempt:protection={name},{target} as {name}" for name in ATTACKED]
        bots.append(f"{self.file}:OwnAttempt:{target} as own")
        bots.append(f"{self.file}:Remembers:{target} as remembers")
        self.games, self.said, self.faults = played(folder / "run.db", league_with(*bots))
        self.left_behind = scratches() - before | copies_of_others()


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Aftermath:
    return Aftermath(tmp_path_factory.mktemp("sealed"))


@pytest.mark.parametrize("bot", ATTACKERS)
def test_no_attack_succeeds_in_a_league(aftermath: Aftermath, bot: str) -> None:
    (reason,) = aftermath.said[bot]
    found = re.fullmatch(r"tried (\d+), succeeded: none", reason)
    assert found, reason
    assert int(found[1]) >= 1


def test_the_attacks_are_many(aftermath: Aftermath) -> None:
    tried = [int(min(reasons).split()[1].rstrip(",")) for reasons in aftermath.said.values()]
    assert sum(tried) >= 100
    assert len(OWN) >= 20


def test_nobody_is_blamed_for_an_attack_that_was_refused(aftermath: Aftermath) -> None:
    assert aftermath.faults == []
    assert all(game.faulty is None for game in aftermath.games)


def test_rivals_play_the_same_games(aftermath: Aftermath, tmp_path: Path) -> None:
    honest, _, _ = played(tmp_path / "run.db", league_with())
    alone = [(game.winners, game.decisions) for game in honest]
    beside = [game for game in aftermath.games if set(game.seats) == {"miser", "random"}]
    assert [(game.winners, game.decisions) for game in beside] == alone


def test_nothing_is_left_behind(aftermath: Aftermath) -> None:
    assert not aftermath.left_behind
    assert {path.name for path in aftermath.folder.iterdir()} == {
        "own",
        "secret",
        "rival",
        "run.db",
    }
    now = (aftermath.folder / "secret").stat()
    assert (now.st_mode, now.st_mtime_ns) == (
        aftermath.secret.st_mode,
        aftermath.secret.st_mtime_ns,
    )
    assert aftermath.file.read_bytes() == (SUPPORT / "sealed_bots.py").read_bytes()


def test_endless_notes_do_not_fill_the_run_file(tmp_path: Path) -> None:
    talker = f"{SUPPORT / 'sealed_bots.py'}:Talker as talker"
    played(
        tmp_path / "talker.db", small("random", talker, players=2, deals=1, options=["rounds=5"])
    )
    played(
        tmp_path / "quiet.db", small("random", "greedy", players=2, deals=1, options=["rounds=5"])
    )
    sizes = [(tmp_path / name).stat().st_size for name in ("talker.db", "quiet.db")]
    assert sizes[0] < 10 * sizes[1]
