// A real gateway with a person and an agent's key, and what that person does. `SIGNOFF_SITE` names the program that makes it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

export class Site {
  #process;
  #lines;
  #token;

  static async start() {
    const site = new Site();
    site.#process = spawn(process.env.SIGNOFF_SITE, { stdio: ["pipe", "pipe", "inherit"] });
    site.#lines = createInterface({ input: site.#process.stdout })[Symbol.asyncIterator]();
    site.told = JSON.parse((await site.#lines.next()).value);
    return site;
  }

  /** `kill` or `start`. */
  async obey(word) {
    this.#process.stdin.write(`${word}\n`);
    assert.equal((await this.#lines.next()).value, "done");
  }

  async close() {
    const gone = once(this.#process, "exit");
    this.#process.stdin.end();
    await gone;
  }

  configure(text) {
    writeFileSync(this.told.settings, `[approval]\napprovers = ["person-0"]\n${text}`);
  }

  async person(method, path, body) {
    if (!this.#token && path !== "/v1/login") {
      const { person, password } = this.told;
      this.#token = (await this.person("POST", "/v1/login", { person, password })).token;
    }
    const headers = { "content-type": "application/json", authorization: `Bearer ${this.#token}` };
    const response = await fetch(this.told.url + path, { method, headers, body: body && JSON.stringify(body) });
    const said = await response.text();
    assert.ok(response.ok, said);
    return said && JSON.parse(said);
  }

  async questions(session, stage) {
    const page = await this.person("GET", `/v1/approvals?session=${session}${stage ? `&stage=${stage}` : ""}`);
    return page.approvals.reverse();
  }

  async stages(session) {
    return (await this.questions(session)).map((question) => question.stage);
  }

  /** Waits until so many questions are open. */
  async asked(session, count = 1) {
    for (const end = performance.now() + 60_000; ; await sleep(20)) {
      const found = await this.questions(session, "pending");
      if (found.length >= count) {
        return found;
      }
      assert.ok(performance.now() < end, "nobody is asked");
    }
  }

  answer(id, answer) {
    return this.person("POST", `/v1/approvals/${id}/answer`, answer);
  }

  /** Answers the next question of a session. */
  async soon(session, answer) {
    const [question] = await this.asked(session);
    await this.answer(question.id, answer);
  }
}
