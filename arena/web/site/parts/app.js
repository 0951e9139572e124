// The page around play and puzzles: starts Python in a worker and shows the pages that it answers.

const status = document.getElementById("status");
const frame = document.getElementById("frame");
const root = new URL("./run/", import.meta.url);

function say(text) {
  status.textContent = text;
  status.hidden = !text;
}

function show(base) {
  const wanted = location.hash.slice(1).replace(/^\//, "") || "play";
  const address = new URL(wanted, base);
  // Only pages below the frame's own folder are shown in it.
  frame.src = address.href.startsWith(base.href) ? address.href : new URL("play", base).href;
}

async function begin() {
  if (!("serviceWorker" in navigator)) {
    say("This page needs a service worker, which browsers allow only at https:// addresses and at localhost.");
    return;
  }
  // The name in the frame's addresses tells the service worker which window they belong to.
  const name = crypto.randomUUID().slice(0, 8);
  const base = new URL(`${name}/`, root);
  const python = new Worker(new URL("./python_worker.js", import.meta.url), { type: "module" });
  python.addEventListener("error", (event) => say(`Python could not be started: ${event.message || "see the console"}`));
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (data.name !== name) return;
    ports[0].postMessage("mine");
    python.postMessage(data, [ports[0]]);
  });
  navigator.serviceWorker.startMessages();
  const registered = await navigator.serviceWorker.register(new URL("service_worker.js", root), { scope: root.pathname });
  await new Promise((done) => {
    if (registered.active) { done(); return; }
    const coming = registered.installing ?? registered.waiting;
    coming.addEventListener("statechange", () => { if (coming.state === "activated") done(); });
  });
  python.addEventListener("message", ({ data }) => {
    if (data.problem) say(`Python could not be started: ${data.problem}`);
    else if (data.text) say(`${data.text} (the first time about 14 MB; everything runs in your browser)`);
    else if (data.ready) show(base);
  });
  frame.addEventListener("load", () => {
    const { pathname, search } = frame.contentWindow.location;
    if (!pathname.startsWith(base.pathname)) return;
    say("");
    frame.hidden = false;
    document.title = frame.contentDocument.title;
    history.replaceState(null, "", `#/${pathname.slice(base.pathname.length)}${search}`);
    for (const link of document.querySelectorAll("nav a[data-page]")) {
      const here = pathname.slice(base.pathname.length).startsWith(link.dataset.page);
      if (here) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    }
  });
  for (const link of document.querySelectorAll("nav a[data-page]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (!frame.hidden) frame.src = new URL(link.dataset.page, base).href;
      else location.hash = `#/${link.dataset.page}`;
    });
  }
}

begin().catch((error) => say(`That did not work: ${error.message}`));
