"""Runs `crosshook check` and two other checkers on the same trees, and holds what the others find to our codes.

`cargo xtask compare` calls it, with the Python of the environment that the others are installed in:

    checkers.py ROOT FOLDER CROSSHOOK          the table, printed
    checkers.py ROOT FOLDER CROSSHOOK --speed  the times, printed

ROOT is the checkout, FOLDER one for what was found (`found.json`), CROSSHOOK our program. It uses the standard library
only. What is wrong with the judgements goes to standard error, one fault a line, and the exit code is 1.
"""

import contextlib
import fnmatch
import importlib
import io
import json
import multiprocessing
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

OTHERS = ("agnix", "skillsaw")
VENDORS = {"cursor": "Cursor", "claude": "Claude Code", "codex": "Codex"}
SETS = {
    "corpus": "The files of the corpora, each in a project of its own",
    "page": "The failing examples of the diagnostics' pages",
    "tree": "Small projects that set off the rules of the other two",
}

# The rules of the others that are about hooks of the three vendors. What any other rule says with the word `hook` in its
# message counts too.
ABOUT_HOOKS = re.compile(
    r"CC-HK-|CDX-HK-|CDX-000$|CUR-01[0-3]$|CUR-01[7-9]$|CUR-022$|CUR-03[23]$|CDX-PL-013$|CC-AG-011$|CC-SK-010$"
    r"|(claude|codex|cursor)-hooks-valid$|hooks-(dangerous|prohibited)$"
)
# Rules about other clients, and about texts for models, that speak of hooks in passing.
NOT_OURS = re.compile(r"(KR|WS|GM|OC|CLN|KIRO|COP)-|(antigravity|grok|muse)-|content-")


# --- Trees -----------------------------------------------------------------------------------------------------------


def fences(body):
    """The files of a section: path, text, whether it is executable; and the command line, if there is one."""
    files, console = [], None
    for info, text in re.findall(r"^```([^\n]+)\n(.*?)^```$", body, re.MULTILINE | re.DOTALL):
        words = info.split(" ")
        if words == ["console"]:
            console = text.strip().removeprefix("$ ").split(" ")[2:]
        else:
            language, path = words[:2]
            text = json.loads(text) if language == "json-escaped" else text
            files.append((path, text.encode(), words[2:] == ["x"], language == "link"))
    return files, console


def place(installed_as):
    """Where a file of a corpus lies in a project: what a plugin has, lies in a plugin's folder."""
    path = installed_as.removeprefix("<repo>/").removeprefix("~/")
    if path.endswith(" (plugin)"):
        return "my-plugin/" + path.removesuffix(" (plugin)")
    return "system/etc/codex/requirements.toml" if path == "requirements.toml" else path


def trees(root):
    """Every tree: name, files, and the arguments for our program where a page gives them."""
    for vendor in VENDORS:
        folder = root / "fixtures/corpus" / vendor
        for entry in json.loads((folder / "index.json").read_text())["files"]:
            path = place(entry["installed_as"])
            files = [(path, (folder / entry["file"]).read_bytes(), False, False)]
            if path.startswith("my-plugin/"):
                manifest = {"name": "my-plugin"}
                if Path(path).name != "hooks.json":
                    manifest["hooks"] = "./" + path.removeprefix("my-plugin/")
                files.append((f"my-plugin/.{vendor}-plugin/plugin.json", json.dumps(manifest).encode(), False, False))
            yield f"corpus/{vendor}/{entry['file'].rsplit('.', 1)[0]}", files, None
    for page in sorted((root / "docs/diagnostics").glob("*/*.md")):
        body = page.read_text().split("\n## Fails\n", 1)[1].split("\n## Fixed\n", 1)[0]
        yield f"page/{page.parent.name}/{page.stem}", *fences(body)
    for file in sorted((root / "xtask/compare/trees").glob("*.md")):
        for section in file.read_text().split("\n## ")[1:]:
            name, body = section.split("\n", 1)
            yield f"tree/{file.stem}/{name}", *fences(body)


def write(folder, files):
    """Writes a tree: what is in the home folder and what is the machine's lie beside the project."""
    project = folder / "project"
    project.mkdir(parents=True)
    for path, text, is_executable, is_link in files:
        area, _, rest = path.partition("/")
        at = folder / path if area in ("home", "system") and rest else project / path
        at.parent.mkdir(parents=True, exist_ok=True)
        if is_link:
            at.symlink_to(text.decode().strip())
            continue
        for area, name in ((project, b"/home/alex/demo"), (folder / "home", b"/home/alex")):
            text = text.replace(name, str(area).encode())
        at.write_bytes(text)
        at.chmod(0o755 if is_executable else 0o644)
    return project


# --- The checkers ----------------------------------------------------------------------------------------------------


def output(command, cwd):
    """What a program prints, whatever its exit code."""
    ran = subprocess.run(command, cwd=cwd, capture_output=True, check=False)
    if not ran.stdout:
        raise RuntimeError(f"{command}: exit code {ran.returncode}: {ran.stderr.decode()}")
    return json.loads(ran.stdout)


def ours(crosshook, folder, project, arguments):
    if arguments is None:
        arguments = ["--recursive"]
        # A plugin is named: nothing in a project says that a folder in it is one.
        for manifest in project.glob("my-plugin/.*-plugin/plugin.json"):
            vendor = manifest.parent.name.removeprefix(".").removesuffix("-plugin")
            read = [manifest, *sorted(project.glob("my-plugin/hooks/*.json"))]
            arguments = ["--vendor", vendor, *(str(path.relative_to(project)) for path in read)]
    for area in ("home", "system"):
        if (folder / area).is_dir():
            arguments = [*arguments, f"--{area}={folder / area}"]
    said = output([crosshook, "check", "--format", "json", *arguments], project)
    for one in said["diagnostics"]:
        yield one["code"], one["file"], one["severity"], one["message"]


def agnix(project):
    said = output([Path(sys.executable).parent / "agnix", "--format", "json", "."], project)
    for one in said["diagnostics"]:
        yield one["rule"], one["file"], one["level"], one["message"]


def skillsaw(project):
    """Runs its entry point here: a process for every tree would take minutes."""
    printed = io.StringIO()
    before, arguments = os.getcwd(), sys.argv
    os.chdir(project)
    sys.argv = ["skillsaw", "lint", "-v", "--no-progress", "--format", "json", "."]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            with contextlib.suppress(SystemExit):
                importlib.import_module("skillsaw.__main__").main()
    finally:
        os.chdir(before)
        sys.argv = arguments
    for one in json.loads(printed.getvalue())["violations"]:
        yield one["rule_id"], one["file_path"] or "", one["severity"], one["message"]
    # Claude's plugins are looked at where they are the root.
    plugin = project / "my-plugin"
    if (plugin / ".claude-plugin").is_dir():
        for rule, file, severity, message in skillsaw(plugin):
            yield rule, f"my-plugin/{file}", severity, message


def is_about_hooks(rule, message):
    return bool(ABOUT_HOOKS.match(rule)) or ("hook" in message.lower() and not NOT_OURS.match(rule))


def check(job):
    """Everything that is found in one tree."""
    crosshook, folder, name, files, arguments = job
    folder = folder / "trees" / name
    project = write(folder, files)
    found = {"crosshook": list(ours(crosshook, folder, project, arguments))}
    for tool, run in (("agnix", agnix), ("skillsaw", skillsaw)):
        found[tool] = [one for one in run(project) if is_about_hooks(one[0], one[3])]
    hide = lambda message: message.replace(str(folder), "")
    return name, {tool: [(*one[:3], hide(one[3])) for one in of] for tool, of in found.items()}


# --- Judgements ------------------------------------------------------------------------------------------------------


class Judgements:
    """What was judged by hand, from `judgements.toml`: the first that fits a finding holds."""

    def __init__(self, root):
        self.file = root / "xtask/compare/judgements.toml"
        self.all = tomllib.loads(self.file.read_text())["judgement"]
        self.used = [[] for _ in self.all]
        self.faults = []
        for number, one in enumerate(self.all):
            wrong = set(one) - {"rule", "trees", "says", "verdict", "reason", "source", "codes"}
            if wrong or one.get("verdict") not in (True, False) or not one.get("reason"):
                self.faults.append(f"judgement {number + 1} ({one.get('rule')}): it has rule, verdict = true or false, reason")
            if one.get("verdict") is True and not one.get("codes"):
                self.faults.append(f"judgement {number + 1} ({one.get('rule')}): what is true has codes of ours")

    def judge(self, tool, tree, finding, codes):
        rule, file, _, message = finding
        for number, one in enumerate(self.all):
            if one["rule"] != rule or not any(fnmatch.fnmatch(tree, glob) for glob in one.get("trees", ["*"])):
                continue
            if not re.search(one.get("says", ""), message):
                continue
            self.used[number].append((tree, codes & set(one.get("codes", []))))
            if one["verdict"] and not codes & set(one["codes"]):
                self.faults.append(
                    f"{tree}: {tool} is right with {rule} ({message}), and none of {', '.join(one['codes'])} is found; "
                    f"there are {', '.join(sorted(codes)) or 'none'}"
                )
            return one
        self.faults.append(f"{tree}: {tool} says {rule} of {file} ({message}): nobody has judged that")
        return None

    def finish(self):
        for number, one in enumerate(self.all):
            if not self.used[number]:
                self.faults.append(f"judgement {number + 1} ({one['rule']}, {one.get('trees', '*')}): fits no finding any more")


# --- The table -------------------------------------------------------------------------------------------------------


def vendor_of(file):
    """Whose file it is, by its path."""
    parts = set(Path(file).parts)
    for vendor in VENDORS:
        if parts & {f".{vendor}", f".{vendor}-plugin", f"hooks-{vendor}.json"}:
            return vendor
    return "codex" if file.endswith("requirements.toml") else None


def vendor_in(tree, files):
    """Whose tree it is, where a file's path does not say."""
    named = tree.split("/")[1]
    if named in VENDORS:
        return named
    return next(filter(None, (vendor_of(path) for path, *_ in files)), "claude")


def cell(text):
    return text.replace("|", "\\|")


def listed(names):
    return ", ".join(f"`{name}`" for name in names)


def shown_trees(used):
    """The trees of a judgement, with how often each."""
    counts = Counter(tree for tree, _ in used)
    return ", ".join(f"{tree}{f' ({n} times)' if n > 1 else ''}" for tree, n in sorted(counts.items()))


def table(root, results, files, judgements, versions):
    counts = defaultdict(Counter)
    claimed = defaultdict(lambda: {tool: set() for tool in OTHERS})
    where = defaultdict(set)
    rules = defaultdict(lambda: defaultdict(list))
    for tree, found in sorted(results.items()):
        codes = {one[0] for one in found["crosshook"]}
        for tool, of in found.items():
            for one in of:
                vendor = vendor_of(one[1]) or vendor_in(tree, files[tree])
                counts[tree.split("/")[0], vendor][tool] += 1
        for one in found["crosshook"]:
            where[one[0]].add(tree)
        for tool in OTHERS:
            for one in found[tool]:
                judged = judgements.judge(tool, tree, one, codes)
                if judged is None:
                    continue
                vendor = vendor_of(one[1]) or vendor_in(tree, files[tree])
                counts[tree.split("/")[0], vendor][tool, judged["verdict"]] += 1
                rules[tool, one[0]][judgements.all.index(judged)].append(tree)
                if judged["verdict"]:
                    for code in codes & set(judged["codes"]):
                        claimed[code][tool].add(tree)
    judgements.finish()

    lines = [
        "<!-- Made by `cargo xtask compare`; what stands between the marks `kept` is written by hand. -->",
        "",
        "# Beside other checkers",
        "",
        f"`crosshook check`, agnix {versions['agnix']} and skillsaw {versions['skillsaw']} (both from PyPI) on the same "
        f"{len(results)} trees, made by",
        "",
        "```console",
        "$ cargo xtask compare",
        "```",
        "",
        "Counted is what is about hooks of Cursor, Claude Code and Codex. Every finding of the other two is judged by hand in "
        "`xtask/compare/judgements.toml`: true or false, with the reason. One that is true and that no code of ours tells of "
        "on the same tree fails the command, as does one that nobody has judged.",
        "",
        "## Counts",
        "",
        "Findings of each tool; of the others' those that are false in brackets.",
    ]
    for kind, about in SETS.items():
        lines += ["", f"{about}:", "", "| Vendor | crosshook | agnix | skillsaw |", "| --- | --- | --- | --- |"]
        for vendor, title in VENDORS.items():
            row = counts[kind, vendor]
            others = [f"{row[tool]} ({row[tool, False]} false)" for tool in OTHERS]
            lines.append(f"| {title} | {row['crosshook']} | {' | '.join(others)} |")
    alone = sorted(code for code in where if not any(claimed[code].values()))
    shared = sorted(code for code in where if any(claimed[code].values()))
    lines += [
        "",
        "## Ours",
        "",
        f"{len(where)} codes are found. Of {len(alone)} neither of the others ever says anything that is true:",
        "",
        listed(alone),
        "",
        "The rest, with the number of trees, and in how many of them the others say it too:",
        "",
        "| Code | Trees | agnix | skillsaw | Only ours |",
        "| --- | --- | --- | --- | --- |",
    ]
    for code in shared:
        said = [claimed[code][tool] for tool in OTHERS]
        lines.append(f"| `{code}` | {len(where[code])} | {len(said[0])} | {len(said[1])} | {len(where[code] - said[0] - said[1])} |")
    lines += ["", "## Theirs"]
    for tool in OTHERS:
        mine = sorted(rule for of, rule in rules if of == tool)
        found = [(judgements.all[n]["verdict"], len(of)) for rule in mine for n, of in rules[tool, rule].items()]
        true, false = (sum(n for verdict, n in found if verdict is wanted) for wanted in (True, False))
        lines += ["", f"### {tool} {versions[tool]}", "", f"{true + false} findings: {true} true, {false} false."]
        for rule in mine:
            lines += ["", f"#### {rule}", ""]
            for number, of in sorted(rules[tool, rule].items()):
                judged = judgements.all[number]
                source = f" ({judged['source']})" if judged.get("source") else ""
                said = f" Ours: {listed(judged['codes'])}." if judged["verdict"] else ""
                word = "True" if judged["verdict"] else "False"
                reason = judged["reason"].strip().rstrip(".")
                lines += [f"- **{word}.** {reason}{source}.{said}", f"  On {shown_trees([(tree, None) for tree in of])}."]
    lines += ["", "## Speed", ""]
    return "\n".join(lines) + "\n" + kept(root)


def kept(root):
    """The part that is written by hand."""
    file = root / "docs/compare/checkers.md"
    text = file.read_text() if file.is_file() else ""
    part = re.search(r"<!-- kept -->\n.*?<!-- /kept -->\n", text, re.DOTALL)
    return part[0] if part else "<!-- kept -->\n<!-- /kept -->\n"


def versions(root):
    text = (root / "xtask/compare/requirements.txt").read_text()
    return dict(re.findall(r"^(\S+)==(\S+)$", text, re.MULTILINE))


def compare(root, folder, work, crosshook):
    everything = list(trees(root))
    judgements = Judgements(root)
    jobs = [(crosshook, work, *tree) for tree in everything]
    with multiprocessing.Pool(os.cpu_count()) as pool:
        results = dict(pool.imap_unordered(check, jobs, chunksize=8))
    (folder / "found.json").write_text(json.dumps(results, indent=1, sort_keys=True))
    text = table(root, results, {name: files for name, files, _ in everything}, judgements, versions(root))
    sys.stdout.write(text)
    for fault in judgements.faults:
        print(fault, file=sys.stderr)
    return 1 if judgements.faults else 0


# --- Speed -----------------------------------------------------------------------------------------------------------

RUNS = 30


def project(root, folder):
    """A project with hooks of all three vendors: those of the corpora that lie in a project, and their scripts."""
    names = ("cursor/001-minimal-one-hook", "claude/002-settings-with-other-keys", "codex/001-minimal-json")
    files = [file for name, files, _ in trees(root) if name.removeprefix("corpus/") in names for file in files]
    return write(folder, files)


def many(root, folder, number):
    """Folders with one config file each, of the three vendors in turn."""
    names = ("cursor/011-fail-closed-gates", "claude/002-settings-with-other-keys", "codex/001-minimal-json")
    chosen = [files for name, files, _ in trees(root) if name.removeprefix("corpus/") in names]
    for n in range(number):
        for path, text, *_ in chosen[n % len(chosen)]:
            at = folder / f"project-{n:04}" / path
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_bytes(text)
    return folder


def timed(command, cwd):
    """Seconds by the clock and of the processors for one run."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    took, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def speed(root, folder, crosshook):
    bin = Path(sys.executable).parent
    commands = {
        "crosshook": [crosshook, "check", "--format", "json"],
        "agnix": [bin / "agnix", "--format", "json", "."],
        "skillsaw": [bin / "skillsaw", "lint", "--no-progress", "--format", "json", "."],
    }
    here = project(root, folder / "speed")
    if not output(commands["agnix"], here)["files_checked"]:
        return f"agnix checks no file of {here}, so that its times say nothing"
    times = defaultdict(list)
    # The two programs take turns. The script's longer runs come after them: they leave nothing of the others in the
    # processor's caches.
    for tools in (("crosshook", "agnix"), ("skillsaw",)):
        for run in range(RUNS + 2):
            for tool in tools:
                took = timed(commands[tool], here)
                if run >= 2:
                    times[tool].append(took)
    for tool, of in times.items():
        clock, cpu = ([1000 * one[n] for one in of] for n in (0, 1))
        print(f"{tool:<10} median {statistics.median(clock):7.1f} ms, least {min(clock):7.1f} ms; "
              f"processor {statistics.median(cpu):7.1f} ms")
    for number in (100, 1000):
        at = many(root, folder / f"many-{number}", number)
        for tool, command in commands.items():
            command = [*command, "--recursive"] if tool == "crosshook" else command
            runs = [timed(command, at) for _ in range(5 if tool == "crosshook" else 3)]
            clock, cpu = min(runs)
            print(f"{tool:<10} {number:>5} files: {1000 * clock:8.1f} ms; processor {1000 * cpu:8.1f} ms, "
                  f"{cpu / clock:.2f} at a time")
    return 0


def main():
    root, folder, crosshook = (Path(argument) for argument in sys.argv[1:4])
    # Not below the checkout: agnix passes over what the repository around a tree ignores, such as its target folder.
    with tempfile.TemporaryDirectory(prefix="compare-") as work:
        work = Path(work)
        home = work / "nobody"
        home.mkdir()
        os.environ |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "PYTHONDONTWRITEBYTECODE": "1"}
        return speed(root, work, crosshook) if "--speed" in sys.argv[4:] else compare(root, folder, work, crosshook)


if __name__ == "__main__":
    sys.exit(main())
