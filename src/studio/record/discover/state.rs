//! The state of an exploration that proposes functions.

use std::collections::BTreeSet;
use std::sync::Arc;
use taproof_campaign::discover::{DiscoverConfig, Discovered, Discovery, Progress};
use taproof_campaign::{DeviceChoice, Target};
use taproof_engine::device::Build;
use taproof_screen::Initialiser;
use taproof_spec::{Block, Confidence, distinct_function_words};

/// A command about Discover. Functions are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiscoverCommand {
    /// Explores the app on the phone and proposes its functions.
    Start,
    /// Stops exploring; what was confirmed until then is proposed.
    Stop,
    /// Ticks a proposed function, or not.
    Tick(String, bool),
    /// Saves all ticked functions into the document of the app.
    Save,
    /// Saves one, and opens it to be edited.
    Edit(String),
}

/// What a thread needs to explore.
#[derive(Clone, Debug)]
pub struct DiscoverPlan {
    /// Package of the app.
    pub app: String,
    /// Which bugs are on, on a bundled phone.
    pub build: Build,
    /// The phone.
    pub device: DeviceChoice,
    /// What is done before each test.
    pub initialiser: Option<Arc<Initialiser>>,
    /// A command of the host before each test.
    pub command: Option<String>,
    /// How much is explored.
    pub config: DiscoverConfig,
}

/// What is known of an exploration.
pub(crate) enum DiscoveryNews {
    /// It has come further.
    Progress(Progress),
    /// It is over.
    Ended(Box<Discovery>),
    /// It ended without a result; the reason.
    Failed(String),
}

/// The exploration that is running or that ran last.
#[derive(Default)]
pub struct DiscoverState {
    /// What is explored, and where; `None` if nothing was.
    pub target: Option<Target>,
    /// The phone that is in use; `None` while nothing is explored.
    pub device: Option<DeviceChoice>,
    /// How far it is.
    pub progress: Option<Progress>,
    /// What was proposed, by the type of the data and the kind.
    pub functions: Vec<Discovered>,
    /// What people call them, in the same order.
    pub words: Vec<String>,
    /// What random events must not do.
    pub blocks: Vec<Block>,
    /// How many proposals were dropped again by the exploration itself.
    pub refuted: usize,
    /// Why it failed.
    pub problem: Option<String>,
    /// Names of the functions that were saved.
    pub(super) saved: BTreeSet<String>,
    /// Names of those that are to be saved: at first those that are likely to be right.
    pub(super) ticked: BTreeSet<String>,
}

impl DiscoverState {
    /// Whether an app is being explored.
    pub fn is_running(&self) -> bool {
        self.device.is_some()
    }

    /// Whether a proposal was saved.
    pub fn is_saved(&self, name: &str) -> bool {
        self.saved.contains(name)
    }

    /// Whether a proposal is to be saved.
    pub fn is_ticked(&self, name: &str) -> bool {
        self.ticked.contains(name)
    }

    /// Names of the proposals that are to be saved.
    pub fn ticked(&self) -> &BTreeSet<String> {
        &self.ticked
    }

    /// Number of proposals that were saved.
    pub fn saved(&self) -> usize {
        self.saved.len()
    }

    /// The proposals of each type of data, with their words.
    pub fn by_type(&self) -> impl Iterator<Item = (&[Discovered], &[String])> {
        let mut words = self.words.as_slice();
        self.functions.chunk_by(|one, other| one.dmf.data_type == other.dmf.data_type).map(move |functions| {
            let (of_type, rest) = words.split_at(functions.len().min(words.len()));
            words = rest;
            (functions, of_type)
        })
    }

    /// Takes what the thread reported.
    pub(crate) fn take(&mut self, news: DiscoveryNews) {
        match news {
            DiscoveryNews::Progress(progress) => self.progress = Some(progress),
            DiscoveryNews::Ended(found) => {
                self.device = None;
                self.refuted = found.dropped.len();
                let likely = found.functions.iter().filter(|it| it.confidence == Confidence::Likely);
                self.ticked = likely.map(|it| it.dmf.name.clone()).collect();
                self.functions = found.functions;
                let place = |it: &Discovered| (it.dmf.data_type.clone(), it.dmf.kind);
                self.functions.sort_by_key(place);
                let all = || self.functions.iter().map(|it| &it.dmf);
                self.words = all().map(|dmf| distinct_function_words(dmf, all())).collect();
                self.blocks = found.blocks;
            }
            DiscoveryNews::Failed(problem) => {
                self.device = None;
                self.problem = Some(problem);
            }
        }
    }

    /// An exploration begins.
    pub(super) fn begin(&mut self, target: Target) {
        let device = Some(target.device_choice());
        *self = DiscoverState { target: Some(target), device, ..DiscoverState::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_campaign::discover::{Evidence, Phase};
    use taproof_spec::{Dmf, DmfKind};

    fn proposal(name: &str, kind: DmfKind, data_type: &str, confidence: Confidence) -> Discovered {
        Discovered {
            dmf: Dmf::empty(name, kind, data_type),
            reason: String::new(),
            evidence: Evidence::default(),
            refuted_by: Vec::new(),
            confidence,
            steps: Vec::new(),
        }
    }

    #[test]
    fn what_is_likely_is_ticked_and_listed_by_type_and_kind() {
        let mut state = DiscoverState::default();
        state.begin(Target::bundled("org.ex", Build::Faulty));
        assert!(state.is_running());
        let progress = Progress { phase: Phase::Creates, events: 1, of: 2, names: Vec::new() };
        state.take(DiscoveryNews::Progress(progress));
        let functions = vec![
            proposal("delete note", DmfKind::Delete, "note", Confidence::Possible),
            proposal("add tag", DmfKind::Create, "tag", Confidence::Likely),
            proposal("add note", DmfKind::Create, "note", Confidence::Likely),
        ];
        state.take(DiscoveryNews::Ended(Box::new(Discovery { functions, ..Discovery::default() })));
        assert!(!state.is_running() && state.is_ticked("add note") && !state.is_ticked("delete note"));
        let listed: Vec<_> = state.by_type().map(|(_, words)| words.join(", ")).collect();
        assert_eq!(listed, ["Add a note, Delete a note", "Add a tag"]);
    }
}
