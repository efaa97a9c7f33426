//! What came of an event, in words: of one behaviour, or what tells two of them apart. A text that the event brought
//! along stands for itself in a fingerprint, so the words say so: the page of what was touched is not the page of
//! something else.

use std::collections::BTreeMap;

use super::abstraction::AbstractTree;
use super::fingerprint::{Change, Operation, brought_texts};
use super::{Behaviour, KnownLayout, Lens, MayBeliefConfig, Rules, VolatileViews};
use crate::model::{
    CandidateAction, EventKey, Text, TreeEditor, Violation, WidgetFlags, WidgetIdx, one_line,
};

/// Things that are named before the rest is only counted.
const MOST_NAMED: usize = 4;
/// Words around a widget without words that say where it is.
const MOST_WORDS_AROUND: usize = 2;

/// How two behaviours of one event differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What is believed, said of what the event was done to this time.
    pub expected: String,
    /// What came of it instead.
    pub seen: String,
    /// The widgets afterwards that show it.
    pub offending: Vec<WidgetIdx>,
}

/// What tells a behaviour from one that is believed. Their fingerprints differ.
pub fn tell_apart(
    believed: &Behaviour,
    seen: &Behaviour,
    rules: Rules,
    volatile: &VolatileViews,
    config: &MayBeliefConfig,
) -> Told {
    let brought =
        [believed, seen].map(|it| if config.brought_texts { brought_texts(it) } else { Vec::new() });
    let account = |behaviour: &Behaviour, of: usize| {
        let lens = Lens { rules, r1_keeps_ids: config.r1_keeps_ids, volatile, brought: &brought[of] };
        let change = Change::of(behaviour, &lens, &mut TreeEditor::default());
        // Both are told of what was touched this time.
        Account::of(&change, &Voice { lens, shown_as: &brought[1], typed: behaviour.typed.is_some() })
    };
    let (believed, seen) = (account(believed, 0), account(seen, 1));
    let (expected, _) = believed.beside(&seen);
    let (mut words, offending) = seen.beside(&believed);
    if words == expected {
        words.push_str(", arranged in another way");
    }
    Told { expected, seen: words, offending }
}

impl Told {
    /// Puts it into a violation.
    pub fn say(self, violation: &mut Violation) {
        violation.title = format!("{}: {}", violation.subject, self.seen);
        for failure in &mut violation.failures {
            failure.expected.clone_from(&self.expected);
            failure.seen.clone_from(&self.seen);
            failure.offending.clone_from(&self.offending);
        }
    }
}

/// What is done and to what kind of widget.
pub fn event_words(behaviour: &Behaviour, event: EventKey) -> String {
    let (known, typed) = (&behaviour.before, behaviour.typed.as_deref().unwrap_or(""));
    let Some(receiver) = behaviour.receiver else { return String::new() };
    let widget = known.layout.widget(receiver);
    let name = match (widget.short_id(), &*widget.content_desc) {
        (Some(id), _) => format!("{} #{id}", widget.short_class()),
        (None, "") => widget.short_class().to_owned(),
        (None, words) => format!("{} \u{201c}{words}\u{201d}", widget.short_class()),
    };
    let mut handled = known.handled.iter().filter(|handled| handled.receiver == receiver);
    let action = handled.find(|handled| handled.key == event || handled.key.typing(typed) == event);
    match action.map(|handled| handled.action) {
        Some(CandidateAction::Tap) | None => format!("Tap {name}"),
        Some(CandidateAction::LongPress) => format!("Press {name} long"),
        Some(CandidateAction::Scroll(direction)) => format!("Swipe {direction:?} on {name}").to_lowercase(),
        Some(CandidateAction::SetText) => format!("Enter \u{201c}{typed}\u{201d} into {name}"),
    }
}

/// How widgets are named.
pub(super) struct Voice<'a> {
    pub(super) lens: Lens<'a>,
    /// What the texts that the event brought are called.
    pub(super) shown_as: &'a [Text],
    /// Whether the first of them was typed.
    pub(super) typed: bool,
}

impl Voice<'_> {
    fn text(&self, text: &Text) -> String {
        let brought = self.lens.brought.iter().position(|known| known == text);
        let shown = brought.and_then(|place| self.shown_as.get(place)).unwrap_or(text);
        let mark = match brought {
            None => "",
            Some(0) if self.typed => " (as typed)",
            Some(_) => " (as touched)",
        };
        format!("\u{201c}{}\u{201d}{mark}", one_line(shown))
    }

    fn texts(&self, known: &KnownLayout, idx: WidgetIdx) -> Vec<String> {
        let widget = known.layout.widget(idx);
        if self.lens.volatile.masks(&known.layout, idx) {
            return Vec::new();
        }
        let description = Some(&widget.content_desc).filter(|words| **words != widget.text);
        let texts = std::iter::once(&widget.text).chain(description).filter(|text| !text.is_empty());
        texts.map(|text| self.text(text)).collect()
    }

    fn widget(&self, known: &KnownLayout, idx: WidgetIdx) -> String {
        let widget = known.layout.widget(idx);
        let mut words = vec![widget.short_class().to_owned()];
        words.extend(self.texts(known, idx));
        words.extend(widget.short_id().map(|id| format!("#{id}")));
        let states = [
            (widget.flags.has(WidgetFlags::CHECKED), "checked"),
            (widget.flags.has(WidgetFlags::SELECTED), "selected"),
            (!widget.flags.has(WidgetFlags::ENABLED), "disabled"),
        ];
        words.extend(states.into_iter().filter(|(is, _)| *is).map(|(_, word)| format!("({word})")));
        words.join(" ")
    }

    /// A widget with what says where it is.
    fn placed(&self, known: &KnownLayout, tree: &AbstractTree, idx: WidgetIdx) -> String {
        let around = tree.place_of(idx).map_or_else(Vec::new, |place| tree.context(place));
        let around = around.into_iter().flat_map(|place| self.texts(known, tree.nodes[place].widget));
        let around: Vec<String> = around.take(MOST_WORDS_AROUND).collect();
        let widget = self.widget(known, idx);
        if around.is_empty() { widget } else { format!("{widget} at {}", around.join(", ")) }
    }
}

/// What came of a behaviour, thing by thing.
pub(super) struct Account {
    head: Head,
    items: Vec<Item>,
}

enum Head {
    /// The page is still the same one: the items are what changed.
    Changes,
    /// Another page: the items are what it shows. The activity.
    Opens(Text),
    /// The app is not in front any more.
    Ends(String),
}

/// A change, or a widget of a page.
struct Item {
    /// What the fingerprint knows of it.
    hash: u64,
    words: String,
    /// The widget afterwards.
    widget: Option<WidgetIdx>,
    /// Whether it shows words.
    speaks: bool,
}

impl Account {
    pub(super) fn of(change: &Change, voice: &Voice<'_>) -> Self {
        let (head, mut items) = match change {
            Change::Script { before, after, trees: (old, new), operations } => {
                let sides = [(&**before, old), (&**after, new)];
                let items = operations.iter().map(|operation| Item::of_operation(operation, sides, voice));
                (Head::Changes, items.collect())
            }
            Change::Replaced { after, page } => {
                let items = page.nodes.iter().map(|node| Item {
                    hash: node.label,
                    words: voice.widget(after, node.widget),
                    widget: Some(node.widget),
                    speaks: node.words.is_some(),
                });
                (Head::Opens(Text::clone(after.layout.activity())), items.collect::<Vec<Item>>())
            }
            Change::Died(signature) => (Head::Ends(format!("dies: {signature}")), Vec::new()),
            Change::Left(activity) => {
                (Head::Ends(format!("leaves the app for {}", short_activity(activity))), Vec::new())
            }
        };
        items.sort_by_key(|item| (!item.speaks, item.widget));
        Account { head, items }
    }

    /// All of it, at most `most` lines of changes.
    pub(super) fn lines(&self, most: usize) -> Vec<String> {
        match &self.head {
            Head::Ends(words) => vec![words.clone()],
            Head::Opens(activity) => {
                let spoken: Vec<&Item> = self.items.iter().filter(|item| item.speaks).collect();
                let page = short_activity(activity);
                if spoken.is_empty() {
                    return vec![format!("{page} opens")];
                }
                vec![format!("{page} opens: {}", listed(&spoken, most).join(", "))]
            }
            Head::Changes if self.items.is_empty() => vec!["nothing changes".to_owned()],
            Head::Changes => listed(&self.items.iter().collect::<Vec<_>>(), most),
        }
    }

    /// What it does that the other one does not, and the widgets that show it.
    fn beside(&self, other: &Account) -> (String, Vec<WidgetIdx>) {
        let own = self.surplus(other);
        let list = |items: &[&Item], between: &str| listed(items, MOST_NAMED).join(between);
        let words = match (&self.head, &other.head) {
            (Head::Opens(activity), Head::Opens(others)) if activity == others => {
                let page = short_activity(activity);
                if own.is_empty() {
                    let theirs = list(&other.surplus(self), ", ");
                    return (format!("{page} opens without {theirs}"), Vec::new());
                }
                format!("{page} opens with {}", list(&own, ", "))
            }
            (Head::Changes, Head::Changes) if !self.items.is_empty() => {
                if own.is_empty() {
                    let all: Vec<&Item> = self.items.iter().collect();
                    return (format!("only {}", list(&all, "; ")), Vec::new());
                }
                list(&own, "; ")
            }
            (Head::Changes | Head::Opens(_) | Head::Ends(_), _) => {
                return (self.lines(MOST_NAMED).join("; "), Vec::new());
            }
        };
        (words, own.iter().filter_map(|item| item.widget).take(MOST_NAMED).collect())
    }

    /// The items that the other one does not have, or not as often. What both say in the same words tells nothing,
    /// unless all that differs is said in the same words.
    fn surplus(&self, other: &Account) -> Vec<&Item> {
        let (own, theirs): (Vec<&Item>, Vec<&Item>) =
            (self.items.iter().collect(), other.items.iter().collect());
        let hash = |item: &Item| item.hash;
        let (own, theirs) = (beyond(&own, &theirs, hash), beyond(&theirs, &own, hash));
        let words = |item: &Item| item.words.clone();
        let (said, said_there) = (beyond(&own, &theirs, words), beyond(&theirs, &own, words));
        if said.is_empty() && said_there.is_empty() { own } else { said }
    }
}

/// The items that the others do not have, or not as often.
fn beyond<'i, K: Ord>(items: &[&'i Item], others: &[&Item], key: impl Fn(&Item) -> K) -> Vec<&'i Item> {
    let mut left: BTreeMap<K, usize> = BTreeMap::new();
    others.iter().for_each(|item| *left.entry(key(item)).or_default() += 1);
    let own = |item: &&&Item| match left.get_mut(&key(item)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        Some(_) | None => true,
    };
    items.iter().filter(own).copied().collect()
}

impl Item {
    fn of_operation(
        operation: &Operation,
        sides: [(&KnownLayout, &AbstractTree); 2],
        voice: &Voice<'_>,
    ) -> Self {
        let [(before, old), (after, new)] = sides;
        let words = match (operation.from, operation.to) {
            (Some(from), Some(to)) => {
                format!("{} becomes {}", voice.placed(before, old, from), voice.widget(after, to))
            }
            (Some(from), None) => format!("{} goes", voice.placed(before, old, from)),
            (None, Some(to)) => format!("{} comes", voice.placed(after, new, to)),
            (None, None) => String::new(),
        };
        let (from, to) = (operation.from, operation.to);
        let speaks = from.is_some_and(|from| !voice.texts(before, from).is_empty())
            || to.is_some_and(|to| !voice.texts(after, to).is_empty());
        Item { hash: operation.hash, words, widget: to, speaks }
    }
}

/// What is named, equal things once, and how many there are beside.
fn listed(items: &[&Item], most: usize) -> Vec<String> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for item in items {
        match counts.iter_mut().find(|(words, _)| *words == item.words) {
            Some((_, count)) => *count += 1,
            None => counts.push((&item.words, 1)),
        }
    }
    let more: usize = counts.iter().skip(most).map(|(_, count)| count).sum();
    let named = |(words, count): &(&str, usize)| match count {
        1 => (*words).to_owned(),
        count => format!("{words}, {count} times"),
    };
    let mut told: Vec<String> = counts.iter().take(most).map(named).collect();
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told
}

fn short_activity(activity: &str) -> String {
    one_line(activity.rsplit(['/', '.']).next().unwrap_or(activity))
}
