//! `taproof-lab judge`: judges recorded traces by an oracle, without a device.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::{TraceDevice, as_mutant, is_another_run, lost_effects};
use taproof::cli::command::{
    CommandEnd, Failure, Outcome, given_specs, print_json, print_line, read_spec_files, workspace_path,
};
use taproof_campaign::{Rig, SavedTrace, Unit, UnitDone, reexecute, units_of};
use taproof_engine::oracle::judge_health;
use taproof_engine::oracle::may_belief::{VolatileViews, behaviours_in, judge_traces};
use taproof_engine::{GenieConfig, NoWatcher, OdinConfig, Stop, TestTarget, judge_recorded};
use taproof_phone::Apps;
use taproof_results::store::NO_SCREENS;
use taproof_screen::{DmfSpan, OracleKind, Trace, Violation};
use taproof_session::{shipped_with, traces_named};
use taproof_spec::Spec;

/// Judge recorded traces without a device
#[derive(clap::Args)]
pub struct Options {
    /// What judges
    #[arg(long, value_enum)]
    oracle: OracleName,
    /// Kept traces, folders of recorded walks, findings of the workspace
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<String>,
    /// The seed test that Genie's oracle compares mutants with; if left out, each trace is tried
    #[arg(long, value_name = "TRACE")]
    seed_test: Option<String>,
    /// Specification files for the property oracle; if left out, what the trace brings along or what is shipped
    #[arg(long = "spec", value_name = "FILE")]
    specs: Vec<PathBuf>,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OracleName {
    /// Effects that a detour through independent widgets took away
    Genie,
    /// Outcomes of one event that only a tiny minority shows
    Odin,
    /// Postconditions of DMFs, and invariants
    Property,
    /// Crashes, and apps that do not answer
    Crash,
}

/// A trace with its name.
struct NamedTrace {
    name: String,
    saved: SavedTrace,
    trace: Arc<Trace>,
}

/// The results for the traces.
#[derive(Default)]
struct Judged {
    /// The judged traces, each with its violations.
    verdicts: Vec<(String, Vec<Violated>)>,
    /// The traces that could not be judged, and why.
    not_judged: Vec<(String, String)>,
}

/// A violation after a step of a trace.
struct Violated {
    trace: String,
    step: usize,
    title: String,
    /// Further details, line by line.
    lines: Vec<String>,
}

/// Judges the traces, and prints what came of it.
///
/// # Errors
///
/// [`Failure`] if a trace or a specification cannot be read.
pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let mut judged = Judged::default();
    let traces = read(options, &options.traces, &mut judged)?;
    match options.oracle {
        OracleName::Genie => genie(options, &traces, &mut judged)?,
        OracleName::Odin => odin(&traces, &mut judged)?,
        OracleName::Property => property(options, apps, &traces, &mut judged)?,
        OracleName::Crash => crash(&traces, &mut judged),
    }
    if options.json {
        print_json(&judged.as_json())?;
    } else {
        judged.print()?;
    }
    Ok(judged.done())
}

fn read(options: &Options, words: &[String], judged: &mut Judged) -> Result<Vec<NamedTrace>, Failure> {
    let workspace = workspace_path(options.workspace.as_ref());
    let mut traces = Vec::new();
    for word in words {
        for (name, saved) in traces_named(word, &workspace)? {
            match saved.trace() {
                Some(trace) => traces.push(NamedTrace { name, saved, trace: Arc::new(trace) }),
                None => judged.not_judged.push((name, NO_SCREENS.to_owned())),
            }
        }
    }
    Ok(traces)
}

fn crash(traces: &[NamedTrace], judged: &mut Judged) {
    for NamedTrace { name, trace, .. } in traces {
        if Path::new(name).is_dir() {
            let why = "a recorded walk holds no log: whether the app died is not known";
            judged.not_judged.push((name.clone(), why.to_owned()));
            continue;
        }
        let frames = (0..=trace.len()).filter_map(|step| Some((step, trace.frame(step)?)));
        let died = frames.filter_map(|(step, frame)| Some((step, judge_health(frame, trace)?))).next();
        let violated = died.map(|(step, violation)| Violated {
            trace: name.clone(),
            step,
            title: violation.title,
            lines: Vec::new(),
        });
        judged.verdicts.push((format!("{name} (screens: {})", trace.len() + 1), Vec::from_iter(violated)));
    }
}

// Genie's oracle.

fn genie(options: &Options, traces: &[NamedTrace], judged: &mut Judged) -> Result<(), Failure> {
    let seed_test: Vec<String> = options.seed_test.iter().cloned().collect();
    let seeds = read(options, &seed_test, judged)?;
    let seeds: Vec<&NamedTrace> =
        if seed_test.is_empty() { traces.iter().collect() } else { seeds.iter().collect() };
    let rule = GenieConfig::default().rule(&[]);
    for mutant in traces {
        let mut compared = false;
        for seed in seeds.iter().filter(|seed| seed.saved.app == mutant.saved.app) {
            let Some(marked) = as_mutant(&seed.trace, &mutant.trace) else { continue };
            compared = true;
            let runs = traces.iter().map(|other| &other.trace);
            let runs =
                runs.filter(|other| !Arc::ptr_eq(other, &seed.trace) && is_another_run(&seed.trace, other));
            let runs: Vec<&Trace> = runs.map(|run| &**run).collect();
            let lost = lost_effects(&seed.trace, &marked, &runs, &rule);
            let violated = lost.iter().filter(|lost| lost.firm).map(|lost| Violated {
                trace: mutant.name.clone(),
                step: lost.step,
                title: lost.violation.title.clone(),
                lines: Vec::new(),
            });
            let what = format!("{} as a mutant of {}", mutant.name, seed.name);
            judged.verdicts.push((what, violated.collect()));
        }
        let is_seed = |other: &NamedTrace| as_mutant(&mutant.trace, &other.trace).is_some();
        if !compared && !traces.iter().any(is_seed) {
            let why = "no trace is its seed test, nor is it one: Genie's oracle compares a test with the same \
                       test with a detour in it (--seed-test)";
            judged.not_judged.push((mutant.name.clone(), why.to_owned()));
        }
    }
    Ok(())
}

// ODIN's oracle.

fn odin(named: &[NamedTrace], judged: &mut Judged) -> Result<(), Failure> {
    let mut apps: BTreeMap<&str, Vec<&NamedTrace>> = BTreeMap::new();
    for one in named {
        apps.entry(&one.saved.app).or_default().push(one);
    }
    let config = OdinConfig::default().judging();
    for (app, named) in apps {
        let traces: Vec<&Trace> = named.iter().map(|named| &*named.trace).collect();
        let mut events: BTreeMap<_, usize> = BTreeMap::new();
        for seen in traces.iter().flat_map(|trace| behaviours_in(trace, app)) {
            *events.entry((seen.behaviour.before.state, seen.event)).or_default() += 1;
        }
        let (seen, least) = (events.len(), config.anomaly.min_behaviours);
        let enough = events.values().filter(|count| **count >= least).count();
        if enough < seen {
            let what = format!("{app}: {} of {seen} events on similar screens", seen - enough);
            let why = format!("fewer than {least} times done: no outcome is a minority's");
            judged.not_judged.push((what, why));
        }
        if enough == 0 {
            continue;
        }
        let found = judge_traces(&traces, app, &VolatileViews::default(), &config);
        let violated = found.into_iter().map(|found| {
            let (all, believed, like_this) = found.counts;
            Violated {
                trace: named[found.witness.0].name.clone(),
                step: found.witness.1 + 1,
                title: format!("{}: another outcome than nearly always", found.event),
                lines: vec![
                    format!("{believed} of {all} times: {}", found.explanation.expected),
                    format!("{like_this} of {all}, as here: {}", found.explanation.seen),
                ],
            }
        });
        let what = format!("{app}: {enough} of {seen} events on similar screens, in {} traces", traces.len());
        judged.verdicts.push((what, violated.collect()));
    }
    Ok(())
}

// The property oracle.

fn property(
    options: &Options,
    apps: &Apps,
    traces: &[NamedTrace],
    judged: &mut Judged,
) -> Result<(), Failure> {
    for named in traces {
        let spec = spec_for(options, apps, &named.saved)?;
        let spans = marked_runs(named, &spec);
        if spans.is_empty() {
            judge_unmarked(named, &spec, judged);
        } else {
            judge_marked(named, &spec, spans, judged);
        }
    }
    Ok(())
}

/// The specification by which a trace is judged: the given one, else the one in the trace, else the one that is shipped
/// for its app.
fn spec_for(options: &Options, apps: &Apps, saved: &SavedTrace) -> Result<Spec, Failure> {
    if !options.specs.is_empty() {
        return read_spec_files(&given_specs(&options.specs)?);
    }
    match saved.spec == Spec::default() {
        true => read_spec_files(&shipped_with(apps, &saved.app)),
        false => Ok(saved.spec.clone()),
    }
}

/// The runs of the specification's DMFs that were marked when the trace was recorded.
fn marked_runs(named: &NamedTrace, spec: &Spec) -> Vec<DmfSpan> {
    let known = |span: &DmfSpan| {
        let dmf = spec.dmfs.iter().position(|dmf| dmf.name == span.name)?;
        Some(DmfSpan { dmf, ..span.clone() })
    };
    named.trace.spans.iter().filter_map(known).collect()
}

/// Judges a trace without marked runs: recognises runs of DMFs in its events.
fn judge_unmarked(named: &NamedTrace, spec: &Spec, judged: &mut Judged) {
    let (name, invariants) = (&named.name, spec.invariants.len());
    let runs = judge_recorded(&named.trace, &TestTarget::new(&named.saved.app, spec, true));
    if runs.occurrences.is_empty() && invariants == 0 {
        let why = "no run of a DMF is marked in it or recognised, and there is no invariant";
        judged.not_judged.push((name.clone(), why.to_owned()));
        return;
    }
    if let Some(step) = runs.drifted_after.filter(|step| *step < named.trace.len()) {
        let why = "something was done that is no run of a DMF: what data the app should hold is not known";
        judged.not_judged.push((format!("{name}: everything after step {step}"), why.to_owned()));
    }
    let violated = runs.violations.into_iter().map(|(step, violation)| Violated::of(name, step, &violation));
    let (count, screens) = (runs.occurrences.len(), named.trace.len() + 1);
    let what =
        format!("{name} (recognised runs of DMFs: {count}, invariants: {invariants}, screens: {screens})");
    judged.verdicts.push((what, violated.collect()));
}

/// Judges a trace with marked runs: runs the DMFs again on a device that replays the trace's screens. Readings, data
/// and verdicts are then those of a campaign.
fn judge_marked(named: &NamedTrace, spec: &Spec, spans: Vec<DmfSpan>, judged: &mut Judged) {
    let (app, saved) = (&named.saved.app, &named.saved);
    let mut trace = Trace::clone(&named.trace);
    trace.spans = spans;
    let trace = Arc::new(trace);
    let target = TestTarget::new(app, spec, true);
    let rig = Rig { target: &target, policy: saved.policy, guarded: false, cancelled: &|| false };
    let units = units_of(&trace, trace.len());
    let mut device = TraceDevice::new(app, Arc::clone(&trace));
    let mut unlike = None;
    // If a run would perform an event that is not in the trace, the units before it can still be judged.
    let rerun = (0..=units.len()).rev().find_map(|count| {
        match reexecute(&mut device, rig, &units[..count], None, &mut NoWatcher) {
            Ok(rerun) => Some(rerun),
            Err(Stop::Device(error)) => {
                unlike = Some((count, error));
                None
            }
            Err(Stop::Cancelled | Stop::BudgetSpent | Stop::TestOver) => None,
        }
    });
    let Some(rerun) = rerun else { return };
    let name = &named.name;
    if let Some((count, error)) = unlike {
        let what = format!("{name}: everything from {} on", unit_words(units.get(count - 1)));
        judged.not_judged.push((what, error.to_string()));
    }
    for (unit, done) in units.iter().zip(&rerun.done) {
        if !done.ran() && matches!(unit, Unit::Dmf { .. }) {
            let why = "it does not come to its end on these screens".to_owned();
            judged.not_judged.push((format!("{name}: {}", unit_words(Some(unit))), why));
        }
    }
    let ran = |(unit, done): &(&Unit, &UnitDone)| matches!(unit, Unit::Dmf { .. }) && done.ran();
    let runs = units.iter().zip(&rerun.done).filter(ran).count();
    let ours = [OracleKind::Property, OracleKind::Invariant];
    let reported = rerun.reported.iter().filter(|reported| ours.contains(&reported.violation.oracle));
    let violated = reported.map(|reported| Violated::of(name, reported.steps, &reported.violation));
    let invariants = spec.invariants.len();
    let what = format!(
        "{name} (runs of DMFs: {runs}, invariants: {invariants}, screens: {})",
        rerun.trace.len() + 1
    );
    judged.verdicts.push((what, violated.collect()));
}

fn unit_words(unit: Option<&Unit>) -> String {
    match unit {
        Some(Unit::Dmf { name, .. }) => format!("\u{201c}{name}\u{201d}"),
        Some(Unit::Detour { .. }) => "a detour".to_owned(),
        Some(Unit::Event { .. }) | None => "an event".to_owned(),
    }
}

impl Violated {
    fn of(trace: &str, step: usize, violation: &Violation) -> Self {
        let failed = violation.failures.iter();
        Violated {
            trace: trace.to_owned(),
            step,
            title: violation.title.clone(),
            lines: failed
                .map(|failed| format!("expected {}, seen {}", failed.expected, failed.seen))
                .collect(),
        }
    }
}

impl Judged {
    fn done(&self) -> CommandEnd {
        if self.verdicts.iter().any(|(_, violated)| !violated.is_empty()) {
            CommandEnd::Found
        } else if self.verdicts.is_empty() {
            CommandEnd::EndedEarly
        } else {
            CommandEnd::Fine
        }
    }

    fn print(&self) -> Result<(), Failure> {
        for (what, violated) in &self.verdicts {
            print_line(&format!("{}: {what}", if violated.is_empty() { "holds" } else { "violated" }))?;
            for violation in violated {
                print_line(&format!(
                    "    {}, step {}: {}",
                    violation.trace, violation.step, violation.title
                ))?;
                for line in &violation.lines {
                    print_line(&format!("        {line}"))?;
                }
            }
        }
        for (what, why) in &self.not_judged {
            print_line(&format!("not judged: {what}: {why}"))?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        let violation = |violated: &Violated| {
            json!({
                "trace": violated.trace,
                "step": violated.step,
                "title": violated.title,
                "details": violated.lines,
            })
        };
        let verdict = |(what, violated): &(String, Vec<Violated>)| {
            let violations: Vec<Value> = violated.iter().map(violation).collect();
            json!({ "what": what, "holds": violated.is_empty(), "violations": violations })
        };
        let not_judged = |(what, why): &(String, String)| json!({ "what": what, "why": why });
        json!({
            "judged": self.verdicts.iter().map(verdict).collect::<Vec<_>>(),
            "not_judged": self.not_judged.iter().map(not_judged).collect::<Vec<_>>(),
        })
    }
}
