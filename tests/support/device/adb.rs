//! The served phone behind a real adb server of this test alone. Without the `adb` program tests that need it say that
//! they are skipped.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use taproof_adb::host::{AdbLink, AdbProgram, AdbServer, Patience, ServerAddress};
use taproof_campaign::{CampaignPlan, ConfirmPlan, DeviceChoice, Finding, Rig, appears, reexecute, units_of};
use taproof_engine::device::{AppData, AppId, Build, Device, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, NoWatcher, PbfdroidConfig, TestTarget};
use taproof_phone::BundledPhones;
use taproof_phone::apps::shipped_specs;
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::{Layout, PxRect, WidgetIdx};
use taproof_served::wire::{ListenOptions, Listener, Services};
use taproof_served::{Latency, Like, Served, ServedServices};

const SECONDS: Duration = Duration::from_secs(60);

pub fn patience() -> Patience<'static> {
    Patience::new(SECONDS, &|| false)
}

/// A port that no other test was given. It lies below those that the system gives to whoever asks for any.
pub fn free_port() -> u16 {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = std::process::id().wrapping_mul(37) + GIVEN.fetch_add(1, Ordering::Relaxed);
        let port = 20_000 + u16::try_from(number % 10_000).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Cancels a campaign on another thread when a test ends, also by a failure, which would wait for its end otherwise.
pub struct CancelOnDrop<'c>(pub &'c CancelToken);

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Property-based fuzzing of Files with its bugs and its shipped specifications.
pub fn files_plan(device: DeviceChoice, events: u64) -> CampaignPlan {
    let specs: Vec<SpecSource> =
        shipped_specs("files").map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    CampaignPlan {
        device,
        spec: Arc::new(read_specs(&specs).unwrap()),
        seed: 3,
        confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new("org.taproof.files", EngineConfig::Pbfdroid(PbfdroidConfig::default()), events)
    }
}

/// The catalogued bugs that findings are attributed to: those without which a finding's shortest trace shows it no more. A
/// device cannot switch its bugs off, but the bundled phone behind it can.
pub fn bugs_behind<'f>(plan: &CampaignPlan, findings: impl Iterator<Item = &'f Finding>) -> BTreeSet<String> {
    let mut phones = BundledPhones::new(&plan.app, &plan.build);
    let settings = plan.engines[0].settings();
    let target = TestTarget::new(&plan.app, &plan.spec, settings.guards_data());
    let rig = Rig { target: &target, policy: settings.run_policy(), guarded: false, cancelled: &|| false };
    let catalogue = phones.switchable_bugs();
    let mut bugs = BTreeSet::new();
    for finding in findings.filter(|finding| finding.reference.is_none()) {
        let trace = &finding.minimal.trace;
        let units = units_of(trace, trace.len());
        let mut shows = |off: &[String]| {
            let mut phone = phones.fresh_without(off).unwrap();
            let rerun = reexecute(&mut *phone, rig, &units, None, &mut NoWatcher).unwrap();
            appears(&rerun.reported, &finding.origin).is_some()
        };
        assert!(shows(&[]), "what never came back was told: {:?} {}", finding.confirmation, finding.title);
        assert!(!shows(&catalogue), "no catalogued bug is behind {}", finding.title);
        bugs.extend(catalogue.iter().filter(|bug| !shows(std::slice::from_ref(*bug))).cloned());
    }
    bugs
}

/// A server that nobody else uses; it is killed with this.
pub struct OwnServer {
    pub server: AdbServer,
    pub program: AdbProgram,
}

impl OwnServer {
    pub fn start() -> Option<OwnServer> {
        // A program that starts many servers at once fails now and then; another port does.
        let mut failed = Vec::new();
        while failed.len() < 5 {
            let own = OwnServer::unstarted()?;
            match own.server.start(&own.program, &patience()) {
                Ok(_) => return Some(own),
                Err(error) => failed.push(error.to_string()),
            }
        }
        panic!("no adb server can be started: {failed:?}");
    }

    /// Starts it again, at the same port.
    pub fn start_again(&self) {
        let limit = patience();
        while let Err(error) = self.server.start(&self.program, &limit) {
            limit
                .pause(Duration::from_millis(100), "the server to start")
                .unwrap_or_else(|_| panic!("{error}"));
        }
    }

    /// One that does not run yet.
    pub fn unstarted() -> Option<OwnServer> {
        let variable = |name: &str| std::env::var(name).ok();
        let Ok(mut program) = AdbProgram::find(None, &variable) else {
            crate::skipped("no adb");
            return None;
        };
        // It is to find our devices alone.
        program.variables =
            ["ADB_MDNS", "ADB_USB", "ADB_EMU"].map(|name| (name.to_owned(), "0".to_owned())).to_vec();
        let address = ServerAddress { host: "127.0.0.1".to_owned(), port: free_port() };
        Some(OwnServer { server: AdbServer::at(address), program })
    }

    pub fn port(&self) -> String {
        self.server.address.port.to_string()
    }

    /// Runs the program with these words; what it printed on both, and its exit code.
    pub fn adb(&self, words: &[&str]) -> (Vec<u8>, String, Option<i32>) {
        let mut command = std::process::Command::new(&self.program.path);
        command.args(["-P", &self.port()]).args(words).envs(self.program.variables.iter().cloned());
        let output = command.output().unwrap();
        (output.stdout, String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code())
    }

    pub fn kill(&self) {
        self.adb(&["kill-server"]);
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The bundled phone with an app in front, served and connected.
pub struct ServedPhone {
    pub own: OwnServer,
    pub served: Arc<Served>,
    services: Arc<dyn Services>,
    pub listener: Option<Listener>,
    pub serial: String,
}

impl ServedPhone {
    pub fn with(app: &str, build: &Build, like: Like, latency: Latency) -> Option<ServedPhone> {
        let mut phone = BundledPhones::new(app, build).fresh().unwrap();
        phone.launch(&AppId(app.to_owned()), AppData::Keep).unwrap();
        ServedPhone::of(phone, like, latency)
    }

    /// A phone on which each start of a virtual machine takes this long, and everything else as long as on a typical
    /// device. All waits are only told by its clock.
    pub fn slow(app: &str, like: Like, start: std::time::Duration) -> Option<ServedPhone> {
        ServedPhone::starting_in(app, (like, Latency::Told), start)
    }

    /// As [`ServedPhone::slow`], with waits of this kind.
    pub fn starting_in(
        app: &str,
        (like, latency): (Like, Latency),
        start: std::time::Duration,
    ) -> Option<ServedPhone> {
        let mut phone = BundledPhones::new(app, &Build::Faulty).fresh().unwrap();
        phone.launch(&AppId(app.to_owned()), AppData::Keep).unwrap();
        let served = Arc::new(Served::with(phone, like, latency).slow(start));
        let services = services(&served);
        ServedPhone::by(served, services)
    }

    /// Any device, served and connected.
    pub fn of(device: Box<dyn Device>, like: Like, latency: Latency) -> Option<ServedPhone> {
        let served = Arc::new(Served::with(device, like, latency));
        let services = services(&served);
        ServedPhone::by(served, services)
    }

    /// A served device by way of these services, connected.
    pub fn by(served: Arc<Served>, services: Arc<dyn Services>) -> Option<ServedPhone> {
        let own = OwnServer::start()?;
        // Whoever asks for any port could get that of a phone that is away.
        let listener = listen(&services, free_port());
        let serial = listener.address().to_string();
        own.server.connect(&serial, &patience()).unwrap();
        let link = AdbLink::connect(&own.server, &serial, &patience()).unwrap();
        link.wait_for_device(&patience()).unwrap();
        Some(ServedPhone { own, served, services, listener: Some(listener), serial })
    }

    pub fn new(app: &str) -> Option<ServedPhone> {
        ServedPhone::with(app, &Build::Faulty, Like::default(), Latency::default())
    }

    pub fn link(&self) -> AdbLink {
        AdbLink::connect(&self.own.server, &self.serial, &patience()).unwrap()
    }

    /// Runs the program for this device.
    pub fn adb(&self, words: &[&str]) -> (Vec<u8>, String, Option<i32>) {
        self.own.adb(&[&["-s", &self.serial], words].concat())
    }

    /// Its text, where it succeeded.
    pub fn text(&self, words: &[&str]) -> String {
        let (out, err, code) = self.adb(words);
        assert_eq!(code, Some(0), "{words:?}: {} {err}", String::from_utf8_lossy(&out));
        String::from_utf8(out).unwrap()
    }

    /// The device says nothing any more: the server calls it offline.
    pub fn silence(&self) {
        self.listener.as_ref().unwrap().set_mute(true);
    }

    /// It speaks again.
    pub fn speak(&self) {
        self.listener.as_ref().unwrap().set_mute(false);
        drop(self.own.server.connect(&self.serial, &patience()));
    }

    /// Cuts the cable.
    pub fn unplug(&mut self) {
        self.listener = None;
    }

    /// Plugs it in again. The server is not told to connect to it.
    pub fn plug(&mut self) {
        let port = self.serial.rsplit(':').next().unwrap().parse().unwrap();
        self.listener = Some(listen(&self.services, port));
    }

    /// Has the server connect to it. A server that has not yet noticed that it was away calls it connected, and notices
    /// then: so it is told again until the device is ready.
    pub fn connect(&self) {
        let limit = patience();
        loop {
            drop(self.own.server.connect(&self.serial, &limit));
            let ready = AdbLink::connect(&self.own.server, &self.serial, &limit)
                .and_then(|link| link.shell("true", &limit.within(Duration::from_secs(2))));
            if ready.is_ok() {
                return;
            }
            limit.pause(Duration::from_millis(100), "the device to be connected again").unwrap();
        }
    }
}

pub fn listen(services: &Arc<dyn Services>, port: u16) -> Listener {
    Listener::bind(&ListenOptions::loopback(port), Arc::clone(services)).unwrap()
}

/// The services of a phone as they are.
pub fn services(served: &Arc<Served>) -> Arc<dyn Services> {
    Arc::new(ServedServices(Arc::clone(served)))
}

/// Where a widget with these words is.
pub fn find(layout: &Layout, words: &str) -> PxRect {
    let has = |(_, widget): &(WidgetIdx, &taproof_screen::Widget)| {
        &*widget.text == words || &*widget.content_desc == words
    };
    layout.iter().find(has).unwrap_or_else(|| panic!("no {words:?}")).1.bounds
}
