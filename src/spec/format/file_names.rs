//! The names of a specification's two files, which PBFDroid pairs.

/// Returns the name of the block list that belongs to a file of DMFs.
pub fn blocks_name(main: &str) -> String {
    match main.strip_prefix("dmf") {
        Some(rest) => format!("keyviews{rest}"),
        None => format!("keyviews_{main}"),
    }
}

/// Returns the names that the file of DMFs for a block list may have, the usual one first. Empty if the name is not
/// that of a block list.
pub fn main_names(blocks: &str) -> Vec<String> {
    let Some(rest) = blocks.strip_prefix("keyviews") else { return Vec::new() };
    let bare = rest.strip_prefix('_').filter(|name| !name.starts_with("dmf")).map(str::to_owned);
    std::iter::once(format!("dmf{rest}")).chain(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_names_lead_to_each_other() {
        for main in ["dmf_notes.json", "notes.json", "dmf.json"] {
            assert!(main_names(&blocks_name(main)).contains(&main.to_owned()), "{main}");
        }
        assert_eq!(main_names("notes.json"), Vec::<String>::new());
    }
}
