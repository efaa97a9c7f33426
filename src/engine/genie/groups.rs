//! Groups of widgets, and which member of each is active (paper.md, section 7): only inactive widgets are independent
//! of what the test has done.

use std::collections::BTreeMap;

use crate::oracle::layout_effects::{LabelBasis, relocate};
use taproof_screen::{Layout, LayoutKey, Same, Widget, WidgetFlags, WidgetIdx, holds_actionable};

/// Parts of the names of classes that hold groups.
const GROUP_CLASSES: [&str; 9] = [
    "view.ViewGroup",
    "RadioGroup",
    "RelativeLayout",
    "LinearLayout",
    "FrameLayout",
    "GridLayout",
    "RecyclerView",
    "ListView",
    "GridView",
];

/// The groups of a layout: the widget that holds each, and its members in order.
pub type Groups = BTreeMap<WidgetIdx, Vec<WidgetIdx>>;

/// The last used member of each group.
pub type ActiveMap = BTreeMap<WidgetIdx, WidgetIdx>;

/// Infers the groups of a layout, breadth first from its roots.
pub fn groups(layout: &Layout) -> Groups {
    let usable = holds_actionable(layout);
    let mut found = Groups::new();
    let mut level: Vec<WidgetIdx> = layout.roots().collect();
    while !level.is_empty() {
        let mut below = Vec::new();
        for start in level {
            let reached = through_wrappers(layout, start);
            let shown = |idx: &WidgetIdx| {
                usable[idx.index()] && !layout.widget(*idx).flags.has(WidgetFlags::INVISIBLE)
            };
            below.extend(layout.children(reached).filter(shown));
            let class = &layout.widget(reached).class;
            if GROUP_CLASSES.iter().any(|group| class.contains(group)) {
                let members = members(layout, reached);
                if members.len() > 1 {
                    found.insert(reached, members);
                }
            }
        }
        level = below;
    }
    found
}

/// Descends from a widget through wrappers, which offer no action and contain one other widget.
fn through_wrappers(layout: &Layout, start: WidgetIdx) -> WidgetIdx {
    let mut idx = start;
    while let Some(inner) = wrapped(layout, idx) {
        idx = inner;
    }
    idx
}

fn wrapped(layout: &Layout, idx: WidgetIdx) -> Option<WidgetIdx> {
    let mut children = layout.children(idx);
    match (children.next(), children.next()) {
        (Some(only), None) if !layout.widget(idx).is_actionable() => Some(only),
        _ => None,
    }
}

/// The largest set of children of one class that are usable, themselves or as the leaf in a wrapper; the first of
/// equally large ones.
fn members(layout: &Layout, group: WidgetIdx) -> Vec<WidgetIdx> {
    let mut buckets: Vec<(&str, Vec<WidgetIdx>)> = Vec::new();
    for child in layout.children(group) {
        let member = through_wrappers(layout, child);
        let widget = layout.widget(member);
        if !widget.is_actionable() || (member != child && !layout.is_leaf(member)) {
            continue;
        }
        match buckets.iter_mut().find(|(class, _)| *class == &*widget.class) {
            Some((_, bucket)) => bucket.push(member),
            None => buckets.push((&widget.class, vec![member])),
        }
    }
    let biggest = buckets.iter().map(|(_, bucket)| bucket.len()).max();
    let first = buckets.into_iter().find(|(_, bucket)| Some(bucket.len()) == biggest);
    first.map(|(_, bucket)| bucket).unwrap_or_default()
}

/// The group that a widget is a member of: the nearest one around it, if that lists the widget.
pub fn group_of(layout: &Layout, groups: &Groups, idx: WidgetIdx) -> Option<WidgetIdx> {
    let nearest = layout.ancestors(idx).find(|around| groups.contains_key(around))?;
    groups.get(&nearest)?.contains(&idx).then_some(nearest)
}

/// Whether using one widget does not affect the other: they are in different groups or in none, or are of one type in
/// one group.
pub fn independent(layout: &Layout, groups: &Groups, one: WidgetIdx, other: WidgetIdx) -> bool {
    match (group_of(layout, groups, one), group_of(layout, groups, other)) {
        (Some(group), Some(same)) if group == same => layout.widget(one).same_type(layout.widget(other)),
        _ => true,
    }
}

/// Makes a used widget the active member of its group.
pub fn enter(layout: &Layout, groups: &Groups, active: &mut ActiveMap, idx: WidgetIdx) {
    if let Some(group) = group_of(layout, groups, idx) {
        active.insert(group, idx);
    }
}

/// Transfers the active members of an earlier layout to a later one, by exact matches only. What is found again is active
/// in the group that holds it there. The group itself may have changed, for instance by a new member.
pub fn carry(earlier: &Layout, active: &ActiveMap, later: &Layout, basis: LabelBasis) -> ActiveMap {
    let groups = groups(later);
    let mut carried = ActiveMap::new();
    for (group, member) in active {
        let found = relocate(earlier, *member, later, basis);
        if group == member {
            // A widget that was used on its own may show something else by now, for instance a field.
            let same = found.first().filter(|first| first.exact || found.len() == 1);
            carried.extend(same.map(|same| (same.widget, same.widget)));
        } else if let Some(same) = found.first().filter(|first| first.exact) {
            enter(later, &groups, &mut carried, same.widget);
        }
    }
    carried
}

/// The usable widgets that are not active.
pub fn selectable(layout: &Layout, active: &ActiveMap) -> Vec<WidgetIdx> {
    let in_use: Vec<WidgetIdx> = active.values().copied().collect();
    let free = |(idx, widget): &(WidgetIdx, &Widget)| widget.is_actionable() && !in_use.contains(idx);
    layout.iter().filter(free).map(|(idx, _)| idx).collect()
}

/// For each layout of a test, the usable widgets that are not active when it is reached. `receivers` are the widgets of
/// the events. Layouts are independent values: later entries do not change earlier ones. A used widget without a group
/// is active on its own (not in the paper): nothing is independent of itself.
pub fn selectable_along(
    layouts: &[Option<&Layout>],
    receivers: &[Option<WidgetIdx>],
    basis: LabelBasis,
) -> Vec<Vec<WidgetIdx>> {
    let pages: Vec<Option<LayoutKey>> =
        layouts.iter().map(|layout| Some((*layout)?.key(Same::Page))).collect();
    let mut history: Vec<Option<ActiveMap>> = Vec::new();
    let mut along = Vec::new();
    for (index, layout) in layouts.iter().enumerate() {
        let Some(layout) = layout else {
            history.push(None);
            along.push(Vec::new());
            continue;
        };
        let earlier = (0..index).rev().find_map(|before| {
            let (earlier, active) = (layouts[before]?, history[before].as_ref()?);
            (pages[before] == pages[index]).then(|| carry(earlier, active, layout, basis))
        });
        let mut active = earlier.unwrap_or_default();
        along.push(selectable(layout, &active));
        if let Some(receiver) = receivers.get(index).copied().flatten() {
            let groups = groups(layout);
            enter(layout, &groups, &mut active, receiver);
            if group_of(layout, &groups, receiver).is_none() {
                active.insert(receiver, receiver);
            }
        }
        history.push(Some(active));
    }
    along
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    /// The main page of the paper's example: tiles in a list, a button in no group (paper.md, section 7).
    const MAIN: &str = "FrameLayout\n  Button#nav\n  ListView#list\n    Button#tile \"Cinema\"\n    \
                        Button#tile \"Sleeping\"\n    Button#tile \"Cleaning\"\n  RelativeLayout#bar\n    \
                        ImageButton#camera\n    ImageButton#note\n";
    const NAV: WidgetIdx = WidgetIdx(1);
    const LIST: WidgetIdx = WidgetIdx(2);
    const CINEMA: WidgetIdx = WidgetIdx(3);
    const SLEEPING: WidgetIdx = WidgetIdx(4);
    const CLEANING: WidgetIdx = WidgetIdx(5);
    const BAR: WidgetIdx = WidgetIdx(6);
    const CAMERA: WidgetIdx = WidgetIdx(7);
    const NOTE: WidgetIdx = WidgetIdx(8);

    #[test]
    fn groups_and_independence_of_the_reference() {
        let main = layout_from(MAIN);
        let groups = groups(&main);
        let expected = [(LIST, vec![CINEMA, SLEEPING, CLEANING]), (BAR, vec![CAMERA, NOTE])];
        assert_eq!(groups, Groups::from(expected));
        for other in [SLEEPING, CLEANING, CAMERA, NAV] {
            assert!(independent(&main, &groups, CINEMA, other), "{other:?}");
        }
        assert!(independent(&main, &groups, NAV, CAMERA));
        assert!(!independent(&main, &groups, CAMERA, NOTE), "one group, two types");
    }

    #[test]
    fn what_was_used_is_not_selectable_any_more() {
        let main = layout_from(MAIN);
        let camera = layout_from("FrameLayout\n  Button#shutter\n").with_activity("org.ex/.Camera".into());
        let layouts = [Some(&main), Some(&main), Some(&camera), Some(&main), None];
        let receivers = [Some(CINEMA), Some(CAMERA), Some(NAV), Some(NAV)];
        let along = selectable_along(&layouts, &receivers, LabelBasis::default());
        assert_eq!(along[0], [NAV, CINEMA, SLEEPING, CLEANING, CAMERA, NOTE]);
        assert_eq!(along[1], [NAV, SLEEPING, CLEANING, CAMERA, NOTE]);
        assert_eq!(along[3], [NAV, SLEEPING, CLEANING, NOTE], "carried over from before the camera");
        assert!(along[4].is_empty());
    }

    #[test]
    fn an_active_member_stays_active_in_a_group_that_changes() {
        let main = layout_from(MAIN);
        let grown = layout_from(
            &MAIN.replace("    ImageButton#note\n", "    ImageButton#note\n    ImageButton#undo\n"),
        );
        let (group, undo) = (BAR, WidgetIdx(9));
        assert_eq!(groups(&grown)[&group], [CAMERA, NOTE, undo], "the bar gained a member");
        let basis = LabelBasis::default();
        let carry = |active: &[(WidgetIdx, WidgetIdx)], earlier, later| {
            carry(earlier, &active.iter().copied().collect(), later, basis)
        };
        let used = [(LIST, CINEMA), (group, NOTE)];
        assert_eq!(carry(&used, &main, &grown), ActiveMap::from(used));
        assert_eq!(carry(&used, &grown, &main), ActiveMap::from(used), "and lost it again");
        let gone = [(LIST, CINEMA), (group, undo)];
        assert_eq!(
            carry(&gone, &grown, &main),
            ActiveMap::from([(LIST, CINEMA)]),
            "the member itself is gone"
        );
        let moved =
            layout_from(&MAIN.replace(
                "\"Cinema\"\n    Button#tile \"Sleeping\"",
                "\"Sleeping\"\n    Button#tile \"Cinema\"",
            ));
        assert!(carry(&[(LIST, CINEMA)], &main, &moved).is_empty(), "at another place it is no exact match");
    }

    #[test]
    fn wrappers_of_one_leaf_count_as_the_leaf() {
        let layout = layout_from(
            "ListView\n  FrameLayout\n    LinearLayout\n      Button \"a\"\n  Button \"b\"\n  ImageButton\n",
        );
        let expected = [(WidgetIdx(0), vec![WidgetIdx(3), WidgetIdx(4)])];
        assert_eq!(groups(&layout), Groups::from(expected));
    }
}
