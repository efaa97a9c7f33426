//! `pm install` and the streamed `cmd package install -S N`.

use super::{Call, Done};
use crate::Cost;
use crate::shell::io::Stop;
use taproof_engine::device::{AppId, DeviceError};

/// Limit on the size of an APK in bytes.
const LARGEST: u64 = 512 << 20;

/// The command line of `pm install`.
#[derive(Default)]
struct Options {
    /// The size of the APK on standard input in bytes; `Some(None)` if it is not a number.
    size: Option<Option<u64>>,
    path: Option<String>,
    /// Whether all permissions are granted at once.
    grant: bool,
}

fn read(args: &[String]) -> Options {
    let mut options = Options::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "-S" => options.size = Some(rest.next().and_then(|size| size.parse::<u64>().ok())),
            "-g" => options.grant = true,
            option if option.starts_with('-') && option.len() > 1 => {}
            file => options.path = Some(file.to_owned()),
        }
    }
    options
}

/// The APK, from standard input or from a file.
fn bytes_of(call: &Call<'_, '_>, options: Options) -> Result<Vec<u8>, Stop> {
    match (options.size, options.path) {
        (Some(None), _) => call.fails("Error: -S must be followed by a size", 1),
        (Some(Some(size)), _) if size > LARGEST => {
            failed(call, "INSTALL_FAILED_INSUFFICIENT_STORAGE", "the file is too large for this device")
        }
        (Some(Some(size)), _) => {
            let bytes = read_exactly(call, size)?;
            if bytes.len() as u64 == size {
                return Ok(bytes);
            }
            let got = bytes.len();
            call.fails(&format!("Error: failed to write; base.apk ({got} of {size} bytes came)"), 1)
        }
        (None, Some(path)) => {
            if call.old() {
                call.say(&format!("\tpkg: {path}"))?;
            }
            let read = call.state().read_file(&call.path(&path));
            match read {
                Ok(bytes) => Ok(bytes.to_vec()),
                Err(_) if call.old() => failed(call, "INSTALL_FAILED_INVALID_URI", ""),
                Err(error) => call.fails(&format!("Error: Unable to open file: {path}\n{error}"), 255),
            }
        }
        (None, None) => call.fails("Error: must either specify a package size or an APK file", 1),
    }
}

pub(super) fn install(call: &mut Call<'_, '_>, args: &[String]) -> Done {
    let options = read(args);
    let grant = options.grant;
    let bytes = bytes_of(call, options)?;
    if call.state().faults.forbids.installing {
        return failed(call, "INSTALL_FAILED_USER_RESTRICTED", "Install canceled by user");
    }
    call.take_time(Cost::Install)?;
    let installed = {
        let mut state = call.state();
        let installed = state.install(&bytes);
        match (&installed, grant) {
            (Ok(app), true) => grant_all(&mut state, app).and(installed),
            _ => installed,
        }
    };
    match installed {
        Ok(_) => call.say("Success").map(|()| 0),
        Err(DeviceError::NotInstallable { problem, .. }) if !bytes.starts_with(b"PK") => {
            let where_ = "Failed to parse /data/app/vmdl1.tmp/base.apk";
            failed(call, "INSTALL_PARSE_FAILED_NOT_APK", &format!("{where_}: {problem}"))
        }
        Err(DeviceError::NotInstallable { problem, .. }) => {
            failed(call, "INSTALL_FAILED_INVALID_APK", &problem)
        }
        Err(error) => failed(call, "INSTALL_FAILED_INTERNAL_ERROR", &error.to_string()),
    }
}

fn grant_all(state: &mut crate::State, app: &AppId) -> Result<(), DeviceError> {
    let permissions = state.app(&app.0).map(|app| app.permissions).unwrap_or_default();
    permissions.iter().try_for_each(|(name, _)| state.device.set_permission(app, name, true))
}

fn failed<T>(call: &Call<'_, '_>, code: &str, problem: &str) -> Result<T, Stop> {
    let detail = if call.old() { String::new() } else { format!(": {problem}") };
    call.say(&format!("Failure [{code}{detail}]"))?;
    Err(Stop::Exit(1))
}

/// Reads this many bytes from standard input, or fewer if it ends before.
fn read_exactly(call: &Call<'_, '_>, size: u64) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 << 10];
    while (bytes.len() as u64) < size {
        let most = usize::try_from(size - bytes.len() as u64).unwrap_or(usize::MAX).min(buffer.len());
        let wanted = buffer.get_mut(..most).unwrap_or_default();
        let count = call.io.input.take(wanted)?;
        if count == 0 {
            break;
        }
        bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
    }
    Ok(bytes)
}
