//! Specifications: the shipped ones are opened at the start; what panels ask for is done here.

use std::sync::Arc;

use crate::state::{DocumentCommand, SpecDocument};
use crate::store::read_specs;

use super::{Studio, bundled};

impl Studio {
    /// Opens what ships with the program.
    pub(super) fn load_apps(&mut self) {
        for (mut entry, sources) in bundled::apps() {
            match read_specs(&sources) {
                Ok(spec) => {
                    entry.dmfs = spec.dmfs.len();
                    let id = self.state.documents.next_id();
                    self.state.documents.list.push(SpecDocument {
                        id,
                        name: entry.label.clone(),
                        app: entry.package.clone(),
                        path: None,
                        spec: Arc::new(spec),
                        sources: sources.into_iter().map(|source| (source.name, source.text)).collect(),
                        shipped: true,
                    });
                }
                Err((name, error)) => self.state.tell_failure(format!("{name} cannot be read: {error}")),
            }
            self.state.apps.push(entry);
        }
    }

    /// Does what a panel asked for.
    pub(super) fn run_document(&mut self, command: DocumentCommand) {
        match command {
            DocumentCommand::Show(id) => self.state.documents.shown = Some(id),
            DocumentCommand::Keep(..) => {}
        }
    }
}
