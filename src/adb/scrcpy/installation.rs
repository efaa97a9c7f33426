//! Finding the user's scrcpy: the server to push, and the program that reports its version.
//!
//! Only checks for files; runs nothing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use taproof_screen::format::{ScrcpyVersionError, ServerVersion};

/// Why there is no usable scrcpy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstallationError {
    /// The server was not found.
    #[error(
        "no scrcpy-server was found; install scrcpy, or set SCRCPY_SERVER_PATH to its scrcpy-server; looked at {}",
        list(looked_at)
    )]
    NotFound {
        /// The paths that were searched.
        looked_at: Vec<PathBuf>,
    },
    /// The user's setting names no file.
    #[error("SCRCPY_SERVER_PATH names no file: {}; set it to scrcpy's scrcpy-server, or unset it", .path.display())]
    NoSuchServer {
        /// The path that the setting names.
        path: PathBuf,
    },
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Where to search for scrcpy's server, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPlaces {
    /// The path in the user's setting, `SCRCPY_SERVER_PATH`.
    pub server: Option<PathBuf>,
    /// The folders in `PATH`.
    pub program_folders: Vec<PathBuf>,
    /// Folders into which packages install the server.
    pub shared_folders: Vec<PathBuf>,
}

impl SearchPlaces {
    /// The places from the environment (`variable` returns a variable by name), and the usual folders.
    pub fn from_environment(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let usual = [
            "/usr/share/scrcpy",
            "/usr/local/share/scrcpy",
            "/opt/homebrew/share/scrcpy",
            "/home/linuxbrew/.linuxbrew/share/scrcpy",
            "/snap/scrcpy/current/usr/local/share/scrcpy",
        ];
        let path = variable("PATH").unwrap_or_default();
        SearchPlaces {
            server: variable("SCRCPY_SERVER_PATH").filter(|path| !path.is_empty()).map(PathBuf::from),
            // A relative folder would depend on the working directory.
            program_folders: std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect(),
            shared_folders: usual.map(PathBuf::from).to_vec(),
        }
    }
}

/// A server and the program that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// The server's file, to be pushed to the phone.
    pub server: PathBuf,
    /// The program whose option `--version` prints the server's version. Without one, [`Installation::version_in_name`]
    /// may know it; else start the server as any version and use `ServerVersion::from_refusal`.
    pub program: Option<PathBuf>,
}

impl Installation {
    /// The version in the server's file name, as downloads have it; `None` if there is none.
    pub fn version_in_name(&self) -> Option<Result<ServerVersion, ScrcpyVersionError>> {
        ServerVersion::from_file_name(self.server.file_name()?.to_str()?)
    }
}

/// Finds the user's scrcpy: the server that is set explicitly, else the one next to or below the first `scrcpy` in
/// `PATH` (following symbolic links), else one in the usual folders.
pub fn find_installation(places: &SearchPlaces) -> Result<Installation, InstallationError> {
    let programs: Vec<PathBuf> = places
        .program_folders
        .iter()
        .flat_map(|folder| ["scrcpy", "scrcpy.exe"].map(|name| folder.join(name)))
        .filter(|program| program.is_file())
        .collect();
    if let Some(server) = &places.server {
        if !server.is_file() {
            return Err(InstallationError::NoSuchServer { path: server.clone() });
        }
        return Ok(Installation { server: server.clone(), program: programs.first().cloned() });
    }
    let mut looked_at = Vec::new();
    for program in &programs {
        for server in servers_of(program) {
            if server.is_file() {
                return Ok(Installation { server, program: Some(program.clone()) });
            }
            looked_at.push(server);
        }
    }
    for folder in &places.shared_folders {
        let server = folder.join("scrcpy-server");
        if server.is_file() {
            return Ok(Installation { server, program: programs.first().cloned() });
        }
        looked_at.push(server);
    }
    Err(InstallationError::NotFound { looked_at })
}

/// Where a program's server may be: next to it (releases), or in `share` next to its folder (packages).
fn servers_of(program: &Path) -> Vec<PathBuf> {
    let resolved = program.canonicalize().ok().filter(|resolved| resolved != program);
    let folders = [Some(program), resolved.as_deref()].into_iter().flatten().filter_map(Path::parent);
    let mut servers = Vec::new();
    for folder in folders {
        servers.push(folder.join("scrcpy-server"));
        servers.extend(folder.parent().map(|prefix| prefix.join("share/scrcpy/scrcpy-server")));
    }
    servers
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder that contains these files.
    fn disk(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        root
    }

    fn places(root: &Path) -> SearchPlaces {
        SearchPlaces {
            server: None,
            program_folders: vec![root.join("empty"), root.join("bin")],
            shared_folders: vec![root.join("usr/share/scrcpy"), root.join("brew/share/scrcpy")],
        }
    }

    fn check(files: &[&str], server: &str, program: Option<&str>) {
        let root = disk(files);
        let found = find_installation(&places(root.path())).unwrap();
        let expected = Installation {
            server: root.path().join(server),
            program: program.map(|program| root.path().join(program)),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn finds_the_server_of_the_program_first() {
        check(
            &["bin/scrcpy", "bin/scrcpy-server", "usr/share/scrcpy/scrcpy-server"],
            "bin/scrcpy-server",
            Some("bin/scrcpy"),
        );
        check(
            &["bin/scrcpy", "share/scrcpy/scrcpy-server"],
            "share/scrcpy/scrcpy-server",
            Some("bin/scrcpy"),
        );
        check(&["bin/scrcpy.exe", "bin/scrcpy-server"], "bin/scrcpy-server", Some("bin/scrcpy.exe"));
        check(
            &["bin/scrcpy", "brew/share/scrcpy/scrcpy-server"],
            "brew/share/scrcpy/scrcpy-server",
            Some("bin/scrcpy"),
        );
        check(&["usr/share/scrcpy/scrcpy-server"], "usr/share/scrcpy/scrcpy-server", None);
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_to_the_program() {
        let root = disk(&["cellar/3.3.4/bin/scrcpy", "cellar/3.3.4/share/scrcpy/scrcpy-server", "bin/other"]);
        let program = root.path().join("bin/scrcpy");
        std::os::unix::fs::symlink(root.path().join("cellar/3.3.4/bin/scrcpy"), &program).unwrap();
        let found = find_installation(&places(root.path())).unwrap();
        assert_eq!(found.program, Some(program));
        let server = root.path().canonicalize().unwrap().join("cellar/3.3.4/share/scrcpy/scrcpy-server");
        assert_eq!(found.server, server);
    }

    #[test]
    fn the_setting_wins_or_is_an_error() {
        let root = disk(&["bin/scrcpy", "bin/scrcpy-server", "mine/scrcpy-server-v2.7"]);
        let mine = root.path().join("mine/scrcpy-server-v2.7");
        let set = SearchPlaces { server: Some(mine.clone()), ..places(root.path()) };
        let found = find_installation(&set).unwrap();
        assert_eq!(found.server, mine);
        assert_eq!(found.version_in_name().unwrap().unwrap().name(), "2.7");
        assert_eq!(find_installation(&places(root.path())).unwrap().version_in_name(), None);
        let wrong = SearchPlaces { server: Some(root.path().join("mine")), ..set };
        assert!(find_installation(&wrong).unwrap_err().to_string().contains("SCRCPY_SERVER_PATH"));
    }

    #[test]
    fn says_where_it_looked() {
        let root = disk(&["bin/scrcpy"]);
        let error = find_installation(&places(root.path())).unwrap_err().to_string();
        for part in ["bin/scrcpy-server", "usr/share/scrcpy/scrcpy-server", "SCRCPY_SERVER_PATH"] {
            assert!(error.contains(part), "{error}");
        }
        assert!(find_installation(&SearchPlaces::default()).is_err());
    }

    #[test]
    fn reads_the_environment() {
        let found = SearchPlaces::from_environment(|name| match name {
            "PATH" => std::env::join_paths(["/usr/bin", "", "here", "/opt/x"]).ok(),
            "SCRCPY_SERVER_PATH" => Some("".into()),
            _ => None,
        });
        assert_eq!(found.server, None);
        if cfg!(unix) {
            assert_eq!(found.program_folders, [PathBuf::from("/usr/bin"), PathBuf::from("/opt/x")]);
        }
        assert!(found.shared_folders.contains(&PathBuf::from("/usr/share/scrcpy")));
        assert!(SearchPlaces::from_environment(|_| None).program_folders.is_empty());
    }
}
