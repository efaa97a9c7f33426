//! What screens of blueprints show, and what closes, turns or translates them.

use taproof_screen::determinism::Rng;
use taproof_screen::{Event, SystemEvent};

use super::*;
use crate::hand::Hand;
use taproof_phone::Apps;

/// A phone with an app of this blueprint in front, and the bugs that operators make with its first type.
fn hand(blueprint: &Blueprint, operators: &[Operator]) -> Hand {
    let on =
        blueprint.faults().into_iter().filter(|it| it.data_type == 0 && operators.contains(&it.operator));
    let bugs = BugSet::of(on.map(|fault| fault.id));
    let app = blueprint.clone().into_app();
    Hand { phone: Apps::with([app]).unwrap().open(app.short_name(), &bugs).unwrap() }
}

/// The generated app with this seed, with these traps only.
fn trapped(seed: u64, traps: &[Trap]) -> Blueprint {
    Blueprint { traps: traps.to_vec(), ..Blueprint::generate(seed, Size::Small) }
}

#[test]
fn further_traps_leave_the_draws_of_the_first_ones_alone() {
    let first = [Trap::Clock, Trap::Tips, Trap::Advert, Trap::Animation, Trap::Shuffle];
    let mut seen = Vec::new();
    for seed in 1..40 {
        let mut rng = Rng::from_seed(seed).fork("traps");
        let mut drawn: Vec<Trap> = first.into_iter().filter(|_| rng.chance(1, 2)).collect();
        if drawn.is_empty() {
            drawn.push(Trap::Clock);
        }
        let traps = Blueprint::generate(seed, Size::Small).with_traps(seed).traps;
        assert_eq!(traps[..drawn.len()], drawn, "{seed}");
        seen.extend_from_slice(&traps[drawn.len()..]);
    }
    assert!(seen.contains(&Trap::Notice) && seen.contains(&Trap::Web), "{seen:?}");
}

#[test]
fn a_notice_covers_the_first_list_until_it_is_closed() {
    let blueprint = trapped(1, &[Trap::Notice]);
    let mut hand = hand(&blueprint, &[]);
    let new = format!("New {}", blueprint.types[0].noun);
    let is_covered = |hand: &mut Hand| !hand.shows(&new);
    assert!(is_covered(&mut hand) && hand.shows("Got it"));
    hand.back();
    assert!(!is_covered(&mut hand));
    for visit in 2..=8 {
        hand.perform(&Event::Relaunch);
        assert_eq!(is_covered(&mut hand), visit % 4 == 0, "{visit}");
        if is_covered(&mut hand) {
            hand.tap(crate::pages::notice::NOT_NOW);
        }
    }
    // A process that is restored shows what was there before.
    for _ in 0..4 {
        hand.perform(&Event::System(SystemEvent::ProcessDeath));
        assert!(!is_covered(&mut hand));
    }
}

/// Whatever stands around a list, some of it is left.
#[test]
fn traps_leave_room_for_rows_in_landscape() {
    let mut blueprint = trapped(38, &[Trap::Clock, Trap::Tips, Trap::Animation, Trap::Advert]);
    let list = &mut blueprint.types[0].list;
    (list.count, list.grid, list.landscape_grid) = (true, false, false);
    assert!(blueprint.home == Home::Tabs && blueprint.types.len() > 1);
    let name = blueprint.types[0].shipped[0][0].0;
    let mut hand = hand(&blueprint, &[]);
    assert!(hand.shows("Play now: Block Castle") && hand.shows(name));
    hand.rotate();
    assert!(hand.shows(name));
}

/// The widgets below the web view on the screen, as texts and descriptions; whether any of them has an id.
fn on_web_page(hand: &mut Hand) -> (Vec<(String, String)>, bool) {
    let layout = hand.layout();
    let (web, _) = layout.iter().find(|(_, it)| &*it.class == "android.webkit.WebView").unwrap();
    let nodes: Vec<_> = layout.subtree(web).map(|it| layout.widget(it)).collect();
    assert!(nodes.iter().all(|it| ["android.view.View", "android.webkit.WebView"].contains(&&*it.class)));
    let texts = nodes.iter().map(|it| (it.text.to_string(), it.content_desc.to_string()));
    (texts.collect(), nodes.iter().any(|it| it.resource_id.is_some()))
}

#[test]
fn web_pages_have_no_ids_and_some_of_their_texts_as_descriptions() {
    let mut blueprint = trapped(1, &[Trap::Web]);
    blueprint.naming = Naming::Ids;
    blueprint.texts = vec![TextPage { title: Word("Help"), text: Word("Tap it. Then look.") }];
    blueprint.types.truncate(1);
    let kind = &mut blueprint.types[0];
    (kind.owner, kind.form.opens, kind.page.tabs) = (None, false, false);
    kind.fields.retain(|field| field.shape == Shape::Line);
    let (name, label) = (kind.shipped[0][0].0, "Place");
    kind.fields = vec![kind.fields[0], Field { label: Word(label), ..kind.fields[0] }];
    kind.shipped = vec![vec![Word(name), Word("kitchen")]];
    let mut hand = hand(&blueprint, &[]);
    hand.tap(name);
    let (texts, any_id) = on_web_page(&mut hand);
    let has =
        |texts: &[(String, String)], text: &str, desc: &str| texts.contains(&(text.into(), desc.into()));
    assert!(
        !any_id && has(&texts, name, "") && has(&texts, "", label) && has(&texts, "kitchen", ""),
        "{texts:?}"
    );
    hand.back();
    hand.tap("action_more");
    hand.tap("Help");
    let (texts, any_id) = on_web_page(&mut hand);
    assert!(!any_id && has(&texts, "Then look.", ""), "{texts:?}");
}

/// An app of one type whose objects are shown beside the list.
fn with_panes() -> Blueprint {
    // An app of plants.
    let mut blueprint = trapped(7, &[]);
    blueprint.naming = Naming::Ids;
    blueprint.types.truncate(1);
    let kind = &mut blueprint.types[0];
    (kind.owner, kind.form, kind.page.tabs) = (None, FormPlan::default(), false);
    kind.fields.retain(|field| field.shape != Shape::Owner);
    let fields = kind.fields.len();
    kind.shipped.iter_mut().for_each(|values| values.truncate(fields));
    kind.list = ListPlan { panes: true, ..ListPlan::default() };
    kind.delete = DeletePlan { from: DeleteFrom::Detail, ..DeletePlan::default() };
    blueprint
}

#[test]
fn an_object_is_beside_its_list_or_instead_of_it() {
    let blueprint = with_panes();
    let (first, second) = (blueprint.types[0].shipped[0][0].0, blueprint.types[0].shipped[1][0].0);
    let noun = blueprint.types[0].noun;
    let (new, close) = (format!("New {noun}"), format!("Close {noun}"));
    let title = format!("{noun}_name");
    let mut hand = hand(&blueprint, &[]);
    hand.tap(first);
    assert!(!hand.shows(&new) && hand.texts(&title) == [first]);
    hand.rotate();
    assert!(hand.shows(&new) && hand.texts(&title) == [first]);
    hand.tap(second);
    assert_eq!(hand.texts(&title), [second]);
    hand.rotate();
    assert!(!hand.shows(&new) && hand.texts(&title) == [second]);
    hand.back();
    assert!(hand.shows(&new) && hand.texts(&title).is_empty());
    hand.rotate();
    assert!(hand.shows(&format!("Choose one of the {}", blueprint.types[0].plural)));
    hand.tap(second);
    hand.tap(&close);
    assert!(hand.texts(&title).is_empty());
    // What was deleted is shown no more.
    hand.tap(second);
    hand.tap(&format!("Delete {noun}"));
    assert!(hand.texts(&title).is_empty() && !hand.shows(second));
}

/// Each list has what was opened beside it, but no list is covered when it is shown.
#[test]
fn lists_keep_what_was_opened_beside_them() {
    let mut blueprint = with_panes();
    blueprint.home = Home::Tabs;
    let other = DataType { noun: Word("word"), plural: Word("words"), ..blueprint.types[0].clone() };
    blueprint.types.push(other);
    let name = blueprint.types[0].shipped[0][0].0;
    let mut hand = hand(&blueprint, &[]);
    hand.rotate();
    hand.tap(name);
    let title = format!("{}_name", blueprint.types[0].noun);
    hand.tap("Words");
    assert!(hand.texts(&title).is_empty());
    hand.tap("Plants");
    assert_eq!(hand.texts(&title), [name]);
    hand.tap("Words");
    hand.rotate();
    hand.tap("Plants");
    assert!(hand.texts(&title).is_empty() && hand.shows("New plant"));
}

#[test]
fn a_faulty_pane_shows_what_was_or_nothing() {
    let blueprint = with_panes();
    let name = blueprint.types[0].shipped[0][0].0;
    let noun = blueprint.types[0].noun;
    let title = format!("{noun}_name");
    let renamed = |operators: &[Operator]| {
        let mut hand = hand(&blueprint, operators);
        hand.rotate();
        hand.tap(name);
        hand.tap(&format!("Edit {noun}"));
        hand.write(&format!("{noun}_field_0"), "zebra");
        hand.tap("Save");
        hand
    };
    assert_eq!(renamed(&[]).texts(&title), ["zebra"]);
    let mut stale = renamed(&[Operator::PaneStale]);
    assert!(stale.texts(&title) == [name] && stale.shows("zebra"));
    stale.rotate();
    assert_eq!(stale.texts(&title), ["zebra"]);
    let mut lost = renamed(&[Operator::OpenedLostOnRotation]);
    lost.rotate();
    assert!(lost.texts(&title).is_empty());
}

#[test]
fn every_word_of_generated_apps_is_translated() {
    use crate::generate::vocabulary::{OWNERS, SWITCHES, TEXTS, THINGS, UNITS};
    let owners = OWNERS.iter().map(|(thing, _)| thing);
    let mut words: Vec<&str> = SWITCHES.into_iter().chain(UNITS).chain(TEXTS.map(|it| it.0)).collect();
    let mut nouns = Vec::new();
    for thing in THINGS.iter().chain(owners) {
        nouns.push(thing.noun);
        words.extend(thing.fields.iter().map(|(label, _)| label));
    }
    let mut blueprint = Blueprint { translated: true, ..Blueprint::generate(1, Size::Small) };
    words.extend(names(&blueprint)[0].descriptions());
    let translations = crate::generate::translation::Translations::of(&blueprint);
    for language in crate::generate::translation::Translations::LANGUAGES {
        let missing: Vec<&&str> =
            words.iter().filter(|it| translations.find(language, it).is_none()).collect();
        assert!(missing.is_empty(), "{language:?}: {missing:?}");
    }
    nouns.retain(|noun| crate::generate::dictionary::NOUNS.iter().all(|known| known.noun != *noun));
    assert!(nouns.is_empty(), "{nouns:?}");
    let strings = translations.strings(&blueprint);
    assert!(words.iter().all(|word| strings.contains(*word)) && strings.contains("L\u{f6}schen"));
    blueprint.translated = false;
    let translations = crate::generate::translation::Translations::of(&blueprint);
    let strings = translations.strings(&blueprint);
    assert!(strings.contains("Delete") && !strings.contains("L\u{f6}schen"));
    assert_eq!(translations.find(taproof_phone::Language::German, "Delete"), None);
}

/// A translated app whose first object is called as a button is.
fn translated() -> Blueprint {
    let mut blueprint = with_panes();
    blueprint.translated = true;
    let kind = &mut blueprint.types[0];
    kind.shipped[0][0] = Word("Sort plants");
    kind.shipped[1][0] = Word("Delete");
    kind.list = ListPlan { sort: true, star: true, ..ListPlan::default() };
    blueprint
}

#[test]
fn words_are_translated_and_data_are_not() {
    let blueprint = translated();
    let mut hand = hand(&blueprint, &[]);
    let change = |hand: &mut Hand| hand.perform(&Event::System(SystemEvent::Locale));
    change(&mut hand);
    assert!(hand.shows("Pflanze anlegen") && hand.shows("Pflanzen") && !hand.shows("New plant"));
    assert!(hand.shows("Delete") && hand.shows("Sort plants") && hand.shows("Pflanzen sortieren"));
    hand.tap("Delete");
    assert!(hand.shows("Pflanze löschen") && hand.texts("plant_name") == ["Delete"]);
    hand.tap("Pflanze bearbeiten");
    hand.write("plant_field_0", "");
    hand.tap("Speichern");
    assert!(hand.shows("Gib einen Namen ein"));
    change(&mut hand);
    assert!(hand.shows("Saisissez un nom") && hand.shows("Modifier la plante"));
    change(&mut hand);
    assert!(hand.shows("Enter a name"));
}

#[test]
fn a_faulty_app_forgets_order_and_filter_in_another_language() {
    let blueprint = translated();
    let looked = |operators: &[Operator], taps: &[&str]| {
        let mut hand = hand(&blueprint, operators);
        taps.iter().for_each(|name| hand.tap(name));
        (0..3).for_each(|_| hand.perform(&Event::System(SystemEvent::Locale)));
        hand.texts("plant_title")
    };
    let (sorted, filtered) = (["plant_sort", "By name"], ["Only with a star"]);
    let by_name = looked(&[], &sorted);
    assert!(by_name.is_sorted_by_key(|name| name.to_lowercase()), "{by_name:?}");
    assert_ne!(looked(&[Operator::OrderLostOnLanguage], &sorted), by_name);
    assert!(looked(&[], &filtered).is_empty());
    assert!(!looked(&[Operator::FilterLostOnLanguage], &filtered).is_empty());
}
