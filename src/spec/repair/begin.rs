//! Where a function may begin, and what may lead there.

use super::portrait::is_touchable;
use super::walk::{Walk, any_text, located};
use crate::{CompiledSelector, Dmf, Relation};
use taproof_screen::{Layout, Widget, WidgetIdx, meanings};

/// Whether the widgets are there that must be shown before a function begins, whatever the app holds.
pub fn may_begin_on(dmf: &Dmf, layout: &Layout, app: &str) -> bool {
    let walk = Walk::default();
    let shown = dmf.preconditions.iter().filter(|it| it.relation == Relation::In && it.data_type.is_none());
    let mut widgets = shown.filter_map(|it| dmf.widget(it.widget.as_deref()?));
    widgets.all(|named| {
        let any = CompiledSelector::new(&any_text(named), &[]);
        located(&any, layout, &walk, app).is_some()
    })
}

/// The touchable widgets of a screen that are called like a kind of data and, with `menus`, those that open a menu.
pub fn named_alike(layout: &Layout, data_type: &str, menus: bool) -> Vec<WidgetIdx> {
    let nouns = meanings(data_type);
    let is_noun = |word: &String| {
        nouns.iter().any(|noun| word == noun || word.starts_with(noun.trim_end_matches(['y', 'f', 'e'])))
    };
    let rank = |widget: &Widget| -> Option<usize> {
        let says = [&*widget.text, &*widget.content_desc].into_iter().find(|words| !words.is_empty())?;
        let said = meanings(says);
        // A title is all that a tab says.
        let noun = said.iter().any(is_noun).then_some(said.len());
        let opens = ["menu", "drawer", "up", "navigation"];
        let menu = menus && said.iter().any(|word| opens.contains(&word.as_str()));
        noun.or(menu.then_some(10))
    };
    let touchable = layout.iter().filter(|(idx, _)| is_touchable(layout, *idx));
    let mut found: Vec<(usize, WidgetIdx)> =
        touchable.filter_map(|(idx, widget)| Some((rank(widget)?, idx))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, idx)| idx).collect()
}
