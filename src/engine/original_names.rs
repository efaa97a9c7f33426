//! Undoes what a shrinker did to the names in a crash.

use std::fs::File;
use std::io::BufReader;

use taproof_screen::CrashReport;
use taproof_screen::format::retrace;
use taproof_spec::TestRules;

/// The report with the names of the app's source, if the tester gave the file that has them. A crash is a crash whether or
/// not the file can be read now; its log then says that it could not.
pub(super) fn original_names(rules: &TestRules, report: &CrashReport) -> CrashReport {
    let Some(path) = &rules.mapping else { return report.clone() };
    let read = File::open(path).and_then(|file| retrace(BufReader::new(file), report));
    read.unwrap_or_else(|error| CrashReport {
        log: format!("{}\n(the mapping file cannot be read: {error}: {path})", report.log),
        ..report.clone()
    })
}
