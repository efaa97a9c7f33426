//! What the window shows of a step besides its screens: the difference as a tree, the changes of the data model, and
//! the crash. Computed when the cursor moves, not when it is drawn.

use std::sync::Arc;

use super::diff_tree::{DiffTree, diff_tree};
use taproof_campaign::{DataTimeline, Finding};
use taproof_results::report::{FindingTrace, ReplayFrame, millis_at, trace_frame};
use taproof_screen::{AppHealth, CrashReport, StepRole, Trace, event_for_people, event_sentence};
use taproof_spec::DataModel;

/// A step in the list and on the timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayLine {
    /// The event, as a sentence.
    pub sentence: String,
    /// The same with the class and the id of its widget.
    pub exact: String,
    /// Name of the DMF that the step belongs to. `None` for random events.
    pub dmf: Option<String>,
    /// Whether a DMF begins with this step.
    pub begins: bool,
    /// Whether the step changes the data that the app should hold.
    pub changes_data: bool,
    /// Whether the step belongs to a detour inserted into another trace.
    pub inserted: bool,
    /// Seconds of the device's clock from the start of the trace until the step was over.
    pub seconds: f64,
}

/// A row of the step list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepRow {
    /// The heading of a run of this DMF, or of random events if `None`.
    Run(Option<String>),
    /// The step with this index in the trace.
    Step(usize),
}

/// What a step does to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectChange {
    /// The object exists before and after the step.
    Kept,
    /// The object is new.
    Added,
    /// The object is gone.
    Removed,
    /// A function that takes or changes the object was aborted, so nobody knows.
    Doubted,
}

/// The objects of one data type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRow {
    /// The name of the data type.
    pub data_type: String,
    /// The objects before the step, including removed ones, then the new ones.
    pub objects: Vec<(String, ObjectChange)>,
}

/// Everything shown of a step.
#[derive(Clone, Debug)]
pub struct StepView {
    /// The screens and the marks on them.
    pub frame: ReplayFrame,
    /// The difference between the screens.
    pub diff: DiffTree,
    /// The data that the app should hold. `None` if unknown, which is the case on all but the minimised trace.
    pub data: Option<Vec<DataRow>>,
    /// The report of a crash, and whether the app only stopped responding. `None` if the app is running.
    pub crash: Option<(Arc<CrashReport>, bool)>,
}

impl StepView {
    /// Computes what is shown of a step. `None` if there is no such step.
    pub fn of(finding: &Finding, way: FindingTrace, step: usize) -> Option<StepView> {
        let frame = trace_frame(finding, way, step)?;
        let diff = diff_tree(&frame.before, &frame.after, &frame.failures, frame.touched);
        let data = (way == FindingTrace::Minimal).then(|| data_rows(&finding.data, step, frame.frame_after));
        let health = way.of(finding).trace.frame(frame.frame_after).map(|frame| frame.health.clone());
        let crash = match health {
            Some(AppHealth::Crashed(report)) => Some((report, false)),
            Some(AppHealth::NotResponding(report)) => Some((report, true)),
            Some(AppHealth::Running | AppHealth::LeftApp(_)) | None => None,
        };
        Some(StepView { frame, diff, data, crash })
    }
}

/// The steps of a trace. Their changes of the data are known only for the minimised trace.
pub fn step_lines(finding: &Finding, way: FindingTrace) -> Vec<ReplayLine> {
    let trace = &way.of(finding).trace;
    if trace.is_empty() {
        let sentence = "Start the app".to_owned();
        return vec![ReplayLine { sentence, ..ReplayLine::default() }];
    }
    (0..trace.len()).filter_map(|index| step_line(finding, trace, way, index)).collect()
}

/// The rows of the step list.
pub fn step_rows(lines: &[ReplayLine]) -> Vec<StepRow> {
    let mut rows = Vec::with_capacity(lines.len() * 2);
    for (step, line) in lines.iter().enumerate() {
        let before = step.checked_sub(1).and_then(|before| lines.get(before));
        if line.begins || before.is_none_or(|before| before.dmf != line.dmf) {
            rows.push(StepRow::Run(line.dmf.clone()));
        }
        rows.push(StepRow::Step(step));
    }
    rows
}

fn step_line(finding: &Finding, trace: &Trace, way: FindingTrace, index: usize) -> Option<ReplayLine> {
    let (step, before) = (trace.steps().get(index)?, trace.frame(index)?);
    let span = trace.span_of(index);
    Some(ReplayLine {
        sentence: event_for_people(&step.event, &before.layout),
        exact: event_sentence(&step.event, &before.layout),
        dmf: span.map(|span| span.name.clone()),
        begins: span.is_some_and(|span| span.first_step == index),
        inserted: step.role == StepRole::Inserted,
        seconds: millis_at(trace, index + 1).unwrap_or_default() as f64 / 1000.0,
        changes_data: way == FindingTrace::Minimal && changes(&data_rows(&finding.data, index, index + 1)),
    })
}

fn data_rows(timeline: &DataTimeline, before: usize, after: usize) -> Vec<DataRow> {
    let empty = DataModel::new();
    let (old, new) = (timeline.at(before).unwrap_or(&empty), timeline.at(after).unwrap_or(&empty));
    let mut types: Vec<&String> = old.types().chain(new.types()).map(|(data_type, _)| data_type).collect();
    types.sort();
    types.dedup();
    let row = |data_type: &String| DataRow {
        data_type: data_type.clone(),
        objects: object_changes(old, new, data_type),
    };
    types.into_iter().map(row).collect()
}

fn changes(rows: &[DataRow]) -> bool {
    rows.iter().flat_map(|row| &row.objects).any(|(_, change)| *change != ObjectChange::Kept)
}

/// Compares the objects of a data type before and after a step. Equal objects are distinguished only by their number.
fn object_changes(before: &DataModel, after: &DataModel, data_type: &str) -> Vec<(String, ObjectChange)> {
    let (old, new) = (before.objects(data_type), after.objects(data_type));
    let gone = |object: &String| match after.is_uncertain(data_type, object) {
        true => ObjectChange::Doubted,
        false => ObjectChange::Removed,
    };
    let mut left: Vec<&String> = new.iter().collect();
    let mut objects = Vec::with_capacity(old.len() + new.len());
    for object in old {
        let kept = left.iter().position(|it| *it == object);
        let change = kept.map_or_else(
            || gone(object),
            |place| {
                left.remove(place);
                ObjectChange::Kept
            },
        );
        objects.push((object.clone(), change));
    }
    objects.extend(left.into_iter().map(|object| (object.clone(), ObjectChange::Added)));
    objects
}

#[cfg(test)]
mod tests {
    use taproof_spec::ImpactOp;

    use super::*;

    #[test]
    fn each_run_of_a_dmf_has_a_row_of_its_own() {
        let line = |dmf: Option<&str>, begins| ReplayLine {
            dmf: dmf.map(str::to_owned),
            begins,
            ..ReplayLine::default()
        };
        let lines = [line(None, false), line(Some("a"), true), line(Some("a"), false), line(Some("a"), true)];
        let word = |row: &StepRow| match row {
            StepRow::Run(name) => name.clone().unwrap_or_else(|| "-".into()),
            StepRow::Step(step) => step.to_string(),
        };
        assert_eq!(step_rows(&lines).iter().map(word).collect::<Vec<_>>().join(" "), "- 0 a 1 2 a 3");
    }

    #[test]
    fn a_rename_takes_one_object_and_gives_another() {
        let model = |objects: &[&str]| {
            let mut model = DataModel::new();
            for object in objects {
                model.apply("note", &ImpactOp::Add, object);
            }
            model
        };
        let words = |before: &DataModel, after: &DataModel| -> Vec<String> {
            let changes = object_changes(before, after, "note").into_iter();
            changes.map(|(text, change)| format!("{text} {change:?}")).collect()
        };
        let (before, mut after) = (model(&["a", "old", "a"]), model(&["a", "new"]));
        assert_eq!(words(&before, &after), ["a Kept", "old Removed", "a Removed", "new Added"]);
        after.doubt("note", "old");
        assert_eq!(words(&before, &after), ["a Kept", "old Doubted", "a Removed", "new Added"]);
    }
}
