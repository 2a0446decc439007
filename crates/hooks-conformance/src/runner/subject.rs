//! What is held to vectors: adapters of this process, or a program behind the shim protocol.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use hooks_core::HostSide;

use super::{config, core, hook};
use crate::format::Kind;
use crate::question::{Answer, Question};

/// What is held to vectors. It is asked one question after the other.
pub trait Subject {
    /// Answers a question. It must not panic, and must not take for ever.
    fn answer(&mut self, question: &Question) -> Reply;

    /// Told after the last question. What is returned went wrong apart from any vector, and fails the run.
    fn finish(&mut self) -> Vec<Fault> {
        Vec::new()
    }
}

/// What a subject makes of a question.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reply {
    /// It answers.
    Answer(Answer),
    /// It does not speak of this: the vector is skipped, with the reason.
    Skipped(String),
    /// It could not answer, though it should: the vector fails.
    Fault(Fault),
}

impl Reply {
    /// A fault without more to it than a message.
    #[must_use]
    pub fn fault(message: impl Into<String>) -> Self {
        Self::Fault(Fault { message: message.into(), stderr: None })
    }
}

/// Why a subject could not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong, on one line.
    pub message: String,
    /// The end of what a program wrote to standard error, if it is one.
    pub stderr: Option<String>,
}

/// Where the runner gets adapters from. Closures of the same shape are one.
pub trait Adapters {
    /// The adapter of a vendor, for an older client and for one of the vendor's faces where a vector asks for them.
    /// `None` when there is none: the vector is then skipped, and the report says so.
    fn adapter(&self, vendor: &str, client: Option<&str>, profile: Option<&str>) -> Option<Arc<dyn HostSide>>;
}

impl<F: Fn(&str, Option<&str>, Option<&str>) -> Option<Arc<dyn HostSide>>> Adapters for F {
    fn adapter(&self, vendor: &str, client: Option<&str>, profile: Option<&str>) -> Option<Arc<dyn HostSide>> {
        self(vendor, client, profile)
    }
}

/// Adapters of this process, and its core. A panic inside one is a fault.
pub struct InProcess<'a> {
    adapters: &'a dyn Adapters,
}

impl<'a> InProcess<'a> {
    /// These adapters, and the core.
    #[must_use]
    pub fn new(adapters: &'a dyn Adapters) -> Self {
        Self { adapters }
    }
}

impl Subject for InProcess<'_> {
    fn answer(&mut self, question: &Question) -> Reply {
        catch_unwind(AssertUnwindSafe(|| answer(question, self.adapters)))
            .unwrap_or_else(|panic| Reply::fault(format!("panicked: {}", panic_text(&*panic))))
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a text").to_owned()
}

fn answer(question: &Question, adapters: &dyn Adapters) -> Reply {
    let adapter = || adapter(question, adapters);
    let about_an_event = || {
        let adapter = adapter()?;
        let event = question.event.as_deref().ok_or_else(|| Reply::fault("neither it nor its file names an event"))?;
        if adapter.event(event).is_none() {
            let vendor = question.vendor_word();
            return Err(Reply::Skipped(format!("{event} is no event of {vendor} {}", adapter.version())));
        }
        Ok((adapter, event))
    };
    let answered = match &question.kind {
        Kind::Decide(decide) => core::decide(decide),
        Kind::Settle(settle) => core::settle(settle),
        Kind::Config(vector) => match adapter() {
            Ok(adapter) => config::answer(&*adapter, vector),
            Err(reply) => return reply,
        },
        Kind::Decode(_) | Kind::Fold(_) | Kind::Match(_) | Kind::Trust(_) => match about_an_event() {
            Err(reply) => return reply,
            Ok((adapter, event)) => match &question.kind {
                Kind::Decode(vector) => hook::decode(&*adapter, event, vector),
                Kind::Fold(vector) => hook::fold(&*adapter, event, vector),
                Kind::Match(vector) => hook::matching(&*adapter, event, vector),
                Kind::Trust(vector) => return config::trust(&*adapter, event, vector),
                Kind::Config(_) | Kind::Decide(_) | Kind::Settle(_) => Err("it was sent the wrong way".to_owned()),
            },
        },
    };
    answered.map_or_else(Reply::fault, Reply::Answer)
}

/// The adapter a question is for.
fn adapter(question: &Question, adapters: &dyn Adapters) -> Result<Arc<dyn HostSide>, Reply> {
    let vendor = question.vendor.as_deref().ok_or_else(|| Reply::fault("its file names no vendor"))?;
    let (client, profile) = (question.client.as_deref(), question.profile.as_deref());
    adapters.adapter(vendor, client, profile).ok_or_else(|| {
        let mut reason = format!("no adapter for {vendor}");
        for (what, word) in [("client", client), ("profile", profile)] {
            if let Some(word) = word {
                reason = format!("{reason}, {what} {word}");
            }
        }
        Reply::Skipped(reason)
    })
}
