//! Opens files and folders with the programs that the desktop has for them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use taproof_engine::worker::{self, CancelToken, PanicReport};

/// The program of the desktop that opens a file or folder.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Opens a file or folder outside of the window. `failed` is called with the reason from another thread if that fails.
///
/// # Errors
///
/// The thread that waits for the desktop cannot be started.
pub(crate) fn open_outside(
    path: PathBuf,
    failed: impl FnOnce(String) + Send + 'static,
) -> std::io::Result<()> {
    let work = move || {
        if let Some(problem) = open_with(OPENER, &path) {
            failed(problem);
        }
    };
    let on_panic = |report: PanicReport| tracing::warn!(report.message, "opening a file broke");
    // Some desktops wait until the other program is closed: that must not keep this one alive.
    worker::spawn("open outside", &CancelToken::new(), work, on_panic)?.leave();
    Ok(())
}

/// Runs the program with the path, and waits for its end. Returns why the path was not opened.
fn open_with(program: &str, path: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let why = match command.status() {
        // The one of Windows never says whether it has succeeded.
        Ok(status) if status.success() || cfg!(windows) => return None,
        Ok(status) => format!("{program} has no program for it ({status})"),
        Err(error) => format!("{program} cannot be run ({error})"),
    };
    Some(format!("{} was not opened: {why}. Open it by hand.", path.display()))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_opened_is_named_with_its_path() {
        let page = Path::new("/r/bug.html");
        assert_eq!(open_with("true", page), None);
        let problem = open_with("false", page).unwrap();
        assert!(problem.starts_with("/r/bug.html was not opened: false has no program for it"), "{problem}");
        let problem = open_with("/no/such/program", page).unwrap();
        assert!(
            problem.starts_with("/r/bug.html was not opened: /no/such/program cannot be run"),
            "{problem}"
        );
    }
}
