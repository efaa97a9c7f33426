//! `taproof completions` and `taproof man`: the command line, described for shells and for `man`.

use std::path::PathBuf;

use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use super::{CommandEnd, Failure, Outcome, bad_input, print_data, print_line};
use taproof_engine::ENGINES;
use taproof_phone::{Apps, BundledApp};
use taproof_screen::OracleKind;

/// Print the completions for a shell
#[derive(clap::Args)]
pub struct CompletionsOptions {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write one for each command
#[derive(clap::Args)]
pub struct ManOptions {
    /// A folder for the pages of all commands; without one, the main page is printed
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints what a shell reads to complete the commands.
pub fn run_completions(options: &CompletionsOptions, line: Command, apps: &Apps) -> Outcome {
    let mut script = Vec::new();
    let name = line.get_name().to_owned();
    clap_complete::generate(options.shell, &mut described(line, apps), name, &mut script);
    print_data(&String::from_utf8_lossy(&script))?;
    Ok(CommandEnd::Fine)
}

/// Prints the main manual page, or writes all of them.
pub fn run_man(options: &ManOptions, line: Command, apps: &Apps) -> Outcome {
    let mut command = described(line, apps).disable_help_subcommand(true);
    // As the pages of a folder are made, whose main page is to be the same.
    command.build();
    let Some(folder) = &options.folder else {
        let mut page = Vec::new();
        let rendered = clap_mangen::Man::new(command).render(&mut page);
        rendered.map_err(|error| Failure::Broken(error.into()))?;
        print_data(&String::from_utf8_lossy(&page))?;
        return Ok(CommandEnd::Fine);
    };
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    written.map_err(|error| {
        bad_input(format!(
            "cannot write the manual pages: {error}: {}; name a folder that can be written",
            folder.display()
        ))
    })?;
    print_line(&folder.display().to_string())?;
    Ok(CommandEnd::Fine)
}

/// The command line with the words that its options take. When it is parsed, these options take any word, so that a
/// wrong one is answered with more than a list.
fn described(line: Command, apps: &Apps) -> Command {
    let apps: Vec<&'static str> = apps.all().iter().map(BundledApp::short_name).collect();
    let engines: Vec<&'static str> = ENGINES.iter().map(|engine| engine.name).collect();
    let several: Vec<&'static str> = engines.iter().copied().chain(["all"]).collect();
    let oracles = OracleKind::ALL.map(OracleKind::name).to_vec();
    let words = [("app", apps), ("engine", engines), ("engines", several), ("oracle", oracles)];
    with_words(line, &words)
}

/// Names the values of the arguments with these ids, in all subcommands.
fn with_words(command: Command, words: &[(&'static str, Vec<&'static str>)]) -> Command {
    let free = |command: &Command, id: &str| {
        let mut arguments = command.get_arguments();
        arguments.any(|argument| argument.get_id() == id && argument.get_possible_values().is_empty())
    };
    let mut command = command;
    for (id, values) in words {
        if free(&command, id) {
            let parser = PossibleValuesParser::new(values.iter().copied());
            command = command.mut_arg(*id, |argument| argument.value_parser(parser));
        }
    }
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |command| with_words(command, words)))
}

#[cfg(test)]
mod tests {
    use super::super::Arguments;
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_described_command_line_is_sound_and_names_the_words() {
        let command = described(Arguments::command(), &Apps::default());
        command.clone().debug_assert();
        let values = |subcommand: &str, id: &str| -> Vec<String> {
            let subcommand = command.find_subcommand(subcommand).unwrap();
            let argument = subcommand.get_arguments().find(|argument| argument.get_id() == id).unwrap();
            argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
        };
        let engines: Vec<&str> = ENGINES.iter().map(|engine| engine.name).chain(["all"]).collect();
        assert_eq!(values("fuzz", "engines"), engines);
        assert_eq!(values("findings", "engine").len(), ENGINES.len());
        assert!(values("findings", "oracle").contains(&"property".to_owned()));
        assert!(values("scan", "app").contains(&"tasks".to_owned()));
    }
}
