//! The questions of the book's page of results.

/// A question, and the command that answers it.
pub(super) struct Question {
    /// Its name, which the page has in `<!-- result NAME -->`.
    pub name: &'static str,
    pub asks: &'static str,
    /// What the paper says; empty if none asks this.
    pub paper: &'static str,
    pub aim: Option<Aim>,
    /// The words of the command behind the program's name.
    pub command: &'static str,
    pub answer: Answer,
    /// Whose code the answer depends on most, below `src`. An answer is older than the engine if these have changed since.
    pub sources: &'static [&'static str],
}

/// The number that answers a question, in the first table that has it.
#[derive(Clone, Copy)]
pub(super) enum Answer {
    /// The cell of a row, which begins with this, and of a column.
    Cell(&'static str, &'static str),
    /// How many rows have something in this column.
    Rows(&'static str),
}

/// What the number should be.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    /// At least so many percent.
    Percent(f64),
    AtLeast(f64),
    AtMost(f64),
}

use Aim::{AtLeast, AtMost, Percent};
use Answer::{Cell, Rows};

const PBFDROID: &[&str] = &["engine/pbfdroid", "engine/dmf"];
const GENIE: &[&str] = &["engine/genie", "engine/oracle/layout_effects"];
const ODIN: &[&str] = &["engine/odin", "engine/oracle/may_belief"];
const FASTBOT2: &[&str] = &["engine/fastbot2"];
const TIMEMACHINE: &[&str] = &["engine/timemachine"];
const EVERY: &[&str] = &["engine", "campaign/confirm"];

/// The questions, in the order of the page.
pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "published",
        asks: "Of the faults that papers report, which share does PBFDroid find?",
        paper: "25 bugs in 20 apps",
        aim: Some(Percent(90.0)),
        command: "bench --preset published",
        answer: Cell("pbfdroid", "recall, own"),
        sources: PBFDROID,
    },
    Question {
        name: "bugs",
        asks: "How many bugs of three bundled apps does PBFDroid find?",
        paper: "",
        aim: None,
        command: "study bugs",
        answer: Rows("PBFDroid"),
        sources: EVERY,
    },
    Question {
        name: "rq3",
        asks: "How many bugs does all of PBFDroid find, where each function alone finds five?",
        paper: "more than either baseline",
        aim: None,
        command: "study rq3",
        answer: Cell("all", "full"),
        sources: PBFDROID,
    },
    Question {
        name: "guided",
        asks: "Events to all bugs of properties, explored by Fastbot2, of those explored at random",
        paper: "",
        aim: Some(AtMost(1.0)),
        command: "study guided",
        answer: Cell("all", "fastbot2 of random"),
        sources: PBFDROID,
    },
    Question {
        name: "lengths",
        asks: "Does the length of PBFDroid's tests matter? Recall with the longest of three",
        paper: "the same bugs, the longest sooner",
        aim: None,
        command: "bench --apps judges --engines pbfdroid:lmax=200,pbfdroid:lmax=400,pbfdroid:lmax=800 --faults P --seeds 1..1 --cells 100 --sound 0 --mixed 0",
        answer: Cell("pbfdroid:lmax=800", "recall, own"),
        sources: PBFDROID,
    },
    Question {
        name: "recorded",
        asks: "What do drafts of the recorder find, as they are?",
        paper: "",
        aim: Some(Percent(75.0)),
        command: "bench --preset recorded",
        answer: Cell("pbfdroid", "recall, own"),
        sources: &["spec/recorder", "engine/dmf"],
    },
    Question {
        name: "discovered",
        asks: "What do functions find that Discover proposed and nobody looked at?",
        paper: "",
        aim: Some(Percent(50.0)),
        command: "bench --preset discovered",
        answer: Cell("pbfdroid", "recall, own"),
        sources: &["campaign/discover", "engine/dmf"],
    },
    Question {
        name: "genie",
        asks: "Of the faults that Genie's oracle sees, which share does it find?",
        paper: "",
        aim: Some(Percent(60.0)),
        command: "bench --preset genie",
        answer: Cell("genie", "in half of the seeds"),
        sources: GENIE,
    },
    Question {
        name: "genie-precision",
        asks: "How many of Genie's reports are true, on the second group of seeds?",
        paper: "41 % of 635",
        aim: Some(AtLeast(0.41)),
        command: "study genie --seeds 6..10",
        answer: Cell("all", "precision"),
        sources: GENIE,
    },
    Question {
        name: "odin",
        asks: "Of the faults that ODIN's oracle sees, which share does it find?",
        paper: "28 bugs in 17 apps",
        aim: Some(Percent(60.0)),
        command: "bench --preset odin",
        answer: Cell("odin", "in half of the seeds"),
        sources: ODIN,
    },
    Question {
        name: "odin-bundled",
        asks: "Does ODIN find Diary's bug that few screens show, and what does it say of sound apps?",
        paper: "11 of 28 not found by others",
        aim: None,
        command: "study odin",
        answer: Cell("Diary", "bugs and seeds that found them"),
        sources: ODIN,
    },
    Question {
        name: "fastbot2",
        asks: "Events of Fastbot2 until it saw every activity of Notes, of Monkey's",
        paper: "fewer than Monkey",
        aim: Some(AtMost(1.0)),
        command: "study fastbot2",
        answer: Cell("Notes", "of Monkey\u{2019}s"),
        sources: FASTBOT2,
    },
    Question {
        name: "timemachine",
        asks: "Code that TimeMachine executes, of Monkey's with restarts",
        paper: "1.15",
        aim: Some(AtLeast(1.15)),
        command: "study timemachine",
        answer: Cell("all", "TimeMachine to restarts"),
        sources: TIMEMACHINE,
    },
    Question {
        name: "large",
        asks: "The same in apps with forty activities and more",
        paper: "1.15",
        aim: Some(AtLeast(1.15)),
        command: "bench --preset large",
        answer: Cell("timemachine to monkey:restart=true", "ratio"),
        sources: TIMEMACHINE,
    },
    Question {
        name: "crashes",
        asks: "Of crashes and hangs, which share does TimeMachine find?",
        paper: "4.4 times those of Monkey with restarts",
        aim: None,
        command: "bench --preset crashes",
        answer: Cell("timemachine", "recall, own"),
        sources: TIMEMACHINE,
    },
    Question {
        name: "keep",
        asks: "Of what is lost by a turn or a restart, which share does Keep find in an hour?",
        paper: "",
        aim: Some(Percent(80.0)),
        command: "bench --preset keep",
        answer: Cell("keep", "recall, own"),
        sources: &["engine/keep", "engine/oracle/preservation"],
    },
    Question {
        name: "agreement",
        asks: "Of the faults by which screens contradict each other, which share is found without a specification?",
        paper: "",
        aim: Some(Percent(60.0)),
        command: "study agreement",
        answer: Cell("all", "found"),
        sources: &["engine/oracle/agreement"],
    },
    Question {
        name: "diff",
        asks: "Of planted regressions, which share does a comparison with the version before find?",
        paper: "",
        aim: Some(Percent(80.0)),
        command: "study diff --seeds 1000..1049",
        answer: Cell("of these found", "count"),
        sources: &["campaign/diff", "spec/repair"],
    },
    Question {
        name: "together",
        asks: "Do engines that take turns find as much as PBFDroid alone? Recall of all faults",
        paper: "",
        aim: Some(Percent(83.0)),
        command: "bench --preset together",
        answer: Cell("auto", "recall, all"),
        sources: &["engine/auto"],
    },
    Question {
        name: "hour",
        asks: "Of properties and crashes, which share does PBFDroid find in 3,600 events?",
        paper: "",
        aim: Some(Percent(80.0)),
        command: "bench --preset night",
        answer: Cell("pbfdroid", "recall, own"),
        sources: PBFDROID,
    },
    Question {
        name: "oracles",
        asks: "How many does Monkey find, if all oracles judge what it does?",
        paper: "",
        aim: None,
        command: "study oracles",
        answer: Rows("Monkey"),
        sources: EVERY,
    },
    Question {
        name: "from",
        asks: "Do recorded traces help? Bugs of Genie on Diary, which has none without",
        paper: "",
        aim: None,
        command: "study from",
        answer: Cell("Diary", "bugs with traces"),
        sources: EVERY,
    },
    Question {
        name: "hostile",
        asks: "Bugs that are reported of a sound app on phones that misbehave in all ways",
        paper: "",
        aim: Some(AtMost(0.0)),
        command: "study hostile --app files --events 12500",
        answer: Cell("all", "bugs"),
        sources: EVERY,
    },
];
