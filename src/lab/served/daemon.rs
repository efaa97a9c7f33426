//! What adb asks of the device's daemon itself rather than of a shell: `reboot:`, `root:`, `remount:` and `tcpip:`.

use std::io::Write;
use std::sync::Arc;

use super::Served;
use super::wire::SocketHandler;

/// What answers a request to the daemon; `None` if it has no such service.
pub(super) fn handler(served: &Arc<Served>, service: &str) -> Option<SocketHandler> {
    let served = Arc::clone(served);
    let old = served.like().old();
    let say = |text: String| -> Option<SocketHandler> {
        // A host that is gone wants no answer.
        Some(Box::new(move |mut stream| stream.write_all(text.as_bytes()).unwrap_or_default()))
    };
    match service.split_once(':')? {
        ("reboot", _) => Some(Box::new(move |stream| {
            served.lock().reboot();
            stream.hang_up();
        })),
        ("root", "") if old => say("adbd is already running as root\n".to_owned()),
        ("root", "") => say("adbd cannot run as root in production builds\n".to_owned()),
        ("remount", _) if old => say("remount succeeded\n".to_owned()),
        ("remount", _) => say("Not running as root. Try \"adb root\" first.\n".to_owned()),
        ("tcpip", port) => match port.parse::<i32>().ok()? {
            port @ 1.. => Some(Box::new(move |mut stream| {
                let text = format!("restarting in TCP mode port: {port}\n");
                let said = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
                served.restart_daemon();
                if said.is_ok() {
                    stream.hang_up();
                }
            })),
            port => say(format!("invalid port {port}\n")),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uiautomator2::tests::Scripted;

    #[test]
    fn what_the_daemon_knows() {
        let served = Arc::new(Served::new(Box::new(Scripted::showing(&[(0, "FrameLayout\n")]))));
        for known in ["reboot:", "reboot:bootloader", "root:", "remount:", "tcpip:-1", "tcpip:5555"] {
            assert!(handler(&served, known).is_some(), "{known}");
        }
        for unknown in ["tcpip:x", "jdwp:1", "reboot", "root:x"] {
            assert!(handler(&served, unknown).is_none(), "{unknown}");
        }
    }
}
