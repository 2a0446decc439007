//! Handlers that are not programs: the host runs them.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use hooks_core::Handler;
use hooks_core::outcome::{End, Invocation, Outcome};

use crate::cancel::CancelSignal;
use crate::shell::Environment;

/// A boxed future of an outcome.
pub type OutcomeFuture<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// Runs handlers that are not programs: requests, tools of tool servers, questions to models.
///
/// The runtime enforces the invocation's time limit and the cancel signal by dropping the future; an implementation
/// may use the signal to stop in an orderly way.
pub trait HandlerHost: Send + Sync + fmt::Debug {
    /// Runs a handler. `stdin` is what a program would get as its standard input, and `environment` what it would get as
    /// its environment: whatever a handler's text names as a variable comes from there, so that what the host keeps from
    /// programs of hooks ([`FireOptions::inherit`](crate::FireOptions::inherit)) is kept from these too.
    fn run<'a>(
        &'a self,
        handler: &'a Handler,
        invocation: &'a Invocation,
        stdin: &'a [u8],
        environment: &'a Environment,
        cancel: &'a CancelSignal,
    ) -> OutcomeFuture<'a>;
}

/// A host that runs programs and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHandlers;

impl HandlerHost for NoHandlers {
    fn run<'a>(
        &'a self,
        handler: &'a Handler,
        _invocation: &'a Invocation,
        _stdin: &'a [u8],
        _environment: &'a Environment,
        _cancel: &'a CancelSignal,
    ) -> OutcomeFuture<'a> {
        let why = format!("this host cannot run {} handlers", handler.kind().as_str());
        Box::pin(std::future::ready(Outcome::ended(End::NotRun(why))))
    }
}
