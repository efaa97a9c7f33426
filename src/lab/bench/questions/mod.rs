//! `taproof-lab results`: asks the questions of the book's page of results, and writes the answers into it.

mod list;
mod page;
mod sources;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, PossibleValuesParser};
use taproof::cli::command::{CommandEnd, Failure, Outcome, message, read_text, span_words};
use taproof_phone::Apps;
use taproof_session::dates;

use self::list::{QUESTIONS, Question};
use self::page::{ALL, Told, table_of_all};
use crate::book::put_into;
use crate::command::program;

/// Ask the questions of the book's page of results, those first whose answers are the oldest
///
/// Each is a bench or a study, which runs as a program of its own. Its tables are written into the page as soon as it ends,
/// with the day, the commit, the command and how long it took; then the table at the top is made again. A bench that the
/// time ended goes on with the next call of the same build; a study begins anew.
#[derive(clap::Args)]
pub struct Options {
    /// How long it may take, in minutes (if left out, until all are asked)
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<u64>,
    /// The questions; all if left out
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', value_parser = names())]
    only: Vec<String>,
    /// Ask nothing, but make the table at the top again and mark answers that are older than their engine
    #[arg(long)]
    mark: bool,
    /// The page
    #[arg(long, value_name = "FILE", default_value = "src/book/results.md")]
    page: PathBuf,
    /// The folder for what was measured, with a page of plots for each bench
    #[arg(long, value_name = "FOLDER", default_value = "target/results")]
    out: PathBuf,
}

fn names() -> PossibleValuesParser {
    QUESTIONS
        .iter()
        .map(|question| PossibleValue::new(question.name).help(question.asks))
        .collect::<Vec<_>>()
        .into()
}

/// How a question fared.
enum Asked {
    Answered(Told),
    /// The time was over.
    TooLate,
}

/// Runs `taproof-lab results`.
///
/// # Errors
///
/// [`Failure`] if the page has no place for an answer, or a bench or a study fails.
pub fn run(options: &Options, _: &Apps) -> Outcome {
    let begun = now();
    let left =
        || options.minutes.map(|minutes| Duration::from_secs(60 * minutes).saturating_sub(begun.elapsed()));
    let mut end = CommandEnd::Fine;
    if !options.mark {
        let page = read_text(&options.page)?;
        for question in oldest_first(&page, &options.only) {
            match ask(question, options, left())? {
                Asked::Answered(told) => put_into(&options.page, &question.mark(), &told.words(question))?,
                Asked::TooLate => end = CommandEnd::EndedEarly,
            }
            make_table(&options.page)?;
        }
    }
    make_table(&options.page)?;
    Ok(end)
}

/// Makes the table of all questions again.
fn make_table(page: &Path) -> Result<(), Failure> {
    let text = read_text(page)?;
    let hashes = QUESTIONS.iter().map(|question| sources::hash(question.sources));
    let hashes: Vec<String> = hashes.collect::<Result<_, _>>()?;
    let of = |question: &Question| {
        let at = QUESTIONS.iter().position(|known| known.name == question.name);
        at.map_or(String::new(), |at| hashes[at].clone())
    };
    put_into(page, ALL, &table_of_all(&text, of))
}

/// The questions that are asked, those first that were asked longest ago or never.
fn oldest_first(page: &str, only: &[String]) -> Vec<&'static Question> {
    let asked = QUESTIONS.iter().filter(|it| only.is_empty() || only.iter().any(|name| name == it.name));
    let mut asked: Vec<_> = asked.map(|it| (it.told_in(page).map(|told| told.date), it)).collect();
    asked.sort_by(|(one, _), (other, _)| one.cmp(other));
    asked.into_iter().map(|(_, question)| question).collect()
}

/// Asks a question, for no longer than the time that is left.
fn ask(question: &Question, options: &Options, left: Option<Duration>) -> Result<Asked, Failure> {
    let before = question.told_in(&read_text(&options.page)?);
    let is_bench = question.command.starts_with("bench");
    let needs = before.and_then(|told| told.minutes).map(|minutes| Duration::from_secs(60 * minutes));
    let fits = left.is_none_or(|left| left > needs.filter(|_| !is_bench).unwrap_or_default());
    if !fits {
        message(&format!("{}: not asked, the time that is left is too short", question.name));
        return Ok(Asked::TooLate);
    }
    message(&format!("{}: taproof-lab {}", question.name, question.command));
    let sources = sources::hash(question.sources)?;
    let folder = options.out.join(program()?).join(question.name);
    std::fs::create_dir_all(&folder).map_err(|error| broken(&folder, &error))?;
    let (begun, said) = (now(), folder.join("said.md"));
    let mut command = Command::new(std::env::current_exe().map_err(|error| broken(&folder, &error))?);
    command.args(question.command.split_whitespace());
    if is_bench {
        command.arg("--out").arg(&folder);
    }
    let file = std::fs::File::create(&said).map_err(|error| broken(&said, &error))?;
    let mut child =
        command.stdout(file).stdin(Stdio::null()).spawn().map_err(|error| broken(&said, &error))?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| broken(&said, &error))? {
            break status;
        }
        if left.is_some_and(|left| begun.elapsed() >= left) {
            // What is finished is in the folder already.
            child.kill().and_then(|()| child.wait()).map_err(|error| broken(&said, &error))?;
            message(&format!("{}: the time is over", question.name));
            return Ok(Asked::TooLate);
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    if !status.success() {
        let say = anyhow::anyhow!("taproof-lab {} ended with {status}", question.command);
        return Err(Failure::Broken(say));
    }
    message(&format!("{}: answered in {}", question.name, span_words(begun.elapsed())));
    Ok(Asked::Answered(Told {
        date: dates::now().format("%Y-%m-%d").to_string(),
        commit: commit()?,
        minutes: Some(begun.elapsed().as_secs().div_ceil(60)),
        sources,
        text: read_text(&said)?.trim().to_owned(),
    }))
}

/// The commit, with a `+` if the sources were changed since.
fn commit() -> Result<String, Failure> {
    let commit = git(&["rev-parse", "--short=9", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--", "src", ":!src/book"])?;
    Ok(format!("{commit}{}", if changed.is_empty() { "" } else { "+" }))
}

/// What git says of the project.
fn git(words: &[&str]) -> Result<String, Failure> {
    let failed = |why: String| Failure::Broken(anyhow::anyhow!("git {}: {why}", words.join(" ")));
    let output = Command::new("git").args(words).current_dir(sources::ROOT).output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
    }
}

fn broken(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Broken(anyhow::anyhow!("{error}: {}", path.display()))
}

#[expect(clippy::disallowed_methods, reason = "the time that it may take is one of people")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        std::fs::read_to_string(Path::new(sources::ROOT).join("src/book/results.md")).unwrap()
    }

    #[test]
    fn the_page_has_a_place_for_each_answer_and_says_which_are_older_than_their_engine() {
        let page = page();
        let of = |question: &Question| sources::hash(question.sources).unwrap();
        for question in QUESTIONS {
            assert!(page.contains(&format!("<!-- {} -->", question.mark())), "{}", question.name);
            assert!(page.contains(&format!("<a id=\"{}\"></a>", question.name)), "{}", question.name);
        }
        let says =
            "the table at the top of results.md is not that of its answers: run `taproof-lab results --mark`";
        assert!(page.contains(&table_of_all(&page, of)), "{says}");
    }

    #[test]
    fn what_was_never_asked_or_long_ago_comes_first() {
        let (genie, odin) = (&QUESTIONS[7], &QUESTIONS[9]);
        let told = |date: &str| Told { date: date.to_owned(), text: "x".to_owned(), ..Told::default() };
        let block = |question: &Question, date: &str| {
            format!("<!-- {} -->\n{}\n<!-- end -->\n", question.mark(), told(date).words(question))
        };
        let page = block(genie, "2026-11-29") + &block(odin, "2026-11-28");
        let only = ["genie", "odin", "keep"].map(str::to_owned);
        let names: Vec<&str> = oldest_first(&page, &only).into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["keep", "odin", "genie"]);
    }

    #[test]
    fn the_command_of_every_question_is_one() {
        let apps = taproof_blueprint::apps();
        for question in QUESTIONS {
            let words = question.command.split_whitespace();
            match question.command.split_once(' ').unwrap().0 {
                "bench" => assert!(crate::command::is_plan(words.skip(1), &apps), "{}", question.name),
                _ => assert!(crate::study::is_study(words.skip(1)), "{}", question.name),
            }
        }
    }
}
