//! What a killed campaign goes on from: an engine's knowledge as bytes that only this program reads.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Knowledge that cannot be written or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the checkpoint cannot be used: {problem}; was it written by another version? Start the campaign anew"
)]
pub struct CheckpointError {
    /// What is wrong with it.
    pub problem: String,
}

/// As a checkpoint keeps it.
pub fn to_checkpoint<T: Serialize>(knowledge: &T) -> Result<Vec<u8>, CheckpointError> {
    postcard::to_stdvec(knowledge).map_err(|error| CheckpointError { problem: error.to_string() })
}

/// From a checkpoint.
pub fn from_checkpoint<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CheckpointError> {
    postcard::from_bytes(bytes).map_err(|error| CheckpointError { problem: error.to_string() })
}
