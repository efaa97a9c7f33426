//! The file of a matrix: what is multiplied into cells.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::super::{Failure, bad_input, read_text};
use crate::cli::fuzz::seeds::parse_seeds;

/// The folder of workspaces, beside the file.
const CELLS: &str = "cells";

/// A matrix as its file says it. Paths are relative to the folder of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatrixFile {
    /// The folder in which each cell has its workspace.
    #[serde(default = "cells")]
    pub cells: PathBuf,
    /// The folder of locks by which phones are leased: in that of the cells if left out. Matrices that share phones share
    /// it.
    pub leases: Option<PathBuf>,
    /// Engines as `taproof fuzz --engine` takes them, one text for each campaign.
    #[serde(default = "auto")]
    pub engines: Vec<String>,
    /// The seeds of campaigns.
    #[serde(default = "first")]
    pub seeds: Seeds,
    /// Further options of `taproof fuzz`, for every cell.
    #[serde(default)]
    pub options: Vec<String>,
    /// What is tested.
    #[serde(rename = "app")]
    pub apps: Vec<AppEntry>,
    /// Phones, for apps that have a package.
    #[serde(default, rename = "device")]
    pub devices: Vec<DeviceKind>,
}

fn cells() -> PathBuf {
    PathBuf::from(CELLS)
}

fn auto() -> Vec<String> {
    vec!["auto".to_owned()]
}

fn first() -> Seeds {
    Seeds::These(vec![1])
}

/// Seeds as a range, such as `"1..20"`, with both ends, or one by one.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Seeds {
    Range(String),
    These(Vec<u64>),
}

impl Seeds {
    fn all(&self) -> Result<Vec<u64>, String> {
        match self {
            Seeds::These(seeds) => Ok(seeds.clone()),
            Seeds::Range(text) => {
                parse_seeds(text).map(RangeInclusive::collect).map_err(|error| error.to_string())
            }
        }
    }
}

/// An app of a matrix: a bundled one, or one on devices.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppEntry {
    /// A bundled app, by name.
    pub app: Option<String>,
    /// The builds of a bundled app: `faulty`, `sound`, or the ids of bugs, comma-separated.
    #[serde(default)]
    pub builds: Vec<String>,
    /// The package of an app on devices.
    pub package: Option<String>,
    /// The app's file, which is installed on the device first.
    pub apk: Option<PathBuf>,
    /// Specifications, each a list of files. Without any, those shipped with the app are used.
    #[serde(default)]
    pub specs: Vec<Vec<PathBuf>>,
}

/// Phones that are alike. A cell runs on any of them that is free.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceKind {
    /// Its name, for people.
    pub kind: String,
    /// The serials, as `taproof devices` lists them. Without any, the command that runs a cell says which phone it is.
    #[serde(default)]
    pub serials: Vec<String>,
}

/// A matrix that was read and checked.
#[derive(Debug)]
pub struct Matrix {
    pub file: MatrixFile,
    pub seeds: Vec<u64>,
    /// The folder of workspaces.
    pub cells: PathBuf,
    /// The folder of locks of phones.
    pub leases: PathBuf,
}

impl Matrix {
    /// Reads a matrix from its file.
    pub fn read(path: &Path) -> Result<Matrix, Failure> {
        let bad = |text: String| bad_input(format!("{}: {text}", path.display()));
        let mut file: MatrixFile = toml::from_str(&read_text(path)?)
            .map_err(|error| bad(error.to_string().trim_end().to_owned()))?;
        let seeds = file.seeds.all().map_err(|error| bad(format!("seeds: {error}")))?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        file.locate(&folder);
        file.check().map_err(bad)?;
        let cells = file.cells.clone();
        let leases = file.leases.clone().unwrap_or_else(|| cells.join("leases"));
        Ok(Matrix { file, seeds, cells, leases })
    }
}

impl MatrixFile {
    fn locate(&mut self, folder: &Path) {
        let mut paths: Vec<&mut PathBuf> = vec![&mut self.cells];
        paths.extend(self.leases.as_mut());
        for app in &mut self.apps {
            paths.extend(app.apk.as_mut());
            paths.extend(app.specs.iter_mut().flatten());
        }
        // Joining leaves absolute paths as they are.
        paths.into_iter().for_each(|path| *path = folder.join(&*path));
    }

    fn check(&self) -> Result<(), String> {
        for app in &self.apps {
            match (&app.app, &app.package) {
                (Some(_), None) if app.apk.is_none() => {}
                (None, Some(_)) if app.builds.is_empty() => {}
                (Some(name), _) => {
                    return Err(format!(
                        "the bundled app {name:?} has no package and no APK: write them in an [[app]] of its own"
                    ));
                }
                (None, Some(package)) => {
                    return Err(format!("builds are for bundled apps, not for {package}"));
                }
                (None, None) => {
                    return Err(
                        "an [[app]] has either `app = \"files\"` or `package = \"org.example\"`".to_owned()
                    );
                }
            }
            if let (Some(package), true) = (&app.package, self.devices.is_empty()) {
                return Err(format!("{package} runs on devices: write which in a [[device]]"));
            }
        }
        let mut serials: Vec<&String> = self.devices.iter().flat_map(|kind| &kind.serials).collect();
        serials.sort();
        match serials.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("the phone {} stands there twice", pair[0])),
            None => Ok(()),
        }
    }
}
