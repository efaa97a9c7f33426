//! `ls`, without options.

use crate::shell::commands::{Call, Done};

pub fn ls(call: &mut Call<'_, '_>) -> Done {
    let (_, names) = call.options("")?;
    let here = [".".to_owned()];
    let mut status = 0;
    for name in if names.is_empty() { &here } else { names } {
        let path = call.path(name);
        let listed = {
            let mut state = call.state();
            match state.stat_file(&path) {
                Ok(stat) if stat.is_folder() => state.list_folder(&path).map(Some),
                stat => stat.map(|_| None),
            }
        };
        match listed {
            Ok(Some(entries)) => {
                let names = entries.iter().map(|(name, _)| name).filter(|name| !name.starts_with('.'));
                let lines: String = names.map(|name| format!("{name}\n")).collect();
                call.print(&lines)?;
            }
            Ok(None) => call.say(name)?,
            Err(error) if call.old() => status = call.fail(&format!("{name}: {error}"), 1)?,
            Err(error) => status = call.fail(&format!("ls: {name}: {error}"), 1)?,
        }
    }
    Ok(status)
}
