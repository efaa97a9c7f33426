//! Parsing the list of running processes.

use std::collections::BTreeSet;

use super::OutputError;
use super::lines::lines;

/// An entry of `ps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// The pid of the process.
    pub pid: u32,
    /// The name; for an app its package, followed by `:name` for an additional process.
    pub name: String,
}

/// Parses `ps -A` (Android 8 and newer) or `ps` (older), whose formats differ.
///
/// # Errors
///
/// If the answer contains no process.
pub fn process_list(text: &str) -> Result<Vec<Process>, OutputError> {
    let header = lines(text).find(|line| line.trim_start().starts_with("USER ") && line.contains("PID"));
    let columns: Vec<&str> =
        header.unwrap_or("USER PID PPID VSZ RSS WCHAN ADDR S NAME").split_whitespace().collect();
    let place = |name: &str| columns.iter().position(|column| *column == name);
    let (pid_at, parent_at) = (place("PID").unwrap_or(1), place("PPID").unwrap_or(2));
    // The old `ps` has a column of states without a title.
    let name_at = columns.len().saturating_sub(1) + usize::from(place("S").is_none());
    let process = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words.get(at)?.parse::<u32>().ok();
        // A line without a parent is none of a process.
        number(parent_at)?;
        Some(Process { pid: number(pid_at)?, name: name(line, &words, parent_at, name_at)? })
    };
    let found: Vec<Process> = lines(text).filter_map(process).collect();
    if found.is_empty() {
        return Err(OutputError::missing("ps", "line of a process", text));
    }
    Ok(found)
}

/// The processes whose web views can be debugged, from the text of `/proc/net/unix`: where the app allows it, Android's
/// WebView listens at `@webview_devtools_remote_PID`.
pub fn debuggable_web_views(text: &str) -> BTreeSet<u32> {
    let pid =
        |line: &str| line.split_whitespace().last()?.strip_prefix("@webview_devtools_remote_")?.parse().ok();
    lines(text).filter_map(pid).collect()
}

/// The last column, which may contain blanks. A column before it may be empty, so the state's column is located first.
fn name(line: &str, words: &[&str], parent_at: usize, name_at: usize) -> Option<String> {
    let is_state = |word: &str| word.len() == 1 && "RSDTtXZPIWKx".contains(word);
    let expected = name_at.checked_sub(1)?;
    let state_at = if words.get(expected).is_some_and(|word| is_state(word)) {
        expected
    } else {
        (parent_at + 1..words.len()).find(|at| words.get(*at).is_some_and(|word| is_state(word)))?
    };
    let mut rest = line;
    for word in words.get(..=state_at)? {
        rest = rest.trim_start().strip_prefix(word)?;
    }
    let name = rest.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    fn process(pid: u32, name: &str) -> Process {
        Process { pid, name: name.to_owned() }
    }

    #[test]
    fn the_old_format_is_read() {
        let Some(text) = test_data::text("ps.txt") else { return };
        let list = process_list(&text).unwrap();
        assert_eq!(list.len(), 70);
        assert_eq!(list[0], process(1, "/init"));
        assert_eq!(list[7], process(10, "rcu_sched"));
        assert!(list.contains(&process(7727, "com.example.android.notepad")));
        assert_eq!(list.last(), Some(&process(7813, "ps")));
    }

    #[test]
    fn the_newer_format_is_read() {
        let text = "USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n\
            root             1     0 10782612  9012 do_epoll_wait       0 S init\n\
            root            47     2       0      0 0                   0 I [kworker/u16:2 x]\n\
            u0_a123       4321   321 14312344 98765 do_epoll_wait       0 S com.a:remote\n\
            shell         5000     1   12345   4321                     0 R ps -A\n";
        let list = process_list(text).unwrap();
        assert_eq!(
            list,
            [
                process(1, "init"),
                process(47, "[kworker/u16:2 x]"),
                process(4321, "com.a:remote"),
                process(5000, "ps -A"),
            ]
        );
        let bare = "u0_a123 4321 321 14312344 98765 do_epoll_wait 0 S com.a\r\n";
        assert_eq!(process_list(bare).unwrap(), [process(4321, "com.a")]);
        assert!(process_list("USER PID PPID\n").is_err());
        assert!(process_list("").is_err());
    }

    #[test]
    fn the_socket_of_web_views_is_named_after_its_process() {
        let text = "Num       RefCount Protocol Flags    Type St Inode Path\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 31215 @webview_devtools_remote_4321\r\n\
            0000000000000000: 00000003 00000000 00000000 0001 03 31216 /dev/socket/zygote\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 31217 @chrome_devtools_remote\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 31218 @webview_devtools_remote_x\n";
        assert_eq!(Vec::from_iter(debuggable_web_views(text)), [4321]);
        assert!(debuggable_web_views("cat: /proc/net/unix: Permission denied\n").is_empty());
    }
}
