//! A person at the window: pointer and keyboard, and how often the pointer was used.

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use crate::driver;
use crate::painter::Painter;

use taproof_screen::{PxPoint, Selector, WidgetIdx};
use taproof_studio::app::Studio;
use taproof_studio::command::Command;
use taproof_studio::state::StudioState;

/// The window and who uses it.
pub struct Hand {
    pub harness: Harness<'static, Studio>,
    /// Has the textures of the window if it is its renderer.
    pub painter: Painter,
    /// Clicks, presses and drags so far.
    pub pointer: usize,
    /// Presses of a control in the window by key.
    pub keys: usize,
}

impl Hand {
    /// Opens a window of 1280 by 800 on a workspace.
    pub fn open(workspace: &std::path::Path) -> Hand {
        Hand::in_window(driver::open_blind(driver::bundled_phone(workspace)))
    }

    /// Waits for the phone of a window.
    pub fn in_window(harness: Harness<'static, Studio>) -> Hand {
        let mut hand = Hand { harness, painter: Painter::default(), pointer: 0, keys: 0 };
        hand.wait("the phone", 60, driver::shown);
        hand
    }

    pub fn state(&self) -> &StudioState {
        &self.harness.state().state
    }

    /// Lets the window live until it shows what is waited for.
    pub fn wait(&mut self, what: &str, seconds: u64, seen: impl Fn(&StudioState) -> bool) {
        driver::wait(&mut self.harness, what, seconds, seen);
    }

    /// Asks for something that is no part of what is tried.
    pub fn order(&mut self, command: Command) {
        self.harness.state_mut().queue(command);
        self.harness.run_steps(2);
        self.settle();
    }

    /// Waits until the phone has done all.
    pub fn settle(&mut self) {
        self.harness.run_steps(2);
        self.wait("the phone", 60, |state| !state.mirror.busy());
    }

    /// Clicks what has this name.
    pub fn click(&mut self, label: &str) {
        self.pointer += 1;
        // What lies in the place itself comes behind the bar of places.
        {
            let mut named = self.harness.get_all_by_label(label);
            let control = named.rfind(|node| node.accesskit_node().role() != Role::Label);
            control.unwrap_or_else(|| panic!("nothing is called {label:?}")).click_accesskit();
        }
        self.harness.run_steps(3);
        self.settle();
    }

    pub fn key(&mut self, modifiers: egui::Modifiers, key: egui::Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run_steps(3);
        self.settle();
    }

    /// Presses and lifts the pointer on what has this name, which moves the focus as a person's click does.
    pub fn point(&mut self, label: &str) {
        self.pointer += 1;
        let at = self.harness.get_by_label(label).rect().center();
        self.harness.hover_at(at);
        self.harness.step();
        self.harness.drag_at(at);
        self.harness.step();
        self.harness.drop_at(at);
        self.harness.run_steps(3);
        self.settle();
    }

    /// Types letters and digits as a keyboard does: each is a key and a text.
    pub fn type_keys(&mut self, text: &str) {
        for letter in text.chars() {
            let name = letter.to_ascii_uppercase().to_string();
            let key = egui::Key::from_name(&name).unwrap_or_else(|| panic!("no key types {letter:?}"));
            self.harness.key_down(key);
            self.harness.event(egui::Event::Text(letter.to_string()));
            self.harness.key_up(key);
            self.harness.step();
            self.settle();
        }
    }

    /// Goes to what has this name with the Tab key, and presses it with the space bar.
    pub fn press_by_key(&mut self, label: &str) {
        self.keys += 1;
        for _ in 0..200 {
            self.harness.key_press(egui::Key::Tab);
            self.harness.step();
            if self.harness.get_all_by_label(label).any(|node| node.is_focused()) {
                return self.key(egui::Modifiers::NONE, egui::Key::Space);
            }
        }
        panic!("the Tab key never comes to {label:?}");
    }

    fn at(&self, point: PxPoint) -> egui::Pos2 {
        let screen = self.state().mirror.layout().unwrap().screen();
        let room = self.harness.get_by_label("Phone screen").rect();
        let scale = room.width() / screen.width as f32;
        // The middle of the pixel: its corner may fall to the one before it.
        room.min + egui::vec2(point.x as f32 + 0.5, point.y as f32 + 0.5) * scale
    }

    /// Presses and lifts the pointer on a point of the phone.
    pub fn tap_at(&mut self, point: PxPoint) {
        self.pointer += 1;
        let at = self.at(point);
        self.harness.hover_at(at);
        self.harness.step();
        self.harness.drag_at(at);
        self.harness.step();
        self.harness.drop_at(at);
        self.harness.run_steps(2);
        self.settle();
    }

    /// Rests the pointer on the widget that the selector names.
    pub fn press_long(&mut self, selector: &Selector) {
        let point = self.center(selector);
        self.press_long_at(point);
    }

    /// Rests the pointer on a point of the phone.
    pub fn press_long_at(&mut self, point: PxPoint) {
        self.pointer += 1;
        let at = self.at(point);
        self.harness.hover_at(at);
        self.harness.step();
        self.harness.drag_at(at);
        // The window's clock goes on by steps.
        for _ in 0..60 {
            self.harness.step();
        }
        self.harness.drop_at(at);
        self.harness.run_steps(2);
        self.settle();
    }

    /// Draws the pointer over the phone.
    pub fn drag(&mut self, from: PxPoint, to: PxPoint) {
        self.pointer += 1;
        let (from, to) = (self.at(from), self.at(to));
        self.harness.hover_at(from);
        self.harness.step();
        self.harness.drag_at(from);
        self.harness.step();
        self.harness.hover_at(to);
        self.harness.step();
        self.harness.drop_at(to);
        self.harness.run_steps(2);
        self.settle();
    }

    /// Taps the widget that the selector names.
    pub fn tap(&mut self, selector: &Selector) {
        let point = self.center(selector);
        self.tap_at(point);
    }

    pub fn center(&self, selector: &Selector) -> PxPoint {
        let layout = self.state().mirror.layout().unwrap();
        let idx: WidgetIdx =
            selector.resolve(layout).first().unwrap_or_else(|| panic!("{selector} is not shown"));
        layout.widget(idx).bounds.center()
    }

    /// Types into the field that has the phone's focus.
    pub fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            self.harness.event(egui::Event::Text(letter.to_string()));
            self.harness.step();
            self.settle();
        }
    }

    /// Types a text in one go.
    pub fn write(&mut self, text: &str) {
        self.harness.event(egui::Event::Text(text.to_owned()));
        self.harness.run_steps(2);
        self.settle();
    }

    /// Whether what is typed goes to the phone.
    pub fn phone_has_focus(&self) -> bool {
        self.harness.get_by_label("Phone screen").is_focused()
    }
}

/// The widget of an id, whatever its package.
pub fn id(id: &str) -> Selector {
    Selector { resource_id: Some(id.to_owned()), ..Selector::default() }
}

/// The widget of a text.
pub fn text(text: &str) -> Selector {
    Selector { text: Some(text.to_owned()), ..Selector::default() }
}
