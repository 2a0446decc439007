//! The channels of every event, held against what its answers are made of: a channel has a way to be said, and nothing that
//! can be said is on a channel that the event has not.

use hooks_core::channel::{Channel, Channels};
use hooks_core::facts::{EventFacts, Exit2, PlainStdout};

use super::all;

/// Channels that events have without a way of their own in the table, with why.
const EXCEPTIONS: &[(&str, &str, Channel, &str)] = &[
    ("cursor", "beforeTabFileRead", Channel::UserNotice, TAB),
    ("claude", "SessionStart", Channel::SessionEnv, FILE),
    ("claude", "Setup", Channel::SessionEnv, FILE),
    ("claude", "CwdChanged", Channel::SessionEnv, FILE),
    ("claude", "FileChanged", Channel::SessionEnv, FILE),
    ("claude", "Stop", Channel::ModelContext, BESIDE),
    ("claude", "SubagentStop", Channel::ModelContext, BESIDE),
];

const TAB: &str = "the first design declares the channel and gives the event no field for it";
const FILE: &str = "variables are written to the file that the run is given, and no answer names them";
const BESIDE: &str =
    "`additionalContext` makes the turn go on, as the table has it, and is context only beside a decision or a stop";

/// The channels that one of a row's ways to answer is on: its fields, its exit code 2, its plain text.
fn ways(facts: &EventFacts) -> Channels {
    let mut ways: Vec<Channel> = facts.output.iter().filter_map(|field| field.feeds()).collect();
    // What a code comes to follows from what the event has.
    let first =
        |of: &[Channel]| of.iter().copied().find(|channel| facts.channels.contains(*channel)).or(of.first().copied());
    ways.extend(match facts.exit_2 {
        Exit2::Deny => first(&[Channel::Verdict]),
        Exit2::Halt => first(&[Channel::Halt]),
        Exit2::Continue => first(&[Channel::Continuation]),
        Exit2::Feedback => first(&[Channel::ReplacementResult, Channel::ModelContext]),
        Exit2::Refuse => first(&[Channel::Verdict, Channel::Special]),
        // A text that is shown to the person with a failed run is a report, and no notice.
        _ => None,
    });
    ways.extend(match facts.plain_stdout {
        PlainStdout::Context => first(&[Channel::ModelContext]),
        PlainStdout::Special => first(&[Channel::Special]),
        _ => None,
    });
    Channels::of(&ways)
}

#[test]
fn every_channel_can_be_said_and_nothing_else() {
    let mut used = vec![false; EXCEPTIONS.len()];
    let mut breaches = Vec::new();
    let mut seen = 0;
    for named in all() {
        let vendor = named.adapter.vendor().as_str();
        for facts in named.adapter.events() {
            let ways = ways(facts);
            for channel in ways.minus(facts.channels).iter() {
                breaches.push(format!(
                    "{} {}: {channel} can be said, and the event has no such channel",
                    named.name, facts.name
                ));
            }
            for channel in facts.channels.iter() {
                seen += 1;
                let excepted = EXCEPTIONS.iter().position(|(of, event, one, why)| {
                    (*of, *event, *one) == (vendor, facts.name, channel) && !why.is_empty()
                });
                match (ways.contains(channel), excepted) {
                    (false, Some(at)) => used[at] = true,
                    (false, None) => {
                        breaches.push(format!("{} {}: nothing can be said on {channel}", named.name, facts.name));
                    }
                    (true, _) => {}
                }
            }
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
    assert!(seen > 200, "{seen} channels");
    for (exception, used) in EXCEPTIONS.iter().zip(used) {
        assert!(used, "stale: {exception:?}");
    }
}
