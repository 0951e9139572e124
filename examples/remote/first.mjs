// A bot in another language: Node, without packages. It plays a hero whenever it can.
//
// arena match 'cmd:node examples/remote/first.mjs' random greedy
//
// docs/protocol.md describes the messages. This bot ignores events; a bot that wants to know the
// table follows them, see docs/formats.md.

import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

let state = 0;
const below = (n) => {
  // Our own generator, seeded by the arena: the same seed, the same game.
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
};

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    state = message.seed % 2 ** 32;
    send({ type: "ready", protocol: 1, name: "first" });
  } else if (message.type === "choose") {
    const plays = message.moves.filter(({ text }) => text.startsWith("play "));
    const moves = plays.length > 0 ? plays : message.moves;
    const { move } = moves[below(moves.length)];
    send({ type: "move", decision: message.decision, move });
  } else if (message.type === "fault") {
    console.error("the arena reports:", message.problem);
  }
}
