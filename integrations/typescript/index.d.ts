/** Ask Signoff before a tool runs. */
export { Client, CallError, Impostor, NoAnswer, NoGateway, Problem } from "./client.js";
export { Gate, Refused } from "./gate.js";
export type ClientOptions = import("./client.js").Options;
export type GateOptions = import("./gate.js").Options;
export type Call = import("./gate.js").Call;
export type Settled = import("./gate.js").Settled;
export type Why = import("./gate.js").Why;
/** @typedef {import("./client.js").Options} ClientOptions */
/** @typedef {import("./gate.js").Options} GateOptions */
/** @typedef {import("./gate.js").Call} Call */
/** @typedef {import("./gate.js").Settled} Settled */
/** @typedef {import("./gate.js").Why} Why */
