//! The touches with which a DMF begins, from which random events are kept (`pbfdroid/paper.md`, section 4.6).

use super::progress::DmfScreen;
use super::step::{StepAct, step_act};
use crate::RoundCtx;
use taproof_screen::{Event, Gesture, Layout, WidgetIdx};
use taproof_spec::{Bindings, CompiledDmf, CompiledSelector, Scene, Scope, TextPattern, receiver};

/// A touch with which a DMF could begin on a layout.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstTouch {
    gesture: Gesture,
    /// The widget that reacts to it.
    receiver: WidgetIdx,
}

impl FirstTouch {
    /// This gesture on the widget.
    pub(crate) fn on(layout: &Layout, idx: WidgetIdx, gesture: Gesture) -> Self {
        let receiver = reacting(layout, idx, &gesture);
        FirstTouch { gesture, receiver }
    }

    /// Whether this gesture on the widget has the same effect on the layout, apart from the text that is typed.
    pub fn is(&self, layout: &Layout, idx: WidgetIdx, gesture: &Gesture) -> bool {
        let alike = match (&self.gesture, gesture) {
            (Gesture::SetText(_), Gesture::SetText(_)) => true,
            (own, other) => own == other,
        };
        alike && reacting(layout, idx, gesture) == self.receiver
    }
}

/// Adds the touches with which a DMF of the target could begin on the current screen: those of its first required step and
/// of the optional ones before it.
pub(crate) fn add_first_touches(ctx: &RoundCtx<'_>, index: usize, touches: &mut Vec<FirstTouch>) {
    let on = DmfScreen { layout: &ctx.frame().layout, data: ctx.data(), app: &ctx.target().app };
    if let Some(dmf) = ctx.target().dmfs().get(index) {
        of_dmf(dmf, on, touches);
    }
}

fn of_dmf(dmf: &CompiledDmf, on: DmfScreen<'_>, touches: &mut Vec<FirstTouch>) {
    for step in &dmf.dmf.steps {
        for idx in dmf.target(step).map(|widget| targets(widget, on)).unwrap_or_default() {
            // Which text it types does not matter.
            let act = step_act(step.action, Some(idx), Some(String::new()), on.layout);
            if let Ok(StepAct::Send(Event::Widget { gesture, .. })) = act {
                touches.push(FirstTouch::on(on.layout, idx, gesture));
            }
        }
        if step.required {
            break;
        }
    }
}

/// The widgets that a step may choose: one for each object that may be drawn, else the first that matches.
fn targets(widget: &CompiledSelector, on: DmfScreen<'_>) -> Vec<WidgetIdx> {
    let scene = Scene { layout: on.layout, data: on.data, app: on.app, bindings: &Bindings::NONE };
    let draws = |widget: &CompiledSelector| matches!(widget.named.selector.text, TextPattern::Existing(_));
    let mut found = widget.locate(Scope::Device, &scene).unwrap_or_default();
    found.retain(|idx| !on.layout.widget(*idx).bounds.is_empty());
    if !draws(widget) && !widget.row().is_some_and(draws) {
        found.truncate(1);
    }
    found
}

fn reacting(layout: &Layout, idx: WidgetIdx, gesture: &Gesture) -> WidgetIdx {
    receiver(layout, idx, gesture).unwrap_or(idx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;
    use taproof_spec::{
        Action, DataModel, Dmf, DmfKind, DmfStep, ImpactOp, Input, NamedSelector, SpecSelector,
    };

    #[test]
    fn a_function_begins_on_any_row_that_it_may_draw_and_after_optional_steps() {
        let layout = layout_from(
            "ListView\n  LinearLayout\n    TextView#row \"a\"\n  LinearLayout\n    TextView#row \"b\"\n  \
             LinearLayout\n    TextView#row \"c\"\nButton#tip \"Got it\"\n",
        );
        let named = |name: &str, id: &str, text| NamedSelector {
            name: name.to_owned(),
            layout: 0,
            selector: SpecSelector {
                resource_id: Some(format!("org.ex:id/{id}")),
                text,
                ..SpecSelector::default()
            },
        };
        let step = |widget: &str, action, required| DmfStep {
            action,
            widget: Some(widget.to_owned()),
            input: Input::None,
            required,
        };
        let dmf = CompiledDmf::new(&Dmf {
            widgets: vec![
                named("tip", "tip", TextPattern::Any),
                named("delete_name", "row", TextPattern::Existing("note".to_owned())),
            ],
            steps: vec![
                step("tip", Action::Click, false),
                step("delete_name", Action::LongClick, true),
                step("tip", Action::LongClick, true),
            ],
            ..Dmf::empty("delete note", DmfKind::Delete, "note")
        });
        let mut data = DataModel::new();
        for object in ["a", "c"] {
            data.apply("note", &ImpactOp::Add, object);
        }
        let mut touches = Vec::new();
        of_dmf(&dmf, DmfScreen { layout: &layout, data: &data, app: "org.ex" }, &mut touches);
        let begins = |text: &str, gesture: Gesture| {
            let idx = layout.iter().find(|(_, widget)| &*widget.text == text).unwrap().0;
            touches.iter().any(|touch| touch.is(&layout, idx, &gesture))
        };
        assert!(begins("a", Gesture::LongPress) && begins("c", Gesture::LongPress));
        assert!(!begins("b", Gesture::LongPress), "it is no known object");
        assert!(!begins("a", Gesture::Tap));
        assert!(begins("Got it", Gesture::Tap) && !begins("Got it", Gesture::LongPress));
    }
}
