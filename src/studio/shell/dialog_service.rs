//! Whether this desktop has file dialogs. On Linux and the BSDs a service of the desktop shows them, which may be
//! missing; then nothing would appear, and the question would seem to be ignored.

/// Whether a file dialog can be shown. This blocks until the desktop has answered.
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub(super) fn has_dialogs() -> bool {
    true
}

/// Whether a file dialog can be shown. This blocks until the desktop has answered.
#[cfg(all(unix, not(target_os = "macos")))]
pub(super) fn has_dialogs() -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    portal::chooses_files(None) || portal::has_program("zenity", &folders)
}

#[cfg(all(unix, not(target_os = "macos")))]
mod portal {
    use std::ffi::OsStr;
    use std::time::Duration;

    use zbus::blocking::{Proxy, connection};

    /// How long the service may take to answer. It may have to be started.
    const LONGEST_ANSWER: Duration = Duration::from_secs(2);

    /// Whether the desktop portal at this address of a bus, or on the session's, can show file dialogs. A portal
    /// without a backend that can runs, but lacks the interface.
    pub(super) fn chooses_files(address: Option<&str>) -> bool {
        let version = || -> zbus::Result<u32> {
            let bus = match address {
                Some(address) => connection::Builder::address(address)?,
                None => connection::Builder::session()?,
            };
            let bus = bus.method_timeout(LONGEST_ANSWER).build()?;
            let portal = "org.freedesktop.portal.Desktop";
            let chooser = "org.freedesktop.portal.FileChooser";
            Proxy::new(&bus, portal, "/org/freedesktop/portal/desktop", chooser)?.get_property("version")
        };
        version().inspect_err(|error| tracing::info!(%error, "no file dialogs of the desktop")).is_ok()
    }

    /// Whether one of these folders has the program, which shows dialogs where no portal does.
    pub(super) fn has_program(name: &str, folders: &OsStr) -> bool {
        std::env::split_paths(folders).any(|folder| folder.join(name).is_file())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn without_a_bus_and_a_program_there_are_no_dialogs() {
            let folder = tempfile::tempdir().unwrap();
            let address = format!("unix:path={}", folder.path().join("no bus").display());
            assert!(!chooses_files(Some(&address)));
            assert!(!has_program("zenity", folder.path().as_os_str()));
            std::fs::write(folder.path().join("zenity"), "").unwrap();
            assert!(has_program("zenity", folder.path().as_os_str()));
        }
    }
}
