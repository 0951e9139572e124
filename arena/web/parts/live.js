// Follows a league that is playing: counts its games, and fetches its report again when there is a newer one.

const report = document.getElementById("report");
const run = encodeURIComponent(report.dataset.run);
const PAUSE = 2000; // milliseconds between two reports
let next = 0;
let waiting = null;

async function refresh() {
  waiting = null;
  next = Date.now() + PAUSE;
  const answer = await fetch(`/runs/${run}/report`);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const open = report.querySelector("details")?.open;
  report.replaceChildren(...fresh.body.childNodes);
  report.dataset.games = answer.headers.get("X-Games");
  if (open) report.querySelector("details").open = true;
}

new EventSource(`/runs/${run}/events`).addEventListener("message", ({ data }) => {
  const news = JSON.parse(data);
  const count = document.getElementById("played");
  if (count) {
    count.textContent = count.textContent.replace(/^[\d,]+/, news.games.toLocaleString("en"));
    document.getElementById("progress").value = news.games;
  }
  if (news.report !== Number(report.dataset.games)) {
    waiting ??= setTimeout(refresh, Math.max(0, next - Date.now()));
  }
});
