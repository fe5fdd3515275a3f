// What becomes of tool calls at a real gateway.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { Client, Gate, Refused } from "../index.js";
import { GateKey } from "../proof.js";
import { OUTCOME_OUTCOMES } from "../wire.js";
import { Site } from "./site.js";

/** @type {Site} */
let site;
before(async () => {
  site = await Site.start();
});
after(() => site.close());

let number = 0;
const DELETE = { tool: "delete_page", args: { page: 7 }, id: "call_1" };
const GET = { tool: "get_page", args: { page: 7 }, id: "call_1" };
const CHANGED = { kind: "tool", tool: "delete_page", args: { page: 8 } };

/** An agent in a session of its own, which notes what its tool was called with. */
class Agent {
  constructor({ at = site, session = `session-${number++}`, caller = {}, address = at.told.url, ...options } = {}) {
    const { key, gate_key: gateKey, work: cwd } = at.told;
    this.session = session;
    this.ran = [];
    this.gate = new Gate(new Client(address, { key, gateKey, session, ...caller }), { cwd, ...options });
  }

  run(call, options) {
    const tool = async (args) => {
      this.ran.push(args);
      if (args.fails) {
        throw new Error("no such page");
      }
      return "done";
    };
    return this.gate.run(call, tool, options);
  }

  /** It is refused for this reason, and has not run. */
  async refused(call, why, options) {
    const before = this.ran.length;
    const end = await this.run(call, options).catch((error) => error);
    assert.ok(end instanceof Refused, String(end?.stack ?? end));
    assert.deepEqual([end.why, this.ran.length], [why, before], end.words);
    return end.words;
  }
}

test("the harmless runs at once", async () => {
  const agent = new Agent();
  assert.equal(await agent.run(GET), "done");
  assert.deepEqual([agent.ran, await site.questions(agent.session)], [[{ page: 7 }], []]);
});

test("what a person approves runs once", async () => {
  const agent = new Agent();
  const [end] = await Promise.all([agent.run(DELETE), site.soon(agent.session, { answer: "approve" })]);
  assert.deepEqual([end, await site.stages(agent.session)], ["done", ["executed"]]);
  // Neither this agent nor one that was started anew runs the same call again.
  assert.match(await agent.refused(DELETE, "used"), /executed/);
  await new Agent({ session: agent.session }).refused(DELETE, "used");
});

test("what failed is reported", async () => {
  const agent = new Agent();
  const failing = agent.run({ ...DELETE, args: { page: 7, fails: true } });
  await Promise.all([assert.rejects(failing, /no such page/), site.soon(agent.session, { answer: "approve" })]);
  assert.deepEqual(await site.stages(agent.session), ["failed"]);
});

test("a no comes with its words", async () => {
  const agent = new Agent();
  const refused = agent.refused(DELETE, "denied");
  await site.soon(agent.session, { answer: "deny", words: "keep {it}" });
  assert.match(await refused, /person-0 refused this: keep \{it\}\./);
});

test("a time-out is no refusal, and the later yes counts once", async () => {
  const agent = new Agent({ hold: 300 });
  assert.match(await agent.refused(DELETE, "timeout"), /that is not a no/);
  await site.soon(agent.session, { answer: "approve" });
  assert.equal(await new Agent({ session: agent.session }).run(DELETE), "done");
  await agent.refused(DELETE, "used");
});

test("a model that tries again finds its question", async () => {
  const agent = new Agent({ hold: 300 });
  await agent.refused(DELETE, "timeout");
  await agent.refused({ ...DELETE, id: "again_0" }, "timeout");
  await site.soon(agent.session, { answer: "approve" });
  assert.equal(await agent.run({ ...DELETE, id: "again_1" }), "done");
  // That yes is used up: the next one is a question of its own.
  await agent.refused({ ...DELETE, id: "again_2" }, "timeout");
  assert.deepEqual(await site.stages(agent.session), ["executed", "pending"]);
});

test("a changed form runs only where that is wanted", async () => {
  const agent = new Agent();
  const refused = agent.refused(DELETE, "changed");
  await site.soon(agent.session, { answer: "modify", operation: CHANGED });
  assert.match(await refused, /"page":8/);
  assert.equal(await agent.run(DELETE, { edits: true }), "done");
  assert.deepEqual(agent.ran, [{ page: 8 }]);
});

test("what was settled runs as it was settled", async () => {
  const agent = new Agent();
  await Promise.all([agent.gate.settle(DELETE), site.soon(agent.session, { answer: "approve" })]);
  await agent.refused({ ...DELETE, args: { page: 9 } }, "changed");
  await agent.gate.settle(DELETE);
  assert.equal(await agent.run(DELETE), "done");
});

test("another operation under the same id does not run", async () => {
  const agent = new Agent({ hold: 100 });
  await agent.refused(DELETE, "timeout");
  await agent.refused({ ...DELETE, args: { page: 9 } }, "changed");
});

test("a tool that was redefined since the yes does not run", async () => {
  const agent = new Agent();
  const settling = agent.gate.settle({ ...DELETE, schema: { type: "object" } });
  await Promise.all([settling, site.soon(agent.session, { answer: "approve" })]);
  assert.match(await agent.refused({ ...DELETE, schema: { type: "string" } }, "stale"), /not what was shown/);
});

test("the absurd is blocked", async () => {
  const absurd = { tool: "shell", args: {}, id: "c", operation: { kind: "shell", cmd: "rm -rf /" } };
  assert.match(await new Agent().refused(absurd, "blocked"), /nobody can approve it/);
});

test("a backup that nobody can make here", async () => {
  const agent = new Agent();
  const shell = { tool: "shell", args: {}, id: "c", operation: { kind: "shell", cmd: "rm -rf ../work" } };
  const refused = agent.refused(shell, "backup");
  await site.soon(agent.session, { answer: "choose", choice: "back-up-first" });
  await refused;
});

test("arguments that are no JSON are refused", async () => {
  const cycle = {};
  cycle.cycle = cycle;
  for (const args of [{ page: NaN }, { page: () => 7 }, { page: 7n }, cycle]) {
    await new Agent().refused({ ...GET, args }, "unknown");
    await new Agent().refused({ tool: "get_page", args }, "unknown");
  }
});

test("calls at once are independent", async () => {
  const agent = new Agent();
  const pages = [...Array(8).keys()];
  const running = pages.map((page) =>
    agent.run({ tool: "delete_page", args: { page }, id: `call_${page}` }).catch((refused) => refused.why),
  );
  for (const { id, operation } of await site.asked(agent.session, pages.length)) {
    await site.answer(id, { answer: operation.args.page % 2 ? "deny" : "approve" });
  }
  assert.deepEqual(await Promise.all(running), pages.map((page) => (page % 2 ? "denied" : "done")));
  assert.deepEqual(agent.ran.map(({ page }) => page).sort(), [0, 2, 4, 6]);
});

test("a gateway that dies takes no yes with it and gives none", async (t) => {
  const at = await Site.start();
  t.after(() => at.close());
  const agent = new Agent({ at, session: "s", patience: 200 });
  const refused = agent.refused(DELETE, "unreachable");
  await at.asked("s");
  await at.obey("kill");
  assert.match(await refused, /that is not a no/);
  await agent.refused(DELETE, "unreachable");
  await at.obey("start");
  assert.equal((await at.questions("s", "pending")).length, 1);
  // It comes back with the question, while somebody waits who has the patience.
  const patient = new Agent({ at, session: "t", patience: 60_000 }).run(DELETE);
  const [{ id }] = await at.asked("t");
  await at.obey("kill");
  await at.obey("start");
  await at.answer(id, { answer: "approve" });
  assert.equal(await patient, "done");
});

test("whoever squats there allows nothing", async () => {
  const allow = '{"verdict":"allow","decision":"execute_directly","risk":"none","reasons":[],"safer":[]}';
  const whole = (head, length = allow.length) => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n${head}\r\n${allow}`;
  const replies = [
    [whole(""), "impostor"],
    [whole(`signoff-proof: ${"A".repeat(86)}\r\n`), "impostor"],
    [whole("", allow.length + 1), "unreachable"],
    ["HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", "impostor"],
    ["nonsense", "unreachable"],
    ["", "unreachable"],
  ];
  for (const [reply, why] of replies) {
    const squatter = createServer((line) => line.once("data", () => line.end(reply)));
    await new Promise((resolve) => squatter.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${squatter.address().port}`;
    await new Agent({ address, patience: 0 }).refused(GET, why);
    squatter.close();
  }
});

test("nobody is there, or not for this key", async () => {
  const free = createServer();
  await new Promise((resolve) => free.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${free.address().port}`;
  await new Promise((resolve) => free.close(resolve));
  assert.match(await new Agent({ address }).refused(GET, "unreachable"), /signoff serve/);
  await new Agent({ caller: { key: "sga1.YQ.wrong" } }).refused(GET, "unknown");
});

test("words and sessions in Chinese", async () => {
  const agent = new Agent({ session: "会话", hold: 100, caller: { language: "zh" } });
  assert.match(await agent.refused(DELETE, "timeout"), /尚无人回答/);
});

test("every end of a question is known", () => {
  const { gate } = new Agent();
  const ends = {};
  for (const outcome of [...OUTCOME_OUTCOMES, "blessed"]) {
    try {
      const said = { outcome, by: "a", words: "", clock: "run", permit: "p", manner: "as-shown" };
      ends[outcome] = gate.ended(DELETE, "id", said).permit;
    } catch (refused) {
      ends[outcome] = refused.why;
    }
  }
  const used = { redeemed: "used", executed: "used", failed: "used", unknown: "used" };
  const others = { denied: "denied", expired: "expired", withdrawn: "withdrawn", stale: "stale" };
  // Two of them are no ends: one is waited for, the other followed.
  const none = { pending: "unknown", superseded: "unknown", blessed: "unknown" };
  assert.deepEqual(ends, { approved: "p", ...used, ...others, ...none });
});

test("what cannot be believed is not called", () => {
  const { key, gate_key: gateKey } = site.told;
  const good = { key, gateKey, session: "s" };
  new Client("https://signoff.example.com", { key, session: "s" });
  const wrong = [
    ["http://127.0.0.1:1", { ...good, gateKey: undefined }],
    ["http://127.0.0.1:1", { ...good, gateKey: "sgk1." }],
    ["http://127.0.0.1:1", { ...good, session: "s\r\nx: y" }],
    ["http://127.0.0.1:1/elsewhere", good],
    ["ftp://127.0.0.1", good],
  ];
  for (const [address, options] of wrong) {
    assert.throws(() => new Client(address, options), TypeError);
  }
});

test("the signature of the gate, and nothing else", () => {
  // The first vector of RFC 8032 is for another statement than any of ours.
  const gate = new GateKey("sgk1.11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
  const proof = "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc-bRr0lv18FlbviRlUUFDjnoQCw";
  for (const text of [proof, "", "A".repeat(86), `${proof}=`]) {
    assert.equal(gate.hasSigned({ nonce: "", host: "", status: 200, body: Buffer.of(), proof: text }), false);
  }
});
