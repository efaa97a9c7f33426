//! Tables in pages of the book.

use std::path::Path;

use taproof::cli::command::{Failure, read_text};
use taproof_results::store::replace_file;

/// Writes the text between the lines `<!-- MARK -->` and `<!-- end -->` of a Markdown file.
pub(crate) fn put_into(file: &Path, mark: &str, text: &str) -> Result<(), Failure> {
    let whole = read_text(file)?;
    let begin = format!("<!-- {mark} -->\n");
    let place = whole.find(&begin).map(|at| at + begin.len());
    let place = place.and_then(|at| Some((at, at + whole[at..].find("<!-- end -->")?)));
    let Some((from, to)) = place else {
        let say =
            format!("no lines {begin:?} and \"<!-- end -->\" to put the table between: {}", file.display());
        return Err(Failure::BadInput(anyhow::anyhow!(say)));
    };
    let changed = format!("{}\n{}\n\n{}", &whole[..from], text.trim_end(), &whole[to..]);
    Ok(replace_file(file, changed.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_replaces_what_stood_between_its_lines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.md");
        std::fs::write(&file, "Before\n<!-- study bugs -->\nold\n<!-- end -->\nAfter\n").unwrap();
        put_into(&file, "study bugs", "| new |").unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text, "Before\n<!-- study bugs -->\n\n| new |\n\n<!-- end -->\nAfter\n");
        assert!(put_into(&file, "study odin", "").is_err());
    }
}
