//! Replay: the findings of the workspace, the one that is open, and exports. `minimiser` and `judge` re-execute findings
//! beside the window.

mod chosen;
mod diff_tree;
pub(crate) mod export;
mod export_command;
mod exporter;
mod exporting;
mod handle;
mod history;
mod judge;
mod minimiser;
mod opener;
mod pair;
pub(crate) mod panels;
mod state;
mod step_view;
pub(crate) mod triage;

pub use diff_tree::{DiffKind, DiffRow, DiffTree, diff_tree};
pub use export::finding_text;
pub use export_command::{ExportCommand, ExportSubject, FindingText};
pub(crate) use exporter::{Export, ExportNews};
pub use exporting::{ExportId, Exporting};
pub(crate) use handle::{
    ask_history, cancel_export, copy_finding, export_to, open_finding, run_history, take_export,
    take_history, take_judged, take_minimiser, take_opener, tick,
};
pub(crate) use history::HistoryRead;
pub use history::{
    BugLine, Choosing, CorrectionChange, History, HistoryCommand, HistoryLine, HistoryRow, HistorySection,
    Minimising, Opening, engine_word, oracle_word, with_steps,
};
pub(crate) use judge::{Judging, judge};
pub(crate) use minimiser::{MinimiserNews, minimise};
pub(crate) use opener::{OpenerNews, read_finding};
pub use pair::{PairRow, ReferenceStep, changed_only_there, pair_rows, reference_marks, reference_step};
pub use state::{ReplayCommand, ReplaySource, ReplayState, Speed};
pub use step_view::{DataRow, ObjectChange, ReplayLine, StepRow, StepView};
