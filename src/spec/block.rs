//! The block list: what random exploration must not do, so that it cannot change data without the data model
//! (`engine/pbfdroid/paper.md`, section 3.3).

use super::{Action, Block, BlockedEvent, Dmf, Spec, SpecSelector, TextPattern, ViewPattern};
use taproof_screen::{
    Event, Gesture, Key, Layout, NAVIGATE_UP, PxPoint, TouchMap, Widget, WidgetFlags, WidgetIdx,
    touched_widget,
};

impl ViewPattern {
    /// Whether the widget has every attribute of the pattern. `NAF`, `index` and attributes that a layout does not have
    /// are not compared; a pattern with nothing to compare matches nothing.
    pub fn matches(&self, widget: &Widget) -> bool {
        let mut compared = false;
        for (name, value) in &self.attributes {
            let equal = match name.as_str() {
                "resource-id" => widget.resource_id.as_deref().unwrap_or("") == value,
                "text" => *widget.text == **value,
                "content-desc" => *widget.content_desc == **value,
                "class" => *widget.class == **value,
                "package" => *widget.package == **value,
                "bounds" => widget.bounds.to_string() == *value,
                other => match flag(other) {
                    Some(flag) => (value == "true") == widget.flags.has(flag),
                    None => continue,
                },
            };
            if !equal {
                return false;
            }
            compared = true;
        }
        compared
    }

    /// Whether a widget of the layout matches.
    pub fn is_shown(&self, layout: &Layout) -> bool {
        layout.widgets().iter().any(|widget| self.matches(widget))
    }
}

fn flag(attribute: &str) -> Option<WidgetFlags> {
    WidgetFlags::NAMES.iter().find(|(name, _)| *name == attribute).map(|(_, flag)| *flag)
}

impl Block {
    /// Whether it applies to the screen at all.
    fn is_for(&self, layout: &Layout) -> bool {
        self.activity.as_ref().is_none_or(|activity| activity.matches(layout.activity()))
    }

    /// Whether the block forbids gestures on the widget.
    fn forbids_widget(&self, layout: &Layout, idx: WidgetIdx) -> bool {
        match self.event {
            _ if !self.is_for(layout) => false,
            BlockedEvent::Widget => self.pattern.matches(layout.widget(idx)),
            BlockedEvent::Subtree => {
                self.pattern.matches(layout.widget(idx))
                    || layout.ancestors(idx).any(|around| self.pattern.matches(layout.widget(around)))
            }
            BlockedEvent::Back | BlockedEvent::ImeAction => false,
        }
    }

    /// Whether the block forbids the Back key on the layout.
    fn forbids_back(&self, layout: &Layout) -> bool {
        self.event == BlockedEvent::Back && self.is_for(layout) && self.pattern.is_shown(layout)
    }

    /// Whether the block forbids the keyboard's action key on the layout.
    fn forbids_action_key(&self, layout: &Layout) -> bool {
        self.event == BlockedEvent::ImeAction && self.is_for(layout) && self.pattern.is_shown(layout)
    }
}

/// Whether one of the blocks forbids the event on the layout. A gesture is judged by the widget that it is meant for
/// and by the one that it hits at its point; a key is judged by what the screen shows.
pub fn is_forbidden(blocks: &[Block], layout: &Layout, event: &Event) -> bool {
    if blocks.is_empty() {
        return false;
    }
    match event {
        Event::Widget { target, gesture } => {
            let blocked = |idx| blocks.iter().any(|block| block.forbids_widget(layout, idx));
            let touched = touched_widget(event, layout);
            is_touch_forbidden(&TouchMap::new(layout), blocked, touched, target.at, gesture)
        }
        Event::Key(key) => is_key_forbidden(blocks, layout, *key),
        Event::Type(_)
        | Event::Rotate
        | Event::Wait(_)
        | Event::Relaunch
        | Event::System(_)
        | Event::OpenLink(_) => false,
    }
}

/// Whether one of the blocks forbids the key on the layout.
pub fn is_key_forbidden(blocks: &[Block], layout: &Layout, key: Key) -> bool {
    let forbids_action_key = || blocks.iter().any(|block| block.forbids_action_key(layout));
    match key {
        Key::Back => blocks.iter().any(|block| block.forbids_back(layout)),
        Key::ImeAction => forbids_action_key(),
        Key::Enter if layout.widgets().iter().any(Widget::is_focused_field) => forbids_action_key(),
        // These keys activate whatever has the focus, which may be a blocked widget.
        Key::Enter | Key::DpadCenter => !blocks.is_empty(),
        _ => false,
    }
}

/// The widgets of a layout on which the blocks forbid gestures.
pub fn blocked_widgets(blocks: &[Block], layout: &Layout) -> Vec<WidgetIdx> {
    let forbidden = |idx: &WidgetIdx| blocks.iter().any(|block| block.forbids_widget(layout, *idx));
    layout.iter().map(|(idx, _)| idx).filter(forbidden).collect()
}

/// The block list on a layout, for questions about touches of many of its widgets.
pub struct BlockedTouches<'l> {
    touches: TouchMap<'l>,
    /// Whether a block forbids gestures on each widget; empty if none of them is.
    blocked: Vec<bool>,
}

impl<'l> BlockedTouches<'l> {
    /// Applies the blocks to each widget of the layout.
    pub fn new(blocks: &[Block], layout: &'l Layout) -> Self {
        let forbids = |idx: WidgetIdx| blocks.iter().any(|block| block.forbids_widget(layout, idx));
        let mut blocked: Vec<bool> = match blocks {
            [] => Vec::new(),
            _ => layout.iter().map(|(idx, _)| forbids(idx)).collect(),
        };
        // Nothing on most pages is blocked.
        if !blocked.contains(&true) {
            blocked.clear();
        }
        BlockedTouches { touches: TouchMap::new(layout), blocked }
    }

    /// Where touches of the layout go.
    pub fn touches(&self) -> &TouchMap<'l> {
        &self.touches
    }

    /// Whether a block forbids a gesture at this point that is meant for a widget.
    pub fn forbid(&self, target: WidgetIdx, at: PxPoint, gesture: &Gesture) -> bool {
        let blocked = |idx: WidgetIdx| self.blocked[idx.0 as usize];
        !self.blocked.is_empty() && is_touch_forbidden(&self.touches, blocked, Some(target), at, gesture)
    }

    /// Whether a touch reaches the widget, and no block forbids this gesture there.
    pub fn allow(&self, target: WidgetIdx, gesture: &Gesture) -> bool {
        self.touches.touch_point(target).is_ok_and(|at| !self.forbid(target, at, gesture))
    }
}

/// Whether gestures are forbidden on a widget that a gesture is meant for, that it hits, or that reacts to it.
fn is_touch_forbidden(
    touches: &TouchMap<'_>,
    blocked: impl Fn(WidgetIdx) -> bool,
    target: Option<WidgetIdx>,
    at: PxPoint,
    gesture: &Gesture,
) -> bool {
    let (layout, hit) = (touches.layout(), touches.hit_test(at));
    // A swipe is handled by the list, not by the row on which it begins.
    let meant = match gesture {
        Gesture::Swipe(_) => [None, None],
        Gesture::Tap | Gesture::LongPress | Gesture::SetText(_) | Gesture::Drag(_) => {
            [hit, hit.map(|hit| layout.meant_by(hit))]
        }
    };
    let receivers = [target, hit].map(|idx| idx.and_then(|idx| receiver(layout, idx, gesture)));
    [target].into_iter().chain(meant).chain(receivers).flatten().any(blocked)
}

/// The widget that reacts to a gesture on this one: itself, or the nearest around it. `None` if none does.
pub fn receiver(layout: &Layout, idx: WidgetIdx, gesture: &Gesture) -> Option<WidgetIdx> {
    let reacts = |idx: &WidgetIdx| {
        let widget = layout.widget(*idx);
        match gesture {
            Gesture::Tap => widget.clickable(),
            Gesture::LongPress => widget.long_clickable(),
            Gesture::Swipe(_) => widget.scrollable(),
            Gesture::SetText(_) | Gesture::Drag(_) => true,
        }
    };
    std::iter::once(idx).chain(layout.ancestors(idx)).find(reacts)
}

/// The blocks that follow from the DMFs: the target of the last step of every add, edit and delete DMF that can commit
/// data. What the hand-written list already blocks is not derived again.
pub fn derived_blocks(spec: &Spec) -> Vec<Block> {
    let mut derived: Vec<Block> = Vec::new();
    for dmf in &spec.dmfs {
        if let Some(block) = commit_block(dmf)
            && !spec.blocks.iter().chain(&derived).any(|known| covers(known, &block))
        {
            derived.push(block);
        }
    }
    derived
}

/// The step that commits a DMF's data.
struct Commit<'a> {
    step: usize,
    event: BlockedEvent,
    selector: &'a SpecSelector,
}

fn commit_block(dmf: &Dmf) -> Option<Block> {
    let commit = commit_of(dmf)?;
    let pattern = pattern_of(commit.selector)?;
    let reason = format!("commits the data of {:?}", dmf.name);
    Some(Block { pattern, event: commit.event, reason, activity: None, every_engine: false })
}

/// Index of the step that commits the data, if no block can be derived from its widget and none of `written` covers it.
pub(super) fn unblocked_commit(dmf: &Dmf, written: &[Block]) -> Option<usize> {
    // An empty selector is reported by a lint of its own.
    let commit = commit_of(dmf).filter(|commit| !commit.selector.is_empty())?;
    if pattern_of(commit.selector).is_some() {
        return None;
    }
    let class = commit.selector.class.iter().map(|class| ("class".to_owned(), class.clone()));
    let pattern = ViewPattern { attributes: class.collect() };
    let block =
        Block { pattern, event: commit.event, reason: String::new(), activity: None, every_engine: false };
    (!written.iter().any(|known| covers(known, &block))).then_some(commit.step)
}

/// The step that commits the data: the last one with a widget, unless that only leaves the screen, or a key right after
/// typing.
fn commit_of(dmf: &Dmf) -> Option<Commit<'_>> {
    if !dmf.changes_data() {
        return None;
    }
    let last = (0..dmf.steps.len()).rev().find(|index| commits(dmf, *index))?;
    let step = dmf.steps.get(last)?;
    let (event, widget) = match step.action {
        // A key has no target: it commits the content of the field that was typed into before.
        Action::Back | Action::ImeAction => {
            let typed = dmf.steps.iter().take(last).rev().find(|step| step.action == Action::Edit)?;
            let event =
                if step.action == Action::Back { BlockedEvent::Back } else { BlockedEvent::ImeAction };
            (event, typed.widget.as_deref()?)
        }
        _ => (BlockedEvent::Widget, step.widget.as_deref()?),
    };
    Some(Commit { step: last, event, selector: &dmf.widget(widget)?.selector })
}

fn commits(dmf: &Dmf, index: usize) -> bool {
    let step = &dmf.steps[index];
    let target = step.widget.as_deref().and_then(|name| dmf.widget(name));
    if target.is_some_and(|target| target.selector.content_desc.as_deref() == Some(NAVIGATE_UP)) {
        return false;
    }
    let gesture = |action| matches!(action, Action::Click | Action::LongClick | Action::Edit);
    match step.action {
        Action::Click | Action::LongClick | Action::Edit => true,
        // A key commits what was just typed. After a tap it only leaves the screen.
        Action::Back | Action::ImeAction => {
            let before = dmf.steps.iter().take(index).rev().find(|step| gesture(step.action));
            before.is_some_and(|step| step.action == Action::Edit)
        }
        _ => false,
    }
}

/// The attributes that a selector fixes. `None` if they would block far more than the selector matches.
fn pattern_of(selector: &SpecSelector) -> Option<ViewPattern> {
    let mut attributes = Vec::new();
    let mut fix = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            attributes.push((name.to_owned(), value.clone()));
        }
    };
    if let TextPattern::Is(text) = &selector.text {
        fix("text", &Some(text.clone()));
    }
    fix("resource-id", &selector.resource_id);
    fix("content-desc", &selector.content_desc);
    if attributes.is_empty() {
        return None;
    }
    if let Some(class) = &selector.class {
        attributes.push(("class".to_owned(), class.clone()));
    }
    Some(ViewPattern { attributes })
}

/// Whether `known` blocks at least what `block` blocks.
fn covers(known: &Block, block: &Block) -> bool {
    let same_event = known.event == block.event
        || (known.event == BlockedEvent::Subtree && block.event == BlockedEvent::Widget);
    same_event
        && (known.activity.is_none() || known.activity == block.activity)
        && !known.pattern.attributes.is_empty()
        && known.pattern.attributes.iter().all(|attribute| block.pattern.attributes.contains(attribute))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ActivityPattern, DmfKind, DmfStep, Impact, ImpactOp, Input, NamedSelector};
    use taproof_screen::{PxRect, layout_from};

    fn pattern(attributes: &[(&str, &str)]) -> ViewPattern {
        let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        ViewPattern { attributes: attributes.collect() }
    }

    #[test]
    fn an_id_alone_blocks_whatever_the_bounds() {
        let layout = layout_from("LinearLayout#bar\n  Button#save \"Save\"\n  Button#save \"Again\"\n");
        let save = pattern(&[("resource-id", "org.ex:id/save")]);
        let blocked = layout.iter().filter(|(_, widget)| save.matches(widget)).count();
        assert_eq!(blocked, 2);
        assert!(!pattern(&[("NAF", "true"), ("index", "0")]).matches(layout.widget(WidgetIdx(1))));
        assert!(pattern(&[("bounds", "[0,100][1080,200]")]).matches(layout.widget(WidgetIdx(1))));
        assert!(!pattern(&[("clickable", "false")]).matches(layout.widget(WidgetIdx(1))));
        for other in ["resource-id", "text", "content-desc", "class", "package", "bounds"] {
            assert!(!pattern(&[(other, "another")]).matches(layout.widget(WidgetIdx(1))), "{other}");
        }
    }

    #[test]
    fn the_arrow_that_leaves_the_screen_commits_nothing() {
        let mut restore = Dmf::empty("restore note", DmfKind::Create, "note");
        let desc =
            |desc: &str| SpecSelector { content_desc: Some(desc.to_owned()), ..SpecSelector::default() };
        for (name, selector) in [("e1", desc("Restore")), ("e2", desc(NAVIGATE_UP))] {
            let click = Action::Click;
            let step =
                DmfStep { action: click, widget: Some(name.into()), input: Input::None, required: true };
            restore.steps.push(step);
            restore.widgets.push(NamedSelector { name: name.into(), layout: 0, selector });
        }
        restore.impacts.push(Impact { op: ImpactOp::Add, object: TextPattern::FromRead("e1".to_owned()) });
        let derived = derived_blocks(&Spec { dmfs: vec![restore], ..Spec::default() });
        let patterns: Vec<&ViewPattern> = derived.iter().map(|block| &block.pattern).collect();
        assert_eq!(patterns, [&pattern(&[("content-desc", "Restore")])]);
    }

    #[test]
    fn a_gesture_is_judged_by_what_it_hits() {
        let notation = "ListView\n  Button#row \"a\"\n  Button#undo \"Undo\"\n  FrameLayout#entry\n    TextView \"Delete\"\n";
        let layout = layout_from(notation);
        let row = layout.widget(WidgetIdx(1)).bounds;
        let undo = PxRect { left: row.left + 500, ..row };
        let layout = layout.with_changed(&[WidgetIdx(2)], |widget| widget.bounds = undo);
        let list = PxRect { top: 0, bottom: 500, ..row };
        let layout = layout.with_changed(&[WidgetIdx(0)], |widget| {
            widget.bounds = list;
            widget.flags = widget.flags.with(WidgetFlags::SCROLLABLE, true);
        });
        let layout = layout.with_changed(&[WidgetIdx(3)], |widget| {
            widget.bounds = PxRect { bottom: widget.bounds.bottom + 100, ..widget.bounds };
            widget.flags = widget.flags.with(WidgetFlags::CLICKABLE, true);
            widget.resource_id = None;
        });
        let blocks = |text: &str| {
            [Block {
                pattern: pattern(&[("text", text)]),
                event: BlockedEvent::Widget,
                reason: String::new(),
                activity: None,
                every_engine: false,
            }]
        };
        let aimed = |idx: u32, x: i32, y: i32, gesture: Gesture| {
            BlockedTouches::new(&blocks("Undo"), &layout).forbid(WidgetIdx(idx), PxPoint { x, y }, &gesture)
        };
        assert!(aimed(1, 540, 150, Gesture::Tap), "aimed at the row, it hits Undo");
        assert!(!aimed(1, 250, 150, Gesture::Tap), "beside it");
        assert!(
            aimed(1, 540, 150, Gesture::LongPress) && aimed(0, 540, 150, Gesture::Drag(PxPoint::default()))
        );
        assert!(!aimed(0, 540, 150, Gesture::Swipe(taproof_screen::Direction::Up)), "the list takes a swipe");
        let entry = |text: &str, y| {
            let at = PxPoint { x: 540, y };
            BlockedTouches::new(&blocks(text), &layout).forbid(WidgetIdx(3), at, &Gesture::Tap)
        };
        assert!(entry("Delete", 390), "a row is hit beside its label");
        assert!(!entry("Undo", 390));
    }

    #[test]
    fn events_are_blocked_apart() {
        let layout = layout_from("LinearLayout#bar\n  Button#save \"Save\"\nButton#other\n");
        let block = |event| Block {
            pattern: pattern(&[("resource-id", "org.ex:id/bar")]),
            event,
            reason: String::new(),
            activity: None,
            every_engine: false,
        };
        let save = WidgetIdx(1);
        assert!(!block(BlockedEvent::Widget).forbids_widget(&layout, save));
        assert!(block(BlockedEvent::Subtree).forbids_widget(&layout, save));
        assert!(!block(BlockedEvent::Subtree).forbids_widget(&layout, WidgetIdx(2)));
        assert!(block(BlockedEvent::Back).forbids_back(&layout));
        assert!(!block(BlockedEvent::Back).forbids_widget(&layout, save));
        assert!(block(BlockedEvent::ImeAction).forbids_action_key(&layout));
        let there =
            Block { activity: Some(ActivityPattern(".Edit".to_owned())), ..block(BlockedEvent::Subtree) };
        assert!(!there.forbids_widget(&layout, save));
        let layout = layout.with_activity("org.ex/.Edit".into());
        assert_eq!(blocked_widgets(&[there], &layout), [WidgetIdx(0), save]);
    }
}
