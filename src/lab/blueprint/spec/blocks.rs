//! The block list.

use taproof_spec::{Block, BlockedEvent, ViewPattern};

use super::Writer;
use crate::generate::names::Part;
use crate::generate::translation::Translations;
use crate::pages::form_page::DONE;
use crate::schema::DeleteFrom;

impl Writer<'_> {
    /// What changes objects outside of the functions.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![block(&[("text", "Undo")], "brings back what was deleted")];
        if self.kind.form.autosave {
            let back = block(&[("content-desc", DONE)], "saves what was entered");
            blocks.push(Block { event: BlockedEvent::Back, ..back });
        }
        let plan = self.kind.delete;
        if plan.confirm || plan.from != DeleteFrom::Detail {
            blocks.push(block(&[("text", "Delete")], "deletes objects"));
        }
        if !plan.confirm {
            blocks.push(self.block_part(Part::DeleteSelected, "deletes what is selected"));
            if plan.from == DeleteFrom::Detail {
                blocks.push(self.block_part(Part::Delete, "deletes without asking"));
            }
        }
        if plan.trash {
            blocks.push(self.block_part(Part::Restore, "brings back what was deleted"));
            blocks.push(self.block_part(Part::Erase, "deletes what could be restored"));
        }
        blocks
    }

    pub(super) fn block_part(&self, part: Part, reason: &str) -> Block {
        let tag = self.names.tag(part);
        match tag.dumped_id(&self.blueprint.resources()) {
            Some(id) => block(&[("resource-id", &id)], reason),
            None => block(&[("content-desc", tag.desc)], reason),
        }
    }
}

/// Blocks, and the same for the words that the app has in other languages. The functions are in English only: where
/// their words are not there, they do not begin.
pub(super) fn in_all_languages(blocks: Vec<Block>, translations: &Translations) -> Vec<Block> {
    let mut all = blocks.clone();
    for language in Translations::LANGUAGES {
        all.extend(blocks.iter().filter_map(|block| {
            let [(name, words)] = block.pattern.attributes.as_slice() else { return None };
            let words = translations.find(language, words)?;
            Some(Block { pattern: pattern(&[(name, words)]), ..block.clone() })
        }));
    }
    for (_, words) in all.iter_mut().flat_map(|block| &mut block.pattern.attributes) {
        *words = translations.said(words).to_owned();
    }
    all
}

fn pattern(attributes: &[(&str, &str)]) -> ViewPattern {
    let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ViewPattern { attributes: attributes.collect() }
}

fn block(attributes: &[(&str, &str)], reason: &str) -> Block {
    Block {
        pattern: pattern(attributes),
        event: BlockedEvent::Widget,
        reason: reason.to_owned(),
        activity: None,
        every_engine: false,
    }
}
