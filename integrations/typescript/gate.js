import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { CallError, Impostor, NoAnswer, NoGateway, Problem } from "./client.js";
import { WORDS } from "./words.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./wire.js").Operation} Operation */

/** So long one call waits at the gateway; then it asks again. All times are in milliseconds. */
const WAIT_AT_ONCE = 25_000;
/** How often a gateway that has gone away is looked for. */
const TRY_EVERY = 500;
/** So many questions can take the place of one another. */
const FOLLOWED = 16;
/** So long a report is tried: the model waits for the result of the tool meanwhile. */
const REPORT_WITHIN = 5_000;
/** The most that is told about a failure. */
const WORDS_AT_MOST = 500;

/**
 * Why a tool must not run: a person said no (`denied`), nobody can say yes (`blocked`), nobody has answered within `hold` and the question stays
 * open (`timeout`), the time that the gate gives is over (`expired`), the question was taken back (`withdrawn`), a person has approved
 * another form (`changed`), it is no longer what was shown (`stale`), the same call was let go before (`used`), a backup is wanted first
 * (`backup`), there is no gateway or it went away (`unreachable`), whoever answers is not the gate (`impostor`), or anything else (`unknown`).
 * @typedef {"denied" | "blocked" | "timeout" | "expired" | "withdrawn" | "changed" | "stale" | "used" | "backup" | "unreachable" | "impostor" | "unknown"} Why
 */

/** The tool must not run, and has not. `words` are for the model; `why` tells the cases apart; `approval` is the question. */
export class Refused extends Error {
  /**
   * @param {Why} why
   * @param {string} words
   * @param {string} [approval]
   */
  constructor(why, words, approval) {
    super(words);
    // Frameworks put it before the words, and a time-out is not to be told as a refusal.
    this.name = "Signoff";
    this.why = why;
    this.words = words;
    this.approval = approval;
  }
}

/**
 * A tool call, as the model wants it.
 * @typedef {object} Call
 * @property {string} tool
 * @property {Record<string, unknown>} args
 * @property {string} [id] The id that the model's provider gave this call. The same id finds the same question again, also after a restart.
 * @property {Record<string, unknown>} [schema] The schema of the tool: a yes is for the tool that it describes.
 * @property {import("./wire.js").Hints} [hints] What the tool says about itself. That can make a call graver and never milder.
 * @property {Operation} [operation] What the call really is, where the gate can read that: a shell text or a file. Then a changed form cannot be run.
 */

/**
 * What was decided: the arguments that may run, and the permit for them where a person was asked.
 * @typedef {object} Settled
 * @property {Record<string, unknown>} args
 * @property {string} [permit]
 * @property {string} [approval]
 * @property {boolean} changed Whether a person has changed the arguments.
 */

/**
 * @typedef {object} Options
 * @property {string} [cwd] Where the tools work.
 * @property {number} [hold] How long a call is held, in milliseconds; without it, until the gate itself gives up on the question.
 * @property {number} [patience] How long a gateway that has gone away is looked for, in milliseconds.
 * @property {Record<string, string>} [environment] The variables that matter: a yes is for these.
 */

/**
 * Lets the calls of one agent session through: asked about, waited for, let go once, reported. `run` is all of it. A framework that decides
 * first and runs later calls `settle` for the first half and `run` for the second.
 */
export class Gate {
  #client;
  #cwd;
  #hold;
  #patience;
  #environment;
  /** What was settled and has not run yet. @type {Map<string, Settled>} */
  #settled = new Map();
  /** The keys of questions that were left open, by what they were about: a model that tries again makes a call with another id. @type {Map<string, string>} */
  #leftOpen = new Map();
  /** The keys of calls that found such a question. @type {Map<string, string>} */
  #found = new Map();

  /**
   * @param {Client} client
   * @param {Options} [options]
   */
  constructor(client, { cwd = process.cwd(), hold, patience = 30_000, environment = {} } = {}) {
    this.#client = client;
    this.#cwd = cwd;
    this.#hold = hold;
    this.#patience = patience;
    this.#environment = environment;
  }

  /**
   * Asks, without waiting: whether nobody has to be asked. Throws `Refused`.
   * @param {Call} call
   */
  async isFree(call) {
    return (await this.#look(call)) === undefined;
  }

  /**
   * Asks and waits, and remembers a yes for `run`. Throws `Refused`.
   * @param {Call} call
   * @returns {Promise<Settled>}
   */
  async settle(call) {
    const settled = await this.#settle(call);
    if (settled.permit !== undefined) {
      this.#settled.set(this.#key(call), settled);
    }
    return settled;
  }

  /**
   * Asks, waits, uses the yes up, calls the function with what was approved, and reports. Throws `Refused`, and then the function was not
   * called. Arguments that a person has changed are run only with `edits`.
   * @template T
   * @param {Call} call
   * @param {(args: Record<string, unknown>) => T | PromiseLike<T>} tool
   * @param {{ edits?: boolean }} [options]
   * @returns {Promise<T>}
   */
  async run(call, tool, { edits = false } = {}) {
    const settled = await this.#letGo(call, edits);
    try {
      const result = await tool(settled.args);
      await this.#report(settled, true, "");
      return result;
    } catch (error) {
      await this.#report(settled, false, String(error));
      throw error;
    }
  }

  /**
   * @param {Call} call
   * @param {boolean} edits
   */
  async #letGo(call, edits) {
    const key = this.#key(call);
    let settled = this.#settled.get(key);
    this.#settled.delete(key);
    if (!settled) {
      settled = await this.#settle(call);
      if (settled.changed && !edits) {
        throw this.changed(settled.approval, settled.args);
      }
    } else if (!isDeepStrictEqual(settled.args, plain(call.args))) {
      // It was settled before, and whoever carries the call since then has made something else of it.
      throw this.#refused("changed", "another", settled.approval);
    }
    if (settled.permit !== undefined) {
      await this.#redeem(call, settled.permit, settled.approval);
    }
    // What no JSON can say, such as a date, is run as the framework has it.
    return settled.changed ? settled : { ...settled, args: call.args };
  }

  /**
   * Asks. Gives the id of the question to people, and none where nobody has to be asked.
   * @param {Call} call
   */
  async #look(call) {
    const key = this.#askedAs(call);
    const { tool, hints = {}, schema = null } = call;
    const operation = call.operation ?? { kind: /** @type {const} */ ("tool"), tool, args: plain(call.args), hints };
    const request = { key, operation, cwd: this.#cwd, environment: this.#environment, schema };
    const verdict = await this.#create(request);
    switch (verdict.verdict) {
      case "allow":
        return undefined;
      case "block": {
        const [safer] = verdict.safer ?? [];
        const reason = verdict.reason ?? "";
        const why = safer === undefined ? reason : this.#said("instead", { why: reason, safer });
        throw this.#refused("blocked", "blocked", undefined, { why });
      }
      default:
        if (verdict.verdict !== "ask" || !verdict.approval) {
          throw this.#refused("unknown", "unknown", undefined, { cause: `verdict ${verdict.verdict}` });
        }
        return verdict.approval;
    }
  }

  /** @param {import("./wire.js").NewRequest} request */
  async #create(request) {
    /** @type {number | undefined} */
    let end;
    for (;;) {
      try {
        return await this.#client.create(request);
      } catch (error) {
        // Where nobody is there, that is told at once. What was cut off may have been heard, and is asked again under its key.
        const now = performance.now();
        end ??= error instanceof NoAnswer ? now + this.#patience : now;
        if (!isLost(error) || now >= end) {
          throw this.#failed(error);
        }
        await sleep(TRY_EVERY);
      }
    }
  }

  /**
   * Asks, and waits for people.
   * @param {Call} call
   * @returns {Promise<Settled>}
   */
  async #settle(call) {
    let id = await this.#look(call);
    if (id === undefined) {
      return { args: call.args, changed: false };
    }
    const end = this.#hold === undefined ? Infinity : performance.now() + this.#hold;
    /** @type {number | undefined} */
    let lost;
    for (let followed = 0; ; ) {
      let outcome;
      try {
        outcome = await this.#client.wait(id, Math.min(WAIT_AT_ONCE, Math.max(0, end - performance.now())));
      } catch (error) {
        const now = performance.now();
        if (isLost(error)) {
          // It may come back, with the question: nothing is lost when a gateway dies.
          lost ??= now + this.#patience;
          if (now >= lost || now >= end) {
            this.#leftOpen.set(this.#alike(call), this.#askedAs(call));
            throw this.#refused("unreachable", "lost", id, { cause: messageOf(error) });
          }
        } else if (!(error instanceof Problem && error.status === 429)) {
          throw this.#failed(error);
        }
        await sleep(TRY_EVERY);
        continue;
      }
      lost = undefined;
      if (outcome.outcome === "superseded" && followed < FOLLOWED) {
        id = outcome.by;
        followed += 1;
      } else if (outcome.outcome !== "pending") {
        return this.ended(call, id, outcome);
      } else if (performance.now() >= end) {
        this.#leftOpen.set(this.#alike(call), this.#askedAs(call));
        throw this.#refused("timeout", "open", id, { id });
      }
    }
  }

  /**
   * What the end of a question means for a call.
   * @internal
   * @param {Call} call
   * @param {string} id
   * @param {import("./wire.js").Outcome} outcome
   * @returns {Settled}
   */
  ended(call, id, outcome) {
    switch (outcome.outcome) {
      case "approved": {
        const { permit, manner, modified } = outcome;
        if (manner !== "as-shown") {
          throw this.#refused("backup", "backup", id);
        }
        if (!modified) {
          return { args: plain(call.args), permit, approval: id, changed: false };
        }
        if (!call.operation && modified.kind === "tool" && modified.tool === call.tool) {
          return { args: modified.args ?? {}, permit, approval: id, changed: true };
        }
        throw this.changed(id, modified);
      }
      case "denied": {
        const { by, words } = outcome;
        throw this.#refused("denied", words ? "denied" : "denied_without_words", id, { by, words });
      }
      case "expired":
        throw this.#refused("expired", outcome.clock === "run" ? "late" : "expired", id);
      case "withdrawn":
        throw this.#refused("withdrawn", "withdrawn", id);
      case "stale":
        throw this.#refused("stale", "stale", id);
      case "redeemed":
      case "executed":
      case "failed":
      case "unknown":
        throw this.#refused("used", "used", id, { state: outcome.outcome });
      default:
        throw this.#refused("unknown", "unknown", id, { cause: `outcome ${outcome.outcome}` });
    }
  }

  /**
   * A person has approved another form, which cannot be run here. The yes is left unused.
   * @param {string | undefined} id
   * @param {object} form
   */
  changed(id, form) {
    return this.#refused("changed", "changed", id, { form: JSON.stringify(form) });
  }

  /**
   * @param {Call} call
   * @param {string} permit
   * @param {string} [id]
   */
  async #redeem(call, permit, id) {
    const attempt = randomBytes(32).toString("hex");
    const redemption = { permit, attempt, environment: this.#environment, schema: call.schema ?? null };
    const end = performance.now() + this.#patience;
    for (;;) {
      try {
        const { manner } = await this.#client.redeem(redemption);
        if (manner === "as-shown") {
          return;
        }
      } catch (error) {
        if (isLost(error)) {
          // Whoever did not hear the answer tries again with the same attempt.
          if (performance.now() >= end) {
            throw this.#refused("unreachable", "lost", id, { cause: messageOf(error) });
          }
          await sleep(TRY_EVERY);
          continue;
        }
        if (!(error instanceof Problem)) {
          throw this.#failed(error);
        }
        /** @type {Record<string, Why>} */
        const known = { stale: "stale", "used-before": "used", expired: "expired" };
        throw this.#refused(known[error.code] ?? "unknown", "unapproved", id, { cause: error.detail });
      }
      await this.#report({ args: {}, permit, changed: false }, false, "it was not run: no backup can be made here");
      throw this.#refused("backup", "backup", id);
    }
  }

  /**
   * Says what became of it. Where nobody hears that, the ledger says that it is not known.
   * @param {Settled} settled
   * @param {boolean} success
   * @param {string} words
   */
  async #report({ permit }, success, words) {
    const end = performance.now() + Math.min(this.#patience, REPORT_WITHIN);
    while (permit !== undefined) {
      try {
        return await this.#client.report({ permit, success, words: words.slice(0, WORDS_AT_MOST) });
      } catch (error) {
        if (!isLost(error) || performance.now() >= end) {
          return;
        }
        await sleep(TRY_EVERY);
      }
    }
  }

  /**
   * An answer that is none.
   * @param {unknown} error
   */
  #failed(error) {
    const cause = messageOf(error);
    if (error instanceof Impostor) {
      return this.#refused("impostor", "impostor", undefined, { cause });
    }
    if (error instanceof Problem) {
      if (error.code === "key-taken") {
        return this.#refused("changed", "another");
      }
      return this.#refused("unknown", "unjudged", undefined, { cause: `${cause} (${error.code})` });
    }
    if (error instanceof CallError) {
      return this.#refused("unreachable", "unreached", undefined, { cause });
    }
    return this.#refused("unknown", "unjudged", undefined, { cause });
  }

  /**
   * The key of its question: its own, or that of the same call before, which nobody had answered by then.
   * @param {Call} call
   */
  #askedAs(call) {
    const key = this.#key(call);
    const alike = this.#alike(call);
    const left = this.#leftOpen.get(alike);
    if (!this.#found.has(key) && left !== undefined) {
      this.#leftOpen.delete(alike);
      this.#found.set(key, left);
    }
    return this.#found.get(key) ?? key;
  }

  /**
   * The same for calls of the same with the same, whatever their ids.
   * @param {Call} call
   */
  #alike({ tool, args }) {
    return this.#key({ tool, args });
  }

  /**
   * The same for the same call, whose arguments can be shown.
   * @param {Call} call
   */
  #key({ tool, id, args }) {
    try {
      const shown = sorted(plain(args));
      const named = id ? ["call", tool, id] : ["args", tool, shown];
      return createHash("sha256").update(JSON.stringify(named)).digest("hex");
    } catch (error) {
      throw this.#refused("unknown", "unjudged", undefined, { cause: `the arguments are no JSON: ${error}` });
    }
  }

  /**
   * A text with its places filled, in one go: what is filled in has no places.
   * @param {keyof typeof WORDS} name
   * @param {Record<string, string>} places
   */
  #said(name, places) {
    return WORDS[name][this.#client.language].replace(/\{(\w+)\}/g, (_, place) => places[place] ?? "");
  }

  /**
   * @param {Why} why
   * @param {keyof typeof WORDS} name
   * @param {string} [approval]
   * @param {Record<string, string>} [places]
   */
  #refused(why, name, approval, places = {}) {
    return new Refused(why, this.#said(name, places), approval);
  }
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** @param {unknown} error */
function isLost(error) {
  return error instanceof NoGateway || error instanceof NoAnswer;
}

/**
 * The arguments as JSON has them. What it would leave out or make something else of is no argument.
 * @param {Record<string, unknown>} args
 * @returns {Record<string, unknown>}
 */
function plain(args) {
  const text = JSON.stringify(args, (name, value) => {
    const lost = (typeof value === "number" && !Number.isFinite(value)) || typeof value === "function" || typeof value === "symbol";
    if (lost) {
      throw new TypeError(`\`${name}\``);
    }
    return value;
  });
  return JSON.parse(text);
}

/**
 * The same for objects whose fields come in another order.
 * @param {unknown} value
 * @returns {unknown}
 */
function sorted(value) {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return { fields: fields.map(([name, inner]) => [name, sorted(inner)]) };
  }
  return value;
}
