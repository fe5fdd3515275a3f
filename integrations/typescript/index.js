/** Ask Signoff before a tool runs. */

export { Client, CallError, Impostor, NoAnswer, NoGateway, Problem } from "./client.js";
export { Gate, Refused } from "./gate.js";
/** @typedef {import("./client.js").Options} ClientOptions */
/** @typedef {import("./gate.js").Options} GateOptions */
/** @typedef {import("./gate.js").Call} Call */
/** @typedef {import("./gate.js").Settled} Settled */
/** @typedef {import("./gate.js").Why} Why */
