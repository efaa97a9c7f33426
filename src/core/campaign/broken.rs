//! What violations of functions have in common that have one cause, as far as their minimal traces tell.

use super::cause_key::{TextRelation, text_relation};
use super::{Finding, Unit, units_of};
use crate::model::{OracleKind, with_article};
use crate::spec::{Condition, Dmf, DmfKind, Relation, Spec, condition_key};

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
}

/// How what is seen differs from what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    /// Something that should be there is not.
    Missing,
    /// Something is there that should not be.
    Shown,
    /// Something else, such as another order.
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
        let looks = matches!(dmf.kind, DmfKind::Search | DmfKind::Property) && wrong != Wrong::Other;
        let units = units_of(trace, trace.len());
        Some(BrokenFunction {
            kind: dmf.kind,
            wrong,
            page: trace.last().layout.page_name(),
            after: if looks { last_change(&units, spec) } else { None },
        })
    }

    fn after_edit(&self) -> bool {
        self.after.as_ref().is_some_and(|change| change.kind == DmfKind::Update)
    }
}

/// The broken function in words for people, with its data and page but without the texts of one trace; `None` if the
/// conditions that failed say too little for that, or the finding is no violation of a function of this specification.
pub(super) fn broken_title(finding: &Finding, spec: &Spec) -> Option<String> {
    let broken = BrokenFunction::of(finding, spec)?;
    let dmf = spec.dmfs.get(finding.violation.dmf?)?;
    let wrongs: Vec<Wrong> =
        finding.violation.failures.iter().map(|failed| wrong(dmf, &failed.key)).collect();
    let (missing, shown) = (wrongs.contains(&Wrong::Missing), wrongs.contains(&Wrong::Shown));
    let thing = &dmf.data_type;
    let one = with_article(thing);
    let done = broken.after.as_ref().and_then(|change| match change.kind {
        DmfKind::Create => Some(" that was added"),
        DmfKind::Update => Some(" that was edited"),
        DmfKind::Delete => Some(" that was deleted"),
        DmfKind::Read | DmfKind::Search | DmfKind::Property => None,
    });
    let done = done.unwrap_or_default();
    let said = match (dmf.kind, missing, shown) {
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
        (DmfKind::Search, true, _) => format!("Searching does not find {one}{done}"),
        (DmfKind::Search, false, true) if broken.after_edit() => {
            format!("Searching finds {one} as it was before an edit")
        }
        (DmfKind::Search, false, true) => format!("Searching finds {one}{done} and should not"),
    };
    Some(format!("{said}, on {}", broken.page))
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
        _ => Wrong::Other,
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
