//! `docs/conformance-score.md`: how many vectors the built-in adapters hold.

use hooks_conformance::{Exceptions, Filter, InProcess, run_subject, score};

use super::markdown::preamble;
use super::{Generated, Sources, fixtures};

pub(super) fn files(sources: &Sources<'_>) -> Result<Vec<Generated>, String> {
    let vectors = fixtures::vectors(sources.root)?;
    let mut subject = InProcess::new(&crosshook::adapter_for);
    let report = run_subject(&vectors, &mut subject, &Filter::default(), &Exceptions::default());
    let page = preamble("a run of `fixtures/vectors`")
        + score::markdown("the built-in adapters", &vectors, &report).trim_end()
        + "\n";
    Ok(vec![Generated::new("docs/conformance-score.md", page)])
}
