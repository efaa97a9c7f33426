//! Whether a condition holds, without the evidence.

use super::{Action, Condition, Dmf, Relation, TextPattern, WidgetState};
use crate::compiled::compiled_selector::{CompiledSelector, Scope, TextFilter};
use crate::compiled::scene::Scene;
use taproof_screen::{Reason, WidgetIdx};

/// A condition whose widgets are resolved.
#[derive(Clone, Debug)]
pub(super) struct CompiledCondition {
    pub(super) condition: Condition,
    /// Where its widget stands among the DMF's.
    pub(super) widget: Option<usize>,
    /// Where the widgets of an order stand.
    pub(super) order: Vec<usize>,
    /// The conditions that may hold instead.
    pub(super) or: Vec<CompiledCondition>,
    /// Why it cannot be judged at all.
    problem: Option<String>,
}

impl CompiledCondition {
    pub(super) fn new(condition: &Condition, widgets: &[CompiledSelector]) -> Self {
        let place = |name: &str| widgets.iter().position(|widget| widget.named.name == name);
        let unresolved = |name: &str| format!("no widget is named {name:?}");
        let mut compiled = CompiledCondition {
            condition: condition.clone(),
            widget: None,
            order: Vec::new(),
            or: condition.or.iter().map(|other| CompiledCondition::new(other, widgets)).collect(),
            problem: None,
        };
        if let Some(name) = &condition.widget {
            compiled.widget = place(name);
            if compiled.widget.is_none() {
                compiled.problem = Some(unresolved(name));
            }
        }
        if let Relation::InOrder(names) = &condition.relation {
            for name in names {
                match place(name) {
                    Some(index) => compiled.order.push(index),
                    None => compiled.problem = Some(unresolved(name)),
                }
            }
        }
        if let Relation::Unknown(word) = &condition.relation {
            compiled.problem = Some(format!("the relation {word:?} is not known"));
        }
        compiled
    }
}

/// Whether the condition holds, or one that may hold instead. Allocates nothing unless it cannot be decided.
pub(super) fn truth(
    compiled: &CompiledCondition,
    widgets: &[CompiledSelector],
    scene: &Scene<'_>,
    dmf: Option<&Dmf>,
) -> Result<bool, Reason> {
    let mut told = truth_alone(compiled, widgets, scene, dmf);
    for other in &compiled.or {
        if told == Ok(true) {
            break;
        }
        let other = truth_alone(other, widgets, scene, dmf);
        if told.is_ok() || other == Ok(true) {
            told = other;
        }
    }
    told
}

/// Whether the condition itself holds.
pub(super) fn truth_alone(
    compiled: &CompiledCondition,
    widgets: &[CompiledSelector],
    scene: &Scene<'_>,
    dmf: Option<&Dmf>,
) -> Result<bool, Reason> {
    let condition = &compiled.condition;
    if let Some(problem) = &compiled.problem {
        return Err(Reason::NotJudged(problem.clone()));
    }
    let widget = compiled.widget.and_then(|index| widgets.get(index));
    let held = || condition.data_type.as_deref().map(|data_type| scene.data.objects(data_type));
    match (&condition.relation, widget, held()) {
        (Relation::InOrder(_), _, _) => Ok(first_disorder(compiled, widgets, scene)?.is_none()),
        (Relation::IsEmpty, _, Some(held)) => Ok(held.is_empty()),
        (Relation::IsNotEmpty, _, Some(held)) => Ok(!held.is_empty()),
        (Relation::Smaller(limit), None, Some(held)) => Ok(held.len() <= *limit),
        (Relation::Smaller(limit), Some(widget), None) => {
            constrains(widget)?;
            Ok(shown(widget, condition.state, scene, dmf, usize::MAX)?.count <= *limit)
        }
        (Relation::In | Relation::SameIn, Some(widget), Some(held)) => {
            shows_held(widget, condition.state, held, scene)
        }
        (Relation::NotIn, Some(widget), Some(held)) => Ok(!shows_held(widget, condition.state, held, scene)?),
        (Relation::In | Relation::SameIn, Some(widget), None) => {
            constrains(widget)?;
            let shown = shown(widget, condition.state, scene, dmf, 1)?;
            if shown.count == 0 && shown.typed_field {
                let name = &widget.named.name;
                return Err(Reason::Vacuous(format!("{name:?} matches only the field that was typed into")));
            }
            Ok(shown.count > 0)
        }
        (Relation::NotIn, Some(widget), None) => {
            constrains(widget)?;
            let held = held_copies(widget, condition.state, scene, dmf);
            Ok(shown(widget, condition.state, scene, dmf, held.saturating_add(1))?.count <= held)
        }
        (relation, _, _) => Err(Reason::NotJudged(format!(
            "the relation \"{relation}\" needs {}",
            match relation {
                Relation::IsEmpty | Relation::IsNotEmpty => "a data type",
                Relation::Smaller(_) => "a widget or a data type",
                Relation::In
                | Relation::NotIn
                | Relation::SameIn
                | Relation::InOrder(_)
                | Relation::Unknown(_) => "a widget",
            }
        ))),
    }
}

fn constrains(widget: &CompiledSelector) -> Result<(), Reason> {
    if widget.named.selector.is_empty() {
        return Err(Reason::Vacuous(format!("the widget {:?} has no selector", widget.named.name)));
    }
    Ok(())
}

struct Matches {
    /// How many widgets match.
    count: usize,
    /// The selector has nothing but an object's text, and a field that was typed into shows it. Such a
    /// field proves nothing, so it is not counted.
    typed_field: bool,
}

/// The widgets named that are in the state asked for.
pub(super) fn in_state(
    widget: &CompiledSelector,
    state: Option<WidgetState>,
    scene: &Scene<'_>,
) -> Result<Vec<WidgetIdx>, Reason> {
    let mut named = widget.locate(Scope::App(scene.app), scene)?;
    named.retain(|idx| state.is_none_or(|state| state.is_of(scene.layout.widget(*idx))));
    Ok(named)
}

/// Counts up to `enough` matches; a precondition needs to know of one only.
fn shown(
    widget: &CompiledSelector,
    state: Option<WidgetState>,
    scene: &Scene<'_>,
    dmf: Option<&Dmf>,
    enough: usize,
) -> Result<Matches, Reason> {
    if state.is_some() {
        return Ok(Matches { count: in_state(widget, state, scene)?.len(), typed_field: false });
    }
    let skipped = widget.named.selector.instance.unwrap_or(0) as usize;
    let filter = widget.text_filter(scene.bindings, scene.data)?;
    let skip_fields = dmf.is_some_and(|dmf| text_only(widget) && types_text(dmf));
    let mut shown = Matches { count: 0, typed_field: false };
    widget.visit(Scope::App(scene.app), scene, filter, |idx| {
        if skip_fields && scene.layout.widget(idx).is_text_field() {
            shown.typed_field = true;
        } else {
            shown.count += 1;
        }
        shown.count < enough.saturating_add(skipped)
    })?;
    if widget.named.selector.instance.is_some() {
        shown.count = usize::from(shown.count > skipped);
    }
    Ok(shown)
}

/// Whether the selector is an object's text and nothing else.
pub(super) fn text_only(widget: &CompiledSelector) -> bool {
    let selector = &widget.named.selector;
    matches!(selector.text, TextPattern::FromRead(_) | TextPattern::Existing(_))
        && selector.resource_id.is_none()
        && selector.class.is_none()
        && selector.content_desc.is_none()
        && selector.xpath.is_none()
        && selector.role.is_none()
        && selector.beside.is_none()
        && selector.row.is_none()
}

fn types_text(dmf: &Dmf) -> bool {
    dmf.steps.iter().any(|step| step.action == Action::Edit)
}

/// The count rule: how many widgets may still show the object that must not be shown; any number, if it is unknown how
/// many objects have its text. Of a state the data say nothing.
pub(super) fn held_copies(
    widget: &CompiledSelector,
    state: Option<WidgetState>,
    scene: &Scene<'_>,
    dmf: Option<&Dmf>,
) -> usize {
    if state.is_some() {
        return 0;
    }
    let data_type = match &widget.named.selector.text {
        TextPattern::FromRead(_) => dmf.map(|dmf| dmf.data_type.as_str()),
        TextPattern::Existing(data_type) => Some(data_type.as_str()),
        TextPattern::Any | TextPattern::Is(_) => None,
    };
    match (data_type, widget.text_filter(scene.bindings, scene.data)) {
        (Some(data_type), Ok(TextFilter::Is(text))) if scene.data.is_uncertain(data_type, text) => usize::MAX,
        (Some(data_type), Ok(TextFilter::Is(text))) => scene.data.count(data_type, text),
        _ => 0,
    }
}

/// With a data type: the selector's own text is ignored, and its instance is counted before the list.
fn shows_held(
    widget: &CompiledSelector,
    state: Option<WidgetState>,
    held: &[String],
    scene: &Scene<'_>,
) -> Result<bool, Reason> {
    constrains(widget)?;
    let mut skip = widget.named.selector.instance.unwrap_or(0);
    let mut found = false;
    widget.visit(Scope::App(scene.app), scene, TextFilter::Any, |idx| {
        if skip > 0 {
            skip -= 1;
            return true;
        }
        let shown = scene.layout.widget(idx);
        let counts = state.is_none_or(|state| state.is_of(shown));
        found = counts && held.iter().any(|object| **object == *shown.text);
        !found
    })?;
    Ok(found)
}

/// The first widget that stands behind one of a later selector, with that one.
pub(super) fn first_disorder(
    compiled: &CompiledCondition,
    widgets: &[CompiledSelector],
    scene: &Scene<'_>,
) -> Result<Option<(WidgetIdx, WidgetIdx)>, Reason> {
    let mut ranked: Vec<(WidgetIdx, usize)> = Vec::new();
    for (rank, index) in compiled.order.iter().enumerate() {
        let Some(widget) = widgets.get(*index) else { continue };
        constrains(widget)?;
        for idx in widget.locate(Scope::App(scene.app), scene)? {
            if !ranked.iter().any(|(known, _)| *known == idx) {
                ranked.push((idx, rank));
            }
        }
    }
    ranked.sort();
    let disorder = ranked.windows(2).find(|pair| pair[0].1 > pair[1].1);
    Ok(disorder.map(|pair| (pair[0].0, pair[1].0)))
}
