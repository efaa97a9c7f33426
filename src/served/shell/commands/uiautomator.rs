//! `uiautomator dump` with its peculiarities: where messages are printed, and a file that is only written on success.

use super::{Call, Done};
use crate::Cost;
use crate::faults::DumpFault;
use crate::files::absolute;
use crate::front::with_only;
use crate::programs::Program;
use crate::served::State;
use crate::shell::io::Stop;
use taproof_core::device::DeviceError;
use taproof_core::format::write_hierarchy;
use taproof_core::model::{Layout, Widget, WidgetFlags};

const LAUNCHER: &str = "com.android.commands.uiautomator.Launcher";
const USAGE: &str = "Usage: uiautomator dump [--compressed] [file]";

pub fn uiautomator(call: &mut Call<'_, '_>) -> Done {
    if call.arg(0) == Some("dump") {
        return dump(call);
    }
    call.fail(USAGE, 1)
}

fn default_file(call: &Call<'_, '_>) -> String {
    if call.old() {
        "/storage/emulated/legacy/window_dump.xml".to_owned()
    } else {
        "/sdcard/window_dump.xml".to_owned()
    }
}

/// The outcome of a dump.
enum Dumped {
    Layout(String),
    Failed(&'static str),
    Killed,
    /// Its client has gone.
    Unwanted,
}

fn dump(call: &mut Call<'_, '_>) -> Done {
    let (mut compressed, mut file) = (false, default_file(call));
    for arg in call.args_from(1) {
        match arg.as_str() {
            "--compressed" => compressed = true,
            option if option.starts_with('-') => return call.fail(USAGE, 1),
            path => file = absolute("/", path),
        }
    }
    call.state().dumps += 1;
    let connected = connect(&mut call.state(), call.args);
    let Some(pid) = connected else {
        // A screen that kills every dump does so before one is refused.
        let killed = matches!(call.state().faults.dumps, Some((DumpFault::Killed, 1..)));
        return if killed {
            call.fail("Killed", 137)
        } else {
            call.fail(call.filled("automation taken", &[]).trim_end(), 1)
        };
    };
    let (served, out) = (call.shell.served, call.io.out);
    let waited = served.take_time(Cost::Dump, || served.lock().programs.has(pid) && out.flush().is_ok());
    let dumped = {
        let mut state = call.state();
        let dumped = match (state.programs.has(pid), waited) {
            (false, _) => Ok(Dumped::Killed),
            (true, true) => dump_of(&mut state, compressed),
            (true, false) => Ok(Dumped::Unwanted),
        };
        state.end_program(pid);
        dumped
    };
    let xml = match dumped {
        Ok(Dumped::Layout(xml)) => xml,
        Ok(Dumped::Failed(problem)) => return call.fail(problem, 0),
        Ok(Dumped::Unwanted) => return Err(Stop::Pipe),
        Ok(Dumped::Killed) => return call.fail("Killed", 137),
        Err(error) => return call.fail(&format!("ERROR: {error}"), 0),
    };
    match file.as_str() {
        "/dev/tty" if call.shell.terminal => call.print(&xml)?,
        "/dev/tty" => {}
        // A failed write is only logged, as on a phone.
        path => call.state().write_file(path, xml.into_bytes(), None, None).unwrap_or_default(),
    }
    call.say(&format!("UI hierchary dumped to: {file}"))?;
    Ok(0)
}

/// Starts the dump and returns its pid; `None` if another program has the connection for UI automation.
fn connect(state: &mut State, args: &[String]) -> Option<u32> {
    let words: Vec<&str> = [LAUNCHER].into_iter().chain(args.iter().map(String::as_str)).collect();
    state.programs.start(Program::Dump, &words).ok()
}

fn dump_of(state: &mut State, compressed: bool) -> Result<Dumped, DeviceError> {
    if let Some(fault) = state.faults.next_dump() {
        return Ok(match fault {
            DumpFault::NeverIdle => Dumped::Failed("ERROR: could not get idle state."),
            DumpFault::NullRoot => {
                Dumped::Failed("ERROR: null root node returned by UiTestAutomationBridge.")
            }
            DumpFault::Killed => Dumped::Killed,
        });
    }
    let layout = state.reported_layout()?;
    Ok(Dumped::Layout(xml_of(&layout, compressed)))
}

/// The dump of a layout as XML.
fn xml_of(layout: &Layout, compressed: bool) -> String {
    match compressed {
        true => as_stock(&write_hierarchy(&with_only(layout, |_, widget| says_something(widget)))),
        false => as_stock(&write_hierarchy(layout)),
    }
}

/// Whether `--compressed` includes a widget: a root, and anything with a text or a use.
fn says_something(widget: &Widget) -> bool {
    let used = [
        WidgetFlags::CLICKABLE,
        WidgetFlags::LONG_CLICKABLE,
        WidgetFlags::CHECKABLE,
        WidgetFlags::SCROLLABLE,
        WidgetFlags::FOCUSABLE,
        WidgetFlags::PASSWORD,
    ];
    widget.parent.is_none()
        || !widget.text.is_empty()
        || !widget.content_desc.is_empty()
        || widget.is_text_field()
        || used.into_iter().any(|flag| widget.flags.has(flag))
}

/// Removes the size of the screen, which a stock dump does not contain.
fn as_stock(xml: &str) -> String {
    let tag = xml.split_once("<hierarchy ").and_then(|(head, rest)| Some((head, rest.split_once('>')?)));
    let Some((head, (tag, nodes))) = tag else { return xml.to_owned() };
    let stock = tag.split(" width=").next().unwrap_or(tag);
    let end = if tag.ends_with('/') && !stock.ends_with('/') { "/" } else { "" };
    format!("{head}<hierarchy {stock}{end}>{nodes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_hierarchys_own_size_goes() {
        let xml = "<?xml ?><hierarchy rotation=\"1\" width=\"9\" height=\"8\"><node text=\" width=\" /></hierarchy>";
        assert_eq!(as_stock(xml), "<?xml ?><hierarchy rotation=\"1\"><node text=\" width=\" /></hierarchy>");
        assert_eq!(as_stock("<hierarchy rotation=\"0\"/>"), "<hierarchy rotation=\"0\"/>");
    }
}
