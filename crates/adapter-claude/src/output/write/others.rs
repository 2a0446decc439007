//! Events without a nested decision.

use hooks_core::adapter::Lost;
use hooks_core::boundary::Stop;
use hooks_core::channel::Channel;
use hooks_core::effects::{Halt, PromptFate, Special, Verdict};
use hooks_core::text::strip_unsafe;

use super::page::{Page, Value};
use super::wish::{Wish, words};
use crate::events::{Block, NO_REASON};

impl<'e> Page<'e> {
    /// Events without a nested decision: a top-level one, a stop, an exit code, or nothing.
    pub(super) fn others(&mut self, wish: &Wish<'e>) {
        let mut halt = wish.halt.clone();
        let mut block: Option<String> = None;
        // Restraints that are no halt.
        let mut reasons: Vec<&str> = Vec::new();
        let mut restrained = false;
        if let Some(verdict) = wish.restraint() {
            restrained = true;
            reasons.extend(&wish.reasons);
            if !(self.event.block == Block::Deny && verdict == Verdict::Deny) {
                self.lose_whole(verdict, self.strongest());
            }
        } else if wish.verdict == Some(Verdict::Allow) {
            self.lose_whole(Verdict::Allow, None);
        }
        for (of, restraint) in &wish.restraints {
            restrained = true;
            self.lose(of.clone(), restraint.as_str(), self.strongest());
        }
        if wish.interrupts {
            restrained = true;
            self.lose(Lost::Special(Special::Interrupt.kind()), "an interruption", self.strongest());
        }
        let said = reasons.join("\n");
        match self.event.block {
            Block::Deny => {
                if let Some(halt) = halt.take() {
                    self.lose(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), Some("a refusal"));
                    restrained = true;
                    block = halt.reason.filter(|_| reasons.is_empty());
                }
                if restrained {
                    block = block.or(Some(said));
                }
            }
            Block::Halt(stops, fate) => {
                if restrained {
                    let mut own = Halt::of(stops, Some(said).filter(|said| !said.is_empty()));
                    own.prompt = fate;
                    halt = Some(match halt.take() {
                        None => own,
                        Some(mut both) => {
                            both.stops.extend(stops);
                            both.prompt = fate;
                            both.reason = both.reason.or(own.reason);
                            both
                        }
                    });
                }
                if let Some(halt) = halt.take() {
                    self.lose_beyond(&halt, stops);
                    let keeps = halt.prompt == Some(PromptFate::Keep) || fate.is_none();
                    if keeps && self.stops() == stops {
                        self.stop(halt.reason);
                    } else {
                        block = Some(halt.reason.unwrap_or_default());
                    }
                }
            }
            Block::Continue => {
                if let Some(halt) = &halt {
                    self.lose_beyond(halt, self.stops());
                }
                if halt.is_some() || restrained {
                    let reason = halt.take().and_then(|halt| halt.reason);
                    self.stop(reason.or_else(|| Some(said).filter(|said| !said.is_empty())));
                }
                let texts: Vec<&str> = wish.continuations.iter().map(|one| one.text.as_str()).collect();
                if !texts.is_empty() {
                    block = Some(texts.join("\n\n"));
                    if wish.continuations.iter().any(|one| one.loop_limit.is_some()) {
                        self.lose(Channel::Continuation, "a limit of one hook's continuations", None);
                    }
                }
            }
            Block::Feedback => {
                let stops = self.stops();
                if let Some(halt) = halt.take() {
                    if stops.is_empty() {
                        self.lose(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), Some("feedback"));
                        block = Some(halt.reason.unwrap_or_default());
                    } else {
                        self.lose_beyond(&halt, stops);
                        self.stop(halt.reason);
                    }
                }
                if restrained {
                    block = Some(said);
                }
            }
            Block::Nothing => {
                if let Some(halt) = halt.take() {
                    self.lose(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), None);
                }
            }
        }
        if self.event.block != Block::Continue && !wish.continuations.is_empty() {
            self.lose_whole(Channel::Continuation, None);
        }
        let blocks = block.is_some();
        let stops = self.top.iter().any(|(key, _)| *key == "continue");
        if let Some(reason) = block {
            let reason = strip_unsafe(&reason).into_owned();
            if self.event.facts.malformed == hooks_core::facts::FailureRule::Block {
                self.exit_2 = Some(if reason.trim().is_empty() { NO_REASON.to_owned() } else { reason });
            } else {
                self.top("decision", Value::Text("block".into()));
                if !reason.trim().is_empty() {
                    self.top("reason", Value::Text(reason.into()));
                }
            }
        }
        if self.event.block == Block::Continue && !blocks && !stops && !wish.contexts.is_empty() {
            // By itself it would make the turn go on.
            self.lose_whole(Channel::ModelContext, None);
        } else {
            self.contexts(wish);
        }
        self.result(wish);
        self.lose_all(wish, &[Channel::ReplacementInput, Channel::PermissionUpdate]);
    }

    /// The strongest thing this event has in place of a verdict.
    const fn strongest(&self) -> Option<&'static str> {
        match self.event.block {
            Block::Deny => Some("a refusal"),
            Block::Halt(..) | Block::Continue => Some("a halt"),
            Block::Feedback => Some("feedback"),
            Block::Nothing => None,
        }
    }

    fn lose_beyond(&mut self, halt: &Halt, own: &[Stop]) {
        let same = halt.stops.iter().all(|stop| own.contains(stop));
        if !same {
            let instead = format!("a halt of the {}", words(own));
            self.lose(Channel::Halt, format!("a halt of the {}", words(&halt.stops)), Some(&instead));
        }
    }
}
