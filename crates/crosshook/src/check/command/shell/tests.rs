//! Texts as a shell reads them.

use super::*;

fn words(text: &str) -> Vec<Vec<String>> {
    let script = read(text).unwrap();
    let of = |command: &Simple| command.words.iter().map(|word| text[word.range.clone()].to_owned()).collect();
    script.commands.iter().map(of).collect()
}

#[test]
fn a_text_is_split_as_a_shell_does() {
    assert_eq!(
        words("a 'b c' \"d e\"\\ f; g|h && i || j & k"),
        [vec!["a", "'b c'", "\"d e\"\\ f"], vec!["g"], vec!["h"], vec!["i"], vec!["j"], vec!["k"],]
    );
    assert_eq!(words("a >log 2>&1 # b"), [["a"]]);
    assert_eq!(words("X=1 Y=\"$Z\" a b=c"), [["a", "b=c"]]);
    assert!(words("").is_empty() && words(" \n;").is_empty());
}

#[test]
fn what_joins_commands_is_known() {
    let script = read("a | b && c || d; e &").unwrap();
    let joints: Vec<_> = script.commands.iter().map(|command| (command.before, command.after)).collect();
    use Joint::{And, Background, End, Or, Pipe, Then};
    assert_eq!(joints, [(End, Pipe), (Pipe, And), (And, Or), (Or, Then), (Then, Background)]);
    assert!(!script.compound);
    assert!(read("if a; then b; fi").unwrap().compound);
    assert!(read("(a)").unwrap().compound && read("cat <<E\nx\nE").unwrap().compound);
}

#[test]
fn variables_know_their_place_and_whether_they_are_quoted() {
    let text = r#"$A/x "${B}/y" '$C' \$D ${E:-z} "$(f $G)" $1"#;
    let found: Vec<_> = variables(text).into_iter().map(|v| (v.name, v.quoted, v.plain)).collect();
    let wanted = [("A", false, true), ("B", true, true), ("E", false, false), ("G", false, true), ("1", false, false)];
    assert_eq!(found, wanted.map(|(name, quoted, plain)| (name.to_owned(), quoted, plain)));
    for variable in variables(text) {
        assert!(text[variable.range].starts_with('$'));
    }
}

#[test]
fn what_is_never_closed_is_told() {
    for (text, what, at) in
        [("a \"b", "\"", 2), ("'", "'", 0), ("a $(b", "$(", 2), ("`", "`", 0), ("${A", "${", 0), ("$(\"", "\"", 2)]
    {
        assert_eq!(read(text), Err(Unread::Unclosed { what, at }), "{text}");
    }
    // What goes deeper than is followed is not called unclosed: it may be closed.
    for deep in
        ["$(".repeat(100_000), "${a:-".repeat(100_000), "${a:-\"".repeat(100_000), "$(".repeat(20) + &")".repeat(20)]
    {
        assert_eq!(read(&deep), Err(Unread::Unsure), "{}", &deep[..20]);
    }
}

#[test]
fn what_shells_read_is_read() {
    // Each was read by dash 0.5.12 or bash 5.2 without complaint.
    for text in [
        "cat <<E\nit's\nE\necho",
        "cat <<-'E' | x\n\tit's \"\n\tE\n",
        "a <<A; b <<B\n'\nA\n'\nB\n",
        "cat <<E\nit's without an end",
        "echo $(cat <<'E'\nit's )\nE\n)",
        "echo $(echo a # it's\n)",
        "echo $(case x in x) echo ok;; (y) ;; esac) 'b'",
        "echo $((1<<2)) $(( (1+2)*3 )) 'b'",
        "echo $( (echo a); echo b) $((echo a); echo b) 'c'",
        "echo ${x:-{} ${x:-\"}\"} \"${x:-it's}\" ${x:-$(echo \"}\")} 'b'",
        "echo $'it\\'s' 'b'",
        "echo `echo \\`echo 'b'\\``",
    ] {
        assert!(read(text).is_ok(), "{text}: {:?}", read(text));
    }
    // What stands behind them is found.
    assert_eq!(words("cat <<E\nit's\nE\nx 'y z'"), [vec!["cat"], vec!["x", "'y z'"]]);
    assert_eq!(words("a $(case x in x) ;; esac) b"), [["a", "$(case x in x) ;; esac)", "b"]]);
    assert_eq!(words("a \"${X:-{}}\" b"), [["a", "\"${X:-{}}\"", "b"]]);
}

#[test]
fn literal_words_are_those_that_no_shell_changes() {
    let word = |text: &str| read(text).unwrap().commands[0].words[0].literal();
    assert_eq!(word("'a b'\"c\"d").as_deref(), Some("a bcd"));
    for text in ["a*", "~/a", "$a", "\"$a\"", "{a,b}"] {
        assert_eq!(word(text), None, "{text}");
    }
    assert_eq!(word("'a*'").as_deref(), Some("a*"));
    assert_eq!(word("[ -x a ]").as_deref(), Some("["));
}
