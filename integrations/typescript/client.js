import { randomBytes } from "node:crypto";
import { GateKey } from "./proof.js";
import * as wire from "./wire.js";

/** So long a gateway may take to answer what it can answer at once, in milliseconds. Looking at what would be lost is part of that. */
const ANSWER_WITHIN = 30_000;
/** The largest reply that is taken. */
const AT_MOST = 64 * 1024 * 1024;

/** Why there is no answer. None of these is a yes. */
export class CallError extends Error {}

/** There is no gateway. */
export class NoGateway extends CallError {}

/** It did not answer in time, or not whole. What was sent may have arrived. */
export class NoAnswer extends CallError {}

/** Whoever answered is not the gate. */
export class Impostor extends CallError {}

/** The gateway says what is wrong, with a stable `code`. */
export class Problem extends CallError {
  /**
   * @param {string} code
   * @param {string} detail
   * @param {number} status
   */
  constructor(code, detail, status) {
    super(detail);
    this.code = code;
    this.detail = detail;
    this.status = status;
  }
}

/**
 * @typedef {object} Options
 * @property {string} key The key of the agent (`sga1.…`), which a person has made.
 * @property {string} session The session of the agent. The same session finds its questions again.
 * @property {string} [gateKey] The text in the file `gate.pub` of the gateway. Needed wherever there is no TLS.
 * @property {"en" | "zh"} [language] The language in which reasons are told.
 */

/** The routes of a gateway that are for agents, one by one. `Gate` puts them together for a tool that is to run. */
export class Client {
  #origin;
  #host;
  #headers;
  #gateKey;

  /**
   * @param {string} address `http://127.0.0.1:7766` or `https://signoff.example.com`
   * @param {Options} options
   */
  constructor(address, { key, session, gateKey, language = "en" }) {
    const url = new URL(address);
    if (!/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search || url.username) {
      throw new TypeError(`\`${address}\` is no address of a gateway: http://HOST:PORT or https://HOST`);
    }
    if (!gateKey && url.protocol !== "https:") {
      throw new TypeError("without TLS the gate has to prove itself: `gateKey` is the text in its file `gate.pub`");
    }
    for (const [name, value] of Object.entries({ key, session })) {
      if (!value || /[\u0000-\u001f\u007f]/.test(value)) {
        throw new TypeError(`\`${name}\` cannot be sent`);
      }
    }
    this.language = language;
    this.#origin = url.origin;
    this.#host = url.host;
    this.#gateKey = gateKey ? new GateKey(gateKey) : undefined;
    this.#headers = {
      authorization: `Bearer ${key}`,
      // A header is made of bytes, and names are not only in English.
      "signoff-session": Buffer.from(session).toString("latin1"),
      "accept-language": language,
    };
  }

  /** Where it is. */
  get address() {
    return this.#origin;
  }

  /**
   * Asks for something to be done: a verdict at once, or the id of a question to people.
   * @param {wire.NewRequest} request
   * @returns {Promise<wire.Verdict>}
   */
  create(request) {
    return this.#call(wire.CREATE, { body: request });
  }

  /**
   * What has become of a question; held for so many milliseconds (60,000 at most) while nobody has decided.
   * @param {string} id
   * @param {number} [ms]
   * @returns {Promise<wire.Outcome>}
   */
  wait(id, ms = 0) {
    return this.#call(wire.WAIT, { id, query: { wait_ms: Math.max(0, Math.floor(ms)) }, hold: ms });
  }

  /**
   * What was asked for, for whoever comes back to it.
   * @param {string} id
   * @returns {Promise<wire.Asked>}
   */
  operation(id) {
    return this.#call(wire.OPERATION, { id });
  }

  /**
   * Takes a question back.
   * @param {string} id
   * @param {string} [words]
   * @returns {Promise<void>}
   */
  withdraw(id, words = "") {
    return this.#call(wire.WITHDRAW, { id, body: { words } });
  }

  /**
   * States a reason for what a person has refused, once.
   * @param {string} id
   * @param {string} reason
   * @returns {Promise<wire.Reopened>}
   */
  reopen(id, reason) {
    return this.#call(wire.REOPEN, { id, body: { reason } });
  }

  /**
   * Uses a yes, once: right before running.
   * @param {wire.Redemption} redemption
   * @returns {Promise<wire.Redeemed>}
   */
  redeem(redemption) {
    return this.#call(wire.REDEEM, { body: redemption });
  }

  /**
   * Says what became of it.
   * @param {wire.Report} report
   * @returns {Promise<void>}
   */
  report(report) {
    return this.#call(wire.REPORT, { body: report });
  }

  /**
   * @param {wire.Route} route
   * @param {{ id?: string, query?: Record<string, number>, body?: object, hold?: number }} wanted
   * @returns {Promise<any>}
   */
  async #call(route, { id, query = {}, body, hold = 0 }) {
    if (id !== undefined && !/^[A-Za-z0-9_-]+$/.test(id)) {
      throw new Problem("invalid", "`id` names nothing", 0);
    }
    const unknown = Object.keys(query).filter((name) => !route.query.includes(name));
    if (unknown.length > 0) {
      throw new TypeError(`${route.path} knows no ${unknown}`);
    }
    const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const path = route.path.replace("{id}", id ?? "") + (asked.size > 0 ? `?${asked}` : "");
    const nonce = randomBytes(32).toString("hex");
    const reply = await this.#exchange(path, {
      method: route.method,
      headers: {
        ...this.#headers,
        "signoff-nonce": nonce,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Nobody else answers in the place of the gate.
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WITHIN + Math.ceil(hold)),
    });
    if (this.#gateKey && !this.#gateKey.hasSigned({ nonce, host: this.#host, ...reply })) {
      throw new Impostor(`whoever answers at ${this.#origin} is not the gate: its answer has no proof`);
    }
    return believed(route, reply);
  }

  /**
   * @param {string} path
   * @param {RequestInit} request
   */
  async #exchange(path, request) {
    try {
      const response = await fetch(this.#origin + path, request);
      const parts = [];
      let length = 0;
      for await (const part of response.body ?? []) {
        length += part.length;
        if (length > AT_MOST) {
          throw new Error("the reply is too long");
        }
        parts.push(part);
      }
      return { status: response.status, proof: response.headers.get("signoff-proof") ?? "", body: Buffer.concat(parts) };
    } catch (error) {
      const cause = causeOf(error);
      if (cause.code === "ECONNREFUSED" || cause.code === "ENOTFOUND" || cause.code === "UND_ERR_CONNECT_TIMEOUT") {
        throw new NoGateway(`no gateway answers at ${this.#origin} (${cause.message})`, { cause: error });
      }
      throw new NoAnswer(`the gateway did not answer: ${cause.message}`, { cause: error });
    }
  }
}

/**
 * What lies behind an error of `fetch`.
 * @param {unknown} error
 * @returns {{ code?: string, message: string }}
 */
function causeOf(error) {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // Several addresses were tried.
  const first = inner instanceof AggregateError && inner.errors[0] instanceof Error ? inner.errors[0] : inner;
  if (!(first instanceof Error)) {
    return { message: String(first) };
  }
  return { code: "code" in first ? String(first.code) : "", message: first.message || first.name };
}

/**
 * What the gate says, if it is an answer to this.
 * @param {wire.Route} route
 * @param {{ status: number, body: Buffer }} reply
 */
function believed(route, { status, body }) {
  let said;
  try {
    said = body.length > 0 ? JSON.parse(body.toString("utf8")) : undefined;
  } catch (error) {
    throw new NoAnswer("the answer is no JSON", { cause: error });
  }
  const isObject = typeof said === "object" && said !== null && !Array.isArray(said);
  const expected = route.answers[status];
  if (expected !== undefined) {
    if (expected && !isObject) {
      throw new NoAnswer("the answer is no object");
    }
    return said;
  }
  if (status < 400 || !isObject) {
    throw new NoAnswer(`the answer has the status ${status}`);
  }
  throw new Problem(String(said.code ?? ""), String(said.detail ?? ""), status);
}
