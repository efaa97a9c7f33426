//! What people made, out of a workspace whose results this program cannot read: specifications, recordings, test rules and
//! initial steps, which are files, and the specifications and traces that campaigns ran with.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::StoreError;
use super::database::Database;
use super::documents::{DRAFTS, SPECS};
use super::workspace::{DATABASE, DATABASE_LOCK, Workspace};
use crate::store::files::app_files;
use crate::store::files::initialiser_file;
use crate::store::files::rules_file;

/// The folders of files that people made.
const FOLDERS: [&str; 4] = [SPECS, DRAFTS, rules_file::FOLDER, initialiser_file::FOLDER];
/// The folder for the traces of campaigns.
const TRACES: &str = "traces";

/// What was taken out of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The files that were written.
    pub written: Vec<PathBuf>,
    /// The files that were there already, with another content, and stay as they are.
    pub left: Vec<PathBuf>,
    /// What could not be read, and why.
    pub unread: Vec<String>,
}

/// The part of a stored plan that has been the same in all versions.
#[derive(Deserialize)]
struct Sources {
    #[serde(default)]
    specs: Vec<Source>,
    #[serde(default)]
    traces: Vec<Source>,
}

/// The content of a file, by the file's path or a display name.
#[derive(PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Source {
    name: String,
    text: String,
}

/// Copies what people made in the workspace `from` to the workspace folder `to`, whatever version its database has. What
/// campaigns ran with is written to a folder for each campaign, the newest of those that ran with the same.
///
/// # Errors
///
/// [`StoreError::NoWorkspace`] if `from` holds nothing of a workspace, and [`StoreError::Write`] if `to` cannot be written.
pub fn recover(from: &Path, to: &Path) -> Result<Recovered, StoreError> {
    if !Workspace::exists(from) && !FOLDERS.iter().any(|folder| from.join(folder).is_dir()) {
        return Err(StoreError::NoWorkspace { path: from.display().to_string() });
    }
    let mut recovered = Recovered::default();
    for folder in FOLDERS {
        recovered.copy(&from.join(folder), &to.join(folder))?;
    }
    match plans(from) {
        Ok(plans) => recovered.write_plans(&plans, to)?,
        Err(error) => recovered.unread.push(error.to_string()),
    }
    Ok(recovered)
}

/// The campaigns, the newest first, with their plans.
fn plans(workspace: &Path) -> Result<Vec<(i64, String)>, StoreError> {
    if !Workspace::exists(workspace) {
        return Ok(Vec::new());
    }
    let database = Database::open_any_version(&workspace.join(DATABASE), &workspace.join(DATABASE_LOCK))?;
    let mut statement = database.reader().prepare("SELECT id, plan FROM campaigns ORDER BY id DESC")?;
    let plans = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(plans.collect::<Result<_, _>>()?)
}

impl Recovered {
    fn copy(&mut self, from: &Path, to: &Path) -> Result<(), StoreError> {
        let entries = std::fs::read_dir(from).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let place = to.join(path.file_name().unwrap_or_default());
            if path.is_dir() {
                self.copy(&path, &place)?;
            } else if path.extension().is_none_or(|extension| extension != "lock") {
                match std::fs::read(&path) {
                    Ok(content) => self.write(place, &content)?,
                    Err(error) => self.unread.push(format!("{}: {error}", path.display())),
                }
            }
        }
        Ok(())
    }

    fn write_plans(&mut self, plans: &[(i64, String)], to: &Path) -> Result<(), StoreError> {
        let mut known = BTreeSet::new();
        for (id, plan) in plans {
            let Sources { specs, traces } = match serde_json::from_str(plan) {
                Ok(sources) => sources,
                Err(error) => {
                    self.unread.push(format!("the plan of campaign {id}: {error}"));
                    continue;
                }
            };
            // Beside files of specifications, others are none.
            for (folder, prefix, sources) in [(SPECS, "dmf_", specs), (TRACES, "", traces)] {
                if !known.contains(&sources) {
                    let folder = to.join(folder).join(format!("campaign-{id}"));
                    for source in &sources {
                        self.write(folder.join(file_name(&source.name, prefix)), source.text.as_bytes())?;
                    }
                    known.insert(sources);
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, path: PathBuf, content: &[u8]) -> Result<(), StoreError> {
        match std::fs::read(&path) {
            Ok(there) if there == content => {}
            Ok(_) => self.left.push(path),
            Err(_) => {
                app_files::write(&path, content)?;
                self.written.push(path);
            }
        }
        Ok(())
    }
}

/// The name of a file for a source: the last part of its path, or its display name after a prefix, without what leads out
/// of a folder.
fn file_name(source: &str, prefix: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "._- ".contains(c) { c } else { '_' };
    let last = source.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or("source");
    let name: String = last.trim_start_matches('.').chars().map(plain).collect();
    if name.ends_with(".json") { name } else { format!("{prefix}{name}.json") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::{Connection, params};
    use std::fs::{create_dir_all, read, write};

    /// An unsaved recording is no text.
    const RECORDING: &[u8] = b"recording\xff";

    /// A workspace as the first program wrote it.
    fn earlier(root: &Path) {
        let database = Connection::open(root.join(DATABASE)).unwrap();
        let tables = "CREATE TABLE campaigns (id INTEGER PRIMARY KEY, app TEXT NOT NULL, plan TEXT NOT NULL);
             CREATE TABLE findings (id INTEGER PRIMARY KEY, campaign INTEGER NOT NULL); PRAGMA user_version = 1;";
        database.execute_batch(tables).unwrap();
        let plan = |id: i64, plan: &str| {
            let row = params![id, "org.ex", plan];
            database.execute("INSERT INTO campaigns (id, app, plan) VALUES (?1, ?2, ?3)", row).unwrap();
        };
        let spec =
            r#""specs":[{"name":"/home/a/../dmf_a.json","text":"new"},{"name":"drafted: b","text":"b"}]"#;
        plan(1, r#"{"plan":{"old":1},"specs":[{"name":"dmf_a.json","text":"old"}]}"#);
        plan(2, &format!("{{{spec}}}"));
        plan(3, &format!(r#"{{{spec},"traces":[{{"name":"way.json","text":"t"}}]}}"#));
        plan(4, "no JSON");
        for (name, text) in [
            ("specs/files/dmf_file.json", &b"file"[..]),
            ("test-rules/org.ex.json", b"rules"),
            ("initialisers/org.ex.json", b"first"),
            ("drafts/12-0.n1.recording", RECORDING),
            ("drafts/12-0.n1.lead", b"lead"),
            ("drafts/12-0.lock", b""),
        ] {
            create_dir_all(root.join(name).parent().unwrap()).unwrap();
            write(root.join(name), text).unwrap();
        }
    }

    #[test]
    fn what_people_made_comes_out_of_a_workspace_of_any_version() {
        let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        earlier(old.path());
        let refused = Workspace::open(old.path()).err().unwrap();
        assert!(matches!(refused, StoreError::Earlier { .. }), "{refused}");
        create_dir_all(new.path().join("test-rules")).unwrap();
        write(new.path().join("test-rules/org.ex.json"), "mine").unwrap();
        let recovered = recover(old.path(), new.path()).unwrap();
        let expected = [
            ("specs/files/dmf_file.json", &b"file"[..]),
            ("drafts/12-0.n1.lead", b"lead"),
            ("drafts/12-0.n1.recording", RECORDING),
            ("initialisers/org.ex.json", b"first"),
            ("specs/campaign-3/dmf_a.json", b"new"),
            ("specs/campaign-3/dmf_drafted_ b.json", b"b"),
            ("traces/campaign-3/way.json", b"t"),
            ("specs/campaign-1/dmf_a.json", b"old"),
        ];
        assert_eq!(recovered.written, expected.map(|(name, _)| new.path().join(name)));
        for (name, text) in expected {
            assert_eq!(read(new.path().join(name)).unwrap(), text);
        }
        assert_eq!(recovered.left, [new.path().join("test-rules/org.ex.json")]);
        assert!(recovered.unread.len() == 1 && recovered.unread[0].contains("campaign 4"), "{recovered:?}");
        let again = recover(old.path(), new.path()).unwrap();
        assert!(again.written.is_empty() && again.left == recovered.left, "{again:?}");
        // Its files are those of a workspace of today.
        drop(Workspace::open(new.path()).unwrap());
        assert_eq!(super::super::own_specs(new.path()).len(), 4);
    }

    #[test]
    fn files_come_out_beside_a_broken_database_and_nothing_out_of_any_folder() {
        let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let refused = recover(old.path(), new.path()).unwrap_err();
        assert!(matches!(refused, StoreError::NoWorkspace { .. }), "{refused}");
        create_dir_all(old.path().join("specs/files")).unwrap();
        write(old.path().join("specs/files/dmf_file.json"), "file").unwrap();
        write(old.path().join(DATABASE), "this is no database, but some text of some length").unwrap();
        let recovered = recover(old.path(), new.path()).unwrap();
        assert_eq!((recovered.written.len(), recovered.unread.len()), (1, 1), "{recovered:?}");
    }
}
