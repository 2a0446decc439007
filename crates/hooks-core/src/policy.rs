//! Merge policies: how one vendor folds several hooks of one boundary. Constants in the adapters.

/// Which verdict of several counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VerdictRule {
    /// The strongest: `deny > defer > ask > allow`.
    Strongest,
    /// That of the first hook to finish that answers; its rewrite, permission updates and halt move with it, and those
    /// of the others are dropped. A strict host settles as [`VerdictRule::Strongest`] instead.
    FirstAnswer,
}

/// An order of hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The order in which they are declared.
    Declared,
    /// The order in which they finished.
    Finishing,
}

/// Which text leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// All, in the order.
    All,
    /// The first leads, the others follow.
    First,
    /// The last leads, the others follow.
    Last,
}

/// Whose text leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lead {
    /// Which one.
    pub pick: Pick,
    /// In which order.
    pub by: Order,
}

impl Lead {
    /// All texts, in declared order.
    pub const ALL_DECLARED: Self = Self { pick: Pick::All, by: Order::Declared };
    /// The first declared leads.
    pub const FIRST_DECLARED: Self = Self { pick: Pick::First, by: Order::Declared };
    /// The first to finish leads.
    pub const FIRST_FINISHED: Self = Self { pick: Pick::First, by: Order::Finishing };
    /// The last to finish leads.
    pub const LAST_FINISHED: Self = Self { pick: Pick::Last, by: Order::Finishing };
}

/// Whose text leads, for each verdict and for halts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leads {
    /// Of denies.
    pub deny: Lead,
    /// Of asks.
    pub ask: Lead,
    /// Of defers.
    pub defer: Lead,
    /// Of allows.
    pub allow: Lead,
    /// Of halts: the merged halt has its reason.
    pub halt: Lead,
}

impl Leads {
    /// The same for everything.
    #[must_use]
    pub const fn all(lead: Lead) -> Self {
        Self { deny: lead, ask: lead, defer: lead, allow: lead, halt: lead }
    }
}

/// Which rewritten input counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputRule {
    /// The last to finish.
    LastFinished,
    /// The last declared.
    LastDeclared,
    /// The last to finish, unless another hook's allow finished after it: that one takes it away.
    LastAnswer,
}

/// Which replaced result counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultRule {
    /// The last to finish.
    LastFinished,
    /// The last declared.
    LastDeclared,
    /// All texts, by declared place, with this between them.
    Join(&'static str),
}

/// How one vendor folds several hooks of one boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MergePolicy {
    /// Which verdict counts.
    pub verdict: VerdictRule,
    /// Whose text leads.
    pub leads: Leads,
    /// The order of context.
    pub context: Order,
    /// The order of notices.
    pub notices: Order,
    /// Which rewritten input counts.
    pub input: InputRule,
    /// Which replaced result counts.
    pub result: ResultRule,
    /// Which value of a session variable counts: the last in this order.
    pub env: Order,
    /// Whether a halt drops continuations.
    pub halt_drops_continuations: bool,
    /// How many characters the texts for an automatic mode's classifier may have together
    /// ([`Special::ClassifierContext`](crate::effects::Special::ClassifierContext)): in declared order, the one in which
    /// the number is reached is cut and those behind it are dropped. `None` for no limit.
    pub classifier_limit: Option<usize>,
}

impl MergePolicy {
    /// The plainest policy: strongest verdict, everything in declared order, later wins.
    pub const DECLARED: Self = Self {
        verdict: VerdictRule::Strongest,
        leads: Leads::all(Lead::ALL_DECLARED),
        context: Order::Declared,
        notices: Order::Declared,
        input: InputRule::LastDeclared,
        result: ResultRule::LastDeclared,
        env: Order::Declared,
        halt_drops_continuations: false,
        classifier_limit: None,
    };
}
