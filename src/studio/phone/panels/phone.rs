//! The phone panel, which is always shown. The live phone takes taps, long presses, drags, the wheel and typing; a
//! recorded walk can be stepped through.

use std::collections::BTreeMap;

use egui::{EventFilter, Key as EguiKey, Pos2, Rect, RichText, Sense, Ui, WidgetType, vec2};

use super::device_list::take_over_ui;
use super::path::{WAY_LINE, WayLine, give_up_ui, keep_menu, standing_ui, way_line_ui};
use super::widget_menu::widget_menu_ui;
use super::widget_tree::WidgetMenu;
use crate::command::Command;
use crate::mirror::{FrameNo, Shown, WalkPlace};
use crate::parts::controls::{
    Tone, badge, details_ui, empty_state, explained_icon_button, icon_button, labelled_button, named,
    waiting_state,
};
use crate::parts::overlay::{
    Hover, Outline, PictureSlot, ScreenView, paint_gesture, paint_hatch, paint_matches, paint_outline,
    paint_screen,
};
use crate::parts::shortcuts::{is_shortcut, screen_id, with_key};
use crate::parts::theme::{caption, icon, icon_font, strong, tokens};
use crate::phone::{LentPhone, NotTypeable, ShownRules, folded, sentence};
use crate::state::{Place, StudioState, build_words};
use taproof_results::report::Mark;
use taproof_screen::{
    AppHealth, Event, Gesture, Key, Layout, PxPoint, SystemEvent, WidgetFlags, WidgetIdx, upper_first,
    widget_name,
};
use taproof_spec::{OutOfBounds, named_by};

/// Seconds after which a press becomes a long press, as on Android.
const LONG_PRESS_SECONDS: f64 = 0.5;
/// Maximum movement of a tap, in points.
const SLOP: f32 = 6.0;
/// Movement of the wheel that causes a swipe, in points.
const WHEEL_STEP: f32 = 24.0;

/// The panel's own state.
#[derive(Default)]
pub struct PhonePanel {
    picture: PictureSlot,
    press: Option<Press>,
    wheel: f32,
    way: WayLine,
    /// The widgets under the last right click, with the number of the frame.
    stack: Option<(FrameNo, Vec<WidgetIdx>)>,
    /// The frame drawn by the last pass, which the person saw when making the input of this pass.
    seen: FrameNo,
    /// Where the screen was touched, as long as the pointer has not moved from there.
    touched: Option<Pos2>,
    /// What the test rules say of the screen.
    rules: ShownRules,
    /// What was typed while the phone was busy, for the field that may have the focus then.
    waiting: Vec<Event>,
}

#[derive(Clone, Copy)]
struct Press {
    frame: FrameNo,
    from: Pos2,
    since: f64,
    long: bool,
}

/// Draws the phone with its buttons.
pub fn phone_panel_ui(
    state: &StudioState,
    panel: &mut PhonePanel,
    hover: &mut Hover,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    if let Some(lent) = state.lent_phone() {
        return lent_ui(state, &lent, panel, ui);
    }
    let (device, connecting) = (state.settings.target.device.as_deref(), state.connecting());
    let Some(shown) = state.mirror.shown.as_ref().filter(|_| connecting.is_none()) else {
        let problem = state.mirror.problem.as_ref().filter(|_| connecting.is_none());
        match (problem, device) {
            (Some(problem), _) => {
                let problem = sentence(problem);
                let (words, said) = folded(&problem);
                empty_state(ui, icon::BROKEN, "No phone to show", words);
                ui.vertical_centered(|ui| take_over_ui(state, commands, ui));
                details_ui(said, ui);
            }
            (None, Some(serial)) => {
                let words = "It is prepared, and its app is opened. A slow phone takes up to a minute.";
                waiting_state(ui, &format!("Connecting to {serial}"), words);
                ui.vertical_centered(|ui| give_up_ui(commands, ui));
            }
            (None, None) => waiting_state(ui, "Starting the phone", ""),
        }
        return;
    };
    panel.way.look_at_keys(state, shown, ui);
    let rules = state.campaigns.all_rules(&state.settings.target.app);
    let document = state.documents.shown(&state.settings.target.app);
    let document = document.filter(|_| state.settings.place == Place::Record);
    let list = document.and_then(|document| document.shown_blocks());
    panel.rules.follow(shown.no, &shown.frame.layout, rules, list);
    header_ui(state, shown, panel.rules.denied.as_ref(), ui);
    let footer = if shown.walk.is_some() { 76.0 } else { 40.0 + WAY_LINE };
    let mut room = ui.available_rect_before_wrap();
    room.max.y = (room.max.y - footer).max(room.min.y + 80.0);
    let view = ScreenView::fit(room, shown.frame.layout.screen());
    screen_ui(state, shown, &view, panel, hover, commands, ui);
    ui.advance_cursor_after_rect(Rect::from_min_max(room.min, room.max));
    match &shown.walk {
        Some(place) => walk_buttons_ui(place, &shown.frame.layout, commands, ui),
        None => {
            way_line_ui(state, shown, &mut panel.way, commands, ui);
            buttons_ui(state, shown, commands, ui);
        }
    }
}

/// Draws the phone that something else uses, as its user sees it. Nothing there can be touched.
fn lent_ui(state: &StudioState, lent: &LentPhone<'_>, panel: &mut PhonePanel, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        badge(ui, icon::LOCK, &lent.user, Tone::Accent);
        ui.label(strong(state.label_of(&state.settings.target.app)));
        ui.add(egui::Label::new(caption(lent.serial)).truncate());
        if let Some(frame) = lent.frame {
            health_ui(&frame.health, ui);
        }
    });
    ui.add_space(4.0);
    let Some(frame) = lent.frame else {
        let words = "Its screens are shown here as they are tested. It is here again when that is over.";
        return waiting_state(ui, &upper_first(&lent.user), words);
    };
    let mut room = ui.available_rect_before_wrap();
    room.max.y = (room.max.y - 40.0).max(room.min.y + 80.0);
    let view = ScreenView::fit(room, frame.layout.screen());
    let response = ui.interact(view.rect, screen_id(), Sense::hover());
    named(&response, WidgetType::Other, "Screen of the tested phone");
    paint_screen(ui.painter(), &view, &frame.layout, None, &mut panel.picture);
    ui.advance_cursor_after_rect(room);
    ui.add_space(6.0);
    let words = "What the test sees, drawn from its widgets. The phone can be touched again when it is over.";
    ui.add(egui::Label::new(caption(words)).wrap());
}

/// Draws the header. It wraps if necessary, since a header that is too wide would widen the panel for good.
fn header_ui(state: &StudioState, shown: &Shown, denied: Option<&OutOfBounds>, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        match &shown.walk {
            Some(place) => {
                badge(ui, icon::FOLDER, "recorded session", Tone::Warn);
                let title = if place.title.is_empty() { &shown.info.serial } else { &place.title };
                ui.add(egui::Label::new(strong(title.as_str())).truncate());
            }
            None => {
                let name = state.current_app().map_or(shown.info.model.as_str(), |app| app.label.as_str());
                standing_ui(state, shown, ui);
                ui.label(strong(name));
                let target = &state.settings.target;
                let words = target.device.as_deref().unwrap_or(build_words(target));
                let screen = shown.frame.layout.screen();
                let tip = format!(
                    "The main display, {} by {} pixels; in front is a window of {}",
                    screen.width,
                    screen.height,
                    shown.frame.layout.window_package()
                );
                ui.add(egui::Label::new(caption(words)).truncate()).on_hover_text(tip);
            }
        }
        health_ui(&shown.frame.health, ui);
        if let Some(denied) = denied {
            let tip = format!(
                "The test rules deny {denied}: tests leave it at once. Fuzz lists them under Options"
            );
            badge(ui, icon::BLOCKED, "tests leave this", Tone::Warn).on_hover_text(tip);
        }
    });
    ui.add_space(4.0);
}

fn health_ui(health: &AppHealth, ui: &mut Ui) {
    match health {
        AppHealth::Running => {}
        AppHealth::Crashed(report) => {
            badge(ui, icon::BROKEN, "crashed", Tone::Bad)
                .on_hover_text(format!("{}: {}", report.exception, report.message));
        }
        AppHealth::NotResponding(report) => {
            badge(ui, icon::BROKEN, "does not answer", Tone::Bad).on_hover_text(&report.message);
        }
        AppHealth::LeftApp(_) => {
            badge(ui, "", "another app in front", Tone::Plain);
        }
    }
}

fn screen_ui(
    state: &StudioState,
    shown: &Shown,
    view: &ScreenView,
    panel: &mut PhonePanel,
    hover: &mut Hover,
    commands: &mut Vec<Command>,
    ui: &mut Ui,
) {
    let layout = &shown.frame.layout;
    let response = ui.interact(view.rect, screen_id(), Sense::click_and_drag());
    named(&response, WidgetType::Other, "Phone screen");
    paint_screen(ui.painter(), view, layout, shown.picture.as_ref(), &mut panel.picture);
    // After a touch the label would cover the result, so it is hidden until the pointer moves.
    let pointer = ui.input(|input| input.pointer.latest_pos());
    panel.touched.take_if(|touched| pointer != Some(*touched));
    if let Some(at) = response.hover_pos().filter(|_| panel.press.is_none() && panel.touched.is_none())
        && let Some(idx) = layout.touch_target(view.device_from_panel(at))
    {
        hover.point_at(idx);
    }
    rules_ui(&panel.rules, view, &response, ui);
    if state.mirror.gone {
        gone_ui(state, view, ui);
    }
    panel.way.untyped.take_if(|_| !state.mirror.takes_text());
    paint_matches(ui.painter(), view, layout, &state.matches);
    let untyped = panel.way.untyped.as_deref().and_then(|text| state.not_typeable(text));
    let untyped = untyped.and_then(|problem| untyped_outline(layout, &problem));
    for outline in outlines(state, layout, hover).into_iter().chain(untyped) {
        paint_outline(ui.painter(), view, &outline);
    }
    if let Some((Event::Widget { target, gesture }, _)) =
        shown.walk.as_ref().and_then(|walk| walk.next.as_ref())
    {
        paint_gesture(ui.painter(), view, target.at, gesture);
    }
    if response.has_focus() {
        let ring = egui::Stroke::new(2.0, tokens(ui.ctx()).accent);
        ui.painter().rect_stroke(view.rect.expand(2.0), 4, ring, egui::StrokeKind::Outside);
    }
    let point = |at: Pos2| view.device_from_panel(at);
    let pressed_at = response.interact_pointer_pos().map(point);
    let picking = state.picking();
    if response.secondary_clicked() {
        panel.stack = pressed_at.map(|at| (shown.no, layout.stack_at(at)));
    } else if shown.walk.is_some() && response.clicked() && picking.is_none() {
        commands.push(Command::Select(pressed_at.and_then(|at| layout.touch_target(at))));
    }
    let stack = panel.stack.as_ref().filter(|(frame, stack)| *frame == shown.no && !stack.is_empty());
    if let Some((_, stack)) = stack {
        let mut chosen = None;
        let picture = shown.picture.as_ref();
        let rules = state.campaigns.form.rules_of(&state.settings.target.app).own;
        let menu: WidgetMenu<'_> = &mut |idx, ui| widget_menu_ui(layout, idx, picture, &rules, commands, ui);
        response.context_menu(|ui| chosen = stack_ui(state, layout, stack, hover, menu, ui));
        if let Some(idx) = chosen {
            commands
                .push(picking.as_ref().map_or(Command::Select(Some(idx)), |picking| (picking.chosen)(idx)));
        }
    }
    let seen = std::mem::replace(&mut panel.seen, shown.no);
    if let Some(picking) = picking {
        let hit = pressed_at.filter(|_| response.clicked()).and_then(|at| layout.touch_target(at));
        commands.extend(hit.map(picking.chosen));
        ui.ctx().set_cursor_icon(egui::CursorIcon::Crosshair);
    } else if shown.walk.is_none() {
        if let Some((frame, from, gesture)) = panel.pointer(ui, &response, seen, &point) {
            response.request_focus();
            panel.touched = pointer;
            commands.push(Command::Touch { frame, at: point(from), gesture });
        }
        panel.wheel(ui, &response, state.mirror.busy(), seen, &point, commands);
        if response.has_focus() {
            let filter =
                EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: false };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
            // Unless a field has the focus, keys are shortcuts of the window.
            let (takes, busy) = (state.mirror.takes_text(), state.mirror.busy());
            let mut events = std::mem::take(&mut panel.waiting);
            let nowhere = !events.is_empty() || types_nowhere(state, ui);
            if takes || busy {
                events.extend(typed(layout, ui));
            }
            if takes {
                panel.type_text(state, events, commands);
            } else if busy {
                // The field that was just tapped may get the focus yet.
                let meant = |text: &str| state.types_into_phone() || !is_shortcut(state, text);
                events.retain(|event| matches!(event, Event::Type(text) if meant(text)));
                panel.waiting = events;
            } else if nowhere {
                panel.way.nowhere = Some(shown.no);
            }
        }
    }
}

/// Hatches what tests ignore, what random events do not touch, and the whole screen if tests leave it. The tooltip says
/// why.
fn rules_ui(rules: &ShownRules, view: &ScreenView, response: &egui::Response, ui: &Ui) {
    let colors = tokens(ui.ctx());
    if rules.denied.is_some() {
        paint_hatch(ui.painter(), view.rect, colors.warn.gamma_multiply(0.35));
    }
    let ignored = rules.ignored.iter().map(|region| (region, colors.text, "Ignored in tests"));
    let blocked = rules.blocked.iter().map(|region| (region, colors.bad, "Random events do not touch it"));
    for (region, color, why) in ignored.chain(blocked) {
        let rect = view.panel_from_device(*region).intersect(view.rect);
        ui.painter().rect_filled(rect, 0.0, colors.base.gamma_multiply(0.45));
        paint_hatch(ui.painter(), rect, color.gamma_multiply(0.55));
        // A tooltip of the whole screen would be in the way of everything else.
        if response.hover_pos().is_some_and(|at| rect.contains(at)) {
            response.clone().on_hover_text_at_pointer(why);
        }
    }
}

/// Dims the last screen of a phone that went away, and draws why it did.
fn gone_ui(state: &StudioState, view: &ScreenView, ui: &mut Ui) {
    ui.painter().rect_filled(view.rect, 0.0, tokens(ui.ctx()).base.gamma_multiply(0.8));
    let room = Rect::from_center_size(view.rect.center(), vec2(view.rect.width() - 32.0, 160.0));
    let ui = &mut ui.new_child(egui::UiBuilder::new().id_salt("gone").max_rect(room));
    let problem = sentence(state.mirror.problem.as_deref().unwrap_or_default());
    let (words, said) = folded(&problem);
    empty_state(ui, icon::BROKEN, "The phone went away", words);
    details_ui(said, ui);
}

/// Draws the widgets under a point, the smallest first, as a menu. Returns the chosen one.
fn stack_ui(
    state: &StudioState,
    layout: &Layout,
    stack: &[WidgetIdx],
    hover: &mut Hover,
    menu: WidgetMenu<'_>,
    ui: &mut Ui,
) -> Option<WidgetIdx> {
    ui.set_max_width(320.0);
    ui.label(caption("Widgets at this point, the smallest first"));
    let mut chosen = None;
    egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
        for idx in stack {
            let Some(widget) = layout.get(*idx) else { continue };
            let name = widget_name(widget);
            ui.horizontal(|ui| {
                let more = RichText::new(icon::MORE).font(icon_font(14.0));
                let more = ui.menu_button(more, |ui| menu(*idx, ui)).response;
                named(&more, WidgetType::Button, &format!("Copy, save or ignore {name}"));
                let row = ui.add(egui::Button::selectable(state.selected == Some(*idx), &name).truncate());
                if row.hovered() || more.hovered() {
                    hover.point_at(*idx);
                }
                if row.clicked() {
                    chosen = Some(*idx);
                    ui.close();
                }
            });
        }
    });
    chosen
}

impl PhonePanel {
    /// Returns a completed gesture of the pointer: the frame that it was made on, its start, and what it was.
    fn pointer(
        &mut self,
        ui: &Ui,
        response: &egui::Response,
        frame: FrameNo,
        point: &dyn Fn(Pos2) -> PxPoint,
    ) -> Option<(FrameNo, Pos2, Gesture)> {
        let (now, at, released) =
            ui.input(|input| (input.time, input.pointer.latest_pos(), input.pointer.primary_released()));
        let down = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
        if self.press.is_none() && down {
            let from = at.filter(|at| response.rect.contains(*at))?;
            self.press = Some(Press { frame, from, since: now, long: false });
        }
        let Some(press) = self.press.as_mut() else {
            // Pressed and released between two passes.
            let clicked = response.clicked() && ui.input(|input| input.pointer.primary_clicked());
            let at = response.interact_pointer_pos().filter(|_| clicked)?;
            return Some((frame, at, Gesture::Tap));
        };
        let moved = at.is_some_and(|at| at.distance(press.from) > SLOP);
        if down && !moved && !press.long {
            let left = LONG_PRESS_SECONDS - (now - press.since);
            if left <= 0.0 {
                press.long = true;
                return Some((press.frame, press.from, Gesture::LongPress));
            }
            ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(left));
        }
        if down && !released {
            return None;
        }
        let press = self.press.take()?;
        match at {
            _ if press.long => None,
            Some(at) if moved => Some((press.frame, press.from, Gesture::Drag(point(at)))),
            Some(_) | None => Some((press.frame, press.from, Gesture::Tap)),
        }
    }

    /// Sends what was typed, except a text that the phone cannot type, which the line below the screen tells.
    fn type_text(&mut self, state: &StudioState, typed: Vec<Event>, commands: &mut Vec<Command>) {
        for event in typed {
            self.way.untyped = match &event {
                Event::Type(text) if state.not_typeable(text).is_some() => Some(text.clone()),
                _ => None,
            };
            if self.way.untyped.is_none() {
                commands.push(Command::Perform(event));
            }
        }
    }

    /// Converts movements of the wheel to swipes, one at a time.
    fn wheel(
        &mut self,
        ui: &Ui,
        response: &egui::Response,
        busy: bool,
        frame: FrameNo,
        point: &dyn Fn(Pos2) -> PxPoint,
        commands: &mut Vec<Command>,
    ) {
        let Some(at) = response.hover_pos() else {
            self.wheel = 0.0;
            return;
        };
        self.wheel += ui.input(|input| input.smooth_scroll_delta.y);
        if busy || self.wheel.abs() < WHEEL_STEP {
            return;
        }
        let to = Gesture::Drag(point(at + vec2(0.0, self.wheel)));
        commands.push(Command::Touch { frame, at: point(at), gesture: to });
        self.wheel = 0.0;
    }
}

/// The outline of the field that has the phone's focus, after a text was typed that the phone cannot type.
fn untyped_outline(layout: &Layout, problem: &NotTypeable) -> Option<Outline> {
    let bounds = layout.widgets().iter().find(|widget| widget.is_focused_field())?.bounds;
    Some(Outline { bounds, label: problem.words(), tone: Tone::Warn })
}

/// Whether a character was typed that is no shortcut.
fn types_nowhere(state: &StudioState, ui: &Ui) -> bool {
    ui.input(|input| {
        let typed = |event: &egui::Event| match event {
            egui::Event::Text(text) | egui::Event::Paste(text) => !is_shortcut(state, text),
            _ => false,
        };
        input.events.iter().any(typed)
    })
}

/// The events for what was typed into the field that has the phone's focus.
fn typed(layout: &Layout, ui: &Ui) -> Vec<Event> {
    let field = layout.widgets().iter().find(|it| it.is_text_field() && it.flags.has(WidgetFlags::FOCUSED));
    let letters = field.map_or(0, |field| field.text.chars().count());
    ui.input(|input| {
        let events = |event: &egui::Event| match event {
            egui::Event::Text(text) | egui::Event::Paste(text) => vec![Event::Type(text.clone())],
            egui::Event::Key { key: EguiKey::Backspace, pressed: true, .. } => vec![Event::Key(Key::Delete)],
            egui::Event::Key { key: EguiKey::Enter, pressed: true, .. } => vec![Event::Key(Key::ImeAction)],
            // The phone's keyboard cannot select, so Ctrl+A deletes the text at once.
            egui::Event::Key { key: EguiKey::A, pressed: true, modifiers, .. } if modifiers.command => {
                vec![Event::Key(Key::Delete); letters]
            }
            _ => Vec::new(),
        };
        input.events.iter().flat_map(events).collect()
    })
}

fn outlines(state: &StudioState, layout: &Layout, hover: &Hover) -> Vec<Outline> {
    let outline = |idx: WidgetIdx, label: String, tone: Tone| {
        layout.get(idx).map(|widget| Outline { bounds: widget.bounds, label, tone })
    };
    let touched =
        state.mirror.touched().and_then(|idx| outline(idx, "touched next".to_owned(), Tone::Accent));
    let step = state.record.touched_on(layout).filter(|_| state.settings.place == Place::Record);
    let step = step.and_then(|idx| outline(idx, "touched in this step".to_owned(), Tone::Accent));
    let selected = state.selected.and_then(|idx| outline(idx, String::new(), Tone::Accent));
    let lit = hover.shown().filter(|idx| layout.get(*idx).is_some());
    let lit = lit.and_then(|idx| outline(idx, widget_name(layout.widget(idx)), Tone::Warn));
    let named = state.documents.marked.as_ref().map(|selector| named_by(selector, layout, &[]));
    let named = named.into_iter().flatten().filter_map(|idx| outline(idx, "named".to_owned(), Tone::Good));
    [touched, step, selected, lit].into_iter().flatten().chain(named).collect()
}

/// The marks in the phone's tree.
pub fn phone_marks(state: &StudioState) -> BTreeMap<WidgetIdx, Mark> {
    let step = state.mirror.layout().and_then(|layout| state.record.touched_on(layout));
    state.mirror.touched().or(step).map(|idx| (idx, Mark::Touched)).into_iter().collect()
}

/// Width of the menus beside the buttons, in points.
const KEEP: f32 = 116.0;

fn buttons_ui(state: &StudioState, shown: &Shown, commands: &mut Vec<Command>, ui: &mut Ui) {
    let buttons = [
        (icon::BACK, "Back", "phone-back", Event::Key(Key::Back)),
        (icon::HOME, "Home", "phone-home", Event::Key(Key::Home)),
        (icon::RECENTS, "Recents", "phone-recents", Event::Key(Key::Recents)),
        (icon::ROTATE, "Rotate", "phone-rotate", Event::Rotate),
        (icon::RESTART, "Restart the app", "", Event::Relaunch),
    ];
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        // The buttons are centred if the menus beside them leave enough space.
        let room = ui.available_width();
        let middle = ((room - 5.0 * 36.0) / 2.0).min(room - 5.0 * 36.0 - KEEP);
        ui.add_space(middle.max(0.0));
        if middle < 0.0 {
            ui.spacing_mut().item_spacing.x = 1.0;
            ui.spacing_mut().button_padding.x = 4.0;
        }
        for (icon, label, id, event) in buttons {
            if explained_icon_button(ui, icon, label, &with_key(label, id), true).clicked() {
                commands.push(Command::Perform(event));
            }
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            keep_menu(state, shown, commands, ui);
            send_menu(commands, ui);
        });
    });
}

/// Draws the menu of system events, which are sent to the phone and recorded like touches.
fn send_menu(commands: &mut Vec<Command>, ui: &mut Ui) {
    let text = egui::RichText::new(icon::SEND).font(icon_font(18.0));
    let menu = ui.menu_button(text, |ui| {
        ui.label(caption("Send to the phone"));
        for event in SystemEvent::ALL {
            if ui.button(event.sentence()).clicked() {
                commands.push(Command::Perform(Event::System(event)));
                ui.close();
            }
        }
    });
    named(&menu.response, WidgetType::Button, "Send to the phone");
    menu.response.on_hover_text("Send to the phone: a call, a low battery, another language");
}

fn walk_buttons_ui(place: &WalkPlace, layout: &Layout, commands: &mut Vec<Command>, ui: &mut Ui) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let back = place.step > 0;
        let on = place.step < place.last;
        let mut button = |ui: &mut Ui, icon, label, enabled, command| {
            if icon_button(ui, icon, label, enabled).clicked() {
                commands.push(command);
            }
        };
        button(ui, icon::FIRST, "First screen", back, Command::SeekWalk(0));
        button(ui, icon::PREVIOUS, "Previous screen", back, Command::StepWalk(-1));
        ui.label(strong(format!("screen {} of {}", place.step + 1, place.last + 1)));
        button(ui, icon::NEXT, "Next screen", on, Command::StepWalk(1));
        button(ui, icon::LAST, "Last screen", on, Command::SeekWalk(place.last));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if labelled_button(ui, icon::PHONE, "Live phone", true).clicked() {
                commands.push(Command::LivePhone);
            }
        });
    });
    let next = match &place.next {
        Some((event, _)) => format!("Then: {}", taproof_screen::event_sentence(event, layout)),
        None => "The session ends here.".to_owned(),
    };
    ui.add(egui::Label::new(RichText::new(next).weak()).truncate());
}
