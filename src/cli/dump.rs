//! `taproof dump`: the first screen of a bundled app as a uiautomator dump.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Done, Outcome, app_named, say_data};
use taproof_core::device::{AppData, AppId, Device};
use taproof_core::format::write_hierarchy;
use taproof_phone::apps::phone_with;
use taproof_phone::{BugSet, Fonts};
use taproof_results::store::replace_file;

/// Print the first screen of a bundled app as a uiautomator dump
#[derive(clap::Args)]
pub struct Options {
    /// The app, by name or package
    #[arg(long)]
    app: String,
    /// Write a picture of the screen to this PNG file too
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

pub fn run(options: &Options) -> Outcome {
    let package = app_named(&options.app)?.manifest().package;
    let mut phone = phone_with(&Arc::new(Fonts::new()), package, &BugSet::none());
    phone.launch(&AppId(package.to_owned()), AppData::Clear)?;
    say_data(&format!("{}\n", write_hierarchy(&phone.observe()?.layout)))?;
    if let Some(path) = &options.picture {
        let png = phone.screenshot()?.to_png()?;
        replace_file(path, &png)?;
    }
    Ok(Done::Fine)
}
