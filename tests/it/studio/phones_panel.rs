//! The panel of phones with a scripted adb server: a phone is found, paired by its code, and connected.
#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use taproof_studio::app::{Studio, StudioOptions};
use taproof_studio::state::StudioState;
use taproof_testing::driver::{bundled_phone, click, open_blind, type_into, wait};

/// Set for the process that has the window.
const INSIDE: &str = "TAPROOF_TEST_SCRIPTED_ADB";

/// The window finds its adb server by the environment, which no test may change for its neighbours: it runs in a process
/// of its own.
#[test]
fn a_phone_is_paired_and_connected_in_the_panel() {
    if std::env::var_os(INSIDE).is_some() {
        return use_panel();
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let heard = Arc::clone(&heard);
            std::thread::spawn(move || drop(serve(stream, &heard)));
        }
    });
    let mut window = std::process::Command::new(std::env::current_exe().unwrap());
    window.args([
        "--exact",
        "studio::phones_panel::a_phone_is_paired_and_connected_in_the_panel",
        "--nocapture",
    ]);
    window.env(INSIDE, "1").env("ANDROID_ADB_SERVER_PORT", port);
    window.env_remove("ADB_SERVER_SOCKET").env_remove("ANDROID_ADB_SERVER_ADDRESS");
    let mut window = window.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(window.stdout.take().unwrap()).lines().map(Result::unwrap);
    let passed = lines.filter(|line| line.contains("1 passed")).count();
    assert!(window.wait().unwrap().success() && passed == 1);
    let asked = asked.lock().unwrap();
    assert!(asked.contains(&"host:pair:123456:192.168.0.7:37123".to_owned()), "{asked:?}");
}

/// Answers a request as adb's server does. A phone is there once it is connected, and waits for its owner's consent.
fn serve(mut stream: TcpStream, asked: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = usize::from_str_radix(&String::from_utf8_lossy(&length), 16).unwrap();
    let mut request = vec![0; length];
    stream.read_exact(&mut request)?;
    let request = String::from_utf8(request).unwrap();
    asked.lock().unwrap().push(request.clone());
    let devices = || match asked.lock().unwrap().iter().any(|it| it.starts_with("host:connect:")) {
        true => "192.168.0.7:41235      unauthorized transport_id:1\n".to_owned(),
        false => String::new(),
    };
    match request.as_str() {
        "host:version" => write!(stream, "OKAY00040029"),
        "host:track-devices-l" => {
            write!(stream, "OKAY")?;
            let mut told = None;
            // Ends when the window closes the connection.
            loop {
                let now = devices();
                if told.as_ref() != Some(&now) {
                    write!(stream, "{:04x}{now}", now.len())?;
                    told = Some(now);
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        "host:devices-l" => {
            let now = devices();
            write!(stream, "OKAY{:04x}{now}", now.len())
        }
        "host:pair:123456:192.168.0.7:37123" => {
            let text = "Successfully paired to 192.168.0.7:37123 [guid=adb-1]";
            write!(stream, "OKAY{:04x}{text}", text.len())
        }
        pair if pair.starts_with("host:pair:") => {
            let text = "Failed: Wrong password or connection was dropped.";
            write!(stream, "OKAY{:04x}{text}", text.len())
        }
        "host:connect:192.168.0.7:41235" => {
            let text = "connected to 192.168.0.7:41235";
            write!(stream, "OKAY{:04x}{text}", text.len())
        }
        _ => write!(stream, "FAIL{:04x}unknown", "unknown".len()),
    }
}

fn use_panel() {
    let folder = tempfile::tempdir().unwrap();
    let options = StudioOptions { devices: true, ..bundled_phone(folder.path()) };
    let mut window = open_blind(options);
    wait(&mut window, "the phone", 60, |state| state.mirror.shown.is_some());
    click(&mut window, "App on the phone");
    // The field has the focus, and Enter takes the only app that is found.
    window.event(egui::Event::Text("diary".to_owned()));
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(3);
    assert_eq!(window.state().state.settings.target.app, "org.taproof.diary");
    click(&mut window, "App on the phone");
    click(&mut window, "Look for phones\u{2026}");
    assert!(window.query_by_label_contains("USB debugging").is_some(), "what to do where there is none");
    let pair = |window: &mut Harness<'_, Studio>, code: &str| {
        type_into(window, "Address for pairing", "192.168.0.7:37123");
        type_into(window, "Pairing code", code);
        click(window, "Pair");
        wait(window, "the answer", 60, |state| state.devices.reached.is_some());
        window.state().state.devices.reached.clone().unwrap()
    };
    let wrong = pair(&mut window, "654321").unwrap_err();
    assert!(wrong.contains("read it again"), "{wrong}");
    assert!(pair(&mut window, "123456").is_ok());
    type_into(&mut window, "Address to connect", "192.168.0.7:41235");
    click(&mut window, "Connect");
    let listed = |state: &StudioState| state.devices.list.iter().any(|it| it.serial == "192.168.0.7:41235");
    wait(&mut window, "the phone in the network", 60, listed);
    window.run_steps(2);
    assert!(window.query_by_label_contains("Unauthorized: ").is_some(), "its state and what to do");
}
