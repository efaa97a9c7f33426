//! Taproof finds the bugs of Android apps that do not crash.
//!
//! The program in its parts, each a crate below `src/` that knows only those before it:
//!
//! | crate | folder | what lives there |
//! | --- | --- | --- |
//! | `taproof-screen` | `screen` | what is seen: layouts, selectors, events, traces |
//! | `taproof-spec` | `spec` | what should be: specifications, and their recorder |
//! | `taproof-engine` | `engine` | who tries and who judges: devices, engines, oracles |
//! | `taproof-campaign` | `campaign` | what a night is: campaigns, confirmation, bugs |
//! | `taproof-phone` | `phone` | the bundled phone and its apps |
//! | `taproof-adb` | `adb` | phones and emulators through adb |
//! | `taproof-results` | `results` | workspaces and reports |
//! | `taproof-session` | `session` | what the command line and the window share to run campaigns |
//! | `taproof-studio` | `studio` | the window |
//! | `taproof` | `cli` | the command line |
//!
//! What measures all of this is in crates below `src/lab`, which none of these knows.
//!
//! [`Campaign`] runs a campaign from a test or a program of your own; [`phone`] is what an app for the bundled phone is made
//! of, [`device`] what a test drives a phone with, [`engine`] and [`oracle`] are for an engine and an oracle of your own, and
//! [`cli::run_with`] is the whole program with your apps. What is in these modules is what you can rely on; the crates behind
//! them have more. [`book`] explains how to use it and how it is built.
// Only `cli/terminal.rs` writes to the terminal.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod book;
mod campaign;
pub mod cli;
mod folders;
mod window;
mod workspace_path;

pub use campaign::{Campaign, CampaignError, Outcome};
pub use taproof_adb::AdbPhones;
pub use taproof_campaign::{Attribution, EndReason, Finding, FindingCount};
pub use taproof_engine::device::{Build, Device, DeviceSource};
pub use taproof_engine::{
    AutoConfig, EngineConfig, Fastbot2Config, GenieConfig, KeepConfig, MonkeyConfig, OdinConfig,
    PbfdroidConfig, TimeMachineConfig,
};
pub use taproof_phone::BundledPhones;
pub use taproof_spec::{RulesError, TestRules};
#[cfg(feature = "window")]
pub use window::{StartError, run_studio_with};

/// Apps for the bundled phone: what an app is ([`App`](phone::App)), the views that its screens are made of
/// ([`View`](phone::View)), and the set of apps that a phone has ([`Apps`](phone::Apps)).
pub mod phone {
    pub use taproof_phone::{
        Align, App, AppTwice, Apps, Axis, Bug, BugSet, BundledApp, BundledPhones, CheckStyle, Color, Content,
        Crash, Date, Edges, Env, Field, Icon, ImeAction, Language, ListRows, Look, Manifest, OnChange,
        Oracle, PX_PER_DP, Package, Phone, Picture, ScrollState, ShippedSpec, Size, Surface, System,
        SystemOp, TextStyle, View, app_bar, dialog, dialog_message, drawer_item, empty_state, fab, list_row,
        loading, page_toolbar, popup_item, popup_menu, scrolled_page, search_bar, section, setting_row,
        snackbar, tab_bar, text_field, toolbar, toolbar_action, with_drawer,
    };
}

/// Driving a device: events go in ([`Event`](device::Event)), frames come out ([`Frame`](device::Frame)), and selectors and
/// XPaths name the widgets on them. Whatever implements [`Device`] can be driven and fuzzed.
pub mod device {
    pub use taproof_engine::device::{
        AppData, AppFile, AppId, Device, DeviceError, DeviceInfo, Garbled, InstalledApp, LinkFault,
        Observation, PictureSource, ScreenWatcher, Screenshot, SnapshotId, StuckStep, Typeable,
    };
    pub use taproof_screen::{
        AppHealth, CodePoint, CrashReport, DeviceDuration, DeviceInstant, Direction, Event, Frame, Gesture,
        Key, Layout, LayoutBuilder, PxPoint, PxRect, PxSize, Resolved, Rotation, Selector, SystemEvent, Text,
        TouchTarget, Widget, WidgetFlags, WidgetIdx, Window, XPath, XPathError, XPathTooSlow,
    };
}

/// An engine of your own: [`EngineSettings`](engine::EngineSettings) makes an [`Engine`](engine::Engine), which does everything
/// through [`RoundCtx`](engine::RoundCtx).
pub mod engine {
    pub use taproof_engine::{
        AnyEngine, CampaignStats, CheckpointError, ConfigError, Engine, EngineSettings, EngineStats,
        ExploreWeights, Explorer, RandomEvents, RandomExplorer, Round, RoundCtx, RunPolicy, Setting,
        StateSnapshot, Stop, TestTarget, from_checkpoint, to_checkpoint,
    };
    pub use taproof_screen::determinism::Rng;
    pub use taproof_screen::{Candidate, CandidateAction, StepRole, Trace, candidates, naming_selector};
    pub use taproof_spec::Spec;
}

/// An oracle of your own: [`FrameOracle`](oracle::FrameOracle) judges every screen of a campaign.
pub mod oracle {
    pub use taproof_engine::oracle::FrameOracle;
    pub use taproof_screen::{FailedCheck, Frame};
}
