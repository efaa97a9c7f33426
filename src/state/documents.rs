//! Specifications as documents: the shipped ones, and those that were opened or made.

use std::path::PathBuf;
use std::sync::Arc;

use crate::spec::{Dmf, Spec};

/// A document of this window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(pub u32);

/// What panels ask of documents.
#[derive(Clone, Debug, PartialEq)]
pub enum DocumentCommand {
    /// Shows a document.
    Show(DocumentId),
    /// Puts a DMF into a document, in the place of the one of that name if there is one; `None`: into the
    /// document of the app on the phone, which is made if there is none that can be written.
    Keep(Option<DocumentId>, Box<Dmf>),
}

/// One specification.
pub struct SpecDocument {
    /// Its id.
    pub id: DocumentId,
    /// What it is called.
    pub name: String,
    /// Package of the app that it speaks of.
    pub app: String,
    /// Its file; `None` for the shipped ones and for those never saved.
    pub path: Option<PathBuf>,
    /// What it says.
    pub spec: Arc<Spec>,
    /// The texts of its files as they were read: name and text.
    pub sources: Vec<(String, String)>,
    /// It ships with the program and cannot be written.
    pub shipped: bool,
}

/// The open documents.
#[derive(Default)]
pub struct Documents {
    /// In the order of opening.
    pub list: Vec<SpecDocument>,
    /// The one shown.
    pub shown: Option<DocumentId>,
}

impl Documents {
    /// The document of that id.
    pub fn get(&self, id: DocumentId) -> Option<&SpecDocument> {
        self.list.iter().find(|document| document.id == id)
    }

    /// The documents that speak of an app.
    pub fn of_app<'d>(&'d self, app: &'d str) -> impl Iterator<Item = &'d SpecDocument> {
        self.list.iter().filter(move |document| document.app == app)
    }

    /// The shipped document of an app.
    pub fn shipped(&self, app: &str) -> Option<&SpecDocument> {
        self.list.iter().find(|document| document.shipped && document.app == app)
    }

    /// An id that no document has.
    pub fn next_id(&self) -> DocumentId {
        DocumentId(self.list.iter().map(|document| document.id.0).max().unwrap_or(0) + 1)
    }
}
