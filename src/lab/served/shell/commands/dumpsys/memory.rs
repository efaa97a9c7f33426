//! `dumpsys meminfo`. The numbers are derived from the invented size of a process; the format is Android's.

use crate::processes::Process;
use crate::served::State;
use taproof_core::device::DeviceError;

pub(super) fn meminfo(state: &mut State, args: &[String]) -> Result<String, DeviceError> {
    let uptime = state.device.now().millis();
    let head = format!("Applications Memory Usage (kB):\nUptime: {uptime} Realtime: {uptime}\n\n");
    let all = state.processes();
    let Some(wanted) = args.iter().find(|arg| !arg.starts_with('-')) else {
        return Ok(head + &everybody(&all));
    };
    let found = all.iter().find(|process| process.name == *wanted || process.pid.to_string() == *wanted);
    let Some(process) = found else { return Ok(format!("No process found for: {wanted}\n")) };
    let views = match state.front()? {
        front if front.package == process.name => front.layout.widgets().len(),
        _ => 0,
    };
    Ok(head + &one(process, views, state.like.old()))
}

fn everybody(all: &[Process]) -> String {
    let mut sorted: Vec<&Process> = all.iter().filter(|process| process.memory > 0).collect();
    sorted.sort_by_key(|process| std::cmp::Reverse(process.memory));
    let mut text = "Total PSS by process:\n".to_owned();
    for process in &sorted {
        text += &format!("{:>9} kB: {} (pid {})\n", process.memory / 2, process.name, process.pid);
    }
    let used: u32 = sorted.iter().map(|process| process.memory / 2).sum();
    text + &format!(
        "\nTotal RAM: 2031620 kB\n Free RAM: {} kB\n Used RAM: {used} kB\n",
        2_031_620u32.saturating_sub(used)
    )
}

fn one(process: &Process, views: usize, old: bool) -> String {
    let total = process.memory / 2;
    // The given percentage of the whole.
    let part = |percent: u32| total * percent / 100;
    let (native, dalvik, stack, code) = (part(30), part(20), part(2), part(28));
    let graphics = part(8);
    let other = total - native - dalvik - stack - code - graphics;
    let row =
        |name: &str, kilobytes: u32| format!("{name:>17}{kilobytes:>8}{kilobytes:>8}{:>8}{:>8}\n", 0, 0);
    let mut text = format!("** MEMINFO in pid {} [{}] **\n", process.pid, process.name);
    text += "                   Pss  Private  Private  SwapPss\n                 Total    Dirty    Clean    Dirty\n";
    text += "                ------   ------   ------   ------\n";
    for (name, kilobytes) in [
        ("Native Heap", native),
        ("Dalvik Heap", dalvik),
        ("Stack", stack),
        (".so mmap", code),
        ("Gfx dev", graphics),
        ("Unknown", other),
        ("TOTAL", total),
    ] {
        text += &row(name, kilobytes);
    }
    let activities = usize::from(views > 0);
    let objects = format!(
        "\n Objects\n               Views: {views:>8}         ViewRootImpl: {activities:>8}\n         AppContexts: \
         {:>8}           Activities: {activities:>8}\n",
        2 + activities
    );
    if old {
        return text + &objects;
    }
    text += "\n App Summary\n                       Pss(KB)\n                        ------\n";
    for (name, kilobytes) in [
        ("Java Heap", dalvik),
        ("Native Heap", native),
        ("Code", code),
        ("Stack", stack),
        ("Graphics", graphics),
        ("Private Other", other),
        ("System", 0),
    ] {
        text += &format!("{:>20}:{kilobytes:>9}\n", name);
    }
    text + &format!(
        "\n           TOTAL PSS: {total:>8}            TOTAL RSS: {:>8}\n{objects}",
        process.memory
    )
}
