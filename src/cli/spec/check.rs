//! `taproof spec check FILE...`: exit code 2 if a file has an error, 0 if there are only warnings.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::{CommandEnd, Failure, Outcome, bad_input, print_json, print_line, read_text};
use taproof_spec::format::DmfFile;
use taproof_spec::{Dmf, LintCode, LintFinding, Severity, Spec, lint_beside};

/// Read specification files and say what is wrong with them
#[derive(clap::Args)]
pub struct Options {
    /// DMF files or block lists (keyviews)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The result of reading and linting a file.
struct Checked<'a> {
    path: &'a Path,
    read: Result<(Spec, Vec<LintFinding>), anyhow::Error>,
}

pub fn run(options: &Options) -> Outcome {
    let checked = check(&options.files);
    let errors: usize = checked.iter().map(Checked::errors).sum();
    if options.json {
        let files: Vec<Value> = checked.iter().map(Checked::as_json).collect();
        print_json(&json!({ "errors": errors, "files": files }))?;
    } else {
        checked.iter().try_for_each(Checked::print)?;
    }
    if errors > 0 {
        let files = options.files.len();
        return Err(bad_input(format!("{errors} error(s) in {files} file(s)")));
    }
    Ok(CommandEnd::Fine)
}

/// Checks each file as part of a specification that consists of all of them.
fn check(paths: &[PathBuf]) -> Vec<Checked<'_>> {
    let read = |path: &PathBuf| {
        let text = read_text(path).map_err(Failure::into_error)?;
        Ok(DmfFile::parse(&text)?)
    };
    let files: Vec<Result<DmfFile, anyhow::Error>> = paths.iter().map(read).collect();
    let dmfs: Vec<(usize, &Dmf)> = files
        .iter()
        .enumerate()
        .flat_map(|(index, file)| {
            file.iter().flat_map(move |file| file.spec.dmfs.iter().map(move |dmf| (index, dmf)))
        })
        .collect();
    let others = |index| dmfs.iter().filter(|(of, _)| *of != index).map(|(_, dmf)| *dmf).collect::<Vec<_>>();
    let of_content = |(index, file): (usize, &Result<DmfFile, anyhow::Error>)| match file {
        Ok(file) => lint_beside(&file.spec, &others(index)),
        Err(_) => Vec::new(),
    };
    let lints: Vec<Vec<LintFinding>> = files.iter().enumerate().map(of_content).collect();
    let together = |((path, file), lints): ((_, Result<DmfFile, _>), _)| Checked {
        path,
        read: file.map(|file| (file.spec, [file.findings, lints].concat())),
    };
    paths.iter().map(PathBuf::as_path).zip(files).zip(lints).map(together).collect()
}

/// The findings as lines: errors first, then warnings and notes. Keys that are left out share one line, as do texts that
/// a translation may change.
fn lines(spec: &Spec, findings: &[LintFinding]) -> Vec<String> {
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    let mut lines: Vec<(Severity, String)> = Vec::new();
    for finding in findings {
        match finding.code {
            LintCode::MissingKey => {
                let key = finding.path.rsplit('.').next().unwrap_or_default();
                *left_out.entry(key).or_default() += 1;
            }
            LintCode::Translatable => {}
            code => lines.push((code.severity(), finding.to_string())),
        }
    }
    if !left_out.is_empty() {
        let keys: Vec<String> = left_out.iter().map(|(key, times)| format!("{key} ({times})")).collect();
        let code = LintCode::MissingKey;
        let line = format!(
            "note {}: keys left out count as empty (`force` as true, `proportion` as 10): {}",
            code.code(),
            keys.join(", ")
        );
        lines.push((code.severity(), line));
    }
    lines.extend(translatable_line(spec));
    lines.sort_by_key(|(severity, _)| Reverse(*severity));
    lines.into_iter().map(|(_, line)| line).collect()
}

/// One line on all widgets that are found by what a translation may change.
fn translatable_line(spec: &Spec) -> Option<(Severity, String)> {
    let mut texts: BTreeMap<String, usize> = BTreeMap::new();
    let of_dmfs = spec.dmfs.iter().flat_map(|dmf| &dmf.widgets);
    let of_invariants = spec.invariants.iter().flat_map(|invariant| &invariant.widgets);
    for text in of_dmfs.chain(of_invariants).filter_map(|widget| widget.selector.translatable()) {
        *texts.entry(text).or_default() += 1;
    }
    let widgets: usize = texts.values().sum();
    let code = LintCode::Translatable;
    let texts: Vec<String> = texts.iter().map(|(text, times)| format!("{text:?} ({times})")).collect();
    let line = format!(
        "note {}: {widgets} widget(s) are found by what another language of the app may change: {}",
        code.code(),
        texts.join(", ")
    );
    (widgets > 0).then(|| (code.severity(), line))
}

impl Checked<'_> {
    fn errors(&self) -> usize {
        match &self.read {
            Ok((_, findings)) => {
                findings.iter().filter(|finding| finding.code.severity() == Severity::Error).count()
            }
            Err(_) => 1,
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let path = self.path.display();
        match &self.read {
            Err(error) => print_line(&format!("{path}: error: {error:#}")),
            Ok((spec, findings)) => {
                for line in lines(spec, findings) {
                    print_line(&format!("{path}: {line}"))?;
                }
                let blocks = spec.blocks.len();
                print_line(&format!("{path}: {} DMF(s), {blocks} block list entries", spec.dmfs.len()))
            }
        }
    }

    fn as_json(&self) -> Value {
        let file = self.path.display().to_string();
        let (spec, findings): (&Spec, &[LintFinding]) = match &self.read {
            Err(_) => (&Spec::default(), &[]),
            Ok((spec, findings)) => (spec, findings),
        };
        let finding = |finding: &LintFinding| {
            json!({
                "code": finding.code.code(),
                "severity": match finding.code.severity() {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                    Severity::Info => "info",
                },
                "dmf": finding.dmf.and_then(|index| spec.dmfs.get(index)).map(|dmf| &dmf.name),
                "path": finding.path,
                "message": finding.message,
            })
        };
        json!({
            "file": file,
            "error": self.read.as_ref().err().map(|error| format!("{error:#}")),
            "errors": self.errors(),
            "dmfs": spec.dmfs.iter().map(|dmf| &dmf.name).collect::<Vec<_>>(),
            "blocks": spec.blocks.len(),
            "invariants": spec.invariants.len(),
            "findings": findings.iter().map(finding).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(texts: &[&str]) -> Vec<(Spec, Vec<LintFinding>)> {
        let folder = tempfile::tempdir().unwrap();
        let write = |(index, text): (usize, &&str)| {
            let path = folder.path().join(format!("{index}.json"));
            std::fs::write(&path, text).unwrap();
            path
        };
        let paths: Vec<PathBuf> = texts.iter().enumerate().map(write).collect();
        check(&paths).into_iter().map(|checked| checked.read.unwrap()).collect()
    }

    #[test]
    fn errors_come_first_and_keys_left_out_share_a_line() {
        let text = r#"{ "dmfs": [ { "name": "add thing", "type": "add",
            "widgets": [ { "name": "a", "text": "x" }, { "name": "b", "text": "y" } ],
            "events": [ { "action": "click", "widget": "nobody" } ] } ] }"#;
        let read = checked(&[text]);
        let lines = lines(&read[0].0, &read[0].1);
        assert!(lines[0].starts_with("error E201 at dmfs[0].events[0].widget"), "{lines:#?}");
        let keys: Vec<&String> = lines.iter().filter(|line| line.contains("I005")).collect();
        assert_eq!(keys.len(), 1, "{lines:#?}");
        assert!(keys[0].starts_with(
            "note I005: keys left out count as empty (`force` as true, `proportion` as 10): UI_layout_num (2)"
        ));
        assert!(
            lines.contains(
                &"note I309: 2 widget(s) are found by what another language of the app may change: \"x\" (1), \"y\" (1)"
                    .to_owned()
            ),
            "{lines:#?}"
        );
        let ranks =
            lines.iter().map(|line| ["error", "warning", "note"].iter().position(|it| line.starts_with(it)));
        assert!(ranks.is_sorted(), "{lines:#?}");
    }

    #[test]
    fn files_that_are_checked_together_know_each_others_data_types() {
        let search = r#"{ "dmfs": [ { "name": "search note", "preconditions": [ { "relation": "is empty", "datatype": "folder" } ] } ] }"#;
        let add = r#"{ "dmfs": [ { "name": "add folder" } ] }"#;
        let unknown = |texts: &[&str]| {
            let read = checked(texts);
            read[0].1.iter().filter(|finding| finding.code == LintCode::UnknownType).count()
        };
        assert_eq!((unknown(&[search]), unknown(&[search, add])), (1, 0));
    }
}
