//! Intents, as `am` parses and prints them.

use std::fmt::Write as _;

use crate::component::Component;

/// A request to an app or one of its components.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Intent {
    pub action: Option<String>,
    pub data: Option<String>,
    pub mime: Option<String>,
    pub categories: Vec<String>,
    pub component: Option<Component>,
    pub package: Option<String>,
    pub flags: u32,
    /// Pairs of key and value.
    pub extras: Vec<(String, String)>,
}

/// `FLAG_ACTIVITY_NEW_TASK`: start the activity in a new task.
pub(super) const NEW_TASK: u32 = 0x1000_0000;

/// An intent and the options for starting it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StartOptions {
    pub intent: Intent,
    /// `-W`: wait until the activity has started.
    pub waits: bool,
    /// `-S`: stop the app before.
    pub stops: bool,
}

impl Intent {
    /// Parses the arguments of `am start` and similar commands. The error is the exception that Android throws.
    pub fn parse(args: &[String]) -> Result<StartOptions, String> {
        let mut options = StartOptions::default();
        let intent = &mut options.intent;
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let mut next = || {
                let missing =
                    || format!("java.lang.IllegalArgumentException: Argument expected after \"{arg}\"");
                rest.next().cloned().ok_or_else(missing)
            };
            match arg.as_str() {
                "-W" => options.waits = true,
                "-S" => options.stops = true,
                "-a" => intent.action = Some(next()?),
                "-d" => intent.data = Some(next()?),
                "-t" => intent.mime = Some(next()?),
                "-c" => intent.categories.push(next()?),
                "-p" => intent.package = Some(next()?),
                "-n" => {
                    let name = next()?;
                    let bad = || format!("java.lang.IllegalArgumentException: Bad component name: {name}");
                    intent.component = Some(Component::parse(&name).ok_or_else(bad)?);
                }
                "-f" => intent.flags |= number(&next()?)?,
                "--user" => {
                    next().map(drop)?;
                }
                "--esn" => intent.extras.push((next()?, String::new())),
                "-e" | "--es" | "--ez" | "--ei" | "--el" | "--ef" | "--ed" | "--eu" | "--ecn" | "--eia"
                | "--eial" | "--ela" | "--elal" | "--efa" | "--efal" | "--esa" | "--esal" => {
                    let key = next()?;
                    intent.extras.push((key, next()?));
                }
                flag if flag_of(flag).is_some() => intent.flags |= flag_of(flag).unwrap_or(0),
                option if option.starts_with('-') => {
                    return Err(format!("java.lang.IllegalArgumentException: Unknown option: {option}"));
                }
                word => intent.take_word(word),
            }
        }
        Ok(options)
    }

    /// Parses a word without an option: a URI, a component or a package.
    fn take_word(&mut self, word: &str) {
        if word.contains(':') {
            self.data = Some(word.to_owned());
            self.action.get_or_insert_with(|| "android.intent.action.VIEW".to_owned());
        } else if let Some(component) = Component::parse(word) {
            self.component = Some(component);
            self.as_from_launcher();
        } else {
            self.package = Some(word.to_owned());
            self.as_from_launcher();
        }
    }

    fn as_from_launcher(&mut self) {
        if self.action.is_none() {
            self.action = Some("android.intent.action.MAIN".to_owned());
            self.categories.push("android.intent.category.LAUNCHER".to_owned());
        }
    }

    /// The value of an extra, if it is given.
    pub fn extra(&self, key: &str) -> Option<&str> {
        self.extras.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The text `Intent { act=… }`. Newer releases hide the path of a web address.
    pub fn text(&self, old: bool) -> String {
        let mut text = "Intent {".to_owned();
        let mut add = |name: &str, value: &str| write!(text, " {name}={value}").unwrap_or_default();
        if let Some(action) = &self.action {
            add("act", action);
        }
        if !self.categories.is_empty() {
            add("cat", &format!("[{}]", self.categories.join(",")));
        }
        if let Some(data) = &self.data {
            add("dat", &if old { data.clone() } else { hidden(data) });
        }
        if let Some(mime) = &self.mime {
            add("typ", mime);
        }
        if self.flags != 0 {
            add("flg", &format!("0x{:x}", self.flags));
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

fn hidden(data: &str) -> String {
    match data.split_once("://") {
        Some((scheme @ ("http" | "https" | "ftp"), rest)) => {
            format!("{scheme}://{}/...", rest.split('/').next().unwrap_or_default())
        }
        _ => data.to_owned(),
    }
}

fn number(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("java.lang.NumberFormatException: For input string: \"{text}\""))
}

fn flag_of(option: &str) -> Option<u32> {
    Some(match option {
        "--grant-read-uri-permission" => 0x1,
        "--grant-write-uri-permission" => 0x2,
        "--debug-log-resolution" => 0x8,
        "--exclude-stopped-packages" => 0x10,
        "--include-stopped-packages" => 0x20,
        "--activity-brought-to-front" => 0x0040_0000,
        "--activity-clear-top" => 0x0400_0000,
        "--activity-clear-when-task-reset" => 0x0008_0000,
        "--activity-exclude-from-recents" => 0x0080_0000,
        "--activity-launched-from-history" => 0x0010_0000,
        "--activity-multiple-task" => 0x0800_0000,
        "--activity-no-animation" => 0x0001_0000,
        "--activity-no-history" => 0x4000_0000,
        "--activity-no-user-action" => 0x0004_0000,
        "--activity-previous-is-top" => 0x0100_0000,
        "--activity-reorder-to-front" => 0x0002_0000,
        "--activity-reset-task-if-needed" => 0x0020_0000,
        "--activity-single-top" => 0x2000_0000,
        "--activity-clear-task" => 0x0000_8000,
        "--activity-task-on-home" => 0x0000_4000,
        "--receiver-registered-only" => 0x4000_0000,
        "--receiver-replace-pending" => 0x2000_0000,
        "--receiver-foreground" => 0x1000_0000,
        "--selector" => 0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let text = match Intent::parse(&args) {
            Ok(options) => options.intent.text(false),
            Err(problem) => problem,
        };
        assert_eq!(text, expected, "{line}");
    }

    #[test]
    fn intents_are_written_as_android_writes_them() {
        check("-n org.ex/org.ex.Main", "Intent { cmp=org.ex/.Main }");
        let launcher = "act=android.intent.action.MAIN cat=[android.intent.category.LAUNCHER]";
        check("-W org.ex/.Main", &format!("Intent {{ {launcher} cmp=org.ex/.Main }}"));
        check("org.ex", &format!("Intent {{ {launcher} pkg=org.ex }}"));
        check(
            "-a android.intent.action.VIEW -d http://example.com/a/b",
            "Intent { act=android.intent.action.VIEW dat=http://example.com/... }",
        );
        check(
            "-a X -c A -c B -t text/plain -f 0x10000000 --activity-clear-top --es k v --ez b true",
            "Intent { act=X cat=[A,B] typ=text/plain flg=0x14000000 (has extras) }",
        );
        check("-a", "java.lang.IllegalArgumentException: Argument expected after \"-a\"");
        check("-n nope", "java.lang.IllegalArgumentException: Bad component name: nope");
        check("--nope", "java.lang.IllegalArgumentException: Unknown option: --nope");
    }
}
