//! Commands on the system itself: properties, `reboot`, `run-as` and others.

use super::{Call, Done};

/// Limit on the length of a property's value in bytes.
const LONGEST: usize = 92;

pub fn getprop(call: &mut Call<'_, '_>) -> Done {
    let names: Vec<&String> = call.args.iter().filter(|arg| !arg.starts_with('-')).collect();
    let text = match names.as_slice() {
        [] => {
            let all = call.state().all_properties();
            all.into_iter().map(|(key, value)| format!("[{key}]: [{value}]\n")).collect()
        }
        [key, rest @ ..] => {
            let value = call.state().property(key);
            let fallback = rest.first().map(|fallback| (*fallback).clone()).unwrap_or_default();
            format!("{}\n", if value.is_empty() { fallback } else { value })
        }
    };
    call.print(&text)?;
    Ok(0)
}

pub fn setprop(call: &mut Call<'_, '_>) -> Done {
    let (Some(key), Some(value)) = (call.arg(0), call.arg(1)) else {
        return call.fail("usage: setprop NAME VALUE", 1);
    };
    let fixed = key.starts_with("ro.") && !call.old();
    let outcome = {
        let mut state = call.state();
        let refused = || format!("Failed to set property '{key}' to '{value}'.\nSee dmesg for error reason.");
        if fixed || value.len() > LONGEST || key.is_empty() {
            Err(refused())
        } else if key == "persist.sys.locale" {
            match state.set_language(value) {
                Ok(true) => Ok(()),
                Ok(false) => Err(format!("this device does not speak {value}")),
                Err(error) => Err(error.to_string()),
            }
        } else {
            state.properties.insert(key.to_owned(), value.to_owned()).map_err(|_| refused())
        }
    };
    match outcome {
        Ok(()) => Ok(0),
        Err(problem) => call.fail(&problem, 1),
    }
}

/// Reboots at once; adb's connection ends with it.
pub fn reboot(call: &mut Call<'_, '_>) -> Done {
    call.state().reboot();
    Ok(0)
}

pub fn run_as(call: &mut Call<'_, '_>) -> Done {
    let Some(package) = call.args.iter().find(|arg| !arg.starts_with('-')).cloned() else {
        return call.fail("run-as: usage: run-as <package-name> [--user <uid>] <command> [<args>]", 1);
    };
    let known = call.state().package(&package).is_some();
    let (new, old) = match known {
        true => ("package not debuggable: ", format!("Package '{package}' is not debuggable")),
        false => ("unknown package: ", format!("Package '{package}' is unknown")),
    };
    let problem = if call.old() { old } else { format!("{new}{package}") };
    call.fail(&format!("run-as: {problem}"), 1)
}

/// `toybox CMD …` runs one of its commands; without arguments it lists them.
pub fn toybox(call: &mut Call<'_, '_>) -> Done {
    let like = call.shell.served.like();
    match call.args.split_first() {
        None => {
            let names = call.commands.of_toybox();
            call.say(&names.join(" "))?;
            Ok(0)
        }
        Some((name, args)) => match call.commands.find(name, like) {
            Some(command) if command.toybox => call.other(name, args),
            _ => call.fail(&format!("toybox: Unknown command {name} (see \"toybox --help\")"), 127),
        },
    }
}

/// `df [PATH]`: always the same, as the phone's files take no room.
pub fn df(call: &mut Call<'_, '_>) -> Done {
    let path = call.args.iter().find(|arg| !arg.starts_with('-')).map_or("/data", String::as_str);
    let text = match call.old() {
        true => format!(
            "Filesystem               Size     Used     Free   Blksize\n{path:<22} 1.9G     0.4G     1.5G   4096\n"
        ),
        false => "Filesystem      1K-blocks    Used Available Use% Mounted on\n\
                  /dev/block/dm-5   6082144 1847632   4218128  31% /data\n"
            .to_owned(),
    };
    call.print(&text)?;
    Ok(0)
}

pub fn ifconfig(call: &mut Call<'_, '_>) -> Done {
    let network = call.state().around.network;
    let address =
        if network { "          inet addr:10.0.2.16  Bcast:10.0.2.255  Mask:255.255.255.0\n" } else { "" };
    call.print(&format!("wlan0     Link encap:Ethernet  HWaddr 02:15:b2:00:00:00\n{address}"))?;
    Ok(0)
}

/// `ip [-f inet] addr [show] [[dev] INTERFACE]` and `ip route`.
pub fn ip(call: &mut Call<'_, '_>) -> Done {
    let network = call.state().around.network;
    let words: Vec<&str> =
        call.args.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    let words = match words.as_slice() {
        ["inet" | "inet6", rest @ ..] => rest,
        all => all,
    };
    let lo = "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n    \
              link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n    inet 127.0.0.1/8 scope host lo\n       \
              valid_lft forever preferred_lft forever\n";
    let wlan = "2: wlan0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000\n    \
                link/ether 02:15:b2:00:00:00 brd ff:ff:ff:ff:ff:ff\n";
    let address = "    inet 10.0.2.16/24 brd 10.0.2.255 scope global wlan0\n       \
                   valid_lft forever preferred_lft forever\n";
    let wlan = format!("{wlan}{}", if network { address } else { "" });
    let text = match words {
        ["route" | "r", ..] if network => {
            "10.0.2.0/24 dev wlan0 proto kernel scope link src 10.0.2.16\n".to_owned()
        }
        ["route" | "r", ..] => String::new(),
        ["a" | "addr" | "address" | "link" | "l", rest @ ..] => {
            match rest.iter().find(|word| !["show", "list", "dev", "up"].contains(word)) {
                None => format!("{lo}{wlan}"),
                Some(&"lo") => lo.to_owned(),
                Some(&"wlan0") => wlan,
                Some(name) => return call.fail(&format!("Device \"{name}\" does not exist."), 1),
            }
        }
        [] => return call.fail("Usage: ip [ OPTIONS ] OBJECT { COMMAND | help }", 255),
        [object, ..] => {
            return call.fail(&format!("Object \"{object}\" is unknown, try \"ip help\"."), 1);
        }
    };
    call.print(&text)?;
    Ok(0)
}
