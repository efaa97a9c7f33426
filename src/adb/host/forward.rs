//! Ports and sockets between this machine and a device.

use std::fmt;

use super::error::text_excerpt;
use super::{AdbError, AdbLink, AdbStream, Patience};

/// One end of a redirection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Endpoint {
    /// A TCP port of the loopback; 0 lets the other side choose one.
    Tcp(u16),
    /// A Unix socket with this name in Linux's abstract namespace.
    Abstract(String),
    /// A Unix socket at this path.
    File(String),
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Endpoint::Tcp(port) => write!(f, "tcp:{port}"),
            Endpoint::Abstract(name) => write!(f, "localabstract:{name}"),
            Endpoint::File(path) => write!(f, "localfilesystem:{path}"),
        }
    }
}

/// A redirection that is there, as the server or the device lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirection {
    /// Where connections are taken, such as `tcp:7912`.
    pub from: String,
    /// Where they lead.
    pub to: String,
}

impl AdbLink {
    /// A stream to a TCP port of the device, without a port of this machine.
    pub fn tcp(&self, port: u16, patience: &Patience<'_>) -> Result<AdbStream, AdbError> {
        self.open(&Endpoint::Tcp(port).to_string(), patience)
    }

    /// A stream to a socket of the device in Linux's abstract namespace.
    pub fn abstract_socket(&self, name: &str, patience: &Patience<'_>) -> Result<AdbStream, AdbError> {
        self.open(&checked(&Endpoint::Abstract(name.to_owned()))?, patience)
    }

    /// Leads connections to `local`, here at the server, to `remote` on the device, and gives the port that was chosen
    /// for port 0. One that was there is replaced.
    pub fn forward(
        &self,
        local: &Endpoint,
        remote: &Endpoint,
        patience: &Patience<'_>,
    ) -> Result<Option<u16>, AdbError> {
        let service = format!("host-serial:{}:forward:{};{}", self.serial, checked(local)?, checked(remote)?);
        let mut stream = self.server.open(&service, patience)?;
        // One for the question, one for the deed.
        stream.expect_okay(patience)?;
        chosen_port(&mut stream, local, patience)
    }

    /// Ends a forward. One that is not there is `Refused`.
    pub fn remove_forward(&self, local: &Endpoint, patience: &Patience<'_>) -> Result<(), AdbError> {
        let service = format!("host-serial:{}:killforward:{}", self.serial, checked(local)?);
        self.server.open(&service, patience)?.expect_okay(patience)
    }

    /// The forwards of this device.
    pub fn forwards(&self, patience: &Patience<'_>) -> Result<Vec<Redirection>, AdbError> {
        let text = self.server.query_text("host:list-forward", patience)?;
        Ok(redirections(&text, Some(&self.serial)))
    }

    /// Leads connections to `remote`, on the device, to `local` here at the server, and gives the port that was chosen
    /// for port 0. Devices before Android 5 refuse it.
    pub fn reverse(
        &self,
        remote: &Endpoint,
        local: &Endpoint,
        patience: &Patience<'_>,
    ) -> Result<Option<u16>, AdbError> {
        let mut stream =
            self.open(&format!("reverse:forward:{};{}", checked(remote)?, checked(local)?), patience)?;
        stream.expect_okay(patience)?;
        chosen_port(&mut stream, remote, patience)
    }

    /// Ends a reverse redirection. One that is not there is `Refused`.
    pub fn remove_reverse(&self, remote: &Endpoint, patience: &Patience<'_>) -> Result<(), AdbError> {
        self.open(&format!("reverse:killforward:{}", checked(remote)?), patience)?.expect_okay(patience)
    }

    /// The reverse redirections of this device.
    pub fn reverses(&self, patience: &Patience<'_>) -> Result<Vec<Redirection>, AdbError> {
        let list = self.open("reverse:list-forward", patience)?.read_block(patience)?;
        Ok(redirections(&String::from_utf8_lossy(&list), None))
    }
}

fn chosen_port(
    stream: &mut AdbStream,
    asked: &Endpoint,
    patience: &Patience<'_>,
) -> Result<Option<u16>, AdbError> {
    if *asked != Endpoint::Tcp(0) {
        return Ok(None);
    }
    let port = stream.read_block(patience)?;
    let number = std::str::from_utf8(&port).ok().and_then(|text| text.trim().parse().ok());
    number
        .filter(|port| *port != 0)
        .map(Some)
        .ok_or_else(|| AdbError::garbage(stream.what(), "a port", &port))
}

/// Lines of whose, from and to. Of a list for all devices, those of this one.
fn redirections(list: &str, serial: Option<&str>) -> Vec<Redirection> {
    let of_line = |line: &str| {
        // From the end, as a serial may hold blanks.
        let (rest, to) = line.trim().rsplit_once(' ')?;
        let (whose, from) = rest.rsplit_once(' ')?;
        let wanted = serial.is_none_or(|serial| serial == whose);
        wanted.then(|| Redirection { from: from.to_owned(), to: to.to_owned() })
    };
    list.lines().filter_map(of_line).collect()
}

/// The endpoint as the protocol writes it, where it can be written.
fn checked(endpoint: &Endpoint) -> Result<String, AdbError> {
    let text = endpoint.to_string();
    let splits = |letter: char| letter == ';' || letter.is_whitespace() || letter.is_control();
    if text.ends_with(':') || text.chars().any(splits) {
        let problem = "is no name of a socket: it must not be empty or hold blanks or semicolons";
        return Err(AdbError::BadText { text: text_excerpt(&text), problem });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Refusal;
    use super::super::peer::{Act, Peer, block, device_service, okay, refuse, request};
    use super::*;

    const SECONDS: Duration = Duration::from_secs(5);

    fn called<T>(script: Vec<Act>, call: impl FnOnce(&AdbLink, &Patience<'_>) -> T) -> T {
        let peer = Peer::serve(vec![script]);
        let called = call(&AdbLink::of(peer.server.clone(), "a"), &Patience::new(SECONDS, &|| false));
        peer.finish();
        called
    }

    #[test]
    fn a_forward_is_made_listed_and_ended() {
        let socket = Endpoint::Abstract("scrcpy".to_owned());
        let asked = request("host-serial:a:forward:tcp:0;localabstract:scrcpy");
        let script = vec![asked.clone(), Act::Send(b"OKAYOKAY000541655".to_vec())];
        let made = called(script, |link, patience| link.forward(&Endpoint::Tcp(0), &socket, patience));
        assert_eq!(made, Ok(Some(41_655)));
        for bad in ["OKAYOKAY0001x", "OKAYOKAY000570000", "OKAYOKAY00010", "OKAYOKAY0000"] {
            let script = vec![asked.clone(), Act::Send(bad.as_bytes().to_vec())];
            let made = called(script, |link, patience| link.forward(&Endpoint::Tcp(0), &socket, patience));
            assert!(matches!(made, Err(AdbError::Garbage { .. })), "{bad}: {made:?}");
        }
        let script = vec![request("host-serial:a:forward:tcp:9;tcp:8"), okay(), refuse("cannot bind")];
        let made =
            called(script, |link, patience| link.forward(&Endpoint::Tcp(9), &Endpoint::Tcp(8), patience));
        assert!(matches!(made, Err(AdbError::Refused { .. })), "{made:?}");
        let list = "b tcp:1 tcp:2\na tcp:3 localabstract:x\nnonsense\n";
        let listed = called(vec![request("host:list-forward"), block(list)], AdbLink::forwards).unwrap();
        assert_eq!(listed, [Redirection { from: "tcp:3".into(), to: "localabstract:x".into() }]);
        let script = vec![request("host-serial:a:killforward:tcp:1"), refuse("listener 'tcp:1' not found")];
        let ended = called(script, |link, patience| link.remove_forward(&Endpoint::Tcp(1), patience));
        assert!(matches!(ended, Err(AdbError::Refused { reason: Refusal::Other, .. })));
    }

    #[test]
    fn a_reverse_is_answered_by_the_device() {
        let (on_device, here) = (Endpoint::Abstract("x".to_owned()), Endpoint::Tcp(7));
        let asks = |service: &str, answer: Act| [device_service("a", service), vec![answer]].concat();
        let script = asks("reverse:forward:localabstract:x;tcp:7", okay());
        assert_eq!(called(script, |link, patience| link.reverse(&on_device, &here, patience)), Ok(None));
        let script = asks("reverse:forward:tcp:0;tcp:7", Act::Bytewise(b"OKAY00041234".to_vec()));
        let made = called(script, |link, patience| link.reverse(&Endpoint::Tcp(0), &here, patience));
        assert_eq!(made, Ok(Some(1234)));
        let script = asks("reverse:list-forward", Act::Send(b"0014host-19 tcp:1 tcp:2\n".to_vec()));
        assert_eq!(called(script, AdbLink::reverses).unwrap()[0].to, "tcp:2");
        let script = asks("reverse:killforward:tcp:1", okay());
        assert_eq!(called(script, |link, patience| link.remove_reverse(&Endpoint::Tcp(1), patience)), Ok(()));
        let script =
            vec![request("host:transport:a"), okay(), request("reverse:list-forward"), refuse("closed")];
        let refused = called(script, AdbLink::reverses).unwrap_err();
        assert!(matches!(refused, AdbError::Refused { reason: Refusal::Closed, .. }));
    }

    #[test]
    fn a_name_that_would_say_something_else_is_never_sent() {
        let link =
            AdbLink::of(super::super::AdbServer { address: super::super::ServerAddress::default() }, "a");
        let patience = Patience::new(SECONDS, &|| false);
        for name in ["", "a;tcp:1", "a b", "a\n", "a\0"] {
            let refused = link.abstract_socket(name, &patience).err();
            assert!(matches!(refused, Some(AdbError::BadText { .. })), "{name:?}");
            let to = Endpoint::File(name.to_owned());
            assert!(matches!(link.forward(&to, &Endpoint::Tcp(1), &patience), Err(AdbError::BadText { .. })));
        }
    }
}
