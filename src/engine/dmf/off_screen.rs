//! What may be there although the screen does not show it.

use taproof_screen::{Layout, Widget};
use taproof_spec::{Condition, Relation};

/// Whether what is not shown may lie behind the keyboard. Dumps do not say whether it is open; while a field has the
/// focus it mostly is, and on a screen that lies on its side it leaves next to no room.
pub(super) fn keyboard_covers(layout: &Layout) -> bool {
    layout.rotation().sideways() && layout.widgets().iter().any(Widget::is_focused_field)
}

/// Whether a condition that fails is first looked for in the lists.
pub(super) fn is_looked_for(condition: &Condition) -> bool {
    let shown = |it: &Condition| it.scroll && matches!(it.relation, Relation::In | Relation::SameIn);
    condition.alternatives().any(shown)
}
