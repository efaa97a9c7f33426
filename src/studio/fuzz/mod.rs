//! Fuzz: the form of a campaign, the campaigns, and what is shown of them.

pub(crate) mod actions;
mod campaigns;
mod command;
mod curve_lines;
mod curves;
mod end_words;
mod event_list;
mod form;
mod found;
mod graph;
mod handle;
mod opened;
pub(crate) mod panels;
pub(crate) mod read_earlier;
mod sessions;
pub(crate) mod thumbnail;

pub use campaigns::{CampaignPhase, CampaignState, Campaigns, Coverage, EngineRunState, PreparedCampaign};
pub use command::{CampaignCommand, FuzzView};
pub use curve_lines::CurveLine;
pub use curves::{Compared, Curve, CurveAxis, CurveChoice, KeptCurves, thin};
pub use end_words::{earlier_end, end_words};
pub(crate) use event_list::find_events;
pub use event_list::{EventList, EventQuery, EventsFound, MOST_EVENTS};
pub use form::{
    AppRules, CampaignForm, CampaignOrder, ChosenSpec, EngineChoice, FormField, FormProblems, FunctionsLine,
    InitialSteps, KeptForm, PBFDROID, RuleChange, RuleFiles, SeedChoice, SettingField, SettingKind,
    SpecChoice, toggled,
};
pub(crate) use form::{change_rules, keep_first_steps, load_first_steps, load_rules};
pub use found::{BugCard, Found};
pub(crate) use found::{WrittenFindings, take_found};
pub use graph::{GraphCommand, GraphOf, GraphRow, GraphState, GraphStep, GraphView, StateSummary};
pub(crate) use handle::{
    begin_with, cancel_campaign, corrected, not_written, opened, pause_campaign, run_campaign,
    start_campaign, start_prepared, start_resumed, started, take_news, tick,
};
pub use opened::Opening;
pub(crate) use sessions::{CampaignNews, Sessions, StartingCampaign};
pub use thumbnail::{ThumbnailKey, ThumbnailOf};
