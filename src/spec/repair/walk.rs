//! What runs of functions saw: the screen of each step and the widgets that the function named there.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{
    Bindings, CompiledDmf, CompiledSelector, Condition, DataModel, Dmf, NamedSelector, Relation, Scene,
    Scope, SpecSelector, TextPattern,
};
use taproof_screen::{Layout, WidgetIdx};

/// What one run of a function saw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walk {
    /// The screen on which it began.
    pub first: Option<Arc<Layout>>,
    /// The steps that were found, by their number. The number of steps stands for the screen after the last one.
    pub steps: BTreeMap<usize, WalkStep>,
    /// The screen that was there when it ended.
    pub last: Option<Arc<Layout>>,
    /// The screen on which it began to wait for what did not come, if it did.
    pub waited_on: Option<Arc<Layout>>,
    /// The texts that it read and drew.
    pub bindings: Bindings,
    /// What the app should hold then.
    pub data: DataModel,
}

/// A step that was found on its screen.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkStep {
    /// The screen before it.
    pub layout: Arc<Layout>,
    /// The widget that it was done to; `None` for steps without one.
    pub target: Option<WidgetIdx>,
}

/// A widget on the screen on which it was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    /// The screen.
    pub layout: Arc<Layout>,
    /// The widget.
    pub widget: WidgetIdx,
}

/// The widgets and screens of a function in an old version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sights {
    /// The widgets by their names in the function.
    pub widgets: BTreeMap<String, Sight>,
    /// The screen before the step on the widget of this name.
    pub screens: BTreeMap<String, Arc<Layout>>,
    /// The screen after the last step.
    pub end: Option<Arc<Layout>>,
    /// How many steps it had.
    pub steps: usize,
}

/// What is known of the functions of a specification in an old version, by their names. It may be empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    functions: BTreeMap<String, Sights>,
    /// The taps that lead from a fresh start to where the function begins.
    leads: BTreeMap<String, Vec<Sight>>,
}

impl History {
    /// Nothing is known.
    pub fn new() -> History {
        History::default()
    }

    /// Adds a run of a function that held.
    pub fn add(&mut self, dmf: &Dmf, walk: &Walk, app: &str) {
        self.functions.insert(dmf.name.clone(), Sights::of(dmf, walk, app));
    }

    /// Adds the taps that lead from a fresh start to where a function begins.
    pub fn add_lead(&mut self, function: &str, lead: Vec<Sight>) {
        self.leads.insert(function.to_owned(), lead);
    }

    /// The taps that lead from a fresh start to where the function of this name begins.
    pub fn lead_of(&self, function: &str) -> &[Sight] {
        self.leads.get(function).map_or(&[], Vec::as_slice)
    }

    /// What is known of the function of this name.
    pub fn of(&self, function: &str) -> Option<&Sights> {
        self.functions.get(function)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }
}

impl Sights {
    /// The widgets and screens of a run.
    pub fn of(dmf: &Dmf, walk: &Walk, app: &str) -> Sights {
        let compiled = CompiledDmf::new(dmf);
        let mut sights = Sights { steps: dmf.steps.len(), ..Sights::default() };
        for (number, step) in dmf.steps.iter().enumerate() {
            let (Some(name), Some(seen)) = (&step.widget, walk.steps.get(&number)) else { continue };
            sights.screens.insert(name.clone(), Arc::clone(&seen.layout));
            if let Some(widget) = seen.target {
                sights.see(name, &seen.layout, widget);
            }
        }
        sights.end = walk.steps.get(&dmf.steps.len()).map(|step| Arc::clone(&step.layout));
        let end = sights.end.clone();
        for widget in compiled.widgets() {
            let name = &widget.named.name;
            if sights.widgets.contains_key(name) {
                continue;
            }
            let on = match role_of(dmf, name) {
                RoleOf::Start => walk.first.as_ref(),
                RoleOf::Read => walk.steps.get(&widget.named.layout).map(|step| &step.layout),
                RoleOf::End => end.as_ref(),
                RoleOf::Other => None,
            };
            let Some(layout) = on else { continue };
            if let Some(idx) = seen_as(widget, layout, walk, app) {
                sights.see(name, layout, idx);
            }
        }
        sights
    }

    fn see(&mut self, name: &str, layout: &Arc<Layout>, widget: WidgetIdx) {
        self.widgets.insert(name.to_owned(), Sight { layout: Arc::clone(layout), widget });
    }
}

/// What a function uses a widget for that none of its steps touches.
enum RoleOf {
    Start,
    Read,
    End,
    Other,
}

fn role_of(dmf: &Dmf, name: &str) -> RoleOf {
    let is = |widget: &Option<String>| widget.as_deref() == Some(name);
    if dmf.preconditions.iter().flat_map(Condition::alternatives).any(|condition| is(&condition.widget)) {
        return RoleOf::Start;
    }
    let ordered = |relation: &Relation| matches!(relation, Relation::InOrder(names) if names.iter().any(|it| it == name));
    let mut after = dmf.postconditions.iter().flat_map(Condition::alternatives);
    if after.any(|condition| is(&condition.widget) || ordered(&condition.relation)) {
        return RoleOf::End;
    }
    if dmf.widget(name).is_some_and(NamedSelector::is_read) { RoleOf::Read } else { RoleOf::Other }
}

/// The widget that a selector names on a screen: with the texts of the run, or else with any text, since what a
/// condition says is gone once stood among others of its kind.
fn seen_as(widget: &CompiledSelector, layout: &Layout, walk: &Walk, app: &str) -> Option<WidgetIdx> {
    located(widget, layout, walk, app).or_else(|| {
        let any = CompiledSelector::new(&any_text(&widget.named), &[]);
        let says_more = !any.named.selector.is_empty() && any.named.selector.resource_id.is_some();
        located(&any, layout, walk, app).filter(|_| says_more)
    })
}

/// The first widget that a selector names on a screen of a run.
pub(super) fn located(
    widget: &CompiledSelector,
    layout: &Layout,
    walk: &Walk,
    app: &str,
) -> Option<WidgetIdx> {
    let scene = Scene { layout, data: &walk.data, app, bindings: &walk.bindings };
    let found = widget.locate(Scope::Device, &scene).ok()?;
    found.into_iter().find(|idx| !layout.widget(*idx).bounds.is_empty())
}

/// The selector without a text that depends on the run, and without a row.
pub(super) fn any_text(named: &NamedSelector) -> NamedSelector {
    let text = match &named.selector.text {
        TextPattern::Is(text) => TextPattern::Is(text.clone()),
        TextPattern::Any | TextPattern::FromRead(_) | TextPattern::Existing(_) => TextPattern::Any,
    };
    let selector = SpecSelector { text, row: None, instance: None, ..named.selector.clone() };
    NamedSelector { selector, ..named.clone() }
}
