//! What violations of functions have in common that have one cause, as far as their minimal traces tell.

use super::cause_key::{TextRelation, text_relation};
use super::reexecute::unit_steps;
use super::{Finding, Unit, units_of};
use crate::model::{OracleKind, Trace, with_article};
use crate::spec::{Condition, DataType, Dmf, DmfKind, Relation, Spec, condition_key};

/// A kind of function whose postcondition fails on a page. Which data type the function works on, and by which of several
/// ways, does not matter: an app has one search and one way to store things.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BrokenFunction {
    kind: DmfKind,
    wrong: Wrong,
    /// The page on which the condition failed.
    page: String,
    /// What was done last to the data, for functions that only show what others did.
    after: Option<Change>,
    /// For functions that only open what is there: what came before. They show what that did to the app.
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
    /// Something that should be there is not.
    Missing,
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
        let wrong = violation.failures.iter().map(|failed| wrong(dmf, &failed.key)).min()?;
        let looks = matches!(dmf.kind, DmfKind::Search | DmfKind::Property)
            && matches!(wrong, Wrong::Missing | Wrong::Shown);
        let units = units_of(trace, trace.len());
        Some(BrokenFunction {
            kind: dmf.kind,
            wrong,
            page: trace.last().layout.page_name(),
            after: if looks { last_change(&units, spec) } else { None },
            before: if dmf.kind == DmfKind::Read { before_last(trace, &units, spec) } else { None },
        })
    }

    /// What `finding`, which says so, comes to in words for people, with its data and page but without the texts of its
    /// trace; `None` if the conditions that failed say too little for that.
    pub fn title(&self, finding: &Finding, spec: &Spec) -> Option<String> {
        let dmf = spec.dmfs.get(finding.violation.dmf?)?;
        let fails = |how| finding.violation.failures.iter().any(|failed| wrong(dmf, &failed.key) == how);
        let one = with_article(&dmf.data_type);
        let said = match self.wrong {
            Wrong::Disordered => self.disordered(&one)?,
            _ => self.said(&one, fails(Wrong::Missing), fails(Wrong::Shown))?,
        };
        Some(format!("{said}, on {}", self.page))
    }

    /// What the function does to the order of its data.
    fn disordered(&self, one: &str) -> Option<String> {
        Some(match self.kind {
            DmfKind::Create => format!("Adding {one} leaves the list in the wrong order"),
            DmfKind::Read => format!("Opening {one} shows a list in the wrong order"),
            DmfKind::Update => format!("Editing {one} leaves the list in the wrong order"),
            DmfKind::Delete => format!("Deleting {one} leaves the list in the wrong order"),
            DmfKind::Search => format!("Searching for {one} lists the results in the wrong order"),
            DmfKind::Property => return None,
        })
    }

    /// What the function does with one of its data, instead of what it should.
    fn said(&self, one: &str, missing: bool, shown: bool) -> Option<String> {
        let after = match self.after.as_ref().map(|change| change.kind) {
            Some(DmfKind::Create) => " after one was added",
            Some(DmfKind::Update) => " after one was edited",
            Some(DmfKind::Delete) => " after one was deleted",
            Some(DmfKind::Read | DmfKind::Search | DmfKind::Property) | None => "",
        };
        Some(match (self.kind, missing, shown) {
            (DmfKind::Property, ..) | (_, false, false) => return None,
            (DmfKind::Create, true, _) => format!("Adding {one} does not show it"),
            (DmfKind::Create, false, true) => format!("Adding {one} shows what should not be there"),
            (DmfKind::Read, true, _) => format!("Opening {one} does not show it"),
            (DmfKind::Read, false, true) => format!("Opening {one} shows what should not be there"),
            (DmfKind::Update, true, true) => format!("Editing {one} leaves it as it was"),
            (DmfKind::Update, true, false) => format!("Editing {one} does not show what it became"),
            (DmfKind::Update, false, true) => format!("Editing {one} still shows what it was"),
            (DmfKind::Delete, _, true) => format!("Deleting {one} leaves it on the screen"),
            (DmfKind::Delete, true, false) => format!("Deleting {one} takes away what should stay"),
            (DmfKind::Search, true, _) => format!("Searching does not find {one}{after}"),
            (DmfKind::Search, false, true) => {
                format!("Searching finds {one} that should not be found{after}")
            }
        })
    }
}

/// What the failure of the condition with this key says.
fn wrong(dmf: &Dmf, key: &str) -> Wrong {
    let is_it = |condition: &&Condition| {
        let widget = condition.widget.as_deref().and_then(|name| dmf.widget(name));
        let selector = widget.map(|widget| &widget.selector);
        condition_key(condition, selector) == key
    };
    match dmf.postconditions.iter().find(is_it).map(|condition| &condition.relation) {
        Some(Relation::In | Relation::SameIn) => Wrong::Missing,
        Some(Relation::NotIn) => Wrong::Shown,
        Some(Relation::InOrder(_)) => Wrong::Disordered,
        _ => Wrong::Other,
    }
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
