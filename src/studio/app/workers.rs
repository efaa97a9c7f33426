//! Everything outside of the state: threads, files, devices, dialogs and the window itself. Executes the effects that
//! handlers ask for, and collects what has happened.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use egui::{Context, ViewportCommand};

use crate::background::Background;
use crate::disk::{Done, Job, Jobs};
use crate::effect::Effect;
use crate::event::Event;
use crate::fuzz::{CampaignNews, Sessions};
use crate::phone::{DeviceNews, DevicesInUse, PhoneToShow, PhoneWorker};
use crate::reporter::Resources;
use crate::shell::open_outside;
use crate::state::{CampaignId, Message, News};
use taproof_adb::{DeviceLeft, ScreenHolder};
use taproof_engine::worker::Latest;
use taproof_phone::Apps;
use taproof_session::TestPhones;

/// Maximum number of messages that one frame takes from each worker; the rest is left to the next frame.
const MAX_NEWS: usize = 64;

/// The threads and everything else outside of the state.
pub(crate) struct Workers {
    ctx: Context,
    /// Makes the phones of tests.
    phones: TestPhones,
    /// How devices were left when their tests have ended.
    left: Receiver<DeviceLeft>,
    phone: PhoneWorker,
    background: Background,
    sessions: Sessions,
    /// The devices that have a user.
    in_use: Arc<Mutex<DevicesInUse>>,
    /// The programs that control the screen of the device that was opened last, with its serial.
    holders: Latest<(String, Vec<ScreenHolder>)>,
    /// Why files were not opened outside of the window.
    not_opened: (Sender<String>, Receiver<String>),
    jobs: Option<Jobs>,
    /// Whether workers have requested a frame since the last one: at once, or soon.
    asked: [Arc<AtomicBool>; 2],
}

fn failure(problem: String) -> Event {
    Event::Message(Message::new(News::Failed, problem))
}

fn was_left(left: DeviceLeft) -> Event {
    let kind = if left.is_problem() { News::Failed } else { News::Done };
    Event::Message(Message::new(kind, format!("{left}.")))
}

impl Workers {
    /// Starts the disk thread. The others are started when they are needed.
    ///
    /// # Errors
    ///
    /// The disk thread cannot be started; the rest works without it.
    pub(crate) fn start(ctx: &Context, workspace: PathBuf, apps: Apps) -> (Workers, std::io::Result<()>) {
        let (tell, left) = unbounded();
        let asking = ctx.clone();
        let tell = move |how| {
            if tell.send(how).is_ok() {
                asking.request_repaint_after(Duration::from_millis(1));
            }
        };
        let phones = TestPhones::new(apps.clone(), Arc::new(tell));
        let (in_use, holders) = (Arc::<Mutex<DevicesInUse>>::default(), Latest::new());
        let resources =
            Resources { phones: phones.clone(), workspace: workspace.clone(), in_use: Arc::clone(&in_use) };
        let mut workers = Workers {
            ctx: ctx.clone(),
            phones,
            left,
            phone: PhoneWorker::new(apps.clone(), holders.clone()),
            background: Background::new(resources),
            sessions: Sessions::default(),
            in_use,
            holders,
            not_opened: unbounded(),
            jobs: None,
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
        !self.background.leaving.are_over()
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
            Effect::GiveUp => self.phone.give_up(),
            Effect::Disk(job) => return self.ask(job),
            Effect::Begin(job) => {
                let (wake, later) = (self.wake(), self.wake_later());
                return self.background.begin(job, wake, later);
            }
            Effect::Cancel(id) => self.background.cancel(id),
            Effect::Leave(id) => self.background.leave(id),
            Effect::StartCampaign(starting) => {
                let (wake, later) = (self.wake(), self.wake_later());
                let started = self.sessions.start(starting, &self.phones, wake, later);
                return Some(Event::CampaignStarted(started));
            }
            Effect::Campaign(id, engine, task) => self.sessions.ask(id, engine, task),
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
        *self.in_use.lock().unwrap_or_else(PoisonError::into_inner) = in_use;
        events.extend(self.background.news(MAX_NEWS));
        let holders = self.holders.take();
        events.extend(holders.map(|(serial, all)| Event::Device(DeviceNews::Holders(serial, all))));
        let campaigns = self.sessions.news(MAX_NEWS, &mut self.background.leaving);
        events.extend(self.take_campaigns(campaigns));
        events.extend(self.not_opened.1.try_iter().map(failure));
        events.extend(self.left.try_iter().map(was_left));
        if let Some(jobs) = &self.jobs {
            events.extend(jobs.results(MAX_NEWS).map(Event::Disk));
        }
        if more || self.jobs.as_ref().is_some_and(Jobs::more) {
            // No worker announces messages again that are already waiting.
            self.ctx.request_repaint();
        }
        events
    }

    /// Asks all threads to stop before any is waited for, and waits for those that work for nobody but the window.
    pub(crate) fn stop(&mut self) {
        self.sessions.cancel();
        self.background.stop();
    }

    /// Waits for the campaigns at most until `end`, and returns what they still report.
    pub(crate) fn end_campaigns(&mut self, end: Instant) -> Vec<Event> {
        let last = self.sessions.finish(end);
        self.take_campaigns(last)
    }

    /// Has written what campaigns have to write, and returns what else they report.
    fn take_campaigns(&self, campaigns: Vec<(CampaignId, CampaignNews)>) -> Vec<Event> {
        let mut events = Vec::new();
        for (id, mut news) in campaigns {
            let records = std::mem::take(&mut news.records);
            events.push(Event::Campaign(id, news));
            events.extend(records.into_iter().filter_map(|record| self.ask(Job::Record(id, record))));
        }
        events
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
