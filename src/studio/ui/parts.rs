//! Small parts that all panels are made of.

use egui::{
    Button, Context, CornerRadius, Frame, Key, Label, Margin, ModalResponse, ProgressBar, Response, RichText,
    Stroke, Ui, Vec2, WidgetInfo, WidgetType,
};

use super::theme::{self, CONTROL, Tokens, glyph, icon, icon_font, tokens};

/// What a badge says beside its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Nothing special.
    Plain,
    /// You acted here.
    Accent,
    /// Broken.
    Bad,
    /// Look.
    Warn,
    /// Held.
    Good,
}

impl Tone {
    /// Its colour, and the one behind.
    pub fn colors(self, tokens: &Tokens) -> (egui::Color32, egui::Color32) {
        match self {
            Tone::Plain => (tokens.quiet, tokens.control),
            Tone::Accent => (tokens.accent, tokens.accent_soft),
            Tone::Bad => (tokens.bad, tokens.bad_soft),
            Tone::Warn => (tokens.warn, tokens.warn_soft),
            Tone::Good => (tokens.good, tokens.good_soft),
        }
    }
}

/// A button of an icon alone; `label` is its name and tip.
pub fn icon_button(ui: &mut Ui, icon: &str, label: &str, enabled: bool) -> Response {
    icon_button_of(ui, icon, label, enabled, [18.0, CONTROL])
}

/// The same in a line of small text.
pub fn small_icon_button(ui: &mut Ui, icon: &str, label: &str) -> Response {
    icon_button_of(ui, icon, label, true, [14.0, 20.0])
}

/// A button of a word in such a line.
pub fn small_button(label: &str) -> Button<'static> {
    Button::new(RichText::new(label).small()).small().min_size(Vec2::new(0.0, 20.0))
}

fn icon_button_of(ui: &mut Ui, icon: &str, label: &str, enabled: bool, [font, size]: [f32; 2]) -> Response {
    let button = Button::new(RichText::new(icon).font(icon_font(font)))
        .min_size(Vec2::splat(size))
        .fill(egui::Color32::TRANSPARENT)
        .stroke(Stroke::NONE);
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().button_padding = Vec2::splat((size - font - 2.0) / 2.0);
            ui.spacing_mut().interact_size.y = size;
            ui.add_enabled(enabled, button)
        })
        .inner;
    named(&response, WidgetType::Button, label);
    response.on_hover_text(label).on_disabled_hover_text(label)
}

/// A button of an icon and a word.
pub fn labelled_button(ui: &mut Ui, icon: &str, label: &str, enabled: bool) -> Response {
    let text = icon_and_text(ui, icon, label, ui.visuals().text_color());
    let response = ui.add_enabled(enabled, Button::new(text).min_size(Vec2::new(0.0, CONTROL)));
    named(&response, WidgetType::Button, label);
    response
}

/// The one filled button of a view.
pub fn primary_button(ui: &mut Ui, icon: &str, label: &str, enabled: bool) -> Response {
    let tokens = tokens(ui.ctx());
    let text = icon_and_text(ui, icon, label, tokens.on_accent);
    let button = Button::new(text).fill(tokens.accent).stroke(Stroke::NONE).min_size(Vec2::new(0.0, CONTROL));
    let response = ui.add_enabled(enabled, button);
    named(&response, WidgetType::Button, label);
    response
}

/// Gives a control its accessible name.
pub fn named(response: &Response, kind: WidgetType, label: &str) {
    response.widget_info(|| WidgetInfo::labeled(kind, response.enabled(), label));
}

/// A checkbox whose words say too little away from its place; `name` says all.
pub fn named_checkbox(ui: &mut Ui, on: &mut bool, words: &str, name: &str) -> Response {
    let response = ui.checkbox(on, words);
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, response.enabled(), *on, name));
    response
}

/// An icon and a word in one line of text.
pub fn icon_and_text(ui: &Ui, icon: &str, label: &str, color: egui::Color32) -> egui::text::LayoutJob {
    let button = egui::TextStyle::Button.resolve(ui.style());
    icon_and_text_in(icon, label, color, [icon_font(16.0), button], 6.0)
}

fn icon_and_text_in(
    icon: &str,
    label: &str,
    color: egui::Color32,
    [icons, letters]: [egui::FontId; 2],
    gap: f32,
) -> egui::text::LayoutJob {
    use egui::text::{LayoutJob, TextFormat};
    let mut job = LayoutJob::default();
    let format =
        |font| TextFormat { font_id: font, color, valign: egui::Align::Center, ..TextFormat::default() };
    if !icon.is_empty() {
        job.append(icon, 0.0, format(icons));
    }
    job.append(label, if icon.is_empty() { 0.0 } else { gap }, format(letters));
    job
}

/// A word on a coloured ground, with an icon, so that colour is never all. It goes to the next line of wrapped
/// text where it has no room, and is cut where no line has.
pub fn badge(ui: &mut Ui, icon: &str, text: &str, tone: Tone) -> Response {
    let (color, ground) = tone.colors(tokens(ui.ctx()));
    let small = egui::TextStyle::Small.resolve(ui.style());
    let mut job = icon_and_text_in(icon, text, color, [icon_font(12.0), small], 4.0);
    job.wrap = egui::text::TextWrapping::truncate_at_width(ui.max_rect().width() - 12.0);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let size = Vec2::new(galley.size().x + 12.0, galley.size().y.max(16.0) + 2.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    ui.painter().rect_filled(rect, CornerRadius::same(4), ground);
    ui.painter().galley(rect.center() - galley.size() / 2.0, galley, color);
    named(&response, WidgetType::Label, text);
    response
}

/// How much is done, of 1, and in words.
pub fn progress_bar(ui: &mut Ui, done: f32, words: &str, width: f32) -> Response {
    // Seen on a chosen row too, whose ground is the soft accent.
    let bar = ProgressBar::new(done)
        .fill(tokens(ui.ctx()).accent.gamma_multiply(0.4))
        .corner_radius(4)
        .desired_height(20.0)
        .desired_width(width)
        .text(RichText::new(words).small());
    let response = ui.add(bar);
    named(&response, WidgetType::ProgressIndicator, words);
    response
}

/// A surface on which things that belong together lie.
pub fn card<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let tokens = tokens(ui.ctx());
    Frame::new()
        .fill(tokens.panel)
        .stroke(Stroke::new(1.0, tokens.line))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::same(12))
        .show(ui, |ui| ui.vertical(contents).inner)
        .inner
}

/// What a growing list shows of one of its things: its controls are known by the thing instead of by their place, so
/// that a press reaches the thing it was meant for although another came in above it. The things have different names.
pub fn kept_apart<R>(ui: &mut Ui, thing: impl egui::AsIdSalt, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let id = ui.id().with(thing);
    ui.scope_builder(egui::UiBuilder::new().id(id), contents).inner
}

/// What an empty part says: what will be here, and how to fill it.
pub fn empty_state(ui: &mut Ui, icon: &str, what: &str, how: &str) {
    ui.vertical_centered(|ui| {
        ui.add_space(16.0);
        ui.label(RichText::new(icon).font(icon_font(28.0)).weak());
        ui.add_space(4.0);
        ui.label(theme::strong(what));
        ui.label(RichText::new(how).weak());
        ui.add_space(16.0);
    });
}

/// A choice of a few words side by side. Returns the one that was clicked.
pub fn segments<T: Copy + PartialEq, S: AsRef<str>>(
    ui: &mut Ui,
    current: Option<T>,
    choices: &[(T, String, S)],
) -> Option<T> {
    let tokens = tokens(ui.ctx());
    let mut clicked = None;
    let frame =
        Frame::new().fill(tokens.base).corner_radius(CornerRadius::same(6)).inner_margin(Margin::same(2));
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.horizontal(|ui| {
            for (choice, label, tip) in choices {
                let chosen = current == Some(*choice);
                let text = if chosen { theme::strong(label.as_str()) } else { RichText::new(label.as_str()) };
                let fill = if chosen { tokens.control } else { egui::Color32::TRANSPARENT };
                let button = Button::new(text).fill(fill).stroke(Stroke::NONE).min_size(Vec2::new(0.0, 24.0));
                let mut response = ui.add(button);
                response.widget_info(|| {
                    WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, label.as_str())
                });
                if !tip.as_ref().is_empty() {
                    response = response.on_hover_text(tip.as_ref());
                }
                if response.clicked() {
                    clicked = Some(*choice);
                }
            }
        });
    });
    clicked
}

/// The part of a list of rows that was in sight when it was drawn last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sight {
    /// Its upper end.
    pub from: f32,
    /// How high it is.
    pub height: f32,
}

impl Sight {
    /// Where to scroll so that a row comes into sight; `None` if it is.
    pub fn offset_for(self, place: usize, row_height: f32) -> Option<f32> {
        let top = place as f32 * row_height;
        let in_sight = top >= self.from && top + row_height <= self.from + self.height;
        (!in_sight).then_some((top - self.height / 2.0).max(0.0))
    }
}

/// Seconds that are left, as roughly as they are known.
pub fn time_left(seconds: f64) -> String {
    match seconds.max(0.0).ceil() as u64 {
        seconds @ 0..=89 => format!("{seconds} s"),
        seconds @ 90..=5_399 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3600)),
    }
}

/// Whether a dialog is given up by Escape: a click beside it is no answer, as something would be lost in silence.
pub fn given_up<T>(modal: &ModalResponse<T>, ctx: &Context) -> bool {
    modal.is_top_modal && ctx.input(|input| input.key_pressed(Key::Escape))
}

/// Something to look at before going on.
pub fn look_ui(ui: &mut Ui, say: &str) {
    ui.horizontal_top(|ui| {
        ui.label(glyph(icon::LOOK).color(tokens(ui.ctx()).warn));
        ui.add(Label::new(say).wrap());
    });
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT, Queryable};

    use super::{kept_apart, time_left};

    #[test]
    fn a_press_reaches_its_thing_although_another_came_in_above() {
        let draw = |ui: &mut egui::Ui, (things, pressed): &mut (Vec<&str>, Option<String>)| {
            for thing in things {
                if kept_apart(ui, *thing, |ui| ui.button(*thing).clicked()) {
                    *pressed = Some((*thing).to_owned());
                }
            }
        };
        let mut harness = Harness::new_ui_state(draw, (vec!["old"], None));
        harness.run();
        harness.get_by_label("old").click_accesskit();
        harness.state_mut().0.insert(0, "new");
        harness.run();
        assert_eq!(harness.state().1.as_deref(), Some("old"));
        let ids = ["old", "new"].map(|name| harness.get_by_label(name).accesskit_node().id());
        assert_ne!(ids[0], ids[1]);
    }

    #[test]
    fn time_left_is_rounded_up() {
        assert_eq!([0.2, 89.0, 90.0, 5400.0].map(time_left), ["1 s", "89 s", "2 min", "2 h"]);
    }
}
