//! The names of a specification's two files, as PBFDroid pairs them.

/// The name of the block list that belongs to a file of DMFs.
pub fn blocks_name(main: &str) -> String {
    match main.strip_prefix("dmf") {
        Some(rest) => format!("keyviews{rest}"),
        None => format!("keyviews_{main}"),
    }
}

/// The name of the file of DMFs that belongs to a block list; `None` if this is none by its name.
pub fn main_name(blocks: &str) -> Option<String> {
    Some(format!("dmf{}", blocks.strip_prefix("keyviews")?))
}
