// Opens the games that lie compressed in the page of a report: #game=17.
import { unpack, Viewer } from "./viewer.js";

const template = document.getElementById("viewer");
const watch = document.getElementById("watch");
const report = document.getElementById("whole-report");
let faces = null;
let shown = null;
let viewer = null;

function close() {
  viewer?.close();
  viewer = null;
  shown = null;
  watch.replaceChildren();
  watch.hidden = true;
  report.hidden = false;
}

async function open(number) {
  const packed = document.querySelector(`script[data-game="${number}"]`);
  faces ??= (await unpack(document.getElementById("data").textContent)).faces;
  const data = { faces, ...(await unpack(packed.textContent)) };
  close();
  shown = number;
  watch.append(template.content.cloneNode(true));
  watch.querySelector("h1").textContent = data.title;
  watch.querySelector("header p").textContent = data.where;
  watch.querySelector("#app").hidden = false;
  watch.hidden = false;
  report.hidden = true;
  viewer = new Viewer(data, `game=${number}&`);
}

function follow() {
  const number = Number.parseInt(new URLSearchParams(location.hash.slice(1)).get("game") ?? "", 10);
  const there = document.querySelector(`script[data-game="${number}"]`);
  if (there && number !== shown) open(number);
  else if (!there && shown !== null) close();
}

window.addEventListener("hashchange", follow);
follow();
