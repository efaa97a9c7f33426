//! Specifications as the recorder drafts them: each function of the one that follows from the app is performed on the sound
//! build and recorded once. What a person says of a recording is known, the rest is the recorder's proposal.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use taproof_core::campaign::DeviceSource;
use taproof_core::device::DeviceError;
use taproof_core::discover::kept_draft;
use taproof_core::model::Layout;
use taproof_core::spec::{Dmf, DraftRequest, Spec};

use crate::performed::{Recording, recordings};

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

/// The draft of a function, as the recorder saves it; `None` if it refuses to.
fn drafted(dmf: &Dmf, recording: Recording, seen: &[Arc<Layout>]) -> Option<Dmf> {
    let lead = recording.lead.iter().map(|step| Arc::clone(&step.after));
    let request = DraftRequest {
        name: Some(dmf.name.clone()),
        seen: seen.iter().cloned().chain(lead).collect(),
        lead: Some(recording.lead),
        ..DraftRequest::new(dmf.kind, dmf.data_type.as_str())
    };
    kept_draft(&recording.steps, &request)
}
