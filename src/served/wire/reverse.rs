//! `reverse:`: what the host wants connected back to it, and the device's way to do so.
//!
//! A host counts a registration from the moment it asks for it, and *aborts* when a device opens anything else.
//! So the table keeps beside what the device answered exactly what the host believes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::listen::Connections;
use super::{DeviceStream, WireError};

/// The most registrations of one host.
const MOST: usize = 256;
/// The longest endpoint, bytes.
const LONGEST: usize = 1024;
/// Where ports begin that the device chooses for `tcp:0`.
const FIRST_CHOSEN: u16 = 40_000;

/// The registrations of one connection; all of them go with it.
#[derive(Default)]
pub(super) struct ReverseTable {
    /// Endpoint of the device, and of the host.
    forwards: BTreeMap<String, String>,
    /// What the host believes: keyed by what it asked for, so that one `tcp:0` replaces the other.
    believed: BTreeMap<String, String>,
}

impl ReverseTable {
    /// Does what the host asks for behind `reverse:`, and what to answer it; `None` for what no device knows.
    pub(super) fn answer(&mut self, request: &str) -> Option<Vec<u8>> {
        if request == "list-forward" {
            let lines = self.forwards.iter().map(|(device, host)| format!("host {device} {host}\n"));
            return Some(block(&lines.collect::<String>()));
        }
        if request == "killforward-all" {
            self.clear();
            return Some(b"OKAY".to_vec());
        }
        if let Some(device) = request.strip_prefix("killforward:") {
            drop(self.believed.remove(device));
            let known = self.forwards.remove(device).is_some();
            return Some(match known {
                true => b"OKAY".to_vec(),
                false => fail(&format!("listener '{device}' not found")),
            });
        }
        let asked = request.strip_prefix("forward:")?;
        let (rebinds, asked) = match asked.strip_prefix("norebind:") {
            Some(asked) => (false, asked),
            None => (true, asked),
        };
        Some(match asked.split_once(';') {
            Some((device, host)) if !device.is_empty() && !host.is_empty() => {
                self.forward(device, host, rebinds)
            }
            Some(_) | None => fail(&format!("bad forward: {asked}")),
        })
    }

    fn forward(&mut self, device: &str, host: &str, rebinds: bool) -> Vec<u8> {
        if !rebinds && self.forwards.contains_key(device) {
            return fail("cannot bind listener: cannot rebind existing socket");
        }
        if device.len() + host.len() > LONGEST || self.forwards.len() >= MOST {
            return fail("cannot bind listener: too many or too long");
        }
        drop(self.believed.insert(device.to_owned(), host.to_owned()));
        if device != "tcp:0" {
            drop(self.forwards.insert(device.to_owned(), host.to_owned()));
            return b"OKAY".to_vec();
        }
        let free = |port: &u16| !self.forwards.contains_key(&format!("tcp:{port}"));
        let Some(port) = (FIRST_CHOSEN..=u16::MAX).find(free) else {
            return fail("cannot bind listener: no port is free");
        };
        drop(self.forwards.insert(format!("tcp:{port}"), host.to_owned()));
        [b"OKAY".to_vec(), block(&port.to_string())].concat()
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.forwards.clear();
        self.believed.clear();
    }

    /// Whether the device may open this endpoint of the host.
    pub(super) fn allows(&self, host: &str) -> bool {
        self.believed.values().any(|believed| believed == host)
    }

    /// The host's endpoint behind one of the device's.
    pub(super) fn host_of(&self, device: &str) -> Option<String> {
        self.forwards.get(device).cloned()
    }
}

/// A text with its length in four hexadecimal digits before it.
fn block(text: &str) -> Vec<u8> {
    // The table's limits keep it below; a length of five digits would not be understood.
    let text = text.get(..text.len().min(0xffff)).unwrap_or("");
    format!("{:04x}{text}", text.len()).into_bytes()
}

fn fail(text: &str) -> Vec<u8> {
    let text: String = text.chars().take(LONGEST).collect();
    [b"FAIL".to_vec(), block(&text)].concat()
}

/// Connects from the device to endpoints that hosts registered by `adb reverse`. Clones share the connections.
#[derive(Clone)]
pub struct ReverseDialer {
    connections: Arc<Connections>,
}

impl ReverseDialer {
    pub(super) fn new(connections: Arc<Connections>) -> ReverseDialer {
        ReverseDialer { connections }
    }

    /// Opens a stream to this endpoint of the host (such as `tcp:27183`), the newest connection that registered it
    /// first. Waits at most 10 seconds. Fails with `NotRegistered` before anything is sent, or with `NotOpened`.
    ///
    /// A host that removes the registration in the very moment in which this asks for it aborts, and no device can
    /// prevent that: dial when an app connects, not in a loop that waits for the host's program.
    pub fn dial(&self, host: &str) -> Result<DeviceStream, WireError> {
        let mut links = self.connections.newest_first().into_iter();
        links.find_map(|link| link.dial(host)).unwrap_or_else(|| Err(not_registered(host)))
    }

    /// The same for an app on the device that connects to this endpoint of the device.
    pub fn dial_from(&self, device: &str) -> Result<DeviceStream, WireError> {
        let links = self.connections.newest_first();
        let dialled = links.iter().find_map(|link| link.dial(&link.reverse_of(device)?));
        dialled.unwrap_or_else(|| Err(not_registered(device)))
    }
}

fn not_registered(endpoint: &str) -> WireError {
    WireError::NotRegistered { endpoint: endpoint.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::super::message::Command;
    use super::super::scripted_host::{ScriptedHost, served};
    use super::*;

    fn check(table: &mut ReverseTable, request: &str, expected: &str) {
        let answer = table.answer(request).map(|answer| String::from_utf8(answer).unwrap());
        assert_eq!(answer.as_deref(), Some(expected), "{request}");
    }

    #[test]
    fn registrations_are_answered_as_devices_do() {
        let mut table = ReverseTable::default();
        check(&mut table, "list-forward", "0000");
        check(&mut table, "forward:tcp:1;tcp:2", "OKAY");
        check(&mut table, "forward:localabstract:scrcpy;tcp:9", "OKAY");
        check(&mut table, "list-forward", "0031host localabstract:scrcpy tcp:9\nhost tcp:1 tcp:2\n");
        let taken = "FAIL0033cannot bind listener: cannot rebind existing socket";
        check(&mut table, "forward:norebind:tcp:1;tcp:3", taken);
        check(&mut table, "forward:tcp:1;tcp:3", "OKAY");
        assert_eq!((table.allows("tcp:3"), table.allows("tcp:2")), (true, false));
        assert_eq!(table.host_of("tcp:1").as_deref(), Some("tcp:3"));
        check(&mut table, "killforward:tcp:1", "OKAY");
        check(&mut table, "killforward:tcp:1", "FAIL001alistener 'tcp:1' not found");
        assert!(!table.allows("tcp:3"));
        check(&mut table, "killforward-all", "OKAY");
        check(&mut table, "list-forward", "0000");
        check(&mut table, "forward:tcp:1", "FAIL0012bad forward: tcp:1");
        assert_eq!((table.answer("nonsense"), table.answer("")), (None, None));
    }

    #[test]
    fn a_chosen_port_is_told_and_the_host_remembers_only_the_last_one() {
        let mut table = ReverseTable::default();
        check(&mut table, "forward:tcp:0;tcp:5", "OKAY000540000");
        check(&mut table, "forward:tcp:0;tcp:6", "OKAY000540001");
        assert_eq!(table.host_of("tcp:40000").as_deref(), Some("tcp:5"));
        assert_eq!((table.allows("tcp:5"), table.allows("tcp:6")), (false, true), "it would abort");
    }

    #[test]
    fn a_table_does_not_grow_without_end() {
        let mut table = ReverseTable::default();
        for port in 1..2000 {
            table.answer(&format!("forward:tcp:{port};tcp:1"));
        }
        assert_eq!((table.forwards.len(), table.believed.len()), (MOST, MOST));
        let long = table.answer(&format!("forward:{};tcp:1", "x".repeat(5000))).unwrap();
        assert!(long.starts_with(b"FAIL"));
    }

    #[test]
    fn the_device_opens_what_was_registered_and_nothing_else() {
        let listener = served();
        let dialer = listener.reverse_dialer();
        let mut host = ScriptedHost::connect(&listener);
        let refused = dialer.dial("tcp:27183").err();
        assert_eq!(refused, Some(WireError::NotRegistered { endpoint: "tcp:27183".to_owned() }));
        assert_eq!(host.ask(1, "reverse:forward:localabstract:x;tcp:27183"), b"OKAY");
        assert!(dialer.dial("tcp:2718").is_err() && dialer.dial_from("tcp:27183").is_err());
        let threads = std::thread::scope(|scope| {
            let dialled = scope.spawn(|| dialer.dial_from("localabstract:x").unwrap());
            let open = host.receive();
            assert_eq!((open.command, open.data.as_slice()), (Command::Open, &b"tcp:27183\0"[..]));
            host.send(Command::Okay, (77, open.arg0), b"");
            let mut stream = dialled.join().unwrap();
            stream.write_all(b"ping").unwrap();
            stream.flush().unwrap();
            assert_eq!(host.receive().data, b"ping");
            host.send(Command::Okay, (77, open.arg0), b"");
            host.send(Command::Write, (77, open.arg0), b"pong");
            let mut pong = [0; 4];
            stream.read_exact(&mut pong).unwrap();
            assert_eq!((&pong, host.receive().command), (b"pong", Command::Okay));
            drop(stream);
            assert_eq!(host.receive().command, Command::Close);
            let dialled = scope.spawn(|| dialer.dial("tcp:27183").err());
            let open = host.receive();
            host.send(Command::Close, (0, open.arg0), b"");
            dialled.join().unwrap()
        });
        assert_eq!(threads, Some(WireError::NotOpened { endpoint: "tcp:27183".to_owned() }));
        assert_eq!(host.ask(2, "reverse:killforward-all"), b"OKAY");
        assert!(dialer.dial("tcp:27183").is_err());
        assert_eq!(host.ask(3, "reverse:forward:tcp:1;tcp:2"), b"OKAY");
        drop(host);
        while listener.connections() > 0 {
            std::thread::yield_now();
        }
        let gone = dialer.dial("tcp:2").err();
        assert_eq!(gone, Some(WireError::NotRegistered { endpoint: "tcp:2".to_owned() }));
    }
}
