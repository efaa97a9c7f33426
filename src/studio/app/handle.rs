//! Handles the events of the window, one after the other: each is passed to the functions of its place, which change the
//! state and return what is to be done outside of it.

use crate::command::{Command, DocumentCommand, FileQuestion};
use crate::disk::{Done, Job};
use crate::effect::Effect;
use crate::event::{Event, Tick};
use crate::mirror::MirrorCommand;
use crate::phone::{self, PhoneReport, PhoneToShow};
use crate::replay::HistoryCommand;
use crate::shell::Sheet;
use crate::state::{FindingKey, Place, StudioState};
use crate::{fuzz, record, replay, shell, specs};

/// Handles an event.
pub(crate) fn handle(state: &mut StudioState, event: Event) -> Vec<Effect> {
    match event {
        Event::Command(command) => return run(state, command),
        Event::Input(now) => return specs::count_seconds(state, now),
        Event::Dropped(path) => {
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            return match &*extension {
                "apk" => phone::install_dropped(state, path),
                "yaml" | "yml" => record::import_flow(state, path),
                _ => specs::run_document(state, DocumentCommand::Open(path)),
            };
        }
        Event::Closing => return specs::guard_the_end(&mut state.documents),
        Event::EndAsked => return specs::close_unasked(&mut state.documents),
        Event::Tick(now) => return tick(state, now),
        Event::Phone(report) => return take_report(state, report),
        Event::Ordered(order, opened) => phone::ordered(state, order, opened),
        Event::Device(news) => {
            let mut effects = phone::take_device_news(state, news);
            effects.extend(record::bring_phone(state));
            return effects;
        }
        Event::Proposals(found) => record::take_proposals(state, found),
        Event::Discovery(news) => state.discovery.take(news),
        Event::Imported(flow) => return record::take_imported(state, flow),
        Event::Repair(news) => specs::take_repair(&mut state.repair, news),
        Event::Trial(news) => specs::take_trial(&mut state.trial, news),
        Event::Campaign(id, news) => {
            let ended = news.together.is_some();
            fuzz::take_news(&mut state.campaigns, id, news);
            // How often each was seen is written at the end.
            return ended.then(|| replay::ask_history(state)).flatten().into_iter().collect();
        }
        Event::CampaignStarted(started) => return fuzz::started(state, started),
        Event::Disk(done) => return take_done(state, done),
        Event::DiskGone => {
            state.notify_failure("The disk worker is gone: nothing can be kept. Restart Taproof.");
        }
        Event::Message(message) => state.show_message(message),
        Event::FunctionSaved(name) => state.record.was_kept(name),
        Event::Minimiser(news) => return replay::take_minimiser(state, news),
        Event::Judged(order, judgement) => replay::take_judged(state, order, judgement),
        Event::Opener(news) => return replay::take_opener(state, news),
        Event::ScreensFound(words, Ok(found)) => state.history.take_screens(words, found),
        Event::ScreensFound(_, Err(problem)) => {
            state.notify_failure(format!("The screens cannot be searched: {problem}"));
        }
        Event::EventsFound(query, found) => state.campaigns.events.take(&query, found),
        Event::Export(id, news) => return replay::take_export(&mut state.exports, id, news),
    }
    Vec::new()
}

/// Executes a command of a panel.
fn run(state: &mut StudioState, command: Command) -> Vec<Effect> {
    match command {
        Command::Go(place) => return go(state, place),
        Command::GoRecord(view) => {
            state.settings.place = Place::Record;
            state.settings.record_view = view;
        }
        Command::UseApp(target) => return phone::choose_app(state, target),
        Command::Device(command) => return phone::run_device(state, command),
        Command::AnswerAboutData(answer) => return phone::answer(state, answer),
        Command::OpenWalk(folder) => return vec![Effect::Show(PhoneToShow::Walk(folder))],
        Command::ImportFlow(path) => return record::import_flow(state, path),
        Command::LivePhone => return vec![phone::show_phone(state)],
        Command::BeginAnew => return phone::begin_anew(state),
        Command::SeekWalk(step) => return vec![Effect::Mirror(MirrorCommand::Seek(step))],
        Command::StepWalk(steps) => return vec![Effect::Mirror(MirrorCommand::SeekBy(steps))],
        Command::Touch { frame, at, gesture } => {
            return vec![Effect::Mirror(MirrorCommand::Touch { frame, at, gesture })];
        }
        Command::Perform(event) => return vec![Effect::Mirror(MirrorCommand::Perform(event))],
        Command::Select(widget) => state.selected = widget,
        Command::Widget(command) => return phone::run_widget(state, command),
        Command::Rule(change) => fuzz::change_rules(state, change),
        Command::Window(command) => shell::run_window(&mut state.settings, &mut state.window, command),
        Command::File(command) => return shell::run_file(state, command),
        Command::Record(command) => return record::run_record(state, command),
        Command::Proposal(command) => return record::run_proposal(state, command),
        Command::Discover(command) => return record::run_discover(state, command),
        Command::Document(command) => return specs::run_document(state, command),
        Command::Stand(place) => return vec![phone::stand(place)],
        Command::TakeOver(command) => return phone::run_take_over(state, command),
        Command::Repair(command) => return specs::run_repair(state, command),
        Command::Trial(command) => return specs::run_trial(state, command),
        Command::Keep(command) => return phone::run_keep(state, command),
        Command::Match(widgets) => state.matches = widgets,
        Command::OpenOutside(path) => return vec![Effect::OpenOutside(path)],
        Command::DismissMessage => {
            state.message = None;
            state.mirror.problem = None;
        }
        Command::EditForm(form) => state.campaigns.edit_form(*form),
        Command::StartCampaign(order) => return fuzz::start_campaign(state, *order),
        Command::PauseCampaign(id, pause) => return fuzz::pause_campaign(&mut state.campaigns, id, pause),
        Command::CancelCampaign(id) => return fuzz::cancel_campaign(&mut state.campaigns, id),
        Command::Campaign(command) => return fuzz::run_campaign(state, command),
        Command::ShowCampaign(id) => state.campaigns.show(id),
        Command::OpenFinding(campaign, name) => {
            let row = state.campaigns.get(campaign).and_then(|campaign| campaign.row);
            if let Some(campaign) = row {
                return replay::open_finding(state, FindingKey { campaign, name });
            }
        }
        Command::Export(command) => return vec![Effect::ask(FileQuestion::export(command))],
        Command::CancelExport(id) => return replay::cancel_export(&mut state.exports, id),
        Command::CopyCommands => return replay::copy_commands(state),
        Command::History(HistoryCommand::NewIssue(_)) if state.settings.issue_link.is_empty() => {
            state.window.sheet = Some(Sheet::Preferences);
            state.notify("Say first where your new issues are written: the link for new issues.");
        }
        Command::History(command) => return replay::run_history(state, command),
        Command::Replay(command) => state.replay.iter_mut().for_each(|replay| replay.run(command)),
    }
    Vec::new()
}

/// Shows a place. What it lists is read anew, since a command line may have run or found something meanwhile.
fn go(state: &mut StudioState, place: Place) -> Vec<Effect> {
    state.settings.place = place;
    match place {
        Place::Record => Vec::new(),
        Place::Fuzz => {
            state.campaigns.rule_files.forget();
            vec![Effect::Disk(Job::Campaigns)]
        }
        Place::Replay => replay::ask_history(state).into_iter().collect(),
    }
}

/// Does what comes with time, and what follows from everything that has happened in the frame: what is written after a
/// pause, what moves by itself, and what must be asked for because it is shown.
fn tick(state: &mut StudioState, tick: Tick) -> Vec<Effect> {
    state.window.today = tick.today;
    let mut effects = specs::tick(&mut state.documents, tick.now);
    state.trial.tick(tick.now);
    effects.extend(record::tick(state, tick.now));
    effects.extend(fuzz::keep_first_steps(&mut state.campaigns, tick.now, false));
    effects.extend(fuzz::tick(state, tick.now));
    effects.extend(replay::tick(state, tick.now));
    effects.extend(phone::tick(state, tick));
    effects.extend(shell::tick(state, tick.now));
    effects
}

/// Takes what the mirror reported.
fn take_report(state: &mut StudioState, report: PhoneReport) -> Vec<Effect> {
    if let Some(news) = report.news {
        phone::take_news(state, news);
    }
    for fact in report.facts {
        record::take_fact(state, &fact);
        phone::take_fact(state, fact);
    }
    if report.more { Vec::new() } else { record::end_if_done(state) }
}

/// Takes what the disk thread has done.
fn take_done(state: &mut StudioState, done: Done) -> Vec<Effect> {
    match done {
        Done::Spec(done) => {
            let mut effects = specs::take_done(state, done);
            effects.extend(record::bring_phone(state));
            return effects;
        }
        Done::Written => {}
        Done::Prepared(prepared) => return fuzz::start_prepared(state, *prepared),
        Done::RulesRead(path, read) => state.campaigns.rule_files.take(path, read.map(|rules| *rules)),
        Done::Begun(campaign, row) => {
            state.campaigns.get_mut(campaign).into_iter().for_each(|campaign| campaign.row = Some(row));
        }
        Done::History(read) => return replay::take_history(state, read),
        Done::Corrected(app, all, words) => return fuzz::corrected(state, app, all, words),
        Done::Ticket(ticket) => return replay::take_ticket(ticket),
        Done::Campaigns(kept) => state.campaigns.kept = kept,
        Done::CampaignOpened(row, read) => fuzz::opened(state, row, read),
        Done::Curves(curves) => state.campaigns.curves.kept = Some(curves),
        Done::Arranged(of, view) => {
            let before = state.campaigns.graph.take(of, view);
            return before.map(|before| Effect::Disk(Job::LetGo(before))).into_iter().collect();
        }
        Done::Thumbnail(of, picture) => {
            state.thumbnails.insert(of.key(), (of, Some(picture)));
        }
        Done::Resumed(resumed) => return fuzz::start_resumed(state, *resumed),
        Done::Found(campaign, found, news) => return fuzz::take_found(state, campaign, found, &news),
        Done::NotWritten(campaign, problem, finding) => {
            return fuzz::not_written(state, campaign, &problem, finding.as_deref());
        }
        Done::Decoded { finding, place, picture } => {
            if let Some(replay) = state.replay.as_mut().filter(|replay| replay.source.key == finding) {
                replay.pictures.insert(place, Some(picture));
            }
        }
        Done::TraceSaved(path, saved) => phone::trace_saved(state, path, &saved),
        Done::GraphSaved(path) => {
            state.notify(format!("Saved. Draw it with: dot -Tsvg {}", path.display()));
        }
        Done::PictureSaved(path) => phone::picture_saved(state, &path),
        Done::TraceOpened(saved) => return vec![phone::trace_opened(&saved)],
        Done::Looked(looked) => return shell::take_looked(state, looked),
        Done::Failed(problem) => state.notify_failure(problem),
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;
    use crate::command::RecordCommand;
    use crate::mirror::{FrameNo, MirrorFact, PathNo, PathPosition, Performed, Seen};
    use crate::phone::WayOrigin;
    use crate::record::RecordPhase;
    use crate::specs::disk_tasks::SpecDone;
    use crate::specs::{DiskTask, DocumentId, SpecEdit, new_dmf};
    use crate::state::AppEntry;
    use taproof_campaign::Target;
    use taproof_engine::device::Build;
    use taproof_screen::{
        AppHealth, DeviceInstant, Event as DeviceEvent, Frame, Gesture, PxPoint, Selector, layout_from,
    };
    use taproof_spec::DmfKind;

    fn screen(button: &str) -> Arc<Seen> {
        let layout = Arc::new(layout_from(&format!("Button#b \"{button}\"\n")));
        let frame = Frame { layout, health: AppHealth::Running, at: DeviceInstant::default() };
        Arc::new(Seen { frame, png: None })
    }

    /// What the mirror reports when the button was tapped.
    fn tapped(button: &str) -> MirrorFact {
        let before = screen(button);
        let selector = Selector { text: Some(button.to_owned()), ..Selector::default() };
        let event = DeviceEvent::on(&before.frame.layout, selector, Gesture::Tap).unwrap();
        let place = PathPosition { path: PathNo(1), step: 0 };
        MirrorFact::Performed(Arc::new(Performed {
            place,
            event,
            before,
            after: screen("Done"),
            again: false,
        }))
    }

    fn report(state: &mut StudioState, fact: MirrorFact) -> Vec<Effect> {
        let report = PhoneReport { news: None, facts: vec![fact], more: false };
        handle(state, Event::Phone(report))
    }

    /// The paths and texts that are to be written, and their document.
    fn written(effects: Vec<Effect>) -> (DocumentId, Vec<(PathBuf, Arc<str>)>) {
        let files = effects.into_iter().find_map(|effect| match effect {
            Effect::Disk(Job::Files(DiskTask::Write(id, files))) => Some((id, files)),
            _ => None,
        });
        let (id, files) = files.unwrap();
        (id, files.into_iter().map(|file| (file.path, file.text)).collect())
    }

    /// The walk of the book's page on architecture, without a window, a phone and a disk.
    #[test]
    fn a_click_becomes_a_saved_specification() {
        let mut state = StudioState::default();
        let target = Target::bundled("org.ex", Build::Sound);
        state.apps.push(AppEntry {
            package: target.app.clone(),
            label: "Ex".to_owned(),
            ..AppEntry::default()
        });
        state.settings.target = target.clone();
        state.mirror.begins(0, WayOrigin { target, initialiser: None });
        report(&mut state, MirrorFact::Began { path: PathNo(1), start: screen("Add"), order: 0 });
        handle(&mut state, Command::Record(RecordCommand::Begin).into());
        let touch = Command::Touch { frame: FrameNo(1), at: PxPoint { x: 1, y: 1 }, gesture: Gesture::Tap };
        let effects = handle(&mut state, touch.into());
        assert!(matches!(effects[..], [Effect::Mirror(MirrorCommand::Touch { .. })]));
        report(&mut state, tapped("Add"));
        assert_eq!((state.record.recording.steps.len(), state.mirror.walked.steps.len()), (1, 1));
        handle(&mut state, Command::Record(RecordCommand::End).into());
        assert_eq!(state.record.phase, RecordPhase::Review);
        let (id, files) = written(handle(&mut state, Command::Record(RecordCommand::Keep).into()));
        assert!(state.record.unsaved(), "nothing is on the disk yet");
        for effect in handle(&mut state, Event::Disk(Done::Spec(SpecDone::Written(id, files)))) {
            if let Effect::Then(event @ Event::FunctionSaved(_)) = effect {
                handle(&mut state, event);
            }
        }
        let saved = state.record.saved_as().unwrap();
        assert!(!state.record.unsaved());
        assert_eq!(state.documents.get(id).unwrap().dmf().unwrap().name, saved);
    }

    /// How often the window is closed by an event.
    fn closed(state: &mut StudioState, event: Event) -> usize {
        handle(state, event).iter().filter(|effect| matches!(effect, Effect::CloseWindow)).count()
    }

    #[test]
    fn a_request_from_outside_closes_the_window_once_and_without_a_question() {
        let mut state = StudioState::default();
        handle(&mut state, Command::Document(DocumentCommand::New).into());
        let (id, dmf) = (state.documents.list[0].id, new_dmf(&[], DmfKind::Create, "note"));
        let edit = Box::new(SpecEdit::InsertDmf(0, Box::new(dmf)));
        handle(&mut state, Command::Document(DocumentCommand::Edit(id, edit)).into());
        assert!(matches!(handle(&mut state, Event::Closing)[..], [Effect::KeepOpen, ..]));
        assert!(state.documents.question.take().is_some(), "the new document is not saved");
        assert_eq!(closed(&mut state, Event::EndAsked), 1);
        assert_eq!(closed(&mut state, Event::EndAsked), 0);
        assert_eq!(handle(&mut state, Event::Closing).len(), 0, "nobody is asked");
    }
}
