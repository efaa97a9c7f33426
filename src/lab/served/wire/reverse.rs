//! `reverse:`: registrations of the host for connections from the device.
//!
//! A host counts a registration from the moment of its request, and *aborts* when a device opens any other endpoint. So
//! in addition to the registrations that the device confirmed, the table tracks exactly those that the host assumes.

use std::collections::BTreeMap;

/// Limit on the number of registrations of one host.
const MOST: usize = 256;
/// Limit on the length of a registration's two endpoints together, in bytes.
const LONGEST: usize = 1024;
/// The first port that the device chooses for `tcp:0`.
const FIRST_CHOSEN: u16 = 40_000;

/// The registrations of one connection, which end with it.
#[derive(Default)]
pub(super) struct ReverseTable {
    /// The host's endpoint by the device's.
    forwards: BTreeMap<String, String>,
    /// The registrations that the host assumes, by the endpoint that it requested, so that one `tcp:0` replaces
    /// another.
    believed: BTreeMap<String, String>,
}

impl ReverseTable {
    /// Handles a request after `reverse:` and returns the answer; `None` for requests that no device knows.
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

    /// Removes all registrations of the host.
    pub(super) fn clear(&mut self) {
        self.forwards.clear();
        self.believed.clear();
    }

    /// Whether the device may open this endpoint of the host.
    pub(super) fn allows(&self, host: &str) -> bool {
        self.believed.values().any(|believed| believed == host)
    }

    /// The host's endpoint that is registered for one of the device's.
    pub(super) fn host_of(&self, device: &str) -> Option<String> {
        self.forwards.get(device).cloned()
    }
}

/// A text preceded by its length in four hexadecimal digits.
fn block(text: &str) -> Vec<u8> {
    // The table's limits keep it shorter; a length of five digits would not be understood.
    let text = text.get(..text.len().min(0xffff)).unwrap_or("");
    format!("{:04x}{text}", text.len()).into_bytes()
}

fn fail(text: &str) -> Vec<u8> {
    let text: String = text.chars().take(LONGEST).collect();
    [b"FAIL".to_vec(), block(&text)].concat()
}

#[cfg(test)]
mod tests {
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
}
