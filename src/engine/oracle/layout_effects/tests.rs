//! Examples of lost and kept effects (`engine/genie/paper.md`, sections 11 and 12).

use super::*;
use crate::oracle::layout_effects::LabelBasis;
use taproof_screen::{Text, layout_from};

/// Seed and mutant as layouts, the detour of one event before seed event 1.
fn judged(rule: &EffectRule, seed: &[&str], mutant: &[&str]) -> Vec<Batch> {
    judged_after(None, rule, seed, mutant)
}

fn judged_after(detour: Option<&Detour>, rule: &EffectRule, seed: &[&str], mutant: &[&str]) -> Vec<Batch> {
    let mut judge = EffectJudge::new(rule.clone());
    let mut ready = |notations: &[&str]| -> Vec<Option<Arc<Prepared>>> {
        notations.iter().map(|notation| Some(judge.prepare(&Arc::new(layout_from(notation))))).collect()
    };
    let (seed, mutant) = (ready(seed), ready(mutant));
    let inserted = mutant.len() - seed.len();
    judge.judge(TestPair { seed: &seed, mutant: &mutant, position: 1, inserted, detour })
}

fn level(context: ContextLevel) -> EffectRule {
    EffectRule { context, ..EffectRule::default() }
}

const HEAD: &str = "FrameLayout\n  Button#add\n  ListView\n";

fn rows(rows: &[(&str, bool)]) -> String {
    let row = |(title, photo): &(&str, bool)| {
        let photo = if *photo { "      ImageView#photo\n" } else { "" };
        format!("    LinearLayout#row\n      TextView#title \"{title}\"\n{photo}")
    };
    format!("{HEAD}{}", rows.iter().map(row).collect::<String>())
}

fn page(texts: &[&str]) -> String {
    let row = |text: &&str| format!("    TextView#row \"{text}\"\n");
    format!("{HEAD}{}", texts.iter().map(row).collect::<String>())
}

#[test]
fn a_wrong_picture_is_seen_in_its_row_only() {
    let (with, without) = (rows(&[("Cinema", true)]), rows(&[("Cinema", false)]));
    let both = rows(&[("Cleaning", true), ("Cinema", true)]);
    let right = rows(&[("Cleaning", true), ("Cinema", false)]);
    let wrong = rows(&[("Cleaning", false), ("Cinema", true)]);
    // Seed: the row with its photo, twice, then without. The detour adds a row above.
    let seed = [&*with, &with, &without];
    let judge = |context, last: &str| judged(&level(context), &seed, &[&with, &with, &both, last]);
    assert!(judge(ContextLevel::Widget, &wrong).iter().all(|batch| batch.places.seed.0 < 2));
    // Layouts 0 and 1 are before the detour, where there was one row only; the pair around the detour decides.
    let pair = |context, last: &str| {
        let with_detour = [&*both, &both, &both, last];
        judged(&level(context), &seed, &with_detour)
    };
    assert!(pair(ContextLevel::Widget, &right).is_empty());
    assert!(pair(ContextLevel::Widget, &wrong).is_empty(), "photos without texts are alike");
    assert!(pair(ContextLevel::Around, &right).is_empty());
    let seen = pair(ContextLevel::Around, &wrong);
    assert!(seen.iter().all(|batch| batch.unmatched_seed.len() == 1 && batch.firm) && !seen.is_empty());
}

#[test]
fn more_may_change_less_may_not() {
    let (none, a, b, both) = (page(&[]), page(&["a"]), page(&["b"]), page(&["a", "b"]));
    let judge = |last: &str| {
        let batches = judged(&level(ContextLevel::Widget), &[&none, &none, &a], &[&none, &none, &none, last]);
        (batches.len(), batches.first().map(|batch| batch.unmatched_seed.len()))
    };
    assert_eq!(judge(&both), (0, None));
    assert_eq!(judge(&b), (2, Some(1)));
    assert_eq!(judge(&none), (2, Some(1)));
}

#[test]
fn what_is_ignored_is_cut_out_with_its_wrapper() {
    let page = |time: &str, row: &str| {
        format!("FrameLayout\n  LinearLayout\n    TextView#time \"{time}\"\n  TextView#row \"{row}\"\n")
    };
    let kind = |class: &str, id: Option<&str>| WidgetKind {
        activity: "org.ex/.Main".into(),
        class: class.into(),
        resource_id: id.map(Text::from),
    };
    let time = kind("android.widget.TextView", Some("org.ex:id/time"));
    let seed = [page("1", "x"), page("1", "x"), page("2", "x")];
    let mutant = [page("1", "x"), page("1", "x"), page("3", "x"), page("4", "x")];
    let run = |rule: &EffectRule| {
        let (seed, mutant) = (seed.each_ref().map(String::as_str), mutant.each_ref().map(String::as_str));
        judged(rule, &seed, &mutant).len()
    };
    assert_eq!(run(&level(ContextLevel::Widget)), 2);
    let ignoring = EffectRule { ignored: vec![time], ..level(ContextLevel::Widget) };
    assert_eq!(run(&ignoring), 0);
}

#[test]
fn equal_batches_are_one_error() {
    let page = |text: &str| format!("FrameLayout\n  TextView#state \"{text}\"\n");
    let (off, on) = (page("off"), page("on"));
    let batches = judged(&level(ContextLevel::Widget), &[&off, &off, &on], &[&off, &off, &off, &off]);
    assert_eq!((batches.len(), merge_batches(&batches).len()), (2, 1));
    let other =
        judged(&level(ContextLevel::Widget), &[&page("x"), &page("x"), &on], &[&off, &off, &off, &off]);
    let all = [batches, other].concat();
    assert_eq!(merge_batches(&all).len(), 2);
}

fn ours() -> EffectRule {
    EffectRule { visible_loss: true, ..EffectRule::default() }
}

#[test]
fn what_a_grown_list_does_not_show_is_not_known() {
    let (few, more) = (page(&["a", "b"]), page(&["a", "b", "c"]));
    let judge = |back: &str, last: &str| {
        judged(&ours(), &[&few, &few, &few, &more], &[&few, &few, back, back, last]).len()
    };
    let added = page(&["x", "a", "b"]);
    assert_eq!(judge(&added, &added), 0, "c may be out of sight");
    assert_eq!(judge(&few, &few), 1);
}

#[test]
fn what_the_detour_took_away_is_not_looked_for() {
    // Another page than the one that the detour began on. The test brings the first file to the top once more.
    let page = |files: &[&str]| {
        let row =
            |file: &&str| format!("    LinearLayout\n      TextView#name \"{file}\"\n      TextView#size\n");
        format!("FrameLayout\n  Button#up\n  ListView\n{}", files.iter().map(row).collect::<String>())
    };
    let home = "FrameLayout\n  TextView\n  Button#go\n";
    let (before, after) = (page(&["cat", "dog", "owl"]), page(&["owl", "cat", "dog"]));
    let judge = |first: &str, last: &str| {
        judged(&ours(), &[home, home, &before, home, &after], &[home, home, home, first, home, last]).len()
    };
    assert_eq!(judge(&page(&["cat", "owl"]), &page(&["owl", "cat"])), 0, "the detour deleted the dog");
    assert!(judge(&before, &page(&["owl", "cat"])) > 0, "the test did");
}

#[test]
fn a_picture_is_told_by_its_row() {
    let page = |rows: &[&str]| {
        let row =
            |name: &&str| format!("    LinearLayout\n      ImageView\n      TextView#name \"{name}\"\n");
        format!("FrameLayout\n  Button#go\n  LinearLayout#menu\n{}", rows.iter().map(row).collect::<String>())
    };
    let (all, moved) = (page(&["Bookmarks", "Files", "About"]), page(&["Bookmarks", "new", "Files"]));
    let judge =
        |back: &str, last: &str| judged(&ours(), &[&all, &all, &moved], &[&all, &all, back, last]).len();
    let (longer, more) = (page(&["Bookmarks", "old", "Files"]), page(&["Bookmarks", "old", "new"]));
    assert_eq!(judge(&longer, &more), 0, "what the test pushed out of sight, the detour had before");
    assert!(judge(&all, &all) > 0);
}

#[test]
fn a_detour_that_did_not_come_back_is_not_judged() {
    let page =
        |text: &str, extra: &str| format!("FrameLayout\n  Button#go\n  TextView#state \"{text}\"\n{extra}");
    let (off, on, other) = (page("off", ""), page("on", ""), page("off", "  ImageView#menu\n"));
    let returns = PivotReturn { percent: 50, same_state: true, basis: LabelBasis::default() };
    let rule = EffectRule { comes_back: Some(returns), ..ours() };
    let judge = |back: &str| judged(&rule, &[&off, &off, &on], &[&off, &off, back, &off]).len();
    assert_eq!((judge(&off), judge(&other)), (2, 0));
}

#[test]
fn what_the_test_shows_again_the_detour_may_have_removed() {
    // The page under two filters. The detour begins where one row does not show.
    let (all, some) = (page(&["a", "b", "c"]), page(&["a", "b"]));
    let judge = |passes: bool, back: &str| {
        let detour = Detour { passes, ..Detour::default() };
        judged_after(Some(&detour), &ours(), &[&all, &some, &some, &all], &[&all, &some, back, &some, &some])
            .len()
    };
    assert_eq!(judge(false, &some), 0);
    assert_eq!(judge(false, &all), 1, "it is there after the detour");
    assert_eq!(judge(true, &some), 1, "the detour only opened and closed pages");
}

#[test]
fn a_row_that_came_is_not_missed_where_there_are_fewer_rows() {
    // The detour removed the row a, which the test shows again, with the new row c.
    let (all, some) = (page(&["a", "b"]), page(&["b"]));
    for shown in [["a", "c"], ["c", "a"]] {
        let seed = [&*all, &some, &some, &page(&shown)];
        assert!(judged(&ours(), &seed, &[&all, &some, &some, &some, &page(&["c"])]).is_empty());
    }
}

#[test]
fn every_row_that_came_is_looked_for() {
    // A script turns the row a into one of the two others, whichever is missed.
    let list = |names: &[&str]| rows(&names.iter().map(|name| (*name, false)).collect::<Vec<_>>());
    let (all, open) = (list(&["a", "b", "c"]), list(&["a"]));
    let (more, more_open) = (list(&["a", "b", "c", "x"]), list(&["a", "x"]));
    let judge = |last: &[&str]| {
        let seed = [&*all, &all, &open, &list(&["b", "c"])];
        judged(&ours(), &seed, &[&all, &all, &more, &more_open, &list(last)]).len()
    };
    assert_eq!([judge(&["b", "c"]), judge(&["b"]), judge(&["c"])], [0, 1, 1]);
}

#[test]
fn what_the_test_does_not_take_away_does_not_stay() {
    // Two tabs that both show b. In the script between them, b goes where the picture comes.
    let (open, done) = (rows(&[("a", false), ("b", false)]), rows(&[("b", false), ("c", true)]));
    let added = rows(&[("a", false), ("b", false), ("x", false)]);
    assert!(
        judged(&ours(), &[&open, &open, &open, &done], &[&open, &open, &added, &added, &done]).is_empty()
    );
}
