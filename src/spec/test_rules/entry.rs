//! Single entries of the lists: how they are made of what is on a screen, and what they say in words.

use super::{ActivityPattern, Ignored, Lists, TestRules};
use taproof_screen::{Layout, PxRect, Selector, WidgetIdx, counted, one_line};

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleEntry {
    /// A part of the screen that is not looked at.
    Ignore(Ignored),
    /// An activity that is left at once.
    DenyActivity(ActivityPattern),
    /// Screens that are left at once, by a widget on them.
    DenyScreen(Selector),
}

impl RuleEntry {
    /// What ignores a widget and all that is in it: by its id or description, or else the region that it takes on its
    /// activity. Its text is left out, since what is ignored mostly changes. `None` if it takes no room on the screen.
    pub fn ignoring(layout: &Layout, idx: WidgetIdx) -> Option<RuleEntry> {
        let widget = layout.get(idx)?;
        let by_description = || {
            let content_desc = Some(widget.content_desc.to_string()).filter(|text| !text.is_empty())?;
            let class = Some(widget.class.to_string());
            Some(Selector { class, content_desc: Some(content_desc), ..Selector::default() })
        };
        let by_id = widget.resource_id.as_deref().filter(|id| !id.is_empty());
        let by_id = by_id.map(|id| Selector { resource_id: Some(id.to_owned()), ..Selector::default() });
        let ignored = match by_id.or_else(by_description) {
            Some(selector) => Ignored { selector: Some(selector), ..Ignored::default() },
            None if widget.bounds.is_empty() => return None,
            None => {
                let activity = Some(ActivityPattern(layout.activity().to_string()));
                Ignored { region: Some(widget.bounds), activity, ..Ignored::default() }
            }
        };
        Some(RuleEntry::Ignore(ignored))
    }

    /// What denies all screens that show a widget with this id and text. `None` if it has neither these nor a
    /// description.
    pub fn denying_screen(layout: &Layout, idx: WidgetIdx) -> Option<RuleEntry> {
        let widget = layout.get(idx)?;
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        // What somebody typed is another text the next time.
        let text = some(&widget.text).filter(|_| !widget.is_text_field());
        let selector = Selector {
            resource_id: widget.resource_id.as_deref().and_then(some),
            content_desc: if text.is_some() { None } else { some(&widget.content_desc) },
            text,
            ..Selector::default()
        };
        if selector.is_empty() {
            return None;
        }
        let class = selector.resource_id.is_none().then(|| widget.class.to_string());
        Some(RuleEntry::DenyScreen(Selector { class, ..selector }))
    }

    /// What denies the activity of a screen. `None` if it is not known.
    pub fn denying_activity(layout: &Layout) -> Option<RuleEntry> {
        let activity = layout.activity();
        (!activity.is_empty()).then(|| RuleEntry::DenyActivity(ActivityPattern(activity.to_string())))
    }
}

impl std::fmt::Display for RuleEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RuleEntry::Ignore(ignored) => write!(f, "ignores {ignored}"),
            RuleEntry::DenyActivity(activity) => write!(f, "leaves the activity {activity}"),
            RuleEntry::DenyScreen(selector) => write!(f, "leaves screens with {}", thing(selector)),
        }
    }
}

impl std::fmt::Display for Ignored {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.selector, &self.region) {
            (Some(selector), Some(region)) => write!(f, "{} and the region {region}", thing(selector))?,
            (Some(selector), None) => f.write_str(&thing(selector))?,
            (None, Some(region)) => write!(f, "the region {region}")?,
            (None, None) => f.write_str("nothing")?,
        }
        match &self.activity {
            Some(activity) => write!(f, " on {activity}"),
            None => Ok(()),
        }
    }
}

/// What a person calls a widget: its kind, text and id, as far as the selector has them.
fn thing(selector: &Selector) -> String {
    if !selector.is_of_attributes() {
        return selector.to_string();
    }
    let Selector { resource_id, class, text, content_desc, .. } = selector;
    let last = |name: &String| name.rsplit(['/', '.', ':']).next().unwrap_or(name).to_owned();
    let quoted = |text: &String| format!("\u{201c}{}\u{201d}", one_line(text));
    let id = resource_id.as_ref().map(|id| format!("#{}", last(id)));
    let parts = [class.as_ref().map(last), text.as_ref().map(quoted), content_desc.as_ref().map(quoted), id];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

impl TestRules {
    /// The entries of the lists that a person can add and remove one by one.
    pub fn entries(&self) -> Vec<RuleEntry> {
        let ignored = self.ignore.iter().cloned().map(RuleEntry::Ignore);
        let activities = self.deny.activities.iter().cloned().map(RuleEntry::DenyActivity);
        let screens = self.deny.screens.iter().cloned().map(RuleEntry::DenyScreen);
        ignored.chain(activities).chain(screens).collect()
    }

    /// Adds an entry, unless it is there.
    pub fn add(&mut self, entry: RuleEntry) {
        fn push<T: PartialEq>(list: &mut Vec<T>, entry: T) {
            if !list.contains(&entry) {
                list.push(entry);
            }
        }
        match entry {
            RuleEntry::Ignore(ignored) => push(&mut self.ignore, ignored),
            RuleEntry::DenyActivity(activity) => push(&mut self.deny.activities, activity),
            RuleEntry::DenyScreen(selector) => push(&mut self.deny.screens, selector),
        }
    }

    /// Removes an entry.
    pub fn remove(&mut self, entry: &RuleEntry) {
        match entry {
            RuleEntry::Ignore(ignored) => self.ignore.retain(|known| known != ignored),
            RuleEntry::DenyActivity(activity) => self.deny.activities.retain(|known| known != activity),
            RuleEntry::DenyScreen(selector) => self.deny.screens.retain(|known| known != selector),
        }
    }

    /// What they say in few words, such as `ignores 2 parts, leaves 1 screen`.
    pub fn summary(&self) -> String {
        let count = |verb: &str, count: usize, thing: &str| {
            (count > 0).then(|| format!("{verb} {}", counted(count, thing)))
        };
        let texts = self.texts.iter().map(|list| list.texts.len()).sum();
        let parts = [
            count("ignores", self.ignore.len(), "part"),
            of_lists("leaves", &self.deny),
            of_lists("stays on", &Lists { packages: Vec::new(), ..self.allow.clone() }),
            count("lets in", self.allow.packages.len(), "package"),
            count("has", self.rules.len(), "rule"),
            count("types", texts, "text"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { "says nothing".to_owned() } else { parts.join(", ") }
    }

    /// Each thing that they say, as words for people.
    pub fn sentences(&self) -> Vec<String> {
        let mut all: Vec<String> = self.entries().iter().map(RuleEntry::to_string).collect();
        all.extend(self.deny.packages.iter().map(|package| format!("leaves the package {package}")));
        all.extend(self.allow.activities.iter().map(|activity| format!("stays on the activity {activity}")));
        all.extend(
            self.allow.screens.iter().map(|selector| format!("stays on screens with {}", thing(selector))),
        );
        let lets_in = |package: &String| format!("lets the package {package} come in front of the app");
        all.extend(self.allow.packages.iter().map(lets_in));
        all.extend(self.rules.iter().enumerate().map(|(number, rule)| rule.label(number)));
        all.extend(self.texts.iter().map(|list| {
            let texts = counted(list.texts.len(), "text");
            let field = list.field.as_ref().map_or("fields".to_owned(), thing);
            format!("types one of {texts} into {field}, {} % of the time", list.percent)
        }));
        all
    }

    /// Where what is ignored is on a screen.
    pub fn ignored_on(&self, layout: &Layout) -> Vec<PxRect> {
        let there = |ignored: &&Ignored| {
            ignored.activity.as_ref().is_none_or(|activity| activity.matches(layout.activity()))
        };
        let mut regions = Vec::new();
        for ignored in self.ignore.iter().filter(there) {
            let named = ignored.selector.iter().flat_map(|selector| selector.matches(layout));
            regions.extend(named.filter_map(|idx| layout.get(idx)).map(|widget| widget.bounds));
            regions.extend(ignored.region);
        }
        regions.retain(|region| !region.is_empty());
        regions
    }
}

/// What lists say in few words; `None` if there is nothing on them.
fn of_lists(verb: &str, lists: &Lists) -> Option<String> {
    let things = [
        (lists.activities.len(), "activity"),
        (lists.screens.len(), "screen"),
        (lists.packages.len(), "package"),
    ];
    let there = things.into_iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = there.map(|(count, thing)| counted(count, thing)).collect();
    (!words.is_empty()).then(|| format!("{verb} {}", words.join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    fn screen() -> Layout {
        layout_from(
            "FrameLayout\n  TextView#title \"Settings\"\n  TextView \"10:00\"\n  EditText#name \"Ann\"\n  ImageView\n",
        )
        .with_activity("org.ex/.Main".into())
    }

    #[test]
    fn a_widget_is_ignored_by_what_does_not_change() {
        let layout = screen();
        let (clock, title) = (WidgetIdx(2), WidgetIdx(1));
        let mut rules = TestRules::default();
        rules.add(RuleEntry::ignoring(&layout, title).unwrap());
        rules.add(RuleEntry::ignoring(&layout, clock).unwrap());
        rules.add(RuleEntry::ignoring(&layout, clock).unwrap());
        assert_eq!(rules.ignore.len(), 2);
        let later = layout_from(
            "FrameLayout\n  TextView#title \"Other\"\n  TextView \"10:01\"\n  EditText#name \"Ann\"\n  ImageView\n",
        )
        .with_activity("org.ex/.Main".into());
        let bounds = |idx| layout.widget(idx).bounds;
        assert_eq!(rules.ignored_on(&later), [bounds(title), bounds(clock)]);
        let elsewhere = later.with_activity("org.ex/.Other".into());
        assert_eq!(rules.ignored_on(&elsewhere), [bounds(title)], "a region is one of its activity");
        rules.entries().iter().for_each(|entry| rules.remove(entry));
        assert!(rules.is_empty());
    }

    #[test]
    fn a_screen_is_denied_by_a_widget_that_tells_it() {
        let layout = screen();
        let denied = |idx| RuleEntry::denying_screen(&layout, WidgetIdx(idx));
        let matches = |entry: Option<RuleEntry>, on: &Layout| {
            let mut rules = TestRules::default();
            rules.add(entry.unwrap());
            rules.out_of_bounds(on, on, "org.ex").is_some()
        };
        let other = layout_from("FrameLayout\n  TextView#title \"Notes\"\n  EditText#name \"Bob\"\n");
        assert!(matches(denied(1), &layout) && !matches(denied(1), &other), "an id of all titles");
        assert!(matches(denied(3), &other), "what is typed does not matter");
        assert_eq!(denied(4), None);
        assert_eq!(denied(1).unwrap().to_string(), "leaves screens with \u{201c}Settings\u{201d} #title");
        assert_eq!(denied(2).unwrap().to_string(), "leaves screens with TextView \u{201c}10:00\u{201d}");
        let activity = RuleEntry::denying_activity(&layout);
        assert!(matches(activity.clone(), &layout));
        assert!(!matches(activity, &other.with_activity("org.ex/.Other".into())));
    }

    #[test]
    fn rules_are_summed_up_in_words() {
        let text = r##"{"taproof_rules": 1, "allow": {"packages": ["org.login"]},
            "deny": {"activities": [".Settings", ".About"], "screens": ["//*[@text='Pay']"]},
            "rules": [{"name": "advert", "when": {"resource_id": "a:id/x"}, "do": ["tap"]}],
            "ignore": [{"region": "[0,0][10,20]", "activity": "Main"}],
            "texts": [{"texts": ["b", "c"]}]}"##;
        let rules = TestRules::parse("my.json", text).unwrap();
        let said =
            "ignores 1 part, leaves 2 activities and 1 screen, lets in 1 package, has 1 rule, types 2 texts";
        assert_eq!(rules.summary(), said);
        assert_eq!(TestRules::default().summary(), "says nothing");
        let sentences = rules.sentences();
        assert_eq!(sentences.len(), 7);
        assert_eq!(sentences[0], "ignores the region [0,0][10,20] on Main");
        assert!(sentences[6].contains("2 texts into fields, 70 %"), "{sentences:?}");
    }
}
