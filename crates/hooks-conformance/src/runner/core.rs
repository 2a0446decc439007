//! What the core makes of effects and a host (`decide`), and of several hooks' effects (`settle`). No adapter is needed.

use std::collections::BTreeMap;

use hooks_core::boundary::{Boundary, Stop};
use hooks_core::channel::{Channel, Channels};
use hooks_core::definition::{BindingId, LoopLimit};
use hooks_core::effects::{
    Continuation, Effect, EnvChange, EnvReach, Failure, Halt, HookEffects, OnPending, ResultReplacement, Rewrite, Run,
    RunStatus, Said, Unsupported, Who, reduce,
};
use hooks_core::policy::{InputRule, Lead, Leads, MergePolicy, Order, Pick, ResultRule, VerdictRule};
use hooks_core::session::SessionState;
use hooks_core::settle::{Report, Settled, settle_all};
use hooks_core::tool::{OtherTool, Projected, ToolAction, ToolCall};
use hooks_core::{HostProfile, RawJson, VendorId};
use serde_json::Value;

use crate::format::{
    ContinuationSpec, Decide, Effects, HaltSpec, InputRuleWord, LeadSpec, OnPendingWord, OrderWord, PickWord,
    PolicySpec, ResultRuleSpec, Settle, SettleItem, TextMatch, VerdictRuleWord,
};
use crate::question::Answer;
use crate::render::{VectorForm, decision_form};

/// The vendor of items that name none.
const ONE_VENDOR: &str = "vendor";

pub(super) fn settle(vector: &Settle) -> Result<Answer, String> {
    let mut policies: BTreeMap<VendorId, MergePolicy> = BTreeMap::new();
    let named = vector.policies.iter().flatten().map(|(vendor, policy)| (vendor.as_str(), policy));
    for (vendor, spec) in named.chain(vector.policy.iter().map(|policy| (ONE_VENDOR, policy))) {
        policies.insert(VendorId::from(vendor.to_owned()), policy(spec)?);
    }
    let hooks: Vec<HookEffects> =
        vector.items.iter().zip(0..).map(|(item, declared)| hook(item, declared)).collect::<Result<_, _>>()?;
    let policy = |vendor: &VendorId| policies.get(vendor).unwrap_or(&MergePolicy::DECLARED);
    let settled = match &vector.policy {
        Some(_) => {
            let vendor = VendorId::from(ONE_VENDOR.to_owned());
            hooks_core::settle(reduce(hooks), policy(&vendor), vector.strict.unwrap_or(false))
        }
        None => settle_all(reduce(hooks), policy, vector.strict.unwrap_or(false)),
    };
    Ok(Answer::Effects(Box::new(settled.vector_form())))
}

pub(super) fn decide(vector: &Decide) -> Result<Answer, String> {
    let boundary: Boundary = vector.boundary.parse().map_err(|error| format!("`boundary`: {error}"))?;
    let spec = vector.host.clone().unwrap_or_default();
    let mut host = HostProfile::full()
        .ask(spec.can_ask.unwrap_or(true))
        .defer(spec.can_defer.unwrap_or(true))
        .strict(spec.strict.unwrap_or(false));
    if !spec.can_rewrite.unwrap_or(true) {
        host = host.channels(Channels::ALL.minus(Channels::of(&[Channel::ReplacementInput])));
    }
    let on_pending = match vector.unsupported_on_pending {
        Some(OnPendingWord::Deny) => OnPending::Deny,
        Some(OnPendingWord::Ignore) | None => OnPending::Ignore,
    };
    let settled = settled(&vector.effects, on_pending)?;
    let (decision, _) = hooks_core::decide(settled, boundary, &host, SessionState::default());
    Ok(Answer::Decision(Box::new(decision_form(&decision))))
}

fn policy(spec: &PolicySpec) -> Result<MergePolicy, String> {
    let PolicySpec {
        verdict,
        leads,
        context,
        notices,
        replacement_input,
        replacement_result,
        halt_drops_continuations,
    } = spec;
    let mut policy = MergePolicy::DECLARED;
    if let Some(VerdictRuleWord::FirstAnswer) = verdict {
        policy.verdict = VerdictRule::FirstAnswer;
    }
    if let Some(leads) = leads {
        let usual = Leads::all(Lead::ALL_DECLARED);
        policy.leads = Leads {
            deny: leads.deny.map_or(usual.deny, lead),
            ask: leads.ask.map_or(usual.ask, lead),
            halt: leads.halt.map_or(usual.halt, lead),
            ..usual
        };
    }
    policy.context = context.map_or(policy.context, order);
    policy.notices = notices.map_or(policy.notices, order);
    policy.input = match replacement_input {
        Some(InputRuleWord::LastFinished) => InputRule::LastFinished,
        Some(InputRuleWord::LastDeclared) => InputRule::LastDeclared,
        None => policy.input,
    };
    policy.result = match replacement_result {
        Some(ResultRuleSpec::LastFinished) => ResultRule::LastFinished,
        Some(ResultRuleSpec::LastDeclared) => ResultRule::LastDeclared,
        Some(ResultRuleSpec::Join(separator)) => ResultRule::Join(constant(separator)?),
        None => policy.result,
    };
    policy.halt_drops_continuations = halt_drops_continuations.unwrap_or(policy.halt_drops_continuations);
    Ok(policy)
}

/// Separators are constants in a policy, so that a vector can use those that are known here.
fn constant(separator: &str) -> Result<&'static str, String> {
    ["\n\n", "\n", " ", ", ", ""]
        .into_iter()
        .find(|known| *known == separator)
        .ok_or_else(|| format!("`replacement_result.join`: the runner does not know the separator {separator:?}"))
}

const fn lead(spec: LeadSpec) -> Lead {
    let pick = match spec.pick {
        PickWord::All => Pick::All,
        PickWord::First => Pick::First,
        PickWord::Last => Pick::Last,
    };
    Lead { pick, by: order(spec.by) }
}

const fn order(word: OrderWord) -> Order {
    match word {
        OrderWord::Declared => Order::Declared,
        OrderWord::Finishing => Order::Finishing,
    }
}

fn who(binding: &str, vendor: &str) -> Who {
    Who {
        binding: BindingId::new(binding),
        vendor: VendorId::from(vendor.to_owned()),
        declared: 0,
        finished: 0,
        doubtful: false,
    }
}

fn hook(item: &SettleItem, declared: u32) -> Result<HookEffects, String> {
    let by = Who {
        declared,
        finished: item.finishes,
        doubtful: item.doubtful.unwrap_or(false),
        ..who(&item.binding, item.vendor.as_deref().unwrap_or(ONE_VENDOR))
    };
    let given = &item.effects;
    let mut hook = match given.failed {
        true => HookEffects::failed(by, Failure::ExitCode(1)),
        false => HookEffects::none(by),
    };
    if let Some(run) = given.run {
        hook.status = run.into();
    }
    if let Some(verdict) = given.verdict {
        hook.verdict(verdict.into(), words(&given.reasons)?);
    }
    hook.effects.extend(words(&given.notices)?.into_iter().map(Effect::Notice));
    hook.effects.extend(words(&given.context)?.into_iter().map(Effect::Context));
    hook.effects.extend(given.replacement_input.iter().map(rewrite).map(Effect::ReplaceInput));
    hook.effects.extend(given.replacement_result.iter().map(result).map(Effect::ReplaceResult));
    if !given.session_env.is_empty() {
        let env = given.session_env.iter().map(|(name, value)| (name.clone(), env(value))).collect();
        hook.push(Effect::SessionEnv(env));
    }
    if let Some(spec) = &given.halt {
        hook.push(Effect::Halt(halt(spec)?));
    }
    for spec in given.continuation.iter().chain(&given.continuations) {
        hook.push(Effect::Continue(continuation(spec)?));
    }
    for field in &given.unsupported {
        hook.push(Effect::Unsupported(unsupported(field, OnPending::Ignore)));
    }
    Ok(hook)
}

fn settled(given: &Effects, on_pending: OnPending) -> Result<Settled, String> {
    let by = || who("given", ONE_VENDOR);
    let said = |texts: &[TextMatch]| -> Result<Vec<Said<String>>, String> {
        Ok(words(texts)?.into_iter().map(|text| Said::hook(by(), text)).collect())
    };
    let runs = given.failed.then(|| Run {
        by: by(),
        status: RunStatus::Failed,
        failure: Some(Failure::ExitCode(1)),
        notes: Vec::new(),
    });
    Ok(Settled {
        verdict: given.verdict.map(Into::into),
        reasons: said(&given.reasons)?,
        notices: said(&given.notices)?,
        context: said(&given.context)?,
        input: given.replacement_input.as_ref().map(|value| Said::hook(by(), rewrite(value))),
        result: given.replacement_result.as_ref().map(|value| Said::hook(by(), result(value))),
        session_env: given
            .session_env
            .iter()
            .map(|(name, value)| (name.clone(), Said::hook(by(), env(value))))
            .collect(),
        halt: given.halt.as_ref().map(halt).transpose()?.map(|halt| Said::hook(by(), halt)),
        continuations: given
            .continuations
            .iter()
            .map(|spec| {
                let binding = spec.binding.as_deref().unwrap_or("given");
                Ok(Said::hook(who(binding, ONE_VENDOR), continuation(spec)?))
            })
            .collect::<Result<_, String>>()?,
        unsupported: given.unsupported.iter().map(|field| Said::hook(by(), unsupported(field, on_pending))).collect(),
        report: Report { runs: runs.into_iter().collect(), ..Report::default() },
        ..Settled::default()
    })
}

/// Texts that are given have to be given word for word.
fn words(texts: &[TextMatch]) -> Result<Vec<String>, String> {
    texts.iter().map(word).collect()
}

fn word(text: &TextMatch) -> Result<String, String> {
    text.exact().map(str::to_owned).ok_or_else(|| "a text that is given has to be a string".to_owned())
}

fn rewrite(value: &Value) -> Rewrite {
    let raw = RawJson::from(value);
    let action = ToolAction::Other(OtherTool { name: "tool".to_owned(), arguments: raw.clone() });
    let call = ToolCall { action, raw: Some(raw.clone()) };
    Rewrite { raw, call: Ok(Projected { call, ignored: Vec::new() }) }
}

fn result(value: &Value) -> ResultReplacement {
    match value {
        Value::String(text) => ResultReplacement::Text(text.clone()),
        value => ResultReplacement::Json(RawJson::from(value)),
    }
}

fn env(value: &str) -> EnvChange {
    EnvChange { value: value.to_owned(), reach: EnvReach::Hooks }
}

fn halt(spec: &HaltSpec) -> Result<Halt, String> {
    let stops: Vec<Stop> = match &spec.stops {
        Some(stops) => stops.iter().map(|&stop| stop.into()).collect(),
        None => vec![Stop::Turn],
    };
    let reason = spec.reason.as_ref().and_then(Option::as_ref).map(word).transpose()?;
    let mut halt = Halt::of(&stops, reason);
    halt.when = spec.when.map(Into::into);
    halt.prompt = spec.prompt.map(Into::into);
    Ok(halt)
}

fn continuation(spec: &ContinuationSpec) -> Result<Continuation, String> {
    let limit = spec.loop_limit.map(|limit| limit.map_or(LoopLimit::Unlimited, LoopLimit::AtMost));
    Ok(Continuation::new(word(&spec.text)?, limit))
}

fn unsupported(field: &str, on_pending: OnPending) -> Unsupported {
    Unsupported { field: field.to_owned(), channel: Channel::Special, on_pending }
}
