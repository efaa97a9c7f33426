//! The look of the studio: all sizes, colours and fonts are defined here.
//!
//! - Type: one typeface (Roboto) in four sizes: caption 11, body 13, heading 16, title 20. Roboto Medium is the only
//!   emphasis. Selectors and bounds are monospaced; Roboto's figures are tabular.
//! - Space: a grid of 4 points. Controls are 28 high, bars 44; panels have a padding of 12, cards a padding of 12 and a
//!   corner radius of 8, controls a corner radius of 6.
//! - Colour: one set of tokens with two sets of values. Surfaces go from `base` (behind) over `panel` to `raised`; they
//!   are separated by `line`, not by shadows. `accent` means "you can act, or you acted here".
//! - Red means broken, amber means that something needs attention, green that a check held. Each also has an icon or a
//!   word.
//! - Icons are Material Icons, 18 in buttons and 14 in text. A button with only an icon has an accessible name and a
//!   tooltip.
//! - Buttons are labelled with verbs; a view has at most one filled button. Nothing moves except to show cause and
//!   effect.

use std::sync::Arc;

use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, RichText, Stroke,
    TextStyle, Vec2,
};

/// A colour for each purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// The window's background, behind all panels.
    pub base: Color32,
    /// The background of bars and side panels.
    pub panel: Color32,
    /// The background of cards, fields, and rows under the pointer.
    pub raised: Color32,
    /// The background of controls such as buttons.
    pub control: Color32,
    /// Separating lines and outlines.
    pub line: Color32,
    /// The colour of primary text.
    pub text: Color32,
    /// The colour of secondary text.
    pub quiet: Color32,
    /// What can be acted on, and selected things.
    pub accent: Color32,
    /// The background of what is selected.
    pub accent_soft: Color32,
    /// Text on the accent colour.
    pub on_accent: Color32,
    /// Text and icons for what is broken; red.
    pub bad: Color32,
    /// The background of what is broken.
    pub bad_soft: Color32,
    /// Text and icons for what the person should look at; amber.
    pub warn: Color32,
    /// The background of what the person should look at.
    pub warn_soft: Color32,
    /// Text and icons for what held; green.
    pub good: Color32,
    /// The background of what held.
    pub good_soft: Color32,
    /// The curves of engines, in the order of a plan.
    pub series: [Color32; 6],
}

impl Tokens {
    /// The colour of the curve with this index. Colours repeat if there are too few.
    pub fn series(&self, place: usize) -> Color32 {
        self.series[place % self.series.len()]
    }
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// The dark theme's colours.
pub const DARK: Tokens = Tokens {
    base: rgb(0x12_15_1A),
    panel: rgb(0x19_1D_24),
    raised: rgb(0x21_26_2F),
    control: rgb(0x2B_32_3D),
    line: rgb(0x32_39_45),
    text: rgb(0xE6_EA_F0),
    quiet: rgb(0x9A_A5_B4),
    accent: rgb(0x4C_C2_B4),
    accent_soft: rgb(0x1C_3F_3F),
    on_accent: rgb(0x06_22_20),
    bad: rgb(0xFF_7B_72),
    bad_soft: rgb(0x43_23_26),
    warn: rgb(0xE8_B3_4B),
    warn_soft: rgb(0x3D_32_1C),
    good: rgb(0x6C_C6_7A),
    good_soft: rgb(0x1F_38_26),
    series: [
        rgb(0x4C_C2_B4),
        rgb(0x8A_B4_F8),
        rgb(0xE8_B3_4B),
        rgb(0xC5_8A_F9),
        rgb(0xF2_8B_A8),
        rgb(0x9C_CC_65),
    ],
};

/// The light theme's colours.
pub const LIGHT: Tokens = Tokens {
    base: rgb(0xEE_F0_F3),
    panel: rgb(0xF8_F9_FB),
    raised: rgb(0xFF_FF_FF),
    control: rgb(0xE4_E8_ED),
    line: rgb(0xD5_DA_E1),
    text: rgb(0x1B_21_2A),
    quiet: rgb(0x5B_66_75),
    accent: rgb(0x00_74_6A),
    accent_soft: rgb(0xD2_EC_E8),
    on_accent: rgb(0xFF_FF_FF),
    bad: rgb(0xB9_2C_25),
    bad_soft: rgb(0xFB_E3_E1),
    warn: rgb(0x8A_5A_00),
    warn_soft: rgb(0xFA_EC_CE),
    good: rgb(0x1E_7A_35),
    good_soft: rgb(0xDB_F0_DF),
    series: [
        rgb(0x00_74_6A),
        rgb(0x1A_5F_B4),
        rgb(0x8A_5A_00),
        rgb(0x7B_3F_BF),
        rgb(0xB0_2A_6B),
        rgb(0x4A_7A_1A),
    ],
};

/// Material icons, named by their meaning.
pub mod icon {
    #![allow(missing_docs)]
    pub const BACK: &str = "\u{e5c4}";
    pub const HOME: &str = "\u{e88a}";
    pub const RECENTS: &str = "\u{e3c6}";
    pub const ROTATE: &str = "\u{e1c1}";
    pub const DARK: &str = "\u{e51c}";
    pub const LIGHT: &str = "\u{e518}";
    pub const HELP: &str = "\u{e887}";
    pub const SETTINGS: &str = "\u{e8b8}";
    pub const PLAY: &str = "\u{e037}";
    pub const PAUSE: &str = "\u{e034}";
    pub const STOP: &str = "\u{e047}";
    pub const FIRST: &str = "\u{e5dc}";
    pub const PREVIOUS: &str = "\u{e5cb}";
    pub const NEXT: &str = "\u{e5cc}";
    pub const LAST: &str = "\u{e5dd}";
    pub const CLOSE: &str = "\u{e5cd}";
    pub const HELD: &str = "\u{e86c}";
    pub const BROKEN: &str = "\u{e000}";
    pub const LOOK: &str = "\u{e002}";
    pub const TOUCH: &str = "\u{e913}";
    pub const BUG: &str = "\u{e868}";
    pub const FOLDER: &str = "\u{e2c8}";
    pub const OPEN: &str = "\u{e5cf}";
    pub const CLOSED: &str = "\u{e5cc}";
    pub const RESTART: &str = "\u{f053}";
    pub const TREE: &str = "\u{e97a}";
    pub const RUNNING: &str = "\u{e86a}";
    pub const NEW: &str = "\u{e145}";
    pub const REMOVED: &str = "\u{e15b}";
    pub const CHANGED: &str = "\u{e3c9}";
    pub const PHONE: &str = "\u{e325}";
    pub const MISSING: &str = "\u{e8f5}";
    pub const MEND: &str = "\u{e869}";
    pub const BLOCKED: &str = "\u{e14b}";
    pub const CODE: &str = "\u{e86f}";
    pub const LOCK: &str = "\u{e897}";
    pub const SEARCH: &str = "\u{e8b6}";
    pub const RECORD: &str = "\u{e061}";
    pub const SHOW: &str = "\u{e8f4}";
    pub const DELETE: &str = "\u{e872}";
    pub const LIST: &str = "\u{e896}";
    pub const SAVE: &str = "\u{e161}";
    pub const UNDO: &str = "\u{e166}";
    pub const REDO: &str = "\u{e15a}";
    pub const CHECK: &str = "\u{e5ca}";
    pub const UP: &str = "\u{e5d8}";
    pub const DOWN: &str = "\u{e5db}";
    pub const SWITCH: &str = "\u{e8d4}";
    pub const KEYBOARD: &str = "\u{e312}";
    pub const DOT: &str = "\u{e3fa}";
    pub const RING: &str = "\u{e836}";
    pub const EXPORT: &str = "\u{e2c6}";
    pub const COPY: &str = "\u{e14d}";
    pub const ARROW: &str = "\u{e5c8}";
    pub const DATA: &str = "\u{e1db}";
    pub const SEND: &str = "\u{e163}";
    pub const FILE: &str = "\u{e24d}";
    pub const MORE: &str = "\u{e5d4}";
    pub const PERSON: &str = "\u{e7fd}";
    pub const HISTORY: &str = "\u{e889}";
}

/// The unit of all distances, in points.
pub const GRID: f32 = 4.0;
/// Height of a control, in points.
pub const CONTROL: f32 = 28.0;
/// Height of a bar, in points.
pub const BAR: f32 = 44.0;
/// Height of a row in lists, in points.
pub const ROW: f32 = 24.0;

const MEDIUM: &str = "medium";
const ICONS: &str = "icons";

/// The colours of the current theme.
pub fn tokens(ctx: &Context) -> &'static Tokens {
    if ctx.theme() == egui::Theme::Dark { &DARK } else { &LIGHT }
}

/// Loads the fonts and sets up both themes. Called once when the window opens.
pub fn install(ctx: &Context) {
    ctx.set_fonts(fonts());
    ctx.options_mut(|options| {
        // If the desktop reports no theme, the dark one is used. The zoom is a setting of ours.
        options.fallback_theme = egui::Theme::Dark;
        options.zoom_with_keyboard = false;
    });
    for (theme, tokens) in [(egui::Theme::Dark, &DARK), (egui::Theme::Light, &LIGHT)] {
        ctx.style_mut_of(theme, |style| restyle(style, tokens));
    }
}

fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let files: [(&str, &'static [u8]); 3] = [
        ("roboto", include_bytes!("../../../assets/fonts/Roboto-Regular.ttf")),
        (MEDIUM, include_bytes!("../../../assets/fonts/Roboto-Medium.ttf")),
        (ICONS, include_bytes!("../../../assets/fonts/MaterialIcons-Regular.ttf")),
    ];
    for (name, bytes) in files {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let family = |first: &str| -> Vec<String> {
        std::iter::once(first.to_owned()).chain(fallback.iter().cloned()).collect()
    };
    fonts.families.insert(FontFamily::Name(MEDIUM.into()), family(MEDIUM));
    fonts.families.insert(FontFamily::Name(ICONS.into()), family(ICONS));
    fonts.families.insert(FontFamily::Proportional, family("roboto"));
    fonts
}

fn restyle(style: &mut egui::Style, tokens: &Tokens) {
    style.text_styles = [
        (TextStyle::Small, FontId::proportional(11.0)),
        (TextStyle::Body, FontId::proportional(13.0)),
        (TextStyle::Button, FontId::proportional(13.0)),
        (TextStyle::Monospace, FontId::monospace(12.0)),
        (TextStyle::Heading, FontId::new(16.0, FontFamily::Name(MEDIUM.into()))),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(8.0, 4.0);
    spacing.button_padding = Vec2::new(10.0, 4.0);
    spacing.interact_size = Vec2::new(CONTROL, CONTROL);
    spacing.window_margin = Margin::same(16);
    spacing.menu_margin = Margin::same(4);
    spacing.combo_height = 320.0;
    spacing.icon_width = 16.0;
    spacing.scroll = egui::style::ScrollStyle { bar_width: 8.0, ..egui::style::ScrollStyle::solid() };
    style.animation_time = 0.0;
    style.scroll_animation = egui::style::ScrollAnimation::none();
    style.interaction.selectable_labels = false;
    restyle_visuals(&mut style.visuals, tokens);
}

fn restyle_visuals(visuals: &mut egui::Visuals, tokens: &Tokens) {
    visuals.panel_fill = tokens.panel;
    visuals.window_fill = tokens.raised;
    visuals.window_stroke = Stroke::new(1.0, tokens.line);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.extreme_bg_color = tokens.base;
    visuals.text_edit_bg_color = Some(tokens.raised);
    visuals.faint_bg_color = tokens.raised;
    visuals.code_bg_color = tokens.control;
    visuals.weak_text_color = Some(tokens.quiet);
    visuals.hyperlink_color = tokens.accent;
    visuals.error_fg_color = tokens.bad;
    visuals.warn_fg_color = tokens.warn;
    visuals.selection.bg_fill = tokens.accent_soft;
    visuals.selection.stroke = Stroke::new(1.0, tokens.accent);
    // A blinking cursor would cause repaints forever.
    visuals.text_cursor.blink = false;
    visuals.text_cursor.stroke = Stroke::new(2.0, tokens.accent);
    let widgets = &mut visuals.widgets;
    let states = [
        (&mut widgets.noninteractive, tokens.panel, tokens.line, tokens.text),
        (&mut widgets.inactive, tokens.control, tokens.line, tokens.text),
        (&mut widgets.hovered, tokens.line, tokens.quiet, tokens.text),
        (&mut widgets.active, tokens.line, tokens.accent, tokens.text),
        (&mut widgets.open, tokens.raised, tokens.accent, tokens.text),
    ];
    for (widget, fill, line, text) in states {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::new(1.0, line);
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.corner_radius = CornerRadius::same(6);
        widget.expansion = 0.0;
    }
}

/// Emphasised text in the size of the body.
pub fn strong(text: impl Into<String>) -> RichText {
    RichText::new(text).font(FontId::new(13.0, FontFamily::Name(MEDIUM.into())))
}

/// The title of a view.
pub fn title(text: impl Into<String>) -> RichText {
    RichText::new(text).font(FontId::new(20.0, FontFamily::Name(MEDIUM.into())))
}

/// The heading of a part.
pub fn heading(text: impl Into<String>) -> RichText {
    RichText::new(text).text_style(TextStyle::Heading)
}

/// Small text in the secondary colour.
pub fn caption(text: impl Into<String>) -> RichText {
    RichText::new(text).small().weak()
}

/// An icon in the size of body text.
pub fn glyph(icon: &str) -> RichText {
    RichText::new(icon).font(icon_font(14.0))
}

/// The families of fonts in which text is drawn.
pub fn text_families() -> [FontFamily; 3] {
    [FontFamily::Proportional, FontFamily::Monospace, FontFamily::Name(MEDIUM.into())]
}

/// The font of the icons, in this size.
pub fn icon_font(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(ICONS.into()))
}

/// The emphasised font, in this size.
pub fn medium_font(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(MEDIUM.into()))
}
