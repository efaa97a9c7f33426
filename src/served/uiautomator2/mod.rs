//! The uiautomator2 server (openatx, as python uiautomator2 3.7.1 pushes and starts it) of a served device:
//! HTTP on a stream (`http`), JSON-RPC in it (`rpc`), and one file for each kind of call.
//!
//! Knows nothing of adb: whoever serves the device starts the server when its shell line comes, hands over
//! the streams to its port and stops it when that shell ends. It reads the device through `Device::observe`
//! and acts on it through `Device::perform` alone, so the device's clock moves by input and by waits that a
//! client asks for, never by itself. Between two steps of a wait the device is free for others.

mod criteria;
mod hierarchy;
mod http;
mod input;
mod kept;
mod keys;
mod object;
mod params;
mod picture;
mod rpc;
mod scroll;
mod selector;
mod system;
#[cfg(test)]
pub(super) mod testing;
mod waiting;

use std::collections::BTreeMap;

use super::{Automation, Held, Memory, Served, State};
use taproof_core::determinism::DeviceInstant;
use taproof_core::device::DeviceError;
use taproof_core::model::{Event, Gesture, PxPoint, PxSize, Selector, Target};

use rpc::RpcError;
use selector::Selector as UiSelector;

pub use http::serve;
#[cfg(feature = "scrcpy")]
pub(super) use keys::key_event;

/// The port that clients ask for unless told otherwise.
pub const PORT: u16 = 9008;

/// How many objects that a client named the server keeps; the oldest goes first.
const MOST_OBJECTS: usize = 1000;
/// What they may take together, in bytes: the heap of the server's process.
const HEAP_BYTES: u64 = 64 << 20;

/// Objects are named like the random ids that Android gives, by numbers that are the same in every run.
const OBJECT_NAME: &str = "00000000-0000-4000-8000-";

/// The server cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// Another one holds the device's only connection for automation. Clients look for Android's own words.
    #[error(
        "java.lang.IllegalStateException: UiAutomationService \
         android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5deffd5already registered!"
    )]
    AlreadyRegistered,
    /// The command names no port.
    #[error("Invalid port: {port}. Must be an integer between 1 and 65535.")]
    InvalidPort {
        /// What it names.
        port: String,
    },
}

/// What the server keeps between calls.
pub struct Session {
    /// Where it listens, once started.
    port: Option<u16>,
    /// The finger that is down, put there by `injectInputEvent`.
    pointer: Option<Pointer>,
    /// Objects that a client named, by their number.
    objects: BTreeMap<u64, (UiSelector, Held)>,
    heap: Memory,
    next_object: u64,
    /// The last toast that a client showed. Devices tell of none.
    last_toast: Option<String>,
    /// Whether the screen is on. It only says so: a dark screen takes input like any other.
    screen_on: bool,
}

impl Session {
    /// What a server keeps when it begins, in a heap of its own of this memory.
    pub(super) fn new(memory: &Memory) -> Self {
        Session::with_heap(memory.part(HEAP_BYTES))
    }

    fn with_heap(heap: Memory) -> Self {
        Session {
            port: None,
            pointer: None,
            objects: BTreeMap::new(),
            heap,
            next_object: 1,
            last_toast: None,
            screen_on: true,
        }
    }
}

/// A finger on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pointer {
    /// Where it was put down.
    from: PxPoint,
    /// The screen at that time.
    screen: PxSize,
    /// When it was put down.
    since: DeviceInstant,
    /// How often it moved since.
    moves: u32,
    /// Whether it left the place.
    strayed: bool,
}

impl Session {
    /// Keeps an object and gives it the name under which a client finds it again.
    fn keep(&mut self, selector: UiSelector) -> Result<String, RpcError> {
        let held = self.heap.take(selector.bytes()).map_err(|_| RpcError::OutOfMemory)?;
        let number = self.next_object;
        self.next_object += 1;
        self.objects.insert(number, (selector, held));
        while self.objects.len() > MOST_OBJECTS {
            self.objects.pop_first();
        }
        Ok(format!("{OBJECT_NAME}{number:012x}"))
    }

    /// The object of that name.
    fn kept(&self, name: &str) -> Option<&UiSelector> {
        self.objects.get(&object_number(name)?).map(|(selector, _)| selector)
    }

    /// Forgets the object of that name.
    fn forget(&mut self, name: &str) {
        if let Some(number) = object_number(name) {
            self.objects.remove(&number);
        }
    }
}

fn object_number(name: &str) -> Option<u64> {
    u64::from_str_radix(name.strip_prefix(OBJECT_NAME)?, 16).ok()
}

/// Which port the words behind `com.wetest.uia2.Main` name (`-p 9008`); the usual one if none.
pub fn port_of(arguments: &[&str]) -> Result<u16, StartError> {
    let named = arguments.iter().position(|word| ["-p", "--port"].contains(word));
    let Some(named) = named else { return Ok(PORT) };
    let port = arguments.get(named + 1).copied().unwrap_or("");
    match port.parse() {
        Ok(port) if port > 0 => Ok(port),
        _ => Err(StartError::InvalidPort { port: port.to_owned() }),
    }
}

/// Starts the server and gives what it prints. Whoever started it stops it when the shell that runs it ends.
pub fn start(served: &Served, port: u16) -> Result<String, StartError> {
    let mut state = served.lock();
    if state.automation != Automation::Free {
        return Err(StartError::AlreadyRegistered);
    }
    state.automation = Automation::Uiautomator2;
    state.uiautomator2.port = Some(port);
    Ok(format!(
        "[server] INFO: [UiAutomator2Server] Starting Server\n\
         [server] INFO: http server listening on *:{port}\n"
    ))
}

/// Stops the server, if it runs. What it kept is gone; whether the screen is on is not its own.
pub fn stop(served: &Served) {
    stop_server(&mut served.lock());
}

fn stop_server(state: &mut State) {
    if state.automation == Automation::Uiautomator2 {
        state.automation = Automation::Free;
    }
    let session = &mut state.uiautomator2;
    let (screen_on, heap) = (session.screen_on, session.heap.clone());
    *session = Session { screen_on, ..Session::with_heap(heap) };
}

/// Whether a connection to this port of the device is taken: the server runs and listens there.
pub fn accepts(served: &Served, port: u16) -> bool {
    let state = served.lock();
    runs(&state) && state.uiautomator2.port == Some(port)
}

fn runs(state: &State) -> bool {
    state.automation == Automation::Uiautomator2
}

/// Replaces the content of the field in focus; nothing happens without one.
pub(super) fn set_focused(state: &mut State, text: String) -> Result<(), DeviceError> {
    let layout = state.device.observe()?.layout;
    let Some(field) = layout.widgets().iter().find(|widget| widget.is_focused_field()) else { return Ok(()) };
    let (selector, at, screen) = (Selector::default(), field.bounds.center(), layout.screen());
    let target = Target { selector, at, screen };
    state.device.perform(&Event::Widget { target, gesture: Gesture::SetText(text) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_automation_at_a_time() {
        let served = testing::served("FrameLayout\n");
        stop(&served);
        assert!(!accepts(&served, PORT));
        assert!(start(&served, PORT).unwrap().contains("Starting Server"));
        assert!(accepts(&served, PORT) && !accepts(&served, 9009));
        let again = start(&served, PORT).unwrap_err();
        assert!(again.to_string().contains("already registered"), "the python client looks for it");
        stop(&served);
        assert!(!accepts(&served, PORT));
        assert!(start(&served, 9009).is_ok() && accepts(&served, 9009));
    }

    #[test]
    fn the_port_of_the_shell_line() {
        assert_eq!(port_of(&[]), Ok(PORT));
        assert_eq!(port_of(&["-p", "9100"]), Ok(9100));
        for bad in ["0", "65536", "x", ""] {
            assert_eq!(port_of(&["-p", bad]), Err(StartError::InvalidPort { port: bad.to_owned() }));
        }
        assert!(port_of(&["-p"]).is_err());
    }

    #[test]
    fn kept_objects_are_bounded() {
        let memory = Memory::of_device();
        let mut session = Session::new(&memory);
        let first = session.keep(UiSelector::default()).unwrap();
        assert!(session.kept(&first).is_some());
        for _ in 0..MOST_OBJECTS {
            session.keep(UiSelector::default()).unwrap();
        }
        assert!(session.kept(&first).is_none());
        let long = UiSelector::saying(&"x".repeat(4 << 20), false);
        let kept: Vec<_> = (0..MOST_OBJECTS).map_while(|_| session.keep(long.clone()).ok()).collect();
        assert_eq!(kept.len(), 15, "as many as the heap has room for");
        assert!(memory.used() <= HEAP_BYTES);
        session.forget(&kept[0]);
        session.keep(long).unwrap();
        assert!(session.kept("").is_none() && session.kept("00000000-0000-4000-8000-zz").is_none());
    }
}
