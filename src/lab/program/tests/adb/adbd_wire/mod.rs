//! The real `adb` program finds on the served device what it finds on an Android device. Without the program the
//! tests say `skipped: no adb`. `ADB` names another one than that of the path.

mod adb;
mod phone;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use crossbeam_channel::after;
use taproof_served::wire::Identity;

use adb::{Adb, rest};
use phone::{Phone, noise};

#[test]
fn it_connects_and_tells_what_is_there() {
    let phone = Phone::modern();
    let listener = phone.serve();
    let Some(mut adb) = Adb::connected_to(listener.address()) else { return };
    let devices = adb.plain(&["devices", "-l"]);
    let line = devices.ok().lines().find(|line| line.starts_with(&adb.serial)).unwrap();
    assert!(line.contains(" device ") && line.contains("product:sim model:Sim_Phone device:sim"), "{line}");
    assert_eq!(adb.run(&["get-state"]).ok(), "device\n");
    let features = adb.run(&["features"]);
    assert!(features.ok().contains("shell_v2") && features.ok().contains("stat_v2"), "{features:?}");
    assert!(adb.plain(&["connect", &adb.serial]).ok().starts_with("already connected"));
    for _ in 0..5 {
        assert!(adb.plain(&["disconnect", &adb.serial]).ok().starts_with("disconnected"));
        assert!(adb.plain(&["connect", &adb.serial]).ok().starts_with("connected"));
        adb.run(&["wait-for-device"]).ok();
        assert_eq!(adb.run(&["shell", "echo", "again"]).ok(), "again\n");
    }
    assert!(adb.kill_server());
    let late = after(Duration::from_secs(5));
    while listener.connections() > 0 && late.is_empty() {
        rest(Duration::from_millis(10));
    }
    assert_eq!(listener.connections(), 0);
    let problems =
        phone.events.lock().unwrap().iter().filter(|event| format!("{event:?}").contains("Some")).count();
    assert_eq!(problems, 0);
}

#[test]
fn two_servers_share_it_and_its_end_is_seen() {
    let listener = Phone::modern().serve();
    let Some(first) = Adb::connected_to(listener.address()) else { return };
    let second = Adb::connected_to(listener.address()).unwrap();
    assert_eq!(first.run(&["shell", "echo", "1"]).ok(), "1\n");
    assert_eq!(second.run(&["shell", "echo", "2"]).ok(), "2\n");
    let waiting = first.open("shell:logcat");
    drop(listener);
    let mut last = Vec::new();
    drop(BufReader::new(waiting).read_to_end(&mut last));
    for adb in [first, second] {
        let late = after(Duration::from_secs(10));
        while adb.run(&["get-state"]).text() == "device\n" && late.is_empty() {
            rest(Duration::from_millis(20));
        }
        assert_ne!(adb.run(&["get-state"]).code, Some(0));
    }
}

#[test]
fn shells_have_output_complaints_and_exit_codes() {
    let phone = Phone::modern();
    let listener = phone.serve();
    let Some(adb) = Adb::connected_to(listener.address()) else { return };
    let both = adb.run(&["shell", "both", "3"]);
    assert_eq!((both.code, both.text(), both.err.as_str()), (Some(3), "out\n", "err\n"));
    let both = adb.run(&["shell", "-x", "both 3"]);
    assert_eq!((both.code, both.text()), (Some(0), "out\nerr\n"));
    let terminal = adb.run(&["shell", "-t", "-t", "both 4"]);
    assert_eq!((terminal.code, terminal.text()), (Some(4), "out\r\nerr\r\n"));
    assert_eq!(adb.run(&["shell", "nonsense"]).code, Some(127));
    assert_eq!(adb.run(&["shell", "tty"]).ok(), "false\n");
    assert_eq!(adb.run(&["exec-out", "tty"]).ok(), "true\n");
    let bytes = noise(3_000_000);
    let cat = adb.feed(&["shell", "cat"], &bytes);
    assert!(cat.code == Some(0) && cat.out == bytes, "{} bytes", cat.out.len());
    let log = adb.run(&["logcat", "-d"]);
    assert_eq!((log.ok().lines().count(), log.ok().ends_with("line 999\n")), (1000, true));
    let last = phone.commands.lock().unwrap().last().cloned().unwrap();
    assert!(last.contains("exec logcat '-d'"), "{last}");
}

#[test]
fn binary_output_arrives_as_it_is() {
    let phone = Phone::modern();
    let listener = phone.serve();
    let Some(adb) = Adb::connected_to(listener.address()) else { return };
    for words in [["exec-out", "screencap"], ["shell", "screencap"]] {
        let picture = adb.run(&words);
        assert!(picture.code == Some(0) && picture.out == phone.picture(), "{words:?}");
    }
}

#[test]
fn a_log_that_nobody_reads_any_more_ends() {
    let phone = Phone::modern();
    let listener = phone.serve();
    let Some(adb) = Adb::connected_to(listener.address()) else { return };
    let mut lines = BufReader::new(adb.open("shell,v2,raw:logcat"));
    let mut line = String::new();
    for _ in 0..10 {
        lines.read_line(&mut line).unwrap();
    }
    assert!(line.contains("line 9\n"), "{line}");
    drop(lines);
    let late = after(Duration::from_secs(10));
    while phone.commands.lock().unwrap().last().unwrap() != "logcat ended" {
        assert!(late.is_empty(), "it goes on");
        rest(Duration::from_millis(10));
    }
}

#[test]
fn files_go_there_and_back() {
    let phone = Phone::modern();
    let listener = phone.serve();
    let Some(adb) = Adb::connected_to(listener.address()) else { return };
    check_files(&adb, &phone);
    let push = adb.run(&["push", adb.folder.join("a.bin").to_str().unwrap(), "/system/a.bin"]);
    assert!(push.code != Some(0) && push.said().contains("Read-only file system"), "{push:?}");
}

fn check_files(adb: &Adb, phone: &Phone) {
    let (here, back) = (adb.folder.join("a.bin"), adb.folder.join("back.bin"));
    let bytes = noise(5_000_000);
    std::fs::write(&here, &bytes).unwrap();
    let (here, back) = (here.to_str().unwrap(), back.to_str().unwrap());
    adb.run(&["push", here, "/sdcard/b.bin"]).ok();
    assert!(phone.file("/sdcard/b.bin").unwrap() == bytes);
    adb.run(&["push", here, "/sdcard"]).ok();
    assert!(phone.file("/sdcard/a.bin").unwrap() == bytes);
    adb.run(&["push", here, "/sdcard/new/c.bin"]).ok();
    assert!(phone.file("/sdcard/new/c.bin").unwrap() == bytes);
    adb.run(&["pull", "/sdcard/b.bin", back]).ok();
    assert!(std::fs::read(back).unwrap() == bytes);
    let missing = adb.run(&["pull", "/sdcard/missing", back]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.said().contains("remote object '/sdcard/missing'"), "{}", missing.said());
    let list = adb.run(&["ls", "/sdcard"]);
    assert!(list.ok().contains("81a4 004c4b40") && list.ok().contains(" b.bin"), "{list:?}");
    let folder = adb.folder.join("folder");
    std::fs::create_dir_all(folder.join("below")).unwrap();
    for number in 0..100 {
        std::fs::write(folder.join(format!("below/{number}")), noise(number * 50)).unwrap();
    }
    std::fs::write(folder.join("empty"), "").unwrap();
    adb.run(&["push", folder.to_str().unwrap(), "/sdcard/"]).ok();
    assert_eq!(phone.file("/sdcard/folder/below/99").unwrap(), noise(4950));
    assert_eq!(phone.file("/sdcard/folder/empty").unwrap(), b"");
    let pulled = adb.folder.join("pulled");
    adb.run(&["pull", "/sdcard/folder", pulled.to_str().unwrap()]).ok();
    for number in 0..100 {
        assert_eq!(std::fs::read(pulled.join(format!("below/{number}"))).unwrap(), noise(number * 50));
    }
    assert_eq!(std::fs::read(pulled.join("empty")).unwrap(), b"");
}

#[test]
fn sockets_of_the_device_are_reached() {
    let listener = Phone::modern().serve();
    let Some(adb) = Adb::connected_to(listener.address()) else { return };
    for remote in ["tcp:9008", "localabstract:echo"] {
        let port = adb.run(&["forward", "tcp:0", remote]).ok().trim().parse::<u16>().unwrap();
        let mut socket = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let bytes = noise(2_000_000);
        let mut writing = socket.try_clone().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| writing.write_all(&bytes).unwrap());
            let mut echo = vec![0; bytes.len()];
            socket.read_exact(&mut echo).unwrap();
            assert!(echo == bytes);
        });
    }
    let port = adb.run(&["forward", "tcp:0", "tcp:1"]).ok().trim().parse::<u16>().unwrap();
    let mut refused = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    assert_eq!(refused.read(&mut [0]).unwrap_or(0), 0);
}

#[test]
fn what_the_host_offers_in_reverse_is_listed() {
    let listener = Phone::modern().serve();
    let Some(adb) = Adb::connected_to(listener.address()) else { return };
    adb.run(&["reverse", "localabstract:scrcpy_1", "tcp:5"]).ok();
    let list = adb.run(&["reverse", "--list"]);
    assert!(list.ok().contains("localabstract:scrcpy_1 tcp:5"), "{list:?}");
    adb.run(&["reverse", "--remove", "localabstract:scrcpy_1"]).ok();
    assert_ne!(adb.run(&["reverse", "--remove", "localabstract:scrcpy_1"]).code, Some(0));
    adb.run(&["reverse", "--remove-all"]).ok();
    assert_eq!(adb.run(&["shell", "echo", "the server lives"]).ok(), "the server lives\n");
}

#[test]
fn apps_are_installed() {
    let phone = Phone::modern();
    let listener = phone.serve();
    let Some(adb) = Adb::connected_to(listener.address()) else { return };
    let apk = adb.folder.join("an app's.apk");
    let bytes = [b"PK".to_vec(), noise(300_000)].concat();
    std::fs::write(&apk, &bytes).unwrap();
    let install = adb.run(&["install", "-r", "-g", apk.to_str().unwrap()]);
    assert!(install.ok().ends_with("Success\n"), "{install:?}");
    assert!(phone.file("installed").unwrap() == bytes);
    std::fs::write(&apk, "no app").unwrap();
    let install = adb.run(&["install", apk.to_str().unwrap()]);
    assert_eq!(install.code, Some(1));
    assert!(install.said().contains("INSTALL_PARSE_FAILED_NOT_APK"), "{install:?}");
}

#[test]
fn a_device_that_reboots_comes_back() {
    let listener = Phone::modern().serve();
    let Some(adb) = Adb::connected_to(listener.address()) else { return };
    adb.run(&["reboot"]).ok();
    // Servers of today connect again by themselves; older ones are told to.
    let late = after(Duration::from_secs(20));
    while adb.run(&["get-state"]).text() != "device\n" {
        assert!(late.is_empty(), "it does not come back");
        adb.plain(&["connect", &adb.serial]);
        rest(Duration::from_millis(100));
    }
    assert_eq!(adb.run(&["shell", "echo", "up"]).ok(), "up\n");
}

#[test]
fn an_old_device_is_met_as_one() {
    let phone = Phone::new(Identity::old("old", "Old Phone", "old"));
    let listener = phone.serve();
    let Some(adb) = Adb::connected_to(listener.address()) else { return };
    let both = adb.run(&["shell", "both", "3"]);
    assert_eq!((both.code, both.text()), (Some(0), "out\r\nerr\r\n"));
    let refused = adb.run(&["exec-out", "echo", "one"]);
    assert!(refused.code != Some(0) && refused.err.contains("closed"), "{refused:?}");
    assert_ne!(adb.run(&["reverse", "tcp:1", "tcp:2"]).code, Some(0));
    check_files(&adb, &phone);
    let apk = adb.folder.join("app.apk");
    let bytes = [b"PK".to_vec(), noise(300_000)].concat();
    std::fs::write(&apk, &bytes).unwrap();
    let install = adb.run(&["install", apk.to_str().unwrap()]);
    assert!(install.said().contains("Success"), "{install:?}");
    assert!(phone.file("installed").unwrap() == bytes);
    let picture = adb.run(&["shell", "screencap"]);
    assert!(picture.out.len() > phone.picture().len(), "damaged by CRLF");
}

/// Prints what the socket of the server gives; the bounds only catch what is broken.
#[test]
fn it_is_quick() {
    let phone = Phone::modern();
    let listener = phone.serve();
    let Some(adb) = Adb::connected_to(listener.address()) else { return };
    let mut millis: Vec<f64> = (0..20)
        .map(|_| timed(|| assert_eq!(adb.ask("exec:screencap").len(), phone.picture().len())))
        .collect();
    millis.sort_by(f64::total_cmp);
    println!(
        "exec of {} bytes: {:.1} ms at best, {:.1} ms in the middle",
        phone.picture().len(),
        millis[0],
        millis[10]
    );
    assert!(millis[10] < 1000.0);
    for service in ["shell:echo a", "shell,v2,TERM=xterm,raw:echo a"] {
        let mut millis: Vec<f64> =
            (0..1000).map(|_| timed(|| assert!(!adb.ask(service).is_empty()))).collect();
        let all: f64 = millis.iter().sum();
        millis.sort_by(f64::total_cmp);
        println!(
            "1000 times {service}: {all:.0} ms, {:.2} ms in the middle, {:.2} ms at 95 %",
            millis[500], millis[950]
        );
        assert!(all < 30_000.0);
    }
    let (file, bytes) = (adb.folder.join("large"), noise(50_000_000));
    std::fs::write(&file, &bytes).unwrap();
    let file = file.to_str().unwrap();
    let push = timed(|| assert!(adb.run(&["push", file, "/sdcard/large"]).code == Some(0)));
    let pull = timed(|| assert!(adb.run(&["pull", "/sdcard/large", file]).code == Some(0)));
    println!("push of 50 MB: {push:.0} ms, pull: {pull:.0} ms");
}

#[expect(clippy::disallowed_methods, reason = "it is the real speed that is measured")]
fn timed(work: impl FnOnce()) -> f64 {
    let began = std::time::Instant::now();
    work();
    began.elapsed().as_secs_f64() * 1000.0
}
