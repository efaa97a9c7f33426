//! Commands whose output must arrive byte for byte.

use std::sync::{Mutex, PoisonError};

use super::error::{command_excerpt, text_excerpt};
use super::{AdbError, AdbLink, AskedBy, Patience, Refusal, ShellOutput, quote};

/// A folder that the shell may write to on every Android.
const FOLDER: &str = "/data/local/tmp";

/// The files on the device that replace an output stream on old devices.
#[derive(Debug, Default)]
pub(super) struct Scratch(Mutex<Files>);

#[derive(Debug, Default)]
struct Files {
    made: u64,
    /// Files that could not be removed in time.
    left: Vec<String>,
}

impl Scratch {
    /// A path that nobody else uses: no other call, link or process, and hardly another computer.
    fn file(&self) -> String {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.made = files.made.wrapping_add(1);
        let place = std::ptr::from_ref(self).addr();
        format!("{FOLDER}/taproof-{}-{place:x}-{}", std::process::id(), files.made)
    }

    fn leave(&self, file: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).left.push(file);
    }

    fn take_left(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).left)
    }
}

impl AdbLink {
    /// Runs a command and returns its output byte for byte. Devices that refuse such streams (before Android 5) write
    /// the output to a file, which is then pulled and removed; standard error is not part of it in that case. The exit
    /// code is not reported.
    ///
    /// # Errors
    ///
    /// [`AdbError::TooMuch`] if the output exceeds the link's output limit, and the errors of any request to the
    /// device.
    pub fn exec(&self, command: &str, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
        let what = format!("{} on {}", command_excerpt(command), self.serial);
        let before = patience.elapsed();
        let answer = match self.open_as(&format!("exec:{command}"), what, patience) {
            Ok(mut stream) => stream.read_to_end(self.output_limit, patience),
            Err(AdbError::Refused { reason: Refusal::Closed, .. }) => self.exec_by_file(command, patience),
            Err(error) => Err(error),
        };
        let output = |bytes: &Vec<u8>| ShellOutput::of(bytes);
        self.server.record((AskedBy::Exec, command), (patience, before), &answer, output);
        answer
    }

    fn exec_by_file(&self, command: &str, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
        let file = self.scratch.file();
        let pulled = self.run_and_pull(command, &file, patience);
        let mut files = self.scratch.take_left();
        files.push(file);
        // If no time is left for that, the next call of this kind removes them.
        if self.remove(&files, patience).is_err() {
            files.into_iter().for_each(|file| self.scratch.leave(file));
        }
        pulled
    }

    fn run_and_pull(&self, command: &str, file: &str, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
        let told = self.shell(&into_file(command, file), patience)?;
        self.pull(file, self.output_limit, patience).map_err(|error| match error {
            AdbError::File { what, text } => AdbError::File {
                what,
                text: format!("{text} (the shell said {})", text_excerpt(&told.everything())),
            },
            error => error,
        })
    }

    fn remove(&self, files: &[String], patience: &Patience<'_>) -> Result<(), AdbError> {
        let names: Vec<String> = files.iter().map(|file| quote(file)).collect::<Result<_, _>>()?;
        // `rm` on Android 4 has few options. A missing file is no problem, so its exit code is ignored.
        self.shell(&format!("rm {}", names.join(" ")), patience).map(|_| ())
    }
}

/// Redirects the output of the whole command into this file.
fn into_file(command: &str, file: &str) -> String {
    let is_simple = !command.chars().any(|letter| ";&|<>(){}#\n\\".contains(letter));
    if is_simple { format!("{command} >{file}") } else { format!("{{ {command}\n}} >{file}") }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::super::shell::with_trailer;
    use super::super::tests::peer::{Act, Peer, block, device_service, okay, refuse, request};
    use super::*;

    const SECONDS: Duration = Duration::from_secs(5);

    fn features(list: &str) -> Vec<Act> {
        vec![request("host-serial:a:features"), block(list)]
    }

    fn refused_exec(command: &str) -> Vec<Act> {
        vec![request("host:transport:a"), okay(), request(&format!("exec:{command}")), refuse("closed")]
    }

    fn old_shell(command: &str, says: &str) -> Vec<Act> {
        let mut script = device_service("a", &format!("shell:{}", with_trailer(command)));
        script.push(Act::Send(format!("{says}taproof-exit-code:0\r\n").into_bytes()));
        script
    }

    fn pull(file: &str, answer: &[u8]) -> Vec<Act> {
        let mut script = device_service("a", "sync:");
        let length = u32::try_from(file.len()).unwrap().to_le_bytes();
        script.extend([
            Act::Expect([b"RECV", &length[..], file.as_bytes()].concat()),
            Act::Send(answer.to_vec()),
        ]);
        script
    }

    fn file_of(link: &AdbLink, number: u64) -> String {
        let place = std::sync::Arc::as_ptr(&link.scratch).addr();
        format!("{FOLDER}/taproof-{}-{place:x}-{number}", std::process::id())
    }

    #[test]
    fn a_stream_arrives_byte_for_byte() {
        let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
        let mut script = device_service("a", "exec:screencap -p");
        script.push(Act::Send(bytes.clone()));
        let mut cut = device_service("a", "exec:screencap -p");
        cut.push(Act::Send(vec![0; 2000]));
        let peer = Peer::serve(vec![features("cmd"), script, cut]);
        let patience = Patience::new(SECONDS, &|| false);
        let mut link = AdbLink::connect(&peer.server, "a", &patience).unwrap();
        assert_eq!(link.exec("screencap -p", &patience).unwrap(), bytes);
        link.output_limit = 1999;
        let too_much = link.exec("screencap -p", &patience).unwrap_err();
        let what = "\"screencap -p\" on a".to_owned();
        assert_eq!(too_much, AdbError::TooMuch { what, limit: 1999 });
        peer.finish();
    }

    #[test]
    fn an_old_device_writes_a_file_that_is_pulled_and_removed() {
        let patience = Patience::new(SECONDS, &|| false);
        let peer = Peer::serve(vec![features("")]);
        let mut link = AdbLink::connect(&peer.server, "a", &patience).unwrap();
        peer.finish();
        let file = file_of(&link, 1);
        let peer = Peer::serve(vec![
            refused_exec("screencap -p"),
            old_shell(&format!("screencap -p >{file}"), "a warning\r\n"),
            pull(&file, b"DATA\x05\0\0\0a\r\nb\0DONE\0\0\0\0"),
            old_shell(&format!("rm {file}"), ""),
        ]);
        link.server = peer.server.clone();
        assert_eq!(link.exec("screencap -p", &patience).unwrap(), b"a\r\nb\0");
        peer.finish();
    }

    #[test]
    fn what_could_not_be_removed_is_removed_later() {
        let patience = Patience::new(SECONDS, &|| false);
        let peer = Peer::serve(vec![features("")]);
        let mut link = AdbLink::connect(&peer.server, "a", &patience).unwrap();
        peer.finish();
        let (first, second) = (file_of(&link, 1), file_of(&link, 2));
        let mut silent = pull(&first, b"");
        silent.push(Act::UntilClosed);
        let peer = Peer::serve(vec![refused_exec("ls"), old_shell(&format!("ls >{first}"), ""), silent]);
        link.server = peer.server.clone();
        let over = Cell::new(false);
        let cancelled = || over.get();
        let short = Patience::new(Duration::from_millis(200), &cancelled);
        assert!(matches!(link.exec("ls", &short), Err(AdbError::Deadline { .. })));
        over.set(true);
        peer.finish();
        let peer = Peer::serve(vec![
            refused_exec("ls"),
            old_shell(&format!("ls >{second}"), "sh: can't create\r\n"),
            pull(&second, b"FAIL\x19\0\0\0No such file or directory"),
            old_shell(&format!("rm {first} {second}"), ""),
        ]);
        link.server = peer.server.clone();
        let failed = link.exec("ls", &patience).unwrap_err();
        assert!(failed.to_string().contains("can't create"), "{failed}");
        assert!(link.scratch.take_left().is_empty());
        peer.finish();
    }

    #[test]
    fn all_of_a_command_goes_into_the_file() {
        assert_eq!(into_file("ls -l", "/f"), "ls -l >/f");
        assert_eq!(into_file("a; b", "/f"), "{ a; b\n} >/f");
        assert_eq!(into_file("a # b", "/f"), "{ a # b\n} >/f");
    }
}
