//! A folder of flows, with its `config.yaml`.

use std::path::{Path, PathBuf};

use super::flow::{Flow, FlowError, ReadFile};
use super::yaml::{Node, Value, documents};

/// How deep folders of flows may nest.
const MAX_DEPTH: usize = 10;

/// The flows of a folder, in the order in which they are run.
#[derive(Debug)]
pub struct FlowFolder {
    /// The path of each below the folder, and the flow or why it cannot be read.
    pub flows: Vec<(PathBuf, Result<Flow, FlowError>)>,
    /// What is to be said of the folder, a line each.
    pub notes: Vec<String>,
}

#[derive(Default)]
struct Config {
    flows: Vec<String>,
    include: Vec<String>,
    exclude: Vec<String>,
    order: Vec<String>,
}

/// Finds the flows of a folder by its `config.yaml`, or those at its top if it has none. `files` are all files below it, by
/// their paths from there.
///
/// # Errors
///
/// What is wrong with `config.yaml`, or that there is no flow.
pub fn flows_in(folder: &Path, files: &[PathBuf], read: ReadFile<'_>) -> Result<FlowFolder, String> {
    let mut notes = Vec::new();
    let is_config =
        |path: &&PathBuf| ["config.yaml", "config.yml"].iter().any(|name| path.as_path() == Path::new(name));
    let config = match files.iter().find(is_config) {
        Some(path) => config(&read(&folder.join(path))?, &mut notes)
            .map_err(|why| format!("{}: {why}", path.display()))?,
        None => Config::default(),
    };
    let mut flows = Vec::new();
    for path in files.iter().filter(|path| !is_config(path) && wanted(path, &config)) {
        let flow = Flow::read(&folder.join(path), read);
        let tags = flow.as_ref().map_or(&[][..], Flow::tags);
        let has = |wanted: &[String]| tags.iter().any(|tag| wanted.contains(tag));
        // Nobody knows the tags of a flow that cannot be read.
        if flow.is_err() || (config.include.is_empty() || has(&config.include)) && !has(&config.exclude) {
            flows.push((path.clone(), flow));
        }
    }
    if flows.is_empty() {
        return Err(none_chosen(
            files.iter().filter(|path| is_yaml(path) && !is_config(path)).count(),
            &config,
        ));
    }
    let place = |(path, flow): &(PathBuf, Result<Flow, FlowError>)| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let title = flow.as_ref().map_or(stem, Flow::title);
        config.order.iter().position(|name| *name == title).unwrap_or(usize::MAX)
    };
    flows.sort_by_cached_key(|flow| (place(flow), flow.0.clone()));
    Ok(FlowFolder { flows, notes })
}

/// Why there is no flow, and what to do.
fn none_chosen(count: usize, config: &Config) -> String {
    let chosen = match config.flows.is_empty() {
        true => "without `flows` in config.yaml, those at its top count".to_owned(),
        false => format!("config.yaml chooses flows: {}", config.flows.join(", ")),
    };
    let of = match count {
        0 => return "there is no flow in it".to_owned(),
        1 => "the YAML file below it is not".to_owned(),
        count => format!("none of {count} YAML files below it is"),
    };
    let tags =
        if config.include.is_empty() && config.exclude.is_empty() { "" } else { ", and by their tags" };
    format!("{of} chosen as a flow: {chosen}{tags}; give the folder that they stand in, or a flow")
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

fn wanted(path: &Path, config: &Config) -> bool {
    let name = path.to_string_lossy().replace('\\', "/");
    if !is_yaml(path) {
        return false;
    }
    let fits = |pattern: &str| {
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        glob(pattern.as_bytes(), name.as_bytes())
    };
    let (without, with): (Vec<&String>, Vec<&String>) =
        config.flows.iter().partition(|it| it.starts_with('!'));
    let with = with.is_empty() && fits("*") || with.iter().any(|pattern| fits(pattern));
    with && !without.iter().any(|pattern| fits(pattern.trim_start_matches('!')))
}

/// Whether a path fits a pattern: `*` is part of a name, `**` are folders.
fn glob(pattern: &[u8], path: &[u8]) -> bool {
    // Fits by rows: which beginnings of the path the pattern so far has reached.
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    let mut rest = pattern;
    while let Some((first, after)) = rest.split_first() {
        let (stars, deep) = match (first, after.first()) {
            (b'*', Some(b'*')) => (true, true),
            (b'*', _) => (true, false),
            _ => (false, false),
        };
        rest = if deep { after.get(1..).unwrap_or_default() } else { after };
        // `**/` may also be no folder at all.
        let none = deep && rest.first() == Some(&b'/');
        let mut next = vec![false; path.len() + 1];
        for at in 0..=path.len() {
            let before = at.checked_sub(1).and_then(|before| path.get(before).map(|byte| (before, *byte)));
            next[at] = match (stars, before) {
                (true, Some((before, byte))) => reached[at] || next[before] && (deep || byte != b'/'),
                (true, None) => reached[at],
                (false, Some((before, byte))) => {
                    reached[before] && (byte == *first || *first == b'?' && byte != b'/')
                }
                (false, None) => false,
            };
        }
        if none {
            let beginnings = reached.clone();
            let folders = (0..next.len()).map(|at| next[at] && at > 0 && path.get(at) == Some(&b'/'));
            let behind: Vec<bool> = std::iter::once(false).chain(folders).take(next.len()).collect();
            next = beginnings.iter().zip(&behind).map(|(here, behind)| *here || *behind).collect();
            rest = rest.get(1..).unwrap_or_default();
        }
        reached = next;
    }
    reached.last() == Some(&true)
}

fn config(text: &str, notes: &mut Vec<String>) -> Result<Config, String> {
    let read = documents(text).map_err(|problem| format!("line {}: {}", problem.line, problem.what))?;
    let mut config = Config::default();
    let Some(Node { value: Value::Map(entries), .. }) = read.first() else { return Ok(config) };
    for (key, line, node) in entries {
        match key.as_str() {
            "flows" => config.flows = words(node),
            "includeTags" => config.include = words(node),
            "excludeTags" => config.exclude = words(node),
            "executionOrder" => {
                let Value::Map(entries) = &node.value else { continue };
                let order = entries.iter().find(|(key, _, _)| key == "flowsOrder");
                config.order = order.map(|(_, _, node)| words(node)).unwrap_or_default();
            }
            // How Maestro runs and reports, which is not our business.
            "testOutputDir" | "baselineBranch" | "notifications" | "platform" | "disableRetries"
            | "local" | "deterministicOrder" => {}
            _ => notes.push(format!("config.yaml line {line}: `{key}` is not known and left out")),
        }
    }
    Ok(config)
}

/// One text or a list of them.
fn words(node: &Node) -> Vec<String> {
    match &node.value {
        Value::Text(text) => vec![text.clone()],
        Value::List(items) => items.iter().flat_map(words).collect(),
        Value::Empty | Value::Map(_) => Vec::new(),
    }
}

/// Reads the text of a file of a flow, or says why it cannot be read.
///
/// # Errors
///
/// What is wrong with the file, with its path.
pub fn read_flow_file(path: &Path) -> Result<String, String> {
    let said = |why: String| format!("{} cannot be read: {why}", path.display());
    let bytes = std::fs::read(path).map_err(|error| said(error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| said("it is no text in UTF-8".to_owned()))
}

/// The files below a folder, by their paths from there, in order. Folders whose names begin with a dot are left out.
///
/// # Errors
///
/// Which folder cannot be read.
pub fn files_below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(below) = folders.pop() {
        for entry in std::fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            // Links to folders are left out, too: they may lead back.
            match entry.file_type()?.is_dir() {
                true if !hidden && path.components().count() <= MAX_DEPTH => folders.push(path),
                true => {}
                false => files.push(path),
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_choose_files() {
        for (pattern, path, fits) in [
            ("*", "a.yaml", true),
            ("*", "b/a.yaml", false),
            ("b/*", "b/a.yaml", true),
            ("**", "b/c/a.yaml", true),
            ("**/*.yaml", "a.yaml", true),
            ("**/*.yaml", "b/c/a.yaml", true),
            ("b/**", "b/c/a.yaml", true),
            ("b/**", "c/a.yaml", false),
            ("**/c/*", "b/c/a.yaml", true),
            ("**/c/*", "b/d/a.yaml", false),
            ("a?.yaml", "ab.yaml", true),
            ("", "a", false),
        ] {
            assert_eq!(glob(pattern.as_bytes(), path.as_bytes()), fits, "{pattern} {path}");
        }
    }

    #[test]
    fn a_folder_without_flows_says_why() {
        let say = |config: &str, files: &[&str]| {
            let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
            flows_in(Path::new("f"), &files, &|_| Ok(config.to_owned())).unwrap_err()
        };
        assert_eq!(say("", &["notes.txt"]), "there is no flow in it");
        let below = say("", &["sub/a.yaml", "sub/b.yml"]);
        assert!(below.starts_with("none of 2 YAML files below it is chosen as a flow: without"), "{below}");
        let config = say("flows: [tests/*]", &["config.yaml", "sub/a.yaml"]);
        assert!(config.contains("is not chosen as a flow: config.yaml chooses flows: tests/*;"), "{config}");
    }

    #[test]
    fn a_folder_has_the_flows_that_its_config_names() {
        let texts = [
            (
                "config.yaml",
                "flows: ['*', 'sub/**']\nexcludeTags: [slow]\nfoo: 1\nexecutionOrder:\n  flowsOrder: [last]\n",
            ),
            ("a.yaml", "appId: a\n---\n- back\n"),
            ("last.yaml", "appId: a\n---\n- back\n"),
            ("slow.yaml", "appId: a\ntags: [slow]\n---\n- back\n"),
            ("sub/b.yaml", "appId: a\n---\n- nonsense\n"),
            ("other/c.yaml", "appId: a\n---\n- back\n"),
            ("notes.txt", ""),
        ];
        let read = |path: &Path| {
            let name = path.strip_prefix("f").unwrap().to_string_lossy().into_owned();
            texts.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned()).ok_or(name)
        };
        let files: Vec<PathBuf> = texts.iter().map(|(name, _)| PathBuf::from(name)).collect();
        let found = flows_in(Path::new("f"), &files, &read).unwrap();
        let names: Vec<String> =
            found.flows.iter().map(|(path, flow)| format!("{} {}", path.display(), flow.is_ok())).collect();
        assert_eq!(names, ["last.yaml true", "a.yaml true", "sub/b.yaml false"]);
        assert_eq!(found.notes, ["config.yaml line 3: `foo` is not known and left out"]);
    }
}
