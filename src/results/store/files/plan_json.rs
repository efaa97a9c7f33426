//! A campaign's plan with the text of its specification, as the database stores it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::initialiser_file::InitialiserText;
use super::trace_file::{trace_from, trace_text};
use crate::store::StoreError;
use taproof_campaign::{CampaignPlan, SavedTrace, SeedTrace, SpecFacts, SpecOrigin};
use taproof_screen::determinism::hash_text;
use taproof_spec::format::{DmfFile, spec_version};

use taproof_screen::format::FormatError;
use taproof_spec::Spec;

/// One specification file of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecSource {
    /// Its path, or its display name if it has no path.
    pub name: String,
    /// The content of the file.
    pub text: String,
    /// Whether the file at that path had this content.
    pub saved: bool,
}

/// A recorded trace that a plan starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceSource {
    /// What it was read from: a file, the folder of a walk, or the id of a finding.
    pub name: String,
    /// The trace in the format of a trace file.
    pub text: String,
}

/// A plan and the content of the files of its specification and its traces: enough to run it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredPlan {
    /// The plan of the campaign.
    pub plan: CampaignPlan,
    /// The specification files with their texts.
    pub specs: Vec<SpecSource>,
    /// The traces to start from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<TraceSource>,
}

impl TraceSource {
    /// The source of a trace with this name.
    ///
    /// # Errors
    ///
    /// Fails if the trace cannot be serialised.
    pub fn of(name: impl Into<String>, saved: &SavedTrace) -> Result<Self, StoreError> {
        Ok(TraceSource { name: name.into(), text: trace_text(saved)? })
    }

    /// The trace for a plan.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadTrace`] if it cannot be parsed, or only has prints of its screens.
    pub fn seed_trace(&self) -> Result<SeedTrace, StoreError> {
        let bad = |problem: String| StoreError::BadTrace { path: self.name.clone(), problem };
        let saved = trace_from(&self.text).map_err(|error| bad(error.to_string()))?;
        let trace = saved.trace().ok_or_else(|| bad(NO_SCREENS.to_owned()))?;
        Ok(SeedTrace {
            name: self.name.clone(),
            app: saved.app,
            trace: Arc::new(trace),
            content: hash_text(&self.text),
        })
    }
}

/// A plan with the initial steps of every test, for writing.
#[derive(Serialize)]
struct KeptPlan<'p> {
    #[serde(flatten)]
    stored: &'p StoredPlan,
    #[serde(skip_serializing_if = "Option::is_none")]
    initialiser: Option<InitialiserText>,
}

/// The initial steps of every test, which are stored with a plan.
#[derive(Deserialize)]
struct KeptBeside {
    #[serde(default)]
    initialiser: Option<InitialiserText>,
}

/// The message for a trace without full screens.
pub const NO_SCREENS: &str = "it holds no screens, only prints of them: keep it again with this version";

impl SpecSource {
    /// A file on disk or one that is shipped with the program.
    pub fn file(path: impl Into<String>, text: impl Into<String>) -> Self {
        SpecSource { name: path.into(), text: text.into(), saved: true }
    }
}

impl StoredPlan {
    /// Serialises the plan for the database.
    pub fn to_json(&self) -> Result<String, StoreError> {
        let first = self.plan.initialiser.as_ref();
        let initialiser = first.map(|first| InitialiserText::of(&self.plan.app, first));
        Ok(serde_json::to_string(&KeptPlan { stored: self, initialiser })?)
    }

    /// Hash of the content of its specification files.
    pub fn spec_version(&self) -> String {
        let files: Vec<DmfFile> =
            self.specs.iter().filter_map(|spec| DmfFile::parse(&spec.text).ok()).collect();
        spec_version(&files)
    }

    /// Its specification files without their content. Those in `with_app`, unchanged, count as shipped: a command uses
    /// them by default.
    pub fn spec_facts(&self, with_app: &[SpecSource]) -> Vec<SpecFacts> {
        let shipped =
            |spec: &SpecSource| with_app.iter().any(|file| file.name == spec.name && file.text == spec.text);
        let origin = |spec: &SpecSource| match (shipped(spec), spec.saved) {
            (true, _) => SpecOrigin::Shipped,
            (false, true) => SpecOrigin::Saved,
            (false, false) => SpecOrigin::Unsaved,
        };
        self.specs.iter().map(|spec| SpecFacts { name: spec.name.clone(), origin: origin(spec) }).collect()
    }

    /// Parses a plan of the database, with its specification and its traces.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadPlan`] if the plan cannot be parsed, as one with settings of another version,
    /// [`StoreError::Damaged`] if its specification cannot, and [`StoreError::BadTrace`] if one of its traces cannot.
    pub fn from_json(text: &str) -> Result<StoredPlan, StoreError> {
        let bad = |error: serde_json::Error| StoreError::BadPlan { problem: error.to_string() };
        let mut stored: StoredPlan = serde_json::from_str(text).map_err(bad)?;
        let spec = read_specs(&stored.specs);
        let spec = spec.map_err(|(name, error)| StoreError::Damaged { what: format!("{name}: {error}") })?;
        stored.plan.spec = Arc::new(spec);
        stored.plan.seed_traces =
            stored.traces.iter().map(TraceSource::seed_trace).collect::<Result<_, _>>()?;
        let KeptBeside { initialiser } = serde_json::from_str(text)?;
        let initialiser = initialiser.map(InitialiserText::initialiser).transpose()?;
        stored.plan.initialiser = initialiser.map(Arc::new);
        Ok(stored)
    }
}

/// Reads specification files as one specification. Where several have a function of one name, that of the last counts.
///
/// # Errors
///
/// The name of the file that cannot be parsed, and why.
pub fn read_specs(sources: &[SpecSource]) -> Result<Spec, (String, FormatError)> {
    let mut spec = Spec::default();
    for source in sources {
        let file = DmfFile::parse(&source.text).map_err(|error| (source.name.clone(), error))?;
        spec.join(file.spec);
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use taproof_engine::{EngineConfig, GenieConfig};

    use super::*;

    #[test]
    fn a_plan_with_a_setting_that_is_no_more_is_refused() {
        let plan = CampaignPlan::new("org.ex", EngineConfig::Genie(GenieConfig::default()), 10);
        let text = StoredPlan { plan, specs: Vec::new(), traces: Vec::new() }.to_json().unwrap();
        assert!(StoredPlan::from_json(&text).is_ok());
        let refused =
            StoredPlan::from_json(&text.replace("seed_length", "outside_back")).unwrap_err().to_string();
        let said = "this version cannot read the plan of the campaign: unknown field `outside_back`";
        assert!(refused.starts_with(said), "{refused}");
    }
}
