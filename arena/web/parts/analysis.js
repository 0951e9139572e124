// The analysis board: a position as text and as a table, the value of every move, and editing.
import { cardTips, drawTable, el } from "./board.js";
import { choiceButtons, choiceOfKey, jumpTo, keepFocus, keyHelp, lightUp, onKeys, post } from "./choices.js";

const nodes = Object.fromEntries([...document.querySelectorAll("[id]")].map((node) => [node.id, node]));
const question = Object.fromEntries([...nodes.question.querySelectorAll("select")].map((node) => [node.name, node]));
const source = document.querySelector("main").dataset.source;
const BACK = -1;
let facts = null; // of the game
let shown = null; // the position that is on the board
let answer = null; // what is known about its moves
let search = null; // { key, stream } while it is being solved
let trail = []; // positions before this one: { text, move }
let picked = null; // the card that is being moved: { word, from, index }
let marker = 0; // the marker that a click on the track moves

async function ask(address, body) {
  try {
    return await post(address, body);
  } catch {
    return { problems: ["the server does not answer; is it still running?"], problem: "The server does not answer." };
  }
}

// ---- positions --------------------------------------------------------------------------------

async function loadGame(name) {
  if (facts?.name === name) return;
  facts = await (await fetch(`/analysis/games/${encodeURIComponent(name)}`)).json();
  nodes.game.value = name;
}

let asked = 0; // the number of the last request: an older answer that comes late is dropped
async function look(request, { keep = false, push = true } = {}) {
  asked += 1;
  const number = asked;
  const found = await ask("/analysis/look", { game: nodes.game.value, position: nodes.position.value, ...request });
  if (number !== asked) return false;
  nodes.problems.hidden = !found.problems;
  if (found.problems) {
    nodes.problems.replaceChildren(...found.problems.map((problem) => el("li", {}, problem)));
    if (found.otherGame) {
      nodes.problems.append(el("li", {}, el("button", { type: "button", onclick: () => change(found.otherGame) }, "Read it as that game")));
    }
    if (found.text && request.edits) nodes.position.value = found.text;
    nodes.solve.disabled = true;
    return false;
  }
  await stop();
  shown = found;
  answer = null;
  picked = null;
  if (!keep) nodes.position.value = found.text;
  const address = `/analysis?${new URLSearchParams({ game: found.game, position: found.text })}`;
  if (push) history.pushState({ trail }, "", address);
  else history.replaceState({ trail }, "", source && !trail.length ? location.href : address);
  draw();
  return true;
}

async function change(name) {
  nodes.game.value = name;
  await loadGame(name);
  await look({});
}

async function go(text, move) {
  const before = { text: shown.text, move };
  trail = [...trail, before];
  if (!(await look({ position: text }))) trail = trail.slice(0, -1);
}

async function play(move) {
  const refocus = keepFocus(nodes.board, nodes.values);
  const words = shown.choices.find((choice) => choice.move === move)?.text ?? "";
  trail = [...trail, { text: shown.text, move: `${shown.decides}: ${words}` }];
  if (!(await look({ position: shown.text, move }))) trail = trail.slice(0, -1);
  refocus();
}

// ---- solving ----------------------------------------------------------------------------------

async function solve() {
  await stop();
  const asked = Object.fromEntries(Object.entries(question).map(([name, node]) => [name, node.value]));
  const started = await ask("/analysis/solve", {
    game: shown.game,
    position: shown.text,
    source: source ? JSON.parse(source) : null,
    ...asked,
  });
  if (!started.key) { nodes.status.textContent = started.problem; return; }
  const stream = new EventSource(`/analysis/solve/${started.key}/events`);
  search = { key: started.key, stream };
  nodes.stop.hidden = false;
  nodes.status.textContent = "Solving ...";
  stream.addEventListener("message", (event) => {
    answer = JSON.parse(event.data);
    if (answer.state !== "working") finish();
    drawValues();
  });
  stream.addEventListener("error", () => finish());
}

function finish() {
  search?.stream.close();
  search = null;
  nodes.stop.hidden = true;
}

async function stop() {
  if (!search) return;
  const { key, stream } = search;
  stream.close();
  finish();
  await ask(`/analysis/solve/${key}/stop`);
}

// ---- drawing ----------------------------------------------------------------------------------

function statusLine() {
  if (answer?.problem) return answer.problem;
  if (!answer) {
    if (shown.outcome) return shown.outcome;
    if (shown.decides === "chance") return "Chance decides: choose an outcome.";
    return shown.unknown.length ? `Unknown: ${shown.unknown.join("; ")}. ${shown.worlds} ways to fill that in.` : "";
  }
  const work = `${answer.positions.toLocaleString("en")} positions, ${answer.seconds.toFixed(1)} s`;
  if (answer.state === "working") return `Solving ... ${work}`;
  if (answer.exact) {
    const equal = answer.moves.length > 1 && !answer.moves.some((row) => row.best);
    return `Exact${equal ? ": all moves are worth the same" : ""}. ${work}.`;
  }
  return `Bounds, because ${answer.why}. ${work}.`;
}

function valueRow(row) {
  const bar = el("span", { class: "worth", "aria-hidden": "true" }, el("i", {}), el("i", {}));
  bar.children[0].style.width = `${100 * row.low}%`;
  bar.children[1].style.width = `${100 * (row.high - row.low)}%`;
  const steps = row.line.slice(1).map((step) =>
    (step.position
      ? el("button", { type: "button", onclick: () => go(step.position, step.text) }, step.text)
      : el("span", {}, step.text)));
  const canPlay = !shown.unknown.length;
  return el("li", { class: row.best ? "value best" : row.perhaps ? "value perhaps" : "value" },
    el(canPlay ? "button" : "span", { class: "move", ...(canPlay ? { type: "button", "data-move": row.move, onclick: () => play(row.move) } : {}) },
      el("b", {}, row.text), el("span", {}, row.estimate || row.value)),
    bar,
    row.fails ? el("p", { class: "then" }, `Works for sure in ${row.sure} worlds; fails for example if ${row.fails}. `,
      el("button", { type: "button", onclick: () => go(row.failsAt, "suppose that") }, "Look there")) : "",
    steps.length ? el("details", { class: "then", open: row.best }, el("summary", {}, "then"), el("div", { class: "steps" }, ...steps)) : "");
}

function drawValues() {
  nodes.status.textContent = statusLine();
  if (answer?.moves) {
    nodes.values.replaceChildren(
      el("h2", {}, "Moves: chance to reach the goal"),
      el("ol", { class: "values" }, ...answer.moves.map(valueRow)),
      el("details", { class: "meaning" }, el("summary", {}, "What was asked"), ...answer.meaning.map((each) => el("p", {}, each))),
    );
    return;
  }
  nodes.values.replaceChildren(
    el("h2", { tabindex: -1 }, shown.decides ? `${shown.decides === "chance" ? "Chance" : shown.decides} decides` : "The game is over"),
    ...choiceButtons(shown.choices, play),
    keyHelp(shown.choices, "s solve, u step back"),
  );
}

// The goal of the question before, as it is called for the player who decides now.
let decided = null;
function sameGoal() {
  const before = decided;
  decided = shown.decides;
  const { value } = question.goal;
  if (value === "win" && before && before.length === 1 && before !== decided) return `deny:${before}`;
  return value === `deny:${decided}` ? "win" : value;
}

function draw() {
  const context = { ...facts, seats: shown.seats, observer: -1 };
  drawTable(nodes.board, context, shown.table, null);
  nodes.headline.textContent = shown.table.headline;
  const goal = sameGoal();
  question.goal.replaceChildren(...shown.goals.map(([value, words]) => el("option", { value }, words)));
  if (shown.goals.some(([value]) => value === goal)) question.goal.value = goal;
  nodes.solve.disabled = !shown.solvable;
  nodes.undo.disabled = !trail.length;
  nodes.trail.replaceChildren(
    trail.length ? el("h2", {}, "Moves played") : "",
    el("ol", { class: "steps" }, ...trail.map((each, i) =>
      el("li", {}, el("button", { type: "button", title: "Back to the position before it", onclick: () => backTo(i) }, each.move)))),
  );
  drawValues();
  if (isEditing()) drawForm();
  else lightUp(nodes.board, nodes.values, shown, play);
}

async function backTo(i) {
  const { text } = trail[i];
  trail = trail.slice(0, i);
  await look({ position: text });
}

// ---- editing ----------------------------------------------------------------------------------

const isEditing = () => nodes.editing.getAttribute("aria-pressed") === "true";

async function edit(edits) {
  trail = [...trail, { text: shown.text, move: `edit ${Object.keys(edits).join(", ")}` }];
  if (!(await look({ position: shown.text, edits }))) trail = trail.slice(0, -1);
}

const wordsAt = (key) => shown.parts[key] ?? [];

// Takes a card from where it lies and puts it somewhere; an empty `to` only removes it.
function moveCard(word, from, index, to) {
  const edits = {};
  const lies = from ?? (facts.form.single && word !== "?" ? Object.keys(shown.parts).find((key) => wordsAt(key).includes(word)) : null);
  if (lies) {
    const words = [...wordsAt(lies)];
    const at = index ?? words.indexOf(word);
    words.splice(at, 1, ...(facts.form.slots.includes(lies) ? ["-"] : []));
    edits[lies] = words.join(" ");
  }
  if (to) {
    const words = to === lies ? edits[to].split(" ").filter(Boolean) : [...wordsAt(to)];
    const gap = facts.form.slots.includes(to) ? words.indexOf("-") : -1;
    words.splice(gap < 0 ? words.length : gap, gap < 0 ? 0 : 1, word);
    edits[to] = words.join(" ");
  }
  edit(edits);
}

const places = () => [
  ...shown.seats.flatMap(({ letter }) => facts.form.rows.map((row) => `${letter} ${row}`)),
  ...facts.form.piles,
];

function field(words, control) {
  return el("label", {}, words, control);
}

function choose(options, chosen, onchange) {
  return el("select", { onchange: (event) => onchange(event.target.value) },
    ...options.map(([value, words]) => el("option", { value, selected: String(value) === String(chosen) }, words)));
}

function drawForm() {
  const { form } = facts;
  const letters = shown.seats.map(({ letter }) => letter);
  const names = facts.faces.cards.map((face, i) => [form.cards[i], face.name]).filter(([word]) => word);
  const card = el("input", { list: "cards", id: "card", autocomplete: "off", value: picked ? nameOf(picked.word) : "" });
  const place = choose([["", "nowhere"], ...places().map((each) => [each, each])], "", () => {});
  place.id = "place";
  const put = () => {
    const word = names.find(([code, name]) => [code, name].some((each) => each.toLowerCase() === card.value.trim().toLowerCase()))?.[0] ?? card.value.trim();
    if (!word) return;
    const same = picked && picked.word === word;
    moveCard(word, same ? picked.from : null, same ? picked.index : null, place.value);
  };
  nodes.form.replaceChildren(
    el("p", {}, "Click a card and then the name of a place to move it there; click the track to move a marker."),
    el("div", { class: "fields" },
      field("players", choose(facts.players.map((n) => [n, n]), shown.seats.length, (value) => edit({ players: value }))),
      field(form.seat, choose(letters.map((each) => [each, each]), wordsAt(form.seat)[0], (value) => edit({ [form.seat]: value }))),
      ...form.numbers.map(({ key, least, most }) =>
        field(key, el("input", { type: "number", min: least, max: most, value: wordsAt(key)[0] ?? "", placeholder: "usual", onchange: (event) => edit({ [key]: event.target.value }) }))),
      ...letters.map((letter) =>
        field(`${letter} ${form.role}`, choose([["?", "unknown"], ...form.roles.map((role) => [role, role])], wordsAt(`${letter} ${form.role}`)[0] ?? "?", (value) => edit({ [`${letter} ${form.role}`]: value })))),
    ),
    el("div", { class: "fields" },
      field("card", card),
      field("to", place),
      el("button", { type: "button", onclick: put }, "Put it there")),
    el("datalist", { id: "cards" }, el("option", { value: "?" }, "an unknown card"), ...names.map(([, name]) => el("option", { value: name }))),
  );
  nodes.form.hidden = false;
  makeClickable();
}

function nameOf(word) {
  const number = facts.form.cards.indexOf(word);
  return number < 0 ? word : facts.faces.cards[number].name;
}

// On the board: cards to pick, names of places to put them, spaces for markers.
function makeClickable() {
  const rowKey = (node) => `${shown.seats[node.closest(".seat").dataset.seat].letter} ${node.dataset.row}`;
  for (const row of nodes.board.querySelectorAll("[data-row]")) {
    const key = rowKey(row);
    if (facts.form.rows.includes(row.dataset.row)) placeFor(row.previousElementSibling, key, row);
  }
  for (const pile of nodes.board.querySelectorAll(".pile")) {
    const key = pile.querySelector("h3").firstChild.textContent;
    if (facts.form.piles.includes(key)) placeFor(pile.querySelector("h3"), key, pile.querySelector(".cards"));
  }
  nodes.board.querySelectorAll(".track").forEach((track, number) => {
    const data = shown.table.tracks[number];
    track.querySelectorAll(".space").forEach((space, i) => {
      space.classList.add("lit");
      space.addEventListener("click", () => edit({ [data.markers[marker][0]]: String(data.first + i) }));
    });
    track.querySelectorAll(".marker:not(.ghost)").forEach((node, i) => {
      node.classList.toggle("picked", i === marker);
      node.addEventListener("click", (event) => { event.stopPropagation(); marker = i; draw(); });
    });
  });
}

function placeFor(heading, key, cards) {
  heading.classList.add("lit");
  heading.setAttribute("role", "button");
  heading.tabIndex = 0;
  heading.setAttribute("aria-label", `put the card there: ${key}`);
  const put = () => {
    const word = picked?.word ?? nodes.form.querySelector("#card").value.trim();
    if (word) moveCard(facts.form.cards.includes(word) || word === "?" ? word : facts.form.cards[facts.faces.cards.findIndex((face) => face.name === word)] ?? word, picked?.from ?? null, picked?.index ?? null, key);
  };
  heading.addEventListener("click", put);
  heading.addEventListener("keydown", (event) => { if (event.key === "Enter") put(); });
  [...cards.children].forEach((node, i) => {
    const number = node.dataset.card === undefined ? BACK : Number(node.dataset.card);
    const word = number === BACK ? "?" : facts.form.cards[number];
    const words = wordsAt(key);
    const index = words[i] === word ? i : words.indexOf(word);
    if (!word || index < 0) return;
    node.classList.toggle("picked", picked?.from === key && picked.index === index);
    node.addEventListener("click", () => { picked = { word, from: key, index }; draw(); });
  });
}

nodes.editing.addEventListener("click", () => {
  nodes.editing.setAttribute("aria-pressed", String(!isEditing()));
  nodes.form.hidden = true;
  picked = null;
  draw();
});

// ---- the rest ---------------------------------------------------------------------------------

let typing = null;
nodes.position.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => { trail = []; look({}, { keep: true, push: false }); }, 250);
});
nodes.game.addEventListener("change", async () => {
  await loadGame(nodes.game.value);
  nodes.position.value = facts.form?.example ?? "";
  trail = [];
  await look({});
});
nodes.question.addEventListener("submit", (event) => { event.preventDefault(); solve(); });
nodes.stop.addEventListener("click", () => { if (search) ask(`/analysis/solve/${search.key}/stop`); });
nodes.undo.addEventListener("click", () => { if (trail.length) backTo(trail.length - 1); });
nodes.share.addEventListener("click", async () => {
  const address = `${location.origin}/analysis?${new URLSearchParams({ game: shown.game, position: shown.text })}`;
  try {
    await navigator.clipboard.writeText(address);
    nodes.status.textContent = "The link is copied.";
  } catch {
    history.replaceState(history.state, "", address);
    nodes.status.textContent = "Copy the address of this page: it has the position.";
  }
});
window.addEventListener("popstate", async (event) => {
  const wanted = new URLSearchParams(location.search);
  trail = event.state?.trail ?? [];
  if (wanted.get("position")) {
    nodes.game.value = wanted.get("game");
    await loadGame(nodes.game.value);
    look({ position: wanted.get("position") }, { push: false });
  }
});
onKeys((key) => {
  if (!shown || isEditing()) return null;
  const choice = answer?.moves ? null : choiceOfKey(shown.choices, key);
  if (choice) return () => play(choice.move);
  return { s: shown.solvable ? () => solve() : null, u: trail.length ? () => backTo(trail.length - 1) : null }[key] ?? null;
});

// The address may say what to ask.
const wanted = new URLSearchParams(location.search);
question.goal.append(el("option", { value: wanted.get("goal") ?? "win" }));
for (const name of ["horizon", "others"]) {
  const value = wanted.get(name);
  if ([...question[name].options].some((option) => option.value === value)) question[name].value = value;
}
await loadGame(nodes.game.value);
if (await look({}, { push: false })) cardTips(nodes.board, facts.faces);
jumpTo(document.querySelector("aside"), "Question and moves");
