//! `taproof spec check FILE...`: exit code 2 if a file has an error, 0 if there are only warnings.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::{CommandEnd, Failure, Outcome, print_json, print_line, read_text};
use taproof_core::format::DmfFile;
use taproof_core::spec::{LintFinding, Severity, Spec, lint};

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
    let checked: Vec<Checked<'_>> = options.files.iter().map(|path| check(path)).collect();
    let errors: usize = checked.iter().map(Checked::errors).sum();
    if options.json {
        let files: Vec<Value> = checked.iter().map(Checked::as_json).collect();
        print_json(&json!({ "errors": errors, "files": files }))?;
    } else {
        checked.iter().try_for_each(Checked::print)?;
    }
    if errors > 0 {
        let files = options.files.len();
        return Err(Failure::BadInput(anyhow::anyhow!("{errors} error(s) in {files} file(s)")));
    }
    Ok(CommandEnd::Fine)
}

fn check(path: &Path) -> Checked<'_> {
    let read = read_text(path).map_err(Failure::into_error).and_then(|text| {
        let file = DmfFile::parse(&text)?;
        let mut findings = file.findings.clone();
        findings.extend(lint(&file.spec));
        Ok((file.spec, findings))
    });
    Checked { path, read }
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
                for finding in findings {
                    print_line(&format!("{path}: {finding}"))?;
                }
                let blocks = spec.blocks.len();
                print_line(&format!("{path}: {} DMF(s), {blocks} block list entries", spec.dmfs.len()))
            }
        }
    }

    fn as_json(&self) -> Value {
        let file = self.path.display().to_string();
        match &self.read {
            Err(error) => json!({ "file": file, "errors": 1, "error": format!("{error:#}") }),
            Ok((spec, findings)) => {
                let findings: Vec<Value> = findings
                    .iter()
                    .map(|finding| {
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
                    })
                    .collect();
                json!({
                    "file": file,
                    "errors": self.errors(),
                    "dmfs": spec.dmfs.iter().map(|dmf| &dmf.name).collect::<Vec<_>>(),
                    "blocks": spec.blocks.len(),
                    "invariants": spec.invariants.len(),
                    "findings": findings,
                })
            }
        }
    }
}
