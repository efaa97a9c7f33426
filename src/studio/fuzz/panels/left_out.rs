//! Which parts of the app a campaign has not reached.

use egui::{CollapsingHeader, Label, Ui};

use crate::fuzz::Coverage;
use crate::parts::theme::{caption, heading};
use taproof_screen::one_line;

/// Draws which activities and widgets were left out; `None` as long as the campaign runs.
pub fn left_out_ui(coverage: Option<&Coverage>, ui: &mut Ui) {
    ui.label(heading("Not reached"));
    let Some(coverage) = coverage else {
        ui.label(caption("What no engine has reached is counted at the end of the campaign."));
        return;
    };
    match coverage.declared {
        None => {
            drop(ui.label(caption("The activities of the app are not known: its manifest was not read.")))
        }
        Some(declared) => {
            let words = share_words(coverage.unreached.len(), declared, "activities", "reached");
            list_ui("unreached", &words, coverage.unreached.iter().cloned(), ui);
        }
    }
    let words = share_words(coverage.untouched.len(), coverage.usable, "kinds of usable widgets", "touched");
    let widgets =
        coverage.untouched.iter().map(|it| format!("{}  \u{b7}  {}", one_line(&it.widget), it.activity));
    list_ui("untouched", &words, widgets, ui);
}

/// How many of `all` things were reached, where so many were `left` out.
fn share_words(left: usize, all: usize, things: &str, reached: &str) -> String {
    match (all.checked_sub(left), left) {
        (Some(done), _) if all > 0 => {
            format!("{done} of {all} {things} {reached} ({} %)", (done * 100 + all / 2) / all)
        }
        (_, 0) => format!("All {things} {reached}"),
        (_, left) => format!("{left} {things} not {reached}"),
    }
}

/// Draws a line, below which is what was left out if there is anything.
fn list_ui(id: &str, words: &str, left: impl ExactSizeIterator<Item = String>, ui: &mut Ui) {
    if left.len() == 0 {
        ui.label(words);
        return;
    }
    CollapsingHeader::new(words).id_salt(id).show(ui, |ui| {
        left.for_each(|line| drop(ui.add(Label::new(line).truncate())));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_told_in_words() {
        assert_eq!(share_words(2, 7, "activities", "reached"), "5 of 7 activities reached (71 %)");
        assert_eq!(share_words(0, 3, "activities", "reached"), "3 of 3 activities reached (100 %)");
        assert_eq!(share_words(4, 0, "widgets", "touched"), "4 widgets not touched");
        assert_eq!(share_words(0, 0, "widgets", "touched"), "All widgets touched");
    }
}
