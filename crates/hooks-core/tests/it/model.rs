//! Random firings over three vendors against a slow and obvious re-implementation of settling and deciding.

use std::collections::{BTreeMap, BTreeSet};

use hooks_core::boundary::{Boundary, Stop};
use hooks_core::channel::Channel;
use hooks_core::decide::{Action, decide};
use hooks_core::effects::{Effect, OnPending, PromptFate, ResultReplacement, Said, Verdict, When};
use hooks_core::host::HostProfile;
use hooks_core::policy::{InputRule, Lead, MergePolicy, Order, Pick, ResultRule, VerdictRule};
use hooks_core::session::SessionState;
use hooks_core::settle::{Settled, settle_all};
use proptest::prelude::*;
use proptest::sample::select;

use crate::laws::{Firing, Hook, VENDORS, firing, host, policy};

/// What a firing comes to, as plain text where possible.
#[derive(Clone, Debug, Default, PartialEq)]
struct Model {
    verdict: Option<Verdict>,
    /// Texts; `None` is one that the host writes.
    reasons: Vec<Option<String>>,
    notices: Vec<String>,
    context: Vec<String>,
    input: Option<String>,
    input_fits: bool,
    result: Option<ResultReplacement>,
    env: BTreeMap<String, String>,
    halt: Option<Halted>,
    continuations: Vec<String>,
    unsupported: Vec<(String, OnPending)>,
    updates: Vec<String>,
}

/// What is stopped, when, what becomes of the prompt, and why.
type Halted = (BTreeSet<Stop>, Option<When>, Option<PromptFate>, Option<String>);

/// When a halt takes hold of an action: stopping it without saying when is before.
fn takes_hold((stops, when, ..): &Halted) -> Option<When> {
    when.or(if stops.contains(&Stop::Action) { Some(When::Before) } else { None })
}

/// Two halts as one, with the first one's reason where it has one.
fn one_halt(a: Halted, b: Halted) -> Halted {
    let when = takes_hold(&a).max(takes_hold(&b));
    (&a.0 | &b.0, when, a.2.max(b.2), a.3.or(b.3))
}

/// One hook's effects with its places.
#[derive(Clone)]
struct Placed<'h> {
    hook: &'h Hook,
    declared: usize,
    finished: u32,
}

impl Placed<'_> {
    fn effects(&self) -> impl Iterator<Item = &Effect> {
        self.hook.effects.iter().filter(|effect| {
            !self.hook.doubtful
                || match effect {
                    Effect::Verdict { verdict, .. } => *verdict != Verdict::Allow,
                    Effect::Halt(_) => true,
                    _ => false,
                }
        })
    }
}

fn in_order<'a, 'h>(hooks: &'a [Placed<'h>], by: Order) -> Vec<&'a Placed<'h>> {
    let mut sorted: Vec<_> = hooks.iter().collect();
    match by {
        Order::Declared => sorted.sort_by_key(|hook| hook.declared),
        Order::Finishing => sorted.sort_by_key(|hook| hook.finished),
    }
    sorted
}

/// Texts with their hook's place, the leading hook's first.
fn led(mut texts: Vec<(usize, String)>, lead: Lead) -> Vec<String> {
    if lead.pick == Pick::Last
        && let Some((last, _)) = texts.last().cloned()
    {
        let (leading, following): (Vec<_>, Vec<_>) = texts.into_iter().partition(|(hook, _)| *hook == last);
        texts = leading;
        texts.extend(following);
    }
    texts.into_iter().map(|(_, text)| text).collect()
}

fn one_vendor(hooks: &[Placed<'_>], policy: &MergePolicy, strict: bool) -> Model {
    let mut model = Model::default();
    // A certain hook answers before every doubtful one; then what doubtful ones hold back stays.
    let answers = |doubtful: bool| {
        in_order(hooks, Order::Finishing)
            .into_iter()
            .filter(move |hook| hook.hook.doubtful == doubtful)
            .find(|hook| hook.effects().any(|effect| matches!(effect, Effect::Verdict { .. })))
            .map(|hook| hook.declared)
    };
    let certain = answers(false);
    let answerer =
        if policy.verdict == VerdictRule::FirstAnswer && !strict { certain.or_else(|| answers(true)) } else { None };
    let counts = |hook: &Placed<'_>| {
        answerer.is_none_or(|declared| declared == hook.declared || (certain.is_some() && hook.hook.doubtful))
    };

    for strongest in [Verdict::Deny, Verdict::Defer, Verdict::Ask, Verdict::Allow] {
        let said = |effect: &Effect| matches!(effect, Effect::Verdict { verdict, .. } if *verdict == strongest);
        if !hooks.iter().filter(|hook| counts(hook)).any(|hook| hook.effects().any(said)) {
            continue;
        }
        model.verdict = Some(strongest);
        let lead = match strongest {
            Verdict::Deny => policy.leads.deny,
            Verdict::Ask => policy.leads.ask,
            Verdict::Defer => policy.leads.defer,
            Verdict::Allow => policy.leads.allow,
        };
        let mut texts = Vec::new();
        for hook in in_order(hooks, lead.by).into_iter().filter(|hook| counts(hook)) {
            for effect in hook.effects().filter(|effect| said(effect)) {
                let Effect::Verdict { reasons, .. } = effect else { unreachable!() };
                texts.extend(reasons.iter().map(|reason| (hook.declared, reason.clone())));
            }
        }
        model.reasons = led(texts, lead).into_iter().map(Some).collect();
        break;
    }

    for hook in in_order(hooks, policy.context) {
        for effect in hook.effects() {
            if let Effect::Context(text) = effect {
                model.context.push(text.clone());
            }
        }
    }
    for hook in in_order(hooks, policy.notices) {
        for effect in hook.effects() {
            if let Effect::Notice(text) = effect {
                model.notices.push(text.clone());
            }
        }
    }
    let by = if policy.input == InputRule::LastDeclared { Order::Declared } else { Order::Finishing };
    for hook in in_order(hooks, by).into_iter().filter(|hook| counts(hook)) {
        let allows = |effect: &Effect| matches!(effect, Effect::Verdict { verdict: Verdict::Allow, .. });
        let overtaken = policy.input == InputRule::LastAnswer
            && hooks.iter().any(|other| counts(other) && other.finished > hook.finished && other.effects().any(allows));
        for effect in hook.effects() {
            if overtaken {
                continue;
            }
            if let Effect::ReplaceInput(rewrite) = effect {
                model.input = Some(rewrite.raw.get().to_owned());
                model.input_fits = rewrite.call.is_ok();
            }
        }
    }
    let by = if policy.result == ResultRule::LastFinished { Order::Finishing } else { Order::Declared };
    let results: Vec<_> = in_order(hooks, by)
        .into_iter()
        .flat_map(|hook| hook.effects().collect::<Vec<_>>())
        .filter_map(|effect| match effect {
            Effect::ReplaceResult(result) => Some(result.clone()),
            _ => None,
        })
        .collect();
    let texts: Vec<_> = results
        .iter()
        .filter_map(|result| match result {
            ResultReplacement::Text(text) => Some(text.clone()),
            _ => None,
        })
        .collect();
    model.result = match policy.result {
        ResultRule::Join(separator) if texts.len() > 1 && texts.len() == results.len() => {
            Some(ResultReplacement::Text(texts.join(separator)))
        }
        _ => results.last().cloned(),
    };
    for hook in in_order(hooks, policy.env) {
        for effect in hook.effects() {
            if let Effect::SessionEnv(env) = effect {
                model.env.extend(env.iter().map(|(name, change)| (name.clone(), change.value.clone())));
            }
        }
    }
    let halts: Vec<_> = in_order(hooks, policy.leads.halt.by)
        .into_iter()
        .filter(|hook| counts(hook))
        .flat_map(|hook| {
            hook.effects().filter_map(move |effect| match effect {
                Effect::Halt(halt) => Some((hook.declared, halt)),
                _ => None,
            })
        })
        .collect();
    if !halts.is_empty() {
        let spoken: Vec<_> =
            halts.iter().filter_map(|(hook, halt)| halt.reason.clone().map(|reason| (*hook, reason))).collect();
        model.halt = halts
            .iter()
            .map(|(_, halt)| (halt.stops.iter().copied().collect(), halt.when, halt.prompt, None))
            .reduce(one_halt)
            .map(|(stops, when, prompt, _)| (stops, when, prompt, led(spoken, policy.leads.halt).into_iter().next()));
    }
    for hook in hooks {
        for effect in hook.effects() {
            match effect {
                Effect::Continue(continuation) => model.continuations.push(continuation.text.clone()),
                Effect::Unsupported(field) => model.unsupported.push((field.field.clone(), field.on_pending)),
                _ => {}
            }
        }
    }
    for hook in hooks {
        let own = hook.effects().filter_map(|effect| match effect {
            Effect::Verdict { verdict, .. } => Some(*verdict),
            _ => None,
        });
        let own = own.max();
        for effect in hook.effects() {
            if let Effect::PermissionUpdate(update) = effect
                && counts(hook)
                && (own.is_none() || own == model.verdict)
            {
                model.updates.push(update.get().to_owned());
            }
        }
    }
    if model.halt.is_some() && policy.halt_drops_continuations {
        model.continuations.clear();
    }
    if model.verdict == Some(Verdict::Deny) {
        model.input = None;
    }
    model
}

fn all_vendors(firing: &Firing, policies: &[MergePolicy; 3], strict: bool) -> Model {
    let placed: Vec<Placed<'_>> = firing
        .hooks
        .iter()
        .enumerate()
        .map(|(declared, hook)| Placed { hook, declared, finished: firing.finishing[declared] })
        .collect();
    let mut order: Vec<usize> = Vec::new();
    for hook in &placed {
        if !order.contains(&hook.hook.vendor) {
            order.push(hook.hook.vendor);
        }
    }
    let models: Vec<Model> = order
        .iter()
        .map(|vendor| {
            let own: Vec<_> = placed.iter().filter(|hook| hook.hook.vendor == *vendor).cloned().collect();
            one_vendor(&own, &policies[*vendor], strict)
        })
        .collect();

    let mut all = Model::default();
    // Rewrites meet one after the other, as the vendors stand; a disagreement is a deny by the host, at its place.
    let mut reasons: Vec<(Option<Verdict>, Vec<Option<String>>)> = Vec::new();
    let mut input: Option<(String, bool)> = None;
    for model in &models {
        reasons.push((model.verdict, model.reasons.clone()));
        let denied = reasons.iter().any(|(verdict, _)| *verdict == Some(Verdict::Deny));
        if let Some(next) = &model.input {
            match &input {
                Some((before, _)) if before != next => {
                    reasons.push((Some(Verdict::Deny), vec![None]));
                    input = None;
                }
                Some((_, fits)) => input = Some((next.clone(), *fits && model.input_fits)),
                None => input = Some((next.clone(), model.input_fits)),
            }
        }
        if denied || reasons.iter().any(|(verdict, _)| *verdict == Some(Verdict::Deny)) {
            input = None;
        }
    }
    all.verdict = reasons.iter().map(|(verdict, _)| *verdict).max().flatten();
    all.reasons =
        reasons.into_iter().filter(|(verdict, _)| *verdict == all.verdict).flat_map(|(_, reasons)| reasons).collect();
    all.input_fits = input.as_ref().is_some_and(|(_, fits)| *fits);
    all.input = input.map(|(raw, _)| raw);
    for model in &models {
        if all.verdict != Some(Verdict::Deny) || model.verdict == Some(Verdict::Deny) {
            all.updates.extend(model.updates.clone());
        }
        all.notices.extend(model.notices.clone());
        all.context.extend(model.context.clone());
        all.env.extend(model.env.clone());
        all.continuations.extend(model.continuations.clone());
        all.unsupported.extend(model.unsupported.clone());
        all.result = match (all.result.take(), model.result.clone()) {
            (Some(ResultReplacement::Text(text)), Some(ResultReplacement::Json(_))) => {
                Some(ResultReplacement::Text(text))
            }
            (before, next) => next.or(before),
        };
        all.halt = match (all.halt.take(), model.halt.clone()) {
            (Some(a), Some(b)) => Some(one_halt(a, b)),
            (a, b) => a.or(b),
        };
    }
    if models.len() > 1 && all.halt.is_some() {
        all.continuations.clear();
    }
    all
}

fn texts(list: &[Said<String>]) -> Vec<String> {
    list.iter().map(|said| said.value.clone()).collect()
}

fn spoken(list: &[Said<String>]) -> Vec<Option<String>> {
    list.iter().map(|said| said.by.is_some().then(|| said.value.clone())).collect()
}

fn shown(settled: &Settled) -> Model {
    Model {
        verdict: settled.verdict,
        reasons: spoken(&settled.reasons),
        notices: texts(&settled.notices),
        context: texts(&settled.context),
        input: settled.input.as_ref().map(|said| said.value.raw.get().to_owned()),
        input_fits: settled.input.as_ref().is_some_and(|said| said.value.call.is_ok()),
        result: settled.result.as_ref().map(|said| said.value.clone()),
        env: settled.session_env.iter().map(|(name, said)| (name.clone(), said.value.value.clone())).collect(),
        halt: settled.halt.as_ref().map(|said| {
            let halt = &said.value;
            (halt.stops.iter().copied().collect(), halt.when, halt.prompt, halt.reason.clone())
        }),
        continuations: settled.continuations.iter().map(|said| said.value.text.clone()).collect(),
        updates: settled.permission_updates.iter().map(|said| said.value.get().to_owned()).collect(),
        unsupported: settled.unsupported.iter().map(|said| (said.value.field.clone(), said.value.on_pending)).collect(),
    }
}

/// The action of a decision, rule after rule as the design lists them.
fn action(model: &Model, boundary: Boundary, host: &HostProfile) -> Action {
    let pending = boundary.is_pending();
    let halts = model
        .halt
        .as_ref()
        .is_some_and(|(stops, when, ..)| stops.contains(&Stop::Action) && *when != Some(When::After));
    let denies = [
        model.verdict == Some(Verdict::Deny),
        model.verdict == Some(Verdict::Ask) && !(host.can_ask && pending),
        model.verdict == Some(Verdict::Defer) && !(host.can_defer && boundary == Boundary::ToolBefore),
        pending && halts,
        pending && model.unsupported.iter().any(|(_, on_pending)| *on_pending == OnPending::Deny || host.strict),
        pending && model.input.is_some() && !(host.applies(Channel::ReplacementInput) && model.input_fits),
    ];
    if denies.contains(&true) {
        return Action::Deny;
    }
    match model.verdict {
        None => Action::NoOpinion,
        Some(Verdict::Allow) => Action::Approve,
        Some(Verdict::Ask) => Action::Ask,
        Some(Verdict::Defer) => Action::Defer,
        Some(Verdict::Deny) => Action::Deny,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn settling_and_deciding_agree_with_the_model(
        firing in firing(),
        policies in [policy(), policy(), policy()],
        first_answer in proptest::collection::vec(proptest::bool::weighted(0.2), 3),
        boundary in select(vec![Boundary::ToolBefore, Boundary::PermissionRequest, Boundary::PromptSubmit, Boundary::TurnStop]),
        host in host(),
    ) {
        let mut policies = policies;
        for (policy, first) in policies.iter_mut().zip(&first_answer) {
            if *first {
                policy.verdict = VerdictRule::FirstAnswer;
            }
        }
        let of = |vendor: &hooks_core::VendorId| {
            let at = VENDORS.iter().position(|name| *name == vendor.as_str()).unwrap();
            &policies[at]
        };
        let settled = settle_all(firing.items(), of, host.strict);
        let model = all_vendors(&firing, &policies, host.strict);
        prop_assert_eq!(shown(&settled), model.clone());

        let (decision, _) = decide(settled, boundary, &host, SessionState::default());
        prop_assert_eq!(decision.action, action(&model, boundary, &host));
        let context: Vec<_> = decision.to_model.iter().filter(|said| model.context.contains(&said.value)).collect();
        let wanted = if host.applies(Channel::ModelContext) { model.context.len() } else { 0 };
        prop_assert!(context.len() >= wanted, "context is lost");
    }
}
