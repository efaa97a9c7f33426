//! Intents, as `am` parses and prints them.

use std::fmt::Write as _;

use crate::apk::component::Component;

/// An intent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Intent {
    pub action: Option<String>,
    pub data: Option<String>,
    pub categories: Vec<String>,
    pub component: Option<Component>,
    pub package: Option<String>,
    pub extras: Vec<(String, String)>,
}

/// An intent with the options of `am start`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StartOptions {
    pub intent: Intent,
    /// Whether to wait and print how long the start took.
    pub waits: bool,
    /// Whether to stop the app first.
    pub stops: bool,
}

impl Intent {
    /// Parses the arguments of `am start` and `am broadcast`. The error is Android's exception.
    pub fn parse(args: &[String]) -> Result<StartOptions, String> {
        let mut options = StartOptions::default();
        let intent = &mut options.intent;
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let illegal = |problem: &str| format!("java.lang.IllegalArgumentException: {problem}");
            let missing = || illegal(&format!("Argument expected after \"{arg}\""));
            let mut next = || rest.next().cloned().ok_or_else(missing);
            match arg.as_str() {
                "-W" => options.waits = true,
                "-S" => options.stops = true,
                "-a" => intent.action = Some(next()?),
                "-d" => intent.data = Some(next()?),
                "-c" => intent.categories.push(next()?),
                "-n" => {
                    let name = next()?;
                    let bad = || illegal(&format!("Bad component name: {name}"));
                    intent.component = Some(Component::parse(&name).ok_or_else(bad)?);
                }
                "--es" | "--ez" | "--ei" => {
                    let key = next()?;
                    intent.extras.push((key, next()?));
                }
                option if option.starts_with('-') => {
                    return Err(illegal(&format!("Unknown option: {option}")));
                }
                word => intent.take_word(word),
            }
        }
        Ok(options)
    }

    /// A component or a package without an option is started as by the launcher.
    fn take_word(&mut self, word: &str) {
        self.component = Component::parse(word);
        if self.component.is_none() {
            self.package = Some(word.to_owned());
        }
        if self.action.is_none() {
            self.action = Some("android.intent.action.MAIN".to_owned());
            self.categories.push("android.intent.category.LAUNCHER".to_owned());
        }
    }

    /// The value of an extra.
    pub fn extra(&self, key: &str) -> Option<&str> {
        self.extras.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The intent in Android's notation, with these flags.
    pub fn text(&self, flags: u32) -> String {
        let mut text = "Intent {".to_owned();
        let mut add = |name: &str, value: &str| write!(text, " {name}={value}").unwrap_or_default();
        if let Some(action) = &self.action {
            add("act", action);
        }
        if !self.categories.is_empty() {
            add("cat", &format!("[{}]", self.categories.join(",")));
        }
        if let Some(data) = &self.data {
            add("dat", data);
        }
        if flags != 0 {
            add("flg", &format!("0x{flags:x}"));
        }
        if let Some(package) = &self.package {
            add("pkg", package);
        }
        if let Some(component) = &self.component {
            add("cmp", &component.to_string());
        }
        let extras = if self.extras.is_empty() { "" } else { " (has extras)" };
        format!("{text}{extras} }}")
    }
}
