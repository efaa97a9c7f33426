//! Serves the report of somebody's device: each question is answered as the report has it, in the order in which it was
//! asked, and with the last answer from then on. What the report does not know is asked of the bundled phone behind it.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use taproof_adb::report::{AgentSaid, Asked, DeviceReport, Kept, SeenScreen};
use taproof_engine::agent::{Action, FailureKind, PictureForm, Power, Quiet, Request, Seen, Typed, TypedBy};
use taproof_engine::device::{AppData, AppId, Build, DeviceError, DeviceSource, Screenshot};
use taproof_phone::BundledPhones;
use taproof_screen::PxSize;
use taproof_screen::format::parse_hierarchy;
use taproof_served::agent::{self, failed, succeeded};
use taproof_served::wire::{FileStat, Identity, Services, SocketHandler};
use taproof_served::{Latency, Like, Served, ServedServices, jpeg, pause};

/// What stands between the questions of a script, and what stands around them.
const BETWEEN: &str = "\necho\necho taproof-section\n";
const AROUND: [(&str, &str); 2] =
    [("(\n", "\n)\necho taproof-exit-code:$?"), ("OUTPUT=$(\n", "\n)\nCODE=$?")];
const GROUP: (&str, &str) = ("{\n", "\n} 2>&1");
/// The beginning of the names of files with answers.
const ANSWER: &str = "/data/local/tmp/.replayed";
/// Our own files, and what is printed once all was noted in the journal.
const OWN: &str = "/data/local/tmp/taproof-";
const JOURNAL: &str = "cat /data/local/tmp/taproof-journal";
const NOTED: &str = "taproof-noted";
/// The app of the phone behind the report.
const APP: &str = "org.taproof.files";
const QUALITY: u8 = 50;
const GLANCE: Duration = Duration::from_millis(50);
/// How much later each further reading of the screen seems to be.
const LATER_MILLIS: u64 = 500;

/// A report that is served.
pub struct Replayed {
    behind: ServedServices,
    answers: Mutex<BTreeMap<String, Answers>>,
    /// Whether each answer takes as long as it took.
    as_slow: bool,
}

/// The answers to one question.
#[derive(Default)]
struct Answers {
    all: Vec<Asked>,
    given: usize,
}

impl Replayed {
    /// Serves a report. With `as_slow`, each answer takes as long as it took.
    ///
    /// # Errors
    ///
    /// If the phone behind it does not start.
    pub fn of(report: DeviceReport, as_slow: bool) -> Result<Replayed, DeviceError> {
        let mut phone = BundledPhones::new(APP, &Build::Sound).fresh()?;
        phone.launch(&AppId(APP.to_owned()), AppData::Keep)?;
        // A shell with exit codes came with Android 7.
        let old = report.asked.iter().any(|asked| {
            let features = asked.question == "features";
            features && matches!(&asked.answer, Kept::Text(list, ..) if !list.contains("shell_v2"))
        });
        let like = if old { Like::Android44 } else { Like::Android14 };
        let served = Arc::new(Served::with(phone, like, Latency::Off));
        let mut answers: BTreeMap<String, Answers> = BTreeMap::new();
        for asked in report.asked {
            answers.entry(Asked::key(&asked.question)).or_default().all.push(asked);
        }
        Ok(Replayed { behind: ServedServices(served), answers: Mutex::new(answers), as_slow })
    }

    /// The phone behind the report.
    pub fn served(&self) -> &Arc<Served> {
        &self.behind.0
    }

    /// The next answer to a question, and how often the last one was given already.
    fn next(&self, question: &str) -> Option<(Asked, usize)> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let found = answers.get_mut(&Asked::key(question))?;
        let at = found.given.min(found.all.len() - 1);
        let again = found.given - at;
        found.given += 1;
        let answer = found.all.get(at)?.clone();
        drop(answers);
        if self.as_slow {
            pause(Duration::from_millis(answer.millis));
        }
        Some((answer, again))
    }

    /// The line with each question that the report knows replaced by its answer; `None` if an answer never came.
    fn answered(&self, command: &str) -> Option<String> {
        let mut inner = command;
        for (before, after) in AROUND {
            let within = inner.strip_prefix(before).and_then(|rest| Some(rest.rsplit_once(after)?.0));
            inner = within.unwrap_or(inner);
        }
        if (self.served().like() == Like::Android44) && inner.len() < command.len() {
            let within = inner.strip_prefix(GROUP.0).and_then(|rest| rest.strip_suffix(GROUP.1));
            inner = within.unwrap_or(inner);
        }
        let (head, tail) = command.split_once(inner)?;
        let parts = inner.split(BETWEEN).map(|question| self.part(question));
        Some(format!("{head}{}{tail}", parts.collect::<Option<Vec<_>>>()?.join(BETWEEN)))
    }

    /// What to run for one question.
    fn part(&self, question: &str) -> Option<String> {
        let Some((asked, _)) = self.next(question) else {
            if question.starts_with("pm clear ") {
                return Some("echo Success".to_owned());
            }
            // Old devices write a picture to a file.
            let picture = "screencap 2>/dev/null";
            let within = question != picture && question.contains(picture);
            return Some(if within {
                question.replacen(picture, &self.part(picture)?, 1)
            } else {
                question.to_owned()
            });
        };
        match asked.answer {
            // The journal names who uses the device now, and our own files are on the phone behind.
            Kept::Text(out, ..)
                if question.contains(OWN) && (out.trim().is_empty() || out.contains(NOTED)) =>
            {
                Some(question.to_owned())
            }
            Kept::Text(..) if question.starts_with(JOURNAL) => Some(question.to_owned()),
            Kept::Text(out, err, code) => {
                let mut lines = self.print(out.into_bytes());
                if !err.is_empty() {
                    lines += &format!("\n{} >&2", self.print(err.into_bytes()));
                }
                match code {
                    None | Some(0) => Some(lines),
                    Some(code) => Some(format!("{lines}\n( exit {code} )")),
                }
            }
            Kept::Picture(size) => Some(self.print(picture(size, self.served().like() == Like::Android44))),
            Kept::Failed(_) => None,
            Kept::Agent(_) | Kept::LeftOut(..) => Some(question.to_owned()),
        }
    }

    /// A line that prints these bytes.
    fn print(&self, bytes: Vec<u8>) -> String {
        let served = self.served();
        let name = format!("{ANSWER}-{}", bytes.len());
        let mut number = 0;
        let mut path = format!("{name}-0");
        while served.read(&path).is_ok_and(|there| *there != bytes) {
            number += 1;
            path = format!("{name}-{number}");
        }
        // A full disk shows as an answer that is missing.
        served.write(&path, 0o644, 0, bytes).unwrap_or_default();
        format!("cat {path}")
    }

    /// What the agent answers to a request; `None` if the report does not know it.
    fn by_agent(&self, request: &Request) -> Option<Vec<u8>> {
        let question = format!("{request:?}");
        let (asked, again) = match (self.next(&question), request) {
            (Some(found), _) => found,
            // Whatever is done, the screen is one that was seen.
            (None, Request::Act { action, .. }) => self.like_action(action)?,
            // An app that the phone behind does not have.
            (None, Request::Start { .. } | Request::Stop { .. } | Request::Clear { .. }) => {
                return Some(succeeded(&()));
            }
            (None, Request::Grant { .. }) => return Some(succeeded::<[(String, String)]>(&[])),
            (None, _) => return None,
        };
        let Kept::Agent(said) = asked.answer else { return None };
        Some(match said {
            AgentSaid::Failed(kind, message) => failed(kind_of(kind), &message),
            AgentSaid::Seen(seen) => succeeded(&seen_of(*seen, request, again)?),
            AgentSaid::Power(awake, locked, secure) => succeeded(&Power { awake, locked, secure }),
            AgentSaid::Values(values) => succeeded(values.as_slice()),
            AgentSaid::Picture(size)
                if matches!(request, Request::Picture { form: PictureForm::Jpeg(_), .. }) =>
            {
                let picture = Screenshot { size, rgba: Arc::new(grey(size)) };
                succeeded(jpeg(&picture, QUALITY)?.as_slice())
            }
            AgentSaid::Picture(size) => {
                let head = [size.width, size.height].into_iter().flat_map(i32::to_be_bytes);
                succeeded(head.chain(grey(size)).collect::<Vec<u8>>().as_slice())
            }
            // The answer is the status alone.
            AgentSaid::LeftOut(1) => succeeded(&()),
            AgentSaid::LeftOut(_) => return None,
        })
    }

    /// The answer to an action of the same kind, or else to any.
    fn like_action(&self, action: &Action) -> Option<(Asked, usize)> {
        let debug = format!("Act {{ action: {action:?}");
        let kind = debug.split(['(', '}']).next().unwrap_or(&debug);
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let all = || answers.values().flat_map(|answers| &answers.all);
        let of = |begin: &str| all().rfind(|asked| asked.question.starts_with(begin)).cloned();
        of(kind).or_else(|| of("Act { action: Look")).map(|asked| (asked, 0))
    }

    /// What the agent printed at its start, unless it was ready.
    fn not_ready(&self) -> Option<Kept> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = answers.values().flat_map(|answers| &answers.all);
        let said = all.rfind(|asked| asked.is_agent_start())?.answer.clone();
        let ready = matches!(&said, Kept::Text(text, ..) if text.contains("READY "));
        (!ready).then_some(said)
    }
}

/// Keeps a client waiting until it leaves.
fn never(out: &mut dyn Write) -> u8 {
    while out.flush().is_ok() {
        pause(GLANCE);
    }
    1
}

fn grey(size: PxSize) -> Vec<u8> {
    let area =
        usize::try_from(size.width).unwrap_or_default() * usize::try_from(size.height).unwrap_or_default();
    vec![0x80; area * 4]
}

/// A picture as `screencap` prints it.
fn picture(size: PxSize, old: bool) -> Vec<u8> {
    let words = [size.width, size.height, 1].into_iter().chain((!old).then_some(1));
    words.flat_map(i32::to_le_bytes).chain(grey(size)).collect()
}

fn kind_of(number: u8) -> FailureKind {
    use FailureKind::{BadRequest, Forbidden, Missing, NoLayout, Other, Unsupported, Version};
    let all = [Other, Forbidden, Missing, NoLayout, Unsupported, BadRequest, Version];
    all.into_iter().find(|kind| *kind as u8 == number).unwrap_or(Other)
}

fn seen_of(seen: SeenScreen, request: &Request, again: usize) -> Option<Seen> {
    let Request::Act { log_from, .. } = request else { return None };
    let later = u64::try_from(again).unwrap_or_default() * LATER_MILLIS;
    let quiet = [Quiet::Still, Quiet::StillButPassing, Quiet::Changing, Quiet::NotAwaited];
    let by = [TypedBy::SetText, TypedBy::Keys, TypedBy::Paste, TypedBy::Nothing];
    Some(Seen {
        refused: seen.refused,
        quiet: quiet.into_iter().find(|quiet| *quiet as u8 == seen.quiet)?,
        activity: seen.activity,
        uptime_millis: seen.uptime_millis + later,
        keyboard: seen.keyboard,
        picture_hash: seen.picture_hash,
        typed: seen.typed_by.and_then(|number| {
            let by = by.into_iter().find(|by| *by as u8 == number)?;
            Some(Typed { by, shows: None })
        }),
        announced: Vec::new(),
        log: log_from.is_some().then(|| seen.log.unwrap_or_default()),
        layout: match seen.layout {
            Ok(xml) => Ok(parse_hierarchy(xml.as_bytes()).ok()?.layout),
            Err(none) => Err(none),
        },
    })
}

/// A report that is served, as the services of the wire protocol.
pub struct ReplayedServices(pub Arc<Replayed>);

impl Services for ReplayedServices {
    fn identity(&self) -> Identity {
        self.0.behind.identity()
    }

    fn shell(
        &self,
        command: &str,
        stdin: &mut dyn Read,
        out: &mut dyn Write,
        err: &mut dyn Write,
        tty: bool,
    ) -> u8 {
        if command.contains(agent::CLASS)
            && let Some(said) = self.0.not_ready()
        {
            let Kept::Text(text, ..) = said else { return never(out) };
            // A client that is gone wants no answer.
            out.write_all(text.as_bytes()).unwrap_or_default();
            return 1;
        }
        match self.0.answered(command) {
            Some(command) => self.0.behind.shell(&command, stdin, out, err, tty),
            None => never(out),
        }
    }

    fn stat(&self, path: &str) -> Option<FileStat> {
        self.0.behind.stat(path)
    }

    fn list(&self, path: &str) -> Result<Vec<(String, FileStat)>, String> {
        self.0.behind.list(path)
    }

    fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, String> {
        self.0.behind.read(path)
    }

    fn write(&self, path: &str, mode: u32, mtime: u32, data: Vec<u8>) -> Result<(), String> {
        self.0.behind.write(path, mode, mtime, data)
    }

    fn socket(&self, name: &str) -> Option<SocketHandler> {
        let socket =
            name.strip_prefix("localabstract:").filter(|socket| agent::runs(self.0.served(), socket));
        let Some(socket) = socket.map(str::to_owned) else { return self.0.behind.socket(name) };
        let replayed = Arc::clone(&self.0);
        Some(Box::new(move |stream| {
            let (mut reader, mut writer) = stream.split();
            let recorded = |request: &Request| replayed.by_agent(request);
            agent::serve_recorded((replayed.served(), &socket), &mut reader, &mut writer, &recorded);
        }))
    }

    fn other(&self, service: &str) -> Option<SocketHandler> {
        self.0.behind.other(service)
    }
}
