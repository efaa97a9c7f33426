//! Examples of abstraction and fingerprints (`engine/odin/paper.md`, sections 8 and 9).

use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use taproof_screen::{Layout, WidgetIdx, layout_from};

fn known(notation: &str) -> Arc<KnownLayout> {
    Arc::new(KnownLayout::of(Arc::new(layout_from(notation)), "org.ex"))
}

fn behaviour(before: &str, after: &str) -> Behaviour {
    Behaviour {
        input: 0,
        before: known(before),
        receiver: None,
        typed: None,
        after: Outcome::Shows(known(after)),
        history: Past::default(),
    }
}

fn fingerprint(behaviour: &Behaviour, rules: Rules) -> Fingerprint {
    fingerprint_of(behaviour, rules, &VolatileViews::default(), &MayBeliefConfig::default())
}

fn same(one: &Behaviour, other: &Behaviour, rules: Rules) -> bool {
    fingerprint(one, rules) == fingerprint(other, rules)
}

const R1: Rules = Rules { attributes: true, ..Rules::NONE };
const R2: Rules = Rules { event_free: true, ..Rules::NONE };
const R3: Rules = Rules { duplicates: true, ..Rules::NONE };

fn rows(rows: &[(&str, bool)]) -> String {
    let mut notation = String::from("ListView#list\n");
    for (title, photo) in rows {
        notation += &format!("  LinearLayout#row\n    TextView#title \"{title}\"\n");
        if *photo {
            notation += "    ImageView#photo\n";
        }
    }
    notation
}

#[test]
fn the_wrong_photo_differs_before_r1_and_not_after() {
    let before = rows(&[("a", true), ("b", true)]);
    let right = behaviour(&before, &rows(&[("a", true), ("b", false)]));
    let wrong = behaviour(&before, &rows(&[("a", false), ("b", true)]));
    assert!(!same(&right, &wrong, Rules::NONE));
    assert!(same(&right, &wrong, R1));
}

#[test]
fn a_row_added_is_not_a_row_removed() {
    let (one, two) = (rows(&[("a", true)]), rows(&[("a", true), ("a", true)]));
    let (added, removed) = (behaviour(&one, &two), behaviour(&two, &one));
    for rules in [Rules::NONE, R1] {
        assert!(!same(&added, &removed, rules), "{rules:?}");
    }
    let three = rows(&[("a", true), ("a", true), ("a", true)]);
    assert!(!same(&behaviour(&one, &three), &added, R1), "two rows added are not one row added");
    assert!(same(&behaviour(&one, &three), &added, R1.with(Rule::Duplicates)), "R3 folds them");
}

#[test]
fn the_same_change_in_a_longer_list_is_the_same_change() {
    let short = behaviour(&rows(&[("a", true), ("b", true)]), &rows(&[("a", true)]));
    let long = rows(&[("x", true), ("y", true), ("a", true), ("b", true)]);
    let long = behaviour(&long, &rows(&[("x", true), ("y", true), ("a", true)]));
    assert!(same(&short, &long, Rules::NONE));
}

#[test]
fn an_event_on_one_row_is_the_same_on_another() {
    let before = rows(&[("a", true), ("b", true)]);
    let on = |row: u32, after: &[(&str, bool)]| Behaviour {
        receiver: Some(WidgetIdx(row)),
        ..behaviour(&before, &rows(after))
    };
    let (first, second) = (on(3, &[("a", false), ("b", true)]), on(6, &[("a", true), ("b", false)]));
    assert!(same(&first, &second, Rules::NONE), "each loses the photo of its own row");
    let wrong = on(6, &[("a", false), ("b", true)]);
    assert!(!same(&wrong, &second, Rules::NONE), "the photo of another row is gone");
}

#[test]
fn another_activity_is_another_page() {
    let opens = |page: &str, name: &str| {
        let layout =
            layout_from(&format!("FrameLayout\n  TextView#title \"{page}\"\n  EditText#name \"{name}\"\n"));
        let after =
            Arc::new(KnownLayout::of(Arc::new(layout.with_activity("org.ex/.Edit".into())), "org.ex"));
        Behaviour { after: Outcome::Shows(after), ..behaviour(&rows(&[("a", false)]), "FrameLayout\n") }
    };
    assert!(same(&opens("Edit", "a"), &opens("Edit", "a"), Rules::NONE));
    assert!(!same(&opens("Edit", "a"), &opens("Edit", "b"), Rules::NONE));
    assert!(same(&opens("Edit", "a"), &opens("Edit", "b"), R1));
}

#[test]
fn most_of_a_page_changed_is_another_page() {
    let before = "FrameLayout\n  TextView \"a\"\n";
    let (one, other) =
        ("ListView\n  Button \"x\"\n  Button \"y\"\n", "ListView\n  Button \"y\"\n  Button \"x\"\n");
    assert!(
        same(&behaviour(before, one), &behaviour(before, other), Rules::NONE),
        "a sorted multiset of labels"
    );
}

#[test]
fn a_crash_is_an_outcome_of_its_own() {
    let page = rows(&[("a", true)]);
    let died =
        |signature: &str| Behaviour { after: Outcome::Died(signature.into()), ..behaviour(&page, &page) };
    assert!(same(&died("X at a.b"), &died("X at a.b"), Rules::NONE));
    assert!(!same(&died("X at a.b"), &died("Y at a.b"), R1));
    assert!(!same(&died("X at a.b"), &behaviour(&page, &page), R1));
}

/// What is left of a layout, in the notation of tests without texts.
fn left(notation: &str, rules: Rules) -> String {
    let (known, volatile) = (known(notation), VolatileViews::default());
    let lens = Lens { rules, volatile: &volatile, brought: &[] };
    let tree = abstraction::AbstractTree::of(&known, &lens);
    let mut depths: Vec<usize> = Vec::new();
    let mut told = String::new();
    for node in &tree.nodes {
        let depth = node.parent.map_or(0, |parent| depths[parent as usize] + 1);
        depths.push(depth);
        told += &format!("{}{}", " ".repeat(depth), known.layout.widget(node.widget).short_class());
        told += "\n";
    }
    told
}

#[test]
fn r2_hands_children_to_the_parent_and_keeps_the_root() {
    let page = "FrameLayout\n  LinearLayout\n    Button \"a\"\n    TextView \"b\"\n  Button \"c\"\n";
    assert_eq!(left(page, R2), "FrameLayout\n Button\n Button\n");
}

#[test]
fn r3_keeps_the_first_of_equal_sub_trees_under_the_other_rules() {
    let page = "ListView\n  LinearLayout\n    TextView \"a\"\n    TextView \"a\"\n  LinearLayout\n    TextView \"b\"\n";
    assert_eq!(left(page, R3), "ListView\n LinearLayout\n  TextView\n LinearLayout\n  TextView\n");
    assert_eq!(left(page, R1.with(Rule::Duplicates)), "ListView\n LinearLayout\n  TextView\n");
}

#[test]
fn what_shows_words_that_change_by_themselves_does_not_count() {
    let page = |clock: &str| format!("FrameLayout\n  TextView#clock \"{clock}\"\n  TextView \"a\"\n");
    let layout = |clock: &str| -> Layout { layout_from(&page(clock)) };
    let mut volatile = VolatileViews::default();
    volatile.learn(&layout("1"), &layout("2"));
    let config = MayBeliefConfig::default();
    let of = |before: &str, after: &str| {
        fingerprint_of(&behaviour(&page(before), &page(after)), Rules::NONE, &volatile, &config)
    };
    assert_eq!(of("1", "2"), of("3", "3"));
}

/// Twenty-nine tiles open their own page; one opens its neighbour's after something that is not visible any more.
fn tiles(wrong_after: &str) -> Vec<Behaviour> {
    let names = ["a", "b", "c", "d", "e"];
    let page = |head: &str| {
        let mut notation = format!("FrameLayout\n  TextView#head \"{head}\"\n  GridLayout\n");
        names.iter().for_each(|name| notation += &format!("    Button#tile \"{name}\"\n"));
        notation
    };
    let opens = |head: &str, tile: usize, opened: usize| {
        let layout = layout_from(&format!("FrameLayout\n  EditText#name \"{}\"\n", names[opened]));
        let after =
            Arc::new(KnownLayout::of(Arc::new(layout.with_activity("org.ex/.Edit".into())), "org.ex"));
        Behaviour {
            input: usize::from(head != "nothing"),
            receiver: Some(WidgetIdx(tile as u32 + 3)),
            after: Outcome::Shows(after),
            ..behaviour(&page(head), "FrameLayout\n")
        }
    };
    let mut all: Vec<Behaviour> = (0..29).map(|place| opens("nothing", place % 5, place % 5)).collect();
    all.push(opens(wrong_after, 2, 3));
    all
}

fn judge(behaviours: &[Behaviour], config: &MayBeliefConfig) -> Judgement {
    judge_behaviours(behaviours, &VolatileViews::default(), &BTreeSet::new(), config)
}

#[test]
fn the_page_of_another_tile_is_a_minority_outcome() {
    let judged = judge(&tiles("nothing"), &MayBeliefConfig::default());
    assert_eq!(judged.anomalies.len(), 1);
    assert_eq!(judged.anomalies[0].witness, 29);
    assert_eq!(judged.anomalies[0].rules, Rules::NONE);
}

#[test]
fn what_something_visible_explains_is_left_alone() {
    let config = MayBeliefConfig::default();
    let behaviours = tiles("only here");
    assert!(judge(&behaviours, &config).anomalies.is_empty());
    let plain = MayBeliefConfig { drop_explained: false, ..config };
    assert_eq!(judge(&behaviours, &plain).anomalies.len(), 1);
}

#[test]
fn what_the_state_of_a_row_decides_is_left_alone() {
    let opens = |item: &str| {
        let menu = format!(
            "FrameLayout\n  ListView#menu\n    TextView#title \"{item}\"\n    TextView#title \"Cut\"\n"
        );
        let list = "FrameLayout\n  ListView\n    Button#more \"Music\"\n";
        Behaviour { receiver: Some(WidgetIdx(2)), ..behaviour(list, &menu) }
    };
    let mut menus: Vec<Behaviour> = (0..29).map(|_| opens("Add bookmark")).collect();
    menus.push(opens("Remove bookmark"));
    assert!(judge(&menus, &MayBeliefConfig::default()).anomalies.is_empty());
    let plain = MayBeliefConfig { drop_explained: false, ..MayBeliefConfig::default() };
    assert_eq!(judge(&menus, &plain).anomalies.len(), 1);
}

#[test]
fn a_container_that_nobody_sees_is_no_finding() {
    let page = |added: &str| format!("FrameLayout\n  Button#go \"Go\"\n{added}");
    let adds = |added: &str| Behaviour { receiver: Some(WidgetIdx(1)), ..behaviour(&page(""), &page(added)) };
    let judged = |added: &str| {
        let mut all: Vec<Behaviour> = (0..29).map(|_| adds("")).collect();
        all.push(adds(added));
        judge(&all, &MayBeliefConfig::default()).anomalies.len()
    };
    assert_eq!(judged("  LinearLayout#box\n    FrameLayout\n"), 0);
    assert_eq!(judged("  LinearLayout#box\n    TextView \"Failed\"\n"), 1);
}

/// The words for a behaviour in contrast to one that is believed.
fn words(believed: &Behaviour, seen: &Behaviour) -> (String, String) {
    let (volatile, config) = (VolatileViews::default(), MayBeliefConfig::default());
    let explanation = explain_difference(believed, seen, Rules::NONE, &volatile, &config);
    assert_ne!(explanation.expected, explanation.seen);
    (explanation.expected, explanation.seen)
}

#[test]
fn what_is_expected_is_said_of_what_was_touched() {
    let tiles = tiles("nothing");
    let (expected, seen) = words(&tiles[0], &tiles[29]);
    assert_eq!(expected, "the edit screen opens with \u{201c}c\u{201d}");
    assert_eq!(seen, "the edit screen opens with \u{201c}d\u{201d}");
    // The words of the two pages are the same: what they are to the touched tile is not.
    let (expected, seen) = words(&tiles[3], &tiles[29]);
    assert_eq!(expected, "the edit screen opens with \u{201c}c\u{201d}");
    assert_eq!(seen, "the edit screen opens with \u{201c}d\u{201d}");
}

#[test]
fn a_thing_without_words_is_told_by_what_stands_beside_it() {
    let before = rows(&[("a", true), ("b", true)]);
    let on = |after: &[(&str, bool)]| Behaviour {
        receiver: Some(WidgetIdx(6)),
        ..behaviour(&before, &rows(after))
    };
    let (right, wrong) = (on(&[("a", true), ("b", false)]), on(&[("a", false), ("b", true)]));
    let (expected, seen) = words(&right, &wrong);
    assert_eq!(expected, "the image \u{201c}photo\u{201d} beside \u{201c}b\u{201d} disappears");
    assert_eq!(seen, "the image \u{201c}photo\u{201d} beside \u{201c}a\u{201d} disappears");
}

#[test]
fn only_what_differs_is_told() {
    let before = "FrameLayout\n  TextView#count \"1\"\n  Button \"Add\"\n";
    let after = |count: &str, said: &str| {
        behaviour(before, &format!("FrameLayout\n  TextView#count \"{count}\"\n  Button \"Add\"\n{said}"))
    };
    let (right, silent) = (after("2", "  TextView \"Done\"\n"), after("2", ""));
    let said = ("\u{201c}Done\u{201d} appears", "\u{201c}1\u{201d} becomes \u{201c}2\u{201d}");
    assert_eq!(words(&right, &silent), (said.0.to_owned(), format!("only {}", said.1)));
    assert_eq!(words(&right, &after("1", "")).1, "nothing changes");
    let died = Behaviour { after: Outcome::Died("X at a.b".into()), ..right.clone() };
    assert_eq!(words(&right, &died).1, "the app crashes: X at a.b");
}
