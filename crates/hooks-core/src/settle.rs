//! What several hooks come to: one vendor's merge rule, then all vendors under the strictest.
//!
//! Nothing is dropped before this step, and what this step drops stays in the [`Report`] with the reason.
//!
//! ```
//! use hooks_core::effects::{HookEffects, Verdict, Who, reduce};
//! use hooks_core::policy::MergePolicy;
//! use hooks_core::settle::settle;
//! use hooks_core::{BindingId, VendorId};
//!
//! let hook = |declared, verdict, reason: &str| {
//!     let mut hook = HookEffects::none(Who {
//!         binding: BindingId::new("a hook"),
//!         vendor: VendorId::from_static("example"),
//!         declared,
//!         finished: declared,
//!         doubtful: false,
//!     });
//!     hook.verdict(verdict, vec![reason.to_owned()]);
//!     hook
//! };
//! let items = reduce([hook(0, Verdict::Allow, "it is a test"), hook(1, Verdict::Deny, "not on this branch")]);
//! let settled = settle(items, &MergePolicy::DECLARED, false);
//! assert_eq!(settled.verdict, Some(Verdict::Deny));
//! assert_eq!(settled.reasons[0].value, "not on this branch");
//! // The allow that lost is in the report, with why.
//! assert_eq!(settled.report.dropped[0].why, "a stronger verdict outranks it");
//! ```

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::effects::{
    Continuation, Effect, EnvChange, Halt, Item, Items, PromptFate, ResultReplacement, Rewrite, Run, Said, Special,
    SpecialFold, Unsupported, Verdict, When, Who,
};
use crate::json::RawJson;
use crate::policy::{InputRule, Lead, MergePolicy, Order, Pick, ResultRule, VerdictRule};
use crate::vendor::VendorId;

/// What a firing's effects come to, before a host's profile is applied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settled {
    /// The verdict.
    pub verdict: Option<Verdict>,
    /// All reasons of that verdict, the leading one first.
    pub reasons: Vec<Said<String>>,
    /// Texts for the person.
    pub notices: Vec<Said<String>>,
    /// Texts for the model.
    pub context: Vec<Said<String>>,
    /// The rewritten input that counts.
    pub input: Option<Said<Rewrite>>,
    /// The replaced result that counts.
    pub result: Option<Said<ResultReplacement>>,
    /// Session variables.
    pub session_env: BTreeMap<String, Said<EnvChange>>,
    /// The merged halt.
    pub halt: Option<Said<Halt>>,
    /// Continuations, one a binding, in declared order.
    pub continuations: Vec<Said<Continuation>>,
    /// Changes of permission rules.
    pub permission_updates: Vec<Said<RawJson>>,
    /// What could not be produced.
    pub unsupported: Vec<Said<Unsupported>>,
    /// What only one vendor has.
    pub special: Vec<Said<Special>>,
    /// What happened on the way.
    pub report: Report,
}

/// What happened on the way to a settlement or a decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// How each run went.
    pub runs: Vec<Run>,
    /// What was dropped, with the reason.
    pub dropped: Vec<Dropped>,
    /// What several hooks wanted differently.
    pub conflicts: Vec<String>,
}

impl Report {
    fn drop(&mut self, by: Option<Who>, effect: Effect, why: impl Into<String>) {
        self.dropped.push(Dropped { by, effect, why: why.into() });
    }

    /// Keeps the words of a halt whose stops went into another one.
    fn merged_halt(&mut self, by: Option<Who>, halt: &Halt) {
        if halt.reason.is_some() {
            self.drop(by, Effect::Halt(halt.clone()), "merged into another hook's halt, whose reason leads");
        }
    }
}

/// Something that was dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// Who asked for it.
    pub by: Option<Who>,
    /// What it was.
    pub effect: Effect,
    /// Why it was dropped.
    pub why: String,
}

/// What the host writes when vendors rewrite one input differently.
pub const REWRITES_DISAGREE: &str =
    "hooks of different vendors rewrote the input differently, so the call was not made";

/// Settles the effects of one vendor's hooks on one boundary.
///
/// `strict` is the host's choice; it turns a first-answer rule into the strongest verdict and changes nothing else.
#[must_use]
pub fn settle(items: Items, policy: &MergePolicy, strict: bool) -> Settled {
    let Items { items, runs } = items;
    let mut settled = Settled { report: Report { runs, ..Report::default() }, ..Settled::default() };
    let mut bins = Bins::default();
    for item in items {
        bins.sort(item, &mut settled.report);
    }

    let own_verdicts = bins.own_verdicts();
    let first_answer = policy.verdict == VerdictRule::FirstAnswer && !strict;
    if first_answer {
        bins.keep_first_answer(&mut settled.report);
    }
    if policy.input == InputRule::LastAnswer {
        bins.drop_overtaken_inputs(&mut settled.report);
    }
    if let Some(limit) = policy.classifier_limit {
        order(&mut bins.special, Order::Declared);
        bins.cut_classifier_texts(limit, &mut settled.report);
    }
    settle_verdict(&mut settled, bins.verdicts, policy);

    order(&mut bins.notices, policy.notices);
    settled.notices = bins.notices.into_iter().map(said).collect();
    order(&mut bins.context, policy.context);
    settled.context = bins.context.into_iter().map(said).collect();

    settle_input(&mut settled, bins.inputs, policy.input);
    settle_result(&mut settled, bins.results, policy.result);
    settle_env(&mut settled, bins.env, policy.env);
    settle_halts(&mut settled, bins.halts, policy.leads.halt);

    order(&mut bins.continuations, Order::Declared);
    if settled.halt.is_some() && policy.halt_drops_continuations {
        for (by, continuation) in bins.continuations.drain(..) {
            settled.report.drop(Some(by), Effect::Continue(continuation), "a halt outranks it");
        }
    }
    settled.continuations = bins.continuations.into_iter().map(said).collect();

    // What a hook wants remembered goes with its verdict: an update beside an allow that lost is not asked for any more.
    let lost = |by: &Who| own_verdicts.get(&by.declared).is_some_and(|own| Some(*own) != settled.verdict);
    for (by, update) in extract(&mut bins.permissions, lost) {
        settled.report.drop(Some(by), Effect::PermissionUpdate(update), "its hook's verdict does not count");
    }
    order(&mut bins.permissions, Order::Declared);
    settled.permission_updates = bins.permissions.into_iter().map(said).collect();
    order(&mut bins.unsupported, Order::Declared);
    settled.unsupported = bins.unsupported.into_iter().map(said).collect();
    settle_special(&mut settled, bins.special.into_iter().map(said).collect());
    settled
}

/// Settles the effects of several vendors' hooks, each under its own policy, and combines them under the strictest
/// rule: the strongest verdict counts, two different rewrites deny, a halt drops every continuation.
#[must_use]
pub fn settle_all<'p>(items: Items, policy: impl Fn(&VendorId) -> &'p MergePolicy, strict: bool) -> Settled {
    let mut vendors: Vec<(u32, VendorId, Items)> = Vec::new();
    let place = |by: &Who, vendors: &mut Vec<(u32, VendorId, Items)>| -> usize {
        if let Some(at) = vendors.iter().position(|(_, vendor, _)| *vendor == by.vendor) {
            if let Some((first, ..)) = vendors.get_mut(at) {
                *first = (*first).min(by.declared);
            }
            at
        } else {
            vendors.push((by.declared, by.vendor.clone(), Items::default()));
            vendors.len() - 1
        }
    };
    let Items { items, runs } = items;
    for run in runs {
        let at = place(&run.by, &mut vendors);
        if let Some((_, _, items)) = vendors.get_mut(at) {
            items.runs.push(run);
        }
    }
    for item in items {
        let at = place(&item.by, &mut vendors);
        if let Some((_, _, items)) = vendors.get_mut(at) {
            items.items.push(item);
        }
    }
    vendors.sort_by_key(|(first, ..)| *first);
    combine(vendors.into_iter().map(|(_, vendor, items)| settle(items, policy(&vendor), strict)))
}

/// Combines what several vendors' hooks came to, in the order of each vendor's first binding.
#[must_use]
pub fn combine(vendors: impl IntoIterator<Item = Settled>) -> Settled {
    let mut vendors = vendors.into_iter();
    let Some(mut all) = vendors.next() else { return Settled::default() };
    for next in vendors {
        combine_two(&mut all, next);
    }
    all
}

fn combine_two(all: &mut Settled, next: Settled) {
    let Report { runs, dropped, conflicts } = next.report;
    all.report.runs.extend(runs);
    all.report.dropped.extend(dropped);
    all.report.conflicts.extend(conflicts);

    let mut next_updates = next.permission_updates;
    match next.verdict.cmp(&all.verdict) {
        Ordering::Greater => {
            if next.verdict == Some(Verdict::Deny) {
                drop_updates(&mut all.report, &mut all.permission_updates);
            }
            drop_reasons(&mut all.report, all.verdict, std::mem::take(&mut all.reasons));
            all.verdict = next.verdict;
            all.reasons = next.reasons;
        }
        Ordering::Equal => all.reasons.extend(next.reasons),
        Ordering::Less => {
            if all.verdict == Some(Verdict::Deny) {
                drop_updates(&mut all.report, &mut next_updates);
            }
            drop_reasons(&mut all.report, next.verdict, next.reasons);
        }
    }
    all.notices.extend(next.notices);
    all.context.extend(next.context);
    all.permission_updates.extend(next_updates);
    combine_inputs(all, next.input);
    combine_results(all, next.result);
    for (name, change) in next.session_env {
        let differs = all.session_env.get(&name).is_some_and(|before| before.value != change.value);
        let earlier = all.session_env.insert(name.clone(), change);
        if let Some(Said { by, value }) = earlier.filter(|_| differs) {
            let conflict = format!("hooks of different vendors set the session variable {name} differently");
            all.report.conflicts.push(conflict);
            let lost = Effect::SessionEnv(BTreeMap::from([(name, value)]));
            all.report.drop(by, lost, "another vendor's value wins");
        }
    }
    all.halt = match (all.halt.take(), next.halt) {
        (Some(a), Some(b)) => {
            all.report.merged_halt(b.by, &b.value);
            let mut merged = a;
            merged.value.merge(b.value);
            Some(merged)
        }
        (a, b) => a.or(b),
    };
    all.continuations.extend(next.continuations);
    if all.halt.is_some() {
        for Said { by, value } in all.continuations.drain(..) {
            all.report.drop(by, Effect::Continue(value), "a halt outranks it");
        }
    }
    all.unsupported.extend(next.unsupported);
    let special = std::mem::take(&mut all.special).into_iter().chain(next.special);
    settle_special(all, special.collect());
    drop_input_of_a_deny(all);
}

fn combine_inputs(all: &mut Settled, next: Option<Said<Rewrite>>) {
    let Some(next) = next else { return };
    let Some(before) = all.input.take() else {
        all.input = Some(next);
        return;
    };
    if before.value.raw == next.value.raw {
        match (&before.value.call, &next.value.call) {
            (Ok(one), Ok(other)) if one.call.action == other.call.action => {
                all.input = Some(before);
                return;
            }
            // One vendor's tool would not take it: the call fails.
            (Err(_), _) => {
                all.input = Some(before);
                return;
            }
            (_, Err(_)) => {
                all.report.drop(
                    before.by,
                    Effect::ReplaceInput(before.value),
                    "another vendor's tool would not take it",
                );
                all.input = Some(next);
                return;
            }
            _ => {}
        }
    }
    all.report.conflicts.push(REWRITES_DISAGREE.to_owned());
    for Said { by, value } in [before, next] {
        all.report.drop(by, Effect::ReplaceInput(value), "another vendor's hook rewrote the input differently");
    }
    deny_by_host(all, REWRITES_DISAGREE);
}

fn combine_results(all: &mut Settled, next: Option<Said<ResultReplacement>>) {
    let Some(next) = next else { return };
    let Some(before) = all.result.take() else {
        all.result = Some(next);
        return;
    };
    if before.value == next.value {
        all.result = Some(before);
        return;
    }
    all.report.conflicts.push("hooks of different vendors replaced the result differently".to_owned());
    // A text stands in place of a result that a hook refused; it outranks a result that was only changed.
    let keep_before =
        matches!(before.value, ResultReplacement::Text(_)) && !matches!(next.value, ResultReplacement::Text(_));
    let (kept, Said { by, value }) = if keep_before { (before, next) } else { (next, before) };
    all.report.drop(by, Effect::ReplaceResult(value), "another vendor's hook replaced the result too");
    all.result = Some(kept);
}

/// Drops what hooks wanted remembered about an action that another vendor's hook, or the host, denies.
fn drop_updates(report: &mut Report, updates: &mut Vec<Said<RawJson>>) {
    for Said { by, value } in updates.drain(..) {
        report.drop(by, Effect::PermissionUpdate(value), "the action is denied");
    }
}

/// Makes the settlement a deny with a reason of the host, unless it is one already (the reason is then added).
pub(crate) fn deny_by_host(settled: &mut Settled, reason: &str) {
    if settled.verdict != Some(Verdict::Deny) {
        let (verdict, reasons) = (settled.verdict, std::mem::take(&mut settled.reasons));
        drop_reasons(&mut settled.report, verdict, reasons);
        drop_updates(&mut settled.report, &mut settled.permission_updates);
        settled.verdict = Some(Verdict::Deny);
    }
    settled.reasons.push(Said::host(reason.to_owned()));
    drop_input_of_a_deny(settled);
}

fn drop_reasons(report: &mut Report, verdict: Option<Verdict>, reasons: Vec<Said<String>>) {
    let Some(verdict) = verdict else { return };
    for Said { by, value } in reasons {
        report.drop(by, Effect::Verdict { verdict, reasons: vec![value] }, "a stronger verdict outranks it");
    }
}

fn drop_input_of_a_deny(settled: &mut Settled) {
    if settled.verdict == Some(Verdict::Deny)
        && let Some(Said { by, value }) = settled.input.take()
    {
        settled.report.drop(by, Effect::ReplaceInput(value), "the action is denied");
    }
}

/// Effects by kind, each with its hook.
#[derive(Default)]
struct Bins {
    verdicts: Vec<(Who, (Verdict, Vec<String>))>,
    notices: Vec<(Who, String)>,
    context: Vec<(Who, String)>,
    inputs: Vec<(Who, Rewrite)>,
    results: Vec<(Who, ResultReplacement)>,
    env: Vec<(Who, BTreeMap<String, EnvChange>)>,
    halts: Vec<(Who, Halt)>,
    continuations: Vec<(Who, Continuation)>,
    permissions: Vec<(Who, RawJson)>,
    unsupported: Vec<(Who, Unsupported)>,
    special: Vec<(Who, Special)>,
}

impl Bins {
    fn sort(&mut self, item: Item, report: &mut Report) {
        let Item { by, effect } = item;
        if by.doubtful && !restrains(&effect) {
            report.drop(Some(by), effect, "it is doubtful whether the hook should have run");
            return;
        }
        match effect {
            Effect::Verdict { verdict, reasons } => self.verdicts.push((by, (verdict, reasons))),
            Effect::Notice(text) => self.notices.push((by, text)),
            Effect::Context(text) => self.context.push((by, text)),
            Effect::ReplaceInput(rewrite) => self.inputs.push((by, rewrite)),
            Effect::ReplaceResult(result) => self.results.push((by, result)),
            Effect::SessionEnv(env) => self.env.push((by, env)),
            Effect::Halt(halt) => self.halts.push((by, halt)),
            Effect::Continue(continuation) => self.continuations.push((by, continuation)),
            Effect::PermissionUpdate(update) => self.permissions.push((by, update)),
            Effect::Unsupported(unsupported) => self.unsupported.push((by, unsupported)),
            Effect::Special(special) => self.special.push((by, special)),
        }
    }

    /// Keeps of the texts for a classifier as many characters as they may have together; what is cut off is reported.
    fn cut_classifier_texts(&mut self, limit: usize, report: &mut Report) {
        let mut left = limit;
        self.special.retain_mut(|(by, special)| {
            let Special::ClassifierContext(text) = special else { return true };
            let Some((end, _)) = text.char_indices().nth(left) else {
                left -= text.chars().count();
                return true;
            };
            let beyond = text.split_off(end);
            let why = format!("such texts have at most {limit} characters together");
            report.drop(Some(by.clone()), Effect::Special(Special::ClassifierContext(beyond)), why);
            left = 0;
            end > 0
        });
    }

    /// The strongest verdict of each hook, by its declared place.
    fn own_verdicts(&self) -> BTreeMap<u32, Verdict> {
        let mut own = BTreeMap::new();
        for (by, (verdict, _)) in &self.verdicts {
            let strongest = own.entry(by.declared).or_insert(*verdict);
            *strongest = (*strongest).max(*verdict);
        }
        own
    }

    /// Keeps of verdicts, rewrites, permission updates, halts and interrupts those of the first hook to finish that
    /// gave a verdict; they move together.
    fn keep_first_answer(&mut self, report: &mut Report) {
        // A hook that perhaps should not have run never answers before one that should; what it holds back stays.
        let certain = self.verdicts.iter().any(|(by, _)| !by.doubtful);
        let answers = self.verdicts.iter().map(|(by, _)| by).filter(|by| !(certain && by.doubtful));
        let Some(first) = answers.min_by_key(|by| (by.finished, by.declared)).cloned() else { return };
        const WHY: &str = "another hook answered first";
        let other = |by: &Who| !(certain && by.doubtful) && by.declared != first.declared;
        for (by, (verdict, reasons)) in extract(&mut self.verdicts, other) {
            report.drop(Some(by), Effect::Verdict { verdict, reasons }, WHY);
        }
        for (by, rewrite) in extract(&mut self.inputs, other) {
            report.drop(Some(by), Effect::ReplaceInput(rewrite), WHY);
        }
        for (by, update) in extract(&mut self.permissions, other) {
            report.drop(Some(by), Effect::PermissionUpdate(update), WHY);
        }
        for (by, halt) in extract(&mut self.halts, other) {
            report.drop(Some(by), Effect::Halt(halt), WHY);
        }
        let (interrupts, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.special)
            .into_iter()
            .partition(|(by, special)| *special == Special::Interrupt && other(by));
        self.special = rest;
        for (by, special) in interrupts {
            report.drop(Some(by), Effect::Special(special), WHY);
        }
    }

    /// Drops rewrites that another hook's allow took away by finishing later.
    fn drop_overtaken_inputs(&mut self, report: &mut Report) {
        let place = |by: &Who| (by.finished, by.declared);
        let allows: Vec<Who> = self
            .verdicts
            .iter()
            .filter(|(_, (verdict, _))| *verdict == Verdict::Allow)
            .map(|(by, _)| by.clone())
            .collect();
        let overtaken = |by: &Who| allows.iter().any(|allow| place(allow) > place(by));
        for (by, rewrite) in extract(&mut self.inputs, overtaken) {
            report.drop(Some(by), Effect::ReplaceInput(rewrite), "another hook's allow finished later");
        }
    }
}

/// Whether an effect only holds something back. Of a doubtful hook nothing else counts.
pub(crate) const fn restrains(effect: &Effect) -> bool {
    match effect {
        Effect::Verdict { verdict, .. } => !matches!(verdict, Verdict::Allow),
        Effect::Halt(_) => true,
        _ => false,
    }
}

fn extract<T>(list: &mut Vec<(Who, T)>, is: impl Fn(&Who) -> bool) -> Vec<(Who, T)> {
    let (taken, kept) = std::mem::take(list).into_iter().partition(|(by, _)| is(by));
    *list = kept;
    taken
}

fn said<T>((by, value): (Who, T)) -> Said<T> {
    Said::hook(by, value)
}

/// Sorts hooks into an order; what one hook said stays together and in its own order.
fn order<T>(list: &mut [(Who, T)], by: Order) {
    list.sort_by_key(|(who, _)| match by {
        Order::Declared => (who.declared, who.finished),
        Order::Finishing => (who.finished, who.declared),
    });
}

/// Puts the leading hook's entries first; the others follow in the same order.
fn lead<T>(list: &mut [(Who, T)], lead: Lead) {
    order(list, lead.by);
    if lead.pick != Pick::Last {
        return;
    }
    let Some(last) = list.last().map(|(who, _)| (who.declared, who.finished)) else { return };
    let at = list.iter().position(|(who, _)| (who.declared, who.finished) == last).unwrap_or(0);
    list.rotate_left(at);
}

fn settle_verdict(settled: &mut Settled, verdicts: Vec<(Who, (Verdict, Vec<String>))>, policy: &MergePolicy) {
    let Some(winner) = verdicts.iter().map(|(_, (verdict, _))| *verdict).max() else { return };
    settled.verdict = Some(winner);
    let (mut winning, weaker): (Vec<_>, Vec<_>) =
        verdicts.into_iter().partition(|(_, (verdict, _))| *verdict == winner);
    for (by, (verdict, reasons)) in weaker {
        settled.report.drop(Some(by), Effect::Verdict { verdict, reasons }, "a stronger verdict outranks it");
    }
    let leads = match winner {
        Verdict::Deny => policy.leads.deny,
        Verdict::Ask => policy.leads.ask,
        Verdict::Defer => policy.leads.defer,
        Verdict::Allow => policy.leads.allow,
    };
    // A hook that gave a verdict without a word leads nothing.
    winning.retain(|(_, (_, reasons))| !reasons.is_empty());
    lead(&mut winning, leads);
    settled.reasons = winning
        .into_iter()
        .flat_map(|(by, (_, reasons))| reasons.into_iter().map(move |reason| Said::hook(by.clone(), reason)))
        .collect();
}

fn settle_input(settled: &mut Settled, mut inputs: Vec<(Who, Rewrite)>, rule: InputRule) {
    order(
        &mut inputs,
        match rule {
            InputRule::LastFinished | InputRule::LastAnswer => Order::Finishing,
            InputRule::LastDeclared => Order::Declared,
        },
    );
    if inputs.len() > 1 {
        settled
            .report
            .conflicts
            .push("several hooks rewrote the input; the vendor lets one of them win whole".to_owned());
    }
    let winner = inputs.pop();
    for (by, rewrite) in inputs {
        settled.report.drop(Some(by), Effect::ReplaceInput(rewrite), "another hook's rewrite wins");
    }
    settled.input = winner.map(said);
    drop_input_of_a_deny(settled);
}

fn settle_result(settled: &mut Settled, mut results: Vec<(Who, ResultReplacement)>, rule: ResultRule) {
    order(&mut results, if rule == ResultRule::LastFinished { Order::Finishing } else { Order::Declared });
    if let ResultRule::Join(separator) = rule {
        let texts: Vec<&str> = results
            .iter()
            .filter_map(|(_, result)| match result {
                ResultReplacement::Text(text) => Some(text.as_str()),
                ResultReplacement::Json(_) => None,
            })
            .collect();
        if texts.len() == results.len() && texts.len() > 1 {
            let joined = texts.join(separator);
            let by = results.first().map(|(by, _)| by.clone());
            settled.result = Some(Said { by, value: ResultReplacement::Text(joined) });
            return;
        }
    }
    if results.len() > 1 {
        settled
            .report
            .conflicts
            .push("several hooks replaced the result; the vendor lets one of them win whole".to_owned());
    }
    let winner = results.pop();
    for (by, result) in results {
        settled.report.drop(Some(by), Effect::ReplaceResult(result), "another hook's replacement wins");
    }
    settled.result = winner.map(said);
}

fn settle_env(settled: &mut Settled, mut env: Vec<(Who, BTreeMap<String, EnvChange>)>, by: Order) {
    order(&mut env, by);
    for (who, changes) in env {
        for (name, change) in changes {
            let earlier = settled.session_env.insert(name.clone(), Said::hook(who.clone(), change));
            let Some(Said { by, value }) = earlier else { continue };
            settled.report.conflicts.push(format!("several hooks set the session variable {name}"));
            let lost = Effect::SessionEnv(BTreeMap::from([(name, value)]));
            settled.report.drop(by, lost, "another hook's value wins");
        }
    }
}

fn settle_halts(settled: &mut Settled, mut halts: Vec<(Who, Halt)>, leading: Lead) {
    // A halt without a word leads nothing, so that a reason is not lost to it.
    let (mut silent, mut speaking): (Vec<_>, Vec<_>) = halts.drain(..).partition(|(_, halt)| halt.reason.is_none());
    lead(&mut speaking, leading);
    lead(&mut silent, leading);
    let mut all = speaking.into_iter().chain(silent);
    let Some((by, first)) = all.next() else { return };
    let mut merged = Said::hook(by, first);
    for (by, halt) in all {
        settled.report.merged_halt(Some(by), &halt);
        merged.value.merge(halt);
    }
    settled.halt = Some(merged);
}

const _: () = {
    // Merging halts relies on these orders.
    assert!((When::Before as u8) > (When::After as u8));
    assert!((PromptFate::Erase as u8) > (PromptFate::Keep as u8));
};

/// Folds what only one vendor has, kind by kind, by each kind's rule. Of a tool server's answers the refusing one counts
/// before the first, when several vendors gave one.
fn settle_special(settled: &mut Settled, mut special: Vec<Said<Special>>) {
    let place = |said: &Said<Special>, by: Order| {
        said.by.as_ref().map_or((u32::MAX, u32::MAX), |who| match by {
            Order::Declared => (who.declared, who.finished),
            Order::Finishing => (who.finished, who.declared),
        })
    };
    special.sort_by_key(|said| place(said, Order::Declared));
    let mut kinds: Vec<&'static str> = special.iter().map(|said| said.value.kind()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let (mut of_kind, rest): (Vec<_>, Vec<_>) = special.into_iter().partition(|said| said.value.kind() == kind);
        special = rest;
        let Some(fold) = of_kind.first().map(|said| said.value.fold()) else { continue };
        let kept = match fold {
            SpecialFold::All => std::mem::take(&mut of_kind),
            SpecialFold::Any => of_kind.drain(..1).collect(),
            SpecialFold::FirstFinished | SpecialFold::LastFinished => {
                of_kind.sort_by_key(|said| place(said, Order::Finishing));
                let vendors_differ = of_kind.windows(2).any(|pair| match pair {
                    [one, other] => one.by.as_ref().map(|who| &who.vendor) != other.by.as_ref().map(|who| &who.vendor),
                    _ => false,
                });
                let refusing = of_kind.iter().position(|said| said.value.refuses()).filter(|_| vendors_differ);
                let at = match fold {
                    SpecialFold::FirstFinished => refusing.unwrap_or(0),
                    _ => of_kind.len().saturating_sub(1),
                };
                vec![of_kind.remove(at)]
            }
        };
        for Said { by, value } in of_kind {
            settled.report.drop(by, Effect::Special(value), "another hook's counts");
        }
        settled.special.extend(kept);
    }
}
