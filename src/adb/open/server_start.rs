//! Starts the user's uiautomator2 server on a device, from the file in the Python package of that name.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::host::{AdbError, AdbLink, AdbStream, Patience};
use crate::observe::uiautomator2::server_answers;
use taproof_engine::device::DeviceError;

const JAR: &str = "/data/local/tmp/u2.jar";
const LINE: &str = "shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008";
/// Limit for pushing four megabytes over a slow cable.
const PUSH: Duration = Duration::from_secs(60);
/// Limit for the start, the same as the Python client's.
const START: Duration = Duration::from_secs(30);
const ASK_EVERY: Duration = Duration::from_millis(200);
/// Limit on the retained output of the server, in bytes.
const MOST_PRINTED: usize = 8 << 10;
/// The environment variable that names the file if it is not found otherwise.
const VARIABLE: &str = "TAPROOF_U2_JAR";

/// A server that was started by this program. It ends when this is dropped.
pub struct StartedServer {
    shell: AdbStream,
    serial: String,
    printed: Vec<u8>,
}

/// Reads the server's file.
///
/// # Errors
///
/// A message for users that names where the file was searched, or why it cannot be read.
pub fn server_file(variable: &dyn Fn(&str) -> Option<String>) -> Result<Vec<u8>, String> {
    let path = find_server_file(variable)?;
    std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The server's file on this computer: the one that `TAPROOF_U2_JAR` names, else the one in the package uiautomator2 of
/// a Python installation that the environment names. Fails with a message for users.
fn find_server_file(variable: &dyn Fn(&str) -> Option<String>) -> Result<PathBuf, String> {
    if let Some(named) = variable(VARIABLE).filter(|named| !named.is_empty()) {
        let path = PathBuf::from(&named);
        let missing = || format!("{VARIABLE} names {named:?}, which is no file");
        return if path.is_file() { Ok(path) } else { Err(missing()) };
    }
    let of = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let mut roots: Vec<PathBuf> = of("VIRTUAL_ENV").into_iter().collect();
    roots.extend(of("HOME").map(|home| home.join(".local")));
    let path = variable("PATH").unwrap_or_default();
    roots.extend(std::env::split_paths(&path).filter_map(|folder| Some(folder.parent()?.to_owned())));
    let found = roots.iter().filter(|root| root.is_absolute()).find_map(|root| in_python(root));
    found.ok_or_else(|| {
        format!(
            "there is no u2.jar on this computer: `pip install uiautomator2` brings one, or name it in {VARIABLE}"
        )
    })
}

/// The file in the newest Python installation below `root` that has the package: in `lib/python3.x` of a system or a virtual
/// environment, in `Lib` of those on Windows, or in the folder of a person there.
fn in_python(root: &Path) -> Option<PathBuf> {
    let mut pythons: Vec<PathBuf> = std::fs::read_dir(root.join("lib"))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python3")))
        .collect();
    pythons.sort();
    let packages = ["site-packages", "dist-packages"];
    let on_windows = [root.join("Lib"), root.to_owned()];
    let pythons = pythons.iter().rev().chain(&on_windows);
    pythons
        .flat_map(|python| packages.map(|folder| python.join(folder).join("uiautomator2/assets/u2.jar")))
        .find(|file| file.is_file())
}

impl StartedServer {
    /// Pushes the server's file and starts the server; `None` if one answers already.
    ///
    /// # Errors
    ///
    /// If the device is gone or its storage is full, or if the server does not start; the message then contains what it
    /// printed.
    pub fn start(
        link: &AdbLink,
        jar: &[u8],
        unwanted: &dyn Fn() -> bool,
    ) -> Result<Option<StartedServer>, DeviceError> {
        if server_answers(link, unwanted) {
            return Ok(None);
        }
        link.push(jar, JAR, 0o644, 0, &Patience::new(PUSH, unwanted))?;
        let patience = Patience::new(START, unwanted);
        let shell = link.open(LINE, &patience)?;
        let mut server = StartedServer { shell, serial: link.serial.clone(), printed: Vec::new() };
        loop {
            if server_answers(link, unwanted) {
                return Ok(Some(server));
            }
            if !server.runs_for(ASK_EVERY, unwanted)? {
                return Err(server.failed("it ended at once"));
            }
            if patience.left().is_zero() {
                return Err(server.failed("it does not answer"));
            }
        }
    }

    /// Waits for `span`; returns false as soon as the server has ended.
    ///
    /// # Errors
    ///
    /// If the device is gone or `unwanted` returns true.
    pub fn runs_for(&mut self, span: Duration, unwanted: &dyn Fn() -> bool) -> Result<bool, DeviceError> {
        let mut buffer = [0; 1024];
        match self.shell.read_some(&mut buffer, &Patience::new(span, unwanted)) {
            Ok(0) => Ok(false),
            Ok(count) => {
                self.printed.extend_from_slice(buffer.get(..count).unwrap_or_default());
                let surplus = self.printed.len().saturating_sub(MOST_PRINTED);
                self.printed.drain(..surplus);
                Ok(true)
            }
            Err(AdbError::Deadline { .. }) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    fn failed(&self, how: &str) -> DeviceError {
        let said = String::from_utf8_lossy(&self.printed);
        let problem = match said.trim() {
            "" => how.to_owned(),
            said if said.contains("already registered") => {
                "another automation (Appium, Maestro) holds the screen; end it first".to_owned()
            }
            said => format!("{how}; it said {said:?}"),
        };
        DeviceError::NoAnswer {
            serial: self.serial.clone(),
            what: "starting the uiautomator2 server".to_owned(),
            problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_found_in_pythons_of_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let text = |path: &Path| path.display().to_string();
        let assets =
            |python: &str| folder.path().join("lib").join(python).join("site-packages/uiautomator2/assets");
        for python in ["python3.9", "python3.12"] {
            std::fs::create_dir_all(assets(python)).unwrap();
        }
        let file = assets("python3.9").join("u2.jar");
        let path = text(&folder.path().join("bin"));
        let in_path = |name: &str| (name == "PATH").then(|| path.clone());
        let error = find_server_file(&in_path).unwrap_err();
        assert!(error.contains("pip install uiautomator2"), "{error}");
        std::fs::write(&file, "").unwrap();
        assert_eq!(find_server_file(&in_path), Ok(file.clone()));
        let root = text(folder.path());
        assert_eq!(find_server_file(&|name| (name == "VIRTUAL_ENV").then(|| root.clone())), Ok(file.clone()));
        let named = text(&file);
        assert_eq!(find_server_file(&|name| (name == VARIABLE).then(|| named.clone())), Ok(file));
        // As Windows has it.
        let windows = tempfile::tempdir().unwrap();
        let assets = windows.path().join("Lib/site-packages/uiautomator2/assets");
        std::fs::create_dir_all(&assets).unwrap();
        std::fs::write(assets.join("u2.jar"), "").unwrap();
        let scripts = text(&windows.path().join("Scripts"));
        let found = find_server_file(&|name| (name == "PATH").then(|| scripts.clone()));
        assert_eq!(found, Ok(assets.join("u2.jar")));
        let wrong = find_server_file(&|name| (name == VARIABLE).then(|| "/no/such.jar".to_owned()));
        assert!(wrong.unwrap_err().contains("/no/such.jar"));
    }
}
