//! Functions of a specification, each performed once on the sound build by plain texts.

use taproof_campaign::discover::steps_as_recorded;
use taproof_engine::device::{DeviceError, DeviceSource};
use taproof_engine::{
    CampaignStats, EngineSettings, ExploreWeights, Limits, NoWatcher, PbfdroidConfig, RoundCtx, RoundDoor,
    TestTarget,
};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{DmfSpan, RecordedStep, StepRole, Trace};
use taproof_spec::{FreshText, Input, Spec, TextClass};

/// The seed by which functions are performed.
const SEED: u64 = 1;

/// A function performed once.
pub(crate) struct Recording {
    /// What was done since the app was started, up to the function ...
    pub(crate) lead: Vec<RecordedStep>,
    /// ... and in it.
    pub(crate) steps: Vec<RecordedStep>,
    /// The texts that it drew.
    pub(crate) texts: Vec<String>,
}

/// A recording of each function, in the order of the specification; `None` if it was not performed within that many events.
pub(crate) fn recordings(
    truth: &Spec,
    package: &str,
    phones: &mut dyn DeviceSource,
    events: u64,
) -> Result<Vec<Option<Recording>>, DeviceError> {
    let target = TestTarget::new(package, &with_plain_texts(truth), true);
    let mut recordings: Vec<Option<Recording>> = target.dmfs().iter().map(|_| None).collect();
    let mut engine = performer().build(&target);
    let mut device = phones.fresh()?;
    let limits = Limits { events, device_time: DeviceDuration(u64::MAX) };
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
    Recording {
        lead: steps_as_recorded(trace, 0, span.first_step),
        steps: steps_as_recorded(trace, span.first_step, end),
        texts: span.texts(),
    }
}
