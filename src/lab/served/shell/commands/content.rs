//! `content`: access to content providers, of which only that of the settings exists here.

use super::{Call, Done};

/// The command line of `content` after its first word.
#[derive(Default)]
struct Options {
    uri: String,
    condition: Option<String>,
    columns: Option<Vec<String>>,
    /// Pairs of column and value from `--bind`.
    bound: Vec<(String, String)>,
}

fn read(args: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let mut next = || rest.next().cloned().ok_or_else(|| format!("[ERROR] No value for {arg}"));
        match arg.as_str() {
            "--uri" => options.uri = next()?,
            "--where" => options.condition = Some(next()?),
            "--projection" => options.columns = Some(next()?.split(':').map(str::to_owned).collect()),
            "--bind" => {
                let bound = next()?;
                let mut parts = bound.splitn(3, ':');
                let (name, _, value) = (parts.next(), parts.next(), parts.next());
                let (Some(name), Some(value)) = (name, value) else {
                    return Err(format!("[ERROR] Binding not well formed: {bound}"));
                };
                options.bound.push((name.to_owned(), value.to_owned()));
            }
            "--user" | "--sort" => next().map(drop)?,
            other => return Err(format!("[ERROR] Unsupported argument: {other}")),
        }
    }
    if options.uri.is_empty() {
        return Err("[ERROR] Content provider URI not specified. Did you specify --uri argument?".to_owned());
    }
    Ok(options)
}

pub fn content(call: &mut Call<'_, '_>) -> Done {
    let command = call.arg(0).unwrap_or_default().to_owned();
    if !matches!(command.as_str(), "query" | "insert" | "update" | "delete") {
        let problem = format!("[ERROR] Unsupported operation: {command}");
        return call.fail(&format!("usage: adb shell content [subcommand] [options]\n{problem}"), 1);
    }
    let options = match read(call.args_from(1)) {
        Ok(options) => options,
        Err(problem) => return call.fail(&problem, 1),
    };
    let path =
        options.uri.strip_prefix("content://settings/").map(|path| path.split('/').collect::<Vec<_>>());
    let Some(path) = path else {
        let authority = options.uri.trim_start_matches("content://").split('/').next().unwrap_or_default();
        call.complain("Error while accessing provider:")?;
        return call.fail(
            &format!("{authority}\njava.lang.IllegalStateException: Could not find provider: {authority}"),
            1,
        );
    };
    let namespace = path.first().copied().unwrap_or_default().to_owned();
    let name = path.get(1).map(|name| (*name).to_owned()).or_else(|| named(options.condition.as_deref()));
    match command.as_str() {
        "query" => query(call, &options, &namespace, name.as_deref()),
        "delete" => {
            let outcome = call.state().set_setting(&namespace, &name.unwrap_or_default(), None);
            call.ended(outcome)
        }
        _ => {
            let bound = |column: &str| {
                options.bound.iter().find(|(known, _)| known == column).map(|(_, value)| value)
            };
            match (bound("name").cloned().or(name), bound("value")) {
                (Some(name), Some(value)) => super::settings::put(call, &namespace, &name, value),
                _ => call.fail("[ERROR] bind name and value", 1),
            }
        }
    }
}

/// The name in a condition such as `name='font_scale'`.
fn named(condition: Option<&str>) -> Option<String> {
    let (column, value) = condition?.split_once('=')?;
    let value = value.trim().trim_matches(['\'', '"']);
    (column.trim() == "name").then(|| value.to_owned())
}

fn query(call: &Call<'_, '_>, options: &Options, namespace: &str, name: Option<&str>) -> Done {
    let rows: Vec<(usize, String, String)> = {
        let state = call.state();
        let of_namespace = state.settings.entries().iter().filter(|((known, _), _)| known == namespace);
        let numbered =
            of_namespace.enumerate().map(|(id, ((_, key), value))| (id + 1, key.clone(), value.clone()));
        numbered.filter(|(_, key, _)| name.is_none_or(|name| name == key)).collect()
    };
    if rows.is_empty() {
        return call.say("No result found.").map(|()| 0);
    }
    let usual = ["_id".to_owned(), "name".to_owned(), "value".to_owned()];
    let columns = options.columns.as_deref().unwrap_or(&usual);
    let mut text = String::new();
    for (row, (id, key, value)) in rows.iter().enumerate() {
        let cells = columns.iter().map(|column| match column.as_str() {
            "_id" => format!("_id={id}"),
            "name" => format!("name={key}"),
            "value" => format!("value={value}"),
            other => format!("{other}=NULL"),
        });
        text += &format!("Row: {row} {}\n", cells.collect::<Vec<_>>().join(", "));
    }
    call.print(&text)?;
    Ok(0)
}
