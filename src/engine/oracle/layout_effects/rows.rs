//! The row of Genie and ODIN (`engine/genie/paper.md`, section 8): what is repeated and says something. The innermost one
//! counts, so that an item of a list is none where it is the only one.

use taproof_screen::{Layout, WidgetIdx};

/// Computes [`row_around`] for all widgets at once.
pub fn rows_by_widget(layout: &Layout) -> Vec<Option<WidgetIdx>> {
    let speaks = speaking(layout);
    let repeated = layout.repeated();
    let mut rows: Vec<Option<WidgetIdx>> = Vec::with_capacity(repeated.len());
    for (idx, widget) in layout.iter() {
        let is_row = repeated[idx.index()] && speaks[idx.index()];
        rows.push(if is_row { Some(idx) } else { widget.parent.and_then(|parent| rows[parent.index()]) });
    }
    rows
}

/// For each widget, whether it shows a text, or something in it does.
pub fn speaking(layout: &Layout) -> Vec<bool> {
    let mut speaks: Vec<bool> = layout.widgets().iter().map(|widget| !widget.text.is_empty()).collect();
    for (idx, widget) in layout.iter().rev() {
        if let Some(parent) = widget.parent.filter(|_| speaks[idx.index()]) {
            speaks[parent.index()] = true;
        }
    }
    speaks
}

/// Returns the innermost repeated widget with a text in it that is the widget or contains it; `None` if there is none.
pub fn row_around(layout: &Layout, widget: WidgetIdx) -> Option<WidgetIdx> {
    let mut around = std::iter::once(widget).chain(layout.ancestors(widget));
    around.find(|idx| layout.is_repeated(*idx) && layout.texts_in(*idx).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    #[test]
    fn all_rows_are_found_in_one_go() {
        let layout = layout_from(
            "ListView\n  Row\n    TextView \"a\"\n    Button\n  Row\n    Button\n  Button \"b\"\n",
        );
        let rows: Vec<_> = layout.iter().map(|(idx, _)| row_around(&layout, idx)).collect();
        assert_eq!(rows_by_widget(&layout), rows);
        assert!(rows[2] == Some(WidgetIdx(1)) && rows[5].is_none());
    }
}
