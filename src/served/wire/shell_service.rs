//! `shell:`, `shell,v2:` and `exec:`: how to run a line, and an interactive shell if none is given.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::terminal::{Line, Session, Terminal};
use super::{DeviceStream, Identity, Services};

/// The exit code of a command that failed inside the device, as of one that aborted.
const ABORTED: u8 = 134;
/// The exit code of a command that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// A host's request for a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShellRequest {
    /// The command line; empty for an interactive shell.
    command: String,
    terminal: Terminal,
    /// Whether the stream carries packets of shell v2.
    framed: bool,
    crlf: bool,
}

impl ShellRequest {
    /// Parses a service's name; `None` if it is not a shell, or not one that this device has.
    pub(super) fn parse(service: &str, identity: &Identity) -> Option<ShellRequest> {
        if let Some(command) = service.strip_prefix("exec:").filter(|_| identity.exec) {
            let command = command.to_owned();
            return Some(ShellRequest { command, terminal: Terminal::Raw, framed: false, crlf: false });
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
        // Without packets there is always a terminal, whose end kills the command.
        let bare = if framed { Terminal::None } else { Terminal::Raw };
        let person = asked("pty") || command.is_empty();
        let terminal = if person && !asked("raw") { Terminal::Cooked } else { bare };
        let crlf = terminal == Terminal::Cooked || (!framed && identity.crlf_shell);
        Some(ShellRequest { command: command.to_owned(), terminal, framed, crlf })
    }
}

/// Serves a shell until its command, its script or its user ends it.
pub(super) fn serve(
    stream: DeviceStream,
    request: &ShellRequest,
    identity: &Identity,
    services: &dyn Services,
) {
    let session = Session::new(stream, request.terminal, request.framed, request.crlf);
    let code = match request.command.is_empty() {
        true => interact(&session, request, identity, services),
        false => run(&session, &request.command, request.terminal, services),
    };
    session.exit(code);
}

/// Runs one line. A panic in it is reported to the host, and ends the command but not the device.
fn run(session: &Session, command: &str, terminal: Terminal, services: &dyn Services) -> u8 {
    let (mut stdin, mut out, mut err) = (session.stdin(), session.stdout(), session.stderr());
    let tty = terminal != Terminal::None;
    let ran = catch_unwind(AssertUnwindSafe(|| services.shell(command, &mut stdin, &mut out, &mut err, tty)));
    ran.unwrap_or_else(|_| {
        drop(writeln!(err, "Aborted: the command failed inside the device"));
        ABORTED
    })
}

/// Runs one line after another. The exit code is that of the last one.
fn interact(session: &Session, request: &ShellRequest, identity: &Identity, services: &dyn Services) -> u8 {
    let prompt = format!("{}:/ $ ", identity.device);
    let mut code = 0;
    while session.alive().is_ok() {
        let Ok(line) = session.line(&prompt) else { break };
        let line = match line {
            Line::Text(line) => line,
            Line::TooLong => {
                drop(writeln!(session.stderr(), "sh: line too long"));
                code = 2;
                continue;
            }
            Line::Interrupted => {
                code = INTERRUPTED;
                continue;
            }
            Line::End => break,
        };
        let mut words = line.split_whitespace();
        match words.next() {
            None => continue,
            Some("exit") => {
                // As in a shell, the code is taken modulo 256.
                let told = words.next().and_then(|word| word.parse::<i64>().ok());
                return told.and_then(|told| u8::try_from(told.rem_euclid(256)).ok()).unwrap_or(code);
            }
            Some(_) => code = run(session, &line, request.terminal, services),
        }
        if session.take_interrupted() {
            code = INTERRUPTED;
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::super::message::WireCommand;
    use super::super::scripted_host::{ScriptedHost, served, served_as};
    use super::*;

    fn packet(id: u8, data: &[u8]) -> Vec<u8> {
        [&[id][..], &u32::try_from(data.len()).unwrap().to_le_bytes(), data].concat()
    }

    #[test]
    fn services_are_read_as_devices_do() {
        let modern = Identity::modern("a", "b", "c");
        let old = Identity::old("a", "b", "c");
        let check = |service: &str, identity: &Identity, expected: Option<(&str, Terminal, bool, bool)>| {
            let request = ShellRequest::parse(service, identity);
            let read = request.as_ref().map(|r| (r.command.as_str(), r.terminal, r.framed, r.crlf));
            assert_eq!(read, expected, "{service}");
        };
        check("shell:ls -l a:b", &modern, Some(("ls -l a:b", Terminal::Raw, false, false)));
        check("shell:", &modern, Some(("", Terminal::Cooked, false, true)));
        check("shell:ls", &old, Some(("ls", Terminal::Raw, false, true)));
        let raw = Some(("ls", Terminal::None, true, false));
        check("shell,v2,TERM=xterm-256color,raw:ls", &modern, raw);
        check("shell,v2:ls", &modern, raw);
        check("shell,v2,TERM=xterm,pty:ls", &modern, Some(("ls", Terminal::Cooked, true, true)));
        check("shell,v2:", &modern, Some(("", Terminal::Cooked, true, true)));
        check("shell,v2,raw:", &modern, Some(("", Terminal::None, true, false)));
        check("shell,v2:ls", &old, None);
        check("exec:ls", &modern, Some(("ls", Terminal::Raw, false, false)));
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
    fn without_a_command_lines_are_run() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let mut check = |script: &str, printed: &str, code: u8| {
            let said = [packet(0, script.as_bytes()), packet(4, b"")].concat();
            let heard = host.converse(1, "shell,v2,TERM=xterm,raw:", &said);
            let printed = if printed.is_empty() { Vec::new() } else { packet(1, printed.as_bytes()) };
            assert_eq!(heard, [printed, packet(3, &[code])].concat(), "{script}");
        };
        check("echo a\n\n  \necho b", "a\nb\n", 0);
        check("", "", 0);
        check("exit 259\necho never\n", "", 3);
        check("line\neaten\necho b\n", "<eaten>b\n", 0);
        check("cat\nthe rest\nechoes\n", "the rest\nechoes\n", 0);
        let said = [packet(0, b"both\n"), packet(0, b"exit\n")].concat();
        let heard = host.converse(1, "shell,v2,raw:", &said);
        assert_eq!(heard, [packet(1, b"out\n"), packet(2, b"err\n"), packet(3, &[3])].concat());
    }

    #[test]
    fn a_person_sees_what_is_typed() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let mut check = |typed: &str, expected: &str| {
            let heard = String::from_utf8(host.converse(1, "shell:", typed.as_bytes())).unwrap();
            assert_eq!(heard.replace("\x08 \x08", "<"), expected);
        };
        let shown = "sim:/ $ ecko<<ho \u{e9}\u{e9}<\r\n\u{e9}\r\nsim:/ $ \r\n";
        check("ecko\x7f\x7fho \u{e9}\u{e9}\x7f\r\x04", shown);
        check("cxx\x15\x01\x03exit\r", "sim:/ $ cxx<<<^A^C\r\nsim:/ $ exit\r\n");
        check("cat\ra\rb\x04\x04tty\r\x04", "sim:/ $ cat\r\na\r\nba\r\nbsim:/ $ tty\r\ntrue\r\nsim:/ $ \r\n");
    }

    #[test]
    fn control_c_ends_a_command_and_not_the_shell() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let remote = host.open(1, "shell,v2,pty:");
        let mut heard = Vec::new();
        let mut asked = false;
        host.send(WireCommand::Write, (1, remote), &packet(0, b"yes\r"));
        while !heard.ends_with(&packet(3, &[130])) {
            let message = host.receive();
            if message.command == WireCommand::Write {
                heard.extend(message.data);
                host.send(WireCommand::Okay, (1, remote), b"");
            }
            if !asked && heard.len() > 1000 {
                asked = true;
                host.send(WireCommand::Write, (1, remote), &packet(0, b"\x03exit\r"));
            }
        }
        assert!(String::from_utf8_lossy(&heard).contains("^C\r\nsim:/ $ exit\r\n"));
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
