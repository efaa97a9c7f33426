//! Where an adb server listens, and the environment variables that name it.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::AdbError;

const USUAL_PORT: u16 = 5037;
const SOCKET: &str = "ADB_SERVER_SOCKET";
/// The first is adb's own variable, the second that of the Python packages.
const HOSTS: [&str; 2] = ["ANDROID_ADB_SERVER_ADDRESS", "ANDROID_ADB_SERVER_HOST"];
const PORT: &str = "ANDROID_ADB_SERVER_PORT";

/// All variables that name the server. They are removed for a child process to which the server is named otherwise.
pub(super) const VARIABLES: [&str; 4] = [SOCKET, HOSTS[0], HOSTS[1], PORT];

/// The host and the port of an adb server.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerAddress {
    /// A name or an IP address, without brackets.
    pub host: String,
    /// The TCP port that the server listens on.
    pub port: u16,
}

impl ServerAddress {
    /// The address that the environment names, else 127.0.0.1:5037. Empty variables count as unset, as in adb.
    ///
    /// # Errors
    ///
    /// [`AdbError::BadVariable`] if a variable cannot be parsed.
    pub fn from_environment(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, AdbError> {
        let set = |name: &'static str| Some((name, variable(name)?)).filter(|(_, value)| !value.is_empty());
        if let Some((variable, value)) = set(SOCKET) {
            return parse_socket(&value).ok_or(AdbError::BadVariable {
                variable,
                value,
                expected: "tcp:HOST:PORT or tcp:PORT",
            });
        }
        let mut address = ServerAddress::default();
        if let Some((variable, value)) = HOSTS.into_iter().find_map(set) {
            let expected = "a host name or an IP address, without a port";
            address.host = parse_host(&value).ok_or(AdbError::BadVariable { variable, value, expected })?;
        }
        if let Some((variable, value)) = set(PORT) {
            let expected = "a port from 1 to 65535";
            address.port = parse_port(&value).ok_or(AdbError::BadVariable { variable, value, expected })?;
        }
        Ok(address)
    }

    /// Whether the server is on this machine.
    pub fn is_loopback(&self) -> bool {
        !self.here().is_empty()
    }

    /// The IP addresses to try if the server is on this machine, else none. Names other than `localhost` are not
    /// resolved.
    pub(super) fn here(&self) -> Vec<IpAddr> {
        if self.host.eq_ignore_ascii_case("localhost") {
            return vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
        }
        self.host.parse().ok().filter(IpAddr::is_loopback).into_iter().collect()
    }
}

impl Default for ServerAddress {
    fn default() -> Self {
        ServerAddress { host: Ipv4Addr::LOCALHOST.to_string(), port: USUAL_PORT }
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

fn parse_socket(text: &str) -> Option<ServerAddress> {
    let place = text.strip_prefix("tcp:")?;
    match place.rsplit_once(':') {
        // In an IPv6 address without brackets the end of the host is ambiguous.
        Some((host, _)) if host.contains(':') && !host.starts_with('[') => None,
        Some((host, port)) => Some(ServerAddress { host: parse_host(host)?, port: parse_port(port)? }),
        None => Some(ServerAddress { port: parse_port(place)?, ..ServerAddress::default() }),
    }
}

fn parse_host(text: &str) -> Option<String> {
    if let Some(inner) = text.strip_prefix('[') {
        return inner.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(|address| address.to_string());
    }
    let of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '-' | '_');
    let is_name = !text.is_empty() && text.chars().all(of_name);
    (is_name || text.parse::<Ipv6Addr>().is_ok()).then(|| text.to_owned())
}

fn parse_port(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|port| digits && *port != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variables: &[(&str, &str)], expected: Result<&str, &str>) {
        let look =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        match (ServerAddress::from_environment(&look), expected) {
            (Ok(address), Ok(expected)) => assert_eq!(address.to_string(), expected, "{variables:?}"),
            (Err(AdbError::BadVariable { variable, .. }), Err(name)) => assert_eq!(variable, name),
            (found, expected) => panic!("{variables:?}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn the_environment_names_the_server() {
        check(&[], Ok("127.0.0.1:5037"));
        check(&[("ANDROID_ADB_SERVER_PORT", "5038")], Ok("127.0.0.1:5038"));
        check(&[("ANDROID_ADB_SERVER_HOST", "farm")], Ok("farm:5037"));
        check(
            &[("ANDROID_ADB_SERVER_HOST", "farm"), ("ANDROID_ADB_SERVER_ADDRESS", "10.0.0.2")],
            Ok("10.0.0.2:5037"),
        );
        let both = [("ADB_SERVER_SOCKET", "tcp:box:7000"), ("ANDROID_ADB_SERVER_PORT", "nonsense")];
        check(&both, Ok("box:7000"));
        check(&[("ADB_SERVER_SOCKET", "tcp:7000")], Ok("127.0.0.1:7000"));
        check(&[("ADB_SERVER_SOCKET", "tcp:[::1]:7000")], Ok("[::1]:7000"));
        check(&[("ANDROID_ADB_SERVER_ADDRESS", "::1")], Ok("[::1]:5037"));
        check(&[("ADB_SERVER_SOCKET", ""), ("ANDROID_ADB_SERVER_PORT", "")], Ok("127.0.0.1:5037"));
    }

    #[test]
    fn a_bad_variable_is_named() {
        for value in
            ["localfilesystem:/x", "tcp:", "tcp:a b:1", "tcp:a:0", "tcp:::1:9", "tcp:[x]:1", "tcp:a:99999"]
        {
            check(&[("ADB_SERVER_SOCKET", value)], Err("ADB_SERVER_SOCKET"));
        }
        for value in ["0", "70000", "+5037", "5037 ", "port"] {
            check(&[("ANDROID_ADB_SERVER_PORT", value)], Err("ANDROID_ADB_SERVER_PORT"));
        }
        check(&[("ANDROID_ADB_SERVER_HOST", "http://farm/")], Err("ANDROID_ADB_SERVER_HOST"));
        check(&[("ANDROID_ADB_SERVER_ADDRESS", "farm:5037")], Err("ANDROID_ADB_SERVER_ADDRESS"));
    }

    #[test]
    fn this_machine_is_known_by_its_names() {
        let here = |host: &str| ServerAddress { host: host.to_owned(), port: 1 }.is_loopback();
        assert!(here("127.0.0.1") && here("127.9.9.9") && here("::1") && here("LocalHost"));
        assert!(!here("10.0.0.1") && !here("farm") && !here("localhost.farm"));
    }
}
