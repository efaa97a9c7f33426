//! `ls`.

use super::{Call, Done};
use crate::files::{FileError, Stat};
use taproof_phone::Date;

/// The mode as `ls -l` prints it, such as `drwxr-xr-x`.
fn mode_text(stat: &Stat) -> String {
    let kind = match stat.mode & 0o170_000 {
        0o040_000 => 'd',
        0o120_000 => 'l',
        0o020_000 => 'c',
        _ => '-',
    };
    let bits = "rwxrwxrwx".chars().enumerate();
    let bits = bits.map(|(place, letter)| if stat.mode & (0o400 >> place) != 0 { letter } else { '-' });
    std::iter::once(kind).chain(bits).collect()
}

/// The time as `ls -l` prints it, such as `2026-01-05 09:00`.
fn time_text(stat: &Stat) -> String {
    let date = Date::of_epoch(stat.mtime.saturating_mul(1000));
    format!("{} {}", date.iso(), date.clock())
}

fn owner(path: &str, old: bool) -> (&'static str, &'static str) {
    let below =
        |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if ["/sdcard", "/storage", "/mnt/sdcard"].into_iter().any(below) {
        return if old { ("root", "sdcard_r") } else { ("u0_a10", "media_rw") };
    }
    if below("/data/local/tmp") { ("shell", "shell") } else { ("root", "root") }
}

/// A line of `ls -l`.
fn long_line(call: &Call<'_, '_>, path: &str, name: &str, stat: &Stat) -> String {
    let (user, group) = owner(path, call.old());
    let to = match stat.is_link() {
        true => {
            let state = call.state();
            match state.files.node(path, false).map(|node| &node.content) {
                Ok(crate::files::Content::Link(to)) => format!(" -> {to}"),
                _ => String::new(),
            }
        }
        false => String::new(),
    };
    let (mode, time) = (mode_text(stat), time_text(stat));
    if call.old() {
        let size = if stat.is_folder() || stat.is_link() { String::new() } else { stat.size.to_string() };
        return format!("{mode} {user:<8} {group:<8} {size:>8} {time} {name}{to}");
    }
    let links = if stat.is_folder() { 2 } else { 1 };
    format!("{mode} {links} {user} {group} {:>7} {time} {name}{to}", stat.size)
}

/// The listing of one folder or file.
fn show(call: &Call<'_, '_>, options: &str, folder: &str, entries: &[(String, Stat)]) -> String {
    let lines = entries.iter().map(|(name, stat)| {
        if !options.contains('l') {
            return format!("{name}\n");
        }
        let path = if name.starts_with('/') { name.clone() } else { format!("{folder}/{name}") };
        format!("{}\n", long_line(call, &path, name, stat))
    });
    lines.collect()
}

fn complaint(call: &Call<'_, '_>, name: &str, error: FileError) -> String {
    if call.old() { format!("{name}: {error}") } else { format!("{}: {name}: {error}", call.name) }
}

pub fn ls(call: &mut Call<'_, '_>) -> Done {
    let (options, names) = match call.options("laAd")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let here = [".".to_owned()];
    let names = if names.is_empty() { &here } else { names };
    let (mut status, mut first) = (0, true);
    for name in names {
        let path = call.path(name);
        let follow = !options.contains(['l', 'd']) || name.ends_with('/');
        let stat = call.state().stat_file(&path, follow);
        let stat = match stat {
            Ok(stat) => stat,
            Err(error) => {
                call.complain(&complaint(call, name, error))?;
                status = 1;
                continue;
            }
        };
        if !stat.is_folder() || options.contains('d') {
            let shown = show(call, &options, "", &[(name.clone(), stat)]);
            call.print(&shown)?;
            continue;
        }
        let listed = call.state().list_folder(&path);
        match listed {
            Ok(mut entries) => {
                entries.retain(|(name, _)| options.contains(['a', 'A']) || !name.starts_with('.'));
                if options.contains('a') && !call.old() {
                    entries.insert(0, ("..".to_owned(), stat));
                    entries.insert(0, (".".to_owned(), stat));
                }
                let heading = if names.len() > 1 {
                    format!("{}{name}:\n", if first { "" } else { "\n" })
                } else {
                    String::new()
                };
                let total = if options.contains('l') && !call.old() {
                    let blocks: u64 = entries.iter().map(|(_, stat)| stat.size.div_ceil(4096) * 4).sum();
                    format!("total {blocks}\n")
                } else {
                    String::new()
                };
                let shown = show(call, &options, path.trim_end_matches('/'), &entries);
                call.print(&format!("{heading}{total}{shown}"))?;
                first = false;
            }
            Err(error) => {
                call.complain(&complaint(call, name, error))?;
                status = 1;
            }
        }
    }
    Ok(status)
}
