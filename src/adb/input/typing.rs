//! Typing text: four methods, each for the characters that it supports. Unsupported text is refused before anything is
//! typed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::connection::facts::Facts;
use crate::host::{AdbError, quote};
use crate::restore::{Journal, KEYBOARDS};
use taproof_engine::device::Typeable;

/// Keyboards that accept text by broadcast, if one is installed.
const ADB_KEYBOARDS: &[&str] = &["com.android.adbkeyboard/.AdbIME"];

/// How text is typed on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TypingMethod {
    /// Through the agent: any text.
    Agent,
    /// Through the uiautomator2 server: any text.
    Uiautomator2,
    /// Through a keyboard made for this purpose, given by its id: any text on one line.
    AdbKeyboard(String),
    /// Through `input text`: the characters on the keys of an English keyboard.
    InputText,
}

impl TypingMethod {
    /// The best method without a server.
    pub(crate) fn without_server(facts: &Facts) -> TypingMethod {
        let installed = facts.keyboards.iter().find(|name| ADB_KEYBOARDS.contains(&name.as_str()));
        installed.map_or(TypingMethod::InputText, |name| TypingMethod::AdbKeyboard(name.clone()))
    }

    /// The lines that choose the keyboard unless it is chosen, and those that wait until it is shown, since it accepts no
    /// text before; `None` if the method needs no keyboard. Devices before Android 6 have no `grep`: they choose it each
    /// time and wait for a second.
    pub(crate) fn keyboard_lines(
        &self,
        sdk: u32,
        journal: &Journal,
    ) -> Result<Option<(String, String)>, AdbError> {
        let TypingMethod::AdbKeyboard(name) = self else { return Ok(None) };
        let name = quote(name)?;
        let shown = match sdk < 23 {
            true => "sleep 1",
            false => {
                "for I in 1 2 3 4 5 6; do\n\
                 if dumpsys input_method | grep -q mInputShown=true; then break; fi\nsleep 0.5\ndone"
            }
        };
        let change = format!("{}\nime enable {name}\nime set {name}", journal.note(&KEYBOARDS));
        // The question starts no virtual machine, unlike the change.
        let choose = match sdk < 23 {
            true => change,
            false => {
                format!("if dumpsys input_method | grep -q mCurMethodId={name}; then :\nelse\n{change}\nfi")
            }
        };
        Ok(Some((choose, shown.to_owned())))
    }

    /// The texts that this method can type.
    pub(crate) fn typeable(&self) -> Typeable {
        match self {
            TypingMethod::Agent | TypingMethod::Uiautomator2 => Typeable::Anything,
            TypingMethod::AdbKeyboard(_) => Typeable::OneLine,
            TypingMethod::InputText => Typeable::Keys,
        }
    }
}

const NO_LINES: &str =
    "the keyboard ADBKeyboard makes a key of a line break; start the uiautomator2 server on the device";

/// The lines that type the text at the cursor; the error is the reason why it cannot be typed.
pub(crate) fn lines_for(method: &TypingMethod, text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Ok(String::new());
    }
    match method {
        TypingMethod::Agent | TypingMethod::Uiautomator2 => Err("a server on the device types it".to_owned()),
        // In a field with one line a line break would be lost or press its action key.
        TypingMethod::AdbKeyboard(_) if text.contains('\n') => Err(NO_LINES.to_owned()),
        TypingMethod::AdbKeyboard(_) => {
            Ok(format!("am broadcast -a ADB_INPUT_B64 --es msg {}", STANDARD.encode(text)))
        }
        TypingMethod::InputText => input_text(text),
    }
}

fn input_text(text: &str) -> Result<String, String> {
    if let Some(wrong) = Typeable::Keys.missing_from(text) {
        return Err(format!(
            "`input text` has no key for {wrong:?}; start the uiautomator2 server on the device or install the app ADBKeyboard"
        ));
    }
    let mut lines = Vec::new();
    for part in parts_of(text) {
        let quoted = quote(&part.replace(' ', "%s")).map_err(|error| error.to_string())?;
        lines.push(format!("input text {quoted}"));
    }
    Ok(lines.join("\n"))
}

/// Splits the text so that no part contains `%s`, which `input text` takes for a blank.
fn parts_of(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("%s") {
        let (part, behind) = rest.split_at(at + 1);
        parts.push(part);
        rest = behind;
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Result<String, String> {
        lines_for(&TypingMethod::InputText, text)
    }

    #[test]
    fn blanks_and_percent_signs_arrive() {
        assert_eq!(typed("a b").unwrap(), "input text a%sb");
        assert_eq!(typed("100%s").unwrap(), "input text 100%\ninput text s");
        assert_eq!(typed("").unwrap(), "");
        assert_eq!(typed("'; reboot; '").unwrap(), r"input text ''\'';%sreboot;%s'\'''");
    }

    #[test]
    fn what_has_no_key_is_refused() {
        assert!(typed("Grüße").unwrap_err().contains("'ü'"));
        assert!(typed("a\nb").unwrap_err().contains("'\\n'"));
        let keyboard = TypingMethod::AdbKeyboard("com.android.adbkeyboard/.AdbIME".to_owned());
        assert!(lines_for(&keyboard, "a\nb").unwrap_err().contains("line break"));
        assert!(lines_for(&keyboard, "Grüße").unwrap().ends_with("--es msg R3LDvMOfZQ=="));
    }
}
