//! Cells of a matrix on a phone that they lease.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use taproof_engine::device::Build;
use taproof_served::{Latency, Like};

use taproof_testing::device::adb::ServedPhone;
use taproof_testing::first::FILES;

fn matrix(folder: &Path, phone: &ServedPhone, words: &[&str]) -> Command {
    let mut command = Command::new(taproof_testing::program::path());
    command.arg("matrix").args(words).current_dir(folder).env("ANDROID_ADB_SERVER_PORT", phone.own.port());
    command
}

#[test]
fn a_cell_waits_for_its_phone_and_gives_it_back() {
    let Some(phone) = ServedPhone::with(FILES, &Build::Faulty, Like::default(), Latency::Off) else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = format!(
        "engines = [\"monkey\"]\nleases = \"leases\"\noptions = [\"--events\", \"40\", \"--no-pictures\", \"--clear-data\"]\n\
         [[app]]\npackage = \"{FILES}\"\n[[device]]\nkind = \"pixel\"\nserials = [\"{}\"]\n",
        phone.serial
    );
    std::fs::write(folder.join("matrix.toml"), text).unwrap();
    std::fs::create_dir(folder.join("leases")).unwrap();
    let lock = folder.join("leases").join(format!("{}.lock", phone.serial.replace(':', "_")));
    let held = File::create(&lock).unwrap();
    held.lock().unwrap();
    let mut cell = matrix(folder, &phone, &["run", "--cell", "0"]);
    let mut cell = cell.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(cell.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(said.any(|line| line.contains("waiting for a phone: all of kind pixel are in use")));
    drop(held);
    let rest: Vec<String> = said.collect();
    assert_eq!(cell.wait().unwrap().code(), Some(0), "{rest:#?}");
    let status = matrix(folder, &phone, &["status"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&status.stdout), "1 cell: 1 done\n");
    File::open(&lock).unwrap().try_lock().unwrap();
}
