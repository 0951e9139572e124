"""`arena bench`: measures the speed of the engine, the search and the solver."""

from __future__ import annotations

import click

from arena.cli.console import progress_bar, show_json, show_report, wrap_prose
from arena.cli.options import game_option, json_option, players_option
from arena.lab import bench


@click.command("bench")
@game_option
@players_option
@click.option("--quick", is_flag=True, help="Take a few seconds: rough numbers.")
@json_option
def bench_command(game_name: str, players: tuple[int, ...], quick: bool, as_json: bool) -> None:
    """Measure how fast the engine, search and solver are.

    The compiled and the pure engine take turns on one core, so that other load on the machine
    slows both alike. Without a compiled engine only the pure one is measured. All numbers are
    per second:

    \b
      decisions, games   random games from setup to end
      copies, samples    mid-game: copies of a state; worlds that agree with what a seat has seen
      iterations         of ismcts at the first decision of a game
      simulated          decisions made in those iterations
      evaluations        mid-game positions judged by the value network of champion
      priors             mid-game decisions weighed by the policy of champion
      visits             iterations of champion in the middle of a game
      positions          that the solver visits in fifty fixed endings of Hidden Leaders

    Below the table: how much of a search of champion goes into value and policy, and how
    many times more positions plain recursion would visit than the solver.

    \b
    Examples:
      arena bench
      arena bench --players 4 --json
      arena bench --game secrets --quick
    """
    plan = bench.QUICK if quick else bench.STANDARD
    with progress_bar(plan.rounds, "Measuring") as progress:
        speeds = bench.run_bench(game_name, players, plan, progress)
    if as_json:
        show_json("bench", bench.bench_json(game_name, speeds, players, plan))
    else:
        show_report(wrap_prose(bench.bench_text(game_name, speeds, players, plan)))
