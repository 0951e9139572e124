// Curves over the moves of a game: how each player rates its chances, and what it believes.
import { el, svg } from "./board.js";

const ROWS = 24; // of the table under a curve
const APART = 15; // percent of the height between two names beside a drawing

// Each seat's estimate of its own chance to win, or the review's where it gave none: [number of moves before, estimate].
export function estimateLines(seats, moves, review) {
  const lines = seats.map(() => []);
  moves.forEach((move, i) => {
    const best = move.candidates?.find(([text, visits]) => text === move.text && visits > 0);
    if (best && best[2] >= 0 && best[2] <= 1) lines[move.seat].push([i, best[2]]);
  });
  const reviewed = (seat) => (review?.decisions ?? []).filter((each) => each.seat === seats[seat].letter);
  lines.forEach((line, seat) => {
    if (!line.length) line.push(...reviewed(seat).map(({ at, best }) => [at - 1, best]));
  });
  return lines;
}

// For each seat, how likely each other player held its true role to be: believer -> points.
export function beliefLines(seats, moves, tables) {
  const about = seats.map(() => seats.map(() => []));
  moves.forEach((move, i) => {
    for (const [letter, odds] of Object.entries(move.belief ?? {})) {
      const seat = seats.findIndex((each) => each.letter === letter);
      const role = tables[i].seats[seat]?.role;
      if (role && typeof odds === "object") about[seat][move.seat].push([i, odds[role] ?? 0]);
    }
  });
  return about;
}

// Lines of numbers from 0 to 1 over the moves; a click calls `jump` with a number of moves. One of them may stand out from the rest.
export function lineDrawing(lines, last, at, label, jump, strong = null) {
  const drawing = svg("svg", { viewBox: `0 0 ${Math.max(1, last)} 100`, preserveAspectRatio: "none", role: "img", "aria-label": label });
  for (const y of [25, 50, 75]) drawing.append(svg("line", { x1: 0, x2: last, y1: y, y2: y, class: "middle" }));
  lines.forEach((line, i) => {
    if (line.length < 2) return;
    const look = strong === null || i === strong ? `line line${i}` : "line rest";
    const drawn = svg("polyline", { points: line.map(([x, y]) => `${x},${height(y)}`).join(" "), class: look });
    if (look === "line rest") drawing.prepend(drawn);
    else drawing.append(drawn);
  });
  drawing.append(svg("line", { x1: at, x2: at, y1: 0, y2: 100, class: "now" }));
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    jump(Math.round(((event.clientX - box.left) / box.width) * last));
  });
  return drawing;
}

const height = (share) => 98 - 96 * share; // of the drawing, in percent from above

// The names of the lines beside their ends, none on top of another.
export function lineEnds(lines, name) {
  const ends = lines.map((line, i) => ({ i, top: line.length > 1 ? height(line.at(-1)[1]) : null }))
    .filter(({ top }) => top !== null).sort((a, b) => a.top - b.top);
  ends.forEach((end, n) => { if (n) end.top = Math.max(end.top, ends[n - 1].top + APART); });
  ends.reduceRight((floor, end) => { end.top = Math.min(end.top, floor); return end.top - APART; }, 100 - APART / 2);
  const marks = ends.map(({ i, top }) => {
    const mark = el("span", { class: `key line${i}` }, name(i));
    mark.style.top = `${top}%`;
    return mark;
  });
  return el("div", { class: "ends", "aria-hidden": "true" }, ...marks);
}

// Lets the line of one seat stand out; that of none for -1.
export function stressLine(root, seat) {
  for (const node of root.querySelectorAll(".line, .key")) node.classList.toggle("strong", node.classList.contains(`line${seat}`));
  const strong = root.querySelector(".line.strong");
  strong?.parentNode.append(strong); // over the others
}

export function movePointer(root, at) {
  for (const line of root.querySelectorAll(".now")) {
    line.setAttribute("x1", at);
    line.setAttribute("x2", at);
  }
}

export function legend(lines, name, title = "") {
  const keys = lines.map((line, i) => (line.length > 1 ? el("span", { class: `key line${i}` }, name(i)) : null));
  return el("p", { class: "legend" }, title, ...keys);
}

// The same numbers to read, thinned where there are many.
export function lineTable(lines, name) {
  const shown = lines.map((_, i) => i).filter((i) => lines[i].length > 1);
  const places = [...new Set(shown.flatMap((i) => lines[i].map(([x]) => x)))].sort((a, b) => a - b);
  const every = Math.ceil(places.length / ROWS);
  const values = lines.map((line) => new Map(line));
  const cells = (x) => shown.map((i) => el("td", {}, values[i].has(x) ? `${Math.round(100 * values[i].get(x))} %` : ""));
  return el(
    "details",
    {},
    el("summary", {}, every > 1 ? `The numbers, one in ${every}` : "The numbers"),
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "The numbers" },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "move"), ...shown.map((i) => el("th", { scope: "col" }, name(i))))),
        el("tbody", {}, ...places.filter((_, i) => i % every === 0).map((x) => el("tr", {}, el("th", { scope: "row" }, String(x + 1)), ...cells(x)))),
      ),
    ),
  );
}
