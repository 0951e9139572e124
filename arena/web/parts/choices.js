// Choices on the table and beside it, for pages on which a person moves.
import { el } from "./board.js";

// Keys of the choices in their order, without the letters of commands (h, n, s, u, w).
const KEYS = [..."123456789abcdefgijklmopqrtvxyz"];
const DIGITS = 9;

export async function post(address, body = {}) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.json();
}

// Cards, seats and single places that choices touch light up; a click makes the only choice there,
// or goes to the first of several in the list.
export function lightUp(board, list, state, choose) {
  const touching = (test) => state.choices.filter(test);
  const offer = (node, choices) => {
    if (!node || !choices.length) return;
    node.classList.add("lit");
    if (choices.length === 1) node.addEventListener("click", () => choose(choices[0].move));
    else node.addEventListener("click", () => list.querySelector(`[data-move="${choices[0].move}"]`)?.focus());
  };
  const decides = String(state.table.decides);
  for (const node of board.querySelectorAll("[data-card]")) {
    const number = Number(node.dataset.card);
    const seat = node.closest(".seat")?.dataset.seat ?? decides;
    // Of several equal cards, those of the player who decides are meant.
    const only = board.querySelectorAll(`[data-card="${number}"]`).length === 1;
    if (only || seat === decides) offer(node, touching((choice) => choice.cards.includes(number)));
  }
  for (const choice of state.choices) {
    for (const [seat, row, index] of choice.spots) {
      const place = seat < 0 ? `[data-pile="${row}"]` : `.seat[data-seat="${seat}"] [data-row="${row}"]`;
      offer(board.querySelector(place)?.children[index], [choice]);
    }
    for (const seat of choice.seats) {
      offer(board.querySelector(`.seat[data-seat="${seat}"] header`), touching((other) => other.seats.includes(seat)));
    }
  }
}

// The choices as buttons; `marked` maps a move to a remark such as "hint".
export function choiceButtons(choices, choose, marked = new Map()) {
  return choices.map((choice, i) =>
    el(
      "button",
      {
        type: "button",
        class: marked.has(choice.move) ? "choice hinted" : "choice",
        "data-move": choice.move,
        onclick: () => choose(choice.move),
      },
      el("span", {}, KEYS[i] ? el("kbd", { "aria-hidden": "true" }, KEYS[i]) : "", choice.text, marked.has(choice.move) ? ` (${marked.get(choice.move)})` : ""),
      choice.help ? el("small", {}, choice.help) : "",
    ),
  );
}

export function storyLines(story) {
  return story.map((move) =>
    el("p", {}, move.who ? el("b", {}, `${move.who}: `) : "", move.text, move.news?.length ? el("small", {}, ` ${move.news.join("; ")}`) : ""),
  );
}

export const choiceOfKey = (choices, key) => choices[KEYS.indexOf(key)];

export function keyHelp(choices, commands) {
  const keys = choices.length > DIGITS ? "1 to 9, then letters, choose" : "1 to 9 choose";
  return el("p", { class: "keys" }, `Keys: ${keys}, ${commands}.`);
}

// For a page that is about to draw choices anew: gives a function that puts the focus back to them, if it was there or on the board.
export function keepFocus(board, list) {
  const inside = [board, list].some((node) => node.contains(document.activeElement));
  return () => {
    if (inside) list.querySelector("h2, a, button")?.focus({ preventScroll: true });
  };
}

// On a narrow window the panel with the choices lies below the board: a button at the lower edge leads there, unless it is in view.
export function jumpTo(panel, words) {
  const jump = el("button", { type: "button", class: "jump", onclick: () => panel.scrollIntoView() }, `▼ ${words}`);
  panel.before(jump);
  new IntersectionObserver(([{ isIntersecting }]) => { jump.hidden = isIntersecting; }, { rootMargin: "0px 0px -100px" }).observe(panel);
}

// Keys of a page: single letters and digits, unless something is typed into a field.
export function onKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
    const action = actions(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  });
}
