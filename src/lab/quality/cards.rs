//! One card for each bug: what campaigns find, grouped without the catalogue, compared with the catalogue.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_campaign::{
    Bug, BugClass, CampaignPlan, ConfirmPlan, Correction, Corrections, Finding, NullSink, Support, group,
    of_class, run,
};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_engine::{Moment, single_engines};
use taproof_phone::BundledPhones;
use taproof_phone::apps::shipped_specs;
use taproof_results::store::{SpecSource, read_specs};
use taproof_screen::OracleKind;
use taproof_spec::Spec;

/// Number of events of each engine.
const EVENTS: u64 = 3600;

/// What all engines find in an app with all its bugs.
fn found(app: &str, seed: u64, events: u64) -> (Vec<Arc<Finding>>, Arc<Spec>) {
    let package = format!("org.taproof.{app}");
    let sources: Vec<SpecSource> =
        shipped_specs(app).map(|spec| SpecSource::file(spec.path, spec.text)).collect();
    let spec = Arc::new(read_specs(&sources).unwrap());
    let engines = single_engines().filter(|info| !spec.dmfs.is_empty() || info.name != "pbfdroid");
    let mut all = Vec::new();
    for info in engines {
        let plan = CampaignPlan {
            build: Build::Faulty,
            seed,
            spec: Arc::clone(&spec),
            confirm: ConfirmPlan { pictures: false, ..ConfirmPlan::default() },
            ..CampaignPlan::new(&package, (info.config)(), events)
        };
        let mut source = BundledPhones::new(&package, &plan.build);
        let report = run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut NullSink);
        all.extend(report.findings.into_iter().map(|count| count.finding));
    }
    (all, spec)
}

fn bugs_of(findings: &[Arc<Finding>], app: &str, spec: &Spec, said: &[Correction]) -> Vec<Bug> {
    let bugs = group(findings, &format!("org.taproof.{app}"), spec, &Corrections(said.to_vec()));
    of_class(&bugs, BugClass::Bug).to_vec()
}

/// Whether a word of a title is the name of a class, such as `TextView` or `MainActivity`, which people do not see.
fn is_class(word: &str) -> bool {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let inner = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let ends = ["View", "Layout", "Activity", "Fragment", "Button", "Text", "Bar", "Box", "Switch"];
    inner && ends.iter().any(|end| word.ends_with(end) && word != *end)
}

/// Of findings of one bug, what is sure is shown, also if something less sure was found sooner.
fn check_that_the_sure_one_is_shown(findings: &[Arc<Finding>], spec: &Spec) {
    let lost = |finding: &&Arc<Finding>| {
        finding.origin.oracle == OracleKind::Preservation && finding.class() == BugClass::Bug
    };
    let bug = findings.iter().find(lost).unwrap();
    let suspicion = Finding {
        id: "sooner".to_owned(),
        first: Moment { event: 0, ..bug.first },
        support: Support { controls: 0, ..bug.support },
        ..Finding::clone(bug)
    };
    assert_eq!(suspicion.class(), BugClass::Suspicion);
    let both = [Arc::new(suspicion), Arc::clone(bug)];
    let bugs = bugs_of(&both, "tasks", spec, &[]);
    let [card] = &bugs[..] else { panic!("{bugs:?}") };
    assert_eq!((card.findings.len(), card.class), (2, BugClass::Bug));
    assert_eq!(card.shown.id, bug.id);
}

#[test]
fn there_is_one_card_for_each_bug_and_one_bug_on_each_card() {
    let (mut cards, mut bugs) = (0, 0);
    let mut titles = BTreeSet::new();
    for app in ["files", "notes", "diary", "tasks"] {
        let (findings, spec) = found(app, 1, EVENTS);
        let of_app_bugs = bugs_of(&findings, app, &spec, &[]);
        if app == "tasks" {
            check_that_the_sure_one_is_shown(&findings, &spec);
        }
        let mut of_app: BTreeSet<String> = BTreeSet::new();
        for card in &of_app_bugs {
            let causes = card.findings.iter().map(|finding| finding.attribution.cause());
            let on_card: BTreeSet<String> = causes
                .filter_map(|cause| if let [only] = cause { Some(only.clone()) } else { None })
                .collect();
            println!("{app}: {} {on_card:?} {}", card.findings.len(), card.title);
            assert!(on_card.len() <= 1, "{on_card:?}: {}", card.title);
            let classes: Vec<&str> = card.title.split(' ').filter(|word| is_class(word)).collect();
            assert!(classes.is_empty(), "{classes:?} in {:?}", card.title);
            of_app.extend(on_card);
            titles.insert(card.title.clone());
        }
        println!("{app}: {} findings, {} cards, {} bugs", findings.len(), of_app_bugs.len(), of_app.len());
        cards += of_app_bugs.len();
        bugs += of_app.len();
    }
    assert!(10 * cards <= 13 * bugs, "{cards} cards for {bugs} bugs");
    for title in [
        "Editing a folder leaves it as it was, on “Internal storage”",
        "Searching does not find a note after one was added, on the search screen",
        "Searching finds an idea that should not be found after one was deleted, on the search screen",
        "After “Undo an activity”, the activity is not shown, on “Edit Activities”",
        "Opening an activity does not show it, on “New Activity”",
        "The progress bar on the search screen never goes away when “Search” is tapped after a folder was hidden",
        "Searching for a folder lists the results in the wrong order, on the search screen",
    ] {
        assert!(titles.contains(title), "{title}: {titles:#?}");
    }
}
