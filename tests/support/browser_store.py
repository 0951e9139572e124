"""Files that Python keeps in a visitor's browser, in the store of Emscripten's IDBFS."""

from __future__ import annotations

from playwright.sync_api import Page

_HOME = "/home/pyodide"
_STORE = f"""
  const opened = indexedDB.open("{_HOME}", 21);
  const answered = (request) => new Promise((done, failed) => {{
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  }});
  const store = async (mode) =>
    (await answered(opened)).transaction("FILE_DATA", mode).objectStore("FILE_DATA");
"""
_WRITE = f"""async ([file, text]) => {{{_STORE}
  opened.onupgradeneeded = () =>
    opened.result.createObjectStore("FILE_DATA").createIndex("timestamp", "timestamp");
  const files = await store("readwrite");
  const timestamp = new Date();
  const folders = file.split("/").slice(0, -1);
  for (let depth = 4; depth <= folders.length; depth += 1) {{
    files.put({{ timestamp, mode: 0o40777 }}, folders.slice(0, depth).join("/"));
  }}
  const contents = new TextEncoder().encode(text);
  await answered(files.put({{ timestamp, mode: 0o100666, contents }}, file));
  opened.result.close();
}}"""
_READ = f"""async (file) => {{{_STORE}
  const found = await answered((await store("readonly")).get(file));
  opened.result.close();
  return found ? new TextDecoder().decode(found.contents) : null;
}}"""


def write_kept_file(page: Page, path: str, text: str) -> None:
    """Leave a file in the visitor's home folder; the page must be one of the site."""
    page.evaluate(_WRITE, [f"{_HOME}/{path}", text])


def read_kept_file(page: Page, path: str) -> str:
    """A file of the visitor's home folder."""
    found = page.evaluate(_READ, f"{_HOME}/{path}")
    assert found is not None, f"no {path} is kept"
    return str(found)
