//! Why something cannot be done to a file, in the words and numbers of Linux.

use crate::OutOfMemory;

/// Why something cannot be done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// There is none.
    #[error("No such file or directory")]
    NotFound,
    /// The shell's user may not.
    #[error("Permission denied")]
    Denied,
    /// There is one already.
    #[error("File exists")]
    Exists,
    /// A part of the path is no folder.
    #[error("Not a directory")]
    NotFolder,
    /// It is a folder.
    #[error("Is a directory")]
    Folder,
    /// The folder holds something.
    #[error("Directory not empty")]
    NotEmpty,
    /// No space is left.
    #[error("No space left on device")]
    Full,
    /// That partition cannot be written.
    #[error("Read-only file system")]
    ReadOnly,
    /// Links lead in a circle.
    #[error("Too many symbolic links encountered")]
    Circle,
    /// The path or a name in it is too long.
    #[error("File name too long")]
    TooLong,
    /// What is asked makes no sense.
    #[error("Invalid argument")]
    Invalid,
}

impl From<OutOfMemory> for FileError {
    fn from(_: OutOfMemory) -> Self {
        FileError::Full
    }
}

impl FileError {
    /// Its number on Linux.
    pub fn number(self) -> u32 {
        match self {
            FileError::NotFound => 2,
            FileError::Denied => 13,
            FileError::Exists => 17,
            FileError::NotFolder => 20,
            FileError::Folder => 21,
            FileError::Invalid => 22,
            FileError::Full => 28,
            FileError::ReadOnly => 30,
            FileError::TooLong => 36,
            FileError::NotEmpty => 39,
            FileError::Circle => 40,
        }
    }
}
