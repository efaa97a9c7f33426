//! Tries what a form offers beside the name: each box and choice is set once, and the object must be created all the same; a
//! number that is far too large must be refused where a small one is not.

use std::sync::Arc;

use super::creates::{Create, is_saved, look_for};
use super::functions::Found;
use super::prober::{after, gone, survives, waited};
use super::sample::Sample;
use super::screen::{fields, is_held, showing, shows, typing};
use taproof_engine::{Replay, RoundCtx, StateSnapshot, Stop};
use taproof_screen::{
    CandidateAction, Gesture, Layout, Step, WidgetFlags, WidgetIdx, candidates, event_on, is_visible,
};
use taproof_spec::{DmfKind, PickedWidget};

/// A number that fields for numbers take.
const SMALL: &str = "7";
/// A number that is beyond the limits that apps have.
const LARGE: &str = "99999999";
/// Number of boxes and choices of a page that are tried.
const CHOICES: usize = 6;

/// Sets what a form offers beside texts, one at a time, and saves it then.
pub(super) fn explore_form(ctx: &mut RoundCtx<'_>, create: &Create, found: &mut Found) -> Result<(), Stop> {
    let steps = create.saved.trace().steps();
    let saving = steps.get(create.typed.trace().len()..).unwrap_or_default();
    for turned in 0..saving.len() {
        let Some(page) = went(ctx, &create.typed, &saving[..turned])? else { return Ok(()) };
        let layout = Arc::clone(&page.frame().layout);
        refuse_numbers(ctx, create, (&page, &saving[turned..]), found)?;
        for choice in choices(&layout, &ctx.target().app) {
            let Some(event) = event_on(&layout, choice, Gesture::Tap) else { continue };
            let Some(set) = after(ctx, &page, event)? else { continue };
            let Some(mut saved) = went(ctx, &set, &saving[turned..])? else { continue };
            if !is_saved(&saved.frame().layout, &create.name) {
                waited(ctx)?;
                look_for(ctx, &create.name)?;
                saved = ctx.save()?;
            }
            if is_saved(&saved.frame().layout, &create.name) {
                note(ctx, create, &saved, layout.widget(choice).short_class(), found)?;
            }
        }
    }
    Ok(())
}

/// Types a small and a large number into each empty field of a page of the form.
fn refuse_numbers(
    ctx: &mut RoundCtx<'_>,
    create: &Create,
    (page, saving): (&StateSnapshot, &[Step]),
    found: &mut Found,
) -> Result<(), Stop> {
    let layout = Arc::clone(&page.frame().layout);
    let empty = |idx: &WidgetIdx| layout.widget(*idx).text.is_empty();
    for field in fields(&layout, &ctx.target().app).into_iter().filter(empty).take(CHOICES) {
        let Some(small) = typing(&layout, field, SMALL) else { continue };
        let Some(typed) = after(ctx, page, small.event)? else { continue };
        if went(ctx, &typed, saving)?.is_none_or(|saved| is_held(&saved.frame().layout, SMALL)) {
            continue;
        }
        let Some(large) = typing(&layout, field, LARGE) else { continue };
        let Some(typed) = after(ctx, page, large.event)? else { continue };
        let before = Arc::clone(&typed.frame().layout);
        let Some(refused) = saving.first().map(|_| went(ctx, &typed, &saving[..1])).transpose()?.flatten()
        else {
            continue;
        };
        let now = &refused.frame().layout;
        let said = now.iter().find(|(_, widget)| {
            let new = is_visible(&widget.text) && !shows(&before, &widget.text);
            new && !widget.is_text_field() && !widget.is_announcement()
        });
        let Some((said, _)) = said.filter(|_| is_held(now, LARGE)) else { continue };
        let sample = Sample::of(refused.trace(), create.steps.start, DmfKind::Property, "limits");
        found.add(Sample {
            message: Some(PickedWidget::new(sample.steps.len(), said)),
            literal: vec![LARGE.to_owned()],
            reason: format!("“{LARGE}” was refused with a message, {SMALL} was not."),
            ..sample
        });
    }
    Ok(())
}

/// The boxes and choices that are not set.
fn choices(layout: &Layout, app: &str) -> Vec<WidgetIdx> {
    let unset = |idx: &WidgetIdx| {
        let flags = layout.widget(*idx).flags;
        flags.has(WidgetFlags::CHECKABLE) && !flags.has(WidgetFlags::CHECKED)
    };
    let taps = candidates(layout, app).into_iter().rev().filter(|it| it.action == CandidateAction::Tap);
    let mut all: Vec<WidgetIdx> = taps.map(|it| it.widget).filter(unset).collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(CHOICES);
    all
}

fn note(
    ctx: &mut RoundCtx<'_>,
    create: &Create,
    saved: &StateSnapshot,
    class: &str,
    found: &mut Found,
) -> Result<(), Stop> {
    let sample = |verb: &str, state: &StateSnapshot, reason: &str| Sample {
        added: Some(create.name.clone()),
        shown: Some(true),
        reason: reason.to_owned(),
        ..Sample::of(state.trace(), create.steps.start, DmfKind::Property, verb)
    };
    if class != "RadioButton" {
        found.add(sample("tick", saved, "With that set, the object was created all the same."));
        return Ok(());
    }
    let layout = Arc::clone(&saved.frame().layout);
    let row = showing(&layout, &create.name).last().and_then(|idx| event_on(&layout, idx, Gesture::Tap));
    let Some(row) = row else { return Ok(()) };
    if let Some(opened) = after(ctx, saved, row)?
        && is_saved(&opened.frame().layout, &create.name)
    {
        found.add(sample(
            "choose",
            &opened,
            "With that chosen, the object was created and opened all the same.",
        ));
    }
    Ok(())
}

/// The state after these steps; `None` if one of them cannot be done.
fn went(ctx: &mut RoundCtx<'_>, from: &StateSnapshot, steps: &[Step]) -> Result<Option<StateSnapshot>, Stop> {
    if survives(ctx.restore(from))?.is_none() {
        return Ok(None);
    }
    if gone(ctx, Replay::of(steps))? { ctx.save().map(Some) } else { Ok(None) }
}
