//! Everything outside of the state: threads, files, devices, dialogs and the window itself. Executes the effects that
//! handlers ask for, and collects what has happened.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use egui::{Context, ViewportCommand};

use crate::disk::{Done, Job, Jobs};
use crate::effect::Effect;
use crate::event::Event;
use crate::fuzz::Sessions;
use crate::phone::{DeviceWorkers, DevicesInUse, Judgement, PhoneToShow, PhoneWorker};
use crate::record::{DiscoverPlan, Discoverer, DiscoveryNews, Proposer, WayToCut};
use crate::replay::{
    Export, ExportId, ExportNews, ExportWorker, JudgeWorker, Judging, MinimiseWorker, MinimiserNews,
    OpenWorker, OpenerNews,
};
use crate::shell::open_outside;
use crate::specs::{RepairNews, RepairOrder, RepairWorker, TrialNews, TrialWorker};
use crate::state::{FindingKey, Message, News};
use taproof_adb::ClearedApp;
use taproof_core::campaign::TrialPlan;
use taproof_core::worker::Leaving;
use taproof_phone::Apps;
use taproof_session::TestPhones;

/// Maximum number of messages that one frame takes from each worker; the rest is left to the next frame.
const MAX_NEWS: usize = 64;

/// The threads and everything else outside of the state.
pub(crate) struct Workers {
    ctx: Context,
    /// The apps on its bundled phones.
    apps: Apps,
    /// Makes the phones of tests.
    phones: TestPhones,
    /// Which apps on devices were cleared when their tests have ended.
    cleared: Receiver<ClearedApp>,
    workspace: PathBuf,
    phone: PhoneWorker,
    devices: DeviceWorkers,
    proposer: Option<Proposer>,
    discoverer: Option<Discoverer>,
    trial: Option<TrialWorker>,
    repair: Option<RepairWorker>,
    sessions: Sessions,
    minimiser: Option<MinimiseWorker>,
    judge: Option<JudgeWorker>,
    opener: Option<OpenWorker>,
    exports: BTreeMap<ExportId, ExportWorker>,
    /// Why files were not opened outside of the window.
    not_opened: (Sender<String>, Receiver<String>),
    jobs: Option<Jobs>,
    /// Threads that are asked to stop and may still be running; their messages are ignored.
    leaving: Leaving,
    /// Whether workers have requested a frame since the last one: at once, or soon.
    asked: [Arc<AtomicBool>; 2],
}

fn failure(problem: String) -> Event {
    Event::Message(Message::new(News::Failed, problem))
}

fn was_cleared(app: ClearedApp) -> Event {
    let kind = if app.problem.is_some() { News::Failed } else { News::Done };
    Event::Message(Message::new(kind, format!("{app}.")))
}

impl Workers {
    /// Starts the disk thread. The others are started when they are needed.
    ///
    /// # Errors
    ///
    /// The disk thread cannot be started; the rest works without it.
    pub(crate) fn start(ctx: &Context, workspace: PathBuf, apps: Apps) -> (Workers, std::io::Result<()>) {
        let devices = DeviceWorkers::default();
        let (tell, cleared) = unbounded();
        let asking = ctx.clone();
        let tell = move |app| {
            if tell.send(app).is_ok() {
                asking.request_repaint_after(Duration::from_millis(1));
            }
        };
        let mut workers = Workers {
            ctx: ctx.clone(),
            apps: apps.clone(),
            phones: TestPhones::new(apps.clone(), Arc::new(tell)),
            cleared,
            workspace: workspace.clone(),
            phone: PhoneWorker::new(apps.clone(), devices.holders.clone()),
            devices,
            proposer: None,
            discoverer: None,
            trial: None,
            repair: None,
            sessions: Sessions::default(),
            minimiser: None,
            judge: None,
            opener: None,
            exports: BTreeMap::new(),
            not_opened: unbounded(),
            jobs: None,
            leaving: Leaving::default(),
            asked: Default::default(),
        };
        let started = Jobs::start(workspace, apps, workers.wake()).map(|jobs| workers.jobs = Some(jobs));
        (workers, started)
    }

    /// Starts the mirror with its first device.
    ///
    /// # Errors
    ///
    /// Its thread cannot be started.
    pub(crate) fn start_mirror(&mut self, first: PhoneToShow) -> std::io::Result<()> {
        let wake = self.wake();
        self.phone.start(first, wake)
    }

    /// Returns a callback by which workers announce news. The delay of 1 ms makes egui draw one frame instead of two.
    fn wake(&self) -> impl Fn() + Send + Sync + Clone + 'static {
        self.wake_after(0, Duration::from_millis(1))
    }

    /// Returns a callback for news that only changes counters: ten frames per second suffice.
    fn wake_later(&self) -> impl Fn() + Send + Sync + Clone + 'static {
        self.wake_after(1, Duration::from_millis(100))
    }

    /// Only the first call before a frame requests it from egui. A request takes a lock, and a worker that is preempted
    /// while it holds the lock would delay the window.
    fn wake_after(&self, kind: usize, wait: Duration) -> impl Fn() + Send + Sync + Clone + 'static {
        let (ctx, asked) = (self.ctx.clone(), Arc::clone(&self.asked[kind]));
        move || {
            if !asked.swap(true, Ordering::AcqRel) {
                ctx.request_repaint_after(wait);
            }
        }
    }

    /// Whether threads that were asked to stop may still be running.
    pub(crate) fn leaving(&self) -> bool {
        !self.leaving.are_over()
    }

    /// Executes an effect. Returns what is known of it at once.
    pub(crate) fn execute(&mut self, effect: Effect) -> Option<Event> {
        match effect {
            Effect::Then(event) => return Some(event),
            Effect::Mirror(command) => return Some(Event::Ordered(self.phone.send(command), None)),
            Effect::Show(phone) => {
                let (order, opened) = self.phone.show(phone);
                return Some(Event::Ordered(order, Some(opened)));
            }
            Effect::Lead(lead) => {
                let (order, opened) = self.phone.lead(lead);
                return Some(Event::Ordered(order, Some(opened)));
            }
            Effect::StopRedoing => self.phone.stop_redoing(),
            Effect::Disk(job) => return self.ask(job),
            Effect::Device(task) => {
                let wake = self.wake();
                return self.devices.begin(task, &mut self.leaving, wake).map(Event::Device);
            }
            Effect::Propose(way) => return self.propose(*way),
            Effect::Discover(plan) => return self.discover(*plan),
            Effect::StopDiscovering => self.discoverer.iter().for_each(Discoverer::cancel),
            Effect::Try(plan, command) => return self.start_trial(plan, command),
            Effect::StopTrial => self.trial.iter().for_each(TrialWorker::cancel),
            Effect::LeaveTrial => self.leave_trial(),
            Effect::Repair(order, command) => return self.start_repair(order, command),
            Effect::StopRepair => self.repair.iter().for_each(RepairWorker::cancel),
            Effect::LeaveRepair => self.leave_repair(),
            Effect::StartCampaign(starting) => {
                let (wake, later) = (self.wake(), self.wake_later());
                let started = self.sessions.start(starting, &self.phones, wake, later);
                return Some(Event::CampaignStarted(started));
            }
            Effect::Campaign(id, task) => self.sessions.ask(id, task),
            Effect::Minimise(key) => return self.minimise(key),
            Effect::StopMinimising => self.minimiser.iter().for_each(MinimiseWorker::cancel),
            Effect::Judge(judging) => return self.judge(*judging),
            Effect::Open(key) => return self.open(key),
            Effect::CancelOpening => self.stop_opening(),
            Effect::Export(id, export) => return self.export(id, *export),
            Effect::CancelExport(id) => self.exports.get(&id).into_iter().for_each(ExportWorker::cancel),
            Effect::OpenOutside(path) => return self.open_outside(path),
            Effect::Copy(text) => self.ctx.copy_text(text),
            Effect::RepaintAfter(time) => self.ctx.request_repaint_after(time),
            Effect::CloseWindow => self.ctx.send_viewport_cmd(ViewportCommand::Close),
            Effect::KeepOpen => self.ctx.send_viewport_cmd(ViewportCommand::CancelClose),
        }
        None
    }

    fn ask(&self, job: Job) -> Option<Event> {
        let finding = match &job {
            Job::Record(id, record) => record.finding().map(|finding| (*id, Arc::clone(finding))),
            _ => None,
        };
        if self.jobs.as_ref().is_some_and(|jobs| jobs.ask(job)) {
            return None;
        }
        let lost = |(id, finding)| Done::NotWritten(id, "the disk worker is gone".to_owned(), Some(finding));
        Some(finding.map_or(Event::DiskGone, |finding| Event::Disk(lost(finding))))
    }

    fn propose(&mut self, way: WayToCut) -> Option<Event> {
        if self.proposer.is_none() {
            match Proposer::start(self.wake()) {
                Ok(proposer) => self.proposer = Some(proposer),
                Err(error) => return Some(Event::Proposals(Err(error.to_string()))),
            }
        }
        self.proposer.as_ref()?.cut(way);
        None
    }

    fn discover(&mut self, plan: DiscoverPlan) -> Option<Event> {
        let started = Discoverer::start(plan, self.phones.clone(), self.wake());
        let failed = started.map(|thread| self.discoverer = Some(thread)).err()?;
        let problem = format!("Its thread cannot start: {failed}");
        Some(Event::Discovery(DiscoveryNews::Failed(problem)))
    }

    fn start_trial(&mut self, plan: Arc<TrialPlan>, command: Option<String>) -> Option<Event> {
        self.leave_trial();
        let worker = TrialWorker::start(plan, (self.phones.clone(), command), self.wake());
        let failed = worker.map(|worker| self.trial = Some(worker)).err()?;
        Some(Event::Trial(TrialNews::NotStarted(failed.to_string())))
    }

    fn start_repair(&mut self, order: Arc<RepairOrder>, command: Option<String>) -> Option<Event> {
        self.leave_repair();
        let worker = RepairWorker::start(order, (self.phones.clone(), command), self.wake());
        let failed = worker.map(|worker| self.repair = Some(worker)).err()?;
        Some(Event::Repair(RepairNews::Failed(failed.to_string())))
    }

    /// Abandons the running repair, if any, without waiting until it has stopped.
    fn leave_repair(&mut self) {
        let repair = self.repair.take().map(RepairWorker::retire);
        repair.into_iter().for_each(|thread| self.leaving.add(thread));
    }

    fn minimise(&mut self, key: FindingKey) -> Option<Event> {
        let worker = MinimiseWorker::start(key, self.workspace.clone(), self.phones.clone(), self.wake());
        let failed = worker.map(|worker| self.minimiser = Some(worker)).err()?;
        Some(Event::Minimiser(MinimiserNews::NotStarted(failed.to_string())))
    }

    fn judge(&mut self, judging: Judging) -> Option<Event> {
        self.stop_judging();
        let order = judging.order;
        let worker = JudgeWorker::start(judging, self.apps.clone(), self.wake());
        let failed = worker.map(|worker| self.judge = Some(worker)).err()?;
        Some(Event::Judged((order, Judgement::NotJudged(failed.to_string()))))
    }

    /// Stops judging a finding, without waiting for that.
    fn stop_judging(&mut self) {
        let judge = self.judge.take().map(JudgeWorker::retire);
        judge.into_iter().for_each(|thread| self.leaving.add(thread));
    }

    fn open(&mut self, key: FindingKey) -> Option<Event> {
        self.stop_opening();
        let from = (self.apps.clone(), self.workspace.clone());
        let worker = OpenWorker::start(key.clone(), from, self.wake(), self.wake_later());
        let failed = worker.map(|worker| self.opener = Some(worker)).err()?;
        Some(Event::Opener(OpenerNews::NotLoaded(key, failed.to_string())))
    }

    /// Stops reading a finding, without waiting for that.
    fn stop_opening(&mut self) {
        let opener = self.opener.take().map(OpenWorker::retire);
        opener.into_iter().for_each(|thread| self.leaving.add(thread));
    }

    fn export(&mut self, id: ExportId, export: Export) -> Option<Event> {
        let from = (self.apps.clone(), self.workspace.clone());
        let worker = ExportWorker::start(export, from, self.wake(), self.wake_later());
        let failed = worker.map(|worker| drop(self.exports.insert(id, worker))).err()?;
        Some(Event::Export(id, ExportNews::NotStarted(failed.to_string())))
    }

    /// Abandons the running trial, if any, without waiting until it has stopped.
    fn leave_trial(&mut self) {
        let trial = self.trial.take().map(TrialWorker::retire);
        trial.into_iter().for_each(|thread| self.leaving.add(thread));
    }

    fn open_outside(&mut self, path: PathBuf) -> Option<Event> {
        let (failures, wake) = (self.not_opened.0.clone(), self.wake());
        let failed = move |problem| {
            if failures.send(problem).is_ok() {
                wake();
            }
        };
        let error = open_outside(path.clone(), failed).err()?;
        Some(failure(format!("{} was not opened: {error}. Open it by hand.", path.display())))
    }

    /// Returns what the workers have reported since the last frame.
    pub(crate) fn news(&mut self, in_use: DevicesInUse) -> Vec<Event> {
        self.asked.iter().for_each(|asked| asked.store(false, Ordering::Release));
        let mut events = Vec::new();
        let report = self.phone.report(MAX_NEWS);
        let more = report.as_ref().is_some_and(|report| report.more);
        events.extend(report.map(Event::Phone));
        events.extend(self.devices.news(in_use, &mut self.leaving).into_iter().map(Event::Device));
        events.extend(self.proposer.iter().flat_map(Proposer::news).map(Event::Proposals));
        if events.iter().any(|event| matches!(event, Event::Proposals(Err(_)))) {
            self.proposer = None;
        }
        if let Some((news, over)) = self.discoverer.as_ref().map(|thread| thread.news(MAX_NEWS)) {
            events.extend(news.into_iter().map(Event::Discovery));
            let ended = self.discoverer.take_if(|_| over).map(Discoverer::retire);
            ended.into_iter().for_each(|thread| self.leaving.add(thread));
        }
        if let Some((news, over)) = self.trial.as_ref().map(|trial| trial.news(MAX_NEWS)) {
            events.extend(news.into_iter().map(Event::Trial));
            if over {
                self.leave_trial();
            }
        }
        if let Some((news, over)) = self.repair.as_ref().map(|repair| repair.news(MAX_NEWS)) {
            events.extend(news.into_iter().map(Event::Repair));
            if over {
                self.leave_repair();
            }
        }
        if let Some((news, over)) = self.minimiser.as_ref().map(MinimiseWorker::news) {
            events.extend(news.into_iter().map(Event::Minimiser));
            let ended = self.minimiser.take_if(|_| over).map(MinimiseWorker::retire);
            ended.into_iter().for_each(|thread| self.leaving.add(thread));
        }
        if let Some(judged) = self.judge.as_ref().and_then(JudgeWorker::news) {
            events.push(Event::Judged(judged));
            self.stop_judging();
        }
        if let Some((news, over)) = self.opener.as_ref().map(OpenWorker::news) {
            events.extend(news.map(Event::Opener));
            if over {
                self.stop_opening();
            }
        }
        events.extend(self.export_news());
        let campaigns = self.sessions.news(MAX_NEWS, &mut self.leaving);
        events.extend(campaigns.into_iter().map(|(id, news)| Event::Campaign(id, news)));
        events.extend(self.not_opened.1.try_iter().map(failure));
        events.extend(self.cleared.try_iter().map(was_cleared));
        if let Some(jobs) = &self.jobs {
            events.extend(jobs.results(MAX_NEWS).map(Event::Disk));
        }
        if more || self.jobs.as_ref().is_some_and(Jobs::more) {
            // No worker announces messages again that are already waiting.
            self.ctx.request_repaint();
        }
        events
    }

    fn export_news(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        let over = |id: &ExportId, worker: &mut ExportWorker| {
            let (news, over) = worker.news();
            events.push(Event::Export(*id, news));
            over
        };
        for (_, worker) in self.exports.extract_if(.., over) {
            self.leaving.add(worker.retire());
        }
        events
    }

    /// Asks all threads to stop before any is waited for, and waits for those that work for nobody but the window.
    pub(crate) fn stop(&mut self) {
        self.sessions.cancel();
        self.exports.values().for_each(ExportWorker::cancel);
        self.trial = None;
        self.discoverer = None;
        self.repair = None;
        self.minimiser = None;
        self.judge = None;
        self.opener = None;
        self.leaving = Leaving::default();
        self.proposer = None;
        self.exports.clear();
    }

    /// Waits for the campaigns at most until `end`, and returns what they still report.
    pub(crate) fn end_campaigns(&mut self, end: Instant) -> Vec<Event> {
        let last = self.sessions.finish(end);
        last.into_iter().map(|(id, news)| Event::Campaign(id, news)).collect()
    }

    /// Waits until the disk thread has done all its jobs, and returns what was not written.
    pub(crate) fn end_disk(&mut self) -> Vec<Event> {
        let results = self.jobs.take().map(Jobs::finish).unwrap_or_default();
        let lost = results.into_iter().filter(|done| matches!(done, Done::NotWritten(..)));
        lost.map(Event::Disk).collect()
    }

    /// Waits until the mirror has restored its device.
    pub(crate) fn end_phone(&mut self) {
        self.phone.end();
    }
}
