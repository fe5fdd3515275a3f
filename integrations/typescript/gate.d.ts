export type Client = import("./client.js").Client;
export type Operation = import("./wire.js").Operation;
export type Why = "denied" | "blocked" | "timeout" | "expired" | "withdrawn" | "changed" | "stale" | "used" | "backup" | "unreachable" | "impostor" | "unknown";
/**
 * Why a tool must not run: a person said no (`denied`), nobody can say yes (`blocked`), nobody has answered within `hold` and the question stays
 * open (`timeout`), the time that the gate gives is over (`expired`), the question was taken back (`withdrawn`), a person has approved
 * another form (`changed`), it is no longer what was shown (`stale`), the same call was let go before (`used`), a backup is wanted first
 * (`backup`), there is no gateway or it went away (`unreachable`), whoever answers is not the gate (`impostor`), or anything else (`unknown`).
 * @typedef {"denied" | "blocked" | "timeout" | "expired" | "withdrawn" | "changed" | "stale" | "used" | "backup" | "unreachable" | "impostor" | "unknown"} Why
 */
/** The tool must not run, and has not. `words` are for the model; `why` tells the cases apart; `approval` is the question. */
export declare class Refused extends Error {
    why: Why;
    words: string;
    approval: string | undefined;
    /**
     * @param {Why} why
     * @param {string} words
     * @param {string} [approval]
     */
    constructor(why: Why, words: string, approval?: string);
}
export type Call = {
    tool: string;
    args: Record<string, unknown>;
    /**
     * The id that the model's provider gave this call. The same id finds the same question again, also after a restart.
     */
    id?: string;
    /**
     * The schema of the tool: a yes is for the tool that it describes.
     */
    schema?: Record<string, unknown>;
    /**
     * What the tool says about itself. That can make a call graver and never milder.
     */
    hints?: import("./wire.js").Hints;
    /**
     * What the call really is, where the gate can read that: a shell text or a file. Then a changed form cannot be run.
     */
    operation?: Operation;
};
export type Settled = {
    args: Record<string, unknown>;
    permit?: string;
    approval?: string;
    /**
     * Whether a person has changed the arguments.
     */
    changed: boolean;
};
export type Options = {
    /**
     * Where the tools work.
     */
    cwd?: string;
    /**
     * How long a call is held, in milliseconds; without it, until the gate itself gives up on the question.
     */
    hold?: number;
    /**
     * How long a gateway that has gone away is looked for, in milliseconds.
     */
    patience?: number;
    /**
     * `none` is for agents on another machine than the gateway.
     */
    /**
     * The variables that matter: a yes is for these.
     */
    environment?: Record<string, string>;
};
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
export declare class Gate {
    #private;
    /**
     * @param {Client} client
     * @param {Options} [options]
     */
    constructor(client: Client, { cwd, hold, patience, environment }?: Options);
    /**
     * Asks, without waiting: whether nobody has to be asked. Throws `Refused`.
     * @param {Call} call
     */
    isFree(call: Call): Promise<boolean>;
    /**
     * Asks and waits, and remembers a yes for `run`. Throws `Refused`.
     * @param {Call} call
     * @returns {Promise<Settled>}
     */
    settle(call: Call): Promise<Settled>;
    /**
     * Asks, waits, uses the yes up, calls the function with what was approved, and reports. Throws `Refused`, and then the function was not
     * called. Arguments that a person has changed are run only with `edits`.
     * @template T
     * @param {Call} call
     * @param {(args: Record<string, unknown>) => T | PromiseLike<T>} tool
     * @param {{ edits?: boolean }} [options]
     * @returns {Promise<T>}
     */
    run<T>(call: Call, tool: (args: Record<string, unknown>) => T | PromiseLike<T>, { edits }?: {
        edits?: boolean;
    }): Promise<T>;
    /**
     * What the end of a question means for a call.
     * @internal
     * @param {Call} call
     * @param {string} id
     * @param {import("./wire.js").Outcome} outcome
     * @returns {Settled}
     */
    ended(call: Call, id: string, outcome: import("./wire.js").Outcome): Settled;
    /**
     * A person has approved another form, which cannot be run here. The yes is left unused.
     * @param {string | undefined} id
     * @param {object} form
     */
    changed(id: string | undefined, form: object): Refused;
}
