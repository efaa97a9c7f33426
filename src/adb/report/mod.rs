//! A report of a device that is not handled right, for somebody who has no such device: what the device was asked and
//! what it answered, without personal data. `scrub` decides what is kept. `taproof-lab phone replay` serves a report.

mod agent;
mod placeholder;
mod scrub;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::agent::{AgentSaid, SeenScreen};
use self::scrub::Scrubber;
use crate::agent_client::AGENT_START;
use crate::connection::garbled::GarbledAnswers;
use crate::connection::sections::{answers, questions};
use crate::host::{AdbServer, AskedBy, Exchange, ShellOutput};
use crate::open::control::ControlMethod;
use crate::open::device_check::{CheckAnswer, check_device};
use crate::open::opening::{OpenedPhone, Opening};
use crate::open::reach::look_for_app;
use crate::output::raw_picture;
use crate::restore::Role;
use taproof_engine::device::{AppData, AppId, Device, DeviceError};
use taproof_engine::worker::Unwanted;
use taproof_screen::PxSize;

/// The first words of a report.
const FORMAT: &str = "taproof device report 1";
/// The words in which an owner of a device names its computer, and how many follow.
const OWNER: [&str; 2] = ["owner", "left"];
const OWNER_WORDS: usize = 4;

/// A report: a line of JSON for the whole, and one for each question.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceReport {
    /// What holds for the whole.
    pub head: ReportHead,
    /// The questions in their order.
    pub asked: Vec<Asked>,
}

/// What holds for a whole report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportHead {
    /// The format of the report.
    pub format: String,
    /// The version of the program.
    pub taproof: String,
    /// The app that was started, of which the names are kept.
    pub package: Option<String>,
    /// What was checked, and what came of it.
    pub checks: Vec<(String, String)>,
    /// Why the device, or the app there, could not be used at all; the kind of the error.
    pub problem: Option<String>,
}

/// A question and what is kept of its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// By what it was asked; see [`AskedBy`].
    pub by: String,
    /// The question.
    pub question: String,
    /// How long the answer took; that of all questions in a script stands at the last one.
    pub millis: u64,
    /// What came.
    pub answer: Kept,
}

/// What is kept of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// Its texts, with placeholders, and the exit code if it is the last of a script.
    Text(String, String, Option<i32>),
    /// A picture of this size.
    Picture(PxSize),
    /// The agent's answer.
    Agent(AgentSaid),
    /// Nothing, as the question is not known: how many bytes and lines there were.
    LeftOut(usize, usize),
    /// Why there was none, in a word.
    Failed(String),
}

/// Checks a device as [`check_device`] does, starts the app if one is named, and reports what was asked and answered. `tell`
/// hears the answers of the check.
pub fn report_device(
    server: &AdbServer,
    serial: &str,
    (best, package): (ControlMethod, Option<&str>),
    unwanted: &Unwanted,
    tell: &mut dyn FnMut(&CheckAnswer),
) -> DeviceReport {
    let (server, recording) = server.recorded();
    let checked = check_device(&server, serial, best, unwanted, tell);
    let started = package.map_or(Ok(()), |package| look_at(&server, serial, (best, package), unwanted));
    let problem = checked.as_ref().err().or(started.as_ref().err()).map(kind_of);
    let checks = checked.unwrap_or_default();
    let words = |answer: &CheckAnswer| (answer.what.word().to_owned(), answer.fitness.word().to_owned());
    let mut scrubber = Scrubber::keeping(package);
    let asked =
        recording.take().into_iter().flat_map(|exchange| kept(exchange, serial, &mut scrubber)).collect();
    let head = ReportHead {
        format: FORMAT.to_owned(),
        taproof: env!("CARGO_PKG_VERSION").to_owned(),
        package: package.map(str::to_owned),
        checks: checks.iter().map(words).collect(),
        problem,
    };
    DeviceReport { head, asked }
}

/// Starts the app, whose data stay, reads its screen and its log, and goes back.
fn look_at(
    server: &AdbServer,
    serial: &str,
    (best, package): (ControlMethod, &str),
    unwanted: &Unwanted,
) -> Result<(), DeviceError> {
    let garbled = GarbledAnswers::default();
    let opening = Opening { role: Role::Window, best, garbled: &garbled, before: None };
    let opened = OpenedPhone::reach(server, serial, &opening, &**unwanted)?;
    look_for_app(opened.link(), package, &**unwanted)?;
    let mut phone = opened.phone(Arc::clone(unwanted)).alone();
    phone.launch(&AppId(package.to_owned()), AppData::Keep)?;
    phone.observe()?;
    phone.logs()?;
    phone.perform(&taproof_screen::Event::Key(taproof_screen::Key::Back)).map(drop)
}

/// The kind of an error, whose text may name anything.
fn kind_of(error: &DeviceError) -> String {
    let debug = format!("{error:?}");
    let kind = debug.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned();
    error.link_fault().map_or(kind, |fault| format!("{fault:?}"))
}

/// What is kept of an exchange: a line for each question.
fn kept(exchange: Exchange, serial: &str, scrubber: &mut Scrubber) -> Vec<Asked> {
    let Exchange { by, question, took, answer } = exchange;
    let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let asked = |question: &str, millis, answer| Asked {
        by: by.word().to_owned(),
        question: as_asked(question).replace(serial, "SERIAL"),
        millis,
        answer,
    };
    let output = match answer {
        Ok(output) => output,
        Err(error) => return vec![asked(&question, millis, Kept::Failed(kind_of(&error.into())))],
    };
    let is_agent = by == AskedBy::Program && !question.starts_with("the agent's");
    if is_agent {
        let said = AgentSaid::of(&question, &output.stdout, scrubber);
        return vec![asked(&question, millis, Kept::Agent(said))];
    }
    if by == AskedBy::Exec {
        let answer = match raw_picture(&output.stdout) {
            Ok(picture) => {
                Kept::Picture(PxSize { width: picture.width as i32, height: picture.height as i32 })
            }
            Err(_) => Kept::LeftOut(output.stdout.len(), 0),
        };
        return vec![asked(&question, millis, answer)];
    }
    let ShellOutput { stdout, stderr, code } = output;
    let (out, err) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    let questions: Vec<&str> = questions(&question).collect();
    let said: Vec<&str> = answers(&out).collect();
    // A script that broke off is one question.
    let parts = if questions.len() == said.len() {
        questions.into_iter().zip(said).collect()
    } else {
        vec![(&*question, &*out)]
    };
    let last = parts.len() - 1;
    let parts = parts.into_iter().enumerate().map(|(number, (question, said))| {
        let is_last = number == last;
        // The line end before the mark is that of the script.
        let said = if is_last { said } else { said.strip_suffix('\n').unwrap_or(said) };
        let answer = match scrubber.answer(question, said) {
            Some(text) => Kept::Text(
                text,
                if is_last { scrubber.words(&err) } else { String::new() },
                code.filter(|_| is_last),
            ),
            None => Kept::LeftOut(said.len(), said.lines().count()),
        };
        asked(question, if is_last { millis } else { 0 }, answer)
    });
    parts.collect()
}

/// A question without the name of the computer that asks.
fn as_asked(question: &str) -> String {
    let mut hidden = 0;
    let words = question.split_inclusive([' ', '\n']).map(|word| {
        let end = word.trim_end();
        if OWNER.contains(&end) {
            hidden = OWNER_WORDS;
            return word.to_owned();
        }
        if hidden == 0 || end.is_empty() {
            return word.to_owned();
        }
        hidden -= 1;
        word.replace(end, "0")
    });
    words.collect()
}

impl Asked {
    /// The question by which a later one is the same: without numbers, and the names of files and sockets of one process.
    pub fn key(question: &str) -> String {
        let mut key = String::with_capacity(question.len());
        for word in
            as_asked(question).split_inclusive(|letter: char| !letter.is_alphanumeric() && letter != '-')
        {
            let own = word.starts_with("taproof-") && word.chars().any(|letter| letter.is_ascii_digit());
            let number = word.starts_with(|letter: char| letter.is_ascii_digit());
            let end = word.trim_end_matches(|letter: char| !letter.is_alphanumeric());
            let mark = word.strip_prefix(end).unwrap_or_default();
            key.push_str(&if own || number { format!("#{mark}") } else { word.to_owned() });
        }
        key.trim().to_owned()
    }

    /// Whether it is the start of the agent.
    pub fn is_agent_start(&self) -> bool {
        self.question == AGENT_START
    }
}

impl DeviceReport {
    /// The report as a file.
    pub fn to_lines(&self) -> String {
        let line = |value: serde_json::Result<String>| value.unwrap_or_default() + "\n";
        let asked = self.asked.iter().map(|asked| line(serde_json::to_string(asked)));
        std::iter::once(line(serde_json::to_string(&self.head))).chain(asked).collect()
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and in which line.
    pub fn read(text: &str) -> Result<DeviceReport, String> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let bad = |number: usize, problem: String| format!("line {}: {problem}", number + 1);
        let (_, first) = lines.next().ok_or("the file is empty")?;
        let head: ReportHead = serde_json::from_str(first)
            .map_err(|error| bad(0, format!("this is no report of `taproof devices report`: {error}")))?;
        if head.format != FORMAT {
            return Err(bad(0, format!("its format is {:?}, not {FORMAT:?}", head.format)));
        }
        let asked = lines
            .map(|(number, line)| serde_json::from_str(line).map_err(|error| bad(number, error.to_string())));
        Ok(DeviceReport { head, asked: asked.collect::<Result<_, _>>()? })
    }
}
