//! Layouts as they are kept in large numbers: each text once, each layout once.
//!
//! Most widgets of an app share their texts, classes and ids with others, and most frames share their layout with the
//! frame before. Within [`Archive::open`], a layout is serialised as its number in the archive, and the texts of its
//! widgets as theirs. serde has no place for such a table, so the open archive is a thread's own.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use super::{Layout, Text};

/// The distinct texts and layouts of what is serialised.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Text>", into = "Vec<Text>")]
pub struct Archive {
    texts: Vec<Text>,
    by_text: HashMap<Text, u32>,
    layouts: Vec<Arc<Layout>>,
    /// The number of a layout by its address, at which it stays while the archive holds it.
    by_address: HashMap<usize, u32>,
}

thread_local! {
    static OPENED: RefCell<Option<Archive>> = const { RefCell::new(None) };
}

impl Archive {
    /// The archive for reading what was written with these layouts.
    #[must_use]
    pub fn with_layouts(self, layouts: Vec<Arc<Layout>>) -> Self {
        Archive { layouts, ..self }
    }

    /// Runs something that serialises or deserialises with this archive.
    pub fn open<R>(&mut self, run: impl FnOnce() -> R) -> R {
        let outer = OPENED.replace(Some(std::mem::take(self)));
        let result = run();
        *self = OPENED.replace(outer).unwrap_or_default();
        result
    }

    /// A layout as bytes, which refer to texts of the archive. `None` if it cannot be serialised.
    pub fn pack(&mut self, layout: &Layout) -> Option<Vec<u8>> {
        let mut bytes = self.open(|| rmp_serde::to_vec(layout)).ok()?;
        bytes.shrink_to_fit();
        Some(bytes)
    }

    /// The layout that was packed by this archive. `None` for other bytes.
    pub fn unpack(&mut self, bytes: &[u8]) -> Option<Layout> {
        self.open(|| rmp_serde::from_slice(bytes)).ok()
    }

    /// The distinct texts, by number.
    pub fn texts(&self) -> &[Text] {
        &self.texts
    }

    /// The distinct layouts, by number.
    pub fn layouts(&self) -> &[Arc<Layout>] {
        &self.layouts
    }

    fn number_of_text(&mut self, text: &Text) -> u32 {
        if let Some(number) = self.by_text.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(Arc::clone(text));
        self.by_text.insert(Arc::clone(text), number);
        number
    }

    fn number_of_layout(&mut self, layout: &Arc<Layout>) -> u32 {
        let next = self.layouts.len() as u32;
        let number = *self.by_address.entry(Arc::as_ptr(layout).addr()).or_insert(next);
        if number == next {
            self.layouts.push(Arc::clone(layout));
        }
        number
    }
}

/// Without its layouts, each of which may be packed.
impl From<Archive> for Vec<Text> {
    fn from(archive: Archive) -> Self {
        archive.texts
    }
}

impl From<Vec<Text>> for Archive {
    fn from(texts: Vec<Text>) -> Self {
        let by_text = texts.iter().cloned().zip(0..).collect();
        Archive { texts, by_text, ..Archive::default() }
    }
}

/// What the open archive answers, or an error if none is open.
fn ask<R, E>(question: impl FnOnce(&mut Archive) -> Option<R>, error: fn(&'static str) -> E) -> Result<R, E> {
    OPENED.with_borrow_mut(|opened| {
        let archive =
            opened.as_mut().ok_or_else(|| error("layouts are serialised within an archive only"))?;
        question(archive).ok_or_else(|| error("a text or layout is not in the archive"))
    })
}

/// Serialises a layout as its number in the open archive.
pub mod layout {
    use super::*;

    /// Serialises the number of a layout in the open archive.
    ///
    /// # Errors
    ///
    /// No archive is open.
    pub fn serialize<S: Serializer>(layout: &Arc<Layout>, serializer: S) -> Result<S::Ok, S::Error> {
        ask(|archive| Some(archive.number_of_layout(layout)), <S::Error as ser::Error>::custom)?
            .serialize(serializer)
    }

    /// Deserialises what [`serialize`] wrote, with the same archive.
    ///
    /// # Errors
    ///
    /// No archive is open, or it has no layout of that number.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Layout>, D::Error> {
        let number = u32::deserialize(deserializer)? as usize;
        ask(|archive| archive.layouts.get(number).cloned(), <D::Error as de::Error>::custom)
    }
}

/// Serialises a text as its number in the open archive.
pub(crate) mod text {
    use super::*;

    pub fn serialize<S: Serializer>(text: &Text, serializer: S) -> Result<S::Ok, S::Error> {
        ask(|archive| Some(archive.number_of_text(text)), <S::Error as ser::Error>::custom)?
            .serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        let number = u32::deserialize(deserializer)? as usize;
        ask(|archive| archive.texts.get(number).cloned(), <D::Error as de::Error>::custom)
    }
}

/// Serialises an optional text as its number in the open archive.
pub(crate) mod optional_text {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Shared(#[serde(with = "super::text")] Text);

    pub fn serialize<S: Serializer>(text: &Option<Text>, serializer: S) -> Result<S::Ok, S::Error> {
        text.clone().map(Shared).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Text>, D::Error> {
        Ok(Option::<Shared>::deserialize(deserializer)?.map(|Shared(text)| text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout_from;

    fn page(words: &str) -> Layout {
        layout_from(&format!("FrameLayout\n  Button#go \"Go\"\n  TextView#words \"{words}\"\n"))
    }

    #[test]
    fn layouts_are_packed_with_each_text_once() {
        let mut archive = Archive::default();
        let layouts = [page("one"), page("two"), page("one")];
        let packed = layouts.each_ref().map(|layout| archive.pack(layout).unwrap());
        assert_eq!(packed[0], packed[2]);
        let texts = archive.texts().len();
        archive.pack(&page("three"));
        assert_eq!(archive.texts().len(), texts + 1);
        let mut archive: Archive = rmp_serde::from_slice(&rmp_serde::to_vec(&archive).unwrap()).unwrap();
        for (layout, packed) in layouts.iter().zip(&packed) {
            assert_eq!(archive.unpack(packed).as_ref(), Some(layout));
        }
        assert_eq!(archive.texts().len(), texts + 1, "reading adds nothing");
        assert_eq!(Archive::default().unpack(&packed[0]), None, "another archive");
    }

    #[test]
    fn a_layout_outside_of_an_archive_is_refused() {
        let error = serde_json::to_string(&page("one")).unwrap_err().to_string();
        assert!(error.contains("within an archive only"), "{error}");
    }
}
