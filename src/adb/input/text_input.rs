//! Entering text into fields, by the method that the device supports.

use crate::input::arrivals::{Arrivals, Field};
use crate::input::gestures::{Input, erase, tap};
use crate::input::typing::{TypingMethod, lines_for};
use crate::observe::ScreenObserver;
use crate::observe::uiautomator2::{paste_by_server, set_text_by_server};
use crate::restore::Journal;
use taproof_engine::agent::Action;
use taproof_engine::device::DeviceError;
use taproof_screen::{Layout, TouchTarget, Widget, WidgetFlags};

/// How many characters to delete from a password of unknown length: old devices do not report it.
const LONGEST_PASSWORD: usize = 64;
const LOST: &str = "a text does not arrive in a field of this device";
const IN_VAIN: &str = "texts do not arrive in this field, which shows the same as before, nor did any elsewhere. Does the \
                       device have an input method? Otherwise control it by the agent or start the uiautomator2 server on it";

/// Enters text into the fields of a device.
pub(crate) struct TextInput {
    /// How to type if no server on the device does it.
    pub keys: TypingMethod,
    pub arrivals: Arrivals,
    /// Where a change of the keyboard is noted.
    pub journal: Journal,
}

impl TextInput {
    /// How the device types now.
    pub fn method(&self, observer: &ScreenObserver) -> TypingMethod {
        observer.typing().unwrap_or_else(|| self.keys.clone())
    }

    /// Replaces the content of the field at the target.
    pub fn set_text(
        &self,
        observer: &mut ScreenObserver,
        layout: &Layout,
        target: &TouchTarget,
        text: &str,
    ) -> Result<(), DeviceError> {
        let field = |layout: &Layout| {
            let idx = layout.touch_target(target.at)?;
            Field::of(layout, layout.widget(idx))
        };
        self.checked(observer, text, &field, |observer, method| {
            set_text(observer, method, &self.journal, layout, target, text)?;
            warn_of_other_text(observer, target, text);
            Ok(())
        })
    }

    /// Types at the cursor.
    pub fn type_text(&self, observer: &mut ScreenObserver, text: &str) -> Result<(), DeviceError> {
        let field = |layout: &Layout| {
            let focused = layout.widgets().iter().find(|widget| widget.is_focused_field())?;
            Field::of(layout, focused)
        };
        self.checked(observer, text, &field, |observer, method| {
            type_text(observer, method, &self.journal, text)
        })
    }

    /// Types, and compares what the field shows before and after. Fails instead if earlier texts were lost there, unless a
    /// person decides what to do.
    fn checked(
        &self,
        observer: &mut ScreenObserver,
        text: &str,
        field: &dyn Fn(&Layout) -> Option<Field>,
        enter: impl FnOnce(&mut ScreenObserver, &TypingMethod) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        let shown = |observer: &ScreenObserver| observer.last_frame().and_then(|frame| field(&frame.layout));
        let before = shown(observer);
        if !observer.for_person && before.as_ref().is_some_and(|before| self.arrivals.in_vain(before)) {
            return Err(cannot_type(observer, text, IN_VAIN.to_owned()));
        }
        enter(observer, &self.method(observer))?;
        if let Some((before, after)) = before.zip(shown(observer))
            && self.arrivals.compare(&before, &after, text)
        {
            observer.warn(LOST);
        }
        Ok(())
    }
}

fn set_text(
    observer: &mut ScreenObserver,
    method: &TypingMethod,
    journal: &Journal,
    layout: &Layout,
    target: &TouchTarget,
    text: &str,
) -> Result<(), DeviceError> {
    if *method == TypingMethod::Agent {
        return observer.type_by_agent(Action::SetText { at: target.at, text: text.to_owned() });
    }
    if *method == TypingMethod::Uiautomator2 {
        set_text_by_server(&observer.connection, layout, target.at, text)?;
        return observer.run(&Input::Nothing);
    }
    let typed = typing_lines(observer, method, text)?;
    let field = layout.touch_target(target.at).map(|idx| layout.widget(idx));
    let erased = erase(field.map_or(0, letters));
    let tapped = tap(target.at);
    let lines = match method.keyboard_lines(observer.connection.info.sdk, journal)? {
        Some((choose, shown)) => vec![choose, tapped, shown, erased, typed],
        None => vec![tapped, erased, typed],
    };
    observer.run(&Input::Lines(lines.join("\n")))
}

fn type_text(
    observer: &mut ScreenObserver,
    method: &TypingMethod,
    journal: &Journal,
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
    let lines = match method.keyboard_lines(observer.connection.info.sdk, journal)? {
        Some((choose, shown)) => [choose, shown, typed].join("\n"),
        None => typed,
    };
    observer.run(&Input::Lines(lines))
}

fn typing_lines(observer: &ScreenObserver, method: &TypingMethod, text: &str) -> Result<String, DeviceError> {
    lines_for(method, text).map_err(|why| cannot_type(observer, text, why))
}

fn cannot_type(observer: &ScreenObserver, text: &str, why: String) -> DeviceError {
    let serial = observer.connection.info.serial.clone();
    DeviceError::CannotType { serial, text: text.to_owned(), why }
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
