//! The source text of a file's DMFs, for editing it directly; and a hash of what files contain that does not depend on
//! their formatting.

use std::ops::Range;

use serde_json::Value;

use super::json::{DmfFile, syntax_error, wrong_kind};
use crate::format::json_text::{document, elements, members};
use crate::{Block, LintFinding, Severity, Spec, derived_blocks};
use taproof_screen::determinism::{StableHasher, hash_bytes};
use taproof_screen::format::{FormatError, Place};

impl DmfFile {
    /// Returns the source text of a DMF, without the indentation that it has in the file. `None` if there is no DMF of
    /// this index.
    pub fn dmf_text(&self, index: usize) -> Option<String> {
        let range = self.dmf_place(index)?;
        let margin = self.margin(range.start);
        let text = self.source().get(range)?;
        let lines = text.split('\n').enumerate().map(|(number, line)| match number {
            0 => line,
            _ => &line[line.len() - without(line, margin).len()..],
        });
        Some(lines.collect::<Vec<&str>>().join("\n"))
    }

    /// Returns the file with the source text of a DMF replaced. Without a DMF of this index the file is returned
    /// unchanged.
    ///
    /// # Errors
    ///
    /// [`FormatError`] if `text` is not a DMF, or the file cannot be parsed with it. If `text` is at fault, places
    /// count from its start.
    pub fn with_dmf_text(&self, index: usize, text: &str) -> Result<DmfFile, FormatError> {
        let text = text.trim();
        let value: Value = serde_json::from_str(text).map_err(|error| syntax_error(text, 0, &error))?;
        if !value.is_object() {
            return Err(wrong_kind(String::new(), "an object, one DMF", &value));
        }
        let alone = DmfFile::parse(&format!("{{\"dmfs\": [{text}]}}"))?;
        if alone.spec.dmfs.len() != 1 {
            let error = |finding: &&LintFinding| finding.code.severity() == Severity::Error;
            let problem = alone.findings.iter().find(error);
            let path = problem.map_or("", |finding| finding.path.as_str());
            return Err(FormatError::Unexpected {
                what: "specification",
                place: Place::Json(path.trim_start_matches("dmfs[0]").trim_start_matches('.').to_owned()),
                expected: "a DMF".to_owned(),
                found: problem.map_or_else(String::new, |finding| finding.message.clone()),
            });
        }
        let Some(range) = self.dmf_place(index) else { return Ok(self.clone()) };
        let margin = format!("\n{}", self.margin(range.start));
        let source = self.source();
        let indented = text.replace('\n', &margin);
        DmfFile::parse(&format!("{}{indented}{}", &source[..range.start], &source[range.end..]))
    }

    /// Byte range of a DMF in the source.
    fn dmf_place(&self, index: usize) -> Option<Range<usize>> {
        let source = self.source();
        let start = self.json_start();
        let whole = document(&source[start..]);
        let top = members(source, start + whole.start..source.len());
        let section = top.iter().rfind(|member| member.key == "dmfs")?;
        elements(source, section.value.clone()).get(self.dmf_element(index)?).cloned()
    }

    /// The indentation of what begins at this byte; empty if anything else precedes it on its line.
    fn margin(&self, start: usize) -> &str {
        let before = &self.source()[..start];
        let line = &before[before.rfind('\n').map_or(0, |newline| newline + 1)..];
        if line.chars().all(|letter| letter == ' ' || letter == '\t') { line } else { "" }
    }
}

/// The line without the margin, as far as the line begins with it.
fn without<'l>(line: &'l str, margin: &str) -> &'l str {
    let shared = line.bytes().zip(margin.bytes()).take_while(|(a, b)| a == b).count();
    &line[shared..]
}

/// Returns a hash of the files' contents as eight hexadecimal digits. It depends neither on the formatting of the JSON
/// nor on the order of the files.
pub fn spec_version<'f>(files: impl IntoIterator<Item = &'f DmfFile>) -> String {
    let hash = |file: &DmfFile| hash_bytes(file.canonical().as_bytes());
    let mut hashes: Vec<u64> = files.into_iter().map(hash).collect();
    hashes.sort_unstable();
    let mut all = StableHasher::new();
    hashes.into_iter().for_each(|hash| all.u64(hash));
    format!("{:08x}", all.finish() >> 32)
}

/// Returns a file with the complete block list of a specification, including derived entries.
pub fn block_list(spec: &Spec) -> String {
    let blocks: Vec<Block> = spec.blocks.iter().cloned().chain(derived_blocks(spec)).collect();
    DmfFile::new(&Spec { blocks, ..Spec::default() }).source().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "{\n  \"dmfs\": [\n    {\"name\": \"add note\", \"type\": \"add\"},\n    {\n      \
                        \"name\": \"edit note\",\n      \"type\": \"edit\"\n    }\n  ]\n}";

    #[test]
    fn a_dmf_is_shown_at_the_left_edge_and_put_back() {
        let file = DmfFile::parse(FILE).unwrap();
        let text = file.dmf_text(1).unwrap();
        assert_eq!(text, "{\n  \"name\": \"edit note\",\n  \"type\": \"edit\"\n}");
        assert_eq!(file.with_dmf_text(1, &text).unwrap().source(), FILE);
        let changed = file.with_dmf_text(1, &text.replace("edit note", "edit list")).unwrap();
        assert_eq!(changed.spec.dmfs[1].name, "edit list");
        assert_eq!(changed.source(), FILE.replace("edit note", "edit list"));
    }

    #[test]
    fn what_is_no_dmf_says_where_and_why() {
        let file = DmfFile::parse(FILE).unwrap();
        let error = |text| file.with_dmf_text(0, text).unwrap_err().to_string();
        let missing = error("{\n  \"name\" \"x\"\n}");
        assert!(missing.contains("line 2, column"), "{missing}");
        assert!(error("[]").contains("expected an object, one DMF"));
        assert!(error("{\"name\": \"x\", \"type\": \"loud\"}").contains("\"loud\""));
    }

    #[test]
    fn a_version_is_of_what_is_said() {
        let file = |text: &str| DmfFile::parse(text).unwrap();
        let one = file(FILE);
        let compact = file(
            &FILE.replace(['\n', ' '], "").replace("addnote", "add note").replace("editnote", "edit note"),
        );
        assert_eq!(spec_version([&one]), spec_version([&compact]));
        let blocks = file("{\"keyviews\": []}");
        assert_eq!(spec_version([&one, &blocks]), spec_version([&blocks, &one]));
        assert_ne!(spec_version([&one]), spec_version([&file(&FILE.replace("add note", "add item"))]));
        assert_eq!(spec_version([&one]).len(), 8);
    }
}
