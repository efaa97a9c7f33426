//! Commands on the system itself: properties, the disk, the network, and the multi-call program of small tools.

use super::{Call, Done};
use crate::shell::table;

/// `getprop [NAME]`.
pub fn getprop(call: &mut Call<'_, '_>) -> Done {
    let text = match call.arg(0) {
        None => {
            let all = call.state().all_properties();
            all.into_iter().map(|(key, value)| format!("[{key}]: [{value}]\n")).collect()
        }
        Some(key) => call.state().property(key) + "\n",
    };
    call.print(&text).map(|()| 0)
}

pub fn reboot(call: &mut Call<'_, '_>) -> Done {
    call.state().reboot();
    Ok(0)
}

/// `toybox NAME [WORD ...]`.
pub fn toybox(call: &mut Call<'_, '_>) -> Done {
    let Some((name, args)) = call.args.split_first() else { return Ok(0) };
    match table::find(name, call.shell.served.like()) {
        Some(command) if command.toybox => call.other(name, args),
        _ => call.fail(&format!("toybox: Unknown command {name} (see \"toybox --help\")"), 127),
    }
}

/// `df [PATH]`. The sizes are invented.
pub fn df(call: &mut Call<'_, '_>) -> Done {
    let path = format!("{:<22}", call.arg(0).unwrap_or("/data"));
    let text = call.filled("df", &[("path", &path)]);
    call.print(&text).map(|()| 0)
}

/// `ifconfig wlan0`.
pub fn ifconfig(call: &mut Call<'_, '_>) -> Done {
    let name = if call.state().around.network { "ifconfig connected" } else { "ifconfig" };
    call.print(&call.filled(name, &[])).map(|()| 0)
}
