//! The served phone as an emulator: behind real adb as `emulator-N`, with a console on port N that saves and loads the
//! whole phone. After a load all connections are cut and the phone announces itself again, as a real one does.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use taproof_adb::host::{AdbLink, AdbServer};
use taproof_engine::device::{AppData, AppId, Build, DeviceSource, SnapshotId};
use taproof_phone::BundledPhones;
use taproof_screen::{Event, Key};
use taproof_served::wire::Listener;
use taproof_served::{Around, Files, Log, Served, Settings, uiautomator2};

use crate::device::adb::{OwnServer, listen, patience, services};

/// What goes wrong at the next loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadFault {
    /// It says no.
    Refused,
    /// It says yes and does nothing.
    Ignored,
    /// The phone comes back elsewhere.
    Elsewhere,
    /// The phone never comes back.
    Gone,
}

struct StateSnapshot {
    device: SnapshotId,
    files: Files,
    log: Log,
    settings: Settings,
    around: Around,
}

#[derive(Default)]
pub struct Script {
    pub fault: Option<LoadFault>,
    /// It refuses to save.
    pub full: bool,
    /// All that was asked for.
    pub asked: Vec<String>,
    saved: BTreeMap<String, StateSnapshot>,
}

/// What the console changes.
struct Machine {
    served: Arc<Served>,
    server: AdbServer,
    adb_port: u16,
    listener: Mutex<Option<Listener>>,
    script: Mutex<Script>,
    stop: AtomicBool,
}

pub struct Emulator {
    pub own: OwnServer,
    pub serial: String,
    machine: Arc<Machine>,
    console: Option<JoinHandle<()>>,
    port: u16,
}

impl Emulator {
    pub fn new(app: &str, build: &Build) -> Option<Emulator> {
        let own = OwnServer::start()?;
        let mut phone = BundledPhones::new(app, build).fresh().unwrap();
        phone.launch(&AppId(app.to_owned()), AppData::Keep).unwrap();
        let served = Arc::new(Served::new(phone));
        let Some((console, port, listener)) = neighbours(&served) else {
            crate::skipped("no two free ports beside each other");
            return None;
        };
        let machine = Arc::new(Machine {
            served,
            server: own.server.clone(),
            adb_port: port + 1,
            listener: Mutex::new(Some(listener)),
            script: Mutex::default(),
            stop: AtomicBool::new(false),
        });
        let work = Arc::clone(&machine);
        let console = std::thread::Builder::new().spawn(move || serve(&console, &work)).unwrap();
        machine.announce();
        let serial = format!("emulator-{port}");
        let emulator = Emulator { own, serial, machine, console: Some(console), port };
        emulator.link().wait_for_device(&patience()).unwrap();
        Some(emulator)
    }

    pub fn served(&self) -> &Arc<Served> {
        &self.machine.served
    }

    pub fn link(&self) -> AdbLink {
        (0..200)
            .find_map(|_| {
                let link = AdbLink::connect(&self.own.server, &self.serial, &patience()).ok();
                if link.is_none() {
                    pause();
                }
                link
            })
            .unwrap()
    }

    pub fn next_loads(&self, fault: Option<LoadFault>) {
        self.machine.script.lock().unwrap().fault = fault;
    }

    pub fn refuse_saves(&self, full: bool) {
        self.machine.script.lock().unwrap().full = full;
    }

    /// The names of the snapshots that it has.
    pub fn names(&self) -> Vec<String> {
        self.machine.script.lock().unwrap().saved.keys().cloned().collect()
    }

    /// How often a command with this word was given.
    pub fn asked(&self, word: &str) -> usize {
        self.machine.script.lock().unwrap().asked.iter().filter(|line| line.contains(word)).count()
    }

    /// A snapshot of somebody.
    pub fn save_as(&self, name: &str) {
        self.machine.save(name);
    }

    /// Switches it on again.
    pub fn start_again(&self) {
        self.machine.listen_again();
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        self.machine.stop.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        if let Some(console) = self.console.take() {
            console.join().unwrap();
        }
    }
}

fn pause() {
    let tick = Duration::from_millis(20);
    assert!(crossbeam_channel::never::<()>().recv_timeout(tick).is_err());
}

/// A console and, on the port above it, a phone.
fn neighbours(served: &Arc<Served>) -> Option<(TcpListener, u16, Listener)> {
    for _ in 0..50 {
        let any = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = any.local_addr().unwrap().port() & !1;
        drop(any);
        let Ok(console) = TcpListener::bind(("127.0.0.1", port)) else { continue };
        if TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return Some((console, port, listen(&services(served), port + 1)));
        }
    }
    None
}

impl Machine {
    /// What an emulator tells the adb server when its phone has started, until it is heard: the server may still hold
    /// the connection that is no more.
    fn announce(&self) {
        let serial = format!("emulator-{}", self.adb_port - 1);
        for _ in 0..200 {
            let address = &self.server.address;
            let Ok(mut stream) = TcpStream::connect((address.host.as_str(), address.port)) else { return };
            let request = format!("host:emulator:{}", self.adb_port);
            stream.write_all(format!("{:04x}{request}", request.len()).as_bytes()).unwrap();
            drop(stream.read_to_end(&mut Vec::new()));
            pause();
            let devices = self.server.devices(&patience()).unwrap_or_default();
            if devices.iter().any(|device| device.serial == serial && device.state.is_ready()) {
                return;
            }
            (0..5).for_each(|_| pause());
        }
    }

    fn listen_again(&self) {
        *self.listener.lock().unwrap() = Some(listen(&services(&self.served), self.adb_port));
        self.announce();
    }

    fn save(&self, name: &str) {
        let mut state = self.served.lock();
        let saved = StateSnapshot {
            device: state.device.save_snapshot().unwrap(),
            files: state.files.clone(),
            log: state.log.clone(),
            settings: state.settings.clone(),
            around: state.around.clone(),
        };
        drop(state);
        self.script.lock().unwrap().saved.insert(name.to_owned(), saved);
    }

    fn load(&self, name: &str, fault: Option<LoadFault>) {
        // It answers first; for a moment the phone is still the one before.
        (0..5).for_each(|_| pause());
        *self.listener.lock().unwrap() = None;
        uiautomator2::stop(&self.served);
        let script = self.script.lock().unwrap();
        let saved = &script.saved[name];
        let mut state = self.served.lock();
        state.device.restore_snapshot(saved.device).unwrap();
        state.files = saved.files.clone();
        state.log = saved.log.clone();
        state.settings.clone_from(&saved.settings);
        state.around = saved.around.clone();
        if fault == Some(LoadFault::Elsewhere) {
            state.device.perform(&Event::Key(Key::Home)).unwrap();
        }
        drop(state);
        drop(script);
        if fault != Some(LoadFault::Gone) {
            (0..5).for_each(|_| pause());
            self.listen_again();
        }
    }

    /// The answer, and what is to be done behind it.
    fn answer(&self, line: &str) -> (String, Option<(String, Option<LoadFault>)>) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut script = self.script.lock().unwrap();
        script.asked.push(line.to_owned());
        let (fault, full) = (script.fault, script.full);
        let known = |name: &str, script: &Script| script.saved.contains_key(name);
        let ok = ("OK\r\n".to_owned(), None);
        match words.as_slice() {
            ["avd", "snapshot", "save", _] if full => ("KO: No space left on device\r\n".to_owned(), None),
            ["avd", "snapshot", "save", name] => {
                drop(script);
                self.save(name);
                ok
            }
            ["avd", "snapshot", "load" | "delete", name] if !known(name, &script) => {
                (format!("KO: Snapshot {name} not found\r\n"), None)
            }
            ["avd", "snapshot", "load", _] if fault == Some(LoadFault::Refused) => {
                ("KO: Device 'cache' does not have the requested snapshot\r\n".to_owned(), None)
            }
            ["avd", "snapshot", "load", _] if fault == Some(LoadFault::Ignored) => ok,
            ["avd", "snapshot", "load", name] => ("OK\r\n".to_owned(), Some(((*name).to_owned(), fault))),
            ["avd", "snapshot", "delete", name] => {
                script.saved.remove(*name);
                ok
            }
            ["avd", "snapshot", "list"] => {
                let row = |(place, name): (usize, &String)| {
                    format!("{place}         {name}    1.9G  2026-09-09 11:41:45   00:01:10.410\r\n")
                };
                let rows: String = script.saved.keys().enumerate().map(row).collect();
                let head = "List of snapshots present on all disks:\r\nID        TAG                 VM SIZE                \
                            DATE       VM CLOCK\r\n";
                (format!("{head}{rows}OK\r\n"), None)
            }
            _ => ("KO: unknown command, try 'help'\r\n".to_owned(), None),
        }
    }
}

fn serve(console: &TcpListener, machine: &Machine) {
    for stream in console.incoming() {
        if machine.stop.load(Ordering::SeqCst) {
            return;
        }
        let mut stream = stream.unwrap();
        drop(stream.write_all(b"Android Console: type 'help' for a list of commands\r\nOK\r\n"));
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        while let Some(Ok(line)) = lines.next() {
            let (answer, behind) = machine.answer(line.trim());
            drop(stream.write_all(answer.as_bytes()));
            if let Some((name, fault)) = behind {
                machine.load(&name, fault);
            }
        }
    }
}
