//! What people paste into a POSIX shell: words, comments, and the commands that run a campaign or a finding again.

use taproof_campaign::{CampaignPlan, SpecFacts, SpecOrigin};
use taproof_screen::is_display_control;

/// The command that runs the whole campaign again, quoted for a shell. What has to be done before it stands
/// above it, as comments.
pub fn campaign_command(plan: &CampaignPlan, specs: &[SpecFacts]) -> String {
    let mut lines = Vec::new();
    let mut words = plan.command_words();
    if let Some(first) = &plan.initialiser {
        let app = shell_word(&plan.app);
        lines.push(format!(
            "# Before each test: {}. The workspace must have it: taproof initialiser show --package {app}",
            comment(&first.words())
        ));
    }
    // A command takes the shipped ones by itself, but only where no other is named.
    if specs.iter().any(|spec| spec.origin != SpecOrigin::Shipped) {
        for spec in specs {
            let name = comment(&spec.name);
            match spec.origin {
                SpecOrigin::Saved => {}
                SpecOrigin::Shipped => {
                    lines.push(format!("# {name} lies in the folder of Taproof's sources."))
                }
                SpecOrigin::Unsaved => lines.push(format!(
                    "# {name} was run as it stood in the window. Save it there first, and name its file here."
                )),
            }
            words.extend(["--spec".to_owned(), spec.name.clone()]);
        }
    }
    lines.push(words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" "));
    lines.join("\n")
}

/// The command that does the steps of a finding again, up to the name of the finding. `workspace`: the folder of the
/// results, unless commands find it by themselves.
pub fn replay_command(plan: &CampaignPlan, workspace: Option<&str>) -> String {
    let folder = workspace.map_or_else(String::new, |folder| format!(" --workspace {}", shell_word(folder)));
    let data = plan.data_option().map_or_else(String::new, |option| format!(" {option}"));
    format!("taproof replay{folder}{data}")
}

/// On one line, for comments and headings: nothing ends the line early, nothing turns its direction, and no character
/// stands there that YAML forbids even in a comment.
pub fn comment(text: &str) -> String {
    let harmless = |c: char| !is_display_control(c) && !matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if harmless(c) { c } else { ' ' }).collect()
}

/// A word of a POSIX shell: quoted, where it has to be.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { shell_quoted(text) }
}

/// A text in single quotes of a POSIX shell, where nothing but the quote itself means anything.
pub fn shell_quoted(text: &str) -> String {
    // A shell cannot hold NUL in a word at all.
    format!("'{}'", text.replace('\0', "").replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_in_its_comment_and_its_word() {
        assert_eq!(comment("a\nb\u{2028}c\u{202e}d"), "a b c d");
        assert_eq!(comment("a\u{fffe}b\u{ffff}c\u{feff}d\u{85}e"), "a b c d e");
        assert_eq!(shell_word("a-b/c.json"), "a-b/c.json");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
