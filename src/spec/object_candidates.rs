//! Which texts of a recording could be its objects, with every place where each shows: for proposals, and for
//! clicking one on the screen.

use std::collections::BTreeMap;

use super::DmfKind;
use super::likeness::Looks;
use super::recorder::{RecordedStep, recorded_layouts};
use super::recorder_coalesce::coalesce;
use super::recorder_objects::{belongs, target_of, typed_text};
use super::recorder_request::Role;
use crate::model::{Layout, WidgetIdx};

/// A text that could be an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectCandidate {
    /// As what.
    pub role: Role,
    /// The text.
    pub text: String,
    /// Every place where it shows, in order; text fields among them.
    pub places: Vec<ObjectPlace>,
    /// Why it could be, in words.
    pub why: String,
}

/// A place where a text shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectPlace {
    /// The recorded layout.
    pub layout: usize,
    /// The widget there.
    pub widget: WidgetIdx,
    /// Whether it is a text field.
    pub field: bool,
}

/// The candidates for the roles that a kind of function has, best first within each role. For a property all
/// roles are tried, as it may speak of anything.
pub fn object_candidates(steps: &[RecordedStep], kind: DmfKind) -> Vec<ObjectCandidate> {
    let seen = Seen::of(steps);
    let mut candidates: Vec<(Role, u32, ObjectCandidate)> = Vec::new();
    let tried = |role: &Role| belongs(*role, kind) || kind == DmfKind::Property;
    for role in Role::ALL.into_iter().filter(tried) {
        for (text, places) in &seen.places {
            if let Some((score, why)) = seen.score(role, text, places) {
                let candidate = ObjectCandidate { role, text: text.clone(), places: places.clone(), why };
                candidates.push((role, score, candidate));
            }
        }
    }
    let place = |candidate: &ObjectCandidate| candidate.places.first().copied();
    candidates.sort_by(|a, b| {
        (a.0, std::cmp::Reverse(a.1), place(&a.2)).cmp(&(b.0, std::cmp::Reverse(b.1), place(&b.2)))
    });
    candidates.into_iter().map(|(_, _, candidate)| candidate).collect()
}

/// What a recording shows of texts.
struct Seen {
    places: BTreeMap<String, Vec<ObjectPlace>>,
    /// Texts typed, with the number of the last recorded step that types each.
    typed: BTreeMap<String, usize>,
    /// Texts of touched widgets, or of the rows that they stand in, with the first such step.
    touched: BTreeMap<String, usize>,
    last: usize,
    /// Whether the recording comes back to a screen like its first.
    comes_back: bool,
}

impl Seen {
    fn of(steps: &[RecordedStep]) -> Seen {
        let layouts = recorded_layouts(steps);
        let mut places: BTreeMap<String, Vec<ObjectPlace>> = BTreeMap::new();
        for (number, layout) in layouts.iter().enumerate() {
            for (idx, widget) in layout.iter().filter(|(_, widget)| !widget.text.is_empty()) {
                let place = ObjectPlace { layout: number, widget: idx, field: widget.is_text_field() };
                places.entry(widget.text.to_string()).or_default().push(place);
            }
        }
        let (mut typed, mut touched) = (BTreeMap::new(), BTreeMap::new());
        for joined in coalesce(steps) {
            if let Some(text) = typed_text(&joined.step.event) {
                typed.insert(text.to_owned(), joined.end - 1);
            } else if let Some(target) = target_of(&joined.step) {
                for text in texts_of_row(&joined.step.before, target) {
                    touched.entry(text).or_insert(joined.first);
                }
            }
        }
        let ends = layouts.first().zip(layouts.last());
        Seen {
            places,
            typed,
            touched,
            last: layouts.len().saturating_sub(1),
            comes_back: ends
                .is_some_and(|(first, last)| Looks::of(first).likeness(&Looks::of(last)).is_some()),
        }
    }

    /// How well a text fits a role, and why; `None` where it does not.
    fn score(&self, role: Role, text: &str, places: &[ObjectPlace]) -> Option<(u32, String)> {
        let shown = |layout: usize| places.iter().any(|place| place.layout == layout && !place.field);
        let (first, last) = (shown(0), shown(self.last));
        let (typed, touched) = (self.typed.get(text), self.touched.get(text));
        let step = |step: &usize| format!("step {}", step + 1);
        let told = |score: u32, why: String| Some((score, why));
        match (role, typed, touched) {
            (Role::Added, Some(typed), _) if last && !first => {
                told(5, format!("typed in {} and shown at the end", step(typed)))
            }
            (Role::Added, Some(typed), _) if last => {
                told(3, format!("typed in {}, but shown at the start already", step(typed)))
            }
            (Role::Added, Some(typed), _) => {
                told(2, format!("typed in {}, but not shown at the end", step(typed)))
            }
            (Role::Added, None, Some(touched)) if last && !first => {
                told(4, format!("touched in {} and shown at the end, not at the start", step(touched)))
            }
            (Role::Added, None, None) if last && !first && self.comes_back => {
                told(1, "shown at the end, not at the start".to_owned())
            }
            (Role::Added, None, _) => None,
            (Role::Removed, _, Some(touched)) if !last => {
                told(5, format!("touched in {} and gone at the end", step(touched)))
            }
            (Role::Removed, Some(typed), _) if !last && first => {
                told(4, format!("looked for in {} and gone at the end", step(typed)))
            }
            (Role::Removed, None, None) if first && !last && self.comes_back => {
                told(2, "shown at the start, gone at the end".to_owned())
            }
            (Role::Removed, _, Some(touched)) => {
                told(1, format!("touched in {}, but still shown at the end", step(touched)))
            }
            (Role::Removed, _, None) => None,
            (Role::Sought, Some(typed), _) if last => {
                told(5, format!("typed in {} and found at the end", step(typed)))
            }
            (Role::Sought, _, Some(touched)) if last => {
                told(4, format!("touched in {} and shown at the end", step(touched)))
            }
            (Role::Sought, Some(typed), _) => {
                told(3, format!("typed in {}, but not found at the end", step(typed)))
            }
            (Role::Sought, None, Some(touched)) => {
                told(2, format!("touched in {}, but not shown at the end", step(touched)))
            }
            (Role::Sought, None, None) => None,
        }
    }
}

/// The text of the touched widget, or else those of the smallest row around it.
fn texts_of_row(layout: &Layout, target: WidgetIdx) -> Vec<String> {
    let texts = |around: WidgetIdx| -> Vec<String> {
        let widgets = layout.subtree(around).map(|idx| layout.widget(idx));
        let shown = widgets.filter(|widget| !widget.text.is_empty() && !widget.is_text_field());
        shown.map(|widget| widget.text.to_string()).collect()
    };
    let own = texts(target);
    if !own.is_empty() || layout.widget(target).is_text_field() {
        return own;
    }
    layout.rows_around(target).first().map(|row| texts(*row)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Event, Gesture, Selector, layout_from};
    use std::sync::Arc;

    fn steps(screens: &[&str], events: &[(&str, Gesture)]) -> Vec<RecordedStep> {
        let layouts: Vec<Arc<Layout>> = screens.iter().map(|screen| Arc::new(layout_from(screen))).collect();
        let step = |((id, gesture), seen): (&(&str, Gesture), &[Arc<Layout>])| {
            let selector = Selector { resource_id: Some(format!("org.ex:id/{id}")), ..Selector::default() };
            let event = Event::on(&seen[0], selector, gesture.clone()).unwrap();
            RecordedStep { event, before: seen[0].clone(), after: seen[1].clone() }
        };
        events.iter().zip(layouts.windows(2)).map(step).collect()
    }

    fn told(steps: &[RecordedStep], kind: DmfKind) -> Vec<String> {
        let line =
            |c: &ObjectCandidate| format!("{} {:?} {}: {}", c.role.word(), c.text, c.places.len(), c.why);
        object_candidates(steps, kind).iter().map(line).collect()
    }

    const LIST: &str = "ListView\n  LinearLayout\n    TextView#row \"a\"\n    Button#more\nButton#fab\n";

    #[test]
    fn what_was_typed_and_shows_was_added() {
        let listed = LIST
            .replace("Button#fab", "  LinearLayout\n    TextView#row \"k7\"\n    Button#more\nButton#fab");
        let screens =
            [LIST, "EditText#title\nButton#save\n", "EditText#title \"k7\"\nButton#save\n", &listed];
        let events =
            [("fab", Gesture::Tap), ("title", Gesture::SetText("k7".to_owned())), ("save", Gesture::Tap)];
        let made = steps(&screens, &events);
        assert_eq!(told(&made, DmfKind::Create), ["added \"k7\" 2: typed in step 2 and shown at the end"]);
    }

    #[test]
    fn what_stood_beside_a_touched_button_was_removed() {
        let screens = [LIST, "Button#delete \"Delete\"\n", "ListView\nButton#fab\n"];
        let gone = steps(&screens, &[("more", Gesture::Tap), ("delete", Gesture::Tap)]);
        let expected = [
            "removed \"a\" 1: touched in step 1 and gone at the end",
            "removed \"Delete\" 1: touched in step 2 and gone at the end",
        ];
        assert_eq!(told(&gone, DmfKind::Delete), expected);
    }
}
