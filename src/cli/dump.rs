//! `taproof dump`: prints the first screen of a bundled app as a uiautomator dump.

use std::path::PathBuf;

use super::{CommandEnd, Outcome, app_named, print_data};
use taproof_engine::device::Device;
use taproof_phone::{Apps, BugSet};
use taproof_results::store::replace_file;
use taproof_screen::format::write_hierarchy;

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

pub fn run(options: &Options, apps: &Apps) -> Outcome {
    let package = app_named(apps, &options.app)?.manifest().package;
    let mut phone = apps.open(package, &BugSet::none())?;
    print_data(&format!("{}\n", write_hierarchy(&phone.observe()?.layout)))?;
    if let Some(path) = &options.picture {
        let png = phone.screenshot()?.to_png()?;
        replace_file(path, &png)?;
    }
    Ok(CommandEnd::Fine)
}
