//! `shell:`, `shell,v2:` and `exec:`: how to run a line, and an interactive shell if none is given.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::shell_stream::ShellStream;
use super::{DeviceStream, Identity, Services};

/// The exit code of a command that failed inside the device, as of one that aborted.
const ABORTED: u8 = 134;

/// A host's request for a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShellRequest {
    /// The command line; empty for one that runs the lines that it is sent.
    command: String,
    /// Whether output and errors are one stream, as on a terminal.
    tty: bool,
    /// Whether the stream carries packets of shell v2.
    framed: bool,
    crlf: bool,
}

impl ShellRequest {
    /// Parses a service's name; `None` if it is not a shell, or not one that this device has.
    pub(super) fn parse(service: &str, identity: &Identity) -> Option<ShellRequest> {
        if let Some(command) = service.strip_prefix("exec:").filter(|_| identity.exec) {
            let command = command.to_owned();
            return Some(ShellRequest { command, tty: true, framed: false, crlf: false });
        }
        let (options, command) = service.strip_prefix("shell")?.split_once(':')?;
        let options = match options.strip_prefix(',') {
            Some(options) => options,
            None if options.is_empty() => options,
            None => return None,
        };
        let asked = |wanted: &str| options.split(',').any(|option| option == wanted);
        let framed = asked("v2");
        if framed && !identity.has("shell_v2") {
            return None;
        }
        let terminal = (asked("pty") || command.is_empty()) && !asked("raw");
        let crlf = terminal || (!framed && identity.crlf_shell);
        // Without packets there is always a terminal.
        let tty = terminal || !framed;
        Some(ShellRequest { command: command.to_owned(), tty, framed, crlf })
    }
}

/// Serves a shell until its command, its script or its user ends it.
pub(super) fn serve(stream: DeviceStream, request: &ShellRequest, services: &dyn Services) {
    let session = ShellStream::new(stream, request.tty, request.framed, request.crlf);
    let code = run(&session, &request.command, request.tty, services);
    session.exit(code);
}

/// Runs one line. A panic in it is reported to the host, and ends the command but not the device.
fn run(session: &ShellStream, command: &str, tty: bool, services: &dyn Services) -> u8 {
    let (mut stdin, mut out, mut err) = (session.stdin(), session.stdout(), session.stderr());
    let ran = catch_unwind(AssertUnwindSafe(|| services.shell(command, &mut stdin, &mut out, &mut err, tty)));
    ran.unwrap_or_else(|_| {
        drop(writeln!(err, "Aborted: the command failed inside the device"));
        ABORTED
    })
}

#[cfg(test)]
mod tests {
    use super::super::message::WireCommand;
    use super::super::tests::{ScriptedHost, served, served_as};
    use super::*;

    fn packet(id: u8, data: &[u8]) -> Vec<u8> {
        [&[id][..], &u32::try_from(data.len()).unwrap().to_le_bytes(), data].concat()
    }

    #[test]
    fn services_are_read_as_devices_do() {
        let modern = Identity::modern("a", "b", "c");
        let old = Identity::old("a", "b", "c");
        type Parsed<'a> = (&'a str, [bool; 3]);
        let check = |service: &str, identity: &Identity, expected: Option<Parsed<'_>>| {
            let request = ShellRequest::parse(service, identity);
            let read = request.as_ref().map(|r| (r.command.as_str(), [r.tty, r.framed, r.crlf]));
            assert_eq!(read, expected, "{service}");
        };
        check("shell:ls -l a:b", &modern, Some(("ls -l a:b", [true, false, false])));
        check("shell:", &modern, Some(("", [true, false, true])));
        check("shell:ls", &old, Some(("ls", [true, false, true])));
        let raw = Some(("ls", [false, true, false]));
        check("shell,v2,TERM=xterm-256color,raw:ls", &modern, raw);
        check("shell,v2:ls", &modern, raw);
        check("shell,v2,TERM=xterm,pty:ls", &modern, Some(("ls", [true, true, true])));
        check("shell,v2:", &modern, Some(("", [true, true, true])));
        check("shell,v2,raw:", &modern, Some(("", [false, true, false])));
        check("shell,v2:ls", &old, None);
        check("exec:ls", &modern, Some(("ls", [true, false, false])));
        check("exec:ls", &old, None);
        for service in ["shell", "shellfish:ls", "sync:", "exec", ""] {
            check(service, &modern, None);
        }
    }

    #[test]
    fn output_goes_as_the_service_wants() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let mut check = |service: &str, expected: &[u8]| {
            let heard = host.ask(1, service);
            assert_eq!(heard.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{service}");
        };
        check("shell:both", b"out\nerr\n");
        check("exec:both", b"out\nerr\n");
        check("shell,v2,raw:both", &[packet(1, b"out\n"), packet(2, b"err\n"), packet(3, &[3])].concat());
        check("shell,v2,pty:both", &[packet(1, b"out\r\nerr\r\n"), packet(3, &[3])].concat());
        check("shell,v2,raw:tty", &[packet(1, b"false\n"), packet(3, &[0])].concat());
        check("exec:tty", b"true\n");
        check("shell:nonsense", b"sh: nonsense: not found\n");
        let aborted = packet(2, b"Aborted: the command failed inside the device\n");
        check("shell,v2,raw:fail", &[aborted, packet(3, &[134])].concat());
        let large = [packet(1, &[0; 1 << 16]), packet(1, &[0; 4464]), packet(3, &[0])].concat();
        check("shell,v2,raw:zeros 70000", &large);
    }

    #[test]
    fn an_old_terminal_makes_crlf() {
        let listener = served_as(Identity::old("a", "b", "c"), |_| {});
        let (mut host, _) = ScriptedHost::greet(&listener, super::super::VERSION, 1 << 20);
        assert_eq!(host.ask(1, "shell:echo a\nb\r\n\nc"), b"a\r\nb\r\r\n\r\nc\r\n");
    }

    #[test]
    fn commands_read_what_the_host_sends() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let text = vec![b'x'; 30_000];
        let said = [packet(0, b"ab"), packet(0, &text), packet(4, b"")].concat();
        let heard = host.converse(1, "shell,v2,raw:cat", &said);
        assert_eq!(heard, [packet(1, &[&b"ab"[..], &text].concat()), packet(3, &[0])].concat());
        assert_eq!(host.converse(2, "exec:line", b"one\ntwo\n"), b"<one>");
    }

    #[test]
    fn a_host_that_leaves_ends_its_command() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let remote = host.open(1, "shell,v2,raw:yes");
        assert_eq!(host.receive().command, WireCommand::Write);
        host.send(WireCommand::Close, (1, remote), b"");
        assert_eq!(host.receive().command, WireCommand::Close);
    }
}
