//! `taproof spec fmt FILE`: prints or writes the canonical form of a specification file, or prints one for PBFDroid.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::{CommandEnd, Failure, Outcome, bad_input, message, print_data, read_text};
use taproof_results::store::replace_file;
use taproof_spec::format::{DmfFile, for_pbfdroid};

/// Print a specification file in PBFDroid's canonical form, or write it
#[derive(clap::Args)]
pub struct Options {
    /// A DMF file or block list (keyviews)
    file: PathBuf,
    /// Write the file instead of printing it
    #[arg(short, long)]
    write: bool,
    /// Print a file that this program understands as meant; what cannot be expressed is said and left out
    #[arg(long = "for", value_name = "PROGRAM", value_enum, conflicts_with = "write")]
    reader: Option<ReaderName>,
    /// With --for: the data type to write, instead of the one with the most functions
    #[arg(long = "type", value_name = "TYPE", requires = "reader")]
    data_type: Option<String>,
}

/// A program that reads specification files.
#[derive(Clone, Copy, ValueEnum)]
enum ReaderName {
    /// The original PBFDroid
    Pbfdroid,
}

pub fn run(options: &Options) -> Outcome {
    let text = read_text(&options.file)?;
    let file = DmfFile::parse(&text).map_err(|error| {
        Failure::BadInput(anyhow::Error::from(error).context(options.file.display().to_string()))
    })?;
    if let Some(ReaderName::Pbfdroid) = options.reader {
        return print_for_pbfdroid(&file, options.data_type.as_deref());
    }
    let canonical = file.canonical();
    if !options.write {
        // No newline at the end: the output is the file, byte for byte.
        print_data(&canonical)?;
    } else if canonical == text {
        message(&format!("{} is canonical already", options.file.display()));
    } else {
        replace_file(&options.file, canonical.as_bytes())?;
        message(&format!("wrote {}", options.file.display()));
    }
    Ok(CommandEnd::Fine)
}

fn print_for_pbfdroid(file: &DmfFile, data_type: Option<&str>) -> Outcome {
    let result = for_pbfdroid(&file.spec, data_type);
    if let Some(unknown) =
        data_type.filter(|_| !file.spec.dmfs.iter().any(|dmf| Some(dmf.data_type.as_str()) == data_type))
    {
        let known = result.other_types.join(", ");
        return Err(bad_input(format!("no function works on {unknown:?}; the types are: {known}")));
    }
    for difference in &result.differences {
        let left_out = if difference.left_out { "left out: " } else { "" };
        message(&format!("{}: {left_out}{}", difference.item, difference.what));
    }
    if let (Some(written), false) = (&result.data_type, result.other_types.is_empty()) {
        message(&format!(
            "only the functions on {written}: PBFDroid hangs as soon as it meets a second data type; --type writes those on {}",
            result.other_types.join(", ")
        ));
    }
    print_data(DmfFile::new(&result.spec).source())?;
    Ok(CommandEnd::Fine)
}
