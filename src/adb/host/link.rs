//! The link to one device through the server.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::checksum::{with_checksum, without_checksum};
use super::error::{command_excerpt, text_excerpt};
use super::exec::Scratch;
use super::patience::whole_millis;
use super::shell::{read_packets, with_trailer, without_trailer};
use super::stream::LONGEST_REQUEST;
use super::{AdbError, AdbServer, AdbStream, AskedBy, DeviceState, Patience, ShellOutput};

/// The longest service name that a device without `shell_v2` takes: its packets hold 4096 bytes, including a NUL. A
/// longer request crashes the server.
const LONGEST_OLD_SERVICE: usize = 4095;

/// Default limit on a command's output in bytes; enough for pictures of the largest screens.
const OUTPUT_LIMIT: usize = 64 << 20;

/// One device of a server. Every call opens a connection of its own, so clones and threads do not disturb each other,
/// and a device that was reconnected needs no new link.
#[derive(Clone, Debug)]
pub struct AdbLink {
    /// The server that the device is connected to.
    pub server: AdbServer,
    /// The serial by which the server knows the device.
    pub serial: String,
    /// The device's features, such as `shell_v2`. Empty on old devices.
    pub features: BTreeSet<String>,
    /// Whether the output of the device's shell is checked against a checksum.
    pub(super) checksums: bool,
    /// Limit on a command's output in bytes.
    pub output_limit: usize,
    pub(super) scratch: Arc<Scratch>,
}

impl AdbLink {
    /// Creates a link to a device that is ready.
    ///
    /// # Errors
    ///
    /// [`AdbError::Refused`] if the device is not ready, and the errors of any request to the server.
    pub fn connect(server: &AdbServer, serial: &str, patience: &Patience<'_>) -> Result<Self, AdbError> {
        let mut link = AdbLink::of(server.clone(), serial);
        link.refresh_features(patience)?;
        Ok(link)
    }

    /// Creates a link without asking the device for its features.
    pub(super) fn of(server: AdbServer, serial: &str) -> Self {
        let (features, scratch) = (BTreeSet::new(), Arc::default());
        AdbLink {
            server,
            serial: serial.to_owned(),
            features,
            checksums: false,
            output_limit: OUTPUT_LIMIT,
            scratch,
        }
    }

    /// Queries the device's features again. They may change with an update or another device with this serial.
    pub fn refresh_features(&mut self, patience: &Patience<'_>) -> Result<(), AdbError> {
        let before = patience.elapsed();
        let list = self.server.query_text(&format!("host-serial:{}:features", self.serial), patience);
        let output = |list: &String| ShellOutput::of(list.as_bytes());
        self.server.record((AskedBy::Service, "features"), (patience, before), &list, output);
        let list = list?;
        let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
        self.features = names.map(str::to_owned).collect();
        Ok(())
    }

    /// From now on checks the output of shell commands against a checksum. Returns false if the device cannot compute
    /// one, as before Android 6.
    ///
    /// # Errors
    ///
    /// [`AdbError::Garbled`] if the device reports other features than before, and the errors of any request to the
    /// device.
    pub fn ask_for_checksums(&mut self, patience: &Patience<'_>) -> Result<bool, AdbError> {
        let features = self.features.clone();
        self.refresh_features(patience)?;
        if self.features != features {
            return Err(AdbError::Garbled { what: format!("the features of {}", self.serial) });
        }
        // The answer itself may be garbled, so a single mismatch does not prove that the device cannot compute
        // checksums.
        for _ in 0..2 {
            match self.shell_with_checksum("echo taproof", patience) {
                Ok(_) => {
                    self.checksums = true;
                    return Ok(true);
                }
                Err(AdbError::Garbled { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Whether the device has this feature.
    pub fn has(&self, feature: &str) -> bool {
        self.features.contains(feature)
    }

    /// Waits until the device is connected and ready.
    ///
    /// # Errors
    ///
    /// [`AdbError::NotReady`] with the last known state at the deadline, [`AdbError::Closed`] or
    /// [`AdbError::NotRunning`] if the server is gone, and [`AdbError::Cancelled`].
    pub fn wait_for_device(&self, patience: &Patience<'_>) -> Result<(), AdbError> {
        let mut last = None;
        let mut tracker = match self.server.track(patience) {
            Err(AdbError::Deadline { limit, .. }) => return Err(self.not_ready(last, limit)),
            tracker => tracker?,
        };
        while let Some(list) = tracker.wait(patience)? {
            last = list.into_iter().find(|entry| entry.serial == self.serial).map(|entry| entry.state);
            if last.as_ref().is_some_and(DeviceState::is_ready) {
                return Ok(());
            }
        }
        Err(self.not_ready(last, patience.elapsed()))
    }

    /// Opens a stream to a TCP port of the device, without forwarding a port of this machine.
    pub fn tcp(&self, port: u16, patience: &Patience<'_>) -> Result<AdbStream, AdbError> {
        self.open(&format!("tcp:{port}"), patience)
    }

    /// Opens a service of the device, such as `sync:`. The stream then carries that service's protocol.
    ///
    /// # Errors
    ///
    /// [`AdbError::Refused`], [`AdbError::TooLong`], and the errors of any request to the server.
    pub fn open(&self, service: &str, patience: &Patience<'_>) -> Result<AdbStream, AdbError> {
        self.open_as(service, format!("{} on {}", text_excerpt(service), self.serial), patience)
    }

    /// Runs a command in the device's shell. Without `shell_v2`, standard error is merged into the output. Line ends
    /// are those of the command, not of the terminal. A command that fails is not an error: see its exit code. An empty
    /// command succeeds without the device, since some shells refuse an empty list of commands.
    ///
    /// # Errors
    ///
    /// [`AdbError::TooMuch`] if the output exceeds the limit, [`AdbError::Closed`] if the device goes away,
    /// [`AdbError::Garbled`] if the output does not match its checksum, and the errors of any request to the server.
    pub fn shell(&self, command: &str, patience: &Patience<'_>) -> Result<ShellOutput, AdbError> {
        if command.trim().is_empty() {
            return Ok(ShellOutput { stdout: Vec::new(), stderr: Vec::new(), code: Some(0) });
        }
        let before = patience.elapsed();
        let answer = match self.checksums {
            true => self.shell_with_checksum(command, patience),
            false => self.run(command, command, patience),
        };
        self.server.record((AskedBy::Shell, command), (patience, before), &answer, ShellOutput::clone);
        answer
    }

    /// The same link without checksums, which cannot be computed of output with NUL.
    #[must_use]
    pub fn without_checksums(&self) -> AdbLink {
        AdbLink { checksums: false, ..self.clone() }
    }

    fn shell_with_checksum(&self, command: &str, patience: &Patience<'_>) -> Result<ShellOutput, AdbError> {
        let lines = with_checksum(command, !self.has("shell_v2"));
        let output = self.run(&lines, command, patience)?;
        let garbled = || AdbError::Garbled { what: self.named(command) };
        without_checksum(output).ok_or_else(garbled)
    }

    /// How errors name a command.
    pub(crate) fn named(&self, command: &str) -> String {
        format!("{} on {}", command_excerpt(command), self.serial)
    }

    /// Runs shell lines that errors name as the command `named`.
    fn run(&self, command: &str, named: &str, patience: &Patience<'_>) -> Result<ShellOutput, AdbError> {
        let what = self.named(named);
        if self.has("shell_v2") {
            let mut stream = self.open_as(&format!("shell,v2,TERM=xterm,raw:{command}"), what, patience)?;
            return read_packets(&mut stream, self.output_limit, patience);
        }
        let mut stream = self.open_as(&format!("shell:{}", with_trailer(command)), what.clone(), patience)?;
        let bytes = stream.read_to_end(self.output_limit, patience)?;
        without_trailer(&bytes).ok_or(AdbError::Closed { what })
    }

    /// Opens a service. Errors name `what` it is for.
    pub(crate) fn open_as(
        &self,
        service: &str,
        what: String,
        patience: &Patience<'_>,
    ) -> Result<AdbStream, AdbError> {
        let limit = if self.has("shell_v2") { LONGEST_REQUEST } else { LONGEST_OLD_SERVICE };
        if service.len() > limit {
            return Err(AdbError::TooLong { what, length: service.len(), limit });
        }
        if service.contains('\0') {
            let problem = "holds a NUL character, which ends a request";
            return Err(AdbError::BadText { text: text_excerpt(service), problem });
        }
        let before = patience.elapsed();
        let opened = AdbStream::connect(&self.server.address, what, patience).and_then(|mut stream| {
            stream.request(&format!("host:transport:{}", self.serial), patience)?;
            stream.request(service, patience).map(|()| stream)
        });
        if !service.starts_with("shell") && !service.starts_with("exec:") {
            let nothing = |_: &AdbStream| ShellOutput::of(b"");
            self.server.record((AskedBy::Service, service), (patience, before), &opened, nothing);
        }
        opened
    }

    fn not_ready(&self, last: Option<DeviceState>, limit: Duration) -> AdbError {
        let (state, advice) = match &last {
            Some(state) => (state.word().to_owned(), state.advice()),
            None => ("it is not connected".to_owned(), "plug it in, or start the emulator"),
        };
        AdbError::NotReady { serial: self.serial.clone(), state, advice, limit: whole_millis(limit) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Refusal;
    use super::super::tests::peer::{Act, Peer, block, device_service, okay, refuse, request};
    use super::*;

    const SECONDS: Duration = Duration::from_secs(5);

    #[test]
    fn features_are_a_set_of_names() {
        let features = |list: &str| {
            let peer = Peer::serve(vec![vec![request("host-serial:a:features"), block(list)]]);
            let link = AdbLink::connect(&peer.server, "a", &Patience::new(SECONDS, &|| false)).unwrap();
            peer.finish();
            link.features.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(features("stat_v2,cmd,shell_v2"), ["cmd", "shell_v2", "stat_v2"]);
        assert_eq!(features(""), Vec::<String>::new());
        assert_eq!(features(" cmd ,,\n"), ["cmd"]);
    }

    #[test]
    fn an_old_device_tells_the_exit_code_in_its_output() {
        let mut script = device_service("a", "shell:(\nls /x\n)\necho taproof-exit-code:$?");
        script.push(Act::Bytewise(b"/x: No such file or directory\r\ntaproof-exit-code:1\r\n".to_vec()));
        let peer = Peer::serve(vec![script]);
        let link = AdbLink::of(peer.server.clone(), "a");
        let output = link.shell("ls /x", &Patience::new(SECONDS, &|| false)).unwrap();
        assert_eq!((output.text().as_str(), output.code), ("/x: No such file or directory\n", Some(1)));
        peer.finish();
    }

    #[test]
    fn nothing_runs_without_the_device() {
        let peer = Peer::serve(Vec::new());
        let link = AdbLink { checksums: true, ..AdbLink::of(peer.server.clone(), "a") };
        for nothing in ["", "\n"] {
            let output = link.shell(nothing, &Patience::new(SECONDS, &|| false)).unwrap();
            assert_eq!((output.everything().as_str(), output.code), ("", Some(0)));
        }
        peer.finish();
    }

    #[test]
    fn a_device_that_cannot_be_used_is_said_so() {
        let patience = Patience::new(SECONDS, &|| false);
        for (text, reason) in [
            ("device 'a' not found", Refusal::NotFound),
            ("device unauthorized.\nThis adb server's", Refusal::Unauthorized),
            ("device offline", Refusal::Offline),
        ] {
            let peer = Peer::serve(vec![vec![request("host:transport:a"), refuse(text)]]);
            let refused = AdbLink::of(peer.server.clone(), "a").shell("id", &patience).unwrap_err();
            let AdbError::Refused { what, reason: found, .. } = &refused else { panic!("{refused:?}") };
            assert_eq!((what.as_str(), *found), ("\"id\" on a", reason));
            assert_eq!(refused.fault(), taproof_engine::device::LinkFault::Lost);
            peer.finish();
        }
    }

    #[test]
    fn what_would_end_the_server_is_never_sent() {
        let mut link = AdbLink::of(AdbServer::at(super::super::ServerAddress::default()), "a");
        let patience = Patience::new(SECONDS, &|| false);
        let long = link.shell(&"x".repeat(4095), &patience).unwrap_err();
        assert!(matches!(long, AdbError::TooLong { limit: LONGEST_OLD_SERVICE, .. }), "{long:?}");
        link.features.insert("shell_v2".to_owned());
        let long = link.exec(&"x".repeat(70_000), &patience).unwrap_err();
        assert!(matches!(long, AdbError::TooLong { limit: LONGEST_REQUEST, .. }), "{long:?}");
        assert!(matches!(link.shell("a\0b", &patience), Err(AdbError::BadText { .. })));
    }

    #[test]
    fn one_waits_for_a_device_until_it_is_ready() {
        let lists =
            [Act::Wait(30), Act::Send(b"0009a\toffline".to_vec()), Act::Send(b"0009a\tdevice\n".to_vec())];
        let script =
            [request("host:track-devices-l"), okay(), Act::Send(b"0000".to_vec())].into_iter().chain(lists);
        let peer = Peer::serve(vec![script.collect()]);
        AdbLink::of(peer.server.clone(), "a").wait_for_device(&Patience::new(SECONDS, &|| false)).unwrap();
        peer.finish();
        let waited = |list: &str| {
            let peer =
                Peer::serve(vec![vec![request("host:track-devices-l"), block(list), Act::UntilClosed]]);
            let patience = Patience::new(Duration::from_millis(100), &|| false);
            let late = AdbLink::of(peer.server.clone(), "a").wait_for_device(&patience).unwrap_err();
            peer.finish();
            late.to_string()
        };
        assert!(waited("a\tunauthorized\n").contains("unauthorized; unlock the phone"));
        assert!(waited("b\tdevice\n").contains("it is not connected; plug it in"));
    }

    #[test]
    fn nothing_that_a_peer_may_say_does_harm() {
        // A small pseudorandom generator with a fixed seed: the same bytes in every run.
        let mut seed = 1u32;
        let mut next = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16).to_le_bytes()[0]
        };
        let words: [&[u8]; 10] = [
            b"OKAY",
            b"FAIL",
            b"0004",
            b"ffff",
            b"DATA",
            b"DONE",
            b"STAT",
            &[1, 255, 255, 255, 255],
            &[3, 1, 0, 0, 0],
            b"",
        ];
        let cancelled = || false;
        for round in 0u32..300 {
            let mut bytes: Vec<u8> = b"OKAYOKAY".to_vec();
            for _ in 0..next() % 12 {
                bytes.extend_from_slice(words[usize::from(next()) % words.len()]);
                bytes.extend((0..next() % 6).map(|_| next()));
            }
            let peer = Peer::serve(vec![vec![Act::Send(bytes)]]);
            let mut link = AdbLink::of(peer.server.clone(), "a");
            link.output_limit = 1 << 16;
            let patience = Patience::new(SECONDS, &cancelled);
            if round % 2 == 0 {
                link.features.extend(["shell_v2".to_owned(), "stat_v2".to_owned()]);
            }
            // Each call ends, either with a parsed answer or with an error.
            match round % 7 {
                0 => drop(link.shell("id", &patience)),
                1 => drop(link.pull("/x", 1 << 16, &patience)),
                2 => drop(link.stat("/x", &patience)),
                3 => drop(link.push(b"x", "/x", 0o644, 0, &patience)),
                4 => drop(link.tcp(9008, &patience)),
                5 => drop(link.server.devices(&patience)),
                _ => drop(link.wait_for_device(&patience)),
            }
            assert!(!patience.left().is_zero(), "round {round}");
            peer.finish();
        }
    }
}
