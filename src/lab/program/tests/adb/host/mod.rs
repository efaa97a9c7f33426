//! The client against the real adb server, with devices of our own behind it.
#![allow(clippy::disallowed_methods)]
#![cfg(unix)]

mod tiny_device;

use std::time::{Duration, Instant};

use taproof_adb::host::{AdbError, AdbLink, Connected, DeviceState, Patience, Refusal, command};
use taproof_engine::device::LinkFault;

use taproof_testing::device::adb::{OwnServer, patience};
use tiny_device::{FOLDER, TinyDevice};

/// Starts a server that did not run.
fn start(own: &OwnServer) {
    let start = own.server.start(&own.program, &patience()).unwrap();
    assert!(start.started && start.version >= 39, "{start:?}");
}

fn link_to(own: &OwnServer, device: &TinyDevice) -> AdbLink {
    own.server.connect(&device.serial(), &patience()).unwrap();
    let link = AdbLink::connect(&own.server, &device.serial(), &patience()).unwrap();
    link.wait_for_device(&patience()).unwrap();
    link
}

#[test]
fn devices_come_and_go_and_so_does_the_server() {
    let Some(own) = OwnServer::unstarted() else { return };
    let nobody = own.server.version(&patience()).unwrap_err();
    assert!(matches!(nobody, AdbError::NotRunning { .. }));
    let began = Instant::now();
    start(&own);
    println!("started in {:?}", began.elapsed());
    let again = own.server.start(&own.program, &patience()).unwrap();
    assert!(
        !again.started && again.warning().is_none() && again.program_version == Some(again.version),
        "{again:?}"
    );

    let device = TinyDevice::start(false);
    let mut tracker = own.server.track(&patience()).unwrap();
    assert_eq!(tracker.next().unwrap().unwrap(), []);
    assert_eq!(own.server.connect(&device.serial(), &patience()), Ok(Connected::Now));
    assert_eq!(own.server.connect(&device.serial(), &patience()), Ok(Connected::Before));
    let refused = own.server.connect("127.0.0.1:1", &patience()).unwrap_err();
    assert!(
        matches!(&refused, AdbError::NotConnected { .. }) && refused.to_string().contains("refused"),
        "{refused}"
    );
    let link = link_to(&own, &device);
    let ready = tracker
        .by_ref()
        .map(Result::unwrap)
        .find(|list| list.iter().any(|entry| entry.state.is_ready()))
        .unwrap();
    assert_eq!(
        (ready[0].serial.as_str(), ready[0].model.as_deref()),
        (link.serial.as_str(), Some("Tiny_Phone"))
    );
    assert_eq!(own.server.devices(&patience()).unwrap()[0].state, DeviceState::Device);

    device.unplug();
    let gone =
        tracker.by_ref().map(Result::unwrap).find(|list| !list.iter().any(|entry| entry.state.is_ready()));
    assert!(gone.is_some());
    let lost = link.shell("true", &patience()).unwrap_err();
    assert_eq!(lost.fault(), LinkFault::Lost, "{lost:?}");
    println!("{lost}");
    device.plug();
    drop(own.server.connect(&device.serial(), &patience()));
    link.wait_for_device(&patience()).unwrap();
    assert_eq!(link.shell("true", &patience()).unwrap().code, Some(0));
    own.server.disconnect(&device.serial(), &patience()).unwrap();
    own.server.disconnect(&device.serial(), &patience()).unwrap();
    let late = link.wait_for_device(&Patience::new(Duration::from_millis(200), &|| false)).unwrap_err();
    println!("{late}");

    own.kill();
    let ended = tracker.find_map(Result::err).unwrap();
    assert!(matches!(ended, AdbError::Closed { .. }), "{ended:?}");
    assert!(matches!(link.shell("true", &patience()), Err(AdbError::NotRunning { .. })));
    start(&own);
    assert_eq!(link_to(&own, &device).shell("true", &patience()).unwrap().code, Some(0));
    device.remove_files();
}

#[test]
fn old_and_new_devices_do_what_they_are_asked() {
    let Some(own) = OwnServer::unstarted() else { return };
    start(&own);
    for old in [false, true] {
        let device = TinyDevice::start(old);
        let link = link_to(&own, &device);
        assert_eq!(link.has("shell_v2"), !old);

        let output = link.shell("echo out; echo err >&2; exit 3", &patience()).unwrap();
        match old {
            false => assert_eq!(
                (output.text().as_str(), output.stderr.as_slice(), output.code),
                ("out\n", &b"err\n"[..], Some(3))
            ),
            true => assert_eq!((output.text().as_str(), output.code), ("out\nerr\n", Some(3))),
        }
        let output = link.shell("ls /no/such # a comment", &patience()).unwrap();
        assert!(
            matches!(output.code, Some(1 | 2)) && output.everything().contains("No such file"),
            "{output:?}"
        );
        assert_eq!(link.shell("cat", &patience()).unwrap().stdout, b"", "nothing is typed");
        for text in
            ["'; reboot; '", "$(id)", "`id`", "a\nb\r\n", "%s%n", "😀 שלום \u{202e}x", "", "-n", "*", "\\"]
        {
            let line = command(&["printf", "%s", text]).unwrap();
            // A terminal is said to undo no more than it did.
            assert_eq!(link.shell(&line, &patience()).unwrap().text(), text, "{old}");
        }

        let bytes: Vec<u8> = (0..=255).cycle().take(200_000).collect();
        let file = format!("{FOLDER}/a file'; x");
        link.push(&bytes, &file, 0o644, 1, &patience()).unwrap();
        assert_eq!(link.pull(&file, bytes.len(), &patience()).unwrap(), bytes);
        let stat = link.stat(&file, &patience()).unwrap().unwrap();
        assert!(stat.is_file() && stat.size == 200_000);
        assert_eq!(link.stat(&format!("{FOLDER}/no"), &patience()).unwrap(), None);
        let shown = command(&["cat", &file]).unwrap();
        assert_eq!(link.exec(&shown, &patience()).unwrap(), bytes);
        assert_eq!(link.exec("printf a; printf b # c", &patience()).unwrap(), b"ab");
        assert_eq!(device.files(), ["a file'; x"], "nothing is left behind");
        let missing = link.pull("/no/such", 9, &patience()).unwrap_err();
        assert!(matches!(&missing, AdbError::File { .. }), "{missing}");
        let unwritten = link.push(b"x", "/no/such/folder/x", 0o644, 0, &patience()).unwrap_err();
        assert!(matches!(&unwritten, AdbError::File { .. }), "{unwritten}");

        // What is longer than a packet would end the server, and must not reach it.
        let long = link.shell(&format!("echo {}", "x".repeat(5000)), &patience());
        assert_eq!(matches!(long, Err(AdbError::TooLong { .. })), old, "{long:?}");
        assert!(own.server.version(&patience()).is_ok());
        device.remove_files();
        own.server.disconnect(&device.serial(), &patience()).unwrap();
    }
}

#[test]
fn streams_and_redirections_lead_to_the_device() {
    let Some(own) = OwnServer::unstarted() else { return };
    start(&own);
    let device = TinyDevice::start(false);
    let link = link_to(&own, &device);
    let mut echo = link.tcp(9008, &patience()).unwrap();
    echo.write_all(b"hello", &patience()).unwrap();
    let mut answer = [0; 5];
    echo.read_exact(&mut answer, &patience()).unwrap();
    assert_eq!(&answer, b"hello");
    let silent =
        echo.read_some(&mut answer, &Patience::new(Duration::from_millis(80), &|| false)).unwrap_err();
    assert!(matches!(silent, AdbError::Deadline { .. }), "{silent:?}");
    let closed = link.tcp(9, &patience()).err();
    assert!(matches!(closed, Some(AdbError::Refused { reason: Refusal::Closed, .. })), "{closed:?}");
    device.remove_files();
}

#[test]
fn a_question_costs_little() {
    let Some(own) = OwnServer::unstarted() else { return };
    start(&own);
    for old in [false, true] {
        let device = TinyDevice::start(old);
        let link = link_to(&own, &device);
        let mut times: Vec<Duration> = (0..300)
            .map(|_| {
                let began = Instant::now();
                link.shell(if old { "echo x" } else { "true" }, &patience()).unwrap();
                began.elapsed()
            })
            .collect();
        times.sort();
        println!("a shell, old {old}: median {:?}, 95th percentile {:?}", times[150], times[285]);
        if !old {
            let began = Instant::now();
            let bytes = link.exec("head -c 10400000 /dev/zero", &patience()).unwrap();
            println!("10.4 MB by exec: {} bytes in {:?}", bytes.len(), began.elapsed());
            let file = format!("{FOLDER}/large");
            let began = Instant::now();
            link.push(&bytes, &file, 0o644, 0, &patience()).unwrap();
            println!("pushed in {:?}", began.elapsed());
            let began = Instant::now();
            assert_eq!(link.pull(&file, 20_000_000, &patience()).unwrap().len(), bytes.len());
            println!("pulled in {:?}", began.elapsed());
        }
        device.remove_files();
    }
}
