//! Reading what a shim wrote: a line is one message, or what is wrong with it is said.

use hooks_core::text::{display_line, shorten};
use serde_json::error::Category;

use super::{FromShim, Said, Wire};
use crate::load::located;

impl FromShim {
    /// Reads a line that a shim wrote.
    pub(super) fn read(line: &[u8]) -> Result<Self, String> {
        let shown = || {
            let text = String::from_utf8_lossy(line);
            display_line(&shorten(text.trim_end(), 200)).into_owned()
        };
        let no_message = |why: String| format!("it wrote a line that is no message: {why}: {}", shown());
        if line.trim_ascii().is_empty() {
            return Err("it wrote an empty line, which is no message".to_owned());
        }
        let reader = &mut serde_json::Deserializer::from_slice(line);
        let wire: Wire = serde_path_to_error::deserialize(&mut *reader).map_err(|error| {
            no_message(match error.inner().classify() {
                Category::Data => located(&error).to_string(),
                _ => format!("{}; what is logged belongs on standard error", error.inner()),
            })
        })?;
        reader.end().map_err(|error| no_message(error.to_string()))?;
        // A list of the values of its keys would be read as well.
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Err(no_message("a message is an object".to_owned()));
        }
        match wire {
            Wire { id: None, hello: Some(hello), answer: None, unsupported: None, error: None } => {
                Ok(Self::Hello(hello))
            }
            Wire { id: Some(id), hello: None, answer: Some(answer), unsupported: None, error: None } => {
                Ok(Self::Reply { id, said: Said::Answer(answer) })
            }
            Wire { id: Some(id), hello: None, answer: None, unsupported: Some(reason), error: None } => {
                Ok(Self::Reply { id, said: Said::Unsupported(reason) })
            }
            Wire { id: Some(id), hello: None, answer: None, unsupported: None, error: Some(message) } => {
                Ok(Self::Reply { id, said: Said::Error(message) })
            }
            _ => Err(no_message(
                "a message is {\"hello\": ...}, or `id` with one of `answer`, `unsupported` and `error`".to_owned(),
            )),
        }
    }
}
