//! Whether typed texts arrive. A device without an input method accepts keys and reports success, but its fields stay as
//! they are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use taproof_screen::{Layout, Text, Widget, WidgetFlags};

/// How many texts may be lost in a field before no more are typed into it.
const MOST_LOST: u32 = 3;

/// What became of the texts that were typed on a device. Clones share it, as all phones of a device do.
#[derive(Clone, Default)]
pub(crate) struct Arrivals(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    /// Whether a text has ever changed a field. Then a field that stays as it is filters its input.
    arrived: bool,
    /// How many texts each field has lost.
    lost: BTreeMap<FieldName, u32>,
}

/// The activity, the id and the class of a field.
type FieldName = (Text, Option<Text>, Text);

/// A field whose text can be compared before and after typing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    name: FieldName,
    shows: Text,
}

impl Field {
    /// The field that this widget of the layout is; `None` if it is not one or hides what it contains.
    pub fn of(layout: &Layout, widget: &Widget) -> Option<Field> {
        let readable = widget.is_editable() && !widget.flags.has(WidgetFlags::PASSWORD);
        let name =
            || (Text::clone(layout.activity()), widget.resource_id.clone(), Text::clone(&widget.class));
        readable.then(|| Field { name: name(), shows: Text::clone(&widget.text) })
    }
}

impl Arrivals {
    /// Whether typing into the field would be in vain.
    pub fn in_vain(&self, field: &Field) -> bool {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !counts.arrived && counts.lost.get(&field.name).is_some_and(|lost| *lost >= MOST_LOST)
    }

    /// Compares a field before and after a text was typed. Returns true for the first text that was lost, unless an
    /// earlier one arrived.
    pub fn compare(&self, before: &Field, after: &Field, text: &str) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = before.shows != after.shows;
        // A field of another name is another field. An empty text changes no field that only shows its hint.
        if before.name != after.name || text.is_empty() || (!changed && *before.shows == *text) {
            return false;
        }
        counts.arrived |= changed;
        if counts.arrived {
            return false;
        }
        let first = counts.lost.is_empty();
        *counts.lost.entry(before.name.clone()).or_default() += 1;
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    fn field(line: &str) -> Field {
        let layout = layout_from(&format!("LinearLayout\n  {line}\n"));
        Field::of(&layout, layout.widgets().last().unwrap()).unwrap()
    }

    #[test]
    fn texts_that_change_nothing_are_lost() {
        let (empty, other) = (field("EditText#a"), field("EditText#b"));
        let arrivals = Arrivals::default();
        assert!(arrivals.compare(&empty, &empty, "x"), "the first one is reported");
        assert!(!arrivals.compare(&empty, &empty, "y") && !arrivals.in_vain(&empty));
        assert!(!arrivals.compare(&other, &other, "y"));
        assert!(!arrivals.compare(&empty, &empty, "z") && arrivals.in_vain(&empty));
        assert!(!arrivals.in_vain(&other), "each field has as many tries");
        assert!(!arrivals.compare(&other, &field("EditText#b \"1\""), "1a"), "a filter takes a part");
        assert!(!arrivals.in_vain(&empty), "the device can type");
        assert!(!arrivals.compare(&empty, &empty, "x"), "this field filters its input");
    }

    #[test]
    fn what_cannot_be_compared_is_not_counted() {
        let arrivals = Arrivals::default();
        let (hint, full) = (field("EditText#a \"Name\""), field("EditText#a \"x\""));
        for _ in 0..MOST_LOST {
            assert!(!arrivals.compare(&hint, &hint, ""));
            assert!(!arrivals.compare(&full, &full, "x"));
            assert!(!arrivals.compare(&full, &field("EditText#b \"x\""), "y"));
        }
        assert!(!arrivals.in_vain(&full));
        let layout = layout_from("LinearLayout\n  EditText#a\n  Button#b\n");
        let [_, secret, button] = layout.widgets() else { panic!("{layout:?}") };
        let secret = Widget { flags: secret.flags.with(WidgetFlags::PASSWORD, true), ..secret.clone() };
        assert_eq!((Field::of(&layout, &secret), Field::of(&layout, button)), (None, None));
    }
}
