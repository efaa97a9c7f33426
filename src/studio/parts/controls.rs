//! Small parts shared by all panels.

use egui::{
    Button, ComboBox, Context, CornerRadius, Frame, Key, Label, Margin, ModalResponse, ProgressBar, Response,
    RichText, Spinner, Stroke, TextStyle, TextWrapMode, Ui, Vec2, WidgetInfo, WidgetText, WidgetType,
};

use super::theme::{self, CONTROL, Tokens, glyph, icon, icon_font, tokens};
use taproof_results::report::literal_parts;

/// The meaning of a badge or an outline, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Neutral, without a particular meaning.
    Plain,
    /// The person acted here.
    Accent,
    /// Something is broken, such as a check that does not hold.
    Bad,
    /// The person should look at this: it is doubtful, but not broken.
    Warn,
    /// Something is as it should be, such as a check that holds.
    Good,
}

impl Tone {
    /// The foreground and the background colour.
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

/// A button with only an icon. `label` is its accessible name and tooltip.
pub fn icon_button(ui: &mut Ui, icon: &str, label: &str, enabled: bool) -> Response {
    icon_button_of(ui, icon, [label, label], enabled, [18.0, CONTROL])
}

/// A button with only an icon whose tooltip says more than its accessible name.
pub fn explained_icon_button(ui: &mut Ui, icon: &str, label: &str, tip: &str, enabled: bool) -> Response {
    icon_button_of(ui, icon, [label, tip], enabled, [18.0, CONTROL])
}

/// A button with only an icon, for lines of small text.
pub fn small_icon_button(ui: &mut Ui, icon: &str, label: &str) -> Response {
    icon_button_of(ui, icon, [label, label], true, [14.0, 20.0])
}

/// A button with a word, for lines of small text.
pub fn small_button(label: &str) -> Button<'static> {
    Button::new(RichText::new(label).small()).small().min_size(Vec2::new(0.0, 20.0))
}

/// The tooltip is given here because a second one would be another bubble.
fn icon_button_of(
    ui: &mut Ui,
    icon: &str,
    [label, tip]: [&str; 2],
    enabled: bool,
    [font, size]: [f32; 2],
) -> Response {
    let button = Button::new(RichText::new(icon).font(icon_font(font)))
        .min_size(Vec2::splat(size))
        .fill(egui::Color32::TRANSPARENT)
        .stroke(Stroke::NONE);
    begin_row_unless_it_fits(ui, size);
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().button_padding = Vec2::splat((size - font - 2.0) / 2.0);
            ui.spacing_mut().interact_size.y = size;
            ui.add_enabled(enabled, button)
        })
        .inner;
    named(&response, WidgetType::Button, label);
    response.on_hover_text(tip).on_disabled_hover_text(tip)
}

/// A button with an icon and a word.
pub fn labelled_button(ui: &mut Ui, icon: &str, label: &str, enabled: bool) -> Response {
    let text = icon_and_text(ui, icon, label, ui.visuals().text_color());
    let response = ui.add_enabled(enabled, Button::new(text).min_size(Vec2::new(0.0, CONTROL)));
    named(&response, WidgetType::Button, label);
    response
}

/// Draws what the protocol said of a problem, folded away.
pub fn details_ui(said: Option<&str>, ui: &mut Ui) {
    if let Some(said) = said {
        egui::CollapsingHeader::new("Details").id_salt(("said", said)).show(ui, |ui| {
            ui.add(Label::new(RichText::new(said).monospace().small()).wrap());
        });
    }
}

/// Gives a button an accessible name that distinguishes it from those of other cards.
pub fn spoken(button: Response, name: String) -> Response {
    button.widget_info(|| egui::WidgetInfo::labeled(WidgetType::Button, true, &name));
    button
}

/// The main button of a view, which is filled. A view has at most one.
pub fn primary_button(ui: &mut Ui, icon: &str, label: &str, enabled: bool) -> Response {
    let tokens = tokens(ui.ctx());
    let text = icon_and_text(ui, icon, label, tokens.on_accent);
    let button = Button::new(text).fill(tokens.accent).stroke(Stroke::NONE).min_size(Vec2::new(0.0, CONTROL));
    let response = ui.add_enabled(enabled, button);
    named(&response, WidgetType::Button, label);
    response
}

/// Sets a control's accessible name.
pub fn named(response: &Response, kind: WidgetType, label: &str) {
    response.widget_info(|| WidgetInfo::labeled(kind, response.enabled(), label));
}

/// A checkbox whose words are only clear in context; `name` is its complete accessible name.
pub fn named_checkbox(ui: &mut Ui, on: &mut bool, words: &str, name: &str) -> Response {
    let response = ui.checkbox(on, words);
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, response.enabled(), *on, name));
    response
}

/// Width of a text on one line, in points.
pub fn text_width(ui: &Ui, text: impl Into<WidgetText>, style: TextStyle) -> f32 {
    text.into().into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, style).size().x.ceil()
}

/// Begins a new line of a wrapped layout where this one has no room for what egui does not wrap by itself: a choice, and
/// what is in a scope.
pub fn begin_row_unless_it_fits(ui: &mut Ui, width: f32) {
    // In a grid it would end a row of cells.
    if ui.layout().main_wrap() && ui.available_size_before_wrap().x < width {
        ui.end_row();
    }
}

/// A choice among several, at least this wide and as wide as its text. In a wrapped layout it begins a new line if the
/// current one has no room left for it, which egui does for buttons and labels only.
pub fn choice(ui: &mut Ui, id: impl egui::AsIdSalt, text: impl Into<WidgetText>, width: f32) -> ComboBox {
    let text = text.into();
    let spacing = ui.spacing();
    let beside = 2.0 * spacing.button_padding.x + spacing.icon_spacing + spacing.icon_width;
    let width =
        width.max(text_width(ui, text.clone(), TextStyle::Button) + beside).min(ui.max_rect().width());
    begin_row_unless_it_fits(ui, width);
    ComboBox::from_id_salt(id).selected_text(text).width(width).truncate()
}

/// Draws a choice of a value among several, each with its words. `name` is the accessible name. The response says whether
/// another value was chosen.
pub fn choose<T: PartialEq, S: Into<String>>(
    combo: ComboBox,
    name: &str,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, S)>,
    ui: &mut Ui,
) -> Response {
    let mut changed = false;
    let drawn = combo.show_ui(ui, |ui| {
        for (choice, words) in choices {
            changed |= ui.selectable_value(value, choice, words.into()).changed();
        }
    });
    let mut response = drawn.response;
    named(&response, WidgetType::ComboBox, name);
    if changed {
        response.mark_changed();
    }
    response
}

/// A sentence in which texts that may be taken for a fault of the window are set as code.
pub fn literal_words(sentence: &str, style: egui::TextStyle, ui: &Ui) -> egui::text::LayoutJob {
    let (font, colors) = (style.resolve(ui.style()), tokens(ui.ctx()));
    let mut job = egui::text::LayoutJob::default();
    for (text, literal) in literal_parts(sentence) {
        let (font_id, background) = if literal {
            (egui::FontId::monospace(font.size), colors.line)
        } else {
            (font.clone(), egui::Color32::TRANSPARENT)
        };
        let format = egui::text::TextFormat {
            font_id,
            background,
            color: colors.text,
            ..egui::text::TextFormat::default()
        };
        job.append(text, 0.0, format);
    }
    job
}

/// Lays out an icon and a word in one line.
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

/// Draws a word and an icon on a coloured background, so that the meaning does not depend on the colour alone. It wraps
/// to the next line if it does not fit, and is truncated if no line is wide enough.
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

/// A progress bar with a text. `done` is the share from 0 to 1.
pub fn progress_bar(ui: &mut Ui, done: f32, words: &str, width: f32) -> Response {
    // Must be visible on a selected row, too, whose background is the soft accent.
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

/// A card that groups related contents.
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

/// A card that takes the whole width.
pub fn wide_card<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    card(ui, |ui| {
        ui.set_width(ui.available_width());
        contents(ui)
    })
}

/// Draws an item of a growing list. The ids of its controls are derived from `thing` instead of the position, so that a
/// click reaches the item that was meant even if another one has been inserted above. Items must have different ids.
pub fn kept_apart<R>(ui: &mut Ui, thing: impl egui::AsIdSalt, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let id = ui.id().with(thing);
    ui.scope_builder(egui::UiBuilder::new().id(id), contents).inner
}

/// Draws the placeholder of an empty part: what will be here, and how to fill it.
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

/// Draws in the place of a part that it is being prepared: what is done, and how long that takes or why. Only its room is
/// taken as long as people do not notice that they wait; a panel without contents would shrink.
pub fn waiting_state(ui: &mut Ui, what: &str, how: &str) {
    let noticed = noticed(ui.ctx(), what);
    ui.vertical_centered(|ui| {
        if !noticed {
            ui.set_invisible();
        }
        ui.add_space(16.0);
        ui.add(Spinner::new().size(28.0));
        ui.add_space(4.0);
        ui.label(theme::strong(what));
        ui.label(RichText::new(how).weak());
        ui.add_space(16.0);
    });
}

/// Seconds that something may take before it is shown that it is on its way.
const UNNOTICED: f32 = 0.2;

/// Whether this has been asked in each pass for so long that people notice that they wait.
pub fn noticed(ctx: &Context, what: &str) -> bool {
    let (now, pass) = (ctx.input(|input| input.time), ctx.cumulative_pass_nr());
    let since = ctx.data_mut(|data| {
        let (since, last) =
            data.get_temp_mut_or_insert_with(egui::Id::new(("waiting", what)), || (now, pass));
        if pass > *last + 1 {
            *since = now;
        }
        *last = pass;
        *since
    });
    let left = f64::from(UNNOTICED) - (now - since);
    if left > 0.0 {
        ctx.request_repaint_after(std::time::Duration::from_secs_f64(left));
    }
    left <= 0.0
}

/// Draws a spinner in a line of small text while something is going on that takes longer than people wait without
/// noticing.
pub fn spinner_if(ui: &mut Ui, busy: bool, what: &str) {
    let waited = ui.ctx().animate_bool_with_time(egui::Id::new(("spinner", what)), busy, UNNOTICED);
    if busy && waited >= 1.0 {
        let spinner = ui.add(Spinner::new().size(12.0));
        named(&spinner, WidgetType::ProgressIndicator, what);
    }
}

/// Draws a spinner in the middle of something that is being prepared and shown in another way until then.
pub fn spinner_over(ui: &Ui, rect: egui::Rect, what: &str) {
    if noticed(ui.ctx(), what) {
        let rect = egui::Rect::from_center_size(rect.center(), Vec2::splat(40.0));
        ui.painter().rect_filled(rect, CornerRadius::same(8), tokens(ui.ctx()).panel);
        Spinner::new().paint_at(ui, rect.shrink(8.0));
    }
}

/// A choice among a few words side by side. Returns the one that was clicked.
pub fn segments<T: Copy + PartialEq, S: AsRef<str>>(
    ui: &mut Ui,
    current: Option<T>,
    choices: &[(T, String, S)],
) -> Option<T> {
    roomy_segments(ui, current, choices, &[])
}

/// As [`segments`], with the words that each choice has room for: what comes and goes in a choice, such as a number, moves
/// nothing then.
pub fn roomy_segments<T: Copy + PartialEq, S: AsRef<str>>(
    ui: &mut Ui,
    current: Option<T>,
    choices: &[(T, String, S)],
    rooms: &[&str],
) -> Option<T> {
    let tokens = tokens(ui.ctx());
    let mut clicked = None;
    let frame =
        Frame::new().fill(tokens.base).corner_radius(CornerRadius::same(6)).inner_margin(Margin::same(2));
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.horizontal(|ui| {
            for (place, (choice, label, tip)) in choices.iter().enumerate() {
                let chosen = current == Some(*choice);
                let text = if chosen { theme::strong(label.as_str()) } else { RichText::new(label.as_str()) };
                let fill = if chosen { tokens.control } else { egui::Color32::TRANSPARENT };
                // The chosen one is drawn in bold.
                let words = [Some(label.as_str()), rooms.get(place).copied()].into_iter().flatten();
                let width = words.map(|words| text_width(ui, theme::strong(words), TextStyle::Button));
                let width = width.fold(0.0, f32::max) + 2.0 * ui.spacing().button_padding.x;
                let button =
                    Button::new(text).fill(fill).stroke(Stroke::NONE).min_size(Vec2::new(width, 24.0));
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

/// The visible part of a list of rows when it was last drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sight {
    /// The upper end, in points from the top of the list.
    pub from: f32,
    /// The height, in points.
    pub height: f32,
}

impl Sight {
    /// The scroll offset that brings a row into view. `None` if the row is visible.
    pub fn offset_for(self, place: usize, row_height: f32) -> Option<f32> {
        let top = place as f32 * row_height;
        let in_sight = top >= self.from && top + row_height <= self.from + self.height;
        (!in_sight).then_some((top - self.height / 2.0).max(0.0))
    }
}

/// The remaining time in words, as precise as an estimate deserves that changes as the work goes on.
pub fn time_left(seconds: f64) -> String {
    match seconds.max(0.0).ceil() as u64 {
        seconds @ 0..=10 => format!("{seconds} s"),
        seconds @ 11..=50 => format!("{} s", seconds.next_multiple_of(10)),
        seconds @ 51..=5_399 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h", (seconds + 1800) / 3600),
    }
}

/// Whether a dialog is dismissed by Escape. A click outside does not dismiss it, since input might be lost unnoticed.
pub fn given_up<T>(modal: &ModalResponse<T>, ctx: &Context) -> bool {
    modal.is_top_modal && ctx.input(|input| input.key_pressed(Key::Escape))
}

/// Draws a sentence that the person should notice.
pub fn look_ui(ui: &mut Ui, say: &str) {
    ui.horizontal_top(|ui| {
        ui.label(glyph(icon::LOOK).color(tokens(ui.ctx()).warn));
        ui.add(Label::new(say).wrap());
    });
}

/// Formats seconds as minutes and seconds.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    format!("{:02}:{:02}", seconds / 60, seconds % 60)
}

/// The frame of dialogs over the window.
pub fn sheet(ctx: &Context) -> Frame {
    Frame::popup(&ctx.global_style()).inner_margin(Margin::same(20))
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT, Queryable};

    use crate::parts::controls::{kept_apart, noticed, spinner_if, time_left};

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
    fn a_spinner_is_drawn_once_something_takes_long() {
        let draw = |ui: &mut egui::Ui, busy: &mut bool| spinner_if(ui, *busy, "Opening");
        let mut harness = Harness::builder().with_step_dt(0.05).build_ui_state(draw, false);
        harness.run_steps(2);
        *harness.state_mut() = true;
        harness.run_steps(2);
        assert!(harness.query_by_label("Opening").is_none(), "nobody notices that yet");
        harness.run_steps(8);
        assert!(harness.query_by_label("Opening").is_some());
        *harness.state_mut() = false;
        harness.run_steps(1);
        assert!(harness.query_by_label("Opening").is_none());
    }

    #[test]
    fn what_is_prepared_quickly_is_not_announced() {
        let draw = |ui: &mut egui::Ui, busy: &mut bool| {
            if *busy && noticed(ui.ctx(), "Reading") {
                ui.label("Reading");
            }
        };
        let mut harness = Harness::builder().with_step_dt(0.05).build_ui_state(draw, false);
        for _ in 0..2 {
            *harness.state_mut() = true;
            harness.run_steps(2);
            assert!(harness.query_by_label("Reading").is_none(), "nobody notices that yet");
            harness.run_steps(6);
            assert!(harness.query_by_label("Reading").is_some());
            *harness.state_mut() = false;
            harness.run_steps(2);
        }
    }

    #[test]
    fn time_left_is_the_more_precise_the_less_it_is() {
        let left = ["1 s", "10 s", "20 s", "50 s", "1 min", "2 min", "2 h"];
        assert_eq!([0.2, 9.4, 11.0, 50.0, 51.0, 120.0, 5400.0].map(time_left), left);
    }
}
