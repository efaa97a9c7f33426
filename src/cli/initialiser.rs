//! `taproof initialiser`: shows and changes the initial steps of every test of an app, and what must be on its screen
//! before the test may begin.

use std::io::{IsTerminal, stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::terminal::messages_are_watched;
use super::{CommandEnd, Failure, Outcome, bad_input, message, print_json, print_line, workspace_path};
use taproof_campaign::{DeviceChoice, SavedTrace, initial_steps};
use taproof_phone::Apps;
use taproof_results::store::{
    NO_SCREENS, StoredInitialiser, open_recording, read_initialiser, remove_initialiser, write_initialiser,
};
use taproof_screen::{Initialiser, RecordedStep, XPath};
use taproof_session::{DataQuestion, KEPT_DATA_MEANS, traces_named};

/// Say what is done first in every test of an app, such as a login
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    command: InitialiserCommand,
}

#[derive(clap::Subcommand)]
enum InitialiserCommand {
    /// Print the first steps of an app
    Show {
        #[command(flatten)]
        of: Of,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Keep first steps, or what must be on the screen before a test may begin
    Set {
        #[command(flatten)]
        of: Of,
        /// Recorded steps: a kept trace, a recording, the folder of a recorded walk, a finding of the workspace
        #[arg(long, value_name = "TRACE", required_unless_present_any = ["ready", "before_test", "keep_data"])]
        from: Option<String>,
        /// A widget of this XPath must be on the screen; nothing must if it is empty
        #[arg(long, value_name = "XPATH")]
        ready: Option<String>,
        /// Run this command of the computer before each test, such as one that resets a server; none if it is empty
        #[arg(long, value_name = "COMMAND")]
        before_test: Option<String>,
        /// Keep the app's data between tests, such as an account, or clear them again. First steps are then left out
        #[arg(long, value_name = "true|false")]
        keep_data: Option<bool>,
    },
    /// Forget the first steps of an app and what it is waited for
    Remove {
        #[command(flatten)]
        of: Of,
    },
}

/// Of which app, and where it is kept.
#[derive(clap::Args)]
struct Of {
    /// The app, by its package; a bundled one by its name, too
    #[arg(long, value_name = "PACKAGE")]
    package: String,
    /// The folder with results
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

impl Of {
    fn package(&self, apps: &Apps) -> &str {
        apps.find(&self.package).map_or(&self.package, |app| app.manifest().package)
    }

    fn workspace(&self) -> PathBuf {
        workspace_path(self.workspace.as_ref())
    }
}

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    match &options.command {
        InitialiserCommand::Show { of, json } => show(of.package(apps), of, *json)?,
        InitialiserCommand::Set { of, from, ready, before_test, keep_data } => {
            let change = Change {
                from: from.as_deref(),
                ready: ready.as_deref(),
                before_test: before_test.as_deref(),
                keep_data: *keep_data,
            };
            set(of.package(apps), of, &change)?;
        }
        InitialiserCommand::Remove { of } => {
            let app = of.package(apps);
            match remove_initialiser(&of.workspace(), app)? {
                true => print_line(&format!("nothing is done first in tests of {app} any more"))?,
                false => print_line(&nothing(app))?,
            }
        }
    }
    Ok(CommandEnd::Fine)
}

/// What a command does before each test, beside what `taproof initialiser` has stored.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct BeginOptions {
    /// Run this command of the computer before each test, such as one that resets a server; it finds the device in
    /// TAPROOF_SERIAL and the app in TAPROOF_PACKAGE
    #[arg(long, value_name = "COMMAND")]
    before_test: Option<String>,
    /// Skip what `taproof initialiser` has stored for the app
    #[arg(long)]
    no_initialiser: bool,
    #[command(flatten)]
    pub(super) data: DataOptions,
}

/// What becomes of the data that the app holds.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct DataOptions {
    /// Allow that the app's data on the device are cleared: before each test, and once more at the end
    #[arg(long, conflicts_with = "keep_data")]
    clear_data: bool,
    /// Keep the app's data, such as an account: tests begin with what earlier ones left, and what is confirmed has come
    /// back in that state; the data model begins with what the first page shows
    #[arg(long)]
    keep_data: bool,
}

/// What somebody says about an app's data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DataAnswer {
    Clear,
    Keep,
}

impl DataOptions {
    /// Asks what is to become of the data that the app holds on a device, unless that is known, and has `first` follow the
    /// answer. One that was given on the terminal is remembered in the workspace.
    pub(super) fn ask(
        &self,
        workspace: &Path,
        app: &str,
        device: &DeviceChoice,
        first: &mut Option<Arc<Initialiser>>,
    ) -> Result<(), Failure> {
        let mut stored = match device {
            DeviceChoice::Bundled => return Ok(()),
            DeviceChoice::Adb(_) => read_initialiser(workspace, app)?.unwrap_or_default(),
        };
        let question = DataQuestion::before_tests(app, device, first.as_deref(), &stored.may_clear);
        if let Some(question) = question {
            let (answer, asked) = self.answer(&question)?;
            if answer == DataAnswer::Keep {
                let kept = Initialiser { keep_data: true, ..first.as_deref().cloned().unwrap_or_default() };
                *first = Some(Arc::new(kept));
            }
            if asked {
                stored.initialiser.keep_data = answer == DataAnswer::Keep;
                if answer == DataAnswer::Clear {
                    stored.may_clear.extend(question.serials);
                }
                write_initialiser(workspace, app, &stored)?;
            }
        }
        if first.as_ref().is_some_and(|first| first.keep_data) {
            message(KEPT_DATA_MEANS);
        }
        Ok(())
    }

    /// The answer to a question about an app's data: by an option, or on the terminal. Only the latter is to be remembered.
    fn answer(&self, question: &DataQuestion) -> Result<(DataAnswer, bool), Failure> {
        match (self.clear_data, self.keep_data) {
            (true, _) => return Ok((DataAnswer::Clear, false)),
            (false, true) => return Ok((DataAnswer::Keep, false)),
            (false, false) => {}
        }
        let words = question.words(&question.app);
        if !(stdin().is_terminal() && messages_are_watched()) {
            return Err(bad_input(format!(
                "{words} Say --clear-data if that may be, or --keep-data to test it as it is"
            )));
        }
        message(&words);
        message(KEPT_DATA_MEANS);
        message(
            "c: clear and start (it is cleared once more at the end), k: keep its data, anything else: cancel",
        );
        let mut line = String::new();
        stdin().read_line(&mut line).map_err(|error| Failure::Broken(error.into()))?;
        match line.trim() {
            "c" => Ok((DataAnswer::Clear, true)),
            "k" => Ok((DataAnswer::Keep, true)),
            _ => Err(bad_input("nothing was done: the data stay as they are")),
        }
    }
}

impl BeginOptions {
    /// The command of the host before each test of an app. Prints a line about one that the workspace has stored.
    pub(super) fn command(&self, workspace: &Path, app: &str) -> Result<Option<String>, Failure> {
        if self.before_test.is_some() || self.no_initialiser {
            return Ok(self.before_test.clone());
        }
        let stored = read_initialiser(workspace, app)?.and_then(|stored| stored.before_test);
        if let Some(command) = &stored {
            message(&format!("before each test: run {command:?} (--no-initialiser leaves it out)"));
        }
        Ok(stored)
    }

    /// The initial steps of a campaign with an app. Prints a line about what the workspace has stored.
    pub(super) fn first_steps(
        &self,
        workspace: &Path,
        app: &str,
    ) -> Result<Option<Arc<Initialiser>>, Failure> {
        let stored = if self.no_initialiser { None } else { read_initialiser(workspace, app)? };
        let stored = stored.map(|stored| stored.initialiser).unwrap_or_default();
        let keep_data = self.data.keep_data || stored.keep_data && !self.data.clear_data;
        let first = Initialiser { keep_data, ..stored };
        if !first.is_empty() {
            message(&format!("before each test: {} (--no-initialiser leaves it out)", first.words()));
        }
        Ok((!first.is_empty()).then(|| Arc::new(first)))
    }
}

/// Whether something is done first in tests: which devices may be cleared is no step.
fn does_something(stored: &StoredInitialiser) -> bool {
    !stored.initialiser.is_empty() || stored.before_test.is_some()
}

fn nothing(app: &str) -> String {
    format!("nothing is done first in tests of {app}")
}

fn show(app: &str, of: &Of, as_json: bool) -> Result<(), Failure> {
    let first = read_initialiser(&of.workspace(), app)?;
    if as_json {
        let said = first.map_or(Value::Null, |StoredInitialiser { initialiser: first, before_test, .. }| {
            let steps: Vec<String> = first.steps.iter().map(RecordedStep::sentence).collect();
            let ready = first.ready.as_ref().map(XPath::source);
            json!({ "steps": steps, "ready": ready, "keep_data": first.keep_data, "before_test": before_test })
        });
        print_json(&json!({ "app": app, "initialiser": said }))?;
        return Ok(());
    }
    let Some(first) = first.filter(does_something) else {
        print_line(&nothing(app))?;
        return Ok(());
    };
    print_line(&format!("before each test of {app}: {}", words(&first)))?;
    let command = first.before_test.iter().map(|command| format!("Run {command:?}"));
    for (number, sentence) in command.chain(first.initialiser.sentences()).enumerate() {
        print_line(&format!("{:>3} {sentence}", number + 1))?;
    }
    Ok(())
}

/// What is done before each test, in a few words.
fn words(stored: &StoredInitialiser) -> String {
    let command = stored.before_test.as_ref().map(|command| format!("run {command:?}"));
    let rest = (!stored.initialiser.is_empty()).then(|| stored.initialiser.words());
    command.into_iter().chain(rest).collect::<Vec<_>>().join(", then ")
}

/// What is to be stored; what is not given stays as it is.
struct Change<'c> {
    from: Option<&'c str>,
    ready: Option<&'c str>,
    before_test: Option<&'c str>,
    keep_data: Option<bool>,
}

fn set(app: &str, of: &Of, change: &Change<'_>) -> Result<(), Failure> {
    let workspace = of.workspace();
    let new = match change.from {
        Some(word) => Some(steps_of(word, app, &workspace)?),
        None => None,
    };
    let ready = match change.ready.map(str::trim) {
        None => None,
        Some("") => Some(None),
        Some(text) => Some(Some(XPath::parse(text).map_err(|error| Failure::BadInput(error.into()))?)),
    };
    // A file that cannot be read is only replaced as a whole.
    let mut stored = match (&new, &ready) {
        (Some(_), Some(_)) => read_initialiser(&workspace, app).ok().flatten().unwrap_or_default(),
        _ => read_initialiser(&workspace, app)?.unwrap_or_default(),
    };
    let first = &mut stored.initialiser;
    first.steps = new.unwrap_or(std::mem::take(&mut first.steps));
    first.ready = ready.unwrap_or(first.ready.take());
    first.keep_data = change.keep_data.unwrap_or(first.keep_data);
    if let Some(command) = change.before_test.map(str::trim) {
        stored.before_test = Some(command.to_owned()).filter(|command| !command.is_empty());
    }
    if !does_something(&stored) && stored.may_clear.is_empty() {
        remove_initialiser(&workspace, app)?;
        print_line(&nothing(app))?;
        return Ok(());
    }
    let path = write_initialiser(&workspace, app, &stored)?;
    print_line(&format!("before each test of {app}: {}; kept in {}", words(&stored), path.display()))?;
    Ok(())
}

/// The steps of a trace or a recording, preceded by the initial steps or the lead-in with which it was recorded.
fn steps_of(word: &str, app: &str, workspace: &Path) -> Result<Vec<RecordedStep>, Failure> {
    let of_app = |found: &str| match found == app {
        true => Ok(()),
        false => Err(bad_input(format!("{word} is of {found}, not of {app}"))),
    };
    let path = Path::new(word);
    if path.is_file()
        && let Some(recording) = open_recording(path)?
    {
        of_app(&recording.app)?;
        let events = recording.lead.iter().chain(recording.recording.events(usize::MAX));
        let own = initial_steps(&events.cloned().collect::<Vec<_>>());
        return some(behind(recording.initialiser.as_deref(), own), word);
    }
    let Some((_, saved)) = traces_named(word, workspace)?.into_iter().next() else {
        return some(Vec::new(), word);
    };
    of_app(&saved.app)?;
    let own = steps_in(&saved).ok_or_else(|| bad_input(format!("{word}: {NO_SCREENS}")))?;
    some(behind(saved.initialiser.as_deref(), own), word)
}

fn steps_in(saved: &SavedTrace) -> Option<Vec<RecordedStep>> {
    let recorded: Vec<RecordedStep> = saved.trace()?.recorded_steps().collect();
    Some(initial_steps(&recorded))
}

fn behind(first: Option<&Initialiser>, own: Vec<RecordedStep>) -> Vec<RecordedStep> {
    first.map(|first| first.steps.clone()).unwrap_or_default().into_iter().chain(own).collect()
}

fn some(steps: Vec<RecordedStep>, word: &str) -> Result<Vec<RecordedStep>, Failure> {
    match steps.is_empty() {
        false => Ok(steps),
        true => Err(bad_input(format!("{word} has no steps; record some first"))),
    }
}
