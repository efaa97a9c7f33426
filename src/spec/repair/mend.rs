//! Changes of a specification that follow a new version of the app.

use std::fmt;

use crate::{Action, DmfStep, Input, NamedSelector, Spec, SpecSelector, TextPattern};

/// One change of a specification.
#[derive(Clone, Debug, PartialEq)]
pub enum Mend {
    /// A widget is named by other attributes now, wherever the specification names it.
    Rename {
        /// What all selectors that name it have in common.
        old: SpecSelector,
        /// What takes the place of that.
        new: SpecSelector,
        /// Only these widgets, by the names of function and widget; `None` for all. What is named by its place alone is
        /// another widget elsewhere.
        only: Option<Vec<(String, String)>>,
    },
    /// A function taps a widget on a screen that is new.
    Insert {
        /// The name of the function.
        function: String,
        /// The number that the new step gets.
        step: usize,
        /// The widget that it taps.
        selector: SpecSelector,
    },
    /// A step of a function is left out, as its screen is gone.
    LeaveOut {
        /// The name of the function.
        function: String,
        /// The number of the step.
        step: usize,
    },
}

impl Mend {
    /// Renames the widget that this selector names; `uses` are those of the same widget.
    pub fn rename(old: &SpecSelector, new: SpecSelector, uses: Vec<(String, String)>) -> Mend {
        let only = is_by_place(old).then_some(uses);
        Mend::Rename { old: static_part(old), new, only }
    }

    /// Changes the specification. Returns how many selectors or steps are others now.
    pub fn apply(&self, spec: &mut Spec) -> usize {
        match self {
            Mend::Rename { old, new, only: None } => {
                let mut uses = 0;
                for dmf in &mut spec.dmfs {
                    uses += rename_all(&mut dmf.widgets, old, new);
                }
                for invariant in &mut spec.invariants {
                    uses += rename_all(&mut invariant.widgets, old, new);
                }
                uses + rename_blocks(spec, old, new)
            }
            Mend::Rename { old, new, only: Some(only) } => {
                let mut uses = 0;
                for (function, widget) in only {
                    let dmf = spec.dmfs.iter_mut().find(|dmf| dmf.name == *function);
                    let named = dmf.and_then(|dmf| dmf.widgets.iter_mut().find(|it| it.name == *widget));
                    uses += named.map_or(0, |named| rename_all(std::slice::from_mut(named), old, new));
                }
                uses
            }
            Mend::Insert { function, step, selector } => {
                let dmf = spec.dmfs.iter_mut().find(|dmf| dmf.name == *function);
                dmf.map_or(0, |dmf| insert(dmf, *step, selector))
            }
            Mend::LeaveOut { function, step } => {
                let dmf = spec.dmfs.iter_mut().find(|dmf| dmf.name == *function);
                dmf.map_or(0, |dmf| leave_out(dmf, *step))
            }
        }
    }
}

/// What selectors of one widget have in common: all but what depends on the run and on the other widgets.
pub fn static_part(selector: &SpecSelector) -> SpecSelector {
    let text = match &selector.text {
        TextPattern::Is(text) => TextPattern::Is(text.clone()),
        TextPattern::Any | TextPattern::FromRead(_) | TextPattern::Existing(_) => TextPattern::Any,
    };
    let instance = selector.instance.filter(|_| is_by_place(selector));
    SpecSelector { text, instance, row: None, ..selector.clone() }
}

/// Whether a selector names a widget by its kind and place only.
pub fn is_by_place(selector: &SpecSelector) -> bool {
    selector.resource_id.is_none()
        && selector.content_desc.is_none()
        && selector.xpath.is_none()
        && selector.beside.is_none()
        && !matches!(selector.text, TextPattern::Is(_))
}

/// A selector with other static parts.
pub(super) fn with_parts(selector: &SpecSelector, parts: &SpecSelector) -> SpecSelector {
    let text = match &selector.text {
        TextPattern::FromRead(_) | TextPattern::Existing(_) => selector.text.clone(),
        TextPattern::Any | TextPattern::Is(_) => parts.text.clone(),
    };
    let instance = if is_by_place(selector) { parts.instance } else { selector.instance.or(parts.instance) };
    SpecSelector { text, instance, row: selector.row.clone(), ..parts.clone() }
}

fn rename_all(widgets: &mut [NamedSelector], old: &SpecSelector, new: &SpecSelector) -> usize {
    let mut uses = 0;
    for widget in widgets {
        let selector = &mut widget.selector;
        let renamed = if static_part(selector) == *old {
            with_parts(selector, new)
        } else {
            with_new_names(selector, old, new)
        };
        if renamed != *selector {
            *selector = renamed;
            uses += 1;
        }
    }
    uses
}

/// A selector that shares the id of a renamed widget, or its description where there is no id.
fn with_new_names(selector: &SpecSelector, old: &SpecSelector, new: &SpecSelector) -> SpecSelector {
    let mut renamed = selector.clone();
    let same_id = selector.resource_id == old.resource_id;
    let own = |id: &&String| !id.starts_with("android:");
    if same_id
        && let Some(id) = new.resource_id.as_ref().filter(own)
        && old.resource_id.as_ref().is_some_and(|id| own(&id))
    {
        renamed.resource_id = Some(id.clone());
    }
    if same_id
        && selector.content_desc.is_some()
        && selector.content_desc == old.content_desc
        && new.content_desc.is_some()
    {
        renamed.content_desc.clone_from(&new.content_desc);
    }
    renamed
}

/// Renames what the block list says of the widget.
fn rename_blocks(spec: &mut Spec, old: &SpecSelector, new: &SpecSelector) -> usize {
    let text = |selector: &SpecSelector| match &selector.text {
        TextPattern::Is(text) => Some(text.clone()),
        _ => None,
    };
    let own = |id: &String| !id.starts_with("android:");
    let pairs = [
        ("resource-id", old.resource_id.clone().filter(own), new.resource_id.clone().filter(own)),
        ("content-desc", old.content_desc.clone(), new.content_desc.clone()),
        ("text", text(old), text(new)),
    ];
    let mut uses = 0;
    for (name, value) in spec.blocks.iter_mut().flat_map(|block| &mut block.pattern.attributes) {
        let renamed = pairs.iter().find(|(key, old, _)| key == name && old.as_ref() == Some(value));
        if let Some(new) = renamed.and_then(|(_, _, new)| new.as_ref()).filter(|new| *new != value) {
            value.clone_from(new);
            uses += 1;
        }
    }
    uses
}

fn insert(dmf: &mut crate::Dmf, step: usize, selector: &SpecSelector) -> usize {
    let name = free_name(dmf);
    for widget in &mut dmf.widgets {
        // Beyond all layouts stands for the one after the last step.
        if widget.layout >= step && widget.layout != usize::MAX {
            widget.layout += 1;
        }
    }
    dmf.widgets.push(NamedSelector { name: name.clone(), layout: step, selector: selector.clone() });
    let tap = DmfStep { action: Action::Click, widget: Some(name), input: Input::None, required: true };
    dmf.steps.insert(step.min(dmf.steps.len()), tap);
    1
}

/// A name for a widget that is new.
fn free_name(dmf: &crate::Dmf) -> String {
    let mut number = 1;
    while dmf.widget(&format!("new{number}_widget")).is_some() {
        number += 1;
    }
    format!("new{number}_widget")
}

fn leave_out(dmf: &mut crate::Dmf, step: usize) -> usize {
    if step >= dmf.steps.len() {
        return 0;
    }
    dmf.steps.remove(step);
    for widget in &mut dmf.widgets {
        if widget.layout > step && widget.layout != usize::MAX {
            widget.layout -= 1;
        }
    }
    1
}

/// The names that the mends of a specification change, as pairs of old and new: resource ids, descriptions and texts.
/// Whatever else names widgets by these is mended by them.
pub fn mended_texts<'m>(mends: impl IntoIterator<Item = &'m Mend>) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for mend in mends {
        let Mend::Rename { old, new, .. } = mend else { continue };
        let parts = [(&old.resource_id, &new.resource_id), (&old.content_desc, &new.content_desc)];
        pairs.extend(parts.into_iter().filter_map(|(old, new)| Some((old.clone()?, new.clone()?))));
        if let (TextPattern::Is(old), TextPattern::Is(new)) = (&old.text, &new.text) {
            pairs.push((old.clone(), new.clone()));
        }
    }
    pairs.retain(|(old, new)| old != new);
    pairs
}

impl fmt::Display for Mend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mend::Rename { old, new, .. } => write!(f, "{old} is now {new}"),
            Mend::Insert { function, step, selector } => {
                write!(f, "{function}: a new step {} taps {selector}", step + 1)
            }
            Mend::LeaveOut { function, step } => write!(f, "{function}: step {} is left out", step + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dmf, DmfKind};

    fn id(id: &str) -> SpecSelector {
        SpecSelector { resource_id: Some(format!("org.ex:id/{id}")), ..SpecSelector::default() }
    }

    fn spec() -> Spec {
        let widget = |name: &str, layout, selector| NamedSelector { name: name.to_owned(), layout, selector };
        let read = SpecSelector { text: TextPattern::FromRead("add_name".to_owned()), ..id("title") };
        let click = |name: &str| DmfStep {
            action: Action::Click,
            widget: Some(name.to_owned()),
            input: Input::None,
            required: true,
        };
        let dmf = Dmf {
            widgets: vec![
                widget("e1_widget", 0, id("new")),
                widget("e2_widget", 1, id("save")),
                widget("add_object", 2, read),
            ],
            steps: vec![click("e1_widget"), click("e2_widget")],
            ..Dmf::empty("add note", DmfKind::Create, "note")
        };
        Spec { dmfs: vec![dmf], ..Spec::default() }
    }

    #[test]
    fn all_uses_are_renamed_and_texts_of_the_run_stay() {
        let mut spec = spec();
        let mend = Mend::rename(&id("title"), id("heading"), Vec::new());
        assert_eq!(mend.apply(&mut spec), 1);
        let read = TextPattern::FromRead("add_name".to_owned());
        assert_eq!(spec.dmfs[0].widgets[2].selector, SpecSelector { text: read, ..id("heading") });
        assert_eq!(mended_texts([&mend]), [("org.ex:id/title".to_owned(), "org.ex:id/heading".to_owned())]);
    }

    #[test]
    fn later_widgets_move_with_the_steps() {
        let mut spec = spec();
        let function = "add note".to_owned();
        let insert = Mend::Insert { function: function.clone(), step: 1, selector: id("go") };
        assert_eq!(insert.apply(&mut spec), 1);
        let layouts = |spec: &Spec| spec.dmfs[0].widgets.iter().map(|it| it.layout).collect::<Vec<_>>();
        assert_eq!((layouts(&spec), spec.dmfs[0].steps.len()), (vec![0, 2, 3, 1], 3));
        assert_eq!(spec.dmfs[0].steps[1].widget.as_deref(), Some("new1_widget"));
        Mend::LeaveOut { function, step: 1 }.apply(&mut spec);
        assert_eq!((&layouts(&spec)[..3], spec.dmfs[0].steps.len()), (&[0, 1, 2][..], 2));
    }
}
