//! What a report says besides the findings themselves: where they come from and how to get them again.

use std::sync::Arc;

use super::text::{comment, shell_word};
use taproof_core::campaign::{CampaignOutcome, CampaignPlan, SpecFacts, SpecOrigin};
use taproof_core::model::Initialiser;
use taproof_core::spec::Spec;

/// What was run.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportFacts {
    /// The app's package.
    pub app: String,
    /// What people call the app.
    pub app_label: String,
    /// Which of its bugs were on.
    pub build: String,
    /// The engine.
    pub engine: String,
    /// Its mode.
    pub mode: String,
    /// The seed of all chance.
    pub seed: u64,
    /// The specification files that it ran.
    pub specs: Vec<SpecFacts>,
    /// What changes with everything that those files say.
    pub spec_version: String,
    /// What they say.
    pub spec: Arc<Spec>,
    /// What is done first in every test.
    pub initialiser: Option<Arc<Initialiser>>,
    /// The command that does it again, and what to know of it, as a shell takes it.
    pub command: String,
    /// The version of this program.
    pub tool_version: String,
}

/// A whole campaign.
#[derive(Clone, Debug)]
pub struct CampaignFacts {
    /// What was run.
    pub run: ReportFacts,
    /// What came of it.
    pub outcome: CampaignOutcome,
}

/// The command that runs the whole campaign again, quoted for a shell. What has to be done before it stands
/// above it, as comments.
pub fn campaign_again(plan: &CampaignPlan, specs: &[SpecFacts]) -> String {
    let mut lines = Vec::new();
    let mut words = plan.command_words();
    if let Some(first) = &plan.initialiser {
        let app = shell_word(&plan.app);
        lines.push(format!(
            "# Before each test: {}. The workspace must have it: taproof initialiser show --package {app}",
            comment(&first.words())
        ));
    }
    // A command takes the shipped ones by itself, but only where no other is named.
    if specs.iter().any(|spec| spec.origin != SpecOrigin::Shipped) {
        for spec in specs {
            let name = comment(&spec.name);
            match spec.origin {
                SpecOrigin::Saved => {}
                SpecOrigin::Shipped => {
                    lines.push(format!("# {name} lies in the folder of Taproof's sources."))
                }
                SpecOrigin::Unsaved => lines.push(format!(
                    "# {name} was run as it stood in the window. Save it there first, and name its file here."
                )),
            }
            words.extend(["--spec".to_owned(), spec.name.clone()]);
        }
    }
    lines.push(words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" "));
    lines.join("\n")
}

impl ReportFacts {
    /// What a plan and its specification files say.
    pub fn of(plan: &CampaignPlan, app_label: &str, specs: Vec<SpecFacts>, spec_version: String) -> Self {
        ReportFacts {
            command: campaign_again(plan, &specs),
            app: plan.app.clone(),
            app_label: app_label.to_owned(),
            build: plan.device.words(&plan.build),
            engine: plan.engine_names(),
            mode: plan.engine_modes(),
            seed: plan.seed,
            specs,
            spec_version,
            spec: Arc::clone(&plan.spec),
            initialiser: plan.initialiser.clone(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// The app in a sentence: label, package and build.
    pub fn app_in_words(&self) -> String {
        format!("{} ({}, {})", self.app_label, self.app, self.build)
    }

    /// What a person does first, in words.
    pub fn first_sentences(&self) -> Vec<String> {
        self.initialiser.as_ref().map_or_else(Vec::new, |first| first.sentences())
    }

    /// The specification files with their version.
    pub fn specs_in_words(&self) -> String {
        let names: Vec<&str> = self.specs.iter().map(|spec| spec.name.as_str()).collect();
        format!("{} (version {})", names.join(", "), self.spec_version)
    }
}
