//! Tables of commands with what they print, on files, text, time and processes.

use super::{new_phone, out, run, run_with, served};
use crate::{FileError, Like};

/// Lines with their output, errors and exit code, run one after the other on one phone.
fn check(like: Like, table: &[(&str, &str, &str, u8)]) {
    let served = served(like);
    for (line, out, err, code) in table {
        let ran = run(&served, line);
        assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), (*out, *err, *code), "{line}");
    }
}

#[test]
fn a_current_phone_answers_so() {
    const HASH: &str = "b1946ac92492d2347c6235b4d2611184";
    check(
        Like::Android14,
        &[
            ("echo 'a\\tb'; echo -n x", "a\tb\nx", "", 0),
            ("print -r -- -n 'a\\tb'", "-n a\\tb\n", "", 0),
            ("echo hello | md5sum", &format!("{HASH}  -\n"), "", 0),
            ("echo hello > /sdcard/e; toybox md5sum /sdcard/e", &format!("{HASH}  /sdcard/e\n"), "", 0),
            ("md5sum -b /sdcard/e", "", "md5sum: Unknown option 'b' (see \"md5sum --help\")\n", 1),
            ("echo a1 | grep -E '^[[:alpha:]](1|2)$'", "a1\n", "", 0),
            ("echo a | grep -q a && echo found", "found\n", "", 0),
            ("echo a | grep -q b", "", "", 1),
            ("echo aa | grep '(a'", "", "grep: bad REGEX '(a'\n", 2),
            ("echo a | grep -A1 a", "", "grep: Unknown option 'A' (see \"grep --help\")\n", 2),
            ("which input nope echo", "/system/bin/input\necho\n", "", 1),
            ("mkdir -p /sdcard/a/b; touch /storage/emulated/0/a/f; ls /sdcard/a", "b\nf\n", "", 0),
            ("echo 12345 > /sdcard/a/f; mv -f /sdcard/a/f /sdcard/g; cat /sdcard/g", "12345\n", "", 0),
            ("rm /sdcard/a", "", "rm: /sdcard/a: Is a directory\n", 1),
            ("rm /sdcard/nope", "", "rm: /sdcard/nope: No such file or directory\n", 1),
            ("rm -f /sdcard/nope", "", "", 0),
            ("touch /system/x", "", "touch: /system/x: Read-only file system\n", 1),
            ("touch /data/x", "", "touch: /data/x: Permission denied\n", 1),
            ("ls /nope", "", "ls: /nope: No such file or directory\n", 1),
            ("ls -l /sdcard", "", "ls: Unknown option 'l' (see \"ls --help\")\n", 1),
            ("cat /sdcard", "", "cat: /sdcard: Is a directory\n", 1),
            ("mv /sdcard/a /sdcard/a/b/c", "", "mv: /sdcard/a: Invalid argument\n", 1),
            ("mkdir /sdcard/a", "", "mkdir: /sdcard/a: File exists\n", 1),
            ("rm -rf /sdcard/a; ls /sdcard/a", "", "ls: /sdcard/a: No such file or directory\n", 1),
            ("date '+%s %Y-%m-%d %H:%M:%S.000'", "1767603600 2026-01-05 09:00:00.000\n", "", 0),
            ("cat /proc/uptime", "0.00 0.00\n", "", 0),
            // The phone also settles for a second.
            ("sleep 2; cat /proc/uptime; date +%s", "3.00 3.00\n1767603603\n", "", 0),
            ("sleep 0.25; sleep 0.25; sleep 0; cat /proc/uptime", "5.50 5.50\n", "", 0),
            ("sleep x", "", "sleep: not a number 'x'\n", 1),
            ("kill 1", "", "/system/bin/sh: kill: 1: Operation not permitted\n", 1),
            ("pidof nope", "", "", 1),
            ("ps -o PID", "", "ps: Unknown option '-o' (see \"ps --help\")\n", 1),
            ("getprop persist.sys.locale; getprop sys.boot_completed; getprop nope", "en-US\n1\n\n", "", 0),
            ("pm list packages -x", "", "Error: Unknown option: -x\n", 255),
            ("pm fly", "", "Unknown command: fly\n", 255),
            ("am fly", "", "Unknown command: fly\n", 255),
            ("cmd nope", "", "cmd: Can't find service: nope\n", 20),
            ("dumpsys nope", "", "Can't find service: nope\n", 20),
            ("logcat -d -m 2", "", "logcat: unknown option -m\n", 1),
            ("wm density 7", "", "Error: bad number 7\n", 255),
        ],
    );
}

#[test]
fn an_old_phone_answers_so() {
    let missing = |name: &str| format!("/system/bin/sh: {name}: not found\n");
    check(
        Like::Android44,
        &[
            ("cmd", "", &missing("cmd"), 127),
            ("toybox", "", &missing("toybox"), 127),
            ("md5sum", "", &missing("md5sum"), 127),
            ("which", "", &missing("which"), 127),
            ("pidof", "", &missing("pidof"), 127),
            ("echo x | md5", "", "md5 file ...\n", 255),
            ("md5 /no", "", "could not open /no, No such file or directory\n", 1),
            ("ls /nope", "", "/nope: No such file or directory\n", 1),
            ("echo x > /data/local/tmp/a", "", "", 0),
            (
                "mv -f /data/local/tmp/a /data/local/tmp/b",
                "",
                "failed on '-f' - No such file or directory\n",
                1,
            ),
            ("mv /data/local/tmp/a /data/local/tmp/b; cat /data/local/tmp/b", "x\n", "", 0),
            ("pwd", "/\n", "", 0),
            ("pm path org.taproof.files", "package:/data/app/org.taproof.files-1.apk\n", "", 0),
            ("ime set org.ex/.Nothing", "", "Error: Unknown id: org.ex/.Nothing\n", 0),
        ],
    );
}

#[test]
fn a_full_disk_says_so_and_loses_nothing() {
    let served = new_phone();
    served.lock().files.limit = 1000;
    out(&served, "echo kept > /sdcard/k");
    let ran = run_with(&served, "cat > /sdcard/big", &[b'x'; 2000], false);
    assert_ne!(ran.code, 0);
    assert_eq!(out(&served, "cat /sdcard/k"), "kept\n");
    assert_eq!(served.write("/sdcard/p", 0o644, 0, vec![0; 2000]), Err(FileError::Full));
    let ran = run(&served, "screencap -p /sdcard/s.png");
    assert!(ran.err.contains("No space left on device"), "{ran:?}");
    served.lock().files.limit = 1 << 20;
    out(&served, "rm /sdcard/big /sdcard/s.png; echo more > /sdcard/m");
}

#[test]
fn the_wire_reads_and_writes_files() {
    let served = new_phone();
    served.write("/sdcard/new/deep/f.bin", 0o100_644, 1_700_000_000, vec![1, 2, 3]).unwrap();
    assert_eq!(*served.read("/sdcard/new/deep/f.bin").unwrap(), [1, 2, 3]);
    let stat = served.stat("/sdcard/new/deep/f.bin").unwrap();
    assert_eq!((stat.mode, stat.size, stat.mtime), (0o100_644, 3, 1_700_000_000));
    assert!(served.stat("/sdcard/").unwrap().is_folder());
    assert!(served.stat("/sdcard").unwrap().is_folder());
    assert_eq!(served.stat("/nope"), Err(FileError::NotFound));
    let names: Vec<String> = served.list("/sdcard/new").unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["deep"]);
    assert_eq!(served.write("/system/x", 0o644, 0, Vec::new()), Err(FileError::ReadOnly));
    let apk = served.read("/data/app/org.taproof.files-1/base.apk").unwrap();
    assert!(apk.starts_with(b"PK"));
    assert_eq!(served.stat("/data/app/org.taproof.files-1/base.apk").unwrap().size, apk.len() as u64);
    let long = format!("/sdcard/{}", "x".repeat(300));
    assert_eq!(served.write(&long, 0o644, 0, Vec::new()), Err(FileError::TooLong));
}

#[test]
fn processes_are_listed() {
    let served = new_phone();
    out(&served, super::START);
    let table = out(&served, "ps -A");
    let line = table.lines().find(|line| line.ends_with(" org.taproof.files")).expect("it runs");
    let fields: Vec<&str> = line.split_whitespace().collect();
    assert_eq!((fields.len(), fields[0].starts_with("u0_a")), (9, true), "{line}");
    let head = table.split_whitespace().take(9).collect::<Vec<_>>().join(" ");
    assert_eq!(head, "USER PID PPID VSZ RSS WCHAN ADDR S NAME");
    assert_eq!(out(&served, "pidof org.taproof.files").trim(), fields[1]);
    assert_eq!(out(&served, &format!("cat /proc/{}/cmdline", fields[1])), "org.taproof.files\0");
    let of_shell = out(&served, "ps -u shell");
    assert!(of_shell.lines().count() > 1 && of_shell.lines().skip(1).all(|line| line.starts_with("shell ")));
}
