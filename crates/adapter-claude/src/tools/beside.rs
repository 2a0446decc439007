//! Tools that do what a usual one does under another name and with other keys: what a hook of another vendor is told of
//! them.

use hooks_core::tool::{Edit, OtherTool, Shell, TextEdit, ToolAction, ToolCall};

use super::{Keys, placed};

/// What a call does, as the call that other vendors have for it; `None` for a call that is read as it is, and for a tool
/// that no other vendor has a call for. `PowerShell` has the keys of `Bash`; `Monitor` runs a command, or listens to a
/// socket without one; `NotebookEdit` changes a cell of a file (SDK's types of tool inputs, 2.1.332).
pub(crate) fn parts(call: &ToolCall, cwd: &str) -> Option<Result<Vec<ToolCall>, String>> {
    let ToolAction::Other(OtherTool { name, arguments }) = &call.action else { return None };
    let mut keys = Keys::parse(arguments.get()).unwrap_or_default();
    let action = match name.as_str() {
        "PowerShell" => command(&mut keys, "timeout"),
        "Monitor" if keys.last("command").is_none() => return None,
        "Monitor" => command(&mut keys, "timeout_ms"),
        "NotebookEdit" => keys.text("notebook_path").map(|path| {
            let new = keys.text("new_source").unwrap_or_default();
            let edits = vec![TextEdit { old: String::new(), new, replace_all: false }];
            ToolAction::Edit(Edit { path: placed(&path, cwd).into_owned(), edits })
        }),
        _ => return None,
    };
    let wrong = || format!("the input of `{name}` does not say what it does");
    Some(action.map(|action| vec![ToolCall::new(action)]).ok_or_else(wrong))
}

fn command(keys: &mut Keys, timeout: &str) -> Option<ToolAction> {
    Some(ToolAction::Shell(Shell {
        command: keys.text("command")?,
        description: keys.text("description"),
        timeout_ms: keys.number(timeout),
        background: keys.flag("run_in_background"),
        ..Shell::default()
    }))
}

#[cfg(test)]
mod tests {
    use hooks_core::json::RawJson;

    use super::*;

    fn read(name: &str, input: &str) -> Option<Result<Vec<ToolCall>, String>> {
        parts(&super::super::call(name, &RawJson::parse(input).unwrap()), "/p")
    }

    fn one(name: &str, input: &str) -> ToolAction {
        read(name, input).unwrap().unwrap().remove(0).action
    }

    #[test]
    fn commands_of_other_shells_are_commands() {
        for name in ["PowerShell", "Monitor"] {
            let action = one(name, r#"{"command": "rm -rf /", "description": "d"}"#);
            let ToolAction::Shell(shell) = action else { panic!("{name}: {action:?}") };
            assert_eq!((shell.command.as_str(), shell.description.as_deref()), ("rm -rf /", Some("d")), "{name}");
        }
    }

    #[test]
    fn a_cell_of_a_notebook_is_an_edit() {
        let action = one("NotebookEdit", r#"{"notebook_path": "a.ipynb", "new_source": "x = 1"}"#);
        let ToolAction::Edit(edit) = action else { panic!("{action:?}") };
        assert_eq!((edit.path.as_str(), edit.edits[0].new.as_str()), ("/p/a.ipynb", "x = 1"));
    }

    #[test]
    fn what_does_not_say_what_it_does_is_an_error() {
        for (name, input) in [("PowerShell", "{}"), ("Monitor", r#"{"command": 1}"#), ("NotebookEdit", "{}")] {
            assert!(matches!(read(name, input), Some(Err(_))), "{name}");
        }
    }

    #[test]
    fn everything_else_is_read_as_it_is() {
        for (name, input) in [("Bash", r#"{"command": "ls"}"#), ("Monitor", r#"{"ws": "wss://x"}"#), ("Skill", "{}")] {
            assert_eq!(read(name, input), None, "{name}");
        }
    }
}
