// Opens the game of a page that holds one.
import { unpack, Viewer } from "./viewer.js";

unpack(document.getElementById("data").textContent).then((data) => {
  document.getElementById("app").hidden = false;
  new Viewer(data);
});
