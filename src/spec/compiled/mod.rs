//! Compiled specifications: names are resolved and XPaths parsed once per campaign. Preconditions of every DMF are
//! judged before every event, so what they need is prepared here and nothing is allocated then.

mod bindings;
pub(crate) mod compiled_selector;
pub(crate) mod scene;

pub use bindings::Bindings;
pub use compiled_selector::{CompiledSelector, Scope};
pub use scene::Scene;

use super::check::{CheckOutcome, outcome};
use super::truth::{CompiledCondition, truth};
use super::{Condition, DataModel, Dmf, DmfStep, Invariant, NamedSelector, Spec, TextPattern};
use taproof_screen::Layout;

/// A specification, compiled for judging.
#[derive(Clone, Debug, Default)]
pub struct CompiledSpec {
    /// The DMFs in file order.
    pub dmfs: Vec<CompiledDmf>,
    /// The invariants in file order.
    pub invariants: Vec<CompiledInvariant>,
}

/// A DMF, compiled for judging.
#[derive(Clone, Debug)]
pub struct CompiledDmf {
    /// The DMF as written in the file.
    pub dmf: Dmf,
    widgets: Vec<CompiledSelector>,
    preconditions: Vec<CompiledCondition>,
    postconditions: Vec<CompiledCondition>,
    /// Indices of the preconditions, with the cheap ones (on data only) first.
    cheap_first: Vec<usize>,
}

/// An invariant, compiled for judging.
#[derive(Clone, Debug)]
pub struct CompiledInvariant {
    /// The invariant as written in the file.
    pub invariant: Invariant,
    widgets: Vec<CompiledSelector>,
    when: Vec<CompiledCondition>,
    holds: Vec<CompiledCondition>,
}

impl CompiledSpec {
    /// Compiles a specification. Never fails: an invalid condition is reported when it is judged, and by `lint` before
    /// that.
    pub fn new(spec: &Spec) -> Self {
        CompiledSpec {
            dmfs: spec.dmfs.iter().map(CompiledDmf::new).collect(),
            invariants: spec.invariants.iter().map(CompiledInvariant::new).collect(),
        }
    }
}

impl CompiledDmf {
    /// Compiles one DMF.
    pub fn new(dmf: &Dmf) -> Self {
        let widgets = compile_widgets(&dmf.widgets);
        let preconditions = compile_all(&dmf.preconditions, &widgets);
        let mut cheap_first: Vec<usize> = (0..preconditions.len()).collect();
        cheap_first.sort_by_key(|index| dmf.preconditions[*index].widget.is_some());
        CompiledDmf {
            postconditions: compile_all(&dmf.postconditions, &widgets),
            dmf: dmf.clone(),
            widgets,
            preconditions,
            cheap_first,
        }
    }

    /// Whether the DMF may start on this layout: all preconditions hold, and it can be judged. A precondition that cannot
    /// be judged counts as one that does not hold.
    pub fn preconditions_hold(&self, layout: &Layout, data: &DataModel, app: &str) -> bool {
        if self.dmf.not_judged.is_some() {
            return false;
        }
        let scene = Scene { layout, data, app, bindings: &Bindings::NONE };
        self.cheap_first.iter().all(|index| {
            let condition = &self.preconditions[*index];
            matches!(truth(condition, &self.widgets, &scene, Some(&self.dmf)), Ok(true))
        })
    }

    /// The result of each precondition, in file order.
    pub fn check_preconditions(&self, scene: &Scene<'_>) -> Vec<CheckOutcome> {
        self.check_all(&self.preconditions, scene)
    }

    /// The result of each postcondition, in file order. All are judged, so that all failures are reported.
    pub fn check_postconditions(&self, scene: &Scene<'_>) -> Vec<CheckOutcome> {
        self.check_all(&self.postconditions, scene)
    }

    /// The widget with this name.
    pub fn widget(&self, name: &str) -> Option<&CompiledSelector> {
        self.widgets.iter().find(|widget| widget.named.name == name)
    }

    /// The target widget of the step; `None` if the step names none, or one that the DMF does not have.
    pub fn target(&self, step: &DmfStep) -> Option<&CompiledSelector> {
        self.widget(step.widget.as_deref()?)
    }

    /// The named widgets, in file order.
    pub fn widgets(&self) -> &[CompiledSelector] {
        &self.widgets
    }

    /// Whether more than one step looks for the object of a type on the screen. Of equal objects, these steps may find
    /// different ones, such as after the list was scrolled.
    pub fn looks_for_object_again(&self, data_type: &str) -> bool {
        let is_object = |widget: &CompiledSelector| match &widget.named.selector.text {
            TextPattern::Existing(named) => named == data_type,
            _ => false,
        };
        let is_it = |widget: &CompiledSelector| match &widget.named.selector.text {
            TextPattern::FromRead(name) => self.widget(name).is_some_and(is_object),
            _ => is_object(widget),
        };
        let targets = self.dmf.steps.iter().filter_map(|step| self.target(step));
        targets.filter(|target| is_it(target) || target.row().is_some_and(is_it)).nth(1).is_some()
    }

    /// The widgets whose text is read on the layout with this number, in file order.
    pub fn reads_on(&self, number: usize) -> impl Iterator<Item = &CompiledSelector> {
        self.widgets.iter().filter(move |widget| widget.named.is_read() && widget.named.layout == number)
    }

    fn check_all(&self, conditions: &[CompiledCondition], scene: &Scene<'_>) -> Vec<CheckOutcome> {
        let judge = |condition| outcome(condition, &self.widgets, scene, Some(&self.dmf));
        conditions.iter().map(judge).collect()
    }
}

impl CompiledInvariant {
    /// Compiles one invariant.
    pub fn new(invariant: &Invariant) -> Self {
        let widgets = compile_widgets(&invariant.widgets);
        CompiledInvariant {
            when: compile_all(&invariant.when, &widgets),
            holds: compile_all(&invariant.holds, &widgets),
            invariant: invariant.clone(),
            widgets,
        }
    }

    /// The result of each of its conditions; empty if the invariant does not apply.
    pub fn check(&self, layout: &Layout, data: &DataModel, app: &str) -> Vec<CheckOutcome> {
        let scene = Scene { layout, data, app, bindings: &Bindings::NONE };
        let applies = |condition| matches!(truth(condition, &self.widgets, &scene, None), Ok(true));
        if !self.when.iter().all(applies) {
            return Vec::new();
        }
        let judge = |condition| outcome(condition, &self.widgets, &scene, None);
        self.holds.iter().map(judge).collect()
    }
}

fn compile_widgets(widgets: &[NamedSelector]) -> Vec<CompiledSelector> {
    widgets.iter().map(|named| CompiledSelector::new(named, widgets)).collect()
}

fn compile_all(conditions: &[Condition], widgets: &[CompiledSelector]) -> Vec<CompiledCondition> {
    conditions.iter().map(|condition| CompiledCondition::new(condition, widgets)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, DmfKind, Input, SpecSelector};

    #[test]
    fn steps_in_the_row_of_an_object_look_for_it() {
        let widget = |name: &str, text: TextPattern, row: Option<&str>| NamedSelector {
            name: name.to_owned(),
            layout: 0,
            selector: SpecSelector { text, row: row.map(str::to_owned), ..SpecSelector::default() },
        };
        let note = TextPattern::Existing("note".to_owned());
        let again = |steps: &[&str]| {
            let mut dmf = Dmf::empty("undo note".to_owned(), DmfKind::Property, "note");
            dmf.widgets = vec![
                widget("title", note.clone(), None),
                widget("menu", TextPattern::Any, Some("title")),
                widget("title_again", TextPattern::FromRead("title".to_owned()), None),
                widget("go_on", TextPattern::Is("Go on".to_owned()), None),
            ];
            let step = |name: &&str| DmfStep {
                action: Action::Click,
                widget: Some((*name).to_owned()),
                input: Input::None,
                required: true,
            };
            dmf.steps = steps.iter().map(step).collect();
            CompiledDmf::new(&dmf).looks_for_object_again("note")
        };
        assert!(!again(&["title", "go_on"]) && !again(&["menu", "go_on"]));
        assert!(again(&["title", "go_on", "menu"]) && again(&["menu", "title_again"]));
    }
}
