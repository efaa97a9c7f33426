//! The keyboard shortcuts from the table of actions: converts keys to commands, and names the keys in tooltips and
//! lists.

use egui::{Context, Id, Key, Modifiers, Popup, Response, Ui};

use crate::command::{ActionInfo, Command, Group, action, actions};
use crate::parts::controls::{explained_icon_button, labelled_button};
use crate::state::StudioState;

/// Parses a shortcut of the table into modifiers and key. `None` if it is invalid.
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

/// Formats a shortcut for people.
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

/// The label of an action with its shortcut.
pub fn tip(action: &ActionInfo) -> String {
    match key_words(action.keys) {
        keys if keys.is_empty() => action.label.to_owned(),
        keys => format!("{} ({keys})", action.label),
    }
}

/// The label of the action with this id, with its shortcut.
pub fn tip_of(id: &str) -> String {
    action(id).map(tip).unwrap_or_default()
}

/// A tooltip with the shortcut of the action with this id.
pub fn with_key(tip: &str, id: &str) -> String {
    match action(id).map(|action| key_words(action.keys)).filter(|keys| !keys.is_empty()) {
        Some(keys) => format!("{tip} ({keys})"),
        None => tip.to_owned(),
    }
}

/// Draws a button for an action: with only an icon, or with a shorter label. If the action is unavailable, the button
/// is disabled and its tooltip shows the reason.
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
    let explained = match &order {
        Ok(_) => tip.clone(),
        Err(reason) => format!("{tip}: {reason}"),
    };
    let response = match word {
        Some(word) => labelled_button(ui, icon, word, order.is_ok())
            .on_hover_text(&explained)
            .on_disabled_hover_text(&explained),
        None => explained_icon_button(ui, icon, &tip, &explained, order.is_ok()),
    };
    if let Ok(command) = order
        && response.clicked()
    {
        commands.push(command);
    }
    Some(response)
}

/// Queues the commands of pressed keys with Ctrl or Alt. Called before any field is drawn, since some keys have a
/// meaning in fields as well. Returns what has the focus then.
pub fn chords(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context) -> Focus {
    let focus = Focus::of(state, ctx);
    pressed(state, commands, ctx, &[&focus], |modifiers| modifiers.command || modifiers.alt);
    focus
}

/// Queues the commands of other pressed keys. Called after drawing, so that the focused widget can use them first. What had
/// the focus before that counts, too: a field gives it up at Enter.
pub fn plain_keys(state: &StudioState, commands: &mut Vec<Command>, ctx: &Context, before: &Focus) {
    let focus = Focus::of(state, ctx);
    pressed(state, commands, ctx, &[before, &focus], |modifiers| !modifiers.command && !modifiers.alt);
}

fn pressed(
    state: &StudioState,
    commands: &mut Vec<Command>,
    ctx: &Context,
    focus: &[&Focus],
    wanted: fn(Modifiers) -> bool,
) {
    // A key with Shift also matches the one without, so shortcuts with more modifiers come first.
    for shifted in [true, false] {
        for action in actions() {
            if matches!(action.group, Group::In(place) if place != state.settings.place) {
                continue;
            }
            for (modifiers, key) in action.keys.split(", ").filter_map(parsed) {
                let taken = focus.iter().any(|focus| focus.takes(modifiers, key));
                if wanted(modifiers) && modifiers.shift == shifted && !taken {
                    queue(state, commands, ctx, action, (modifiers, key));
                }
            }
        }
    }
}

/// Whether the key of a typed character is the shortcut of an action that can be done now.
pub fn is_shortcut(state: &StudioState, typed: &str) -> bool {
    let key = Key::from_name(&typed.to_uppercase());
    let here =
        |action: &&ActionInfo| !matches!(action.group, Group::In(place) if place != state.settings.place);
    let has_key = |action: &ActionInfo| {
        let mut keys = action.keys.split(", ").filter_map(parsed);
        keys.any(|(modifiers, of)| Some(of) == key && !modifiers.command && !modifiers.alt)
    };
    actions().filter(here).any(|action| has_key(action) && (action.order)(state).is_ok())
}

/// Queues the commands of some actions, even if the focused field would use their keys. Shortcuts with more modifiers
/// must come first.
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
    // An open overlay takes all keys.
    if !ctx.input(|input| input.key_pressed(key)) || ctx.memory(|memory| memory.top_modal_layer().is_some()) {
        return;
    }
    let Ok(command) = (action.order)(state) else { return };
    // Several presses may arrive in one pass; each counts.
    let presses = ctx.input_mut(|input| input.count_and_consume_key(modifiers, key));
    commands.extend(std::iter::repeat_n(command, presses));
}

/// The focus id of the phone's screen.
pub fn screen_id() -> Id {
    Id::new("phone screen")
}

/// What has the keyboard focus.
pub struct Focus {
    text: bool,
    phone: bool,
    control: bool,
    menu: bool,
    /// Whether what is typed is meant for the phone, even if the window has another focus at the moment.
    typing: bool,
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
            typing: state.types_into_phone(),
        }
    }

    /// Whether the focused widget uses the key itself.
    fn takes(&self, modifiers: Modifiers, key: Key) -> bool {
        let function = key >= Key::F1 && key <= Key::F35;
        if modifiers.alt {
            // A field moves by words.
            return self.text && matches!(key, Key::ArrowLeft | Key::ArrowRight);
        }
        if modifiers.command {
            // A field has its own undo and clipboard.
            return self.text && matches!(key, Key::Z | Key::Y | Key::A | Key::C | Key::V | Key::X);
        }
        let presses = matches!(key, Key::Space | Key::Enter);
        if self.typing && types(key) {
            return true;
        }
        !function && (self.text || self.phone || self.menu || (self.control && presses))
    }
}

/// Whether the key types a character, or removes one.
fn types(key: Key) -> bool {
    use Key::{Backspace, Delete, Enter, Minus, Plus, Space};
    (key >= Key::Num0 && key <= Key::Z) || matches!(key, Space | Enter | Backspace | Delete | Plus | Minus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_type() {
        assert!([Key::A, Key::R, Key::Z, Key::Num0, Key::Num9, Key::Space].into_iter().all(types));
        assert!(
            ![Key::Escape, Key::F5, Key::ArrowLeft, Key::Home, Key::End, Key::PageUp].into_iter().any(types)
        );
    }

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
