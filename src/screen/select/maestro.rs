//! Selectors of Maestro, and the widgets that they mean, in the order in which Maestro takes them.

use std::fmt;
use std::ops::Range;

use regex::{Regex, RegexBuilder};

use crate::{Layout, Widget, WidgetFlags, WidgetIdx};

/// Largest compiled pattern in bytes; `\w{1000}` takes a megabyte.
const MAX_COMPILED: usize = 4 << 20;
/// Longest pattern in bytes.
const MAX_PATTERN: usize = 2_000;
/// More letters than this are a long text.
const LONG_TEXT: usize = 200;

/// A text or id as Maestro compares it: a regular expression for the whole of it, or the text itself.
#[derive(Clone, Debug)]
pub struct MaestroPattern {
    literal: String,
    regex: Option<Regex>,
}

impl MaestroPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// Why a pattern that Maestro understands cannot be used here, such as one that looks ahead.
    pub fn parse(text: &str) -> Result<Self, String> {
        let refused = |why: &str| Err(format!("the pattern {text:?} cannot be used: {why}"));
        if text.len() > MAX_PATTERN {
            return Err(format!("a pattern is longer than {MAX_PATTERN} bytes"));
        }
        let mut builder = RegexBuilder::new(&format!(r"\A(?:{text})\z"));
        builder.case_insensitive(true).dot_matches_new_line(true).multi_line(true).size_limit(MAX_COMPILED);
        match builder.build() {
            Ok(regex) => Ok(MaestroPattern { literal: text.to_owned(), regex: Some(regex) }),
            Err(regex::Error::CompiledTooBig(_)) => refused("it is too large"),
            // A text such as `Add (1` is no pattern for Maestro either, which then takes it as it is.
            Err(_) if !text.contains('\\') && !text.contains("(?") => Ok(MaestroPattern::exactly(text)),
            Err(_) => refused("it looks ahead or back, or has an escape that is not known; write it without"),
        }
    }

    /// The pattern of exactly this text.
    pub fn exactly(text: &str) -> Self {
        MaestroPattern { literal: text.to_owned(), regex: None }
    }

    /// The text itself, if the pattern was read from one without signs of regular expressions.
    pub fn plain(&self) -> Option<&str> {
        let plain = self.regex.is_none() || regex::escape(&self.literal) == self.literal;
        plain.then_some(&*self.literal)
    }

    fn matches(&self, shown: &str) -> bool {
        let fits = |shown: &str| {
            self.literal == shown || self.regex.as_ref().is_some_and(|regex| regex.is_match(shown))
        };
        fits(shown) || shown.contains('\n') && fits(&shown.replace('\n', " "))
    }
}

words! {
    /// Where a widget is, seen from another one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum MaestroRelation {
        /// It begins further down.
        Below = "below",
        /// It begins further up.
        Above = "above",
        /// It begins further left.
        LeftOf = "left of",
        /// It begins further right.
        RightOf = "right of",
        /// The other one is a child of it.
        ContainsChild = "parent of",
        /// The other one is somewhere in it.
        ContainsDescendant = "around",
        /// It is somewhere in the other one.
        ChildOf = "in",
    }
    fn words;
}

/// What a widget looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaestroTrait {
    /// It has a text or a description.
    Text,
    /// It has a text of more than 200 letters.
    LongText,
    /// It is as wide as high, within 3 %.
    Square,
}

/// A selector of Maestro. Each part that is given must hold.
#[derive(Clone, Debug, Default)]
pub struct MaestroSelector {
    /// What it shows: its text, description or prompt.
    pub text: Option<MaestroPattern>,
    /// Its id, with or without the package.
    pub id: Option<MaestroPattern>,
    /// Its width in pixels.
    pub width: Option<i32>,
    /// Its height in pixels.
    pub height: Option<i32>,
    /// By how many pixels both may differ.
    pub tolerance: i32,
    /// What it looks like.
    pub traits: Vec<MaestroTrait>,
    /// Flags, each with whether it must be set.
    pub states: Vec<(WidgetFlags, bool)>,
    /// Where it is, seen from other widgets.
    pub relations: Vec<(MaestroRelation, MaestroSelector)>,
    /// Which of those that satisfy the rest, from the top; negative from the end.
    pub index: Option<i64>,
}

impl MaestroSelector {
    /// Whether no part is given. Such a selector means every widget.
    pub fn is_empty(&self) -> bool {
        !self.has_own_parts() && self.relations.is_empty() && self.index.is_none()
    }

    fn has_own_parts(&self) -> bool {
        let sized = self.width.is_some() || self.height.is_some();
        let named = self.text.is_some() || self.id.is_some();
        named || sized || !self.traits.is_empty() || !self.states.is_empty()
    }

    /// The widgets that it means. Maestro takes the first: with an index that one, otherwise what can be tapped before
    /// anything else, and of these the nearest to the widget below, above or beside which it is looked for.
    pub fn find(&self, layout: &Layout) -> Vec<WidgetIdx> {
        self.among(layout, 0..layout.widgets().len() as u32)
    }

    /// The widgets that it means, in the order in which an index counts them.
    pub fn from_the_top(&self, layout: &Layout) -> Vec<WidgetIdx> {
        let mut found = self.find(layout);
        sort_from_the_top(layout, &mut found);
        found
    }

    fn among(&self, layout: &Layout, range: Range<u32>) -> Vec<WidgetIdx> {
        let mut range = range;
        for (_, around) in self.relations.iter().filter(|(it, _)| *it == MaestroRelation::ChildOf) {
            let Some(parent) = around.among(layout, range).first().copied() else { return Vec::new() };
            range = parent.0..layout.end(parent).0;
        }
        let shown = |idx: &WidgetIdx| {
            let widget = layout.widget(*idx);
            (!widget.bounds.is_empty() || widget.is_announcement()) && self.fits(widget)
        };
        let mut found: Vec<WidgetIdx> = range.clone().map(WidgetIdx).filter(shown).collect();
        if self.has_own_parts() {
            // In document order, what is in a widget follows it at once.
            let holds = |place: usize| {
                let next = found.get(place + 1);
                next.is_some_and(|next| layout.holds(found[place], *next))
            };
            found = (0..found.len()).filter(|place| !holds(*place)).map(|place| found[place]).collect();
        }
        let mut anchors = Vec::new();
        for (relation, other) in &self.relations {
            let others = if *relation == MaestroRelation::ChildOf {
                continue;
            } else {
                other.among(layout, range.clone())
            };
            found.retain(|idx| others.iter().any(|other| relation.holds(layout, *idx, *other)));
            if relation.is_beside() {
                anchors.push((*relation, others));
            }
        }
        self.in_order(layout, found, &anchors)
    }

    fn fits(&self, widget: &Widget) -> bool {
        let near = |wanted: Option<i32>, is: i32| {
            wanted.is_none_or(|wanted| {
                i64::from(wanted).abs_diff(i64::from(is)) <= self.tolerance.max(0) as u64
            })
        };
        let text = |text: &MaestroPattern| {
            [&widget.text, &widget.content_desc, &widget.hint].iter().any(|shown| text.matches(shown))
        };
        let id = |id: &MaestroPattern| {
            [widget.resource_id.as_deref(), widget.short_id()]
                .into_iter()
                .flatten()
                .any(|name| id.matches(name))
        };
        self.text.as_ref().is_none_or(text)
            && self.id.as_ref().is_none_or(id)
            && near(self.width, widget.bounds.width())
            && near(self.height, widget.bounds.height())
            && self.states.iter().all(|(flag, set)| widget.flags.has(*flag) == *set)
            && self.traits.iter().all(|it| it.holds(widget))
    }

    fn in_order(
        &self,
        layout: &Layout,
        mut found: Vec<WidgetIdx>,
        anchors: &[(MaestroRelation, Vec<WidgetIdx>)],
    ) -> Vec<WidgetIdx> {
        let Some(index) = self.index else {
            let distance = |idx: WidgetIdx| {
                let (from, beside) = (layout.widget(idx).bounds.center(), anchors.iter());
                let to = beside.flat_map(|(relation, others)| {
                    others.iter().filter(move |other| relation.holds(layout, idx, **other))
                });
                let squared = |other: &WidgetIdx| {
                    let to = layout.widget(*other).bounds.center();
                    let (across, down) =
                        (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
                    across.saturating_mul(across).saturating_add(down.saturating_mul(down))
                };
                to.map(squared).min()
            };
            found.sort_by_cached_key(|idx| (!layout.widget(*idx).clickable(), distance(*idx), *idx));
            return found;
        };
        sort_from_the_top(layout, &mut found);
        let place = if index < 0 { index + found.len() as i64 } else { index };
        usize::try_from(place).ok().and_then(|place| found.get(place).copied()).into_iter().collect()
    }
}

fn sort_from_the_top(layout: &Layout, widgets: &mut [WidgetIdx]) {
    widgets.sort_by_key(|idx| {
        let bounds = layout.widget(*idx).bounds;
        (bounds.top, bounds.left, *idx)
    });
}

/// As messages say it, such as `text "Save", below (id "title")`.
impl fmt::Display for MaestroSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        let named = [("text", &self.text), ("id", &self.id)];
        let named =
            named.into_iter().filter_map(|(name, part)| Some(format!("{name} {:?}", part.as_ref()?.literal)));
        parts.extend(named);
        parts.extend(self.width.map(|width| format!("width {width}")));
        parts.extend(self.height.map(|height| format!("height {height}")));
        parts.extend(self.traits.iter().map(|it| format!("trait {it:?}").to_lowercase()));
        for (flag, set) in &self.states {
            let name =
                WidgetFlags::NAMES.iter().find(|(_, known)| known == flag).map_or("", |(name, _)| name);
            parts.push(if *set { name.to_owned() } else { format!("not {name}") });
        }
        parts
            .extend(self.relations.iter().map(|(relation, other)| format!("{} ({other})", relation.words())));
        parts.extend(self.index.map(|index| format!("number {index} of them")));
        f.write_str(&if parts.is_empty() { "anything".to_owned() } else { parts.join(", ") })
    }
}

impl MaestroRelation {
    /// Whether it is a direction rather than a place in the tree.
    fn is_beside(self) -> bool {
        use MaestroRelation::{Above, Below, LeftOf, RightOf};
        matches!(self, Below | Above | LeftOf | RightOf)
    }

    fn holds(self, layout: &Layout, idx: WidgetIdx, other: WidgetIdx) -> bool {
        let (one, from) = (layout.widget(idx).bounds, layout.widget(other).bounds);
        match self {
            MaestroRelation::Below => one.top > from.top,
            MaestroRelation::Above => one.top < from.top,
            MaestroRelation::LeftOf => one.left < from.left,
            MaestroRelation::RightOf => one.left > from.left,
            MaestroRelation::ContainsChild => layout.widget(other).parent == Some(idx),
            MaestroRelation::ContainsDescendant => idx != other && layout.holds(idx, other),
            MaestroRelation::ChildOf => layout.holds(other, idx),
        }
    }
}

impl MaestroTrait {
    fn holds(self, widget: &Widget) -> bool {
        let (width, height) = (widget.bounds.width(), widget.bounds.height());
        match self {
            MaestroTrait::Text => !widget.text.is_empty() || !widget.content_desc.is_empty(),
            MaestroTrait::LongText => widget.text.chars().count() > LONG_TEXT,
            MaestroTrait::Square => {
                100 * i64::from(width).abs_diff(i64::from(height)) < 3 * height.unsigned_abs() as u64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PxRect, layout_from};

    fn text(text: &str) -> MaestroSelector {
        MaestroSelector { text: MaestroPattern::parse(text).ok(), ..MaestroSelector::default() }
    }

    fn beside(relation: MaestroRelation, other: MaestroSelector) -> MaestroSelector {
        MaestroSelector { relations: vec![(relation, other)], ..MaestroSelector::default() }
    }

    fn found(selector: &MaestroSelector, layout: &Layout) -> Vec<u32> {
        selector.find(layout).into_iter().map(|idx| idx.0).collect()
    }

    const LIST: &str = "FrameLayout#top\n  Button#more \"More\"\n  FrameLayout#row\n    TextView \"One\"\n    \
                        Button#more \"More\"\n  FrameLayout#row\n    TextView \"Two\"\n    Button#more \"More\"\n";

    #[test]
    fn patterns_are_for_the_whole_text_and_literal_if_they_are_none() {
        let layout =
            layout_from("View\n  TextView \"Add (1)\"\n  TextView \"Add a note\"\n  TextView \"50 %$\"\n");
        for (pattern, expected) in [
            ("add.*", &[1, 2][..]),
            ("Add \\(1\\)", &[1]),
            ("Add (1)", &[1]),
            ("Add", &[]),
            ("50 %$", &[3]),
            ("ADD A NOTE|x", &[2]),
        ] {
            assert_eq!(found(&text(pattern), &layout), expected, "{pattern}");
        }
        assert!(MaestroPattern::parse("Add (").is_ok_and(|it| it.plain() == Some("Add (")));
        for refused in ["(?!Skip).*", "\\Qa.b\\E", "(a{999}){999}"] {
            assert!(MaestroPattern::parse(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn relations_choose_the_nearest_and_the_inner() {
        use MaestroRelation::{Above, Below, ChildOf, ContainsChild, ContainsDescendant};
        let layout = layout_from(LIST);
        let more = |relation, other: &str| MaestroSelector {
            text: text("More").text,
            ..beside(relation, text(other))
        };
        assert_eq!(found(&more(Below, "One"), &layout)[0], 4);
        assert_eq!(found(&more(Above, "Two"), &layout)[0], 4);
        assert_eq!(found(&beside(Below, text("Two")), &layout)[0], 7);
        assert_eq!(found(&beside(ContainsChild, text("Two")), &layout), [5]);
        assert_eq!(found(&beside(ContainsDescendant, text("Two")), &layout), [0, 5]);
        let second = MaestroSelector { index: Some(1), ..id("row") };
        let inside = MaestroSelector { relations: vec![(ChildOf, second)], ..text("More") };
        assert_eq!(found(&inside, &layout), [7]);
        let both = MaestroSelector {
            relations: vec![(ContainsDescendant, text("One")), (ContainsDescendant, text("Two"))],
            ..MaestroSelector::default()
        };
        assert_eq!(found(&both, &layout), [0]);
    }

    fn id(id: &str) -> MaestroSelector {
        MaestroSelector { id: MaestroPattern::parse(id).ok(), ..MaestroSelector::default() }
    }

    #[test]
    fn places_states_sizes_and_traits_count() {
        let layout = layout_from(LIST).with_changed(&[WidgetIdx(4)], |widget| {
            widget.flags = widget.flags.with(WidgetFlags::CHECKED, true);
            widget.bounds = PxRect::new(0, 0, 102, 100);
        });
        let more = || id("more");
        let index = |index| MaestroSelector { index: Some(index), ..more() };
        let by_place: Vec<Vec<u32>> = [0, -1, 3, -4].map(|it| found(&index(it), &layout)).into();
        assert_eq!(by_place, [vec![4], vec![7], vec![], vec![]]);
        let state = MaestroSelector { states: vec![(WidgetFlags::CHECKED, true)], ..more() };
        let square = MaestroSelector { traits: vec![MaestroTrait::Square, MaestroTrait::Text], ..more() };
        let sized = |width, tolerance| MaestroSelector { width: Some(width), tolerance, ..more() };
        for (selector, expected) in [
            (state, &[4][..]),
            (square, &[4]),
            (sized(100, 2), &[4]),
            (sized(100, 1), &[]),
            (id("org.ex:id/more"), &[1, 4, 7]),
        ] {
            assert_eq!(found(&selector, &layout), expected, "{selector:?}");
        }
        assert!(
            found(&MaestroSelector { traits: vec![MaestroTrait::LongText], ..more() }, &layout).is_empty()
        );
    }
}
