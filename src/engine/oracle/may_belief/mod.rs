//! ODIN's oracle: few automatically generated inputs end in a wrong state of the app, and one event on similar layouts
//! has few different outcomes. So the outcome that most behaviours share is believed, and one that a tiny minority
//! shows is an anomaly (Wang et al., ESEC/FSE 2022). `engine/odin/paper.md` describes the oracle in sections 8 to 12.
//!
//! Pure functions of behaviours and traces, without engine or device.

mod abstraction;
mod anomaly;
mod clustering;
mod explained;
mod explanation;
mod fingerprint;
mod from_trace;
mod history;
mod judge;
mod known;
mod lasting;
mod minority;
mod pool;
mod rule;
mod states;
#[cfg(test)]
mod worked_examples_tests;
mod wrong_row;

pub use abstraction::{Rule, Rules};
pub use anomaly::{Anomalies, AnomalyConfig, AnomalyVerdict};
pub use clustering::{Behaviours, Cluster, Clustering, cluster};
pub use explanation::{Explanation, behaviour_clause, event_words, explain_difference};
pub use fingerprint::{Behaviour, Fingerprint, Lens, Outcome, receiver_texts};
pub use from_trace::{SeenBehaviour, behaviours_in, last_behaviour, outcome};
pub use history::{History, Past};
pub use judge::{
    Anomaly, Judgement, MOST_WITNESSES, MayBeliefConfig, blind_fingerprint, fingerprint_of, judge_behaviours,
    structures,
};
pub use known::{Handled, KnownLayout, StateKey};
pub use minority::{Minority, ShownAt, elsewhere, judge_traces};
pub use pool::{Suspect, TestPool};
pub use rule::{LATER, MinorityRule, minority_violation};
pub use states::{LayoutId, Layouts, Merging, Move, VolatileViews, merge_layouts};
