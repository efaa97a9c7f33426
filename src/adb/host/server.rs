//! Requests to the adb server itself.

use std::time::Duration;

use super::stream::{AdbStream, parse_length};
use super::{
    AdbError, AskedBy, DeviceEntry, DeviceTracker, Exchange, Patience, Recording, Refusal, ServerAddress,
    ShellOutput, parse_devices,
};

/// An adb server. Every request opens a connection of its own, so this holds none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdbServer {
    /// The host and port that the server listens on.
    pub address: ServerAddress,
    /// Where questions to its devices are recorded.
    recording: Option<Recording>,
}

/// The outcome of connecting a device in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connected {
    /// The device was connected by this request.
    Now,
    /// The device was connected already.
    Before,
}

impl AdbServer {
    /// The server at this address.
    pub fn at(address: ServerAddress) -> Self {
        AdbServer { address, recording: None }
    }

    /// The same server, of which all questions to devices are recorded.
    #[must_use]
    pub fn recorded(&self) -> (AdbServer, Recording) {
        let recording = Recording::default();
        (AdbServer { recording: Some(recording.clone()), ..self.clone() }, recording)
    }

    /// Records a question that was asked since `patience` had run for `before`; nothing is written out if nobody records.
    pub(crate) fn record<T>(
        &self,
        (by, question): (AskedBy, impl std::fmt::Display),
        (patience, before): (&Patience<'_>, Duration),
        answer: &Result<T, AdbError>,
        output: impl FnOnce(&T) -> ShellOutput,
    ) {
        let Some(recording) = &self.recording else { return };
        recording.add(Exchange {
            by,
            question: question.to_string(),
            took: patience.elapsed().saturating_sub(before),
            answer: answer.as_ref().map(output).map_err(Clone::clone),
        });
    }

    /// The server that the environment names (`ADB_SERVER_SOCKET`, or `ANDROID_ADB_SERVER_ADDRESS` and
    /// `ANDROID_ADB_SERVER_PORT`), else the default one of this machine.
    ///
    /// # Errors
    ///
    /// [`AdbError::BadVariable`] if a variable cannot be parsed.
    pub fn from_environment(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, AdbError> {
        Ok(AdbServer::at(ServerAddress::from_environment(variable)?))
    }

    /// The version of the server's protocol, which has been 41 for years.
    pub fn version(&self, patience: &Patience<'_>) -> Result<u32, AdbError> {
        let service = "host:version";
        let answer = self.query(service, patience)?;
        let version =
            answer.first_chunk::<4>().filter(|_| answer.len() == 4).and_then(|digits| parse_length(*digits));
        let garbage =
            || AdbError::garbage(&self.asked(service), "a version of four hexadecimal digits", &answer);
        version.and_then(|version| u32::try_from(version).ok()).ok_or_else(garbage)
    }

    /// Lists the devices that are known to the server now, ready or not.
    pub fn devices(&self, patience: &Patience<'_>) -> Result<Vec<DeviceEntry>, AdbError> {
        Ok(parse_devices(&self.query_text("host:devices-l", patience)?))
    }

    /// Returns a tracker that yields the list of devices now and at every change. The deadline applies only to opening
    /// it; the tracker ends when it is cancelled.
    pub fn track<'a>(&self, patience: &Patience<'a>) -> Result<DeviceTracker<'a>, AdbError> {
        let stream = match self.open("host:track-devices-l", patience) {
            // Older servers offer only the short list.
            Err(AdbError::Refused { reason: Refusal::UnknownService, .. }) => {
                self.open("host:track-devices", patience)?
            }
            opened => opened?,
        };
        Ok(DeviceTracker::new(stream, patience))
    }

    /// Asks the server to connect to a device in the network, `HOST:PORT` or `HOST`.
    ///
    /// # Errors
    ///
    /// [`AdbError::NotConnected`] according to the server's text, since it answers `OKAY` in any case, and the errors
    /// of any request to the server.
    pub fn connect(&self, target: &str, patience: &Patience<'_>) -> Result<Connected, AdbError> {
        let text = self.query_text(&format!("host:connect:{}", place(target)?), patience)?;
        if text.starts_with("already connected to ") {
            Ok(Connected::Before)
        } else if text.starts_with("connected to ") {
            Ok(Connected::Now)
        } else {
            Err(not_connected(target, &text))
        }
    }

    /// Asks the server to pair with a device in the network, `HOST:PORT`, by the code that the device shows. It need not be
    /// connected then.
    ///
    /// # Errors
    ///
    /// [`AdbError::NotPaired`] according to the server's text, since it answers `OKAY` in any case, and the errors of any
    /// request to the server.
    pub fn pair(&self, target: &str, code: &str, patience: &Patience<'_>) -> Result<(), AdbError> {
        let target = place(target)?;
        if code.is_empty() || !code.chars().all(|letter| letter.is_ascii_digit()) {
            let problem = "is no pairing code; the device shows one of six digits";
            return Err(AdbError::BadText { text: super::error::text_excerpt(code), problem });
        }
        let text = self.query_text(&format!("host:pair:{code}:{target}"), patience)?;
        if text.starts_with("Successfully paired to ") { Ok(()) } else { Err(not_paired(target, &text)) }
    }

    /// Asks the server to disconnect a device in the network. It is not an error if the server does not know the
    /// device.
    pub fn disconnect(&self, target: &str, patience: &Patience<'_>) -> Result<(), AdbError> {
        match self.query(&format!("host:disconnect:{}", place(target)?), patience) {
            Ok(_) => Ok(()),
            Err(AdbError::Refused { text, .. }) if text.contains("no such device") => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Opens a stream on which the server has accepted this service.
    pub(super) fn open(&self, service: &str, patience: &Patience<'_>) -> Result<AdbStream, AdbError> {
        let mut stream = AdbStream::connect(&self.address, self.asked(service), patience)?;
        stream.request(service, patience)?;
        Ok(stream)
    }

    /// Sends a request and returns the block that the server answers with.
    pub(super) fn query(&self, service: &str, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
        self.open(service, patience)?.read_block(patience)
    }

    /// As [`AdbServer::query`], as text.
    pub(super) fn query_text(&self, service: &str, patience: &Patience<'_>) -> Result<String, AdbError> {
        Ok(String::from_utf8_lossy(&self.query(service, patience)?).into_owned())
    }

    fn asked(&self, service: &str) -> String {
        format!("{service:?} of the adb server {}", self.address)
    }
}

/// Checks that the target can be part of a request. Fails with [`AdbError::BadText`].
fn place(target: &str) -> Result<&str, AdbError> {
    let problem = if target.is_empty() {
        "is empty; name a host and a port, such as 192.168.0.5:5555"
    } else if target.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
        "has blanks; name a host and a port, such as 192.168.0.5:5555"
    } else {
        return Ok(target);
    };
    Err(AdbError::BadText { text: super::error::text_excerpt(target), problem })
}

fn not_paired(target: &str, text: &str) -> AdbError {
    let advice = if text.contains("Wrong password") || text.contains("connection was dropped") {
        "the code holds only as long as the phone shows it; read it again, and check the address beside it"
    } else {
        "open \u{201c}Pair device with pairing code\u{201d} on the phone, which shows the address and the code, and check \
         that the phone is in the same network"
    };
    AdbError::NotPaired { target: target.to_owned(), text: super::error::clipped(text), advice }
}

fn not_connected(target: &str, text: &str) -> AdbError {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let advice = if has(&["authenticate", "unauthorized"]) {
        "unlock the phone, allow debugging in the question that it shows, and connect again"
    } else if has(&["refused"]) {
        "switch on wireless debugging there, or the emulator, and check the port"
    } else if has(&["resolve", "not known", "bad port", "port"]) {
        "check the name and the port"
    } else {
        "check that the phone is in the same network and that its debugging is switched on"
    };
    AdbError::NotConnected { target: target.to_owned(), text: super::error::clipped(text), advice }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::peer::{Act, Peer, block, refuse, request};
    use super::*;

    const SECONDS: Duration = Duration::from_secs(5);

    fn answered<T>(service: &str, answer: Act, ask: impl FnOnce(&AdbServer, &Patience<'_>) -> T) -> T {
        let peer = Peer::serve(vec![vec![request(service), answer]]);
        let answered = ask(&peer.server, &Patience::new(SECONDS, &|| false));
        peer.finish();
        answered
    }

    #[test]
    fn the_version_is_a_number() {
        let version = |answer: Act| answered("host:version", answer, AdbServer::version);
        assert_eq!(version(block("0029")), Ok(41));
        assert!(matches!(version(block("41")), Err(AdbError::Garbage { .. })));
        assert!(matches!(version(block("")), Err(AdbError::Garbage { .. })));
        assert!(matches!(version(block("0029 ")), Err(AdbError::Garbage { .. })));
    }

    #[test]
    fn devices_are_listed() {
        let listed =
            answered("host:devices-l", block("a    device model:M transport_id:4\n"), AdbServer::devices);
        assert_eq!(listed.unwrap()[0].model.as_deref(), Some("M"));
        let refused = answered("host:devices-l", refuse("device offline"), AdbServer::devices).unwrap_err();
        assert!(matches!(refused, AdbError::Refused { reason: Refusal::Offline, .. }));
    }

    #[test]
    fn a_connection_is_judged_by_the_text() {
        let connect = |text: &str| {
            answered("host:connect:box:5555", block(text), |server, patience| {
                server.connect("box:5555", patience)
            })
        };
        assert_eq!(connect("connected to box:5555"), Ok(Connected::Now));
        assert_eq!(connect("already connected to box:5555"), Ok(Connected::Before));
        let failed = |text: &str| match connect(text) {
            Err(AdbError::NotConnected { advice, .. }) => advice,
            other => panic!("{text}: {other:?}"),
        };
        assert!(failed("failed to connect to 'box:5555': Connection refused").contains("wireless debugging"));
        assert!(failed("failed to authenticate to box:5555").contains("unlock"));
        assert!(failed("failed to resolve host: 'box': Name or service not known").contains("name"));
        assert!(failed("bad port number '99999' in 'box:99999'").contains("port"));
        assert!(failed("").contains("network"));
        let nobody = AdbServer::at(ServerAddress { host: "127.0.0.1".to_owned(), port: 1 });
        for target in ["", "a b", "a\nb", "a\0"] {
            let refused = nobody.connect(target, &Patience::new(SECONDS, &|| false)).unwrap_err();
            assert!(matches!(refused, AdbError::BadText { .. }), "{target:?}: {refused:?}");
        }
    }

    #[test]
    fn a_device_is_paired_by_the_code_that_it_shows() {
        let pair = |text: &str| {
            answered("host:pair:123456:box:37123", block(text), |server, patience| {
                server.pair("box:37123", "123456", patience)
            })
        };
        assert_eq!(pair("Successfully paired to box:37123 [guid=adb-R58M-x]"), Ok(()));
        let failed = |text: &str| match pair(text) {
            Err(AdbError::NotPaired { advice, .. }) => advice,
            other => panic!("{text}: {other:?}"),
        };
        assert!(failed("Failed: Wrong password or connection was dropped.").contains("read it again"));
        assert!(failed("Failed: Unable to start pairing client.").contains("same network"));
        let nobody = AdbServer::at(ServerAddress { host: "127.0.0.1".to_owned(), port: 1 });
        for (target, code) in [("", "123456"), ("box:1", ""), ("box:1", "12 34"), ("box:1", "1:2")] {
            let refused = nobody.pair(target, code, &Patience::new(SECONDS, &|| false)).unwrap_err();
            assert!(matches!(refused, AdbError::BadText { .. }), "{target:?} {code:?}: {refused:?}");
        }
    }

    #[test]
    fn who_is_not_connected_can_be_disconnected() {
        let disconnect = |answer: Act| {
            answered("host:disconnect:box:1", answer, |server, patience| server.disconnect("box:1", patience))
        };
        assert_eq!(disconnect(block("disconnected box:1")), Ok(()));
        assert_eq!(disconnect(refuse("no such device 'box:1'")), Ok(()));
        assert!(disconnect(refuse("something else")).is_err());
    }
}
