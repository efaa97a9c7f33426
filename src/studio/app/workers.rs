//! Everything outside of the state: threads, files, devices, dialogs and the window itself. Executes the effects that
//! handlers ask for, and collects what has happened.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use egui::{Context, ViewportCommand};

use crate::command::FileQuestion;
use crate::disk::{Done, Job, Jobs};
use crate::effect::Effect;
use crate::event::Event;
use crate::fuzz::{CampaignNews, CampaignTask, StartingCampaign};
use crate::mirror::{DeviceMaker, Mirror, MirrorCommand, Opening, walk_maker};
use crate::phone::{
    DeviceWorkers, DevicesInUse, Lead, Opened, PhoneReport, PhoneToShow, WayOrigin, bundled, device_maker,
    fresh_device_maker,
};
use crate::record::Proposer;
use crate::replay::{ExportId, ExportNews, ExportWorker, MinimiseWorker, MinimiserNews};
use crate::shell::{Chosen, Dialog, DialogNews};
use crate::specs::{TrialNews, TrialWorker};
use crate::state::CampaignId;
use taproof_core::device::AppId;
use taproof_core::worker::Leaving;
use taproof_phone::{Apps, Fonts};
use taproof_session::{Phones, Record, Session, before_test};

/// Maximum number of messages that one frame takes from each worker; the rest is left to the next frame.
const MAX_NEWS: usize = 64;

/// The threads and everything else outside of the state.
pub(crate) struct Workers {
    ctx: Context,
    fonts: Arc<Fonts>,
    /// The apps on its bundled phones.
    apps: Apps,
    workspace: PathBuf,
    mirror: Option<Mirror>,
    devices: DeviceWorkers,
    proposer: Option<Proposer>,
    trial: Option<TrialWorker>,
    sessions: BTreeMap<CampaignId, Session>,
    minimiser: Option<MinimiseWorker>,
    exports: BTreeMap<ExportId, ExportWorker>,
    /// The platform's file dialog, and whether it was reported to be slow.
    dialog: Option<(Dialog, bool)>,
    jobs: Option<Jobs>,
    /// Threads that are asked to stop and may still be running; their messages are ignored.
    leaving: Leaving,
    /// Whether workers have requested a frame since the last one: at once, or soon.
    asked: [Arc<AtomicBool>; 2],
}

impl Workers {
    /// Starts the disk thread. The others are started when they are needed.
    ///
    /// # Errors
    ///
    /// The disk thread cannot be started; the rest works without it.
    pub(crate) fn start(ctx: &Context, workspace: PathBuf, apps: Apps) -> (Workers, std::io::Result<()>) {
        let mut workers = Workers {
            ctx: ctx.clone(),
            fonts: Arc::new(Fonts::new()),
            apps: apps.clone(),
            workspace: workspace.clone(),
            mirror: None,
            devices: DeviceWorkers::default(),
            proposer: None,
            trial: None,
            sessions: BTreeMap::new(),
            minimiser: None,
            exports: BTreeMap::new(),
            dialog: None,
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
        let mirror = Mirror::start(self.maker(first).0, self.wake())?;
        self.mirror = Some(mirror);
        Ok(())
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

    /// Executes an effect. Returns what is known of it at once. Dialogs belong to the window, which must be given to open
    /// one.
    pub(crate) fn execute(&mut self, effect: Effect, window: Option<&eframe::Frame>) -> Option<Event> {
        match effect {
            Effect::Then(event) => return Some(event),
            Effect::Mirror(command) => return Some(Event::Ordered(self.send(command), None)),
            Effect::Show(phone) => {
                let (make, opened) = self.maker(phone);
                return Some(Event::Ordered(self.send(MirrorCommand::Use(make)), Some(opened)));
            }
            Effect::Lead(lead) => {
                let opening = self.opening(&lead);
                let order = self.send(MirrorCommand::Open(Box::new(opening)));
                return Some(Event::Ordered(order, Some(Opened::Trace(lead))));
            }
            Effect::StopRedoing => self.mirror.iter().for_each(Mirror::stop_redoing),
            Effect::Disk(job) => return self.ask(job),
            Effect::Device(task) => {
                let wake = self.wake();
                return self.devices.begin(task, &mut self.leaving, wake).map(Event::Device);
            }
            Effect::Propose(way) => {
                if self.proposer.is_none() {
                    match Proposer::start(self.wake()) {
                        Ok(proposer) => self.proposer = Some(proposer),
                        Err(error) => return Some(Event::Proposals(Err(error.to_string()))),
                    }
                }
                if let Some(proposer) = &self.proposer {
                    proposer.cut(*way);
                }
            }
            Effect::Try(plan, command) => {
                self.leave_trial();
                match TrialWorker::start(plan, (self.apps.clone(), command), self.wake()) {
                    Ok(worker) => self.trial = Some(worker),
                    Err(error) => return Some(Event::Trial(TrialNews::NotStarted(error.to_string()))),
                }
            }
            Effect::StopTrial => self.trial.iter().for_each(TrialWorker::cancel),
            Effect::LeaveTrial => self.leave_trial(),
            Effect::Campaign(task) => return self.run_campaign(task),
            Effect::Minimise(key) => {
                let (workspace, apps) = (self.workspace.clone(), self.apps.clone());
                match MinimiseWorker::start(key, workspace, apps, self.wake()) {
                    Ok(worker) => self.minimiser = Some(worker),
                    Err(error) => {
                        return Some(Event::Minimiser(MinimiserNews::NotStarted(error.to_string())));
                    }
                }
            }
            Effect::StopMinimising => self.minimiser.iter().for_each(MinimiseWorker::cancel),
            Effect::Export(id, export) => {
                let from = (self.apps.clone(), self.workspace.clone());
                match ExportWorker::start(*export, from, self.wake(), self.wake_later()) {
                    Ok(worker) => drop(self.exports.insert(id, worker)),
                    Err(error) => return Some(Event::Export(id, ExportNews::NotStarted(error.to_string()))),
                }
            }
            Effect::CancelExport(id) => self.exports.get(&id).into_iter().for_each(ExportWorker::cancel),
            Effect::OpenDialog(question, folder) => return self.open_dialog(&question, folder, window),
            Effect::CloseDialog => self.dialog = None,
            Effect::Copy(text) => self.ctx.copy_text(text),
            Effect::RepaintAfter(time) => self.ctx.request_repaint_after(time),
            Effect::CloseWindow => self.ctx.send_viewport_cmd(ViewportCommand::Close),
            Effect::KeepOpen => self.ctx.send_viewport_cmd(ViewportCommand::CancelClose),
        }
        None
    }

    fn send(&self, command: MirrorCommand) -> Option<u64> {
        self.mirror.as_ref().and_then(|mirror| mirror.send(command))
    }

    /// The fonts and apps of every bundled phone.
    fn phone_parts(&self) -> (Arc<Fonts>, Apps) {
        (Arc::clone(&self.fonts), self.apps.clone())
    }

    /// Returns a maker of a phone to show, and what it opens.
    fn maker(&self, phone: PhoneToShow) -> (DeviceMaker, Opened) {
        let (target, bugs, as_it_is) = match phone {
            PhoneToShow::Walk(folder) => return (walk_maker(folder), Opened::Walk),
            PhoneToShow::App(target, bugs) => (target, bugs, false),
            PhoneToShow::Again(target) => (target, Default::default(), true),
        };
        let app = target.app.clone();
        let make = match &target.device {
            Some(serial) => device_maker(serial.clone(), app, as_it_is, self.devices.holders.clone()),
            None => bundled::phone_maker(self.phone_parts(), app, bugs),
        };
        (make, Opened::Phone(WayOrigin { target, initialiser: None }))
    }

    fn opening(&self, lead: &Lead) -> Opening {
        let (trace, target) = (&lead.trace, &lead.trace.target);
        let (app, first) = (target.app.clone(), trace.initialiser.clone());
        let before = before_test(lead.command.clone(), Arc::new(|| false));
        let make = match &target.device {
            Some(serial) => fresh_device_maker(serial.clone(), app, first, before),
            None => bundled::fresh_phone_maker(self.phone_parts(), app, lead.bugs.clone(), first, before),
        };
        Opening {
            make,
            app: AppId(target.app.clone()),
            start: trace.start.clone(),
            events: trace.events.clone(),
            step: lead.step,
        }
    }

    fn ask(&self, job: Job) -> Option<Event> {
        let finding = match &job {
            Job::Record(id, record) => match &**record {
                Record::Finding(finding) => Some((*id, Arc::clone(finding))),
                Record::Sample(_) | Record::Checkpoint(..) | Record::End(..) | Record::Learned(..) => None,
            },
            _ => None,
        };
        if self.jobs.as_ref().is_some_and(|jobs| jobs.ask(job)) {
            return None;
        }
        let lost = |(id, finding)| Done::NotWritten(id, "the disk worker is gone".to_owned(), Some(finding));
        Some(finding.map_or(Event::DiskGone, |finding| Event::Disk(lost(finding))))
    }

    /// Abandons the running trial, if any, without waiting until it has stopped.
    fn leave_trial(&mut self) {
        let trial = self.trial.take().map(TrialWorker::retire);
        trial.into_iter().for_each(|thread| self.leaving.add(thread));
    }

    fn run_campaign(&mut self, task: CampaignTask) -> Option<Event> {
        match task {
            CampaignTask::Start(starting) => return Some(self.start_campaign(starting)),
            CampaignTask::Pause(id, place, pause) => {
                let session = self.sessions.get_mut(&id)?;
                if pause { session.pause(place) } else { session.resume(place) }
            }
            CampaignTask::Cancel(id) => self.sessions.get(&id)?.cancel(),
            CampaignTask::CancelEngine(id, place) => self.sessions.get(&id)?.cancel_engine(place),
            CampaignTask::AskGraph(id, place) => self.sessions.get(&id)?.ask_graph(place),
        }
        None
    }

    fn start_campaign(&mut self, mut starting: Box<StartingCampaign>) -> Event {
        let plan = Arc::clone(&starting.campaign.plan);
        let command = starting.command.take();
        let phones = |place| Phones::of(&self.apps, &plan, place).running_before_tests(command.clone());
        let from = std::mem::take(&mut starting.from);
        let again = starting.stored.is_none();
        Event::CampaignStarted(match Session::start(&plan, from, phones, self.wake(), self.wake_later()) {
            Ok(session) => {
                self.sessions.insert(starting.campaign.id, session);
                Ok(starting)
            }
            Err(error) => Err(match again {
                true => format!("The campaign cannot go on: {error}"),
                false => format!("The campaign cannot start: {error}"),
            }),
        })
    }

    /// Opens the platform's dialog. The window is its parent.
    fn open_dialog(
        &mut self,
        question: &FileQuestion,
        folder: Option<PathBuf>,
        window: Option<&eframe::Frame>,
    ) -> Option<Event> {
        match Dialog::open(question, folder.as_deref(), window?, self.wake()) {
            Ok(dialog) => {
                self.ctx.request_repaint_after(dialog.patience());
                self.dialog = Some((dialog, false));
                None
            }
            Err(_) => Some(Event::Dialog(DialogNews::Chosen(Chosen::NoService))),
        }
    }

    /// Returns what the workers have reported since the last frame.
    pub(crate) fn news(&mut self, in_use: DevicesInUse) -> Vec<Event> {
        self.asked.iter().for_each(|asked| asked.store(false, Ordering::Release));
        let mut events = Vec::new();
        events.extend(self.phone_report().map(Event::Phone));
        events.extend(self.devices.news(in_use, &mut self.leaving).into_iter().map(Event::Device));
        events.extend(self.proposer.iter().flat_map(Proposer::news).map(Event::Proposals));
        if events.iter().any(|event| matches!(event, Event::Proposals(Err(_)))) {
            self.proposer = None;
        }
        if let Some((news, over)) = self.trial.as_ref().map(|trial| trial.news(MAX_NEWS)) {
            events.extend(news.into_iter().map(Event::Trial));
            if over {
                self.leave_trial();
            }
        }
        if let Some((news, over)) = self.minimiser.as_ref().map(MinimiseWorker::news) {
            events.extend(news.into_iter().map(Event::Minimiser));
            let ended = self.minimiser.take_if(|_| over).map(MinimiseWorker::retire);
            ended.into_iter().for_each(|thread| self.leaving.add(thread));
        }
        events.extend(self.export_news());
        events.extend(self.campaign_news());
        events.extend(self.dialog_news().map(Event::Dialog));
        if let Some(jobs) = &self.jobs {
            events.extend(jobs.results(MAX_NEWS).map(Event::Disk));
            if jobs.more() {
                // No worker announces messages again that are already waiting.
                self.ctx.request_repaint();
            }
        }
        events
    }

    fn phone_report(&self) -> Option<PhoneReport> {
        let mirror = self.mirror.as_ref()?;
        let (news, facts) = (mirror.news(), mirror.facts(MAX_NEWS));
        let more = facts.len() == MAX_NEWS;
        if more {
            self.ctx.request_repaint();
        }
        (news.is_some() || !facts.is_empty()).then_some(PhoneReport { news, facts, more })
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

    fn campaign_news(&mut self) -> Vec<Event> {
        let poll = |(id, session): (&CampaignId, &mut Session)| {
            Event::Campaign(*id, CampaignNews::poll(session, MAX_NEWS))
        };
        let events = self.sessions.iter_mut().map(poll).collect();
        for (_, session) in self.sessions.extract_if(.., |_, session| session.over()) {
            session.retire().into_iter().for_each(|thread| self.leaving.add(thread));
        }
        events
    }

    fn dialog_news(&mut self) -> Option<DialogNews> {
        let (dialog, slow) = self.dialog.as_mut()?;
        if let Some(chosen) = dialog.answer() {
            self.dialog = None;
            return Some(DialogNews::Chosen(chosen));
        }
        let due = !*slow && dialog.patience().is_zero();
        *slow |= due;
        due.then_some(DialogNews::Slow)
    }

    /// Asks all threads to stop before any is waited for, and waits for those that work for nobody but the window.
    pub(crate) fn stop(&mut self) {
        self.sessions.values().for_each(Session::cancel);
        self.exports.values().for_each(ExportWorker::cancel);
        self.trial = None;
        self.minimiser = None;
        self.leaving = Leaving::default();
        self.proposer = None;
        self.exports.clear();
    }

    /// Waits for the campaigns at most until `end`, and returns what they still report.
    pub(crate) fn end_campaigns(&mut self, end: Instant) -> Vec<Event> {
        let ended = |(id, session): (CampaignId, Session)| {
            let mut news = CampaignNews::default();
            session.finish(end, &mut news);
            Event::Campaign(id, news)
        };
        std::mem::take(&mut self.sessions).into_iter().map(ended).collect()
    }

    /// Waits until the disk thread has done all its jobs, and returns what was not written.
    pub(crate) fn end_disk(&mut self) -> Vec<Event> {
        let results = self.jobs.take().map(Jobs::finish).unwrap_or_default();
        let lost = results.into_iter().filter(|done| matches!(done, Done::NotWritten(..)));
        lost.map(Event::Disk).collect()
    }

    /// Waits until the mirror has restored its device.
    pub(crate) fn end_mirror(&mut self) {
        self.mirror = None;
    }
}
