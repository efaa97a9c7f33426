//! Fuzz targets: for each reader of bytes that this program did not make a function that takes any bytes, reads them and
//! does with what was read what the program does with it.
//!
//! A target must end, without a panic, within 2 s and 500 MB of memory, whatever it is given. `src/lab/fuzz`
//! runs each of them for a moment as part of the tests, and for as long as asked for on request; a fuzzer that is guided
//! by coverage calls `run` too. A target opens no connection but to itself and writes only below the system's folder for
//! temporary files. What it is given says nothing about what it did before: each input can be run alone.
//!
//! Deliberately no targets are: the command line, its environment and patterns of file names, which belong to whoever
//! starts the program; specifications of the bundled apps, fonts and pictures that are compiled in; SQLite's own
//! file format beyond what `database` gives it; and the protocol of the display server, which eframe speaks.

mod agent;
mod campaign;
mod cells;
mod database;
mod devices;
mod flows;
mod kea;
mod layouts;
mod outputs;
mod peer;
mod pictures;
mod scratch;
mod served;
mod specs;
mod web_pages;
mod workspaces;

/// One reader of foreign bytes.
#[derive(Clone, Copy)]
pub struct FuzzTarget {
    /// What commands call it.
    pub name: &'static str,
    /// What is read, and what is done with it.
    pub about: &'static str,
    /// How many inputs take a moment.
    pub inputs: u64,
    /// Makes what all runs share and gives the function that runs one input.
    pub prepare: fn() -> Run,
    /// Valid inputs, made by the program itself.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// How the names of files end that are valid inputs.
    pub files: &'static [&'static str],
    /// Pieces of which inputs are made.
    pub words: &'static [&'static str],
}

/// Runs one input.
pub type Run = Box<dyn FnMut(&[u8])>;

/// What separates the parts of inputs that have several: two dumps, the answers of a peer.
pub const PART: &[u8] = b"\n%%%%\n";

/// All targets.
pub const TARGETS: &[FuzzTarget] = &[
    layouts::DUMP,
    layouts::DUMPS,
    layouts::XPATH,
    specs::SPEC,
    specs::RULES,
    specs::MODEL,
    flows::FLOW,
    kea::KEA,
    workspaces::WALK,
    workspaces::TRACE,
    workspaces::RECORDING,
    workspaces::FILES,
    database::PLAN,
    database::ROWS,
    database::DATABASE,
    outputs::OUTPUT,
    outputs::LOG,
    outputs::TOUCHES,
    pictures::PICTURE,
    devices::ADB_SERVER,
    devices::ADB_DEVICE,
    devices::PHONE,
    devices::CONSOLE,
    web_pages::WEB_PAGE,
    agent::FRAMES,
    agent::ANSWER,
    agent::REQUEST,
    agent::SERVED,
    served::ADB_HOST,
    served::SYNC,
    served::HTTP,
    served::JSON_RPC,
    served::SHELL,
    served::APK,
];

/// The target of that name.
pub fn find(name: &str) -> Option<&'static FuzzTarget> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The parts of an input.
fn parts(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while let Some(at) = bytes.windows(PART.len()).position(|window| window == PART) {
        parts.push(bytes.get(..at).unwrap_or_default());
        bytes = bytes.get(at + PART.len()..).unwrap_or_default();
    }
    parts.push(bytes);
    parts
}

/// An input of these parts.
fn joined<P: AsRef<[u8]>>(parts: &[P]) -> Vec<u8> {
    parts.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(PART)
}

/// A function that keeps nothing between its runs.
fn plain(run: fn(&[u8])) -> Run {
    Box::new(run)
}

/// Whether an outcome is of interest to nobody: what was read is only to be read without harm.
fn seen<T>(outcome: T) {
    drop(std::hint::black_box(outcome));
}

/// Checks what the targets rest on; panics where it does not hold.
pub fn check_targets() {
    for parts_in in [vec![&b"a"[..], b"", b"b\n"], vec![&b""[..]]] {
        assert_eq!(parts(&joined(&parts_in)), parts_in);
    }
    for (place, target) in TARGETS.iter().enumerate() {
        assert_eq!(TARGETS.iter().position(|other| other.name == target.name), Some(place));
    }
    devices::check_seed();
}
