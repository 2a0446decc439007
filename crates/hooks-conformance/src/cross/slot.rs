//! Fields of an occurrence by the kind of values they take: what is read off one, and what can be put there.

use hooks_core::RawJson;
use hooks_core::envelope::{AgentIdentity, Attachment, Model, PermissionOrigin, Provenance, ToolFailureKind};
use serde_json::{Value, json};

/// A field by the kind of values it takes.
pub(super) enum Slot<'e> {
    Text(&'e mut String),
    MaybeText(&'e mut Option<String>),
    /// A name that other names are made of, with what may stand in it.
    Name(&'e mut String),
    /// An absolute path.
    Path(&'e mut String),
    MaybePath(&'e mut Option<String>),
    /// One of a few words; of a set that vendors know.
    Word(&'e mut String, &'static [&'static str]),
    MaybeWord(&'e mut Option<String>, &'static [&'static str]),
    Paths(&'e mut Vec<String>),
    MaybeTexts(&'e mut Option<Vec<String>>),
    /// The same part of several things.
    Parts(Vec<&'e mut String>),
    PartFlags(Vec<&'e mut bool>),
    Number(&'e mut u64),
    MaybeNumber(&'e mut Option<u64>),
    MaybeCode(&'e mut Option<i32>),
    Percent(&'e mut Option<f64>),
    /// How often hooks have made something go on. Vendors tell whether they have.
    Rounds(&'e mut u32),
    Flag(&'e mut bool),
    MaybeFlag(&'e mut Option<bool>),
    /// An object.
    Object(&'e mut RawJson),
    MaybeObject(&'e mut Option<RawJson>),
    /// An array in a vendor's form.
    MaybeArray(&'e mut Option<RawJson>),
    Params(&'e mut Vec<(String, String)>),
    Model(&'e mut Option<Model>),
    Agent(&'e mut Option<AgentIdentity>),
    Attachments(&'e mut Vec<Attachment>),
    Provenance(&'e mut Provenance),
    Origin(&'e mut PermissionOrigin),
    Failure(&'e mut ToolFailureKind),
}

/// What is put in places: of each kind of value one.
#[derive(Clone, Debug)]
pub struct Words {
    /// A text. Every place gets it behind its own name, so that no two places hold the same.
    pub text: String,
    /// A number; it chooses among words too.
    pub number: u32,
    /// A flag.
    pub flag: bool,
    /// The members of an object.
    pub value: Value,
}

fn chosen<T: Copy>(all: &[T], number: u32) -> Option<T> {
    let at = usize::try_from(number).unwrap_or_default().checked_rem(all.len())?;
    all.get(at).copied()
}

impl Slot<'_> {
    /// Puts something of its kind in the place.
    pub(super) fn put(self, fact: &str, words: &Words) {
        let Words { text, number, flag, value } = words;
        let (number, flag) = (*number, *flag);
        let text = || format!("{fact} {text}");
        let path = || format!("/home/dev/{}-{number}", fact.replace(' ', "-"));
        let array = || RawJson::from(&json!([{ "id": format!("{fact} {number}"), "description": text() }]));
        match self {
            Self::Text(place) => *place = text(),
            Self::Name(place) => *place = format!("{fact}-{number}"),
            Self::MaybeText(place) => *place = Some(text()),
            Self::Path(place) => *place = path(),
            Self::MaybePath(place) => *place = Some(path()),
            Self::Word(place, all) => *place = chosen(all, number).unwrap_or_default().to_owned(),
            Self::MaybeWord(place, all) => *place = chosen(all, number).map(str::to_owned),
            Self::Paths(place) => *place = vec![path(), format!("{}/another", path())],
            Self::MaybeTexts(place) => *place = Some(vec![text(), path()]),
            Self::Parts(places) => places.into_iter().for_each(|place| *place = text()),
            Self::PartFlags(places) => places.into_iter().for_each(|place| *place = flag),
            Self::Number(place) => *place = u64::from(number),
            Self::MaybeNumber(place) => *place = Some(u64::from(number)),
            Self::MaybeCode(place) => *place = i32::try_from(number % 256).ok(),
            Self::Percent(place) => *place = Some(f64::from(number % 100)),
            Self::Rounds(place) => *place = u32::from(flag),
            Self::Flag(place) => *place = flag,
            Self::MaybeFlag(place) => *place = Some(flag),
            Self::Object(place) => *place = RawJson::from(value),
            Self::MaybeObject(place) => *place = Some(RawJson::from(value)),
            Self::MaybeArray(place) => *place = Some(array()),
            Self::Params(place) => *place = vec![(text(), number.to_string())],
            Self::Model(place) => {
                let (id, params) = place.take().map(|model| (model.id, model.params)).unwrap_or_default();
                *place = Some(Model { slug: text(), id, params });
            }
            Self::Agent(place) => {
                *place = Some(AgentIdentity { id: Some(text()), kind: Some(format!("type {}", text())) })
            }
            Self::Attachments(place) => *place = vec![Attachment { kind: Some("rule".to_owned()), path: path() }],
            Self::Provenance(place) => *place = chosen(&PROVENANCES, number).unwrap_or_default(),
            Self::Origin(place) => *place = chosen(&ORIGINS, number).unwrap_or_default(),
            Self::Failure(place) => *place = chosen(&FAILURES, number).unwrap_or_default(),
        }
    }

    /// What stands there; null for what is not known. Nobody tells an empty text or list, and a flag that is not set,
    /// from an absent one.
    pub(super) fn value(&self) -> Value {
        let some = |text: &str| json!(Some(text).filter(|text| !text.is_empty()));
        let raw = |raw: &Option<RawJson>| raw.as_ref().map(RawJson::to_value).filter(|value| *value != json!([]));
        match self {
            Self::Text(text) | Self::Name(text) | Self::Path(text) | Self::Word(text, _) => some(text),
            Self::MaybeText(text) | Self::MaybePath(text) | Self::MaybeWord(text, _) => {
                some(text.as_deref().unwrap_or_default())
            }
            Self::Paths(texts) => json!(Some(texts).filter(|texts| !texts.is_empty())),
            Self::MaybeTexts(texts) => json!(texts),
            Self::Parts(texts) => json!(texts),
            Self::PartFlags(flags) => json!(flags),
            Self::Number(number) => json!(number),
            Self::MaybeNumber(number) => json!(number),
            Self::MaybeCode(code) => json!(code),
            Self::Percent(percent) => json!(percent),
            Self::Rounds(rounds) => json!(**rounds > 0),
            Self::Flag(flag) => json!(Some(true).filter(|_| **flag)),
            Self::MaybeFlag(flag) => json!(flag),
            Self::Object(object) => object.to_value(),
            Self::MaybeObject(object) => json!(raw(object)),
            Self::MaybeArray(array) => json!(raw(array)),
            Self::Params(params) => json!(Some(params).filter(|params| !params.is_empty())),
            Self::Model(model) => json!(model.as_ref().map(|model| &model.slug)),
            Self::Agent(agent) => json!(agent.as_ref().and_then(|agent| agent.id.as_ref())),
            Self::Attachments(all) => {
                let all: Vec<_> =
                    all.iter().map(|one| json!([one.kind.as_deref().unwrap_or("file"), one.path])).collect();
                json!(Some(all).filter(|all| !all.is_empty()))
            }
            Self::Provenance(provenance) => json!(format!("{provenance:?}")),
            Self::Origin(origin) => json!(format!("{origin:?}")),
            Self::Failure(failure) => json!(format!("{failure:?}")),
        }
    }
}

const PROVENANCES: [Provenance; 4] =
    [Provenance::User, Provenance::Steering, Provenance::Subagent, Provenance::Notification];
const ORIGINS: [PermissionOrigin; 4] =
    [PermissionOrigin::Tool, PermissionOrigin::Mcp, PermissionOrigin::Network, PermissionOrigin::Escalation];
const FAILURES: [ToolFailureKind; 4] =
    [ToolFailureKind::Error, ToolFailureKind::Timeout, ToolFailureKind::Denied, ToolFailureKind::Cancelled];
