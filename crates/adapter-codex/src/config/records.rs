//! Trust records beside the events of a TOML document (section 6).

use hooks_core::adapter::TrustRecord;
use hooks_core::diagnostic::{Diagnostic, Reach};
use hooks_core::document::Node;
use hooks_core::source::Origin;

use super::Reader;
use super::at::At;
use super::keys;
use crate::codes;
use crate::events::changed;

impl Reader {
    /// Trust records beside the events (section 6).
    pub(super) fn trust_records(&mut self, state: &Node, at: &At<'_>) {
        let reads = matches!(self.source().origin, Origin::User | Origin::SessionFlags);
        if !reads {
            let message = "trust records in this file are not read";
            let found = Diagnostic::new(&codes::TRUST_RECORD_IGNORED, Reach::None, message);
            self.soft.push(found.at(state.range.clone()).pointer(at.pointer()).silent());
            return;
        }
        // The client checks the user's file as a whole; of session flags, and of every file before it did, only the faulty
        // record is skipped (sections 3.2 and 6).
        let faults = self.fatal.len();
        self.records(state, at);
        let whole = changed::USER_FILE_IS_CHECKED.at(self.version) == Some(true);
        if self.source().origin != Origin::User || !whole {
            for fault in self.fatal.drain(faults..) {
                let mut found = Diagnostic::new(&codes::TRUST_RECORD_SKIPPED, Reach::None, fault.message);
                found.range = fault.range;
                found.pointer = fault.pointer;
                self.soft.push(found.silent());
            }
        }
    }

    fn records(&mut self, state: &Node, at: &At<'_>) {
        let Some(records) = state.as_object() else { return self.wrong_type(state, at, "a table") };
        for record in &records.members {
            let at = at.key(&record.key);
            let faults = self.fatal.len();
            let Some(fields) = record.value.as_object() else {
                self.wrong_type(&record.value, &at, "a table");
                continue;
            };
            let enabled = fields.get(keys::ENABLED);
            self.optional_flag(enabled, &at.key(keys::ENABLED));
            if self.advising {
                let (told, known) = (self.soft.len(), keys::TRUST_RECORD.as_slice());
                self.unknown_fields(fields, known, None, &at, "a trust record");
                let unknown = self.soft.split_off(told);
                self.advice.extend(unknown);
            }
            self.optional_text(fields.get(keys::TRUSTED_CONTENT_HASH), &at.key(keys::TRUSTED_CONTENT_HASH));
            let trusted_hash = self.optional_text(fields.get(keys::TRUSTED_HASH), &at.key(keys::TRUSTED_HASH));
            if self.fatal.len() > faults {
                continue;
            }
            self.parsed.trust.push(TrustRecord {
                key: record.key.clone(),
                enabled: enabled.and_then(Node::as_bool),
                trusted_hash,
            });
        }
    }
}
