// The form that starts a game.

const form = document.getElementById("start");
const problem = document.getElementById("problem");

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
