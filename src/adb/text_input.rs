//! Entering text into fields, by the method that the device supports.

use super::gestures::{Input, erase, tap};
use super::observer::ScreenObserver;
use super::typing::{TypingMethod, lines_for};
use super::uiautomator2::{paste_by_server, set_text_by_server};
use taproof_core::agent::Action;
use taproof_core::device::DeviceError;
use taproof_core::model::{Layout, TouchTarget, Widget, WidgetFlags};

/// How many characters to delete from a password of unknown length: old devices do not report it.
const LONGEST_PASSWORD: usize = 64;

/// Replaces the content of the field at the target.
pub(super) fn set_text(
    observer: &mut ScreenObserver,
    method: &TypingMethod,
    layout: &Layout,
    target: &TouchTarget,
    text: &str,
) -> Result<(), DeviceError> {
    if *method == TypingMethod::Agent {
        observer.type_by_agent(Action::SetText { at: target.at, text: text.to_owned() })?;
        warn_of_other_text(observer, target, text);
        return Ok(());
    }
    if *method == TypingMethod::Uiautomator2 {
        set_text_by_server(&observer.connection, layout, target.at, text)?;
        observer.run(&Input::Nothing)?;
        warn_of_other_text(observer, target, text);
        return Ok(());
    }
    let typed = typing_lines(observer, method, text)?;
    let field = layout.touch_target(target.at).map(|idx| layout.widget(idx));
    let erased = erase(field.map_or(0, letters));
    let tapped = tap(target.at);
    let lines = match method.keyboard_lines(observer.connection.info.sdk)? {
        Some((choose, shown)) => vec![choose, tapped, shown, erased, typed],
        None => vec![tapped, erased, typed],
    };
    observer.run(&Input::Lines(lines.join("\n")))?;
    warn_of_other_text(observer, target, text);
    Ok(())
}

/// Types at the cursor.
pub(super) fn type_text(
    observer: &mut ScreenObserver,
    method: &TypingMethod,
    text: &str,
) -> Result<(), DeviceError> {
    if *method == TypingMethod::Agent {
        return observer.type_by_agent(Action::Type(text.to_owned()));
    }
    if *method == TypingMethod::Uiautomator2 {
        paste_by_server(&observer.connection, text)?;
        return observer.run(&Input::Nothing);
    }
    let typed = typing_lines(observer, method, text)?;
    let lines = match method.keyboard_lines(observer.connection.info.sdk)? {
        Some((choose, shown)) => [choose, shown, typed].join("\n"),
        None => typed,
    };
    observer.run(&Input::Lines(lines))
}

fn typing_lines(observer: &ScreenObserver, method: &TypingMethod, text: &str) -> Result<String, DeviceError> {
    lines_for(method, text).map_err(|why| DeviceError::CannotType {
        serial: observer.connection.info.serial.clone(),
        text: text.to_owned(),
        why,
    })
}

/// Logs a warning if the field shows another text, because it filters input or the device lost some of it.
fn warn_of_other_text(observer: &ScreenObserver, target: &TouchTarget, text: &str) {
    let Some(frame) = observer.last_frame() else { return };
    let field = frame.layout.touch_target(target.at).map(|idx| frame.layout.widget(idx));
    if let Some(field) = field.filter(|field| &*field.text != text && !field.flags.has(WidgetFlags::PASSWORD))
    {
        let (serial, shown) = (&observer.connection.info.serial, &*field.text);
        tracing::warn!(serial, typed = text, shown, "the field shows another text than was typed");
    }
}

/// How many characters the field may contain.
fn letters(field: &Widget) -> usize {
    let told = field.text.chars().count();
    if told == 0 && field.flags.has(WidgetFlags::PASSWORD) { LONGEST_PASSWORD } else { told }
}
