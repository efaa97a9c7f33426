//! Reads Fastbot's rule files (`engine/fastbot2/paper.md`, section 9) as a tester's rules. Fastbot ignores what it does
//! not understand; here every such rule is rejected with its file, its number and the reason. Names that it does not know
//! are remarks, as its own samples have some.

use std::cell::RefCell;
use std::fmt;

use serde_json::Value;

use super::fastbot_rule_objects::{Fields, block_rule, prune_rule, sequence_rule};
use crate::UserRules;
use taproof_screen::format::excerpt;

/// Names of the rule files that are supported.
pub const RULE_FILES: [&str; 9] = [
    "awl.strings",
    "abl.strings",
    "max.widget.black",
    "max.tree.pruning",
    "max.xpath.actions",
    "max.strings",
    "max.fuzzing.strings",
    "max.valid.strings",
    "max.config",
];
/// Fastbot's files that require what no device here supports, with the reason why they are not used.
const UNUSED_FILES: [(&str, &str); 4] = [
    ("max.mapping", "ids are not translated"),
    ("max.schema", "deep links are not opened"),
    ("max.shell", "no shell commands are run"),
    ("max.schema.strings", "deep links are not opened"),
];

/// The kind of value that a setting of `max.config` has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SettingKind {
    Flag,
    Number,
    /// Known, but without effect here.
    Idle,
}

/// The settings of `max.config`, without the prefix `max.`.
const SETTINGS: [(&str, SettingKind); 48] = [
    ("randomPickFromStringList", SettingKind::Flag),
    ("doinputtextFuzzing", SettingKind::Flag),
    ("useRandomClick", SettingKind::Flag),
    ("clearPackage", SettingKind::Flag),
    ("fuzzingRate", SettingKind::Number),
    ("doRotateFuzzing", SettingKind::Number),
    ("doAppSwitchFuzzing", SettingKind::Number),
    ("doNavKeyFuzzing", SettingKind::Number),
    ("doKeyCodeFuzzing", SettingKind::Number),
    ("doSystemKeyFuzzing", SettingKind::Number),
    ("doDragFuzzing", SettingKind::Number),
    ("doClickFuzzing", SettingKind::Number),
    ("doMutationAirplaneFuzzing", SettingKind::Number),
    ("doMutationWifiFuzzing", SettingKind::Number),
    ("doMutationMutationAlwaysFinishActivitysFuzzing", SettingKind::Idle),
    ("doTrackballFuzzing", SettingKind::Idle),
    ("doPinchZoomFuzzing", SettingKind::Idle),
    ("listenMode", SettingKind::Idle),
    ("startMutation", SettingKind::Idle),
    ("takeScreenshotForEveryStep", SettingKind::Idle),
    ("takeScreenshot", SettingKind::Idle),
    ("saveGUITreeToXmlEveryStep", SettingKind::Idle),
    ("swipeDuration", SettingKind::Idle),
    ("bytestStatusBarHeight", SettingKind::Idle),
    ("refectchInfoCount", SettingKind::Idle),
    ("refectchInfoWaitingInterval", SettingKind::Idle),
    ("grantAllPermission", SettingKind::Idle),
    ("enableStopPackage", SettingKind::Idle),
    ("doHoming", SettingKind::Idle),
    ("homingRate", SettingKind::Idle),
    ("homeAfterNSecondsofsleep", SettingKind::Idle),
    ("doHistoryRestart", SettingKind::Idle),
    ("historyRestartRate", SettingKind::Idle),
    ("startAfterNSecondsofsleep", SettingKind::Idle),
    ("startAfterDoScrollAction", SettingKind::Idle),
    ("startAfterDoScrollActionTimes", SettingKind::Idle),
    ("startAfterDoScrollBottomAction", SettingKind::Idle),
    ("startAfterDoScrollBottomActionTimes", SettingKind::Idle),
    ("scrollAfterNSecondsofsleep", SettingKind::Idle),
    ("execSchema", SettingKind::Idle),
    ("execSchemaEveryStartup", SettingKind::Idle),
    ("schemaTraversalMode", SettingKind::Idle),
    ("throttleForExecPreSchema", SettingKind::Idle),
    ("execPreShell", SettingKind::Idle),
    ("execPreShellEveryStartup", SettingKind::Idle),
    ("throttleForExecPreShell", SettingKind::Idle),
    ("requestLogcat", SettingKind::Idle),
    ("logcatLineNums", SettingKind::Idle),
];

/// Why a rule or a whole file cannot be used, or a remark on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleProblem {
    /// Name of the rule file, such as `max.widget.black`.
    pub file: String,
    /// Number of the rule or of the line, from 1; `None` if the whole file is meant.
    pub rule: Option<usize>,
    /// What is wrong with the rule or the file.
    pub reason: String,
}

impl fmt::Display for RuleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            Some(rule) => write!(f, "{}, rule {rule}: {}", self.file, self.reason),
            None => write!(f, "{}: {}", self.file, self.reason),
        }
    }
}

/// The rules that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct BadRules(pub Vec<RuleProblem>);

/// Parses rule files, each given as its name and its text. Returns the rules together with remarks on what is not used.
///
/// # Errors
///
/// [`BadRules`] with all problems if a rule, a setting or a file cannot be used. No rule is returned then, as incomplete rules are worse than none.
pub fn parse_user_rules(files: &[(String, String)]) -> Result<(UserRules, Vec<RuleProblem>), BadRules> {
    let mut reader = RuleReader::default();
    for (name, text) in files {
        reader.file = name.clone();
        reader.read(name, text.trim_start_matches('\u{feff}'));
    }
    let rules = &mut reader.rules;
    if !rules.allowed_activities.is_empty() && !rules.refused_activities.is_empty() {
        rules.refused_activities.clear();
        reader.file = "abl.strings".to_owned();
        reader.warn(None, "not used, as awl.strings counts: only the activities in that one are entered");
    }
    if reader.problems.is_empty() {
        Ok((reader.rules, reader.warnings))
    } else {
        Err(BadRules(reader.problems))
    }
}

#[derive(Default)]
struct RuleReader {
    rules: UserRules,
    problems: Vec<RuleProblem>,
    warnings: Vec<RuleProblem>,
    file: String,
}

impl RuleReader {
    fn refuse(&mut self, rule: Option<usize>, reason: impl Into<String>) {
        self.problems.push(RuleProblem { file: self.file.clone(), rule, reason: reason.into() });
    }

    fn warn(&mut self, rule: Option<usize>, reason: impl Into<String>) {
        self.warnings.push(RuleProblem { file: self.file.clone(), rule, reason: reason.into() });
    }

    fn read(&mut self, name: &str, text: &str) {
        match name {
            "awl.strings" => self.rules.allowed_activities = uncommented(text),
            "abl.strings" => self.rules.refused_activities = uncommented(text),
            "max.widget.black" => self.rules.blocked = self.list(text, block_rule),
            "max.tree.pruning" => self.rules.pruning = self.list(text, prune_rule),
            "max.xpath.actions" => self.rules.sequences = self.list(text, sequence_rule),
            "max.strings" => self.rules.texts = lines(text).map(str::to_owned).collect(),
            "max.fuzzing.strings" => self.rules.fuzz_texts = uncommented(text),
            "max.valid.strings" => {
                self.rules.static_texts = lines(text).filter_map(resource_text).map(str::to_owned).collect();
            }
            "max.config" => self.settings(text),
            other => match UNUSED_FILES.iter().find(|(name, _)| *name == other) {
                Some((_, why)) => self.warn(None, format!("not used: {why}")),
                None => self.refuse(None, format!("no such rule file; there are {}", RULE_FILES.join(", "))),
            },
        }
    }

    /// Returns the rules of a JSON list. Each rule that cannot be used becomes a problem of its own.
    fn list<T>(&mut self, text: &str, read: fn(&Fields<'_>) -> Result<T, String>) -> Vec<T> {
        let rules = match serde_json::from_str(text) {
            Ok(Value::Array(rules)) => rules,
            Ok(other) => {
                self.refuse(None, format!("expected a list [ … ], found {}", excerpt(&other.to_string())));
                return Vec::new();
            }
            Err(error) => {
                self.refuse(None, format!("not JSON: {error}"));
                return Vec::new();
            }
        };
        let mut kept = Vec::new();
        for (number, rule) in rules.iter().enumerate() {
            let remarks = RefCell::default();
            match Fields::of(rule, &remarks).and_then(|fields| read(&fields)) {
                Ok(rule) => kept.push(rule),
                Err(reason) => self.refuse(Some(number + 1), reason),
            }
            remarks.into_inner().into_iter().for_each(|remark| self.warn(Some(number + 1), remark));
        }
        kept
    }

    fn settings(&mut self, text: &str) {
        for (number, line) in text.lines().enumerate() {
            let (line, number) = (line.trim(), Some(number + 1));
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((key, value)) = line.split_once('=') else {
                self.refuse(number, format!("expected key=value, found {}", excerpt(line)));
                continue;
            };
            let (key, value) = (key.trim().trim_start_matches("max."), value.trim());
            let known = SETTINGS.iter().find(|(name, _)| *name == key).map(|(_, kind)| *kind);
            let amount = value.parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount >= 0.0);
            match known {
                None => self.warn(
                    number,
                    format!("no setting of Fastbot is called max.{key} (is it one of Maxim?); it changes nothing here"),
                ),
                Some(SettingKind::Idle) => self.warn(number, format!("max.{key} changes nothing here")),
                Some(SettingKind::Flag) if !matches!(value, "true" | "false") => {
                    self.refuse(number, format!("max.{key} is true or false, not {}", excerpt(value)));
                }
                Some(SettingKind::Number) if amount.is_none() => {
                    self.refuse(number, format!("max.{key} is a number from 0, not {}", excerpt(value)));
                }
                Some(SettingKind::Flag | SettingKind::Number) => {
                    self.rules.settings.insert(key.to_owned(), value.to_owned());
                }
            }
        }
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.trim_end_matches('\r')).filter(|line| !line.trim().is_empty())
}

fn uncommented(text: &str) -> Vec<String> {
    let said = lines(text).map(str::trim).filter(|line| !line.starts_with('#'));
    said.map(str::to_owned).collect()
}

/// Returns the text of a line: of a dump of string resources (`String #7: Save`), or the whole line. `None` for an
/// empty text and for the dump's headings.
fn resource_text(line: &str) -> Option<&str> {
    let text = match line.trim_start().strip_prefix("String #") {
        Some(numbered) => numbered.split_once(':')?.1,
        None if line.starts_with("String pool of") => return None,
        None => line,
    };
    Some(text.trim()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Area, ScriptAction};
    use taproof_screen::PxRect;

    fn parse(files: &[(&str, &str)]) -> Result<(UserRules, Vec<RuleProblem>), Vec<String>> {
        let owned: Vec<(String, String)> =
            files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        parse_user_rules(&owned).map_err(|BadRules(all)| all.iter().map(ToString::to_string).collect())
    }

    fn refused(name: &str, text: &str, reasons: &[&str]) {
        assert_eq!(parse(&[(name, text)]).unwrap_err(), reasons, "{text}");
    }

    #[test]
    fn all_files_are_read() {
        let (rules, warnings) = parse(&[
            ("awl.strings", "\u{feff}# ours\r\norg.ex.Main\r\n\r\n org.ex.List\n"),
            (
                "max.widget.black",
                "[{\"activity\":\"org.ex.Main\",\"xpath\":\"//*[@text='Log out']\"},
                  {\"activity\":\"org.ex.Main\",\"bounds\":\"[0,0.9][1,1]\"},
                  {\"activity\":\"org.ex.Main\",\"bounds\":\"[0,0][1080,100]\"}]",
            ),
            (
                "max.tree.pruning",
                "[{\"activity\":\"org.ex.Main\",\"xpath\":\"//*[contains(@text,'row')]\",\"text\":\"\",\
                 \"clickable\":\"false\"}]",
            ),
            (
                "max.xpath.actions",
                "[{\"prob\":0.5,\"times\":2,\"activity\":\"org.ex.Login\",\"actions\":[\
                 {\"xpath\":\"//*[@resource-id='n']\",\"action\":\"CLICK\",\"text\":\"Ann\",\"clearText\":true},\
                 {\"action\":\"BACK\",\"throttle\":2000}]}]",
            ),
            ("max.strings", "one\r\ntwo\n"),
            ("max.fuzzing.strings", "# odd\n\n%s%n\n"),
            ("max.valid.strings", "String pool of 2 unique UTF-8\nString #0: Send\nString #1 : Go on\nPlain\n"),
            ("max.config", "max.fuzzingRate=0.2\r\nmax.useRandomClick = false\r\nmax.doHoming=true\n"),
            ("max.schema", "app://x"),
        ])
        .unwrap();
        assert_eq!(rules.allowed_activities, ["org.ex.Main", "org.ex.List"]);
        let areas: Vec<Option<Area>> = rules.blocked.iter().map(|rule| rule.area).collect();
        let pixels = Area::Pixels(PxRect::new(0, 0, 1080, 100));
        assert_eq!(areas, [None, Some(Area::Fractions([0.0, 0.9, 1.0, 1.0])), Some(pixels)]);
        assert_eq!((rules.pruning[0].text.as_deref(), rules.pruning[0].clickable), (Some(""), Some(false)));
        assert_eq!(rules.pruning[0].resource_id, None);
        let sequence = &rules.sequences[0];
        assert_eq!((sequence.percent, sequence.times, sequence.actions.len()), (50, 2, 2));
        assert_eq!(sequence.actions[1], ScriptAction::Back);
        assert_eq!((rules.texts.len(), &rules.fuzz_texts[..]), (2, &["%s%n".to_owned()][..]));
        assert!(rules.static_texts.iter().eq(["Go on", "Plain", "Send"]));
        assert_eq!(rules.settings["useRandomClick"], "false", "the carriage return is no part of it");
        let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "max.config, rule 3: max.doHoming changes nothing here",
                "max.schema: not used: deep links are not opened"
            ]
        );
    }

    #[test]
    fn names_that_fastbot_does_not_know_are_remarks() {
        let (rules, remarks) = parse(&[
            ("awl.strings", "a"),
            ("abl.strings", "b"),
            ("max.config", "max.takeScreenShot=true\n"),
            (
                "max.xpath.actions",
                "[{\"activity\":\"a\",\"actions\":[{\"xpath\":\"//*\",\"index\":0,\"action\":\"CLICK\"},\
                 {\"xpath\":\"//*\",\"index\":0,\"action\":\"INPUTTEXT\",\"text\":\"5\"}]}]",
            ),
        ])
        .unwrap();
        assert_eq!((rules.allowed_activities.len(), rules.refused_activities.len()), (1, 0));
        let on = |action: &ScriptAction| matches!(action, ScriptAction::On { text: Some(text), .. } if text == "5");
        assert!(on(&rules.sequences[0].actions[1]) && !on(&rules.sequences[0].actions[0]));
        let remarks: Vec<String> = remarks.iter().map(ToString::to_string).collect();
        assert_eq!(
            remarks,
            [
                "max.config, rule 1: no setting of Fastbot is called max.takeScreenShot (is it one of Maxim?); it changes \
                 nothing here",
                "max.xpath.actions, rule 1: \"index\" is passed over, as Fastbot does: it knows xpath, action, text, \
                 clearText, throttle, wait, useAdbInput, command",
                "max.xpath.actions, rule 1: INPUTTEXT is an action of Maxim, taken as CLICK with a text",
                "abl.strings: not used, as awl.strings counts: only the activities in that one are entered",
            ]
        );
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_its_place() {
        refused("max.widget.black", "{}", &["max.widget.black: expected a list [ … ], found \"{}\""]);
        refused(
            "max.widget.black",
            "[{\"activity\":\"a\",\"xpath\":\"//a[\"},{\"activity\":\"a\"},{\"xpath\":\"//a\"},\
             {\"activity\":\"a\",\"bounds\":\"[5][6]\"},7]",
            &[
                "max.widget.black, rule 1: XPath \"//a[\", character 4: expected a path, @attribute, a position, a \
                 function or a text in quotes, found the end",
                "max.widget.black, rule 2: it has neither xpath nor bounds",
                "max.widget.black, rule 3: activity is missing",
                "max.widget.black, rule 4: bounds are \"[5][6]\", not [left,top][right,bottom]",
                "max.widget.black, rule 5: expected an object { … }, found \"7\"",
            ],
        );
        refused(
            "max.xpath.actions",
            "[{\"activity\":\"a\",\"actions\":[{\"action\":\"BACK\"},{\"action\":\"SHELL_EVENT\",\"command\":\"ls\"}]}]",
            &[
                "max.xpath.actions, rule 1: action 2: \"SHELL_EVENT\" is none of CLICK, LONG_CLICK, SCROLL_TOP_DOWN, \
               SCROLL_BOTTOM_UP, SCROLL_LEFT_RIGHT, SCROLL_RIGHT_LEFT, BACK, RESTART, CLEAN_RESTART",
            ],
        );
        refused(
            "max.config",
            "max.fuzzingRate=often\nmax.useRandomClick=1\nwhat\n",
            &[
                "max.config, rule 1: max.fuzzingRate is a number from 0, not \"often\"",
                "max.config, rule 2: max.useRandomClick is true or false, not \"1\"",
                "max.config, rule 3: expected key=value, found \"what\"",
            ],
        );
        assert!(
            parse(&[("max.widget.black", "[")]).unwrap_err()[0]
                .starts_with("max.widget.black: not JSON: EOF")
        );
        assert!(
            parse(&[("max.odd", "")]).unwrap_err()[0]
                .starts_with("max.odd: no such rule file; there are awl")
        );
    }
}
