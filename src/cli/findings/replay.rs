//! `taproof replay FINDING` and `--trace FILE`: re-executes a trace on a fresh phone, compares it step by step and
//! judges its expectations.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::stuck::{keep_of_error, keep_stuck};
use crate::cli::devices::{ControlOptions, tell_left};
use crate::cli::fuzz::BuildOptions;
use crate::cli::fuzz::campaign::open_results;
use crate::cli::initialiser::BeginOptions;
use crate::cli::{
    CommandEnd, Failure, Outcome, bad_input, broken, message, print_json, print_line, watch_interrupt,
    workspace_path,
};
use taproof_campaign::{
    CampaignPlan, DeviceChoice, Finding, Judged, JudgedOutcome, RetraceOutcome, Retraced, RetracedStep,
    SavedTrace, retrace,
};
use taproof_engine::Stop;
use taproof_engine::device::{Build, DeviceSource};
use taproof_engine::worker::Unwanted;
use taproof_phone::Apps;
use taproof_results::store::{open_trace, save_trace};
use taproof_screen::Initialiser;
use taproof_session::{Phones, ReplayedFinding, replay_finding};

/// Re-execute a finding or a kept trace and compare it step by step
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Options {
    /// The finding's number or id
    #[arg(group = "what")]
    finding: Option<String>,
    /// A trace or regression test that was kept in a file
    #[arg(long, value_name = "FILE", group = "what")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    build: BuildOptions,
    /// The device to do it on, by its serial; a finding's own if left out, or the bundled phone
    #[arg(long, value_name = "SERIAL", conflicts_with_all = ["build", "bugs"])]
    device: Option<String>,
    #[command(flatten)]
    control: ControlOptions,
    #[command(flatten)]
    begin: BeginOptions,
    /// Re-execute the finding so many times and say how often it came back; otherwise once, or up to 8 times if it is
    /// flaky or was only seen once
    #[arg(long, value_name = "N", conflicts_with = "trace")]
    times: Option<u32>,
    /// Keep the finding in this file as a regression test, which fails as long as the finding comes back
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    keep: Option<PathBuf>,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let interrupt = watch_interrupt(|| {});
    let replayer = Replayer { options, apps, unwanted: Arc::new(move || interrupt.asked()) };
    match (&options.trace, &options.finding) {
        (Some(path), _) => replay_file(&replayer, path),
        (None, Some(finding)) => replay_stored(&replayer, finding),
        (None, None) => Err(bad_input("name a finding, or a file with --trace".to_owned())),
    }
}

fn replay_stored(replayer: &Replayer<'_>, name: &str) -> Outcome {
    let options = replayer.options;
    let stored = open_results(&workspace_path(options.workspace.as_ref()))?.load_finding(name)?;
    let (plan, finding) = (&stored.plan.plan, &stored.finding);
    if let Some(path) = &options.keep {
        if finding.reference.is_some() {
            return Err(bad_input(format!(
                "this finding takes two traces to see and was not kept in {}; `taproof replay {name}` does both again",
                path.display()
            )));
        }
        save_trace(path, &SavedTrace::of_finding(plan, finding))?;
        message(&format!("kept as a regression test: {}", path.display()));
    }
    let replayed = replayer.finding(plan, finding)?;
    let (retraced, times, hits) = (&replayed.retraced, replayed.times, replayed.hits);
    replayer.keep_stuck(&format!("replay of {}", finding.id), retraced);
    let (word, done) = match replayed.reproduced() {
        Some(true) => ("reproduced", CommandEnd::Fine),
        Some(false) => ("not reproduced", CommandEnd::Found),
        None => (UNJUDGED, CommandEnd::EndedEarly),
    };
    let word = if times == 1 { word.to_owned() } else { format!("{word}: {hits} of {times}") };
    if options.json {
        print_json(&as_json(&finding.title, retraced, Some((&finding.id, &replayed))))?;
    } else {
        print(&finding.title, retraced)?;
        print_line(&word)?;
    }
    Ok(done)
}

const UNJUDGED: &str = "could not be judged";

fn replay_file(replayer: &Replayer<'_>, path: &std::path::Path) -> Outcome {
    let options = replayer.options;
    let mut saved = open_trace(path)?;
    let retraced = replayer.trace(&mut saved)?;
    replayer.keep_stuck(&format!("replay of {}", saved.title), &retraced);
    if options.json {
        print_json(&as_json(&saved.title, &retraced, None))?;
    } else {
        print(&saved.title, &retraced)?;
        print_line(&verdict(&retraced))?;
    }
    Ok(match retraced.outcome() {
        RetraceOutcome::Passed => CommandEnd::Fine,
        RetraceOutcome::Failed => CommandEnd::Found,
        RetraceOutcome::Unjudged => CommandEnd::EndedEarly,
    })
}

/// Re-executes traces as the options say, until somebody asks the program to end.
struct Replayer<'a> {
    options: &'a Options,
    apps: &'a Apps,
    unwanted: Unwanted,
}

impl Replayer<'_> {
    /// Phones with an app: those that the options choose, or else those of the original run. `first` is what precedes the
    /// re-execution, which follows what is to become of the app's data.
    fn phones(
        &self,
        (app, build): (&str, &Build),
        serial: Option<&str>,
        first: &mut Option<Arc<Initialiser>>,
    ) -> Result<Phones, Failure> {
        let own = serial.filter(|_| self.options.build.chosen().is_none());
        let device = match self.options.device.as_deref().or(own) {
            Some(serial) => DeviceChoice::Adb(vec![serial.to_owned()]),
            None => {
                build.check(app, &self.apps.facts(app)).map_err(|error| Failure::BadInput(error.into()))?;
                DeviceChoice::Bundled
            }
        };
        let workspace = workspace_path(self.options.workspace.as_ref());
        self.options.begin.data.ask(&workspace, app, &device, first)?;
        let mut phones = Phones::on(self.apps, (app, build), &device, 0)
            .controlled_by(self.options.control.method())
            .telling(tell_left())
            .running_before_tests(self.options.begin.command(&workspace, app)?);
        phones.unwanted_when(Arc::clone(&self.unwanted));
        Ok(phones)
    }

    /// Replays a trace on a fresh phone, with the bugs that the options choose or else those of the trace.
    fn trace(&self, saved: &mut SavedTrace) -> Result<Retraced, Failure> {
        if let Some(build) = self.options.build.chosen() {
            saved.build = build;
        }
        let mut phones = self.phones((&saved.app, &saved.build), None, &mut saved.initialiser)?;
        retrace(saved, &mut phones, &*self.unwanted).map_err(|stop| self.ended_early(stop))
    }

    /// Replays a finding, with the bugs that the options choose or else those of its campaign.
    fn finding(&self, plan: &CampaignPlan, finding: &Finding) -> Result<ReplayedFinding, Failure> {
        let build = self.options.build.chosen().unwrap_or_else(|| plan.build.clone());
        let mut plan = plan.clone();
        let serial = plan.serial_of(finding.engine).map(str::to_owned);
        let mut phones = self.phones((&plan.app, &build), serial.as_deref(), &mut plan.initialiser)?;
        let times = self.options.times.map(|times| times.max(1));
        replay_finding((&plan, finding), times, &mut phones, &*self.unwanted)
            .map_err(|stop| self.ended_early(stop))
    }

    /// Keeps the screen of the first step that could not be performed, if there is one.
    fn keep_stuck(&self, run: &str, retraced: &Retraced) {
        if let Some(stuck) = &retraced.stuck {
            keep_stuck(&workspace_path(self.options.workspace.as_ref()), run, stuck);
        }
    }

    fn ended_early(&self, stop: Stop) -> Failure {
        if let Stop::Device(error) = &stop {
            keep_of_error(&workspace_path(self.options.workspace.as_ref()), "replay", error);
        }
        match stop {
            Stop::Device(error) if !(self.unwanted)() => Failure::from(error),
            Stop::Device(_) | Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver => {
                broken("the replay ended early; nothing was judged")
            }
        }
    }
}

fn verdict(retraced: &Retraced) -> String {
    match (retraced.judged.is_empty(), retraced.outcome(), retraced.first_difference()) {
        (true, _, None) => "as before".to_owned(),
        (true, _, Some(0)) => "differs from the start".to_owned(),
        (true, _, Some(step)) => format!("differs after step {step}"),
        (false, RetraceOutcome::Passed, _) => "passed".to_owned(),
        (false, RetraceOutcome::Failed, _) => "failed".to_owned(),
        (false, RetraceOutcome::Unjudged, _) => UNJUDGED.to_owned(),
    }
}

fn word(step: &RetracedStep) -> &'static str {
    step.likeness.map_or("missing", taproof_screen::Likeness::word)
}

/// When and where a step was done again.
fn seen_at(step: &RetracedStep) -> String {
    let Some(millis) = step.millis else { return String::new() };
    format!("  [{:.1} s, {}]", millis as f64 / 1000.0, step.activity)
}

fn print(title: &str, retraced: &Retraced) -> Result<(), Failure> {
    print_line(title)?;
    print_line(&format!("on {}", retraced.device))?;
    for (number, step) in retraced.steps.iter().enumerate() {
        print_line(&format!("{number:>3} {:<14} {}{}", word(step), step.sentence, seen_at(step)))?;
        if !step.difference.is_empty() {
            print_line(&format!("{:18} {}", "", step.difference))?;
        }
    }
    retraced.judged.iter().flat_map(judged_lines).try_for_each(|line| print_line(&line))
}

/// An expectation and what became of it. A broken one is named as what was required, so that nobody takes it for what was
/// seen.
fn judged_lines(judged: &Judged) -> Vec<String> {
    let sentence = &judged.sentence;
    let (word, why) = outcome(&judged.outcome);
    match judged.outcome {
        JudgedOutcome::Held => vec![format!("{word}: {sentence}")],
        JudgedOutcome::Broken(_) => {
            vec![format!("{word}: required: {sentence}"), format!("        seen:     {why}")]
        }
        JudgedOutcome::NotJudged(_) => vec![format!("{word}: {sentence}"), format!("    {why}")],
    }
}

fn outcome(outcome: &JudgedOutcome) -> (&'static str, &str) {
    match outcome {
        JudgedOutcome::Held => ("held", ""),
        JudgedOutcome::Broken(seen) => ("broken", seen),
        JudgedOutcome::NotJudged(why) => ("not judged", why),
    }
}

/// A replay as JSON, with how often the finding of this id was seen again if one was replayed.
fn as_json(title: &str, retraced: &Retraced, of: Option<(&String, &ReplayedFinding)>) -> Value {
    let step = |(number, step): (usize, &RetracedStep)| json!({ "step": number, "event": step.sentence, "screen": word(step), "difference": step.difference, "activity": step.activity, "millis": step.millis, "device": retraced.device });
    let judged = retraced.judged.iter().map(|judged| {
        let (word, why) = outcome(&judged.outcome);
        json!({ "expectation": judged.sentence, "outcome": word, "seen": why })
    });
    json!({
        "title": title,
        "finding": of.map(|(id, _)| id),
        "reproduced": of.and_then(|(_, replayed)| replayed.reproduced()),
        "hits": of.map(|(_, replayed)| replayed.hits),
        "times": of.map(|(_, replayed)| replayed.times),
        "passed": retraced.passed(),
        "first_difference": retraced.first_difference(),
        "steps": retraced.steps.iter().enumerate().map(step).collect::<Vec<_>>(),
        "expectations": judged.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_condition_says_what_was_required_and_what_was_seen() {
        let sentence = "delete item: row is not shown".to_owned();
        let seen = "delete item: 'milk' still is shown".to_owned();
        let broken = Judged { sentence: sentence.clone(), outcome: JudgedOutcome::Broken(seen) };
        assert_eq!(
            judged_lines(&broken),
            [
                "broken: required: delete item: row is not shown",
                "        seen:     delete item: 'milk' still is shown"
            ]
        );
        let held = Judged { sentence, outcome: JudgedOutcome::Held };
        assert_eq!(judged_lines(&held), ["held: delete item: row is not shown"]);
    }
}
