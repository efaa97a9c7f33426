//! `sync:`: files of the device, for `adb push`, `pull` and `ls`.

use std::io::{self, ErrorKind, Read, Write};

use super::{DeviceStream, FileStat, Services};
use crate::memory::{Held, Memory};

/// Limit on the length of a request's path in bytes.
const LONGEST_PATH: usize = 1024;
/// Limit on the length of a name in a folder in bytes; hosts fail on longer ones.
const LONGEST_NAME: usize = 255;
/// Limit on the length of an error message in bytes.
const LONGEST_TEXT: usize = 1024;
/// Limit on the data in one block in bytes.
const BLOCK: usize = 64 << 10;
/// Android's error number for "No such file or directory".
const ENOENT: u32 = 2;

/// A file that is being received. After a problem the rest of it is discarded.
struct Upload {
    data: Vec<u8>,
    held: Option<Held>,
    problem: Option<String>,
}

impl Upload {
    /// Receives the next block.
    fn take(&mut self, source: &mut impl Read, length: usize) -> io::Result<()> {
        let bytes = u64::try_from(length).unwrap_or(u64::MAX);
        if self.problem.is_none() && self.held.as_mut().is_none_or(|held| held.grow(length).is_err()) {
            self.fail("the device has no room for so large a file");
        }
        if self.problem.is_none() && self.data.try_reserve(length).is_err() {
            self.fail("the device is out of memory");
        }
        let mut block = source.take(bytes);
        let read = match self.problem {
            None => u64::try_from(block.read_to_end(&mut self.data)?).unwrap_or(0),
            Some(_) => io::copy(&mut block, &mut io::sink())?,
        };
        if read < bytes { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    fn fail(&mut self, problem: &str) {
        self.problem = Some(problem.to_owned());
        self.data = Vec::new();
        self.held = None;
    }
}

/// Serves requests until the host ends them. Fails if the host leaves or violates the protocol.
pub(super) fn serve(stream: &mut DeviceStream, services: &dyn Services, uploads: &Memory) -> io::Result<()> {
    loop {
        let Some((id, length)) = request(stream)? else { return Ok(()) };
        if id == *b"QUIT" {
            return Ok(());
        }
        if length > LONGEST_PATH {
            return break_off(stream, "path too long");
        }
        let mut path = vec![0; length];
        stream.read_exact(&mut path)?;
        let path = String::from_utf8_lossy(&path);
        match &id {
            b"STAT" => stream.write_all(&stat(services.stat(&path)))?,
            b"STA2" | b"LST2" => stream.write_all(&stat_2(&id, services.stat(&path)))?,
            b"LIST" => list(stream, services, &path, false)?,
            b"LIS2" => list(stream, services, &path, true)?,
            b"RECV" => receive(stream, services, &path)?,
            b"SEND" => send(stream, services, uploads, &path)?,
            _ => return break_off(stream, &format!("unknown command {}", id.escape_ascii())),
        }
    }
}

/// The id of the next request and the length of its data; `None` if the host just leaves.
fn request(stream: &mut DeviceStream) -> io::Result<Option<([u8; 4], usize)>> {
    let mut id = [0; 4];
    let (first, rest) = id.split_at_mut(1);
    if stream.read(first)? == 0 {
        return Ok(None);
    }
    stream.read_exact(rest)?;
    Ok(Some((id, word(stream)?)))
}

fn word(stream: &mut DeviceStream) -> io::Result<usize> {
    let mut word = [0; 4];
    stream.read_exact(&mut word)?;
    Ok(usize::try_from(u32::from_le_bytes(word)).unwrap_or(usize::MAX))
}

fn size_32(size: u64) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

fn stat(stat: Option<FileStat>) -> Vec<u8> {
    let stat = stat.unwrap_or_default();
    [*b"STAT", stat.mode.to_le_bytes(), size_32(stat.size).to_le_bytes(), stat.mtime.to_le_bytes()].concat()
}

/// The response of 72 bytes that newer hosts request. Device and inode are unknown; the owner is root.
fn stat_2(id: &[u8; 4], stat: Option<FileStat>) -> Vec<u8> {
    let error = if stat.is_some() { 0 } else { ENOENT };
    let links = u32::from(stat.is_some());
    let stat = stat.unwrap_or_default();
    let mut bytes = [*id, error.to_le_bytes()].concat();
    bytes.extend([0_u64.to_le_bytes(), 0_u64.to_le_bytes()].concat());
    bytes.extend([stat.mode, links, 0, 0].map(u32::to_le_bytes).concat());
    bytes.extend(stat.size.to_le_bytes());
    bytes.extend([u64::from(stat.mtime); 3].map(u64::to_le_bytes).concat());
    bytes
}

fn list(stream: &mut DeviceStream, services: &dyn Services, path: &str, second: bool) -> io::Result<()> {
    // An unreadable folder looks empty: the protocol has no error for it.
    for (name, stat) in services.list(path).unwrap_or_default() {
        let Some(length) = u32::try_from(name.len()).ok().filter(|_| name.len() <= LONGEST_NAME) else {
            continue;
        };
        let head = match second {
            true => stat_2(b"DNT2", Some(stat)),
            false => {
                let size = size_32(stat.size);
                [*b"DENT", stat.mode.to_le_bytes(), size.to_le_bytes(), stat.mtime.to_le_bytes()].concat()
            }
        };
        stream.write_all(&[&head, &length.to_le_bytes()[..], name.as_bytes()].concat())?;
    }
    let zeros = if second { 72 } else { 16 };
    stream.write_all(b"DONE")?;
    stream.write_all(&vec![0; zeros])
}

fn receive(stream: &mut DeviceStream, services: &dyn Services, path: &str) -> io::Result<()> {
    let data = match services.read(path) {
        Ok(data) => data,
        Err(problem) => return fail(stream, &problem),
    };
    for block in data.chunks(BLOCK) {
        let length = u32::try_from(block.len()).unwrap_or(0);
        stream.write_all(&[*b"DATA", length.to_le_bytes()].concat())?;
        stream.write_all(block)?;
    }
    stream.write_all(b"DONE\0\0\0\0")
}

/// Receives a whole file before answering: a host reads no answer before it has sent everything.
fn send(
    stream: &mut DeviceStream,
    services: &dyn Services,
    uploads: &Memory,
    target: &str,
) -> io::Result<()> {
    let mut upload = Upload { data: Vec::new(), held: uploads.take(0).ok(), problem: None };
    let target = target.rsplit_once(',').and_then(|(path, mode)| Some((path, mode.trim().parse().ok()?)));
    if target.is_none() {
        upload.fail("the request names no mode");
    }
    let stalled = stream.stalled();
    stream.set_read_deadline(Some(stalled));
    let mtime = loop {
        let Some((id, length)) = request(stream)? else { return Err(ErrorKind::UnexpectedEof.into()) };
        match &id {
            b"DATA" if length <= BLOCK => upload.take(stream, length)?,
            b"DATA" => return break_off(stream, "oversize data message"),
            b"DONE" => break u32::try_from(length).unwrap_or(0),
            _ => return break_off(stream, "invalid data message"),
        }
    };
    stream.set_read_deadline(None);
    let written = match (upload.problem.take(), target) {
        // Hosts send this for a missing folder; no file can have such a name.
        (None, Some((path, _))) if path.ends_with('/') => {
            Err("couldn't create file: Is a directory".to_owned())
        }
        (None, Some((path, mode))) => {
            // From here on it counts as a file.
            upload.held = None;
            services.write(path, mode, mtime, std::mem::take(&mut upload.data))
        }
        (problem, _) => Err(problem.unwrap_or_default()),
    };
    match written {
        Ok(()) => stream.write_all(b"OKAY\0\0\0\0"),
        Err(problem) => fail(stream, &problem),
    }
}

/// Reports a problem and ends the stream: the start of the next request is unknown.
fn break_off(stream: &mut DeviceStream, problem: &str) -> io::Result<()> {
    fail(stream, problem)?;
    Err(ErrorKind::InvalidData.into())
}

fn fail(stream: &mut DeviceStream, problem: &str) -> io::Result<()> {
    let end = problem.floor_char_boundary(LONGEST_TEXT);
    let text = problem.get(..end).unwrap_or("").as_bytes();
    let length = u32::try_from(text.len()).unwrap_or(0);
    stream.write_all(&[&b"FAIL"[..], &length.to_le_bytes(), text].concat())
}

#[cfg(test)]
mod tests {
    use super::super::Identity;
    use super::super::tests::{ScriptedHost, served, served_as};
    use super::*;

    fn request_bytes(id: &str, path: &[u8]) -> Vec<u8> {
        [id.as_bytes(), &u32::try_from(path.len()).unwrap().to_le_bytes(), path].concat()
    }

    fn number(id: &str, number: u32) -> Vec<u8> {
        [id.as_bytes(), &number.to_le_bytes()].concat()
    }

    fn upload(target: &str, data: &[u8], mtime: u32) -> Vec<u8> {
        let blocks: Vec<u8> = data.chunks(BLOCK).flat_map(|block| request_bytes("DATA", block)).collect();
        [request_bytes("SEND", target.as_bytes()), blocks, number("DONE", mtime)].concat()
    }

    fn check(host: &mut ScriptedHost, requests: &[Vec<u8>], expected: &[Vec<u8>]) {
        let heard = host.converse(1, "sync:", &requests.concat());
        let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
        assert_eq!(shown(&heard), shown(&expected.concat()));
    }

    #[test]
    fn files_go_in_and_out_on_one_stream() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let data: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let (mode, size) = (0o100_644_u32.to_le_bytes(), 400_000_u32.to_le_bytes());
        let stat = [&b"STAT"[..], &mode, &size, &77_u32.to_le_bytes()].concat();
        let entry = [&b"DENT"[..], &mode, &size, &77_u32.to_le_bytes(), &1_u32.to_le_bytes(), b"a"].concat();
        let blocks: Vec<u8> = data.chunks(BLOCK).flat_map(|block| request_bytes("DATA", block)).collect();
        let requests = [
            upload("/sdcard/a,33188", &data, 77),
            request_bytes("STAT", b"/sdcard/a"),
            request_bytes("STAT", b"/sdcard/b"),
            request_bytes("LIST", b"/sdcard/"),
            request_bytes("LIST", b"/nowhere"),
            request_bytes("RECV", b"/sdcard/b"),
            request_bytes("RECV", b"/sdcard/a"),
            number("QUIT", 0),
        ];
        let answers = [
            number("OKAY", 0),
            stat,
            [&b"STAT"[..], &[0; 12]].concat(),
            entry,
            [&b"DONE"[..], &[0; 16]].concat(),
            [&b"DONE"[..], &[0; 16]].concat(),
            request_bytes("FAIL", b"No such file or directory"),
            blocks,
            number("DONE", 0),
        ];
        check(&mut host, &requests, &answers);
    }

    #[test]
    fn newer_stats_have_72_bytes() {
        let there = stat_2(b"STA2", Some(FileStat { mode: 0o40_755, size: 1 << 33, mtime: 9 }));
        assert_eq!((there.len(), &there[..8]), (72, &b"STA2\0\0\0\0"[..]));
        assert_eq!(&there[24..28], &0o40_755_u32.to_le_bytes());
        assert_eq!(&there[40..48], &(1_u64 << 33).to_le_bytes());
        assert_eq!(&there[64..72], &9_u64.to_le_bytes());
        let missing = stat_2(b"LST2", None);
        assert_eq!((missing.len(), &missing[..8]), (72, &b"LST2\x02\0\0\0"[..]));
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let stat = FileStat { mode: 33_188, size: 1, mtime: 5 };
        let entry = [stat_2(b"DNT2", Some(stat)), number("", 1), b"f".to_vec()].concat();
        let requests = [
            upload("/d/f,33188", b"x", 5),
            request_bytes("STA2", b"/d/f"),
            request_bytes("LIS2", b"/d"),
            number("QUIT", 0),
        ];
        let answers =
            [number("OKAY", 0), stat_2(b"STA2", Some(stat)), entry, [&b"DONE"[..], &[0; 72]].concat()];
        check(&mut host, &requests, &answers);
    }

    #[test]
    fn a_file_that_fails_does_not_break_the_next() {
        let listener = served_as(Identity::modern("a", "b", "c"), |options| options.limits.upload = 150_000);
        let mut host = ScriptedHost::connect(&listener);
        let requests = [
            upload("/sdcard/large,33188", &[1; 200_000], 1),
            upload("/system/a,33188", b"x", 1),
            upload("/sdcard/nomode", b"x", 1),
            upload("/sdcard/folder/,33188", b"x", 1),
            upload("/sdcard/fits,33188", &[1; 140_000], 1),
            request_bytes("STAT", b"/sdcard/large"),
            number("QUIT", 0),
        ];
        let answers = [
            request_bytes("FAIL", b"the device has no room for so large a file"),
            request_bytes("FAIL", b"Read-only file system"),
            request_bytes("FAIL", b"the request names no mode"),
            request_bytes("FAIL", b"couldn't create file: Is a directory"),
            number("OKAY", 0),
            [&b"STAT"[..], &[0; 12]].concat(),
        ];
        check(&mut host, &requests, &answers);
    }

    #[test]
    fn what_is_no_request_ends_the_stream() {
        let listener = served();
        let mut host = ScriptedHost::connect(&listener);
        let fails = |text: &str| vec![request_bytes("FAIL", text.as_bytes())];
        check(&mut host, &[number("STAT", 1025), vec![b'x'; 1025]], &fails("path too long"));
        check(&mut host, &[number("STAT", u32::MAX)], &fails("path too long"));
        check(&mut host, &[request_bytes("WHAT", b"x")], &fails("unknown command WHAT"));
        let send = request_bytes("SEND", b"/a,1");
        check(&mut host, &[send.clone(), number("DATA", 65_537)], &fails("oversize data message"));
        check(&mut host, &[send, number("STAT", 0)], &fails("invalid data message"));
    }
}
