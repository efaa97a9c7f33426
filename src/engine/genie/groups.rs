//! Groups of widgets and which of each is active (genie.md 5): only inactive ones are independent of what the test
//! has done.

use std::collections::BTreeMap;

use crate::model::{
    LabelBasis, Layout, Widget, WidgetFlags, WidgetIdx, holds_actionable, similar_layouts, similar_widgets,
};

/// Classes of widgets that hold groups; a class whose name has one of them in it counts.
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

/// For each group the member that was used last.
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

/// Down from a widget while it is a wrapper that nothing can be done to, around one other.
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

/// The biggest set of children of one class that can be used, themselves or as the leaf in a wrapper; the first of
/// equally big ones.
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

/// The group that a widget is a member of: the nearest one around it, if it lists it.
pub fn group_of(layout: &Layout, groups: &Groups, idx: WidgetIdx) -> Option<WidgetIdx> {
    let nearest = layout.ancestors(idx).find(|around| groups.contains_key(around))?;
    groups.get(&nearest)?.contains(&idx).then_some(nearest)
}

/// Whether using one widget leaves the other alone: they are in different groups or none, or of one type in one
/// group.
pub fn independent(layout: &Layout, groups: &Groups, one: WidgetIdx, other: WidgetIdx) -> bool {
    let same_type =
        |one: &Widget, other: &Widget| (&one.class, &one.resource_id) == (&other.class, &other.resource_id);
    match (group_of(layout, groups, one), group_of(layout, groups, other)) {
        (Some(group), Some(same)) if group == same => same_type(layout.widget(one), layout.widget(other)),
        _ => true,
    }
}

/// A widget is used: it becomes the active member of its group.
pub fn enter(layout: &Layout, groups: &Groups, active: &mut ActiveMap, idx: WidgetIdx) {
    if let Some(group) = group_of(layout, groups, idx) {
        active.insert(group, idx);
    }
}

/// The active members of an earlier layout as they are found again in a later one: by exact matches only.
pub fn carry(earlier: &Layout, active: &ActiveMap, later: &Layout, basis: LabelBasis) -> ActiveMap {
    let find = |idx: WidgetIdx| {
        let same = |candidate: &(WidgetIdx, &Widget)| candidate.1.class == earlier.widget(idx).class;
        let candidates = later.iter().filter(same).map(|(idx, _)| idx).collect();
        let found = similar_widgets(earlier, idx, later, candidates, basis);
        found.first().filter(|found| found.exact).map(|found| found.widget)
    };
    let pair = |(group, member): (&WidgetIdx, &WidgetIdx)| Some((find(*group)?, find(*member)?));
    active.iter().filter_map(pair).collect()
}

/// The widgets that can be used and are not active.
pub fn selectable(layout: &Layout, active: &ActiveMap) -> Vec<WidgetIdx> {
    let in_use: Vec<WidgetIdx> = active.values().copied().collect();
    let free = |(idx, widget): &(WidgetIdx, &Widget)| widget.is_actionable() && !in_use.contains(idx);
    layout.iter().filter(free).map(|(idx, _)| idx).collect()
}

/// For each layout of a test the widgets that can be used and are not active when it is reached. `receivers` are the
/// widgets of the events. Layouts are separate values: what is entered later does not change earlier ones.
pub fn selectable_along(
    layouts: &[Option<&Layout>],
    receivers: &[Option<WidgetIdx>],
    basis: LabelBasis,
) -> Vec<Vec<WidgetIdx>> {
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
            similar_layouts(earlier, layout).then(|| carry(earlier, active, layout, basis))
        });
        let mut active = earlier.unwrap_or_default();
        along.push(selectable(layout, &active));
        if let Some(receiver) = receivers.get(index).copied().flatten() {
            enter(layout, &groups(layout), &mut active, receiver);
        }
        history.push(Some(active));
    }
    along
}
