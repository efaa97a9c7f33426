//! Checkpoints, from which a killed campaign is resumed: an engine's state as bytes that only this version of the
//! program reads.

use std::io::Write;

use rmp_serde::config::BytesMode;
use serde::Serialize;
use serde::de::DeserializeOwned;

use taproof_screen::Text;
use taproof_screen::archive::Archive;

/// Why a campaign cannot be resumed from a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// It was written by another version of the program, or by a build of this version with another format.
    #[error(
        "the checkpoint was written by Taproof {program} in format {format}, and this is Taproof {this}, which goes on \
         from its own format {known} only"
    )]
    OtherFormat {
        /// The number of its format.
        format: u8,
        /// The version of the program that wrote it.
        program: String,
        /// The number of the format of this program.
        known: u8,
        /// The version of this program.
        this: &'static str,
    },
    /// Its content cannot be serialised or deserialised, or belongs to something else.
    #[error("the checkpoint cannot be used: {problem}")]
    Unusable {
        /// What is wrong with it.
        problem: String,
    },
}

/// Serialises an engine's state for a checkpoint as MessagePack, a self-describing format, which the serde attributes
/// of events and health need. Structs are written as lists of their fields. So a field may be left out when it is empty
/// (`skip_serializing_if`) only in a struct that is flattened into another, which is written as a map. Layouts, and
/// texts of widgets, are written once each.
///
/// # Errors
///
/// [`CheckpointError::Unusable`] if a value cannot be serialised.
pub fn to_checkpoint<T: Serialize>(knowledge: &T) -> Result<Vec<u8>, CheckpointError> {
    let mut bytes = Vec::new();
    write_checkpoint(knowledge, &mut bytes)?;
    Ok(bytes)
}

/// As [`to_checkpoint`], into a writer.
///
/// # Errors
///
/// [`CheckpointError::Unusable`] if a value cannot be serialised or written.
pub fn write_checkpoint<T: Serialize>(knowledge: &T, to: &mut impl Write) -> Result<(), CheckpointError> {
    let mut archive = Archive::default();
    let knowledge = archive.open(|| packed(knowledge))?;
    let layouts = archive.layouts().to_vec();
    let layouts = archive.open(|| packed(&layouts))?;
    to.write_all(&packed(&(archive.texts(), layouts, knowledge))?).map_err(unusable)
}

/// Deserialises an engine's state from the bytes of a checkpoint.
///
/// # Errors
///
/// [`CheckpointError::Unusable`] if the bytes are no such state.
pub fn from_checkpoint<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CheckpointError> {
    let (texts, layouts, knowledge): (Vec<Text>, Vec<u8>, Vec<u8>) = unpacked(bytes)?;
    let mut archive = Archive::from(texts);
    let layouts = archive.open(|| unpacked(&layouts))?;
    archive.with_layouts(layouts).open(|| unpacked(&knowledge))
}

fn packed<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, CheckpointError> {
    let mut bytes = Vec::new();
    let mut to = rmp_serde::Serializer::new(&mut bytes).with_bytes(BytesMode::ForceIterables);
    value.serialize(&mut to).map_err(unusable)?;
    Ok(bytes)
}

fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CheckpointError> {
    rmp_serde::from_slice(bytes).map_err(unusable)
}

fn unusable(error: impl std::fmt::Display) -> CheckpointError {
    CheckpointError::Unusable { problem: error.to_string() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use taproof_screen::{Frame, frame_of, layout_from};

    #[test]
    fn frames_share_their_layout_after_a_checkpoint_too() {
        let frame = frame_of(layout_from("FrameLayout\n  Button#go \"Go\"\n  TextView \"Text\"\n"));
        let one = to_checkpoint(&vec![frame.clone()]).unwrap();
        let many = to_checkpoint(&vec![frame.clone(); 50]).unwrap();
        assert!(many.len() < 4 * one.len(), "{} and {} bytes", one.len(), many.len());
        let read: Vec<Frame> = from_checkpoint(&many).unwrap();
        assert!(read.iter().all(|copy| *copy == frame && Arc::ptr_eq(&copy.layout, &read[0].layout)));
    }
}
