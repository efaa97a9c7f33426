//! Why a file operation fails, with the messages of Linux.

/// Why a file operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// There is no file at the path.
    #[error("No such file or directory")]
    NotFound,
    /// The shell's user lacks the permission.
    #[error("Permission denied")]
    Denied,
    /// There is already a file at the path.
    #[error("File exists")]
    Exists,
    /// A part of the path is not a folder.
    #[error("Not a directory")]
    NotFolder,
    /// The path leads to a folder.
    #[error("Is a directory")]
    Folder,
    /// The folder is not empty.
    #[error("Directory not empty")]
    NotEmpty,
    /// No space is left.
    #[error("No space left on device")]
    Full,
    /// The partition is read-only.
    #[error("Read-only file system")]
    ReadOnly,
    /// The path or a name in it is too long.
    #[error("File name too long")]
    TooLong,
    /// The operation is impossible, such as moving a folder into itself.
    #[error("Invalid argument")]
    Invalid,
}
