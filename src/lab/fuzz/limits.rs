//! What one input may take, and how that is looked at from outside.

use std::time::Duration;

/// The most memory that a process may have held.
pub const LARGEST_KB: u64 = 500 << 10;
/// The most memory that a process can ask for: beyond it, it dies.
pub const ADDRESSES_KB: u64 = 2 << 20;
/// The longest that a processor may work on one input.
pub const LONGEST: Duration = Duration::from_secs(2);
/// An input that takes so long without working waits for something that does not come.
pub const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The exit code of a child that panicked.
pub const PANICKED: i32 = 101;
/// The exit code of a child that has held too much memory.
pub const TOO_LARGE: i32 = 102;

/// The most memory that a process has held so far; 0 where it is gone.
pub fn peak_kb(process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// How long processors have worked on a process so far.
pub fn worked(process: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Behind the name, which stands in parentheses and may hold anything; Linux counts in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    Duration::from_millis(10 * (ticks(11) + ticks(12)))
}
