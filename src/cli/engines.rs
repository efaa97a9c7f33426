//! `taproof engines`: the engines, and what each of their settings means.

use serde_json::{Value, json};

use super::{CommandEnd, Failure, Outcome, print_json, print_line};
use taproof_core::engine::{ENGINES, EngineConfig, EngineInfo};

/// List the engines, or the settings of one with their defaults and what they mean
#[derive(clap::Args)]
pub struct Options {
    /// Only this engine, with its settings
    engine: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> Outcome {
    let is_wanted = |info: &&EngineInfo| options.engine.as_ref().is_none_or(|name| info.name == name);
    let shown: Vec<&EngineInfo> = ENGINES.iter().filter(is_wanted).collect();
    if let (Some(name), true) = (&options.engine, shown.is_empty()) {
        let known: Vec<&str> = ENGINES.iter().map(|info| info.name).collect();
        let text = format!("no engine is called {name:?}; there are {}", known.join(", "));
        return Err(Failure::BadInput(anyhow::anyhow!(text)));
    }
    if options.json {
        let engines: Vec<Value> = shown.into_iter().map(as_json).collect();
        print_json(&json!({ "engines": engines }))?;
        return Ok(CommandEnd::Fine);
    }
    for info in shown {
        print_line(&format!("{:<11} {}: {}", info.name, info.label, info.idea))?;
        if options.engine.is_some() {
            print_settings(&(info.config)())?;
        }
    }
    Ok(CommandEnd::Fine)
}

fn print_settings(config: &EngineConfig) -> Result<(), Failure> {
    for (key, default) in config.values() {
        print_line("")?;
        print_line(&format!("  {}.{key}={default}", config.name()))?;
        if let Some(description) = config.settings().description(&key) {
            print_line(&format!("      {description}"))?;
        }
        let words = config.words(&key);
        if !words.is_empty() {
            print_line(&format!("      One of {}.", words.join(", ")))?;
        }
    }
    Ok(())
}

fn as_json(info: &EngineInfo) -> Value {
    let config = (info.config)();
    let setting = |(key, default): (String, Value)| {
        let (description, words) = (config.settings().description(&key), config.words(&key));
        json!({ "key": key, "default": default, "description": description, "words": words })
    };
    json!({
        "name": info.name,
        "label": info.label,
        "idea": info.idea,
        "settings": config.values().into_iter().map(setting).collect::<Vec<_>>(),
    })
}
