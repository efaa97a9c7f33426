//! What somebody has entered. A text in a field is lost only if a test shows where it came from: before Android 8 the text
//! of an empty field is its hint, which comes and goes with the focus, and a new entry may begin with a text.

use super::{Aspect, Difference};
use taproof_screen::{Event, Frame, Gesture, Layout, Trace, Widget, WidgetIdx, is_dialog, same_page};

/// Makes hints of other texts in fields that nobody has entered, and of dialogs that closed in which nobody has entered
/// anything. `before` is the frame that the detour began with.
pub(super) fn unentered_as_hints(found: &mut [Difference], trace: &Trace, before: usize, app: &str) {
    let (Some(from), to) = (trace.frame(before), trace.last()) else { return };
    let entered = Entered { trace, before };
    for difference in found.iter_mut() {
        let at = |layout: &Layout, idx: Option<WidgetIdx>| {
            idx.is_some_and(|idx| entered.anywhere(layout.widget(idx)))
        };
        let counts = match difference.aspect {
            Aspect::Typed => at(&from.layout, difference.was) || at(&to.layout, difference.widget),
            Aspect::Page if is_dialog(&from.layout) => {
                let fields = from.layout.widgets().iter().filter(|field| field.is_text_field());
                fields.filter(|field| &*field.package == app).any(|field| entered.here(field))
            }
            _ => true,
        };
        if !counts {
            difference.aspect = Aspect::View;
        }
    }
}

/// What was entered in a test up to a frame.
struct Entered<'t> {
    trace: &'t Trace,
    before: usize,
}

impl<'t> Entered<'t> {
    /// Whether the text of a field was entered, on this page or elsewhere: rows show what is stored.
    fn anywhere(&self, field: &Widget) -> bool {
        !field.text.is_empty()
            && (self.here(field) || self.frames().any(|frame| shows_in_row(frame, &field.text)))
    }

    /// Whether the text of a field was seen to be typed, or to take the place of another one since the page was opened.
    fn here(&self, field: &Widget) -> bool {
        !field.text.is_empty() && (self.was_typed(field) || self.was_changed(field))
    }

    fn was_typed(&self, field: &Widget) -> bool {
        let holds = |frame: &Frame| fields_like(field, &frame.layout).any(|it| it.text == field.text);
        self.trace.steps().iter().any(|step| {
            let typed = match &step.event {
                Event::Type(text) | Event::Widget { gesture: Gesture::SetText(text), .. } => &**text,
                _ => "",
            };
            let part = field.text.contains(typed) || typed.contains(&*field.text);
            !typed.is_empty() && part && holds(&step.after)
        })
    }

    fn was_changed(&self, field: &Widget) -> bool {
        let Some(from) = self.trace.frame(self.before) else { return false };
        let here = (0..self.before).rev().map_while(|at| self.trace.frame(at));
        let here = here.take_while(|frame| same_page(&frame.layout, &from.layout));
        let first = here.filter_map(|frame| fields_like(field, &frame.layout).next()).last();
        first.is_some_and(|first| !first.text.is_empty() && first.text != field.text)
    }

    fn frames(&self) -> impl Iterator<Item = &'t Frame> {
        (0..=self.before).filter_map(|at| self.trace.frame(at))
    }
}

/// The fields that are most likely the same one.
fn fields_like<'l>(field: &Widget, layout: &'l Layout) -> impl Iterator<Item = &'l Widget> {
    let (id, bounds) = (field.resource_id.clone(), field.bounds);
    let is_one = move |other: &&Widget| match &id {
        Some(_) => other.resource_id == id,
        None => other.resource_id.is_none() && other.bounds == bounds,
    };
    layout.widgets().iter().filter(|widget| widget.is_text_field()).filter(is_one)
}

fn shows_in_row(frame: &Frame, text: &str) -> bool {
    let layout = &frame.layout;
    layout.iter().any(|(idx, widget)| {
        *widget.text == *text && !widget.is_editable() && layout.list_item_around(idx).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::super::{lost_by_detour, with_control};
    use super::*;
    use taproof_screen::{PxRect, Step, StepRole, event_on, frame_of, layout_from};

    const DIALOG: &str = "LinearLayout\n  EditText#name \"Name\"\n  EditText#url \"URL / Path\"\n";
    const LIST: &str = "FrameLayout\n  ListView#list\n    TextView#row \"Milk\"\n    TextView#row \"Tea\"\n";

    fn page(notation: &str) -> Frame {
        frame_of(layout_from(notation))
    }

    /// The root of a dialog is smaller than the screen.
    fn dialog(name: &str) -> Frame {
        let layout = layout_from(&DIALOG.replace("\"Name\"", &format!("\"{name}\"")));
        frame_of(layout.with_changed(&[WidgetIdx(0)], |root| root.bounds = PxRect::new(90, 700, 990, 1200)))
    }

    /// The kinds of losses of a detour from the second page to the third, where `written` was typed into the first field of
    /// the first page before.
    fn lost(written: Option<&str>, [first, from, to]: [Frame; 3]) -> Vec<Aspect> {
        let field = first.layout.iter().find(|(_, widget)| widget.is_text_field()).map(|(idx, _)| idx);
        let write = |text: &str| event_on(&first.layout, field.unwrap(), Gesture::SetText(text.to_owned()));
        let event = written.and_then(write).unwrap_or(Event::Rotate);
        let mut trace = Trace::start(first);
        trace.push(Step { event, role: StepRole::Explored, after: from.clone() });
        let way = with_control(vec![Event::Rotate, Event::Rotate]);
        for (event, after) in way.into_iter().zip([from.clone(), from, to]) {
            trace.push(Step { event, role: StepRole::Detour, after });
        }
        lost_by_detour(&trace, "org.ex").unwrap().bugs.into_keys().collect()
    }

    #[test]
    fn a_dialog_that_holds_nothing_but_hints_may_close() {
        let list = || page(LIST);
        assert_eq!(lost(None, [dialog("Name"), dialog("Name"), list()]), []);
        assert_eq!(lost(Some("home"), [dialog("Name"), dialog("home"), list()]), [Aspect::Page]);
    }

    #[test]
    fn a_hint_that_comes_or_goes_is_no_lost_text() {
        let form = |name: &str| page(&format!("FrameLayout\n  EditText#name \"{name}\"\n"));
        assert_eq!(lost(None, [form("Name"), form("Name"), form("")]), []);
        assert_eq!(lost(None, [form(""), form("Name"), form("")]), []);
        assert_eq!(lost(Some("home"), [form("Name"), form("home"), form("Name")]), [Aspect::Typed]);
        assert_eq!(lost(None, [form("1 May"), form("2 May"), form("1 May")]), [Aspect::Typed], "picked");
        assert_eq!(lost(None, [page(LIST), form("Milk"), form("")]), [Aspect::Typed], "it is stored");
    }
}
