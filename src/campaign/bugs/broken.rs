//! What violations of functions have in common that have one cause, as far as their minimal traces tell.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::confirm::cause_key::{TextRelation, last_drawn, text_relation};
use crate::confirm::other_rows::{texts_beside, touched};
use crate::confirm::reexecute::unit_steps;
use crate::{Finding, Harm, Unit, units_of};
use taproof_engine::oracle::preservation::tapped;
use taproof_screen::{
    DrawnText, Event, FailedCheck, Layout, OracleKind, TextClass, Trace, WidgetIdx, same_page,
    screen_on_trace, touched_widget, upper_first, with_article,
};
use taproof_spec::{
    Condition, DataType, Dmf, DmfKind, Relation, Spec, TextPattern, condition_key, function_words,
};

/// A kind of function whose postcondition fails on a page. Which data type the function works on, and by which of several
/// ways, does not matter: an app has one search and one way to store things.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BrokenFunction {
    /// What it does. What types something else for an object and creates none is an update, whatever the specification calls
    /// it. All that opens the wrong object or misses one in the course of time is a read, and all that does not store a kind
    /// of text or shows an object twice a create.
    kind: DmfKind,
    wrong: Wrong,
    /// The page on which the condition failed, or the list from which the wrong object was opened; `None` where it does not
    /// matter.
    page: Option<String>,
    /// What was done last to the data, for functions that only show what others did.
    after: Option<Change>,
    /// For functions that only open what is there, and where an object is shown twice: what came before. They show what that
    /// did to the app.
    before: Option<Before>,
}

/// What came before a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Before {
    /// A function of this kind on data of this type.
    Function(DmfKind, DataType),
    /// Something else on this page.
    Event(String),
}

/// How what is seen differs from what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    /// Something that should be there is not, once some time has passed.
    InTime,
    /// A row was tapped, and what opened shows the name of another one.
    Another,
    /// A text of this class should be there and is not. One without its peculiarity is.
    Text(TextClass),
    /// An object is in more rows of a list than it should, and what is done to one of them leaves another.
    Doubled,
    /// Something that should be there is not.
    Missing,
    /// What was created is there, without something else that was entered for it.
    Value,
    /// Something is there that should not be.
    Shown,
    /// All of it is there, in another order.
    Disordered,
    /// Something else, such as the number of objects.
    Other,
}

/// What functions did to the data before one that only looks at them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    /// The kind of the last function that changes data.
    kind: DmfKind,
    /// How its texts are related to those of the function that looks.
    texts: Option<TextRelation>,
    /// Whether it was needed more than once.
    repeated: bool,
}

impl BrokenFunction {
    /// What the finding says; `None` if it is no violation of a function of this specification.
    pub fn of(finding: &Finding, spec: &Spec) -> Option<BrokenFunction> {
        let violation = Some(&finding.violation).filter(|found| found.oracle == OracleKind::Property)?;
        let dmf = spec.dmfs.get(violation.dmf?)?;
        let trace = &finding.minimal.trace;
        let wrong = violation.failures.iter().map(|failed| wrong(dmf, failed)).min()?;
        let units = units_of(trace, trace.len());
        let broken = |kind, wrong, page| BrokenFunction { kind, wrong, page, after: None, before: None };
        let misses = matches!(wrong, Wrong::Missing | Wrong::Value);
        if misses && finding.finished && units.iter().any(is_pause) {
            return Some(broken(DmfKind::Read, Wrong::InTime, None));
        }
        if let Some(list) = opens_another(trace, last_drawn(&units)).and_then(|list| trace.frame(list)) {
            return Some(broken(DmfKind::Read, Wrong::Another, Some(list.layout.page_name())));
        }
        if let Some(before) = doubled(finding, dmf, &units, spec).filter(|_| wrong == Wrong::Shown) {
            return Some(BrokenFunction { before, ..broken(DmfKind::Create, Wrong::Doubled, None) });
        }
        let creates = dmf.kind == DmfKind::Create;
        let kind = if types_for_object(&units) && !creates { DmfKind::Update } else { dmf.kind };
        let stores = matches!(kind, DmfKind::Create | DmfKind::Update) && misses;
        if let Some(class) = peculiar_text(&units).filter(|_| stores && finding.finished) {
            return Some(broken(DmfKind::Create, Wrong::Text(class), None));
        }
        let looks = matches!(kind, DmfKind::Search | DmfKind::Property);
        let after = if looks && matches!(wrong, Wrong::Missing | Wrong::Shown) {
            last_change(&units, spec)
        } else {
            None
        };
        // A search that goes by what an object was finds its old name, and not its new one.
        let goes_by_the_old = |change: &Change| {
            kind == DmfKind::Search
                && (change.kind, change.texts) == (DmfKind::Update, Some(TextRelation::Equal))
        };
        let wrong = if after.as_ref().is_some_and(goes_by_the_old) { Wrong::Missing } else { wrong };
        Some(BrokenFunction {
            after,
            before: if kind == DmfKind::Read { before_last(trace, &units, spec) } else { None },
            ..broken(kind, wrong, Some(trace.last().layout.page_name()))
        })
    }

    /// How bad it is.
    pub fn harm(&self) -> Harm {
        match (self.wrong, self.kind) {
            (Wrong::Disordered, _) => Harm::WrongOrder,
            (Wrong::Shown | Wrong::Doubled | Wrong::Another | Wrong::Other, _)
            | (Wrong::Missing, DmfKind::Search) => Harm::WrongShown,
            (Wrong::InTime | Wrong::Text(_) | Wrong::Missing | Wrong::Value, _) => Harm::DataLost,
        }
    }

    /// What `finding`, which says so, comes to in words for people, with its data and page but without the texts of its
    /// trace; `None` if the conditions that failed say too little for that.
    pub fn title(&self, finding: &Finding, spec: &Spec) -> Option<String> {
        let dmf = spec.dmfs.get(finding.violation.dmf?)?;
        let fails = |how| finding.violation.failures.iter().any(|failed| wrong(dmf, failed) == how);
        let one = with_article(&dmf.data_type);
        let said = match self.wrong {
            Wrong::InTime => format!("After a while, {one} is missing"),
            Wrong::Another => format!("Opening {one} opens another one"),
            Wrong::Doubled => match &self.before {
                Some(Before::Function(DmfKind::Create, data_type)) => {
                    format!("Adding {} shows it twice", with_article(data_type))
                }
                Some(Before::Function(DmfKind::Update, data_type)) => {
                    format!("Editing {} shows it twice", with_article(data_type))
                }
                _ => format!("{} is shown twice", upper_first(&one)),
            },
            Wrong::Value => format!("Adding {one} does not show all that was entered"),
            Wrong::Text(class) => format!("Storing {one} with {} does not show it", in_words(class)?),
            Wrong::Disordered | Wrong::Missing | Wrong::Shown | Wrong::Other => {
                self.said(dmf, fails(Wrong::Missing), fails(Wrong::Shown))?
            }
        };
        let trace = &finding.minimal.trace;
        Some(match self.page {
            Some(_) => {
                let list = || opens_another(trace, last_drawn(&units_of(trace, trace.len())));
                let frame = if self.wrong == Wrong::Another { list() } else { None };
                format!("{said}, on {}", screen_on_trace(trace, frame.unwrap_or(trace.len())))
            }
            None => said,
        })
    }

    /// What the function does with one of its data, instead of what it should. `None` if the conditions say too little.
    fn said(&self, dmf: &Dmf, missing: bool, shown: bool) -> Option<String> {
        let one = with_article(&dmf.data_type);
        let gerund = match self.kind {
            DmfKind::Create => Some("Adding"),
            DmfKind::Read => Some("Opening"),
            DmfKind::Update => Some("Editing"),
            DmfKind::Delete => Some("Deleting"),
            DmfKind::Search => Some("Searching for"),
            DmfKind::Property => None,
        };
        let verb = dmf.name.split(' ').next().unwrap_or_default();
        let is_usual = verb.trim_end_matches(|letter: char| letter.is_ascii_digit()) == dmf.kind.word();
        let Some(gerund) = gerund.filter(|_| is_usual) else { return self.said_by_name(dmf, missing, shown) };
        let after = self.after_change();
        Some(match (self.kind, missing, shown) {
            (DmfKind::Search, ..) if self.wrong == Wrong::Disordered => {
                format!("Searching for {one} lists the results in the wrong order")
            }
            (DmfKind::Read, ..) if self.wrong == Wrong::Disordered => {
                format!("{gerund} {one} shows a list in the wrong order")
            }
            _ if self.wrong == Wrong::Disordered => {
                format!("{gerund} {one} leaves the list in the wrong order")
            }
            (_, false, false) => return None,
            (DmfKind::Search, true, _) => format!("Searching does not find {one}{after}"),
            (DmfKind::Search, false, true) => {
                format!("Searching finds {one} that should not be found{after}")
            }
            (DmfKind::Update, true, true) => format!("{gerund} {one} leaves it as it was"),
            (DmfKind::Update, true, false) => format!("{gerund} {one} does not show what it became"),
            (DmfKind::Update, false, true) => format!("{gerund} {one} still shows what it was"),
            (DmfKind::Delete, _, true) => format!("{gerund} {one} leaves it on the screen"),
            (DmfKind::Delete, true, false) => format!("{gerund} {one} takes away what should stay"),
            (_, true, _) => format!("{gerund} {one} does not show it"),
            (_, false, true) => format!("{gerund} {one} shows what should not be there"),
        })
    }

    /// The same of a function that testers call something else than what it is of its kind.
    fn said_by_name(&self, dmf: &Dmf, missing: bool, shown: bool) -> Option<String> {
        let (name, one) = (function_words(&dmf.name), &dmf.data_type);
        let what = match (self.kind, missing, shown) {
            _ if self.wrong == Wrong::Disordered => "a list is in the wrong order".to_owned(),
            (_, false, false) => return None,
            (DmfKind::Update, true, true) => format!("the {one} is as it was"),
            (DmfKind::Update | DmfKind::Delete, false, true) => format!("the {one} is still shown"),
            (DmfKind::Delete, true, _) => "something is gone that should stay".to_owned(),
            (_, true, _) => format!("the {one} is not shown"),
            (_, false, true) => "something is shown that should not be".to_owned(),
        };
        Some(format!("After \u{201c}{name}\u{201d}{}, {what}", self.after_change()))
    }

    /// What was done to the data before, for functions that only show it.
    fn after_change(&self) -> &'static str {
        match self.after.as_ref().map(|change| change.kind) {
            Some(DmfKind::Create) => " after one was added",
            Some(DmfKind::Update) => " after one was edited",
            Some(DmfKind::Delete) => " after one was deleted",
            Some(DmfKind::Read | DmfKind::Search | DmfKind::Property) | None => "",
        }
    }
}

/// Whether it lets time pass.
fn is_pause(unit: &Unit) -> bool {
    matches!(unit, Unit::Event { event: Event::Wait(_), .. })
}

/// The frame with the list from which the last function of the trace opened the row of one of its texts and got a page with
/// the name of another row, and not with its own; `None` if it did not.
fn opens_another(trace: &Trace, texts: &[DrawnText]) -> Option<usize> {
    let steps = unit_steps(trace, trace.len()).pop()?;
    let frames = || (0..trace.len()).filter_map(|at| trace.frame(at));
    steps.into_iter().find_map(|at| {
        let (step, list) = (trace.steps().get(at)?, &trace.frame(at)?.layout);
        let (name, opened) = (touched(&step.event)?, &step.after.layout);
        let row = touched_widget(&step.event, list)?;
        let says = opened.says();
        let is_another = tapped(&step.event).is_some()
            && texts.iter().any(|drawn| drawn.text == name)
            && list.list_item_around(row).is_some()
            && !same_page(list, opened)
            && !says.contains(name)
            && frames()
                .any(|frame| texts_beside(&frame.layout, list.widget(row)).any(|other| says.contains(other)));
        is_another.then_some(at)
    })
}

/// Whether the last unit is a function that chose an object and typed something else for it.
fn types_for_object(units: &[Unit]) -> bool {
    let is_object = |input: &DrawnText| input.class == Some(TextClass::Existing);
    last_drawn(units).iter().any(is_object) && !last_drawn(units).iter().all(is_object)
}

/// The class of a text that the last function drew, if it says what is peculiar to the text itself. In a minimal trace, a
/// plain text does not do.
fn peculiar_text(units: &[Unit]) -> Option<TextClass> {
    last_drawn(units).iter().filter_map(|input| input.class).find(|class| in_words(*class).is_some())
}

/// What has texts of this class; `None` if they are like any other, or are told from other texts only.
fn in_words(class: TextClass) -> Option<&'static str> {
    match class {
        TextClass::Symbols => Some("symbols in its text"),
        TextClass::BlankEdges => Some("blanks around its text"),
        TextClass::Long => Some("a long text"),
        TextClass::Digits => Some("nothing but digits as its text"),
        TextClass::Unicode => Some("emoji or letters of other scripts in its text"),
        TextClass::Hostile => Some("a text that looks like code"),
        TextClass::Plain
        | TextClass::Existing
        | TextClass::OtherCase
        | TextClass::Extending
        | TextClass::Removed => None,
    }
}

/// What the failure of a condition says.
fn wrong(dmf: &Dmf, failed: &FailedCheck) -> Wrong {
    let is_it = |condition: &&Condition| condition_key(condition, &dmf.widgets) == failed.key;
    let Some(condition) = dmf.postconditions.iter().find(is_it) else { return Wrong::Other };
    match condition.relation {
        Relation::In | Relation::SameIn => {
            let widget = condition.widget.as_deref().and_then(|name| dmf.widget(name));
            let text = widget.map(|widget| &widget.selector.text);
            let is_value = dmf.kind == DmfKind::Create && text.is_some_and(|text| is_value(dmf, text));
            if is_value { Wrong::Value } else { Wrong::Missing }
        }
        Relation::NotIn => Wrong::Shown,
        Relation::InOrder(_) => Wrong::Disordered,
        _ => Wrong::Other,
    }
}

/// Whether this is a text that a function entered, and not the one that its object is called by.
fn is_value(dmf: &Dmf, text: &TextPattern) -> bool {
    let mut objects = dmf.impacts.iter().map(|impact| &impact.object);
    let entered = |object: &TextPattern| matches!(object, TextPattern::FromRead(_)) && object != text;
    matches!(text, TextPattern::FromRead(_)) && objects.len() > 0 && objects.all(entered)
}

/// What came before an object was in more rows of one list than the app should hold of it, if this is what is shown and should
/// not be: its last change, if a function made it. `None` if no such object is the cause.
fn doubled(finding: &Finding, dmf: &Dmf, units: &[Unit], spec: &Spec) -> Option<Option<Before>> {
    let trace = &finding.minimal.trace;
    let (last, steps) = (&trace.last().layout, unit_steps(trace, trace.len()));
    let failures = finding.violation.failures.iter().filter(|failed| wrong(dmf, failed) == Wrong::Shown);
    failures.flat_map(|failed| failed.offending.iter().map(move |idx| (failed, idx))).find_map(
        |(failed, idx)| {
            let text = &*last.get(*idx)?.text;
            // The function may only show what was so before, or have done it itself.
            let until = if failed.expected.starts_with("not ") { steps.last()?.start } else { trace.len() };
            let held =
                |frame: usize| finding.data.at(frame).map_or(0, |data| data.count(&dmf.data_type, text));
            let too_often = |frame: &usize| {
                let shown = trace.frame(*frame).map_or(0, |frame| rows_with(&frame.layout, text));
                shown > held(*frame).max(1)
            };
            let first = (0..=until).find(too_often)?;
            let made = |(unit, steps): (&Unit, &Range<usize>)| match unit {
                Unit::Dmf { dmf, .. } if steps.start < first => {
                    spec.dmfs.get(*dmf).filter(|dmf| !dmf.impacts.is_empty())
                }
                Unit::Dmf { .. } | Unit::Event { .. } | Unit::Detour { .. } => None,
            };
            let maker = units.iter().zip(&steps).rev().find_map(made);
            Some(maker.map(|dmf| Before::Function(dmf.kind, dmf.data_type.clone())))
        },
    )
}

/// The largest number of rows of one list that hold this text.
fn rows_with(layout: &Layout, text: &str) -> usize {
    let mut rows: BTreeMap<Option<WidgetIdx>, BTreeSet<WidgetIdx>> = BTreeMap::new();
    for (idx, _) in layout.iter().filter(|(_, widget)| !text.is_empty() && &*widget.text == text) {
        if let Some(row) = layout.list_item_around(idx) {
            rows.entry(layout.widget(row).parent).or_default().insert(row);
        }
    }
    rows.values().map(BTreeSet::len).max().unwrap_or(0)
}

/// What came before the last of these units.
fn before_last(trace: &Trace, units: &[Unit], spec: &Spec) -> Option<Before> {
    let (unit, steps) = units.iter().zip(unit_steps(trace, trace.len())).rev().nth(1)?;
    match unit {
        Unit::Dmf { dmf, .. } => {
            spec.dmfs.get(*dmf).map(|dmf| Before::Function(dmf.kind, dmf.data_type.clone()))
        }
        Unit::Event { .. } | Unit::Detour { .. } => {
            trace.frame(steps.start).map(|frame| Before::Event(frame.layout.page_name()))
        }
    }
}

/// The last change of the data before the last function of these units.
fn last_change(units: &[Unit], spec: &Spec) -> Option<Change> {
    let mut runs = units.iter().rev().filter_map(|unit| match unit {
        Unit::Dmf { dmf, inputs, .. } => Some((spec.dmfs.get(*dmf)?, inputs)),
        Unit::Event { .. } | Unit::Detour { .. } => None,
    });
    let (_, looked_for) = runs.next()?;
    let mut changes = runs.filter(|(dmf, _)| !dmf.impacts.is_empty());
    let (last, inputs) = changes.next()?;
    let pairs = inputs.iter().flat_map(|input| looked_for.iter().map(move |text| (input, text)));
    Some(Change {
        kind: last.kind,
        texts: pairs.filter_map(|(input, text)| text_relation(&input.text, &text.text)).min(),
        repeated: changes.any(|(dmf, _)| dmf.kind == last.kind),
    })
}

#[cfg(test)]
mod tests;
