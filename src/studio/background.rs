//! Work beside the window. Each job is one function on a thread of its own, and what it reports becomes events.

use std::sync::Arc;

use crossbeam_channel::Receiver;

use crate::event::Event;
use crate::fuzz::{EventQuery, find_events};
use crate::phone::{DeviceTask, Judgement};
use crate::record::{DiscoverPlan, DiscoveryNews, FlowToImport, WayToCut, explore, play_flow};
use crate::replay::{
    Export, ExportId, ExportNews, Judging, MinimiserNews, OpenerNews, judge, minimise, read_finding,
};
use crate::reporter::{Reporter, Resources};
use crate::specs::{RepairNews, RepairOrder, TrialNews, repair_spec, try_function};
use crate::state::FindingKey;
use taproof_campaign::TrialPlan;
use taproof_engine::worker::{self, CancelToken, Lane, Latest, Leaving, Worker};
use taproof_results::store::Workspace;

/// Maximum number of events of a job that wait for the window.
const MAX_WAITING: usize = 16;

/// A job to be done beside the window.
pub(crate) enum BackgroundJob {
    /// Searches the path on the phone for functions.
    Propose(Box<WayToCut>),
    /// Explores an app for functions.
    Discover(Box<DiscoverPlan>),
    /// Plays a flow of Maestro, which becomes the recording.
    Import(Box<FlowToImport>),
    /// Tries a function, with a command of the host before each test.
    Try(Arc<TrialPlan>, Option<String>),
    /// Repairs a specification, with a command of the host before each test.
    Repair(Arc<RepairOrder>, Option<String>),
    /// Confirms and minimises a finding.
    Minimise(FindingKey),
    /// Judges whether a finding came back in a re-execution.
    Judge(Box<Judging>),
    /// Reads a finding to be shown in Replay.
    Open(FindingKey),
    /// Looks for the findings that have these words on a screen.
    Screens(String),
    /// Looks for events of a campaign.
    Events(EventQuery),
    /// Builds and writes an export.
    Export(ExportId, Box<Export>),
    /// Does something with the devices behind adb.
    Device(DeviceTask),
}

/// Names a running job. There is one of each, except for tasks on devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobId {
    /// The search for functions on the phone's path.
    Propose,
    /// The exploration of an app.
    Discover,
    /// The playing of a flow.
    Import,
    /// The trial of a function.
    Try,
    /// The repair of a specification.
    Repair,
    /// The minimisation of a finding.
    Minimise,
    /// The judgement of a re-execution.
    Judge,
    /// The reading of a finding.
    Open,
    /// The search in screens.
    Screens,
    /// The search for events.
    Events,
    /// This export.
    Export(ExportId),
    /// The watch of the devices behind adb.
    Watch,
    /// Any other task on a device. Many can run, and none is cancelled before the window is closed.
    Device,
}

impl BackgroundJob {
    /// The id, and the name of the thread.
    fn id(&self) -> (JobId, &'static str) {
        match self {
            BackgroundJob::Propose(_) => (JobId::Propose, "proposals"),
            BackgroundJob::Discover(_) => (JobId::Discover, "discover"),
            BackgroundJob::Import(_) => (JobId::Import, "flow"),
            BackgroundJob::Try(..) => (JobId::Try, "trial"),
            BackgroundJob::Repair(..) => (JobId::Repair, "repair"),
            BackgroundJob::Minimise(_) => (JobId::Minimise, "minimise"),
            BackgroundJob::Judge(_) => (JobId::Judge, "judge"),
            BackgroundJob::Open(_) => (JobId::Open, "open"),
            BackgroundJob::Screens(_) => (JobId::Screens, "screens"),
            BackgroundJob::Events(_) => (JobId::Events, "events"),
            BackgroundJob::Export(id, _) => (JobId::Export(*id), "export"),
            BackgroundJob::Device(DeviceTask::Watch { .. }) => (JobId::Watch, "devices"),
            BackgroundJob::Device(_) => (JobId::Device, "device"),
        }
    }

    /// Returns what makes the event by which the job ends without a result, for a reason.
    fn failure(&self) -> Box<dyn Fn(String) -> Event + Send> {
        match self {
            BackgroundJob::Propose(_) => Box::new(|why| Event::Proposals(Err(why))),
            BackgroundJob::Discover(_) => Box::new(|why| Event::Discovery(DiscoveryNews::Failed(why))),
            BackgroundJob::Import(_) => Box::new(|why| Event::Imported(Err(why))),
            BackgroundJob::Try(..) => Box::new(|why| Event::Trial(TrialNews::Failed(why))),
            BackgroundJob::Repair(..) => Box::new(|why| Event::Repair(RepairNews::Failed(why))),
            BackgroundJob::Minimise(_) => Box::new(|why| Event::Minimiser(MinimiserNews::Ended(Err(why)))),
            BackgroundJob::Judge(judging) => {
                let order = judging.order;
                Box::new(move |why| Event::Judged(order, Judgement::NotJudged(why)))
            }
            BackgroundJob::Open(key) => {
                let key = key.clone();
                Box::new(move |why| Event::Opener(OpenerNews::NotLoaded(key.clone(), why)))
            }
            BackgroundJob::Screens(words) => {
                let words = words.clone();
                Box::new(move |why| Event::ScreensFound(words.clone(), Err(why)))
            }
            BackgroundJob::Events(query) => {
                let query = query.clone();
                Box::new(move |why| Event::EventsFound(query.clone(), Err(why)))
            }
            BackgroundJob::Export(id, _) => {
                let id = *id;
                Box::new(move |why| Event::Export(id, ExportNews::Failed(why)))
            }
            BackgroundJob::Device(task) => {
                let failure = task.failure();
                Box::new(move |why| Event::Device(failure(why)))
            }
        }
    }

    /// Does the job. Returns its last event.
    fn run(self, with: &Resources, out: &Outlet) -> Event {
        match self {
            BackgroundJob::Propose(way) => Event::Proposals(Ok(way.cut())),
            BackgroundJob::Discover(plan) => {
                Event::Discovery(explore(&plan, &with.phones, &out.reporter(Event::Discovery)))
            }
            BackgroundJob::Import(order) => Event::Imported(play_flow(*order, &with.phones, &out.cancel)),
            BackgroundJob::Try(plan, command) => {
                Event::Trial(try_function(&plan, command, &with.phones, &out.reporter(Event::Trial)))
            }
            BackgroundJob::Repair(order, command) => {
                Event::Repair(repair_spec(&order, command, &with.phones, &out.reporter(Event::Repair)))
            }
            BackgroundJob::Minimise(key) => {
                Event::Minimiser(minimise(&key, with, &out.reporter(Event::Minimiser)))
            }
            BackgroundJob::Judge(judging) => {
                Event::Judged(judging.order, judge(*judging, with.phones.apps(), &out.cancel))
            }
            BackgroundJob::Open(key) => Event::Opener(read_finding(key, with, &out.reporter(Event::Opener))),
            BackgroundJob::Screens(words) => {
                let read = Workspace::open_to_read(&with.workspace);
                let found = read.and_then(|workspace| workspace.findings_showing(&words));
                Event::ScreensFound(words, found.map_err(|error| error.to_string()))
            }
            BackgroundJob::Events(query) => {
                let found = find_events(&query, &with.workspace, &out.cancel);
                Event::EventsFound(query, found.map_err(|error| error.to_string()))
            }
            BackgroundJob::Export(id, export) => {
                let event = move |news| Event::Export(id, news);
                event(export.run(with, &out.reporter(event)))
            }
            BackgroundJob::Device(task) => Event::Device(task.run(with, &out.reporter(Event::Device))),
        }
    }
}

/// The way of a job's events to the window.
struct Outlet {
    /// Each event, and whether it is the last one.
    lane: Lane<(Event, bool), Box<dyn Fn() + Send>>,
    progress: Latest<Event>,
    wake_later: Box<dyn Fn() + Send>,
    cancel: CancelToken,
}

impl Outlet {
    /// What a job reports by whose reports become these events.
    fn reporter<'o, N>(&'o self, event: impl Fn(N) -> Event + Clone + 'o) -> Reporter<'o, N> {
        let latest = event.clone();
        Reporter {
            tell: Box::new(move |news| self.lane.send((event(news), false))),
            progress: Box::new(move |news| {
                self.progress.publish(latest(news));
                (self.wake_later)();
            }),
            cancel: self.cancel.clone(),
        }
    }
}

/// A job on its thread. Dropping it cancels the job and waits for the thread.
struct Running {
    id: JobId,
    events: Receiver<(Event, bool)>,
    progress: Latest<Event>,
    thread: Worker,
}

/// The jobs that are running. Dropping this cancels them and waits for their threads.
pub(crate) struct Background {
    resources: Resources,
    running: Vec<Running>,
    /// Threads that are asked to stop and may still be running; their events are ignored.
    pub leaving: Leaving,
}

impl Background {
    /// Creates it without a job.
    pub fn new(resources: Resources) -> Background {
        Background { resources, running: Vec::new(), leaving: Leaving::default() }
    }

    /// Begins a job; one with the same id is abandoned, unless it is a task on a device. Returns the job's last event if
    /// it cannot begin. `wake` and `wake_later` announce its events and its progress.
    pub fn begin(
        &mut self,
        job: BackgroundJob,
        wake: impl Fn() + Send + 'static,
        wake_later: impl Fn() + Send + 'static,
    ) -> Option<Event> {
        let (id, name) = job.id();
        if id != JobId::Device {
            self.leave(id);
        }
        let (cancel, progress) = (CancelToken::new(), Latest::new());
        let (lane, events) = Lane::new(MAX_WAITING, &cancel, Box::new(wake) as Box<dyn Fn() + Send>);
        let (failed, not_started, with) = (job.failure(), job.failure(), self.resources.clone());
        let out = Outlet {
            lane,
            progress: progress.clone(),
            wake_later: Box::new(wake_later),
            cancel: cancel.clone(),
        };
        let work = move || {
            let done = worker::catch(|| job.run(&with, &out));
            let broken = |why: String| failed(format!("a mistake of Taproof\u{2019}s own ended it: {why}"));
            out.lane.send((done.unwrap_or_else(|report| broken(report.message)), true));
        };
        match worker::spawn(name, &cancel, work, |_| {}) {
            Ok(thread) => self.running.push(Running { id, events, progress, thread }),
            Err(error) => return Some(not_started(format!("its thread cannot start: {error}"))),
        }
        None
    }

    /// Takes what the jobs have reported, at most `most` events of each.
    pub fn news(&mut self, most: usize) -> Vec<Event> {
        let mut news = Vec::new();
        let over = |job: &mut Running| {
            news.extend(job.progress.take());
            job.events.try_iter().take(most).any(|(event, last)| {
                news.push(event);
                last
            })
        };
        let ended: Vec<Running> = self.running.extract_if(.., over).collect();
        ended.into_iter().for_each(|job| self.leaving.add(job.thread));
        news
    }

    /// Asks a job to stop. Its last event still comes.
    pub fn cancel(&self, id: JobId) {
        self.running.iter().filter(|job| job.id == id).for_each(|job| job.thread.cancel());
    }

    /// Abandons a job, whose events are not wanted any more, without waiting until it has stopped.
    pub fn leave(&mut self, id: JobId) {
        let left: Vec<Running> = self.running.extract_if(.., |job| job.id == id).collect();
        left.into_iter().for_each(|job| self.leaving.add(job.thread));
    }

    /// Asks all jobs to stop before any is waited for, and waits for those that are no task on a device: what still uses
    /// a device may need those.
    pub fn stop(&mut self) {
        self.running.iter().filter(|job| job.id != JobId::Device).for_each(|job| job.thread.cancel());
        self.running.retain(|job| job.id == JobId::Device);
        self.leaving = Leaving::default();
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::unbounded;
    use taproof_phone::Apps;
    use taproof_session::TestPhones;

    use super::*;

    #[test]
    fn a_job_reports_until_its_last_event_and_nothing_once_it_is_abandoned() {
        let folder = tempfile::tempdir().unwrap();
        let mut background = Background::new(Resources {
            phones: TestPhones::new(Apps::default(), Arc::new(|_| {})),
            workspace: folder.path().join("none"),
            in_use: Arc::default(),
        });
        let (tell, told) = unbounded();
        let wake = move || tell.send(()).unwrap();
        let open = |name: &str| BackgroundJob::Open(FindingKey { campaign: 1, name: name.to_owned() });
        assert!(background.begin(open("a"), wake.clone(), || {}).is_none());
        told.recv().unwrap();
        let news = background.news(1);
        assert!(matches!(&news[..], [Event::Opener(OpenerNews::NotLoaded(key, _))] if *key.name == *"a"));
        assert!(background.running.is_empty() && background.news(1).is_empty());
        for later in ["b", "c"] {
            background.begin(open(later), wake.clone(), || {});
        }
        assert_eq!(background.running.len(), 1, "the earlier one is abandoned");
        background.leave(JobId::Open);
        (0..2).for_each(|_| told.recv().unwrap());
        assert!(background.news(1).is_empty());
        background.stop();
        assert!(background.leaving.are_over());
    }
}
