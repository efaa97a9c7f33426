//! `reverse:`: registrations of the host for connections from the device. They are kept and listed, but nothing on the
//! device connects through them.

use std::collections::BTreeMap;

/// Limit on the number of registrations of one host.
const MOST: usize = 256;
/// Limit on the length of a registration's two endpoints together, in bytes.
const LONGEST: usize = 100;

/// The registrations of one connection, which end with it: the host's endpoint by the device's.
#[derive(Default)]
pub(super) struct ReverseTable(BTreeMap<String, String>);

impl ReverseTable {
    /// Handles a request after `reverse:` and returns the answer; `None` for requests that the device does not know.
    pub(super) fn answer(&mut self, request: &str) -> Option<Vec<u8>> {
        let okay = || b"OKAY".to_vec();
        if request == "list-forward" {
            let lines: String =
                self.0.iter().map(|(device, host)| format!("host {device} {host}\n")).collect();
            return Some(block(&lines));
        }
        if request == "killforward-all" {
            self.0.clear();
            return Some(okay());
        }
        if let Some(device) = request.strip_prefix("killforward:") {
            let known = self.0.remove(device).is_some();
            return Some(if known { okay() } else { fail("listener not found") });
        }
        let asked = request.strip_prefix("forward:")?;
        Some(match asked.split_once(';') {
            // A port that the device would choose, or a registration that must not replace another.
            Some((device, _)) if device == "tcp:0" || device.starts_with("norebind:") => {
                fail("this device only binds the port that it is told")
            }
            Some((device, host)) if !device.is_empty() && !host.is_empty() => {
                if asked.len() > LONGEST || self.0.len() >= MOST {
                    return Some(fail("cannot bind listener: too many or too long"));
                }
                self.0.insert(device.to_owned(), host.to_owned());
                okay()
            }
            Some(_) | None => fail("bad forward"),
        })
    }

    /// Removes all registrations of the host.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// A text preceded by its length in four hexadecimal digits, which the limits of the table suffice for.
fn block(text: &str) -> Vec<u8> {
    format!("{:04x}{text}", text.len()).into_bytes()
}

fn fail(text: &str) -> Vec<u8> {
    [b"FAIL".to_vec(), block(text)].concat()
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
        check(&mut table, "forward:tcp:1;tcp:3", "OKAY");
        check(&mut table, "killforward:tcp:1", "OKAY");
        check(&mut table, "killforward:tcp:1", "FAIL0012listener not found");
        check(&mut table, "killforward-all", "OKAY");
        check(&mut table, "list-forward", "0000");
        check(&mut table, "forward:tcp:1", "FAIL000bbad forward");
        for unknown in ["forward:norebind:tcp:1;tcp:3", "forward:tcp:0;tcp:5"] {
            check(&mut table, unknown, "FAIL002fthis device only binds the port that it is told");
        }
        assert_eq!((table.answer("nonsense"), table.answer("")), (None, None));
    }

    #[test]
    fn a_table_does_not_grow_without_end() {
        let mut table = ReverseTable::default();
        for port in 1..2000 {
            table.answer(&format!("forward:tcp:{port};{}", "x".repeat(85)));
        }
        assert_eq!(table.0.len(), MOST);
        assert!(table.answer("list-forward").unwrap().len() < 0xffff);
        assert!(table.answer(&format!("forward:{};tcp:1", "x".repeat(5000))).unwrap().starts_with(b"FAIL"));
    }
}
