//! The phone: what is shown of it, how it is led, and the devices behind adb.
//!
//! `handle` shows an app and takes what the mirror reports, `lead` leads the phone along a trace, `keep_path` saves its
//! path, `devices/handle.rs` does what has to do with devices. `lending` sees to it that each device has one user at a time.

mod asked_about_data;
pub(crate) mod bundled;
mod data_question;
mod devices;
mod handle;
mod keep;
mod keep_path;
mod lead;
mod lending;
mod orders;
pub(crate) mod panels;
mod phone_worker;
mod shown_rules;
mod state;
mod takeover;
mod test_draft;
mod tree;
mod typing;
mod widget_menu;

pub use asked_about_data::{AskedAboutData, DataAnswer};
pub(crate) use data_question::{TestsToBegin, answer, begin_tests, kept, may_begin};
pub use devices::{
    AppSearch, DeviceCheck, DeviceCommand, DeviceLine, Devices, DevicesInUse, Installing, LayoutServer,
    Reach, Search, folded, sentence,
};
pub(crate) use devices::{
    DeviceNews, DeviceTask, install_dropped, install_on, run_device, take_device_news, watch,
};
pub(crate) use handle::{choose_app, chosen_phone, ordered, show_phone, take_fact, take_news, tick, use_app};
pub use keep::{Picking, opened_trace};
pub(crate) use keep_path::{run_keep, trace_opened, trace_saved};
pub(crate) use lead::{begin_anew, lead, run_take_over, stand};
pub use lending::LentPhone;
pub(crate) use lending::lend;
pub(crate) use orders::{Lead, Opened, PhoneReport, PhoneToShow};
pub(crate) use phone_worker::PhoneWorker;
pub use shown_rules::ShownRules;
pub use state::{MirrorState, WalkedPath, WayOrigin};
pub use takeover::{Judgement, LiveTrace, Reexecution, TakeOver, TakenOver, TraceSource};
pub use test_draft::{KeepCommand, TestDraft, saved_way};
pub use tree::{TreeRow, attributes, flag_words, tree_rows};
pub use typing::{NotTypeable, TypingRemedy};
pub use widget_menu::{WidgetCommand, picture_name, picture_of};
pub(crate) use widget_menu::{picture_saved, run_widget};
