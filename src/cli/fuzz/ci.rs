//! What `fuzz` and `scan` do for continuous integration: which bugs make them fail, and files that servers show.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::campaign::{Finished, open_results};
use crate::cli::{CommandEnd, Failure, broken, message};
use taproof_campaign::{Bug, BugClass, BugState};
use taproof_phone::Apps;
use taproof_results::report::{
    CampaignFacts, ExportKind, Standing, annotation, campaign_markdown, export_campaign, no_progress,
};
use taproof_results::store::{Baseline, replace_file};
use taproof_session::campaign_facts;

/// For continuous integration.
#[derive(clap::Args)]
pub struct CiOptions {
    /// Exit with 1 for any bug, only for new ones, which neither --baseline nor a person's word knows, or for none
    #[arg(long, value_enum, default_value_t = FailOn::Any, value_name = "WHICH", help_heading = HEADING)]
    fail_on: FailOn,
    /// Count suspicions as bugs: what came back each time, and is not known to be a bug
    #[arg(long, help_heading = HEADING)]
    suspicions: bool,
    /// The bugs that are known, as --write-baseline wrote them; no bug is known while there is no such file
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    baseline: Option<PathBuf>,
    /// Write the bugs that were found, and those in --baseline, to this file
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    write_baseline: Option<PathBuf>,
    /// Append a summary in Markdown to this file, such as $GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    summary: Option<PathBuf>,
    /// Write the results as JUnit XML to this file
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    junit: Option<PathBuf>,
    /// What crashes, hangs and logged errors are there: errors, or failures for readers of JUnit XML that pass over errors
    #[arg(long, value_enum, default_value_t = JunitCrashes::Error, value_name = "ELEMENT", requires = "junit", help_heading = HEADING)]
    junit_crashes: JunitCrashes,
    /// Write the results as an HTML page to this file
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    html: Option<PathBuf>,
    /// Print annotations of GitHub Actions on standard error, as is done anyway if GITHUB_ACTIONS is set
    #[arg(long, help_heading = HEADING)]
    annotations: bool,
}

const HEADING: &str = "Continuous integration";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum JunitCrashes {
    Error,
    Failure,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Any,
    New,
    None,
}

/// The options with the baseline that they name.
pub struct Gate<'o> {
    options: &'o CiOptions,
    baseline: Option<Baseline>,
}

impl CiOptions {
    /// Reads the baseline. To be called before the campaign, so that a mistake in it shows at once.
    pub fn gate(&self) -> Result<Gate<'_>, Failure> {
        let Some(path) = &self.baseline else { return Ok(Gate { options: self, baseline: None }) };
        let read = Baseline::read(path).map_err(|error| Failure::BadInput(error.into()))?;
        if read.is_none() {
            message(&format!("no bug is known yet: there is no file {}", path.display()));
        }
        Ok(Gate { options: self, baseline: Some(read.unwrap_or_default()) })
    }
}

impl Gate<'_> {
    /// The bugs that count.
    pub fn bugs<'b>(&self, bugs: &'b [Bug]) -> impl Iterator<Item = &'b Bug> {
        let suspicions = self.options.suspicions;
        bugs.iter().filter(move |bug| bug.counts(suspicions))
    }

    /// The campaign with what the baseline says of bugs.
    pub fn with_said(&self, mut finished: Finished) -> Finished {
        if let Some(baseline) = &self.baseline {
            finished.corrections = baseline.with_said(&finished.summary.app, &finished.corrections);
        }
        finished
    }

    /// The bugs that the baseline does not know, each by the id of its first finding; `None` without a baseline.
    pub fn new_bugs(&self, finished: &Finished, bugs: &[Bug]) -> Option<Vec<String>> {
        self.baseline.as_ref()?;
        let new = self.bugs(bugs).filter(|bug| self.standing(finished, bug) == Standing::New);
        Some(new.map(|bug| bug.shown.id.clone()).collect())
    }

    /// Writes what the options ask for. Returns how the command ends. `unsure`: whether a bug that did not come back each
    /// time makes it fail as well.
    pub fn end(
        &self,
        apps: &Apps,
        root: &Path,
        finished: &Finished,
        (bugs, unsure): (&[Bug], bool),
    ) -> Result<CommandEnd, Failure> {
        let bugs: Vec<&Bug> = self.bugs(bugs).collect();
        self.write_baseline(finished, &bugs)?;
        self.write_reports(apps, root, finished)?;
        if self.options.annotations || std::env::var_os("GITHUB_ACTIONS").is_some_and(|set| !set.is_empty()) {
            for bug in &bugs {
                message(&annotation(bug, self.fails(finished, bug)));
            }
        }
        let counts = |bug: &&&Bug| unsure || bug.class != BugClass::Unsure;
        let fails = bugs.iter().filter(counts).any(|bug| self.fails(finished, bug));
        Ok(match finished.ended_early() {
            true => CommandEnd::EndedEarly,
            false if fails => CommandEnd::Found,
            false => CommandEnd::Fine,
        })
    }

    fn fails(&self, finished: &Finished, bug: &Bug) -> bool {
        match self.options.fail_on {
            FailOn::Any => true,
            FailOn::New => self.standing(finished, bug) != Standing::Known,
            FailOn::None => false,
        }
    }

    fn standing(&self, finished: &Finished, bug: &Bug) -> Standing {
        let knows = |baseline: &Baseline| baseline.knows(&finished.summary.app, bug);
        match &self.baseline {
            _ if bug.state == BugState::Known => Standing::Known,
            Some(baseline) if knows(baseline) => Standing::Known,
            Some(_) => Standing::New,
            None => Standing::Unjudged,
        }
    }

    fn write_baseline(&self, finished: &Finished, bugs: &[&Bug]) -> Result<(), Failure> {
        let Some(path) = &self.options.write_baseline else { return Ok(()) };
        let mut baseline = self.baseline.clone().unwrap_or_default();
        let app = &finished.summary.app;
        finished.corrections.judged().for_each(|judged| baseline.judge(app, judged));
        bugs.iter().for_each(|bug| baseline.add(app, bug));
        baseline.write(path)?;
        let known = match baseline.len() {
            1 => "1 bug is".to_owned(),
            many => format!("{many} bugs are"),
        };
        message(&format!("{known} known to {}", path.display()));
        Ok(())
    }

    fn write_reports(&self, apps: &Apps, root: &Path, finished: &Finished) -> Result<(), Failure> {
        let CiOptions { summary, junit, html, .. } = self.options;
        if [summary, junit, html].into_iter().all(Option::is_none) {
            return Ok(());
        }
        let stored = open_results(root)?.load_campaign(finished.campaign)?;
        let facts = CampaignFacts {
            corrections: finished.corrections.clone(),
            suspicions: self.options.suspicions,
            crashes_as_failures: self.options.junit_crashes == JunitCrashes::Failure,
            ..campaign_facts(apps, stored)
        };
        if let Some(path) = summary {
            append(path, &campaign_markdown(&facts, |bug| self.standing(finished, bug)))?;
        }
        for (path, kind) in [(junit, ExportKind::Junit), (html, ExportKind::Html)] {
            let Some(path) = path else { continue };
            let results = export_campaign(&facts, kind, &mut no_progress);
            replace_file(path, &results.map_err(|error| Failure::Broken(error.into()))?)?;
        }
        Ok(())
    }
}

fn append(path: &Path, text: &str) -> Result<(), Failure> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| broken(format!("the summary cannot be written: {error}: {}", path.display())))
}
