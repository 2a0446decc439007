//! Values one step away from a value: a part dropped, replaced by one of another kind, or with a part more.

use serde_json::{Map, Value, json};

/// Every value one step away, with what the step was.
pub(super) fn steps(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let mut pointers = vec![String::new()];
    while let Some(pointer) = pointers.pop() {
        let part = value.pointer(&pointer).expect("a part");
        let keys: Vec<String> = match part {
            Value::Object(members) => members.keys().cloned().collect(),
            Value::Array(items) => (0..items.len()).map(|at| at.to_string()).collect(),
            _ => Vec::new(),
        };
        let with = |what: String, change: &dyn Fn(&mut Value)| {
            let mut changed = value.clone();
            change(changed.pointer_mut(&pointer).expect("a part"));
            (format!("{pointer}: {what}"), changed)
        };
        for other in kinds() {
            if other != *part {
                all.push(with(format!("becomes {other}"), &|part| *part = other.clone()));
            }
        }
        if part.is_object() {
            for key in &keys {
                all.push(with(format!("loses {key}"), &|part| {
                    part.as_object_mut().map(|members| members.remove(key));
                }));
            }
            all.push(with("gains a key".to_owned(), &|part| {
                part.as_object_mut().map(|members| members.insert("unheardOf".to_owned(), json!(1)));
            }));
        }
        pointers.extend(keys.iter().map(|key| format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))));
    }
    all
}

/// A value of every kind, with the numbers at which rules change.
fn kinds() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(false),
        json!(-1),
        json!(0),
        json!(1),
        json!(1.0),
        json!(1.5),
        json!(1e300),
        json!(""),
        json!("x"),
        json!("prompt"),
        json!([]),
        json!(["x"]),
        Value::Object(Map::new()),
        json!({ "x": 1 }),
    ]
}
