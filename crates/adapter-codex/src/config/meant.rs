//! What was meant where a fault keeps it from counting: read on, so that everything else that is wrong there is told in the
//! same run.

use hooks_core::diagnostic::Reach;

use super::Reader;

/// What begins the words for when something would count.
const COUNTS: &str = " (counts once ";

impl Reader {
    /// Reads what does not count as it stands, for what else is wrong in it. `until` says when it would count; none of it costs
    /// anything until then.
    pub(super) fn below<T>(&mut self, until: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let (fatal, soft, advice) = (self.fatal.len(), self.soft.len(), self.advice.len());
        let around = std::mem::replace(&mut self.only_advice, true);
        let result = read(self);
        self.only_advice = around;
        let mut found = self.fatal.split_off(fatal);
        found.extend(self.soft.split_off(soft));
        found.extend(self.advice.split_off(advice));
        for one in &mut found {
            if !one.message.contains(COUNTS) {
                one.message = format!("{}{COUNTS}{until})", one.message);
            }
            one.reach = Reach::None;
            one.edits.clear();
            one.changes = None;
        }
        if self.advising {
            self.advice.extend(found);
        }
        result
    }
}
