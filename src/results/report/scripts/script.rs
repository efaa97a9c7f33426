//! What all scripts have in common: the steps with the widgets that they touch, and the expectations at the end.

use crate::report::ReportFacts;
use crate::shell::comment;
use taproof_campaign::Finding;
use taproof_screen::{
    Event, FailedCheck, Layout, OracleKind, PxPoint, PxSize, Selector, Widget, WidgetFlags, WidgetIdx, XPath,
    event_sentence, touched_widget,
};
use taproof_spec::{Condition, NamedSelector, Relation, TextPattern, WidgetState, condition_key};

/// A step of a script.
pub(crate) struct ScriptStep<'a> {
    /// Number of the step, from 1.
    pub number: usize,
    pub sentence: String,
    pub event: &'a Event,
    pub before: &'a Layout,
    pub after: &'a Layout,
}

/// An expectation after the last step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expectation {
    /// The condition, what was expected and what was seen instead, in words.
    pub sentence: String,
    pub check: Check,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Check {
    /// A widget that the selector matches shows one of these texts; any text if `texts` is empty.
    Shown { selector: Selector, state: Option<WidgetState>, texts: Vec<String> },
    /// The selector matches at most this many widgets.
    AtMost { selector: Selector, state: Option<WidgetState>, count: usize },
    /// The first widget is above the second.
    Above { first: Selector, second: Selector },
    /// The app is in the foreground and responds.
    Alive,
    /// A script cannot check it; a person has to look.
    ByEye,
}

/// The exit codes of the scripts, as a comment.
pub(crate) const ENDS: &str = "# Ends with 0 if all is as it should be, 1 if the bug is there, 2 if that cannot be said: a step\n\
     # could not be done, or a person has to look at the screen.";

/// The heading of every script, as comments.
pub(crate) fn heading(finding: &Finding, facts: &ReportFacts) -> String {
    let (title, id, app) =
        (comment(&facts.title_of(finding)), comment(&finding.id), comment(&facts.app_in_words()));
    format!("# {title}\n# Finding {id} of {app}, written by Taproof {}.", facts.tool_version)
}

/// The initial steps of every test.
pub(crate) fn first_steps(facts: &ReportFacts) -> impl Iterator<Item = ScriptStep<'_>> {
    facts.initialiser.iter().flat_map(|first| &first.steps).enumerate().map(|(index, step)| ScriptStep {
        number: index + 1,
        sentence: step.sentence(),
        event: &step.event,
        before: &step.before,
        after: &step.after,
    })
}

/// The XPath that must match something after the initial steps; `None` if there is no such condition.
pub(crate) fn ready(facts: &ReportFacts) -> Option<&XPath> {
    facts.initialiser.as_ref()?.ready.as_ref()
}

/// The steps of a finding, numbered after the initial steps.
pub(crate) fn script_steps<'a>(
    finding: &'a Finding,
    facts: &ReportFacts,
) -> impl Iterator<Item = ScriptStep<'a>> {
    let trace = &finding.minimal.trace;
    let first = first_steps(facts).count();
    (first + 1..).zip(trace.framed_steps()).map(|(number, (before, step))| ScriptStep {
        number,
        sentence: event_sentence(&step.event, &before.layout),
        event: &step.event,
        before: &before.layout,
        after: &step.after.layout,
    })
}

/// Whether there are system events among the steps.
pub(crate) fn has_system_events(finding: &Finding, facts: &ReportFacts) -> bool {
    let mut steps = first_steps(facts).chain(script_steps(finding, facts));
    steps.any(|step| matches!(step.event, Event::System(_)))
}

/// The selector of an event, changed to match only the touched widget. Empty if the centre of the widget is covered:
/// tools touch the centre of what a selector matches, so only the recorded point is suitable.
pub(crate) fn exact_selector(event: &Event, selector: &Selector, layout: &Layout) -> Selector {
    if touched_widget(event, layout).is_some_and(|idx| middle_is_covered(layout, idx)) {
        return Selector::default();
    }
    let mut exact = selector.clone();
    let named = selector.matches(layout);
    if selector.instance.is_none() && named.len() > 1 {
        let touched = touched_widget(event, layout);
        let place = named.iter().position(|idx| Some(*idx) == touched);
        exact.instance = Some(place.unwrap_or(0) as u32);
    }
    exact
}

/// Whether something covers the centre of a widget, where tools touch what a selector matches.
pub(crate) fn middle_is_covered(layout: &Layout, idx: WidgetIdx) -> bool {
    let bounds = layout.widget(idx).bounds;
    !bounds.is_empty() && !layout.touch_reaches(idx, bounds.center())
}

/// The expectations at the end: one for each condition that failed.
pub(crate) fn expectations(finding: &Finding, facts: &ReportFacts) -> Vec<Expectation> {
    let expectation = |failure: &FailedCheck| Expectation {
        sentence: format!("expected {}, seen: {}", failure.expected, failure.seen),
        check: check(failure, finding, facts),
    };
    finding.violation.failures.iter().map(expectation).collect()
}

fn check(failure: &FailedCheck, finding: &Finding, facts: &ReportFacts) -> Check {
    let last = &finding.minimal.trace.last().layout;
    let offending: Vec<&Widget> = failure.offending.iter().filter_map(|idx| last.get(*idx)).collect();
    match finding.violation.oracle {
        OracleKind::Crash | OracleKind::NotResponding => Check::Alive,
        OracleKind::Loading => match offending.first() {
            Some(widget) => Check::AtMost { selector: naming(widget), state: None, count: 0 },
            None => Check::ByEye,
        },
        OracleKind::Property | OracleKind::Invariant => {
            judged(failure, &offending, finding, facts).unwrap_or(Check::ByEye)
        }
        // What is missing can only be seen in comparison with another run.
        OracleKind::IndependentView
        | OracleKind::MayBelief
        | OracleKind::Preservation
        | OracleKind::Agreement
        | OracleKind::LogError => Check::ByEye,
    }
}

/// The check for a condition of the specification, with the texts of this run.
fn judged(
    failure: &FailedCheck,
    offending: &[&Widget],
    finding: &Finding,
    facts: &ReportFacts,
) -> Option<Check> {
    let (condition, named, data_type) = condition_of(failure, finding, facts)?;
    let data = finding.data.at(finding.minimal.trace.len());
    let held = |data_type: &str| data.map_or(&[][..], |data| data.objects(data_type));
    if let (Relation::InOrder(_), [upper, lower]) = (&condition.relation, offending) {
        // The failure showed them in the wrong order.
        return Some(Check::Above { first: naming(lower), second: naming(upper) });
    }
    let named = named?;
    let mut selector = without_role(named.selector.with_text(None).ok()?, finding)?;
    let state = condition.state;
    match &condition.relation {
        Relation::In | Relation::SameIn => {
            let texts = match (&condition.data_type, &named.selector.text) {
                (Some(data_type), _) => held(data_type).to_vec(),
                (None, TextPattern::Any) => Vec::new(),
                (None, TextPattern::Is(text)) => vec![text.clone()],
                // The widget is shown, but in another state.
                (None, _) if failure.missing.is_none() => vec![offending.first()?.text.to_string()],
                (None, _) => vec![failure.missing.clone()?],
            };
            Some(Check::Shown { selector, state, texts })
        }
        Relation::NotIn => {
            selector.text = Some(offending.first()?.text.to_string());
            let text = selector.text.as_deref()?;
            let of_data = matches!(named.selector.text, TextPattern::FromRead(_) | TextPattern::Existing(_));
            let copies = held(data_type.unwrap_or("")).iter().filter(|object| *object == text).count();
            let count = if of_data && state.is_none() { copies } else { 0 };
            Some(Check::AtMost { selector, state, count })
        }
        Relation::Smaller(limit) => Some(Check::AtMost { selector, state, count: *limit }),
        Relation::IsEmpty | Relation::IsNotEmpty | Relation::InOrder(_) | Relation::Unknown(_) => None,
    }
}

/// The selector with the class that widgets of its role have in the trace, since no tool knows roles; `None` if there is no
/// such widget.
fn without_role(selector: Selector, finding: &Finding) -> Option<Selector> {
    if selector.role.is_none() {
        return Some(selector);
    }
    let trace = &finding.minimal.trace;
    let class = (0..=trace.len()).rev().find_map(|frame| {
        let layout = &trace.frame(frame)?.layout;
        let idx = selector.matches(layout).first().copied()?;
        Some(layout.widget(idx).class.to_string())
    })?;
    Some(Selector { role: None, class: Some(class), ..selector })
}

/// The failed condition, the widget that it refers to, and the data type of its DMF.
fn condition_of<'f>(
    failure: &FailedCheck,
    finding: &Finding,
    facts: &'f ReportFacts,
) -> Option<(&'f Condition, Option<&'f NamedSelector>, Option<&'f str>)> {
    let name = &finding.violation.subject;
    let dmfs = facts.spec.dmfs.iter().filter(|dmf| dmf.name == *name);
    let of_dmfs = dmfs.map(|dmf| (&dmf.postconditions, &dmf.widgets, Some(dmf.data_type.as_str())));
    let invariants = facts.spec.invariants.iter().filter(|invariant| invariant.name == *name);
    let of_invariants = invariants.map(|invariant| (&invariant.holds, &invariant.widgets, None));
    of_dmfs.chain(of_invariants).find_map(|(conditions, widgets, data_type)| {
        conditions.iter().find_map(|condition| {
            let named = widgets.iter().find(|widget| Some(&widget.name) == condition.widget.as_ref());
            (condition_key(condition, widgets) == failure.key).then_some((condition, named, data_type))
        })
    })
}

/// The name of the flag of a state, as dumps and scripts write it.
pub(crate) fn flag_name(flag: WidgetFlags) -> &'static str {
    if flag == WidgetFlags::CHECKED { "checked" } else { "selected" }
}

/// A selector by which a widget can be located again: its id or, without one, its class; its text and its description.
fn naming(widget: &Widget) -> Selector {
    let part = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let id = widget.resource_id.as_deref().map(str::to_owned);
    Selector {
        class: id.is_none().then(|| widget.class.to_string()),
        resource_id: id,
        text: part(&widget.text),
        content_desc: part(&widget.content_desc),
        ..Selector::default()
    }
}

/// A point in percent of the screen's size, as Maestro expects it, rounded to the nearest.
pub(crate) fn percent(at: PxPoint, screen: PxSize) -> (i32, i32) {
    // A stored point may be outside of the screen.
    let part = |value: i32, whole: i32| {
        let (value, whole) = (i64::from(value), i64::from(whole));
        ((value * 100 + whole / 2) / whole.max(1)).clamp(0, 100) as i32
    };
    (part(at.x, screen.width), part(at.y, screen.height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_far_outside_is_at_the_edge() {
        let screen = PxSize { width: 1080, height: i32::MAX };
        assert_eq!(percent(PxPoint { x: 2_000_000_000, y: i32::MAX }, screen), (100, 100));
        assert_eq!(percent(PxPoint { x: 540, y: i32::MIN }, screen), (50, 0));
    }
}
