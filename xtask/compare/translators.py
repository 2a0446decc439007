"""Carries one Cursor project to Claude Code and Codex with two translators, and fires what each of them wrote.

`cargo xtask compare translators` calls it:

    translators.py ROOT CROSSHOOK NODE RULESYNC

ROOT is the checkout, CROSSHOOK our program, NODE a Node that the other translator runs on, and RULESYNC its entry script. The table goes to standard output. It uses the standard library only. The exit code is 1 where
what our translator wrote with `--bridge` holds back less than the source does: that is a fault of ours, not a finding.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TARGETS = {"claude": ("Claude Code", "claudecode"), "codex": ("Codex", "codexcli")}
# The project's scripts: what they are called in it, and where they are in the checkout.
SCRIPTS = {
    "command-guard.sh": "fixtures/scripts/command-guard/cursor.sh",
    "path-guard.py": "fixtures/scripts/path-guard/cursor.py",
    "mcp-guard.py": "xtask/compare/translators/mcp-guard.py",
    "secret-scanner.mjs": "fixtures/scripts/secret-scanner/cursor.mjs",
    "formatter.sh": "fixtures/scripts/formatter/cursor.sh",
    "session-context.py": "fixtures/scripts/session-context/cursor.py",
    "stop-until-tests-pass.sh": "fixtures/scripts/stop-until-tests-pass/cursor.sh",
}
# What the exit code of `crosshook fire` says, in the words of the table.
WORDS = {0: "let through", 10: "denied", 11: "asked", 13: "stopped", 14: "goes on"}
# How much a word holds back; what is not here holds nothing back.
HOLDS = {"asked": 1, "denied": 2, "stopped": 2, "goes on": 2}


def shell(command):
    return lambda vendor, root: ("tool.before", ["--command", command])


def write(boundary, path):
    """A new file, in the tool that each vendor's client writes files with."""

    def args(vendor, root):
        if vendor == "codex":
            patch = f"*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch\n"
            tool, value = "apply_patch", {"command": patch}
        else:
            tool, value = "Write", {"file_path": str(root / path), "content": "x\n"}
        return boundary, ["--tool", tool, "--input", json.dumps(value)]

    return args


def mcp(tool):
    def args(vendor, root):
        name = f"MCP:{tool}" if vendor == "cursor" else f"mcp__github__{tool}"
        return "tool.before", ["--tool", name, "--input", '{"name": "x"}']

    return args


def plain(boundary, *more):
    return lambda vendor, root: (boundary, list(more))


# Hook, case, what to fire.
CASES = [
    ("shell guard (`beforeShellExecution`)", "`rm -rf build`", shell("rm -rf build")),
    ("", "`git push origin main`", shell("git push origin main")),
    ("", "`ls`", shell("ls")),
    ("path guard (`preToolUse`, `Write`)", "writes `.env`", write("tool.before", ".env")),
    ("", "writes `src/main.rs`", write("tool.before", "src/main.rs")),
    ("guard of tool servers (`beforeMCPExecution`)", "`delete_repo`", mcp("delete_repo")),
    ("", "`search`", mcp("search")),
    ("secret scanner (`beforeSubmitPrompt`)", "a prompt with a key", plain("prompt.submit", "--prompt", "use key_0123abcd for it")),
    ("", "a prompt without", plain("prompt.submit", "--prompt", "use the test account")),
    ("formatter (`afterFileEdit`)", "`src/main.rs` was written", write("tool.result", "src/main.rs")),
    ("context (`sessionStart`)", "a session starts", plain("session.start")),
    ("tests (`stop`, `loop_limit` 3)", "the turn ends, tests fail", plain("turn.stop")),
]


def run(command, cwd, home):
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def project(folder, root):
    """The Cursor project, and an empty home folder beside it."""
    place = folder / "project"
    (place / "hooks").mkdir(parents=True)
    (place / ".cursor").mkdir()
    (folder / "home").mkdir()
    shutil.copy(root / "xtask/compare/translators/hooks.json", place / ".cursor/hooks.json")
    for name, source in SCRIPTS.items():
        shutil.copy(root / source, place / "hooks" / name)
        (place / "hooks" / name).chmod(0o755)
    return place


def meaning(hook):
    """What the target's client makes of a hook's run."""
    means = "; ".join(hook["means"])
    printed = (hook["outcome"] or {}).get("stdout", "").strip()
    if means.startswith("failed"):
        return "it ran, and " + means
    if means == "no opinion":
        return f"it ran, and `{printed}` says nothing here" if printed else "it ran, and said nothing"
    return means


def fire(crosshook, place, vendor, case):
    """What a vendor's client does in a case: a word, and why where that is not plain."""
    boundary, more = case(vendor, place)
    formatted = place / "formatted.txt"
    formatted.unlink(missing_ok=True)
    command = [crosshook, "fire", boundary, "--vendor", vendor, *more, "--yes", "--json"]
    done = run(command, place, place.parent / "home")
    if done.returncode not in WORDS:
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr}")
    told = json.loads(done.stdout)
    hooks = told["hooks"]
    if not hooks:
        return "never runs", "no hook of the file is for it"
    why = "; ".join(dict.fromkeys(meaning(hook) for hook in hooks))
    word = WORDS[done.returncode]
    if boundary == "tool.result":
        noted = formatted.read_text().strip() if formatted.exists() else ""
        word = "formatted" if noted.endswith("src/main.rs") else "runs, formats nothing"
    elif boundary == "session.start":
        word = "told" if "the branch is main" in json.dumps(told["decision"]) else "runs, nothing is told"
    elif word == "let through" and boundary == "turn.stop":
        word = "ends"
    return word, why


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def main():
    # Not below the checkout: Codex's commands look for the root of the repository that they are run in.
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        sys.exit(compare(Path(folder), *[Path(arg).absolute() for arg in sys.argv[1:5]]))


def compare(folder, root, crosshook, node, rulesync):
    """Prints the table; gives the exit code."""
    # What was written says `crosshook`, and scripts say `node`: both are found on the path.
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    (bin_folder / "crosshook").symlink_to(crosshook)
    os.environ["PATH"] = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
    version = run([node, rulesync, "--version"], folder, folder).stdout.strip()

    source = project(folder / "cursor", root)
    home = {at: fire(crosshook, source, "cursor", case) for at, (_, _, case) in enumerate(CASES)}
    faults = []
    out = [
        "# Two translators, fired",
        "",
        f"One Cursor project, carried to Claude Code and Codex by rulesync {version} and by `crosshook translate`; then everything",
        "that each of them wrote is fired: the scripts run as processes, with the standard input that the target's client gives",
        "them, and what they answer is read by that client's rules. Scripts are not changed. Made by",
        "`cargo xtask compare translators` from `xtask/compare/translators.py`.",
        "",
        "- **rulesync**: `rulesync convert --from cursor --to ... -f hooks`.",
        "- **unbridged**: `crosshook translate --from cursor --to ...` with every loss accepted by `--allow-loss`. Without that it",
        "  writes nothing and ends with exit code 1.",
        "- **bridged**: `crosshook translate --from cursor --to ... --bridge`, nothing else said.",
        "",
        "A case in which less is held back, or done, than in Cursor is in bold.",
    ]
    for vendor, (name, theirs) in TARGETS.items():
        columns, notes = {}, []
        place = project(folder / f"{vendor}-rulesync", root)
        done = run([node, rulesync, "convert", "--from", "cursor", "--to", theirs, "-f", "hooks"], place, place.parent / "home")
        skipped = [line.rsplit(": ", 1)[1] for line in done.stderr.splitlines() + done.stdout.splitlines() if "Skipped hook event" in line]
        told = f"it says that it skips {', '.join(skipped)}" if skipped else "it names nothing as lost"
        notes.append(f"rulesync ends with exit code {done.returncode}; {told}.")
        columns["rulesync"] = place

        place = project(folder / f"{vendor}-unbridged", root)
        refused = run([crosshook, "translate", "--from", "cursor", "--to", vendor, "--json"], place, place.parent / "home")
        losses = json.loads(refused.stdout)["to_accept"]
        allowed = [part for loss in losses for part in ("--allow-loss", loss)]
        done = run([crosshook, "translate", "--from", "cursor", "--to", vendor, *allowed], place, place.parent / "home")
        if (refused.returncode, done.returncode) != (1, 0):
            faults.append(f"{name}, unbridged: exit codes {refused.returncode} and {done.returncode}")
        notes.append(f"Unbridged: exit code 1, nothing written; to be accepted: {', '.join(f'`{loss}`' for loss in losses)}.")
        columns["unbridged"] = place

        place = project(folder / f"{vendor}-bridged", root)
        done = run([crosshook, "translate", "--from", "cursor", "--to", vendor, "--bridge", "--json"], place, place.parent / "home")
        told = json.loads(done.stdout) if done.stdout.startswith("{") else {}
        if done.returncode != 0:
            faults.append(f"{name}, bridged: exit code {done.returncode}: {told.get('to_accept')} {done.stderr}")
        codes = {find["code"] for hook in told.get("hooks", []) for find in hook["findings"]}
        reasons = ", ".join(f"`{code}`" for code in sorted(codes)) or "nothing"
        notes.append(f"Bridged: exit code {done.returncode}; told as different: {reasons}.")
        columns["bridged"] = place

        # A project's other file would be read by its own client only; it is taken away so that only what was written counts.
        for place in columns.values():
            shutil.rmtree(place / ".cursor")
        out += ["", f"## {name}", "", "| Hook | Case | Cursor | rulesync | unbridged | bridged |", "|---|---|---|---|---|---|"]
        whys, less = {}, dict.fromkeys(columns, 0)
        for at, (hook, case_name, case) in enumerate(CASES):
            own = home[at][0]
            cells = []
            for column, place in columns.items():
                word, why = fire(crosshook, place, vendor, case)
                lost = HOLDS.get(word, 0) < HOLDS.get(own, 0) or (own in ("formatted", "told") and word != own)
                less[column] += lost
                cells.append(f"**{word}**" if lost else word)
                if lost and column == "bridged":
                    faults.append(f"{name}, bridged, {case_name}: {word} where Cursor {own}: {why}")
                if word != own:
                    whys.setdefault((column, word, why), []).append(case_name)
            out.append("| " + " | ".join(map(cell, [hook, case_name, own, *cells])) + " |")
        counts = ", ".join(f"{column} {count}" for column, count in less.items())
        out += ["", f"Cases of {len(CASES)} in which less is held back or done: {counts}.", ""]
        out += [f"- {note}" for note in notes]
        out += ["", "Where it differs from Cursor, and why:", ""]
        by_column = sorted(whys.items(), key=lambda item: list(columns).index(item[0][0]))
        out += [f"- {column}: {', '.join(names)}: {word}; {why}." for (column, word, why), names in by_column]
    print("\n".join(out).replace(str(folder), ""))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    main()
