//! Tests of the storage that the shell, adb and the Files app share.

use super::{FILES, START, create_folder, layout, new_phone, out, run, shows, tap};
use taproof_engine::device::AppId;

#[test]
fn what_is_pushed_shows_in_files() {
    let served = new_phone();
    served.write("/sdcard/shopping list.txt", 0o644, 1_767_603_600, b"milk".to_vec()).unwrap();
    out(&served, START);
    assert!(shows(&served, "shopping list.txt"));
    // An app that is in front notices changes as well.
    out(&served, "mkdir -p /sdcard/Reports/May; echo x > /storage/emulated/0/Reports/a.csv");
    assert!(shows(&served, "Reports"));
    out(&served, "mv /sdcard/Reports '/sdcard/Old reports'; rm '/sdcard/shopping list.txt'");
    assert!(shows(&served, "Old reports") && !shows(&served, "Reports"));
    assert!(!shows(&served, "shopping list.txt"));
    tap(&served, "Old reports");
    assert!(shows(&served, "May") && shows(&served, "a.csv"));
    out(&served, "rm -r '/sdcard/Old reports'");
    assert!(!shows(&served, "a.csv"), "the folder on the screen is gone");
}

#[test]
fn what_files_has_is_seen_by_the_shell() {
    let served = new_phone();
    assert!(out(&served, "cat '/sdcard/read me.txt'").len() > 10);
    assert_eq!(served.stat("/sdcard/Download/timetable.pdf").unwrap().size, 1_204_113);
    assert_eq!(served.read("/sdcard/Download/timetable.pdf").unwrap().len(), 1_204_113);
    assert!(out(&served, "ls /storage/17F4-2A0C").contains("Maps"));
    out(&served, START);
    create_folder(&served, "Errands");
    assert!(served.stat("/sdcard/Errands").is_ok());
    // The phone's usual folders are there, but are not Files' own.
    assert!(served.stat("/sdcard/Movies").is_ok());
    assert!(!shows(&served, "Movies"));
    out(&served, "touch /sdcard/Movies/new.txt");
    assert!(layout(&served).widgets().iter().any(|widget| &*widget.text == "Movies"), "now it has a file");
}

#[test]
fn bytes_that_files_does_not_understand_survive_it() {
    let served = new_phone();
    let bytes: Vec<u8> = (0..100_000_u32).map(|number| (number % 251) as u8 | 0x80).collect();
    served.write("/sdcard/Music/own.mp3", 0o644, 0, bytes.clone()).unwrap();
    out(&served, START);
    // Any change in the app makes the shell read all its files anew.
    create_folder(&served, "Errands");
    assert_eq!(*served.read("/sdcard/Music/own.mp3").unwrap(), bytes);
    out(&served, "mv /sdcard/Music/own.mp3 /sdcard/moved.mp3; echo tail >> /sdcard/Download/timetable.pdf");
    assert_eq!(*served.read("/sdcard/moved.mp3").unwrap(), bytes);
    assert_eq!(served.stat("/sdcard/Download/timetable.pdf").unwrap().size, 1_204_118);
}

#[test]
fn cleared_data_of_files_are_its_files() {
    let served = new_phone();
    out(&served, "echo x > /sdcard/mine.txt; rm '/sdcard/read me.txt'");
    assert_eq!(out(&served, &format!("pm clear {FILES}")), "Success\n");
    assert_eq!(run(&served, "ls /sdcard/mine.txt").code, 1);
    assert!(out(&served, "cat '/sdcard/read me.txt'").len() > 10);
    served.lock().device.uninstall(&AppId(FILES.to_owned()), taproof_engine::device::AppData::Clear).unwrap();
    assert!(out(&served, "ls /sdcard").contains("read me.txt"), "without Files nobody changes the files");
}
