//! The reuse model of Fastbot2 as bytes: a header, then each text once, then the events with their counts, which refer
//! to texts by index, then a checksum of everything before it. All numbers are little-endian.
//!
//! Pure functions between bytes and models. A file that is cut off, changed, of another program or of a newer version
//! is rejected; a model is not valuable enough to guess its content.

use std::collections::BTreeMap;

use taproof_core::determinism::hash_bytes;
use taproof_core::model::{ActionKind, HyperEvent, KEY_SCHEME, ReuseModel, Text};

/// The first bytes of every model file.
const MAGIC: &[u8; 8] = b"TAPROOFM";
/// The version of the file format.
const VERSION: u32 = 1;
/// Minimum size in bytes: magic, version, key scheme, checksum.
const SHORTEST: usize = 8 + 4 + 4 + 8;

/// Why bytes are not a valid model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelFileError {
    /// The file is not a model of this program.
    #[error("this is no model of Taproof's (a Fastbot .fbm file cannot be read: its keys mean nothing here)")]
    NotOurs,
    /// The file was written by a newer version.
    #[error("the model has version {found}, this program knows {VERSION}: use a newer Taproof")]
    Newer {
        /// The version of the file.
        found: u32,
    },
    /// The end of the file is missing.
    #[error("the model ends in the middle, after {bytes} bytes: was it copied whole?")]
    CutOff {
        /// Number of bytes in the file.
        bytes: usize,
    },
    /// The checksum is wrong: the bytes are not those that were written.
    #[error("the model's checksum is wrong: something has changed the file")]
    Changed,
    /// The content is invalid.
    #[error("the model is damaged: {what}")]
    Damaged {
        /// What is wrong with the content.
        what: &'static str,
    },
}

/// The bytes of a model's file.
pub fn model_to_bytes(model: &ReuseModel) -> Vec<u8> {
    let mut texts = Numbered::default();
    let mut events = Vec::new();
    for (event, counts) in model.events() {
        for text in [&event.activity, &event.resource_id, &event.class, &event.static_text] {
            number(&mut events, texts.of(text));
        }
        events.push(event.kind.code());
        number(&mut events, counts.len() as u32);
        for (activity, count) in counts {
            number(&mut events, texts.of(activity));
            number(&mut events, *count);
        }
    }
    let mut bytes = MAGIC.to_vec();
    number(&mut bytes, VERSION);
    number(&mut bytes, KEY_SCHEME);
    text(&mut bytes, &model.package);
    number(&mut bytes, model.versions.len() as u32);
    for version in &model.versions {
        text(&mut bytes, version);
    }
    number(&mut bytes, texts.list.len() as u32);
    for known in &texts.list {
        text(&mut bytes, known);
    }
    number(&mut bytes, model.events().len() as u32);
    bytes.append(&mut events);
    let checksum = hash_bytes(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Parses a model.
///
/// # Errors
///
/// A [`ModelFileError`] if the bytes are not a valid model.
pub fn model_from_bytes(bytes: &[u8]) -> Result<ReuseModel, ModelFileError> {
    let start = MAGIC.len().min(bytes.len());
    if bytes.is_empty() || bytes[..start] != MAGIC[..start] {
        return Err(ModelFileError::NotOurs);
    }
    let cut_off = || ModelFileError::CutOff { bytes: bytes.len() };
    let mut reader = Reader { left: bytes.get(MAGIC.len()..).unwrap_or_default() };
    let found = reader.number().ok_or_else(cut_off)?;
    if found > VERSION {
        return Err(ModelFileError::Newer { found });
    }
    let Some((content, checksum)) = bytes.split_last_chunk().filter(|_| bytes.len() >= SHORTEST) else {
        return Err(cut_off());
    };
    if hash_bytes(content) != u64::from_le_bytes(*checksum) {
        // A file that was cut off has a wrong checksum as well; whether its content is complete distinguishes the two.
        let whole = body(Reader { left: content.get(12..).unwrap_or_default() });
        return Err(if whole.is_none() { cut_off() } else { ModelFileError::Changed });
    }
    body(Reader { left: content.get(12..).unwrap_or_default() })
        .unwrap_or(Err(ModelFileError::Damaged { what: "it ends too early" }))
}

/// Parses what follows the version; `None` if it ends too early.
fn body(mut reader: Reader<'_>) -> Option<Result<ReuseModel, ModelFileError>> {
    // Keys are recomputed from the events, so files with another key scheme are read like ours.
    reader.number()?;
    let mut model = ReuseModel::of(reader.text()?);
    for _ in 0..reader.number()? {
        let version = reader.text()?.to_owned();
        model.versions.push(version);
    }
    let mut texts = Vec::new();
    for _ in 0..reader.number()? {
        texts.push(Text::from(reader.text()?));
    }
    let damaged = |what| Some(Err(ModelFileError::Damaged { what }));
    for _ in 0..reader.number()? {
        let numbers = [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
        let code = reader.byte()?;
        let named = numbers.map(|number| texts.get(number as usize));
        let [Some(activity), Some(resource_id), Some(class), Some(static_text)] = named else {
            return damaged("an event's text is missing");
        };
        let Some(kind) = ActionKind::ALL.get(usize::from(code)).copied() else {
            return damaged("an event of an unknown kind");
        };
        let [activity, resource_id, class, static_text] =
            [activity, resource_id, class, static_text].map(Text::clone);
        let event = HyperEvent { activity, resource_id, class, static_text, kind };
        for _ in 0..reader.number()? {
            let (activity, count) = (reader.number()?, reader.number()?);
            match texts.get(activity as usize) {
                Some(activity) => model.add(event.clone(), Text::clone(activity), count),
                None => return damaged("an activity's name is missing"),
            }
        }
    }
    if reader.left.is_empty() { Some(Ok(model)) } else { damaged("something follows its end") }
}

#[derive(Default)]
struct Numbered {
    list: Vec<Text>,
    known: BTreeMap<Text, u32>,
}

impl Numbered {
    fn of(&mut self, text: &Text) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.known.entry(Text::clone(text)).or_insert(next);
        if number == next {
            self.list.push(Text::clone(text));
        }
        number
    }
}

fn number(bytes: &mut Vec<u8>, value: u32) {
    bytes.extend_from_slice(&value.to_le_bytes());
}

fn text(bytes: &mut Vec<u8>, value: &str) {
    number(bytes, value.len() as u32);
    bytes.extend_from_slice(value.as_bytes());
}

struct Reader<'b> {
    left: &'b [u8],
}

impl<'b> Reader<'b> {
    fn byte(&mut self) -> Option<u8> {
        let (first, left) = self.left.split_first()?;
        self.left = left;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let (number, left) = self.left.split_first_chunk()?;
        self.left = left;
        Some(u32::from_le_bytes(*number))
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = self.number()? as usize;
        let (text, left) = self.left.split_at_checked(length)?;
        self.left = left;
        std::str::from_utf8(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> ReuseModel {
        let mut model = ReuseModel::of("org.ex");
        model.saw_version("1.0");
        model.saw_version("1.1");
        for (number, kind) in ActionKind::ALL.into_iter().enumerate() {
            let text = |text: &str| Text::from(text);
            let event = HyperEvent {
                activity: text("org.ex/.Main"),
                resource_id: text(&format!("org.ex:id/w{number}")),
                class: text("android.widget.Button"),
                static_text: text("Größe \u{1f600}"),
                kind,
            };
            model.add(event.clone(), text("org.ex/.Main"), 7);
            model.add(event, text("org.ex/.List"), number as u32);
        }
        model
    }

    #[test]
    fn a_model_comes_back_as_it_was() {
        for model in [model(), ReuseModel::of("org.ex"), ReuseModel::default()] {
            assert_eq!(model_from_bytes(&model_to_bytes(&model)), Ok(model));
        }
        let length = model_to_bytes(&model()).len();
        assert!(length < 700, "texts stand in the file once: {length} bytes");
    }

    #[test]
    fn bad_files_are_refused() {
        let bytes = model_to_bytes(&model());
        for length in 8..bytes.len() {
            assert_eq!(
                model_from_bytes(&bytes[..length]),
                Err(ModelFileError::CutOff { bytes: length }),
                "cut off after {length}"
            );
        }
        for place in 16..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x20;
            assert!(model_from_bytes(&changed).is_err(), "changed at {place}");
        }
        assert_eq!(model_from_bytes(b""), Err(ModelFileError::NotOurs));
        assert_eq!(model_from_bytes(b"\x18\0\0\0\x08\0\x0c\0flat"), Err(ModelFileError::NotOurs));
        let mut newer = bytes.clone();
        newer[8] = 9;
        assert_eq!(model_from_bytes(&newer), Err(ModelFileError::Newer { found: 9 }));
        let mut longer = bytes[..bytes.len() - 8].to_vec();
        longer.push(0);
        let checksum = hash_bytes(&longer);
        longer.extend_from_slice(&checksum.to_le_bytes());
        let damaged = ModelFileError::Damaged { what: "something follows its end" };
        assert_eq!(model_from_bytes(&longer), Err(damaged));
    }
}
