//! What an assistant has commands do: those that a person types, run by this program, with what they print as answer.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::Assistant;
use super::tools::{Answer, Given, Part};
use crate::cli::Failure;
use crate::cli::fuzz::campaign::open_results;
use taproof_phone::Apps;
use taproof_results::report::finding_markdown;
use taproof_results::store::{own_specs_folder, replace_file};
use taproof_session::finding_facts;
use taproof_spec::format::DmfFile;
use taproof_spec::{Draft, Spec};

/// Events of a campaign that none are asked for.
const EVENTS: u64 = 2_000;
/// Longest time that an assistant waits for the end of a campaign.
const LONGEST_WAIT: u64 = 600;
/// Lines of progress and remarks that are kept.
const LINES: usize = 20;

/// This program, with the app and the workspace.
pub(super) struct Program {
    path: PathBuf,
    workspace: PathBuf,
    /// The options that name the app and its phone.
    app: Vec<OsString>,
}

/// A campaign that was started.
pub(super) struct Campaign {
    child: Child,
    /// What it says of its progress.
    progress: PathBuf,
}

impl Program {
    pub fn new(workspace: PathBuf) -> anyhow::Result<Program> {
        let words = std::env::args_os().skip_while(|word| word != "mcp").skip(1);
        Ok(Program { path: std::env::current_exe()?, workspace, app: without_workspace(words) })
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        command.args(words).arg("--workspace").arg(&self.workspace).stdin(Stdio::null());
        command
    }

    /// Runs a command to its end. What it prints is the answer; what it says beside that too if it failed.
    fn answer(&self, mut command: Command) -> Answer {
        let ended = command.output().map_err(|error| format!("the command cannot be started: {error}"))?;
        let (out, err) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        match ended.status.code() {
            Some(0 | 1) => Ok(vec![Part::Text(out.into_owned())]),
            _ => Err(format!("{err}{out}")),
        }
    }

    /// The file with the functions that were drafted for an app.
    fn spec_path(&self, package: &str) -> PathBuf {
        own_specs_folder(&self.workspace).join(package).join("dmf_assistant.json")
    }

    /// Keeps a drafted function beside those before it, and says what it is.
    pub fn keep(&self, package: &str, drafted: Draft) -> Answer {
        let path = self.spec_path(package);
        let name = drafted.dmf.name.clone();
        let mut spec = match std::fs::read_to_string(&path) {
            Ok(text) => DmfFile::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?.spec,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Spec::default(),
            Err(error) => return Err(format!("{} cannot be read: {error}", path.display())),
        };
        if spec.dmfs.iter().any(|dmf| dmf.name == name) {
            return Err(format!("there is a function {name:?} already; give it another \"name\""));
        }
        let notes = drafted.notes.iter().map(|note| {
            let mark = if note.doubtful { "doubtful: " } else { "" };
            format!("- {mark}{}", note.text)
        });
        let notes: Vec<String> = notes.collect();
        spec.dmfs.push(drafted.dmf);
        let file = DmfFile::new(&spec);
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder.map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
        replace_file(&path, file.source().as_bytes()).map_err(|error| error.to_string())?;
        let text = file.dmf_text(spec.dmfs.len() - 1).unwrap_or_default();
        let said = format!("Drafted {name:?}, kept in {}.\n{}\n\n{text}", path.display(), notes.join("\n"));
        Ok(vec![Part::Text(said)])
    }

    /// Tries a drafted function.
    pub fn try_function(&self, package: &str, given: &Given<'_>) -> Answer {
        let path = self.spec_path(package);
        if !path.is_file() {
            return Err(
                "no function was drafted for this app; call record, perform it, then draft".to_owned()
            );
        }
        let runs = given.number("runs").unwrap_or(5).to_string();
        let mut command = self.command(&["spec", "try"]);
        command.arg(path).args(&self.app).args(["--dmf", given.needed("name")?, "--runs", &runs]);
        self.answer(command)
    }

    /// Lists the bugs of the workspace.
    pub fn bugs(&self) -> Answer {
        self.answer(self.command(&["findings", "--bugs"]))
    }

    /// Explains a finding.
    pub fn explain(&self, apps: &Apps, given: &Given<'_>) -> Answer {
        let told = |failure| match failure {
            Failure::BadInput(error) | Failure::Broken(error) => format!("{error:#}"),
        };
        let stored = open_results(&self.workspace).map_err(told)?;
        let stored = stored.load_finding(given.needed("finding")?).map_err(|error| error.to_string())?;
        let facts = finding_facts(apps, &stored);
        let mut parts = vec![Part::Text(finding_markdown(&stored.finding, &facts, &[]))];
        if given.switch("picture")
            && let Some(png) = stored.finding.minimal.screenshots.last().and_then(Option::as_ref)
        {
            parts.push(Part::Picture(png.to_vec()));
        }
        Ok(parts)
    }

    /// Writes a finding as a file.
    pub fn export(&self, given: &Given<'_>) -> Answer {
        let words = ["export", given.needed("finding")?, "--format", given.needed("format")?];
        let mut command = self.command(&words);
        command.args(["--out", given.needed("file")?]);
        self.answer(command)
    }
}

/// The options of this command's line that name the app and its phone.
fn without_workspace(mut words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if word == "--workspace" {
            words.next();
        } else if !word.as_encoded_bytes().starts_with(b"--workspace=") {
            kept.push(word);
        }
    }
    kept
}

impl Assistant {
    /// Starts a campaign beside the assistant.
    pub fn start_campaign(&mut self, given: &Given<'_>) -> Answer {
        if self.campaign.as_mut().is_some_and(Campaign::runs) {
            return Err("a campaign is running; wait for its end, or stop it".to_owned());
        }
        let events = given.number("events").unwrap_or(EVENTS).to_string();
        let seed = given.number("seed").unwrap_or(1).to_string();
        let words = ["fuzz", "--events", &events, "--seed", &seed, "--json", "--progress-seconds", "2"];
        let mut command = self.program.command(&words);
        command.args(&self.program.app).args(["--engine", given.text("engine").unwrap_or("auto")]);
        let spec = self.program.spec_path(&self.phone.package());
        if spec.is_file() {
            command.arg("--spec").arg(spec);
        }
        let started = Campaign::start(command, &self.program.workspace.join("assistant"));
        self.campaign = Some(started.map_err(|error| format!("the campaign cannot be started: {error}"))?);
        Ok(vec![Part::Text("Started. Ask with campaign how far it is.".to_owned())])
    }

    /// Says how far the campaign is.
    pub fn campaign(&mut self, wait_seconds: u64) -> Answer {
        let campaign = self.campaign.as_mut().ok_or("no campaign was started")?;
        for _ in 0..wait_seconds.min(LONGEST_WAIT) * 10 {
            if !campaign.runs() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let (runs, said) = (campaign.runs(), campaign.said());
        if runs {
            return Ok(vec![Part::Text(format!("It is running.\n{said}"))]);
        }
        let mut parts = vec![Part::Text(format!("It is over.\n{said}"))];
        parts.extend(self.program.bugs()?);
        Ok(parts)
    }

    /// Asks the campaign to end, and waits for that.
    pub fn stop_campaign(&mut self) -> Answer {
        let campaign = self.campaign.as_mut().ok_or("no campaign was started")?;
        campaign.stop();
        self.campaign(60)
    }
}

impl Campaign {
    fn start(mut command: Command, folder: &Path) -> std::io::Result<Campaign> {
        std::fs::create_dir_all(folder)?;
        let progress = folder.join("campaign.log");
        command.stdout(Stdio::null()).stderr(File::create(&progress)?);
        Ok(Campaign { child: command.spawn()?, progress })
    }

    fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The last lines that it has said.
    fn said(&self) -> String {
        let text = std::fs::read(&self.progress).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default().join("\n")
    }

    /// Asks it to end as Ctrl-C does. Where that cannot be done it is killed, and can be resumed.
    fn stop(&mut self) {
        #[cfg(unix)]
        let asked = {
            use rustix::process::{Pid, Signal, kill_process};
            kill_process(Pid::from_child(&self.child), Signal::INT).is_ok()
        };
        #[cfg(not(unix))]
        let asked = false;
        if !asked {
            drop(self.child.kill());
        }
    }
}

impl Drop for Campaign {
    fn drop(&mut self) {
        if self.runs() {
            self.stop();
            drop(self.child.wait());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_named_once() {
        let words = ["--app", "files", "--workspace", "w", "--build", "sound", "--workspace=v"];
        let kept = without_workspace(words.into_iter().map(OsString::from));
        assert_eq!(kept, ["--app", "files", "--build", "sound"]);
    }
}
