// Hands requests of pages below this folder to the page that holds Python, and returns its answers.

const PATIENCE = 5000; // milliseconds until the window of a frame must have spoken

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

function problem(text, status) {
  return new Response(`<!doctype html><html lang="en"><title>Not here</title><p>${text}</p>`, { status, headers: { "content-type": "text/html" } });
}

// The window that holds the frame has its own name, which is in the address of the frame: run/NAME/...
// Every window is asked; the one of that name says so at once, and its Python answers later.
async function answer(request) {
  const scope = new URL(registration.scope);
  const url = new URL(request.url);
  const [name, ...rest] = url.pathname.slice(scope.pathname.length).split("/");
  const body = request.method === "POST" ? await request.text() : "";
  const asked = { name, method: request.method, path: `/${rest.join("/")}`, query: url.search.slice(1), body, base: `${scope.pathname}${name}/` };
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const answered = await new Promise((done) => {
    const giveUp = setTimeout(() => done(null), PATIENCE);
    for (const window of windows) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => (data === "mine" ? clearTimeout(giveUp) : done(data));
      window.postMessage(asked, [port2]);
    }
  });
  if (!answered) return problem("This page has been closed. Start again from the site.", 410);
  const { status, headers, content } = answered;
  if (headers.location) return Response.redirect(new URL(headers.location, scope), status);
  return new Response(content, { status, headers });
}

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.href.startsWith(registration.scope)) event.respondWith(answer(event.request));
});
