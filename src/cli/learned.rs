//! What Fastbot2 begins with and leaves behind: models of earlier runs, and the tester's rules.

use std::path::Path;
use std::sync::Arc;

use super::{Failure, message};
use taproof_core::campaign::{CampaignPlan, CampaignReport};
use taproof_core::engine::{EngineConfig, Fastbot2Config};
use taproof_core::format::parse_user_rules;
use taproof_core::model::ReuseModel;
use taproof_results::store::{Workspace, grow_model, read_model, read_rule_files};

/// Reads what an engine's settings name: the model that it begins with, and its rules.
pub fn read_contents(engine: &mut EngineConfig, app: &str) -> Result<(), Failure> {
    let EngineConfig::Fastbot2(config) = engine else { return Ok(()) };
    if !config.model.is_empty() {
        config.prior = prior(Path::new(&config.model), app)?.map(Arc::new);
    }
    if !config.rules_folder.is_empty() {
        read_rules(config)?;
    }
    Ok(())
}

fn prior(path: &Path, app: &str) -> Result<Option<ReuseModel>, Failure> {
    if !path.exists() {
        message(&format!("nothing is learned yet; the campaign will write {}", path.display()));
        return Ok(None);
    }
    let model = read_model(path)?;
    if model.package != app {
        let text = format!("this is a model of {}, not of {app}: {}", model.package, path.display());
        return Err(Failure::BadInput(anyhow::anyhow!(text)));
    }
    Ok(Some(model))
}

fn read_rules(config: &mut Fastbot2Config) -> Result<(), Failure> {
    let folder = Path::new(&config.rules_folder);
    let about = || format!("rules in {}", folder.display());
    let files = read_rule_files(folder)?;
    if files.is_empty() {
        let text = "there is no rule file of Fastbot's, such as max.widget.black";
        return Err(Failure::BadInput(anyhow::anyhow!(text)).context(about()));
    }
    let parsed = parse_user_rules(&files);
    let (rules, warnings) = parsed.map_err(|error| Failure::BadInput(error.into()).context(about()))?;
    for warning in warnings {
        message(&format!("warning: {warning}"));
    }
    config.rules = rules;
    Ok(())
}

/// Adds what an engine has learned to the model that it began with, and to the workspace's of the app.
pub fn keep_learned(
    workspace: &Workspace,
    plan: &CampaignPlan,
    engine: &EngineConfig,
    report: &CampaignReport,
) -> Result<(), Failure> {
    let (EngineConfig::Fastbot2(config), Some(learned)) = (engine, &report.learned) else { return Ok(()) };
    let before = config.begins_with(&plan.app).unwrap_or_default();
    let new = learned.since(&before);
    let own = Workspace::model_path(workspace.root(), &plan.app);
    let grow = |path: &Path| grow_model(path, &new, |model| config.age(model));
    if let Err(error) = grow(&own) {
        message(&format!("warning: what was learned is not kept in the workspace: {error}"));
    }
    let given = Path::new(&config.model);
    let same = given.canonicalize().is_ok_and(|given| own.canonicalize().is_ok_and(|own| own == given));
    if !config.model.is_empty() && !same {
        grow(given)?;
    }
    Ok(())
}
