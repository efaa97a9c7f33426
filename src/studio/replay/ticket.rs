//! What is said to an issue tracker about findings.

use std::path::PathBuf;

use crate::state::FindingKey;
use taproof_phone::Apps;
use taproof_results::report::{finding_markdown, finding_pictures, issue_link, ticket_body};
use taproof_results::store::Workspace;
use taproof_session::{finding_facts, write_beside};

/// What is to be said to an issue tracker.
pub(crate) struct Ticket {
    /// The text, as Markdown.
    pub text: String,
    /// The page for a new issue, if it was asked for.
    pub link: Option<String>,
    /// The folder with the pictures that belong to it, if there are any.
    pub pictures: Option<PathBuf>,
}

impl Ticket {
    /// Writes about findings, and their pictures into the workspace. With a `pattern`, there is a page for a new issue about
    /// the first.
    pub(crate) fn of(
        keys: &[FindingKey],
        workspace: &Workspace,
        apps: &Apps,
        pattern: Option<&str>,
    ) -> anyhow::Result<Ticket> {
        let folder = workspace.root().join("pictures");
        let (mut texts, mut link, mut files) = (Vec::new(), None, Vec::new());
        for key in keys {
            let stored = workspace.load_finding_of(key.campaign, &key.name)?;
            let (finding, facts) = (&stored.finding, finding_facts(apps, &stored));
            if let (None, Some(pattern)) = (&link, pattern) {
                let made = issue_link(pattern, &facts.title_of(finding), &ticket_body(finding, &facts));
                link = Some(made.map_err(anyhow::Error::msg)?);
            }
            let pictures = finding_pictures(finding, &facts);
            // Without them, as in a folder that cannot be written, the text is still worth something.
            let kept = std::fs::create_dir_all(&folder).is_ok()
                && write_beside(&folder.join("pictures"), &pictures).is_ok();
            let names = pictures.iter().filter(|_| kept);
            files.extend(names.map(|picture| folder.join(&picture.name).display().to_string()));
            texts.push(finding_markdown(finding, &facts, &[]));
        }
        let mut text = texts.join("\n---\n\n");
        if !files.is_empty() {
            text += &format!("\n<!-- Pictures to drop here: {} -->\n", files.join(", "));
        }
        Ok(Ticket { text, link, pictures: (!files.is_empty()).then_some(folder) })
    }
}
