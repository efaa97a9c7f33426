//! The results of a bench as one self-contained HTML page with plots.
//!
//! Titles and names may come from an app, so every text is escaped here.

mod heat;
mod lists;
mod plots;
mod scale;

use maud::{Markup, html};

use taproof_results::report::{Escaped, footer_of, styled_page};
use taproof_screen::{counted, thousands};

use crate::plan::Purpose;
use crate::results::Results;
use crate::tables::summary::{EngineSummary, Recall, Summary};
use crate::tables::table::{Part, Table};
use crate::tables::{bugs_and_suspicions, comparisons, coverage, percent, plan_sentence, recall_words};

/// The page. `changes` is what changed since other results, if there are any.
pub fn page(results: &Results, summary: &Summary, changes: &[Part]) -> Vec<u8> {
    let body = html! {
        (heading(results))
        (glance(summary))
        @if !changes.is_empty() { (changed(changes)) }
        (plots::own_recall(summary))
        (plots::recall(summary))
        (plots::first_events(summary))
        @if !summary.comparisons.is_empty() { (side_by_side(summary)) }
        @if !summary.coverage.is_empty() { (executed(summary)) }
        (heat::operators(summary))
        (heat::depths(summary))
        (plots::precision(summary))
        (classes(summary))
        (cards(summary))
        (plots::lengths(summary))
        (lists::missed(results, summary))
        (lists::false_findings(results))
        (lists::failures(results))
        (run(results))
        (footer_of(&results.taproof))
    };
    styled_page("Engines on apps with known faults", &body, STYLE)
}

/// A section with a title that says what is to be seen, and a line on how to read it.
fn section(title: &str, how: &str, body: &Markup) -> Markup {
    html! {
        section { h2 { (title) } p.quiet { (how) } div.card.wide { (body) } }
    }
}

fn heading(results: &Results) -> Markup {
    let (tone, word) = match results.purpose {
        Purpose::Judging => ("good", "judging seeds"),
        Purpose::Making => ("warn", "seeds for making engines"),
        Purpose::Both => ("warn", "seeds for making and for judging"),
    };
    html! {
        header {
            span.quiet { "Bench" }
            h1 { "Engines on apps with known faults" }
            div.chips {
                span class={ "chip " (tone) } { (word) }
                span.chip { (counted(results.targets.iter().filter(|it| it.subject.fault().is_some()).count(), "fault")) }
                span.chip { (counted(results.plan.apps.len(), "app")) }
                span.chip { (counted(results.plan.engines.len(), "engine")) }
                span.chip { (counted(results.cells.len(), "campaign")) }
                span.chip { (thousands(results.cells.iter().map(|row| row.result.events).sum())) " events" }
            }
            p { (plan_sentence(results)) " " (results.purpose.sentence()) }
        }
    }
}

/// The numbers of each engine in one table.
fn glance(summary: &Summary) -> Markup {
    let has_baseline = summary.engines.iter().any(|engine| engine.beyond_baseline.is_some());
    let table = html! {
        table.glance {
            tr {
                th { "Engine" } th { "Recall of its own faults" } th.n { "found by half of the seeds" }
                @if has_baseline { th.n { "recall, own, not found by Monkey" } }
                th.n { "recall of all faults" } th.n { "precision" } th.n { "false alarms in 100,000 events" }
                th.n { "cards a fault" }
            }
            @for (place, engine) in summary.engines.iter().enumerate() { (glance_row(place, engine, has_baseline)) }
        }
    };
    let how = "Recall is the share of campaigns that find their fault; in brackets, the 95 % bootstrap interval, with faults \
               as units. An engine\u{2019}s own faults are those that its oracles are meant to see: P a property, C a crash or hang, \
               G Genie, O ODIN, K Keep, A agreement. False alarms are confirmed findings in builds without faults.";
    section("At a glance", how, &table)
}

fn glance_row(place: usize, engine: &EngineSummary, has_baseline: bool) -> Markup {
    let words = |recall: Recall| recall_words(recall).unwrap_or_else(|| "\u{2013}".to_owned());
    let or_dash = |number: Option<f64>| number.map_or("\u{2013}".to_owned(), |number| format!("{number:.2}"));
    let own = engine.own;
    let cards = (engine.cards.faults > 0).then(|| engine.cards.cards as f64 / engine.cards.faults as f64);
    html! {
        tr {
            td { span class={ "dot f" (place % plots::COLOURS) } {} (Escaped(&engine.name)) }
            td { (plots::bar(own)) (words(own)) span.quiet { " of " (own.faults) " " (engine.letters) } }
            td.n { (own.in_half) "/" (own.faults) }
            @if has_baseline { td.n { (engine.beyond_baseline.map_or("\u{2013}".to_owned(), words)) } }
            td.n { (words(engine.all)) }
            td.n { (engine.findings.precision().map_or("\u{2013}".to_owned(), percent)) }
            td.n { (or_dash(engine.false_alarms())) }
            td.n { (or_dash(cards)) }
        }
    }
}

fn changed(changes: &[Part]) -> Markup {
    html! {
        section {
            h2 { "What changed since the other results" }
            div.card.wide {
                @for part in changes {
                    @match part {
                        Part::Text(text) => p.quiet { (Escaped(text)) },
                        Part::Table(table) => (html_table(table)),
                    }
                }
            }
        }
    }
}

fn html_table(table: &Table) -> Markup {
    html! {
        table {
            tr { @for name in table.head() { th { (Escaped(name)) } } }
            @for row in table.rows() { tr { @for cell in row { td { (Escaped(&cell.words())) } } } }
        }
    }
}

/// What engines execute of sound builds, beside others.
fn executed(summary: &Summary) -> Markup {
    let how = "Code points of sound builds that a campaign executed, the mean, at equal events.";
    section("How much of the apps engines execute", how, &html_table(&coverage(summary)))
}

/// Engines beside one another.
fn side_by_side(summary: &Summary) -> Markup {
    let how = "Each beside Monkey, variants of an engine beside the first one, and auto beside all others: all faults, at equal events. A12 is how likely a campaign of the engine needs fewer events than one of the other, where one \
               that did not find its fault counts as slower than all that did; 0.50 is no difference. The events to find are compared where both \
               find a fault. p is that of the Mann-Whitney U test.";
    section("How engines differ from one another", how, &html_table(&comparisons(summary)))
}

/// What bugs alone are worth, and what they are with the suspicions.
fn classes(summary: &Summary) -> Markup {
    let how = "Bugs are findings whose evidence suffices: what contradicts a property or what every app must do, a loss whose control \
               kept it each time, a difference that a second, different test showed. Suspicions came back each time, and may be \
               no bugs.";
    section("Bugs and suspicions", how, &html_table(&bugs_and_suspicions(summary)))
}

/// How findings are put on cards.
fn cards(summary: &Summary) -> Markup {
    let table = html! {
        table {
            tr {
                th { "Engine" } th.n { "faults found" } th.n { "cards" } th.n { "cards a fault" }
                th.n { "cards in builds with several faults" } th.n { "that show two" }
            }
            @for engine in &summary.engines {
                @let cards = engine.cards;
                tr {
                    td { (Escaped(&engine.name)) }
                    td.n { (cards.faults) } td.n { (cards.cards) }
                    td.n { @if cards.faults > 0 { (format!("{:.2}", cards.cards as f64 / cards.faults as f64)) } @else { "\u{2013}" } }
                    td.n { (cards.mixed_cards) } td.n { (cards.of_two) }
                }
            }
        }
    };
    let how = "One bug should be one card: 1.00 cards a fault, and no card that shows two. Counted in each campaign.";
    section("How many cards tell of one fault", how, &table)
}

/// What was run, in terms that let somebody run it again.
fn run(results: &Results) -> Markup {
    let plan = &results.plan;
    html! {
        section {
            h2 { "What was run" }
            div.card {
                dl {
                    dt { "Apps" } dd { (Escaped(&plan.apps.join(", "))) }
                    @for engine in &plan.engines {
                        @let changed: Vec<String> = engine.config.changed().into_iter().map(|(key, value)| format!("{key}={value}")).collect();
                        dt { (Escaped(&engine.name)) }
                        dd { (thousands(engine.events)) " events" @if !changed.is_empty() { "; " (Escaped(&changed.join(", "))) } }
                    }
                    dt { "Seeds" } dd { (plan.seeds.start()) " to " (plan.seeds.end()) }
                    dt { "Faults" } dd { (Escaped(&plan.faults.join(", "))) ", drawn " (plan.mix.words()) ", with seed " (plan.sample_seed) }
                    dt { "Oracles" } dd { "each engine\u{2019}s own; PBFDroid has the specification that follows from the app" }
                }
            }
        }
    }
}

/// Colours of engines, marks of plots, and shades of the heat map, light and dark.
const STYLE: &str = "
:root{--e0:#00746a;--e1:#b5540b;--e2:#5b4fc4;--e3:#0b6fb8;--e4:#a3267a;--e5:#5b6675;--e6:#857000;--e7:#3d7a1e}
@media (prefers-color-scheme:dark){:root{--e0:#4cc2b4;--e1:#f0954a;--e2:#a79cff;--e3:#5cb3f0;--e4:#e879c3;--e5:#9aa5b4;
--e6:#d6b93a;--e7:#8fd05f}}
.f0{--c:var(--e0)}.f1{--c:var(--e1)}.f2{--c:var(--e2)}.f3{--c:var(--e3)}.f4{--c:var(--e4)}.f5{--c:var(--e5)}.f6{--c:var(--e6)}
.f7{--c:var(--e7)}
.wide{overflow-x:auto}
.dot{display:inline-block;width:10px;height:10px;border-radius:5px;background:var(--c);margin-right:8px}
.glance td{white-space:nowrap;vertical-align:middle}.glance th{vertical-align:bottom}.glance th.n{white-space:normal;overflow-wrap:normal;max-width:112px}
svg.plot text{font:12px Roboto,system-ui,sans-serif;fill:var(--quiet)}
svg.plot text.strong{fill:var(--text)}
svg.plot text.name{fill:var(--c);font-weight:500}
svg.plot .axis{stroke:var(--line);stroke-width:1}
svg.plot .mark{stroke:var(--quiet);stroke-width:1;stroke-dasharray:3 3}
svg.plot .line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}
svg.plot .ghost{fill:none;stroke:var(--line);stroke-width:1.5}
svg.plot .lead{stroke:var(--c);stroke-width:1;stroke-dasharray:1 3;opacity:.7}
svg.plot .band{fill:var(--c);opacity:.16}
svg.plot .box{fill:var(--c);fill-opacity:.22;stroke:var(--c);stroke-width:1.5}
svg.plot .median{stroke:var(--c);stroke-width:3}
svg.plot .true{fill:var(--good)}svg.plot .false{fill:var(--bad)}svg.plot .none{fill:var(--line)}
svg.spark{width:96px;height:12px;margin-right:8px;vertical-align:-1px}
svg.spark .all{fill:var(--line)}svg.spark .part{fill:var(--accent)}svg.spark .whisker{stroke:var(--text);stroke-width:1.5}
table.heat{width:auto;border-spacing:2px;border-collapse:separate}
table.heat th,table.heat td{border:0;padding:2px 8px}
table.heat th.n{text-align:center}
table.heat td.cell{text-align:center;min-width:72px;border-radius:4px;color:var(--quiet)}
table.heat td.own{color:var(--text);font-weight:500}
table.heat td.missed{box-shadow:inset 0 0 0 1.5px var(--bad);color:var(--bad)}
table.heat tr.letter>*{border-top:16px solid transparent;background-clip:padding-box}
table.heat tr.letter th{color:var(--text);font-weight:600}
table.heat td:first-child{padding-right:16px;white-space:nowrap}
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::against::change_tables;
    use crate::plan::Subject;
    use crate::result::CellResult;
    use crate::samples::{found_at, results};
    use crate::tables::summary::Summary;

    const HOSTILE: &str = "\u{202e}\"'><script>alert(1)</script><img src=x onerror=alert(2)>\u{1b}[2J";

    fn page_of(results: &Results) -> String {
        let changes = change_tables(results, results);
        String::from_utf8(page(results, &Summary::of(results), &changes)).unwrap()
    }

    #[test]
    fn no_text_of_an_app_is_taken_for_markup() {
        let mut results = results(&[("stale-list", [Some(100), None]); 12]);
        results.plan.apps = vec![HOSTILE.to_owned()];
        for target in &mut results.targets {
            target.app = HOSTILE.to_owned();
            if let Subject::Fault(fault) = &mut target.subject {
                fault.operator = HOSTILE.to_owned();
                fault.id.push_str(HOSTILE);
            }
        }
        for row in &mut results.cells {
            row.result.trouble = Some(HOSTILE.to_owned());
            row.result.findings.iter_mut().for_each(|found| {
                found.title = HOSTILE.to_owned();
                found.faults.clear();
            });
        }
        let page = page_of(&results);
        assert!(!page.contains("<script") && !page.contains("<img") && !page.contains('\u{1b}'));
        assert!(page.contains("&lt;script&gt;alert(1)"), "it is shown as text");
        assert!(page.contains("False findings") && page.contains("Campaigns that failed"));
    }

    #[test]
    fn long_names_of_engines_are_cut_in_plots_only() {
        let mut results = results(&[("stale-list", [Some(5), None])]);
        let name = format!("pbfdroid:{}", "explore=fastbot2:".repeat(4));
        results.plan.engines[0].name.clone_from(&name);
        results.cells.iter_mut().for_each(|row| row.engine.clone_from(&name));
        let page = page_of(&results);
        assert!(page.contains(&name) && page.contains(">pbfdroid:explore=fastbo\u{2026} 50 %<"), "{page}");
    }

    #[test]
    fn every_number_of_a_plot_is_one() {
        let mut results = results(&[("stale-list", [None, None])]);
        let page = page_of(&results);
        assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
        assert!(page.contains("found 0 of 2"));
        // A page without any fault.
        results.targets[0].subject = Subject::Sound;
        results.cells.iter_mut().for_each(|row| row.result = CellResult { events: 1_000, ..found_at(None) });
        let page = page_of(&results);
        assert!(!page.contains("NaN") && page.contains("0 in 2,000 events (0.00 in 100,000)"));
    }
}
