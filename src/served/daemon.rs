//! What adb asks of the device's daemon itself rather than of a shell: `reboot:`, `root:`, `remount:` and `tcpip:`.

use std::io::Write;

use super::wire::DeviceStream;
use super::{Like, Served};

/// A request to the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DaemonRequest {
    /// The device starts anew.
    Reboot,
    /// The daemon starts anew once it has said this. The device stays reachable where it was.
    Restart(String),
    /// The daemon only says this.
    Say(String),
}

impl DaemonRequest {
    /// Parses the name of a service; `None` if it is another one, or one that this version does not have.
    pub fn parse(service: &str, like: Like) -> Option<DaemonRequest> {
        let say = |text: &str| Some(DaemonRequest::Say(format!("{text}\n")));
        match service.split_once(':')? {
            ("reboot", _) => Some(DaemonRequest::Reboot),
            ("root", "") if like.old() => say("adbd is already running as root"),
            ("root", "") => say("adbd cannot run as root in production builds"),
            ("remount", _) if like.old() => say("remount succeeded"),
            ("remount", _) => say("Not running as root. Try \"adb root\" first."),
            ("tcpip", port) => match port.parse::<i32>() {
                Ok(port) if port > 0 => {
                    Some(DaemonRequest::Restart(format!("restarting in TCP mode port: {port}\n")))
                }
                Ok(port) => say(&format!("invalid port {port}")),
                Err(_) => None,
            },
            _ => None,
        }
    }

    /// Answers the request and carries it out.
    pub fn run(self, served: &Served, mut stream: DeviceStream) {
        let (text, ends) = match self {
            DaemonRequest::Reboot => {
                served.lock().reboot();
                return stream.hang_up();
            }
            DaemonRequest::Restart(text) => (text, true),
            DaemonRequest::Say(text) => (text, false),
        };
        // A host that is gone does not want the answer.
        let said = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
        if ends {
            served.restart_daemon();
            if said.is_ok() {
                stream.hang_up();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_has_its_own_requests() {
        let say = |text: &str| Some(DaemonRequest::Say(text.to_owned()));
        for (service, new, old) in [
            ("reboot:", Some(DaemonRequest::Reboot), Some(DaemonRequest::Reboot)),
            ("reboot:bootloader", Some(DaemonRequest::Reboot), Some(DaemonRequest::Reboot)),
            (
                "root:",
                say("adbd cannot run as root in production builds\n"),
                say("adbd is already running as root\n"),
            ),
            ("tcpip:-1", say("invalid port -1\n"), say("invalid port -1\n")),
            ("tcpip:x", None, None),
            ("jdwp:1", None, None),
            ("reboot", None, None),
        ] {
            assert_eq!(DaemonRequest::parse(service, Like::Android14), new, "{service}");
            assert_eq!(DaemonRequest::parse(service, Like::Android44), old, "{service}");
        }
        let restart = DaemonRequest::parse("tcpip:5555", Like::Android14);
        assert_eq!(restart, Some(DaemonRequest::Restart("restarting in TCP mode port: 5555\n".to_owned())));
    }
}
