//! A question for a file or folder.

use crate::mirror::Screenshot;
use crate::replay::ExportCommand;
use crate::specs::DocumentId;
use std::sync::Arc;
use taproof_campaign::SavedTrace;

/// What the chosen file or folder is used for.
#[derive(Clone, Debug, PartialEq)]
pub enum FilePurpose {
    /// Shows the recorded walk.
    OpenWalk,
    /// Records what the flow of Maestro does.
    ImportFlow,
    /// Uses the recorded walk as a seed of a campaign.
    SeedWalk,
    /// Uses the saved trace as a seed of a campaign.
    SeedTrace,
    /// Adds the file of test rules to the form of a campaign.
    TestRules,
    /// Writes this trace to the file.
    SaveTrace(Arc<SavedTrace>),
    /// Writes the transition graph of this trace to the file.
    SaveGraph(Arc<SavedTrace>),
    /// Writes this picture of a widget to the file.
    SavePicture(Screenshot),
    /// Exports a finding or campaign to the file.
    Export(ExportCommand),
    /// Opens the saved trace.
    OpenTrace,
    /// Opens the specification or block list.
    OpenSpec,
    /// Installs the app on the device with this serial.
    InstallApp(String),
    /// Writes a document to the file, now and in future.
    SaveSpec(DocumentId),
    /// Exports the block list of a document to the file.
    ExportBlocks(DocumentId),
}

/// The kind of file or folder to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// An existing file, to be opened.
    Open,
    /// A file to be written.
    Save,
    /// An existing folder, to be opened.
    Folder,
}

/// A question for a file or folder.
#[derive(Clone, Debug, PartialEq)]
pub struct FileQuestion {
    /// What the answer is used for.
    pub purpose: FilePurpose,
    /// The kind of file or folder to choose.
    pub kind: FileKind,
    /// The title of the chooser.
    pub title: String,
    /// The suggested name of a file to be written.
    pub name: String,
    /// The allowed file extensions without the dot. Empty allows all.
    pub extensions: Vec<&'static str>,
}

impl FileQuestion {
    /// A question without a suggested name.
    pub fn of(
        purpose: FilePurpose,
        kind: FileKind,
        title: impl Into<String>,
        extensions: &[&'static str],
    ) -> Self {
        let (title, extensions) = (title.into(), extensions.to_vec());
        FileQuestion { purpose, kind, title, name: String::new(), extensions }
    }

    /// Suggests a name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        FileQuestion { name: name.into(), ..self }
    }

    /// Asks for the folder of a recorded walk to show.
    pub fn walk() -> Self {
        FileQuestion::of(FilePurpose::OpenWalk, FileKind::Folder, "Open a recorded session", &[])
    }

    /// Asks for a flow of Maestro to be recorded.
    pub fn flow() -> Self {
        let title = "Record what a Maestro flow does";
        FileQuestion::of(FilePurpose::ImportFlow, FileKind::Open, title, &["yaml", "yml"])
    }

    /// Asks for the folder of a recorded walk as a seed of a campaign.
    pub fn seed_walk() -> Self {
        let title = "Begin a campaign with a recorded session";
        FileQuestion::of(FilePurpose::SeedWalk, FileKind::Folder, title, &[])
    }

    /// Asks for a saved trace as a seed of a campaign.
    pub fn seed_trace() -> Self {
        let title = "Begin a campaign with a kept trace";
        FileQuestion::of(FilePurpose::SeedTrace, FileKind::Open, title, &["json"])
    }

    /// Asks for a file of test rules, or of texts for fields.
    pub fn test_rules() -> Self {
        let title = "Choose test rules (.json) or texts for fields (.txt)";
        FileQuestion::of(FilePurpose::TestRules, FileKind::Open, title, &["json", "txt"])
    }

    /// Asks for a specification to open.
    pub fn specification() -> Self {
        FileQuestion::of(FilePurpose::OpenSpec, FileKind::Open, "Open a specification", &["json"])
    }

    /// Asks for an app to install on a device.
    pub fn app(serial: String) -> Self {
        let title = format!("Install an app on {serial}");
        FileQuestion::of(FilePurpose::InstallApp(serial), FileKind::Open, title, &["apk"])
    }

    /// Asks where to write a document.
    pub fn save_specification(id: DocumentId, name: String) -> Self {
        let title = "Save the specification as";
        FileQuestion::of(FilePurpose::SaveSpec(id), FileKind::Save, title, &["json"]).named(name)
    }

    /// Asks where to write a block list.
    pub fn export_blocks(id: DocumentId) -> Self {
        let purpose = FilePurpose::ExportBlocks(id);
        FileQuestion::of(purpose, FileKind::Save, "Save the block list as", &["json"]).named("keyviews.json")
    }

    /// Asks where to write an export.
    pub fn export(command: ExportCommand) -> Self {
        let (kind, name) = (command.kind, command.subject.name());
        let title = format!("Export {name} as {}", kind.label());
        FileQuestion::of(FilePurpose::Export(command), FileKind::Save, title, &[kind.extension()])
            .named(format!("{name}.{}", kind.extension()))
    }
}

#[cfg(test)]
mod tests {
    use taproof_results::report::ExportKind;

    use super::*;
    use crate::replay::ExportSubject;
    use crate::state::FindingKey;

    #[test]
    fn a_question_proposes_a_name() {
        let subject = ExportSubject::Finding(FindingKey { campaign: 3, name: "crash-1".into() });
        let question =
            FileQuestion::export(ExportCommand { subject, kind: ExportKind::Maestro, screens_before: None });
        assert_eq!((question.name.as_str(), question.extensions), ("crash-1.yaml", vec!["yaml"]));
    }
}
