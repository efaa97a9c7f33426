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
mod history_command;
mod judge;
mod minimiser;
mod opener;
mod pair;
pub(crate) mod panels;
mod state;
mod step_view;
mod ticket;
pub(crate) mod triage;

pub use diff_tree::{DiffKind, DiffRow, DiffTree, diff_tree};
pub use export_command::{ExportCommand, ExportSubject};
pub(crate) use exporter::{Export, ExportNews};
pub use exporting::{ExportId, Exporting};
pub(crate) use handle::{
    ask_history, cancel_export, copy_commands, export_to, open_finding, run_history, take_export,
    take_history, take_judged, take_minimiser, take_opener, take_ticket, tick,
};
pub(crate) use history::HistoryRead;
pub use history::{
    BugLine, History, HistoryLine, HistoryRow, HistorySection, Minimising, Opening, engine_word, oracle_word,
    with_steps,
};
pub use history_command::{Choosing, CorrectionChange, HistoryCommand};
pub(crate) use judge::{Judging, judge};
pub(crate) use minimiser::{MinimiserNews, minimise};
pub(crate) use opener::{OpenerNews, read_finding};
pub use pair::{PairRow, ReferenceStep, changed_only_there, pair_rows, reference_marks, reference_step};
pub use state::{ReplayCommand, ReplaySource, ReplayState, Speed};
pub use step_view::{DataRow, ObjectChange, ReplayLine, StepRow, StepView};
pub(crate) use ticket::Ticket;
