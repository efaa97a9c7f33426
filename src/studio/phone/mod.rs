//! The phone: what is shown of it, how it is led, and the devices behind adb.

mod app_cards;
pub(crate) mod bundled;
mod device_question;
mod device_watch;
mod devices;
mod installs;
mod keep;
mod keep_path;
mod layout_servers;
mod lead;
mod lending;
pub(crate) mod panels;
mod screen_holders;
mod state;
mod takeover;
mod tree;

pub(crate) use app_cards::CardQuestion;
pub(crate) use device_watch::{DeviceWatch, device_maker};
pub use devices::{
    AppSearch, DeviceCommand, DeviceLine, Devices, DevicesInUse, Installing, LayoutServer, Search, sentence,
};
pub(crate) use installs::InstallWorker;
pub use keep::{KeepCommand, Picking, TestDraft, opened_trace, saved_way};
pub(crate) use layout_servers::ServerWorker;
pub(crate) use screen_holders::EndQuestion;
pub use state::{MirrorState, WalkedPath, WayOrigin};
pub use takeover::{LiveTrace, Reexecution, TakeOver, TakenOver, TraceSource};
pub use tree::{TreeRow, attributes, flag_words, tree_rows};
