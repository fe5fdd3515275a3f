// An agent that tidies up a directory. Run a gateway first (`signoff serve`), and `signoff inbox` beside it; then
// `npm install ai @ai-sdk/openai`, set OPENAI_API_KEY, SIGNOFF_URL, SIGNOFF_AGENT_KEY and SIGNOFF_GATE_KEY, and `node example.js`.
import { readdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { Client, Gate } from "signoff-client";
import { guarded } from "signoff-ai";

/** Lets the agent run, with any model that the AI SDK knows. */
export async function tidyUp(client, model) {
  const path = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const { tools, toolApproval } = guarded(
    {
      list_files: tool({
        description: "Lists the files here.",
        inputSchema: jsonSchema({ type: "object", properties: {} }),
        execute: () => readdir("."),
      }),
      delete_file: tool({
        description: "Deletes a file.",
        inputSchema: jsonSchema(path),
        execute: ({ path }) => rm(path).then(() => `${path} is gone`),
      }),
    },
    new Gate(client),
    // The gate looks at the file itself: what it is, and whether git can bring it back.
    { operations: { delete_file: ({ path }) => ({ kind: "file", op: "delete", path }) } },
  );
  const prompt = "Delete what looks temporary here.";
  return (await generateText({ model, tools, toolApproval, prompt, stopWhen: stepCountIs(20) })).text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { SIGNOFF_URL, SIGNOFF_AGENT_KEY: key, SIGNOFF_GATE_KEY: gateKey } = process.env;
  const { openai } = await import("@ai-sdk/openai");
  console.log(await tidyUp(new Client(SIGNOFF_URL, { key, gateKey, session: "tidy-up" }), openai("gpt-5")));
}
