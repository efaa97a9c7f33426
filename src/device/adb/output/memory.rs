//! How much memory apps use.

use super::OutputError;
use super::lines::{leading_number, lines, values};

/// What one process of an app uses, in kilobytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppMemory {
    /// The process.
    pub pid: Option<u32>,
    /// Its name.
    pub process: Option<String>,
    /// All of it; of what is shared, its share.
    pub total_kb: u64,
    /// The heap of Java.
    pub java_heap_kb: Option<u64>,
    /// The heap of native code.
    pub native_heap_kb: Option<u64>,
    /// Pictures and textures.
    pub graphics_kb: Option<u64>,
    /// How many views there are.
    pub views: Option<u64>,
    /// How many activities there are: more than are open means that some are never let go.
    pub activities: Option<u64>,
}

/// One process in the overview of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessMemory {
    /// Its name.
    pub process: String,
    /// Its number.
    pub pid: u32,
    /// What it uses, in kilobytes; of what is shared, its share.
    pub total_kb: u64,
}

/// Reads `dumpsys meminfo PACKAGE`: each process of the app; none where it does not run. Errors: neither a total nor a
/// word that there is no process.
pub fn app_memory(text: &str) -> Result<Vec<AppMemory>, OutputError> {
    const BLOCK: &str = "** MEMINFO in pid ";
    let mut blocks = text.split(BLOCK);
    let before = blocks.next().unwrap_or_default();
    let found: Vec<AppMemory> = blocks.filter_map(|block| memory_of(block, true)).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    if text.contains("No process found for:") {
        return Ok(Vec::new());
    }
    let alone = memory_of(before, false).map(|memory| vec![memory]);
    alone.ok_or_else(|| OutputError::missing("dumpsys meminfo PACKAGE", "row `TOTAL`", text))
}

fn memory_of(block: &str, headed: bool) -> Option<AppMemory> {
    let row = |name: &str| {
        let rows = lines(block).filter_map(|line| line.trim_start().strip_prefix(name));
        rows.filter(|rest| rest.starts_with(' ')).find_map(leading_number)
    };
    let number = |key: &str| values(block, key).find_map(leading_number);
    let header = lines(block).next().filter(|_| headed).unwrap_or_default();
    let name =
        header.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(name, _)| name.to_owned());
    Some(AppMemory {
        pid: leading_number(header).and_then(|pid| u32::try_from(pid).ok()),
        process: name,
        total_kb: number("TOTAL PSS:").or_else(|| number("TOTAL:")).or_else(|| row("TOTAL"))?,
        java_heap_kb: number("Java Heap:").or_else(|| row("Dalvik Heap")),
        native_heap_kb: number("Native Heap:").or_else(|| row("Native Heap")),
        graphics_kb: number("Graphics:"),
        views: number("Views:"),
        activities: number("Activities:"),
    })
}

/// Reads the overview of `dumpsys meminfo`, largest first as it stands there. Errors: no process in it.
pub fn memory_by_process(text: &str) -> Result<Vec<ProcessMemory>, OutputError> {
    let section = lines(text).skip_while(|line| !line.starts_with("Total PSS by process")).skip(1);
    let process = |line: &str| {
        let (amount, rest) = line.trim().split_once(": ")?;
        let (name, rest) = rest.rsplit_once(" (pid ")?;
        let pid = u32::try_from(leading_number(rest)?).ok()?;
        Some(ProcessMemory { process: name.to_owned(), pid, total_kb: leading_number(amount)? })
    };
    let found: Vec<ProcessMemory> =
        section.take_while(|line| !line.trim().is_empty()).filter_map(process).collect();
    if found.is_empty() {
        return Err(OutputError::missing("dumpsys meminfo", "section `Total PSS by process`", text));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::test_data;
    use super::*;

    fn process(process: &str, pid: u32, total_kb: u64) -> ProcessMemory {
        ProcessMemory { process: process.to_owned(), pid, total_kb }
    }

    #[test]
    fn the_old_overview_is_read() {
        let Some(text) = test_data::text("dumpsys_meminfo.txt") else { return };
        let list = memory_by_process(&text).unwrap();
        assert_eq!(list.len(), 33);
        assert_eq!(list[0], process("com.android.systemui", 7263, 23_902));
        assert_eq!(list[3], process("com.android.launcher3", 7353, 12_154));
        assert_eq!(list[32], process("servicemanager", 1028, 123));
        assert!(app_memory(&text).is_err());
    }

    #[test]
    fn a_newer_overview_is_read() {
        let text = "Total PSS by process:\n    123,456K: com.a (pid 12 / activities)\n      1,000K: x \
            (y) (pid 3)\n\nTotal PSS by x:\n    1K: z (pid 1)\n";
        assert_eq!(
            memory_by_process(text).unwrap(),
            [process("com.a", 12, 123_456), process("x (y)", 3, 1000)]
        );
        assert!(memory_by_process("").is_err());
    }

    const NEWER: &str = "Applications Memory Usage (in Kilobytes):
Uptime: 1 Realtime: 2

** MEMINFO in pid 4321 [com.a] **
                   Pss  Private  Private  SwapPss      Rss     Heap
                 Total    Dirty    Clean    Dirty    Total     Size
                ------   ------   ------   ------   ------   ------
  Native Heap    10132    10040        0        0    12000    20000
  Dalvik Heap     5072     4900        0        0     7000    10000
        TOTAL    43210    30000     2000        0    99999    30000

 App Summary
                       Pss(KB)                        Rss(KB)
                        ------                         ------
           Java Heap:     5432                          9000
         Native Heap:    10040                         12000
            Graphics:     2345                          2345
           TOTAL PSS:    43210            TOTAL RSS:    99999      TOTAL SWAP PSS:        0

 Objects
               Views:       55         ViewRootImpl:        1
         AppContexts:        5           Activities:        2
";

    #[test]
    fn an_app_is_read() {
        let expected = AppMemory {
            pid: Some(4321),
            process: Some("com.a".to_owned()),
            total_kb: 43_210,
            java_heap_kb: Some(5432),
            native_heap_kb: Some(10_040),
            graphics_kb: Some(2345),
            views: Some(55),
            activities: Some(2),
        };
        assert_eq!(app_memory(NEWER), Ok(vec![expected.clone()]));
        assert_eq!(app_memory(&NEWER.replace('\n', "\r\n")), Ok(vec![expected]));
        let eleven = NEWER.replace("TOTAL PSS:    43210", "TOTAL:    43210");
        assert_eq!(app_memory(&eleven).unwrap()[0].total_kb, 43_210);
    }

    #[test]
    fn an_old_table_has_no_summary() {
        let old = "** MEMINFO in pid 9 [com.a] **\n  Native Heap    1000   1\n  Dalvik Heap     500   \
            1\n        TOTAL    4321   1\n";
        let memory = &app_memory(old).unwrap()[0];
        assert_eq!(
            (memory.total_kb, memory.java_heap_kb, memory.native_heap_kb),
            (4321, Some(500), Some(1000))
        );
        assert_eq!(app_memory("No process found for: com.a\r\n"), Ok(Vec::new()));
        assert!(app_memory("").is_err());
        assert_eq!(app_memory("   TOTAL  7 8\n").unwrap()[0].total_kb, 7);
    }

    #[test]
    fn an_app_may_have_several_processes() {
        let two = format!("{NEWER}\n{}", NEWER.replace("4321 [com.a]", "4322 [com.a:remote]"));
        let list = app_memory(&two).unwrap();
        assert_eq!(list.iter().map(|memory| memory.pid).collect::<Vec<_>>(), [Some(4321), Some(4322)]);
        assert_eq!(list[1].process.as_deref(), Some("com.a:remote"));
    }
}
