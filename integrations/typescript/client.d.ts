import * as wire from "./wire.js";
/** Why there is no answer. None of these is a yes. */
export declare class CallError extends Error {
}
/** There is no gateway. */
export declare class NoGateway extends CallError {
}
/** It did not answer in time, or not whole. What was sent may have arrived. */
export declare class NoAnswer extends CallError {
}
/** Whoever answered is not the gate. */
export declare class Impostor extends CallError {
}
/** The gateway says what is wrong, with a stable `code`. */
export declare class Problem extends CallError {
    code: string;
    detail: string;
    status: number;
    /**
     * @param {string} code
     * @param {string} detail
     * @param {number} status
     */
    constructor(code: string, detail: string, status: number);
}
export type Options = {
    /**
     * The key of the agent (`sga1.…`), which a person has made.
     */
    key: string;
    /**
     * The session of the agent. The same session finds its questions again.
     */
    session: string;
    /**
     * The text in the file `gate.pub` of the gateway. Needed wherever there is no TLS.
     */
    gateKey?: string;
    /**
     * The language in which reasons are told.
     */
    language?: "en" | "zh";
};
/**
 * @typedef {object} Options
 * @property {string} key The key of the agent (`sga1.…`), which a person has made.
 * @property {string} session The session of the agent. The same session finds its questions again.
 * @property {string} [gateKey] The text in the file `gate.pub` of the gateway. Needed wherever there is no TLS.
 * @property {"en" | "zh"} [language] The language in which reasons are told.
 */
/** The routes of a gateway that are for agents, one by one. `Gate` puts them together for a tool that is to run. */
export declare class Client {
    #private;
    language: "en" | "zh";
    /**
     * @param {string} address `http://127.0.0.1:7766` or `https://signoff.example.com`
     * @param {Options} options
     */
    constructor(address: string, { key, session, gateKey, language }: Options);
    /** Where it is. */
    get address(): string;
    /**
     * Asks for something to be done: a verdict at once, or the id of a question to people.
     * @param {wire.NewRequest} request
     * @returns {Promise<wire.Verdict>}
     */
    create(request: wire.NewRequest): Promise<wire.Verdict>;
    /**
     * What has become of a question; held for so many milliseconds (60,000 at most) while nobody has decided.
     * @param {string} id
     * @param {number} [ms]
     * @returns {Promise<wire.Outcome>}
     */
    wait(id: string, ms?: number): Promise<wire.Outcome>;
    /**
     * What was asked for, for whoever comes back to it.
     * @param {string} id
     * @returns {Promise<wire.Asked>}
     */
    operation(id: string): Promise<wire.Asked>;
    /**
     * Takes a question back.
     * @param {string} id
     * @param {string} [words]
     * @returns {Promise<void>}
     */
    withdraw(id: string, words?: string): Promise<void>;
    /**
     * States a reason for what a person has refused, once.
     * @param {string} id
     * @param {string} reason
     * @returns {Promise<wire.Reopened>}
     */
    reopen(id: string, reason: string): Promise<wire.Reopened>;
    /**
     * Uses a yes, once: right before running.
     * @param {wire.Redemption} redemption
     * @returns {Promise<wire.Redeemed>}
     */
    redeem(redemption: wire.Redemption): Promise<wire.Redeemed>;
    /**
     * Says what became of it.
     * @param {wire.Report} report
     * @returns {Promise<void>}
     */
    report(report: wire.Report): Promise<void>;
}
