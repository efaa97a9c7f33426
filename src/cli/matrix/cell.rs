//! The cells of a matrix: one campaign each, with a workspace of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Parser;
use taproof_phone::Apps;
use taproof_results::shell::shell_word;
use taproof_screen::determinism::{StableHasher, hash_bytes};

use super::super::{Failure, bad_input, fuzz, read_file};
use super::file::{AppEntry, DeviceKind, Matrix};

/// A cell of a matrix.
#[derive(Debug)]
pub struct Cell<'m> {
    /// Its number, from 0.
    pub number: usize,
    /// The name of its folder: it says what the cell runs, and changes with it, whatever else the matrix has.
    pub name: String,
    /// The app's file, which is installed first.
    pub apk: Option<&'m Path>,
    /// Its phones; `None` if it runs on bundled phones.
    pub kind: Option<&'m DeviceKind>,
    /// The options of `taproof fuzz`, except for the device and the folder.
    options: Vec<String>,
}

/// The options of `taproof fuzz`, parsed by themselves.
#[derive(Parser)]
#[command(name = "taproof fuzz", no_binary_name = true)]
struct Fuzz {
    #[command(flatten)]
    options: fuzz::Options,
}

/// All cells of a matrix, in the order of their numbers: apps first, then their builds and specifications, devices,
/// engines and seeds, which change fastest.
///
/// # Errors
///
/// [`Failure::BadInput`] if a file cannot be read, or a cell is no campaign.
pub fn cells_of<'m>(matrix: &'m Matrix, apps: &Apps) -> Result<Vec<Cell<'m>>, Failure> {
    let mut cells = Vec::new();
    let mut contents = Contents::default();
    for app in &matrix.file.apps {
        for (variant, files) in variants(app) {
            for kind in kinds(matrix, app) {
                for engines in &matrix.file.engines {
                    for (index, seed) in matrix.seeds.iter().enumerate() {
                        let mut options = variant.clone();
                        options.extend(["--engine".to_owned(), engines.clone()]);
                        options.extend(["--seed".to_owned(), seed.to_string()]);
                        options.extend(matrix.file.options.iter().cloned());
                        let number = cells.len();
                        let mut cell =
                            Cell { number, name: String::new(), apk: app.apk.as_deref(), kind, options };
                        cell.name = cell.named(&files, (engines, *seed), app, &mut contents)?;
                        // A mistake shows before anything runs. Seeds make no difference to that.
                        if index == 0 {
                            cell.check(apps)?;
                        }
                        cells.push(cell);
                    }
                }
            }
        }
    }
    Ok(cells)
}

/// The builds and specifications of an app as options, with the files that they name.
fn variants(app: &AppEntry) -> Vec<(Vec<String>, Vec<&Path>)> {
    let word = |option: &str, value: &str| vec![option.to_owned(), value.to_owned()];
    let builds: Vec<Vec<String>> = match (&app.app, &app.package) {
        (Some(name), _) if app.builds.is_empty() => vec![word("--app", name)],
        (Some(name), _) => {
            let build = |build: &String| {
                let option = if build == "faulty" || build == "sound" { "--build" } else { "--bugs" };
                [word("--app", name), word(option, build)].concat()
            };
            app.builds.iter().map(build).collect()
        }
        (None, package) => vec![word("--package", package.as_deref().unwrap_or_default())],
    };
    let specs: Vec<&[PathBuf]> =
        if app.specs.is_empty() { vec![&[]] } else { app.specs.iter().map(Vec::as_slice).collect() };
    let mut variants = Vec::new();
    for build in builds {
        for files in &specs {
            let mut options = build.clone();
            options.extend(files.iter().flat_map(|file| word("--spec", &file.display().to_string())));
            let files = files.iter().map(PathBuf::as_path).chain(app.apk.as_deref()).collect();
            variants.push((options, files));
        }
    }
    variants
}

/// The kinds of devices that an app runs on; bundled apps run on bundled phones.
fn kinds<'m>(matrix: &'m Matrix, app: &AppEntry) -> Vec<Option<&'m DeviceKind>> {
    match app.package {
        Some(_) => matrix.file.devices.iter().map(Some).collect(),
        None => vec![None],
    }
}

impl Cell<'_> {
    fn named(
        &self,
        files: &[&Path],
        (engines, seed): (&str, u64),
        app: &AppEntry,
        contents: &mut Contents,
    ) -> Result<String, Failure> {
        let mut hasher = StableHasher::new();
        let kind = self.kind.map_or("", |kind| &kind.kind);
        hasher.text(kind);
        // Where a file lies makes no difference, only what is in it.
        let mut is_file = false;
        for option in &self.options {
            if !is_file {
                hasher.text(option);
            }
            is_file = option == "--spec";
        }
        for file in files {
            hasher.u64(contents.hash(file)?);
        }
        let app = app.app.as_deref().or(app.package.as_deref()).unwrap_or_default();
        let seed = format!("seed{seed}");
        let words: Vec<String> =
            [app, kind, engines, &seed].into_iter().filter(|word| !word.is_empty()).map(plain).collect();
        Ok(format!("{}-{:08x}", words.join("-"), hasher.finish() as u32))
    }

    /// Checks that its campaign can run.
    fn check(&self, apps: &Apps) -> Result<(), Failure> {
        let options = self.campaign(Path::new("workspace"), Some("SERIAL"))?;
        fuzz::plan(&options, apps).map_err(|failure| failure.context(format!("cell {}", self.number)))?;
        Ok(())
    }

    /// The options of its campaign in this workspace, on the device with this serial if it runs on one.
    pub fn campaign(&self, workspace: &Path, serial: Option<&str>) -> Result<fuzz::Options, Failure> {
        let mut words = self.options.clone();
        if let (Some(_), Some(serial)) = (self.kind, serial) {
            words.extend(["--device".to_owned(), serial.to_owned()]);
        }
        words.extend(["--workspace".to_owned(), workspace.display().to_string()]);
        parse(words, self.number)
    }

    /// The options by which its interrupted campaign goes on.
    pub fn resumed(&self, campaign: i64, workspace: &Path) -> Result<fuzz::Options, Failure> {
        let words = ["--resume", &campaign.to_string(), "--workspace", &workspace.display().to_string()];
        parse(words.map(str::to_owned).to_vec(), self.number)
    }

    /// Its campaign as a command, for people.
    pub fn command(&self) -> String {
        let device = self.kind.map_or(String::new(), |kind| format!(" --device <{}>", kind.kind));
        format!(
            "taproof fuzz {}{device}",
            self.options.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
        )
    }
}

fn parse(words: Vec<String>, number: usize) -> Result<fuzz::Options, Failure> {
    let parsed = Fuzz::try_parse_from(&words);
    parsed.map(|fuzz| fuzz.options).map_err(|error| {
        let said = error.to_string();
        let said =
            said.strip_prefix("error: ").unwrap_or(&said).lines().next().unwrap_or_default().to_owned();
        bad_input(format!(
            "cell {number} is no campaign: {said}; it would be `taproof fuzz {}`",
            words.join(" ")
        ))
    })
}

/// A text as part of a file's name.
fn plain(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || ".,_".contains(c) { c } else { '_' };
    text.chars().map(plain).collect()
}

/// Hashes of files, each read once.
#[derive(Default)]
struct Contents(BTreeMap<PathBuf, u64>);

impl Contents {
    fn hash(&mut self, path: &Path) -> Result<u64, Failure> {
        if let Some(known) = self.0.get(path) {
            return Ok(*known);
        }
        let hash = hash_bytes(&read_file(path)?);
        self.0.insert(path.to_owned(), hash);
        Ok(hash)
    }
}
