//! Assembles the parts of each crash as log lines come in.

use super::super::component::Component;
use super::super::log::LogLine;
use super::record::{Crash, CrashKind};
use super::system_events::{self, Death, SystemEvent};
use super::{java, logged, native, not_responding};

/// How many blocks may be open at a time; beyond that the oldest is closed.
const OPEN_BLOCKS: usize = 16;
/// Limit on the lines of a block, after which it is closed.
const BLOCK_LINES: usize = 2000;
/// Limit on the bytes of a block, after which it is closed.
const BLOCK_BYTES: usize = 256 * 1024;
/// How many crashes are remembered, to recognise them in another buffer.
const REMEMBERED: usize = 128;
/// Limit on the lines of an entry of the events buffer.
const EVENT_LINES: usize = 64;

/// Finds crashes in a log, line by line. The lines of several processes may be interleaved, and several buffers may be
/// read at once: a crash that appears twice is one crash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CrashCollector {
    open: Vec<Block>,
    entry: Option<Entry>,
    found: Vec<Found>,
}

/// A block that is being collected.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Block {
    kind: BlockKind,
    when: String,
    pid: u32,
    tid: u32,
    texts: Vec<String>,
    bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    Java,
    NotResponding,
    Native,
    Dart,
    Script,
}

/// An entry of the events buffer whose message contains line ends.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    when: String,
    pid: u32,
    tid: u32,
    tag: String,
    text: String,
    lines: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    crash: Crash,
    /// Whether its block was read.
    block: bool,
    /// Whether its entry of the events buffer was read.
    event: bool,
    /// Whether its process has died, so that later lines with its pid belong to another process.
    over: bool,
}

impl CrashCollector {
    /// Takes the next line.
    pub fn push(&mut self, line: &LogLine) {
        self.go_on_with_entry(line);
        let kind = BlockKind::of_line(line);
        let same_thread = |block: &Block| (block.pid, block.tid) == (line.pid, line.tid);
        let goes_on = |block: &Block| same_thread(block) && kind == Some(block.kind) && block.takes(line);
        // Any line may begin an error of JavaScript, and any line of the same moment may go on with it.
        let goes_on = kind == Some(BlockKind::Script) && self.open.iter().any(goes_on);
        let begins = !goes_on && kind.is_some_and(|kind| kind.begins(&line.text));
        // A block ends with the thread's next line that does not belong to it.
        let ended = self.open.iter().position(|block| {
            same_thread(block) && (begins || kind != Some(block.kind) || !block.takes(line))
        });
        if let Some(at) = ended {
            self.close(at);
        }
        if let Some(kind) = kind.filter(|_| begins) {
            if self.open.len() >= OPEN_BLOCKS {
                self.close(0);
            }
            let (when, texts) = (line.when.clone(), vec![line.text.clone()]);
            self.open.push(Block { kind, when, pid: line.pid, tid: line.tid, texts, bytes: line.text.len() });
        } else if let Some(at) =
            self.open.iter().position(|block| same_thread(block) && kind == Some(block.kind))
        {
            if let Some(block) = self.open.get_mut(at) {
                block.bytes += line.text.len();
                block.texts.push(line.text.clone());
            }
        } else {
            self.system_line(line);
        }
    }

    /// Returns the crashes in order. The log has ended, so open blocks count as complete.
    pub fn finish(mut self) -> Vec<Crash> {
        if let Some(entry) = self.entry.take() {
            self.event(&entry.when, &entry.tag, &entry.text);
        }
        while !self.open.is_empty() {
            self.close(0);
        }
        self.found.into_iter().map(|found| found.crash).collect()
    }

    /// Takes a line that belongs to no block.
    fn system_line(&mut self, line: &LogLine) {
        if system_events::TAGS.contains(&line.tag.as_str()) {
            if line.text.starts_with('[') && !line.text.trim_end().ends_with(']') {
                let (when, tag, text) = (line.when.clone(), line.tag.clone(), line.text.clone());
                let entry = Entry { when, pid: line.pid, tid: line.tid, tag, text, lines: 1 };
                // If the entries of two threads are interleaved, the first one ends here.
                if let Some(before) = self.entry.replace(entry) {
                    self.event(&before.when, &before.tag, &before.text);
                }
            } else {
                self.event(&line.when, &line.tag, &line.text);
            }
        } else if line.tag == "ActivityManager" || line.tag == "ActivityTaskManager" {
            if let Some(death) = system_events::death(&line.text) {
                self.died(&death);
            } else if let Some(activity) = system_events::closed_activity(&line.text) {
                self.closed(activity);
            }
        }
    }

    /// Continues an entry with further lines. Each line of an entry repeats the tag; any other line by the same thread
    /// ends the entry, since the log truncates long entries.
    fn go_on_with_entry(&mut self, line: &LogLine) {
        let Some(mut entry) = self.entry.take() else { return };
        if (entry.pid, entry.tid) != (line.pid, line.tid) {
            self.entry = Some(entry);
            return;
        }
        let more = entry.tag == line.tag && !line.text.starts_with('[') && entry.lines < EVENT_LINES;
        if more {
            entry.text.push('\n');
            entry.text.push_str(&line.text);
            entry.lines += 1;
        }
        if more && !line.text.trim_end().ends_with(']') {
            self.entry = Some(entry);
        } else {
            self.event(&entry.when, &entry.tag, &entry.text);
        }
    }

    fn event(&mut self, when: &str, tag: &str, text: &str) {
        match system_events::event(when, tag, text) {
            Some(SystemEvent::Crash(crash)) => {
                self.close_of(|block| block.pid == crash.pid);
                self.add(*crash, false);
            }
            Some(SystemEvent::Death(death)) => self.died(&death),
            None => {}
        }
    }

    fn died(&mut self, death: &Death) {
        self.close_of(|block| block.pid == death.pid);
        for found in self.found.iter_mut().filter(|found| found.crash.pid == death.pid) {
            found.over = true;
            if found.crash.process.is_empty() {
                found.crash.process.clone_from(&death.process);
            }
        }
    }

    /// Notes an activity that was closed by force, which belongs to the app that has just crashed.
    fn closed(&mut self, activity: Component) {
        self.close_of(|block| block.may_be_of(&activity.package));
        let of_app = |found: &&mut Found| matches!(found.crash.kind, CrashKind::Java | CrashKind::Native);
        if let Some(found) = self.found.iter_mut().rev().find(of_app)
            && found.crash.activity.is_none()
            && (found.crash.process.is_empty() || found.crash.package() == activity.package)
        {
            if found.crash.process.is_empty() {
                found.crash.process.clone_from(&activity.package);
            }
            found.crash.activity = Some(activity);
        }
    }

    fn close_of(&mut self, which: impl Fn(&Block) -> bool) {
        while let Some(at) = self.open.iter().position(&which) {
            self.close(at);
        }
    }

    fn close(&mut self, at: usize) {
        if at >= self.open.len() {
            return;
        }
        let block = self.open.remove(at);
        let crash = match block.kind {
            BlockKind::Java => Some(java::crash(&block.when, block.pid, &block.texts)),
            BlockKind::NotResponding => Some(not_responding::crash(&block.when, &block.texts)),
            BlockKind::Native => native::crash(&block.when, &block.texts),
            BlockKind::Dart => Some(logged::dart(&block.when, block.pid, &block.texts)),
            BlockKind::Script => logged::script(&block.when, block.pid, &block.texts),
        };
        if let Some(crash) = crash {
            self.add(crash, true);
        }
    }

    /// Merges a crash with what is already known of it, or adds it as a new one.
    fn add(&mut self, crash: Crash, block: bool) {
        let same = |found: &&mut Found| {
            let known = &found.crash;
            let one_process = match (known.pid, crash.pid) {
                (0, _) | (_, 0) => known.process == crash.process,
                (known, new) => known == new,
            };
            let twice = if block { found.block } else { found.event };
            // A block that was already read may come again from another buffer, with the same text.
            let again = match crash.kind {
                CrashKind::NotResponding | CrashKind::Logged => known.when == crash.when,
                CrashKind::Java | CrashKind::System | CrashKind::Native => !found.over,
            };
            one_process && known.kind == crash.kind && (!twice || (block && again && known.log == crash.log))
        };
        if let Some(found) = self.found.iter_mut().rev().find(same) {
            found.join(crash, block);
            return;
        }
        if self.found.len() >= REMEMBERED {
            self.found.remove(0);
        }
        self.found.push(Found { crash, block, event: !block, over: false });
    }
}

impl Found {
    /// Takes what the other part knows about the same crash: the block has the stack and the whole message, the entry
    /// the process and the place.
    fn join(&mut self, mut other: Crash, block: bool) {
        if block && !self.block {
            std::mem::swap(&mut self.crash, &mut other);
        }
        self.block |= block;
        self.event |= !block;
        let crash = &mut self.crash;
        for (slot, more) in [
            (&mut crash.process, other.process),
            (&mut crash.exception, other.exception),
            (&mut crash.message, other.message),
        ] {
            if slot.is_empty() {
                *slot = more;
            }
        }
        if crash.pid == 0 {
            crash.pid = other.pid;
        }
        crash.activity = crash.activity.take().or(other.activity);
        crash.thrown_at = crash.thrown_at.take().or(other.thrown_at);
    }
}

impl BlockKind {
    /// The kind of block that the line could belong to, if any.
    fn of_line(line: &LogLine) -> Option<Self> {
        match line.tag.as_str() {
            "AndroidRuntime" if line.error => Some(BlockKind::Java),
            "ActivityManager" if line.error => Some(BlockKind::NotResponding),
            "DEBUG" => Some(BlockKind::Native),
            "flutter" if line.error => Some(BlockKind::Dart),
            "ReactNativeJS" if line.error => Some(BlockKind::Script),
            _ => None,
        }
    }

    fn begins(self, text: &str) -> bool {
        match self {
            BlockKind::Java => java::begins(text),
            BlockKind::NotResponding => not_responding::begins(text),
            BlockKind::Native => native::begins(text),
            BlockKind::Dart => logged::dart_begins(text),
            BlockKind::Script => true,
        }
    }
}

impl Block {
    /// Whether this may be the block of an exception in this app: it names the app's process, or no process.
    fn may_be_of(&self, package: &str) -> bool {
        let named = self.texts.get(1).and_then(|text| text.strip_prefix("Process: "));
        let of_package = |process: &str| process.split([',', ':']).next() == Some(package);
        self.kind == BlockKind::Java && named.is_none_or(of_package)
    }

    /// Whether another line by its thread and of its kind belongs to this block.
    fn takes(&self, line: &LogLine) -> bool {
        let related = match self.kind {
            // The system's thread may log other messages at the same level.
            BlockKind::NotResponding => line.when == self.when || not_responding::goes_on(&line.text),
            // Problems while the crash is reported are logged after it.
            BlockKind::Java => line.text != "Error reporting crash",
            BlockKind::Native => true,
            BlockKind::Dart => !logged::is_of_engine(&line.text),
            BlockKind::Script => line.when == self.when,
        };
        related && self.texts.len() < BLOCK_LINES && self.bytes < BLOCK_BYTES
    }
}
