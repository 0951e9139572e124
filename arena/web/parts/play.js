// A game against bots: the table as your seat knows it, and your choices on it.
import { cardTips, drawTable, el } from "./board.js";
import { choiceButtons, choiceOfKey, keepFocus, keyHelp, lightUp, onKeys, post, storyLines } from "./choices.js";

const nodes = Object.fromEntries([...document.querySelectorAll("[id]")].map((node) => [node.id, node]));
let game = null;
let hinted = null;
let busy = false;

async function act(action, body) {
  if (busy) return;
  busy = true;
  const refocus = keepFocus(nodes.board, nodes.choose);
  nodes.status.textContent = action === "hint" ? "Looking for a good choice ..." : "The others are playing ...";
  for (const button of nodes.choose.querySelectorAll("button")) button.disabled = true;
  const before = game.table;
  let answer;
  try {
    answer = await post(`${location.pathname}/${action}`, body);
  } catch {
    answer = { problem: "The server does not answer; is it still running?" };
  }
  busy = false;
  if (action === "hint") hinted = answer.move ?? null;
  else if (answer.table) { game = { ...game, ...answer }; hinted = null; }
  draw(answer.table ? "" : answer.problem, answer.table ? before : null);
  refocus();
  nodes.status.scrollIntoView({ block: "nearest" });
}

const choose = (move) => act("choose", { move });

// Where the game was lost: takes a while, then opens in the viewer.
async function review() {
  document.getElementById("review").disabled = true;
  const ticking = setInterval(async () => {
    const { done, total } = await (await fetch(`${location.pathname}/reviewed`)).json();
    if (total) nodes.status.textContent = `Reviewing the game: ${done} of ${total} decisions ...`;
  }, 500);
  nodes.status.textContent = "Reviewing the game ...";
  try {
    const answer = await post(`${location.pathname}/review`);
    if (answer.problem) draw(answer.problem);
    else location.href = `${location.pathname}/view#at=${answer.at ?? 0}&view=all`;
  } catch {
    draw("The server does not answer; is it still running?");
  }
  clearInterval(ticking);
}

function statusLine() {
  if (game.problem) return `The game cannot go on: ${game.problem}`;
  if (game.over) return game.result.join(" ");
  const last = game.story.at(-1);
  return last ? `${last.who}${last.who ? ": " : ""}${last.text}${last.news.length ? ` (${last.news.join("; ")})` : ""}` : "";
}

function drawChoices() {
  nodes.choose.replaceChildren();
  if (game.over || game.problem) {
    nodes.choose.append(el("p", { class: "ways" },
      el("a", { class: "button", href: "/play" }, "Play again"),
      game.over ? el("button", { type: "button", class: "main", id: "review", onclick: review }, "Review the game") : "",
      game.over ? el("a", { href: `${location.pathname}/view` }, "Look at the game") : "",
      game.over ? el("a", { href: `${location.pathname}/replay`, download: "game.jsonl" }, "Save the replay") : ""));
    return;
  }
  const marked = new Map(hinted === null ? [] : [[hinted, "hint"]]);
  nodes.choose.append(
    el("h2", { tabindex: -1 }, "Your choice"),
    ...choiceButtons(game.choices, choose, marked),
    el("div", { class: "tools" },
      el("button", { type: "button", id: "undo", disabled: !game.mayUndo, onclick: () => act("undo") }, "Take back"),
      el("button", { type: "button", id: "hint", onclick: () => act("hint") }, "Hint")),
    keyHelp(game.choices, "h hint, u take back"),
  );
}

function draw(problem = "", before = null) {
  drawTable(nodes.board, game, game.table, before);
  lightUp(nodes.board, nodes.choose, game, choose);
  drawChoices();
  nodes.aim.textContent = game.aim;
  nodes.status.textContent = problem || statusLine();
  nodes.story.replaceChildren(...storyLines(game.story));
  nodes.story.scrollTop = nodes.story.scrollHeight;
}

onKeys((key) => {
  if (!game?.table || game.over || game.problem) return null;
  const choice = choiceOfKey(game.choices, key);
  if (choice) return () => choose(choice.move);
  return { h: () => act("hint"), u: () => game.mayUndo && act("undo") }[key] ?? null;
});

game = await (await fetch(`${location.pathname}/state`)).json();
if (game.table) {
  cardTips(nodes.board, game.faces);
  draw();
} else {
  nodes.status.textContent = game.problem;
}
