//! What a tester says of an app beside its functions: where engines may go, what is done about screens that come in
//! between, what is not looked at, and which texts fields get.
//!
//! `RoundCtx` of the crate of engines applies them for every engine, in campaigns and re-executions alike.

mod activity_pattern;
mod bounds;
mod entry;
mod field_texts;
mod ignored;
mod log_errors;
mod screen_rule;

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use taproof_screen::{AppHealth, Frame, Layout, Selector, XPath};

pub use activity_pattern::ActivityPattern;
pub use bounds::{Lists, OutOfBounds};
pub use entry::RuleEntry;
pub use field_texts::FieldTexts;
pub use ignored::Ignored;
pub use log_errors::LogErrors;
pub use screen_rule::{RuleAction, ScreenRule};

/// The version of the files that this program writes.
const VERSION: u32 = 1;

/// The rules of a file, or those that were given as options of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TestRules {
    /// Version of the file; 0 if they are not of such a file.
    #[serde(rename = "taproof_rules")]
    pub version: u32,
    /// Path of the file; empty for options of a command.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where engines stay, if there is such a list.
    #[serde(skip_serializing_if = "Lists::is_empty")]
    pub allow: Lists,
    /// What engines leave at once.
    #[serde(skip_serializing_if = "Lists::is_empty")]
    pub deny: Lists,
    /// What is done about screens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<ScreenRule>,
    /// What is not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<Ignored>,
    /// What is typed into fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<FieldTexts>,
    /// What becomes of errors that the app logs without ending.
    #[serde(skip_serializing_if = "LogErrors::is_usual")]
    pub log_errors: LogErrors,
    /// Path of the mapping file of the app's build, by which names that R8 or ProGuard chose are undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapping: Option<String>,
}

/// Why rules cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {problem}")]
pub struct RulesError {
    /// The file, or the option.
    pub name: String,
    /// What is wrong, where, and what to do.
    pub problem: String,
}

impl TestRules {
    /// Reads the rules of a file.
    ///
    /// # Errors
    ///
    /// What is wrong with it, with the line.
    pub fn parse(name: &str, text: &str) -> Result<TestRules, RulesError> {
        let bad = |problem: String| RulesError { name: name.to_owned(), problem };
        let rules: TestRules = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        match rules.version {
            VERSION => {}
            0 => return Err(bad(format!("it is no file of rules: add \"taproof_rules\": {VERSION}"))),
            other => return Err(bad(format!("it has version {other} of the rules, and {VERSION} is known"))),
        }
        rules.check().map_err(bad)?;
        Ok(TestRules { name: name.to_owned(), ..rules })
    }

    /// Reads a file of texts: one a line for all fields; below a line `[SELECTOR]`, for the fields that it names. A text that
    /// begins with `[` is written with a backslash before it.
    ///
    /// # Errors
    ///
    /// What is wrong with it, with the line.
    pub fn of_texts(name: &str, lines: &str) -> Result<TestRules, RulesError> {
        let bad = |problem: String| RulesError { name: name.to_owned(), problem };
        let texts = FieldTexts::of_lines(lines).map_err(bad)?;
        let rules = TestRules { name: name.to_owned(), texts, ..TestRules::default() };
        rules.check().map_err(bad)?;
        match rules.texts.is_empty() {
            true => Err(bad("there is no text in it: write one a line".to_owned())),
            false => Ok(rules),
        }
    }

    /// The rules as the text of a file.
    ///
    /// # Errors
    ///
    /// Fails if a part cannot be written as JSON.
    pub fn to_file(&self) -> Result<String, serde_json::Error> {
        let file = TestRules { version: VERSION, name: String::new(), ..self.clone() };
        Ok(serde_json::to_string_pretty(&file)? + "\n")
    }

    /// Checks what the format alone does not ensure.
    ///
    /// # Errors
    ///
    /// The first problem.
    pub fn check(&self) -> Result<(), String> {
        self.rules.iter().try_for_each(ScreenRule::check)?;
        self.ignore.iter().try_for_each(Ignored::check)?;
        self.texts.iter().try_for_each(FieldTexts::check)
    }

    /// Whether they say nothing.
    pub fn is_empty(&self) -> bool {
        let said = TestRules { version: 0, name: String::new(), ..self.clone() };
        said == TestRules::default()
    }

    /// All rules together, in order.
    pub fn joined<'r>(all: impl IntoIterator<Item = &'r TestRules>) -> TestRules {
        let mut joined = TestRules::default();
        for rules in all {
            joined.allow.extend(&rules.allow);
            joined.deny.extend(&rules.deny);
            joined.rules.extend(rules.rules.iter().cloned());
            joined.ignore.extend(rules.ignore.iter().cloned());
            joined.texts.extend(rules.texts.iter().cloned());
            if !rules.log_errors.is_usual() {
                joined.log_errors = rules.log_errors;
            }
            joined.mapping = rules.mapping.clone().or(joined.mapping);
        }
        joined
    }

    /// A frame as it is judged in a test of the app with this package name: without what is ignored, and with the packages
    /// that may come in front as part of the app.
    pub fn seen(&self, frame: Frame, app: &str) -> Frame {
        let mut frame = frame.of_test(app);
        if let Some(layout) = self.without_ignored(&frame.layout) {
            frame.layout = Arc::new(layout);
        }
        if let AppHealth::LeftApp(_) = &frame.health
            && [frame.layout.package(), frame.layout.window_package()]
                .into_iter()
                .any(|front| self.allow.packages.iter().any(|package| package == front))
        {
            frame.health = AppHealth::Running;
            frame.layout = Arc::new((*frame.layout).clone().counted_as_app());
        }
        frame
    }

    /// A layout without what is ignored. `None` if nothing on it is.
    pub fn without_ignored(&self, layout: &Layout) -> Option<Layout> {
        ignored::without(&self.ignore, layout)
    }

    /// The XPaths by which widgets are looked for.
    pub fn xpaths(&self) -> impl Iterator<Item = &XPath> {
        let screens = self.allow.screens.iter().chain(&self.deny.screens);
        let rules = self.rules.iter().flat_map(ScreenRule::selectors);
        let ignored = self.ignore.iter().filter_map(|ignored| ignored.selector.as_ref());
        let fields = self.texts.iter().filter_map(|list| list.field.as_ref());
        let all = screens.chain(rules).chain(ignored).chain(fields);
        all.filter_map(|selector| selector.xpath.as_deref())
    }

    /// The options of a command that say the same; the file is named where there is one.
    pub fn command_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        if !self.name.is_empty() {
            let kind = if self.version == 0 { "texts" } else { "test-rules" };
            option(kind, self.name.clone());
            return words;
        }
        for (way, lists) in [("allow", &self.allow), ("deny", &self.deny)] {
            for pattern in &lists.activities {
                option(&format!("{way}-activity"), pattern.to_string());
            }
            for selector in lists.screens.iter().filter_map(xpath_of) {
                option(&format!("{way}-screen"), selector);
            }
            for package in &lists.packages {
                option(&format!("{way}-package"), package.clone());
            }
        }
        for part in self.ignore.iter().filter_map(Ignored::option) {
            option("ignore", part);
        }
        if !self.log_errors.is_usual() {
            option("log-errors", self.log_errors.word().to_owned());
        }
        if let Some(path) = &self.mapping {
            option("mapping", path.clone());
        }
        words
    }
}

/// The XPath that a selector consists of; `None` if it has other parts.
fn xpath_of(selector: &Selector) -> Option<String> {
    let xpath = selector.xpath.as_ref()?;
    let alone = Selector { xpath: Some(xpath.clone()), ..Selector::default() };
    (alone == *selector).then(|| xpath.source().to_owned())
}

/// The selector that somebody wrote, in any notation of [`Selector::parse`].
///
/// # Errors
///
/// Why it cannot be parsed.
pub fn selector_of_text(text: &str) -> Result<Selector, String> {
    Selector::parse(text).map_err(|error| error.to_string())
}

const PARTS: [&str; 8] =
    ["resource_id", "class", "text", "content_desc", "xpath", "role", "beside", "instance"];

/// A selector of a file: a text as people write it, or an object with some of [`PARTS`].
fn selector_in(value: Value) -> Result<Selector, String> {
    match value {
        Value::String(text) => selector_of_text(&text),
        Value::Object(parts) => {
            let unknown = parts.keys().find(|key| !PARTS.contains(&key.as_str()));
            if let Some(key) = unknown {
                return Err(format!("a selector has no {key:?}; it has {}", PARTS.join(", ")));
            }
            let selector: Selector =
                serde_json::from_value(Value::Object(parts)).map_err(|error| error.to_string())?;
            match selector.is_empty() {
                true => Err("a selector that names nothing".to_owned()),
                false => Ok(selector),
            }
        }
        other => Err(format!(
            "{other} is no selector: write one in quotes, such as an XPath, or an object with some of {}",
            PARTS.join(", ")
        )),
    }
}

fn one_selector<'de, D: Deserializer<'de>>(from: D) -> Result<Selector, D::Error> {
    selector_in(Value::deserialize(from)?).map_err(serde::de::Error::custom)
}

fn maybe_selector<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Selector>, D::Error> {
    one_selector(from).map(Some)
}

fn selectors<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Selector>, D::Error> {
    let all = Vec::<Value>::deserialize(from)?.into_iter().map(selector_in);
    all.collect::<Result<_, _>>().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::determinism::DeviceInstant;
    use taproof_screen::layout_from;

    fn error(text: &str) -> String {
        TestRules::parse("a.json", text).unwrap_err().to_string()
    }

    #[test]
    fn a_file_with_a_mistake_is_refused_with_the_place() {
        for (text, problem) in [
            ("{}", "a.json: it is no file of rules"),
            (r#"{"taproof_rules": 2}"#, "version 2"),
            ("{\"taproof_rules\": 1,\n \"rule\": []}", "unknown field `rule`, expected one of"),
            ("{\"taproof_rules\": 1,\n \"rule\": []}", "line 2"),
            (
                r#"{"taproof_rules": 1, "rules": [{"when": {"id": "x"}, "do": ["tap"]}]}"#,
                "no \"id\"; it has resource_id",
            ),
            (r#"{"taproof_rules": 1, "rules": [{"when": {}, "do": ["tap"]}]}"#, "names nothing"),
            (r#"{"taproof_rules": 1, "rules": [{"when": "//*[", "do": ["tap"]}]}"#, "line 1"),
            (r#"{"taproof_rules": 1, "rules": [{"when": "//*", "do": []}]}"#, "nothing to do"),
            (r#"{"taproof_rules": 1, "rules": [{"when": "//*", "do": ["jump"]}]}"#, "unknown variant `jump`"),
            (r#"{"taproof_rules": 1, "ignore": [{}]}"#, "selector or region"),
            (r#"{"taproof_rules": 1, "ignore": [{"region": "1,2"}]}"#, "[left,top][right,bottom]"),
            (r#"{"taproof_rules": 1, "texts": [{"texts": []}]}"#, "no texts"),
        ] {
            assert!(error(text).contains(problem), "{text}: {}", error(text));
        }
    }

    #[test]
    fn rules_survive_a_plan_and_are_said_as_options() {
        let text = r##"{"taproof_rules": 1,
            "allow": {"packages": ["org.login"]},
            "deny": {"activities": [".Settings"], "screens": ["//*[@text='Pay']"]},
            "rules": [{"name": "advert", "when": {"resource_id": "a:id/x"}, "do": ["tap", {"wait": 500}, {"type": "a"}]}],
            "ignore": [{"region": "[0,0][10,20]"}, {"selector": "//*[@text='Ad']"}],
            "texts": [{"field": {"class": "A"}, "texts": ["b"]}]}"##;
        let rules = TestRules::parse("my.json", text).unwrap();
        let again: TestRules = serde_json::from_str(&serde_json::to_string(&rules).unwrap()).unwrap();
        assert_eq!(again, rules);
        assert_eq!(rules.command_words(), ["--test-rules", "my.json"]);
        let joined = TestRules::joined([&rules, &rules]);
        assert_eq!((joined.rules.len(), joined.allow.packages.len()), (2, 2));
        let texts = TestRules::of_texts("a.txt", "x\n").unwrap();
        assert_eq!(texts.command_words(), ["--texts", "a.txt"]);
        let options = TestRules { name: String::new(), rules: Vec::new(), texts: Vec::new(), ..rules };
        let words = "--allow-package org.login --deny-activity .Settings --deny-screen //*[@text='Pay'] \
                     --ignore [0,0][10,20] --ignore //*[@text='Ad']";
        assert_eq!(options.command_words().join(" "), words);
        assert!(!options.is_empty() && TestRules::default().is_empty());
    }

    #[test]
    fn an_allowed_package_counts_as_the_app() {
        let layout = layout_from("TextView \"a\"\n").with_activity("org.login/.Main".into());
        let frame = Frame {
            layout: Arc::new(layout),
            health: AppHealth::LeftApp("org.login/.Main".into()),
            at: DeviceInstant::default(),
        };
        let allow = Lists { packages: vec!["org.login".to_owned()], ..Lists::default() };
        let seen = TestRules { allow, ..TestRules::default() }.seen(frame.clone(), "org.ex");
        assert!(seen.health == AppHealth::Running && seen.layout.is_of("org.ex"));
        let left = TestRules::default().seen(frame.clone(), "org.ex");
        assert!(left == frame && !left.layout.is_of("org.ex"));
    }
}
