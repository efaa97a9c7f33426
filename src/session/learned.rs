//! The files that Fastbot2 reads and writes: reuse models of earlier runs, and user-defined rules.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use taproof_campaign::CampaignPlan;
use taproof_engine::fastbot2::ReuseModel;
use taproof_engine::{EngineConfig, Fastbot2Config};
use taproof_results::store::{StoreError, grow_model, model_path, read_model, read_rule_files};
use taproof_spec::format::{BadRules, parse_user_rules};

/// Why a file in an engine's settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ContentsError {
    /// The reuse model cannot be read.
    #[error(transparent)]
    Model(StoreError),
    /// The reuse model belongs to another app.
    #[error("this is a model of {found}, not of {app}: {}", .path.display())]
    OtherApp {
        /// Package name of the app that the model belongs to.
        found: String,
        /// Package name of the app under test.
        app: String,
        /// Path of the model's file.
        path: PathBuf,
    },
    /// The folder of rules cannot be read.
    #[error("rules in {}: {error}", .folder.display())]
    RulesFolder {
        /// Path of the folder.
        folder: PathBuf,
        /// Why it cannot be read.
        error: StoreError,
    },
    /// The folder contains no rule files.
    #[error("rules in {}: there is no rule file of Fastbot's, such as max.widget.black", .folder.display())]
    NoRules {
        /// Path of the folder.
        folder: PathBuf,
    },
    /// A rule file is invalid.
    #[error("rules in {}: {error}", .folder.display())]
    Rules {
        /// Path of the folder.
        folder: PathBuf,
        /// The problem and its place.
        error: BadRules,
    },
}

/// Whether an engine's settings name files for [`read_contents`].
pub fn names_files(engine: &EngineConfig) -> bool {
    matches!(engine, EngineConfig::Fastbot2(config) if !config.model.is_empty() || !config.rules_folder.is_empty())
}

/// Reads the files in an engine's settings: the reuse model to start from, and the rules. Returns notes for people.
///
/// # Errors
///
/// A [`ContentsError`] if a file cannot be read or is invalid.
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

/// Adds what an engine has learned to the reuse model that it started from, and to the workspace's model of the app.
/// Returns notes for people.
///
/// # Errors
///
/// Fails if the file in the engine's settings cannot be written.
pub fn keep_learned(
    workspace: &Path,
    plan: &CampaignPlan,
    engine: &EngineConfig,
    learned: &ReuseModel,
) -> Result<Vec<String>, StoreError> {
    let EngineConfig::Fastbot2(config) = engine else { return Ok(Vec::new()) };
    let before = config.begins_with(&plan.app).unwrap_or_default();
    let new = learned.since(&before);
    let own = model_path(workspace, &plan.app);
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
