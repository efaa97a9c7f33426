//! `taproof devices`: what adb sees, and what to do about what cannot be used.

use std::time::Duration;

use super::{Done, Failure, Outcome, say};
use crate::device::adb::host::{DeviceEntry, Patience};
use crate::device::adb::{link_to, process_lives, put_settings_back, reach_server};

const PATIENCE: Duration = Duration::from_secs(10);

/// List the phones and emulators that adb sees
#[derive(clap::Args)]
pub struct Options {
    /// Connect to a device over the network first, such as 192.168.0.7:5555
    #[arg(long, value_name = "HOST:PORT")]
    connect: Vec<String>,
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(options: &Options) -> Outcome {
    let failed = |error: crate::device::adb::host::AdbError| Failure::BadInput(error.into());
    let server = reach_server(&|| false).map_err(failed)?;
    let never = || false;
    for target in &options.connect {
        server.connect(target, &Patience::new(PATIENCE, &never)).map_err(failed)?;
    }
    let devices = server.devices(&Patience::new(PATIENCE, &never)).map_err(failed)?;
    for device in devices.iter().filter(|device| device.state.is_ready()) {
        // What a program that was killed left changed.
        let restored = link_to(&server, &device.serial)
            .map_err(crate::device::DeviceError::from)
            .and_then(|link| put_settings_back(&link, None, &process_lives, &never));
        match restored {
            Ok(true) => {
                eprintln!("{}: the settings that a killed run had changed are put back", device.serial)
            }
            Ok(false) => {}
            Err(error) => eprintln!("{}: {error}", device.serial),
        }
    }
    if options.json {
        let list: Vec<serde_json::Value> = devices.iter().map(json).collect();
        say(&serde_json::Value::Array(list).to_string());
    } else if devices.is_empty() {
        say(
            "No device. Plug in a phone with USB debugging switched on, start an emulator, or run `taproof phone serve`.",
        );
    } else {
        devices.iter().for_each(|device| say(&line(device)));
    }
    Ok(Done::Fine)
}

fn line(device: &DeviceEntry) -> String {
    let model = device.model.as_deref().unwrap_or("");
    let state = device.state.word();
    let advice = if device.state.is_ready() { "" } else { device.state.advice() };
    format!("{:<24} {state:<14} {model:<24} {advice}", device.serial).trim_end().to_owned()
}

fn json(device: &DeviceEntry) -> serde_json::Value {
    serde_json::json!({
        "serial": device.serial,
        "state": device.state.word(),
        "ready": device.state.is_ready(),
        "model": device.model,
        "advice": device.state.advice(),
    })
}
