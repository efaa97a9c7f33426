//! What a running program has kept in its workspace.

use std::path::Path;

/// The results database of a workspace.
pub fn database(workspace: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(workspace.join("results.sqlite")).unwrap()
}

/// Events until the last checkpoint of the campaign's engines, together; 0 before the first.
pub fn kept(workspace: &Path) -> u64 {
    if !workspace.join("results.sqlite").exists() {
        return 0;
    }
    let kept = database(workspace)
        .query_row("SELECT total(events) FROM checkpoints", [], |row| row.get::<_, f64>(0));
    kept.unwrap_or(0.0) as u64
}
