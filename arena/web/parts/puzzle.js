// A puzzle: choose, see at once whether it was best, ask for hints, see why not.
import { cardTips, drawTable, el } from "./board.js";
import { choiceButtons, choiceOfKey, jumpTo, keepFocus, keyHelp, lightUp, onKeys, post, storyLines } from "./choices.js";

const nodes = Object.fromEntries([...document.querySelectorAll("[id]")].map((node) => [node.id, node]));
const name = document.querySelector("main").dataset.puzzle;
const SECONDS_PER_MOVE = 1.1;
let puzzle = null;
let line = null; // a refutation that is being shown: { moves, tables, end, at, timer }
let busy = false;

async function ask(address, body) {
  try {
    return await post(address, body);
  } catch {
    return { problem: "The server does not answer; is it still running?" };
  }
}

async function start() {
  stopLine();
  puzzle = await ask(`/puzzles/${name}/new`);
  if (puzzle.table) draw();
  else nodes.status.textContent = puzzle.problem;
}

async function act(action, body) {
  if (busy) return;
  busy = true;
  stopLine();
  const before = puzzle.table;
  const refocus = keepFocus(nodes.board, nodes.choose);
  for (const button of nodes.choose.querySelectorAll("button")) button.disabled = true;
  const answer = await ask(`/puzzles/attempts/${puzzle.key}/${action}`, body);
  busy = false;
  if (action === "why" && answer.tables) { showLine(answer); refocus(); return; }
  if (answer.table) puzzle = { ...puzzle, values: null, ...answer };
  if (answer.score) document.getElementById("score").outerHTML = answer.score;
  draw(answer.table ? "" : answer.problem, action === "choose" ? before : null);
  refocus();
  nodes.status.scrollIntoView({ block: "nearest" });
}

const choose = (move) => act("choose", { move });

// ---- the refutation -------------------------------------------------------------------------------

function stopLine() {
  clearInterval(line?.timer);
  line = null;
}

function showLine(answer) {
  line = { ...answer, at: 0, timer: null };
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) line.at = line.moves.length;
  else line.timer = setInterval(() => (line.at < line.moves.length ? step(1) : clearInterval(line.timer)), 1000 * SECONDS_PER_MOVE);
  drawLine();
}

function step(by) {
  line.at = Math.max(0, Math.min(line.moves.length, line.at + by));
  drawLine();
}

function halt(by) {
  clearInterval(line.timer);
  step(by);
}

function drawLine() {
  drawBoard(line.tables[line.at], line.tables[line.at - 1]);
  const made = line.moves[line.at - 1];
  const last = line.at === line.moves.length;
  nodes.status.textContent = made ? `${made.who}: ${made.text}.${last ? ` ${line.end}` : ""}` : `Why not? ${line.assumed ? `Suppose: ${line.assumed}.` : "Watch what follows."}`;
  nodes.choose.replaceChildren(
    el("h2", { tabindex: -1 }, "Why not"),
    line.assumed ? el("p", {}, `Suppose: ${line.assumed}.`) : "",
    el("ol", { class: "line" }, ...line.moves.map((move, i) =>
      el("li", i + 1 === line.at ? { "aria-current": "step" } : {}, el("b", {}, `${move.who}: `), move.text))),
    el("p", {}, last ? line.end : ""),
    el("div", { class: "tools" },
      el("button", { type: "button", "aria-label": "One move back", disabled: !line.at, onclick: () => halt(-1) }, "‹"),
      el("button", { type: "button", "aria-label": "One move on", disabled: last, onclick: () => halt(1) }, "›"),
      el("button", { type: "button", id: "back", onclick: () => { stopLine(); draw(); } }, "Back to the puzzle")),
  );
}

// ---- the puzzle -----------------------------------------------------------------------------------

function statusLine() {
  const { verdict, over, result } = puzzle;
  return [verdict?.text, over ? result : "", puzzle.notice].filter(Boolean).join(" ");
}

function worlds() {
  const { possible, of, doubts } = puzzle.worlds;
  const all = of === 2 ? "Both" : `All ${of}`;
  const many = possible === of ? `${all} possibilities are equally likely.` : `${possible} of ${of} possibilities ${possible === 1 ? "is" : "are"} left.`;
  return el("section", { class: "worlds", "aria-label": "What you do not know" },
    ...doubts.map((each) => el("p", {}, each)),
    of > 1 ? el("p", {}, many) : "");
}

function drawChoices() {
  const { choices, verdict, over, hints, hintsLeft, mayUndo, values } = puzzle;
  const missed = verdict && !verdict.kept;
  const button = (id, words, action, on = true, main = false) =>
    (on ? el("button", { type: "button", id, class: main ? "main" : "", onclick: action }, words) : "");
  const worth = new Map((values ?? []).map(({ move, value, best }) => [move, best ? `best, ${value}` : value]));
  const marked = new Map((values ?? []).filter(({ best }) => best).map(({ move, value }) => [move, value]));
  nodes.choose.replaceChildren(
    el("h2", { tabindex: -1 }, over ? "Done" : "Your choice"),
    puzzle.worlds ? worlds() : "",
    ...choiceButtons(choices.map((choice) => (worth.has(choice.move) ? { ...choice, help: `worth ${worth.get(choice.move)}` } : choice)), choose, marked),
    ...hints.map((hint) => el("p", { class: "hint" }, hint)),
    el("div", { class: "tools" },
      button("why", "Why not?", () => act("why"), missed),
      button("undo", missed ? "Try again" : "Take back", () => act("undo"), mayUndo && !(over && puzzle.solved), missed),
      button("again", "Start again", () => start(), over),
      puzzle.analysis ? el("a", { class: "link", href: puzzle.analysis }, "Analyse it") : "",
      button("hint", `Hint (${hintsLeft} left)`, () => act("hint"), hintsLeft > 0),
      button("answer", "Show the answer", () => act("answer"), !over && !values)),
    keyHelp(choices, "h hint, u take back, w why not, n next puzzle"),
  );
}

function drawBoard(table, before) {
  drawTable(nodes.board, puzzle, table, before);
  nodes.board.querySelector(`.seat[data-seat="${puzzle.observer}"]`)?.classList.add("own");
}

function draw(problem = "", before = null) {
  drawBoard(puzzle.table, before);
  lightUp(nodes.board, nodes.choose, puzzle, choose);
  drawChoices();
  nodes.status.textContent = problem || statusLine();
  const kept = puzzle.verdict?.kept;
  nodes.status.className = problem || !puzzle.verdict ? "" : kept ? (puzzle.solved ? "solved" : "right") : "wrong";
  nodes.next.classList.toggle("main", puzzle.over);
  nodes.story.replaceChildren(...storyLines(puzzle.story));
  nodes.story.scrollTop = nodes.story.scrollHeight;
}

onKeys((key) => {
  if (key === "n") return () => { location.href = nodes.next.href; };
  if (!puzzle?.table) return null;
  if (line) return { ArrowLeft: () => halt(-1), ArrowRight: () => halt(1), Escape: () => { stopLine(); draw(); }, u: () => act("undo") }[key] ?? null;
  const choice = choiceOfKey(puzzle.choices, key);
  if (choice) return () => choose(choice.move);
  const missed = puzzle.verdict && !puzzle.verdict.kept;
  return {
    h: puzzle.hintsLeft > 0 ? () => act("hint") : null,
    u: puzzle.mayUndo ? () => act("undo") : null,
    w: missed ? () => act("why") : null,
  }[key] ?? null;
});

await start();
if (puzzle.faces) cardTips(nodes.board, puzzle.faces);
jumpTo(document.querySelector("aside"), "Your choice");
