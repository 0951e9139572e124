// Draws a table: tracks, piles, seats and cards, from the data that `games/picture.py` describes.

const SVG = "http://www.w3.org/2000/svg";
const BACK = -1;
const GAP = -2;

// An element with attributes and children; `on...` attributes are listeners.
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "hue") node.style.setProperty("--hue", value);
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

export function card(faces, number) {
  if (number === GAP) return el("span", { class: "card gap", role: "img", "aria-label": "empty slot" });
  if (number === BACK) {
    return el("span", { class: "card back", role: "img", "aria-label": "a card face down" });
  }
  const face = faces.cards[number];
  const kinds = face.kinds.map((kind) => faces.kinds[kind]);
  const names = kindNames(faces, face.kinds);
  const spoken = [face.name, names, face.text].filter(Boolean).join(". ");
  return el(
    "button",
    {
      class: kinds.length === 1 ? "card" : "card mixed",
      type: "button",
      hue: kinds.length ? kinds[0].hue : 0,
      "aria-label": spoken,
      "data-card": number,
    },
    el("span", { class: "top" }, ...kinds.map(sign), el("span", { class: "corner" }, face.corner)),
    el("span", { class: "name" }, face.name),
    el("span", { class: "ability" }, face.text),
  );
}

// One tip for all cards: shown at the card under the pointer or with the focus.
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
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
}

// ---- tracks and piles ---------------------------------------------------------------------------

function track(faces, data, before) {
  const count = data.last - data.first + 1;
  const x = (space) => 2 + (space - data.first) * 40;
  const drawing = svg("svg", {
    viewBox: `0 0 ${count * 40 + 4} 62`,
    role: "img",
    "aria-label": `${data.name}: ${data.markers.map(([name, at]) => `${name} on ${at}`).join(", ")}`,
  });
  for (let space = data.first; space <= data.last; space += 1) {
    const inZone = space >= data.zone[0] && space <= data.zone[1];
    drawing.append(
      svg("rect", { x: x(space), y: 2, width: 40, height: 58, class: inZone ? "space zone" : "space" }),
      svg("text", { x: x(space) + 20, y: 56, class: "number" }, String(space)),
    );
  }
  const together = {};
  const marker = (name, at, ghost) => {
    const shift = ghost ? 0 : 13 * (together[at] ?? 0);
    if (!ghost) together[at] = (together[at] ?? 0) + 1;
    const left = x(at) + (data.markers.every(([, other]) => other === at) && !ghost ? 13 : 20) + shift;
    drawing.append(
      svg("circle", { cx: left, cy: 22, r: 11, class: `marker ${name}${ghost ? " ghost" : ""}` }),
      svg("text", { x: left, y: 27, class: ghost ? "letter ghost" : "letter" }, name[0].toUpperCase()),
    );
  };
  for (const [name, at] of before?.markers ?? []) {
    if (!data.markers.some(([other, now]) => other === name && now === at)) marker(name, at, true);
  }
  for (const [name, at] of data.markers) marker(name, at, false);
  const says = el("p", { class: "says" }, data.says);
  if (data.kind >= 0) says.prepend(sign(faces.kinds[data.kind]), " ");
  return el("section", { class: "track", "aria-label": data.name }, drawing, says);
}

function pile(faces, data) {
  const open = data.cards.map((number) => card(faces, number));
  const stack = data.cards.length < data.size && !data.says;
  return el(
    "section",
    { class: "pile" },
    el("h3", {}, data.name, stack || !data.cards.length ? el("b", {}, data.says ? "" : ` ${data.size}`) : ""),
    el("div", { class: "cards" }, ...(open.length || data.says ? open : [stackOf(data.size)])),
    data.says ? el("p", { class: "says" }, data.says) : "",
  );
}

function stackOf(size) {
  if (!size) return el("span", { class: "card gap", role: "img", "aria-label": "empty" });
  return el("span", { class: "card back", role: "img", "aria-label": `${size} cards face down` });
}

// ---- seats --------------------------------------------------------------------------------------

function beliefBar(faces, believer, odds) {
  const sorted = Object.entries(odds).sort((a, b) => b[1] - a[1]);
  const [likely, chance] = sorted[0];
  const words = sorted.map(([role, p]) => `${role} ${Math.round(100 * p)} %`).join(", ");
  const bar = svg("svg", { class: "belief", viewBox: "0 0 100 6", preserveAspectRatio: "none", role: "img", "aria-label": words });
  let left = 0;
  const roles = Object.keys(faces.roles);
  for (const [role, p] of sorted) {
    const hue = (360 * roles.indexOf(role)) / roles.length;
    bar.append(svg("rect", { x: left, y: 0, width: Math.max(0, 100 * p - 0.6), height: 6, hue }));
    left += 100 * p;
  }
  return el(
    "div",
    { class: "believed", title: words },
    el("small", {}, `${believer}: ${likely} ${Math.round(100 * chance)} %`),
    bar,
  );
}

function row(faces, data) {
  const count = data.of ? `${data.cards.length} of ${data.of}` : String(data.cards.length);
  return el(
    "div",
    { class: `row ${data.of && data.cards.length >= data.of ? "full" : ""}` },
    el("h4", {}, `${data.name} `, el("b", {}, count)),
    el("div", { class: "cards", "data-row": data.name }, ...data.cards.map((number) => card(faces, number))),
  );
}

function seatPanel(context, table, seat) {
  const { faces, seats } = context;
  const data = table.seats[seat];
  const states = [];
  if (table.turn === seat && !table.over) states.push("turn");
  if (table.decides === seat) states.push("decides");
  const role = data.role
    ? el("span", { class: "role" }, ...(faces.roles[data.role] ?? []).map((kind) => sign(faces.kinds[kind])), ` ${data.role}`)
    : el("span", { class: "role" }, `${context.roleWord} ?`);
  const beliefs = context.beliefs?.[seat] ?? [];
  return el(
    "article",
    { class: ["seat", ...states].join(" "), "data-seat": seat, "aria-label": `seat ${seats[seat].letter}, ${seats[seat].name}` },
    el(
      "header",
      {},
      el("h3", {}, el("b", { class: "letter" }, seats[seat].letter), ` ${seats[seat].name}`),
      states.length ? el("span", { class: "state" }, states.includes("decides") ? "▶ decides" : "▷ turn") : "",
      role,
    ),
    data.facts.length ? el("p", { class: "facts" }, data.facts.join(" · ")) : "",
    ...beliefs.map(([believer, odds]) => beliefBar(faces, seats[believer].letter, odds)),
    ...data.rows.map((each) => row(faces, each)),
  );
}

// In turn order, the observing seat last.
function seatOrder(context, table) {
  const count = table.seats.length;
  const start = (context.observer ?? -1) + 1;
  return table.seats.map((_, i) => (start + i) % count);
}

// `context`: faces, seats, roleWord, the observing seat and, for each seat, what others believe of it.
export function drawTable(root, context, table, before) {
  if (table.text) {
    root.replaceChildren(el("pre", {}, table.text));
    return;
  }
  root.replaceChildren(
    ...table.tracks.map((each, i) => track(context.faces, each, before?.tracks[i])),
    el("div", { class: "piles" }, ...table.piles.map((each) => pile(context.faces, each))),
    el("div", { class: "seats" }, ...seatOrder(context, table).map((seat) => seatPanel(context, table, seat))),
  );
}
