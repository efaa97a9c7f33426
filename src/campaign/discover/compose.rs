//! Puts what was found together to longer functions, as a tester does: what was entered must survive a deletion that is taken
//! back, what has lost its mark must leave the filter, and so on.

use std::ops::ControlFlow;

use super::creates::{Create, create_again, is_saved, look_for};
use super::effects::sorted;
use super::functions::{Found, Root};
use super::names::Names;
use super::prober::{after, gone, survives, waited, with_other_text};
use super::sample::Sample;
use super::screen::{Act, acts, showing, shows};
use taproof_engine::{Replay, RoundCtx, StateSnapshot, Stop};
use taproof_screen::{Event, Gesture, Key, StepRole, event_on, one_line};
use taproof_spec::DmfKind;

/// A name with small letters that comes first in the order of names, and last if capital letters come before small ones.
const SMALL: &str = "aab";

/// Tries what follows from the samples found so far.
pub(super) fn compose(
    ctx: &mut RoundCtx<'_>,
    (root, create): (&Root, &Create),
    names: &mut Names,
    found: &mut Found,
) -> Result<(), Stop> {
    search_in_vain(ctx, root, names, found)?;
    sort_small_letter(ctx, root, create, found)?;
    undo_of_entered(ctx, root, found)?;
    edit_sideways(ctx, root, found)?;
    lose_mark(ctx, root, found)
}

fn samples(found: &Found, kind: DmfKind, verb: &str) -> Vec<Sample> {
    found.samples.iter().filter(|it| it.kind == kind && it.verb.starts_with(verb)).cloned().collect()
}

/// Performs events from a state on, with another text. Returns whether all could be performed.
fn go(ctx: &mut RoundCtx<'_>, events: &[Event], (old, new): (&str, &str)) -> Result<bool, Stop> {
    let events = events.iter().map(|event| with_other_text(event, old, new));
    gone(ctx, Replay::new(events, StepRole::Explored))
}

fn back_at(ctx: &mut RoundCtx<'_>, saved: &StateSnapshot) -> Result<bool, Stop> {
    Ok(survives(ctx.restore(saved))?.is_some())
}

/// What does not exist is not found.
fn search_in_vain(
    ctx: &mut RoundCtx<'_>,
    root: &Root,
    names: &mut Names,
    found: &mut Found,
) -> Result<(), Stop> {
    for search in samples(found, DmfKind::Search, "search") {
        let text = names.fresh(ctx);
        if !back_at(ctx, &root.saved)? || !go(ctx, &search.events, (root.focus(), &text))? {
            continue;
        }
        waited(ctx)?;
        if shows(&ctx.frame().layout, &text) || shows(&ctx.frame().layout, root.focus()) {
            continue;
        }
        let reason = format!("After “{}” was typed, nothing was found.", one_line(&text));
        let first = root.saved.trace().len();
        found.add_longer(Sample {
            sought: Some(text),
            shown: Some(false),
            reason,
            ..Sample::of(ctx.trace(), first, DmfKind::Search, "search")
        });
    }
    Ok(())
}

/// A name with small letters stands where it belongs.
fn sort_small_letter(
    ctx: &mut RoundCtx<'_>,
    root: &Root,
    create: &Create,
    found: &mut Found,
) -> Result<(), Stop> {
    for sort in samples(found, DmfKind::Property, "sort") {
        if !back_at(ctx, &root.saved)? {
            continue;
        }
        let Some(made) = create_again(ctx, create, SMALL)? else { continue };
        if !go(ctx, &sort.events, ("", ""))? {
            continue;
        }
        let layout = &ctx.frame().layout;
        let rows: Vec<&str> = root.rows_of(layout).collect();
        if !sorted(&rows) || !rows.contains(&SMALL) {
            continue;
        }
        let own = |row: &&&str| !root.names.iter().any(|name| name == *row);
        let order: Vec<String> = rows.iter().filter(own).map(|row| (*row).to_owned()).collect();
        found.add_longer(Sample {
            order,
            literal: vec![SMALL.to_owned()],
            reason: format!("“{SMALL}” stood where it belongs, small letters and capital ones alike."),
            ..Sample::of(ctx.trace(), made.steps.start, DmfKind::Property, "sort")
        });
    }
    Ok(())
}

/// What was entered into another field is still there after the object was deleted and brought back.
fn undo_of_entered(ctx: &mut RoundCtx<'_>, root: &Root, found: &mut Found) -> Result<(), Stop> {
    let Some(entered) = samples(found, DmfKind::Property, "edit_").into_iter().next() else { return Ok(()) };
    let Some(text) = entered.added.clone() else { return Ok(()) };
    for undo in samples(found, DmfKind::Property, "undo") {
        let there = back_at(ctx, &root.saved)? && go(ctx, &entered.events, ("", ""))?;
        if !there || !closed(ctx, root)? || !go(ctx, &undo.events, ("", ""))? {
            continue;
        }
        if !opened(ctx, root.focus())? || !turned_to(ctx, &text)? {
            continue;
        }
        found.add_longer(Sample {
            added: Some(text.clone()),
            sought: Some(root.focus().to_owned()),
            shown: Some(true),
            reason: format!(
                "After it was deleted and brought back, its page still showed “{}”, which was entered before.",
                one_line(&text)
            ),
            ..Sample::of(ctx.trace(), root.saved.trace().len(), DmfKind::Property, "undo")
        });
    }
    Ok(())
}

/// Touches the name in the list. Returns whether that could be done.
fn opened(ctx: &mut RoundCtx<'_>, name: &str) -> Result<bool, Stop> {
    look_for(ctx, name)?;
    let row = showing(&ctx.frame().layout, name).last();
    let row = row.and_then(|idx| event_on(&ctx.frame().layout, idx, Gesture::Tap));
    let Some(row) = row else { return Ok(false) };
    Ok(survives(ctx.perform(row, StepRole::Explored))?.is_some())
}

/// Goes back to the list by the first button that leads there, or else by the Back key. Returns whether it is shown.
fn closed(ctx: &mut RoundCtx<'_>, root: &Root) -> Result<bool, Stop> {
    let page = ctx.save()?;
    let known = root.known();
    let taps = acts(&page.frame().layout, &ctx.target().app, &known).into_iter().filter(|act| !act.on_focus);
    for act in taps.chain([Act::key(Key::Back)]).collect::<Vec<_>>() {
        let Some(state) = after(ctx, &page, act.event)? else { continue };
        let listed = root.is_list(&state.frame().layout);
        if listed
            && (root.names.iter().any(|name| root.lists(&state.frame().layout, name))
                || look_for(ctx, root.focus())?)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the page shows the text, at once or on one of its tabs.
fn turned_to(ctx: &mut RoundCtx<'_>, text: &str) -> Result<bool, Stop> {
    if is_saved(&ctx.frame().layout, text) {
        return Ok(true);
    }
    let page = ctx.save()?;
    for act in acts(&page.frame().layout, &ctx.target().app, &super::screen::Known::default()) {
        let Some(state) = after(ctx, &page, act.event)? else { continue };
        if is_saved(&state.frame().layout, text) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where a page stands beside the list while the phone lies on its side, it is changed there as well.
fn edit_sideways(ctx: &mut RoundCtx<'_>, root: &Root, found: &mut Found) -> Result<(), Stop> {
    for edit in samples(found, DmfKind::Update, "edit") {
        let Some(text) = edit.added.clone() else { continue };
        if !back_at(ctx, &root.saved)? || survives(ctx.perform(Event::Rotate, StepRole::Explored))?.is_none()
        {
            return Ok(());
        }
        look_for(ctx, root.focus())?;
        let opens = edit
            .events
            .first()
            .is_some_and(|first| matches!(first, Event::Widget { gesture: Gesture::Tap, .. }));
        let (first, rest) = edit.events.split_at(1.min(edit.events.len()));
        if !opens || !go(ctx, first, ("", ""))? {
            continue;
        }
        let layout = &ctx.frame().layout;
        let beside = showing(layout, root.focus()).count() > 1;
        if !beside || !go(ctx, rest, ("", ""))? || !is_saved(&ctx.frame().layout, &text) {
            continue;
        }
        if shows(&ctx.frame().layout, root.focus()) {
            continue;
        }
        let first = root.saved.trace().len();
        found.add_longer(Sample {
            added: Some(text),
            removed: Some(root.focus().to_owned()),
            reason: "On the page beside the list, the same can be done.".to_owned(),
            ..Sample::of(ctx.trace(), first, DmfKind::Update, "edit")
        });
    }
    Ok(())
}

/// What was marked is shown by the filter, and no longer if its page takes the mark away.
fn lose_mark(ctx: &mut RoundCtx<'_>, root: &Root, found: &mut Found) -> Result<(), Stop> {
    for filter in samples(found, DmfKind::Property, "filter") {
        let Some(by) = filter.events.last().cloned() else { continue };
        let marks = acts(&root.saved.frame().layout, &ctx.target().app, &root.known());
        for mark in marks.into_iter().filter(|act| act.on_focus) {
            let Some(marked) = after(ctx, &root.saved, mark.event)? else { continue };
            if !root.is_list(&marked.frame().layout) || !go(ctx, std::slice::from_ref(&by), ("", ""))? {
                continue;
            }
            if root.lists(&ctx.frame().layout, root.focus()) && unmarked(ctx, root, found)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// From the filtered list, opens the object and looks for what takes its mark away.
fn unmarked(ctx: &mut RoundCtx<'_>, root: &Root, found: &mut Found) -> Result<ControlFlow<()>, Stop> {
    if !opened(ctx, root.focus())? {
        return Ok(ControlFlow::Continue(()));
    }
    let page = ctx.save()?;
    for act in acts(&page.frame().layout, &ctx.target().app, &root.known()) {
        let Some(off) = after(ctx, &page, act.event)? else { continue };
        if !shows(&off.frame().layout, root.focus()) || root.is_list(&off.frame().layout) {
            continue;
        }
        let taps = acts(&off.frame().layout, &ctx.target().app, &root.known());
        for close in taps.into_iter().chain([Act::key(Key::Back)]) {
            let Some(listed) = after(ctx, &off, close.event)? else { continue };
            let now = &listed.frame().layout;
            if !root.is_list(now) || root.names.iter().any(|name| shows(now, name)) {
                continue;
            }
            let reason = "What had lost its mark was not among those that have one any more.".to_owned();
            found.add_longer(Sample {
                added: Some(root.focus().to_owned()),
                shown: Some(false),
                reason,
                ..Sample::of(listed.trace(), root.last.start, DmfKind::Property, "unmark")
            });
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}
