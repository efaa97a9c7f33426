//! Determines which steps of a recording belong to the function: from the last layout on which it can start to the
//! first that shows its result. A recording may contain more steps, in which a person looks around.

use std::sync::Arc;

use super::action::action;
use super::coalesce::CoalescedStep;
use super::drafter::is_number;
use super::error::RecorderError;
use super::objects::Objects;
use super::request::{DraftRequest, Extent, Role, chosen};
use crate::recorded_widgets::{field_holding, shows, touches, typed_text};
use crate::{DmfKind, Input};
use taproof_screen::Looks;
use taproof_screen::{Layout, RecordedStep};

/// The steps that belong to the function.
pub(super) struct Cut {
    /// The steps that belong to the function.
    pub(super) kept: Vec<CoalescedStep>,
    /// What was left out and why, and whether a person should review it.
    pub(super) remarks: Vec<(bool, String)>,
}

impl Cut {
    /// The texts that are typed and differ from run to run.
    pub(super) fn drawn_texts(&self, request: &DraftRequest) -> impl Iterator<Item = &str> {
        let drawn = |kept: &&CoalescedStep| {
            !matches!(chosen(&request.inputs, &(kept.first..kept.end)), Some(Input::Literal(_)))
        };
        let typed = self.kept.iter().filter(drawn).filter_map(|kept| typed_text(&kept.step.event));
        typed.filter(|text| !is_number(text))
    }
}

/// Cuts the coalesced steps. `own` are the same steps without their indices.
pub(super) fn cut(
    joined: Vec<CoalescedStep>,
    own: &[RecordedStep],
    request: &DraftRequest,
    objects: &Objects,
) -> Result<Cut, RecorderError> {
    let count = joined.last().map_or(0, |last| last.end);
    let layouts: Vec<&Arc<Layout>> =
        own.iter().map(|step| &step.before).chain(own.last().map(|step| &step.after)).collect();
    let taken = match &request.extent {
        Extent::Proposed => {
            let (first, end) = bounds(own, &layouts, request.kind, objects).unwrap_or((0, own.len()));
            let before = |index: usize| joined.get(index).map_or(count, |step| step.first);
            before(first)..before(end)
        }
        Extent::Whole => 0..count,
        Extent::Steps(range) => range.clone(),
    };
    let mut cut = Cut { kept: Vec::new(), remarks: Vec::new() };
    if request.extent == Extent::Proposed && (taken.start > 0 || taken.end < count) {
        cut.remark(
            false,
            format!(
                "of {} recorded steps, {} to {} belong to the function: it starts on the screen that it \
                 returns to and ends where its result first shows",
                count,
                taken.start + 1,
                taken.end
            ),
        );
    }
    let inside = |joined: &CoalescedStep| taken.contains(&joined.first) && joined.end <= taken.end;
    for joined in joined.into_iter().filter(inside) {
        cut.keep(joined, request);
    }
    if cut.kept.is_empty() { Err(RecorderError::Empty) } else { Ok(cut) }
}

impl Cut {
    fn remark(&mut self, doubtful: bool, text: String) {
        self.remarks.push((doubtful, text));
    }

    fn keep(&mut self, joined: CoalescedStep, request: &DraftRequest) {
        let (first, end) = (joined.first, joined.end);
        let typed = typed_text(&joined.step.event);
        let said = chosen(&request.inputs, &(first..end)).is_some();
        if action(&joined.step.event, &mut false).is_none() {
            self.remark(false, format!("step {} is left out: the format has no action for it", first + 1));
            return;
        }
        // An input without text means a new text in a specification, which is the opposite.
        if typed == Some("") && !said {
            let text = format!(
                "step {end} is left out: it empties a field, which no step of a specification can say; type \
                 something into the field instead"
            );
            self.remark(true, text);
            return;
        }
        if end - first > 1 {
            let what = if typed.is_some() { "they fill one field" } else { "they scroll one list" };
            self.remark(false, format!("steps {} to {end} are one: {what}", first + 1));
        }
        self.kept.push(joined);
    }
}

/// First step and end of the function; `None` if they cannot be determined.
fn bounds(
    steps: &[RecordedStep],
    layouts: &[&Arc<Layout>],
    kind: DmfKind,
    objects: &Objects,
) -> Option<(usize, usize)> {
    let typed = |object: &str| steps.iter().rposition(|step| typed_text(&step.event) == Some(object));
    let first_showing =
        |from: usize, object: &str| (from..layouts.len()).find(|index| shows(layouts[*index], object));
    // A widget that shows a text while a field contains it is a preview or a suggestion: nothing is saved yet.
    let first_saved = |from: usize, object: &str| {
        let saved = |index: &usize| {
            shows(layouts[*index], object) && field_holding(layouts[*index], object).is_none()
        };
        (from..layouts.len()).find(saved).or_else(|| first_showing(from, object))
    };
    let looks: Vec<Looks> = layouts.iter().map(|layout| Looks::of(layout)).collect();
    // An open menu leaves the screen similar; the function starts where it is most similar to its end.
    let start_for = |end: usize, limit: usize, shown: Option<&str>| {
        let starts = (0..=limit).filter(|start| shown.is_none_or(|object| shows(layouts[*start], object)));
        let like = starts.filter_map(|start| Some((start, looks[start].likeness(&looks[end])?)));
        like.max_by_key(|(_, likeness)| *likeness).map(|(start, _)| start)
    };
    // If the old object is typed first, the function includes searching for it.
    let sought_by = |removed: &str, limit: usize| typed(removed).map_or(limit, |typed| typed.min(limit));
    match kind {
        DmfKind::Create => {
            let added = objects.get(Role::Added)?;
            let typed = typed(added)?;
            let end = first_saved(typed + 1, added)?;
            Some((start_for(end, typed, None).unwrap_or(0), end))
        }
        DmfKind::Update => {
            let (added, removed) = (objects.get(Role::Added)?, objects.get(Role::Removed)?);
            let typed = typed(added)?;
            let last = layouts.len() - 1;
            // When the list that showed the old object shows the new one, everything has been seen.
            let comes_back = shows(layouts[0], removed) && shows(layouts[last], added);
            if comes_back && looks[0].likeness(&looks[last]).is_some() {
                return Some((0, last));
            }
            let starts = |end: usize| start_for(end, sought_by(removed, typed), Some(removed));
            let shown = first_saved(typed + 1, added);
            let end = shown.or_else(|| (typed + 1..layouts.len()).find(|end| starts(*end).is_some()))?;
            let start = starts(end).unwrap_or(0);
            // Whose row is touched is known; the page that it opens may be that of any object.
            let row = (0..start).rev().find(|step| touches(&steps[*step], removed));
            Some((row.unwrap_or(start), end))
        }
        DmfKind::Delete => {
            let removed = objects.get(Role::Removed)?;
            let last_shown = (0..layouts.len()).rev().find(|index| shows(layouts[*index], removed))?;
            let starts = |end: usize| start_for(end, sought_by(removed, last_shown), Some(removed));
            let end = (last_shown + 1..layouts.len()).find(|end| starts(*end).is_some())?;
            Some((starts(end)?, end))
        }
        DmfKind::Search => {
            let sought = objects.get(Role::Sought)?;
            let typed = typed(sought)?;
            // If the text is shown before it is typed, that it is shown afterwards does not prove the result.
            if objects.sought_in_vain {
                return None;
            }
            let end = first_showing(typed + 1, sought).filter(|_| !shows(layouts[typed], sought))?;
            Some((behind_typing(steps, layouts, typed), end))
        }
        DmfKind::Read | DmfKind::Property => None,
    }
}

/// The first layout after the typing before a step: where the field that contains the text is left. Opening the search
/// belongs to the function, however many taps it takes, but typing for another purpose does not.
fn behind_typing(steps: &[RecordedStep], layouts: &[&Arc<Layout>], step: usize) -> usize {
    let typed = |step: usize| typed_text(&steps[step].event).filter(|text| !text.is_empty());
    let Some((before, text)) = (0..step).rev().find_map(|it| Some((it, typed(it)?))) else { return 0 };
    let left = |index: &usize| field_holding(layouts[*index], text).is_none();
    (before + 1..=step).find(left).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::{Input, draft, propose};
    use taproof_screen::{Event, Gesture, Selector, layout_from};

    const LIST: &str = "ListView#list\n  TextView#row \"a\"\nButton#new \"New note\"\n";
    const LISTED: &str =
        "ListView#list\n  TextView#row \"a\"\n  TextView#row \"k1\"\nButton#new \"New note\"\n";

    /// A recording through screens, by what is done to the widgets of these ids.
    fn steps(screens: &[&str], done: &[(&str, Gesture)]) -> Vec<RecordedStep> {
        let layouts: Vec<_> = screens.iter().map(|screen| Arc::new(layout_from(screen))).collect();
        let step = |((id, gesture), seen): (&(&str, Gesture), &[Arc<Layout>])| {
            let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
            let event = Event::on(&seen[0], selector, gesture.clone()).unwrap();
            RecordedStep { event, before: Arc::clone(&seen[0]), after: Arc::clone(&seen[1]) }
        };
        done.iter().zip(layouts.windows(2)).map(step).collect()
    }

    fn check(kind: DmfKind, steps: &[RecordedStep], expected: Range<usize>) {
        let draft = draft(steps, &DraftRequest::new(kind, "note")).unwrap();
        assert_eq!(draft.first_step..draft.end_step, expected, "{:#?}", draft.notes);
    }

    fn typing(text: &str) -> Gesture {
        Gesture::SetText(text.to_owned())
    }

    #[test]
    fn a_preview_of_what_is_typed_is_not_its_result() {
        let (form, previewed) = (
            "TextView#title\nEditText#name\nButton#save \"Save\"\n",
            "TextView#title \"k1\"\nEditText#name \"k1\"\nButton#save \"Save\"\n",
        );
        let done = [("new", Gesture::Tap), ("name", typing("k1")), ("save", Gesture::Tap)];
        let added = steps(&[LIST, form, previewed, LISTED], &done);
        check(DmfKind::Create, &added, 0..3);
        let proposed: Vec<_> = propose(&added, &[]).into_iter().map(|it| (it.kind, it.steps)).collect();
        assert_eq!(proposed, [(DmfKind::Create, 0..3)]);
        // Where the field goes on holding it, the first screen that shows it is all there is.
        let line = "EditText#line\nListView#list\n  TextView#row \"a\"\n";
        let entered = "EditText#line \"k1\"\nListView#list\n  TextView#row \"a\"\n";
        let kept = "EditText#line \"k1\"\nListView#list\n  TextView#row \"a\"\n  TextView#row \"k1\"\n";
        let line =
            [format!("{line}Button#add\n"), format!("{entered}Button#add\n"), format!("{kept}Button#add\n")];
        let screens: Vec<&str> = line.iter().map(String::as_str).collect();
        let added = steps(&screens, &[("line", typing("k1")), ("add", Gesture::Tap)]);
        check(DmfKind::Create, &added, 0..2);
    }

    #[test]
    fn a_change_begins_in_the_row_of_the_object() {
        let page = |name: &str| format!("TextView#title \"{name}\"\nButton#edit \"Edit\"\n");
        let form = |name: &str| format!("EditText#name \"{name}\"\nButton#save \"Save\"\n");
        let screens = [LIST, &page("a"), &form("a"), &form("k1"), &page("k1")];
        let done =
            [("row", Gesture::Tap), ("edit", Gesture::Tap), ("name", typing("k1")), ("save", Gesture::Tap)];
        let changed = steps(&screens, &done);
        check(DmfKind::Update, &changed, 0..4);
        // From the page alone, it is whatever object the page shows.
        check(DmfKind::Update, &changed[1..], 0..3);
    }

    #[test]
    fn what_was_added_before_a_search_is_none_of_it() {
        let (form, filled) = ("EditText#name\nButton#save\n", "EditText#name \"k1\"\nButton#save\n");
        let (menu, page) = ("TextView#find \"Find\"\n", "EditText#query\nTextView#hint\n");
        let found = "EditText#query \"k1\"\nTextView#hit \"k1\"\n";
        let done = [
            ("new", Gesture::Tap),
            ("name", typing("k1")),
            ("save", Gesture::Tap),
            ("new", Gesture::LongPress),
            ("find", Gesture::Tap),
            ("query", typing("k1")),
        ];
        let searched = steps(&[LIST, form, filled, LISTED, menu, page, found], &done);
        check(DmfKind::Search, &searched, 3..6);
        check(DmfKind::Search, &searched[3..], 0..3);
    }

    #[test]
    fn an_emptied_field_is_no_new_text() {
        let form = |name: &str| format!("EditText#name \"{name}\"\nEditText#body\nButton#save\n");
        let (named, empty, filled) = (form("Untitled"), form(""), form("").replace("body", "body \"k1\""));
        let done =
            [("new", Gesture::Tap), ("name", typing("")), ("body", typing("k1")), ("save", Gesture::Tap)];
        let steps = steps(&[LIST, &named, &empty, &filled, LISTED], &done);
        let drafted = draft(&steps, &DraftRequest::new(DmfKind::Create, "note")).unwrap();
        let fields: Vec<_> = drafted.dmf.steps.iter().filter_map(|step| step.widget.as_deref()).collect();
        assert_eq!(fields, ["e1_widget", "e2_widget", "e3_widget"]);
        let doubts: Vec<_> = drafted.notes.iter().filter(|note| note.doubtful).collect();
        assert!(matches!(doubts[..], [note] if note.text.starts_with("step 2 is left out")), "{doubts:?}");
        let mut request = DraftRequest::new(DmfKind::Create, "note");
        request.inputs.insert(1, Input::Literal("x".to_owned()));
        assert_eq!(draft(&steps, &request).unwrap().dmf.steps.len(), 4);
    }
}
