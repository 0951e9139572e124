// Runs Python for the pages of the site, in a worker of its own: pages stay responsive while it thinks.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const HOME = "/home/pyodide";
let python = null;
let turn = Promise.resolve();

async function start() {
  const report = (text) => postMessage({ text });
  report("Loading Python ...");
  const fetched = fetch(new URL("./engine.zip", import.meta.url)); // at the same time
  python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href, stdout: () => {} });
  report("Loading the games ...");
  const archive = await fetched;
  if (!archive.ok) throw new Error(`engine.zip: ${archive.status}`);
  python.unpackArchive(await archive.arrayBuffer(), "zip", { extractDir: "/engine" });
  // What is kept about the visitor (puzzles solved) stays in their browser.
  python.FS.mount(python.FS.filesystems.IDBFS, {}, HOME);
  await saved(true);
  report("Starting the engine ...");
  await python.runPythonAsync(`
import os, sys
os.environ["ARENA_PURE"] = "1"
os.environ["HOME"] = "${HOME}"
sys.dont_write_bytecode = True
sys.path.insert(0, "/engine")
from arena.web.site.in_browser import answer, app
app()
`);
  postMessage({ ready: true });
}

function saved(load = false) {
  return new Promise((done) => python.FS.syncfs(load, () => done()));
}

async function answer({ method, path, query, body, base }, port) {
  try {
    await started;
    const call = python.globals.get("answer");
    port.postMessage(JSON.parse(await call(method, path, query, body, base)));
    if (method === "POST") await saved();
  } catch (error) {
    const problem = String(error.message ?? error).trim().split("\n").at(-1);
    port.postMessage({ status: 500, headers: { "content-type": "application/json" }, content: JSON.stringify({ problem }) });
  }
}

const started = start();
started.catch((error) => postMessage({ problem: String(error.message ?? error) }));

// One request after the other: the interpreter has one thread.
addEventListener("message", ({ data, ports }) => {
  turn = turn.then(() => answer(data, ports[0]));
});
