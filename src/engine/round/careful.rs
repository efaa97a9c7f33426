//! What exploration keeps from where nobody wrote a block list.

use taproof_screen::{Gesture, Layout, WidgetIdx};
use taproof_spec::{CommittingWords, DataModel, receiver};

/// What exploration avoids if nobody wrote what it must not do: widgets that change data by their words, snackbars, and
/// fields that hold the name of a known object.
#[derive(Clone, Copy)]
pub struct Careful<'a> {
    /// The words of widgets that change data.
    pub words: &'a CommittingWords,
    /// The objects that are known.
    pub data: &'a DataModel,
}

impl Careful<'_> {
    /// Whether a touch of the widget is avoided.
    pub fn avoids(&self, layout: &Layout, idx: WidgetIdx) -> bool {
        let widget = layout.widget(idx);
        let known = widget.is_text_field() && self.data.holds_any(&widget.text);
        // What a snackbar offers undoes what was just done.
        let undoes = std::iter::once(idx).chain(layout.ancestors(idx)).any(|idx| layout.is_snackbar(idx));
        let around =
            receiver(layout, idx, &Gesture::Tap).is_some_and(|idx| self.words.name(layout.widget(idx)));
        known || undoes || around || self.words.name(widget)
    }
}
