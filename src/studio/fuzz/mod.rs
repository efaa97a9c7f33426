//! Fuzz: the form of a campaign, the campaigns, and what is shown of them.

pub(crate) mod actions;
mod bug_cards;
mod campaigns;
mod chosen_spec;
mod command;
mod curve_lines;
mod curves;
mod earlier;
mod end_words;
mod engine_choice;
mod first_steps;
mod form;
mod form_history;
mod functions_line;
mod graph;
mod handle;
mod keep_first_steps;
mod kept_form;
mod opened;
pub(crate) mod panels;
pub(crate) mod read_earlier;
mod sessions;
mod test_rules;
pub(crate) mod thumbnail;

pub use bug_cards::{BugCard, BugCards, CardsToMake};
pub use campaigns::{CampaignPhase, CampaignState, Campaigns, Coverage, EngineRunState, PreparedCampaign};
pub use chosen_spec::{ChosenSpec, SpecChoice};
pub use command::{CampaignCommand, CorrectionChange, FuzzView};
pub use curve_lines::CurveLine;
pub use curves::{Compared, Curve, CurveAxis, CurveChoice, KeptCurves, thin};
pub use earlier::Resumed;
pub use end_words::{earlier_end, end_words};
pub use engine_choice::{EngineChoice, SettingField, SettingKind};
pub use first_steps::InitialSteps;
pub use form::{CampaignForm, CampaignOrder, FormField, FormProblems, PBFDROID, SeedChoice, toggled};
pub use functions_line::FunctionsLine;
pub use graph::{GraphCommand, GraphOf, GraphRow, GraphState, GraphStep, GraphView, StateSummary};
pub(crate) use handle::{
    begin_with, cancel_campaign, committed, corrected, not_written, opened, pause_campaign, run_campaign,
    start_campaign, start_prepared, start_resumed, started, take_cards, take_news, tick,
};
pub(crate) use keep_first_steps::{keep_first_steps, load_first_steps};
pub use kept_form::KeptForm;
pub use opened::{OpenedCampaign, Opening};
pub(crate) use sessions::{CampaignNews, CampaignTask, Sessions, StartingCampaign};
pub use test_rules::{AppRules, RuleChange, RuleFiles};
pub(crate) use test_rules::{change_rules, load_rules};
pub use thumbnail::{ThumbnailKey, ThumbnailOf, thumbnail};
