//! `taproof-lab phone serve`: serves the bundled phone as an adb device for other tools.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Subcommand, ValueEnum};

use crate::replayed::{Replayed, ReplayedServices};
use taproof::cli::command::{BuildOptions, Failure, Outcome, app_named, print_line};
use taproof_adb::report::DeviceReport;
use taproof_engine::device::{AppData, AppId, DeviceSource};
use taproof_hostile::{HostilePhone, Hostilities};
use taproof_phone::{Apps, BundledPhones};
use taproof_served::wire::{ListenOptions, Listener, Services};
use taproof_served::{Elapsed, Latency, Like, Served, ServedServices, uiautomator2};

/// The bundled phone
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    command: PhoneCommand,
}

#[derive(Subcommand)]
enum PhoneCommand {
    /// Serve the bundled phone as an adb device, until this command is ended
    Serve(ServeOptions),
    /// Serve what `taproof devices report` has written: each question is answered as that device did
    Replay(ReplayOptions),
}

#[derive(clap::Args)]
struct ReplayOptions {
    /// The report
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where to listen; without authentication, so think before it is more than this computer
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:15555")]
    listen: SocketAddr,
    /// Take as long for each answer as that device did
    #[arg(long)]
    as_slow: bool,
}

#[derive(clap::Args)]
struct ServeOptions {
    /// The app in front, by name or package
    #[arg(long, default_value = "files")]
    app: String,
    #[command(flatten)]
    build: BuildOptions,
    /// Where to listen; without authentication, so think before it is more than this computer
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:15555")]
    listen: SocketAddr,
    /// Which Android it answers as
    #[arg(long, value_enum, default_value_t = LikeName::Android14)]
    like: LikeName,
    /// Whether its time passes with yours: sleep 10 then takes ten seconds
    #[arg(long, value_enum, default_value_t = ClockName::Simulated)]
    clock: ClockName,
    /// Takes as long for everything as a typical emulator
    #[arg(long)]
    latency: bool,
    /// Seconds that each start of a virtual machine takes in addition (am, pm, input, settings, uiautomator and others)
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds)]
    slow: f64,
    /// Keys that edit text arrive nowhere, as on a device without an input method
    #[arg(long)]
    keys_lost: bool,
    /// It misbehaves in these ways, as real phones do: kinds from the book, parted by commas, or all
    #[arg(long, value_name = "KIND,KIND|all")]
    hostile: Option<Hostilities>,
    /// What happens by chance on a hostile phone
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The uiautomator2 server runs on it already
    #[arg(long)]
    uiautomator2: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ClockName {
    /// Time passes only by events and waits, and takes none of yours
    Simulated,
    /// Time passes as yours does
    Real,
}

#[derive(Clone, Copy, ValueEnum)]
enum LikeName {
    Android14,
    Android44,
}

fn seconds(text: &str) -> Result<f64, String> {
    const LONGEST: f64 = 3600.0;
    let seconds = text.parse().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds));
    seconds.ok_or_else(|| format!("a number from 0 to {LONGEST} is expected"))
}

/// Runs `taproof-lab phone serve`: a bundled phone with an app, as an adb device.
pub fn run(options: &Options, apps: &Apps) -> Outcome {
    match &options.command {
        PhoneCommand::Serve(options) => serve(options, apps),
        PhoneCommand::Replay(options) => replay(options),
    }
}

fn replay(options: &ReplayOptions) -> Outcome {
    let bad = |problem: String| Failure::BadInput(anyhow::anyhow!("{}: {problem}", options.file.display()));
    let text = std::fs::read_to_string(&options.file).map_err(|error| bad(error.to_string()))?;
    let report = DeviceReport::read(&text).map_err(bad)?;
    let package = report.head.package.clone();
    let replayed = Arc::new(Replayed::of(report, options.as_slow)?);
    listen(
        options.listen,
        Arc::new(ReplayedServices(replayed)),
        package.as_deref().unwrap_or("The device of the report"),
    )
}

fn serve(options: &ServeOptions, apps: &Apps) -> Outcome {
    let app = app_named(apps, &options.app)?.manifest().package;
    let mut phone = BundledPhones::of(apps, app, &options.build.build()).fresh()?;
    if let Some(hostilities) = &options.hostile {
        phone = Box::new(HostilePhone::new(phone, hostilities, options.seed));
    }
    phone.launch(&AppId(app.to_owned()), AppData::Keep)?;
    let like = match options.like {
        LikeName::Android14 => Like::Android14,
        LikeName::Android44 => Like::Android44,
    };
    let latency = if options.latency { Latency::Emulator } else { Latency::Off };
    let served = Served::with(phone, like, latency).slow(Duration::from_secs_f64(options.slow));
    served.lock().faults.keys_lost = options.keys_lost;
    let served = Arc::new(match options.clock {
        ClockName::Simulated => served,
        ClockName::Real => served.in_real_time(since_now()),
    });
    if options.uiautomator2 {
        uiautomator2::start(&served, uiautomator2::PORT).map_err(|error| Failure::BadInput(error.into()))?;
    }
    listen(options.listen, Arc::new(ServedServices(served)), app)
}

/// Serves until this command is ended.
fn listen(address: SocketAddr, services: Arc<dyn Services>, what: &str) -> Outcome {
    let listen = ListenOptions { address, ..ListenOptions::loopback(0) };
    let listener = Listener::bind(&listen, services).map_err(|error| Failure::BadInput(error.into()))?;
    let address = listener.address();
    print_line(&format!("{what} is served at {address}. In another terminal: adb connect {address}"))?;
    if !address.ip().is_loopback() {
        print_line("Whoever reaches this address can use the phone: there is no authentication.")?;
    }
    loop {
        std::thread::park();
    }
}

#[expect(clippy::disallowed_methods, reason = "the phone's time passes as that of its user does")]
fn since_now() -> Elapsed {
    let start = Instant::now();
    Box::new(move || start.elapsed())
}
