//! The reader that goes on: brackets, commas, colons, comments and blanks.

use std::ops::Range;

use super::{MOST_MISTAKES, Mistake, MistakeKind, Syntax, language};
use crate::diagnostic::Related;
use crate::document::{JsonRules, Member, Node, Object, Value};
use crate::json::DEPTH_LIMIT;

/// One pass over a text. Places inside are of the text; [`Reader::push`] and nodes get places of the document.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) rules: JsonRules,
    /// Bytes before the text.
    mark: usize,
    mistakes: Vec<Mistake>,
    /// Open brackets with their places, the innermost last.
    open: Vec<(char, usize)>,
    /// Brackets that end here although nothing closes them, beyond the one that is being read.
    unwind: usize,
    /// The end of the last thing that was read, blanks and comments apart.
    last: usize,
    /// Whether reading ended early.
    stopped: bool,
    /// Where the object stands that is the last member's value.
    object_before: Option<usize>,
    /// Whether that object turned out to be the one element of an array whose bracket does not stand before it.
    is_element: bool,
    /// Whether the comma before the next member is part of an edit already.
    comma_given: bool,
}

/// Where a list of members or elements stands.
#[derive(Default)]
struct Items {
    /// Whether there was one.
    any: bool,
    /// The comma after the last one.
    comma: Option<Range<usize>>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, mark: usize, rules: JsonRules) -> Self {
        Self {
            text,
            at: 0,
            rules,
            mark,
            mistakes: Vec::new(),
            open: Vec::new(),
            unwind: 0,
            last: 0,
            stopped: false,
            object_before: None,
            is_element: false,
            comma_given: false,
        }
    }

    pub(super) fn read(mut self) -> Syntax {
        self.blanks();
        self.fence();
        let language = language(self.after(self.at)).filter(|language| *language != "JSON");
        let root = match self.peek() {
            Some(_) if let Some(language) = language => {
                let range = self.place(self.at..self.line_end(self.at));
                let message = format!("the file is {language}");
                let help = "Write the file as one JSON object: {...}.";
                self.push(Mistake::new(MistakeKind::Unreadable, range, message, help));
                None
            }
            None => {
                let whole = self.place(0..self.text.len());
                if self.mistakes.iter().all(|mistake| mistake.kind == MistakeKind::ByteOrderMark) {
                    self.mistakes.clear();
                    let help = "Write a JSON document, or remove the file.";
                    self.push(Mistake::new(MistakeKind::Empty, whole, "the file is empty", help));
                } else {
                    let help = "Write a JSON document beside the comments, or remove the file.";
                    self.push(Mistake::new(
                        MistakeKind::Empty,
                        whole,
                        "there is nothing but comments in the file",
                        help,
                    ));
                }
                None
            }
            Some('{' | '[' | '"' | '\'' | '`' | '“' | '0'..='9' | '-' | 't' | 'f' | 'n') => {
                let root = self.value();
                self.rest();
                Some(root)
            }
            Some(_) => {
                let end = self.line_end(self.at);
                self.tell(
                    MistakeKind::Unreadable,
                    self.at..end,
                    "the file does not start with a bracket as JSON does",
                    "Write the file as one JSON object: {...}.",
                );
                None
            }
        };
        self.mistakes.sort_by_key(|mistake| (mistake.range.start, mistake.range.end));
        let mendable = !self.stopped && self.mistakes.iter().all(|mistake| !mistake.edits.is_empty());
        Syntax { mistakes: together(self.mistakes), root: root.clone().filter(|_| mendable), read: root }
    }

    /// Goes into a block of code of Markdown, whose fences are taken out.
    fn fence(&mut self) {
        let start = self.at;
        let rest = self.after(start);
        let Some(line) = rest.starts_with("```").then(|| rest.find('\n')).flatten() else { return };
        let body = start + line + 1;
        let whole = self.text.trim_end();
        let end = whole.rfind('\n').map_or(0, |at| at + 1).max(body);
        let message = "fences of Markdown stand around the document";
        let help = "Take the lines with the fences out.";
        let mistake = self.mistake(MistakeKind::ExtraText, start..self.line_end(start), message, help);
        let mut mistake = mistake.edit(self.place(start..body), "");
        if whole.get(end..).is_some_and(|last| last.trim() == "```") {
            mistake = mistake.edit(self.place(end..self.text.len()), "");
            self.text = self.text.get(..end).unwrap_or(self.text);
        }
        self.push(mistake);
        self.at = body;
        self.blanks();
    }

    /// What stands behind the document.
    fn rest(&mut self) {
        while !self.stopped {
            self.blanks();
            let start = self.at;
            match self.peek() {
                None => return,
                Some(c @ (',' | ';')) => {
                    self.bump(c);
                    self.extra_comma(start..self.at);
                }
                Some(c @ ('}' | ']')) => {
                    self.bump(c);
                    self.extra_bracket(start..self.at);
                }
                Some(':') => {
                    let help = "Put the whole document into one pair of braces: {...}.";
                    self.tell(MistakeKind::ExtraText, start..start + 1, "the outer braces are missing", help);
                    self.stopped = true;
                }
                Some(_) => {
                    let end = start + self.after(start).trim_end().len();
                    let help = "Keep one document in the file.";
                    self.tell(
                        MistakeKind::ExtraText,
                        start..end,
                        "something stands behind the end of the document",
                        help,
                    );
                    self.stopped = true;
                }
            }
        }
    }

    // Places and characters.

    pub(super) fn after(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.after(self.at).chars().next()
    }

    pub(super) fn bump(&mut self, c: char) {
        self.at += c.len_utf8();
    }

    pub(super) fn line_end(&self, from: usize) -> usize {
        let rest = self.after(from);
        let line = rest.split('\n').next().unwrap_or_default();
        from + line.strip_suffix('\r').unwrap_or(line).len()
    }

    pub(super) const fn place(&self, range: Range<usize>) -> Range<usize> {
        range.start + self.mark..range.end + self.mark
    }

    pub(super) fn push(&mut self, mistake: Mistake) {
        if self.mistakes.len() < MOST_MISTAKES {
            self.mistakes.push(mistake);
        } else {
            self.stopped = true;
        }
    }

    pub(super) fn mistake(
        &self,
        kind: MistakeKind,
        range: Range<usize>,
        message: impl Into<std::borrow::Cow<'static, str>>,
        help: &'static str,
    ) -> Mistake {
        Mistake::new(kind, self.place(range), message, help)
    }

    /// Tells of a mistake that nobody can mend but its author.
    pub(super) fn tell(&mut self, kind: MistakeKind, range: Range<usize>, message: &'static str, help: &'static str) {
        let mistake = self.mistake(kind, range, message, help);
        self.push(mistake);
    }

    /// Marks what was read up to here as the last thing.
    pub(super) fn done(&mut self) {
        self.last = self.at;
    }

    /// The character behind which something is missing.
    fn last_character(&self) -> Range<usize> {
        let c = self.text.get(..self.last).and_then(|before| before.chars().next_back());
        self.last - c.map_or(0, char::len_utf8)..self.last
    }

    // Between values.

    /// Goes over blanks, comments and what else stands between values.
    fn blanks(&mut self) {
        while !self.stopped {
            let rest = self.after(self.at);
            match self.peek() {
                Some(' ' | '\t' | '\n' | '\r') => self.at += 1,
                Some('#') => self.comment(self.line_end(self.at)),
                Some('/') if rest.starts_with("//") => self.comment(self.line_end(self.at)),
                Some('/') if rest.starts_with("/*") => match rest.find("*/") {
                    Some(length) => self.comment(self.at + length + 2),
                    None => {
                        let help = "Remove it; JSON has no comments.";
                        self.tell(MistakeKind::Comment, self.at..self.at + 2, "this comment never ends", help);
                        self.stopped = true;
                    }
                },
                Some('<' | '=' | '>') if self.is_conflict(rest) => {
                    let end = self.line_end(self.at);
                    self.tell(
                        MistakeKind::ConflictMarker,
                        self.at..end,
                        "a merge was not finished here",
                        "Finish the merge: keep one side and remove the marks.",
                    );
                    self.at = end;
                }
                Some(c) if c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}') => {
                    let start = self.at;
                    while let Some(c) = self.peek().filter(|c| {
                        (c.is_whitespace() && !matches!(c, ' ' | '\t' | '\n' | '\r'))
                            || matches!(c, '\u{feff}' | '\u{200b}')
                    }) {
                        self.bump(c);
                    }
                    let message = format!("the blank U+{:04X} is none in JSON", u32::from(c));
                    let help = "Write a plain blank.";
                    let mistake = self.mistake(MistakeKind::Blank, start..self.at, message, help).replace(" ");
                    self.push(mistake);
                }
                _ => return,
            }
        }
    }

    fn is_conflict(&self, rest: &str) -> bool {
        let at_line = self.text.get(..self.at).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
        at_line && ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| rest.starts_with(mark))
    }

    /// A comment from here to an end. One that has its lines for itself is taken out with them, another one with the
    /// blanks before it.
    fn comment(&mut self, end: usize) {
        let start = self.at;
        let before = self.text.get(..start).unwrap_or_default();
        let blanks = start - before.trim_end_matches([' ', '\t']).len();
        let from = start - blanks;
        let alone = from == 0 || before.get(..from).is_some_and(|before| before.ends_with('\n'));
        let rest = self.after(end);
        let line = rest.trim_start_matches([' ', '\t']);
        let line_break = if line.starts_with("\r\n") { 2 } else { usize::from(line.starts_with('\n')) };
        let gone = if alone && (line_break > 0 || line.is_empty()) {
            from..end + (rest.len() - line.len()) + line_break
        } else {
            from..end
        };
        let help = "Remove it; JSON has no comments.";
        let gone = self.place(gone);
        let mistake = self.mistake(MistakeKind::Comment, start..end, "comments are not allowed in this file", help);
        self.push(mistake.edit(gone, ""));
        self.at = end;
    }

    fn extra_comma(&mut self, range: Range<usize>) {
        let message = "there is a comma with nothing before it";
        let mistake = self.mistake(MistakeKind::ExtraComma, range, message, "Remove the comma.").delete();
        self.push(mistake);
    }

    fn trailing_comma(&mut self, range: Range<usize>) {
        let message = "there is a comma before a closing bracket";
        let mistake = self.mistake(MistakeKind::TrailingComma, range, message, "Remove the comma.").delete();
        self.push(mistake);
    }

    fn extra_bracket(&mut self, range: Range<usize>) {
        let message = "this bracket closes nothing";
        let mistake = self.mistake(MistakeKind::ExtraBracket, range, message, "Remove the bracket.").delete();
        self.push(mistake);
    }

    // Values.

    /// A value. Where none stands, that is told and nothing is read.
    fn value(&mut self) -> Node {
        self.blanks();
        let start = self.at;
        let value = match self.peek() {
            _ if self.stopped => Value::Null,
            Some('{') => Value::Object(Object { members: self.members() }),
            Some('[') => Value::Array(self.list('[', |reader| Some(reader.element()), |_| {})),
            Some('"') => Value::String(self.string()),
            Some(c) if super::token::opens_text(c) => Value::String(self.other_quotes(c)),
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => self.number(),
            None | Some('}' | ']' | ',' | ':' | ';') => {
                let end = self.peek().map_or(start, |c| start + c.len_utf8());
                self.tell(MistakeKind::MissingValue, start..end, "a value is missing here", "Write the value.");
                Value::Null
            }
            Some(_) => self.word(),
        };
        let range = self.place(start..self.at);
        if self.at > start {
            self.last = self.last.max(self.at);
        }
        Node { value, range }
    }

    /// The members of an object.
    fn members(&mut self) -> Vec<Member> {
        self.list('{', Self::member, |member| {
            let range = member.value.range.clone();
            let object = std::mem::replace(&mut member.value, Node { value: Value::Null, range: range.clone() });
            member.value = Node { value: Value::Array(vec![object]), range };
        })
    }

    /// An element of an array, whose bracket may be missing where it is an object.
    fn element(&mut self) -> Node {
        let start = self.at;
        if !self.at_key() {
            return self.value();
        }
        let message = "`{` is missing before this key";
        let help = "Write the bracket that opens the object.";
        let range = start..self.key_end();
        let mistake = self.mistake(MistakeKind::Unclosed, range, message, help);
        let mistake = mistake.edit(self.place(start..start), "{");
        let told = self.mistakes.len();
        self.push(mistake);
        let members = self.members();
        let is_closed = self.text.get(..self.at).is_some_and(|read| read.ends_with('}'));
        if let Some(mistake) = self.mistakes.get_mut(told).filter(|_| !is_closed) {
            // Nothing closes it either: it may be the array that is meant to be an object.
            mistake.message = "a key stands in an array".into();
            mistake.help = "Write the object in braces: {...}.".into();
            mistake.edits.clear();
            if self.mistakes.last().is_some_and(|last| last.kind == MistakeKind::Unclosed)
                && self.mistakes.len() > told + 1
            {
                self.mistakes.pop();
            }
        }
        let range = self.place(start..self.at);
        self.last = self.last.max(self.at);
        Node { value: Value::Object(Object { members }), range }
    }

    /// The end of the text in quotes that stands here, if it stands on one line.
    fn key_end(&self) -> usize {
        let inner = self.after(self.at).strip_prefix('"').unwrap_or_default();
        let end = inner.find(['"', '\n']).filter(|end| inner.get(*end..).is_some_and(|rest| rest.starts_with('"')));
        end.map_or(self.at, |length| self.at + length + 2)
    }

    /// Whether a key in quotes stands here, with its colon.
    fn at_key(&self) -> bool {
        let end = self.key_end();
        end > self.at && self.after(end).trim_start_matches([' ', '\t']).starts_with(':')
    }

    /// What stands between a pair of brackets, the first of which may be missing; `wrap` makes an array of an item.
    fn list<T>(&mut self, opening: char, item: fn(&mut Self) -> Option<T>, wrap: fn(&mut T)) -> Vec<T> {
        let mut found = Vec::new();
        if self.open.len() >= DEPTH_LIMIT {
            let message = format!("the file is nested more than {DEPTH_LIMIT} levels deep");
            let range = self.at..self.at + opening.len_utf8();
            let mistake = self.mistake(MistakeKind::TooDeep, range, message, "Nest it less deeply.");
            self.push(mistake);
            self.stopped = true;
            return found;
        }
        self.open.push((opening, self.at));
        if self.peek() == Some(opening) {
            self.bump(opening);
            self.done();
        }
        let mut items = Items::default();
        while !self.stopped {
            let more = self.more(opening, &mut items);
            if std::mem::take(&mut self.is_element) {
                found.last_mut().into_iter().for_each(wrap);
            }
            if !more {
                break;
            }
            let start = self.at;
            if let Some(item) = item(self) {
                found.push(item);
            }
            items = Items { any: true, comma: None };
            if self.unwind > 0 {
                self.unwind -= 1;
                break;
            }
            if self.at == start {
                self.skip();
            }
        }
        self.open.pop();
        found
    }

    /// Goes to the next item of a list; `false` where the list is over, its closing bracket read.
    fn more(&mut self, opening: char, items: &mut Items) -> bool {
        while !self.stopped {
            self.blanks();
            let start = self.at;
            match self.peek() {
                None => {
                    items.comma.take().into_iter().for_each(|comma| self.trailing_comma(comma));
                    self.unclosed(self.open.len(), "");
                    return false;
                }
                Some(c @ ('}' | ']')) => {
                    let of = |opening: char| if opening == '{' { '}' } else { ']' };
                    if c == of(opening) {
                        items.comma.take().into_iter().for_each(|comma| self.trailing_comma(comma));
                        self.bump(c);
                        self.done();
                        return false;
                    }
                    let around = self.open.iter().rev().position(|(opening, _)| c == of(*opening));
                    if let Some(levels) = around {
                        items.comma.take().into_iter().for_each(|comma| self.trailing_comma(comma));
                        self.unclosed(levels, "");
                        return false;
                    }
                    self.bump(c);
                    match self.object_before.take() {
                        Some(object) if opening == '{' && c == ']' && items.comma.is_none() => {
                            let message = "`[` is missing before this value";
                            let help = "Write the bracket that opens the array.";
                            let mistake = self.mistake(MistakeKind::Unclosed, object..object + 1, message, help);
                            let mut mistake = mistake.edit(self.place(object..object), "[");
                            mistake.related.push(Related {
                                message: "it is closed here".to_owned(),
                                path: None,
                                range: self.place(start..self.at),
                            });
                            self.push(mistake);
                            self.is_element = true;
                            self.done();
                        }
                        _ => self.extra_bracket(start..self.at),
                    }
                }
                Some(c @ (',' | ';')) => {
                    self.bump(c);
                    if !items.any || items.comma.is_some() {
                        self.extra_comma(start..self.at);
                    } else {
                        items.comma = Some(start..self.at);
                        self.done();
                    }
                }
                Some(_) if opening == '[' && items.any && self.at_key() && self.open.iter().any(|(c, _)| *c == '{') => {
                    let levels = self.open.iter().rev().take_while(|(c, _)| *c == '[').count();
                    // The comma is the outer object's.
                    match &items.comma {
                        Some(comma) => {
                            self.last = self.text.get(..comma.start).unwrap_or_default().trim_end().len();
                            self.at = comma.start;
                            self.unclosed(levels, "");
                        }
                        None => {
                            self.unclosed(levels, ",");
                            self.comma_given = true;
                        }
                    }
                    return false;
                }
                Some(_) => {
                    let given = std::mem::take(&mut self.comma_given);
                    match &items.comma {
                        None if items.any && !given => self.missing_comma(),
                        Some(sign) if self.after(sign.start).starts_with(';') => {
                            let message = "a semicolon stands where a comma belongs";
                            let range = sign.clone();
                            let mistake = self.mistake(MistakeKind::MissingComma, range, message, "Write a comma.");
                            self.push(mistake.replace(","));
                        }
                        _ => {}
                    }
                    return true;
                }
            }
        }
        false
    }

    fn missing_comma(&mut self) {
        let end = self.place(self.last..self.last);
        let message = "a comma is missing behind this value";
        let range = self.last_character();
        let mistake = self.mistake(MistakeKind::MissingComma, range, message, "Write a comma behind it.");
        self.push(mistake.edit(end, ","));
    }

    /// Closes as many brackets as are open beyond a level, with what belongs behind them, and tells of them once.
    fn unclosed(&mut self, levels: usize, behind: &str) {
        let mut text = String::new();
        let mut related = Vec::new();
        for &(bracket, at) in self.open.iter().rev().take(levels) {
            text.push(if bracket == '{' { '}' } else { ']' });
            let range = self.place(at..at + 1);
            related.push(Related { message: "this bracket is not closed".to_owned(), path: None, range });
        }
        let message = format!("`{text}` is missing here at the latest");
        let help = "Close the brackets where what they hold ends.";
        let mut mistake = self.mistake(MistakeKind::Unclosed, self.last_character(), message, help);
        mistake.related = related;
        let end = self.place(self.last..self.last);
        text.push_str(behind);
        self.push(mistake.edit(end, text));
        self.unwind = levels.saturating_sub(1);
    }

    /// One member of an object.
    fn member(&mut self) -> Option<Member> {
        let start = self.at;
        let key = match self.peek()? {
            '"' => Some(self.string()),
            c if super::token::opens_text(c) => Some(self.other_quotes(c)),
            c if super::token::is_word(c) => Some(self.bare_key()),
            _ => {
                let help = "Write the key in double quotes and a colon behind it.";
                self.tell(
                    MistakeKind::MissingKey,
                    start..start + self.peek().map_or(0, char::len_utf8),
                    "a key is missing here",
                    help,
                );
                None
            }
        };
        let key_range = self.place(start..self.at);
        if self.at > start {
            self.done();
        }
        self.blanks();
        match self.peek() {
            Some(':') => {
                self.at += 1;
                self.done();
            }
            Some('=') => {
                let length = if self.after(self.at).starts_with("=>") { 2 } else { 1 };
                let range = self.at..self.at + length;
                let message = "a colon belongs between a key and its value";
                let mistake = self.mistake(MistakeKind::MissingColon, range, message, "Write a colon.").replace(":");
                self.push(mistake);
                self.at += length;
                self.done();
            }
            Some(c) if key.is_some() && !matches!(c, ',' | ';' | '}' | ']') => {
                let end = self.place(self.last..self.last);
                let message = "a colon is missing behind this key";
                let mistake = self.mistake(MistakeKind::MissingColon, start..self.last, message, "Write a colon.");
                self.push(mistake.edit(end, ":"));
            }
            Some('{' | '[') => {
                self.value();
                return None;
            }
            _ => {
                if key.is_some() {
                    let help = "Write a colon and a value behind it.";
                    self.tell(MistakeKind::MissingValue, start..self.last, "this key has no value", help);
                }
                return None;
            }
        }
        let value = self.value();
        self.object_before = matches!(value.value, Value::Object(_)).then(|| value.range.start - self.mark);
        key.map(|key| Member { key, key_range, value })
    }

    /// Goes over something that is no JSON, so that reading goes on behind it.
    fn skip(&mut self) {
        if let Some(c) = self.peek() {
            let start = self.at;
            self.bump(c);
            self.tell(MistakeKind::Unreadable, start..self.at, "this is no JSON", "Remove it, or put it into quotes.");
            self.done();
        }
    }
}

/// How often the same mistake is told of one by one.
const MOST_ALIKE: usize = 3;

/// Mistakes in the order of the file, where the same habit again and again is told once, with all its edits.
fn together(mistakes: Vec<Mistake>) -> Vec<Mistake> {
    let key = |mistake: &Mistake| {
        let habit = match mistake.kind {
            MistakeKind::Comment => 0,
            MistakeKind::WrongQuotes => 1,
            MistakeKind::MissingQuotes => 2,
            _ => return None,
        };
        (!mistake.edits.is_empty()).then_some(habit)
    };
    let mut alike = [0_usize; 3];
    for mistake in &mistakes {
        key(mistake).and_then(|habit| alike.get_mut(habit)).into_iter().for_each(|count| *count += 1);
    }
    let mut firsts: [Option<usize>; 3] = [None; 3];
    let mut told: Vec<Mistake> = Vec::new();
    for mut mistake in mistakes {
        let Some((habit, &count)) = key(&mistake).and_then(|habit| Some((habit, alike.get(habit)?))) else {
            told.push(mistake);
            continue;
        };
        if count <= MOST_ALIKE {
            told.push(mistake);
            continue;
        }
        match firsts.get(habit).copied().flatten().and_then(|first| told.get_mut(first)) {
            Some(first) => first.edits.append(&mut mistake.edits),
            None => {
                let help = mistake.help.trim_end_matches('.');
                mistake.help = format!("{help}, here and in {} more places.", count - 1).into();
                firsts.get_mut(habit).into_iter().for_each(|first| *first = Some(told.len()));
                told.push(mistake);
            }
        }
    }
    told
}
