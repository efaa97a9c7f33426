//! Makes a draft DMF from performed events and their layouts (`engine/pbfdroid/paper.md`, section 6). Pure: window,
//! command line and tests pass the same values, and the same steps and choices always result in the same draft.

mod action;
mod changed_state;
mod coalesce;
mod condition_truth;
mod conditions;
mod cut;
mod draft;
mod drafter;
mod error;
mod guess;
mod lead;
mod objects;
mod once;
mod place;
mod preference;
mod request;
mod selector;
mod states;
mod toggles;

use std::sync::Arc;

use taproof_screen::{Layout, RecordedStep, is_opaque, opaque_words};

use cut::cut;
use drafter::Drafter;
use objects::Objects;

pub use coalesce::{CoalescedStep, coalesce};
pub use condition_truth::{CanFail, ConditionTruth, ConditionWhich, keep_conditions, refused};
pub use draft::{Draft, DraftNote, LeadStep, NoteOn};
pub use error::RecorderError;
pub use guess::proposed_kind;
pub use objects::DraftObject;
pub use preference::SelectorPreference;
pub use request::{ConditionChoice, DraftRequest, Extent, ImpactChoice, ObjectChoice, PickedWidget, Role};
pub use selector::{
    Candidate, ChosenSelector, ObjectText, Strength, choose_preferred_selector, choose_selector, named_by,
    selector_candidates,
};

/// Makes a draft DMF from recorded steps and the choices of a person.
///
/// # Errors
///
/// A [`RecorderError`] if there is no step, an object is unknown or not shown, or a step has no target.
pub fn draft(steps: &[RecordedStep], request: &DraftRequest) -> Result<Draft, RecorderError> {
    if steps.is_empty() {
        return Err(RecorderError::Empty);
    }
    let recorded = recorded_layouts(steps);
    // An object is the final content of a field, not its last letter.
    let joined = coalesce(steps);
    let own: Vec<RecordedStep> = joined.iter().map(|joined| joined.step.clone()).collect();
    let mut objects = Objects::of(&own, &recorded, request)?;
    let cut = cut(joined, &own, request, &objects)?;
    objects.add_typed(cut.drawn_texts(request));
    let mut drafter = Drafter::new(request, &objects, &recorded, &cut);
    drafter.steps()?;
    drafter.answered_once();
    drafter.names_and_objects()?;
    drafter.several_fields();
    drafter.impacts();
    drafter.conditions();
    drafter.lead_in(steps);
    let mut draft = drafter.done();
    draft.prove();
    Ok(draft)
}

/// The layout before each recorded step, and the last one. A request refers to these.
pub fn recorded_layouts(steps: &[RecordedStep]) -> Vec<Arc<Layout>> {
    let before = steps.iter().map(|step| Arc::clone(&step.before));
    before.chain(steps.last().map(|step| Arc::clone(&step.after))).collect()
}

/// What is to be said if the widget tree of a page holds next to nothing: its steps touch places, and nothing on it can be
/// asked for.
pub fn opaque_page(layouts: &[Arc<Layout>]) -> Option<String> {
    let opaque = layouts.iter().find(|layout| is_opaque(layout, layout.package()))?;
    let words = opaque_words(&opaque.page_name());
    Some(format!("{words} steps on it touch places, and conditions cannot ask for what it shows."))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Action, ConditionChoice, DmfKind, Input, PickedWidget};
    use taproof_screen::{Direction, Event, Gesture, PxRect, Selector, WidgetFlags, WidgetIdx, layout_from};

    /// A step between two screens: a gesture on the first widget of an id, or a key.
    fn step(before: &str, id: &str, gesture: Gesture, after: &str) -> RecordedStep {
        let (before, after) = (Arc::new(layout_from(before)), Arc::new(layout_from(after)));
        let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
        RecordedStep { event: Event::on(&before, selector, gesture).unwrap(), before, after }
    }

    fn request(kind: DmfKind) -> DraftRequest {
        DraftRequest::new(kind, "note")
    }

    fn widgets(draft: &Draft) -> Vec<String> {
        draft.dmf.widgets.iter().map(|w| format!("{}@{} {}", w.name, w.layout, w.selector)).collect()
    }

    const LIST: &str = "ImageButton#search (Search)\nTextView#row \"a\"\nTextView#row \"c1\"\n";

    #[test]
    fn a_page_that_holds_next_to_nothing_is_told() {
        let list = Arc::new(layout_from(LIST));
        let canvas = layout_from("SurfaceView\n").with_changed(&[WidgetIdx(0)], |canvas| {
            canvas.bounds = PxRect::new(0, 0, 1080, 1920);
        });
        assert_eq!(opaque_page(std::slice::from_ref(&list)), None);
        let said = opaque_page(&[list, Arc::new(canvas)]).unwrap();
        assert!(said.starts_with("The widget tree of Main holds one widget"), "{said}");
    }

    #[test]
    fn a_search_reads_its_field_and_proves_itself_by_a_row() {
        let typed = "EditText#title \"c1\"\nTextView#row \"c1\"\n";
        let steps = [
            step(LIST, "search", Gesture::Tap, "EditText#title\n"),
            step("EditText#title\n", "title", Gesture::SetText("c1".to_owned()), typed),
        ];
        let draft = draft(&steps, &request(DmfKind::Search)).unwrap();
        assert_eq!(draft.dmf.steps[1].input, Input::Existing("note".to_owned()));
        let expected = [
            "e1_widget@0 id \"org.ex:id/search\"",
            "e2_widget@1 id \"org.ex:id/title\"",
            "search_name@2 id \"org.ex:id/title\"",
            "search_object@2 id \"org.ex:id/row\", text search_name.text",
        ];
        assert_eq!(widgets(&draft), expected);
        assert!(
            draft.notes.iter().all(|note| !note.doubtful),
            "it fails before the search: {:#?}",
            draft.notes
        );
    }

    #[test]
    fn a_view_touches_the_row_of_any_known_object() {
        let opened = "TextView#heading \"c1\"\nTextView#body \"x\"\n";
        let mut tap = step(LIST, "row", Gesture::Tap, opened);
        if let Event::Widget { target, .. } = &mut tap.event {
            target.selector.text = Some("c1".to_owned());
            target.at = tap.before.widget(WidgetIdx(2)).bounds.center();
        }
        let draft = draft(&[tap], &request(DmfKind::Read)).unwrap();
        let expected = [
            "view_name@0 id \"org.ex:id/row\", text note::random",
            "view_object@1 id \"org.ex:id/heading\", text view_name.text",
        ];
        assert_eq!(widgets(&draft), expected);
        assert_eq!(draft.dmf.steps[0].widget.as_deref(), Some("view_name"));
        assert!(draft.dmf.impacts.is_empty() && draft.notes.iter().all(|note| !note.doubtful));
    }

    #[test]
    fn a_row_that_can_only_be_counted_is_doubtful() {
        let rows = "TextView#row \"a\"\nButton#more\nTextView#row \"b\"\nButton#more\n";
        let mut tap = step(rows, "more", Gesture::Tap, "TextView#row \"a\"\nButton#more\n");
        if let Event::Widget { target, .. } = &mut tap.event {
            target.selector.instance = Some(1);
            target.at = tap.before.widget(WidgetIdx(3)).bounds.center();
        }
        let request = DraftRequest { removed: Some("b".to_owned()).into(), ..request(DmfKind::Delete) };
        let draft = draft(&[tap], &request).unwrap();
        let expected = [
            "e1_widget@0 id \"org.ex:id/more\", instance 1",
            "delete_name@0 id \"org.ex:id/row\", instance 1",
            "delete_object@1 id \"org.ex:id/row\", text delete_name.text",
        ];
        assert_eq!(widgets(&draft), expected);
        assert!(draft.notes.iter().any(|note| note.doubtful && note.widget.as_deref() == Some("e1_widget")));
    }

    #[test]
    fn what_cannot_be_drafted_says_why() {
        assert_eq!(draft(&[], &request(DmfKind::Create)), Err(RecorderError::Empty));
        let tap = step(LIST, "search", Gesture::Tap, LIST);
        let unknown = draft(std::slice::from_ref(&tap), &request(DmfKind::Create));
        assert_eq!(unknown, Err(RecorderError::ObjectUnknown { role: "added" }));
        let asked = DraftRequest { removed: Some("zz".to_owned()).into(), ..request(DmfKind::Delete) };
        let missing = RecorderError::ObjectNotShown { role: "removed", object: "zz".to_owned() };
        assert_eq!(draft(&[tap], &asked), Err(missing));
    }

    #[test]
    fn what_is_picked_in_the_row_of_a_typed_object_is_found_in_that_row() {
        let list = |rows: &[&str]| {
            let row = |text: &&str| {
                format!("  LinearLayout\n    TextView#row \"{text}\"\n    ImageView#star (Star)\n")
            };
            format!("ListView\n{}Button#new\n", rows.iter().map(row).collect::<String>())
        };
        let (form, filled) = ("EditText#name\nButton#save\n", "EditText#name \"k1\"\nButton#save\n");
        let steps = [
            step(&list(&["a"]), "new", Gesture::Tap, form),
            step(form, "name", Gesture::SetText("k1".to_owned()), filled),
            step(filled, "save", Gesture::Tap, &list(&["a", "k1"])),
        ];
        let star = ConditionChoice { picked: PickedWidget::new(3, WidgetIdx(6)), shown: true, state: None };
        let asked = DraftRequest { postconditions: vec![star], ..request(DmfKind::Create) };
        let draft = draft(&steps, &asked).unwrap();
        let picked = draft.dmf.widget("post_widget").unwrap();
        assert_eq!(picked.selector.to_string(), "id \"org.ex:id/star\", in the row of add_object");
        let problems: Vec<_> = draft.truths().into_iter().filter_map(|truth| truth.problem).collect();
        assert_eq!(problems, Vec::<String>::new());
    }

    /// A list of notes, each with how much of it is left.
    fn notes_left(rows: &[(&str, &str)]) -> String {
        let row = |(text, left): &(&str, &str)| {
            format!("  LinearLayout\n    TextView#row \"{text}\"\n    TextView#left \"{left}\"\n")
        };
        format!("ListView\n{}Button#new\n", rows.iter().map(row).collect::<String>())
    }

    #[test]
    fn a_value_in_the_row_is_kept_if_the_function_typed_or_changed_it_and_else_asked_for() {
        let fields =
            |name: &str, left: &str| format!("EditText#name{name}\nEditText#amount{left}\nButton#save\n");
        let (form, named) = (fields("", ""), fields(" \"k1\"", ""));
        let filled = fields(" \"k1\"", " \"7.25\"");
        let create = |shown: &str| {
            let steps = [
                step(&notes_left(&[("a", "3 left")]), "new", Gesture::Tap, &form),
                step(&form, "name", Gesture::SetText("k1".to_owned()), &named),
                step(&named, "amount", Gesture::SetText("7.25".to_owned()), &filled),
                step(&filled, "save", Gesture::Tap, &notes_left(&[("a", "3 left"), ("k1", shown)])),
            ];
            let value =
                ConditionChoice { picked: PickedWidget::new(4, WidgetIdx(6)), shown: true, state: None };
            let mut asked = DraftRequest { postconditions: vec![value], ..request(DmfKind::Create) };
            asked.added = Some("k1".to_owned()).into();
            let draft = draft(&steps, &asked).unwrap();
            let selector = draft.dmf.widget("post_widget").unwrap().selector.to_string();
            let asks = draft.notes.iter().any(|note| note.doubtful && note.text.contains(shown));
            (selector, asks)
        };
        let row = ", in the row of add_object";
        assert_eq!(create("7.25"), (format!("id \"org.ex:id/left\", text \"7.25\"{row}"), false));
        assert_eq!(
            create("9 left"),
            (format!("id \"org.ex:id/left\", text \"9 left\"{row}"), true),
            "a count"
        );
        assert_eq!(create("3 left"), (format!("id \"org.ex:id/left\"{row}"), true), "as others have it");
    }

    #[test]
    fn a_deleted_object_is_missed_on_the_page_where_the_function_ends() {
        let page = "Toolbar#bar\nTextView#title \"k1\"\nImageView#picture\nButton#delete\n";
        let steps = [step(page, "delete", Gesture::Tap, &notes_left(&[("a", "3 left")]))];
        let seen = Arc::new(layout_from(&notes_left(&[("a", "3 left"), ("k1", "1 left")])));
        let asked = |seen| {
            let removed = Some("k1".to_owned()).into();
            draft(&steps, &DraftRequest { removed, seen, ..request(DmfKind::Delete) }).unwrap()
        };
        let known = asked(vec![seen]);
        let gone = known.dmf.widget("delete_object").unwrap().selector.to_string();
        assert_eq!(gone, "id \"org.ex:id/row\", text delete_name.text");
        assert_eq!(known.kept_dmf().postconditions.len(), 1);
        let unknown = asked(Vec::new());
        assert!(unknown.notes.iter().any(|note| note.doubtful && note.text.contains("another page")));
        assert_eq!(unknown.kept_dmf().postconditions, [], "nobody would notice there that it stayed");
    }

    #[test]
    fn a_row_that_was_named_before_is_found_by_its_new_name() {
        let list = |rows: &[&str]| {
            let row = |text: &&str| {
                format!("  LinearLayout\n    TextView#row \"{text}\"\n    ImageView#more (More)\n")
            };
            format!("ListView\n{}Button#new\n", rows.iter().map(row).collect::<String>())
        };
        let (form, filled) = ("EditText#name\nButton#save\n", "EditText#name \"k1\"\nButton#save\n");
        let (member, typed) = ("EditText#member\nButton#add\n", "EditText#member \"m1\"\nButton#add\n");
        let mut more = step(&list(&["a", "k1"]), "more", Gesture::Tap, member);
        let mut open = step(&list(&["a", "k1"]), "row", Gesture::Tap, "TextView#shown \"m1\"\n");
        for (tap, idx) in [(&mut more, WidgetIdx(6)), (&mut open, WidgetIdx(5))] {
            let Event::Widget { target, .. } = &mut tap.event else { panic!() };
            target.at = tap.before.widget(idx).bounds.center();
        }
        let steps = [
            step(&list(&["a"]), "new", Gesture::Tap, form),
            step(form, "name", Gesture::SetText("k1".to_owned()), filled),
            step(filled, "save", Gesture::Tap, &list(&["a", "k1"])),
            more,
            step(member, "member", Gesture::SetText("m1".to_owned()), typed),
            step(typed, "add", Gesture::Tap, &list(&["a", "k1"])),
            open,
        ];
        let mut asked = request(DmfKind::Property);
        asked.added =
            ObjectChoice { text: Some("m1".to_owned()), shown: Some(true), ..ObjectChoice::default() };
        let draft = draft(&steps, &asked).unwrap();
        let said = |name: &str| draft.dmf.widget(name).unwrap().selector.to_string();
        assert_eq!(said("typed_name"), "id \"org.ex:id/name\"");
        assert_eq!(draft.dmf.widget("typed_name").unwrap().layout, 2);
        assert_eq!(said("e4_widget"), "id \"org.ex:id/more\", in the row of row4_widget");
        assert_eq!(said("row4_widget"), "id \"org.ex:id/row\", text typed_name.text");
        assert_eq!(said("e7_widget"), "id \"org.ex:id/row\", text typed_name.text");
        // A text that is always the same may name its row.
        asked.inputs = [(1, Input::Literal("k1".to_owned()))].into();
        let literal = super::draft(&steps, &asked).unwrap();
        let named = literal.dmf.widget("e7_widget").unwrap();
        assert_eq!(named.selector.to_string(), "id \"org.ex:id/row\", text \"k1\"");
    }

    #[test]
    fn what_comes_back_out_of_sight_is_what_stood_beside_the_button() {
        let list = "ListView\n  TextView#row \"a\"\nButton#trash\n";
        let trash = "ListView\n  LinearLayout\n    TextView#gone \"k1\"\n    ImageView#back (Restore)\n";
        let steps = [step(list, "trash", Gesture::Tap, trash), step(trash, "back", Gesture::Tap, list)];
        let draft = draft(&steps, &request(DmfKind::Create)).unwrap();
        assert_eq!(draft.objects[0].text, "k1");
    }

    #[test]
    fn a_row_that_is_swiped_is_no_list_that_is_scrolled() {
        let list = layout_from("ListView\n  TextView#row \"a\"\n").with_changed(&[WidgetIdx(1)], |row| {
            row.flags = row.flags.with(WidgetFlags::SCROLLABLE, true);
        });
        let before = Arc::new(list);
        let selector = Selector { resource_id: Some("org.ex:id/row".to_owned()), ..Selector::default() };
        let event = Event::on(&before, selector, Gesture::Swipe(Direction::Left)).unwrap();
        let offered = "ListView\n  TextView#row \"a\"\n  Button#delete \"Delete\"\n";
        let swipe = RecordedStep { event, before, after: Arc::new(layout_from(offered)) };
        let steps = [swipe, step(offered, "delete", Gesture::Tap, "ListView\n")];
        let draft = draft(&steps, &request(DmfKind::Delete)).unwrap();
        let actions: Vec<Action> = draft.dmf.steps.iter().map(|step| step.action).collect();
        assert_eq!(actions, [Action::Scroll(Direction::Left), Action::Click]);
        assert_eq!(draft.dmf.steps[0].widget.as_deref(), Some("delete_name"));
    }

    #[test]
    fn a_condition_goes_with_its_widgets() {
        let typed = "EditText#title \"c1\"\nTextView#row \"c1\"\n";
        let steps = [
            step(LIST, "search", Gesture::Tap, "EditText#title\n"),
            step("EditText#title\n", "title", Gesture::SetText("c1".to_owned()), typed),
        ];
        let without = BTreeSet::from(["post in search_object".to_owned()]);
        let draft = draft(&steps, &DraftRequest { without, ..request(DmfKind::Search) }).unwrap();
        let expected = ["e1_widget@0 id \"org.ex:id/search\"", "e2_widget@1 id \"org.ex:id/title\""];
        assert_eq!(widgets(&draft), expected);
        assert_eq!((draft.dmf.preconditions.len(), draft.dmf.postconditions.len()), (2, 0));
        assert_eq!(draft.chosen_place(ConditionWhich::Pre(1)), None);
    }
}
