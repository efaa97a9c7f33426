//! Models of Fastbot2 of the workspaces that are merged. They are files, which no transaction covers: the joined models
//! are stored in the database first, and from there in their files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::{Transaction, params};
use taproof_engine::fastbot2::ReuseModel;

use super::super::database::Database;
use super::super::files::model_paths;
use super::super::{StoreError, model_from_bytes, model_path, model_to_bytes, read_model, write_model};
use super::in_workspace;

/// Joins the models of all workspaces and stores them in the database. Returns the number of apps that have one.
pub(super) fn join_models(transaction: &Transaction<'_>, sources: &[PathBuf]) -> Result<usize, StoreError> {
    let mut joined: BTreeMap<String, ReuseModel> = BTreeMap::new();
    for source in sources {
        for path in model_paths(source) {
            let model = read_model(&path).map_err(|error| in_workspace(source, error))?;
            match joined.get_mut(&model.package) {
                None => drop(joined.insert(model.package.clone(), model)),
                Some(known) => known.join(&model).map_err(|error| other_app(&path, error))?,
            }
        }
    }
    for (app, model) in &joined {
        transaction.execute(
            "INSERT OR REPLACE INTO merged_models (app, model) VALUES (?1, ?2)",
            params![app, model_to_bytes(model)?],
        )?;
    }
    Ok(joined.len())
}

/// Writes the models that a merge has stored in the database to their files, and removes them from it. What a file has
/// learned meanwhile stays in it.
pub(in super::super) fn write_merged_models(database: &mut Database, root: &Path) -> Result<(), StoreError> {
    let mut stored: Vec<(String, Vec<u8>)> = Vec::new();
    {
        let query = "SELECT app, model FROM merged_models ORDER BY app";
        let mut statement = database.reader().prepare(query)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for row in rows {
            stored.push(row?);
        }
    }
    for (app, bytes) in stored {
        let path = model_path(root, &app);
        let bad = |problem| StoreError::BadModel { path: path.display().to_string(), problem };
        let mut model = model_from_bytes(&bytes).map_err(bad)?;
        if path.exists() {
            model.join(&read_model(&path)?).map_err(|error| other_app(&path, error))?;
        } else if let Some(folder) = path.parent() {
            let cannot = |error| StoreError::Write { path: folder.display().to_string(), error };
            std::fs::create_dir_all(folder).map_err(cannot)?;
        }
        write_model(&path, &model)?;
        database.write(|transaction| {
            Ok(transaction.execute("DELETE FROM merged_models WHERE app = ?1", [&app])?)
        })?;
    }
    Ok(())
}

fn other_app(path: &Path, error: taproof_engine::fastbot2::OtherApp) -> StoreError {
    StoreError::OtherAppsModel { path: path.display().to_string(), error }
}
