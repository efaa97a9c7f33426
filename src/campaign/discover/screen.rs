//! What can be done on a screen that is worth trying, and what tells screens apart.

use std::sync::Arc;

use super::sample::performed_step;
use taproof_screen::determinism::StableHasher;
use taproof_screen::{
    CandidateAction, Direction, Event, Gesture, Key, Layout, RecordedStep, Same, Widget, WidgetFlags,
    WidgetIdx, candidates, event_on, is_visible,
};

/// Maximum number of items of a list without known objects that are tried, such as those of a menu.
const ITEMS: usize = 10;

/// The objects that the app holds in an experiment.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// All that were made in it, with those that are gone.
    pub(super) all: Vec<String>,
    /// The one that is acted on.
    pub(super) focus: Option<String>,
}

impl Known {
    fn is_one(&self, text: &str) -> bool {
        self.all.iter().any(|name| name == text)
    }

    fn is_focus(&self, text: &str) -> bool {
        self.focus.as_deref() == Some(text)
    }
}

/// Something that can be done on a screen.
#[derive(Clone, Debug)]
pub(super) struct Act {
    pub(super) event: Event,
    /// Whether it is done to the object that is acted on, or in its row.
    pub(super) on_focus: bool,
}

impl Act {
    pub(super) fn key(key: Key) -> Act {
        Act { event: Event::Key(key), on_focus: false }
    }

    /// What is done to which widget, whatever it shows.
    pub(super) fn said(&self, layout: &Arc<Layout>) -> String {
        let (before, after) = (Arc::clone(layout), Arc::clone(layout));
        let event = self.event.clone();
        let shown = layout.widgets().iter().map(|widget| &*widget.text).filter(|text| !text.is_empty());
        performed_step(&RecordedStep { event, before, after }, &shown.collect::<Vec<_>>())
    }
}

/// What can be done without typing, in the order of the screen: taps outside of lists, in the row of the object that is
/// acted on, and on the first items of other lists, such as menus.
pub(super) fn acts(layout: &Arc<Layout>, app: &str, known: &Known) -> Vec<Act> {
    let mut found: Vec<Act> = Vec::new();
    let mut items = 0;
    for candidate in candidates(layout, app).into_iter().rev() {
        let idx = candidate.widget;
        let gesture = match candidate.action {
            CandidateAction::Tap => Gesture::Tap,
            CandidateAction::LongPress => Gesture::LongPress,
            CandidateAction::Scroll(_) | CandidateAction::SetText => continue,
        };
        let on_focus = match owner(layout, idx, known) {
            Owner::Focus => true,
            Owner::Other => continue,
            Owner::Nobody => {
                if gesture == Gesture::LongPress {
                    continue;
                }
                if layout.list_item_around(idx).is_some() {
                    items += 1;
                    if items > ITEMS {
                        continue;
                    }
                }
                false
            }
        };
        // A person touches what is named, not the row around it.
        let place = if on_focus { named_in(layout, idx, known).unwrap_or(idx) } else { idx };
        let event = event_on(layout, place, gesture.clone()).or_else(|| event_on(layout, idx, gesture));
        found.extend(event.map(|event| Act { event, on_focus }));
    }
    found
}

/// Swipes over the object that is acted on.
pub(super) fn swipes(layout: &Layout, known: &Known) -> Vec<Act> {
    let shown = known.focus.as_deref().and_then(|focus| showing(layout, focus).next());
    let swipe = |direction| {
        let event = event_on(layout, shown?, Gesture::Swipe(direction))?;
        Some(Act { event, on_focus: true })
    };
    [Direction::Left, Direction::Right].into_iter().filter_map(swipe).collect()
}

/// The fields that can be typed into, in the order of the screen.
pub(super) fn fields(layout: &Layout, app: &str) -> Vec<WidgetIdx> {
    let all = candidates(layout, app).into_iter().rev();
    all.filter(|it| it.action == CandidateAction::SetText).map(|it| it.widget).collect()
}

/// Types a text into a field.
pub(super) fn typing(layout: &Layout, field: WidgetIdx, text: &str) -> Option<Act> {
    let event = event_on(layout, field, Gesture::SetText(text.to_owned()))?;
    Some(Act { event, on_focus: false })
}

/// Whose row a widget is in.
enum Owner {
    Focus,
    Other,
    Nobody,
}

fn owner(layout: &Layout, idx: WidgetIdx, known: &Known) -> Owner {
    let around = std::iter::once(idx).chain(layout.rows_around(idx));
    for row in around {
        let (mut focus, mut other) = (false, false);
        for text in layout.subtree(row).map(|inner| layout.widget(inner)).filter(|it| !it.is_text_field()) {
            focus |= known.is_focus(&text.text);
            other |= known.is_one(&text.text) && !known.is_focus(&text.text);
        }
        match (focus, other) {
            (true, true) => return Owner::Nobody,
            (true, false) => return Owner::Focus,
            (false, true) => return Owner::Other,
            (false, false) => {}
        }
    }
    // Objects that the app came with are like those that were made, in one list.
    let list = layout.list_item_around(idx).and_then(|item| layout.widget(item).parent);
    let holds_known =
        |list: WidgetIdx| layout.subtree(list).any(|inner| known.is_one(&layout.widget(inner).text));
    if list.is_some_and(holds_known) { Owner::Other } else { Owner::Nobody }
}

/// The widget inside of this one that shows the object acted on, if the touch of it is one of this.
fn named_in(layout: &Layout, idx: WidgetIdx, known: &Known) -> Option<WidgetIdx> {
    let clickable = |inner: WidgetIdx| layout.widget(inner).clickable();
    let own = |inner: &WidgetIdx| {
        layout.ancestors(*inner).take_while(|above| *above != idx).all(|above| !clickable(above))
            && (*inner == idx || !clickable(*inner))
    };
    let shows = |inner: &WidgetIdx| known.is_focus(&layout.widget(*inner).text);
    layout.subtree(idx).filter(own).find(shows)
}

/// The widgets other than fields that show a text.
pub(super) fn showing<'l>(layout: &'l Layout, text: &'l str) -> impl Iterator<Item = WidgetIdx> + 'l {
    let shows = move |widget: &Widget| {
        *widget.text == *text && !widget.is_text_field() && !widget.flags.has(WidgetFlags::INVISIBLE)
    };
    layout.iter().filter(move |(_, widget)| shows(widget)).map(|(idx, _)| idx)
}

/// Whether a widget other than a field shows the text.
pub(super) fn shows(layout: &Layout, text: &str) -> bool {
    showing(layout, text).next().is_some()
}

/// Whether a field holds the text.
pub(super) fn is_held(layout: &Layout, text: &str) -> bool {
    layout.widgets().iter().any(|widget| widget.is_text_field() && *widget.text == *text)
}

/// What tells a screen apart: its structure, and the words on it that are no data.
pub(super) fn page_key(layout: &Layout, known: &Known) -> u64 {
    let mut hasher = StableHasher::new();
    hasher.u64(layout.key(Same::Structure).0);
    for word in fixed_words(layout, known) {
        hasher.text(word);
    }
    hasher.finish()
}

/// The words outside of lists that are no data: labels and titles.
fn fixed_words<'l>(layout: &'l Layout, known: &Known) -> Vec<&'l str> {
    let is_data = |text: &str| known.all.iter().any(|name| text.contains(name.as_str()));
    let fixed = |text: &&str| {
        is_visible(text) && text.chars().count() <= 24 && !text.chars().any(|c| c.is_ascii_digit())
    };
    let mut words: Vec<&str> = Vec::new();
    for (idx, widget) in layout.iter() {
        if widget.is_text_field() && is_visible(&widget.hint) {
            words.push(&widget.hint);
        }
        if widget.is_text_field() || widget.is_announcement() {
            continue;
        }
        let said = [&*widget.text, &*widget.content_desc];
        let said = said.into_iter().filter(fixed).filter(|text| !is_data(text));
        if said.clone().next().is_some() && layout.list_item_around(idx).is_none() {
            words.extend(said);
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{event_sentence, layout_from};

    const LIST: &str = "Button#new \"New\"\nListView#list\n  LinearLayout\n    TextView#row \"k1\"\n    Button#menu\n  \
                        LinearLayout\n    TextView#row \"k2\"\n    Button#menu\n";

    #[test]
    fn what_is_done_in_a_row_is_done_to_the_object_acted_on() {
        let layout = Arc::new(layout_from(LIST));
        let known = Known { all: vec!["k1".to_owned(), "k2".to_owned()], focus: Some("k2".to_owned()) };
        let told: Vec<(String, bool)> = acts(&layout, "org.ex", &known)
            .iter()
            .map(|act| (event_sentence(&act.event, &layout), act.on_focus))
            .collect();
        assert_eq!(told.iter().filter(|(_, on_focus)| *on_focus).count(), 1, "{told:?}");
        assert!(told.iter().any(|(what, on_focus)| what.contains("New") && !on_focus), "{told:?}");
    }

    #[test]
    fn names_of_objects_do_not_tell_screens_apart() {
        let known = Known { all: vec!["k1".to_owned(), "k9".to_owned()], focus: None };
        let page = |title: &str| {
            page_key(&layout_from(&format!("TextView#title \"{title}\"\nButton#save\n")), &known)
        };
        assert_eq!(page("k1"), page("k9"));
        assert_ne!(page("k1"), page("Settings"));
    }
}
