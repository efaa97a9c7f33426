//! A campaign's plan with the text of the specification that it ran, as the database keeps it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{SHIPPED, StoreError};
use crate::campaign::{CampaignPlan, SpecFacts, SpecOrigin};
use crate::format::{DmfFile, FormatError, spec_version};
use crate::spec::Spec;

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

/// A plan and the files that its specification was read from: enough to run it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredPlan {
    /// The plan.
    pub plan: CampaignPlan,
    /// The files.
    pub specs: Vec<SpecSource>,
}

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
        Ok(serde_json::to_string(self)?)
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

    /// From the database; the specification is read from its text again.
    pub fn from_json(text: &str) -> Result<StoredPlan, StoreError> {
        let mut stored: StoredPlan = serde_json::from_str(text)?;
        let spec = read_specs(&stored.specs);
        let spec = spec.map_err(|(name, error)| StoreError::Damaged { what: format!("{name}: {error}") })?;
        stored.plan.spec = Arc::new(spec);
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
