//! Commands that list files: `ls`, `stat`, `df`, `find`.

use super::{Call, Done};
use crate::files::{FileError, Stat, name_of};
use crate::shell::pattern::fits;
use taproof_phone::Date;

/// Limit on the depth of `find`.
const DEEPEST: usize = 64;

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
    let mut entries: Vec<&(String, Stat)> = entries.iter().collect();
    if options.contains('t') {
        entries.sort_by_key(|(_, stat)| std::cmp::Reverse(stat.mtime));
    }
    if options.contains('r') {
        entries.reverse();
    }
    let lines = entries.into_iter().map(|(name, stat)| {
        if !options.contains('l') {
            let mark = if stat.is_folder() && options.contains(['F', 'p']) { "/" } else { "" };
            return format!("{name}{mark}\n");
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
    let (options, names) = match call.options("laAdRtrhs1FpinZgo")? {
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
                let heading = if names.len() > 1 || options.contains('R') {
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

pub fn stat(call: &mut Call<'_, '_>) -> Done {
    let format = match call.args.iter().position(|arg| arg.starts_with("-c")) {
        Some(place) if call.arg(place) == Some("-c") => call.arg(place + 1).map(str::to_owned),
        Some(place) => call.arg(place).and_then(|arg| arg.get(2..)).map(str::to_owned),
        None => None,
    };
    let follow = call.args.iter().any(|arg| arg == "-L");
    let names = call.args.iter().filter(|arg| !arg.starts_with('-') && Some(*arg) != format.as_ref());
    let mut status = 0;
    for name in names {
        let path = call.path(name);
        let stat = call.state().stat_file(&path, follow);
        match stat {
            Ok(stat) => {
                let format = format.as_deref().unwrap_or(
                    "  File: %N\n  Size: %s\t Blocks: %b\t IO Blocks: 512\t%F\nDevice: fd2ch\t Inode: %i\t Links: %h\n\
                     Access: (0%a/%A)\tUid: (%u/%U)\tGid: (%g/%G)\nAccess: %x\nModify: %y\nChange: %z",
                );
                let line = fill(format, name, &path, &stat, call.old());
                call.say(&line)?;
            }
            Err(error) => status = call.fail(&format!("stat: '{name}': {error}"), 1)?,
        }
    }
    Ok(status)
}

fn fill(format: &str, name: &str, path: &str, stat: &Stat, old: bool) -> String {
    let (user, group) = owner(path, old);
    let date = Date::of_epoch(stat.mtime.saturating_mul(1000));
    let time = format!("{} {}:{:02}.000000000 +0000", date.iso(), date.clock(), date.second);
    let kind = match stat.mode & 0o170_000 {
        0o040_000 => "directory",
        0o120_000 => "symbolic link",
        0o020_000 => "character device",
        _ if stat.size == 0 => "regular empty file",
        _ => "regular file",
    };
    let mut out = String::new();
    let mut rest = format.chars();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let text = match rest.next() {
            Some('s') => stat.size.to_string(),
            Some('n') => name.to_owned(),
            Some('N') => format!("'{name}'"),
            Some('Y' | 'X' | 'Z') => stat.mtime.to_string(),
            Some('y' | 'x' | 'z') => time.clone(),
            Some('a') => format!("{:o}", stat.mode & 0o7777),
            Some('A') => mode_text(stat),
            Some('f') => format!("{:x}", stat.mode),
            Some('F') => kind.to_owned(),
            Some('U') => user.to_owned(),
            Some('G') => group.to_owned(),
            Some('u' | 'g') => (if user == "shell" { "2000" } else { "0" }).to_owned(),
            Some('h') => "1".to_owned(),
            Some('i') => "1".to_owned(),
            Some('b') => stat.size.div_ceil(512).to_string(),
            Some('%') => "%".to_owned(),
            Some(other) => format!("%{other}"),
            None => "%".to_owned(),
        };
        out.push_str(&text);
    }
    out
}

pub fn df(call: &mut Call<'_, '_>) -> Done {
    let (used, limit) = {
        let state = call.state();
        (state.files.used(), state.files.limit)
    };
    let mounts = [("/dev/block/dm-0", "/"), ("/dev/block/dm-4", "/data"), ("/dev/fuse", "/storage/emulated")];
    if call.old() {
        call.say("Filesystem               Size     Used     Free   Blksize")?;
        for (_, mount) in mounts {
            let mib = |bytes: u64| format!("{}.{}M", bytes >> 20, (bytes >> 10) % 1024 * 10 / 1024);
            let (size, used, free) = (mib(limit), mib(used), mib(limit.saturating_sub(used)));
            call.say(&format!("{mount:<20} {size:>8} {used:>8} {free:>8}   4096"))?;
        }
        return Ok(0);
    }
    call.say("Filesystem       1K-blocks    Used Available Use% Mounted on")?;
    for (device, mount) in mounts {
        let (size, used) = (limit >> 10, used >> 10);
        let percent = used * 100 / size.max(1);
        let free = size.saturating_sub(used);
        call.say(&format!("{device:<15} {size:>10} {used:>7} {free:>9} {percent:>3}% {mount}"))?;
    }
    Ok(0)
}

/// `find PATH… [-name PATTERN] [-type f|d] [-maxdepth N]`.
pub fn find(call: &mut Call<'_, '_>) -> Done {
    let starts: Vec<String> = call.args.iter().take_while(|arg| !arg.starts_with('-')).cloned().collect();
    let value = |option: &str| {
        let place = call.args.iter().position(|arg| arg == option)?;
        call.arg(place + 1).map(str::to_owned)
    };
    let (name, kind) = (value("-name"), value("-type"));
    let most: usize = value("-maxdepth").and_then(|depth| depth.parse().ok()).unwrap_or(DEEPEST);
    let pattern: Option<Vec<(char, bool)>> = name.map(|name| name.chars().map(|c| (c, false)).collect());
    let starts = if starts.is_empty() { vec![".".to_owned()] } else { starts };
    let mut status = 0;
    let mut todo: Vec<(String, usize)> = starts.into_iter().rev().map(|start| (start, 0)).collect();
    while let Some((path, depth)) = todo.pop() {
        let place = call.path(&path);
        let (stat, entries) = {
            let mut state = call.state();
            let stat = state.stat_file(&place, depth == 0);
            let inside = depth < most.min(DEEPEST) && stat.is_ok_and(|stat| stat.is_folder());
            (stat, if inside { state.list_folder(&place).unwrap_or_default() } else { Vec::new() })
        };
        let Ok(stat) = stat else {
            status = call.fail(&format!("find: {path}: {}", FileError::NotFound), 1)?;
            continue;
        };
        let of_kind = kind.as_deref().is_none_or(|kind| (kind == "d") == stat.is_folder());
        if of_kind && pattern.as_ref().is_none_or(|pattern| fits(pattern, name_of(&path))) {
            call.say(&path)?;
        }
        let below = entries.into_iter().rev();
        todo.extend(below.map(|(name, _)| (format!("{}/{name}", path.trim_end_matches('/')), depth + 1)));
    }
    Ok(status)
}
