//! Every diagnostic that the checker itself gives, as one table: what needs the file system, a shell's grammar, or several
//! vendors side by side.

use hooks_core::{Code, Severity};

macro_rules! codes {
    ($( $(#[$doc:meta])* $name:ident = $word:literal, $severity:ident, $summary:literal, $help:literal; )*) => {
        $( $(#[$doc])* pub static $name: Code = Code {
            id: concat!("crosshook/", $word),
            about: $word,
            severity: Severity::$severity,
            summary: $summary,
            help: $help,
        }; )*

        /// Every diagnostic of the checker.
        pub static CODES: &[&Code] = &[ $( &$name, )* ];
    };
}

codes! {
    /// A file with nothing in it.
    EMPTY_FILE = "empty-file", Info,
        "A hook file has nothing in it.",
        "Write hooks into it, or delete it.";
    /// A command names a script that is not there.
    SCRIPT_MISSING = "script-missing", Error,
        "A command runs a script that is not there.",
        "Write the path from the folder that the vendor runs the hook in, or put the script there.";
    /// A command names a folder.
    SCRIPT_IS_A_FOLDER = "script-is-a-folder", Error,
        "A command runs a folder, which no shell can.",
        "Write the path of a file in it.";
    /// A script that is run directly has no executable bit.
    SCRIPT_NOT_EXECUTABLE = "script-not-executable", Error,
        "A command runs a script directly that nobody may execute.",
        "Make it executable with `chmod +x`, or run it with its interpreter.";
    /// A script that is run directly does not say with what.
    SHEBANG_MISSING = "shebang-missing", Info,
        "A script that is run directly has no `#!` line, so whichever shell comes to it reads it.",
        "Begin it with a line such as `#!/bin/sh`.";
    /// A `#!` line that ends in a carriage return.
    SHEBANG_CRLF = "shebang-crlf", Error,
        "A script's `#!` line ends in a carriage return, so the system looks for an interpreter with that in its name.",
        "Save the script with line ends of Unix (LF).";
    /// A `#!` line that names what is not there.
    SHEBANG_INTERPRETER_MISSING = "shebang-interpreter-missing", Error,
        "A script's `#!` line names an interpreter that is not on this machine.",
        "Name one that is there, or find it with `#!/usr/bin/env NAME`.";
    /// A script in one language given to the interpreter of another.
    WRONG_INTERPRETER = "wrong-interpreter", Error,
        "A command gives a script to the interpreter of another language than its `#!` line names.",
        "Run it with the interpreter that it is written for.";
    /// A program that `PATH` does not have.
    PROGRAM_NOT_FOUND = "program-not-found", Info,
        "A command runs a program that is not on this machine's PATH.",
        "Install it, or write the path of the program.";
    /// A path that depends on where the session stands.
    RELATIVE_PATH = "relative-path", Warning,
        "A command names a script by a path relative to the session's current directory, which is not always the project's root.",
        "Write the path from a variable that stands for the project's root.";
    /// A variable whose value can hold blanks, not in quotes.
    VARIABLE_UNQUOTED = "variable-unquoted", Warning,
        "A path variable stands outside quotes: where the path has a blank, the shell splits it and finds no script.",
        "Put double quotes around it.";
    /// A variable that the vendor does not set for this hook.
    VARIABLE_NOT_SET = "variable-not-set", Error,
        "A command uses a variable that the vendor does not set for this hook, so it is empty.",
        "Use what the vendor gives the hook instead.";
    /// A variable in the syntax of a shell that does not run the command.
    VARIABLE_OF_ANOTHER_SHELL = "variable-of-another-shell", Warning,
        "A command writes a variable as another shell does than the one that runs it.",
        "Write it as the shell does that runs the command.";
    /// Quotes around a whole command that has quotes of its own.
    QUOTES_DOUBLED = "quotes-doubled", Error,
        "A command has a second pair of quotes around it, as only cmd.exe wants them; other shells take them for empty texts.",
        "Remove the outer pair.";
    /// A quote or bracket that is never closed.
    QUOTE_UNCLOSED = "quote-unclosed", Error,
        "A command has a quote or bracket that is never closed, so the shell refuses all of it.",
        "Close it.";
    /// A path with backslashes in a shell that takes them for escapes.
    BACKSLASH_PATH = "backslash-path", Warning,
        "A path is written with backslashes, which the shell that runs the command takes away.",
        "Write it with slashes.";
    /// A guard that is skipped when its script is missing.
    MISSING_GUARD_PASSES = "missing-guard-passes", Warning,
        "A command runs its script only if it is there, so a missing guard lets everything through without a word.",
        "Let a missing script fail: run it without the test, or exit with 2 where it is missing.";
    /// A guard whose exit code does not arrive.
    EXIT_CODE_LOST = "exit-code-lost", Warning,
        "A command ends with another exit code than its script's, so a block by exit code 2 never arrives.",
        "Let the script be the last thing that the command runs.";
    /// A guard that says that it blocks, and fails.
    EXIT_1_PASSES = "exit-1-passes", Warning,
        "A guard says that it blocks and exits with 1, which the vendor takes for a failure: what it should guard goes on.",
        "Exit with 2, which blocks.";
    /// A plain text where the vendor wants JSON.
    PLAIN_TEXT_REFUSED = "plain-text-refused", Warning,
        "A command always prints a plain text, which the event does not take.",
        "Print nothing, or an answer in the vendor's JSON.";
    /// Shell syntax where no shell runs.
    NO_SHELL_HERE = "no-shell-here", Warning,
        "A command with `args` is started without a shell, so shell syntax in it stays as it is.",
        "Write the value itself, or leave `args` out and write one shell text.";
    /// A program's path with arguments behind it.
    BLANK_IN_PROGRAM = "blank-in-program", Error,
        "A command with `args` has arguments in `command`, which is taken as the name of one program.",
        "Put every argument into `args`.";
    /// A download that is run without anyone reading it.
    DOWNLOAD_IS_RUN = "download-is-run", Warning,
        "A command runs what it downloads: something else each time, unread, and nothing where the download fails.",
        "Put the script into the project, read it, and run it from there.";
    /// A decoded text that is run.
    PAYLOAD_HIDDEN = "payload-hidden", Warning,
        "A command decodes a text and runs it, so nobody sees what the hook does.",
        "Write what it does in plain text, or put it into a script.";
    /// The hook's own input that is run.
    INPUT_IS_RUN = "input-is-run", Error,
        "A command runs a text from the hook's own input.",
        "Read the text as data: compare it, do not run it.";
    /// A command that destroys data or opens files to everyone.
    HARMFUL_COMMAND = "harmful-command", Warning,
        "A command destroys data or opens files to everyone, and hooks run without anyone being asked.",
        "Leave it to a person, or name exactly what is to go.";
    /// An answer to every permission request that grants it.
    GRANTS_EVERYTHING = "grants-everything", Warning,
        "A command answers every permission request with the same yes, so nobody is asked about anything any more.",
        "Narrow the matcher to the tools that are meant, or look at the call before granting it.";
    /// A tool that another vendor has.
    FOREIGN_TOOL = "foreign-tool", Warning,
        "A matcher names a tool that only another vendor has.",
        "Write this vendor's name for the tool.";
    /// A plugin's own server by its bare name.
    PLUGIN_SERVER_NAME = "plugin-server-name", Warning,
        "A plugin's hook names the plugin's own tool server as one from elsewhere is named, and never meets it.",
        "Write the name with the plugin's in it: `mcp__plugin_<plugin>_<server>__<tool>`, or `plugin:<plugin>:<server>` in a handler.";
    /// One hook in two files.
    SAME_HOOK_TWICE = "same-hook-twice", Info,
        "The same hook stands in two files that are both read.",
        "Keep it in one of them.";
    /// Hooks in a file that nobody reads.
    FILE_NOBODY_READS = "file-nobody-reads", Warning,
        "A file holds hooks and lies where no client looks.",
        "Move the hooks to the file that the client reads.";
    /// A configuration of the checker that is no TOML.
    CONFIG_SYNTAX = "config-syntax", Error,
        "The checker's own configuration file is broken, so parts of it do not count.",
        "Mend the TOML: `key = \"text\"`, `key = [\"a\", \"b\"]`, a table as `[check]`.";
    /// A key that the checker's configuration does not have.
    CONFIG_UNKNOWN_KEY = "config-unknown-key", Error,
        "The checker's own configuration file has a key that means nothing.",
        "Write one of the keys that there are, or take it out.";
    /// A value of another type than its key takes.
    CONFIG_WRONG_TYPE = "config-wrong-type", Error,
        "A value in the checker's own configuration file has the wrong type, so it does not count.",
        "Write a value of the type that the message names.";
    /// A value that names nothing, or that cannot be read.
    CONFIG_BAD_VALUE = "config-bad-value", Error,
        "A value in the checker's own configuration file names nothing that there is, so it does not count.",
        "Write a code, vendor, severity, version, path or pattern that there is.";
    /// A known finding that does not occur any more.
    BASELINE_STALE = "baseline-stale", Info,
        "The file of known findings has an entry for something that does not occur any more.",
        "Write the file anew with --write-baseline, or take the entry out.";
}
