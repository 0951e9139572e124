"""The cards of every game as pages: what each does, and its rulings."""

from __future__ import annotations

import html

from arena.web.site.html_frame import site_page
from games.forms.picture import CardKind, Face, Faces
from games.registry import game, game_names


def card_pages() -> dict[str, str]:
    """Path in the site -> content, styles included."""
    pages = {}
    games = {name: game(name) for name in game_names()}
    items = []
    for name, rules in games.items():
        faces = rules.picture.faces()
        if not faces["cards"]:
            continue
        count = len({face["name"] for face in faces["cards"]})
        items.append(f'<a href="{name}.html"><b>{html.escape(rules.title)}</b>{count} cards</a>')
        pages[f"cards/{name}.css"] = _colours(faces)
        pages[f"cards/{name}.html"] = _card_page(name, rules.title, faces)
    body = f'<div class="hero"><h1>Cards</h1><div class="doors">{"".join(items)}</div></div>'
    pages["cards/index.html"] = site_page("cards/index.html", "Cards", body)
    return pages


def _colours(faces: Faces) -> str:
    """The colour of each kind of card."""
    lines = [f".kind{number} {{ --hue: {kind['hue']}; }}" for number, kind in _kinds(faces)]
    return "\n".join([*lines, ""])


def _kinds(faces: Faces) -> list[tuple[int, CardKind]]:
    return list(enumerate(faces["kinds"]))


def _card_page(name: str, title: str, faces: Faces) -> str:
    listed: dict[str, Face] = {}
    for face in faces["cards"]:
        listed.setdefault(face["name"], face)  # copies of a card are listed once
    cards = "".join(_card(face, faces) for _, face in sorted(listed.items()))
    roles = "".join(
        f"<li>{_signs(kinds, faces)} {html.escape(role)}</li>"
        for role, kinds in faces["roles"].items()
    )
    body = (
        f'<main class="cards"><h1>{html.escape(title)}: cards</h1>'
        f'<p id="count" role="status">{len(listed)} cards</p>'
        '<input class="find" id="find" type="search" aria-label="Find cards" hidden '
        'placeholder="Find: bury, graveyard, undead ...">'
        f'<ul class="heroes">{cards}</ul><h2>Secret roles</h2><ul>{roles}</ul></main>'
    )
    styles = (f"cards/{name}.css",)
    return site_page(f"cards/{name}.html", f"{title}: cards", body, styles, "parts/cards.js")


def _card(face: Face, faces: Faces) -> str:
    kinds = [faces["kinds"][kind]["name"] for kind in face["kinds"]]
    rulings = "".join(f"<p>{html.escape(ruling)}</p>" for ruling in face["rulings"])
    more = f"<details><summary>Rulings</summary>{rulings}</details>" if rulings else ""
    colour = f"kind{face['kinds'][0]}" if len(face["kinds"]) == 1 else "none"
    return (
        f'<li class="{colour}" data-kinds="{html.escape(" ".join(kinds))}">'
        f"<h3>{_signs(face['kinds'], faces)} {html.escape(face['name'])} "
        f"<b>{html.escape(face['corner'])}</b></h3><p>{html.escape(face['text'])}</p>{more}</li>"
    )


def _signs(kinds: list[int], faces: Faces) -> str:
    return "".join(
        f'<svg class="sign kind{kind}" viewBox="0 0 24 24" role="img" '
        f'aria-label="{html.escape(faces["kinds"][kind]["name"])}">'
        f'<path d="{faces["kinds"][kind]["sign"]}" fill-rule="evenodd"/></svg>'
        for kind in kinds
    )
