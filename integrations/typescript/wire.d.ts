// Made from the OpenAPI document: SIGNOFF_BLESS=1 cargo test -p signoff-e2e --test clients

/** A route: what its query may say, and what a success holds, by its status. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly answers: Readonly<Record<number, string>>;
}

/** Ends a session of MCP. What was asked in it stays asked. */
export declare const LEAVE: Route;

/** The stream of what the server says by itself in a session of MCP. */
export declare const LISTEN: Route;

/** One message of MCP (streamable HTTP). The tools judge, ask and tell; none of them decides, and none runs anything. */
export declare const SAY: Route;

/** Judges an operation by its text alone. Nobody is asked, nothing is kept, and nothing may run by the answer. */
export declare const CHECK: Route;

/** Uses a permit. Everything is looked at once more; after a 200 the executor runs what was approved, once. */
export declare const REDEEM: Route;

/** Says what became of something that was run. */
export declare const REPORT: Route;

/** Asks for something to be done. The answer is a verdict at once, or the id of a question to people. */
export declare const CREATE: Route;

/** What has become of a question. With `wait_ms` the reply is held until somebody decides. */
export declare const WAIT: Route;

/** What was asked for under an id, for an agent that comes back to it. */
export declare const OPERATION: Route;

/** States a reason for what a person has refused. It becomes a new question, which a person judges; that is so once. */
export declare const REOPEN: Route;

/** Takes a question back. */
export declare const WITHDRAW: Route;

/** Which time has run out. */
export type ClockName = "decide" | "run";

/** What becomes of an operation. */
export type DecisionName = "execute_directly" | "require_confirmation" | "require_choice" | "require_input" | "reject";

/** How it is to run. */
export type MannerName = "as-shown" | "back-up-first";

/** Somebody who wants to run what was approved. */
export interface Redemption {
  /** 64 hexadecimal digits out of the executor's own randomness: who did not hear the answer tries again with the same. */
  attempt: string;
  /** The variables of the environment that matter, as they are now. */
  environment?: Record<string, string>;
  /** The permit. */
  permit: string;
  /** The schema of the tool, as it is now. */
  schema?: Record<string, unknown> | null;
}

/** A question that is open again. */
export interface Reopened {
  /** The new question: wait for it under `/v1/requests/{id}`. */
  approval: string;
  /** The number to show, where the question before had one: it is another. */
  number?: string | null;
  /** Until when people may answer, in milliseconds since 1970. */
  until: number;
}

/** Why what was refused should be looked at once more. */
export interface Reopening {
  /** The reason, in at most 2000 characters. People see it in quotation marks, below the refusal. */
  reason: string;
}

/** How grave it is. */
export type RiskName = "none" | "low" | "medium" | "high" | "critical";

/** What becomes of an operation, in short. */
export type VerdictName = "allow" | "ask" | "block";

/** What a tool says about itself. */
export interface Hints {
  /** It may destroy something. */
  destructive?: boolean | null;
  /** It reaches out of this machine. */
  open_world?: boolean | null;
  /** It changes nothing. */
  read_only?: boolean | null;
}

/** How much there is of something, as far as that is known. */
export interface Measure {
  /** So many bytes in them. */
  bytes?: number | null;
  /** So many files. */
  files?: number | null;
  /** So grave. */
  risk?: string | null;
}

/** A rule that spoke. */
export interface Reason {
  /** What it says. */
  message: string;
  /** Its name. */
  rule: string;
  /** The part of the text that it is about, in bytes. */
  span: Array<number>;
}

/** What became of something that was run. */
export interface Report {
  /** The permit that was redeemed. */
  permit: string;
  /** Whether it ended well. */
  success: boolean;
  /** What there is to say about a failure. */
  words?: string;
}

/** Why a question is taken back. */
export interface Withdrawal {
  /** For the ledger: it was answered elsewhere, or is no longer wanted. */
  words?: string;
}

/** It may run, now and once. */
export interface Redeemed {
  /** as-shown, or back-up-first. */
  manner: MannerName;
}

/** One thing that is not what was shown. */
export interface Deviation {
  /** The path or the pattern that it is about. */
  about?: string;
  /** total, loss, text, content, directory, link, listing, matches, names, surroundings, risk, policy or further. */
  aspect: string;
  /** What is there now; none where that is nothing. */
  now?: Measure | null;
  /** What was shown; none where that was nothing. */
  was?: Measure | null;
  /** The same in words. */
  words: string;
}

/** A text for a shell. */
export interface OperationShell {
  kind: "shell";
  /** The text. */
  cmd: string;
  /** The shell that reads it: bash, sh or zsh. */
  dialect?: string | null;
}

/** Something done to a file. */
export interface OperationFile {
  kind: "file";
  /** The new text. */
  content?: string | null;
  /** What: read, create, write, edit, overwrite, delete, move, copy, chmod, symlink. */
  op: string;
  /** To which. */
  path: string;
  /** Where to, for those that have two ends. */
  to?: string | null;
}

/** A call of any other tool. */
export interface OperationTool {
  kind: "tool";
  /** Its arguments. */
  args?: Record<string, unknown>;
  /** What the tool says about itself. */
  hints?: Hints;
  /** Its name. */
  tool: string;
}

/** Something that an agent wants to do. */
export type Operation = OperationShell | OperationFile | OperationTool;

/** Every `kind` of it. */
export declare const OPERATION_KINDS: readonly Operation["kind"][];

/** What becomes of an operation. */
export interface Verdict {
  /** The question to people, where they are asked: wait for it under `/v1/requests/{id}`. */
  approval?: string | null;
  /** Whether anybody is there who may answer. Where nobody is, the question stays open until then. */
  attended?: boolean | null;
  /** The decision by its full name. */
  decision: DecisionName;
  /** The standing permission without which people would have been asked. */
  grant?: string | null;
  /** Who has locked down whatever is not harmless. */
  locked_down_by?: string | null;
  /** Show it on your screen, to the person in front of it: whoever says yes has to type it. */
  number?: string | null;
  /** Whether the word of the person for whom the agent works is enough, at a terminal of their own. */
  owner_decides?: boolean | null;
  /** Who has stopped the questions for a while, where somebody would have been asked. */
  paused_by?: string | null;
  /** Until when, in milliseconds since 1970. */
  paused_until?: number | null;
  /** Why, in words for the agent. */
  reason?: string;
  /** The rules that spoke. */
  reasons: Array<Reason>;
  /** none, low, medium, high or critical. */
  risk: RiskName;
  /** Other ways to the same end. */
  safer: Array<string>;
  /** Until when they may answer, in milliseconds since 1970. */
  until?: number | null;
  /** allow, ask or block. */
  verdict: VerdictName;
}

/** Something that an agent thinks of doing. */
export interface NewCheck {
  /** Where it would run. */
  cwd: string;
  /** What was asked for, in the user's words. */
  intent?: string | null;
  /** What would be done. */
  operation: Operation;
}

/** A further step of a plan. */
export interface NewStep {
  /** Where, if that is another directory. */
  cwd?: string | null;
  /** What would be done. */
  operation: Operation;
}

/** What an agent has asked for. */
export interface Asked {
  /** Where. */
  cwd: string;
  /** What would be done. */
  operation: Operation;
}

/** Nobody has decided yet. */
export interface OutcomePending {
  outcome: "pending";
  /** Until when they may, in milliseconds since 1970. */
  until: number;
}

/** It may run once, after its permit was redeemed. */
export interface OutcomeApproved {
  outcome: "approved";
  /** as-shown, or back-up-first. */
  manner: MannerName;
  /** The changed form that may run instead of what was asked for. */
  modified?: Operation | null;
  /** What has to be redeemed. */
  permit: string;
  /** Until when, in milliseconds since 1970. */
  until: number;
}

/** A person said no. */
export interface OutcomeDenied {
  outcome: "denied";
  /** Who. */
  by: string;
  /** The question that has reopened it; none where nobody has stated a reason. */
  reopened?: string | null;
  /** Words for the agent. */
  words: string;
}

/** Nobody decided in time, or it was not run in time. That is not a no. */
export interface OutcomeExpired {
  outcome: "expired";
  /** decide, or run. */
  clock: ClockName;
}

/** The agent took it back. */
export interface OutcomeWithdrawn {
  outcome: "withdrawn";
}

/** Another question has taken its place. */
export interface OutcomeSuperseded {
  outcome: "superseded";
  /** Which. */
  by: string;
}

/** It was redeemed before, and what became of it is not known yet. */
export interface OutcomeRedeemed {
  outcome: "redeemed";
}

/** It was run, and ended well. */
export interface OutcomeExecuted {
  outcome: "executed";
}

/** It was run, and failed. */
export interface OutcomeFailed {
  outcome: "failed";
  /** What the executor says of it. */
  words: string;
}

/** It was redeemed, and nobody ever said what became of it. */
export interface OutcomeUnknown {
  outcome: "unknown";
}

/** It was approved, and then it was no longer what was shown. */
export interface OutcomeStale {
  outcome: "stale";
  /** The same thing by thing, as far as it is known. */
  differences?: Array<Deviation>;
  /** What differs: operation, preview, policy. */
  differs: Array<string>;
}

/** What has become of a question. */
export type Outcome = OutcomePending | OutcomeApproved | OutcomeDenied | OutcomeExpired | OutcomeWithdrawn | OutcomeSuperseded | OutcomeRedeemed | OutcomeExecuted | OutcomeFailed | OutcomeUnknown | OutcomeStale;

/** Every `outcome` of it. */
export declare const OUTCOME_OUTCOMES: readonly Outcome["outcome"][];

/** The body of a problem. */
export interface Problem {
  /** What went wrong, by its stable name. */
  code: string;
  /** What went wrong and what to do about it, for people. */
  detail: string;
  /** What is no longer as it was shown, thing by thing, where something was not run for that. */
  differences?: Array<Deviation>;
  /** The status of the reply. */
  status: number;
  /** The same as a URI, as RFC 9457 wants it. */
  type: string;
}

/** Something that an agent wants to do. */
export interface NewRequest {
  /** Where it would run: an absolute path, as the machine of the gateway knows it. */
  cwd: string;
  /** The variables of the environment that matter; something else at the time of running makes a yes stale. */
  environment?: Record<string, string>;
  /** What was asked for, in the user's words. */
  intent?: string | null;
  /** What the agent calls this request. The same key in the same session finds the same question again. */
  key: string;
  /** What would be done. */
  operation: Operation;
  /** The schema of the tool, for the same. */
  schema?: Record<string, unknown> | null;
  /** Whether the agent has a screen of its own, in front of which a person sits: then the answer may hold a `number` to show there. */
  screen?: boolean;
  /** What is to come after it: further steps of one plan. People see each, and their yes is one for each that is not grave, once. */
  then?: Array<NewStep>;
}
