//! `taproof initialiser`: shows and changes the initial steps of every test of an app, and what must be on its screen
//! before the test may begin.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::{CommandEnd, Failure, Outcome, message, print_json, print_line, workspace_path};
use taproof_core::campaign::{SavedTrace, initial_steps};
use taproof_core::model::{Initialiser, RecordedStep, XPath};
use taproof_phone::Apps;
use taproof_results::store::{
    NO_SCREENS, open_recording, read_initialiser, remove_initialiser, write_initialiser,
};
use taproof_session::traces_named;

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
        #[arg(long, value_name = "TRACE", required_unless_present = "ready")]
        from: Option<String>,
        /// A widget of this XPath must be on the screen; nothing must if it is empty
        #[arg(long, value_name = "XPATH")]
        ready: Option<String>,
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
        InitialiserCommand::Set { of, from, ready } => {
            set(of.package(apps), of, from.as_deref(), ready.as_deref())?
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

/// The initial steps of a campaign with an app. Prints a line about them.
pub(super) fn first_steps(
    workspace: &Path,
    app: &str,
    switched_off: bool,
) -> Result<Option<Arc<Initialiser>>, Failure> {
    if switched_off {
        return Ok(None);
    }
    let first = read_initialiser(workspace, app)?.filter(|first| !first.is_empty());
    if let Some(first) = &first {
        message(&format!("before each test: {} (--no-initialiser leaves it out)", first.words()));
    }
    Ok(first.map(Arc::new))
}

fn nothing(app: &str) -> String {
    format!("nothing is done first in tests of {app}")
}

fn show(app: &str, of: &Of, as_json: bool) -> Result<(), Failure> {
    let first = read_initialiser(&of.workspace(), app)?;
    if as_json {
        let said = first.map_or(Value::Null, |first| {
            let steps: Vec<String> = first.steps.iter().map(RecordedStep::sentence).collect();
            json!({ "steps": steps, "ready": first.ready.as_ref().map(XPath::source) })
        });
        print_json(&json!({ "app": app, "initialiser": said }))?;
        return Ok(());
    }
    let Some(first) = first.filter(|first| !first.is_empty()) else {
        print_line(&nothing(app))?;
        return Ok(());
    };
    print_line(&format!("before each test of {app}: {}", first.words()))?;
    for (number, sentence) in first.sentences().iter().enumerate() {
        print_line(&format!("{:>3} {sentence}", number + 1))?;
    }
    Ok(())
}

fn set(app: &str, of: &Of, from: Option<&str>, ready: Option<&str>) -> Result<(), Failure> {
    let workspace = of.workspace();
    let new = match from {
        Some(word) => Some(steps_of(word, app, &workspace)?),
        None => None,
    };
    let ready = match ready.map(str::trim) {
        None => None,
        Some("") => Some(None),
        Some(text) => Some(Some(XPath::parse(text).map_err(|error| Failure::BadInput(error.into()))?)),
    };
    // What is not given stays as it is. A file that cannot be read is only replaced as a whole.
    let mut first = match (&new, &ready) {
        (Some(_), Some(_)) => Initialiser::default(),
        _ => read_initialiser(&workspace, app)?.unwrap_or_default(),
    };
    first.steps = new.unwrap_or(first.steps);
    first.ready = ready.unwrap_or(first.ready);
    if first.is_empty() {
        remove_initialiser(&workspace, app)?;
        print_line(&nothing(app))?;
        return Ok(());
    }
    let path = write_initialiser(&workspace, app, &first)?;
    print_line(&format!("before each test of {app}: {}; kept in {}", first.words(), path.display()))?;
    Ok(())
}

/// The steps of a trace or a recording, preceded by the initial steps or the lead-in with which it was recorded.
fn steps_of(word: &str, app: &str, workspace: &Path) -> Result<Vec<RecordedStep>, Failure> {
    let bad = |text: String| Failure::BadInput(anyhow::anyhow!(text));
    let of_app = |found: &str| match found == app {
        true => Ok(()),
        false => Err(bad(format!("{word} is of {found}, not of {app}"))),
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
    let own = steps_in(&saved).ok_or_else(|| bad(format!("{word}: {NO_SCREENS}")))?;
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
        true => Err(Failure::BadInput(anyhow::anyhow!("{word} has no steps; record some first"))),
    }
}
