// Draws a table: tracks, piles, seats and cards, from the data that `games/forms/picture.py` describes.

const SVG = "http://www.w3.org/2000/svg";
const BACK = -1;
const GAP = -2;
const EDGE = 2; // pixels below the text of a card
const SHORT_WORD = 7; // letters; longer ones are set smaller on a card
const SIZES = ["large", "medium", "small"]; // of cards, in styles

// An element with attributes and children; `on...` attributes are listeners.
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (["hue", "letters", "longest"].includes(name)) node.style.setProperty(`--${name}`, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== ""));
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "hue") node.style.setProperty("--hue", value);
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

// ---- cards --------------------------------------------------------------------------------------

function sign(kind) {
  return svg(
    "svg",
    { class: "sign", viewBox: "0 0 24 24", hue: kind.hue, role: "img", "aria-label": kind.name },
    svg("path", { d: kind.sign, "fill-rule": "evenodd" }),
  );
}

function kindNames(faces, kinds) {
  if (kinds.length > 1 && kinds.length === faces.kinds.length) return "all";
  return kinds.map((kind) => faces.kinds[kind].name).join(" and ");
}

// What a card does to the markers, in signs: each with the letter, and in the colour, of its marker.
function corner(text) {
  const parts = text.replaceAll(" / ", "\u200a/\u200a").split(/([A-Z][+-]\d+x?)/);
  return el(
    "span",
    { class: "corner", letters: Math.max(SHORT_WORD, text.replaceAll(" / ", "/").length) },
    ...parts.map((part, i) => (i % 2 ? el("span", { class: `of-${part[0].toLowerCase()}` }, part) : part)),
  );
}

// `fresh`: it came to its place with the last move.
export function card(faces, number, fresh = false) {
  const news = fresh ? " fresh" : "";
  if (number === GAP) return el("span", { class: "card gap", role: "img", "aria-label": "empty slot" });
  if (number === BACK) {
    return el("span", { class: `card back${news}`, role: "img", "aria-label": "a card face down" });
  }
  const face = faces.cards[number];
  const kinds = face.kinds.map((kind) => faces.kinds[kind]);
  const names = kindNames(faces, face.kinds);
  const words = face.name.split(" ");
  const most = (parts) => Math.max(SHORT_WORD, ...parts.map((part) => part.length));
  const spoken = [face.name, names, face.text].filter(Boolean).join(". ");
  return el(
    "button",
    {
      class: `${kinds.length === 1 ? "card" : "card mixed"}${news}`,
      type: "button",
      hue: kinds.length ? kinds[0].hue : 0,
      "aria-label": spoken,
      "data-card": number,
    },
    el("span", { class: "top" }, ...kinds.map(sign), corner(face.corner)),
    el("span", { class: "name", letters: most(face.name.split(/[\s-]/)), longest: most(words) }, ...words.flatMap((word) => [el("span", {}, word), " "])),
    el("span", { class: "ability" }, face.text),
  );
}

// Which of these cards were not in the same place before, as far as one can see.
function freshCards(cards, before) {
  if (!before) return cards.map(() => false);
  const left = new Map();
  for (const number of before) left.set(number, (left.get(number) ?? 0) + 1);
  return cards.map((number) => {
    const known = left.get(number) ?? 0;
    left.set(number, known - 1);
    return number !== GAP && known <= 0;
  });
}

function cardRow(faces, cards, before) {
  const fresh = freshCards(cards, before);
  return cards.map((number, i) => card(faces, number, fresh[i]));
}

const HOLD = 500; // milliseconds after which a touch is held

// One tip for all cards: shown at the card under the pointer, with the focus, or touched for a while.
export function cardTips(root, faces) {
  const tip = el("div", { class: "tip", role: "tooltip", hidden: true });
  document.body.append(tip);
  const show = (event) => {
    const node = event.target.closest?.("[data-card]");
    if (!node) return;
    const face = faces.cards[Number(node.dataset.card)];
    tip.replaceChildren(
      el("strong", {}, face.name),
      el("span", {}, kindNames(faces, face.kinds)),
      el("p", {}, face.text),
      ...face.rulings.map((ruling) => el("p", { class: "ruling" }, ruling)),
    );
    tip.hidden = false;
    const box = node.getBoundingClientRect();
    const left = Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
    const below = box.bottom + 6;
    const fits = below + tip.offsetHeight < window.innerHeight;
    tip.style.left = `${Math.max(8, left) + window.scrollX}px`;
    tip.style.top = `${(fits ? below : Math.max(8, box.top - tip.offsetHeight - 6)) + window.scrollY}px`;
  };
  const hide = () => { tip.hidden = true; };
  root.addEventListener("mouseover", show);
  root.addEventListener("mouseout", hide);
  root.addEventListener("focusin", show);
  root.addEventListener("focusout", hide);
  root.addEventListener("click", show);
  let timer = null;
  let held = false;
  root.addEventListener("pointerdown", (event) => {
    held = false;
    if (event.pointerType !== "touch") return;
    timer = setTimeout(() => { held = true; show(event); }, HOLD);
  });
  for (const end of ["pointerup", "pointercancel", "pointermove"]) {
    root.addEventListener(end, () => clearTimeout(timer));
  }
  // A card that was held was asked about, not chosen.
  root.addEventListener("click", (event) => { if (held) { event.stopPropagation(); event.preventDefault(); } held = false; }, true);
  root.addEventListener("contextmenu", (event) => { if (held) event.preventDefault(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
}

const fitted = new WeakSet(); // boards whose cards are fitted again when the window changes

// Names that need more lines than their card has are set smaller; of a text, as many whole lines are shown as there is room for.
function fitTexts(root) {
  const room = (node) => node.closest(".card").getBoundingClientRect().bottom - EDGE - node.getBoundingClientRect().top;
  for (const node of root.querySelectorAll(".card .name")) node.style.fontSize = "";
  for (const node of root.querySelectorAll(".card .ability")) node.hidden = false;
  const shown = (selector) => [...root.querySelectorAll(selector)].filter((node) => node.offsetParent);
  const high = shown(".card .name").map((node) => [node, room(node) / node.offsetHeight]).filter(([, share]) => share < 1);
  const sizes = high.map(([node, share]) => share * Number.parseFloat(getComputedStyle(node).fontSize));
  high.forEach(([node], i) => { node.style.fontSize = `${sizes[i]}px`; });
  const texts = shown(".card .ability");
  const line = texts.length ? Number.parseFloat(getComputedStyle(texts[0]).lineHeight) : 1;
  const lines = texts.map((node) => Math.floor(room(node) / line));
  texts.forEach((node, i) => { node.hidden = lines[i] < 1; node.style.setProperty("--lines", lines[i]); });
}

// ---- tracks and piles ---------------------------------------------------------------------------

function track(faces, data, before) {
  const count = data.last - data.first + 1;
  const x = (space) => 2 + (space - data.first) * 40;
  const drawing = svg("svg", {
    viewBox: `0 0 ${count * 40 + 4} 70`,
    role: "img",
    "aria-label": `${data.name}: ${data.markers.map(([name, at]) => `${name} on ${at}`).join(", ")}`,
  });
  drawing.append(
    svg("title", {}, `${data.name}: ${data.zone_name} from ${data.zone[0]} to ${data.zone[1]}`),
    svg("text", { x: (x(data.zone[0]) + x(data.zone[1]) + 40) / 2, y: 12, class: "zone-name" }, data.zone_name),
  );
  for (let space = data.first; space <= data.last; space += 1) {
    const inZone = space >= data.zone[0] && space <= data.zone[1];
    drawing.append(
      svg("rect", { x: x(space), y: 17, width: 40, height: 52, rx: 3, class: inZone ? "space zone" : "space" }),
      svg("text", { x: x(space) + 20, y: 64, class: "number" }, String(space)),
    );
  }
  const crowded = data.markers.length > 1 && data.markers.every(([, at]) => at === data.markers[0][1]);
  const marker = (name, at, ghost, place) => {
    const side = !crowded || ghost ? 20 : 20 + 19 * (place - (data.markers.length - 1) / 2);
    drawing.append(
      svg("circle", { cx: x(at) + side, cy: 35, r: crowded && !ghost ? 9.5 : 13, class: `marker ${name}${ghost ? " ghost" : ""}` }),
      svg("text", { x: x(at) + side, y: 40, class: ghost ? "letter ghost" : "letter" }, name[0].toUpperCase()),
    );
  };
  for (const [name, at] of before?.markers ?? []) {
    const taken = data.markers.some(([, now]) => now === at);
    if (!taken) marker(name, at, true, 0);
  }
  data.markers.forEach(([name, at], place) => marker(name, at, false, place));
  const [ahead, ...why] = data.says.split(": ");
  const words = el("span", {}, el("strong", {}, ahead), why.length ? `: ${why.join(": ")}` : "");
  const kind = faces.kinds[data.kind];
  const says = el("p", { class: "says", ...(kind ? { hue: kind.hue } : {}) }, kind ? sign(kind) : "", words);
  return el("section", { class: "track", "aria-label": data.name }, drawing, says);
}

function pile(faces, data, before) {
  const open = cardRow(faces, data.cards, before?.cards);
  const isStack = data.cards.length < data.size && !data.says;
  const kind = faces.kinds[data.kind];
  return el(
    "section",
    { class: "pile", "aria-label": data.name },
    el("h3", {}, data.name, open.length && isStack ? el("b", {}, ` ${data.size}`) : ""),
    el("div", { class: "cards", "data-pile": data.name }, ...(open.length || data.says ? open : [stackOf(data.size)])),
    data.says ? el("p", { class: "says" }, kind ? sign(kind) : "", data.says) : "",
  );
}

function stackOf(size) {
  if (!size) return el("span", { class: "card gap", role: "img", "aria-label": "empty" });
  return el("span", { class: "card back stack", role: "img", "aria-label": `${size} cards face down` }, el("b", {}, String(size)));
}

// ---- seats --------------------------------------------------------------------------------------

// The odds as a stacked bar; each role has the colours of its kinds, one above the other.
function beliefBar(faces, believer, odds) {
  const sorted = Object.entries(odds).sort((a, b) => b[1] - a[1]);
  const [likely, chance] = sorted[0];
  const words = sorted.map(([role, p]) => `${role} ${Math.round(100 * p)} %`).join(", ");
  const bar = svg("svg", { class: "belief", viewBox: "0 0 100 6", preserveAspectRatio: "none", role: "img", "aria-label": words });
  let left = 0;
  for (const [role, p] of sorted) {
    const kinds = faces.roles[role] ?? [];
    const height = 6 / Math.max(1, kinds.length);
    kinds.forEach((kind, i) => {
      bar.append(svg("rect", { x: left, y: i * height, width: Math.max(0, 100 * p - 0.8), height, hue: faces.kinds[kind].hue }));
    });
    left += 100 * p;
  }
  return el(
    "div",
    { class: "believed", title: words },
    el("small", {}, `${believer} guesses ${likely} ${Math.round(100 * chance)} %`),
    bar,
  );
}

// How near a row is to being full, at a glance.
function pips(count, of) {
  return el("span", { class: "pips", "aria-hidden": "true" }, ...Array.from({ length: of }, (_, i) => el("i", { class: i < count ? "on" : false })));
}

function row(faces, data, before) {
  const { cards, of, name } = data;
  const states = of ? ["row", "counted"] : ["row"];
  if (of && cards.length >= of) states.push("full");
  else if (of && cards.length === of - 1) states.push("near");
  if (cards.length && cards.every((number) => number === BACK)) states.push("backs");
  return el(
    "div",
    { class: states.join(" ") },
    el("h4", {}, `${name} `, el("b", {}, of ? `${cards.length} of ${of}` : String(cards.length)), of ? pips(cards.length, of) : ""),
    el("div", { class: "cards", "data-row": name }, ...cardRow(faces, cards, before?.cards)),
  );
}

function seatPanel(context, table, seat, before) {
  const { faces, seats } = context;
  const data = table.seats[seat];
  const states = [];
  if (table.turn === seat && !table.over) states.push("turn");
  if (table.decides === seat) states.push("decides");
  const marks = [...states];
  if (context.observer === seat) marks.push("own");
  const past = (name) => before?.seats[seat]?.rows.find((each) => each.name === name) ?? (before && { cards: [] });
  const role = data.role
    ? el("span", { class: "role" }, ...(faces.roles[data.role] ?? []).map((kind) => sign(faces.kinds[kind])), ` ${data.role}`)
    : el("span", { class: "role" }, `${context.roleWord} ?`);
  const beliefs = context.beliefs?.[seat] ?? [];
  const chance = context.chances?.[seat];
  return el(
    "article",
    { class: ["seat", ...marks].join(" "), "data-seat": seat, "aria-label": `seat ${seats[seat].letter}, ${seats[seat].name}` },
    el(
      "header",
      {},
      el("h3", {}, el("b", { class: "letter" }, seats[seat].letter), ` ${seats[seat].name}`),
      states.length ? el("span", { class: "state" }, states.includes("decides") ? "▶ decides" : "▷ turn") : "",
      role,
    ),
    data.facts.length ? el("p", { class: "facts" }, data.facts.join(" · ")) : "",
    beliefs.length || chance !== undefined
      ? el(
        "div",
        { class: "beliefs" },
        chance === undefined ? "" : el("small", { class: `chance key line${seat}`, title: "its own estimate of its chance to win" }, `wins ${Math.round(100 * chance)} %`),
        ...beliefs.map(([believer, odds]) => beliefBar(faces, seats[believer].letter, odds)),
      )
      : "",
    el("div", { class: "rows" }, ...data.rows.map((each) => row(faces, each, past(each.name)))),
  );
}

// In turn order, the observing seat last.
function seatOrder(context, table) {
  const count = table.seats.length;
  const start = Math.max(-1, context.observer ?? -1) + 1;
  return table.seats.map((_, i) => (start + i) % count);
}

// `context`: faces, seats, roleWord, the observing seat and, for each seat, what others believe of it.
export function drawTable(root, context, table, before) {
  if (table.text) {
    root.replaceChildren(el("pre", {}, table.text));
    return;
  }
  root.dataset.size ??= "medium";
  if (!fitted.has(root)) window.addEventListener("resize", () => fitTexts(root));
  fitted.add(root);
  const pastPile = (name) => before?.piles.find((each) => each.name === name) ?? (before && { cards: [] });
  root.replaceChildren(
    el(
      "div",
      { class: "band" },
      ...table.tracks.map((each, i) => track(context.faces, each, before?.tracks[i])),
      el("div", { class: "piles" }, ...table.piles.map((each) => pile(context.faces, each, pastPile(each.name)))),
    ),
    el(
      "div",
      { class: "seats", "data-seats": table.seats.length - ((context.observer ?? -1) >= 0 ? 1 : 0) },
      ...seatOrder(context, table).map((seat) => seatPanel(context, table, seat, before)),
    ),
  );
  fitTexts(root);
}

// Chooses the largest cards with which the fullest of the tables fits the height; for the whole game, so that nothing jumps.
export function fitCards(root, context, tables, height) {
  const inRows = (table) => (table.seats ?? []).reduce((sum, seat) => sum + seat.rows.reduce((all, each) => all + each.cards.length, 0), 0);
  const fullest = tables.reduce((most, table) => (inRows(table) > inRows(most) ? table : most));
  for (const size of SIZES) {
    root.dataset.size = size;
    drawTable(root, context, fullest, null);
    if (root.offsetHeight <= height) return;
  }
}
