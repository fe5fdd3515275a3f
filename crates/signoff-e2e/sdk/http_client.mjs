// The official TypeScript client over HTTP at the gateway. Its arguments are the address and the key.
import assert from "node:assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, key] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${key}` };
const client = new Client({ name: "signoff-e2e", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const call = (name, args) => client.callTool({ name, arguments: args });
const tools = ["check", "request_approval", "approval_status", "ask_user", "plan_review"];
assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), tools);
assert.equal((await call("check", { command: "rm -rf /", cwd: "/srv" })).structuredContent.verdict, "block");
const asked = await call("request_approval", { command: "rm notes.txt", cwd: "/srv", wait_s: 1 });
assert.equal(asked.structuredContent.status, "pending");
const many = await Promise.all([...Array(100)].map(() => call("check", { command: "ls", cwd: "/" })));
assert(many.every((result) => result.structuredContent.verdict === "allow"));
await client.close();
const nobody = new Client({ name: "signoff-e2e", version: "1" });
await assert.rejects(nobody.connect(new StreamableHTTPClientTransport(new URL(url))));
console.log("the TypeScript SDK at the gateway: as it has to be");
