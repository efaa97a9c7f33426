//! Files on a device, through the `sync:` service. All numbers are little-endian.

use super::error::{clipped, text_excerpt};
use super::stream::Written;
use super::{AdbError, AdbLink, AdbStream, Patience};

/// The largest piece of a file in one message, in bytes, as devices send and accept it.
const PIECE: usize = 64 * 1024;

/// The longest path that devices accept, in bytes.
const LONGEST_PATH: usize = 1024;

/// The error number that `stat` reports for a missing file (`ENOENT`).
const NO_SUCH_FILE: u32 = 2;

/// Metadata of a file on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// File type and permissions, as in `st_mode`.
    pub mode: u32,
    /// Size in bytes; modulo 4 GiB on old devices.
    pub size: u64,
}

impl FileStat {
    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.mode & 0o170_000 == 0o100_000
    }
}

impl AdbLink {
    /// Returns the metadata of a file; `None` if it does not exist. Symbolic links are followed if the device has
    /// `stat_v2`; otherwise the metadata is that of the link itself.
    ///
    /// # Errors
    ///
    /// [`AdbError::File`] if the device cannot access the path, and the errors of any request to the device.
    pub fn stat(&self, remote: &str, patience: &Patience<'_>) -> Result<Option<FileStat>, AdbError> {
        let mut stream = self.sync("look at", remote, patience)?;
        if self.has("stat_v2") {
            stat_v2(&mut stream, remote, patience)
        } else {
            stat_v1(&mut stream, remote, patience)
        }
    }

    /// Writes these bytes to a file on the device, with these permissions (such as 0o644) and this modification time in
    /// seconds since 1970. Missing directories are created.
    ///
    /// # Errors
    ///
    /// [`AdbError::File`] if the device cannot write the file, and the errors of any request to the device.
    pub fn push(
        &self,
        bytes: &[u8],
        remote: &str,
        permissions: u32,
        modified: u32,
        patience: &Patience<'_>,
    ) -> Result<(), AdbError> {
        let target = format!("{remote},{}", 0o100_000 | (permissions & 0o777));
        let mut stream = self.sync("push to", remote, patience)?;
        check_path(&target)?;
        let mut message = request(b"SEND", &target);
        // The small messages are sent together with the first piece.
        for piece in bytes.chunks(PIECE) {
            message.extend(header(b"DATA", piece.len()));
            message.extend_from_slice(piece);
            if stream.write_until_answered(&message, patience)? == Written::Answered {
                return take_okay(&mut stream, patience);
            }
            message.clear();
        }
        message.extend_from_slice(b"DONE");
        message.extend(modified.to_le_bytes());
        stream.write_until_answered(&message, patience)?;
        take_okay(&mut stream, patience)
    }

    /// Returns the content of a file on the device.
    ///
    /// # Errors
    ///
    /// [`AdbError::File`] if it cannot be read, [`AdbError::TooMuch`] beyond `limit` bytes, and the errors of any
    /// request to the device.
    pub fn pull(&self, remote: &str, limit: usize, patience: &Patience<'_>) -> Result<Vec<u8>, AdbError> {
        let mut stream = self.sync("pull", remote, patience)?;
        stream.write_all(&request(b"RECV", remote), patience)?;
        let mut content = Vec::new();
        loop {
            let (id, length) = read_header(&mut stream, patience)?;
            match &id {
                b"DATA" if length <= PIECE => stream.read_behind(&mut content, length, limit, patience)?,
                b"DONE" => return Ok(content),
                b"FAIL" => return Err(failure(&mut stream, length, patience)?),
                _ => return Err(AdbError::garbage(stream.what(), "DATA, DONE or FAIL", &found(id, length))),
            }
        }
    }

    fn sync(&self, doing: &str, remote: &str, patience: &Patience<'_>) -> Result<AdbStream, AdbError> {
        check_path(remote)?;
        self.open_as("sync:", format!("{doing} {} on {}", text_excerpt(remote), self.serial), patience)
    }
}

fn stat_v1(
    stream: &mut AdbStream,
    remote: &str,
    patience: &Patience<'_>,
) -> Result<Option<FileStat>, AdbError> {
    stream.write_all(&request(b"STAT", remote), patience)?;
    let mut answer = [0; 16];
    stream.read_exact(&mut answer, patience)?;
    let mut fields = Fields(&answer);
    if fields.take() != *b"STAT" {
        return Err(AdbError::garbage(stream.what(), "STAT", &answer));
    }
    let (mode, size, modified) = (fields.u32(), fields.u32(), fields.u32());
    // The old protocol reports a missing file only by zeros.
    let is_there = (mode, size, modified) != (0, 0, 0);
    Ok(is_there.then(|| FileStat { mode, size: size.into() }))
}

fn stat_v2(
    stream: &mut AdbStream,
    remote: &str,
    patience: &Patience<'_>,
) -> Result<Option<FileStat>, AdbError> {
    stream.write_all(&request(b"STA2", remote), patience)?;
    let mut answer = [0; 72];
    stream.read_exact(&mut answer, patience)?;
    let mut fields = Fields(&answer);
    if fields.take() != *b"STA2" {
        return Err(AdbError::garbage(stream.what(), "STA2", &answer));
    }
    let error = fields.u32();
    let (_device, _inode, mode) = (fields.u64(), fields.u64(), fields.u32());
    let (_links, _user, _group, size) = (fields.u32(), fields.u32(), fields.u32(), fields.u64());
    match error {
        0 => Ok(Some(FileStat { mode, size })),
        NO_SUCH_FILE => Ok(None),
        error => Err(AdbError::File { what: stream.what().to_owned(), text: errno_text(error) }),
    }
}

/// Reads the device's `OKAY` or `FAIL` after a push.
fn take_okay(stream: &mut AdbStream, patience: &Patience<'_>) -> Result<(), AdbError> {
    let (id, length) = read_header(stream, patience)?;
    match &id {
        b"OKAY" => Ok(()),
        b"FAIL" => Err(failure(stream, length, patience)?),
        _ => Err(AdbError::garbage(stream.what(), "OKAY or FAIL", &found(id, length))),
    }
}

fn failure(stream: &mut AdbStream, length: usize, patience: &Patience<'_>) -> Result<AdbError, AdbError> {
    if length > PIECE {
        return Err(AdbError::garbage(stream.what(), "a short reason after FAIL", &found(*b"FAIL", length)));
    }
    let mut text = Vec::new();
    stream.read_behind(&mut text, length, PIECE, patience)?;
    Ok(AdbError::File { what: stream.what().to_owned(), text: clipped(&String::from_utf8_lossy(&text)) })
}

fn read_header(stream: &mut AdbStream, patience: &Patience<'_>) -> Result<([u8; 4], usize), AdbError> {
    let mut answer = [0; 8];
    stream.read_exact(&mut answer, patience)?;
    let mut fields = Fields(&answer);
    Ok((fields.take(), usize::try_from(fields.u32()).unwrap_or(usize::MAX)))
}

fn header(id: &[u8; 4], length: usize) -> Vec<u8> {
    let length = u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
    [&id[..], &length].concat()
}

fn request(id: &[u8; 4], path: &str) -> Vec<u8> {
    [header(id, path.len()).as_slice(), path.as_bytes()].concat()
}

fn found(id: [u8; 4], length: usize) -> Vec<u8> {
    header(&id, length)
}

fn check_path(path: &str) -> Result<(), AdbError> {
    let problem = if path.is_empty() {
        "is empty; a path of the device is needed"
    } else if path.contains('\0') {
        "holds a NUL character, which no path has"
    } else if path.len() > LONGEST_PATH {
        "is longer than the 1024 bytes that a path of a device may have"
    } else {
        return Ok(());
    };
    Err(AdbError::BadText { text: text_excerpt(path), problem })
}

/// Messages for the error numbers that are likely here.
fn errno_text(error: u32) -> String {
    match error {
        1 => "Operation not permitted".to_owned(),
        13 => "Permission denied".to_owned(),
        20 => "Not a directory".to_owned(),
        36 => "File name too long".to_owned(),
        40 => "Too many symbolic links encountered".to_owned(),
        error => format!("error {error} of the device"),
    }
}

/// Parses numbers from the front. Yields zeros past the end, which callers rule out by the array's length.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((first, rest)) = self.0.split_first_chunk::<N>() else { return [0; N] };
        self.0 = rest;
        *first
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::peer::{Act, Peer, block, device_service};
    use super::*;

    const SECONDS: Duration = Duration::from_secs(5);
    const NO_SUCH: &[u8] = b"FAIL\x19\0\0\0No such file or directory";

    /// The result of a call to a device with these features that receives these bytes and then acts as scripted.
    fn with<T>(
        features: &str,
        gets: &[u8],
        acts: Vec<Act>,
        patience: &Patience<'_>,
        call: impl FnOnce(&AdbLink, &Patience<'_>) -> T,
    ) -> T {
        let mut script = device_service("a", "sync:");
        script.push(Act::Expect(gets.to_vec()));
        script.extend(acts);
        let ask = vec![super::super::tests::peer::request("host-serial:a:features"), block(features)];
        let peer = Peer::serve(vec![ask, script]);
        let link = AdbLink::connect(&peer.server, "a", patience).unwrap();
        let called = call(&link, patience);
        peer.finish();
        called
    }

    fn pulled(answer: Act, limit: usize) -> Result<Vec<u8>, AdbError> {
        let patience = Patience::new(SECONDS, &|| false);
        with("", b"RECV\x02\0\0\0/x", vec![answer], &patience, |link, patience| {
            link.pull("/x", limit, patience)
        })
    }

    #[test]
    fn a_file_is_pulled_in_any_pieces() {
        let answer = b"DATA\x03\0\0\0abcDATA\0\0\0\0DATA\x02\0\0\0\r\nDONE\0\0\0\0".to_vec();
        assert_eq!(pulled(Act::Send(answer.clone()), 5).unwrap(), b"abc\r\n");
        assert_eq!(pulled(Act::Bytewise(answer.clone()), 5).unwrap(), b"abc\r\n");
        let what = "pull \"/x\" on a".to_owned();
        assert_eq!(
            pulled(Act::Send(answer.clone()), 4),
            Err(AdbError::TooMuch { what: what.clone(), limit: 4 })
        );
        for cut in 0..answer.len() - 1 {
            let closed = pulled(Act::Send(answer[..cut].to_vec()), 5);
            assert_eq!(closed, Err(AdbError::Closed { what: what.clone() }), "{cut}");
        }
    }

    #[test]
    fn a_pull_may_be_refused_or_answered_with_garbage() {
        let refused = pulled(Act::Send(NO_SUCH.to_vec()), 9).unwrap_err();
        let text = "No such file or directory".to_owned();
        assert_eq!(refused, AdbError::File { what: "pull \"/x\" on a".to_owned(), text });
        for bad in [
            &b"DATA\x01\0\x01\0"[..],
            b"DATA\xff\xff\xff\xff",
            b"FAIL\xff\xff\xff\xff",
            b"OKAY\0\0\0\0",
            b"HTTP/1.1",
        ] {
            let garbage = pulled(Act::Send(bad.to_vec()), usize::MAX).unwrap_err();
            assert!(matches!(garbage, AdbError::Garbage { .. }), "{bad:?}: {garbage:?}");
        }
        let patience = Patience::new(Duration::from_millis(150), &|| false);
        let late = with("", b"RECV\x02\0\0\0/x", vec![Act::UntilClosed], &patience, |link, patience| {
            link.pull("/x", 9, patience)
        });
        assert!(matches!(late, Err(AdbError::Deadline { .. })), "{late:?}");
    }

    #[test]
    fn a_file_is_pushed_in_pieces_that_the_device_takes() {
        let bytes: Vec<u8> = (0..=255).cycle().take(PIECE + 10).collect();
        let mut gets = b"SEND\x08\0\0\0/x,33188DATA\0\0\x01\0".to_vec();
        gets.extend_from_slice(&bytes[..PIECE]);
        gets.extend_from_slice(b"DATA\x0a\0\0\0");
        gets.extend_from_slice(&bytes[PIECE..]);
        gets.extend_from_slice(b"DONE\x07\0\0\0");
        let patience = Patience::new(SECONDS, &|| false);
        let okay = vec![Act::Send(b"OKAY\0\0\0\0".to_vec())];
        with("", &gets, okay.clone(), &patience, |link, patience| {
            link.push(&bytes, "/x", 0o644, 7, patience)
        })
        .unwrap();
        let empty = b"SEND\x0a\0\0\0/a,b,33261DONE\0\0\0\0";
        with("", empty, okay, &patience, |link, patience| link.push(b"", "/a,b", 0o755, 0, patience))
            .unwrap();
    }

    #[test]
    fn a_device_that_refuses_early_is_heard() {
        // More than the buffers on the way hold: a client that only writes would wait forever.
        let bytes = vec![1; 32 << 20];
        let patience = Patience::new(SECONDS, &|| false);
        let full = b"FAIL\x17\0\0\0No space left on device".to_vec();
        let refused =
            with("", b"SEND", vec![Act::Send(full), Act::Wait(300)], &patience, |link, patience| {
                link.push(&bytes, "/x", 0o644, 0, patience)
            });
        assert!(refused.unwrap_err().to_string().contains("make room"));
        assert!(patience.elapsed() < Duration::from_secs(3), "{:?}", patience.elapsed());
    }

    fn stat(features: &str, id: &[u8], answer: Vec<u8>) -> Result<Option<FileStat>, AdbError> {
        let gets = [id, &b"\x02\0\0\0/x"[..]].concat();
        let patience = Patience::new(SECONDS, &|| false);
        with(features, &gets, vec![Act::Bytewise(answer)], &patience, |link, patience| {
            link.stat("/x", patience)
        })
    }

    #[test]
    fn old_and_new_devices_tell_of_a_file() {
        let numbers =
            |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let old = |values: &[u32]| stat("", b"STAT", [b"STAT".to_vec(), numbers(values)].concat());
        let file = FileStat { mode: 33_188, size: 5 };
        assert_eq!(old(&[33_188, 5, 9]), Ok(Some(file)));
        assert_eq!(old(&[0, 0, 0]), Ok(None));
        assert!(file.is_file() && !FileStat { mode: 16_877, size: 5 }.is_file());
        let new = |error: u32| {
            let mut answer = [b"STA2".to_vec(), numbers(&[error, 1, 0, 2, 0, 16_877, 3, 4, 5])].concat();
            for value in [1u64 << 40, 11, u64::MAX, 13] {
                answer.extend(value.to_le_bytes());
            }
            stat("shell_v2,stat_v2", b"STA2", answer)
        };
        let folder = FileStat { mode: 16_877, size: 1 << 40 };
        assert_eq!(new(0), Ok(Some(folder)));
        assert_eq!(new(2), Ok(None));
        assert!(new(13).unwrap_err().to_string().contains("Permission denied"));
        assert!(matches!(stat("", b"STAT", b"NOPE............".to_vec()), Err(AdbError::Garbage { .. })));
        assert!(matches!(stat("", b"STAT", b"STAT\0\0".to_vec()), Err(AdbError::Closed { .. })));
    }

    #[test]
    fn a_path_that_cannot_be_one_is_never_sent() {
        let peer = Peer::serve(vec![]);
        let server = peer.server.clone();
        peer.finish();
        let link = AdbLink::of(server, "a");
        let patience = Patience::new(SECONDS, &|| false);
        for path in ["", "/a\0b", &"x".repeat(1025)] {
            assert!(matches!(link.pull(path, 1, &patience), Err(AdbError::BadText { .. })));
        }
    }
}
