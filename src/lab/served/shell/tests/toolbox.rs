//! Tests of commands on files, text and time.

use super::{new_phone, out, run, run_with};
use crate::FileError;

fn check(line: &str, expected: &str) {
    assert_eq!(run(&new_phone(), line).out, expected, "{line}");
}

#[test]
fn text_tools_do_the_usual() {
    for (line, expected) in [
        ("printf '%s-%d%%\\n' a 7 b x; printf %x 5 2>&1", "a-7%\nb-0%\nprintf: bad %x@\n"),
        ("printf '%s\\n' a b", "a\nb\n"),
        ("echo -e 'a\\tb'; echo -n x", "a\tb\nx"),
        ("print -r -- -n 'a\\tb'", "-n a\\tb\n"),
        (
            "echo hello | md5sum -b; echo -n > /sdcard/e; toybox md5sum /sdcard/e",
            "b1946ac92492d2347c6235b4d2611184\nd41d8cd98f00b204e9800998ecf8427e  /sdcard/e\n",
        ),
        (
            "printf 'x=1\\ny=2\\n' | grep -c =; printf 'x=1\\ny=2\\n' | grep -v x; echo aB | grep -i ab",
            "2\ny=2\naB\n",
        ),
        ("echo a1 | grep -E '^[[:alpha:]](1|2)$'; echo a | grep -q b || echo none", "a1\nnone\n"),
        ("echo aa | grep '(a' 2>&1; echo $?", "grep: bad REGEX '(a'\n2\n"),
        ("echo a | grep -A1 a 2>&1; echo $?", "grep: Unknown option 'A' (see \"grep --help\")\n2\n"),
        ("which input nope", "/system/bin/input\n"),
    ] {
        check(line, expected);
    }
}

#[test]
fn files_live_where_a_phone_has_them() {
    let served = new_phone();
    assert_eq!(
        out(&served, "ls -d /sdcard; ls -ld /sdcard"),
        "/sdcard\nlrwxrwxrwx 1 u0_a10 media_rw      19 2026-01-05 09:00 /sdcard -> /storage/emulated/0\n"
    );
    assert_eq!(out(&served, "mkdir -p /sdcard/a/b; touch /storage/emulated/0/a/f; ls /sdcard/a"), "b\nf\n");
    assert_eq!(
        out(&served, "cd /sdcard/a; echo 12345 > f; ls -l"),
        "total 8\ndrwxrwx--- 2 u0_a10 media_rw    4096 2026-01-05 09:00 b\n-rw-rw---- 1 u0_a10 media_rw       6 2026-01-05 09:00 f\n"
    );
    assert_eq!(out(&served, "mv /sdcard/a/f /sdcard/g; cat /sdcard/g; mv /sdcard/g /sdcard/a/f"), "12345\n");
    for (line, err, code) in [
        ("rm /sdcard/a", "rm: /sdcard/a: Is a directory\n", 1),
        ("rm /sdcard/nope", "rm: /sdcard/nope: No such file or directory\n", 1),
        ("rm -f /sdcard/nope", "", 0),
        ("touch /system/x", "touch: /system/x: Read-only file system\n", 1),
        ("touch /data/x", "touch: /data/x: Permission denied\n", 1),
        ("ls /nope", "ls: /nope: No such file or directory\n", 1),
        ("cat /sdcard", "cat: /sdcard: Is a directory\n", 1),
        ("mv /sdcard/a /sdcard/a/b/c", "mv: /sdcard/a: Invalid argument\n", 1),
        ("mkdir /sdcard/a", "mkdir: /sdcard/a: File exists\n", 1),
    ] {
        let ran = run(&served, line);
        assert_eq!((ran.err.as_str(), ran.code), (err, code), "{line}");
    }
    assert_eq!(out(&served, "rm -rf /sdcard/a; ls /sdcard | grep -c ^a$ || true"), "0\n");
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
    assert!(served.stat("/sdcard").unwrap().is_link() && served.stat_target("/sdcard").unwrap().is_folder());
    assert_eq!(served.stat("/nope"), Err(FileError::NotFound));
    let names: Vec<String> = served.list("/sdcard/new").unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["deep"]);
    assert_eq!(served.write("/system/x", 0o644, 0, Vec::new()), Err(FileError::ReadOnly));
    let apk = served.read("/data/app/org.taproof.files-1/base.apk").unwrap();
    assert!(apk.starts_with(b"PK"));
    assert_eq!(served.stat("/data/app/org.taproof.files-1/base.apk").unwrap().size, apk.len() as u64);
    assert_eq!(served.list("/data/app/org.taproof.files-1").unwrap().len(), 1);
    let long = format!("/sdcard/{}", "x".repeat(300));
    assert_eq!(served.write(&long, 0o644, 0, Vec::new()), Err(FileError::TooLong));
}

#[test]
fn time_passes_when_somebody_waits() {
    let served = new_phone();
    assert_eq!(
        out(&served, "date '+%s %Y-%m-%d %H:%M:%S %N'; date"),
        "1767603600 2026-01-05 09:00:00 000000000\nMon Jan  5 09:00:00 GMT 2026\n"
    );
    assert_eq!(out(&served, "cat /proc/uptime"), "0.00 0.00\n");
    // The phone also settles for a second.
    out(&served, "sleep 2");
    assert_eq!(out(&served, "cat /proc/uptime; date +%s"), "3.00 3.00\n1767603603\n");
    out(&served, "sleep 0.25; sleep 0.25; sleep 0");
    assert_eq!(out(&served, "cat /proc/uptime"), "5.50 5.50\n");
    assert_eq!(run(&served, "sleep x").err, "sleep: not a number 'x'\n");
}

#[test]
fn processes_are_listed() {
    let served = new_phone();
    out(&served, super::START);
    let table = out(&served, "ps -A");
    let line = table.lines().find(|line| line.ends_with(" org.taproof.files")).expect("it runs");
    let fields: Vec<&str> = line.split_whitespace().collect();
    assert_eq!((fields.len(), fields[0].starts_with("u0_a")), (9, true), "{line}");
    assert_eq!(
        table.split_whitespace().take(9).collect::<Vec<_>>().join(" "),
        "USER PID PPID VSZ RSS WCHAN ADDR S NAME"
    );
    assert_eq!(out(&served, "pidof org.taproof.files").trim(), fields[1]);
    assert_eq!(run(&served, "pidof nope").code, 1);
    assert_eq!(run(&served, "ps -o PID").code, 1);
    assert_eq!(out(&served, &format!("cat /proc/{}/cmdline", fields[1])), "org.taproof.files\0");
    assert_eq!(run(&served, "kill 1").err, "/system/bin/sh: kill: 1: Operation not permitted\n");
    assert_eq!(
        run(&served, "run-as org.taproof.files ls").err,
        "run-as: package not debuggable: org.taproof.files\n"
    );
    assert_eq!(run(&served, "run-as nope ls").err, "run-as: unknown package: nope\n");
}
