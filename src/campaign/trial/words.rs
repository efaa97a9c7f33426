//! A trial in words: what happened, and what to do about it.

use std::collections::BTreeMap;

use super::report::{TrialEnd, TrialOutcome, TrialReport, TrialRun};
use taproof_engine::NotExecuted;
use taproof_screen::{Reason, Trace, one_line, with_article};
use taproof_spec::{
    Action, DataModel, Dmf, DmfKind, SpecSelector, TextPattern, condition_key, condition_sentence,
    opaque_page,
};

impl TrialOutcome {
    /// What happened, in a sentence without its full stop.
    pub fn sentence(&self, dmf: &Dmf) -> String {
        match self {
            TrialOutcome::Held => "every condition holds".to_owned(),
            TrialOutcome::Broken(violation) => {
                let told = violation.title.strip_prefix(&format!("{}: ", violation.subject));
                let missing = violation.failures.iter().find(|failed| failed.missing.is_some());
                let seen = missing.map(|failed| format!("; seen {}", one_line(&failed.seen)));
                format!("{}{}", told.unwrap_or(&violation.title), seen.unwrap_or_default())
            }
            TrialOutcome::Unsure(reason) => match reason {
                Reason::Vacuous(why) => format!("a condition cannot be false: {why}"),
                Reason::OffScreen(why)
                | Reason::Covered(why)
                | Reason::Drift(why)
                | Reason::NotJudged(why) => format!("it cannot be judged: {why}"),
            },
            TrialOutcome::NotExecuted { step, reason } => {
                format!("{} {}", step_words(dmf, *step), reason_words(reason))
            }
            TrialOutcome::NotReached(missing) if missing.is_empty() => "it could not begin".to_owned(),
            TrialOutcome::NotReached(missing) => {
                format!("it could not begin; this does not hold: {}", missing.join("; "))
            }
            TrialOutcome::Died(seen) => one_line(seen),
        }
    }

    /// A text that is equal for runs that failed in the same way.
    fn alike(&self, dmf: &Dmf) -> String {
        match self {
            TrialOutcome::Broken(violation) => {
                let failing = dmf.postconditions.iter().filter(|condition| {
                    let key = condition_key(condition, &dmf.widgets);
                    violation.failures.iter().any(|failed| failed.key == key)
                });
                let told: Vec<String> = failing.map(|condition| condition_sentence(condition, &[])).collect();
                format!("“{}” did not hold", told.join("” and “"))
            }
            TrialOutcome::Died(_) => format!("the app failed: {}", self.sentence(dmf)),
            TrialOutcome::Held
            | TrialOutcome::Unsure(_)
            | TrialOutcome::NotExecuted { .. }
            | TrialOutcome::NotReached(_) => self.sentence(dmf),
        }
    }
}

/// A step in words, counted from 1: `step 3, tap “Create”,`. A `step` equal to the number of steps means the end.
pub fn step_words(dmf: &Dmf, step: usize) -> String {
    match dmf.steps.get(step) {
        None => "the end".to_owned(),
        Some(it) => {
            let on = it.widget.as_deref().and_then(|name| dmf.widget(name));
            let on = on.map(|named| format!(" {}", widget_words(&named.selector))).unwrap_or_default();
            format!("step {}, {}{on},", step + 1, action_words(it.action))
        }
    }
}

fn action_words(action: Action) -> &'static str {
    match action {
        Action::Click => "tap",
        Action::LongClick => "press long",
        Action::Edit => "type into",
        Action::Back => "press Back",
        Action::Home => "press Home",
        Action::ScrollTo => "scroll to",
        Action::Scroll(_) => "swipe over",
        Action::Drag => "drag",
        Action::Sleep => "wait",
        Action::RotateNatural | Action::RotateLeft => "rotate",
        Action::Start => "start the app",
        Action::Stop => "stop the app",
        Action::Clear => "clear the data",
        Action::ImeAction => "press the keyboard’s action key",
    }
}

/// How people know a widget: by its text, description or id.
fn widget_words(selector: &SpecSelector) -> String {
    let id = selector.resource_id.as_deref();
    match (&selector.text, &selector.content_desc) {
        (TextPattern::Is(text), _) => format!("“{}”", one_line(text)),
        (_, Some(description)) => format!("“{}”", one_line(description)),
        (TextPattern::Existing(data_type), _) => format!("a known {data_type}"),
        (TextPattern::FromRead(name), _) => format!("the row of {name}"),
        (TextPattern::Any, None) => match (id, &selector.class) {
            (Some(id), _) => format!("“{}”", id.rsplit_once(":id/").map_or(id, |(_, short)| short)),
            (None, Some(class)) => format!("the {}", class.rsplit('.').next().unwrap_or(class)),
            (None, None) => "its widget".to_owned(),
        },
    }
}

fn reason_words(reason: &NotExecuted) -> String {
    let words = match reason {
        NotExecuted::NotReady => "could not begin: the precondition does not hold",
        NotExecuted::ReadMissing => "found no widget to read the object’s text from",
        NotExecuted::TargetMissing => "found nothing",
        NotExecuted::NoObject => "had no object to choose",
        NotExecuted::NoInput => "had no text",
        NotExecuted::BadInput => "has a text that its action cannot use",
        NotExecuted::NotPossible => "cannot be done on this phone",
        NotExecuted::Refused => "came to nothing: the app refused every text",
        NotExecuted::Covered { by } => return format!("was not executed: covered by {by}"),
        NotExecuted::NothingToRepeat => "had nothing of its type to repeat yet",
    };
    words.to_owned()
}

/// The result of a trial in one sentence.
pub(super) fn verdict(report: &TrialReport) -> String {
    let (held, ran) = (report.held(), report.runs.len());
    let Some(dmf) = report.dmf() else { return "There is nothing to try.".to_owned() };
    let cut = match &report.end {
        TrialEnd::Done => String::new(),
        TrialEnd::Cancelled => format!(" It was stopped after {ran} of {}.", report.plan.runs),
        TrialEnd::DeviceFailed(error) => format!(" The phone failed: {error}."),
    };
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for run in report.runs.iter().filter(|run| run.outcome != TrialOutcome::Held) {
        *kinds.entry(run.outcome.alike(dmf)).or_default() += 1;
    }
    // The most frequent failure; of equally frequent ones, the first in alphabetical order.
    let worst = kinds.iter().rev().max_by_key(|(_, count)| **count);
    let sentence = match worst {
        None if ran == 0 => "Nothing was run.".to_owned(),
        None => format!("Held {held} of {ran}."),
        Some((what, count)) => format!("Held {held} of {ran}: {what} in {count} of {ran} runs."),
    };
    format!("{sentence}{cut}")
}

/// What to do about the result, most important first.
pub(super) fn advice(report: &TrialReport) -> Vec<String> {
    let Some(dmf) = report.dmf() else { return Vec::new() };
    let failed: Vec<&TrialRun> = report.runs.iter().filter(|run| run.outcome != TrialOutcome::Held).collect();
    let mut advice = Vec::new();
    if let Some(last) = failed.last().filter(|_| report.sound != Some(TrialOutcome::Held)) {
        advice.extend(for_outcome(&last.outcome, dmf, is_created(report, dmf)));
    }
    match &report.sound {
        Some(TrialOutcome::Held) => advice.push(
            "The same run held without the bugs, so the function seems right: it found one of them."
                .to_owned(),
        ),
        Some(outcome) => advice.push(format!(
            "Without the bugs the same run {}: correct the function rather than the app.",
            match outcome {
                TrialOutcome::Broken(_) => "is broken too",
                TrialOutcome::Died(_) => "fails too",
                _ => "does not come to its end either",
            }
        )),
        None => {}
    }
    let ended: Vec<&TrialRun> = report.runs.iter().filter(|run| !run.held_before.is_empty()).collect();
    // A property may demand that something stays as it is.
    let changes = dmf.kind != DmfKind::Property;
    if changes && !ended.is_empty() && ended.iter().all(|run| !run.held_before.contains(&false)) {
        advice.push(
            "What must hold afterwards held before the first step already, in each run: one in which nothing \
             happens would pass. Choose something that only shows afterwards."
                .to_owned(),
        );
    }
    if !dmf.impacts.is_empty() && !ended.is_empty() && ended.iter().all(|run| run.before == run.after) {
        advice.push(format!(
            "It has an effect, but no run changed a known {0}: it works on whatever stands in its place. Let it \
             choose the row of a known {0}.",
            dmf.data_type
        ));
    }
    let layouts = report.kept().and_then(|run| run.trace.as_deref()).map(Trace::layouts).unwrap_or_default();
    advice.extend(opaque_page(&layouts));
    if dmf.postconditions.is_empty() {
        advice
            .push("It has no postcondition, so it can never fail. Say what must show at the end.".to_owned());
    }
    advice
}

/// Whether another DMF creates what this one works on, so that there are objects after a while.
fn is_created(report: &TrialReport, dmf: &Dmf) -> bool {
    let creates =
        |other: &Dmf| other.data_type == dmf.data_type && other.impacts.iter().any(|it| it.op.adds());
    report.plan.spec.dmfs.iter().any(|other| other.name != dmf.name && creates(other))
}

/// What to do about a DMF that did not begin.
fn for_not_begun(dmf: &Dmf, created: bool) -> String {
    let on_widgets = dmf.preconditions.iter().find_map(|condition| condition.widget.as_deref());
    let named = on_widgets.and_then(|name| dmf.widget(name)).map(|named| named.selector.to_string());
    let mut ways: Vec<String> = Vec::new();
    ways.extend(named.map(|by| format!("check how the precondition looks for its widget, by {by}")));
    ways.push("give it a lead-in from the first screen (`taproof_lead_in`)".to_owned());
    if !created && dmf.kind != DmfKind::Create {
        ways.push(format!("add a function that creates {}", with_article(&dmf.data_type)));
    }
    format!("To let it begin: {}, or take out the precondition.", ways.join(", "))
}

fn for_outcome(outcome: &TrialOutcome, dmf: &Dmf, created: bool) -> Option<String> {
    let text = match outcome {
        TrialOutcome::Held => return None,
        TrialOutcome::Broken(_) => {
            "Look at the last screen of the run: is what the condition asks for there under another id or text?"
                .to_owned()
        }
        TrialOutcome::Unsure(_) => "Choose another widget for the condition.".to_owned(),
        TrialOutcome::NotExecuted { step, reason } => match reason {
            NotExecuted::TargetMissing | NotExecuted::ReadMissing => {
                let step = dmf.steps.get(*step).and_then(|step| step.widget.as_deref());
                let named = step.and_then(|name| dmf.widget(name)).map(|named| named.selector.to_string());
                let by = named.map(|selector| format!(" It is looked for by {selector}.")).unwrap_or_default();
                format!("Look at the screen of that step.{by} Record the step again, or choose another selector.")
            }
            NotExecuted::NothingToRepeat => {
                "Let the text be plain, too, or add a function that makes or removes what it repeats.".to_owned()
            }
            NotExecuted::NotReady => for_not_begun(dmf, created),
            NotExecuted::NoObject if created => format!(
                "Require that there is {}: add the precondition {{ \"relation\": \"is not empty\", \"datatype\": {:?} }}.",
                with_article(&dmf.data_type), dmf.data_type
            ),
            NotExecuted::NoObject => format!(
                "Add a function to the specification that creates {}, or begin the recording on the first screen.",
                with_article(&dmf.data_type)
            ),
            NotExecuted::Refused => {
                "Choose the texts that the field accepts, or check what the refusal widget names.".to_owned()
            }
            NotExecuted::NoInput | NotExecuted::BadInput => "Correct the text of that step.".to_owned(),
            NotExecuted::NotPossible => "Take that step out.".to_owned(),
            NotExecuted::Covered { .. } => {
                "Let a step before it close what lies over the widget, or wait until it is gone.".to_owned()
            }
        },
        TrialOutcome::NotReached(_) => for_not_begun(dmf, created),
        TrialOutcome::Died(_) => "Step through the run: this may be a bug of the app.".to_owned(),
    };
    Some(text)
}

/// What changed in the data, in words: `folder: old, then old, k7`.
pub fn trial_data_words(before: &DataModel, after: &DataModel) -> String {
    let mut types: Vec<&String> = before.types().chain(after.types()).map(|(name, _)| name).collect();
    types.sort();
    types.dedup();
    let list = |data: &DataModel, name: &str| {
        let objects: Vec<String> = data.objects(name).iter().map(|object| one_line(object)).collect();
        if objects.is_empty() { "none".to_owned() } else { objects.join(", ") }
    };
    let told = types.into_iter().map(|name| {
        let (old, new) = (list(before, name), list(after, name));
        if old == new { format!("{name}: {old}") } else { format!("{name}: {old}, then {new}") }
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { "none".to_owned() } else { told.join("; ") }
}
