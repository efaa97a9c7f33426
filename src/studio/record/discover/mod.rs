//! Discover: the state of an exploration that proposes functions, and its commands.

mod state;
mod worker;

pub(crate) use state::DiscoveryNews;
pub use state::{DiscoverCommand, DiscoverPlan, DiscoverState};
pub(crate) use worker::explore;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::background::{BackgroundJob, JobId};
use crate::command::{Command, DocumentCommand};
use crate::effect::Effect;
use crate::phone::begin_tests;
use crate::specs::run_document;
use crate::state::{Place, RecordView, StudioState};
use taproof_campaign::discover::DiscoverConfig;
use taproof_spec::Spec;

/// Events of an exploration on a bundled phone, and on a device, where each takes a while.
const EVENTS: u64 = 40_000;
const EVENTS_ON_DEVICE: u64 = 4_000;

/// Executes a command of a panel about Discover.
pub(crate) fn run_discover(state: &mut StudioState, command: DiscoverCommand) -> Vec<Effect> {
    match command {
        DiscoverCommand::Start => start(state),
        DiscoverCommand::Stop => vec![Effect::Cancel(JobId::Discover)],
        DiscoverCommand::Tick(name, true) => {
            state.discovery.ticked.insert(name);
            Vec::new()
        }
        DiscoverCommand::Tick(name, false) => {
            state.discovery.ticked.remove(&name);
            Vec::new()
        }
        DiscoverCommand::Save => {
            let ticked = state.discovery.ticked.clone();
            accept(state, &ticked)
        }
        DiscoverCommand::Edit(name) => {
            let effects = accept(state, &BTreeSet::from([name]));
            state.settings.place = Place::Record;
            state.settings.record_view = RecordView::Specification;
            effects
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
fn accept(state: &mut StudioState, names: &BTreeSet<String>) -> Vec<Effect> {
    let discovery = &mut state.discovery;
    let Some(app) = discovery.target.as_ref().map(|target| target.app.clone()) else { return Vec::new() };
    let chosen = discovery.functions.iter().filter(|it| names.contains(&it.dmf.name));
    let dmfs: Vec<_> = chosen.map(|it| it.dmf.clone()).collect();
    if dmfs.is_empty() {
        return Vec::new();
    }
    discovery.saved.extend(dmfs.iter().map(|dmf| dmf.name.clone()));
    discovery.ticked.retain(|name| !discovery.saved.contains(name));
    // The functions that come with an app know nothing of what these do to its objects.
    state.campaigns.form.alone = true;
    let spec = Spec { dmfs, invariants: Vec::new(), blocks: discovery.blocks.clone() };
    run_document(state, DocumentCommand::Accept(app, Arc::new(spec)))
}
