//! Commands on the system itself: properties, the disk, the network, and the multi-call program of small tools.

use super::{Call, Done};
use crate::outputs::filled;
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
    let text = filled(call.shell.served.like(), "df", &[("path", &path)]);
    call.print(&text).map(|()| 0)
}

/// `ifconfig wlan0`.
pub fn ifconfig(call: &mut Call<'_, '_>) -> Done {
    let network = call.state().around.network;
    let address =
        if network { "          inet addr:10.0.2.16  Bcast:10.0.2.255  Mask:255.255.255.0\n" } else { "" };
    call.print(&format!("wlan0     Link encap:Ethernet  HWaddr 02:15:b2:00:00:00\n{address}")).map(|()| 0)
}
