//! What the vendors' JSON Schemas have in common: which there are, how they are named, and the words every one has.
//!
//! An adapter has a `schema` room that gives one [`Schemas`]. Shapes come from the types that are written, and from the
//! event table where an answer or a configuration is read field by field. Nothing here reads or writes files.
//!
//! | Document | Contract |
//! | --- | --- |
//! | a configuration file | what the vendor accepts; a form for older editors (draft 07) beside it |
//! | `<event>.input` | what a hook finds on standard input |
//! | `<event>.output` | what the vendor accepts as an answer |
//! | `<event>.output.emitted` | what we print for a hook, where that is narrower |

mod answer;
mod catalog;
mod draft07;
mod parts;
mod render;
mod walk;
mod words;
mod written;

pub use answer::{Openness, answer, not_supported};
pub use catalog::{CatalogEntry, catalog};
pub use draft07::draft_07;
pub use parts::Parts;
pub use render::render;
/// A JSON Schema, as the crate of the same name has it.
pub use schemars::Schema;
pub use walk::{filled, walk};
pub use words::{describe, discourage, explain, known_from, warned};
pub use written::{absent_is_not_null, generator, offer, property, written};

use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;

use crate::facts::EventFacts;
use crate::vendor::VendorId;

/// What every `$id` starts with. The names are no addresses: the documents are found through the catalogue beside them,
/// so that nothing has to be published anywhere.
pub const ID_PREFIX: &str = "urn:crosshook:schema:";

/// The meta-schema of the documents.
pub const DRAFT_2020_12: &str = "https://json-schema.org/draft/2020-12/schema";

/// The meta-schema of the forms for older editors.
pub const DRAFT_07: &str = "http://json-schema.org/draft-07/schema#";

/// The schemas of one vendor's format.
#[derive(Clone, Copy, Debug)]
pub struct Schemas {
    /// Whose format it is; also the folder's name.
    pub vendor: &'static VendorId,
    /// The vendor's product, as a person writes it.
    pub title: &'static str,
    /// The events, in the vendor's order.
    pub facts: &'static [&'static EventFacts],
    /// The forms of configuration.
    pub configs: &'static [ConfigSchema],
    /// What a hook of an event finds on standard input.
    pub input: fn(&'static EventFacts) -> Schema,
    /// What the vendor accepts as an answer on an event.
    pub output: fn(&'static EventFacts) -> Schema,
    /// What we print as an answer on an event. Where it is the same as what is accepted, one document is enough.
    pub emitted: fn(&'static EventFacts) -> Schema,
}

/// The schema of one form of configuration.
#[derive(Clone, Copy, Debug)]
pub struct ConfigSchema {
    /// The document's name without an ending, such as `hooks`.
    pub name: &'static str,
    /// What it is, in a few words: the title.
    pub title: &'static str,
    /// What it is for, in a sentence: the description.
    pub about: &'static str,
    /// The files it is for, as the patterns of an editor's catalogue; none where a path does not say whose file it is. No
    /// file is for two forms, of whatever vendors.
    pub files: &'static [&'static str],
    /// Makes it.
    pub schema: fn() -> Schema,
}

/// What a document describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Contract {
    /// A configuration file.
    Config,
    /// A configuration file, for older editors.
    ConfigDraft07,
    /// What a hook finds on standard input.
    Input,
    /// What the vendor accepts as an answer.
    Output,
    /// What we print as an answer.
    Emitted,
}

impl Contract {
    /// What its documents' names have behind that of the configuration or the event.
    const fn ending(self) -> &'static str {
        match self {
            Self::Config => "",
            Self::ConfigDraft07 => ".draft-07",
            Self::Input => ".input",
            Self::Output => ".output",
            Self::Emitted => ".output.emitted",
        }
    }
}

/// One schema with its name.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its path below the folder of schemas, with `/`.
    pub path: String,
    /// What it describes.
    pub contract: Contract,
    /// The configuration's name, or the event's.
    pub of: &'static str,
    /// The schema, with `$schema`, `$id` and a title.
    pub schema: Schema,
}

impl Schemas {
    /// Every document, configurations first, then by event in the vendor's order.
    #[must_use]
    pub fn documents(&self) -> Vec<Document> {
        let mut documents = Vec::new();
        for config in self.configs {
            let newest = self.config(config);
            let older = self.older(newest.clone());
            documents.extend([newest, older]);
        }
        for facts in self.facts {
            documents.push(self.input(facts));
            let output = self.output(facts);
            let emitted = self.emitted(facts);
            let differs = !same_shape(&output.schema, &emitted.schema);
            documents.push(output);
            if differs {
                documents.push(emitted);
            }
        }
        documents
    }

    /// The schema of a form of configuration.
    #[must_use]
    pub fn config(&self, config: &ConfigSchema) -> Document {
        let mut schema = (config.schema)();
        set(&mut schema, "title", config.title);
        set(&mut schema, "description", config.about);
        words::in_one_line(&mut schema);
        words::for_editors(&mut schema);
        self.document(Contract::Config, config.name, schema)
    }

    /// The same for older editors.
    #[must_use]
    pub fn config_draft_07(&self, config: &ConfigSchema) -> Document {
        self.older(self.config(config))
    }

    fn older(&self, newest: Document) -> Document {
        let mut document = self.document(Contract::ConfigDraft07, newest.of, draft_07(newest.schema));
        set(&mut document.schema, "$schema", DRAFT_07);
        document
    }

    /// The schema of an event's standard input.
    #[must_use]
    pub fn input(&self, facts: &'static EventFacts) -> Document {
        let schema = self.of_event((self.input)(facts), facts, "what a hook finds on standard input");
        self.document(Contract::Input, facts.name, schema)
    }

    /// The schema of the answers that the vendor accepts on an event.
    #[must_use]
    pub fn output(&self, facts: &'static EventFacts) -> Document {
        let schema = self.of_event((self.output)(facts), facts, "what a hook can answer on standard output");
        self.document(Contract::Output, facts.name, schema)
    }

    /// The schema of the answers that are printed for a hook on an event.
    #[must_use]
    pub fn emitted(&self, facts: &'static EventFacts) -> Document {
        let schema = self.of_event((self.emitted)(facts), facts, "what is printed as an answer");
        self.document(Contract::Emitted, facts.name, schema)
    }

    /// Titles a schema of an event, and adds how its row is known to what it says.
    fn of_event(&self, mut schema: Schema, facts: &EventFacts, what: &str) -> Schema {
        set(&mut schema, "title", format!("{} {}: {what}", self.title, facts.name));
        let said = schema.get("description").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
        let known = known_from(facts.evidence);
        set(&mut schema, "description", if said.is_empty() { known } else { format!("{said}\n\n{known}") });
        written::without_widths(&mut schema);
        words::in_one_line(&mut schema);
        schema
    }

    fn document(&self, contract: Contract, of: &'static str, mut schema: Schema) -> Document {
        set(&mut schema, "$schema", DRAFT_2020_12);
        set(&mut schema, "$id", format!("{ID_PREFIX}{}:{of}{}", self.vendor.as_str(), contract.ending()));
        Document { path: self.path(contract, of), contract, of, schema }
    }

    /// A document's path below the folder of schemas.
    fn path(&self, contract: Contract, of: &str) -> String {
        format!("{}/{of}{}.schema.json", self.vendor.as_str(), contract.ending())
    }
}

/// Whether two schemas say the same but for their names and words.
fn same_shape(one: &Schema, other: &Schema) -> bool {
    fn shape(schema: &Schema) -> Schema {
        let mut schema = schema.clone();
        RecursiveTransform(|schema: &mut Schema| {
            for word in ["$id", "title", "description", "enumDescriptions", "$comment", "examples"] {
                schema.remove(word);
            }
        })
        .transform(&mut schema);
        schema
    }
    shape(one) == shape(other)
}

/// Sets a keyword.
pub fn set(schema: &mut Schema, keyword: &str, value: impl Into<Value>) {
    schema.insert(keyword.to_owned(), value.into());
}
