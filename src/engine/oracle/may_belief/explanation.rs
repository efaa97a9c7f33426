//! The outcome of an event in words: of one behaviour, or how two of them differ. Fingerprints represent a text that
//! the event contributed by its position, so the words mention it: the page of the touched row is not the page of
//! another one.

use std::collections::BTreeMap;

use super::abstraction::AbstractTree;
use super::fingerprint::{LayoutChange, Operation, brought_texts};
use super::{Behaviour, KnownLayout, Lens, MayBeliefConfig, Rules, VolatileViews};
use crate::oracle::layout_effects::TreeEditor;
use taproof_screen::{
    CandidateAction, EventKey, Layout, Role, Text, Violation, WidgetFlags, WidgetIdx, id_words, one_line,
    screen_for_people, widget_for_people,
};

/// Number of items that are named before the rest is only counted.
const MOST_NAMED: usize = 3;
/// Number of words around a widget without words that describe its place.
const MOST_WORDS_AROUND: usize = 2;

/// The states of widgets that people see.
const STATES: [WidgetFlags; 3] = [WidgetFlags::CHECKED, WidgetFlags::SELECTED, WidgetFlags::ENABLED];

/// How two behaviours of one event differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The believed outcome, in terms of what the event touched this time.
    pub expected: String,
    /// The outcome that was seen instead.
    pub seen: String,
    /// The widgets in the layout after the event that show it.
    pub offending: Vec<WidgetIdx>,
    /// Whether a person can see the difference: it names a text, a description, or the state of something that has a
    /// name. Containers are not seen.
    pub visible: bool,
}

/// Explains how a behaviour differs from a believed one. Their fingerprints must differ.
pub fn explain_difference(
    believed: &Behaviour,
    seen: &Behaviour,
    rules: Rules,
    volatile: &VolatileViews,
    config: &MayBeliefConfig,
) -> Explanation {
    let brought =
        [believed, seen].map(|it| if config.brought_texts { brought_texts(it) } else { Vec::new() });
    let account = |behaviour: &Behaviour, of: usize| {
        let lens = Lens { rules, volatile, brought: &brought[of] };
        let change = LayoutChange::of(behaviour, &lens, &mut TreeEditor::default());
        // Both are described with the texts of what was touched in `seen`.
        Account::of(&change, &Voice { lens, shown_as: &brought[1] })
    };
    let (believed, seen) = (account(believed, 0), account(seen, 1));
    let (expected, _) = believed.beside(&seen);
    let (mut words, offending) = seen.beside(&believed);
    if words == expected {
        words.push_str(", in another place");
    }
    let visible = seen.tells(&believed) || believed.tells(&seen);
    Explanation { expected, seen: words, offending, visible }
}

impl Explanation {
    /// Puts the explanation into a violation. `event` is what was done, as a clause.
    pub fn write_to(self, event: &str, violation: &mut Violation) {
        violation.title = format!("When {event}, {}", self.seen);
        for failure in &mut violation.failures {
            failure.expected.clone_from(&self.expected);
            failure.seen.clone_from(&self.seen);
            failure.offending.clone_from(&self.offending);
        }
    }
}

/// The action and the kind of widget, in words that are the same whatever its text is.
pub fn event_words(behaviour: &Behaviour, event: EventKey) -> String {
    let Some(receiver) = behaviour.receiver else { return String::new() };
    let layout = &behaviour.before.layout;
    let (widget, kind) = (layout.widget(receiver), kind_of(layout, receiver).unwrap_or("part of the page"));
    let name = match (widget.short_id(), &*widget.content_desc) {
        (Some(id), _) => format!("the {kind} \u{201c}{}\u{201d}", id_words(id)),
        (None, "") => format!("a {kind}"),
        (None, words) => format!("the {kind} \u{201c}{words}\u{201d}"),
    };
    match action_of(behaviour, event) {
        CandidateAction::Tap => format!("Tap {name}"),
        CandidateAction::LongPress => format!("Press {name} long"),
        CandidateAction::Scroll(direction) => format!("Swipe {} on {name}", direction.word()),
        CandidateAction::SetText => {
            format!("Enter \u{201c}{}\u{201d} into {name}", behaviour.typed.as_deref().unwrap_or(""))
        }
    }
}

/// What was done, as a clause about the widget that it was done to.
pub fn behaviour_clause(behaviour: &Behaviour, event: EventKey) -> String {
    let name = behaviour.receiver.map(|receiver| widget_for_people(&behaviour.before.layout, receiver));
    let name = name.unwrap_or_else(|| "the screen".to_owned());
    match action_of(behaviour, event) {
        CandidateAction::Tap => format!("{name} is tapped"),
        CandidateAction::LongPress => format!("{name} is pressed long"),
        CandidateAction::Scroll(_) => format!("{name} is swiped"),
        CandidateAction::SetText => format!("something is typed into {name}"),
    }
}

fn action_of(behaviour: &Behaviour, event: EventKey) -> CandidateAction {
    let typed = behaviour.typed.as_deref().unwrap_or("");
    let of_receiver =
        behaviour.before.handled.iter().filter(|handled| Some(handled.receiver) == behaviour.receiver);
    let mut handled =
        of_receiver.filter(|handled| handled.key == event || handled.key.typing(typed) == event);
    handled.next().map_or(CandidateAction::Tap, |handled| handled.action)
}

fn kind_of(layout: &Layout, idx: WidgetIdx) -> Option<&'static str> {
    let role = layout.role(idx).or_else(|| Role::of_class(&layout.widget(idx).class));
    role.map(Role::word)
}

/// How widgets are named in words.
pub(super) struct Voice<'a> {
    pub(super) lens: Lens<'a>,
    /// Names for the texts that the event contributed.
    pub(super) shown_as: &'a [Text],
}

impl Voice<'_> {
    fn text(&self, text: &Text) -> String {
        let brought = self.lens.brought.iter().position(|known| known == text);
        let shown = brought.and_then(|place| self.shown_as.get(place)).unwrap_or(text);
        format!("\u{201c}{}\u{201d}", one_line(shown))
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

    /// What a person calls a widget; `None` for a container without a text of its own.
    fn widget(&self, known: &KnownLayout, idx: WidgetIdx) -> Option<String> {
        let widget = known.layout.widget(idx);
        let texts = self.texts(known, idx);
        let name = match (texts.is_empty(), widget.short_id()) {
            (false, _) => texts.join(", "),
            (true, Some(id)) => {
                format!("the {} \u{201c}{}\u{201d}", kind_of(&known.layout, idx)?, id_words(id))
            }
            (true, None) => format!("the {}", kind_of(&known.layout, idx)?),
        };
        let states = [
            (widget.flags.has(WidgetFlags::CHECKED), " (checked)"),
            (widget.flags.has(WidgetFlags::SELECTED), " (selected)"),
            (!widget.flags.has(WidgetFlags::ENABLED), " (disabled)"),
        ];
        Some(states.into_iter().filter(|(is, _)| *is).fold(name, |name, (_, word)| name + word))
    }

    /// A widget, one without a text with the words that describe its place.
    fn placed(&self, known: &KnownLayout, tree: &AbstractTree, idx: WidgetIdx) -> Option<String> {
        let widget = self.widget(known, idx)?;
        if !self.texts(known, idx).is_empty() {
            return Some(widget);
        }
        let around = tree.place_of(idx).map_or_else(Vec::new, |place| tree.context(place));
        let around = around.into_iter().flat_map(|place| self.texts(known, tree.nodes[place].widget));
        let around: Vec<String> = around.take(MOST_WORDS_AROUND).collect();
        Some(if around.is_empty() { widget } else { format!("{widget} beside {}", around.join(", ")) })
    }
}

/// The outcome of a behaviour, item by item.
pub(super) struct Account {
    head: Head,
    items: Vec<Item>,
}

enum Head {
    /// The page is still the same; the items are its changes.
    Changes,
    /// Another page, of this activity, which people call so; the items are its widgets.
    Opens(Text, String),
    /// The app is not in the foreground any more.
    Ends(String),
}

/// A change, or a widget of a page.
struct Item {
    /// Its hash in the fingerprint.
    hash: u64,
    /// `None` if a person does not notice it.
    words: Option<String>,
    /// The widget in the layout after the event; `None` for one that was removed.
    widget: Option<WidgetIdx>,
    /// Whether it shows words.
    speaks: bool,
    /// Whether a person can see it.
    visible: bool,
}

impl Account {
    pub(super) fn of(change: &LayoutChange, voice: &Voice<'_>) -> Self {
        let (head, mut items) = match change {
            LayoutChange::Script { before, after, trees: (old, new), operations } => {
                let sides = [(&**before, old), (&**after, new)];
                let items = operations.iter().map(|operation| Item::of_operation(operation, sides, voice));
                (Head::Changes, items.collect())
            }
            LayoutChange::Replaced { after, page } => {
                let items = page.nodes.iter().map(|node| Item {
                    hash: node.label,
                    words: voice.widget(after, node.widget),
                    widget: Some(node.widget),
                    speaks: node.words.is_some(),
                    visible: !voice.texts(after, node.widget).is_empty(),
                });
                let page = screen_for_people(&after.layout);
                (Head::Opens(Text::clone(after.layout.activity()), page), items.collect::<Vec<Item>>())
            }
            LayoutChange::Died(signature) => {
                (Head::Ends(format!("the app crashes: {signature}")), Vec::new())
            }
            LayoutChange::Left(_) => (Head::Ends("the app is left".to_owned()), Vec::new()),
        };
        items.sort_by_key(|item| (!item.speaks, item.widget));
        Account { head, items }
    }

    /// The whole account, with at most `most` lines of changes.
    pub(super) fn lines(&self, most: usize) -> Vec<String> {
        match &self.head {
            Head::Ends(words) => vec![words.clone()],
            Head::Opens(_, page) => {
                let spoken: Vec<&Item> = self.items.iter().filter(|item| item.speaks).collect();
                if spoken.is_empty() {
                    return vec![format!("{page} opens")];
                }
                vec![format!("{page} opens: {}", listed(&spoken, most).join(", "))]
            }
            Head::Changes if self.items.is_empty() => vec!["nothing changes".to_owned()],
            Head::Changes => listed(&self.items.iter().collect::<Vec<_>>(), most),
        }
    }

    /// What this account has that the other lacks, in words, and the widgets that show it.
    fn beside(&self, other: &Account) -> (String, Vec<WidgetIdx>) {
        let own = self.surplus(other);
        let list = |items: &[&Item]| listed(items, MOST_NAMED).join(", ");
        let words = match (&self.head, &other.head) {
            (Head::Opens(activity, page), Head::Opens(others, _)) if activity == others => {
                if own.is_empty() {
                    let theirs = list(&other.surplus(self));
                    return (format!("{page} opens without {theirs}"), Vec::new());
                }
                format!("{page} opens with {}", list(&own))
            }
            (Head::Changes, Head::Changes) if !self.items.is_empty() => {
                if own.is_empty() {
                    let all: Vec<&Item> = self.items.iter().collect();
                    return (format!("only {}", list(&all)), Vec::new());
                }
                list(&own)
            }
            (Head::Changes | Head::Opens(..) | Head::Ends(_), _) => {
                return (self.lines(MOST_NAMED).join(", "), Vec::new());
            }
        };
        (words, own.iter().filter_map(|item| item.widget).take(MOST_NAMED).collect())
    }

    /// Whether it has something that a person sees and the other lacks.
    fn tells(&self, other: &Account) -> bool {
        let visible = |items: &[&Item]| items.iter().any(|item| item.visible);
        match (&self.head, &other.head) {
            (Head::Ends(_), _) => true,
            (Head::Opens(activity, _), Head::Opens(known, _)) if activity == known => {
                visible(&self.surplus(other))
            }
            (Head::Changes, Head::Changes) => visible(&self.surplus(other)),
            (Head::Opens(..) | Head::Changes, _) => visible(&self.items.iter().collect::<Vec<_>>()),
        }
    }

    /// The items that the other lacks or has less often. Items that both describe in the same words are left out,
    /// unless all differing items are described in the same words.
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

/// The items that the others lack or have less often.
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

/// That one thing becomes another one, or changes its state, which stands in brackets behind its name.
fn becomes(was: &str, is: &str) -> String {
    let state = |with: &str, without: &str| {
        let state = with.strip_prefix(without)?.strip_prefix(" (")?.strip_suffix(')')?;
        Some(state.to_owned())
    };
    match (state(is, was), state(was, is)) {
        (Some(state), _) => format!("{was} becomes {state}"),
        (None, Some(state)) => format!("{is} is no longer {state}"),
        (None, None) => format!("{was} becomes {is}"),
    }
}

impl Item {
    fn of_operation(
        operation: &Operation,
        sides: [(&KnownLayout, &AbstractTree); 2],
        voice: &Voice<'_>,
    ) -> Self {
        let [(before, old), (after, new)] = sides;
        let was = operation.from.and_then(|from| voice.placed(before, old, from));
        let words = match (operation.from, operation.to) {
            (Some(_), Some(to)) => was.zip(voice.widget(after, to)).map(|(was, is)| becomes(&was, &is)),
            (Some(_), None) => was.map(|was| format!("{was} disappears")),
            (None, Some(to)) => voice.placed(after, new, to).map(|is| format!("{is} appears")),
            (None, None) => None,
        };
        let (from, to) = (operation.from, operation.to);
        let speaks = from.is_some_and(|from| !voice.texts(before, from).is_empty())
            || to.is_some_and(|to| !voice.texts(after, to).is_empty());
        let switched = || {
            let (Some(from), Some(to)) = (from, to) else { return false };
            let named = old.place_of(from).is_some_and(|place| !old.context(place).is_empty());
            named
                && STATES.iter().any(|state| {
                    before.layout.widget(from).flags.has(*state) != after.layout.widget(to).flags.has(*state)
                })
        };
        Item { hash: operation.hash, words, widget: to, speaks, visible: speaks || switched() }
    }
}

/// The words of the items that a person notices, equal ones once. Beyond `most`, the rest is only counted.
fn listed(items: &[&Item], most: usize) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    for words in items.iter().filter_map(|item| item.words.as_ref()) {
        if !named.contains(words) {
            named.push(words.clone());
        }
    }
    if named.is_empty() {
        return vec!["something without words".to_owned()];
    }
    let more = named.split_off(named.len().min(most)).len();
    if more > 0 {
        named.push(format!("and {more} more"));
    }
    named
}

#[cfg(test)]
mod tests {
    use super::becomes;

    #[test]
    fn a_state_is_told_without_the_name_again() {
        assert_eq!(becomes("“Star”", "“Star” (checked)"), "“Star” becomes checked");
        assert_eq!(becomes("“Star” (checked)", "“Star”"), "“Star” is no longer checked");
        assert_eq!(becomes("“1”", "“2”"), "“1” becomes “2”");
    }
}
