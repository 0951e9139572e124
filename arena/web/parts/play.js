// A game against bots: the table as your seat knows it, and your choices on it.
import { cardTips, drawTable, el } from "./board.js";

const nodes = Object.fromEntries([...document.querySelectorAll("[id]")].map((node) => [node.id, node]));
let game = null;
let hinted = null;

async function send(action, body = {}) {
  const answer = await fetch(`${location.pathname}/${action}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.json();
}

async function act(action, body) {
  nodes.status.textContent = action === "hint" ? "Looking for a good choice ..." : "The others are playing ...";
  for (const button of nodes.choose.querySelectorAll("button")) button.disabled = true;
  const answer = await send(action, body);
  if (action === "hint") hinted = answer.move ?? null;
  else if (answer.table) { game = { ...game, ...answer }; hinted = null; }
  draw(answer.table ? "" : answer.problem);
}

function statusLine() {
  if (game.problem) return `The game cannot go on: ${game.problem}`;
  if (game.over) return game.result.join(" ");
  const last = game.story.at(-1);
  return last ? `${last.who}${last.who ? ": " : ""}${last.text}${last.news.length ? ` (${last.news.join("; ")})` : ""}` : "";
}

// Cards, seats and single places that exactly one or more choices touch light up.
function lightUp() {
  const touching = (test) => game.choices.filter(test);
  const offer = (node, choices) => {
    if (!node || !choices.length) return;
    node.classList.add("lit");
    if (choices.length === 1) node.addEventListener("click", () => act("choose", { move: choices[0].move }));
    else node.addEventListener("click", () => nodes.choose.querySelector(`[data-move="${choices[0].move}"]`)?.focus());
  };
  for (const node of nodes.board.querySelectorAll("[data-card]")) {
    const number = Number(node.dataset.card);
    const own = node.closest(".seat")?.dataset.seat ?? String(game.observer);
    if (own === String(game.observer) || !node.closest(".seat")) {
      offer(node, touching((choice) => choice.cards.includes(number)));
    }
  }
  for (const choice of game.choices) {
    for (const [seat, row, index] of choice.spots) {
      const cards = nodes.board.querySelector(`.seat[data-seat="${seat}"] [data-row="${row}"]`)?.children;
      offer(cards?.[index], [choice]);
    }
    for (const seat of choice.seats) {
      offer(nodes.board.querySelector(`.seat[data-seat="${seat}"] header`), touching((other) => other.seats.includes(seat)));
    }
  }
}

function drawChoices() {
  nodes.choose.replaceChildren();
  if (game.over || game.problem) {
    nodes.choose.append(el("a", { class: "button", href: "/play" }, "Play again"));
    if (game.over) nodes.choose.append(" ", el("a", { href: `${location.pathname}/replay`, download: "game.jsonl" }, "Save the replay"));
    return;
  }
  nodes.choose.append(el("h2", {}, "Your choice"));
  for (const choice of game.choices) {
    nodes.choose.append(
      el(
        "button",
        {
          type: "button",
          class: choice.move === hinted ? "choice hinted" : "choice",
          "data-move": choice.move,
          onclick: () => act("choose", { move: choice.move }),
        },
        el("span", {}, choice.text, choice.move === hinted ? " (hint)" : ""),
        choice.help ? el("small", {}, choice.help) : "",
      ),
    );
  }
  nodes.choose.append(
    el("div", { class: "tools" },
      el("button", { type: "button", id: "undo", disabled: !game.mayUndo, onclick: () => act("undo") }, "Take back"),
      el("button", { type: "button", id: "hint", onclick: () => act("hint") }, "Hint")),
  );
}

function draw(problem = "") {
  drawTable(nodes.board, game, game.table, null);
  lightUp();
  drawChoices();
  nodes.aim.textContent = game.aim;
  nodes.status.textContent = problem || statusLine();
  nodes.story.replaceChildren(
    ...game.story.map((move) =>
      el("p", {}, move.who ? el("b", {}, `${move.who}: `) : "", move.text, move.news.length ? el("small", {}, ` ${move.news.join("; ")}`) : ""),
    ),
  );
  nodes.story.scrollTop = nodes.story.scrollHeight;
}

game = await (await fetch(`${location.pathname}/state`)).json();
if (game.table) {
  cardTips(nodes.board, game.faces);
  draw();
} else {
  nodes.status.textContent = game.problem;
}
