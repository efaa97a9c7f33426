//! User-defined rules for exploration, as in Fastbot's rule files (`engine/fastbot2/paper.md`, section 9): which
//! activities, widgets, attributes, first events and texts.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use taproof_screen::{Direction, Layout, PxPoint, PxRect, Text, WidgetFlags, WidgetIdx, XPath, words};

words! {
    /// What is done to a widget, or to the page.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum ActionKind {
        /// A press of the Back key.
        Back = "back",
        /// A tap, or a text typed into a field.
        Click = "click",
        /// A long press on the widget.
        LongClick = "long click",
        /// A swipe in the direction in which the finger moves.
        Scroll(Direction) = [
            Direction::Down => "scroll down",
            Direction::Up => "scroll up",
            Direction::Right => "scroll right",
            Direction::Left => "scroll left",
        ],
    }
    /// The kind in a word or two, for lists.
    pub fn word(&self);
}

impl ActionKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [ActionKind; 7] = [
        ActionKind::Back,
        ActionKind::Click,
        ActionKind::LongClick,
        ActionKind::Scroll(Direction::Down),
        ActionKind::Scroll(Direction::Up),
        ActionKind::Scroll(Direction::Right),
        ActionKind::Scroll(Direction::Left),
    ];

    /// Index of the kind in [`ActionKind::ALL`].
    pub fn code(self) -> u8 {
        (0..).zip(ActionKind::ALL).find(|(_, kind)| *kind == self).map_or(0, |(code, _)| code)
    }
}

/// User-defined rules for exploration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UserRules {
    /// If not empty, only these activities and the one that the app starts with are entered.
    pub allowed_activities: Vec<String>,
    /// Activities that are not entered.
    pub refused_activities: Vec<String>,
    /// Widgets and areas that are not touched.
    pub blocked: Vec<BlockRule>,
    /// Attributes that are replaced.
    pub pruning: Vec<PruneRule>,
    /// Event sequences, which are performed where they apply, before anything is chosen.
    pub sequences: Vec<SequenceRule>,
    /// Texts to type into fields.
    pub texts: Vec<String>,
    /// Unusual texts to type, for fuzzing.
    pub fuzz_texts: Vec<String>,
    /// The texts of the app's string resources.
    pub static_texts: BTreeSet<String>,
    /// The settings in `max.config`, without the prefix `max.`. Their values were checked.
    pub settings: BTreeMap<String, String>,
}

/// Widgets or an area that are not touched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockRule {
    /// The full class name of the activity.
    pub activity: String,
    /// The widgets, including their descendants; `None` if only an area is blocked.
    pub xpath: Option<XPath>,
    /// The area; with an XPath, only while that matches something. `None` if only widgets are blocked.
    pub area: Option<Area>,
}

/// A rectangle of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Area {
    /// Left, top, right and bottom as fractions of the window's size.
    Fractions([f64; 4]),
    /// A rectangle in pixels of the screen.
    Pixels(PxRect),
}

/// Replaces attributes of widgets; those that are `None` stay as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PruneRule {
    /// The full class name of the activity.
    pub activity: String,
    /// Selects the widgets whose attributes are replaced.
    pub xpath: XPath,
    /// The new resource id.
    pub resource_id: Option<String>,
    /// The new content description.
    pub content_desc: Option<String>,
    /// The new text of the widgets.
    pub text: Option<String>,
    /// The new class name.
    pub class: Option<String>,
    /// Whether the widgets react to taps.
    pub clickable: Option<bool>,
}

/// Events that are performed one after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SequenceRule {
    /// The full class name of the activity in which it is performed.
    pub activity: String,
    /// Probability that it begins where it may, in percent.
    pub percent: u32,
    /// How often it is performed in a campaign.
    pub times: u32,
    /// The events, one per page.
    pub actions: Vec<ScriptAction>,
}

/// One event of a sequence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ScriptAction {
    /// A gesture on a widget.
    On {
        /// Selects the widget; the first match is used.
        xpath: XPath,
        /// The gesture to perform.
        kind: ActionKind,
        /// The text to type, if the widget is a field.
        text: Option<String>,
    },
    /// Pressing the Back key.
    Back,
    /// Restarting the app with its data.
    Restart,
    /// Restarting the app with cleared data.
    CleanRestart,
}

impl UserRules {
    /// Whether an activity of the app may be entered; `home` is the one that it starts with.
    pub fn may_enter(&self, activity: &str, home: &str) -> bool {
        let listed = || self.allowed_activities.iter().any(|name| is_activity(name, activity));
        self.refused_by(activity).is_none()
            && (self.allowed_activities.is_empty() || activity == home || listed())
    }

    /// Index of the refused activity that this is; `None` if it may be entered.
    pub fn refused_by(&self, activity: &str) -> Option<usize> {
        self.refused_activities.iter().position(|name| is_activity(name, activity))
    }

    /// The XPaths of all rules.
    pub fn xpaths(&self) -> impl Iterator<Item = &XPath> {
        let actions = self.sequences.iter().flat_map(|sequence| &sequence.actions);
        let on = actions.filter_map(|action| match action {
            ScriptAction::On { xpath, .. } => Some(xpath),
            ScriptAction::Back | ScriptAction::Restart | ScriptAction::CleanRestart => None,
        });
        let blocked = self.blocked.iter().filter_map(|rule| rule.xpath.as_ref());
        self.pruning.iter().map(|rule| &rule.xpath).chain(blocked).chain(on)
    }

    /// The number of rules of each kind whose matches are counted: pruning, blocks, sequences.
    pub fn counted(&self) -> [(&'static str, usize); 3] {
        [
            ("max.tree.pruning", self.pruning.len()),
            ("max.widget.black", self.blocked.len()),
            ("max.xpath.actions", self.sequences.len()),
        ]
    }
}

impl PruneRule {
    /// The widgets that the rule changes on this layout.
    pub fn matches(&self, layout: &Layout) -> Vec<WidgetIdx> {
        if is_activity(&self.activity, layout.activity()) { self.xpath.select(layout) } else { Vec::new() }
    }

    /// Returns the layout with these widgets changed.
    #[must_use]
    pub fn apply(&self, layout: &Layout, matches: &[WidgetIdx]) -> Layout {
        layout.with_changed(matches, |widget| {
            let text = |changed: &Option<String>| changed.as_deref().map(Text::from);
            if let Some(id) = text(&self.resource_id) {
                widget.resource_id = Some(id).filter(|id| !id.is_empty());
            }
            for (changed, attribute) in [
                (&self.content_desc, &mut widget.content_desc),
                (&self.text, &mut widget.text),
                (&self.class, &mut widget.class),
            ] {
                if let Some(changed) = text(changed) {
                    *attribute = changed;
                }
            }
            if let Some(clickable) = self.clickable {
                widget.flags = widget.flags.with(WidgetFlags::CLICKABLE, clickable);
            }
        })
    }
}

/// The effect of a block rule on one layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocked {
    /// Widgets that must not be touched, including descendants.
    pub widgets: Vec<WidgetIdx>,
    /// An area in which nothing is touched; `None` for no area.
    pub area: Option<PxRect>,
}

impl BlockRule {
    /// What must not be touched on this layout; `None` if the rule does not apply. Fractions refer to `window`.
    pub fn blocked(&self, layout: &Layout, window: PxRect) -> Option<Blocked> {
        if !is_activity(&self.activity, layout.activity()) {
            return None;
        }
        let named = self.xpath.as_ref().map(|xpath| xpath.select(layout));
        if named.as_ref().is_some_and(Vec::is_empty) {
            return None;
        }
        match self.area {
            None => {
                let named = named.unwrap_or_default();
                let widgets = named.into_iter().flat_map(|idx| layout.subtree(idx)).collect();
                Some(Blocked { widgets, area: None })
            }
            Some(area) => {
                let area = area.pixels(window);
                let inside = |center: PxPoint| area.contains(center);
                let widgets = layout.iter().filter(|(_, widget)| inside(widget.bounds.center()));
                Some(Blocked { widgets: widgets.map(|(idx, _)| idx).collect(), area: Some(area) })
            }
        }
    }
}

impl Area {
    /// The area in pixels. Fractions refer to `window`.
    pub fn pixels(self, window: PxRect) -> PxRect {
        match self {
            Area::Pixels(area) => area,
            Area::Fractions([left, top, right, bottom]) => {
                let across =
                    |part: f64| window.left.saturating_add((f64::from(window.width()) * part) as i32);
                let down = |part: f64| window.top.saturating_add((f64::from(window.height()) * part) as i32);
                PxRect::new(across(left), down(top), across(right), down(bottom))
            }
        }
    }
}

/// Whether a rule's activity is the one of a layout: `package/.Class` is short for `package.Class`.
pub fn is_activity(rule: &str, activity: &str) -> bool {
    let Some((package, class)) = activity.split_once('/') else { return rule == activity };
    rule == activity
        || rule == class
        || (class.starts_with('.') && rule.strip_prefix(package).is_some_and(|rest| rest == class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    fn screen(notation: &str) -> Layout {
        layout_from(notation).with_activity(Text::from("org.ex/.Main"))
    }

    #[test]
    fn activities_compare_by_their_full_class_name() {
        assert!(is_activity("org.ex.Main", "org.ex/.Main"));
        assert!(is_activity("org.ex.Main", "org.ex/org.ex.Main"));
        assert!(!is_activity("org.ex.Mai", "org.ex/.Main"));
        assert!(!is_activity("Main", "org.ex/.Main"));
        let rules = UserRules { allowed_activities: vec!["org.ex.Main".into()], ..UserRules::default() };
        assert!(rules.may_enter("org.ex/.Main", "org.ex/.Home"));
        assert!(rules.may_enter("org.ex/.Home", "org.ex/.Home"));
        assert!(!rules.may_enter("org.ex/.Other", "org.ex/.Home"));
    }

    #[test]
    fn a_block_takes_the_subtree_and_an_area_what_has_its_middle_there() {
        let layout = screen("FrameLayout\n  LinearLayout#row\n    Button#a\n  Button#b\n");
        let window = PxRect::new(0, 0, layout.screen().width, layout.screen().height);
        let rule = |xpath: Option<&str>, area| BlockRule {
            activity: "org.ex.Main".into(),
            xpath: xpath.map(|xpath| XPath::parse(xpath).unwrap()),
            area,
        };
        let named = |rule: &BlockRule| {
            rule.blocked(&layout, window)
                .map(|blocked| blocked.widgets.iter().map(|idx| idx.0).collect::<Vec<_>>())
        };
        assert_eq!(named(&rule(Some("//*[@resource-id='org.ex:id/row']"), None)), Some(vec![1, 2]));
        assert_eq!(named(&rule(Some("//*[@resource-id='none']"), None)), None);
        let whole = Area::Fractions([0.0, 0.0, 1.0, 1.0]);
        assert_eq!(named(&rule(None, Some(whole))).unwrap().len(), 4);
        assert_eq!(
            named(&rule(Some("//*[@text='none']"), Some(whole))),
            None,
            "both: only where the path matches"
        );
        let button = layout.widget(WidgetIdx(3)).bounds;
        assert!(named(&rule(None, Some(Area::Pixels(button)))).unwrap().contains(&3));
        let elsewhere = BlockRule { activity: "org.ex.Other".into(), ..rule(None, Some(whole)) };
        assert_eq!(named(&elsewhere), None);
    }

    #[test]
    fn an_area_of_a_window_that_no_screen_has_ends_where_numbers_do() {
        let window = PxRect::new(1_000_000_000, i32::MIN, i32::MAX, 0);
        let area = Area::Fractions([0.5, -3.0, 1.1, 1.1]).pixels(window);
        assert_eq!((area.right, area.top), (i32::MAX, i32::MIN));
    }

    #[test]
    fn pruning_overwrites_what_is_given_alone() {
        let layout = screen("FrameLayout\n  Button#a \"one\"\n  Button#b \"two\"\n");
        let rule = PruneRule {
            activity: "org.ex.Main".into(),
            xpath: XPath::parse("//android.widget.Button").unwrap(),
            resource_id: Some(String::new()),
            content_desc: None,
            text: None,
            class: None,
            clickable: Some(false),
        };
        let matches = rule.matches(&layout);
        let pruned = rule.apply(&layout, &matches);
        for (idx, text) in [(1, "one"), (2, "two")] {
            let widget = pruned.widget(WidgetIdx(idx));
            assert_eq!((widget.resource_id.as_deref(), &*widget.text), (None, text));
            assert!(!widget.clickable());
        }
    }
}
