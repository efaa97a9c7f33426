//! The reuse model of Fastbot2 as bytes: JSON, compressed by gzip, whose checksum tells whether something has changed them.
//!
//! Pure functions between bytes and models. A file that is cut off, changed, of another program or of a newer version
//! is rejected; a model is not valuable enough to guess its content.

use std::io::{ErrorKind, Read, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::store::StoreError;
use taproof_engine::fastbot2::ReuseModel;

/// The first bytes of every gzip file.
const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// The version of the file format.
const VERSION: u32 = 1;
/// Largest content of a model in bytes; what is larger is not ours.
const MAX_BYTES: u64 = 1 << 30;

#[derive(Serialize, Deserialize)]
struct ModelFile<M> {
    taproof_model: u32,
    model: M,
}

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
        what: String,
    },
}

/// The bytes of a model's file.
///
/// # Errors
///
/// Fails if the model cannot be serialised.
pub fn model_to_bytes(model: &ReuseModel) -> Result<Vec<u8>, StoreError> {
    let text = serde_json::to_vec(&ModelFile { taproof_model: VERSION, model })?;
    packed(&text).map_err(|error| StoreError::Damaged { what: error.to_string() })
}

fn packed(text: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text)?;
    encoder.finish()
}

/// Parses a model.
///
/// # Errors
///
/// A [`ModelFileError`] if the bytes are not a valid model.
pub fn model_from_bytes(bytes: &[u8]) -> Result<ReuseModel, ModelFileError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(ModelFileError::NotOurs);
    }
    let mut text = Vec::new();
    let mut decoder = GzDecoder::new(bytes);
    decoder.by_ref().take(MAX_BYTES).read_to_end(&mut text).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => ModelFileError::CutOff { bytes: bytes.len() },
        _ => ModelFileError::Changed,
    })?;
    let damaged = |what: String| ModelFileError::Damaged { what };
    if !decoder.into_inner().is_empty() {
        return Err(damaged("something follows its end".to_owned()));
    }
    match serde_json::from_slice(&text) {
        Ok(ModelFile::<IgnoredAny> { taproof_model: VERSION, .. }) => {}
        Ok(ModelFile { taproof_model: found, .. }) => return Err(ModelFileError::Newer { found }),
        Err(_) => return Err(ModelFileError::NotOurs),
    }
    let file: ModelFile<ReuseModel> =
        serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
    Ok(file.model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_engine::fastbot2::HyperEvent;
    use taproof_screen::Text;
    use taproof_spec::ActionKind;

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
            assert_eq!(model_from_bytes(&model_to_bytes(&model).unwrap()), Ok(model));
        }
        let length = model_to_bytes(&model()).unwrap().len();
        assert!(length < 700, "what is repeated takes no room: {length} bytes");
    }

    #[test]
    fn bad_files_are_refused() {
        let bytes = model_to_bytes(&model()).unwrap();
        for length in 2..bytes.len() {
            assert_eq!(
                model_from_bytes(&bytes[..length]),
                Err(ModelFileError::CutOff { bytes: length }),
                "cut off after {length}"
            );
        }
        // Before that stand the time and the system of gzip's header, which are no content.
        for place in 10..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x20;
            assert!(model_from_bytes(&changed).is_err(), "changed at {place}");
        }
        assert_eq!(model_from_bytes(b""), Err(ModelFileError::NotOurs));
        assert_eq!(model_from_bytes(b"\x18\0\0\0\x08\0\x0c\0flat"), Err(ModelFileError::NotOurs));
        assert_eq!(model_from_bytes(&packed(b"{}").unwrap()), Err(ModelFileError::NotOurs));
        let newer = packed(br#"{"taproof_model": 9, "model": [1]}"#).unwrap();
        assert_eq!(model_from_bytes(&newer), Err(ModelFileError::Newer { found: 9 }));
        let damaged = |bytes: &[u8], problem: &str| {
            let error = model_from_bytes(bytes).unwrap_err().to_string();
            assert!(error.contains("damaged") && error.contains(problem), "{error}");
        };
        damaged(&packed(br#"{"taproof_model": 1, "model": {"package": "a"}}"#).unwrap(), "versions");
        damaged(&[&bytes[..], &[0]].concat(), "something follows its end");
    }
}
