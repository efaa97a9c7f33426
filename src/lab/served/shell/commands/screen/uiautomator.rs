//! `uiautomator dump` with its peculiarities: where messages are printed, and a file that is only written on success.

use crate::Cost;
use crate::faults::DumpFault;
use crate::files::absolute;
use crate::screen::front::with_only;
use crate::served::State;
use crate::shell::commands::{Call, Done};
use crate::shell::io::Stop;
use crate::system::programs::Program;
use taproof_screen::format::write_hierarchy;
use taproof_screen::{Layout, Widget, WidgetFlags};

/// What the shell prints of a command that the system killed.
const KILLED: &str = "Killed";
const LAUNCHER: &str = "com.android.commands.uiautomator.Launcher";
const USAGE: &str = "Usage: uiautomator dump [--compressed] [file]";

pub fn uiautomator(call: &mut Call<'_, '_>) -> Done {
    if call.arg(0) == Some("dump") {
        return dump(call);
    }
    call.fail(USAGE, 1)
}

fn dump(call: &mut Call<'_, '_>) -> Done {
    let (mut compressed, mut file) = (false, call.filled("dump file", &[]).trim_end().to_owned());
    for arg in call.args_from(1) {
        match arg.as_str() {
            "--compressed" => compressed = true,
            option if option.starts_with('-') => return call.fail(USAGE, 1),
            path => file = absolute("/", path),
        }
    }
    call.state().dumps += 1;
    let words: Vec<&str> = [LAUNCHER].into_iter().chain(call.args.iter().map(String::as_str)).collect();
    let started = call.state().programs.start(Program::Dump, &words);
    let Ok(pid) = started else {
        // A screen that kills every dump does so before one is refused.
        let killed = matches!(call.state().faults.dumps, Some((DumpFault::Killed, 1..)));
        return if killed {
            call.fail(KILLED, 137)
        } else {
            call.fail(call.filled("automation taken", &[]).trim_end(), 1)
        };
    };
    let (served, out) = (call.shell.served, call.io.out);
    let waited = served.take_time(Cost::Dump, || served.lock().programs.has(pid) && out.flush().is_ok());
    let dumped = {
        let mut state = call.state();
        let killed = !state.programs.has(pid);
        state.end_program(pid);
        match (killed, waited) {
            (true, _) => Err(KILLED.to_owned()),
            // Its client has gone.
            (false, false) => return Err(Stop::Pipe),
            (false, true) => dump_of(&mut state, compressed),
        }
    };
    let xml = dumped.or_else(|problem| call.fails(&problem, if problem == KILLED { 137 } else { 0 }))?;
    match file.as_str() {
        "/dev/tty" if call.shell.terminal => call.print(&xml)?,
        "/dev/tty" => {}
        // A failed write is only logged, as on a phone.
        path => call.state().write_file(path, xml.into_bytes(), None, None).unwrap_or_default(),
    }
    call.say(&format!("UI hierchary dumped to: {file}"))?;
    Ok(0)
}

/// The dump of the screen, or what is printed instead.
fn dump_of(state: &mut State, compressed: bool) -> Result<String, String> {
    match state.faults.next_dump() {
        Some(DumpFault::NeverIdle) => Err("ERROR: could not get idle state.".to_owned()),
        Some(DumpFault::NullRoot) => {
            Err("ERROR: null root node returned by UiTestAutomationBridge.".to_owned())
        }
        Some(DumpFault::Killed) => Err(KILLED.to_owned()),
        None => {
            let layout = state.reported_layout().map_err(|error| format!("ERROR: {error}"))?;
            Ok(xml_of(&layout, compressed))
        }
    }
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
