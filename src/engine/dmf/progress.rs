//! The texts that one run of a DMF has read and drawn. Names are bound here, both for runs that an engine performs and
//! for runs that are recognised in the events of another engine or of a person.

use serde::{Deserialize, Serialize};

use crate::NotExecuted;
use taproof_screen::determinism::Rng;
use taproof_screen::{DrawnText, Layout, Unreachable, Widget, WidgetIdx, is_visible, widget_name};
use taproof_spec::{
    Bindings, CompiledDmf, CompiledSelector, DataModel, DataType, DmfStep, Input, Scene, Scope, TextPattern,
    generate, still_means,
};

/// Where a run's texts come from.
pub enum InputSource<'r> {
    /// Texts are drawn with this generator.
    Draw(&'r mut Rng),
    /// Texts are taken from a recorded run.
    Replay {
        /// The recorded texts, in the order of drawing.
        texts: &'r [DrawnText],
        /// Set to true if a text is no longer what it was drawn as.
        changed: &'r mut bool,
    },
    /// Another engine or a person chooses the texts. `known` holds those that are known so far. If the next one is not
    /// known, `shown` is set to the objects that it must be one of.
    Watch {
        /// The texts known so far, in the order of drawing.
        known: &'r [DrawnText],
        /// The objects that the next text can be.
        shown: &'r mut Vec<String>,
    },
}

impl InputSource<'_> {
    /// Returns one of the objects of a type. `shown` are those on the screen; `used` is the number of texts drawn
    /// before.
    fn object(&mut self, data_type: &str, shown: &[&str], used: usize, data: &DataModel) -> Option<String> {
        let recorded = |texts: &[DrawnText]| {
            let text = texts.get(used).map(|drawn| &drawn.text);
            text.filter(|text| data.holds(data_type, text)).cloned()
        };
        match self {
            InputSource::Draw(rng) => {
                let all = data.objects(data_type);
                let weights: Vec<u32> = shown.iter().map(|object| interest(object, all)).collect();
                shown.get(rng.weighted(&weights)?).map(|object| (*object).to_owned())
            }
            InputSource::Replay { texts, .. } => recorded(texts),
            InputSource::Watch { known, shown: wanted } => {
                if known.len() == used {
                    **wanted = shown.iter().map(|object| (*object).to_owned()).collect();
                }
                recorded(known)
            }
        }
    }
}

/// The weight with which one of all objects of a type is drawn. The one that was last added or changed is likelier, since
/// most bugs need two DMFs on one object, and so is one with a name much like another one's, which an app may confuse.
fn interest(object: &str, all: &[String]) -> u32 {
    let newest = all.last().is_some_and(|last| last == object);
    let alike =
        |other: &String| other != object && (other.contains(object) || other.eq_ignore_ascii_case(object));
    1 + 2 * u32::from(newest) + 6 * u32::from(all.iter().any(alike))
}

/// What a run of a DMF sees: a layout and the data model.
#[derive(Clone, Copy)]
pub(super) struct DmfScreen<'s> {
    pub(super) layout: &'s Layout,
    pub(super) data: &'s DataModel,
    /// Package name of the app under test.
    pub(super) app: &'s str,
}

/// The texts that one run of a DMF has read and drawn so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct DmfProgress {
    /// The drawn texts, in order.
    pub(super) used: Vec<DrawnText>,
    /// The object that `T::random` stands for in this run, by type.
    objects: Vec<(DataType, String)>,
    pub(super) bindings: Bindings,
}

impl DmfProgress {
    /// The progress of a completed run, with the texts that it drew and read.
    pub(super) fn of(used: &[DrawnText], bindings: &Bindings) -> DmfProgress {
        DmfProgress { used: used.to_vec(), objects: Vec::new(), bindings: bindings.clone() }
    }

    /// Reads the texts of the layout with this number and locates the step's target.
    pub(super) fn look(
        &mut self,
        dmf: &CompiledDmf,
        layout: Option<usize>,
        step: Option<&DmfStep>,
        on: DmfScreen<'_>,
        inputs: &mut InputSource<'_>,
    ) -> Result<Option<WidgetIdx>, NotExecuted> {
        if let Some(number) = layout {
            for widget in dmf.reads_on(number) {
                self.choose_object(dmf, widget, on, inputs)?;
                let idx = self.locate(widget, Scope::App(on.app), on).ok_or(NotExecuted::ReadMissing)?;
                self.bindings.set_read(&widget.named.name, on.layout.widget(idx).text.to_string());
            }
        }
        let Some(step) = step else { return Ok(None) };
        let Some(widget) = dmf.target(step) else {
            return if step.action.needs_widget() { Err(NotExecuted::TargetMissing) } else { Ok(None) };
        };
        self.choose_object(dmf, widget, on, inputs)?;
        match self.locate(widget, Scope::Device, on) {
            Some(target) if step.action.needs_widget() => reachable(on.layout, target).map(Some),
            // A step that may be left out is done only where its widget is shown, even if it does not touch it.
            None if step.action.needs_widget() || !step.required => Err(NotExecuted::TargetMissing),
            target => Ok(target),
        }
    }

    /// The first widget that the selector matches and that a touch reaches.
    fn locate(&self, widget: &CompiledSelector, scope: Scope<'_>, on: DmfScreen<'_>) -> Option<WidgetIdx> {
        let found = widget.locate(scope, &self.scene(on)).ok()?;
        found.into_iter().find(|idx| !on.layout.widget(*idx).bounds.is_empty())
    }

    /// The scene that conditions are judged on.
    pub(super) fn scene<'s>(&'s self, on: DmfScreen<'s>) -> Scene<'s> {
        Scene { layout: on.layout, data: on.data, app: on.app, bindings: &self.bindings }
    }

    /// Whether the app visibly refused the input.
    pub(super) fn refused(&self, dmf: &CompiledDmf, on: DmfScreen<'_>) -> bool {
        let refusal = dmf.dmf.refusal.as_deref().and_then(|name| dmf.widget(name));
        refusal.is_some_and(|widget| self.locate(widget, Scope::App(on.app), on).is_some())
    }

    /// Chooses an object among those that the screen shows, for a widget whose text is `T::random`.
    fn choose_object(
        &mut self,
        dmf: &CompiledDmf,
        widget: &CompiledSelector,
        on: DmfScreen<'_>,
        inputs: &mut InputSource<'_>,
    ) -> Result<(), NotExecuted> {
        if let Some(row) = widget.row() {
            self.choose_object(dmf, row, on, inputs)?;
        }
        let TextPattern::Existing(data_type) = &widget.named.selector.text else { return Ok(()) };
        if self.objects.iter().any(|(known, _)| known == data_type) {
            return Ok(());
        }
        let mut shown = widget.shown_objects(Scope::Device, on.layout, on.data);
        if dmf.looks_for_object_again(data_type) {
            shown.retain(|object| on.data.count(data_type, object) == 1);
        }
        let object = inputs.object(data_type, &shown, self.used.len(), on.data);
        self.keep_object(dmf, data_type, object.ok_or(NotExecuted::NoObject)?);
        Ok(())
    }

    fn keep_object(&mut self, dmf: &CompiledDmf, data_type: &str, object: String) {
        for widget in &dmf.dmf.widgets {
            if widget.selector.text == TextPattern::Existing(data_type.to_owned()) {
                self.bindings.set_drawn(&widget.name, object.clone());
            }
        }
        self.used.push(DrawnText::object(object.clone()));
        self.objects.push((data_type.to_owned(), object));
    }

    /// The text that a step needs.
    pub(super) fn input(
        &mut self,
        dmf: &CompiledDmf,
        step: &DmfStep,
        data: &DataModel,
        inputs: &mut InputSource<'_>,
    ) -> Result<Option<String>, NotExecuted> {
        let fresh = match &step.input {
            Input::None => return Ok(None),
            Input::Literal(text) => return Ok(Some(text.clone())),
            Input::Existing(data_type) => return self.existing(dmf, data_type, data, inputs).map(Some),
            Input::Fresh(fresh) => fresh,
        };
        let data_type = fresh.data_type.as_ref().unwrap_or(&dmf.dmf.data_type);
        let recorded = |texts: &[DrawnText]| texts.get(self.used.len()).cloned().ok_or(NotExecuted::NoInput);
        let drawn = match inputs {
            InputSource::Draw(rng) => {
                generate(fresh, data_type, data, rng).ok_or(NotExecuted::NothingToRepeat)?
            }
            InputSource::Replay { texts, changed } => {
                let drawn = recorded(texts)?;
                **changed |= !still_means(fresh, data_type, data, &drawn);
                drawn
            }
            InputSource::Watch { known, .. } => recorded(known)?,
        };
        let text = drawn.text.clone();
        self.used.push(drawn);
        Ok(Some(text))
    }

    fn existing(
        &mut self,
        dmf: &CompiledDmf,
        data_type: &str,
        data: &DataModel,
        inputs: &mut InputSource<'_>,
    ) -> Result<String, NotExecuted> {
        if let Some((_, object)) = self.objects.iter().find(|(known, _)| known == data_type) {
            return Ok(object.clone());
        }
        let held = data.objects(data_type).iter().map(String::as_str);
        let held: Vec<&str> = held.filter(|object| is_visible(object)).collect();
        let object = inputs.object(data_type, &held, self.used.len(), data);
        let object = object.ok_or(NotExecuted::NoObject)?;
        self.keep_object(dmf, data_type, object.clone());
        Ok(object)
    }
}

/// Returns the widget if a touch reaches it.
fn reachable(layout: &Layout, target: WidgetIdx) -> Result<WidgetIdx, NotExecuted> {
    match layout.touch_point(target) {
        Ok(_) => Ok(target),
        Err(Unreachable::OffScreen) => Err(NotExecuted::TargetMissing),
        Err(Unreachable::Covered(over)) => {
            Err(NotExecuted::Covered { by: covering_name(layout.widget(over)) })
        }
    }
}

/// A name for the widget that covers another: its id if it has one, since its text changes from run to run.
fn covering_name(widget: &Widget) -> String {
    match widget.short_id().filter(|id| !id.is_empty()) {
        Some(id) => format!("{} #{id}", widget.short_class()),
        None => widget_name(widget),
    }
}

/// A completed run of a DMF whose postconditions held.
#[derive(Clone, Debug)]
pub struct HeldRun {
    /// Index of the DMF in the target.
    pub(super) dmf: usize,
    /// The texts that the run read and drew.
    pub(super) progress: DmfProgress,
    /// Number of the trace's steps when it ended.
    pub(super) end_step: usize,
}

impl HeldRun {
    /// A run that ended after so many steps, with the texts that it drew and read.
    pub(crate) fn new(dmf: usize, used: &[DrawnText], bindings: &Bindings, end_step: usize) -> HeldRun {
        HeldRun { dmf, progress: DmfProgress::of(used, bindings), end_step }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_object_and_names_that_may_be_confused_are_likelier() {
        let all = ["Milk", "milk", "Tea", "Green Tea", "Rye"].map(str::to_owned);
        let weights = all.each_ref().map(|object| interest(object, &all));
        assert_eq!(weights, [7, 7, 7, 1, 3]);
    }
}
