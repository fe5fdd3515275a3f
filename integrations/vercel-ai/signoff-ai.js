// Signoff in front of the tools of the AI SDK.
//
// `guarded` gives `tools`, each of which asks the gate, waits, uses the yes up right before it runs and reports; and `toolApproval`, which does the
// asking and waiting where the AI SDK (7 and later) has its own place for it, so that a refusal is one there as well. Whoever approves a call by
// hand lets nothing through: the tools ask the gate themselves.
import { asSchema } from "ai";
import { Refused } from "signoff-client";

/**
 * @template {import("ai").ToolSet} TOOLS
 * @param {TOOLS} tools
 * @param {import("signoff-client").Gate} gate
 * @param {{ operations?: Record<string, (args: any) => any> }} [options] What a tool really does, by its name, where the gate can read that:
 *   `{ shell: ({ command }) => ({ kind: "shell", cmd: command }) }`.
 * @returns {{ tools: TOOLS, toolApproval: (options: { toolCall: { toolName: string, toolCallId: string, input: any } }) => Promise<any> }}
 */
export function guarded(tools, gate, { operations = {} } = {}) {
  /** @type {Map<string, Record<string, unknown>>} */
  const described = new Map();

  /** @param {string} tool @param {any} args @param {string} id */
  const callOf = async (tool, args, id) => {
    const { description = "", inputSchema } = /** @type {any} */ (tools[tool]);
    if (!described.has(tool)) {
      described.set(tool, { name: tool, description, parameters: await asSchema(inputSchema).jsonSchema });
    }
    const operation = operations[tool]?.(args);
    return { tool, args, id, schema: described.get(tool), ...(operation ? { operation } : {}) };
  };

  /** @type {any} */
  const behind = {};
  for (const [name, tool] of Object.entries(tools)) {
    const { execute } = tool;
    behind[name] = execute && {
      ...tool,
      // An error of a tool reaches the model with its message, which is that of the refusal.
      execute: async (/** @type {any} */ input, /** @type {any} */ options) =>
        gate.run(await callOf(name, input, options.toolCallId), () => last(execute(input, options))),
    };
    // A tool without `execute` runs elsewhere: nothing of it passes here.
    behind[name] ||= tool;
  }

  return {
    tools: behind,
    async toolApproval({ toolCall: { toolName, toolCallId, input } }) {
      if (!tools[toolName]?.execute) {
        return "not-applicable";
      }
      try {
        const settled = await gate.settle(await callOf(toolName, input, toolCallId));
        if (settled.changed) {
          // There is no way to change a call here.
          throw gate.changed(settled.approval, settled.args);
        }
        return settled.permit === undefined ? "not-applicable" : "approved";
      } catch (error) {
        if (error instanceof Refused) {
          return { type: "denied", reason: error.words };
        }
        throw error;
      }
    },
  };
}

/**
 * The result of a tool. Of one that gives several, one after the other, it is the last: it has run when that is there.
 * @param {any} result
 */
async function last(result) {
  let value = await result;
  if (value?.[Symbol.asyncIterator]) {
    const parts = value;
    value = undefined;
    for await (value of parts);
  }
  return value;
}
