//! The keys of the table of actions: what was pressed becomes a command; tips and lists name the keys.

use egui::{Context, Id, Key, Modifiers, Popup, Response, Ui};

use crate::state::{ActionInfo, Command, Group, StudioState, action, actions};

use super::parts::{icon_button, labelled_button};

/// The modifiers and the key of a shortcut as the table writes it.
pub fn parsed(keys: &str) -> Option<(Modifiers, Key)> {
    let mut modifiers = Modifiers::NONE;
    let mut rest = keys;
    while let Some((word, after)) = rest.split_once('+').filter(|(_, after)| !after.is_empty()) {
        modifiers |= match word {
            "Ctrl" => Modifiers::COMMAND,
            "Shift" => Modifiers::SHIFT,
            "Alt" => Modifiers::ALT,
            _ => return None,
        };
        rest = after;
    }
    Some((modifiers, Key::from_name(rest)?))
}

/// A shortcut as people read it.
pub fn key_words(keys: &str) -> String {
    let words = [
        ("ArrowRight", "Right"),
        ("ArrowLeft", "Left"),
        ("ArrowUp", "Up"),
        ("ArrowDown", "Down"),
        ("PageUp", "Page Up"),
        ("PageDown", "Page Down"),
        ("Plus", "+"),
        ("Minus", "\u{2212}"),
    ];
    let first = keys.split(", ").next().unwrap_or_default();
    words.iter().fold(first.to_owned(), |text, (name, word)| text.replace(name, word))
}

/// What an action is called, with its shortcut.
pub fn tip(action: &ActionInfo) -> String {
    match key_words(action.keys) {
        keys if keys.is_empty() => action.label.to_owned(),
        keys => format!("{} ({keys})", action.label),
    }
}

/// The same for the action of that id.
pub fn tip_of(id: &str) -> String {
    action(id).map(tip).unwrap_or_default()
}

/// The button with the key of an action of the table in its tip.
pub fn with_key(response: Response, id: &str) -> Response {
    match action(id).map(|action| key_words(action.keys)).filter(|keys| !keys.is_empty()) {
        Some(keys) => response.on_hover_text(keys),
        None => response,
    }
}

/// A button for an action of the table: an icon alone, or with a shorter word. It is off, and its tip says
/// why, while the action cannot be done.
pub fn action_button(
    ui: &mut Ui,
    state: &StudioState,
    commands: &mut Vec<Command>,
    id: &str,
    icon: &str,
    word: Option<&str>,
) -> Option<Response> {
    let action = action(id)?;
    let order = (action.order)(state);
    let tip = tip(action);
    let response = match word {
        Some(word) => labelled_button(ui, icon, word, order.is_ok()).on_hover_text(&tip),
        None => icon_button(ui, icon, &tip, order.is_ok()),
    };
    match order {
        Ok(command) if response.clicked() => commands.push(command),
        Ok(_) => {}
        Err(reason) => return Some(response.on_disabled_hover_text(reason)),
    }
    Some(response)
}

/// Queues what keys with Ctrl or Alt ask for: before any field sees them, as some mean something in a field too.
pub fn chords(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    pressed(state, commands, ctx, |modifiers| modifiers.command || modifiers.alt);
}

/// Queues what the other keys ask for: once who has the focus had the chance to use them.
pub fn plain_keys(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) {
    pressed(state, commands, ctx, |modifiers| !modifiers.command && !modifiers.alt);
}

fn pressed(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context, wanted: fn(Modifiers) -> bool) {
    let focus = Focus::of(state, ctx);
    // A key with Shift counts as the one without it too: those with more modifiers come first.
    for shifted in [true, false] {
        for action in actions() {
            if matches!(action.group, Group::In(place) if place != state.settings.place) {
                continue;
            }
            for (modifiers, key) in action.keys.split(", ").filter_map(parsed) {
                if wanted(modifiers) && modifiers.shift == shifted && !focus.takes(modifiers, key) {
                    queue(state, commands, ctx, action, (modifiers, key));
                }
            }
        }
    }
}

/// The same for some actions, also where a field with the focus would take their keys; those with more modifiers
/// first.
pub fn keys_of(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context, ids: &[&str]) {
    for action in ids.iter().filter_map(|id| action(id)) {
        for (modifiers, key) in action.keys.split(", ").filter_map(parsed) {
            queue(state, commands, ctx, action, (modifiers, key));
        }
    }
}

fn queue(
    state: &StudioState,
    commands: &mut Vec<Command>,
    ctx: &Context,
    action: &ActionInfo,
    (modifiers, key): (Modifiers, Key),
) {
    // What lies above the window has the keys for itself.
    if !ctx.input(|input| input.key_pressed(key)) || ctx.memory(|memory| memory.top_modal_layer().is_some()) {
        return;
    }
    let Ok(command) = (action.order)(state) else { return };
    // Presses may come faster than passes: each counts.
    let presses = ctx.input_mut(|input| input.count_and_consume_key(modifiers, key));
    commands.extend(std::iter::repeat_n(command, presses));
}

/// The phone's screen, as the window's focus knows it.
pub fn screen_id() -> Id {
    Id::new("phone screen")
}

/// Who has the keyboard.
struct Focus {
    text: bool,
    phone: bool,
    control: bool,
    menu: bool,
}

impl Focus {
    fn of(state: &StudioState, ctx: &Context) -> Focus {
        let focused = ctx.memory(|memory| memory.focused());
        let phone = focused == Some(screen_id());
        Focus {
            text: ctx.text_edit_focused(),
            phone: phone && state.mirror.takes_text(),
            control: focused.is_some() && !phone,
            menu: Popup::is_any_open(ctx),
        }
    }

    /// Whether who has the focus has a use of its own for the key.
    fn takes(&self, modifiers: Modifiers, key: Key) -> bool {
        let function = key >= Key::F1 && key <= Key::F35;
        if modifiers.alt {
            // A field goes from word to word.
            return self.text && matches!(key, Key::ArrowLeft | Key::ArrowRight);
        }
        if modifiers.command {
            // A field has its own undo.
            return self.text && matches!(key, Key::Z | Key::Y | Key::A | Key::C | Key::V | Key::X);
        }
        let presses = matches!(key, Key::Space | Key::Enter);
        !function && (self.text || self.phone || self.menu || (self.control && presses))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shortcut_of_the_table_is_a_key() {
        for action in actions() {
            for keys in action.keys.split(", ").filter(|keys| !keys.is_empty()) {
                assert!(parsed(keys).is_some(), "{}: {keys}", action.id);
            }
        }
        assert_eq!(parsed("Ctrl+Shift+P"), Some((Modifiers::COMMAND | Modifiers::SHIFT, Key::P)));
        assert_eq!(key_words("Ctrl+Plus, Ctrl+Equals"), "Ctrl++");
    }
}
