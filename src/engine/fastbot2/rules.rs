//! The user-defined rules on one page (paper.md, section 9): their changes of the layout, what must not be touched, and
//! how often each rule matched.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{StatsRow, StatsTable};
use taproof_screen::{Layout, PxPoint, PxRect, WidgetIdx, thousands};
use taproof_spec::UserRules;

/// The effect of the rules on one page.
#[derive(Clone, Debug)]
pub(super) struct RulesOnPage<'r> {
    rules: &'r UserRules,
    blocked: Vec<WidgetIdx>,
    areas: Vec<PxRect>,
}

impl<'r> RulesOnPage<'r> {
    /// Rules without effect on the page.
    pub fn new(rules: &'r UserRules) -> Self {
        RulesOnPage { rules, blocked: Vec::new(), areas: Vec::new() }
    }

    /// Applies the rules to a page. Returns the changed layout and the effect of the rules on it.
    pub fn read<'l>(
        rules: &'r UserRules,
        layout: &'l Layout,
        matches: &mut Matches,
    ) -> (Cow<'l, Layout>, Self) {
        let mut on_page = RulesOnPage::new(rules);
        let mut layout = Cow::Borrowed(layout);
        for (number, rule) in rules.pruning.iter().enumerate() {
            let matched = rule.matches(&layout);
            if !matched.is_empty() {
                matches.count("max.tree.pruning", number);
                layout = Cow::Owned(rule.apply(&layout, &matched));
            }
        }
        let window = layout.roots().next().map_or(PxRect::default(), |root| layout.widget(root).bounds);
        for (number, rule) in rules.blocked.iter().enumerate() {
            if let Some(blocked) = rule.blocked(&layout, window) {
                matches.count("max.widget.black", number);
                on_page.blocked.extend(blocked.widgets);
                on_page.areas.extend(blocked.area);
            }
        }
        on_page.blocked.sort_unstable();
        on_page.blocked.dedup();
        (layout, on_page)
    }

    /// Whether the widget must not be touched.
    pub fn blocks(&self, idx: WidgetIdx) -> bool {
        self.blocked.binary_search(&idx).is_ok()
    }

    /// Whether the point lies in an area that must not be touched.
    pub fn blocks_point(&self, point: PxPoint) -> bool {
        self.areas.iter().any(|area| area.contains(point))
    }

    /// Whether static texts are known at all.
    pub fn has_static_texts(&self) -> bool {
        !self.rules.static_texts.is_empty()
    }

    /// Whether the text is one of the app's string resources.
    pub fn is_static(&self, text: &str) -> bool {
        !text.is_empty() && self.rules.static_texts.contains(text)
    }
}

/// Counts the matches of rules. Every rule is listed, including those that never matched.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Matches(Vec<(String, Vec<u64>)>);

impl Matches {
    /// Counters for these rules, all 0.
    pub fn of(rules: &UserRules) -> Self {
        let lists: [(&str, usize); 2] = [
            ("awl.strings", usize::from(!rules.allowed_activities.is_empty())),
            ("abl.strings", rules.refused_activities.len()),
        ];
        let all = rules.counted().into_iter().chain(lists);
        Matches(all.map(|(file, count)| (file.to_owned(), vec![0; count])).collect())
    }

    /// Counts a match of the rule with this number, from 0, of the file.
    pub fn count(&mut self, file: &str, number: usize) {
        let counts = self.0.iter_mut().find(|(known, _)| known == file);
        if let Some(count) = counts.and_then(|(_, counts)| counts.get_mut(number)) {
            *count += 1;
        }
    }

    /// A row for each rule, including those that never matched. `None` if there are no rules.
    pub fn table(&self) -> Option<StatsTable> {
        let of_file = |(file, counts): &(String, Vec<u64>)| {
            let row = |(number, count): (usize, &u64)| {
                StatsRow::of([file.clone(), (number + 1).to_string(), thousands(*count)])
            };
            counts.iter().enumerate().map(row).collect::<Vec<_>>()
        };
        let rows: Vec<StatsRow> = self.0.iter().flat_map(of_file).collect();
        let columns = [("File", ""), ("Rule", "Its number in the file"), ("Pages", "On how many it matched")];
        (!rows.is_empty()).then(|| StatsTable::new(("Rules", "of files"), columns, ("", ""), rows))
    }
}
