//! Discover: the state of an exploration that proposes functions, and its commands.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::background::{BackgroundJob, JobId};
use crate::command::{Command, DocumentCommand};
use crate::effect::Effect;
use crate::phone::begin_tests;
use crate::specs::run_document;
use crate::state::{Place, RecordView, StudioState};
use taproof_campaign::discover::{DiscoverConfig, Discovered, Discovery, Progress};
use taproof_campaign::{DeviceChoice, Target};
use taproof_engine::device::Build;
use taproof_screen::Initialiser;
use taproof_spec::{Block, Spec};

/// Events of an exploration on a bundled phone, and on a device, where each takes a while.
const EVENTS: u64 = 40_000;
const EVENTS_ON_DEVICE: u64 = 4_000;

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
    saved: BTreeSet<String>,
    dismissed: BTreeSet<String>,
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

    fn begin(&mut self, target: Target) {
        let device = Some(target.device_choice());
        *self = DiscoverState { target: Some(target), device, ..DiscoverState::default() };
    }
}

/// Executes a command of a panel about Discover.
pub(crate) fn run_discover(state: &mut StudioState, command: DiscoverCommand) -> Vec<Effect> {
    match command {
        DiscoverCommand::Start => start(state),
        DiscoverCommand::Stop => vec![Effect::Cancel(JobId::Discover)],
        DiscoverCommand::Accept(name) => accept(state, &[name]),
        DiscoverCommand::Edit(name) => {
            let effects = accept(state, &[name]);
            state.settings.place = Place::Record;
            state.settings.record_view = RecordView::Specification;
            effects
        }
        DiscoverCommand::Drop(name) => {
            state.discovery.dismissed.insert(name);
            Vec::new()
        }
        DiscoverCommand::AcceptAll => {
            let open = state.discovery.open(&state.settings.target.app);
            let names: Vec<String> = open.into_iter().map(|it| it.dmf.name.clone()).collect();
            accept(state, &names)
        }
    }
}

fn start(state: &mut StudioState) -> Vec<Effect> {
    if state.discovery.is_running() || state.mirror.is_walk() {
        return Vec::new();
    }
    let target = state.settings.target.clone();
    let (device, then) = (target.device_choice(), Command::Discover(DiscoverCommand::Start));
    let begun = begin_tests(state, (&target.app, &device), ("explored", "exploration"), then);
    let Some((initialiser, mut effects)) = begun else { return Vec::new() };
    let events = if device.is_bundled() { EVENTS } else { EVENTS_ON_DEVICE };
    let plan = DiscoverPlan {
        app: target.app.clone(),
        build: target.build.clone(),
        device,
        initialiser,
        command: state.campaigns.form.command_before(&target.app),
        config: DiscoverConfig { events, ..DiscoverConfig::default() },
    };
    state.discovery.begin(target);
    effects.push(BackgroundJob::Discover(Box::new(plan)).into());
    effects
}

/// Saves these functions into the document of their app, with all blocks: these are about the app and not about one function.
fn accept(state: &mut StudioState, names: &[String]) -> Vec<Effect> {
    let discovery = &mut state.discovery;
    let Some(app) = discovery.target.as_ref().map(|target| target.app.clone()) else { return Vec::new() };
    let chosen = discovery.functions.iter().filter(|it| names.contains(&it.dmf.name));
    let dmfs: Vec<_> = chosen.map(|it| it.dmf.clone()).collect();
    if dmfs.is_empty() {
        return Vec::new();
    }
    discovery.saved.extend(dmfs.iter().map(|dmf| dmf.name.clone()));
    // The functions that come with an app know nothing of what these do to its objects.
    state.campaigns.form.alone = true;
    let spec = Spec { dmfs, invariants: Vec::new(), blocks: discovery.blocks.clone() };
    run_document(state, DocumentCommand::Accept(app, Arc::new(spec)))
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
