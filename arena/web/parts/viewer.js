// The page of one saved game: step through it, through all eyes or those of one seat.
import { cardTips, drawTable, el, svg } from "./board.js";

const SECONDS_PER_MOVE = 0.9;

async function unpack(text) {
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

class Viewer {
  constructor(data) {
    this.data = data;
    this.views = data.views.map((view) => ({ ...view, tables: allTables(view.frames) }));
    this.at = 0;
    this.view = this.views[0];
    this.timer = null;
    this.nodes = Object.fromEntries(
      [...document.querySelectorAll("[id]")].map((node) => [node.id, node]),
    );
    this.controls();
    this.readAddress();
    cardTips(this.nodes.board, data.faces);
    window.addEventListener("hashchange", () => this.readAddress());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get last() { return this.view.tables.length - 1; }

  name(seat) { return `${this.data.seats[seat].letter} (${this.data.seats[seat].name})`; }

  viewName(view) { return view.seat < 0 ? "all" : this.data.seats[view.seat].letter; }

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
    for (const view of this.views) {
      const label = view.seat < 0 ? "everything" : `as ${this.data.seats[view.seat].letter}`;
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
    history.replaceState(null, "", `#at=${this.at}&view=${this.viewName(this.view)}`);
    this.draw();
  }

  // ---- drawing ----------------------------------------------------------------------------------

  draw() {
    const { nodes, view, at, data } = this;
    const context = { ...data, beliefs: this.beliefs(), observer: view.seat };
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
    this.drawMoves();
    this.drawThoughts();
    this.drawCurves();
  }

  statusLine() {
    if (!this.at) return `Before the first of ${this.last} moves.`;
    const move = this.view.moves[this.at - 1];
    const news = move.news ? ` (${move.news.join("; ")})` : "";
    const end = this.at === this.last ? ` ${this.data.result.join(" ")}` : "";
    return `Move ${this.at} of ${this.last}: ${this.name(move.seat)}: ${move.text}${news}.${end}`;
  }

  // For each seat, what the others last said they believe about its role.
  beliefs() {
    const about = this.data.seats.map(() => new Map());
    for (const move of this.view.moves.slice(0, this.at)) {
      for (const [letter, odds] of Object.entries(move.belief ?? {})) {
        const seat = this.data.seats.findIndex((each) => each.letter === letter);
        if (seat >= 0 && typeof odds === "object") about[seat].set(move.seat, odds);
      }
    }
    return about.map((each) => [...each.entries()].sort((a, b) => a[0] - b[0]));
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
        const news = move.news ? el("small", {}, ` ${move.news.join("; ")}`) : "";
        items.push(
          el(
            "button",
            { type: "button", "data-at": i + 1, onclick: () => { this.pause(); this.go(i + 1); } },
            el("span", { class: "n" }, String(i + 1)),
            el("span", {}, el("b", {}, this.data.seats[move.seat].letter), ` ${move.text}`, news),
          ),
        );
      });
      nodes.moves.replaceChildren(...items);
    }
    for (const old of nodes.moves.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const current = nodes.moves.querySelector(`[data-at="${this.at}"]`);
    if (current) {
      current.setAttribute("aria-current", "true");
      const list = nodes.moves;
      const top = current.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 60) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    }
  }

  // What the player of the next move thought of it.
  drawThoughts() {
    const move = this.view.moves[this.at];
    const { thoughts } = this.nodes;
    thoughts.replaceChildren();
    if (!move || !(move.candidates || move.reason)) return;
    thoughts.append(el("h2", {}, `What ${this.name(move.seat)} thinks`));
    if (move.reason) thoughts.append(el("p", {}, move.reason));
    const most = Math.max(1, ...(move.candidates ?? []).map(([, visits]) => visits));
    for (const [text, visits, value] of (move.candidates ?? []).slice(0, 6)) {
      const share = visits > 0 && value >= 0 && value <= 1;
      const worth = share ? `wins ${Math.round(100 * value)} %` : `value ${value}`;
      const numbers = visits ? `${worth}, ${visits} visits` : worth;
      const bar = svg("svg", { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" });
      bar.append(svg("rect", { x: 0, y: 0, height: 6, width: visits ? (100 * visits) / most : 0 }));
      thoughts.append(
        el("div", { class: text === move.text ? "candidate chosen" : "candidate" }, el("span", {}, text), el("small", {}, numbers), bar),
      );
    }
  }

  // Each seat's own estimate of its chance to win, where its player gave one.
  drawCurves() {
    const { curves } = this.nodes;
    const lines = this.data.seats.map(() => []);
    this.view.moves.forEach((move, i) => {
      const best = move.candidates?.find(([text, visits]) => text === move.text && visits > 0);
      if (best && best[2] >= 0 && best[2] <= 1) lines[move.seat].push([i, best[2]]);
    });
    curves.replaceChildren();
    if (!lines.some((line) => line.length > 1)) return;
    const drawing = svg("svg", { viewBox: `0 0 ${this.last} 100`, preserveAspectRatio: "none", role: "img", "aria-label": "Chance to win as each player estimates it, over the moves" });
    drawing.append(svg("line", { x1: 0, x2: this.last, y1: 50, y2: 50, class: "middle" }));
    lines.forEach((line, seat) => {
      if (line.length > 1) {
        drawing.append(svg("polyline", { points: line.map(([x, y]) => `${x},${100 - 100 * y}`).join(" "), class: `line line${seat}` }));
      }
    });
    drawing.append(svg("line", { x1: this.at, x2: this.at, y1: 0, y2: 100, class: "now" }));
    drawing.addEventListener("click", (event) => {
      const box = drawing.getBoundingClientRect();
      this.pause();
      this.go(Math.round(((event.clientX - box.left) / box.width) * this.last));
    });
    const legend = el("p", { class: "legend" });
    lines.forEach((line, seat) => {
      if (line.length > 1) legend.append(el("span", { class: `key line${seat}` }, this.name(seat)));
    });
    curves.append(el("h2", {}, "Own estimate of the chance to win"), drawing, legend);
  }
}

unpack(document.getElementById("data").textContent).then((data) => {
  document.getElementById("app").hidden = false;
  new Viewer(data);
});
