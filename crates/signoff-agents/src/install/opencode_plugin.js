// Written by `signoff install opencode`. Every tool call is put before Signoff; whatever is not a yes stops it.
import { spawn } from "node:child_process"

const PROGRAM = "signoff"
// Signoff answers by itself before this passes.
const LIMIT_MS = 600_000

function ask(payload) {
  return new Promise((resolve) => {
    let out = "", err = "", done = false
    const end = (answer) => { if (!done) { done = true; clearTimeout(timer); resolve(answer) } }
    const timer = setTimeout(() => { child.kill("SIGKILL"); end({ reason: "Signoff did not answer in time" }) }, LIMIT_MS)
    const child = spawn(PROGRAM, ["hook", "opencode"], { stdio: ["pipe", "pipe", "pipe"] })
    child.on("error", (error) => end({ reason: `Signoff cannot be started: ${error.message}` }))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (data) => { out += data })
    child.stderr.on("data", (data) => { err += data })
    child.on("close", (code) => {
      let answer
      try { answer = JSON.parse(out) } catch { answer = {} }
      if (code !== 0 || answer === null || typeof answer !== "object") answer = { reason: (answer && answer.reason) || err.trim() }
      end(answer)
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

// OpenCode runs the object that it has shown, and no other one that is put in its place.
function change(shown, wanted) {
  const is_object = (value) => value !== null && typeof value === "object" && !Array.isArray(value)
  if (!is_object(shown) || !is_object(wanted)) throw new Error("a person has changed this call, and it cannot be run so")
  for (const name of Object.keys(shown)) delete shown[name]
  Object.assign(shown, wanted)
}

export const SignoffPlugin = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const payload = { event: "tool.execute.before", tool: input.tool, sessionID: input.sessionID, callID: input.callID, cwd: directory, args: output.args ?? {} }
    const answer = await ask(payload)
    // "defer" leaves the call to the rules of OpenCode itself, which have the next word.
    if (answer.decision !== "allow" && answer.decision !== "defer") throw new Error(answer.reason || "not allowed by Signoff")
    if (answer.args !== undefined) change(output.args, answer.args)
  },
  "tool.execute.after": async (input) => {
    const payload = { event: "tool.execute.after", tool: input.tool, sessionID: input.sessionID, callID: input.callID, cwd: directory, args: input.args ?? {} }
    await ask(payload)
  },
})
