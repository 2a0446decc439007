//! Commands that destroy data or open files to everyone.

use hooks_core::Severity;

use super::super::shell::Simple;
use super::{is_flag, literals, name, plain_words};

/// What a command destroys, as the beginning of a sentence.
pub(super) fn of(text: &str, command: &Simple) -> Option<(Severity, &'static str)> {
    let device = |path: &str| {
        ["/dev/sd", "/dev/nvme", "/dev/hd", "/dev/vd", "/dev/disk"].iter().any(|dev| path.starts_with(dev))
    };
    let to_device = command
        .redirections
        .iter()
        .any(|(operator, word)| operator.contains('>') && word.literal().is_some_and(|to| device(&to)));
    if to_device {
        return Some((Severity::Error, "it writes over a disk"));
    }
    let program = name(command)?;
    let arguments = literals(command);
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let first = arguments.first().map(String::as_str);
    match program.as_str() {
        "rm" if has("--recursive") || arguments.iter().any(|it| is_flag(it, 'r') || is_flag(it, 'R')) => {
            let words = plain_words(command).iter().skip(1).filter_map(|word| text.get(word.range.clone()));
            words.map(|word| word.replace(['"', '\'', '{', '}'], "")).find_map(|word| match word.as_str() {
                "/" | "/*" => Some((Severity::Error, "it deletes everything on the machine that it may")),
                "~" | "~/" | "~/*" | "$HOME" | "$HOME/" | "$HOME/*" => {
                    Some((Severity::Error, "it deletes the whole home folder"))
                }
                "*" | "./*" | "." | "./" => {
                    Some((Severity::Warning, "it deletes everything in the folder that it runs in"))
                }
                ".." | "../" | "../*" => {
                    Some((Severity::Warning, "it deletes the folder above the one that it runs in"))
                }
                _ => None,
            })
        }
        "git" if first == Some("reset") && has("--hard") => {
            Some((Severity::Warning, "it throws away every change that is not committed"))
        }
        "git" if first == Some("clean") && arguments.iter().any(|it| is_flag(it, 'f') || it == "--force") => {
            Some((Severity::Warning, "it deletes every file that is not under version control"))
        }
        "git" if first == Some("push") && (has("--force") || has("-f")) => {
            Some((Severity::Warning, "it writes over what others have pushed"))
        }
        "dd" if arguments.iter().any(|it| it.strip_prefix("of=").is_some_and(device)) => {
            Some((Severity::Error, "it writes over a disk"))
        }
        "psql" | "mysql" | "mariadb" | "sqlite3" | "sqlcmd" | "clickhouse-client" => {
            let statement = arguments.join(" ").to_lowercase();
            ["drop database", "drop table", "drop schema", "truncate table"]
                .iter()
                .any(|words| statement.contains(words))
                .then_some((Severity::Warning, "it deletes data from a database"))
        }
        "chmod" if has("777") || has("0777") || has("a+rwx") || has("ugo+rwx") => {
            Some((Severity::Warning, "it lets every user of the machine write the files, those of hooks among them"))
        }
        _ if program == "mkfs" || program.starts_with("mkfs.") => Some((Severity::Error, "it formats a disk")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::shell::read;
    use super::*;

    fn harms(text: &str) -> bool {
        let script = read(text).unwrap();
        script.commands.iter().any(|command| of(text, command).is_some())
    }

    #[test]
    fn what_destroys_is_told_from_what_only_names_it() {
        for text in [
            "rm -rf /",
            "sudo rm -r -f \"$HOME\"",
            "rm -Rf ./*",
            "rm -rf ..",
            "git reset --hard",
            "git clean -fdx",
            "git push origin main --force",
            "psql -c 'DROP TABLE users'",
            "chmod -R 777 .",
            "cat x > /dev/sda",
            "mkfs.ext4 /dev/sdb1",
            "dd if=/dev/zero of=/dev/nvme0n1",
        ] {
            assert!(harms(text), "{text}");
        }
        for text in [
            "rm -rf build",
            "rm -rf \"$TMP\"/x",
            "rm /",
            "grep -q 'rm -rf /'",
            "git push --force-with-lease",
            "git clean -n",
            "echo 'drop table x'",
            "chmod 755 x",
            "dd if=a of=b",
            "cat x > /dev/null",
        ] {
            assert!(!harms(text), "{text}");
        }
    }
}
