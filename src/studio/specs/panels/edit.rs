//! A document while it is edited: the DMF as its form has it, the findings at its fields, and what is asked of the
//! document.

use egui::{Id, RichText, Ui};

use crate::command::Command;
use crate::parts::controls::labelled_button;
use crate::parts::theme::{glyph, icon, tokens};
use crate::specs::{DocumentCommand, SpecDocument, fix};
use crate::state::StudioState;
use taproof_spec::{Dmf, LintFinding, Severity};

/// A form while it is drawn: the DMF as edited, and which field was.
pub struct Form<'a> {
    /// What the window shows.
    pub state: &'a StudioState,
    /// The document that holds the DMF.
    pub document: &'a SpecDocument,
    /// The DMF's place in the file, such as `dmfs[2]`.
    pub path: String,
    /// The DMF as edited.
    pub dmf: Dmf,
    /// The field that was edited in this pass.
    pub edited: Option<String>,
    /// What else is asked for.
    pub commands: &'a mut Vec<Command>,
}

impl Form<'_> {
    /// A field was edited.
    pub fn touch(&mut self, field: &str) {
        self.edited = Some(format!("{}.{field}", self.path));
    }

    /// Whose words its fields hold.
    pub fn word_of(&self) -> Id {
        Id::new((self.document.id, &self.path))
    }

    /// Draws the findings at a field of the DMF, with a button where they are mended by a click.
    pub fn findings_ui(&mut self, field: &str, ui: &mut Ui) {
        let path = format!("{}.{field}", self.path);
        let findings: Vec<&LintFinding> = self.document.findings_at(&path).collect();
        for finding in findings {
            self.finding_ui(finding, ui);
        }
    }

    pub(super) fn finding_ui(&mut self, finding: &LintFinding, ui: &mut Ui) {
        finding_ui(self.document, finding, self.commands, ui);
    }
}

/// A finding in one line; good-to-know ones are quiet.
pub fn finding_ui(document: &SpecDocument, finding: &LintFinding, commands: &mut Vec<Command>, ui: &mut Ui) {
    let tokens = tokens(ui.ctx());
    let (icon, color) = match finding.code.severity() {
        Severity::Error => (icon::BROKEN, tokens.bad),
        Severity::Warning => (icon::LOOK, tokens.warn),
        Severity::Info => (icon::HELP, tokens.quiet),
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.spacing_mut().interact_size.y = 20.0;
        ui.label(glyph(icon).color(color));
        ui.label(RichText::new(finding.message.as_str()).small().color(color))
            .on_hover_text(finding.code.meaning());
        if let Some(fix) = fix(document, finding)
            && labelled_button(ui, icon::MEND, &fix.label, true).clicked()
        {
            order(commands, DocumentCommand::Edit(document.id, Box::new(fix.edit)));
        }
    });
}

/// Queues something for a document.
pub fn order(commands: &mut Vec<Command>, command: DocumentCommand) {
    commands.push(Command::Document(command));
}
