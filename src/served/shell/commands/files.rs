//! Commands that change files: `rm`, `mkdir`, `mv`, `cp` and similar ones.

use super::{Call, Done};
use crate::files::{Content, FileError, name_of, parent_of};
use crate::shell::io::Killed;

/// Limit on the number of files that `cp -r` copies.
const MOST: usize = 10_000;

/// Runs `work` on each path and prints the failures. Returns the exit code.
fn each(
    call: &Call<'_, '_>,
    names: &[String],
    mut work: impl FnMut(&Call<'_, '_>, &str) -> Result<(), FileError>,
) -> Done {
    let mut status = 0;
    if names.is_empty() {
        return call.fail(&format!("{}: Needs 1 argument (see \"{} --help\")", call.name, call.name), 1);
    }
    for name in names {
        if let Err(error) = work(call, name) {
            let problem = match (call.old(), call.name) {
                (true, "rm") => format!("rm failed for {name}, {error}"),
                (true, other) => format!("{other} failed for {name}, {error}"),
                (false, other) => format!("{other}: {name}: {error}"),
            };
            status = call.fail(&problem, 1)?;
        }
    }
    Ok(status)
}

/// Parses short options with these letters. Returns their letters and the names after them, or the exit code.
fn names<'c>(call: &Call<'c, '_>, known: &str) -> Result<Result<(String, Vec<String>), u8>, Killed> {
    Ok(call.options(known)?.map(|(options, names)| (options, names.to_vec())))
}

pub fn rm(call: &mut Call<'_, '_>) -> Done {
    let (options, names) = match names(call, "frRiv")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let (force, all) = (options.contains('f'), options.contains(['r', 'R']));
    if names.is_empty() && force {
        return Ok(0);
    }
    each(call, &names, |call, name| {
        let path = call.path(name);
        let mut state = call.state();
        let folder = state.stat_file(&path, false).is_ok_and(|stat| stat.is_folder());
        if folder && !all {
            return Err(FileError::Folder);
        }
        match state.files.remove(&path, all) {
            Err(FileError::NotFound | FileError::NotFolder) if force => Ok(()),
            other => other,
        }
    })
}

pub fn rmdir(call: &mut Call<'_, '_>) -> Done {
    let (_, names) = match names(call, "p")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    each(call, &names, |call, name| {
        let path = call.path(name);
        let mut state = call.state();
        if !state.stat_file(&path, false)?.is_folder() {
            return Err(FileError::NotFolder);
        }
        state.files.remove(&path, false)
    })
}

pub fn mkdir(call: &mut Call<'_, '_>) -> Done {
    let mut args = call.args.to_vec();
    if let Some(place) = args.iter().position(|arg| arg == "-m") {
        args.drain(place..(place + 2).min(args.len()));
    }
    let parents = args.iter().any(|arg| arg.starts_with('-') && arg.contains('p'));
    let names: Vec<String> = args.into_iter().filter(|arg| !arg.starts_with('-')).collect();
    each(call, &names, |call, name| {
        let path = call.path(name);
        let mut state = call.state();
        let now = state.epoch_seconds();
        state.files.make_folder(&path, parents, now)
    })
}

pub fn touch(call: &mut Call<'_, '_>) -> Done {
    let (_, names) = match names(call, "acm")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    each(call, &names, |call, name| {
        let path = call.path(name);
        let mut state = call.state();
        let now = state.epoch_seconds();
        match state.stat_file(&path, true) {
            Ok(_) => state.files.change(&path, None, Some(now)),
            Err(_) => state.write_file(&path, Vec::new(), None, None),
        }
    })
}

/// `chmod 755 FILE…`, or symbolic modes with `r`, `w` and `x`.
pub fn chmod(call: &mut Call<'_, '_>) -> Done {
    let args: Vec<String> = call.args.iter().filter(|arg| *arg != "-R").cloned().collect();
    let Some((mode, names)) = args.split_first() else {
        return call.fail("chmod: Needs 2 arguments (see \"chmod --help\")", 1);
    };
    let change = mode_change(mode);
    let Some(change) = change else { return call.fail(&format!("chmod: bad mode '{mode}'"), 1) };
    each(call, names, |call, name| {
        let path = call.path(name);
        let mut state = call.state();
        let before = state.stat_file(&path, true)?.mode;
        state.files.change(&path, Some(change(before)), None)
    })
}

fn mode_change(mode: &str) -> Option<Box<dyn Fn(u32) -> u32>> {
    if let Ok(bits) = u32::from_str_radix(mode, 8) {
        return Some(Box::new(move |_| bits));
    }
    let place = mode.find(['+', '-', '='])?;
    let (who, rest) = mode.split_at(place);
    let (sign, letters) = rest.split_at(1);
    let one = letters.chars().try_fold(0, |bits, letter| match letter {
        'r' => Some(bits | 4),
        'w' => Some(bits | 2),
        'x' | 'X' => Some(bits | 1),
        _ => None,
    })?;
    let all = who.is_empty() || who.contains('a');
    let shift = |class: char, by: u32| if all || who.contains(class) { one << by } else { 0 };
    let bits = shift('u', 6) | shift('g', 3) | shift('o', 0);
    let sign = sign.to_owned();
    Some(Box::new(move |before| match sign.as_str() {
        "+" => before | bits,
        "-" => before & !bits,
        _ => bits,
    }))
}

pub fn mv(call: &mut Call<'_, '_>) -> Done {
    let (_, names) = match names(call, "fnv")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let Some((to, from)) = names.split_last().filter(|(_, from)| !from.is_empty()) else {
        return call.fail("mv: Needs 2 arguments (see \"mv --help\")", 1);
    };
    let to = call.path(to);
    each(call, from, |call, name| {
        let from = call.path(name);
        let mut state = call.state();
        let to = state.files.inside_folder(&to, &from);
        state.files.rename(&from, &to)
    })
}

pub fn cp(call: &mut Call<'_, '_>) -> Done {
    let (options, names) = match names(call, "rRfpadv")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let Some((to, from)) = names.split_last().filter(|(_, from)| !from.is_empty()) else {
        return call.fail("cp: Needs 2 arguments (see \"cp --help\")", 1);
    };
    let all = options.contains(['r', 'R', 'a']);
    let to = call.path(to);
    each(call, from, |call, name| {
        let from = call.path(name);
        let to = call.state().files.inside_folder(&to, &from);
        copy(call, &from, &to, all)
    })
}

fn copy(call: &Call<'_, '_>, from: &str, to: &str, all: bool) -> Result<(), FileError> {
    let mut todo = vec![(from.to_owned(), to.to_owned())];
    let mut copied = 0;
    let mut state = call.state();
    let now = state.epoch_seconds();
    while let Some((from, to)) = todo.pop() {
        copied += 1;
        let stat = state.stat_file(&from, true)?;
        if !stat.is_folder() {
            let bytes = state.read_file(&from)?;
            state.write_file(&to, bytes.to_vec(), Some(stat.mode & 0o777), None)?;
            continue;
        }
        if !all {
            return Err(FileError::Folder);
        }
        if to.starts_with(&format!("{from}/")) || copied > MOST {
            return Err(FileError::Invalid);
        }
        state.files.make_folder(&to, true, now)?;
        let below = state.list_folder(&from)?;
        todo.extend(below.into_iter().map(|(name, _)| (format!("{from}/{name}"), format!("{to}/{name}"))));
    }
    Ok(())
}

pub fn ln(call: &mut Call<'_, '_>) -> Done {
    let (options, names) = match names(call, "sfn")? {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let [target, link] = names.as_slice() else { return call.fail("ln: Needs 2 arguments", 1) };
    if !options.contains('s') {
        return call.fail(
            &format!("ln: cannot create hard link from '{target}' to '{link}': {}", FileError::Denied),
            1,
        );
    }
    each(call, std::slice::from_ref(link), |call, link| {
        let path = call.path(link);
        let mut state = call.state();
        let now = state.epoch_seconds();
        if options.contains('f') && state.stat_file(&path, false).is_ok_and(|stat| !stat.is_folder()) {
            state.files.remove(&path, false)?;
        }
        state.files.link(target, &path, now)
    })
}

pub fn readlink(call: &mut Call<'_, '_>) -> Done {
    let whole =
        call.name == "realpath" || call.args.iter().any(|arg| arg.starts_with('-') && arg.contains('f'));
    let Some(name) = call.args.iter().find(|arg| !arg.starts_with('-')) else { return Ok(1) };
    let path = call.path(name);
    let found = {
        let state = call.state();
        match (whole, state.files.node(&path, false).map(|node| &node.content)) {
            (true, _) => state.files.resolve(&path, true).ok(),
            (false, Ok(Content::Link(to))) => Some(to.clone()),
            (false, _) => None,
        }
    };
    match found {
        Some(path) => call.say(&path).map(|()| 0),
        None => Ok(1),
    }
}

pub fn basename(call: &mut Call<'_, '_>) -> Done {
    let name = name_of(call.arg(0).unwrap_or_default());
    let stem = call.arg(1).and_then(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
    call.say(stem)?;
    Ok(0)
}

pub fn dirname(call: &mut Call<'_, '_>) -> Done {
    let path = call.arg(0).unwrap_or_default().trim_end_matches('/');
    let folder = if path.contains('/') { parent_of(path) } else { "." };
    call.say(folder)?;
    Ok(0)
}
