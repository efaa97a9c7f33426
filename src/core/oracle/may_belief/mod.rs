//! ODIN's oracle: few automatically made inputs end in a wrong state of the app, and one event on similar
//! layouts has few different outcomes. So the outcome that most behaviours share is believed, and one
//! that a tiny minority shows is an anomaly (Wang et al., ESEC/FSE 2022; odin.md).
//!
//! Pure functions over behaviours and traces: no engine, no device.

mod abstraction;
mod anomaly;
mod clustering;
mod explained;
mod fingerprint;
mod from_trace;
mod judge;
mod known;
mod layouts;
mod minority;
mod pool;
mod rule;
mod states;
mod told;
mod volatile;
mod way;
#[cfg(test)]
mod worked_examples;

pub use abstraction::{Rule, Rules};
pub use anomaly::{Anomalies, AnomalyConfig, AnomalyVerdict};
pub use clustering::{Behaviours, Cluster, Clustering, cluster};
pub use fingerprint::{Behaviour, Fingerprint, Lens, Outcome, receiver_texts};
pub use from_trace::{Seen, behaviours_in, last_behaviour, outcome};
pub use judge::{
    Anomaly, Judgement, MayBeliefConfig, blind_fingerprint, fingerprint_of, judge_behaviours, structures,
};
pub use known::{Handled, KnownLayout, StateKey};
pub use layouts::{LayoutId, Layouts};
pub use minority::{Minority, elsewhere, judge_traces};
pub use pool::{Suspect, TestPool};
pub use rule::{MinorityRule, minority_violation};
pub use states::{Merging, Move, merge_layouts};
pub use told::{Told, event_words, tell_apart};
pub use volatile::VolatileViews;
pub use way::Way;
