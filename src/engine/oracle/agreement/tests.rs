//! Relations that are learned, and screens that break them.

use super::*;
use taproof_screen::{Event, Gesture, Layout, Selector, Step, StepRole, frame_of, layout_from};

const APP: &str = "org.ex";

fn step(trace: &mut Trace, event: Event, shows: &str) {
    trace.push(Step { event, role: StepRole::Explored, after: frame_of(layout_from(shows)) });
}

/// A list below a line that counts it.
fn list(count: &str, rows: &[&str]) -> String {
    let row = |row: &&str| format!("    LinearLayout#row\n      TextView#title \"{row}\"\n");
    let rows: String = rows.iter().map(row).collect();
    format!("FrameLayout\n  TextView#count \"{count}\"\n  ListView#list\n{rows}")
}

/// Tests in which a list of so many objects is shown, each with other names.
fn learned(count: impl Fn(usize, usize) -> String) -> Agreements {
    let mut agreements = Agreements::default();
    for test in 0..6_usize {
        let mut trace = Trace::start(frame_of(layout_from("FrameLayout\n")));
        for rows in 1..5_usize {
            let names: Vec<String> =
                (0..rows).map(|row| format!("{}{test}", ["oak", "ash", "yew", "elm"][row])).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            step(&mut trace, Event::Rotate, &list(&count(test, rows), &names));
        }
        agreements.learn(&trace, 0, APP);
    }
    agreements
}

#[test]
fn a_number_that_counted_the_rows_on_many_data_is_suspected_where_it_does_not() {
    let mut agreements = learned(|_, rows| format!("{rows} notes"));
    assert!(agreements.suspects(APP).is_empty() && agreements.counts().kept > 0);
    let mut trace = Trace::start(frame_of(layout_from(&list("3 notes", &["a", "b", "c"]))));
    step(&mut trace, Event::Rotate, &list("3 notes", &["a", "b"]));
    agreements.learn(&trace, 0, APP);
    let suspects = agreements.suspects(APP);
    let suspect = suspects.first().unwrap();
    assert!(matches!(suspect.rule.relation, Relation::Measures { measure: Measure::Count, .. }));
    let mut right = trace.clone();
    step(&mut right, Event::Relaunch, &list("2 notes", &["a", "b"]));
    let Verdict::Violated(violation) = suspect.rule.judge(&trace, &right) else { panic!("not violated") };
    assert!(violation.title == "The list says “3 notes” and shows 2 rows", "{}", violation.title);
    assert_eq!(violation.failures[0].offending.len(), 3);
    // What a restart leaves as it is follows from more than what is shown.
    step(&mut right, Event::Relaunch, &list("3 notes", &["a", "b"]));
    assert_eq!(suspect.rule.judge(&trace, &right), Verdict::Holds);
    assert!(suspect.rule.is_refuted_by(&trace, &right));
    // Other data tell nothing.
    step(&mut right, Event::Relaunch, &list("1 note", &["a"]));
    assert!(matches!(suspect.rule.judge(&trace, &right), Verdict::Inconclusive(_)));
    agreements.refute(&suspect.rule);
    agreements.learn(&trace, 0, APP);
    assert!(agreements.suspects(APP).is_empty());
}

#[test]
fn a_number_that_counts_the_rows_by_accident_is_not_kept() {
    assert_eq!(learned(|_, _| "3 tips".to_owned()).counts().kept, 0);
    assert_eq!(learned(|test, rows| format!("{} steps", test * 7 + rows)).counts().kept, 0);
}

fn tap(row: &str, on: &Layout) -> Event {
    let selector = Selector { text: Some(row.to_owned()), ..Selector::default() };
    Event::on(on, selector, Gesture::Tap).unwrap()
}

fn opened(agreements: &mut Agreements, row: &str, title: &str) -> Trace {
    let shown = layout_from(&list("", &[row, "other"]));
    let shown = shown.with_activity("org.ex/.List".into());
    let mut trace = Trace::start(frame_of(shown.clone()));
    let page = layout_from(&format!("FrameLayout\n  TextView#name \"{title}\"\n"));
    let after = frame_of(page.with_activity("org.ex/.Page".into()));
    trace.push(Step { event: tap(row, &shown), role: StepRole::Explored, after });
    agreements.learn(&trace, 0, APP);
    trace
}

#[test]
fn a_number_that_is_wrong_is_suspected_once() {
    // It is the sum of the ones in the rows, too.
    let rows = |test: u8, rows: usize| -> Vec<String> {
        let name = |tree: &&str| format!("1 {tree}{}", char::from(b'a' + test));
        ["oak", "ash", "yew", "elm"].iter().take(rows).map(name).collect()
    };
    let shows = |count: &str, rows: &[String]| {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        list(count, &rows)
    };
    let mut agreements = Agreements::default();
    for test in 0..6 {
        let mut trace = Trace::start(frame_of(layout_from("FrameLayout\n")));
        for count in 1..5_usize {
            step(&mut trace, Event::Rotate, &shows(&format!("{count} notes"), &rows(test, count)));
        }
        agreements.learn(&trace, 0, APP);
    }
    let mut trace = Trace::start(frame_of(layout_from(&shows("2 notes", &rows(7, 2)))));
    step(&mut trace, Event::Rotate, &shows("3 notes", &rows(8, 2)));
    agreements.learn(&trace, 0, APP);
    let measures: Vec<Relation> = agreements.suspects(APP).into_iter().map(|it| it.rule.relation).collect();
    assert!(matches!(measures[..], [Relation::Measures { measure: Measure::Count, .. }]), "{measures:?}");
}

#[test]
fn a_row_opens_the_page_that_says_the_same() {
    let mut agreements = Agreements::default();
    for row in 0..20 {
        let name = format!("Name {row} of many");
        opened(&mut agreements, &name, &name);
    }
    opened(&mut agreements, "A long name", "A long name, which the row cuts");
    assert!(agreements.suspects(APP).is_empty());
    let trace = opened(&mut agreements, "Milk", "Bread");
    let suspect = agreements.suspects(APP).pop().unwrap();
    assert_eq!(suspect.witness.shared.len(), 0);
    let Verdict::Violated(violation) = suspect.rule.judge(&trace, &trace) else { panic!("not violated") };
    assert!(violation.title == "A row says “Milk” and its page says “Bread”", "{}", violation.title);
    assert_eq!(violation.failures[0].missing.as_deref(), Some("Milk"));
}

#[test]
fn a_tap_that_leaves_the_row_in_its_list_has_opened_nothing() {
    let mut agreements = Agreements::default();
    let mut tapped = |from: &str, row: &str, to: &str, shown: &[&str]| {
        let page = |name: &str, rows: &[&str]| {
            layout_from(&format!("{}  TextView#name \"{name}\"\n", list("", rows)))
        };
        let before = page(from, &[row, "other"]);
        let mut trace = Trace::start(frame_of(before.clone()));
        let after = frame_of(page(to, shown).with_activity("org.ex/.Folder".into()));
        trace.push(Step { event: tap(row, &before), role: StepRole::Explored, after });
        agreements.learn(&trace, 0, APP);
        agreements.suspects(APP).len()
    };
    for row in 0..20 {
        let name = format!("Folder {row}");
        assert_eq!(tapped("Storage", &name, &name, &["file", "more"]), 0);
    }
    assert_eq!(tapped("1 selected", "Milk", "Storage", &["Milk", "other"]), 0);
    assert_eq!(tapped("1 selected", "Milk", "Storage", &["file", "more"]), 1);
}

#[test]
fn totals_and_orders_are_kept_too() {
    let mut agreements = Agreements::default();
    for test in 0..12_i64 {
        let numbers = [test, test * test + 1, test * test * 3 + 7];
        let total: i64 = numbers.iter().sum();
        let row = |number: &i64| {
            format!(
                "    LinearLayout#row\n      TextView#title \"t{number}\"\n      TextView#number \"{number}\"\n"
            )
        };
        let rows: String = numbers.iter().map(row).collect();
        let shows = format!("FrameLayout\n  TextView#total \"Total: {total}\"\n  ListView#list\n{rows}");
        let mut trace = Trace::start(frame_of(layout_from("FrameLayout\n")));
        step(&mut trace, Event::Rotate, &shows);
        agreements.learn(&trace, 0, APP);
    }
    let AgreementCounts { kept, refuted, .. } = agreements.counts();
    assert!(kept >= 2, "the total and the order: {kept}, {refuted} refuted");
}
