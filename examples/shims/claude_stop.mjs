// A shim for the conformance vectors: what Claude Code makes of a Stop hook's answer, in JavaScript.
//
//     crosshook conformance run --shim 'node examples/shims/claude_stop.mjs'
//
// The protocol is described in docs/shim-protocol.md, the forms of outcomes and effects in fixtures/vectors/README.md.
// Standard output belongs to the protocol: log with `console.error`.

import { createInterface } from "node:readline";

const HELLO = {
  protocol: 1,
  name: "claude-stop.mjs",
  version: "1.0.0",
  // `clients`: only vectors about the client that their file records, and no older one.
  claims: [{ vendor: "claude", events: ["Stop"], kinds: ["decode"], clients: [null] }],
};

function answer({ event, vector: { outcome } }) {
  const { end } = outcome;
  if (end === "timed_out" || end === "cancelled" || end === "failed_to_start" || end.signalled !== undefined) {
    return { answer: { failed: true } };
  }
  if (end.exited === undefined) {
    return { unsupported: `this shim knows commands alone, and no end ${JSON.stringify(end)}` };
  }
  const said = asObject(text(outcome.stdout));
  if (said) {
    return { answer: read(event, said) };
  }
  if (end.exited === 2) {
    return { answer: { continuation: { text: text(outcome.stderr).trim() || "the hook gave no reason" }, failed: true } };
  }
  // A text that is no object is shown to nobody here.
  return { answer: end.exited === 0 ? {} : { failed: true } };
}

// What an object says, whatever the exit code.
function read(event, said) {
  const { decision, hookSpecificOutput: own } = said;
  const readable =
    (decision === undefined || decision === "block" || decision === "approve") &&
    (own === undefined || own.hookEventName === event || (own.hookEventName !== undefined && decision !== undefined));
  if (!readable) {
    return { failed: true };
  }
  const effects = {};
  if (said.systemMessage) {
    effects.notices = [said.systemMessage];
  }
  if (said.continue === false) {
    effects.halt = { reason: said.stopReason ?? null };
  }
  const context = own?.hookEventName === event ? own.additionalContext : undefined;
  if (decision === "block") {
    effects.continuation = { text: said.reason || "the hook gave no reason" };
    if (context) {
      effects.context = [context];
    }
  } else if (context) {
    effects.continuation = { text: context };
  }
  return effects;
}

function asObject(text) {
  try {
    const said = JSON.parse(text);
    return said !== null && typeof said === "object" && !Array.isArray(said) ? said : undefined;
  } catch {
    return undefined;
  }
}

// A text in any of the format's three forms.
function text(given = "") {
  if (typeof given === "string") {
    return given;
  }
  return "base64" in given ? Buffer.from(given.base64, "base64").toString("utf8") : given.repeat.repeat(given.times);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { hello, id, ask } = JSON.parse(line);
  let reply = { hello: HELLO };
  if (!hello) {
    try {
      reply = { id, ...answer(ask) };
    } catch (error) {
      // One question that goes wrong must not take the others with it.
      console.error(error);
      reply = { id, error: String(error) };
    }
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
