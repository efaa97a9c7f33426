//! What Fastbot2 begins with and leaves behind: models of earlier runs, and the tester's rules.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use taproof_core::campaign::CampaignPlan;
use taproof_core::engine::{EngineConfig, Fastbot2Config};
use taproof_core::format::{BadRules, parse_user_rules};
use taproof_core::model::ReuseModel;
use taproof_results::store::{StoreError, Workspace, grow_model, read_model, read_rule_files};

/// A file that an engine's settings name cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ContentsError {
    /// It cannot be read.
    #[error(transparent)]
    Model(StoreError),
    /// The model is of another app.
    #[error("this is a model of {found}, not of {app}: {}", .path.display())]
    OtherApp {
        /// Whose it is.
        found: String,
        /// The app under test.
        app: String,
        /// The model's file.
        path: PathBuf,
    },
    /// The folder of rules cannot be read.
    #[error("rules in {}: {error}", .folder.display())]
    RulesFolder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: StoreError,
    },
    /// There are no rules.
    #[error("rules in {}: there is no rule file of Fastbot's, such as max.widget.black", .folder.display())]
    NoRules {
        /// The folder.
        folder: PathBuf,
    },
    /// The rules say what no rules can say.
    #[error("rules in {}: {error}", .folder.display())]
    Rules {
        /// The folder.
        folder: PathBuf,
        /// Where and what.
        error: BadRules,
    },
}

/// Whether an engine's settings name files that `read_contents` reads.
pub fn names_files(engine: &EngineConfig) -> bool {
    matches!(engine, EngineConfig::Fastbot2(config) if !config.model.is_empty() || !config.rules_folder.is_empty())
}

/// Reads the files that an engine's settings name: the model that it begins with, and its rules. Returns what people should
/// know of them.
pub fn read_contents(engine: &mut EngineConfig, app: &str) -> Result<Vec<String>, ContentsError> {
    let EngineConfig::Fastbot2(config) = engine else { return Ok(Vec::new()) };
    let mut notes = Vec::new();
    if !config.model.is_empty() {
        let path = Path::new(&config.model);
        if path.exists() {
            config.prior = Some(Arc::new(model_of(app, path)?));
        } else {
            let path = path.display();
            notes.push(format!(
                "Nothing is learned yet: the campaign begins without a model and will write {path}"
            ));
        }
    }
    if !config.rules_folder.is_empty() {
        notes.extend(read_rules(config)?);
    }
    Ok(notes)
}

fn model_of(app: &str, path: &Path) -> Result<ReuseModel, ContentsError> {
    let model = read_model(path).map_err(ContentsError::Model)?;
    if model.package == app {
        return Ok(model);
    }
    let (app, path) = (app.to_owned(), path.to_owned());
    Err(ContentsError::OtherApp { found: model.package, app, path })
}

fn read_rules(config: &mut Fastbot2Config) -> Result<Vec<String>, ContentsError> {
    let folder = PathBuf::from(&config.rules_folder);
    let files = match read_rule_files(&folder) {
        Ok(files) if files.is_empty() => return Err(ContentsError::NoRules { folder }),
        Ok(files) => files,
        Err(error) => return Err(ContentsError::RulesFolder { folder, error }),
    };
    let (rules, warnings) =
        parse_user_rules(&files).map_err(|error| ContentsError::Rules { folder, error })?;
    config.rules = rules;
    Ok(warnings.into_iter().map(|warning| format!("warning: {warning}")).collect())
}

/// Adds what an engine has learned to the model that it began with, and to the workspace's of the app. Returns what people
/// should know. Errors: the file that the settings name cannot be written.
pub fn keep_learned(
    workspace: &Path,
    plan: &CampaignPlan,
    engine: &EngineConfig,
    learned: &ReuseModel,
) -> Result<Vec<String>, StoreError> {
    let EngineConfig::Fastbot2(config) = engine else { return Ok(Vec::new()) };
    let before = config.begins_with(&plan.app).unwrap_or_default();
    let new = learned.since(&before);
    let own = Workspace::model_path(workspace, &plan.app);
    let grow = |path: &Path| grow_model(path, &new, |model| config.age(model));
    let mut notes = Vec::new();
    if let Err(error) = grow(&own) {
        notes.push(format!("What was learned is not kept in the workspace: {error}"));
    }
    let given = Path::new(&config.model);
    let same = given.canonicalize().is_ok_and(|given| own.canonicalize().is_ok_and(|own| own == given));
    if !config.model.is_empty() && !same {
        grow(given)?;
    }
    Ok(notes)
}
