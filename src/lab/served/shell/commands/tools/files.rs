//! Commands that change files: `rm`, `mkdir`, `touch` and `mv`.

use crate::files::FileError;
use crate::shell::commands::{Call, Done};

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

pub fn rm(call: &mut Call<'_, '_>) -> Done {
    let (options, names) = call.options("frR")?;
    let (force, all) = (options.contains('f'), options.contains(['r', 'R']));
    if names.is_empty() && force {
        return Ok(0);
    }
    each(call, names, |call, name| {
        let path = call.path(name);
        let mut state = call.state();
        let folder = state.stat_file(&path).is_ok_and(|stat| stat.is_folder());
        if folder && !all {
            return Err(FileError::Folder);
        }
        match state.files.remove(&path, all) {
            Err(FileError::NotFound | FileError::NotFolder) if force => Ok(()),
            other => other,
        }
    })
}

pub fn mkdir(call: &mut Call<'_, '_>) -> Done {
    let (options, names) = call.options("p")?;
    let parents = options.contains('p');
    each(call, names, |call, name| {
        let path = call.path(name);
        let mut state = call.state();
        let now = state.epoch_seconds();
        state.files.make_folder(&path, parents, now)
    })
}

pub fn touch(call: &mut Call<'_, '_>) -> Done {
    let (_, names) = call.options("")?;
    each(call, names, |call, name| {
        let path = call.path(name);
        call.state().append_file(&path, b"")
    })
}

pub fn mv(call: &mut Call<'_, '_>) -> Done {
    if call.old() && call.args.iter().any(|word| word == "-f") {
        // It knows no options.
        return call.fail("failed on '-f' - No such file or directory", 1);
    }
    let (_, names) = call.options("f")?;
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
