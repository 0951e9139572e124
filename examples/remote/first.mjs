// A bot in another language: Node, without packages. It plays a hero whenever it can.
//
// arena match 'cmd:node examples/remote/first.mjs' random greedy
//
// The protocol is on one page: docs/protocol.md. Events are not needed here; a bot that wants to know
// the table follows them, see docs/formats.md.

import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

let dice = 0;
const below = (n) => {
  // A generator of our own, seeded by the arena: the same seed, the same game.
  dice = (Math.imul(dice, 1664525) + 1013904223) >>> 0;
  return Math.floor((dice / 2 ** 32) * n);
};

for await (const line of createInterface({ input: process.stdin })) {
  const heard = JSON.parse(line);
  if (heard.type === "hello") {
    dice = heard.seed % 2 ** 32;
    say({ type: "ready", protocol: 1, name: "first" });
  } else if (heard.type === "choose") {
    const plays = heard.moves.filter(({ text }) => text.startsWith("play "));
    const wanted = plays.length > 0 ? plays : heard.moves;
    const { move } = wanted[below(wanted.length)];
    say({ type: "move", decision: heard.decision, move });
  } else if (heard.type === "fault") {
    console.error("the arena says:", heard.problem);
  }
}
