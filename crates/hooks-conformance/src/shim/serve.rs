//! A subject behind the shim protocol: reads questions from one stream, writes answers to another.

use std::io::{self, BufRead, Write};

use super::{FromRunner, FromShim, PROTOCOL, Said, ShimHello};
use crate::format::FORMAT;
use crate::question::Question;
use crate::runner::{Reply, Subject};

/// Why serving ended before the runner closed its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// A stream failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A message could not be written.
    #[error("a message cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// What the runner wrote is not the protocol.
    #[error("line {line} from the runner: {message}")]
    Protocol {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
}

/// Serves a subject until the runner closes its end. A question that cannot be read is answered with an error.
///
/// # Errors
///
/// [`ServeError`] when a stream fails, or the runner does not speak this version of the protocol.
pub fn serve(
    subject: &mut dyn Subject,
    hello: &ShimHello,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), ServeError> {
    let mut greeted = false;
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let wrong = |message: String| ServeError::Protocol { line, message };
        let message: FromRunner =
            serde_json::from_slice(&bytes).map_err(|error| wrong(format!("it is no message: {error}")))?;
        let reply = match message {
            FromRunner::Hello { hello: runner } => {
                // Said in any case: a runner of another version sees whom it has before it.
                write(output, FromShim::Hello(hello.clone()))?;
                if (runner.protocol, runner.format) != (PROTOCOL, FORMAT) {
                    let (protocol, format) = (runner.protocol, runner.format);
                    return Err(wrong(format!(
                        "it speaks protocol {protocol} with format {format}, and this {PROTOCOL} with {FORMAT}"
                    )));
                }
                greeted = true;
                continue;
            }
            FromRunner::Ask { .. } if !greeted => return Err(wrong("a question before the hello".to_owned())),
            FromRunner::Ask { id, ask } => {
                let said = match Question::from_json(ask) {
                    Err(why) => Said::Error(format!("the question cannot be read: {why}")),
                    Ok(question) => match subject.answer(&question) {
                        Reply::Answer(answer) => Said::Answer(answer.to_json()),
                        Reply::Skipped(reason) => Said::Unsupported(reason),
                        Reply::Fault(fault) => Said::Error(fault.message),
                    },
                };
                FromShim::Reply { id, said }
            }
        };
        write(output, reply)?;
    }
    Ok(())
}

fn write(output: &mut dyn Write, message: FromShim) -> Result<(), ServeError> {
    output.write_all(&message.line()?)?;
    output.flush()?;
    Ok(())
}
