//! Phones that several cells share, one at a time.
//!
//! A phone is leased by a lock on a file with its serial in the folder of leases. The system releases it when the
//! program ends, however that happens, and on file systems that machines share it holds among them.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::{Failure, broken, message};
use super::file::DeviceKind;
use taproof_session::Interrupt;

/// Interval between two looks for a phone that is free.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A phone that nobody else uses as long as this value lives.
#[derive(Debug)]
pub struct Lease {
    pub serial: String,
    _lock: File,
}

impl Lease {
    /// Leases a phone of this kind, beginning with the one at a place among them, and waits until one is free. `None` if
    /// the program is to end.
    pub fn wait(
        folder: &Path,
        kind: &DeviceKind,
        first: usize,
        interrupt: &Interrupt,
    ) -> Result<Option<Lease>, Failure> {
        let mut told = false;
        while !interrupt.asked() {
            let from = first % kind.serials.len().max(1);
            let in_turn = kind.serials[from..].iter().chain(&kind.serials[..from]);
            for serial in in_turn {
                if let Some(lease) = Lease::take(folder, serial)? {
                    return Ok(Some(lease));
                }
            }
            if !told {
                message(&format!("waiting for a phone: all of kind {} are in use", kind.kind));
                told = true;
            }
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(None)
    }

    /// Leases the phone with this serial; `None` if somebody else uses it.
    pub fn take(folder: &Path, serial: &str) -> Result<Option<Lease>, Failure> {
        let lock = lock_file(&folder.join(format!("{}.lock", serial.replace(['/', '\\', ':'], "_"))))?;
        Ok(lock.map(|lock| Lease { serial: serial.to_owned(), _lock: lock }))
    }
}

/// Locks a file, which is created with its folder if it does not exist; `None` if another program has locked it.
pub fn lock_file(path: &PathBuf) -> Result<Option<File>, Failure> {
    let failed = |error: std::io::Error| {
        broken(format!("cannot lock ({error}); does the file system have locks? {}", path.display()))
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let file = File::create(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cells_never_hold_one_phone() {
        let folder = tempfile::tempdir().unwrap();
        let kind = DeviceKind { kind: "pixel".to_owned(), serials: vec!["a:1".to_owned(), "b:2".to_owned()] };
        let interrupt = Interrupt::default();
        let wait = |first| Lease::wait(folder.path(), &kind, first, &interrupt).unwrap();
        let one = wait(3).unwrap();
        let other = wait(3).unwrap();
        assert_eq!([&*one.serial, &*other.serial], ["b:2", "a:1"]);
        assert!(Lease::take(folder.path(), "b:2").unwrap().is_none());
        drop(one);
        assert_eq!(wait(0).unwrap().serial, "b:2");
        interrupt.ask();
        assert!(wait(0).is_none());
    }
}
