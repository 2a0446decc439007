#!/usr/bin/env python3
"""A shim for the conformance vectors: what Cursor makes of a beforeShellExecution hook's answer, in Python.

It claims one kind of vector about one event of one vendor, and answers nothing else:

    crosshook conformance run --shim 'python3 examples/shims/cursor_shell.py'

The protocol is described in docs/shim-protocol.md, the forms of outcomes and effects in fixtures/vectors/README.md.
Standard output belongs to the protocol; whatever else a shim has to say goes to standard error.
"""

import base64
import json
import sys

HELLO = {
    "protocol": 1,
    "name": "cursor-shell.py",
    "version": "1.0.0",
    "claims": [
        # `profiles`: only vectors that name no face of Cursor.
        {"vendor": "cursor", "events": ["beforeShellExecution"], "kinds": ["decode"], "profiles": [None]}
    ],
}

VERDICTS = ("allow", "ask", "deny")

# Fields that steer something on other events, or for other vendors, and when they ask for it. Cursor does nothing with
# them here, so that they are reported.
FOREIGN = {
    "continue": lambda value: value is False,
    "decision": lambda value: value in ("block", "deny"),
    "followup_message": lambda value: value not in ("", None),
    "hookSpecificOutput": lambda value: True,
    "updated_input": lambda value: True,
    "updated_mcp_tool_output": lambda value: True,
}


class Unreadable(Exception):
    """An answer that cannot be read."""


def main():
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "hello" in message:
            say({"hello": HELLO})
            continue
        try:
            reply = answer(message["ask"])
        except Exception as error:  # One question that goes wrong must not take the others with it.
            print(f"question {message['id']}: {error!r}", file=sys.stderr)
            reply = {"error": repr(error)}
        say({"id": message["id"], **reply})


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(ask):
    vector = ask["vector"]
    outcome = vector["outcome"]
    given = vector.get("given", {})
    strict = vector.get("policy", {}).get("strict", False)
    closed = strict or vector.get("binding", {}).get("fail_closed", False)
    name = clean(given.get("command", "")) or clean(given.get("binding_id", "")) or "the hook"

    end = outcome["end"]
    if isinstance(end, dict) and ("exited" in end or "signalled" in end):
        code = end.get("exited")
    elif end in ("timed_out", "cancelled", "failed_to_start"):
        code = None
    else:
        return {"unsupported": f"this shim knows commands alone, and no end {end!r}"}

    stdout = as_bytes(outcome.get("stdout", ""))
    if code == 2:
        return {"answer": denial(name, "blocked this command", *messages(stdout))}
    if code != 0 or not stdout.strip() or outcome.get("stdout_truncated"):
        # A failed run blocks where the definition or the host says so. What the host did itself, cutting off and
        # cancelling, always blocks.
        blocks = closed or end == "cancelled" or (code == 0 and bool(stdout.strip()))
        return {"answer": failure(name, "failed", blocks)}
    try:
        return {"answer": read(name, stdout)}
    except Unreadable as why:
        return {"answer": failure(name, str(why), blocks=True)}


def read(name, stdout):
    """What an exit with 0 printed."""
    said = as_object(stdout)
    verdict = said.get("permission")
    if verdict not in VERDICTS:
        raise Unreadable("gave no permission of allow, ask or deny")
    agent, user = message(said, "agent_message"), message(said, "user_message")
    if verdict == "allow":
        effects = {"verdict": "allow"}
        if user:
            effects["notices"] = [user]
    else:
        effects = restraint(verdict, agent, user, f"{name} said {verdict}")
    rewritten = said.get("updated_input")
    if isinstance(rewritten, dict):
        effects["replacement_input"] = rewritten
    unsupported = [key for key, asks in FOREIGN.items() if key in said and asks(said[key])]
    if unsupported:
        effects["unsupported"] = unsupported
    return effects


def denial(name, what, agent, user):
    return restraint("deny", agent, user, f"{name} {what}")


def restraint(verdict, agent, user, otherwise):
    """The agent's message is the reason, else the person's, else the host's own text; what is left is a notice."""
    effects = {"verdict": verdict, "reasons": [agent or user or otherwise]}
    if agent and user and agent != user:
        effects["notices"] = [user]
    return effects


def failure(name, why, blocks):
    effects = denial(name, why, None, None) if blocks else {}
    return {**effects, "failed": True}


def messages(stdout):
    """The messages of an answer that need not be readable."""
    try:
        said = as_object(stdout)
        return message(said, "agent_message"), message(said, "user_message")
    except Unreadable:
        return None, None


def message(said, key):
    text = said.get(key)
    if text is None:
        return None
    if not isinstance(text, str):
        raise Unreadable(f"gave a {key} that is no text")
    return clean(text)


def as_object(stdout):
    def no_number(word):
        raise ValueError(word)

    try:
        said = json.loads(stdout.decode("utf-8"), parse_constant=no_number)
    except (ValueError, RecursionError):
        raise Unreadable("printed no JSON") from None
    if not isinstance(said, dict):
        raise Unreadable("printed no object")
    return said


def as_bytes(text):
    """The bytes of a text in any of the format's three forms."""
    if isinstance(text, str):
        return text.encode("utf-8")
    if "base64" in text:
        return base64.b64decode(text["base64"])
    return text["repeat"].encode("utf-8") * text["times"]


def clean(text):
    """A text without what a terminal would obey: control characters but newline and tab, and marks of direction."""
    kept = (
        character
        for character in text
        if character in "\n\t"
        or not (character < " " or "\x7f" <= character <= "\x9f" or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    )
    return "".join(kept).strip()


if __name__ == "__main__":
    main()
