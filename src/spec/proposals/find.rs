//! Detects where a walk looks like a function (the table of `engine/pbfdroid/paper.md`, section 2, in reverse): by what
//! a list gained, lost or changed, and by what was typed and touched before that.

use std::ops::Range;

use super::walk::{Kind, Walk, kind_of, rows, shown_as, surplus};
use crate::DmfKind;
use crate::recorded_widgets::field_holding;
use taproof_screen::{Event, Gesture, Key, Text, event_sentence, one_line};

/// Maximum number of steps of a function before its text is typed, and after.
const REACH: usize = 8;
/// Maximum number of steps for viewing an object.
const READ_REACH: usize = 3;

/// A part of the walk that looks like a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) kind: DmfKind,
    /// Range of the steps of the walk, after coalescing.
    pub(super) steps: Range<usize>,
    pub(super) added: Option<String>,
    pub(super) removed: Option<String>,
    pub(super) sought: Option<String>,
    /// The kind of the rows in which its objects are.
    pub(super) rows: Kind,
    pub(super) reason: String,
    pub(super) sure: bool,
}

impl Found {
    fn overlaps(&self, other: &Found) -> bool {
        self.steps.start < other.steps.end && other.steps.start < self.steps.end
    }
}

/// Everything that looks like a function, in the order of the steps. Of two that overlap, the one that shows more about
/// the data is kept.
pub(super) fn find_all(walk: &Walk<'_>) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let typed: Vec<usize> = (0..walk.joined.len()).filter(|step| walk.typed(*step).is_some()).collect();
    // A function begins after the end of the previous one.
    let mut from = 0;
    let deletions: Vec<Found> = (1..walk.layouts.len()).filter_map(|end| deleted(walk, end)).collect();
    for step in &typed {
        let known = walk.typed(*step).is_some_and(|text| is_known(walk, text, *step, &deletions, &found));
        let candidate = by_typing(walk, *step, from, known).filter(|it| it.steps.start >= from);
        if let Some(candidate) = candidate {
            from = candidate.steps.end;
            found.push(candidate);
        }
    }
    for candidate in deletions {
        if !found.iter().any(|known| known.overlaps(&candidate)) {
            found.push(candidate);
        }
    }
    let kinds: Vec<Kind> = found.iter().map(|found| found.rows.clone()).collect();
    let reads = (0..walk.joined.len()).filter_map(|step| looked_at(walk, step, &kinds));
    for read in reads {
        if !found.iter().any(|known| known.overlaps(&read)) {
            found.push(read);
        }
    }
    found.sort_by_key(|found| (found.steps.start, found.steps.end));
    found
}

/// Whether the app held an object with this text when it was typed: the text was shown before, and not removed since.
fn is_known(walk: &Walk<'_>, text: &str, typed: usize, deletions: &[Found], changes: &[Found]) -> bool {
    let shown = (0..=typed).rev().find(|layout| !shown_as(&walk.layouts[*layout], text).is_empty());
    let removed = |shown: usize| {
        deletions.iter().chain(changes).any(|change| {
            change.removed.as_deref() == Some(text) && change.steps.end > shown && change.steps.end <= typed
        })
    };
    shown.is_some_and(|shown| !removed(shown))
}

/// The function by which a typed text appears in a list. A widget that shows a text while a field contains it may be a
/// preview or a suggestion, so such a screen only shows the result if no other screen does.
fn by_typing(walk: &Walk<'_>, typed: usize, from: usize, known: bool) -> Option<Found> {
    if typed < from {
        return None;
    }
    let text = walk.typed(typed)?;
    let reach = (typed + 1)..walk.layouts.len().min(typed + 1 + REACH);
    let goes_on = |end: &usize| !walk.interrupted(typed..*end) && !other_text_typed(walk, typed, *end);
    let (open, saved): (Vec<usize>, Vec<usize>) = reach
        .take_while(goes_on)
        .partition(|end| !known && field_holding(&walk.layouts[*end], text).is_some());
    saved.into_iter().chain(open).find_map(|end| {
        shown_as(&walk.layouts[end], text).iter().find_map(|kind| match known {
            true => searched(walk, typed, end, kind),
            false => gained(walk, typed, end, kind, from),
        })
    })
}

/// Whether the same field is filled with another text before the end, so that the earlier text had no effect.
fn other_text_typed(walk: &Walk<'_>, typed: usize, end: usize) -> bool {
    let field = |step: usize| walk.touched(step).filter(|it| it.is_text_field()).map(kind_of);
    (typed + 1..end).any(|step| walk.typed(step).is_some() && field(step) == field(typed))
}

/// A list gained a typed text: an object was created, or an old row was changed into it.
fn gained(walk: &Walk<'_>, typed: usize, end: usize, kind: &Kind, from: usize) -> Option<Found> {
    let text = walk.typed(typed)?;
    let after = &walk.layouts[end];
    let start = best_start(walk, from.max(typed.saturating_sub(REACH))..=typed, end)?;
    let before = &walk.layouts[start];
    if !surplus(after, before, kind).iter().any(|gained| **gained == *text) {
        return None;
    }
    let lost = surplus(before, after, kind);
    let old = lost.iter().find(|old| is_about(walk, start, typed, old));
    let (kind_word, removed, reason) = match old {
        Some(old) => (
            DmfKind::Update,
            Some(old.to_string()),
            format!(
                "After {} the list shows “{}”, which was typed, in the place of “{}”.",
                order(walk, end - 1),
                one_line(text),
                one_line(old)
            ),
        ),
        // A new row of a long list moves the last one out of sight; a list that loses more is another list.
        None if lost.len() <= 1 => (
            DmfKind::Create,
            None,
            format!("After {} the list gained “{}”, which was typed.", order(walk, end - 1), one_line(text)),
        ),
        None => return None,
    };
    Some(Found {
        kind: kind_word,
        steps: start..end,
        added: Some(text.to_owned()),
        removed,
        sought: None,
        rows: kind.clone(),
        reason,
        sure: true,
    })
}

/// The layout that is most similar to the end; of equal ones the latest.
fn best_start(walk: &Walk<'_>, starts: std::ops::RangeInclusive<usize>, end: usize) -> Option<usize> {
    let like = starts.filter(|start| !walk.interrupted(*start..end));
    let like = like.filter_map(|start| Some((start, walk.likeness(start, end)?)));
    like.max_by_key(|(_, likeness)| *likeness).map(|(start, _)| start)
}

/// Whether the steps up to the typing refer to an object: they touch its row, or a field contained its text.
fn is_about(walk: &Walk<'_>, start: usize, typed: usize, object: &Text) -> bool {
    (start..=typed).any(|step| {
        walk.row_texts(step).iter().any(|(text, _)| text == object)
            || walk.layouts[step].widgets().iter().any(|it| it.is_text_field() && it.text == *object)
    })
}

/// A known text was typed and is now shown by a list, which is shorter than before or on a page that did not show it.
fn searched(walk: &Walk<'_>, typed: usize, end: usize, kind: &Kind) -> Option<Found> {
    let text = walk.typed(typed)?;
    let field = walk.touched(typed).filter(|it| it.is_text_field()).map(kind_of)?;
    let holds_field = |layout: usize| {
        walk.layouts[layout].widgets().iter().any(|it| it.is_text_field() && kind_of(it) == field)
    };
    // The function begins where the field is opened, if it was opened for this.
    let opened = (typed.saturating_sub(READ_REACH)..typed).rev().find(|layout| !holds_field(*layout));
    let start = opened.filter(|start| !walk.interrupted(*start..typed)).unwrap_or(typed);
    let (before, after) = (&walk.layouts[typed], &walk.layouts[end]);
    let known_there = rows(before, kind).any(|shown| **shown == *text);
    let lost = surplus(before, after, kind);
    let others_left = known_there && !lost.is_empty() && surplus(after, before, kind).is_empty();
    if known_there && !others_left {
        return None;
    }
    let what = if others_left { "the list only shows what fits" } else { "the list shows it" };
    Some(Found {
        kind: DmfKind::Search,
        steps: start..end,
        added: None,
        removed: None,
        sought: Some(text.to_owned()),
        rows: kind.clone(),
        reason: format!("“{}” was shown before; after it was typed, {what}.", one_line(text)),
        sure: true,
    })
}

/// A row that was touched is gone, and nothing else changed in the list.
fn deleted(walk: &Walk<'_>, end: usize) -> Option<Found> {
    let starts = (end.saturating_sub(REACH)..end).rev();
    let like = starts.filter(|start| walk.likeness(*start, end).is_some() && !walk.interrupted(*start..end));
    let gone = |start: usize| {
        let row = walk.row_texts(start).into_iter();
        row.map(|(text, kind)| (start, text, kind))
            .find(|(_, text, kind)| is_gone(walk, start..end, text, kind))
    };
    let (start, text, kind) = like.filter_map(gone).next()?;
    let list_left = rows(&walk.layouts[end], &kind).next().is_some();
    Some(Found {
        kind: DmfKind::Delete,
        steps: start..end,
        added: None,
        removed: Some(text.to_string()),
        sought: None,
        reason: format!(
            "“{}” was touched, and {}the list no longer shows it.",
            one_line(&text),
            then(walk, start, end)
        ),
        sure: list_left,
        rows: kind,
    })
}

/// Whether the last of these steps removed the row from its list.
fn is_gone(walk: &Walk<'_>, steps: Range<usize>, text: &Text, kind: &Kind) -> bool {
    let (start, end) = (steps.start, steps.end);
    let (before, last, after) = (&walk.layouts[start], &walk.layouts[end - 1], &walk.layouts[end]);
    if surplus(before, after, kind) != [text.clone()] || !shown_as(after, text).is_empty() {
        return false;
    }
    // The row must have been there until the last step; otherwise an earlier step removed it.
    let until_now = end - 1 == start
        || walk.likeness(end - 1, end).is_none()
        || !shown_as(last, text).is_empty()
        || rows(last, kind).next().is_none();
    let rest_stays = match &surplus(after, before, kind)[..] {
        [] => true,
        // The next hidden row of a long list moves into the free space, and so it does in a list that is scrolled.
        [other] => {
            rows(after, kind).count() > 1 && rows(after, kind).last() == Some(other) && !walk.scrolls(end - 1)
        }
        _ => false,
    };
    // A list that is empty now may be another one.
    let same_list =
        rows(after, kind).next().is_some() || (end - start > 1 && !comes_back(walk, end, text, kind));
    until_now && rest_stays && same_list
}

/// Whether a row is shown again later without having been created again.
fn comes_back(walk: &Walk<'_>, end: usize, text: &Text, kind: &Kind) -> bool {
    let shown =
        (end..walk.layouts.len()).find(|layout| shown_as(&walk.layouts[*layout], text).contains(kind));
    shown.is_some_and(|shown| !(end..shown).any(|step| walk.typed(step) == Some(text)))
}

/// The row of a known object was touched, and a page shows the object. Objects are texts that were typed in the walk,
/// and texts in rows that other functions changed; the label of a menu item leads to its page as well.
fn looked_at(walk: &Walk<'_>, start: usize, kinds: &[Kind]) -> Option<Found> {
    let tapped = |step: usize| {
        matches!(
            walk.joined[step].step.event,
            Event::Widget { gesture: Gesture::Tap | Gesture::LongPress, .. }
        )
    };
    if !tapped(start) {
        return None;
    }
    let is_object = |(text, kind): &&(Text, Kind)| walk.objects.contains(&**text) || kinds.contains(kind);
    let row = walk.row_texts(start);
    let (text, kind) = row.iter().find(is_object)?;
    let before = &walk.layouts[start];
    for end in start + 1..walk.layouts.len().min(start + 1 + READ_REACH) {
        if !tapped(end - 1) {
            return None;
        }
        let after = &walk.layouts[end];
        let elsewhere = walk.likeness(start, end).is_none() && before.activity() != after.activity();
        let new_place = shown_as(after, text).into_iter().find(|it| !shown_as(before, text).contains(it));
        let in_field = after.widgets().iter().any(|it| it.is_text_field() && it.text == *text);
        let list_left = rows(after, kind).any(|shown| shown == text);
        if (new_place.is_some() && !list_left) || (elsewhere && in_field) {
            return Some(Found {
                kind: DmfKind::Read,
                steps: start..end,
                added: None,
                removed: None,
                sought: Some(text.to_string()),
                rows: kind.clone(),
                reason: format!(
                    "“{}” was touched, and {}a page shows it.",
                    one_line(text),
                    then(walk, start, end)
                ),
                sure: new_place.is_some(),
            });
        }
    }
    None
}

/// `after “Delete” `, if there was more than one step.
fn then(walk: &Walk<'_>, start: usize, end: usize) -> String {
    if end - start > 1 { format!("after {} ", order(walk, end - 1)) } else { String::new() }
}

/// What a step did, in words as short as people use: “Create”.
fn order(walk: &Walk<'_>, step: usize) -> String {
    let touched = walk.touched(step);
    let label = touched.map(|it| if it.text.is_empty() { &it.content_desc } else { &it.text });
    match (&walk.joined[step].step.event, label) {
        (Event::Key(Key::Back), _) => "Back".to_owned(),
        (Event::Widget { gesture: Gesture::Tap | Gesture::LongPress, .. }, Some(label))
            if !label.is_empty() =>
        {
            format!("“{}”", one_line(label))
        }
        (event, _) => format!("“{}”", event_sentence(event, &walk.layouts[step])),
    }
}
