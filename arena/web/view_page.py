"""The page of one saved game, as one file that opens without a server."""

from __future__ import annotations

import html

from arena.match.game_view import GameView
from arena.web.game_data import game_data
from arena.web.page import one_file, part
from arena.web.review_marks import review_marks
from games.replay import Replay


def view_page(
    replay: Replay,
    where: str,
    fault: str = "",
    seat: int | None = None,
    analysis: str = "",
    review: object = None,
    back: str = "",
) -> str:
    """The page, for a reader who sees everything or only what one seat may know.

    `analysis`: the address of an analysis board that can open the game, on a server that has one.
    `review`: what `arena review --json` says about the game. `back`: the address of the page that
    one comes from, such as the report of the league.
    """
    shown = GameView(replay, seat)
    lines = shown.header(where, fault)
    place = html.escape(where)
    if back:
        place = f'<a class="way-back" href="{html.escape(back)}">← {place}</a>'
    title = html.escape(shown.rules.title)
    words = {"title": title, "where": place, "story": _story(shown, lines)}
    body = part("view.html")
    for name, text in words.items():
        body = body.replace(f"{{{name}}}", text)
    marks = None if review is None else review_marks(review, shown.length)
    data = game_data(replay, where, fault, seat, marks)
    if analysis:
        data["analysis"] = analysis
    styles = ("base.css", "board.css", "lines.css", "viewer.css")
    scripts = ("board.js", "curves.js", "viewer.js", "open_viewer.js")
    return one_file(f"{shown.rules.title}: {where}", body, styles, scripts, data)


def _story(shown: GameView, header: list[str]) -> str:
    """The game in words, for browsers without scripts: a heading for each turn."""
    lines = [f"<p>{html.escape(line)}</p>" for line in header]
    for line in shown.story():
        tag = "h3" if line.startswith("\n") else "p"
        lines.append(f"<{tag}>{html.escape(line.strip())}</{tag}>")
    return "\n".join(lines)
