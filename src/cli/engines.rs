//! `taproof engines`: the engines, and what each of their settings means.

use serde_json::{Value, json};

use super::{CommandEnd, Failure, Outcome, bad_input, print_json, print_line};
use taproof_engine::{ENGINES, EngineConfig, EngineInfo, PRESET};

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
        return Err(bad_input(text));
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
        if let Some(setting) = config.setting(&key) {
            print_line(&format!("      {}", setting.description))?;
            if !setting.words.is_empty() {
                print_line(&format!("      One of {}.", setting.words.join(", ")))?;
            }
        }
        if let Some(value) = by_paper(config.info(), &key) {
            print_line(&format!("      {value} with {}.{PRESET}=paper.", config.name()))?;
        }
    }
    Ok(())
}

/// The value of a setting in the preset of the paper, if it differs.
fn by_paper(info: &EngineInfo, key: &str) -> Option<&'static str> {
    info.paper.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
}

fn as_json(info: &EngineInfo) -> Value {
    let config = (info.config)();
    let setting = |(key, default): (String, Value)| {
        let known = config.setting(&key);
        let (description, words) = known.map_or(("", &[][..]), |known| (known.description, known.words));
        let paper = by_paper(info, &key);
        json!({ "key": key, "default": default, "description": description, "words": words, "paper": paper })
    };
    json!({
        "name": info.name,
        "label": info.label,
        "idea": info.idea,
        "settings": config.values().into_iter().map(setting).collect::<Vec<_>>(),
    })
}
