// The page of one saved game: step through it, through all eyes or those of one seat.
import { cardTips, drawTable, el, fitCards, svg } from "./board.js";
import { beliefLines, estimateLines, legend, lineDrawing, lineEnds, lineTable, movePointer, stressLine } from "./curves.js";

const SECONDS_PER_MOVE = 0.9;
const EVERYTHING = -1;
const CANDIDATES = 6; // shown at most
const NARROW = 900; // pixels; below that, panels stand below each other and the page is scrolled

export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

// A table and a difference to it give the next table.
function patched(before, change) {
  const isObject = (value) => value !== null && typeof value === "object";
  if (!isObject(before) || !isObject(change) || Array.isArray(change)) return change;
  const after = Array.isArray(before) ? [...before] : { ...before };
  for (const [key, value] of Object.entries(change)) after[key] = patched(before[key], value);
  return after;
}

function allTables(frames) {
  const tables = [];
  for (const frame of frames) tables.push(tables.length ? patched(tables.at(-1), frame) : frame);
  return tables;
}

// How long the bar of a candidate is, from 0 to 1: by its visits, or by its value where nothing was searched.
function barLengths(candidates) {
  const most = Math.max(...candidates.map(([, visits]) => visits));
  if (most > 0) return ([, visits]) => visits / most;
  const values = candidates.map(([, , value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return ([, , value]) => (high > low ? 0.03 + (0.97 * (value - low)) / (high - low) : 1);
}

// `prefix` comes first in the address, for a page that holds several games.
export class Viewer {
  constructor(data, prefix = "") {
    this.data = data;
    this.prefix = prefix;
    this.views = data.views.map((view) => ({ ...view, tables: allTables(view.frames) }));
    this.at = 0;
    this.view = this.views[0];
    this.timer = null;
    this.nodes = Object.fromEntries(
      [...document.querySelectorAll("[id]")].map((node) => [node.id, node]),
    );
    this.marks = new Map((data.review?.decisions ?? []).filter((each) => each.mark).map((each) => [each.at, each]));
    document.querySelector("header.game").append(document.querySelector(".bar-top"));
    this.controls();
    this.drawCurves();
    this.fit();
    this.readAddress();
    cardTips(this.nodes.board, data.faces);
    this.closed = new AbortController();
    const { signal } = this.closed;
    window.addEventListener("resize", () => { this.fit(); this.draw(); }, { signal });
    window.addEventListener("hashchange", () => this.readAddress(), { signal });
    document.addEventListener("keydown", (event) => this.key(event), { signal });
  }

  close() {
    this.pause();
    this.closed.abort();
  }

  get last() { return this.view.tables.length - 1; }

  name(seat) { return `${this.data.seats[seat].letter} (${this.data.seats[seat].name})`; }

  viewName(view) {
    if (view.seat >= 0) return this.data.seats[view.seat].letter;
    return view.seat === EVERYTHING ? "all" : "public";
  }

  // ---- controls ---------------------------------------------------------------------------------

  controls() {
    const { nodes } = this;
    nodes.slider.max = this.last;
    nodes.slider.addEventListener("input", () => this.go(Number(nodes.slider.value)));
    const steps = {
      first: () => 0,
      backTurn: () => this.turnBefore(),
      back: () => this.at - 1,
      forward: () => this.at + 1,
      forwardTurn: () => this.turnAfter(),
      end: () => this.last,
    };
    for (const [id, target] of Object.entries(steps)) {
      nodes[id].addEventListener("click", () => { this.pause(); this.go(target()); });
    }
    nodes.play.addEventListener("click", () => this.toggle());
    const names = { all: "everything", public: "spectator" };
    for (const view of this.views) {
      const label = names[this.viewName(view)] ?? `as ${this.viewName(view)}`;
      nodes.views.append(
        el("button", { type: "button", "data-view": this.viewName(view), onclick: () => this.look(view) }, label),
      );
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onSlider = event.target === this.nodes.slider;
    const inControl = event.target.closest?.("button, a");
    const actions = {
      ArrowLeft: () => (event.shiftKey ? this.turnBefore() : this.at - 1),
      ArrowRight: () => (event.shiftKey ? this.turnAfter() : this.at + 1),
      Home: () => 0,
      End: () => this.last,
    };
    if (event.key === " " && !inControl) {
      event.preventDefault();
      this.toggle();
    } else if (actions[event.key] && !(onSlider && !event.shiftKey)) {
      event.preventDefault();
      this.pause();
      this.go(actions[event.key]());
    }
  }

  toggle() {
    if (this.timer) { this.pause(); return; }
    if (this.at === this.last) this.go(0);
    this.timer = setInterval(() => (this.at < this.last ? this.go(this.at + 1) : this.pause()), 1000 * SECONDS_PER_MOVE);
    this.nodes.play.textContent = "❚❚ pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.nodes.play.textContent = "▶ play";
  }

  // The number of moves before the turn that move `at + 1` belongs to, or the turn before it.
  turnBefore() {
    const { moves } = this.view;
    let at = Math.min(this.at, moves.length) - 1;
    while (at > 0 && moves[at - 1].turn === moves[at].turn) at -= 1;
    return Math.max(0, at);
  }

  turnAfter() {
    const { moves } = this.view;
    let at = this.at + 1;
    while (at < moves.length && moves[at].turn === moves[at - 1].turn) at += 1;
    return at;
  }

  // ---- where we are -----------------------------------------------------------------------------

  readAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const letter = (wanted.get("view") ?? "").toUpperCase();
    this.view = this.views.find((view) => this.viewName(view).toUpperCase() === letter) ?? this.view;
    const at = Number.parseInt(wanted.get("at") ?? "", 10);
    this.go(Number.isNaN(at) ? this.at : at);
  }

  look(view) {
    this.view = view;
    this.go(this.at);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.last, at));
    history.replaceState(null, "", `#${this.prefix}at=${this.at}&view=${this.viewName(this.view)}`);
    this.draw();
  }

  // ---- drawing ----------------------------------------------------------------------------------

  // Cards as large as the window allows.
  fit() {
    const { board, controls } = this.nodes;
    board.dataset.size = "small";
    if (window.innerWidth <= NARROW) return;
    const room = window.innerHeight - board.getBoundingClientRect().top - window.scrollY - controls.offsetHeight;
    const full = { ...this.data, beliefs: this.data.seats.map(() => []), observer: EVERYTHING };
    fitCards(board, full, this.views[0].tables, room);
  }

  draw() {
    const { nodes, view, at, data } = this;
    const context = { ...data, beliefs: this.beliefs(), chances: this.chances(), observer: view.seat };
    drawTable(nodes.board, context, view.tables[at], view.tables[at - 1]);
    nodes.slider.value = at;
    nodes.slider.setAttribute("aria-valuetext", `after ${at} of ${this.last} moves`);
    nodes.headline.textContent = view.tables[at].headline;
    nodes.status.textContent = this.statusLine();
    if (data.analysis) {
      const own = view.seat >= 0 && view.seat === view.tables[at].decides ? "&sight=own" : "";
      nodes.analyse.hidden = view.tables[at].over;
      nodes.analyse.href = `${data.analysis}&at=${at}${own}`;
    }
    for (const button of nodes.views.children) {
      button.setAttribute("aria-pressed", String(button.dataset.view === this.viewName(view)));
    }
    this.drawThoughts();
    this.drawVerdict();
    this.drawMoves(); // last: it scrolls to the move, in the height that the others leave
    movePointer(document, at);
    this.hideCurves();
    stressLine(nodes.estimates, view.tables[at].decides);
  }

  // Who sees everything sees all curves; a seat only that of its own chance, for they tell roles and thoughts.
  hideCurves() {
    const { nodes, view } = this;
    const all = view === this.views[0];
    nodes.curves.hidden = !all || !nodes.curves.children.length;
    for (const node of nodes.estimates.querySelectorAll(".line, .key")) {
      node.toggleAttribute("hidden", !all && !node.classList.contains(`line${view.seat}`));
    }
  }

  statusLine() {
    if (!this.at) return `Before the first of ${this.last} moves.`;
    const move = this.view.moves[this.at - 1];
    const news = move.news ? ` (${move.news.join("; ")})` : "";
    const end = this.at === this.last ? ` ${this.data.result.join(" ")}` : "";
    return `Move ${this.at} of ${this.last}: ${this.name(move.seat)}: ${move.text}${news}.${end}`;
  }

  // What players said about their moves: everybody's for those who see everything, a seat's own for that seat.
  comments() {
    if (this.view.seat === EVERYTHING || this.views[0].seat !== EVERYTHING) return this.view.moves;
    return this.views[0].moves.map((move, i) => (move.seat === this.view.seat ? move : this.view.moves[i]));
  }

  // For each seat, what the others last said they believe about its role.
  beliefs() {
    const about = this.data.seats.map(() => new Map());
    for (const move of this.comments().slice(0, this.at)) {
      for (const [letter, odds] of Object.entries(move.belief ?? {})) {
        const seat = this.data.seats.findIndex((each) => each.letter === letter);
        if (seat >= 0 && typeof odds === "object") about[seat].set(move.seat, odds);
      }
    }
    return about.map((each) => [...each.entries()].sort((a, b) => a[0] - b[0]));
  }

  // For each seat, how it last rated its own chance to win; only for those who see everything.
  chances() {
    if (this.view.seat !== EVERYTHING) return [];
    return this.estimates.map((line) => line.findLast(([at]) => at <= this.at)?.[1]);
  }

  drawMoves() {
    const { nodes, view } = this;
    if (nodes.moves.dataset.view !== this.viewName(view)) {
      nodes.moves.dataset.view = this.viewName(view);
      const items = [];
      let turn = null;
      view.moves.forEach((move, i) => {
        if (move.turn !== turn) items.push(el("h3", {}, move.turn));
        turn = move.turn;
        items.push(this.moveButton(move, i));
      });
      nodes.moves.replaceChildren(...items);
    }
    for (const old of nodes.moves.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const current = nodes.moves.querySelector(`[data-at="${this.at}"]`);
    if (!current) { nodes.moves.scrollTop = 0; return; }
    current.setAttribute("aria-current", "true");
    const list = nodes.moves;
    const top = current.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 90) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  moveButton(move, i) {
    const mark = this.marks.get(i + 1);
    return el(
      "button",
      { type: "button", "data-at": i + 1, onclick: () => { this.pause(); this.go(i + 1); } },
      el("span", { class: "n" }, String(i + 1)),
      el(
        "span",
        {},
        el("b", {}, this.data.seats[move.seat].letter),
        ` ${move.text}`,
        mark ? el("strong", { class: "mark" }, ` ${mark.mark}`) : "",
        this.data.review?.lost_at === i + 1 ? el("em", { class: "lost" }, "lost here") : "",
        move.news ? el("small", {}, ` ${move.news.join("; ")}`) : "",
        move.reason ? el("small", { class: "reason", title: move.reason }, move.reason) : "",
      ),
    );
  }

  // What the player of the next move thought of it.
  drawThoughts() {
    const moves = this.comments();
    const move = moves[this.at];
    const { thoughts } = this.nodes;
    thoughts.hidden = !moves.some((each) => each.candidates || each.reason);
    thoughts.replaceChildren();
    if (thoughts.hidden) return;
    if (!move) { thoughts.append(el("h2", {}, "The game is over")); return; }
    thoughts.append(el("h2", {}, `${this.name(move.seat)} thinks`));
    if (this.view.seat !== EVERYTHING && this.view.seat !== move.seat) {
      thoughts.append(el("p", { class: "none" }, `${this.data.seats[this.view.seat]?.letter ?? "A spectator"} cannot know what.`));
      return;
    }
    if (move.reason) thoughts.append(el("p", {}, move.reason));
    const candidates = move.candidates ?? [];
    if (!move.reason && !candidates.length) thoughts.append(el("p", { class: "none" }, "It says nothing about this choice."));
    const length = barLengths(candidates);
    for (const each of candidates.slice(0, CANDIDATES)) thoughts.append(this.candidate(each, move.text, length(each)));
    if (candidates.length > CANDIDATES) thoughts.append(el("p", { class: "none" }, `and ${candidates.length - CANDIDATES} more`));
  }

  candidate([text, visits, value], chosen, length) {
    const share = visits > 0 && value >= 0 && value <= 1;
    const worth = share ? `wins ${Math.round(100 * value)} %` : `value ${value}`;
    const row = el("div", { class: text === chosen ? "candidate chosen" : "candidate" }, el("span", {}, text), el("small", {}, visits ? `${worth}, ${visits} visits` : worth));
    const bar = svg("svg", { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" });
    bar.append(svg("rect", { x: 0, y: 0, height: 6, width: 100 * length }));
    row.append(bar);
    return row;
  }

  // What the review says about the game, and about the move just made.
  drawVerdict() {
    const { review } = this.data;
    const { verdict } = this.nodes;
    verdict.hidden = !review;
    if (!review) return;
    const parts = [el("h2", {}, "Review")];
    const mark = this.marks.get(this.at);
    const judged = review.decisions.find((each) => each.at === this.at);
    if (judged) parts.push(el("p", { class: "judged" }, mark ? el("strong", { class: "mark" }, `${mark.mark} `) : "", judged.words));
    parts.push(el("p", {}, review.summary));
    if (review.lost_at && review.lost_at !== this.at) {
      parts.push(el("button", { type: "button", onclick: () => { this.pause(); this.go(review.lost_at); } }, `Go to move ${review.lost_at}`));
    }
    verdict.replaceChildren(...parts);
  }

  // ---- curves and ticks ---------------------------------------------------------------------------

  drawCurves() {
    const { nodes, data } = this;
    const { moves, tables } = this.views[0];
    const jump = (at) => { this.pause(); this.go(at); };
    const name = (seat) => this.name(seat);
    const letter = (seat) => data.seats[seat].letter;
    const lines = estimateLines(data.seats, moves, data.review);
    this.estimates = lines;
    const drawn = (each) => each.some((line) => line.length > 1);
    if (drawn(lines)) {
      const label = "Chance to win as each player estimates its own, over the moves";
      nodes.estimates.replaceChildren(
        el("p", { class: "scale", "aria-hidden": "true" }, el("span", {}, "100 %"), el("span", {}, "0 %")),
        lineDrawing(lines, this.last, 0, label, jump),
        legend(lines, letter, "chance to win, by own estimate"),
      );
      nodes.curves.append(
        el("h2", {}, "Who thinks they win"),
        el("p", {}, "Each player's estimate of its own chance at its decisions (the review's, where a player gives none), with those of the others in grey: top is 100 %, bottom 0."),
        el("div", { class: "multiples" }, ...lines.map((line, seat) => (line.length > 1 ? this.chanceFigure(lines, seat, jump) : null)).filter(Boolean)),
        lineTable(lines, letter),
      );
    }
    const beliefs = beliefLines(data.seats, moves, tables);
    const figures = beliefs.map((about, seat) => (drawn(about) ? this.beliefFigure(about, seat, jump, letter) : null));
    if (figures.some(Boolean)) {
      const used = data.seats.map((_, seat) => beliefs.map((about) => about[seat]).find((line) => line.length > 1) ?? []);
      nodes.curves.append(
        el("h2", {}, "Who is found out"),
        el("p", {}, `How likely each player held the true ${data.roleWord} of the others to be: top is 100 %, bottom 0. A rising line has seen through.`),
        legend(used, name),
        el("div", { class: "multiples" }, ...figures.filter(Boolean)),
      );
    }
    nodes.curves.hidden = !nodes.curves.children.length;
    this.drawTicks(moves);
  }

  chanceFigure(lines, seat, jump) {
    const label = `Chance to win as ${this.name(seat)} estimates its own, over the moves`;
    return el("figure", {}, el("figcaption", { class: `key line${seat}` }, this.name(seat)), lineDrawing(lines, this.last, 0, label, jump, seat));
  }

  beliefFigure(about, seat, jump, letter) {
    const role = this.views[0].tables[0].seats[seat].role;
    const caption = `${this.name(seat)}${role ? ` is ${role}` : ""}`;
    const label = `How likely the others held the true ${this.data.roleWord} of ${letter(seat)} to be, over the moves`;
    return el("figure", {}, el("figcaption", {}, caption),
      el("div", { class: "drawn" }, lineDrawing(about, this.last, 0, label, jump), lineEnds(about, letter)), lineTable(about, letter));
  }

  // Under the slider: where turns begin, and the marks of the review.
  drawTicks(moves) {
    const strip = svg("svg", { viewBox: `0 0 ${Math.max(1, this.last)} 10`, preserveAspectRatio: "none" });
    moves.forEach((move, i) => {
      if (!i || moves[i - 1].turn !== move.turn) strip.append(svg("line", { x1: i, x2: i, y1: 0, y2: 10, class: "tick" }));
    });
    this.nodes.ticks.replaceChildren(strip);
    for (const [at, { mark }] of this.marks) {
      const lost = this.data.review.lost_at === at;
      const node = el("span", { class: lost ? "at-mark lost" : "at-mark" }, mark);
      node.style.left = `${(100 * at) / Math.max(1, this.last)}%`;
      this.nodes.ticks.append(node);
    }
  }
}
