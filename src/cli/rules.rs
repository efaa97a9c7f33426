//! What `fuzz` and `scan` take of what a tester says of an app: where engines may go, what is done about screens, what is
//! ignored, and texts for fields.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{Failure, read_text};
use taproof_screen::format::is_mapping;
use taproof_spec::{ActivityPattern, Ignored, Lists, LogErrors, RulesError, TestRules, selector_of_text};

/// What the tester says of the app.
#[derive(clap::Args)]
pub struct RuleOptions {
    /// A file with any of these rules, and with what is done about screens that come in between: see the book, Test rules
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    test_rules: Vec<PathBuf>,
    /// Stay on these activities and the one that the app begins with: names or parts with *, such as .EditActivity
    #[arg(long = "allow-activity", value_name = "NAME,NAME", value_delimiter = ',', help_heading = HEADING)]
    allow_activities: Vec<String>,
    /// Leave these activities at once
    #[arg(long = "deny-activity", value_name = "NAME,NAME", value_delimiter = ',', help_heading = HEADING)]
    deny_activities: Vec<String>,
    /// Stay on screens that show such a widget: an XPath, or a selector of another tool, and the one that the app begins with; may be repeated
    #[arg(long = "allow-screen", value_name = "SELECTOR", help_heading = HEADING)]
    allow_screens: Vec<String>,
    /// Leave screens that show such a widget: an XPath, or a selector of another tool at once; may be repeated
    #[arg(long = "deny-screen", value_name = "SELECTOR", help_heading = HEADING)]
    deny_screens: Vec<String>,
    /// Packages that may come in front of the app: they are explored as if they were part of it
    #[arg(long = "allow-package", value_name = "NAME,NAME", value_delimiter = ',', help_heading = HEADING)]
    allow_packages: Vec<String>,
    /// Leave these packages at once
    #[arg(long = "deny-package", value_name = "NAME,NAME", value_delimiter = ',', help_heading = HEADING)]
    deny_packages: Vec<String>,
    /// Do not look at these widgets (an XPath, or a selector of another tool), or at the region [left,top][right,bottom]; may be repeated
    #[arg(long, value_name = "SELECTOR|REGION", help_heading = HEADING)]
    ignore: Vec<String>,
    /// A file of texts for fields, one a line, beside those that are generated; below a line [SELECTOR] only for its fields
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    texts: Vec<PathBuf>,
    /// Errors that the app logs without ending, of Dart (flutter) and JavaScript (ReactNativeJS): not read for (off), findings
    /// that fail no build (found), or bugs (fail)
    #[arg(long, value_name = "WHICH", default_value = LogErrors::default().word(), value_parser = log_errors(), help_heading = CRASHES)]
    log_errors: LogErrors,
    /// The mapping.txt of the app's build, by which the names that R8 or ProGuard chose are undone in crashes. Without it, such
    /// names do not count when crashes are compared with --baseline
    #[arg(long, value_name = "FILE", help_heading = CRASHES)]
    mapping: Option<PathBuf>,
}

const HEADING: &str = "Test rules";
const CRASHES: &str = "Crashes";

impl RuleOptions {
    /// The rules of each file, and then those of the other options, if there are some.
    pub fn rules(&self) -> Result<Vec<TestRules>, Failure> {
        let mut all = Vec::new();
        for path in &self.test_rules {
            all.push(TestRules::parse(&path.display().to_string(), &read_text(path)?).map_err(bad)?);
        }
        for path in &self.texts {
            all.push(TestRules::of_texts(&path.display().to_string(), &read_text(path)?).map_err(bad)?);
        }
        let given = TestRules {
            allow: lists("allow", &self.allow_activities, &self.allow_screens, &self.allow_packages)?,
            deny: lists("deny", &self.deny_activities, &self.deny_screens, &self.deny_packages)?,
            ignore: each("ignore", &self.ignore, Ignored::parse)?,
            log_errors: self.log_errors,
            mapping: self.mapping.as_deref().map(mapping_file).transpose()?,
            ..TestRules::default()
        };
        if !given.is_empty() {
            all.push(given);
        }
        Ok(all)
    }
}

/// The path of a mapping file, whose beginning has been read.
fn mapping_file(path: &Path) -> Result<String, Failure> {
    let problem =
        |problem: String| bad(RulesError { name: format!("--mapping {}", path.display()), problem });
    let read = File::open(path).and_then(|file| is_mapping(BufReader::new(file)));
    match read {
        Ok(true) => Ok(path.display().to_string()),
        Ok(false) => {
            Err(problem("it names no class: give the mapping.txt of the build on the device".to_owned()))
        }
        Err(error) => Err(problem(error.to_string())),
    }
}

fn log_errors() -> impl TypedValueParser<Value = LogErrors> {
    let known = |word: String| LogErrors::ALL.into_iter().find(|one| one.word() == word);
    PossibleValuesParser::new(LogErrors::ALL.map(LogErrors::word))
        .map(move |word| known(word).unwrap_or_default())
}

fn lists(
    way: &str,
    activities: &[String],
    screens: &[String],
    packages: &[String],
) -> Result<Lists, Failure> {
    Ok(Lists {
        activities: activities.iter().cloned().map(ActivityPattern).collect(),
        screens: each(&format!("{way}-screen"), screens, selector_of_text)?,
        packages: packages.to_vec(),
    })
}

fn each<T>(
    option: &str,
    texts: &[String],
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, Failure> {
    let parsed = |text: &String| {
        let problem = |why: String| bad(RulesError { name: format!("--{option} {text}"), problem: why });
        parse(text).map_err(problem)
    };
    texts.iter().map(parsed).collect()
}

fn bad(error: RulesError) -> Failure {
    Failure::BadInput(error.into())
}
