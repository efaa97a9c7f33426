//! A text field whose contents take effect when the field is left, so that a word is one change instead of one per
//! letter.

use egui::{Id, Key, Margin, Response, RichText, TextEdit, TextStyle, Ui};

use super::controls::{begin_row_unless_it_fits, text_width};

/// Text that is being typed, and the id of what it belongs to.
#[derive(Clone)]
struct Written {
    of: Id,
    text: String,
}

/// Draws a field for a text of `of`, which is currently `now`, as wide as the text and at least `width`. Returns the
/// new text once the field is left with a change. Escape restores the old text. Text that is being typed when the
/// field disappears takes effect when it is shown again.
pub fn word_field(ui: &mut Ui, of: Id, now: &str, hint: &str, width: f32) -> (Response, Option<String>) {
    let id = ui.id().with(("word", hint));
    let written = ui.data(|data| data.get_temp::<Written>(id)).filter(|written| written.of == of);
    let mut text = written.as_ref().map_or_else(|| now.to_owned(), |written| written.text.clone());
    let margin = Margin::symmetric(8, 5);
    // The cursor stands behind the last letter.
    let wanted = text_width(ui, text.as_str(), TextStyle::Body) + margin.sum().x + 2.0;
    let width = width.max(wanted).min(ui.max_rect().width());
    begin_row_unless_it_fits(ui, width);
    let edit = TextEdit::singleline(&mut text)
        .id(id)
        .desired_width(width)
        .margin(margin)
        .hint_text(RichText::new(hint).weak());
    let response = ui.add(edit);
    // For a shortcut such as Ctrl+S, the text as typed so far counts.
    let (escaped, commanded) = ui.input(|input| (input.key_pressed(Key::Escape), input.modifiers.command));
    if response.has_focus() && !commanded {
        if response.changed() || written.is_some() {
            ui.data_mut(|data| data.insert_temp(id, Written { of, text }));
        }
        return (response, None);
    }
    ui.data_mut(|data| data.remove::<Written>(id));
    let given_up = response.lost_focus() && escaped;
    let counts = (written.is_some() || response.changed()) && !given_up && text != now;
    (response, counts.then_some(text))
}
