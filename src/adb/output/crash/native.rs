//! The block that Android logs when a signal in native code ends an app.

use super::super::lines::{first_word, leading_number};
use super::record::{Crash, CrashKind};

/// Whether this line of `DEBUG` begins a block.
pub(super) fn begins(text: &str) -> bool {
    text.starts_with("*** *** ***")
}

/// Parses a whole block; `None` if it names no process, as when only its end is left.
pub(super) fn crash(when: &str, block: &[String]) -> Option<Crash> {
    let who = block.iter().find(|text| text.starts_with("pid: "))?;
    let pid = u32::try_from(first_word(who, "pid: ").and_then(leading_number)?).ok()?;
    let named = who.split_once(">>> ").and_then(|(_, rest)| rest.rsplit_once(" <<<")).map(|(name, _)| name);
    let field = |key: &str| block.iter().find_map(|text| text.trim_start().strip_prefix(key));
    let process = named.or_else(|| field("Cmdline: ")).unwrap_or_default().trim();
    let signal = field("signal ").unwrap_or_default();
    let (number, rest) = signal.split_once(", ").unwrap_or((signal, ""));
    let exception = match number.split_once('(').and_then(|(_, name)| name.split_once(')')) {
        Some((name, _)) => name.to_owned(),
        None if number.is_empty() => "native crash".to_owned(),
        None => format!("signal {number}"),
    };
    let abort = field("Abort message: ").map(|said| {
        // Android quotes it.
        said.strip_prefix('\'').and_then(|said| said.strip_suffix('\'')).unwrap_or(said).to_owned()
    });
    let why = || match field("Cause: ") {
        Some(cause) => format!("{rest}; {cause}"),
        None => rest.to_owned(),
    };
    Some(Crash {
        kind: CrashKind::Native,
        when: when.to_owned(),
        process: process.to_owned(),
        pid,
        exception,
        message: abort.unwrap_or_else(why),
        stack: frames(block),
        causes: Vec::new(),
        activity: None,
        thrown_at: None,
        log: block.join("\n"),
    })
}

/// The frames of the first backtrace, such as `#00 pc 0000a1  /system/lib/libc.so (abort+4)`, without number.
fn frames(block: &[String]) -> Vec<String> {
    let is_frame = |text: &str| {
        let digits = text.trim_start().strip_prefix('#')?.split(' ').next()?;
        (!digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())).then_some(())
    };
    let from_first = block.iter().skip_while(|text| is_frame(text).is_none());
    from_first
        .take_while(|text| is_frame(text).is_some())
        .filter_map(|text| {
            let (_, frame) = text.trim().split_once(' ')?;
            Some(frame.trim().to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(block: &str) -> Option<Crash> {
        let block: Vec<String> = block.lines().map(str::to_owned).collect();
        crash("when", &block)
    }

    const NEWER: &str = "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
Build fingerprint: 'google/x'
ABI: 'arm64'
Timestamp: 2024-01-02 03:04:05.678+0100
Process uptime: 12s
Cmdline: com.a:gl
pid: 4321, tid: 4400, name: Thread-2  >>> com.a:gl <<<
uid: 10123
signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000010
Cause: null pointer dereference
    x0  0000000000000000  x1  0000007fe0
backtrace:
      #00 pc 000000000001f3ac  /data/app/~~x==/com.a-y==/lib/arm64/libgl.so (draw(int)+12) (BuildId: abc)
      #01 pc 0000000000000010  <anonymous:7f00>

--- --- ---
      #00 pc 0000000000000099  /other";

    #[test]
    fn a_segmentation_fault_is_read() {
        let found = read(NEWER).unwrap();
        assert_eq!((found.process.as_str(), found.package(), found.pid), ("com.a:gl", "com.a", 4321));
        assert_eq!(found.exception, "SIGSEGV");
        assert_eq!(
            found.message,
            "code 1 (SEGV_MAPERR), fault addr 0x0000000000000010; null pointer dereference"
        );
        assert_eq!(
            found.stack,
            [
                "pc 000000000001f3ac  /data/app/~~x==/com.a-y==/lib/arm64/libgl.so (draw(int)+12) (BuildId: abc)",
                "pc 0000000000000010  <anonymous:7f00>"
            ]
        );
        assert_eq!(found.report().log, NEWER);
    }

    #[test]
    fn an_abort_says_why() {
        let old = "*** *** ***\npid: 1, tid: 2, name: x  >>> com.a <<<\nsignal 6 (SIGABRT), code -6, \
            fault addr --------\n\
            Abort message: 'no memory'\nbacktrace:\n    #00  pc 00021c  /system/lib/libc.so (tgkill+12)";
        let found = read(old).unwrap();
        assert_eq!((found.exception.as_str(), found.message.as_str()), ("SIGABRT", "no memory"));
        assert_eq!(found.stack, ["pc 00021c  /system/lib/libc.so (tgkill+12)"]);
        let bracket = old.replace("'no memory'", "'[FATAL:x.cc(76)] Check failed: a[0]'");
        assert_eq!(read(&bracket).unwrap().message, "[FATAL:x.cc(76)] Check failed: a[0]");
    }

    #[test]
    fn a_block_may_be_cut() {
        assert_eq!(read("*** *** ***\nBuild fingerprint: 'x'"), None);
        let cut = read("*** *** ***\npid: 1, tid: 2, name: x").unwrap();
        assert_eq!((cut.exception.as_str(), cut.process.as_str()), ("native crash", ""));
        assert_eq!(read("pid: 1\nsignal 35, code 1").unwrap().exception, "signal 35");
    }
}
