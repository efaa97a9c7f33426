//! What of an answer stays in a report. It is a list of what is kept: all else becomes a placeholder, or is left out.

use std::collections::BTreeSet;

use super::placeholder::Placeholders;
use crate::output::property_list;
use crate::restore::GUARDED;

/// Words that Android itself prints, and no app or person.
const WORDS: &str = include_str!("words.txt");
/// The packages and classes of Android and of its vendors.
const SYSTEM: [&str; 18] = [
    "android.",
    "com.android.",
    "com.google.android.",
    "com.samsung.android.",
    "com.sec.android.",
    "com.miui.",
    "com.xiaomi.",
    "com.huawei.",
    "com.coloros.",
    "com.oplus.",
    "com.vivo.",
    "com.oneplus.",
    "com.motorola.",
    "java.",
    "javax.",
    "androidx.",
    "dalvik.",
    "org.taproof.agent.",
];
/// The properties that tell which Android and which hardware it is.
const PROPERTIES: [&str; 24] = [
    "init.svc.bootanim",
    "persist.sys.locale",
    "ro.board.platform",
    "ro.build.characteristics",
    "ro.build.version.incremental",
    "ro.build.version.release",
    "ro.build.version.sdk",
    "ro.build.version.security_patch",
    "ro.config.low_ram",
    "ro.debuggable",
    "ro.hardware",
    "ro.kernel.qemu",
    "ro.miui.ui.version.name",
    "ro.opengles.version",
    "ro.product.brand",
    "ro.product.cpu.abi",
    "ro.product.cpu.abilist",
    "ro.product.device",
    "ro.product.manufacturer",
    "ro.product.model",
    "ro.product.vendor.model",
    "ro.sf.lcd_density",
    "ro.zygote",
    "sys.boot_completed",
];
/// Questions whose answers are lines of Android's words, names and numbers. What our lines themselves print is among them.
const WORDED: [&str; 35] = [
    "[",
    "am ",
    "cat /data/local/tmp/taproof-journal",
    "cat /proc/",
    "cmd package",
    "D=",
    "df",
    "dumpsys activity",
    "dumpsys display",
    "dumpsys input",
    "dumpsys package",
    "dumpsys power",
    "dumpsys window",
    "echo",
    "getprop ro.",
    "if ",
    "ime list",
    "input ",
    "md5",
    "pm clear",
    "pm grant",
    "pm list",
    "pm path",
    "ps",
    "read ",
    "rm ",
    "screencap",
    "settings get global device_provisioned",
    "settings get secure user_setup_complete",
    "settings put",
    "settings delete",
    "sleep",
    "svc ",
    "the agent",
    "wm ",
];
/// Numbers up to this length are sizes, places and processes; longer ones may be those of telephones and devices.
const LONGEST_NUMBER: usize = 5;

/// Decides what is kept, for one report.
pub(super) struct Scrubber {
    words: BTreeSet<&'static str>,
    /// The app under test, of which the names are kept.
    package: Option<String>,
    placeholders: Placeholders,
}

impl Scrubber {
    pub fn keeping(package: Option<&str>) -> Self {
        let settings = GUARDED.iter().map(|guarded| guarded.name);
        let words = WORDS.split_whitespace().chain(settings).collect();
        Scrubber { words, package: package.map(str::to_owned), placeholders: Placeholders::default() }
    }

    /// What is kept of the answer to a line of the shell; `None` if the question is not known.
    pub fn answer(&mut self, question: &str, answer: &str) -> Option<String> {
        // Our lines may stand in a group, or note something first.
        let asked = question.trim_start_matches(['{', '\n', ' ']);
        if asked.starts_with("uiautomator") || answer.contains("<hierarchy") {
            return Some(self.layout(answer));
        }
        if asked.contains("logcat ") {
            return Some(self.log(answer));
        }
        if asked == "features" {
            return Some(answer.to_owned());
        }
        if asked == "getprop" {
            return Some(properties(answer));
        }
        if asked.starts_with("settings list") || asked.starts_with("content query") {
            return Some(self.settings(answer));
        }
        if ["df", "cat /proc/uptime", "echo $"].iter().any(|begin| asked.starts_with(begin)) {
            // Sizes and times are long numbers.
            return Some(self.value(answer));
        }
        let known = answer.is_empty() || WORDED.iter().any(|begin| asked.starts_with(begin));
        known.then(|| self.words(answer))
    }

    /// Keeps Android's words and names, and short numbers.
    pub fn words(&mut self, text: &str) -> String {
        self.worded(text, LONGEST_NUMBER)
    }

    /// Keeps what [`Scrubber::words`] does, and long numbers, as settings that tests change have.
    pub fn value(&mut self, text: &str) -> String {
        self.worded(text, usize::MAX)
    }

    /// Keeps nothing of a text but its shape.
    pub fn text(&mut self, text: &str) -> String {
        self.placeholders.text(text)
    }

    /// Keeps a dump of a screen, without what it shows.
    pub fn layout(&mut self, xml: &str) -> String {
        let mut out = String::with_capacity(xml.len());
        let mut rest = xml;
        while let Some((before, name, value, behind)) = attribute(rest) {
            out.push_str(&self.words(before));
            let kept = match name {
                "text" | "content-desc" | "hint" | "title" => self.text(value),
                "resource-id" if !self.is_resource(value) => self.text(value),
                "resource-id" => value.to_owned(),
                "package" | "class" => self.name(value),
                _ => self.words(value),
            };
            out.push_str(&format!("{name}=\"{kept}\""));
            rest = behind;
        }
        out + &self.words(rest)
    }

    fn is_resource(&self, value: &str) -> bool {
        let plain = |name: &str| name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        value.is_empty()
            || value
                .split_once(":id/")
                .is_some_and(|(package, name)| (self.is_kept(package) || package == "android") && plain(name))
    }

    fn name(&mut self, name: &str) -> String {
        if name.is_empty() || self.is_kept(name) { name.to_owned() } else { self.placeholders.word(name) }
    }

    /// Whether this is a name of Android or of the app under test.
    fn is_kept(&self, name: &str) -> bool {
        let of_app = |package: &String| {
            name.strip_prefix(package.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "._$".contains(letter));
        plain
            && (SYSTEM.iter().any(|begin| name.starts_with(begin))
                || self.package.as_ref().is_some_and(of_app))
    }

    fn worded(&mut self, text: &str, longest: usize) -> String {
        let part = |letter: char| letter.is_alphanumeric() || "_.$".contains(letter);
        let mut out = String::with_capacity(text.len());
        // Whether the word before was the package that a class follows.
        let (mut rest, mut package) = (text, false);
        while let Some(first) = rest.chars().next() {
            let end = match part(first) {
                true => rest.find(|letter: char| !part(letter)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (word, behind) = rest.split_at(end);
            let own_class = package && word.starts_with('.') && out.ends_with('/');
            if !part(first) {
                out.push_str(&if first.is_ascii() { word.to_owned() } else { self.placeholders.text(word) });
            } else if own_class || self.is_kept(word) || self.is_word(word, longest) {
                out.push_str(word);
            } else {
                out.push_str(&self.placeholders.word(word));
            }
            package = if first == '/' { package } else { part(first) && self.is_kept(word) };
            rest = behind;
        }
        out
    }

    fn is_word(&self, word: &str, longest: usize) -> bool {
        // Numbers of telephones begin with 0, and addresses of the network have four parts.
        let short = |number: &str| {
            number.len() <= longest
                && number.bytes().all(|byte| byte.is_ascii_digit())
                && (number.len() < 3 || !number.starts_with('0'))
        };
        // Old devices print sizes with a unit.
        let word = if longest == usize::MAX { word.trim_end_matches(['K', 'M', 'G', 'T']) } else { word };
        // An app's user is written as u0_a123 and u0a123, a size as 1080x2400.
        let numbers = |text: &str| text.split(['.', 'x', '_']).all(short) && text.matches('.').count() < 3;
        word.len() == 1 && word.is_ascii()
            || numbers(word)
            || word.strip_prefix('u').is_some_and(|rest| numbers(&rest.replacen('a', "", 1)))
            || word.starts_with("taproof")
            || word.split(['.', '_']).all(|word| self.words.contains(word) || short(word))
            || self.words.contains(word)
    }

    /// Keeps the settings that tests change.
    fn settings(&mut self, text: &str) -> String {
        let is_known = |name: &str| GUARDED.iter().any(|guarded| guarded.name == name);
        let kept = text.lines().filter_map(|line| {
            let row = line.strip_prefix("Row: ").and_then(|row| row.split_once(" name="));
            let (begin, pair) = row.map_or(("", line), |(number, pair)| (number, pair));
            let (name, value) = pair.split_once('=')?;
            let name = name.strip_suffix(", value").unwrap_or(name);
            let separator = if begin.is_empty() { "=" } else { ", value=" };
            let begin = if begin.is_empty() { String::new() } else { format!("Row: {begin} name=") };
            is_known(name).then(|| format!("{begin}{name}{separator}{}\n", self.value(value)))
        });
        kept.collect()
    }

    /// Keeps of a log who wrote when, and nothing of what was written.
    pub fn log(&mut self, text: &str) -> String {
        let is_time = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b"-:.".contains(&byte));
        let kept = text.lines().map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [day, time, pid, tid, level, tag, ..] if is_time(day) && is_time(time) => {
                    let tag = self.words(tag.split(':').next().unwrap_or_default());
                    format!("{day} {time} {} {tag}: \n", self.words(&format!("{pid} {tid} {level}")))
                }
                [day, time] if is_time(day) && is_time(time) => format!("{day} {time}\n"),
                _ => "\n".to_owned(),
            }
        });
        kept.collect()
    }
}

/// Keeps the properties that say which device it is.
fn properties(text: &str) -> String {
    let kept = property_list(text).into_iter().filter(|(key, _)| PROPERTIES.contains(&key.as_str()));
    kept.map(|(key, value)| format!("[{key}]: [{value}]\n")).collect()
}

/// The next attribute of XML: what stands before it, its name and value, and what follows.
fn attribute(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (mut at, mut from) = (text.find("=\"")?, 0);
    loop {
        let head = text.get(..at)?;
        let begin = head
            .rfind(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
            .map_or(0, |end| end + 1);
        let value = text.get(at + 2..)?;
        if begin < at && begin >= from {
            let (value, behind) = value.split_once('"')?;
            return Some((text.get(..begin)?, text.get(begin..at)?, value, behind));
        }
        from = at + 2;
        at = from + value.find("=\"")?;
    }
}
