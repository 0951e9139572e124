// Finds cards by any words on them.

const find = document.getElementById("find");
const cards = [...document.querySelectorAll(".heroes > li")];
const count = document.getElementById("count");

find.hidden = false;
find.addEventListener("input", () => {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const card of cards) {
    const text = `${card.textContent} ${card.dataset.kinds}`.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
    shown += card.hidden ? 0 : 1;
  }
  count.textContent = `${shown} of ${cards.length} cards`;
});
