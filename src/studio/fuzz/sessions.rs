//! The sessions of the campaigns: starts their engines, passes on what they are asked for, and takes what they report.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use super::{CampaignState, Coverage};
use crate::priority::in_background;
use crate::state::CampaignId;
use taproof_campaign::Resumption;
use taproof_engine::worker::Leaving;
use taproof_results::store::StoredPlan;
use taproof_session::{EngineNews, EngineTask, Record, Session, SessionSink, TestPhones};

/// A campaign whose engines are to be started.
pub(crate) struct StartingCampaign {
    /// What will be shown of it.
    pub campaign: CampaignState,
    /// The checkpoint of each engine, or `None` for its beginning.
    pub from: Vec<Option<Resumption>>,
    /// The command of the host before each test.
    pub command: Option<String>,
    /// What the workspace stores of a new campaign. `None` for one that is resumed.
    pub stored: Option<StoredPlan>,
}

/// The engines of the campaigns that have not ended. Dropping them cancels the engines and waits.
#[derive(Default)]
pub(crate) struct Sessions(BTreeMap<CampaignId, Session>);

impl Sessions {
    /// Starts the engines of a campaign, or says why they cannot be started.
    pub fn start(
        &mut self,
        mut starting: Box<StartingCampaign>,
        phones: &TestPhones,
        wake: impl Fn() + Send + Clone + 'static,
        wake_later: impl Fn() + Send + Clone + 'static,
    ) -> Result<Box<StartingCampaign>, String> {
        let plan = Arc::clone(&starting.campaign.plan);
        let command = starting.command.take();
        let phones = |place| phones.of(&plan, place).running_before_tests(command.clone());
        let from = std::mem::take(&mut starting.from);
        match in_background(|| Session::start(&plan, from, phones, wake, wake_later)) {
            Ok(session) => {
                self.0.insert(starting.campaign.id, session);
                Ok(starting)
            }
            Err(error) => Err(match starting.stored {
                Some(_) => format!("The campaign cannot start: {error}"),
                None => format!("The campaign cannot go on: {error}"),
            }),
        }
    }

    /// Passes on what an engine of a campaign, or each of them, is asked for. A campaign that has ended has none.
    pub fn ask(&mut self, id: CampaignId, engine: Option<usize>, task: EngineTask) {
        let Some(session) = self.0.get_mut(&id) else { return };
        let engines = engine.map_or(0..session.engines(), |engine| engine..engine + 1);
        engines.for_each(|engine| session.ask(engine, task));
    }

    /// Takes what has arrived since the last call, at most `most` messages of each engine.
    pub fn news(&mut self, most: usize, leaving: &mut Leaving) -> Vec<(CampaignId, CampaignNews)> {
        let poll = |(id, session): (&CampaignId, &mut Session)| {
            let mut news = CampaignNews::default();
            session.poll(most, &mut news);
            if session.over() {
                news.together = session.outcome().map(|outcome| Coverage::of(&outcome.summary));
            }
            news.seconds = (0..session.engines()).map(|engine| session.spent(engine).as_secs_f64()).collect();
            (*id, news)
        };
        let news = self.0.iter_mut().map(poll).collect();
        for (_, session) in self.0.extract_if(.., |_, session| session.over()) {
            session.retire().into_iter().for_each(|thread| leaving.add(thread));
        }
        news
    }

    /// Asks all engines to stop.
    pub fn cancel(&self) {
        self.0.values().for_each(Session::cancel);
    }

    /// Waits for the engines at most until `end`, and returns what they still report.
    pub fn finish(&mut self, end: Instant) -> Vec<(CampaignId, CampaignNews)> {
        let finish = |(id, session): (CampaignId, Session)| {
            let mut news = CampaignNews::default();
            session.finish(end, &mut news);
            (id, news)
        };
        std::mem::take(&mut self.0).into_iter().map(finish).collect()
    }
}

/// What the engines of a campaign have reported since the last frame, in order.
#[derive(Default)]
pub(crate) struct CampaignNews {
    /// The index of each engine, with what it reported.
    pub reports: Vec<(usize, EngineNews)>,
    /// What the disk thread must write.
    pub records: Vec<Record>,
    /// The seconds that each engine has worked.
    pub seconds: Vec<f64>,
    /// What all engines have seen together, once they have ended.
    pub together: Option<Coverage>,
}

impl SessionSink for CampaignNews {
    fn record(&mut self, record: Record) {
        self.records.push(record);
    }

    fn report(&mut self, engine: usize, news: EngineNews) {
        self.reports.push((engine, news));
    }
}
