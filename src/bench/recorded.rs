//! Specifications as the recorder drafts them: each function of the one that follows from the app is performed on the sound
//! build and recorded once. What a person says of a recording is known, the rest is the recorder's proposal.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use taproof_core::campaign::DeviceSource;
use taproof_core::determinism::{DeviceDuration, Rng};
use taproof_core::device::DeviceError;
use taproof_core::engine::{
    CampaignStats, EngineSettings, ExploreWeights, Limits, NoWatcher, PbfdroidConfig, RoundCtx, RoundDoor,
    TestTarget,
};
use taproof_core::model::{DmfSpan, Event, Layout, RecordedStep, Selector, StepRole, Trace};
use taproof_core::spec::{Dmf, DraftRequest, FreshText, Input, Severity, Spec, TextClass, draft, lint};

/// Events within which every function must have been performed once.
const EVENTS: u64 = 20_000;
/// The seed by which functions are performed.
const SEED: u64 = 1;

/// How many functions of the specifications were recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Those of which the recorder made a draft without errors.
    pub recorded: usize,
    /// All functions of the specifications that follow from the apps.
    pub of: usize,
}

/// The functions of a specification as they are drafted from one recording each, accepted as they are. Functions that
/// could not be performed, or whose draft has an error, are left out.
///
/// # Errors
///
/// [`DeviceError`] if the phone fails.
pub(crate) fn recorded_spec(
    truth: &Spec,
    package: &str,
    phones: &mut dyn DeviceSource,
) -> Result<Spec, DeviceError> {
    let recordings = recordings(truth, package, phones)?;
    // Whoever recorded all of them has seen all of that.
    let steps = recordings.iter().flatten().flat_map(|recording| &recording.steps);
    let seen: Vec<Arc<Layout>> = steps.map(|step| Arc::clone(&step.after)).collect();
    let mut spec = Spec::default();
    for (dmf, recording) in truth.dmfs.iter().zip(recordings) {
        spec.dmfs.extend(recording.and_then(|recording| drafted(dmf, recording, &seen)));
    }
    Ok(spec)
}

/// A function performed once.
struct Recording {
    /// What was done since the app was started, up to the function ...
    lead: Vec<RecordedStep>,
    /// ... and in it.
    steps: Vec<RecordedStep>,
}

/// A recording of each function, in the order of the specification; `None` if it was never performed.
fn recordings(
    truth: &Spec,
    package: &str,
    phones: &mut dyn DeviceSource,
) -> Result<Vec<Option<Recording>>, DeviceError> {
    let target = TestTarget::new(package, &with_plain_texts(truth), true);
    let mut recordings: Vec<Option<Recording>> = target.dmfs().iter().map(|_| None).collect();
    let mut engine = performer().build(&target);
    let mut device = phones.fresh()?;
    let limits = Limits { events: EVENTS, device_time: DeviceDuration(u64::MAX) };
    let mut stats = CampaignStats::new(&target, limits);
    for round in 0.. {
        let door = RoundDoor {
            device: &mut *device,
            target: &target,
            stats: &mut stats,
            watcher: &mut NoWatcher,
            cancelled: &|| false,
        };
        let rng = Rng::from_seed(SEED).fork_indexed("round", round);
        let mut ctx = RoundCtx::new(door, rng)?.keeping_all();
        // However a test ends, what was performed in it before counts.
        drop(engine.round(&mut ctx));
        for test in ctx.finish().iter().filter(|test| test.reported.is_empty()) {
            for span in test.trace.spans.iter().filter(|span| span.completed) {
                recordings[span.dmf].get_or_insert_with(|| recording(&test.trace, span));
            }
        }
        if recordings.iter().all(Option::is_some) || stats.spent() {
            break;
        }
    }
    Ok(recordings)
}

/// Performs functions as a person would: nothing interrupts them, and the phone is not turned.
fn performer() -> PbfdroidConfig {
    let weights = ExploreWeights { rotate: 0, restart: 0, ..ExploreWeights::default() };
    PbfdroidConfig { weights, interrupt_every: 0, empty_end: false, ..PbfdroidConfig::default() }
}

/// The specification, by which plain texts are typed: who records a function does not look for trouble.
fn with_plain_texts(truth: &Spec) -> Spec {
    let mut spec = truth.clone();
    let steps = spec.dmfs.iter_mut().flat_map(|dmf| &mut dmf.steps);
    for step in steps {
        if let Input::Fresh(FreshText { classes, .. }) = &mut step.input
            && classes.iter().any(|(class, _)| *class != TextClass::Removed)
        {
            *classes = vec![(TextClass::Plain, 1)];
        }
    }
    spec
}

fn recording(trace: &Trace, span: &DmfSpan) -> Recording {
    // After its last step, lists may have been scrolled to judge it.
    let judging = |number: &usize| trace.steps()[*number].role == StepRole::Appended;
    let end = (span.first_step..span.end_step).find(judging).unwrap_or(span.end_step);
    Recording { lead: steps(trace, 0, span.first_step), steps: steps(trace, span.first_step, end) }
}

/// What was done, as a person records it: without waits, and without selectors, which the recorder finds.
fn steps(trace: &Trace, first: usize, end: usize) -> Vec<RecordedStep> {
    let mut steps: Vec<RecordedStep> = Vec::new();
    for number in first..end {
        let step = &trace.steps()[number];
        let after = Arc::clone(&step.after.layout);
        let mut event = step.event.clone();
        match &mut event {
            Event::Wait(_) => {
                if let Some(last) = steps.last_mut() {
                    last.after = after;
                }
                continue;
            }
            Event::Widget { target, .. } => target.selector = Selector::default(),
            Event::Type(_) | Event::Key(_) | Event::Rotate | Event::Relaunch | Event::System(_) => {}
        }
        let before = steps.last().map(|last| Arc::clone(&last.after));
        let before = before.or_else(|| trace.frame(number).map(|frame| Arc::clone(&frame.layout)));
        steps.extend(before.map(|before| RecordedStep { event, before, after }));
    }
    steps
}

/// The draft of a function, as the recorder saves it; `None` if it refuses to.
fn drafted(dmf: &Dmf, recording: Recording, seen: &[Arc<Layout>]) -> Option<Dmf> {
    let lead = recording.lead.iter().map(|step| Arc::clone(&step.after));
    let request = DraftRequest {
        name: Some(dmf.name.clone()),
        seen: seen.iter().cloned().chain(lead).collect(),
        lead: Some(recording.lead),
        ..DraftRequest::new(dmf.kind, dmf.data_type.as_str())
    };
    let kept = draft(&recording.steps, &request).ok()?.kept_dmf();
    let spec = Spec { dmfs: vec![kept], ..Spec::default() };
    let refused = lint(&spec).iter().any(|finding| finding.code.severity() == Severity::Error);
    spec.dmfs.into_iter().next().filter(|_| !refused)
}
