//! The state of an exploration that proposes functions.

use std::collections::BTreeSet;
use std::sync::Arc;
use taproof_campaign::discover::{DiscoverConfig, Discovered, Discovery, Progress};
use taproof_campaign::{DeviceChoice, Target};
use taproof_engine::device::Build;
use taproof_screen::Initialiser;
use taproof_spec::Block;

/// A command about Discover. Functions are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiscoverCommand {
    /// Explores the app on the phone and proposes its functions.
    Start,
    /// Stops exploring; what was confirmed until then is proposed.
    Stop,
    /// Saves a proposed function into the document of the app.
    Accept(String),
    /// Saves it, and opens it to be edited.
    Edit(String),
    /// Dismisses it.
    Drop(String),
    /// Saves all that are neither saved nor dismissed.
    AcceptAll,
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
    /// What was proposed.
    pub functions: Vec<Discovered>,
    /// What random events must not do.
    pub blocks: Vec<Block>,
    /// How many proposals were dropped again by the exploration itself.
    pub refuted: usize,
    /// Why it failed.
    pub problem: Option<String>,
    /// The functions that were saved.
    pub(super) saved: BTreeSet<String>,
    /// Those that were dismissed.
    pub(super) dismissed: BTreeSet<String>,
}

impl DiscoverState {
    /// Whether an app is being explored.
    pub fn is_running(&self) -> bool {
        self.device.is_some()
    }

    /// The proposals about an app that are neither saved nor dismissed.
    pub fn open(&self, app: &str) -> Vec<&Discovered> {
        let here = self.target.as_ref().is_some_and(|target| target.app == app);
        let decided = |name: &String| self.saved.contains(name) || self.dismissed.contains(name);
        self.functions.iter().filter(|it| here && !decided(&it.dmf.name)).collect()
    }

    /// Number of proposals that were saved.
    pub fn saved(&self) -> usize {
        self.saved.len()
    }

    /// Takes what the thread reported.
    pub(crate) fn take(&mut self, news: DiscoveryNews) {
        match news {
            DiscoveryNews::Progress(progress) => self.progress = Some(progress),
            DiscoveryNews::Ended(found) => {
                self.device = None;
                self.refuted = found.dropped.len();
                self.functions = found.functions;
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
    use taproof_spec::{Confidence, Dmf, DmfKind};

    fn proposal(name: &str) -> Discovered {
        Discovered {
            dmf: Dmf::empty(name, DmfKind::Create, "note"),
            reason: String::new(),
            evidence: Evidence::default(),
            refuted_by: Vec::new(),
            confidence: Confidence::Likely,
            steps: Vec::new(),
        }
    }

    #[test]
    fn what_is_decided_is_not_proposed_any_more() {
        let mut state = DiscoverState::default();
        state.begin(Target::bundled("org.ex", Build::Faulty));
        assert!(state.is_running() && state.open("org.ex").is_empty());
        let progress = Progress { phase: Phase::Creates, events: 1, of: 2, names: Vec::new() };
        state.take(DiscoveryNews::Progress(progress));
        let functions = vec![proposal("add note"), proposal("delete note")];
        state.take(DiscoveryNews::Ended(Box::new(Discovery { functions, ..Discovery::default() })));
        assert!(!state.is_running());
        state.dismissed.insert("add note".to_owned());
        let open = state.open("org.ex");
        assert_eq!(open.iter().map(|it| it.dmf.name.as_str()).collect::<Vec<_>>(), ["delete note"]);
        assert!(state.open("org.other").is_empty(), "another app is on the phone");
    }
}
