//! A campaign's plan with the text of the specification that it ran, as the database keeps it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::initialiser_file::InitialiserText;
use super::trace_file::{trace_from, trace_text};
use super::{SHIPPED, StoreError};
use taproof_core::campaign::{CampaignPlan, SavedTrace, SeedTrace, SpecFacts, SpecOrigin};
use taproof_core::determinism::hash_text;
use taproof_core::format::{DmfFile, FormatError, spec_version};
use taproof_core::spec::Spec;

/// One specification file of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecSource {
    /// Its path or, where it has none, what it is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Whether it lay at that path with this text.
    #[serde(default = "saved")]
    pub saved: bool,
}

/// Plans that do not say it ran files.
fn saved() -> bool {
    true
}

/// A recorded trace that a plan begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceSource {
    /// What it was read from: a file, a walk's folder, a finding's id.
    pub name: String,
    /// What a file of it says.
    pub text: String,
}

/// A plan and the files that its specification and its traces were read from: enough to run it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredPlan {
    /// The plan.
    pub plan: CampaignPlan,
    /// The files.
    pub specs: Vec<SpecSource>,
    /// The traces to begin with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<TraceSource>,
}

impl TraceSource {
    /// A trace of that name, as a file of it says it.
    pub fn of(name: impl Into<String>, saved: &SavedTrace) -> Result<Self, StoreError> {
        Ok(TraceSource { name: name.into(), text: trace_text(saved)? })
    }

    /// The trace for a plan; only one whose screens were kept in full can be given.
    pub fn given(&self) -> Result<SeedTrace, StoreError> {
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

/// A plan with what is done first in every test.
#[derive(Serialize)]
struct KeptPlan<'p> {
    #[serde(flatten)]
    stored: &'p StoredPlan,
    #[serde(skip_serializing_if = "Option::is_none")]
    initialiser: Option<InitialiserText>,
}

/// What is done first in every test, beside a plan.
#[derive(Deserialize)]
struct KeptBeside {
    #[serde(default)]
    initialiser: Option<InitialiserText>,
}

/// What a trace without layouts lacks.
pub const NO_SCREENS: &str = "it holds no screens, only prints of them: keep it again with this version";

impl SpecSource {
    /// A file that lies on the disk or comes with the program.
    pub fn file(path: impl Into<String>, text: impl Into<String>) -> Self {
        SpecSource { name: path.into(), text: text.into(), saved: true }
    }

    /// Whether it is one of those that come with the program, unchanged: a command takes them by itself.
    pub fn is_shipped(&self) -> bool {
        SHIPPED.iter().any(|shipped| shipped.path == self.name && shipped.text == self.text)
    }
}

impl StoredPlan {
    /// As the database keeps it.
    pub fn to_json(&self) -> Result<String, StoreError> {
        let first = self.plan.initialiser.as_ref();
        let initialiser = first.map(|first| InitialiserText::of(&self.plan.app, first)).transpose()?;
        Ok(serde_json::to_string(&KeptPlan { stored: self, initialiser })?)
    }

    /// What changes with everything that its specification files say.
    pub fn spec_version(&self) -> String {
        let files: Vec<DmfFile> =
            self.specs.iter().filter_map(|spec| DmfFile::parse(&spec.text).ok()).collect();
        spec_version(&files)
    }

    /// Its specification files, without what they say.
    pub fn spec_facts(&self) -> Vec<SpecFacts> {
        let origin = |spec: &SpecSource| match (spec.is_shipped(), spec.saved) {
            (true, _) => SpecOrigin::Shipped,
            (false, true) => SpecOrigin::Saved,
            (false, false) => SpecOrigin::Unsaved,
        };
        self.specs.iter().map(|spec| SpecFacts { name: spec.name.clone(), origin: origin(spec) }).collect()
    }

    /// From the database; the specification and the traces are read from their texts again.
    pub fn from_json(text: &str) -> Result<StoredPlan, StoreError> {
        let mut stored: StoredPlan = serde_json::from_str(text)?;
        let spec = read_specs(&stored.specs);
        let spec = spec.map_err(|(name, error)| StoreError::Damaged { what: format!("{name}: {error}") })?;
        stored.plan.spec = Arc::new(spec);
        stored.plan.given = stored.traces.iter().map(TraceSource::given).collect::<Result<_, _>>()?;
        let KeptBeside { initialiser } = serde_json::from_str(text)?;
        let initialiser = initialiser.map(InitialiserText::initialiser).transpose()?;
        stored.plan.initialiser = initialiser.map(Arc::new);
        Ok(stored)
    }
}

/// Reads specification files as one. On failure the name of the file that is broken, and why.
pub fn read_specs(sources: &[SpecSource]) -> Result<Spec, (String, FormatError)> {
    let mut spec = Spec::default();
    for source in sources {
        let file = DmfFile::parse(&source.text).map_err(|error| (source.name.clone(), error))?;
        spec.dmfs.extend(file.spec.dmfs);
        spec.invariants.extend(file.spec.invariants);
        spec.blocks.extend(file.spec.blocks);
    }
    Ok(spec)
}
