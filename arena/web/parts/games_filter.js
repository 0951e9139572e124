// Shows only the games of a list with the words that are typed.

const field = document.getElementById("filter");
if (field) {
  const rows = [...document.querySelectorAll("table.games tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const found = document.getElementById("found");
  field.closest("p").hidden = false;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      count += row.hidden ? 0 : 1;
    });
    found.textContent = `${count} games`;
  });
}
