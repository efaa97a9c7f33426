//! What an experiment did: which objects its last step created, changed, removed, showed, found, ordered or hid.

use super::creates::kind_of;
use super::functions::{Field, Node, Root, Typed};
use super::sample::Sample;
use super::screen::{Act, is_held, shows};
use taproof_screen::{Event, Gesture, Key, Layout, Looks, Widget, headline, is_dialog, one_line};
use taproof_spec::{DmfKind, PickedWidget};

/// Number of rows in an order that cannot be one by chance.
const IN_ORDER: usize = 4;

impl Root {
    /// Whether the list shows the object.
    pub(super) fn lists(&self, layout: &Layout, name: &str) -> bool {
        self.rows_of(layout).any(|text| text == name)
    }

    pub(super) fn lists_others(&self, layout: &Layout) -> bool {
        self.is_list(layout) && self.others().all(|name| self.lists(layout, name))
    }

    /// The names in the list, from top to bottom.
    pub(super) fn rows_of<'l>(&'l self, layout: &'l Layout) -> impl Iterator<Item = &'l str> + 'l {
        let in_list = |widget: &&Widget| !widget.is_text_field() && !widget.text.is_empty();
        let of_kind = |(idx, _): &(_, &Widget)| kind_of(layout, *idx) == self.rows;
        let rows = layout.iter().filter(of_kind).map(|(_, widget)| widget).filter(in_list);
        rows.map(|widget| &*widget.text)
    }

    pub(super) fn is_list(&self, layout: &Layout) -> bool {
        let own = &self.saved.frame().layout;
        let likeness = Looks::of(layout).likeness(&Looks::of(own));
        let same = || title(layout) == title(own) && layout.selected_labels() == own.selected_labels();
        likeness.is_some_and(|likeness| likeness >= 6_000) && same()
    }
}

/// What the last act did, in the state that it led to.
pub(super) fn effects(root: &Root, before: &Node, act: &Act, next: &Node) -> Vec<Sample> {
    let step = Step { root, before, act, next };
    let found = match &next.typed {
        Some(typed) if typed.into == Field::Search => step.searched(),
        Some(typed) => step.entered(typed),
        None if before.deleted => step.undone(),
        None => step.deleted().or_else(|| step.opened()).or_else(|| step.arranged()),
    };
    found.into_iter().collect()
}

struct Step<'a> {
    root: &'a Root,
    before: &'a Node,
    act: &'a Act,
    next: &'a Node,
}

impl Step<'_> {
    fn now(&self) -> &Layout {
        self.next.layout()
    }

    /// All steps since the root.
    fn sample(&self, kind: DmfKind, verb: &str, reason: String) -> Sample {
        self.sample_from(self.root.saved.trace().len(), kind, verb, reason)
    }

    fn sample_from(&self, first: usize, kind: DmfKind, verb: &str, reason: String) -> Sample {
        Sample { reason, ..Sample::of(self.next.saved.trace(), first, kind, verb) }
    }

    fn focus(&self) -> Option<String> {
        Some(self.root.focus().to_owned())
    }

    /// The typed text is shown where it was not, outside of a field.
    fn entered(&self, typed: &Typed) -> Option<Sample> {
        let (now, text) = (self.now(), &typed.text);
        let is_shown = |layout: &Layout| shows(layout, text) && !is_held(layout, text);
        if !is_shown(now) || is_shown(self.before.layout()) {
            return None;
        }
        let told = one_line(text);
        if typed.into == Field::Other {
            let others = self.root.others().any(|other| shows(now, other));
            if others || !shows(now, self.root.focus()) {
                return None;
            }
            let label: Vec<&str> = typed.label.split(|c: char| !c.is_alphanumeric()).collect();
            let verb = format!("edit_{}", label.join("_").trim_matches('_').to_lowercase());
            let reason = format!("“{told}” was typed, and after saving the page of the object showed it.");
            return Some(Sample {
                added: Some(text.clone()),
                sought: self.focus(),
                shown: Some(true),
                ..self.sample(DmfKind::Property, &verb, reason)
            });
        }
        if shows(now, self.root.focus()) {
            return None;
        }
        let old = one_line(self.root.focus());
        let reason = match self.root.lists_others(now) {
            true => format!("After saving, the list showed “{told}” in the place of “{old}”."),
            false => format!("After saving, the page showed “{told}” in the place of “{old}”."),
        };
        Some(Sample {
            added: Some(text.clone()),
            removed: self.focus(),
            ..self.sample(DmfKind::Update, "edit", reason)
        })
    }

    fn deleted(&self) -> Option<Sample> {
        let focus = self.root.focus();
        if !self.next.touched || shows(self.now(), focus) || !self.root.lists_others(self.now()) {
            return None;
        }
        let reason = format!("The list no longer showed “{}”, but still the others.", one_line(focus));
        Some(Sample { removed: self.focus(), ..self.sample(DmfKind::Delete, "delete", reason) })
    }

    /// What was deleted is in the list again.
    fn undone(&self) -> Option<Sample> {
        let focus = self.root.focus();
        if self.root.lists(self.before.layout(), focus) || !self.root.lists(self.now(), focus) {
            return None;
        }
        let reason = format!("After it was deleted, the list showed “{}” again.", one_line(focus));
        Some(Sample {
            sought: self.focus(),
            shown: Some(true),
            ..self.sample(DmfKind::Property, "undo", reason)
        })
    }

    /// The first tap on the object led to a page that shows it and no other.
    fn opened(&self) -> Option<Sample> {
        let tapped = matches!(self.act.event, Event::Widget { gesture: Gesture::Tap, .. });
        if self.before.depth > 0 || !self.act.on_focus || !tapped {
            return None;
        }
        let (now, focus) = (self.now(), self.root.focus());
        if self.root.others().any(|other| shows(now, other)) {
            return None;
        }
        let reason = format!("After its row was touched, a page showed “{}”.", one_line(focus));
        let sample = Sample { sought: self.focus(), ..self.sample(DmfKind::Read, "view", reason) };
        if shows(now, focus) {
            return Some(sample);
        }
        let field = now.iter().find(|(_, widget)| widget.is_text_field() && *widget.text == *focus)?.0;
        let expected = Some(PickedWidget::new(sample.steps.len(), field));
        Some(Sample { expected, ..sample })
    }

    /// After the name was typed, only the object is shown.
    fn searched(&self) -> Option<Sample> {
        let (now, focus) = (self.now(), self.root.focus());
        let ime = matches!(self.act.event, Event::Key(Key::ImeAction));
        let others = self.root.others().any(|other| shows(now, other));
        if others || !shows(now, focus) || (ime && shows(self.before.layout(), focus)) {
            return None;
        }
        let reason = format!("After “{}” was typed, it alone was shown.", one_line(focus));
        Some(Sample { sought: self.focus(), ..self.sample(DmfKind::Search, "search", reason) })
    }

    /// The list is still the same, but in another order, or without the objects, or after something was confirmed.
    fn arranged(&self) -> Option<Sample> {
        let (root, now) = (self.root, self.now());
        if self.next.touched || !root.is_list(now) {
            return None;
        }
        let shown = root.lists(now, root.focus());
        if !shown && self.before.depth == 0 && !root.names.iter().any(|name| shows(now, name)) {
            let reason = "The list that it was in did not show it any more, nor the others.".to_owned();
            let sample = self.sample_from(root.last.start, DmfKind::Property, "filter", reason);
            return Some(Sample { added: self.focus(), shown: Some(false), ..sample });
        }
        if shown && root.lists_others(now) && self.next.confirmed.is_some() && !is_dialog(now) {
            let verb = self.next.confirmed.as_deref().unwrap_or("confirm");
            let reason = "After that was confirmed, the list still showed all objects.".to_owned();
            let sample = self.sample(DmfKind::Property, verb, reason);
            return Some(Sample { sought: self.focus(), shown: Some(true), ..sample });
        }
        let first: Vec<&str> = root.rows_of(&root.saved.frame().layout).collect();
        let rows: Vec<&str> = root.rows_of(now).collect();
        let ordered = rows.len() >= IN_ORDER && sorted(&rows) && !sorted(&first);
        ordered.then(|| {
            let own = |row: &&&str| !root.names.iter().any(|name| name == *row);
            let order = rows.iter().filter(own).map(|row| (*row).to_owned()).collect();
            let reason = "The list was in the order of its names, and not before.".to_owned();
            Sample { order, ..self.sample(DmfKind::Property, "sort", reason) }
        })
    }
}

/// The title of a screen, without numbers.
fn title(layout: &Layout) -> Option<String> {
    let title = &layout.widget(headline(layout)?).text;
    Some(title.chars().filter(|letter| !letter.is_ascii_digit()).collect())
}

/// Whether rows are in the order of their names, small letters and capital ones alike.
pub(super) fn sorted(rows: &[&str]) -> bool {
    rows.is_sorted_by_key(|row| row.to_lowercase())
}
