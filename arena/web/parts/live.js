// Follows a league that is playing: fetches its report again when games were added.

const report = document.getElementById("report");
const run = encodeURIComponent(report.dataset.run);
const PAUSE = 2000; // milliseconds between two reports
let next = 0;
let waiting = null;

async function refresh() {
  waiting = null;
  const answer = await fetch(`/runs/${run}/report`);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const open = report.querySelector("details")?.open;
  report.replaceChildren(...fresh.body.childNodes);
  if (open) report.querySelector("details").open = true;
  next = Date.now() + PAUSE;
}

new EventSource(`/runs/${run}/events`).addEventListener("message", () => {
  waiting ??= setTimeout(refresh, Math.max(0, next - Date.now()));
});
