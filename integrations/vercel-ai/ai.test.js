// The real AI SDK with a model that is made up: it calls one tool, and then says that it has seen the result.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import * as mocks from "ai/test";
import { Client, Gate } from "signoff-client";
import { guarded } from "signoff-ai";
import { tidyUp } from "./example.js";
import { Site } from "./site.js";

/** @type {Site} */
let site;
before(async () => {
  site = await Site.start();
});
after(() => site.close());

const Mock = mocks.MockLanguageModelV4 ?? mocks.MockLanguageModelV3;
const name = mocks.MockLanguageModelV4 ? "AI SDK" : "AI SDK 6";
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const CHANGED = { kind: "tool", tool: "delete_page", args: { page: 8 } };

/** Calls a tool, and then says that it has seen the result. */
function fake(toolName, args) {
  const call = { type: "tool-call", toolCallId: "call_1", toolName, input: JSON.stringify(args) };
  const said = [
    { content: [call], finishReason: { unified: "tool-calls" }, usage, warnings: [] },
    { content: [{ type: "text", text: "I see." }], finishReason: { unified: "stop" }, usage, warnings: [] },
  ];
  return new Mock({ doGenerate: async () => said.shift() });
}

/** Lets an agent whose model calls a tool run to its end. Gives the pages that the tools were called with, and what the model heard. */
async function drive(session, toolName, { ways = "both", stream = false, ...options } = {}) {
  const ran = [];
  const page = {
    description: "Does something to a page.",
    inputSchema: jsonSchema({ type: "object", properties: { page: { type: "number" } }, required: ["page"] }),
    execute: async ({ page }) => {
      ran.push(page);
      return `done with page ${page}`;
    },
  };
  const streaming = async function* ({ page }) {
    yield "on its way";
    ran.push(page);
    yield `done with page ${page}`;
  };
  const { key, gate_key: gateKey, url, work: cwd } = site.told;
  const gate = new Gate(new Client(url, { key, gateKey, session }), { cwd, ...options });
  const { tools, toolApproval } = guarded(
    { get_page: tool(page), delete_page: tool(stream ? { ...page, execute: streaming } : page) },
    gate,
  );
  const model = fake(toolName, { page: 7 });
  const asked = ways === "tools" ? {} : { toolApproval };
  await generateText({ model, tools, ...asked, prompt: "tidy up", stopWhen: stepCountIs(3) });
  const heard = model.doGenerateCalls[1].prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
  return { ran, heard: heard.map(({ output }) => output?.value ?? output?.reason ?? "").join("") };
}

test("the example", async (t) => {
  const { key, gate_key: gateKey, url, work } = site.told;
  // It works where it is started: what lies among temporary files elsewhere is nobody's.
  const here = process.cwd();
  t.after(() => process.chdir(here));
  process.chdir(work);
  // Two files that nothing brings back: a person looks at each, and lets one of them go.
  for (const [name, answer] of [["keep.txt", "deny"], ["go.txt", "approve"]]) {
    const path = `${work}/${name}`;
    writeFileSync(path, "mine");
    const desk = site.soon(name, { answer });
    assert.equal(await tidyUp(new Client(url, { key, gateKey, session: name }), fake("delete_file", { path })), "I see.");
    await desk;
    assert.equal(existsSync(path), answer === "deny");
    assert.equal((await site.questions(name))[0].operation.kind, "file");
  }
});

/** In both places: where the AI SDK asks, and in the tools alone. */
for (const ways of mocks.MockLanguageModelV4 ? ["both", "tools"] : ["tools"]) {
  const see = (what, { ran, heard }, pages, ...parts) => {
    assert.deepEqual(ran, pages, heard);
    parts.forEach((part) => assert.match(heard, part));
    // Only a person's no is told as one.
    assert.equal(/refused this|rejected|denied/i.test(heard) || /^Refused/.test(heard), what === "held, then no", heard);
    const done = pages.length > 0 ? `ran [${pages}]` : "did not run";
    console.log(`| ${name}${ways === "tools" ? ", tools alone" : ""} | ${what} | ${done} | ${heard.slice(0, 220)} |`);
  };
  const scenario = (what, body) => test(`${what} (${ways})`, (t) => body(`${ways}-${what.replaceAll(/\W/g, "-")}`, t));

  scenario("allowed at once", async (session) => {
    see("allowed at once", await drive(session, "get_page", { ways }), [7], /done with page 7/);
    assert.deepEqual(await site.questions(session), []);
  });

  for (const stream of [false, true]) {
    scenario(`held, then yes, ${stream ? "in parts" : "at once"}`, async (session) => {
      const desk = site.soon(session, { answer: "approve" });
      see("held, then yes", await drive(session, "delete_page", { ways, stream }), [7], /done with page 7/);
      await desk;
      assert.deepEqual(await site.stages(session), ["executed"]);
    });
  }

  scenario("held, then no", async (session) => {
    const desk = site.soon(session, { answer: "deny", words: "keep that page" });
    see("held, then no", await drive(session, "delete_page", { ways }), [], /person-0 refused this: keep that page/);
    await desk;
  });

  scenario("nobody answers", async (session) => {
    see("nobody answers", await drive(session, "delete_page", { ways, hold: 500 }), [], /that is not a no/);
  });

  scenario("its time runs out", async (session, t) => {
    site.configure('timeout = "1s"\n');
    t.after(() => site.configure(""));
    see("its time runs out", await drive(session, "delete_page", { ways }), [], /a time-out, not a refusal/);
  });

  scenario("changed by a person", async (session) => {
    const desk = site.soon(session, { answer: "modify", operation: CHANGED });
    see("changed by a person", await drive(session, "delete_page", { ways }), [], /not approved as asked/, /"page":8/);
    await desk;
  });

  scenario("gateway killed while waiting", async (session, t) => {
    t.after(() => site.obey("start"));
    const killed = site.asked(session).then(() => site.obey("kill"));
    see("gateway killed while waiting", await drive(session, "delete_page", { ways, patience: 200 }), [], /that is not a no/);
    await killed;
  });

  scenario("no gateway", async (session, t) => {
    await site.obey("kill");
    t.after(() => site.obey("start"));
    see("no gateway", await drive(session, "get_page", { ways }), [], /Signoff cannot be asked/, /It was not run/);
  });
}
