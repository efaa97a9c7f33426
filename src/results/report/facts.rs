//! Where findings come from and how to reproduce them, for reports.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::shell::{campaign_command, replay_command, shell_word};
use taproof_campaign::{
    Bug, CampaignOutcome, CampaignPlan, Corrections, Finding, SpecFacts, bug_title, group,
};
use taproof_screen::Initialiser;
use taproof_spec::Spec;

/// The origin of findings: the app, the engine and the specification.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportFacts {
    /// Package name of the app under test.
    pub app: String,
    /// Display name of the app.
    pub app_label: String,
    /// Where the app ran: the build on the bundled phone, or the serials of the devices.
    pub build: String,
    /// Serials of the devices that engines ran on, by the engine's name; none on the bundled phone.
    pub serials: BTreeMap<String, String>,
    /// Names of the engines, comma-separated.
    pub engine: String,
    /// Modes of the engines that have several, comma-separated.
    pub mode: String,
    /// Seed of all pseudo-random decisions.
    pub seed: u64,
    /// The specification files that were used.
    pub specs: Vec<SpecFacts>,
    /// Hash of the content of these files.
    pub spec_version: String,
    /// The specification in these files.
    pub spec: Arc<Spec>,
    /// Steps that every test begins with, if there are any.
    pub initialiser: Option<Arc<Initialiser>>,
    /// The shell command that runs it again, with remarks as comments.
    pub command: String,
    /// The command that does the steps of a finding again, up to the name of the finding.
    pub replay: String,
    /// The version of this program.
    pub tool_version: String,
    /// Number of steps before the failing one whose screens a page shows; `None` for all. The failing step is the last
    /// one, so none comes after it.
    pub screens_before: Option<usize>,
    /// When the campaign began, for people; empty if that is not known.
    pub date: String,
}

/// A whole campaign, for reports.
#[derive(Clone, Debug)]
pub struct CampaignFacts {
    /// The app, the engines and the specification.
    pub run: ReportFacts,
    /// The campaign's statistics, findings and progress.
    pub outcome: CampaignOutcome,
    /// What a person has said of which findings in the app show the same bug, and of what is none.
    pub corrections: Corrections,
    /// Whether suspicions count as bugs.
    pub suspicions: bool,
    /// Whether crashes are failures in JUnit XML, for readers that pass over errors.
    pub crashes_as_failures: bool,
}

impl CampaignFacts {
    /// The bugs that the findings show.
    pub fn found(&self) -> Vec<Bug> {
        group(&self.outcome.findings, &self.run.app, &self.run.spec, &self.corrections)
    }

    /// The bugs that count.
    pub fn bugs(&self) -> Vec<Bug> {
        let mut bugs = self.found();
        bugs.retain(|bug| bug.counts(self.suspicions));
        bugs
    }
}

impl ReportFacts {
    /// The facts of a plan with its specification files.
    pub fn of(plan: &CampaignPlan, app_label: &str, specs: Vec<SpecFacts>, spec_version: String) -> Self {
        let specs: Vec<SpecFacts> = specs.into_iter().map(without_folders).collect();
        ReportFacts {
            command: campaign_command(plan, &specs),
            replay: replay_command(plan, None),
            app: plan.app.clone(),
            app_label: app_label.to_owned(),
            build: plan.device.words(&plan.build),
            serials: serials(plan),
            engine: plan.engine_names(),
            mode: plan.engine_modes(),
            seed: plan.seed,
            specs,
            spec_version,
            spec: Arc::clone(&plan.spec),
            initialiser: plan.initialiser.clone(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            screens_before: None,
            date: String::new(),
        }
    }

    /// The title of the bug that a finding shows.
    pub fn title_of(&self, finding: &Finding) -> String {
        bug_title(finding, &self.app, &self.spec)
    }

    /// The device on which an engine ran, in words.
    pub fn device_of(&self, engine: &str) -> &str {
        self.serials.get(engine).map_or("bundled phone", String::as_str)
    }

    /// The app as text: label, package and build.
    pub fn app_in_words(&self) -> String {
        let place = place_words(&self.build);
        match self.app_label == self.app {
            true => format!("{} ({place})", self.app),
            false => format!("{} ({}, {place})", self.app_label, self.app),
        }
    }

    /// The command that does the steps of a finding again, where the results are.
    pub fn replay_of(&self, finding: &Finding) -> String {
        format!("{} {}", self.replay, shell_word(&finding.id))
    }

    /// The initial steps in words.
    pub fn first_sentences(&self) -> Vec<String> {
        self.initialiser.as_ref().map_or_else(Vec::new, |first| first.sentences())
    }

    /// The specification files and their version as text.
    pub fn specs_in_words(&self) -> String {
        let names: Vec<&str> = self.specs.iter().map(|spec| spec.name.as_str()).collect();
        format!("{} (version {})", names.join(", "), self.spec_version)
    }
}

/// A specification file as readers elsewhere know it: they do not have the folders of this computer.
fn without_folders(spec: SpecFacts) -> SpecFacts {
    let path = Path::new(&spec.name);
    let name =
        path.file_name().filter(|_| path.is_absolute()).map(|name| name.to_string_lossy().into_owned());
    SpecFacts { name: name.unwrap_or(spec.name), ..spec }
}

fn serials(plan: &CampaignPlan) -> BTreeMap<String, String> {
    let names = plan.engines.iter().map(|engine| engine.name());
    names.filter_map(|name| Some((name.to_owned(), plan.serial_of(name)?.to_owned()))).collect()
}

/// Describes where a campaign ran, from the words that it was stored with: the build on the bundled phone, or the serials of
/// devices.
pub fn place_words(stored: &str) -> String {
    match (stored, stored.strip_prefix("bugs ")) {
        ("faulty", _) => "with bugs".to_owned(),
        ("sound", _) => "without bugs".to_owned(),
        (_, Some(bugs)) => format!("with {}", bugs.replace(',', ", ")),
        (serials, None) => serials.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_campaign::SpecOrigin;

    #[test]
    fn a_report_names_no_folders_of_this_computer() {
        let named =
            |name: &str| without_folders(SpecFacts { name: name.to_owned(), origin: SpecOrigin::Saved }).name;
        assert_eq!(named("/specs/dmf_notes.json"), "dmf_notes.json");
        assert_eq!(named("files/dmf_files.json"), "files/dmf_files.json");
    }
}
