// The official TypeScript client: what passes, what is refused, and many calls at once. Its arguments are the command of the server.
import assert from "node:assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "signoff-e2e", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const call = (name, page) => client.callTool({ name, arguments: { page } });
assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), ["get_page", "delete_page"]);
assert.equal((await call("get_page", 7)).content[0].text, "page 7");
const refused = await call("delete_page", 7);
assert(refused.isError && refused.content[0].text.includes("signoff serve"));
const many = await Promise.all([...Array(200).keys()].map((page) => call("get_page", page)));
assert(many.every((result, page) => result.content[0].text === `page ${page}`));
await client.close();
console.log("the TypeScript SDK: as it has to be");
