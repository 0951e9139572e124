// The form that starts a game.

const form = document.getElementById("start");
const problem = document.getElementById("problem");
const { game, players } = form.elements;

// Every game has its own numbers of players: a number that it does not have becomes the nearest.
function fitPlayers() {
  const { least, most } = game.selectedOptions[0].dataset;
  document.getElementById("counts").textContent = `Players, ${least} to ${most}`;
  players.min = least;
  players.max = most;
  if (players.value) players.value = Math.min(Math.max(players.value, least), most);
}

game.addEventListener("change", fitPlayers);
addEventListener("pageshow", fitPlayers); // the browser may have restored an earlier choice

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await fetch("/play/new", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  });
  const { address, problem: what } = await answer.json();
  if (address) location.href = address;
  problem.textContent = what ?? "";
  problem.hidden = !what;
});
