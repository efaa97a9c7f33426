//! What of an outcome does not follow from the app's data or from time. Tests differ in what they have made, changed and
//! typed, and in how long they took, so that an outcome which differs from a believed one in nothing else is no minority
//! (`engine/odin/paper.md`, section 12).

use std::collections::{BTreeMap, BTreeSet};

use super::{Behaviour, KnownLayout, Outcome};
use crate::oracle::times::without_times;
use taproof_screen::determinism::HashBuffer;
use taproof_screen::{Text, Widget, WidgetFlags, WidgetIdx};

/// What of an outcome does not follow from data or time.
pub(super) enum Lasting {
    /// Another page.
    Opened(OpenedPage),
    /// The same page: the labels after the event, each with how many more of them there are than before.
    Changed(BTreeMap<u64, (usize, i64)>),
}

/// A page that was not shown before the event. Its texts, its states and the rows of its lists are data that the page
/// before need not show; but that it shows what the event contributed, such as the name of the touched row, is more.
pub(super) struct OpenedPage {
    activity: u64,
    has_list: bool,
    /// The kinds of widgets outside of lists, each with those around it, and which of the event's texts it shows.
    kinds: BTreeSet<u64>,
    /// Those that receive events.
    receivers: BTreeSet<u64>,
}

impl Lasting {
    /// `None` if the app is not shown. `brought` are the texts that the event contributed.
    pub(super) fn of(behaviour: &Behaviour, brought: &[Text]) -> Option<Lasting> {
        let Outcome::Shows(after) = &behaviour.after else { return None };
        let before = &behaviour.before;
        if before.state != after.state {
            return Some(Lasting::Opened(OpenedPage::of(behaviour, after, brought)));
        }
        let mut labels: BTreeMap<u64, (usize, i64)> = BTreeMap::new();
        each(behaviour, before, |_, label| labels.entry(label).or_default().1 -= 1);
        each(behaviour, after, |_, label| {
            let (count, more) = labels.entry(label).or_default();
            *count += 1;
            *more += 1;
        });
        Some(Lasting::Changed(labels))
    }

    /// Whether data or time may be all that distinguishes two outcomes of an event.
    pub(super) fn agrees(&self, other: &Lasting) -> bool {
        match (self, other) {
            (Lasting::Opened(one), Lasting::Opened(other)) => one.agrees(other),
            (Lasting::Changed(one), Lasting::Changed(other)) => {
                let all = || one.keys().chain(other.keys());
                let of = |labels: &BTreeMap<u64, (usize, i64)>, label| {
                    labels.get(label).copied().unwrap_or_default()
                };
                all().all(|label| of(one, label).1 == of(other, label).1)
                    || all().all(|label| of(one, label).0 == of(other, label).0)
            }
            (Lasting::Opened(_) | Lasting::Changed(_), _) => false,
        }
    }
}

impl OpenedPage {
    fn of(behaviour: &Behaviour, after: &KnownLayout, brought: &[Text]) -> OpenedPage {
        let layout = &after.layout;
        let mut hasher = HashBuffer::default();
        hasher.text(layout.activity());
        let activity = hasher.finish();
        let mut page =
            OpenedPage { activity, has_list: false, kinds: BTreeSet::new(), receivers: BTreeSet::new() };
        let mut in_list = vec![false; layout.widgets().len()];
        each(behaviour, after, |place, _| {
            let idx = place.idx;
            let parent = layout.widget(idx).parent;
            in_list[idx.index()] =
                parent.is_some_and(|parent| in_list[parent.index()]) || layout.is_list(idx);
            if in_list[idx.index()] {
                page.has_list = true;
                return;
            }
            let text = &layout.widget(idx).text;
            let own = brought.iter().position(|known| known == text && !text.is_empty());
            hasher.clear();
            hasher.u64(place.kinds);
            hasher.u64(own.map_or(0, |place| place as u64 + 1));
            page.kinds.insert(hasher.finish());
            if after.receivers.binary_search(&idx).is_ok() {
                page.receivers.insert(place.kinds);
            }
        });
        page
    }

    /// Where one of them has no list, the words that stand in its place while it is empty do not count either.
    fn agrees(&self, other: &OpenedPage) -> bool {
        let same =
            self.kinds == other.kinds || self.has_list != other.has_list && self.receivers == other.receivers;
        self.activity == other.activity && same
    }
}

/// Where a widget is.
struct Place {
    idx: WidgetIdx,
    /// Hash of its kind and of those around it.
    kinds: u64,
}

/// Calls `count` with each widget of a layout and a hash of its place and of what it shows. Widgets that show what was
/// typed in the test are left out.
fn each(behaviour: &Behaviour, known: &KnownLayout, mut count: impl FnMut(Place, u64)) {
    let layout = &known.layout;
    let mut hasher = HashBuffer::default();
    let mut kinds: Vec<u64> = Vec::with_capacity(layout.widgets().len());
    let typed = |widget: &Widget| {
        !widget.text.is_empty()
            && (behaviour.history.has_typed(&widget.text) || behaviour.typed.as_ref() == Some(&widget.text))
    };
    for (idx, widget) in layout.iter() {
        hasher.clear();
        hasher.u64(widget.parent.map_or(0, |parent| kinds[parent.index()]));
        hasher.text(&widget.class);
        hasher.text(widget.resource_id.as_deref().unwrap_or(""));
        let place = Place { idx, kinds: hasher.finish() };
        kinds.push(place.kinds);
        if typed(widget) {
            continue;
        }
        for state in [WidgetFlags::CHECKED, WidgetFlags::SELECTED, WidgetFlags::ENABLED] {
            hasher.u64(u64::from(widget.flags.has(state)));
        }
        hasher.text(&without_times(&widget.text));
        hasher.text(&without_times(&widget.content_desc));
        count(place, hasher.finish());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::oracle::may_belief::{History, Past};
    use taproof_screen::{EventKey, Layout, layout_from};

    const LIST: &str = "FrameLayout\n  ListView#list\n    TextView#name \"Momo\"\n  Button#new \"New\"\n";

    fn known(layout: Layout) -> Arc<KnownLayout> {
        Arc::new(KnownLayout::of(Arc::new(layout), "org.ex"))
    }

    fn lasting(before: &str, after: &str, history: Past) -> Lasting {
        let behaviour = Behaviour {
            input: 0,
            before: known(layout_from(before)),
            receiver: None,
            typed: None,
            after: Outcome::Shows(known(layout_from(after))),
            history,
        };
        Lasting::of(&behaviour, &["Momo".into()]).unwrap()
    }

    /// Whether data may be all that distinguishes two pages that an event opens.
    fn opened(one: &str, other: &str) -> bool {
        let opens = |page: &str| lasting(LIST, page, Past::default());
        opens(one).agrees(&opens(other))
    }

    #[test]
    fn the_state_of_a_row_decides_what_its_menu_offers() {
        let menu =
            |item: &str| format!("ListView#menu\n  Button#title \"{item}\"\n  Button#title \"Delete\"\n");
        assert!(opened(&menu("Add bookmark"), &menu("Remove bookmark")));
        assert!(opened(
            "FrameLayout\n  Button#keep \"Archive\"\n",
            "FrameLayout\n  Button#keep \"Restore\"\n"
        ));
        assert!(!opened(&menu("Add bookmark"), "FrameLayout\n  Button#ok \"OK\"\n"));
    }

    #[test]
    fn a_page_that_shows_what_was_touched_is_not_one_of_something_else() {
        let page = |name: &str| format!("FrameLayout\n  TextView#title \"{name}\"\n");
        assert!(!opened(&page("Momo"), &page("Pip")));
        assert!(opened(&page("Pip"), &page("Bella")));
    }

    #[test]
    fn a_list_may_hold_something_or_nothing() {
        let page = |inside: &str| format!("FrameLayout\n  Toolbar\n    ImageButton#back\n{inside}");
        let rows = "  ListView#list\n    TextView#name \"a\"\n";
        assert!(opened(&page(rows), &page("  ListView#list\n")));
        assert!(opened(&page(rows), &page("  TextView#empty \"Nothing here\"\n")));
        assert!(!opened(&page(rows), &page("  Button#retry \"Try again\"\n")), "it can be acted on");
        assert!(!opened(&page(rows), &page("  ListView#list\n  TextView#error \"Failed\"\n")));
    }

    #[test]
    fn what_was_typed_and_times_are_no_difference_on_the_same_page() {
        let page = |words: &str| format!("FrameLayout\n  Button#go \"Go\"\n{words}");
        let before = page("");
        let changes = |words: &str, history: &Past| lasting(&before, &page(words), history.clone());
        let mut history = History::default();
        history.typed(&Text::from("Hello"));
        history.did(EventKey(1), &[]);
        let typed = history.past();
        let none = Past::default();
        let note = "  TextView#note \"Hello\"\n";
        assert!(changes(note, &typed).agrees(&changes("", &none)));
        assert!(!changes(note, &none).agrees(&changes("", &none)), "nobody typed it");
        let took = |time: &str| changes(&format!("  TextView#took \"Duration: {time}\"\n"), &none);
        assert!(took("12 sec").agrees(&took("4 sec")));
        assert!(
            !changes("  TextView#words \"done\"\n", &none)
                .agrees(&changes("  TextView#words \"failed\"\n", &none))
        );
    }
}
