// Carries a Cursor guard to Claude Code or Codex with `crosshook translate --bridge`, lets the real client of that vendor run
// it, and records what the client did. The model is a scripted stand-in on the loopback device; no account is needed.
//
//   CROSSHOOK=target/debug/crosshook CLAUDE_BIN=/path/to/claude node xtask/lab/bridge.mjs claude
//   CROSSHOOK=target/debug/crosshook CODEX_BIN=/path/to/codex  node xtask/lab/bridge.mjs codex
//
// It writes `fixtures/evidence/bridge-VENDOR.json`, or the file that is named second. The stand-ins and the code that starts
// the clients are in the folder LAB, `../shared/lab` beside the checkout if that is not set. The clients are installed from
// npm: `@anthropic-ai/claude-code` and `@openai/codex`.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const lab = path.resolve(process.env.LAB ?? path.join(root, "../shared/lab"));
const crosshook = path.resolve(process.env.CROSSHOOK ?? path.join(root, "target/debug/crosshook"));
const [vendor, to = path.join(root, `fixtures/evidence/bridge-${vendor}.json`)] = process.argv.slice(2);

const GUARD = "fixtures/scripts/command-guard/cursor.sh";
const SOURCE = { version: 1, hooks: { beforeShellExecution: [{ command: "./hooks/guard.sh" }] } };
// What the model asks for, the file that tells whether it happened, and the words of the script that the model is to be told.
const COMMANDS = [
  { at: (top) => `rm -rf ${top}build`, ran: (has) => !has("build"), words: "no rm -rf here" },
  { at: (top) => `git push origin main > ${top}pushed.txt 2>&1`, ran: (has) => has("pushed.txt"), words: "Push now?" },
  { at: (top) => `ls > ${top}listed.txt`, ran: (has) => has("listed.txt") },
].map((one) => ({ ...one, command: one.at("") }));
// A folder below the project's root, which a second session stands in: the script has to be found from there too.
const BELOW = "deep";
const FILES = { "build/kept.txt": "kept\n", [`${BELOW}/kept.txt`]: "kept\n", "hooks/guard.sh": fs.readFileSync(path.join(root, GUARD), "utf8") };

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "crosshook-lab-"));
const bin = path.join(scratch, "bin");
fs.mkdirSync(bin);
fs.symlinkSync(crosshook, path.join(bin, "crosshook"));
process.env.PATH = `${bin}${path.delimiter}${process.env.PATH}`;

// The Cursor project; what its own client decides by the guard, and what `crosshook translate` makes of its configuration.
const project = path.join(scratch, "cursor");
for (const [name, text] of Object.entries({ ...FILES, ".cursor/hooks.json": JSON.stringify(SOURCE) })) {
  fs.mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
  fs.writeFileSync(path.join(project, name), text, { mode: 0o755 });
}
const ours = (args, ends) => {
  try {
    execFileSync(crosshook, args, { cwd: project, env: { PATH: process.env.PATH, HOME: scratch }, stdio: "pipe" });
    return 0;
  } catch (error) {
    if (ends.includes(error.status)) return error.status;
    throw new Error(`${crosshook} ${args.join(" ")}: ${error.stderr || error.message}`);
  }
};
const atHome = COMMANDS.map(({ command }) =>
  ({ 0: "ran", 10: "denied", 11: "asked" })[ours(["fire", "beforeShellExecution", "--vendor", "cursor", "--command", command, "--yes"], [10, 11])]);
ours(["translate", "--from", "cursor", "--to", vendor, "--bridge"], []);
const document = { claude: ".claude/settings.json", codex: ".codex/hooks.json" }[vendor];
const translated = JSON.parse(fs.readFileSync(path.join(project, document), "utf8"));

// The two clients: each runs the commands in one session with a configuration, in the project's root or in the folder below
// it, and gives the project's folder and what its model was told.
const commands = (below) => (below ? [below, ...COMMANDS.map(({ at }) => at("../"))] : COMMANDS.map(({ command }) => command));
const clients = {
  async claude(id, configuration, below) {
    const { runCase, findClient } = await import(pathToFileURL(path.join(lab, "claude/lab.mjs")));
    const executable = (work) => fs.chmodSync(path.join(work, "hooks/guard.sh"), 0o755);
    const session = await runCase({
      id,
      mcp: false,
      files: FILES,
      setup: ({ proj }) => executable(proj),
      rawSettings: ({ settings }) => JSON.stringify({ ...settings, ...configuration }),
      script: { main: commands(below && `cd ${BELOW}`).map((command) => [{ tool: "Bash", input: { command, description: "as asked" } }]) },
    }, { root: scratch });
    const requests = JSON.parse(fs.readFileSync(path.join(scratch, id, "requests.json"), "utf8"));
    const results = requests.flatMap(({ body }) => body?.messages ?? []).flatMap(({ content }) => content)
      .filter((block) => block?.type === "tool_result");
    const told = COMMANDS.map((_, at) => JSON.stringify(results.find(({ tool_use_id: id }) => id === `toolu_lab_main_${at}_0`) ?? ""));
    return { name: "Claude Code", version: execFileSync(findClient(), ["--version"], { encoding: "utf8" }), work: path.join(scratch, id, "proj"), told, session };
  },
  async codex(id, configuration, below) {
    process.env.LAB_DIR = scratch;
    const { runCase, SH, M, BIN } = await import(pathToFileURL(path.join(lab, "codex/harness.mjs")));
    const session = await runCase({
      id,
      hooks: [],
      hooksJson: null,
      files: FILES,
      projectHooksJson: JSON.stringify(configuration),
      trustProject: true,
      gitInit: true,
      // Without anybody to ask, Codex itself refuses `rm -rf`. Here it asks, and gets a yes, so that only the guard is left.
      approval: "on-request",
      limitMs: 60000,
      ...(below ? { threadStart: { cwd: `{{work}}/${BELOW}` } } : {}),
      script: [...commands(below && "true").map((command) => SH(command)), M()],
      // The harness writes files without the bit that makes them executable.
      flow: [{ fn: ({ work }) => fs.chmodSync(path.join(work, "hooks/guard.sh"), 0o755) }, { prompt: "do the thing" }],
    });
    const raw = JSON.parse(fs.readFileSync(path.join(scratch, id, "observed.raw.json"), "utf8"));
    const outputs = raw.requests.at(-1).body.input.filter(({ type }) => type === "function_call_output");
    const told = COMMANDS.map((_, at) => JSON.stringify(outputs[at] ?? ""));
    return { name: "Codex", version: execFileSync(BIN, ["--version"], { encoding: "utf8" }), work: path.join(scratch, id, "work"), told, session };
  },
};

const guarded = await clients[vendor]("guarded", translated);
const deep = await clients[vendor]("deep", translated, true);
// The same session without hooks: what does not happen above is held back by the guard, and by nothing else.
const bare = await clients[vendor]("bare", { hooks: {} });
const { name, version, told } = guarded;
const happened = ({ ran }, { work }) => (ran((file) => fs.existsSync(path.join(work, file))) ? "ran" : "denied");
const cases = COMMANDS.map((one, at) => ({
  command: one.command,
  in_cursor: atHome[at],
  in_the_client: happened(one, guarded),
  in_a_folder_below: happened(one, deep),
  ...(one.words ? { the_model_is_told: told[at].includes(one.words) ? one.words : null } : {}),
  without_hooks: happened(one, bare),
}));
const recording = {
  client: name,
  version: version.match(/\d+\.\d+\.\d+/)[0],
  guard: GUARD,
  source: SOURCE,
  configuration: { path: document, text: translated },
  cases,
};
fs.writeFileSync(to, `${JSON.stringify(recording, null, 2)}\n`);
if (process.env.KEEP) console.error(`kept: ${scratch}`, JSON.stringify([guarded.session.observed, bare.session.observed], null, 1));
else fs.rmSync(scratch, { recursive: true, force: true });
// Nobody answers a question in these sessions, so that what Cursor asks about does not run either.
const faults = cases.filter((one) => [one.in_the_client, one.in_a_folder_below].some((there) => (one.in_cursor === "ran") !== (there === "ran")) || one.without_hooks !== "ran");
for (const one of faults) console.error(`${name}: ${JSON.stringify(one)}`);
process.exit(faults.length > 0 ? 1 : 0);
