//! Tests of documents without a window and without a disk.

use super::*;
use crate::disk::Job;
use crate::effect::Effect;
use crate::event::Event;
use crate::state::{AppEntry, Message, News};
use taproof_results::store::DraftFile;
use taproof_spec::DmfKind;

const NOTES: &str = "{\n  \"dmfs\": [\n    {\n      \"name\": \"add note\", \"type\": \"add\", \"datatype\": \"note\", \"proportion\": \"10\",\n      \"events\": [{\"action\": \"click\", \"widget\": \"e1_widget\", \"text\": \"\", \"force\": true}],\n      \"widgets\": [{\"name\": \"e1_widget\", \"UI_layout_num\": \"0\", \"resource-id\": \"org.ex:id/add\"}],\n      \"impacts\": [], \"preconditions\": [], \"post-conditions\": [], \"why\": \"kept\"\n    }\n  ]\n}\n";

fn app() -> AppEntry {
    let word = |text: &str| text.to_owned();
    AppEntry {
        package: word("org.ex"),
        label: word("Notes"),
        short_name: word("notes"),
        modelled_on: String::new(),
        bugs: Vec::new(),
        dmfs: 0,
        device: None,
        icon: None,
    }
}

fn with_notes() -> (Documents, DocumentId) {
    let mut documents = Documents { home: PathBuf::from("/w/specs"), ..Documents::default() };
    documents.opened(vec![(PathBuf::from("/s/dmf_notes.json"), NOTES.to_owned())]);
    let id = documents.list[0].id;
    (documents, id)
}

fn renamed(documents: &Documents, id: DocumentId, noun: &str) -> DocumentCommand {
    let mut dmf = documents.get(id).unwrap().spec.dmfs[0].clone();
    rename_dmf(&mut dmf, "add", noun);
    DocumentCommand::Edit(id, Box::new(SpecEdit::SetDmf(0, Box::new(dmf), "name".to_owned())))
}

fn text(documents: &Documents, id: DocumentId) -> String {
    documents.get(id).unwrap().main().file.source().to_owned()
}

#[test]
fn typing_is_one_step_and_undone_to_the_byte() {
    let (mut documents, id) = with_notes();
    assert!(!documents.get(id).unwrap().unsaved());
    for noun in ["n", "no", "notebook"] {
        let command = renamed(&documents, id, noun);
        documents.run(command, None);
    }
    let changed = text(&documents, id);
    assert!(changed.contains("add notebook") && changed.contains("\"why\": \"kept\""), "{changed}");
    assert_eq!(documents.get(id).unwrap().app, "org.ex");
    assert!(documents.get(id).unwrap().unsaved());
    documents.run(DocumentCommand::Undo(id), None);
    assert_eq!(text(&documents, id), NOTES);
    assert_eq!(documents.get(id).unwrap().can_undo_redo(), (false, true));
    documents.run(DocumentCommand::Redo(id), None);
    assert_eq!(text(&documents, id), changed);
}

#[test]
fn form_and_json_are_always_the_same() {
    let (mut documents, id) = with_notes();
    let json = documents.get(id).unwrap().json.text.clone();
    let typed = |text: String| DocumentCommand::Edit(id, Box::new(SpecEdit::Json(text)));
    documents.run(typed(json.replace("\"10\"", "\"7\"")), None);
    assert_eq!(documents.get(id).unwrap().spec.dmfs[0].weight, 7);
    let version = documents.get(id).unwrap().version.clone();
    documents.run(typed(json.replace("\"10\"", "\"7")), None);
    let document = documents.get(id).unwrap();
    assert_eq!(document.spec.dmfs[0].weight, 7, "the form keeps what could be read");
    assert!(
        in_words(document.json.problem.as_ref().unwrap()).contains("ine "),
        "{:?}",
        document.json.problem
    );
    assert_eq!((document.unsaved(), document.version == version), (true, true));
    assert!(matches!(
        &documents.run(DocumentCommand::Save(id), None)[..],
        [Effect::Then(Event::Message(Message { kind: News::Failed, .. }))]
    ));
    documents.run(DocumentCommand::ShowJson(id, JsonTarget::Dmf), None);
    assert_eq!(documents.get(id).unwrap().json.problem, None);
    documents.run(DocumentCommand::Undo(id), None);
    assert_eq!(text(&documents, id), NOTES);
    assert_eq!(documents.get(id).unwrap().json.text, json);
}

#[test]
fn a_shipped_document_is_copied_before_it_changes() {
    let (mut documents, id) = with_notes();
    documents.list[0].shipped = true;
    let command = renamed(&documents, id, "list");
    let told = documents.run(command, Some(&app()));
    assert!(
        matches!(&told[..], [Effect::Then(Event::Message(Message { text, kind: News::Done, .. }))] if text.contains("my copy of notes"))
    );
    assert_eq!(text(&documents, id), NOTES);
    let copy = documents.shown("org.ex").unwrap();
    assert_eq!((copy.spec.dmfs[0].name.as_str(), copy.unsaved()), ("add list", true));
    assert_eq!(copy.main().lies_at(), None);
    let copy = copy.id;
    let tasks = documents.run(DocumentCommand::Save(copy), None);
    let [Effect::Disk(Job::Files(DiskTask::Write(_, files)))] = &tasks[..] else { panic!("one write") };
    assert_eq!(files[0].path, PathBuf::from("/w/specs/ex/dmf_my_copy_of_notes.json"));
    assert_eq!((files.len(), files[0].known.clone(), files[0].over), (1, None, false));
    documents.written(copy, &[(files[0].path.clone(), Arc::clone(&files[0].text))]);
    let saved = documents.get(copy).unwrap();
    assert!(!saved.unsaved());
    assert_eq!(saved.main().lies_at(), Some(files[0].path.as_path()));
    assert_eq!(documents.recent[0], files[0].path);
}

#[test]
fn keeping_a_dmf_asks_where_the_name_is_taken() {
    let (mut documents, id) = with_notes();
    documents.recording = 30.0;
    let mut dmf = documents.get(id).unwrap().spec.dmfs[0].clone();
    dmf.weight = 3;
    assert_eq!(documents.run(DocumentCommand::Keep(Box::new(dmf), None), Some(&app())).len(), 0);
    assert!(matches!(documents.question, Some(DocumentQuestion::SameName(..))));
    let tasks = documents.run(DocumentCommand::Answer(Answer::KeepBoth), Some(&app()));
    assert!(tasks.iter().any(|task| matches!(task, Effect::Disk(Job::Files(DiskTask::Write(..))))));
    let document = documents.get(id).unwrap();
    let names: Vec<&str> = document.spec.dmfs.iter().map(|dmf| dmf.name.as_str()).collect();
    assert_eq!((names, document.chosen), (vec!["add note", "add1 note"], 1));
    assert_eq!(document.times["add1 note"].recording, 30.0);
    let kept = |effects: &[Effect]| saves(effects, "add1 note");
    assert!(!kept(&tasks), "it is not on the disk yet");
    assert!(kept(&documents.written(id, &on_disk(&only_write(&tasks)))));
    // The DMF under which the same recording was saved is replaced.
    let mut again = documents.get(id).unwrap().spec.dmfs[1].clone();
    again.weight = 4;
    let before = Some("add1 note".to_owned());
    documents.run(DocumentCommand::Keep(Box::new(again), before), Some(&app()));
    assert_eq!((&documents.question, documents.get(id).unwrap().spec.dmfs[1].weight), (&None, 4));
    // This also holds under another name; the old DMF is removed.
    let renamed = Dmf { name: "edit note".to_owned(), ..documents.get(id).unwrap().spec.dmfs[1].clone() };
    documents.run(DocumentCommand::Keep(Box::new(renamed), Some("add1 note".to_owned())), Some(&app()));
    let names: Vec<_> = documents.get(id).unwrap().spec.dmfs.iter().map(|dmf| dmf.name.as_str()).collect();
    assert_eq!(names, ["add note", "edit note"]);
    // If there is no document that can be written, one is created.
    let other = AppEntry { package: "org.other".to_owned(), label: "Other".to_owned(), ..app() };
    let dmf = new_dmf(&[], DmfKind::Create, "thing");
    documents.run(DocumentCommand::Keep(Box::new(dmf), None), Some(&other));
    assert_eq!(
        documents.own("org.other").map(|own| (own.name.as_str(), own.spec.dmfs.len())),
        Some(("my Other", 1))
    );
}

#[test]
fn what_is_not_saved_is_asked_about_and_kept() {
    let (mut documents, id) = with_notes();
    let command = renamed(&documents, id, "list");
    documents.run(command, None);
    let drafts = documents.drafts();
    let [Effect::Disk(Job::Files(DiskTask::KeepDraft(word, draft)))] = &drafts[..] else {
        panic!("one draft")
    };
    assert_eq!(documents.drafts().len(), 0, "once");
    let mut next = Documents::default();
    next.restored(word.clone(), (**draft).clone());
    let restored = &next.list[0];
    assert_eq!((restored.spec.dmfs[0].name.as_str(), restored.unsaved()), ("add list", true));
    documents.run(DocumentCommand::Close(id), None);
    assert_eq!(documents.question, Some(DocumentQuestion::Close(id)));
    documents.run(DocumentCommand::Answer(Answer::Cancel), None);
    documents.run(DocumentCommand::Quit, None);
    let tasks = documents.run(DocumentCommand::Answer(Answer::Save), None);
    let [Effect::Disk(Job::Files(DiskTask::Write(_, files)))] = &tasks[..] else { panic!("one write") };
    let files: Vec<_> = files.iter().map(|file| (file.path.clone(), Arc::clone(&file.text))).collect();
    let tasks = documents.written(id, &files);
    let forgets = |task: &DiskTask| *task == DiskTask::ForgetDraft(word.clone());
    assert!(tasks.iter().any(|effect| matches!(effect, Effect::Disk(Job::Files(task)) if forgets(task))));
    assert!(matches!(tasks.last(), Some(Effect::CloseWindow)));
}

#[test]
fn blocks_go_to_a_file_beside_the_dmfs() {
    let (mut documents, id) = with_notes();
    let block = taproof_spec::Block {
        pattern: taproof_spec::ViewPattern { attributes: vec![("text".to_owned(), "Save".to_owned())] },
        event: taproof_spec::BlockedEvent::Widget,
        reason: String::new(),
        activity: None,
        every_engine: false,
    };
    documents.run(DocumentCommand::Edit(id, Box::new(SpecEdit::AddBlock(block))), None);
    let tasks = documents.run(DocumentCommand::Save(id), None);
    let [Effect::Disk(Job::Files(DiskTask::Write(_, files)))] = &tasks[..] else { panic!("one write") };
    assert_eq!(
        files.iter().map(|file| file.path.clone()).collect::<Vec<_>>(),
        [PathBuf::from("/s/keyviews_notes.json")]
    );
    let written = |documents: &Documents| documents.get(id).unwrap().spec.blocks[0].clone();
    let every = taproof_spec::Block { every_engine: true, ..written(&documents) };
    documents.run(DocumentCommand::Edit(id, Box::new(SpecEdit::SetBlock(0, every))), None);
    let text = documents.get(id).unwrap().files[1].file.source();
    assert!(written(&documents).every_engine && text.contains("taproof_every_engine"), "{text}");
    documents.run(DocumentCommand::Undo(id), None);
    assert!(!written(&documents).every_engine);
    documents.run(DocumentCommand::Undo(id), None);
    assert!(!documents.get(id).unwrap().unsaved());
}

#[test]
fn findings_are_mended_by_a_click() {
    let (mut documents, id) = with_notes();
    let mut dmf = documents.get(id).unwrap().spec.dmfs[0].clone();
    dmf.weight = 0;
    dmf.widgets.push(taproof_spec::NamedSelector {
        name: "spare".to_owned(),
        layout: 9,
        selector: SpecSelector::default(),
    });
    documents
        .run(DocumentCommand::Edit(id, Box::new(SpecEdit::SetDmf(0, Box::new(dmf), String::new()))), None);
    for _ in 0..20 {
        let document = documents.get(id).unwrap();
        let Some(fix) = document.findings.iter().find_map(|finding| fix(document, finding)) else { break };
        documents.run(DocumentCommand::Edit(id, Box::new(fix.edit)), None);
    }
    let dmf = &documents.get(id).unwrap().spec.dmfs[0];
    assert_eq!((dmf.weight, dmf.widgets.len()), (10, 1));
}

/// Whether the function with this name is reported as saved.
fn saves(effects: &[Effect], function: &str) -> bool {
    let saved =
        |effect: &Effect| matches!(effect, Effect::Then(Event::FunctionSaved(name)) if name == function);
    effects.iter().any(saved)
}

fn only_write(tasks: &[Effect]) -> Vec<FileToWrite> {
    let writes: Vec<&Vec<FileToWrite>> = tasks
        .iter()
        .filter_map(|task| match task {
            Effect::Disk(Job::Files(DiskTask::Write(_, files))) => Some(files),
            _ => None,
        })
        .collect();
    assert_eq!(writes.len(), 1);
    writes[0].clone()
}

fn on_disk(files: &[FileToWrite]) -> Vec<(PathBuf, Arc<str>)> {
    files.iter().map(|file| (file.path.clone(), Arc::clone(&file.text))).collect()
}

#[test]
fn a_new_document_never_gets_the_file_of_another() {
    let mut documents = Documents { home: PathBuf::from("/w/specs"), ..Documents::default() };
    // A copy from the previous session, as opened at the start.
    documents.found(vec![(PathBuf::from("/w/specs/ex/dmf_my_copy_of_notes.json"), NOTES.to_owned())]);
    let yesterday = documents.list[0].id;
    let shipped = documents.next_id();
    let sources = vec![("dmf_notes.json".to_owned(), None, NOTES.to_owned())];
    let mut document = SpecDocument::read(shipped, "Notes", sources).unwrap();
    (document.app, document.shipped) = ("org.ex".to_owned(), true);
    documents.list.push(document);
    let made = |documents: &mut Documents| {
        documents.run(DocumentCommand::Copy(shipped), None);
        let copy = documents.list.last().unwrap().id;
        only_write(&documents.run(DocumentCommand::Save(copy), None))[0].path.clone()
    };
    assert_eq!(made(&mut documents), Path::new("/w/specs/ex/dmf_my_copy_of_notes_2.json"));
    // The file of a closed document still exists.
    documents.run(DocumentCommand::Close(yesterday), None);
    assert_eq!(made(&mut documents), Path::new("/w/specs/ex/dmf_my_copy_of_notes_3.json"));
    // So does a file that is invalid.
    documents.found(vec![(PathBuf::from("/w/specs/ex/dmf_my_notes.json"), "{".to_owned())]);
    documents.run(DocumentCommand::New, Some(&app()));
    assert_eq!(documents.list.last().unwrap().name, "my Notes 2");
}

#[test]
fn leaving_waits_only_for_what_is_written() {
    let (mut documents, id) = with_notes();
    let command = renamed(&documents, id, "list");
    documents.run(command, None);
    let files = only_write(&documents.run(DocumentCommand::Save(id), None));
    documents.run(DocumentCommand::Quit, None);
    // The write was completed while the question was open.
    documents.written(id, &on_disk(&files));
    let tasks = documents.run(DocumentCommand::Answer(Answer::Save), None);
    assert!(matches!(tasks.last(), Some(Effect::CloseWindow)));
    let command = renamed(&documents, id, "lists");
    documents.run(command, None);
    let files = only_write(&documents.run(DocumentCommand::Save(id), None));
    let closes = |effect: &Effect| matches!(effect, Effect::CloseWindow);
    assert!(!documents.written(id, &on_disk(&files)).iter().any(closes));
    // The same when a single document is closed.
    let command = renamed(&documents, id, "notes");
    documents.run(command, None);
    let files = only_write(&documents.run(DocumentCommand::Save(id), None));
    documents.run(DocumentCommand::Close(id), None);
    documents.written(id, &on_disk(&files));
    documents.run(DocumentCommand::Answer(Answer::Save), None);
    assert!(documents.get(id).is_none());
}

#[test]
fn the_seconds_of_a_document_outlive_a_crash() {
    let path = PathBuf::from("/w/specs/ex/dmf_a.json");
    let mut documents = Documents::default();
    let spent = BTreeMap::from([("add note".to_owned(), DmfTime { recording: 5.0, editing: 3.0 })]);
    documents.times = BTreeMap::from([(path.display().to_string(), spent)]);
    let before = documents.all_times();
    documents.found(vec![(path.clone(), NOTES.to_owned())]);
    let file = DraftFile {
        name: "dmf_a.json".to_owned(),
        path: Some(path),
        saved: Some(NOTES.to_owned()),
        text: NOTES.replace("\"10\"", "\"7\""),
    };
    let draft = DraftText { name: "a".to_owned(), files: vec![file], ..DraftText::default() };
    documents.restored("r0".to_owned(), draft);
    assert_eq!(documents.all_times(), before);
}

#[test]
fn a_function_joins_no_document_whose_json_cannot_be_read() {
    let (mut documents, id) = with_notes();
    let dmf = documents.get(id).unwrap().spec.dmfs[0].clone();
    documents.run(DocumentCommand::Edit(id, Box::new(SpecEdit::Json("{ half".to_owned()))), None);
    let recorded = Dmf { name: "delete note".to_owned(), ..dmf };
    let tasks = documents.run(DocumentCommand::Keep(Box::new(recorded), None), Some(&app()));
    assert!(matches!(&tasks[..], [Effect::Then(Event::Message(Message { kind: News::Failed, .. }))]));
    let document = documents.get(id).unwrap();
    assert_eq!((document.json.text.as_str(), document.spec.dmfs.len()), ("{ half", 1));
}

#[test]
fn save_as_writes_over_the_chosen_file_alone() {
    let (mut documents, id) = with_notes();
    let block = taproof_spec::Block {
        pattern: taproof_spec::ViewPattern { attributes: vec![("text".to_owned(), "Save".to_owned())] },
        event: taproof_spec::BlockedEvent::Widget,
        reason: String::new(),
        activity: None,
        every_engine: false,
    };
    documents.run(DocumentCommand::Edit(id, Box::new(SpecEdit::AddBlock(block))), None);
    let over = |tasks: &[Effect]| -> Vec<bool> { only_write(tasks).iter().map(|file| file.over).collect() };
    let chosen = PathBuf::from("/s/dmf_b.json");
    let tasks = documents.run(DocumentCommand::SaveAs(id, chosen.clone()), None);
    assert_eq!(over(&tasks), [true, false]);
    // The block list of another specification exists there. The person is asked about it, and the answer for the chosen
    // file remains.
    let beside = PathBuf::from("/s/keyviews_b.json");
    documents.changed_on_disk(id, beside.clone());
    let tasks = documents.run(DocumentCommand::Answer(Answer::Save), None);
    assert_eq!(over(&tasks), [true, true]);
    documents.changed_on_disk(id, beside);
    documents.run(DocumentCommand::Answer(Answer::Cancel), None);
    assert_eq!(over(&documents.run(DocumentCommand::Save(id), None)), [false, false]);
}

#[test]
fn a_function_is_kept_once_it_is_on_the_disk() {
    let (mut documents, id) = with_notes();
    let dmf = Dmf { name: "delete note".to_owned(), ..documents.get(id).unwrap().spec.dmfs[0].clone() };
    let keep = DocumentCommand::Keep(Box::new(dmf.clone()), None);
    let kept = |effects: &[Effect]| saves(effects, "delete note");
    let command = renamed(&documents, id, "list");
    documents.run(command, None);
    let earlier = only_write(&documents.run(DocumentCommand::Save(id), None));
    documents.run(keep, Some(&app()));
    let told = documents.written(id, &on_disk(&earlier));
    assert!(!kept(&told), "another save");
    let later = only_write(&told);
    // The file was changed by another program and is read again: the function is not in it.
    documents.changed_on_disk(id, later[0].path.clone());
    documents.run(DocumentCommand::Answer(Answer::Drop), None);
    documents.opened(vec![(PathBuf::from("/s/dmf_notes.json"), NOTES.to_owned())]);
    let id = documents.list[0].id;
    let command = renamed(&documents, id, "list");
    documents.run(command, None);
    let files = only_write(&documents.run(DocumentCommand::Save(id), None));
    assert!(!kept(&documents.written(id, &on_disk(&files))));
    // Nothing is written if the document contains the DMF already.
    let dmf = documents.get(id).unwrap().spec.dmfs[0].clone();
    let tasks = documents.run(DocumentCommand::Keep(Box::new(dmf), None), Some(&app()));
    assert!(saves(&tasks, "add list"));
}

#[test]
fn a_document_is_written_once_more_where_it_changed_on_its_way() {
    let (mut documents, id) = with_notes();
    let weigh = |documents: &mut Documents, weight: u32| {
        let mut dmf = documents.get(id).unwrap().spec.dmfs[0].clone();
        dmf.weight = weight;
        edit(documents.get_mut(id).unwrap(), SpecEdit::SetDmf(0, Box::new(dmf), String::new()));
        documents.run(DocumentCommand::Save(id), Some(&app()))
    };
    let first = only_write(&weigh(&mut documents, 3));
    // The contents of the disk are not known yet, so nothing may be compared with them.
    assert_eq!(weigh(&mut documents, 4).len(), 0);
    let second = only_write(&documents.written(id, &on_disk(&first)));
    assert!(documents.get(id).unwrap().unsaved());
    documents.written(id, &on_disk(&second));
    assert!(!documents.get(id).unwrap().unsaved());
}

/// Adds the same functions as those that come with the app.
fn ship_notes(documents: &mut Documents) -> DocumentId {
    let shipped = documents.next_id();
    let sources = vec![("dmf_notes.json".to_owned(), None, NOTES.to_owned())];
    let mut document = SpecDocument::read(shipped, "Notes", sources).unwrap();
    (document.app, document.shipped) = ("org.ex".to_owned(), true);
    documents.list.push(document);
    shipped
}

#[test]
fn a_function_that_takes_the_place_of_a_shipped_one_says_so() {
    let (mut documents, id) = with_notes();
    let shipped = ship_notes(&mut documents);
    let whose = |documents: &Documents, id: DocumentId| {
        let document = documents.get(id).unwrap();
        documents.whose(document, &document.spec.dmfs[0])
    };
    assert_eq!((whose(&documents, id), whose(&documents, shipped)), (None, None), "it is an unchanged copy");
    let dmf = Dmf { weight: 3, ..documents.get(id).unwrap().spec.dmfs[0].clone() };
    let name = Some(dmf.name.clone());
    let tasks = documents.run(DocumentCommand::Keep(Box::new(dmf), name), Some(&app()));
    assert_eq!(whose(&documents, id), Some(Whose::OwnInPlace));
    assert_eq!(whose(&documents, shipped), Some(Whose::Replaced));
    let told =
        documents.written(id, &on_disk(&only_write(&tasks))).into_iter().filter_map(|effect| match effect {
            Effect::Then(Event::Message(Message { text, .. })) => Some(text),
            _ => None,
        });
    let say = "Saved \u{201c}add note\u{201d}. In campaigns it takes the place of the \u{201c}add note\u{201d} that \
               comes with the app.";
    assert_eq!(told.last().as_deref(), Some(say));
}

#[test]
fn the_document_of_the_app_on_the_phone_is_shown() {
    let (mut documents, id) = with_notes();
    assert_eq!(documents.shown("org.other").map(|document| document.id), Some(id), "it was opened");
    documents.follow_app("org.ex");
    assert_eq!(documents.shown("org.ex").map(|document| document.id), Some(id));
    let command = renamed(&documents, id, "n");
    documents.run(command, None);
    documents.follow_app("org.other");
    assert_eq!(documents.shown("org.other").map(|document| document.id), Some(id), "it is not saved");
    documents.run(DocumentCommand::Undo(id), None);
    documents.follow_app("org.other");
    assert!(documents.shown("org.other").is_none());
    documents.follow_app("org.ex");
    assert_eq!(documents.shown("org.ex").map(|document| document.id), Some(id));
}

#[test]
fn a_function_is_tried_beside_the_shipped_ones() {
    let (mut documents, id) = with_notes();
    ship_notes(&mut documents);
    let own = Arc::clone(&documents.get(id).unwrap().spec);
    let (spec, before) = documents.among_shipped("org.ex", &own);
    assert_eq!((spec.dmfs.len(), before), (1, 0), "its own stands for the shipped one of its name");
    let edit = Dmf { name: "edit note".to_owned(), ..own.dmfs[0].clone() };
    let own = Spec { dmfs: vec![edit], ..Spec::default() };
    let (spec, before) = documents.among_shipped("org.ex", &own);
    let names: Vec<&str> = spec.dmfs.iter().map(|dmf| dmf.name.as_str()).collect();
    assert_eq!((names, before), (vec!["add note", "edit note"], 1));
}
